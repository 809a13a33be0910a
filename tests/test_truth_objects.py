"""How the judge of `nox -s truth` dates pages that show Python objects."""

from __future__ import annotations

import contextlib
import json
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.truth import building, sites
from benchmarks.truth.documented import Names, names_in
from benchmarks.truth.history import History
from benchmarks.truth.judge import _with_objects, judge
from benchmarks.truth.objects import Objects
from tests.full import FULL
from tests.git_repository import GitRepository

# They are tests of `nox -s truth`.
pytestmark = FULL

BASE_URL = "https://example.com/docs/"
DAYS = [
    int(datetime(2020 + number, 5, 4, 12, tzinfo=UTC).timestamp())
    for number in range(5)
]
MODULE = '''\
class Base:
    def inherited(self):
        """Inherited."""

class Client(Base, Exception):
    """{client}"""

    def get(self, url, timeout{annotation}=1):
        """Get."""
        {body}
'''


def tree(client="A client.", annotation="", body="pass", **others):
    module = MODULE.format(client=client, annotation=annotation, body=body)
    return {
        "src/pkg/__init__.py": "from pkg._client import Client\n",
        "src/pkg/_client.py": module,
    } | others


def shown(folder, *names, listed=(), text="", opened=(), nameless=False):
    objects = Objects(folder, folder / "env", opened, History(folder))
    with contextlib.closing(objects):
        return objects.shown(Names(names, tuple(listed), has_nameless=nameless), text)


def years(found):
    """Return the years of the plain and of the possible changes."""
    plain = found.plain and found.plain.committed.year
    return plain, [each.committed.year for each in found.possible]


@pytest.fixture
def repository(tmp_path):
    made = GitRepository(tmp_path)
    made.commit(tree(), time=DAYS[0])
    made.commit(tree(client="A better client."), time=DAYS[1])
    changed = tree(client="A better client.", annotation=": int")
    made.commit(changed, time=DAYS[2])
    changed = tree(client="A better client.", annotation=": int", body="return 1")
    made.commit(changed, time=DAYS[3])
    made.write(checkout=True)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "plain", "possible"),
    [
        ("pkg.Client", 2021, []),
        # An annotation is shown by some settings; a body by none.
        ("pkg.Client.get", 2020, [2022]),
        ("pkg._client.Client.get", 2020, [2022]),
        ("pkg.Client.inherited", 2020, []),
        # What an exception has from Python itself has no commit.
        ("pkg.Client.with_traceback", None, []),
    ],
)
def test_object_has_the_date_of_its_last_change(repository, name, plain, possible):
    found = shown(repository, name)

    assert ("", plain, possible) == (found.why, *years(found))


def test_nothing_is_certain_before_the_newest_change_that_readers_may_see(tmp_path):
    made = GitRepository(tmp_path)
    for number, annotation in enumerate(["", ": int", ": str"]):
        made.commit(tree(annotation=annotation), time=DAYS[number])
    made.write(checkout=True)

    found = _with_objects([], shown(tmp_path, "pkg.Client.get"), History(tmp_path))
    verdicts = {}
    for each in found:
        verdicts.setdefault(each.moment.year, each.verdict)
    assert {2020: "undecided", 2021: "undecided", 2022: "true"} == verdicts


def test_newest_object_of_a_page_decides(repository):
    found = shown(repository, "pkg.Client.get", "pkg.Client")

    assert ("pkg.Client", "pkg.Client.get") == (
        found.plain.name,
        found.possible[0].name,
    )


def test_table_shows_the_first_paragraph(tmp_path):
    made = GitRepository(tmp_path)
    made.commit({"a.py": 'def f(x):\n    """F.\n\n    More."""\n'}, time=DAYS[0])
    made.commit({"a.py": 'def f(y):\n    """F.\n\n    Much."""\n'}, time=DAYS[1])
    made.write(checkout=True)

    # And the signature, which the author can leave out.
    assert (2020, [2021]) == years(shown(tmp_path, listed=["a.f"]))
    assert (2021, []) == years(shown(tmp_path, "a.f"))


