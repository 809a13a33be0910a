"""What the checks found, bounded: every finding counts, and some of each kind are kept.

Findings that are known stand in a baseline, a file of fingerprints: only new ones fail a build.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.codes import FINDINGS, SEVERITIES, Code, Severity
from sitemap_plugins.core.messages import count_things, without_password
from sitemap_plugins.core.untrusted_files import read_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from sitemap_plugins.checks.findings import Finding
    from sitemap_plugins.core.codes import Reason

__all__ = ["MOST_KEPT", "Collector", "Group", "Result", "baseline_text", "read_baseline"]

MOST_KEPT = 1_000
"""Findings of one code and severity that are kept; the others are counted."""

_Kind = tuple[Code, Severity]
"""Code and severity."""


class Group(NamedTuple):
    """The findings with one code and severity."""

    code: Code
    severity: Severity

    number: int
    """How many there are, those that were not kept too."""

    findings: tuple[Finding, ...]
    """Those that were kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What was found."""

    findings: tuple[Finding, ...] = ()
    """Grouped by severity and code, the worst first; at most `MOST_KEPT` of each."""

    numbers: Counter[_Kind] = field(default_factory=Counter)
    """How many there are of each code and severity, those that were not kept too."""

    files: int = 0
    """Sitemap files that were read."""

    urls: int = 0
    """URLs that they list."""

    ages: Mapping[str, int] = field(default_factory=dict)
    """How many URLs have each age, the youngest first (`Survey.ages`)."""

    left_out: Mapping[Reason, int] = field(default_factory=dict)
    """How many pages of the folder are not to be listed, by reason."""

    is_interrupted: bool = False
    """Whether the user ended the check early: the numbers of files and URLs are then not known."""

    @property
    def counts(self) -> Counter[Code]:
        """How many there are of each code, those that were not kept too."""
        counts: Counter[Code] = Counter()
        for (code, _), number in self.numbers.items():
            counts[code] += number
        return counts

    def groups(self) -> Iterator[Group]:
        """Yield the findings of each code and severity, the worst first."""
        for (code, severity), found in groupby(self.findings, key=_kind):
            yield Group(code, severity, self.numbers[code, severity], tuple(found))

    def only(self, is_wanted: Callable[[Finding], bool]) -> Result:
        """Return the findings that are wanted, of those that were kept.

        Findings that were not kept still count, unless every kept one of their kind is dropped.
        """
        kept = tuple(filter(is_wanted, self.findings))
        left = Counter(map(_kind, self.findings)) - Counter(map(_kind, kept))
        wanted = set(map(_kind, kept))
        numbers = {kind: n - left[kind] for kind, n in self.numbers.items() if kind in wanted}
        return replace(self, findings=kept, numbers=Counter(numbers))

    def summary(self) -> str:
        """Say the outcome in one line."""
        severities: Counter[str] = Counter()
        for (_, severity), number in self.numbers.items():
            severities[severity] += number
        words = [_count(severities[s], s) for s in SEVERITIES if severities[s]]
        where = f"{count_things(self.urls, 'URL')} in {count_things(self.files, 'file')}"
        if self.is_interrupted:
            where = "interrupted; so far"
        return f"{where}: {', '.join(words) or 'nothing found'}"

    def worst(self) -> Severity | None:
        """Return the severity of the worst finding; None for none."""
        found = {severity for _, severity in self.numbers}
        return next((severity for severity in SEVERITIES if severity in found), None)


class Collector:
    """Takes findings in any order."""

    def __init__(self) -> None:
        """Begin with none."""
        self._kept: defaultdict[_Kind, list[Finding]] = defaultdict(list)
        self._numbers: Counter[_Kind] = Counter()

    def add(self, findings: Iterable[Finding]) -> None:
        """Count findings, and keep them while there are few."""
        for finding in findings:
            kind = _kind(finding)
            self._numbers[kind] += 1
            if self._numbers[kind] <= MOST_KEPT:
                url = without_password(finding.url)
                self._kept[kind].append(replace(finding, url=url))

    def result(self, whole: Result, *, source_of: Callable[[str], str]) -> Result:
        """Return what was found, beside the numbers in `whole`.

        `source_of` tells the source of a URL's page, or empty.
        """
        order = {code: number for number, code in enumerate(FINDINGS)}
        ranked = sorted(self._kept, key=lambda k: (SEVERITIES.index(k[1]), order[k[0]]))
        findings = (finding for kind in ranked for finding in self._kept[kind])
        return replace(
            whole,
            findings=tuple(replace(f, source=f.source or source_of(f.url)) for f in findings),
            numbers=self._numbers,
        )


def read_baseline(file: Path) -> frozenset[str]:
    """Return the fingerprints that a baseline holds.

    Raises:
        OptionsError: It cannot be read as one.
    """
    return read_json(
        file,
        lambda found: frozenset(each["fingerprint"] for each in found["known"]),
        problem="is not a baseline",
        cure="create it with --write-baseline",
    )


def baseline_text(findings: Iterable[Finding]) -> str:
    """Return a baseline of findings, in a stable order, with what each is for people."""
    known = sorted(
        ({"fingerprint": f.fingerprint, "code": f.code, "url": f.url or f.file} for f in findings),
        key=lambda each: (each["code"], each["url"], each["fingerprint"]),
    )
    return json.dumps({"known": known}, indent=2) + "\n"


def _kind(finding: Finding) -> _Kind:
    return finding.code, finding.severity


def _count(number: int, severity: Severity) -> str:
    return f"{number:,} {severity}" if severity == "info" else count_things(number, severity)
