"""README and manual say what the code does.

python -m tests.test_documentation --update     write the generated tables anew
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from sitemap_plugins.core.notices import CODES
from sitemap_plugins.core.options import OPTIONS, declared
from sitemap_plugins.core.pages import REASONS
from sitemap_plugins.pelican_options import PelicanOptions
from sitemap_plugins.sphinx_options import PREFIX, SPHINX_OPTIONS

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
QUICK_STARTS = {
    "mkdocs.yml": "mkdocs/mkdocs.yml",
    "pelicanconf.py": "pelican/pelicanconf.py",
    "conf.py": "sphinx/conf.py",
}


def options_table(options=OPTIONS, prefix="") -> str:
    rows = [
        f"| `{prefix}{option.name}` | {option.kind} | `{option.default!r}` | {option.summary} |"
        for option in options
    ]
    return "\n".join(["| option | takes | default | what it does |", "|---|---|---|---|", *rows])


def pelican_table() -> str:
    return options_table([o for o in declared(PelicanOptions) if o not in OPTIONS])


def sphinx_table() -> str:
    return options_table([o for o in SPHINX_OPTIONS if o not in OPTIONS], PREFIX)


def reasons_table() -> str:
    rows = [f"| `{reason}` | {meaning} |" for reason, meaning in REASONS.items()]
    return "\n".join(["| reason | when |", "|---|---|", *rows])


def notices_table() -> str:
    rows = [f"| `{code}` | {level} | {meaning} |" for code, (level, meaning) in CODES.items()]
    return "\n".join(["| code | level | what it says |", "|---|---|---|", *rows])


TABLES = {
    "options": (README, options_table),
    "options of Pelican": (ROOT / "docs/pelican.md", pelican_table),
    "options of Sphinx": (ROOT / "docs/sphinx.md", sphinx_table),
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
    assert found[2] == f"{table()}\n"


@pytest.mark.parametrize("name", QUICK_STARTS)
def test_quick_start_is_the_minimal_sample_word_for_word(name):
    sample = (ROOT / "sample_sites/minimal" / QUICK_STARTS[name]).read_text("utf-8")
    text = README.read_text("utf-8")
    found = re.search(rf"^`{name}`:\n\n```\w+\n(.*?)```", text, re.MULTILINE | re.DOTALL)

    assert found is not None
    assert found[1] == sample


def test_links_between_the_documents_lead_somewhere():
    for file in [README, *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\((?!https?://)([^)#]+)", file.read_text("utf-8")):
            assert (file.parent / target).exists(), (file, target)


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