def test_type_that_annotations_name_may_be_seen(tmp_path):
    made = GitRepository(tmp_path)
    function = 'from p.b import Text\n\ndef f(x: Text | None):\n    """F of x."""\n'
    types = "Part = {}\nText = list[Part]\nOther = {}\n"
    for number, values in enumerate([("int", 1), ("str", 1), ("str", 2)]):
        texts = {"p/__init__.py": "", "p/a.py": function}
        made.commit(texts | {"p/b.py": types.format(*values)}, time=DAYS[number])
    made.write(checkout=True)

    assert (2020, [2021]) == years(shown(tmp_path, "p.a.f"))


def test_what_a_module_imports_is_not_listed(tmp_path):
    made = GitRepository(tmp_path)
    text = '"""A."""\n{}\n\nB = 1\n"""B."""\n'
    for number, line in enumerate(["import os", "import sys", "C = 1"]):
        made.commit({"a.py": text.format(line)}, time=DAYS[number])
    made.write(checkout=True)

    assert (2020, [2022]) == years(shown(tmp_path, "a", "a.B"))


def test_moved_object_keeps_its_date(tmp_path):
    made = GitRepository(tmp_path)
    text = 'def f(x):\n    """F of x."""\n'
    made.commit({"a.py": text, "b.py": "B = 1\n"}, time=DAYS[0])
    made.commit({"a.py": "A = 1\n", "b.py": f"B = 1\n{text}"}, time=DAYS[1])
    made.write(checkout=True)

    assert (2020, []) == years(shown(tmp_path, "b.f"))


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["other.f"], "whose module the repository does not have"),
        (["pkg.gone"], "which Griffe does not find"),
    ],
)
def test_page_with_an_unknown_object_is_undecided(repository, names, why):
    assert why in shown(repository, "pkg.Client", *names).why


def test_page_with_a_nameless_object_is_undecided(repository):
    found = shown(repository, "pkg.Client", nameless=True)

    assert "without its name" in found.why


def test_installed_version_is_shown_unless_the_repositorys_was_read(repository):
    installed = repository / "env/lib/python3.11/site-packages/pkg"
    installed.mkdir(parents=True)
    own = repository / "src/pkg/_client.py"
    text = own.read_text("utf-8")
    (installed / "_client.py").write_text(text.replace("better", "good"), "utf-8")

    assert "the installed version differs" in shown(repository, "pkg.Client").why
    assert shown(repository, "pkg.Client.get").why == ""
    assert shown(repository, "pkg.Client", opened=[str(own)]).why == ""


@pytest.mark.parametrize(
    "text",
    [
        ".. py:class:: pkg.Client\n",
        ".. class:: Client(x)\n",
        "```{py:class} Client\n```\n",
        ":::{class} Client\n:::\n",
    ],
)
def test_object_that_a_page_describes_by_hand_is_none_of_code(repository, text):
    assert shown(repository, "pkg.Client", text=text) is None


@pytest.mark.parametrize(
    ("html", "names"),
    [
        ('<dl class="py class"><dt class="sig sig-object py" id="a.B">', ["a.B"]),
        ('<dl class="c macro"><dt class="sig sig-object c" id="c.B">', []),
        ('<link href="documentation_options.js"><p id="module-a.b">', ["a.b"]),
        # A heading of Pelican.
        ('<div id="module-states"><h2>Module states', []),
        ('<div class="doc doc-object"><h2 id="a.B" class="doc doc-heading">', ["a.B"]),
        ("<div class='doc doc-object'><a id=a.b></a><p><a id=more></a>", ["a.b"]),
        # An anchor of a line of source code, and of a parameter.
        (
            (
                '<div class="doc-object"><h2 id="a.f" class="doc-heading"></h2>'
                '<p><a id="a.f--source"></a></p><h3 id="a.f(x)" class="doc-heading">'
            ),
            ["a.f"],
        ),
        (
            (
                '<div class="autodoc"><div class="autodoc-signature">'
                "<code>a.<strong>B</strong></code></div>"
                '<div class="autodoc-members"><div class="autodoc-signature">'
                "<code><strong>get</strong></code><code>"
            ),
            ["a.B", "a.B.get"],
        ),
        ('<p id="a.b">doc-heading</p>', []),
    ],
)
def test_names_of_objects_are_read_from_pages(html, names):
    assert Names(tuple(names), (), has_nameless=False) == names_in(html)


