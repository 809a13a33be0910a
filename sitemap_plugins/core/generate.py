"""The pipeline, in order: pages → selection → dates → entries → parts → files → report.

The dates that a host shows on its pages are found before it writes them, as the
sitemap's are.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from sitemap_plugins.core import messages, urls
from sitemap_plugins.core.choice.hreflang import about_missing_default, link_groups
from sitemap_plugins.core.choice.images import find_images
from sitemap_plugins.core.choice.other_files import add_pages, find_files
from sitemap_plugins.core.choice.select import Selection, judge_alone, select
from sitemap_plugins.core.crawlers.hosting import read_server_rules
from sitemap_plugins.core.crawlers.robots_txt import Robots, read_robots
from sitemap_plugins.core.date_values import DateOrDatetime
from sitemap_plugins.core.dates.lastmod import (
    Dates,
    add_sources,
    add_subjects,
    explain_each,
    resolve,
)
from sitemap_plugins.core.environment import (
    CI,
    Environment,
    about_address,
    find_base_url,
)
from sitemap_plugins.core.git.cache import GitCache
from sitemap_plugins.core.kept_record import keep_record
from sitemap_plugins.core.messages import (
    Environ,
    Notice,
    Notices,
    OptionsError,
    OutputError,
)
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.page_record import record_chunks
from sitemap_plugins.core.publishing.plan import (
    File,
    is_submitted,
    plan_files,
)
from sitemap_plugins.core.publishing.publish import (
    about_other_record,
    announce,
    find_stylesheet,
    publish,
)
from sitemap_plugins.core.records import (
    CheckedPage,
    Entry,
    Page,
    Site,
)
from sitemap_plugins.core.report import Report
from sitemap_plugins.core.untrusted_files import checksum


class _Build(NamedTuple):
    """Everything that the pipeline needs besides the pages, checked."""

    site: Site
    options: Options
    base_url: str
    environment: Environment


def generate(
    pages: Iterable[Page],
    *,
    site: Site,
    options: Options,
    environ: Environ = os.environ,
    git_cache: GitCache | None = None,
) -> Report:
    """Write a site's sitemap into its output folder, and its line into robots.txt.

    Never raises; on failure the site and its previous sitemap stay untouched.

    Args:
        pages: Every page that the host wrote, in the order of writing, also those to
            leave out. May be lazy: an error while they are made is reported like any
            other.
        site: The site as its host describes it.
        options: The user's options; `base_url` and `default_language` replace the
            host's.
        environ: Environment variables, which describe the service that builds the site.
        git_cache: Git's answers so far, for rebuilds in one process; new ones are
            added.
    """
    ci = CI.from_environ(environ)
    base_url = find_base_url(site, options, ci, environ)
    if isinstance(base_url, Notice):
        return Report(notices=(base_url,), filename=options.filename)
    environment = Environment.of(
        environ, options, git_cache or GitCache(), began=site.began
    )
    build = _Build(
        site=site, options=options, base_url=base_url, environment=environment
    )
    try:
        with no_garbage_collection():
            report = _write(pages, build)
        about = about_address(base_url, site, environ)
        report = replace(report, notices=(*about, *report.notices))
    except Exception as error:  # noqa: BLE001 a failure here must not stop the site's build
        return Report(notices=(_about_failure(error),), filename=options.filename)
    # The sitemap is written, whatever prevents its record.
    return replace(report, standing=(*report.standing, *_keep_record(report, build)))


def _about_failure(error: Exception) -> Notice:
    if isinstance(error, OutputError):
        return Notice.of(error, "write-failed")
    if isinstance(error, OptionsError):
        problem = f"no sitemap is written: {error.problem}"
        return Notice("bad-option", problem, error.cure, error.place)
    problem = f"no sitemap is written: {messages.describe_bug(error)}"
    return Notice("failed", problem, cure="report it to the authors of sitemap-plugins")


def find_page_dates(
    pages: Iterable[Page],
    *,
    project_dir: Path,
    began: datetime,
    options: Options,
    git_cache: GitCache,
) -> Mapping[str, DateOrDatetime]:
    """Return by `Page.path` when each page's content last changed, if that is known.

    A page that the sitemap will list has the date that the sitemap will list. Other
    pages have dates too, and so have pages of a site without an address. Git's answers
    are kept in `git_cache`, so that `generate` does not ask again.

    Never raises: what fails here fails in `generate` too, which reports it.
    `project_dir` and `began` are as in `Site`.
    """
    environment = Environment.of(os.environ, options, git_cache, began=began)
    try:
        # Lists have no date here: only the HTML, which is not written yet, says which
        # pages a list shows. The base URL does not matter to dates.
        alone = (page for page in pages if not page.lists)
        unwritten = (replace(page, output_file=None) for page in alone)
        judged = judge_alone(unwritten, "https://localhost/", options)
        complete, _ = add_sources(judged.pages, options, project_dir)
        return resolve(complete, options=options, environment=environment).by_path
    except Exception:  # noqa: BLE001 a failure here must not stop the site's build
        return {}


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Switch off the garbage collector, which would scan all records and free none."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class _Selected(NamedTuple):
    """The pages to list, and what was read to select them."""

    selection: Selection

    robots: Robots | None

    other_files: tuple[str, ...]
    """Names of the files that the option `files` lists."""

    notices: Sequence[Notice]


def _write(pages: Iterable[Page], build: _Build) -> Report:
    """Run the pipeline, and report what was written."""
    found = _select(pages, build)
    selection = found.selection
    entries, dates, about_entries = _find_entries(found, build)
    notices = [*found.notices, *about_entries]

    files: tuple[Path, ...] = ()
    # If no page is left and a bug left some out, the previous sitemap, which is better
    # than none, stays.
    has_failed = any(each.reason == "failed" for each in selection.pages_left_out)
    if entries or not has_failed:
        files, about_files = _publish(entries, found, dates, build)
        notices += about_files

    undated = 0
    if build.options.lastmod:
        undated = sum(entry.lastmod is None for entry in entries)
    every = messages.group_notices(notices)
    said = [notice for notice in every if notice.code not in messages.STANDING]
    standing = [notice for notice in every if notice.code in messages.STANDING]
    written = {file: checksum(file) for file in files if file.name != "robots.txt"}
    return Report(
        files=files,
        listed=len(entries),
        undated=undated,
        pages_left_out=selection.pages_left_out,
        notices=tuple(said),
        standing=tuple(standing),
        filename=build.options.filename,
        is_annotated=build.environment.ci.is_annotated,
        written=written,
        listed_pages=selection.listed,
        dates=dates,
        site_files=selection.site.files,
        options=build.options,
        other_files=found.other_files,
    )


def _select(pages: Iterable[Page], build: _Build) -> _Selected:
    """Decide which pages to list, by what is in the output folder too."""
    site = build.site
    options = build.options
    base_url = build.base_url
    ci = build.environment.ci
    robots, about_robots = read_robots(
        site.output_dir, base_url, on_read_the_docs=ci.read_the_docs
    )
    server_rules, about_server = read_server_rules(
        site.pages_dir, base_url, service=ci.hosting
    )
    other_files = find_files(site.pages_dir, options)
    pages, about_others = add_pages(
        pages, other_files, site=site, options=options, base_url=base_url
    )
    selection = select(
        pages,
        base_url=base_url,
        options=options,
        robots=robots,
        server_rules=server_rules,
        base_url_setting="base_url" if options.base_url else site.base_url_setting,
        output_dir=site.pages_dir,
        directory_urls=site.directory_urls,
    )
    return _Selected(
        selection=selection,
        robots=robots,
        other_files=other_files,
        notices=[*about_robots, *about_server, *about_others, *selection.notices],
    )


def _find_entries(
    found: _Selected, build: _Build
) -> tuple[list[Entry], Dates, Notices]:
    """Return each listed page's entry, ascending by URL, the dates, and notices."""
    selection = found.selection
    options = build.options
    # A page that is left out still dates the listed page, such as an archive, on which
    # readers see its content.
    members = [*selection.unlisted_members, *selection.listed]
    pages, about_sources = add_sources(members, options, build.site.project_dir)
    dates = resolve(pages, options=options, environment=build.environment)
    links, about_links = link_groups(
        selection.listed,
        base_url=build.base_url,
        default_language=options.default_language or build.site.default_language,
    )
    about_default = about_missing_default(links, options.default_language)
    images, about_images = _images(found, build)

    entries = []
    for page in selection.listed:
        entry = Entry(
            url=page.url,
            lastmod=dates.evidence[page.path].date,
            changefreq=_changefreq(page, options),
            priority=_priority(page, options),
            links=links.get(page.path, ()),
            images=images.get(page.url, ()),
        )
        entries.append(entry)
    entries.sort(key=attrgetter("url"))
    notices = [*about_sources, *about_links, *about_default, *about_images]
    return entries, dates, (*notices, *dates.notices)


