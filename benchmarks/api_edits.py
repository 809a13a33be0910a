"""Edit small Python modules, and ask each host's pages for their dates by real builds.

Run: python -m benchmarks.api_edits [--list] [HOST …] [WORD …]

`api_edits.txt` has the cases: lines that begin with `-` are only in the module before
the edit, with `+` only after it, `@@ FILE` names another file than `m.py`, and
`<trail>`, `<tab>` and `<crlf>` stand for what editors hide, `PKG` for the name of the
package. Each case is a package of its own in one repository, and its edit is a commit
of its own day. The site is built before all edits and after them.

A page is right if its text, as readers see it, changed and it has the day of the edit,
or if neither is so. It is too old if only the text changed, and too new if only the
date did. A page without a date says nothing false. A title that ends with `(other
code)` names an edit of what other code does to the objects, which our rule does not
follow: pages that are too old by it are counted alone. `--list` prints each that is not
right, and of those that are too old the lines that changed. Words choose the cases that
have them in their titles.
"""

from __future__ import annotations

import ast
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date, timedelta
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote
from xml.etree import ElementTree as ET

URL = "https://example.org/"
LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
LASTMOD = "{http://www.sitemaps.org/schemas/sitemap/0.9}lastmod"

BEFORE = date(2020, 1, 1)
"""The day of the commit that adds all modules."""

FIRST_EDIT = date(2021, 1, 1)
"""The day of the first edit; each other one is a day later."""

BY_THE_RULE = "too old by the rule"
KINDS = ("right", "too old", BY_THE_RULE, "too new", "undated")

OTHER_CODE = " (other code)"
"""The end of titles of edits that the rule does not follow."""

HIDDEN = {
    "<tab>": "\t",
    "<trail>": "  ",
    "<crlf>": "\r",
}
"""What stands in cases for characters that editors hide."""

SPHINX = """
import os, sys
sys.path.insert(0, os.path.abspath("../lib"))
project = "Edits"
html_baseurl = "https://example.org/"
html_theme = "tiny"
html_theme_path = ["../themes"]
html_permalinks = False
html_copy_source = False
html_use_index = False
suppress_warnings = ["*"]
autodoc_member_order = "alphabetical"
from sphinx.builders.html import StandaloneHTMLBuilder
StandaloneHTMLBuilder.search = False
"""

SETTINGS = {
    "autodoc": """
extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon", "sitemap_plugins.sphinx"]
""",
    "autosummary": """
extensions = ["sphinx.ext.autodoc", "sphinx.ext.autosummary", "sitemap_plugins.sphinx"]
autosummary_generate = True
""",
    "autoapi": """
extensions = ["autoapi.extension", "sitemap_plugins.sphinx"]
autoapi_dirs = ["../lib"]
autoapi_keep_files = False
""",
}
"""Of the sites made with Sphinx, by host."""

MKDOCS = """
site_name: Edits
site_url: https://example.org/
docs_dir: mkdocs
theme: {name: null, custom_dir: themes/tiny}
plugins:
  - sitemap
  - gen-files: {scripts: [generate.py]}
  - mkdocstrings:
      handlers: {python: {paths: [lib], options: {show_source: false}}}
"""

GENERATE = """
import mkdocs_gen_files
from pathlib import Path

for path in sorted(Path("lib").rglob("*.py")):
    parts = [*path.relative_to("lib").with_suffix("").parts]
    if parts[-1] == "__init__":
        parts.pop()
    page = "/".join(["gen", *parts, "index.md"])
    with mkdocs_gen_files.open(page, "w") as file:
        file.write("::: " + ".".join(parts))
    mkdocs_gen_files.set_edit_path(page, Path("..") / path)
"""

ALL_OPTIONS = """
    options:
      show_if_no_docstring: true
      members_order: source
      show_signature_annotations: true
      inherited_members: true
      filters: []
"""
"""With these, mkdocstrings shows more than it does by itself."""

THEME = {
    "theme.conf": "[theme]\ninherit = none\n",
    "main.html": "<html><body><main>{{ page.content }}</main></body></html>",
    "layout.html": (
        "<html><body><main>{% block body %}{% endblock %}</main></body></html>"
    ),
}
THEME |= dict.fromkeys(
    ("page.html", "genindex.html", "domainindex.html", "search.html"),
    "{% extends 'layout.html' %}{% block body %}{{ body }}{% endblock %}",
)
"""Of both hosts: nothing but the page's content."""

