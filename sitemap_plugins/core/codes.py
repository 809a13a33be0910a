"""Every code of a notice, finding or reason to leave a page out, from codes.toml.

A code with several uses stands for the same fact in each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Literal, NamedTuple

Severity = Literal["error", "warning", "info"]
"""How much a finding matters.

`error`: crawlers refuse or ignore what it is about. `warning`: most likely a mistake.
`info`: good to know.
"""

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
"""From the worst."""

Level = Literal["warning", "info"]
"""How much a notice matters.

`warning`: nothing was written, or something needs correcting. `info`: valid but
incomplete.
"""

Reason = Literal[
    "draft",
    "hidden",
    "private",
    "not-built",
    "generated",
    "static",
    "fragment",
    "front-matter",
    "noindex",
    "redirect",
    "canonical",
    "excluded",
    "robots",
    "missing",
    "blank",
    "bad-url",
    "duplicate",
    "failed",
]
"""Why a page is left out; an adapter may give any of these, and the core decides on the
rest."""

Code = str
"""A key of `table`: what users suppress, select or ignore, and the manual lists."""


class Use(NamedTuple):
    """What all notices, or all findings, with one code have in common."""

    severity: Severity
    """How much they matter, unless a finding has a severity of its own."""

    meaning: str
    """What has happened; one sentence for the manual."""

    cure: str
    """What to do about it; one sentence."""

    @property
    def advice(self) -> str:
        """The cure as a part of a message, in which it follows a colon."""
        return self.cure[0].lower() + self.cure[1:].removesuffix(".")


class Row(NamedTuple):
    """The uses of one code."""

    notice: Use | None = None
    finding: Use | None = None

    reason: str = ""
    """Why a page is left out; empty if the code is not a reason."""

    rule: str = ""
    """The standard that a finding breaks, cited; empty if no standard says it."""

    example: str = ""
    """What causes it: entries of a sitemap or an index, or the files that `# name`
    precedes."""

    ignore: str = ""
    """When nothing needs to be done: sentences for the manual."""

    def named_uses(self) -> Iterator[tuple[str, Use]]:
        """Yield the name of each use, and the use.

        If a code means the same in both, there is one: `finding and notice`.
        """
        if self.finding is not None and self.finding == self.notice:
            yield "finding and notice", self.finding
            return
        if self.finding is not None:
            yield "finding", self.finding
        if self.notice is not None:
            yield "notice", self.notice


@cache
def table() -> Mapping[Code, Row]:
    """Return the row of each code, in the manual's order.

    If a code is both a notice and a finding, with different words, each has a section
    of its own in the file. Otherwise the row itself has the words of all uses.
    """
    # They are slow to import, and few programs need the table.
    import tomllib  # noqa: PLC0415
    from importlib.resources import files  # noqa: PLC0415

    rows = {}
    text = files(__package__).joinpath("codes.toml").read_text("utf-8")
    for code, row in tomllib.loads(text).items():
        without_section = dict.fromkeys(row.pop("uses", ()), row)
        uses = without_section | row
        rows[code] = Row(
            notice=_use(uses.get("notice")),
            finding=_use(uses.get("finding")),
            reason=row.get("reason", ""),
            rule=row.get("rule", ""),
            example=row.get("example", ""),
            ignore=row.get("ignore", ""),
        )
    return rows


def _use(row: Mapping[str, Any] | None) -> Use | None:
    if row is None:
        return None
    return Use(row["severity"], row["meaning"], row["cure"])


@cache
def notices() -> Mapping[Code, Use]:
    """Return what all notices with a code have in common."""
    return {code: row.notice for code, row in table().items() if row.notice}


@cache
def findings() -> Mapping[Code, Use]:
    """Return what all findings with a code have in common."""
    return {code: row.finding for code, row in table().items() if row.finding}


@cache
def reasons() -> Mapping[Code, str]:
    """Return what each reason to leave a page out means, by its code."""
    return {code: row.reason for code, row in table().items() if row.reason}
