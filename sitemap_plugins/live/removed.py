"""What servers answer about URLs that a sitemap lists no more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from sitemap_plugins.cli.console import Output
from sitemap_plugins.core import urls
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.live import answers
from sitemap_plugins.live.server import Server, is_near
from sitemap_plugins.sitemaps.locations import Location, WebLocation
from sitemap_plugins.sitemaps.removed import Removed
from sitemap_plugins.sitemaps.web import Web

AT_ONCE = 4
"""Requests at once."""


def find_removed(
    removed: Sequence[str], locations: Sequence[Location], web: Web, output: Output
) -> Iterator[Removed] | None:
    """Ask the servers of sitemaps about removed URLs, for `diff`.

    None if the last sitemap is not on a server.
    """
    if not isinstance(locations[-1], WebLocation):
        return None
    named = [each.url for each in locations if isinstance(each, WebLocation)]
    return ask_servers(output.track(removed, "Requesting removed URLs"), web, named)


def ask_servers(
    removed: Iterable[str], web: Web, named: Sequence[str]
) -> Iterator[Removed]:
    """Yield what the server of each URL answers; redirects are followed within a host.

    Only hosts near one of the URLs that the user `named` are asked: a sitemap could
    list any.
    """
    valid = filter(urls.requestable, removed)
    for root, some in groupby(valid, lambda url: urls.host_root(urls.requestable(url))):
        if not any(is_near(root, other) for other in named):
            why = "is on another host, which gets no request"
            yield from (Removed(url=url, fate="missing", why=why) for url in some)
            continue
        server = Server(web=web, host_root=root, at=root)
        for seen in answers.request_all(
            some, server, may_ask=lambda _: True, concurrency=AT_ONCE
        ):
            yield _judged(seen)


def _judged(seen: answers.Requested) -> Removed:
    """Judge what a server answered; a redirect to another host is not followed."""
    why = _why_missing(seen)
    if why:
        return Removed(url=seen.url, fate="missing", why=why)
    if seen.own_answer is None or seen.head.refresh is not None:
        return Removed(url=seen.url, fate="redirected")
    return Removed(url=seen.url, fate="there")


def _why_missing(seen: answers.Requested) -> str:
    """Return what is wrong with an answer, as `Removed.why`; empty if nothing is."""
    redirects = seen.redirects
    if redirects is None:
        return seen.problem.removeprefix(f"{quoted(seen.url)} ")
    if redirects.is_loop:
        return "redirects in a loop"
    answer = seen.own_answer
    if answer is not None and any(answers.soft_404(seen, answer)):
        return "answers 200 with an error page"
    last = redirects.last
    if last.redirect and not urls.requestable(last.redirect):
        return f"redirects to {quoted(last.redirect)}, which is not the URL of a page"
    if last.status == 200 or last.redirect:
        return ""
    where = f"redirects to {quoted(last.url)}, which " if redirects.target else ""
    return f"{where}answers {last.status}"
