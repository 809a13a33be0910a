"""What the checks found: all findings count, and some of each kind are kept.

A baseline is a file with the fingerprints of known findings: only new ones fail a
build.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugins.core import codes, urls
from sitemap_plugins.core.codes import SEVERITIES, Code, Reason, Severity
from sitemap_plugins.core.limits import MAX_LOC_LENGTH
from sitemap_plugins.core.messages import (
    Message,
    count_things,
    quoted,
    without_password,
)
from sitemap_plugins.core.untrusted_files import read_json

Kind = tuple[Code, Severity]
"""Code and severity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(Message):
    """One fault; without a cure of its own it has that of its code."""

    place: str = field(init=False, default="")
    """Where to look first: the page's source, or the file and the line."""

    url: str = ""
    """The listed URL with the fault; empty for a whole file or site."""

    file: str = ""
    """The sitemap file, as the user knows it."""

    line: int = 0
    """The line of that file, from 1; 0 for the whole file."""

    about: str = ""
    """What distinguishes findings of one kind at one URL: the language or target of a
    link."""

    source: str = ""
    """The page's source, relative to the repository; empty if it is not known."""

    matters: Severity | None = None
    """The severity, if it is not that of the code."""

    def __post_init__(self) -> None:
        """Set the place and the cure of the message; cut what a stranger wrote."""
        place = self.source or self.file
        if self.line and not self.source:
            place = f"{self.file}:{self.line}"
        object.__setattr__(self, "place", place)
        object.__setattr__(self, "about", self.about[:MAX_LOC_LENGTH])
        cure = self.cure or codes.findings()[self.code].advice
        object.__setattr__(self, "cure", cure)

    @property
    def severity(self) -> Severity:
        """Its own severity, or else that of the code."""
        return self.matters or codes.findings()[self.code].severity

    @property
    def kind(self) -> Kind:
        """Its code and severity."""
        return self.code, self.severity

    @property
    def rank(self) -> tuple[int, str, int]:
        """What findings are sorted by for people: severity, file, line."""
        return SEVERITIES.index(self.severity), self.source or self.file, self.line

    @property
    def about_url(self) -> str:
        """The problem, for where the URL is shown by itself."""
        return self.problem.removeprefix(quoted(self.url)).lstrip(": ")

    @property
    def is_fetched(self) -> bool:
        """Whether the finding is about what a server answered, and no local file.

        A finding with a `source` is shown at that source, a file of the repository.
        """
        return not self.source and urls.is_web(self.file)

    @property
    def fingerprint(self) -> str:
        """A hash that stays the same wherever the URL is in the file."""
        subject = self.url or self.file or self.source or self.problem
        key = f"{self.code}\0{subject}"
        if self.about:
            key += f"\0{self.about}"
        return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:32]


Findings = Iterator[Finding]
"""What one check finds, one after the other."""

MAX_KEPT = 1_000
"""Findings of one code and severity that are kept; the others are counted."""


