"""What the checks found: every finding counts, and a limited number of each kind is kept.

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
from pathlib import Path
from typing import NamedTuple

from sitemap_plugins.core import codes
from sitemap_plugins.core.codes import SEVERITIES, Code, Reason, Severity
from sitemap_plugins.core.limits import MAX_LOC_LENGTH
from sitemap_plugins.core.messages import (
    Message,
    count_things,
    quoted,
    without_password,
)
from sitemap_plugins.core.untrusted_files import read_json


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
    """What distinguishes findings of one kind at one URL: the language or target of a link."""

    source: str = ""
    """The page's source, relative to the repository; empty if it is not known."""

    matters: Severity | None = None
    """The severity, if it is not that of the code."""

    def __post_init__(self) -> None:
        """Set the place and the cure of the message."""
        place = self.source or (f"{self.file}:{self.line}" if self.line else self.file)
        object.__setattr__(self, "place", place)
        object.__setattr__(self, "cure", self.cure or codes.findings()[self.code].cure)

    @property
    def severity(self) -> Severity:
        """Its own severity, or else that of the code."""
        return self.matters or codes.findings()[self.code].severity

    @property
    def about_url(self) -> str:
        """The problem, for where the URL is shown by itself."""
        return self.problem.removeprefix(quoted(self.url)).lstrip(": ")

    @property
    def is_fetched(self) -> bool:
        """Whether the file is a URL, which is not a file of the repository."""
        return not self.source and self.file.startswith(("http://", "https://"))

    @property
    def fingerprint(self) -> str:
        """A hash that stays the same from run to run, even if the URL moves in the file."""
        about = f"\0{self.about}" if self.about else ""
        key = f"{self.code}\0{self.url or self.file or self.source or self.problem}{about}"
        return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:32]


def located(
    findings: Iterable[Finding], *, url: str = "", file: str, line: int = 0
) -> Iterator[Finding]:
    """Yield what a check found, with the place that was checked; a line of its own stays."""
    for finding in findings:
        yield replace(finding, url=url, file=file, line=finding.line or line)


_OF_UNLISTED = {"not-listed", "dead-canonical"}
"""Codes about pages that are not listed; `canonical` is that of listed ones."""

MAX_KEPT = 1_000
"""Findings of one code and severity that are kept; the others are counted."""

