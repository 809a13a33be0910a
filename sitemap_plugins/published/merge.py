"""Several sitemaps → one index, which lists each where it is: nothing is moved or copied.

The parts of an index are listed in its place, as an index must not list another (Google, "Large
sitemaps").
"""

from __future__ import annotations

import os
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_plugins.core import urls
from sitemap_plugins.core.crawlers.robots_txt import read_robots
from sitemap_plugins.core.date_values import DateOrDatetime, lastmod_in_utc, parse_lastmod
from sitemap_plugins.core.environment import CI
from sitemap_plugins.core.files import xml
from sitemap_plugins.core.files.plan import File
from sitemap_plugins.core.files.publish import announce, find_stylesheet, write_files
from sitemap_plugins.core.limits import MAX_INDEX_PARTS
from sitemap_plugins.core.messages import Notice, OptionsError, count_things, quoted
from sitemap_plugins.folder.versions import read_versions, wanted_versions
from sitemap_plugins.published.diff import scratch_database
from sitemap_plugins.sitemaps.facts import CrossChecks
from sitemap_plugins.sitemaps.locations import FileLocation, Location, WebLocation, find_locations
from sitemap_plugins.sitemaps.parts import Part, all_elements, elements_of, parts_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sitemap_plugins.web import Web

_BATCH = 1_000
"""URLs and links that are written at once, in a third of the time."""

_DUPLICATES = """
SELECT count(*), min(url) FROM (SELECT url FROM listed GROUP BY url HAVING count(*) > 1)
"""

_NOT_LISTED = ("which no sitemap lists", "add the sitemap of that language")
_NOT_RETURNED = ("which does not link back", "build both languages with the same links")
"""What is wrong with a link, and the cure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """What was written."""

    files: tuple[Path, ...]
    parts: int
    urls: int
    """How many all parts list."""

    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Merger:
    """Where the index is written, and the options for it."""

    output: Path

    base_url: str
    """The address of the index's folder, normalized."""

    web: Web
    environ: Mapping[str, str]

    versions: Sequence[str] = ()
    """The versions to list, for folders with versions; only the default one if empty."""

    robots: bool = True
    """Whether the index is announced in robots.txt beside it."""

    def merge(self, sitemaps: Iterable[str]) -> Merged:
        """Write the index of sitemaps, each a file, a folder or a URL.

        Raises:
            SitemapError: One cannot be read, is empty, is not below the index's folder, or lists a
                URL outside its own folder; then nothing is written.
        """
        if self.output.suffix != ".xml":
            msg = f"{quoted(self.output.name)} is not a name for an index"
            raise OptionsError(msg, cure="the output must end in .xml")
        found = (part for text in sitemaps for part in self._parts(text))
        parts = [*{urls.identity(part.url): part for part in found}.values()]
        if len(parts) > MAX_INDEX_PARTS:
            msg = f"there are {len(parts):,} sitemaps, and an index lists {MAX_INDEX_PARTS:,}"
            raise OptionsError(msg, cure="write two indexes")
        total, elements = 0, []
        with scratch_database() as database:
            stored = _StoredUrls(database)
            for part in parts:
                count, newest = _store(part, stored)
                total += count
                elements.append(xml.sitemap_element(part.url, newest, "datetime"))
            notices = tuple(stored.notices(self.base_url))
        files, about_robots = self._publish(elements)
        return Merged(files=files, parts=len(parts), urls=total, notices=(*notices, *about_robots))

    def _parts(self, text: str) -> Iterator[Part[Location]]:
        for location in self._locations(text):
            own_url = self._url_of(location)
            for part in parts_of(location):
                self._refuse_output(part.location)
                url = part.url or own_url
                if not urls.identity(url).startswith(urls.identity(self.base_url)):
                    msg = f"{quoted(url)} is not below {quoted(self.base_url)}"
                    raise OptionsError(msg, cure="move the index up, or correct --base-url")
                yield part._replace(url=url)

    def _locations(self, text: str) -> list[Location]:
        folder = Path(text)
        versions = read_versions(folder)
        if not versions.all:
            return find_locations(text, web=self.web, environ=self.environ)
        found = []
        for version in wanted_versions(versions, self.versions):
            folders = [folder / name for name in version.folders]
            locations = find_locations(str(folders[0]), web=self.web, environ=self.environ)
            with closing(all_elements(locations)) as elements:
                first = next(elements, None)
            for each in folders:  # Its sitemaps are in all of them, and list the URLs of one.
                if first and first.get("loc").startswith(f"{self._folder_url(each)}/"):
                    locations = find_locations(str(each), web=self.web, environ=self.environ)
                    break
            found += locations
        return found

    def _refuse_output(self, location: Location) -> None:
        """Raise an error for a sitemap that the index would replace."""
        output = os.path.realpath(self.output)  # `Path.resolve` raises for endless links.
        if isinstance(location, FileLocation) and os.path.realpath(location.path) == output:
            if self.output.is_symlink():
                target = quoted(os.readlink(self.output))  # noqa: PTH115 as it is written
                problem = f"{self.output} is a link to {target}, where the index would be written"
                raise OptionsError(problem, cure="remove the link")
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
        return urls.join(self.base_url, urls.percent_encode(whole.relative_to(top).as_posix()))

    def _publish(self, elements: list[bytes]) -> tuple[tuple[Path, ...], tuple[Notice, ...]]:
        folder, name = self.output.parent, self.output.name
        # Another program's file with the style sheet's name is kept, and the index has no style.
        style, _ = find_stylesheet(folder, name)
        href = urls.percent_encode(style.name) if style is not None else ""
        chunks = [xml.index_header(name, stylesheet=href), *elements, xml.INDEX_FOOTER]
        # A compressed copy of an earlier sitemap would differ from the index.
        index = File(name=name, chunks=chunks, gzip=(folder / f"{name}.gz").is_file())
        ci = CI.from_environ(self.environ)
        robots, notices = read_robots(folder, self.base_url, on_read_the_docs=ci.read_the_docs)
        files = write_files(filter(None, [style, index]), output_dir=folder)
        if robots is None:
            return files, notices
        submitted = [urls.join(self.base_url, urls.percent_encode(name))]
        robots_txt, notices = announce(submitted, robots, output_dir=folder, is_wanted=self.robots)
        return (*files, *robots_txt), notices


