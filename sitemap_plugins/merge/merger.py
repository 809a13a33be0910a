"""Several sitemaps → one index, which lists each where it is.

The parts of an index are listed in its place, as an index must not list another
(Google, "Large sitemaps").
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from sitemap_plugins.core import urls
from sitemap_plugins.core.crawlers.robots_txt import read_robots
from sitemap_plugins.core.date_values import lastmod_in_utc, parse_lastmod
from sitemap_plugins.core.environment import CI
from sitemap_plugins.core.limits import MAX_INDEX_PARTS
from sitemap_plugins.core.messages import (
    Environ,
    Notice,
    Notices,
    OptionsError,
    count_things,
    quoted,
)
from sitemap_plugins.core.publishing import xml
from sitemap_plugins.core.publishing.plan import File
from sitemap_plugins.core.publishing.publish import (
    announce,
    find_stylesheet,
    write_files,
)
from sitemap_plugins.folder.options import Track
from sitemap_plugins.folder.versions import read_versions, wanted_versions
from sitemap_plugins.sitemaps.facts import ListedUrls
from sitemap_plugins.sitemaps.locations import (
    FileLocation,
    Location,
    WebLocation,
    find_locations,
)
from sitemap_plugins.sitemaps.parts import Part, all_elements, elements_of, parts_of
from sitemap_plugins.sitemaps.web import Web


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """What was written."""

    parts: int
    urls: int
    """How many all parts list."""

    notices: Notices


@dataclass(frozen=True, slots=True, kw_only=True)
class Merger:
    """Where the index is written, and the options for it."""

    output: Path

    base_url: str
    """The address of the index's folder, normalized."""

    web: Web
    environ: Environ

    track: Track
    """Shows how many sitemaps have been read."""

    versions: Sequence[str] = ()
    """The versions to list, for folders with versions; only the default one if
    empty."""

    robots: bool = True
    """Whether the index is announced in robots.txt beside it."""

    def merge(self, sitemaps: Iterable[str]) -> Merged:
        """Write the index of sitemaps, each a file, a folder or a URL.

        Raises:
            SitemapError: A sitemap cannot be read, is empty, is not below the index's
                folder, or lists a URL outside its own folder; then nothing is written.
        """
        if self.output.suffix != ".xml":
            msg = f"{quoted(self.output.name)} is not a name for an index"
            raise OptionsError(msg, cure="the output must end in .xml")
        parts = self._all_parts(sitemaps)
        listed = ListedUrls()
        total = 0
        elements = []
        for part in self.track(parts, "Reading sitemaps"):
            count, newest = _read(part, listed)
            total += count
            # The date of a part in the index that lists it counts too.
            date = parse_lastmod(_later(part.lastmod, newest))
            elements.append(xml.sitemap_element(part.url, date, "datetime"))
        about_urls = tuple(_notices(listed, urls.identity(self.base_url)))
        about_files = self._publish(elements)
        return Merged(parts=len(parts), urls=total, notices=(*about_urls, *about_files))

    def _all_parts(self, sitemaps: Iterable[str]) -> list[Part[Location]]:
        """Return the parts of all sitemaps, each once."""
        found: dict[str, Part[Location]] = {}
        for text in sitemaps:
            for part in self._parts(text):
                found[urls.identity(part.url)] = part
        if len(found) > MAX_INDEX_PARTS:
            number = f"{len(found):,}"
            msg = f"{number} sitemaps are more than an index may list ({MAX_INDEX_PARTS:,})"
            raise OptionsError(msg, cure="write two indexes")
        return [*found.values()]

    def _parts(self, text: str) -> Iterator[Part[Location]]:
        for location in self._locations(text):
            own_url = self._url_of(location)
            for part in parts_of(location):
                self._refuse_output(part.location)
                url = part.url or own_url
                if not urls.identity(url).startswith(urls.identity(self.base_url)):
                    msg = f"{quoted(url)} is not below {quoted(self.base_url)}"
                    raise OptionsError(
                        msg, cure="move the index up, or correct --base-url"
                    )
                yield part._replace(url=url)

    def _locations(self, text: str) -> list[Location]:
        folder = Path(text)
        versions = read_versions(folder)
        if not versions.all:
            return find_locations(text, web=self.web, environ=self.environ)
        found = []
        for version in wanted_versions(versions, self.versions):
            folders = [folder / name for name in version.folders]
            locations = self._locations_in(folders[0])
            with closing(all_elements(locations)) as elements:
                first = next(elements, None)
            # Its sitemaps are in all of them, and list the URLs of one.
            for each in folders:
                if first and first.get("loc").startswith(f"{self._folder_url(each)}/"):
                    locations = self._locations_in(each)
                    break
            found += locations
        return found

    def _locations_in(self, folder: Path) -> list[Location]:
        return find_locations(str(folder), web=self.web, environ=self.environ)

    def _refuse_output(self, location: Location) -> None:
        """Raise an error for a sitemap that the index would replace."""
        if not isinstance(location, FileLocation):
            return
        # `Path.resolve` raises for endless links.
        if os.path.realpath(location.path) != os.path.realpath(self.output):
            return
        if self.output.is_symlink():
            target = quoted(os.readlink(self.output))  # noqa: PTH115 as it is written
            where = f"a link to {target}, where the index would be written"
            raise OptionsError(f"{self.output} is {where}", cure="remove the link")
        msg = f"{location.name} would be replaced by the index"
        raise OptionsError(msg, cure="build it under another name")

    def _url_of(self, location: Location) -> str:
        if isinstance(location, WebLocation):
            return urls.normalize_url(location.url)
        if not isinstance(location, FileLocation):
            msg = f"{location.name} is not in a folder"
            raise OptionsError(msg, cure="check it out, and name the file")
        self._refuse_output(location)
        return self._folder_url(location.path)

    def _folder_url(self, path: Path) -> str:
        """Return the URL of a file or folder, without a last slash."""
        top = self.output.parent.absolute()
        whole = Path(os.path.normpath(path.absolute()))
        if not whole.is_relative_to(top):
            msg = f"{path} is not below {self.output.parent}"
            raise OptionsError(msg, cure="put it where it will be published")
        return urls.join(
            self.base_url, urls.percent_encode(whole.relative_to(top).as_posix())
        )

    def _publish(self, elements: list[bytes]) -> Notices:
        folder = self.output.parent
        name = self.output.name
        # Another program's file with the style sheet's name is kept, and the index has
        # no style.
        style, _ = find_stylesheet(folder, name)
        href = urls.percent_encode(style.name) if style is not None else ""
        chunks = [xml.index_header(name, stylesheet=href), *elements, xml.INDEX_FOOTER]
        # A compressed copy of an earlier sitemap would differ from the index.
        index = File(name=name, chunks=chunks, gzip=(folder / f"{name}.gz").is_file())
        ci = CI.from_environ(self.environ)
        robots, notices = read_robots(
            folder, self.base_url, on_read_the_docs=ci.read_the_docs
        )
        write_files(filter(None, [style, index]), output_dir=folder)
        if robots is None:
            return notices
        submitted = [urls.join(self.base_url, urls.percent_encode(name))]
        return announce(submitted, robots, output_dir=folder, is_wanted=self.robots)[1]