class CodeGroup(NamedTuple):
    """The findings with one code and severity."""

    code: Code
    severity: Severity

    number: int
    """How many there are, including those that were not kept."""

    findings: tuple[Finding, ...]
    """The kept ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What was found."""

    findings: tuple[Finding, ...] = ()
    """Grouped by severity and code, the worst first; at most `MAX_KEPT` of each."""

    numbers: Counter[Kind] = field(default_factory=Counter)
    """How many there are of each code and severity, including those that were not
    kept."""

    site: str = ""
    """The address below which URLs are listed, encoded; empty if it is not known."""

    time: datetime | None = None
    """When the check began; aware."""

    folder: str = ""
    """What the names of files are relative to, from the repository's root, with a last
    slash."""

    files: int = 0
    """Sitemap files that were read."""

    urls: int = 0
    """URLs that they list."""

    requested: int = 0
    """Listed URLs that were requested from a server; 0 without one."""

    ages: Mapping[str, int] = field(default_factory=dict)
    """How many URLs have each age, the youngest first (`Survey.ages`)."""

    left_out: Mapping[Reason, int] = field(default_factory=dict)
    """How many pages of the folder are not to be listed, by reason."""

    is_interrupted: bool = False
    """Whether the user ended the check early: the numbers of files and URLs are then
    not known."""

    @property
    def counts(self) -> Counter[Code]:
        """How many there are of each code, including those that were not kept."""
        counts: Counter[Code] = Counter()
        for (code, _), number in self.numbers.items():
            counts[code] += number
        return counts

    def groups(self) -> Iterator[CodeGroup]:
        """Yield the findings of each code and severity, the worst first."""
        for (code, severity), found in groupby(self.findings, key=attrgetter("kind")):
            yield CodeGroup(code, severity, self.numbers[code, severity], tuple(found))

    def filtered(self, is_wanted: Callable[[Finding], bool]) -> Result:
        """Return the result with the findings that are wanted, of those that were kept.

        Findings that were not kept still count, unless all kept ones of their kind are
        dropped.
        """
        kept: list[Finding] = []
        numbers: Counter[Kind] = Counter()
        for group in self.groups():
            wanted = [*filter(is_wanted, group.findings)]
            if wanted:
                kept += wanted
                dropped = len(group.findings) - len(wanted)
                numbers[group.code, group.severity] = group.number - dropped
        return replace(self, findings=tuple(kept), numbers=numbers)

    def heading(self) -> list[str]:
        """Return a report's beginning: the time, and how many URLs were checked."""
        facts = []
        if self.time:
            facts.append(f"{self.time.astimezone(UTC):%Y-%m-%d %H:%M} UTC")
        facts.append(self._amount)
        if self.requested:
            facts.append(f"{self.requested:,} requested")
        return facts

    def summary(self) -> str:
        """Return the number of URLs and the outcome, in one line."""
        amount = "interrupted; so far" if self.is_interrupted else self._amount
        return f"{amount}: {self.outcome()}"

    @property
    def _amount(self) -> str:
        return f"{count_things(self.urls, 'URL')} in {count_things(self.files, 'file')}"

    def outcome(self) -> str:
        """Return how many findings there are of each severity, in words."""
        totals: Counter[Severity] = Counter()
        for (_, severity), number in self.numbers.items():
            totals[severity] += number
        words = []
        for severity in SEVERITIES:
            total = totals[severity]
            if total and severity == "info":
                words.append(f"{total:,} info")
            elif total:
                words.append(count_things(total, severity))
        return ", ".join(words) or "nothing found"

    def worst(self) -> Severity | None:
        """Return the severity of the worst finding; None for none."""
        found = {severity for _, severity in self.numbers}
        return min(found, key=SEVERITIES.index, default=None)


class _Place(NamedTuple):
    """What was found where."""

    finding: Finding
    url: str
    file: str
    line: int

    def fill(self, source_of: Callable[[str], str]) -> Finding:
        """Return the finding with its place, as far as it does not name its own."""
        found = self.finding
        url = without_password(found.url or self.url)
        file = found.file
        if not file and not found.source:
            file = self.file
        return replace(
            found,
            url=url,
            file=file,
            line=found.line or self.line,
            source=found.source or source_of(url),
        )


class Collector:
    """Collects findings in any order."""

    def __init__(self) -> None:
        """Begin with none."""
        self._kept: defaultdict[Kind, list[_Place]] = defaultdict(list)
        self._numbers: Counter[Kind] = Counter()

    def add(
        self,
        findings: Iterable[Finding],
        *,
        url: str = "",
        file: str = "",
        line: int = 0,
    ) -> None:
        """Count what a check found in a place, and keep it while there is little.

        A finding's own URL, line, file and source are not replaced.
        """
        for finding in findings:
            kind = finding.kind
            self._numbers[kind] += 1
            if self._numbers[kind] <= MAX_KEPT:
                self._kept[kind].append(_Place(finding, url, file, line))

    def result(
        self, whole: Result, *, source_of: Callable[[str], str] = lambda _: ""
    ) -> Result:
        """Return `whole` with what was found.

        `source_of` returns the source of a URL's page; empty if it is not known.
        """
        findings: list[Finding] = []
        for severity in SEVERITIES:
            for code in codes.findings():
                places = self._kept[code, severity]
                findings += [place.fill(source_of) for place in places]
        return replace(whole, findings=tuple(findings), numbers=self._numbers)


def read_baseline(file: Path) -> frozenset[str]:
    """Return the fingerprints that a baseline holds.

    Raises:
        OptionsError: The file is not a baseline.
    """

    def fingerprints(baseline: Any) -> frozenset[str]:  # noqa: ANN401 any JSON
        return frozenset(known["fingerprint"] for known in baseline["known"])

    problem = "is not a baseline"
    return read_json(
        file, fingerprints, problem=problem, cure="create it with --write-baseline"
    )


def baseline_text(findings: Iterable[Finding]) -> str:
    """Return a baseline of findings in a stable order, with code and URL for people."""
    known = []
    for finding in findings:
        url = finding.url or finding.file
        known.append(
            {"fingerprint": finding.fingerprint, "code": finding.code, "url": url}
        )
    known.sort(key=itemgetter("code", "url", "fingerprint"))
    return json.dumps({"known": known}, indent=2) + "\n"
