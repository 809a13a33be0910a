"""Several sitemaps → one index. Nothing is moved or copied: the index names each where it stands.

Indexes among them are taken apart, as an index must not list another (Google, "Large sitemaps").
"""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_plugins.core import urls
from sitemap_plugins.core.crawlers.robots_txt import read_robots
from sitemap_plugins.core.date_values import parse_lastmod, to_utc
from sitemap_plugins.core.environment import CI
from sitemap_plugins.core.errors import OptionsError
from sitemap_plugins.core.files import xml
from sitemap_plugins.core.files.announce import announce, find_stylesheet
from sitemap_plugins.core.files.plan import File
from sitemap_plugins.core.files.publish import write_files
from sitemap_plugins.core.limits import MAX_INDEX_PARTS
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.deployed.listing import Part, file_parts, listed, listed_in
from sitemap_plugins.deployed.mike import read_versions, wanted_versions
from sitemap_plugins.deployed.places import FilePlace, WebPlace, find_places
from sitemap_plugins.deployed.scratch import scratch_database
from sitemap_plugins.deployed.together import Together

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sitemap_plugins.core.date_values import DateOrDatetime
    from sitemap_plugins.core.files.read import Element
    from sitemap_plugins.core.notices import Notice
    from sitemap_plugins.deployed.mike import Version
    from sitemap_plugins.deployed.places import Place
    from sitemap_plugins.web import Web

