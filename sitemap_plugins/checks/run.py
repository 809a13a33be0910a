"""The checks, in order: files and URLs, URLs among others, pages, the site."""

from __future__ import annotations

import glob
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from sitemap_plugins.checks import pages
from sitemap_plugins.checks.context import Context, site_facts
from sitemap_plugins.checks.files import FEEDS, FILE_CHECKS
from sitemap_plugins.checks.findings import Collector, Finding, Result
from sitemap_plugins.checks.translations import BEHIND, translation_behind
from sitemap_plugins.checks.urls import (
    AMONG_OTHERS,
    URL_CHECKS,
    is_llms_txt,
    is_ordinary,
)
from sitemap_plugins.core import urls
from sitemap_plugins.core.crawlers.robots_txt import Robots, read_robots
from sitemap_plugins.core.files.read import file_at
from sitemap_plugins.core.generate import no_garbage_collection
from sitemap_plugins.core.messages import OptionsError, a_few, quoted
from sitemap_plugins.core.patterns import Patterns
from sitemap_plugins.core.values import did_you_mean
from sitemap_plugins.folder.options import Project, Track
from sitemap_plugins.folder.reading import read_folder
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

    links: bool = False
    """Whether links within the site are followed."""

    hosting: str = ""
    """One of `hosting.SERVICES`, or empty."""

    required: tuple[str, ...] = ()
    """Patterns, each of which must match a listed URL's path."""

    behind: int = BEHIND
    """Days by which a translation may be older than its original."""


def check_file(
    path: Path,
    name: str,
    options: CheckOptions,
    *,
    further: Further = lambda _context, _found: None,
) -> Result:
    """Check a sitemap file and the parts that it lists, by themselves.

    `further` adds more findings, once all files are read.

    Raises:
        OptionsError: There is no such file.
    """
    if not path.is_file():
        near = did_you_mean(str(path), [*map(str, path.parent.glob("*"))])
        url = "a URL with https:// or http://"
        cure = near or f"name a sitemap, the folder of a built site, or {url}"
        raise OptionsError(f"{quoted(name)} is not a file or folder", cure=cure)
    files = find_sitemaps(FileLocation(path, name))
    context = Context(submitted=files[0], base_url=options.base_url, now=options.now)
    return check_sitemaps(files, options, context, further)


@no_garbage_collection()
def check_folder(project: Project, options: CheckOptions, *, track: Track) -> Result:
    """Check the sitemap in a built folder, against the pages there.

    Raises:
        OptionsError: There is no such folder, no page in it, or no sitemap.
    """
    path = project.site_dir / project.options.filename
    if not path.is_file():
        raise _no_sitemap(path)
    folder = read_folder(project, track=track, local=True)
    known = folder.base_url
    # If no setting gives the address, it is that of the listed URLs, which are read
    # first.
    robots_of = partial(
        read_robots, project.site_dir, on_read_the_docs=project.ci.read_the_docs
    )
    known_robots = robots_of(base_url=known) if known else None
    seen: set[Path] = set()
    files = find_sitemaps(FileLocation(path, path.name), seen=seen)
    if known_robots is not None:
        files += _announced(project.site_dir, known, known_robots[0], seen)

    def complete(context: Context) -> Context:
        origin = context.survey.origin
        base_url = known or (f"{origin}/" if origin else "")
        robots, about_robots = known_robots or robots_of(base_url=base_url)
        facts, about_pages = site_facts(
            project,
            folder,
            base_url,
            now=options.now,
            robots=robots,
            hosting=options.hosting,
        )
        notices = (*about_robots, *about_pages)
        return replace(
            context, base_url=base_url, robots=robots, facts=facts, notices=notices
        )

    def further(context: Context, found: Collector) -> None:
        if options.links:
            file = context.submitted.name
            found.add(pages.followed_links(context, track), file=file)

    context = Context(submitted=files[0], base_url=known, now=options.now)
    result = check_sitemaps(files, options, context, further, complete)
    return replace(result, folder=folder.name_in_repository)