_Key = tuple[Code, Severity]
"""Code and severity."""


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

    numbers: Counter[_Key] = field(default_factory=Counter)
    """How many there are of each code and severity, including those that were not kept."""

    site: str = ""
    """The address below which URLs are listed, encoded; empty if it is not known."""

    time: datetime | None = None
    """When the check began; aware."""

    folder: str = ""
    """What the names of files are relative to, from the repository's root, with a last slash."""

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
    """Whether the user ended the check early: the numbers of files and URLs are then not known."""

    @property
    def counts(self) -> Counter[Code]:
        """How many there are of each code, including those that were not kept."""
        counts: Counter[Code] = Counter()
        for (code, _), number in self.numbers.items():
            counts[code] += number
        return counts

    @property
    def fine(self) -> int | None:
        """How many URLs are listed without error or warning; None if not all findings were kept."""
        if self.is_interrupted or self.numbers.total() != len(self.findings):
            return None
        of_others = {f.url for f in self.findings if f.code in _OF_UNLISTED}
        faulty = {
            f.url for f in self.findings if f.severity != "info" and f.url != f.file
        }
        return max(0, self.urls - len(faulty - of_others - {""}))

    def groups(self) -> Iterator[CodeGroup]:
        """Yield the findings of each code and severity, the worst first."""
        for (code, severity), found in groupby(self.findings, key=_key):
            yield CodeGroup(code, severity, self.numbers[code, severity], tuple(found))

    def filtered(self, is_wanted: Callable[[Finding], bool]) -> Result:
        """Return the result with the findings that are wanted, of those that were kept.

        Findings that were not kept still count, unless all kept ones of their kind are
        dropped.
        """
        kept = tuple(filter(is_wanted, self.findings))
        left = Counter(map(_key, self.findings)) - Counter(map(_key, kept))
        wanted = set(map(_key, kept))
        numbers = {
            key: n - left[key] for key, n in self.numbers.items() if key in wanted
        }
        return replace(self, findings=kept, numbers=Counter(numbers))

    def heading(self) -> tuple[str, ...]:
        """Return what a report begins with: time, number of URLs, and how many of them are fine."""
        time = f"{self.time.astimezone(UTC):%Y-%m-%d %H:%M} UTC" if self.time else ""
        number = (
            f"{count_things(self.urls, 'URL')} in {count_things(self.files, 'file')}"
        )
        requested = f"{self.requested:,} requested" if self.requested else ""
        fine = "" if self.fine is None else f"{self.fine:,} without errors or warnings"
        return tuple(filter(None, (time, number, requested, fine)))

    def summary(self) -> str:
        """Return the number of URLs and the outcome, in one line."""
        where = (
            f"{count_things(self.urls, 'URL')} in {count_things(self.files, 'file')}"
        )
        return f"{'interrupted; so far' if self.is_interrupted else where}: {self.outcome()}"

    def outcome(self) -> str:
        """Return how many findings there are of each severity, in words."""
        words = [
            f"{n:,} info" if name == "info" else count_things(n, name)
            for name in SEVERITIES
            if (n := sum(self.numbers[key] for key in self.numbers if key[1] == name))
        ]
        return ", ".join(words) or "nothing found"

    def worst(self) -> Severity | None:
        """Return the severity of the worst finding; None for none."""
        return min(
            (severity for _, severity in self.numbers),
            key=SEVERITIES.index,
            default=None,
        )


class Collector:
    """Collects findings in any order."""

    def __init__(self) -> None:
        """Begin with none."""
        self._kept: defaultdict[_Key, list[Finding]] = defaultdict(list)
        self._numbers: Counter[_Key] = Counter()

    def add(self, findings: Iterable[Finding]) -> None:
        """Count findings, and keep them while there are few."""
        for finding in findings:
            key = _key(finding)
            self._numbers[key] += 1
            if self._numbers[key] <= MAX_KEPT:
                about = finding.about[:MAX_LOC_LENGTH]
                url = without_password(finding.url)
                self._kept[key].append(replace(finding, url=url, about=about))

    def result(self, whole: Result, *, source_of: Callable[[str], str]) -> Result:
        """Return `whole` with what was found.

        `source_of` returns the source of a URL's page; empty if it is not known.
        """
        order = {code: number for number, code in enumerate(codes.findings())}
        ranked = sorted(self._kept, key=lambda k: (SEVERITIES.index(k[1]), order[k[0]]))
        findings = (finding for key in ranked for finding in self._kept[key])
        return replace(
            whole,
            findings=tuple(
                replace(f, source=f.source or source_of(f.url)) for f in findings
            ),
            numbers=self._numbers,
        )


def read_baseline(file: Path) -> frozenset[str]:
    """Return the fingerprints that a baseline holds.

    Raises:
        OptionsError: The file is not a baseline.
    """
    return read_json(
        file,
        lambda found: frozenset(each["fingerprint"] for each in found["known"]),
        problem="is not a baseline",
        cure="create it with --write-baseline",
    )


def baseline_text(findings: Iterable[Finding]) -> str:
    """Return a baseline of findings in a stable order, with code and URL for people."""
    known = sorted(
        (
            {"fingerprint": f.fingerprint, "code": f.code, "url": f.url or f.file}
            for f in findings
        ),
        key=lambda each: (each["code"], each["url"], each["fingerprint"]),
    )
    return json.dumps({"known": known}, indent=2) + "\n"


def _key(finding: Finding) -> _Key:
    return finding.code, finding.severity