__all__ = ["Merged", "Merger"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """What was written."""

    files: tuple[Path, ...]
    parts: int
    listed: int
    """URLs in all parts."""

    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Merger:
    """Where the index is to be, and what it is made with."""

    output: Path
    """Its file."""

    base_url: str
    """Of its folder, normalized."""

    web: Web
    environ: Mapping[str, str]

    versions: Sequence[str] = ()
    """Those of mike to list, where a folder has any; the default version alone if empty."""

    robots: bool = True
    """Whether robots.txt beside the index gets its line."""

    def merge(self, sitemaps: Iterable[str]) -> Merged:
        """Write the index of sitemaps, each a file, a folder or a URL.

        Raises:
            SitemapError: One cannot be read, is empty, is not below the index's folder, or lists a
                URL that it may not; then nothing is written.
        """
        if self.output.suffix != ".xml":
            msg = f"{quoted(self.output.name)} is no name for an index"
            raise OptionsError(msg, cure="give one that ends in .xml")
        found = (part for text in sitemaps for part in self._parts(text))
        by_url = {urls.identity(part.url): part for part in found}
        parts = [*by_url.values()]
        if len(parts) > MAX_INDEX_PARTS:
            msg = f"there are {len(parts):,} sitemaps, and an index lists {MAX_INDEX_PARTS:,}"
            raise OptionsError(msg, cure="write two indexes")
        elements, listed = [], 0
        with scratch_database() as database:
            together = Together(database, self.base_url)
            for part in parts:
                reading = _Reading(part)
                together.add(reading)
                reading.refuse_empty()
                listed += reading.count
                elements.append(xml.sitemap_element(part.url, reading.newest, "datetime"))
            notices = tuple(together.notices())
        files, about_robots = self._publish(elements)
        return Merged(
            files=files, parts=len(parts), listed=listed, notices=(*notices, *about_robots)
        )

    def _parts(self, text: str) -> Iterator[Part]:
        for place in self._places(text):
            own_url = self._url_of(place)
            for part in file_parts(place):
                self._refuse_output(part.place)
                url = part.url or own_url
                if not urls.identity(url).startswith(urls.identity(self.base_url)):
                    msg = f"{quoted(url)} is not below {quoted(self.base_url)}"
                    raise OptionsError(msg, cure="move the index up, or correct --base-url")
                yield part._replace(url=url)

    def _places(self, text: str) -> list[Place]:
        folder = Path(text)
        versions = read_versions(folder)
        if not versions:
            return find_places(text, web=self.web, environ=self.environ)
        wanted = wanted_versions(folder, versions, self.versions)
        found = [self._sitemaps_of(folder, version) for version in wanted]
        return [place for places in found for place in places]

    def _sitemaps_of(self, folder: Path, version: Version) -> list[Place]:
        """Return the sitemaps of a version, in that of its folders whose URLs they list."""
        folders = [folder / name for name in (version.name, *version.aliases)]
        places = find_places(str(folders[0]), web=self.web, environ=self.environ)
        with closing(listed(places)) as elements:
            first = next(elements, None)
        for each in folders:
            if first is not None and first.get("loc").startswith(f"{self._folder_url(each)}/"):
                return find_places(str(each), web=self.web, environ=self.environ)
        return places

    def _url_of(self, place: Place) -> str:
        if isinstance(place, WebPlace):
            return urls.normalize_url(place.url)
        if not isinstance(place, FilePlace):
            msg = f"{place.name} is in no folder"
            raise OptionsError(msg, cure="check it out, and name the file")
        self._refuse_output(place)
        return self._folder_url(place.path)

    def _refuse_output(self, place: Place) -> None:
        """Raise an error for a sitemap that is where the index is to be."""
        if isinstance(place, FilePlace) and place.path.resolve() == self.output.resolve():
            if self.output.is_symlink():
                target = quoted(os.readlink(self.output))  # noqa: PTH115 as it is written
                problem = f"{self.output} is a link to {target}, where the index would be written"
                raise OptionsError(problem, cure="remove the link")
            msg = f"{place.name} would be replaced by the index"
            raise OptionsError(msg, cure="build it under another name")

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
        # A file of that name that is not ours is kept, and browsers show the index without style.
        style, _ = find_stylesheet(folder, name)
        href = urls.percent_encode(style.name) if style is not None else ""
        chunks = [xml.index_header(name, stylesheet=href), *elements, xml.INDEX_FOOTER]
        twin = folder / f"{name}.gz"  # Of an earlier sitemap, it would be another one from now on.
        index = File(name=name, chunks=chunks, gzip=twin.is_file())
        ci = CI.from_environ(self.environ)
        robots, notices = read_robots(folder, self.base_url, on_read_the_docs=ci.read_the_docs)
        files = write_files(filter(None, [style, index]), output_dir=folder)
        if robots is None:
            return files, notices
        submitted = [urls.join(self.base_url, urls.percent_encode(name))]
        robots_txt, notices = announce(submitted, robots, output_dir=folder, is_wanted=self.robots)
        return (*files, *robots_txt), notices


class _Reading:
    """What a part lists, with what is to be known of it afterwards."""

    count = 0
    newest: DateOrDatetime | None = None
    """The newest date in the part, or that of the index that lists it."""

    def __init__(self, part: Part) -> None:
        self._part = part
        self._note(part.lastmod)
        self._folder = part.url.rpartition("/")[0] + "/"

    def __iter__(self) -> Iterator[Element]:
        """Yield each URL.

        Raises:
            OptionsError: One is not at or below the part's folder.
        """
        for element in listed_in(self._part.place):
            self._check(element.get("loc"))
            self.count += 1
            self._note(element.get("lastmod"))
            yield element

    def refuse_empty(self) -> None:
        """Raise an error for a part without a URL, which crawlers take for a fault."""
        if not self.count:
            raise OptionsError(f"{self._part.place.name} lists nothing", cure="build it again")

    def _check(self, url: str) -> None:
        """sitemaps.org, protocol, "Sitemap file location": at or below the sitemap's folder."""
        if not url.startswith(self._folder) and not urls.identity(url).startswith(
            urls.identity(self._folder)
        ):
            msg = f"{self._part.place.name} lists {quoted(url)}, which is not below"
            cure = "correct --base-url, or build the sitemap with the right address"
            raise OptionsError(f"{msg} {quoted(self._folder)}", cure=cure)

    def _note(self, lastmod: str) -> None:
        date = parse_lastmod(lastmod)
        if date is not None and (self.newest is None or to_utc(date) > to_utc(self.newest)):
            self.newest = date
