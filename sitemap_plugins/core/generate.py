"""The pipeline, in order: pages → selection → dates → entries → parts → files → report."""

from __future__ import annotations

import gc
import os
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING

from sitemap_plugins.core import urls
from sitemap_plugins.core.ci import CI
from sitemap_plugins.core.entry import Entry
from sitemap_plugins.core.errors import OptionsError, OutputError, PageError, RobotsError
from sitemap_plugins.core.files.existing import has_others_stylesheet, read_existing
from sitemap_plugins.core.files.layout import File, is_submitted, plan_files
from sitemap_plugins.core.files.publish import publish, write_files
from sitemap_plugins.core.files.stylesheet import stylesheet, stylesheet_name
from sitemap_plugins.core.git.cache import GitCache
from sitemap_plugins.core.hosting import about_redirects
from sitemap_plugins.core.hreflang import link_groups
from sitemap_plugins.core.images import find_images
from sitemap_plugins.core.lastmod import resolve
from sitemap_plugins.core.messages import describe_bug, quoted
from sitemap_plugins.core.notices import Notice, group_notices
from sitemap_plugins.core.report import Report
from sitemap_plugins.core.robots_txt import Robots
from sitemap_plugins.core.selection import select
from sitemap_plugins.core.server_rules import read_server_rules
from sitemap_plugins.core.sources import add_sources
from sitemap_plugins.core.surroundings import Surroundings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from sitemap_plugins.core.dates import DateOrDatetime
    from sitemap_plugins.core.entry import Link
    from sitemap_plugins.core.options import Options
    from sitemap_plugins.core.page import CheckedPage, Page
    from sitemap_plugins.core.selection import Selection
    from sitemap_plugins.core.site import Site

