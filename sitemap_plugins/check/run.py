"""The checks, in order: files and URLs, URLs among others, pages, the site."""

from __future__ import annotations

import glob
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import chain, islice
from pathlib import Path

from sitemap_plugins.check import with_pages
from sitemap_plugins.check.context import Context, site_facts
from sitemap_plugins.check.urls import (
    AMONG_OTHERS,
    URL_CHECKS,
    is_llms_txt,
)
from sitemap_plugins.check.whole_files import FEEDS, FILE_CHECKS
from sitemap_plugins.core import urls
from sitemap_plugins.core.crawlers.robots_txt import Robots, read_robots
from sitemap_plugins.core.generate import no_garbage_collection
from sitemap_plugins.core.limits import MAX_URLS
from sitemap_plugins.core.messages import Notices, OptionsError, a_few, quoted
from sitemap_plugins.core.patterns import Patterns
from sitemap_plugins.core.publishing.read import file_at
from sitemap_plugins.core.values import did_you_mean
from sitemap_plugins.findings.records import (
    Collector,
    Finding,
    Findings,
    Result,
)
from sitemap_plugins.folder.options import Project, Track
from sitemap_plugins.folder.reading import FolderSite, read_folder
from sitemap_plugins.sitemaps.facts import Survey, survey
from sitemap_plugins.sitemaps.locations import FileLocation
from sitemap_plugins.sitemaps.parts import (
    ListedUrl,
    SitemapFile,
    find_sitemaps,
    listed_in,
)

Further = Callable[[Context, Collector], None]
"""What adds findings, once all files are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions:
    """What to look for."""

    now: datetime
    """Aware; later dates are in the future."""

    base_url: str = ""
    """Normalized; empty if the check must find it."""

    hosting: str = ""
    """One of `hosting.SERVICES`, or empty."""

    required: tuple[str, ...] = ()
    """Patterns, each of which must match a listed URL's path."""


def check_file(
    path: Path,
    name: str,
    options: CheckOptions,
    *,
    further: Further | None = None,
) -> Result:
    """Check a sitemap file and the parts that it lists, by themselves.

    `further` adds more findings, once all files are read.

    Raises:
        OptionsError: `path` is not a file.
    """
    if not path.is_file():
        cure = did_you_mean(str(path), map(str, path.parent.glob("*")))
        if name.startswith(("http:", "https:")):
            cure = "write https:// or http:// before the host"
        url = "a URL with https:// or http://"
        cure = cure or f"name a sitemap, the folder of a built site, or {url}"
        raise OptionsError(f"{quoted(name)} is not a file or folder", cure=cure)
    files = find_sitemaps(FileLocation(path, name))
    context = Context(submitted=files[0], base_url=options.base_url, now=options.now)
    return check_sitemaps(files, options, context, further=further)


@no_garbage_collection()
def check_folder(project: Project, options: CheckOptions, *, track: Track) -> Result:
    """Check the sitemap in a built folder, against the pages there.

    Raises:
        OptionsError: The built folder does not exist, or has no page or no sitemap.
    """
    project = _with_sitemap(project)
    path = project.site_dir / project.options.filename
    folder = read_folder(project, track=track, local=True)

    complete = partial(_with_pages, folder, project, options.hosting)
    files = _all_sitemaps(path, project, folder.base_url)
    context = Context(submitted=files[0], base_url=folder.base_url, now=options.now)
    result = check_sitemaps(files, options, context, complete=complete)
    return replace(result, folder=folder.name_in_repository)


def _with_sitemap(project: Project) -> Project:
    """Return a project whose option `filename` names a file of its folder.

    If no file has the usual name, robots.txt can name the sitemap.

    Raises:
        OptionsError: Neither names a file.
    """
    options = project.options
    path = project.site_dir / options.filename
    if path.is_file():
        return project
    robots, _ = _robots_of(project, "")
    if robots is not None and options.filename == "sitemap.xml":
        for url in robots.sitemaps:
            name = url.rpartition("/")[2]
            named = file_at(project.site_dir, url.removesuffix(name), url)
            if named is not None and named.is_file():
                return replace(project, options=replace(options, filename=name))
    raise _no_sitemap(path)


def _all_sitemaps(path: Path, project: Project, base_url: str) -> list[SitemapFile]:
    """Return the sitemap, and the site's others in robots.txt, such as of languages.

    Each file once: an index in robots.txt can list the submitted files too.
    """
    seen: set[Path] = set()
    files = find_sitemaps(FileLocation(path, project.options.filename), seen=seen)
    if not base_url:
        return files
    robots, _ = _robots_of(project, base_url)
    if robots is None:
        return files
    for url in robots.sitemaps:
        other = file_at(project.site_dir, base_url, url)
        if other is not None and other.is_file() and not is_llms_txt(url):
            name = other.relative_to(project.site_dir).as_posix()
            files += find_sitemaps(FileLocation(other, name), seen=seen)
    return files


def _robots_of(project: Project, base_url: str) -> tuple[Robots | None, Notices]:
    return read_robots(
        project.site_dir, base_url, on_read_the_docs=project.ci.read_the_docs
    )


def _with_pages(
    folder: FolderSite, project: Project, hosting: str, context: Context
) -> Context:
    """Return a context with what the pages of a built folder show.

    If no setting gives the site's address, the address is that of the listed URLs.
    """
    base_url = context.base_url
    if not base_url and context.survey.origin:
        base_url = f"{context.survey.origin}/"
    robots, about_robots = _robots_of(project, base_url)
    facts, about_pages = site_facts(
        project, folder, base_url, now=context.now, robots=robots, hosting=hosting
    )
    notices = (*about_robots, *about_pages)
    return replace(
        context, base_url=base_url, robots=robots, facts=facts, notices=notices
    )