HOSTS = (*SETTINGS, "mkdocstrings")

Text = Mapping[str, str]
"""The files of a package."""


class Case(NamedTuple):
    """A package, and an edit of it."""

    title: str

    name: str
    """Of the package."""

    before: Text

    after: Text

    is_of_other_code: bool
    """Whether the edit is of what other code does to the objects."""


class Seen(NamedTuple):
    """A page as it was built."""

    text: str
    """What readers see, in lines."""

    date: str
    """A day; empty for none."""


class Verdict(NamedTuple):
    """What is right or wrong with a page's date."""

    kind: str

    host: str

    page: str

    changes: list[str]
    """Lines that the edit removed from the page, and added to it."""


def read_cases(text: str) -> Iterator[Case]:
    """Yield the cases of a text."""
    for block in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        line, _, edit = block.partition("\n")
        title = line.removesuffix(OTHER_CODE)
        name = re.sub(r"\W+", "_", title.lower()).strip("_")
        before, after = _versions(edit.rstrip("\n").replace("PKG", name))
        yield Case(title, name, before, after, title != line)


def _versions(edit: str) -> tuple[Text, Text]:
    """Return the files before and after an edit, but for empty ones."""
    versions: tuple[dict[str, list[str]], ...] = (defaultdict(list), defaultdict(list))
    file = "m.py"
    for line in edit.split("\n"):
        if line.startswith("@@"):
            file = line.removeprefix("@@").strip()
            continue
        mark = line[:1] or " "
        for lines, other in zip(versions, "+-", strict=True):
            if mark != other:
                lines[file].append(line[1:])
    before, after = map(_files, versions)
    return before, after


def _files(lines: Mapping[str, Iterable[str]]) -> Text:
    files = {"__init__.py": ""}
    for file, its in lines.items():
        text = "\n".join(its).strip("\n")
        for mark, hidden in HIDDEN.items():
            text = text.replace(mark, hidden)
        if text:
            files[file] = f"{text}\n"
    return files


