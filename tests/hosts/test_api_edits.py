"""Edits of modules, each with the day that pages have which show them: real builds."""

from __future__ import annotations

import pytest

from benchmarks.api_edits import BY_THE_RULE, all_cases, judged
from tests.full import full

OTHER_CODE = {
    "base import switched",
    "constant import switched",
    "constant updated",
    "deco class that writes docstrings",
    "helper writes docs",
    "metaclass call",
    "reexport switched",
    "setattr made",
    "version condition",
}
"""What other code does to an object, which the rule does not follow."""
SEEN = {
    "bases in a cycle docstring",
    "dataclass field init false",
    "doc from other",
    "method made classmethod alias",
    "property of functions",
    "wraps other function",
    "wraps other signature elsewhere",
}
NOT_SEEN = {
    "class moved that annotates",
    "deco class that updates wrapper",
    "decorator body",
    "docstring blank line",
    "import made absolute",
    "object base",
    "reexport by a shorter way",
    "repr added",
    "star import replaced by names",
    "version added",
    "wrapping decorator with arguments added",
    "wraps own decorator added",
}
USUAL = {
    "docstring blank line",
    "helper writes docs",
    "object base",
    "reexport switched",
    "setattr made",
    "wraps other function",
}
"""One edit of each kind."""


@pytest.mark.parametrize(
    ("host", "titles", "needs"),
    [
        ("autodoc", USUAL, "sphinx"),
        full("autodoc", OTHER_CODE | SEEN | NOT_SEEN, "sphinx"),
        ("mkdocstrings", {"base init removed", "docstring blank line"}, "mkdocstrings"),
        full("autoapi", {"docstring blank line", "wraps other function"}, "autoapi"),
    ],
)
def test_pages_have_the_day_of_the_edit_but_for_other_code(
    host, titles, needs, tmp_path
):
    pytest.importorskip(needs)
    cases = [case for case in all_cases() if case.title in titles]
    found = [verdict for _, verdict in judged(tmp_path, cases, [host])]
    kinds = {each.kind for each in found}

    assert len(cases) == len(titles)
    assert "too old" not in kinds
    assert (BY_THE_RULE in kinds) == bool(titles & OTHER_CODE)
    if host == "autodoc":
        assert [each.page for each in found if each.kind == "too new"] == []
