"""What the checks found, bounded: every finding counts, and some of each code are kept."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sitemap_plugins.checks.findings import FINDINGS, SEVERITIES, Finding, Severity
from sitemap_plugins.core.messages import count_things, without_password

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from sitemap_plugins.core.reasons import Reason

__all__ = ["MOST_KEPT", "Collector", "Result"]

MOST_KEPT = 1_000
"""Findings of one code that are kept; the others are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What was found."""

    findings: tuple[Finding, ...] = ()
    """Grouped by code, the worst first; at most `MOST_KEPT` of each."""

    counts: Counter[str] = field(default_factory=Counter)
    """How many there are of each code, those that were not kept too."""

    files: int = 0
    """Sitemap files that were read."""

    urls: int = 0
    """URLs that they list."""

    ages: Mapping[str, int] = field(default_factory=dict)
    """How many URLs have each age, the youngest first (`ages.count_ages`)."""

    left_out: Mapping[Reason, int] = field(default_factory=dict)
    """How many pages of the folder are not to be listed, by reason."""

    is_interrupted: bool = False
    """Whether the user ended the check early: the numbers of files and URLs are then not known."""

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
        where = f"{count_things(self.urls, 'URL')} in {count_things(self.files, 'file')}"
        if self.is_interrupted:
            where = "interrupted; so far"
        return f"{where}: {', '.join(words) or 'nothing found'}"

    def worst(self) -> Severity | None:
        """Return the severity of the worst finding; None for none."""
        found = {FINDINGS[code].severity for code in self.counts}
        return next((severity for severity in SEVERITIES if severity in found), None)


class Collector:
    """Takes findings in any order."""

    def __init__(self) -> None:
        """Begin with none."""
        self._kept: defaultdict[str, list[Finding]] = defaultdict(list)
        self._counts: Counter[str] = Counter()

    def add(self, findings: Iterable[Finding]) -> None:
        """Count findings, and keep them while there are few."""
        for finding in findings:
            self._counts[finding.code] += 1
            if self._counts[finding.code] <= MOST_KEPT:
                url = without_password(finding.url)
                self._kept[finding.code].append(replace(finding, url=url))

    def result(self, whole: Result, *, source_of: Callable[[str], str]) -> Result:
        """Return what was found, beside the numbers in `whole`.

        `source_of` tells the source of a URL's page, or empty.
        """
        order = {code: number for number, code in enumerate(FINDINGS)}
        ranked = sorted(
            self._kept, key=lambda c: (SEVERITIES.index(FINDINGS[c].severity), order[c])
        )
        findings = (finding for code in ranked for finding in self._kept[code])
        return replace(
            whole,
            findings=tuple(replace(f, source=f.source or source_of(f.url)) for f in findings),
            counts=self._counts,
        )


def _count(number: int, severity: Severity) -> str:
    return f"{number:,} {severity}" if severity == "info" else count_things(number, severity)