class Site:
    """A repository with the packages of all cases, and a site for each host."""

    def __init__(self, folder: Path, cases: Iterable[Case]) -> None:
        """Write all as it is before the edits."""
        self.folder = folder
        self._git("init", "--quiet", "--initial-branch=main")
        self._write(".gitignore", "gen\nautoapi/autoapi\n__pycache__\nbuilt\n")
        for name, text in THEME.items():
            self._write(f"themes/tiny/{name}", text)
        self._write("mkdocs.yml", MKDOCS)
        self._write("generate.py", GENERATE)
        self._write("mkdocs/index.md", "# Home\n")
        for host, settings in SETTINGS.items():
            self._write(f"{host}/conf.py", SPHINX + settings)
            self._write(f"{host}/index.rst", "Home\n====\n")
        for case in cases:
            for name, text in case.before.items():
                self._write(f"lib/{case.name}/{name}", text)
            for module, objects in documented(case):
                self._write_pages(module, objects)
        self._commit("All modules", BEFORE)

    def _write(self, name: str, text: str) -> None:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())

    def _write_pages(self, module: str, objects: Mapping[str, str]) -> None:
        """Write the pages of a module, and of its objects, whose kinds are given."""
        title = "Page\n====\n\n"
        plain = f"{title}.. automodule:: {module}\n   :members:\n"
        self._write(f"autodoc/{module}~plain.rst", plain)
        more = "   :undoc-members:\n   :show-inheritance:\n"
        self._write(f"autodoc/{module}~apidoc.rst", plain + more)
        self._write(f"mkdocs/{module}~full.md", f"::: {module}{ALL_OPTIONS}")
        listed = [module]
        for name, kind in objects.items():
            directive = f"{title}.. auto{kind}:: {module}.{name}\n"
            self._write(f"autodoc/{module}~{name}.rst", directive)
            self._write(f"mkdocs/{module}~{name}.md", f"::: {module}.{name}\n")
            listed.append(f"{module}.{name}")
        table = "".join(f"   {each}\n" for each in listed)
        directive = f"{title}.. autosummary::\n   :toctree: gen\n\n{table}"
        self._write(f"autosummary/{module}~table.rst", directive)

    def edit(self, case: Case, day: date) -> None:
        """Commit the edit of a case on a day."""
        for name in case.before.keys() - case.after.keys():
            (self.folder / "lib" / case.name / name).unlink()
        for name, text in case.after.items():
            self._write(f"lib/{case.name}/{name}", text)
        self._commit(case.title, day)

    def _commit(self, subject: str, day: date) -> None:
        self._git("add", "--all")
        self._git("commit", "--quiet", "-m", subject, day=day)

    def _git(self, *arguments: str, day: date = BEFORE) -> None:
        time = f"{day}T00:00:00+0000"
        environ = dict(os.environ)
        for who in ("AUTHOR", "COMMITTER"):
            environ[f"GIT_{who}_NAME"] = "T"
            environ[f"GIT_{who}_EMAIL"] = "t@example.com"
            environ[f"GIT_{who}_DATE"] = time
        subprocess.run(["git", *arguments], cwd=self.folder, env=environ, check=True)

    def build(self, host: str) -> dict[str, Seen]:
        """Build the site of a host; return its pages by their paths."""
        built = self.folder / "built"
        shutil.rmtree(built, ignore_errors=True)
        if host == "mkdocstrings":
            command = ["mkdocs", "build", "-q", "-d", str(built)]
        else:
            command = ["sphinx", "-q", "-E", host, str(built)]
        environ = os.environ | {"DISABLE_MKDOCS_2_WARNING": "true", "CI": "true"}
        done = subprocess.run(
            [sys.executable, "-m", *command],
            cwd=self.folder,
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.exit(done.stdout[-2000:])
        for made in ("autosummary/gen", "autoapi/autoapi"):
            shutil.rmtree(self.folder / made, ignore_errors=True)
        return pages(built)


def documented(case: Case) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the modules of a case that stay, and the kinds of their objects by name."""
    for file, text in case.before.items():
        if not file.endswith(".py") or not text or file not in case.after:
            continue
        names = (case.name, *Path(file).with_suffix("").parts)
        module = ".".join(names).removesuffix(".__init__")
        is_package = file.endswith("__init__.py")
        before = dict(_objects(ast.parse(text).body, is_package=is_package))
        after = _objects(ast.parse(case.after[file]).body, is_package=is_package)
        stay = {name for name, _ in after}
        yield module, {name: kind for name, kind in before.items() if name in stay}


def _objects(
    body: Iterable[ast.stmt], *, is_package: bool
) -> Iterator[tuple[str, str]]:
    """Yield the public objects of a module, and the kinds that autodoc has of them."""
    for name, kind in _defined(body, is_package=is_package):
        if not name.startswith(("_", "*")):
            yield name, kind


def _defined(
    body: Iterable[ast.stmt], *, is_package: bool
) -> Iterator[tuple[str, str]]:
    for statement in body:
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, "function"
            case ast.ClassDef(name=name):
                yield name, "class"
            case (
                ast.Assign(targets=[ast.Name(id=name)])
                | ast.AnnAssign(target=ast.Name(id=name))
            ):
                yield name, "data"
            case ast.ImportFrom(level=1) if is_package:
                for alias in statement.names:
                    name = alias.asname or alias.name
                    yield name, "class" if name[0].isupper() else "function"
            case ast.If():
                yield from _defined(statement.body, is_package=is_package)
                yield from _defined(statement.orelse, is_package=is_package)


class _Words(HTMLParser):
    """Collects what readers see of a page's content, in lines."""

    BLOCKS = frozenset(("br", "div", "dd", "dl", "dt", "li", "p", "pre", "td", "tr"))

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self._is_inside = False

    def handle_starttag(self, tag: str, _attrs: object) -> None:
        self._is_inside = self._is_inside or tag == "main"
        if tag in self.BLOCKS:
            self.text += "\n"

    def handle_endtag(self, tag: str) -> None:
        if tag == "main":
            self._is_inside = False

    def handle_data(self, data: str) -> None:
        if self._is_inside:
            self.text += data


def pages(built: Path) -> dict[str, Seen]:
    """Return the pages of the sitemap of a built site, by their paths."""
    found = {}
    for entry in ET.parse(built / "sitemap.xml").getroot():
        path = unquote(entry.findtext(LOC, "").removeprefix(URL))
        file = built / path
        if path.endswith("/") or not path:
            file /= "index.html"
        parser = _Words()
        parser.feed(file.read_text())
        day = entry.findtext(LASTMOD, "")[:10]
        found[path] = Seen("\n".join(_lines(parser.text)), day)
    return found


def _lines(text: str) -> Iterator[str]:
    # A default without a name of its own has an address, another one in each build.
    text = re.sub(r"0x[0-9a-f]{6,}", "0x", text)
    for line in text.split("\n"):
        words = " ".join(line.split())
        if words:
            yield words


def judge(before: Seen, after: Seen, day: date) -> str:
    """Return what is right or wrong with a page's date; the edit is of that day."""
    if not after.date:
        return "undated"
    expected = day if before.text != after.text else BEFORE
    if after.date == str(expected):
        return "right"
    return "too new" if after.date > str(expected) else "too old"


def verdicts(
    host: str,
    before: Mapping[str, Seen],
    after: Mapping[str, Seen],
    days: Mapping[str, date],
) -> Iterator[tuple[str, Verdict]]:
    """Yield the name of the case of each page of a host, with what is to be said."""
    for page in sorted(before.keys() & after.keys()):
        # A folder of all that were made, the package, and what is shown of it.
        path = re.sub(r"^(?:gen|autoapi)/", "", page)
        name = re.split(r"[./~]", path)[0]
        if name not in days:
            continue
        old, new = before[page], after[page]
        lines = difflib.ndiff(old.text.split("\n"), new.text.split("\n"))
        changes = [line for line in lines if line[0] in "-+"]
        kind = judge(old, new, days[name])
        yield name, Verdict(kind, host, page, changes)


def judged(
    folder: Path, cases: Collection[Case], hosts: Iterable[str]
) -> Iterator[tuple[str, Verdict]]:
    """Yield the name of a case with what is to be said of each page, host by host."""
    site = Site(folder, cases)
    before = {host: site.build(host) for host in hosts}
    days = {}
    for number, case in enumerate(cases):
        days[case.name] = FIRST_EDIT + timedelta(days=number)
        site.edit(case, days[case.name])
    others = {case.name for case in cases if case.is_of_other_code}
    for host, seen in before.items():
        for name, found in verdicts(host, seen, site.build(host), days):
            if name in others and found.kind == "too old":
                yield name, found._replace(kind=BY_THE_RULE)
            else:
                yield name, found


def all_cases() -> list[Case]:
    """Return the cases of `api_edits.txt`."""
    return [*read_cases(Path(__file__).with_suffix(".txt").read_text())]


def main() -> None:
    arguments = sys.argv[1:]
    hosts = [each for each in arguments if each in HOSTS] or HOSTS
    cases = all_cases()
    words = {*arguments} - {"--list", *HOSTS}
    if words:
        cases = [case for case in cases if any(word in case.title for word in words)]
    found: dict[str, list[Verdict]] = defaultdict(list)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as folder:
        for name, verdict in judged(Path(folder), cases, hosts):
            found[name].append(verdict)
            counts[verdict.host][verdict.kind] += 1

    if "--list" in arguments:
        for case in cases:
            _print_wrong(case, found[case.name])
    print(f"{len(cases)} cases")
    print("| pages of | pages |", " | ".join(KINDS), "|")
    print("|---" * (len(KINDS) + 2) + "|")
    for host in hosts:
        numbers = [counts[host].total()]
        numbers += [counts[host][kind] for kind in KINDS]
        print(f"| {host} |", " | ".join(map(str, numbers)), "|")


def _print_wrong(case: Case, found: Iterable[Verdict]) -> None:
    """Print the pages of a case whose dates are not right."""
    wrong = [each for each in found if each.kind != "right"]
    if wrong:
        print("##", case.title)
    for each in wrong:
        changed = "changed" if each.changes else "same"
        print("   ", each.kind, each.host, each.page, changed)
        if each.kind in {"too old", BY_THE_RULE}:
            for line in each.changes[:8]:
                print("         ", line[:150])


if __name__ == "__main__":
    main()