def _read(part: Part[Location], listed: ListedUrls) -> tuple[int, str]:
    """Note what a part lists; return the number of its URLs, and the latest valid date.

    The date is as it is listed; empty for none.

    Raises:
        OptionsError: The part lists no URL, which crawlers treat as a fault, or one
            that is not at or below its folder (sitemaps.org, protocol, "Sitemap file
            location").
    """
    folder = part.url.rpartition("/")[0] + "/"
    base = urls.identity(folder)
    count = 0
    newest = ""
    for element in elements_of(part.location):
        count += 1
        url = element.get("loc")
        identity = urls.identity(url)
        if not identity.startswith(base) and not url.startswith(folder):
            raise _outside(part.location.name, url, folder)
        targets = [urls.identity(link.url) for link in element.links]
        listed.add(identity, targets, element)
        newest = _later(newest, element.get("lastmod"))
    if not count:
        msg = f"{part.location.name} lists no URL"
        raise OptionsError(msg, cure="set its address, and build it again")
    return count, newest


def _outside(name: str, url: str, folder: str) -> OptionsError:
    msg = f"{name} lists {quoted(url)}, which is not below {quoted(folder)}"
    cure = "correct --base-url, or build the sitemap with the right address"
    return OptionsError(msg, cure=cure)


def _later(one: str, other: str) -> str:
    """Return the later of two dates as they are listed, or the only valid one."""
    first = lastmod_in_utc(one)
    second = lastmod_in_utc(other)
    if second is None or (first is not None and first >= second):
        return one
    return other


def _notices(listed: ListedUrls, base: str) -> Iterator[Notice]:
    """Yield each kind of fault of the listed URLs once, with its first example.

    `base` is the identity of the address of the site that the parts belong to.
    """
    if number := len(listed.duplicates):
        them = f"{count_things(number, 'URL')} {'is' if number == 1 else 'are'}"
        example = quoted(min(listed.duplicates))
        text = f"{them} listed more than once, such as {example}"
        yield Notice("duplicate", text, cure="list each once")
    unlisted = []
    unreturned = []
    for url, links in listed.links.items():
        for _, target in links:
            if listed.has(target):
                if not listed.has_link(target, url):
                    unreturned.append((url, target))
            # Versions on other sites are in other sitemaps.
            elif target.startswith(base):
                unlisted.append((url, target))
    cure = "add the sitemap of that language"
    yield from _about_links(unlisted, "which no sitemap lists", cure)
    # Google, localized versions: links that are not returned "may be ignored".
    cure = "build both languages with the same links"
    yield from _about_links(unreturned, "which does not link back", cure)


def _about_links(
    links: Sequence[tuple[str, str]], wrong: str, cure: str
) -> Iterator[Notice]:
    if links:
        url, target = min(links)
        others = len(links) - 1
        more = f", and {others:,} more links are like it" if others else ""
        text = f"{quoted(url)} links to {quoted(target)}, {wrong}{more}"
        yield Notice("hreflang", text, cure=cure)
