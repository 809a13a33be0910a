"""Other files and URLs that options list besides the host's pages → Page records."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from sitemap_plugins.core import urls
from sitemap_plugins.core.messages import Notice, Notices, a_few, quoted
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.page_record import find_records
from sitemap_plugins.core.records import Page, Site, page_or_bug
from sitemap_plugins.core.url_forms import HTML_SUFFIXES, Files, any_form


def files_below(folder: Path) -> Iterator[str]:
    """Yield the names of all files below a folder, with slashes, in no order.

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


def find_files(folder: Path, options: Options) -> tuple[str, ...]:
    """Return the names of the output's files that `Options.files` lists, sorted.

    HTML files, which are pages, the sitemap's own files, its record and robots.txt are
    not among them.
    """
    if not options.files:
        return ()
    # Records of earlier builds are not listed: this build replaces or removes them.
    records = {file.name for file in find_records(folder, options.filename)}
    found = []
    for name in sorted(files_below(folder)):
        if name.endswith(HTML_SUFFIXES) or for_crawlers(name, options.filename):
            continue
        if name == options.record or name in records:
            continue
        if options.files.match(name.replace("%", "%25")) and (folder / name).is_file():
            found.append(name)
    return tuple(found)


def other_html(files: Files) -> list[str]:
    """Return the HTML files in the output folder that are not pages of the host.

    Other plugins write such files. The names are percent-encoded and sorted. The list
    is empty if there is no folder to look in.
    """
    if files.folder is None:
        return []
    known = set(files.pages.values())
    found = []
    for name in files_below(files.folder):
        encoded = urls.percent_encode(name)
        if name.endswith(HTML_SUFFIXES) and encoded not in known:
            found.append(encoded)
    return sorted(found)


def add_pages(
    pages: Iterable[Page],
    names: Iterable[str],
    *,
    site: Site,
    options: Options,
    base_url: str,
) -> tuple[Iterator[Page], Notices]:
    """Return the host's pages, then those of the files `names`, then of `Options.urls`.

    The iterator is lazy, and has each path once. Notices name patterns that match no
    file, URLs outside the site and, if the folder is complete, URLs without a file.
    """
    of_files = [file_page(name, site.source_of) for name in names]
    notices = [*_about_unused(options, of_files)]
    files = Files.of((), site.pages_dir)
    of_urls = [_page_at(fields, base_url, files) for fields in options.urls]
    for page in of_urls:
        notices += _about_url(page, base_url, is_complete=site.built_dir is not None)
    return _with_others(pages, [*of_files, *of_urls]), tuple(notices)


def _about_unused(options: Options, pages: Iterable[Page]) -> Iterator[Notice]:
    """Yield a notice if patterns of the option `files` match none of these pages.

    `pages` are the pages of the files that the option lists.
    """
    known = [(page.path, "") for page in pages]
    unused = [quoted(item) for item in options.files.unused(known)]
    if unused:
        verb = "match" if unused[1:] else "matches"
        problem = (
            f"{a_few(unused)} {verb} no file in the output folder that is not HTML"
        )
        yield Notice("unused-pattern", problem, "correct it", "files")


def _about_url(page: Page, base_url: str, *, is_complete: bool) -> Iterator[Notice]:
    """Yield what is wrong with the page of an item of `Options.urls`.

    Only in a folder that `is_complete`, a missing file will not be written later.
    """
    if page.exclude_reason:
        problem = f"it is not below {quoted(base_url)}"
        yield Notice("option-url", problem, "correct the option urls", page.name)
    elif is_complete and not page.output_file:
        problem = "it has no file in the folder, so another program has to publish it"
        yield Notice("option-url", problem, place=page.name)


def _page_at(fields: Mapping[str, object], base_url: str, files: Files) -> Page:
    """Describe the page of an item of `Options.urls`, and find the page's file.

    A URL that does not begin with the base URL, in any spelling, is not of the site:
    its page is left out.
    """
    address = str(fields["loc"])
    url = urls.resolve(address, base_url)
    if url.startswith(base_url):
        path: str | None = url.removeprefix(base_url)
    else:
        path = urls.path_below(url, base_url)
    if path is None:
        return Page(path=address, name=address, exclude_reason="bad-url")
    name = urls.percent_decode(files.at(path.partition("?")[0]))
    own_fields = {key: value for key, value in fields.items() if key != "loc"}
    metadata = {"sitemap": own_fields}
    file = files.folder / name if files.folder and name else None
    return Page(path=path, name=address, output_file=file, metadata=metadata)


def for_crawlers(name: str, filename: str) -> bool:
    """Tell whether a file is robots.txt, or is named like our files of a sitemap."""
    stem = re.escape(filename.removesuffix(".xml"))
    ours = rf"{stem}(?:-[a-z0-9-]+)?\.(?:xml|txt|css)(?:\.gz)?|robots\.txt"
    return re.fullmatch(ours, name) is not None


def _with_others(pages: Iterable[Page], others: Collection[Page]) -> Iterator[Page]:
    """Yield the pages, then those of `others` that are not among them.

    If a page of `others` has a file, it is the same as a page at any form of the path:
    `guide/` is `guide/index.html`. Without a file, only the same path counts.
    """
    files = {page.path: page for page in others if not page.output_file}
    left = {any_form(page.path): page for page in others if page.output_file}
    for page in pages:
        files.pop(page.path, None)
        if left:
            left.pop(any_form(page.path), None)
        yield page
    yield from (*files.values(), *left.values())


def file_page(name: str, source_of: Callable[[str], Path | None]) -> Page:
    """Describe a file in the output folder; `source_of` is as in `Site`."""

    def describe() -> Page:
        source = source_of(name)
        sources = () if source is None else (source,)
        return Page(path=urls.percent_encode(name), name=name, sources=sources)

    return page_or_bug(name, describe)
