"""What became of URLs that a sitemap lists no more: redirected, still there, or lost.

A built folder shows its pages, those that refresh, and the rules in `_redirects`; a server is
asked.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Literal

from sitemap_plugins.checks.answers import PageUrl, visit
from sitemap_plugins.checks.server import Server, is_near, requestable
from sitemap_plugins.core import urls
from sitemap_plugins.core.crawlers.server_rules import read_server_rules
from sitemap_plugins.core.errors import OptionsError
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.records import record
from sitemap_plugins.core.url_forms import has_file
from sitemap_plugins.folder.reading import read_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemap_plugins.checks.answers import Visit
    from sitemap_plugins.folder.options import Project, Track
    from sitemap_plugins.web import Web

__all__ = ["Fate", "Removed", "ask_servers", "look_in_folder"]

Fate = Literal["redirected", "there", "lost"]

AT_ONCE = 4
"""Requests at once."""


@record
class Removed:
    """What became of one URL."""

    url: str
    fate: Fate
    why: str = ""
    """What there is in place of the page, in a sentence that begins with the URL; only if lost."""


def look_in_folder(removed: Iterable[str], project: Project, *, track: Track) -> Iterator[Removed]:
    """Yield what a built folder shows of each URL.

    A line of `_redirects` counts if it may redirect the URL; its target is not looked for.

    Raises:
        OptionsError: There is no such folder, no page in it, or its address is not known.
    """
    folder = read_folder(project, track=track, local=True)
    base = folder.base_url
    if not base:
        cure = "set it in the generator's settings, or name the URL of a deployed site"
        raise OptionsError("the site's address is not known", cure=cure)
    rules, _ = read_server_rules(project.site_dir, base, service=project.ci.hosting)
    heads = {folder.files[page.name]: page.marks.head for page in folder.built}
    for url in removed:
        identity = urls.identity(url)
        path = identity.removeprefix(urls.identity(base)).partition("?")[0]
        file = folder.by_path.get(path, "")
        head = heads.get(file)
        if path == identity.partition("?")[0]:
            yield Removed(url=url, fate="lost", why=f"is not below {base}, the folder's address")
        elif (head and head.refresh is not None) or rules.may_redirect(identity):
            yield Removed(url=url, fate="redirected")
        elif file or has_file(project.site_dir, path):
            yield Removed(url=url, fate="there")
        else:
            yield Removed(url=url, fate="lost", why="has no file and no redirect")


def ask_servers(removed: Iterable[str], web: Web, named: Sequence[str]) -> Iterator[Removed]:
    """Yield what the server of each URL answers; redirects are followed within a host.

    Only hosts near one of the URLs that the user `named` are asked: a sitemap could list any.
    """
    for root, some in groupby(removed, lambda url: urls.host_root(requestable(url))):
        if not any(is_near(root, other) for other in named):
            why = "is on another host, which is not asked"
            yield from (Removed(url=url, fate="lost", why=why) for url in some)
            continue
        server = Server(web=web, host_root=root, at=root)
        pages = (PageUrl(url=url, file="", line=0) for url in some)
        yield from map(_judged, visit(pages, server, may_ask=lambda _: True, concurrency=AT_ONCE))


def _judged(seen: Visit) -> Removed:
    """Judge what a server answered; a redirect to another host is not followed."""
    url, redirects = seen.page.url, seen.redirects
    if redirects is None:
        return Removed(url=url, fate="lost", why=seen.problem.removeprefix(f"{quoted(url)} "))
    last = redirects.last
    if redirects.is_loop:
        return Removed(url=url, fate="lost", why="redirects again and again")
    if last.status == 200 or last.redirect:
        is_redirect = redirects.target or seen.head.refresh is not None
        return Removed(url=url, fate="redirected" if is_redirect else "there")
    where = f"redirects to {quoted(last.url)}, which " if redirects.target else ""
    return Removed(url=url, fate="lost", why=f"{where}answers {last.status}")
