"""The checks, in order: files, URLs, pages, the site; and what they found, bounded."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_plugins.checks.context import Context
from sitemap_plugins.checks.file_checks import FILE_CHECKS
from sitemap_plugins.checks.findings import FINDINGS, SEVERITIES, Finding, Severity
from sitemap_plugins.checks.links import broken_links
from sitemap_plugins.checks.page_checks import PAGE_CHECKS
from sitemap_plugins.checks.site_checks import SITE_CHECKS, from_notices
from sitemap_plugins.checks.site_facts import read_robots, site_facts
from sitemap_plugins.checks.sitemaps import find_sitemaps, listed_in
from sitemap_plugins.checks.survey import survey
from sitemap_plugins.checks.url_checks import URL_CHECKS
from sitemap_plugins.core import urls
from sitemap_plugins.core.errors import OptionsError
from sitemap_plugins.core.patterns import Patterns
from sitemap_plugins.folder.reading import read_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime

    from sitemap_plugins.checks.sitemaps import SitemapFile
    from sitemap_plugins.folder.project import Project, Track

__all__ = ["CheckOptions", "Result", "check_file", "check_folder"]

MOST_KEPT = 1_000
"""Findings of one code that are kept; the others are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions:
    """What the user wants to be looked for."""

    now: datetime
    """Aware; later dates are in the future."""

    base_url: str = ""
    """Normalized; empty to look for it."""

    links: bool = False
    """Whether links within the site are followed."""

    hosting: str = ""
    """One of `hosting.SERVICES`, or empty."""

    required: tuple[str, ...] = ()
    """Patterns, each of which must match a listed URL's path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What was found."""

    findings: tuple[Finding, ...]
    """Grouped by code, the worst first; at most `MOST_KEPT` of each."""

    counts: Counter[str]
    """How many there are of each code, those that were not kept too."""

    files: int = 0
    """Sitemap files that were read."""

    urls: int = 0
    """URLs that they list."""

    def only(self, is_wanted: Callable[[Finding], bool]) -> Result:
        """Return the findings that are wanted, of those that were kept.

        Of a code with more than were kept, all count unless none of the kept ones is wanted.
        """
        kept = tuple(filter(is_wanted, self.findings))
        left = Counter(finding.code for finding in self.findings) - Counter(f.code for f in kept)
        counts = +(self.counts - left)
        wanted = {finding.code for finding in kept}
        counts = Counter({code: number for code, number in counts.items() if code in wanted})
        return replace(self, findings=kept, counts=counts)

    def summary(self) -> str:
        """Say the outcome in one line."""
        severities: Counter[str] = Counter()
        for code, count in self.counts.items():
            severities[FINDINGS[code].severity] += count
        words = [_count(severities[s], s) for s in SEVERITIES if severities[s]]
        where = f"{_count(self.urls, 'URL')} in {_count(self.files, 'file')}"
        return f"{where}: {', '.join(words) or 'nothing found'}"

    def worst(self) -> Severity | None:
        """Return the severity of the worst finding; None for none."""
        found = {FINDINGS[code].severity for code in self.counts}
        return next((severity for severity in SEVERITIES if severity in found), None)


def check_file(path: Path, name: str, options: CheckOptions) -> Result:
    """Check a sitemap file and the parts that it lists, by themselves.

    Raises:
        OptionsError: There is no such file.
    """
    if not path.is_file():
        msg = f"{name!r} is not a file or folder: name a sitemap or the folder of a built site"
        raise OptionsError([msg])
    files = find_sitemaps(path, name)
    context = Context(
        survey=survey(files),
        submitted=files[0],
        base_url=options.base_url,
        now=options.now,
        unmatched=_unmatched(files, options),
    )
    return _result(_checks(files, context), context)


def check_folder(project: Project, options: CheckOptions, *, track: Track) -> Result:
    """Check the sitemap in a built folder, against the pages there.

    Raises:
        OptionsError: There is no such folder, no page in it, or no sitemap.
    """
    path = project.site_dir / project.options.filename
    if not path.is_file():
        msg = f"{str(project.site_dir)!r} has no {path.name}: build it, or give --filename"
        raise OptionsError([msg])
    folder = read_folder(project, track=track, local=True)
    files = [*find_sitemaps(path, path.name), *_announced(project, folder.base_url, path)]
    found = survey(files)
    base_url = folder.base_url or (f"{found.origin}/" if found.origin else "")
    site, notices = site_facts(project, folder, base_url, options.now)
    context = Context(
        survey=found,
        submitted=files[0],
        base_url=base_url,
        now=options.now,
        site=site,
        hosting=options.hosting,
        unmatched=_unmatched(files, options),
    )
    links = broken_links(context, track) if options.links else ()
    return _result([*_checks(files, context), *from_notices(notices), *links], context)


def _collect(findings: Iterable[Finding]) -> tuple[tuple[Finding, ...], Counter[str]]:
    """Return findings grouped by code, the worst first, no more than are kept; and their counts."""
    kept: dict[str, list[Finding]] = defaultdict(list)
    counts: Counter[str] = Counter()
    for finding in findings:
        counts[finding.code] += 1
        if counts[finding.code] <= MOST_KEPT:
            kept[finding.code].append(finding)
    order = {code: number for number, code in enumerate(FINDINGS)}
    ranked = sorted(kept, key=lambda c: (SEVERITIES.index(FINDINGS[c].severity), order[c]))
    return tuple(finding for code in ranked for finding in kept[code]), counts


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 or word == "info" else f"{number:,} {word}s"


def _result(findings: Iterable[Finding], context: Context) -> Result:
    kept, counts = _collect(findings)
    return Result(
        findings=kept,
        counts=counts,
        files=len(context.survey.files),
        urls=context.survey.origins.total(),
    )


def _checks(files: Sequence[SitemapFile], context: Context) -> Iterator[Finding]:
    for facts in context.survey.files:
        for check in FILE_CHECKS:
            yield from check(facts, context)
    checks = (*URL_CHECKS, *PAGE_CHECKS) if context.site is not None else URL_CHECKS
    for listed in listed_in(files):
        for look in checks:
            for finding in look(listed, context):
                yield replace(finding, source=finding.source or context.source_of(listed.url))
    for check_site in SITE_CHECKS:
        yield from check_site(context)


def _announced(project: Project, base_url: str, submitted: Path) -> Iterator[SitemapFile]:
    """Yield the other sitemaps of the site that robots.txt names: one for each language, often."""
    robots, _ = read_robots(project, base_url)
    seen = {submitted}
    for url in robots.sitemaps if robots is not None and base_url else ():
        name = urls.percent_decode(url.removeprefix(base_url))
        path = project.site_dir / name
        if url.startswith(base_url) and ".." not in Path(name).parts and path not in seen:
            seen.add(path)
            if path.is_file():
                yield from find_sitemaps(path, name)


def _unmatched(files: Sequence[SitemapFile], options: CheckOptions) -> tuple[str, ...]:
    """Return the required patterns that no listed URL's path matches."""
    left = {pattern: Patterns.compile([pattern]) for pattern in options.required}
    for listed in listed_in(files) if left else ():
        path = urls.identity(listed.url).partition("://")[2].partition("/")[2]
        for pattern in [p for p, compiled in left.items() if compiled.match(path)]:
            del left[pattern]
        if not left:
            break
    return tuple(left)
