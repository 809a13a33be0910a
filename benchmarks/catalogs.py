"""The time for the dates of documents that share a large catalog of translations.

    python benchmarks/catalogs.py

and the share of a build in which the catalogs of other languages are read for its links
to them.

The history is generated: each version translates a few messages, and every fourth one
moves all places. The peer is git, which only reads the same versions of the file.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path

import hosts
from lastmod import commit, git, plugin, timed, write

from sitemap_plugins.core.records import Excerpt, Page
from sitemap_plugins.sphinx.catalogs import Catalog

FILE = "locales/de/LC_MESSAGES/messages.po"
DOCUMENTS, MESSAGES, VERSIONS = 90, 4_000, 200
REPEAT = 3
LANGUAGES = ("de", "es", "fr", "it", "ja", "ko", "pl", "pt_BR", "ru", "zh_CN")
PAGES, MESSAGES_OF_PAGE = 300, 60
SHARE_TARGET = 0.04
TARGET = 5.6
"""A quarter of the 22.5 before places were left out of the comparison."""


def text(number: int) -> str:
    return f"Message {number}. " + "A sentence that a document shows. " * 4


def catalog(version: int) -> str:
    """Return a version: the documents are translated one after the other."""
    blocks = [f'msgid ""\nmsgstr ""\n"PO-Revision-Date: {version}\\n"\n']
    for number in range(MESSAGES):
        document = number % DOCUMENTS
        is_translated = document * VERSIONS // DOCUMENTS + number % 3 < version
        translation = f"{number}. " + "Ein Satz. " * 12 if is_translated else ""
        place = f"#: ../docs/{document}.rst:{number + version // 4}\n"
        blocks.append(f'{place}msgid "{text(number)}"\nmsgstr "{translation}"\n')
    return "\n".join(blocks)


def pages(root: Path) -> list[Page]:
    """Return the documents as Sphinx's adapter describes them."""
    messages: dict[str, tuple[bytes, ...]] = defaultdict(tuple)
    for number in range(MESSAGES):
        messages[str(number % DOCUMENTS)] += (text(number).encode(),)
    read = Catalog(messages=messages, fuzzy=False)
    return [
        Page(path=name, excerpts=(Excerpt(file=root / FILE, name=name, read=read),))
        for name in messages
    ]


def read_versions(root: Path) -> None:
    """Let git read all versions, and discard them."""
    names = git(root, "log", f"--format=%H:{FILE}", "--", FILE).encode()
    command = ["git", "cat-file", "--batch"]
    subprocess.run(
        command, cwd=root, input=names, stdout=subprocess.DEVNULL, check=True
    )


def measure(folder: Path) -> tuple[float, float]:
    """Return the seconds of the dates, and of git's reading."""
    root = folder.resolve() / "catalogs"
    root.mkdir()
    git(root, "init", "--quiet", "--initial-branch=main")
    script = b"".join(
        commit(
            mark,
            [write(FILE, catalog(mark))],
            f"from :{mark - 1}\n" if mark > 1 else "",
        )
        for mark in range(1, VERSIONS + 1)
    )
    subprocess.run(
        ["git", "fast-import", "--quiet"], cwd=root, input=script, check=True
    )
    git(root, "reset", "--quiet", "--hard")
    ours = min(timed(lambda: plugin(pages(root)))[0] for _ in range(REPEAT))
    return ours, min(timed(lambda: read_versions(root))[0] for _ in range(REPEAT))


def share(folder: Path) -> float:
    """Return the share of a build by Sphinx in which catalogs are read, one for each page.

    Of each language's pages one in ten is translated, as in most projects.
    """
    job = hosts.sphinx(folder, plugin=True, count=PAGES)
    with (folder / "conf.py").open("a") as conf:
        conf.write(
            "locale_dirs = ['locale']\ngettext_compact = False\nlanguage = 'en'\n"
        )
        conf.write("html_baseurl = 'https://example.com/en/'\n")
    sources = [file for file in folder.rglob("*.rst") if "locale" not in file.parts]
    for number, source in enumerate(sources):
        name = source.relative_to(folder).with_suffix(".po")
        for turn, language in enumerate(LANGUAGES):
            is_translated = (number + turn) % 10 == 0
            file = folder / "locale" / language / "LC_MESSAGES" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(
                page_catalog(f"../{name.with_suffix('.rst')}", is_translated), "utf-8"
            )
    hosts.commit(folder)
    reading = job._replace(
        handlers=["sitemap_plugins.sphinx.catalogs:CatalogReader.translated"]
    )
    best = min(hosts.run(folder, reading) for _ in range(REPEAT))
    return best.inside / best.total


def page_catalog(place: str, is_translated: bool) -> str:  # noqa: FBT001
    """Return the catalog of a page, all of it translated or nothing."""
    blocks = ['msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n']
    for number in range(MESSAGES_OF_PAGE):
        translation = f"{number}. Ein Satz." if is_translated else ""
        blocks.append(
            f'#: {place}:{number}\nmsgid "{text(number)}"\nmsgstr "{translation}"\n'
        )
    return "\n".join(blocks)


def main() -> None:
    """Print both, and their ratio."""
    with tempfile.TemporaryDirectory() as folder:
        print(
            f"{share(Path(folder)):.1%} of a build is the reading of catalogs ({SHARE_TARGET:.0%})"
        )
    with tempfile.TemporaryDirectory() as folder:
        ours, bare = measure(Path(folder))
    print(
        f"{VERSIONS} versions: {ours:.2f} s, {ours / bare:.1f} times git's reading of them"
    )


if __name__ == "__main__":
    main()