def _no_sitemap(path: Path) -> OptionsError:
    """Return the error for a folder without a sitemap.

    It names subfolders that have one.
    """
    problem = f"{str(path.parent)!r} has no {path.name}"
    found = path.parent.glob(f"*/{glob.escape(path.name)}")
    below = sorted(file.parent.name for file in found)
    if not below:
        others = sorted(file.name for file in path.parent.glob("*sitemap*.xml"))
        cure = f"--filename {quoted(others[-1])}" if others else "--filename"
        return OptionsError(problem, cure=f"build it, or give {cure}")
    problem += f", but its folders {a_few([*map(quoted, below)])} have one"
    return OptionsError(problem, cure="check these, or write an index (`merge`)")


def check_sitemaps(
    files: Sequence[SitemapFile],
    options: CheckOptions,
    known: Context,
    further: Further,
    complete: Callable[[Context], Context] = lambda context: context,
) -> Result:
    """Check each URL alone, then what needs all of them.

    `known` is what is known before the files are read, and `complete` adds what only
    they show. `further` adds more findings, once all files are read. An interrupt ends
    the check with what was found so far.

    Raises:
        OptionsError: The files are feeds.
    """
    found = Collector()
    missed = {text: Patterns.compile([text]) for text in options.required}

    def look(listed: ListedUrl) -> None:
        if not is_ordinary(listed, options.now):
            for check in URL_CHECKS:
                _add(listed, check(listed, options.now), found)
        if missed:
            _drop_matching(missed, listed.identity)

    context = known
    try:
        surveyed = survey(files, base_url=known.base_url, look=look)
        _refuse_feeds(surveyed)
        context = complete(replace(known, survey=surveyed))
        _check_files(files, context, found)
        submitted = context.submitted.name
        for check in pages.SITE_CHECKS:
            found.add(check(context), file=submitted)
        found.add(translation_behind(context, options.behind), file=submitted)
        found.add(_missed(missed), file=submitted)
        further(context, found)
        left_out = Counter(context.facts.reasons.values())
        whole = Result(
            site=context.base_url or surveyed.origin,
            time=options.now,
            files=len(surveyed.files),
            urls=surveyed.urls,
            ages=surveyed.ages(options.now),
            left_out=left_out,
        )
    except KeyboardInterrupt:
        whole = Result(is_interrupted=True)
    return found.result(whole, source_of=context.source_of)


def _check_files(
    files: Sequence[SitemapFile], context: Context, found: Collector
) -> None:
    """Check each file, and each URL among the others and against its page."""
    for facts in context.survey.files:
        for check in FILE_CHECKS:
            found.add(check(facts, context), file=facts.file.name)
    if _shows_more(context):
        for listed in listed_in(files):
            for among_others in (*AMONG_OTHERS, pages.page_findings):
                _add(listed, among_others(listed, context), found)


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


def _missed(required: Iterable[str]) -> Iterator[Finding]:
    """Yield a finding for each pattern that no URL has matched."""
    for pattern in required:
        yield Finding("required", f"no listed URL matches {quoted(pattern)}")


def _shows_more(context: Context) -> bool:
    """Tell whether a second reading, as long as the first, can find anything."""
    survey = context.survey
    is_one_site = len(survey.origins) <= 1 and survey.below == survey.urls
    is_plain = survey.hashed_urls.are_plain and not urls.is_local(survey.origin)
    return context.facts.site_dir is not None or not is_one_site or not is_plain


def _announced(
    site_dir: Path, base_url: str, robots: Robots | None, seen: set[Path]
) -> Iterator[SitemapFile]:
    """Yield the site's other sitemaps in robots.txt, such as those of languages.

    Files in `seen` are not yielded again: an index among them can list the submitted
    files too.
    """
    if robots is None:
        return
    for url in robots.sitemaps:
        path = file_at(site_dir, base_url, url)
        if path is not None and path.is_file() and not is_llms_txt(url):
            name = path.relative_to(site_dir).as_posix()
            yield from find_sitemaps(FileLocation(path, name), seen=seen)