def test_names_in_tables_are_not_those_of_whole_objects():
    row = '<td><a class="reference" title="{0}"><code>{0}</code></a></td>'
    html = f'<table class="autosummary">{row.format("a.f")}{row.format("a.g")}</table>'
    html += '<dt class="sig sig-object py" id="a.g"><dt class="sig sig-object py">'

    assert Names(("a.g",), ("a.f",), has_nameless=True) == names_in(html)


SPHINX = {
    "docs/conf.py": f"""\
import os, sys
sys.path.insert(0, os.path.abspath("../src"))
project, html_baseurl = "Small", "{BASE_URL}"
extensions = ["sphinx.ext.autodoc", "sphinx.ext.autosummary"]
""",
    "docs/index.rst": "Home\n====\n\n.. toctree::\n\n   api\n   summary\n",
    "docs/api.rst": "API\n===\n\n.. autoclass:: pkg.Client\n   :members: get\n",
    "docs/summary.rst": (
        "All\n===\n\n.. autosummary::\n   :toctree: made\n\n   pkg.Client.get\n"
    ),
}
MKDOCS = {
    "mkdocs.yml": f"""\
site_name: Small
site_url: {BASE_URL}
theme: mkdocs
plugins:
  - search
  - mkdocstrings:
      handlers:
        python:
          paths: [src]
""",
    "docs/index.md": "# Home\n",
    "docs/api.md": "# API\n\n::: pkg.Client\n",
}


class Small:
    """A site of a package whose objects and bodies have changed."""

    def __init__(self, folder: Path, site: dict[str, str], settings: str) -> None:
        made = GitRepository(folder / "mirrors/owner+small")
        made.commit(tree(**site), time=DAYS[0])
        made.commit(tree(client="A better client.", **site), time=DAYS[1])
        made.commit(
            tree(client="A better client.", body="return 1", **site), time=DAYS[2]
        )
        commit = made.write(checkout=False)[-1]
        generator = "mkdocs" if settings == "mkdocs.yml" else "sphinx"
        site = sites.Site(
            "small", "owner/small", commit, generator, settings, BASE_URL, ()
        )
        place = folder / "small"
        place.mkdir()
        git_dir = building.repository(site, place, folder / "mirrors")
        (place / "env").symlink_to(sys.prefix, target_is_directory=True)
        tool = building.Tool(building.OURS, {})
        self.built = building.build(site, place, git_dir, tool, key="1")

    def judged(self):
        return judge(self.built, BASE_URL, History(self.built.source)).counts


@pytest.fixture(scope="module", params=["sphinx", "mkdocs"])
def small(request, tmp_path_factory):
    site, settings = {
        "sphinx": (SPHINX, "docs/conf.py"),
        "mkdocs": (MKDOCS, "mkdocs.yml"),
    }[request.param]
    return Small(tmp_path_factory.mktemp("objects"), site, settings)


API = r"(<loc>[^<]*/api(?:\.html|/)</loc>\s*<lastmod>)[^<]*"


@pytest.mark.parametrize(
    ("date", "verdict"),
    [
        ("2021-05-04", "true"),
        ("2020-05-04", "false"),  # Of the page's own text.
        ("2022-05-04", "late"),  # Of a body.
        ("2022-05-05", "false"),
    ],
)
def test_date_of_a_page_with_objects_is_judged_by_these(small, date, verdict):
    sitemap = small.built.output_dir / "sitemap.xml"
    text = sitemap.read_text("utf-8")
    said, count = re.subn(API, rf"\g<1>{date}", text)
    assert 1 == count
    before = small.judged()
    try:
        sitemap.write_text(said, "utf-8")
        found = small.judged()
    finally:
        sitemap.write_text(text, "utf-8")

    # Ours is true.
    changed = {"objects true": -1}
    changed[f"objects {verdict}"] = changed.get(f"objects {verdict}", 0) + 1
    for name, number in changed.items():
        assert before[name] + number == found[name], json.dumps(found)