def _no_sitemap(path: Path) -> OptionsError:
    """Return the error for a folder without a sitemap.

    It names subfolders that have one.
    """
    folder = path.parent
    problem = f"{str(folder)!r} has no {path.name}"
    found = folder.glob(f"*/{glob.escape(path.name)}")
    below = sorted(file.parent.name for file in found)
    if below:
        named = a_few([*map(quoted, below)])
        problem += f", but its folders {named} have one"
        return OptionsError(problem, cure="check these, or write an index (`merge`)")
    others = sorted(file.name for file in folder.glob("*sitemap*.xml"))
    option = "--filename"
    if others:
        option += f" {quoted(others[-1])}"
    return OptionsError(problem, cure=f"build it, or give {option}")


def check_sitemaps(
    files: Sequence[SitemapFile],
    options: CheckOptions,
    known: Context,
    *,
    further: Further | None = None,
    complete: Callable[[Context], Context] = lambda context: context,
) -> Result:
    """Check each URL alone, then what needs all of them.

    `known` is what is known before the files are read, and `complete` adds what the
    files show. `further` adds more findings, once all files are read. An interrupt ends
    the check with what was found so far.

    Raises:
        OptionsError: The files are feeds.
    """
    found = Collector()
    # Each URL takes out the patterns that it matches: those that are left are missed.
    missed = {text: Patterns.compile([text]) for text in options.required}
    look = partial(_look, options.now, missed, found)
    context = known
    try:
        surveyed = survey(files, base_url=known.base_url, look=look)
        _refuse_feeds(surveyed)
        context = complete(replace(known, survey=surveyed))
        _check_files(files, context, found)
        _check_site(context, missed, found)
        if further is not None:
            further(context, found)
        counted = _counted(context)
    except KeyboardInterrupt:
        counted = Result(is_interrupted=True)
    return found.result(counted, source_of=context.source_of)


def _look(
    now: datetime,
    missed: dict[str, Patterns],
    found: Collector,
    listed: ListedUrl,
    number: int,
) -> None:
    """Check one URL by itself, and remove the patterns that it matches from `missed`.

    `number` is the URL's number in its file; `too_large` reports those above the limit.
    """
    if number <= MAX_URLS:
        each_finds = (check(listed, now) for check in URL_CHECKS)
        _add(listed, chain.from_iterable(each_finds), found)
    if missed:
        _drop_matching(missed, listed.identity)


def _counted(context: Context) -> Result:
    """Return a result with the numbers of files, URLs and pages, and no findings."""
    surveyed = context.survey
    reasons = (page.reason for page in context.facts.pages.values())
    return Result(
        site=context.base_url or surveyed.origin,
        time=context.now,
        files=len(surveyed.files),
        urls=surveyed.urls,
        ages=surveyed.ages(context.now),
        left_out=Counter(filter(None, reasons)),
    )


def _check_files(
    files: Sequence[SitemapFile], context: Context, found: Collector
) -> None:
    """Check each file, and each URL among the others and against its page."""
    for facts in context.survey.files:
        for check in FILE_CHECKS:
            found.add(check(facts, context), file=facts.file.name)
    if _shows_more(context):
        for file in files:
            for listed in islice(listed_in([file]), MAX_URLS):
                for among_others in (*AMONG_OTHERS, with_pages.page_findings):
                    _add(listed, among_others(listed, context), found)


def _check_site(context: Context, missed: Iterable[str], found: Collector) -> None:
    """Check the site as a whole, and what it must list."""
    file = context.submitted.name
    for check in with_pages.SITE_CHECKS:
        found.add(check(context), file=file)
    found.add(_missed(missed), file=file)


def _drop_matching(patterns: dict[str, Patterns], url: str) -> None:
    """Remove the patterns that match the path of a URL on its host."""
    path = url.partition("://")[2].partition("/")[2]
    for text, pattern in list(patterns.items()):
        if pattern.match(path):
            del patterns[text]


def _add(listed: ListedUrl, findings: Iterable[Finding], found: Collector) -> None:
    """Add what is wrong with a listed URL, at its place in its file."""
    name = listed.file.name
    found.add(findings, url=listed.url, file=name, line=listed.element.line)


def _refuse_feeds(surveyed: Survey) -> None:
    roots = {facts.root.name if facts.root else "" for facts in surveyed.files}
    if roots <= FEEDS:
        name = quoted(surveyed.files[0].file.name)
        msg = f"{name} is a feed, which search engines accept but `check` does not read"
        raise OptionsError(msg, cure="name an XML sitemap")


def _missed(required: Iterable[str]) -> Findings:
    """Yield a finding for each pattern that no URL has matched."""
    for pattern in required:
        yield Finding("required", f"no listed URL matches {quoted(pattern)}")


def _shows_more(context: Context) -> bool:
    """Tell whether a second reading, as long as the first, can find anything.

    For a file alone it finds nothing if all URLs are on one public site, and none is
    listed twice or links to its versions.
    """
    surveyed = context.survey
    is_one_site = len(surveyed.origins) <= 1 and surveyed.below == surveyed.urls
    is_plain = surveyed.listed.are_plain and not urls.is_private(surveyed.origin)
    return context.facts.site_dir is not None or not is_one_site or not is_plain
