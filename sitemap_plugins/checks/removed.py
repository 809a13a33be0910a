"""What became of removed URLs: they redirect, are still there, or are missing.

A built folder shows its pages, which of them redirect, and the rules in `_redirects`;
git knows where the missing ones went (`folder.moved`). A server is asked. A text that
is not a URL, such as `None`, never had a page and is skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from sitemap_plugins.checks import answers
from sitemap_plugins.checks.server import Server, is_near, requestable
from sitemap_plugins.core import urls
from sitemap_plugins.core.crawlers.hosting import read_server_rules
from sitemap_plugins.core.messages import OptionsError, quoted
from sitemap_plugins.folder.moved import GRADES, Moved, Places
from sitemap_plugins.folder.options import Project, Track
from sitemap_plugins.folder.reading import FolderSite, read_folder
from sitemap_plugins.folder.redirects import FORMS, line_of, usual_form
from sitemap_plugins.web import Web

Fate = Literal["redirected", "there", "missing"]

AT_ONCE = 4
"""Requests at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """What became of one URL."""

    url: str
    fate: Fate
    why: str = ""
    """What is wrong, in words that follow the URL; only if it is missing."""

    moved: Moved | None = None
    """Where its page is now, as git knows it; only if it is missing."""


def read_published(project: Project, *, track: Track) -> FolderSite:
    """Read a built folder whose address is known.

    Raises:
        OptionsError: There is no such folder, no page in it, or its address is not
            known.
    """
    folder = read_folder(project, track=track, local=True)
    if not folder.base_url:
        cure = "set it in the generator's settings, or name the URL of a deployed site"
        raise OptionsError("the site's address is not known", cure=cure)
    return folder


def look_in_folder(
    removed: Iterable[str], folder: FolderSite, project: Project
) -> Iterator[Removed]:
    """Yield what a built folder shows about each URL.

    A line of `_redirects` counts if it may redirect the URL; its target is not looked
    for.
    """
    base = _without_scheme(folder.base_url)
    rules, _ = read_server_rules(
        project.site_dir, folder.base_url, service=project.ci.hosting
    )
    stubs = {folder.files[page.name] for page in folder.built if page.marks.is_stub}
    for url in filter(requestable, removed):
        path = _path_below(url, folder)
        is_stub = folder.site_files.page_at(path) in stubs
        if not _without_scheme(url).startswith(base):
            below = f"is not below {quoted(folder.base_url)}"
            why = f"{below}, and the folder shows no other address"
            yield Removed(url=url, fate="missing", why=why)
        elif is_stub or rules.may_redirect(folder.base_url + path):
            yield Removed(url=url, fate="redirected")
        elif folder.site_files.at(path):
            yield Removed(url=url, fate="there")
        else:
            yield Removed(url=url, fate="missing", why="has no file and no redirect")


def with_places(
    found: Sequence[Removed], places: Places, *, same_name: bool = False
) -> list[Removed]:
    """Return the same with the new place of each missing page for which git knows one.

    Raises:
        GitError: Git failed or took too long.
    """
    folder = places.folder
    form = usual_form(folder)
    missing = [each for each in found if each.fate == "missing"]
    paths = (_path_below(each.url, folder) for each in missing)
    moved_from = places.find(paths, same_name=same_name)
    completed = []
    for each in found:
        moved = moved_from.get(_path_below(each.url, folder))
        if moved is None:
            completed.append(each)
            continue
        line = line_of(moved, form)
        cure = f"add {line} to {FORMS[form]}" if line else "redirect it there"
        why = f"{each.why}; it {GRADES[moved.grade]} {moved.new_url}: {cure}"
        completed.append(replace(each, moved=moved, why=why))
    return completed


def ask_servers(
    removed: Iterable[str], web: Web, named: Sequence[str]
) -> Iterator[Removed]:
    """Yield what the server of each URL answers; redirects are followed within a host.

    Only hosts near one of the URLs that the user `named` are asked: a sitemap could
    list any.
    """
    valid = filter(requestable, removed)
    for root, some in groupby(valid, lambda url: urls.host_root(requestable(url))):
        if not any(is_near(root, other) for other in named):
            why = "is on another host, which gets no request"
            yield from (Removed(url=url, fate="missing", why=why) for url in some)
            continue
        server = Server(web=web, host_root=root, at=root)
        for seen in answers.request_all(
            some, server, may_ask=lambda _: True, concurrency=AT_ONCE
        ):
            yield _judged(seen)


def _path_below(url: str, folder: FolderSite) -> str:
    """Return the path of a URL below a folder's address, without its query."""
    base = _without_scheme(folder.base_url)
    return _without_scheme(url).removeprefix(base).partition("?")[0]


def _without_scheme(url: str) -> str:
    """Return what identifies a URL by http and by https: one redirects to the other."""
    return urls.identity(url).partition("://")[2]


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
    if last.redirect and not requestable(last.redirect):
        return f"redirects to {quoted(last.redirect)}, which is not the URL of a page"
    if last.status == 200 or last.redirect:
        return ""
    where = f"redirects to {quoted(last.url)}, which " if redirects.target else ""
    return f"{where}answers {last.status}"
