"""The server of a site: which addresses are the site's, where they are asked for, what it answers.

A site can be asked for at another server than its own (`--map-host`): a preview, before the deploy.
Its URLs are then judged as if they were already published.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from sitemap_plugins.core import urls
from sitemap_plugins.core.errors import PageError
from sitemap_plugins.core.records import record
from sitemap_plugins.web import request_url

if TYPE_CHECKING:
    from collections.abc import Callable

    from sitemap_plugins.web import Answer, Web

__all__ = ["Server", "Trail", "follow", "is_near", "requestable"]

MOST_REDIRECTS = 10
"""Redirects that are followed: Google gives up after as many (HTTP status codes, 3xx)."""

_DEFAULT_PORTS = {None, 80, 443}


class Trail(NamedTuple):
    """What a server answered, one redirect after the other."""

    answers: tuple[Answer, ...]
    """At least one."""

    is_circle: bool
    """Whether a redirect leads back, or on and on."""

    @property
    def last(self) -> Answer:
        """Where the redirects end, as far as they were followed."""
        return self.answers[-1]

    @property
    def target(self) -> str:
        """Absolute URL that the first answer redirects to; empty where it is no redirect."""
        return _redirect(self.answers[0])


@record
class Server:
    """Where the URLs of one site are asked for."""

    web: Web

    site: str
    """The site's address, normalized: its URLs begin with it."""

    at: str
    """The address at which they are asked for, normalized: the site's own, or a preview's."""

    def address(self, url: str) -> str:
        """Return where to ask for a URL; empty for one of another site, or for no valid URL."""
        try:
            whole = urls.normalize_url(url.partition("#")[0])
        except PageError:
            return ""
        return self.at + whole.removeprefix(self.site) if whole.startswith(self.site) else ""

    def published(self, url: str) -> str:
        """Return the URL at which an address of the server will be published."""
        return self.site + url.removeprefix(self.at) if url.startswith(self.at) else url

    def ask(self, address: str, *, limit: int) -> Trail:
        """Ask for an address of the site, and follow redirects as long as they stay within it.

        Raises:
            WebError: The server does not answer.
        """
        return follow(self.web, address, limit=limit, may_follow=self._is_here)

    def _is_here(self, url: str) -> bool:
        return requestable(url).startswith((self.site, self.at))


def follow(web: Web, address: str, *, limit: int, may_follow: Callable[[str], bool]) -> Trail:
    """Ask for an address, with at most `limit` bytes of each body, and follow some redirects.

    Raises:
        WebError: The server does not answer.
    """
    answers = [web.get(address, limit=limit)]
    seen = {urls.identity(address)}
    while (target := _redirect(answers[-1])) and may_follow(target):
        key = urls.identity(target)
        if key in seen or len(answers) > MOST_REDIRECTS:
            return Trail(tuple(answers), is_circle=True)
        seen.add(key)
        answers.append(web.get(target, limit=limit))
    return Trail(tuple(answers), is_circle=False)


def is_near(url: str, other: str) -> bool:
    """Tell whether two URLs are on one host, with `www.` or without, by http or https.

    They are read as they are requested; a URL that cannot be requested is not near any other.
    """
    one, two = urlsplit(requestable(url)), urlsplit(requestable(other))
    hosts = {(parts.hostname or "").removeprefix("www.") for parts in (one, two)}
    ports = {one.port, two.port}
    return bool(one.hostname) and len(hosts) == 1 and (len(ports) == 1 or ports <= _DEFAULT_PORTS)


def requestable(url: str) -> str:
    """Return a URL as it is requested; empty if it cannot be."""
    try:
        return request_url(url)
    except PageError:
        return ""


def _redirect(answer: Answer) -> str:
    """Return what a redirect names, encoded where it is a URL that only lacks that."""
    target = answer.redirect
    if not target.isascii():
        # Headers are read as Latin-1, and most servers write UTF-8.
        with suppress(UnicodeError):
            target = target.encode("latin-1").decode("utf-8")
    return requestable(target) or target
