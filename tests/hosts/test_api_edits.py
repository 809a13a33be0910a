"""Edits of modules, each with the day that pages have which show them: real builds."""

from __future__ import annotations

import pytest

from benchmarks.api_edits import all_cases, judged
from tests.full import full

DECIDED_BY_RUNNING = {
    "bases in a cycle docstring",
    "condition turned",
    "constant appended",
    "constant item set",
    "constant updated",
    "dataclass field init false",
    "deco class call parameters",
    "deco class subclass of one that writes",
    "deco class template elsewhere",
    "deco class that shows itself",
    "deco class that writes docstrings",
    "deco class update wrapper added",
    "decorator changes signature attr",
    "doc from other",
    "descriptor class get",
    "doc loop",
    "helper call text",
    "helper writes docs",
    "init_subclass two above",
    "metaclass base not named type",
    "metaclass call",
    "metaclass of base new",
    "class doc in init_subclass",
    "method made classmethod alias",
    "property of functions",
    "setattr made",
    "version condition",
    "wraps added to decorator",
    "wraps other added",
    "wraps other function",
    "wraps other signature elsewhere",
}
DECIDED_BY_IMPORTS = {
    "base import switched",
    "constant import switched",
    "reexport renamed",
    "reexport switched",
}
NOT_SEEN = {
    "abc base",
    "base without docstring moved",
    "class moved that annotates",
    "dataclass frozen",
    "deco class that updates wrapper",
    "decorator body",
    "definition moved and imported",
    "docstring blank line",
    "import made absolute",
    "logger added",
    "object base",
    "optional to pipe",
    "reexport by a shorter way",
    "reexport of a moved object",
    "repr added",
    "star import replaced by names",
    "typing prefix",
    "union to pipe",
    "version added",
    "wraps own decorator added",
    "wrapping decorator with arguments added",
}
SEEN_IN_SOURCE = {
    "base init removed",
    "instance attribute removed",
    "object base",
    "private member removed",
}
"""With all options; by themselves, hosts show less."""
USUAL = DECIDED_BY_IMPORTS | {
    "constant updated",
    "docstring blank line",
    "helper writes docs",
    "object base",
    "optional to pipe",
    "reexport of a moved object",
    "setattr made",
    "wraps other function",
}
"""One edit of each kind, of which Sphinx makes a third of the pages."""


@pytest.mark.parametrize(
    ("host", "titles", "needs"),
    [
        ("autodoc", USUAL, "sphinx"),
        full(
            "autodoc",
            DECIDED_BY_RUNNING | DECIDED_BY_IMPORTS | NOT_SEEN | {"base init removed"},
            "sphinx",
        ),
        ("mkdocstrings", DECIDED_BY_IMPORTS | SEEN_IN_SOURCE, "mkdocstrings"),
        ("autoapi", DECIDED_BY_IMPORTS | SEEN_IN_SOURCE, "autoapi"),
    ],
)
def test_no_page_is_older_than_what_it_shows(host, titles, needs, tmp_path):
    pytest.importorskip(needs)
    cases = [case for case in all_cases() if case.title in titles]
    found = [verdict for _, verdict in judged(tmp_path, cases, [host])]

    assert len(cases) == len(titles)
    assert {"too old"}.isdisjoint(each.kind for each in found)
    if host == "autodoc":
        assert [each.page for each in found if each.kind == "too new"] == []
