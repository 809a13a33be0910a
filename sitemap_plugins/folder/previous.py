"""The sitemap that is already in the folder, and what becomes of its URLs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from sitemap_plugins.core import urls
from sitemap_plugins.core.choice.other_files import for_crawlers
from sitemap_plugins.core.limits import MAX_LOC_LENGTH
from sitemap_plugins.core.messages import FileError, Notice, a_few, count_things, quoted
from sitemap_plugins.core.publishing.read import open_sitemap
from sitemap_plugins.core.publishing.xml import is_signed
from sitemap_plugins.core.untrusted_files import is_file, is_inside
from sitemap_plugins.core.url_forms import HTML_SUFFIXES, Files, Form, form_of
from sitemap_plugins.sitemaps.locations import FileLocation
from sitemap_plugins.sitemaps.parts import elements_in, find_sitemaps


class Listed(NamedTuple):
    """What answers at a URL that a sitemap lists; both are empty for nothing."""

    file: str = ""
    """The page's file."""

    path: str = ""
    """The URL's path below the base URL."""


ListedFiles = Mapping[str, Listed]
"""What answers at each URL that a sitemap lists."""


def sitemaps_in(site_dir: Path) -> list[Path]:
    """Return the files that are named like sitemaps of any generator, sorted."""
    named = [*site_dir.glob("sitemap*.xml"), *site_dir.glob("sitemap*.xml.gz")]
    return sorted(file for file in named if file.is_file())


def parts_in(file: Path) -> set[Path]:
    """Return where the parts of an index are, or would be; none for any other file."""
    return {part.location.path for part in find_sitemaps(FileLocation(file))[0].parts}


def replaced_parts(file: Path) -> set[str]:
    """Return the names of the parts of another program's index that is to be replaced.

    Once the index is replaced, nothing names the parts. For instance, Astro writes
    sitemap-index.xml and sitemap-0.xml, and its pages link to the former. A part counts
    only if its file is beside the index, is named like a sitemap, and is listed by no
    other index.
    """
    if not is_file(file) or is_ours(file):
        return set()
    parts = parts_in(file)
    beside = sitemaps_in(file.parent)
    for other in beside:
        if other != file:
            parts -= parts_in(other)
    found = set()
    for part in parts.intersection(beside):
        # A symbolic link was made by the user, not by the program.
        if not part.is_symlink() and not is_ours(part):
            found.add(part.name)
    return found


def is_known(file: Path, found: ListedFiles, listed: Iterable[str]) -> bool:
    """Tell whether most of what a sitemap lists are pages of the folder or `listed`.

    Only then may a sitemap of all pages replace the file. `found` is what `files_of`
    returned for its URLs. A file that cannot be read as a sitemap is not known.
    """
    new = set(map(urls.identity, listed))
    count = 0
    known = 0
    for url in _urls_of(file):
        count += 1
        is_page = bool(found.get(url, Listed()).file)
        known += is_page or urls.identity(url) in new
    return 2 * known > count


def is_ours(file: Path) -> bool:
    """Tell whether a build of ours wrote a sitemap."""
    try:
        with open_sitemap(file) as stream:
            return is_signed(stream.read(1024))
    except FileError:
        return False


def listed_urls(site_dir: Path, filename: str) -> tuple[str, ...]:
    """Return each URL of a sitemap and of its parts, in order, as written.

    A file that cannot be read lists none; parts are looked for in the folder and below.
    If there is no file of that name, sitemaps of other names are read: those that the
    generator wrote.
    """
    file = site_dir / filename
    files = [file] if file.is_file() else list(_others(site_dir))
    listed = chain.from_iterable(map(_urls_of, files))
    return tuple(dict.fromkeys(listed))


def moved(listed: Iterable[str], old: str, new: str) -> tuple[str, ...]:
    """Return URLs as they are since the site moved from one base URL to another one."""
    found = []
    for url in listed:
        path = urls.path_below(url, old)
        found.append(url if path is None else new + path)
    return tuple(found)


def files_of(listed: Iterable[str], files: Files, base_url: str) -> ListedFiles:
    """Return what answers at each URL of a sitemap.

    A URL outside the base URL is read from its host's root: some generators write the
    address of a local server.
    """
    found = {}
    for url in listed:
        path = _path(url, base_url)
        file = "" if "?" in path else files.page_at(path)
        found[url] = Listed(file, path) if file else Listed()
    return found