def _images(
    found: _Selected, build: _Build
) -> tuple[Mapping[str, tuple[str, ...]], Notices]:
    """Return the images to list, by the URLs of their pages."""
    if not build.options.images:
        return {}, ()
    if not build.options.inspect_html:
        problem = "images = true lists none, because inspect_html = false"
        cure = "set inspect_html to true, or remove images"
        return {}, (Notice("unused-pattern", problem, cure),)
    listed = found.selection.listed
    return find_images(listed, base_url=build.base_url, robots=found.robots)


def _changefreq(page: CheckedPage, options: Options) -> str | None:
    return page.changefreq or options.changefreq.first(page.path, page.label)


def _priority(page: CheckedPage, options: Options) -> float | None:
    if page.priority is not None:
        return page.priority
    return options.priority.first(page.path, page.label)


def _publish(
    entries: Sequence[Entry], found: _Selected, dates: Dates, build: _Build
) -> tuple[tuple[Path, ...], Notices]:
    """Write the sitemap, its style sheet, its record and robots.txt.

    Return the files of the sitemap and, if it was written, robots.txt.
    """
    site = build.site
    options = build.options
    selection = found.selection
    style, about_style = _stylesheet(entries, build)
    planned = plan_files(
        entries, build.base_url, options, stylesheet=_href(style, build)
    )
    record, about_record = _plan_record(selection, dates, build)
    written, about_old = publish(
        chain(filter(None, [style]), planned, record),
        output_dir=site.output_dir,
        filename=options.filename,
    )
    robots_txt, about_robots = _announce(written, found, build)
    notices = (*about_style, *about_record, *about_old, *about_robots)
    return (*written, *robots_txt), notices


