"""Folders of pages that people have: this manual in two themes, with links to its sources.

    python benchmarks/pages.py [pages of each theme, 5000]

The manual is built with Material for MkDocs and with furo, and its pages are repeated,
each with its own canonical link, edit link and source. Peer is what no reader of pages
can do without: to find and read each file, and to parse its first 8 KB (Lexbor). All
runs are new processes, in turns; the fastest of three counts, in processor time.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from check import OURS, measured
from lastmod import git

if TYPE_CHECKING:
    from collections.abc import Iterator

MANUAL = Path(__file__).parents[1] / "docs"
PAGES = 5_000
ROUNDS = 3
BASE_URL = "https://example.com/"
EDIT = "https://github.com/o/r/edit/main/"
GENERATE_TARGET, FOLDER_TARGET = 2.5, 5.0
MATERIAL = {
    "site_name": "Manual",
    "site_url": BASE_URL,
    "repo_url": "https://github.com/o/r",
    "edit_uri": "edit/main/docs/",
    "docs_dir": str(MANUAL),
    "theme": {
        "name": "material",
        "features": ["content.action.edit", "navigation.footer"],
    },
    "markdown_extensions": ["admonition", "attr_list", "md_in_html", "tables"],
    "plugins": ["search"],
    "exclude_docs": "*.py",
}
FURO = {
    "project": "Manual",
    "extensions": ["myst_parser"],
    "html_theme": "furo",
    "html_baseurl": BASE_URL,
    "html_theme_options": {
        "source_repository": "https://github.com/o/r/",
        "source_branch": "main",
        "source_directory": "docs/",
    },
    "suppress_warnings": ["*"],
}
FLOOR = """
import os, sys
from selectolax.lexbor import LexborHTMLParser
for folder, _, files in os.walk(sys.argv[1]):
    for name in files:
        if name.endswith(".html"):
            with open(os.path.join(folder, name), "rb") as file:
                LexborHTMLParser(file.read()[:8192].decode("utf-8", "replace"))
print("read")
"""
GENERATE = f"""
import os, sys
from pathlib import Path
from sitemap_plugins import Options, Page, Site, generate
top = Path(sys.argv[1])
files = [Path(folder, n) for folder, _, names in os.walk(top) for n in names if n[-5:] == ".html"]
pages = [Page(path=f.relative_to(top).as_posix(), output_file=f) for f in files]
options = Options.parse({{"base_url": "{BASE_URL}", "lastmod": "page"}}, where="benchmark")
print(generate(pages, site=Site(output_dir=top), options=options, environ={{}}).listed)
"""


class Ratio(NamedTuple):
    """What was measured of a folder, to reading its pages."""

    theme: str
    what: str
    ratio: float
    target: float
    microseconds: float
    """A page."""


def themes(folder: Path) -> Iterator[tuple[str, Path]]:
    """Build the manual with each theme, and yield the folders of HTML."""
    settings, built = folder / "mkdocs.yml", folder / "built"
    settings.write_text(json.dumps(MATERIAL))  # JSON is YAML.
    run("mkdocs", "build", "-q", "-f", str(settings), "-d", str(built / "material"))
    yield "Material", built / "material"
    lines = [f"{name} = {value!r}\n" for name, value in FURO.items()]
    (folder / "conf.py").write_text("".join(lines))
    run(
        "sphinx",
        "-Q",
        "-c",
        str(folder),
        "-b",
        "dirhtml",
        str(MANUAL),
        str(built / "furo"),
    )
    yield "furo", built / "furo"


def run(module: str, *arguments: str) -> None:
    subprocess.run(
        [sys.executable, "-m", module, *arguments], check=True, capture_output=True
    )


def repeat(built: Path, project: Path, count: int) -> Path:
    """Write so many pages into a new project's `site`, and the sources that their links name."""
    files = [
        (file.relative_to(built), file.read_text("utf-8"))
        for file in built.rglob("*.html")
    ]
    files = [(name, html) for name, html in files if EDIT in html]
    for number in range(count):
        name, html = files[number % len(files)]
        part = f"part{number // len(files)}"
        html = html.replace(BASE_URL, f"{BASE_URL}{part}/")
        source = re.search(rf"{EDIT}docs/([^\"?#]+)", html)
        write(
            project / "docs" / part / (source[1] if source else "index.md"), "# Text\n"
        )
        html = html.replace(f"{EDIT}docs/", f"{EDIT}docs/{part}/")
        write(project / "site" / part / name, html)
    write(project / ".gitignore", "/site/\n")
    git(project, "init", "-q")
    git(project, "add", ".")
    git(
        project,
        "-c",
        "user.name=T",
        "-c",
        "user.email=t@example.com",
        "commit",
        "-qm",
        "Text",
    )
    return project / "site"


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def measure(folder: Path, count: int) -> Iterator[Ratio]:
    """Yield the ratios of both themes."""
    for theme, built in themes(folder):
        site = repeat(built, folder / theme, count)
        python = [sys.executable, "-c"]
        build = [
            sys.executable,
            "-m",
            "sitemap_plugins",
            "build",
            "site",
            "--base-url",
            BASE_URL,
        ]
        commands = {
            "the floor": [*python, FLOOR, str(site)],
            "`generate` with output files": [*python, GENERATE, str(site)],
            "`build` of a folder": build,
            "`check` of a folder": [*OURS, "site"],
        }
        times = dict.fromkeys(commands, 9e9)
        for _ in range(ROUNDS):
            for what, command in commands.items():
                seconds, _, output = measured(command, site.parent)
                if not output:
                    sys.exit(f"{what} failed: {command}")
                times[what] = min(times[what], seconds)
        floor = times.pop("the floor")
        for what, seconds in times.items():
            target = GENERATE_TARGET if "generate" in what else FOLDER_TARGET
            yield Ratio(theme, what, seconds / floor, target, seconds / count * 1e6)


def main() -> None:
    """Print the ratios."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else PAGES
    with tempfile.TemporaryDirectory() as folder:
        for theme, what, ratio, target, micro in measure(Path(folder), count):
            print(
                f"{theme:10}{what:32}{micro:7.0f} µs a page {ratio:6.1f} ({target})",
                flush=True,
            )


if __name__ == "__main__":
    main()