def other_files(
    found: ListedFiles, base_url: str, site_dir: Path, filename: str
) -> Iterator[str]:
    """Yield the names of the existing files besides pages that a sitemap lists.

    `found` is what `files_of` returned, with the HTML files of the pages that are
    listed. Not among the names are those, other HTML files, and files for crawlers:
    robots.txt, and what is named like a sitemap.
    """
    for url, listed in found.items():
        path = _path(url, base_url).partition("?")[0]
        name = unquote(path, errors="surrogateescape")
        if listed.file or name.endswith(("/", *HTML_SUFFIXES)):
            continue
        if for_crawlers(name, filename) or not is_inside(name):
            continue
        if is_file(site_dir / name):
            yield name


def listed_forms(found: ListedFiles) -> dict[str, Form]:
    """Return the form in which a sitemap lists each file, by file.

    URLs of folders without the last slash are left out: most servers redirect them, and
    mystmd writes them so.
    """
    forms = {}
    for file, path in found.values():
        if file:
            forms[file] = form_of(path, file)
    return {file: form for file, form in forms.items() if form != "folder"}


def about_gone(before: ListedFiles, after: ListedFiles) -> Iterator[Notice]:
    """Yield a notice if the new sitemap lists less than the previous one.

    `before` and `after` are what `files_of` returned.
    """
    files = {listed.file for listed in after.values()} - {""}
    still = set(map(urls.identity, after))
    gone = []
    for url, listed in before.items():
        if listed.file not in files and urls.identity(url) not in still:
            gone.append(url)
    if gone:
        have = "has" if len(gone) == 1 else "have"
        number = count_things(len(gone), "URL")
        problem = f"{number} of the previous sitemap {have} gone: {a_few(gone)}"
        cure = "ask `sitemap-plugins explain` for the reason, if one should be listed"
        yield Notice("no-longer-listed", problem, cure)


def about_vanished(listed: ListedFiles, base_url: str, listed_below: str) -> Notice:
    """Return why no sitemap is written if no URL of the previous one has a file.

    `listed` has these URLs, as `files_of` returned them. `listed_below` is the address
    below which the URLs have their files, or empty.
    """
    count = count_things(len(listed), "URL")
    problem = (
        f"no sitemap is written, because none of the {count} in the previous one has a"
        f" file below {quoted(base_url)}"
    )
    likely = f", perhaps {listed_below}" if listed_below else ""
    cure = f"give the site's address with --base-url{likely}, or delete the old sitemap"
    return Notice("wrong-base-url", problem, cure)


def about_others(
    output_dir: Path, written: Collection[str], listed: Iterable[str]
) -> Iterator[Notice]:
    """Yield a notice for each sitemap that stays and lists most of the URLs.

    Another program wrote such a sitemap. `written` are the names of the new files, and
    `listed` are the URLs in them.
    """
    new = set(map(urls.identity, listed))
    for file, parts in _others(output_dir, written).items():
        both = len(new.intersection(map(urls.identity, _urls_of(file))))
        if 2 * both <= len(new):
            continue
        name = quoted(file.name)
        more = f" and its {count_things(len(parts), 'part')}" if parts else ""
        problem = (
            f"{name}{more}, which another program wrote, still lists {both} of the"
            f" {len(new)} pages"
        )
        cure = (
            f"delete what is not needed, or write the option filename = {name} to"
            " replace it"
        )
        yield Notice("other-sitemap", problem, cure)


def _path(url: str, base_url: str) -> str:
    """Return a URL's path below the base, or below its host's root."""
    if base_url and url.startswith(base_url):
        return url.removeprefix(base_url)
    # Generators write the host as the settings do: `https://Owner.github.io/`.
    path = urls.path_below(url, base_url) if base_url else None
    if path is not None:
        return path
    return url.partition("://")[2].partition("/")[2]


def _others(folder: Path, written: Collection[str] = ()) -> dict[Path, set[Path]]:
    """Return the sitemaps in a folder that we did not write, with their parts' files.

    Parts and compressed copies are not among them, nor is another program's index that
    lists a new file, since that index stays in use.
    """
    new = {folder / name for name in written}
    parts = {file: parts_in(file) for file in sitemaps_in(folder)}
    used = new.union(*parts.values())
    others = {}
    for file, own_parts in parts.items():
        is_copy = file.suffix == ".gz" and file.with_suffix("") in parts
        if file in used or is_copy or not new.isdisjoint(own_parts):
            continue
        if not is_ours(file):
            others[file] = own_parts
    return others


def _urls_of(file: Path) -> Iterator[str]:
    """Yield the URLs that a sitemap lists, or the parts of an index do; as written.

    URLs that are longer than crawlers read are left out.
    """
    for each in find_sitemaps(FileLocation(file)):
        for element in elements_in(each):
            url = element.get("loc")
            if 0 < len(url) <= MAX_LOC_LENGTH:
                yield url