__all__ = ["generate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Build:
    """Everything that the pipeline needs besides the pages, checked."""

    base_url: str
    base_url_setting: str
    directory_urls: str
    default_language: str
    output_dir: Path
    project_dir: Path | None
    options: Options
    surroundings: Surroundings


def generate(
    pages: Iterable[Page],
    *,
    site: Site,
    options: Options,
    environ: Mapping[str, str] = os.environ,
    git_cache: GitCache | None = None,
) -> Report:
    """Write the sitemap of one site into its output folder, and its line into robots.txt.

    Never raises; on failure the site and its previous sitemap stay untouched.

    Args:
        pages: Every page that the host wrote, in the order of writing, also those to leave out.
            May be lazy: an error while they are made is reported like any other.
        site: The site as its host describes it.
        options: The user's options; `base_url` and `default_language` replace the host's.
        environ: Environment variables, which describe the service that builds the site.
        git_cache: Git's answers so far, for rebuilds in one process; new ones are added.
    """
    ci = CI.from_environ(environ)
    base_url = _base_url(site, options, ci)
    if isinstance(base_url, Notice):
        return Report(notices=(base_url,), filename=options.filename)
    build = _Build(
        base_url=base_url,
        base_url_setting="base_url" if options.base_url else site.base_url_setting,
        directory_urls=site.directory_urls,
        default_language=options.default_language or site.default_language,
        output_dir=site.output_dir,
        project_dir=site.project_dir,
        options=options,
        surroundings=Surroundings(
            now=datetime.now(UTC), ci=ci, environ=environ, git_cache=git_cache or GitCache()
        ),
    )
    try:
        with _no_garbage_collection():
            return _write(pages, build)
    except Exception as error:  # noqa: BLE001 a failure here must not stop the site's build
        return Report(notices=(_failure(error),), filename=options.filename)


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Switch off the garbage collector, which would scan all records repeatedly and free none."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _base_url(site: Site, options: Options, ci: CI) -> str | Notice:
    """Return the normalized base URL, or why no sitemap is written."""
    if ci.preview:
        text = f"this is {ci.preview}, so no sitemap is written"
        return Notice(code="preview-build", text=text)
    address = options.base_url or site.base_url or ci.canonical_url
    setting = site.base_url_setting
    if not _names_a_host(address):
        problem = (
            f"{setting} = {quoted(address)} names no host" if address else f"{setting} is not set"
        )
        cure = "set it to the site's address, such as 'https://www.example.com/'"
        text = f"{problem}, so no sitemap is written: {cure}"
        return Notice(code="no-base-url", text=text)
    try:
        return urls.normalize_base_url(str(address))
    except PageError as error:
        text = f"no sitemap is written, because {setting} = {error}"
        return Notice(code="bad-option", text=text)


def _names_a_host(address: object) -> bool:
    """Tell whether an address is not empty and not a path, as in settings for local builds.

    >>> [_names_a_host(address) for address in ("", "/docs/", "//example.com", "example.com")]
    [False, False, True, True]
    """
    is_path = isinstance(address, str) and address.startswith(("/", ".")) and address[:2] != "//"
    return bool(address) and not is_path


def _failure(error: Exception) -> Notice:
    if isinstance(error, OutputError):
        return Notice(code="write-failed", text=str(error))
    if isinstance(error, OptionsError):
        return Notice(code="bad-option", text=f"no sitemap is written: {error}")
    text = f"no sitemap is written: {describe_bug(error)}: please report it"
    return Notice(code="internal-error", text=text)


def _write(pages: Iterable[Page], build: _Build) -> Report:
    ci = build.surroundings.ci
    robots, about_robots = _read_robots(build.output_dir, build.base_url, ci)
    server_rules, about_rules = read_server_rules(
        build.output_dir, build.base_url, ignores_files=ci.hosting == "cloudflare"
    )
    selection = select(
        pages,
        base_url=build.base_url,
        options=build.options,
        robots=robots,
        server_rules=server_rules,
        base_url_setting=build.base_url_setting,
    )
    files: tuple[Path, ...] = ()
    about_files: tuple[Notice, ...] = ()
    # Perhaps only a bug leaves all pages out: then the previous sitemap is better than none.
    if selection.listed or "failed" not in selection.left_out:
        files, about_files = _publish(selection, robots, build)
    return Report(
        files=files,
        listed=len(selection.listed),
        left_out=selection.left_out,
        notices=group_notices([*about_robots, *about_rules, *selection.notices, *about_files]),
        filename=build.options.filename,
    )


def _publish(
    selection: Selection, robots: Robots | None, build: _Build
) -> tuple[tuple[Path, ...], tuple[Notice, ...]]:
    """Write the sitemap of the listed pages, and robots.txt; return the files written."""
    entries, about_entries = _find_entries(selection, robots, build)
    planned, about_style = _plan(entries, build)
    published = publish(planned, output_dir=build.output_dir, filename=build.options.filename)
    announced, about_lines = _announce(published.files, robots, build)
    about_hosting = about_redirects(
        build.surroundings.ci.hosting,
        (entry.url for entry in entries),
        build.base_url,
        cure=build.directory_urls,
    )
    notices = (*about_entries, *about_hosting, *about_style, *published.notices, *about_lines)
    return (*published.files, *announced), notices


def _read_robots(
    output_dir: Path, base_url: str, ci: CI
) -> tuple[Robots | None, tuple[Notice, ...]]:
    try:
        text = read_existing(output_dir / "robots.txt")
        robots = Robots(text, base_url=base_url, on_read_the_docs=ci.read_the_docs)
    except (OutputError, RobotsError) as error:
        return None, (Notice(code="bad-robots", text=str(error)),)
    return robots, ()


def _find_entries(
    selection: Selection, robots: Robots | None, build: _Build
) -> tuple[list[Entry], tuple[Notice, ...]]:
    """Return the entries of the listed pages, with their dates, links and images, and notices."""
    pages, about_sources = add_sources(
        [*selection.unlisted_members, *selection.listed], build.options, build.project_dir
    )
    dates = resolve(pages, options=build.options, surroundings=build.surroundings)
    links, about_links = link_groups(
        selection.listed, base_url=build.base_url, default_language=build.default_language
    )
    entries = _entries(selection.listed, dates.by_path, links, build.options)
    about_images: tuple[Notice, ...] = ()
    if build.options.images and build.options.inspect_html:
        images, about_images = find_images(selection.listed, base_url=build.base_url, robots=robots)
        entries = [entry._replace(images=images.get(entry.url, ())) for entry in entries]
    return entries, (*about_sources, *about_links, *about_images, *dates.notices)


def _entries(
    listed: Iterable[CheckedPage],
    dates: Mapping[str, DateOrDatetime],
    links: Mapping[str, tuple[Link, ...]],
    options: Options,
) -> list[Entry]:
    """Return an entry for each listed page, ascending by URL; `dates` and `links` are by path."""
    date_of, links_of = dates.get, links.get
    if options.changefreq.items or options.priority.items:
        listed = [_with_hints(page, options) for page in listed]
    # By position: a million of them are made in half the time.
    entries = [
        Entry(page.url, date_of(page.path), page.changefreq, page.priority, links_of(page.path, ()))
        for page in listed
    ]
    entries.sort(key=itemgetter(0))  # By URL.
    return entries


def _with_hints(page: CheckedPage, options: Options) -> CheckedPage:
    """Return a page with the options' values where neither its host nor its author gave one."""
    changefreq, priority = page.changefreq, page.priority
    if changefreq is None:
        changefreq = options.changefreq.first(page.path, page.label)
    if priority is None:
        priority = options.priority.first(page.path, page.label)
    return page._replace(changefreq=changefreq, priority=priority)


def _plan(entries: Sequence[Entry], build: _Build) -> tuple[Iterable[File], tuple[Notice, ...]]:
    """Return the sitemap's files, after their style sheet if there may be one."""
    options, base_url = build.options, build.base_url
    name = stylesheet_name(options.filename)
    if not (entries and options.stylesheet):
        return plan_files(entries, base_url, options), ()
    if has_others_stylesheet(build.output_dir, options.filename):
        text = (
            f"this plugin did not write {name}, so it is kept, and browsers show the sitemap"
            " without style: rename the file, or set stylesheet to false"
        )
        notice = Notice(code="other-stylesheet", text=text)
        return plan_files(entries, base_url, options), (notice,)
    style = File(name=name, chunks=[stylesheet(options.filename)])
    # Read the Docs also serves the default version's sitemap at the root of the host.
    folder = base_url.removeprefix(urls.host_root(base_url))
    href = f"/{folder}{name}" if build.surroundings.ci.read_the_docs else name
    return chain([style], plan_files(entries, base_url, options, stylesheet=href)), ()


def _announce(
    written: Sequence[Path], robots: Robots | None, build: _Build
) -> tuple[tuple[Path, ...], tuple[Notice, ...]]:
    """Add the lines of the sitemap to robots.txt; return the file if it was written."""
    options = build.options
    submitted = [
        urls.join(build.base_url, file.name)
        for file in written
        if is_submitted(file.name, options.filename)
    ]
    if not submitted:
        text = "no page may be listed, so no sitemap is written: see why each page is left out"
        return (), (Notice(code="no-pages", text=text),)
    if robots is None:
        return (), ()
    notices = tuple(robots.notices(submitted, announced=options.robots))
    text_with_lines = robots.with_sitemap_lines(submitted) if options.robots else None
    if text_with_lines is None:
        return (), notices
    file = File(name="robots.txt", chunks=[text_with_lines])
    try:
        return write_files([file], output_dir=build.output_dir), notices
    except OutputError as error:
        return (), (*notices, Notice(code="write-failed", text=str(error)))
