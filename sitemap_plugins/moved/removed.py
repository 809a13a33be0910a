"""What became of removed URLs: they redirect, are still there, or are missing.

A built folder shows its pages, which of them redirect, and the rules in `_redirects`;
git knows where the missing ones went (`moved.places`). A server is asked what it
answers at the URL. A text that is not a URL, such as `None`, never had a page and is
skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from sitemap_plugins.cli.console import Output
from sitemap_plugins.core import urls
from sitemap_plugins.core.crawlers.hosting import read_server_rules
from sitemap_plugins.core.messages import GitError, OptionsError, quoted
from sitemap_plugins.folder.arguments import site_project
from sitemap_plugins.folder.options import Project, Track
from sitemap_plugins.folder.reading import FolderSite, read_folder
from sitemap_plugins.moved.arguments import places_of
from sitemap_plugins.moved.lines import FORMS, line_of, usual_form
from sitemap_plugins.moved.places import Places
from sitemap_plugins.sitemaps.locations import FileLocation, Location
from sitemap_plugins.sitemaps.removed import Removed
from sitemap_plugins.sitemaps.web import Web


def find_removed(
    removed: Sequence[str], locations: Sequence[Location], _web: Web, output: Output
) -> list[Removed] | None:
    """Look for removed URLs in the folder of the last sitemap, for `diff`.

    The result is None if the last sitemap is not a file.
    """
    if not isinstance(locations[-1], FileLocation):
        return None
    project = site_project(Path(locations[-1].name).parent.absolute())
    folder = read_published(project, track=output.track)
    found = [*look_in_folder(removed, folder, project)]
    if any(each.fate == "missing" for each in found):
        # Without git, nothing is known of the new places of missing pages.
        with suppress(GitError):
            places = places_of(folder, project, output.message)
            found = with_places(found, places)
            lost = [each for each in found if each.fate == "missing"]
            if places.gap and any(each.moved is None for each in lost):
                output.message(places.gap)
    return found


def read_published(project: Project, *, track: Track) -> FolderSite:
    """Read a built folder whose address is known.

    Raises:
        OptionsError: The folder does not exist or has no page, or the site's address is
            not known.
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
    for url in filter(urls.requestable, removed):
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


def with_places(found: Sequence[Removed], places: Places) -> list[Removed]:
    """Return `found` with the new place of each missing page that git knows."""
    folder = places.folder
    form = usual_form(folder)
    missing = [each for each in found if each.fate == "missing"]
    paths = (_path_below(each.url, folder) for each in missing)
    moved_from = places.find(paths)
    completed = []
    for each in found:
        moved = moved_from.get(_path_below(each.url, folder))
        if moved is None:
            completed.append(each)
            continue
        line = line_of(moved, form)
        cure = f"add {line} to {FORMS[form]}" if line else "redirect it there"
        why = f"{each.why}; it moved to {moved.new_url}: {cure}"
        completed.append(replace(each, moved=moved, why=why))
    return completed


def _path_below(url: str, folder: FolderSite) -> str:
    """Return the path of a URL below a folder's address, without its query."""
    base = _without_scheme(folder.base_url)
    return _without_scheme(url).removeprefix(base).partition("?")[0]


def _without_scheme(url: str) -> str:
    """Return what identifies a URL by http and by https: one redirects to the other."""
    return urls.identity(url).partition("://")[2]
