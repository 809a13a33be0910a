"""Files besides HTML that the option `files` lists, such as PDF documents → Page records."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from sitemap_plugins.core import urls
from sitemap_plugins.core.messages import Notice, a_few, quoted
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.records import Page, page_or_bug
from sitemap_plugins.core.url_forms import HTML_SUFFIXES


def files_below(folder: Path) -> Iterator[str]:
    """Yield the names of all files in a folder, relative to it, with slashes, in no order.

    Hidden files and folders are left out, and links to folders.
    """
    ahead = [""]
    while ahead:
        prefix = ahead.pop()
        with suppress(OSError), os.scandir(folder / prefix) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    ahead.append(f"{prefix}{entry.name}/")
                # The entry's own method raises on endless links.
                elif not entry.is_symlink() or not Path(entry).is_dir():
                    yield prefix + entry.name


def add_files(
    pages: Iterable[Page], folder: Path, options: Options, source_of: Callable[[str], Path | None]
) -> tuple[Iterator[Page], tuple[Notice, ...]]:
    """Return the host's pages, then the files in the folder that `Options.files` lists; lazy.

    HTML files, which are pages, the sitemap's own files and robots.txt are not among them. A notice
    names patterns that match none.
    """
    patterns = options.files
    found = [
        file_page(name, source_of)
        for name in (sorted(files_below(folder)) if patterns else ())
        if not name.endswith(HTML_SUFFIXES)
        and not for_crawlers(name, options.filename)
        and patterns.match(name.replace("%", "%25"))
        and (folder / name).is_file()
    ]
    notices: tuple[Notice, ...] = ()
    if unused := [quoted(item) for item in patterns.unused([(page.path, "") for page in found])]:
        verb = "match" if unused[1:] else "matches"
        problem = f"{a_few(unused)} {verb} no file besides HTML in the output folder"
        notices = (Notice("unused-pattern", problem, cure="correct it", place="files"),)
    return _with_files(pages, found), notices


def for_crawlers(name: str, filename: str) -> bool:
    """Tell whether a file is robots.txt, or has a name that we give to files of a sitemap."""
    stem = re.escape(filename.removesuffix(".xml"))
    ours = rf"{stem}(?:-[a-z0-9-]+)?\.(?:xml|txt|css)(?:\.gz)?|robots\.txt"
    return re.fullmatch(ours, name) is not None


def _with_files(pages: Iterable[Page], files: Iterable[Page]) -> Iterator[Page]:
    """Yield the pages, then the files that are not among them."""
    others = {page.path: page for page in files}
    for page in pages:
        others.pop(page.path, None)
        yield page
    yield from others.values()


def file_page(name: str, source_of: Callable[[str], Path | None]) -> Page:
    """Describe a file in the output folder; `source_of` is as in `Site`."""

    def describe() -> Page:
        source = source_of(name)
        sources = () if source is None else (source,)
        return Page(path=urls.percent_encode(name), name=name, sources=sources)

    return page_or_bug(name, describe)
