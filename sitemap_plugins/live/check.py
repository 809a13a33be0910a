"""Checks of a site as its server answers: its sitemaps, and each URL that they list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

from sitemap_plugins.check.context import Context
from sitemap_plugins.check.run import CheckOptions, check_file, check_sitemaps
from sitemap_plugins.check.urls import is_llms_txt
from sitemap_plugins.core import urls
from sitemap_plugins.core.crawlers.robots_txt import Robots
from sitemap_plugins.core.messages import TimeUpError, quoted
from sitemap_plugins.findings.records import (
    MAX_KEPT,
    Collector,
    Finding,
    Findings,
    Result,
)
from sitemap_plugins.folder.options import Track
from sitemap_plugins.live import answers
from sitemap_plugins.live.server import (
    Download,
    Server,
    fetch_robots,
)
from sitemap_plugins.sitemaps.parts import SitemapFile, find_sitemaps, listed_in
from sitemap_plugins.sitemaps.web import CRAWLER, Deadline, Web

MAX_DELAY = 60
"""Seconds between two requests, at most: a longer `Crawl-delay` would stop the
check."""

SITEMAP = "sitemap.xml"
"""The sitemap that crawlers request if robots.txt names none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveOptions:
    """How to send requests to a server."""

    user_agent: str
    headers: Mapping[str, str]
    concurrency: int
    """Requests at once."""
    rate: float
    """Requests a second, at most; robots.txt may ask for fewer."""
    timeout: float
    retries: int
    deadline: Deadline = field(default_factory=Deadline)
    """The end of all requests together."""

    fetches: bool = True
    """Whether listed URLs are requested."""

    sample: int = 0
    """How many of them; 0 for all."""

    host_root: str = ""
    """The root of the site's host, normalized; empty for the target's."""

    at: str = ""
    """The address at which the site's URLs are requested, normalized; empty for its
    own."""

    def web(self, target: str, delay: float = 0) -> Web:
        """Return a client that waits `delay` seconds between requests, or longer.

        Headers are sent to the host of the preview, or else to that of `target`, which
        is absolute; not to a host to which it redirects.
        """
        rate = min(self.rate, 1 / delay) if delay else self.rate
        return Web(
            user_agent=self.user_agent,
            headers=self.headers,
            headers_for=urls.host_root(self.at or target),
            timeout=self.timeout,
            retries=self.retries,
            rate=rate,
            deadline=self.deadline,
        )


def check_live(
    target: str, options: CheckOptions, live: LiveOptions, *, track: Track
) -> Result:
    """Check the sitemap at a URL, or those of a site at an address with a last slash.

    `target` is absolute and normalized.

    Raises:
        WebError: The server does not answer.
    """
    root, robots, about_robots = _fetch_robots(target, live)
    # With --map-host, the target can be named by the preview's address or its own.
    is_preview = live.at and target.startswith(live.at)
    at = live.at if is_preview else root
    with (
        live.web(target, _delay(robots)) as web,
        TemporaryDirectory(prefix=f"{CRAWLER}-") as folder,
    ):
        server = Server(web=web, host_root=root, at=at)
        download = Download(server, Path(folder))
        submitted = _submitted(server.published(target), root, robots)
        fetched = list(_fetched(submitted, download))
        about_files = [*about_robots, *download.findings]
        visits = _Visits(server, robots, live, track, about_files)
        if fetched:
            return _check_fetched(fetched, visits, options)
    return _without_files(target, about_files, options.now)


def _without_files(target: str, findings: Iterable[Finding], now: datetime) -> Result:
    found = Collector()
    found.add(findings)
    return found.result(Result(site=target, time=now))


def _check_fetched(
    fetched: Sequence[tuple[SitemapFile, str]], visits: _Visits, options: CheckOptions
) -> Result:
    """Check sitemaps that a server has, and request their URLs there."""
    first, address = fetched[0]
    submitted_at = visits.server.published(address)
    context = Context(
        submitted=first,
        submitted_at=submitted_at,
        base_url=_scope(submitted_at, visits.robots),
        now=options.now,
        robots=visits.robots,
    )
    # If the user names no host, it is the one to which crawlers were redirected.
    root = visits.live.host_root or urls.host_root(context.base_url)
    at = visits.live.at or root
    visits.server = replace(visits.server, host_root=root, at=at)
    files = [file for file, _ in fetched]
    result = check_sitemaps(files, options, context, further=visits.add_findings)
    return replace(result, requested=visits.number)


def check_file_live(
    path: Path, name: str, options: CheckOptions, live: LiveOptions, *, track: Track
) -> Result:
    """Check a file, and request its URLs of `live.host_root` from `live.at`.

    Raises:
        OptionsError: `path` is not a file.
        WebError: The server does not answer.
    """
    _, robots, about_robots = _fetch_robots(live.at, live)
    with live.web(live.at, _delay(robots)) as web:
        server = Server(web=web, host_root=live.host_root, at=live.at)
        visits = _Visits(server, robots, live, track, about_robots)
        result = check_file(path, name, options, further=visits.add_findings)
        return replace(result, requested=visits.number)


def _fetch_robots(
    target: str, live: LiveOptions
) -> tuple[str, Robots | None, tuple[Finding, ...]]:
    """Return what `fetch_robots` does, with the host's root that the user may name."""
    with live.web(target) as web:
        root, robots, found = fetch_robots(web, urls.host_root(target))
    return live.host_root or root, robots, found


def _delay(robots: Robots | None) -> float:
    return min(robots.crawl_delay(CRAWLER), MAX_DELAY) if robots is not None else 0


