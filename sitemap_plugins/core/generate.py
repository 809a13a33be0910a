"""The pipeline, in order: pages → selection → dates → entries → parts → files → report."""

from __future__ import annotations

import gc
import os
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING

from sitemap_plugins.core import urls
from sitemap_plugins.core.address import known_address, names_a_host
from sitemap_plugins.core.address_clues import propose_address
from sitemap_plugins.core.ci import CI
from sitemap_plugins.core.codes import REASONS
from sitemap_plugins.core.crawler_rules import announced, read_crawler_rules
from sitemap_plugins.core.entry import Entry
from sitemap_plugins.core.errors import OptionsError, OutputError, PageError, RobotsError
from sitemap_plugins.core.files.existing import has_others_stylesheet
from sitemap_plugins.core.files.indexes import file_at, read_index
from sitemap_plugins.core.files.layout import File, is_submitted, plan_files
from sitemap_plugins.core.files.publish import publish, write_files
from sitemap_plugins.core.files.stylesheet import stylesheet, stylesheet_name
from sitemap_plugins.core.git.cache import GitCache
from sitemap_plugins.core.hosting import about_redirects
from sitemap_plugins.core.hreflang import link_groups
from sitemap_plugins.core.images import find_images
from sitemap_plugins.core.lastmod import resolve
from sitemap_plugins.core.messages import count_pages, describe_bug, quoted
from sitemap_plugins.core.notices import Notice, group_notices
from sitemap_plugins.core.other_files import file_page, find_files
from sitemap_plugins.core.removals import find_last_removal
from sitemap_plugins.core.report import Report
from sitemap_plugins.core.selection import select
from sitemap_plugins.core.sources import add_sources
from sitemap_plugins.core.surroundings import Surroundings, now

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from sitemap_plugins.core.codes import Reason
    from sitemap_plugins.core.crawler_rules import CrawlerRules
    from sitemap_plugins.core.dates import DateOrDatetime
    from sitemap_plugins.core.entry import Link
    from sitemap_plugins.core.options import Options
    from sitemap_plugins.core.page import CheckedPage, Page
    from sitemap_plugins.core.robots_txt import Robots
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
    built_dir: Path
    source_of: Callable[[str], Path | None]
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
    base_url = _base_url(site, options, ci, environ)
    if isinstance(base_url, Notice):
        return Report(notices=(base_url,), filename=options.filename)
    build = _Build(
        base_url=base_url,
        base_url_setting="base_url" if options.base_url else site.base_url_setting,
        directory_urls=site.directory_urls,
        default_language=options.default_language or site.default_language,
        output_dir=site.output_dir,
        built_dir=site.built_dir or site.output_dir,
        source_of=site.source_of,
        project_dir=site.project_dir,
        options=options,
        surroundings=Surroundings(
            now=now(),
            ci=ci,
            environ=environ,
            git_cache=git_cache or GitCache(),
            began=site.began,
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


def _base_url(site: Site, options: Options, ci: CI, environ: Mapping[str, str]) -> str | Notice:
    """Return the normalized base URL, or why no sitemap is written."""
    if ci.preview:
        return Notice("preview-build", f"this is {ci.preview}, so no sitemap is written")
    address = options.base_url or known_address(site.base_url, ci)
    setting = site.base_url_setting
    if not names_a_host(address):
        problem = (
            f"{setting} = {quoted(address)} names no host" if address else f"{setting} is not set"
        )
        proposal = propose_address(site, environ)
        example = f"perhaps {proposal}" if proposal else "such as 'https://www.example.com/'"
        cure = f"set it to the site's address, {example}"
        return Notice("no-base-url", f"{problem}, so no sitemap is written", cure=cure)
    try:
        return urls.normalize_base_url(str(address))
    except PageError as error:
        problem = f"no sitemap is written, because {setting} = {error.problem}"
        return Notice("bad-option", problem, error.cure)


def _failure(error: Exception) -> Notice:
    if isinstance(error, OutputError):
        return Notice.of(error, "write-failed")
    if isinstance(error, OptionsError):
        problem = f"no sitemap is written: {error.problem}"
        return Notice("bad-option", problem, error.cure, error.place)
    problem = f"no sitemap is written: {describe_bug(error)}"
    return Notice("internal-error", problem, cure="please report it")


def _write(pages: Iterable[Page], build: _Build) -> Report:
    rules, about_rules = read_crawler_rules(build.output_dir, build.base_url, build.surroundings.ci)
    others, about_others = _find_files(build)
    selection = select(
        _with_files(pages, others),
        base_url=build.base_url,
        options=build.options,
        robots=rules.robots,
        server_rules=rules.of_server,
        base_url_setting=build.base_url_setting,
        output_dir=build.built_dir,
    )
    entries, about_entries = _find_entries(selection, rules, build)
    files: tuple[Path, ...] = ()
    about_files: tuple[Notice, ...] = ()
    # Perhaps only a bug leaves all pages out: then the previous sitemap is better than none.
    if entries or "failed" not in selection.left_out:
        files, about_files = _publish(entries, selection, rules, build)
    dates_are_wanted = bool(build.options.lastmod)
    return Report(
        files=files,
        listed=len(entries),
        undated=sum(entry.lastmod is None for entry in entries) if dates_are_wanted else 0,
        left_out=selection.left_out,
        notices=group_notices(
            [*about_rules, *about_others, *selection.notices, *about_entries, *about_files]
        ),
        filename=build.options.filename,
    )


def _find_files(build: _Build) -> tuple[list[Page], tuple[Notice, ...]]:
    """Return what the option `files` lists, and a notice if some of its patterns match nothing."""
    patterns = build.options.files
    if not patterns:
        return [], ()
    names = find_files(build.built_dir, patterns, filename=build.options.filename)
    pages = [file_page(name, build.source_of) for name in names]
    unused = [repr(item) for item in patterns.unused([(page.path, "") for page in pages])]
    problem = f"{', '.join(unused)} matches no file besides HTML in the output folder"
    notice = Notice("unused-pattern", problem, cure="correct it", place="files")
    return pages, (notice,) if unused else ()


def _with_files(pages: Iterable[Page], files: Iterable[Page]) -> Iterator[Page]:
    """Yield the host's pages, then the files that are not among them."""
    others = {page.path: page for page in files}
    for page in pages:
        others.pop(page.path, None)
        yield page
    yield from others.values()


def _publish(
    entries: Sequence[Entry], selection: Selection, rules: CrawlerRules, build: _Build
) -> tuple[tuple[Path, ...], tuple[Notice, ...]]:
    """Write the sitemap and robots.txt; return the files that were written."""
    about_hosting = about_redirects(
        build.surroundings.ci.hosting,
        (entry.url for entry in entries),
        build.base_url,
        cure=build.directory_urls,
    )
    planned, about_style = _plan(entries, selection.listed, build)
    published = publish(planned, output_dir=build.output_dir, filename=build.options.filename)
    robots_txt, about_lines = _announce(published.files, selection.left_out, rules.robots, build)
    notices = (*about_hosting, *about_style, *published.notices, *about_lines)
    return (*published.files, *robots_txt), notices


def _find_entries(
    selection: Selection, rules: CrawlerRules, build: _Build
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
        images, about_images = find_images(
            selection.listed, base_url=build.base_url, robots=rules.robots
        )
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


def _plan(
    entries: Sequence[Entry], listed: Iterable[CheckedPage], build: _Build
) -> tuple[Iterable[File], tuple[Notice, ...]]:
    """Return the sitemap's files, after their style sheet if there may be one."""
    options, base_url = build.options, build.base_url
    plan = partial(
        plan_files,
        *(entries, base_url, options),
        find_last_removal=partial(find_last_removal, listed, options, build.surroundings),
    )
    name = stylesheet_name(options.filename)
    if not (entries and options.stylesheet):
        return plan(), ()
    if has_others_stylesheet(build.output_dir, options.filename):
        problem = (
            f"this plugin did not write {name}, so it is kept, and browsers show the sitemap"
            " without style"
        )
        cure = "rename the file, or set stylesheet to false"
        return plan(), (Notice("other-stylesheet", problem, cure),)
    style = File(name=name, chunks=[stylesheet(options.filename)])
    # Read the Docs also serves the default version's sitemap at the root of the host.
    folder = base_url.removeprefix(urls.host_root(base_url))
    href = f"/{folder}{name}" if build.surroundings.ci.read_the_docs else name
    return chain([style], plan(stylesheet=href)), ()


def _announce(
    written: Sequence[Path],
    left_out: Mapping[Reason, tuple[str, ...]],
    robots: Robots | None,
    build: _Build,
) -> tuple[tuple[Path, ...], tuple[Notice, ...]]:
    """Add the lines of the sitemap to robots.txt; return the file if it was written."""
    options = build.options
    submitted = [
        urls.join(build.base_url, file.name)
        for file in written
        if is_submitted(file.name, options.filename)
    ]
    if not submitted:
        return (), (_no_pages(left_out),)
    if robots is None:
        return (), ()
    indexed = _indexed(robots, build)
    lines = [url for url in submitted if urls.identity(url) not in indexed]
    announces = options.robots and bool(lines)
    notices = tuple(robots.notices(submitted, announced=announces))
    if not announces:
        return (), notices
    folder, ci = build.output_dir, build.surroundings.ci
    try:
        files = announced(folder, build.base_url, ci, lines)
        return write_files(files, output_dir=folder), notices
    except (OutputError, RobotsError) as error:
        return (), (*notices, Notice.of(error, "write-failed"))


def _indexed(robots: Robots, build: _Build) -> set[str]:
    """Return what the indexes list that robots.txt names, of another program: no line is needed."""
    found = (file_at(build.output_dir, build.base_url, url) for url in robots.sitemaps)
    listed = (url for file in found if file is not None for url in read_index(file))
    return set(map(urls.identity, listed)) if robots.counts else set()


def _no_pages(left_out: Mapping[Reason, tuple[str, ...]]) -> Notice:
    """Say why there is no sitemap; the reason of most pages is the one to look at."""
    if not left_out:
        return Notice("no-pages", "the site has no page, so no sitemap is written")
    # What the generator makes is left out of every site.
    others = {reason: names for reason, names in left_out.items() if reason != "generated"}
    reason, names = max((others or left_out).items(), key=lambda item: len(item[1]))
    problem = (
        f"every page is left out, so no sitemap is written: {count_pages(len(names))} because"
        f" {REASONS[reason]}; the verbose output names each page"
    )
    return Notice("no-pages", problem)