def _stylesheet(entries: Sequence[Entry], build: _Build) -> tuple[File | None, Notices]:
    """Return the style sheet to write, if it is wanted and the sitemap has entries."""
    if not (entries and build.options.stylesheet):
        return None, ()
    return find_stylesheet(build.site.output_dir, build.options.filename)


def _announce(
    written: Iterable[Path], found: _Selected, build: _Build
) -> tuple[tuple[Path, ...], Notices]:
    """Name the sitemap in robots.txt; return that file if it was written."""
    options = build.options
    names = [file.name for file in written if is_submitted(file.name, options.filename)]
    submitted = [urls.join(build.base_url, name) for name in names]
    if not submitted:
        return (), (found.selection.about_nothing(),)
    if found.robots is None:
        return (), ()
    return announce(
        submitted,
        found.robots,
        output_dir=build.site.output_dir,
        is_wanted=options.robots,
    )


def _href(style: File | None, build: _Build) -> str:
    """Return the style sheet's URL, as the sitemap names it; empty for none."""
    if style is None:
        return ""
    if not build.environment.ci.read_the_docs:
        return style.name
    # Read the Docs also serves the default version's sitemap at the root of the host.
    folder = build.base_url.removeprefix(urls.host_root(build.base_url))
    return f"/{folder}{style.name}"


def _keep_record(report: Report, build: _Build) -> Iterator[Notice]:
    """Keep what was decided of each page; yield a notice if this cannot be done.

    A dry run, which writes into another folder, is not kept, nor is an empty sitemap.
    """
    site = build.site
    is_dry = site.pages_dir != site.output_dir
    if is_dry or report.dates is None or not report.listed:
        return
    sitemap = site.output_dir / build.options.filename
    try:
        with no_garbage_collection():
            keep_record(report, sitemap, base_url=build.base_url)
    except Exception as error:  # noqa: BLE001 as in `generate`
        problem = f"`explain` will not know of this build ({error})"
        cure = "see that your cache folder is your own, and has free space"
        yield Notice("record-not-kept", problem, cure)


def _plan_record(
    selection: Selection, dates: Dates, build: _Build
) -> tuple[list[File], list[Notice]]:
    """Return the record to write, if it is wanted and has no other file's name."""
    site = build.site
    options = build.options
    if not options.record:
        return [], []
    problems = [*about_other_record(site.output_dir, options.record, options.filename)]
    if problems:
        return [], problems
    known = explain_each(selection.listed, dates)
    reasons = add_subjects(known.values(), dates.files.repositories)
    chunks = record_chunks(
        zip(selection.listed, reasons, strict=True),
        selection.pages_left_out,
        filename=options.filename,
        project_dir=site.project_dir,
    )
    return [File(name=options.record, chunks=chunks)], []