def _submitted(target: str, root: str, robots: Robots | None) -> list[str]:
    """Return the URLs of the sitemaps that crawlers read.

    If the target is a sitemap, this is its URL. If the target is a folder, these are
    the sitemaps in this folder that robots.txt names, or else its `sitemap.xml`. If the
    folder is the host's root, `root` is used in its place.
    """
    if not target.endswith("/"):
        return [target]
    below = root if target == urls.host_root(target) else target
    of_robots = robots.sitemaps if robots is not None else ()
    named = dict.fromkeys(map(urls.requestable, of_robots))
    of_site = [url for url in named if url.startswith(below)]
    sitemaps = [url for url in of_site if not is_llms_txt(url)]
    return sitemaps or [below + SITEMAP]


def _fetched(
    addresses: Iterable[str], download: Download
) -> Iterator[tuple[SitemapFile, str]]:
    """Yield each file once, and the address that its sitemap came from."""
    seen: set[Path] = set()
    for address in addresses:
        fetched = download.fetch(address)
        if fetched is not None:
            for file in find_sitemaps(fetched, seen=seen):
                yield file, fetched.address


def _scope(url: str, robots: Robots | None) -> str:
    """Return the address below which a sitemap may list URLs.

    sitemaps.org, protocol, "Sitemap file location" and "Cross Submits": its own folder,
    or the whole host if the host's robots.txt names the sitemap.
    """
    sitemaps = robots.sitemaps if robots is not None else ()
    if urls.identity(url) in map(urls.identity, sitemaps):
        return urls.host_root(url)
    return url[: url.rfind("/") + 1]


_Place = tuple[str, str, int]
"""A listed URL, and the file and the line where it is listed first."""


@dataclass(slots=True)
class _Visits:
    """Requests for the URLs that sitemaps list, or for a sample of them."""

    server: Server
    robots: Robots | None
    live: LiveOptions
    track: Track

    found: Sequence[Finding]
    """What is wrong with robots.txt and the sitemaps' own answers."""

    number: int = 0
    """How many URLs have been requested."""

    unlisted: dict[str, str] = field(default_factory=dict)
    """The versions that pages name and no sitemap lists, each with such a page."""

    def add_findings(self, context: Context, found: Collector) -> None:
        """Add what is wrong with the answers of the server."""
        found.add(self.found)
        if not self.live.fetches:
            return
        files = [facts.file for facts in context.survey.files]
        first = files[0].name
        places = self._chosen(list(_places(files, self.server)))
        try:
            found.add(self._without_page(context.base_url), file=first)
            for place, seen in self._answers(places):
                self.number += 1
                self._judge(place, seen, context, found)
        except TimeUpError:
            number = f"{self.number:,} of {len(places):,} URLs"
            text = f"{number} were requested before time ran out"
            found.add([Finding("max-time", text)], file=first)
        for version, page in self.unlisted.items():
            found.add([_about_unlisted(version, page)], url=page, file=first)

    def _judge(
        self,
        place: _Place,
        seen: answers.Requested,
        context: Context,
        found: Collector,
    ) -> None:
        """Add what is wrong with one answer."""
        url, file, line = place
        findings = answers.judged(seen, self.server, self.robots, context.now)
        found.add(findings, url=url, file=file, line=line)
        if len(self.unlisted) < MAX_KEPT:  # A stranger's page can name any number.
            self.unlisted.update(self._unlisted_versions(seen, context))

    def _without_page(self, base_url: str) -> Findings:
        """Google, "Soft 404 errors": 404 is the answer where there is no page."""
        url = f"{base_url or self.server.host_root}{uuid4().hex}/"
        for seen in self._requested([url]):
            if seen.own_answer is not None:
                text = f"{quoted(url)} answers 200, although there is no such page"
                yield Finding("soft-404", text, "answer 404 where there is no page")

    def _answers(
        self, places: Sequence[_Place]
    ) -> Iterator[tuple[_Place, answers.Requested]]:
        """Yield each place with what the server answers for its URL."""
        addresses = [url for url, *_ in places]
        seen = self._requested(self.track(addresses, "Requesting URLs"))
        return zip(places, seen, strict=True)

    def _requested(self, addresses: Iterable[str]) -> Iterator[answers.Requested]:
        return answers.request_all(
            addresses,
            self.server,
            may_ask=self._may_ask,
            concurrency=self.live.concurrency,
        )

    def _unlisted_versions(
        self, seen: answers.Requested, context: Context
    ) -> Iterator[tuple[str, str]]:
        """Yield the site's URLs that a page names as versions and no sitemap lists.

        Each with the page. Links in the sitemap are checked by themselves.
        """
        if not context.survey.listed.are_plain:
            return
        for _, address in seen.head.alternates:
            url = urls.resolve(address, seen.url, seen.head.base or "")
            is_here = url and url.startswith(self.server.host_root)
            if is_here and not context.survey.listed.has(urls.identity(url)):
                yield url, seen.url

    def _may_ask(self, url: str) -> bool:
        return self.robots is None or self.robots.allow(url)

    def _chosen(self, places: list[_Place]) -> list[_Place]:
        """Return all places, or a sample that is spread over them."""
        sample = self.live.sample
        if not 0 < sample < len(places):
            return places
        return [places[number * len(places) // sample] for number in range(sample)]


def _about_unlisted(version: str, page: str) -> Finding:
    text = f"{quoted(page)} links to {quoted(version)}, which is not listed"
    cure = "list the translation, or remove the link"
    return Finding("hreflang", text, cure, about=version, matters="info")


def _places(files: Sequence[SitemapFile], server: Server) -> Iterator[_Place]:
    """Yield each URL of the site once, with the place where it is listed first."""
    seen = set()
    for listed in listed_in(files):
        # Of millions of URLs, hashes take less room.
        key = hash(listed.identity)
        if key not in seen and server.address(listed.url):
            seen.add(key)
            yield listed.url, listed.file.name, listed.element.line