def _store(part: Part[Location], stored: _StoredUrls) -> tuple[int, DateOrDatetime | None]:
    """Store what a part lists, and return the number of URLs and the newest date.

    The date of a part in the index that lists it counts too.

    Raises:
        OptionsError: The part lists no URL, which crawlers treat as a fault, or one that is not at
            or below its folder (sitemaps.org, protocol, "Sitemap file location").
    """
    name, folder = part.location.name, part.url.rpartition("/")[0] + "/"
    count, base = 0, urls.identity(folder)
    newest, latest = part.lastmod, lastmod_in_utc(part.lastmod)
    for count, element in enumerate(elements_of(part.location), 1):  # noqa: B007 used afterwards
        url = element.get("loc")
        identity = urls.identity(url)
        if not identity.startswith(base) and not url.startswith(folder):
            msg = f"{name} lists {quoted(url)}, which is not below {quoted(folder)}"
            cure = "correct --base-url, or build the sitemap with the right address"
            raise OptionsError(msg, cure=cure)
        links = element.links
        stored.add(identity, [urls.identity(link.url) for link in links] if links else ())
        date = lastmod_in_utc(lastmod := element.get("lastmod"))
        if date is not None and (latest is None or date > latest):
            newest, latest = lastmod, date
    if not count:
        raise OptionsError(f"{name} lists no URL", cure="set its address, and build it again")
    return count, parse_lastmod(newest)


class _StoredUrls(CrossChecks):
    """URLs and links on disk, as those of a large site do not fit into memory."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._urls: list[tuple[str]] = []
        self._links: list[tuple[str, str]] = []
        database.execute("CREATE TABLE listed (url TEXT)")
        database.execute("CREATE TABLE links (source TEXT, target TEXT)")

    def add(self, url: str, targets: Iterable[str]) -> None:
        """Note a listed URL and its links."""
        self._urls.append((url,))
        if targets:
            self._links.extend([(url, target) for target in targets])
        if len(self._urls) + len(self._links) >= _BATCH:
            self._write()

    def is_listed(self, url: str) -> bool:
        """Tell whether a URL is listed."""
        return self._has("SELECT 1 FROM listed WHERE url = ?", url)

    def has_link(self, url: str, target: str) -> bool:
        """Tell whether a URL links to one of its versions."""
        return self._has("SELECT 1 FROM links WHERE source = ? AND target = ?", url, target)

    def notices(self, base_url: str) -> Iterator[Notice]:
        """Yield what is wrong, once for each kind, with the first example; after the last URL.

        `base_url` is the address of the site that the parts belong to.
        """
        self._write()
        # Sorted once at the end: an index that grows in random order is slow on disk.
        self._database.execute("CREATE INDEX by_url ON listed (url)")
        self._database.execute("CREATE INDEX by_link ON links (source, target)")
        number, example = self._database.execute(_DUPLICATES).fetchone()
        if number:
            them = f"{count_things(number, 'URL')} {'is' if number == 1 else 'are'}"
            text = f"{them} listed more than once, such as {quoted(example)}"
            yield Notice("duplicate", text, cure="list each once")
        base = urls.identity(base_url)
        numbers: Counter[tuple[str, str]] = Counter()
        first: dict[tuple[str, str], tuple[str, str]] = {}
        for link in self._database.execute("SELECT source, target FROM links ORDER BY 1, 2"):
            if self.is_unlisted(link[1], base):
                problem = _NOT_LISTED
            elif self.is_unreturned(*link):
                problem = _NOT_RETURNED
            else:
                continue
            numbers[problem] += 1
            first.setdefault(problem, link)
        for problem in (_NOT_LISTED, _NOT_RETURNED):
            if problem in first:
                (source, target), (wrong, cure) = first[problem], problem
                others = numbers[problem] - 1
                more = f", and {others:,} more links are like it" if others else ""
                text = f"{quoted(source)} links to {quoted(target)}, {wrong}{more}"
                yield Notice("hreflang", text, cure=cure)

    def _write(self) -> None:
        self._database.executemany("INSERT INTO listed VALUES (?)", self._urls)
        self._database.executemany("INSERT INTO links VALUES (?, ?)", self._links)
        self._urls.clear()
        self._links.clear()

    def _has(self, query: str, *values: str) -> bool:
        return self._database.execute(query, values).fetchone() is not None
