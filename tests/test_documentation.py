"""README and manual agree with the code.

python -m tests.test_documentation --update     rewrite the generated tables
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from sitemap_plugins import Options, Page, Site, generate
from sitemap_plugins.core.codes import FINDINGS, NOTICES, REASONS
from sitemap_plugins.core.options import OPTIONS, options_of
from sitemap_plugins.folder.options import FOLDER_OPTIONS
from sitemap_plugins.pelican.options import PelicanOptions
from sitemap_plugins.sphinx.options import PREFIX, SPHINX_OPTIONS
from tests.sites import QUIET, git

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
QUICK_STARTS = {
    "mkdocs.yml": "mkdocs/mkdocs.yml",
    "pelicanconf.py": "pelican/pelicanconf.py",
    "conf.py": "sphinx/conf.py",
}
BUILDS = {
    "mkdocs": ["mkdocs", "build", "-d"],
    "pelican": ["pelican", "content", "-s", "pelicanconf.py", "-o"],
    "sphinx": ["sphinx", "."],
}


def options_table(options=OPTIONS) -> str:
    rows = [
        f"| `{o.name}` | {o.accepts.words} | `{json.dumps(o.default)}` | `{o.default!r}` |"
        f" {o.summary} |"
        for o in options
    ]
    head = [
        "| option | takes | default (YAML) | default (Python) | what it does |",
        "|---" * 5 + "|",
    ]
    return "\n".join([*head, *rows])


def host_options_table(options, prefix="") -> str:
    rows = [
        f"| `{prefix}{o.name}` | {o.accepts.words} | `{o.default!r}` | {o.summary} |"
        for o in options
    ]
    return "\n".join(["| option | takes | default | what it does |", "|---|---|---|---|", *rows])


def pelican_table() -> str:
    return host_options_table([o for o in options_of(PelicanOptions) if o not in OPTIONS])


def sphinx_table() -> str:
    return host_options_table([o for o in SPHINX_OPTIONS if o not in OPTIONS], PREFIX)


def folder_table() -> str:
    return host_options_table([o for o in FOLDER_OPTIONS if o not in OPTIONS])


def reasons_table() -> str:
    rows = [f"| `{reason}` | {meaning} |" for reason, meaning in REASONS.items()]
    return "\n".join(["| reason | when |", "|---|---|", *rows])


def notices_table() -> str:
    rows = [f"| `{c}` | {k.severity} | {k.meaning} | {k.cure} |" for c, k in NOTICES.items()]
    return "\n".join(["| code | level | meaning | cure |", "|---|---|---|---|", *rows])


def findings_table() -> str:
    rows = [f"| `{c}` | {k.severity} | {k.meaning} | {k.cure} |" for c, k in FINDINGS.items()]
    return "\n".join(["| code | severity | meaning | cure |", "|---|---|---|---|", *rows])


def inputs_table() -> str:
    inputs = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["inputs"]
    rows = [
        f"| `{n}` | {i['description']} | `{json.dumps(i['default'])}` |" for n, i in inputs.items()
    ]
    return "\n".join(["| input | what it is | default |", "|---|---|---|", *rows])


TABLES = {
    "inputs": (ROOT / "docs/action.md", inputs_table),
    "findings": (ROOT / "docs/findings.md", findings_table),
    "options": (ROOT / "docs/options.md", options_table),
    "options of Pelican": (ROOT / "docs/pelican.md", pelican_table),
    "options of Sphinx": (ROOT / "docs/sphinx.md", sphinx_table),
    "options of a folder": (ROOT / "docs/folder.md", folder_table),
    "reasons": (ROOT / "docs/notices.md", reasons_table),
    "notices": (ROOT / "docs/notices.md", notices_table),
}


def between_marks(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- {name}: [^\n]*-->\n)(.*?)(<!-- end of {name} -->)", re.DOTALL)


@pytest.mark.parametrize("name", TABLES)
def test_generated_tables_are_up_to_date(name):
    file, table = TABLES[name]
    found = between_marks(name).search(file.read_text("utf-8"))

    assert found is not None
    assert f"{table()}\n" == found[2]


@pytest.mark.parametrize("name", QUICK_STARTS)
def test_quick_start_is_the_minimal_sample_word_for_word(name):
    sample = (ROOT / "sample_sites/minimal" / QUICK_STARTS[name]).read_text("utf-8")
    text = README.read_text("utf-8")
    found = re.search(rf"^`{name}`:\n\n```\w+\n(.*?)```", text, re.MULTILINE | re.DOTALL)

    assert found is not None
    assert found[1] == sample


@pytest.mark.parametrize("host", ["mkdocs", "pelican", "sphinx"])
def test_first_steps_show_the_output_of_the_build(host, tmp_path):
    folder = tmp_path / "site"
    shutil.copytree(ROOT / "sample_sites/minimal" / host, folder)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "1")
    text = (ROOT / f"docs/start/{host}.md").read_text("utf-8")
    shown = re.search(r"^.*(sitemap\.xml: \d.*)$", text, re.MULTILINE)

    run = subprocess.run(
        [sys.executable, "-m", *BUILDS[host], str(tmp_path / "out")],
        cwd=folder,
        env={**os.environ, **QUIET},
        capture_output=True,
        text=True,
        check=True,
    )

    assert shown is not None
    assert shown[1] in run.stdout + run.stderr


def files_in(tree):
    """Return the files of a printed tree, with the text beside each."""
    folders, files = [], {}
    for line in tree.splitlines():
        name, _, text = line.strip().partition(" ")
        folders[(len(line) - len(line.lstrip())) // 4 :] = [name]
        if not name.endswith("/"):
            files["".join(folders)] = text.strip()
    return files


def test_merge_page_shows_the_output_of_the_command(tmp_path):
    text = (ROOT / "docs/merge.md").read_text("utf-8")
    before, after = map(files_in, re.findall(r"```text\n(.*?)```", text, re.DOTALL))
    index = re.search(r"```xml\n(.*?)```", text, re.DOTALL)
    command = re.search(r"^    sitemap-plugins (merge .*)$", text, re.MULTILINE)
    dates = {
        "en": datetime(2026, 5, 2, 10, tzinfo=UTC),
        "de": datetime(2026, 5, 9, 16, 30, tzinfo=UTC),
    }
    for language, date in dates.items():
        folder = tmp_path / "public" / language
        folder.mkdir(parents=True)
        site = Site(output_dir=folder, base_url=f"https://example.com/{language}/")
        pages = [Page(path=path, modified=date) for path in ("index.html", "guide.html")]
        generate(pages, site=site, options=Options())
        assert f"2 URLs, the newest of {date.date()}" == before[f"public/{language}/sitemap.xml"]

    def found():
        return {f.relative_to(tmp_path).as_posix() for f in tmp_path.rglob("*") if f.is_file()}

    assert index is not None
    assert command is not None
    assert found() == before.keys()

    run = subprocess.run(
        [sys.executable, "-m", "sitemap_plugins", *command[1].split()],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )

    assert f"prints `{run.stdout.strip()}`" in text
    assert found() == after.keys()
    assert index[1] == (tmp_path / "public/sitemap.xml").read_text("utf-8")
    robots = (tmp_path / "public/robots.txt").read_text("utf-8")
    assert robots == f"{after['public/robots.txt']}\n"


def test_links_between_documents_lead_to_existing_places():
    for file in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for target in re.findall(r"\]\((?!https?://)([^)#]+)", file.read_text("utf-8")):
            assert (file.parent / target).exists(), (file, target)


def test_included_files_are_named_in_the_syntax_of_snippets():
    for file in ROOT.glob("docs/**/*.md"):
        lines = re.findall(r"^ *(--8\s*<.*)$", file.read_text("utf-8"), re.MULTILINE)
        for line in lines:
            name = re.fullmatch(r'--8<-- "(.+)"', line)
            assert name is not None, (file, line)
            assert (ROOT / name[1]).is_file(), (file, line)


def test_readme_has_no_link_that_breaks_on_a_package_index():
    assert [] == re.findall(r"\]\((?!https?://)[^)]*\)", README.read_text("utf-8"))


def update() -> None:
    for name, (file, table) in TABLES.items():
        text = file.read_text("utf-8")
        file.write_text(
            between_marks(name).sub(lambda m, t=table: f"{m[1]}{t()}\n{m[3]}", text), "utf-8"
        )


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"]:
        sys.exit(__doc__)
    update()
