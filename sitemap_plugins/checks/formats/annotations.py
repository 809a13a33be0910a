"""GitHub's workflow commands: one annotation for each code.

https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands; a step shows
ten errors and ten warnings, so many of one code would hide the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemap_plugins.core.codes import FINDINGS
from sitemap_plugins.core.messages import printable

if TYPE_CHECKING:
    from sitemap_plugins.checks.findings import Group, Result

__all__ = ["as_github"]

EXAMPLES = 3
"""Findings that an annotation names."""

_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def as_github(result: Result) -> str:
    """Return a line for each code, at the place of its first finding."""
    return "".join(map(_command, result.groups()))


def _command(group: Group) -> str:
    code, severity, count, findings = group
    first = findings[0]
    place = "" if first.is_fetched else f"file={_property(printable(first.source or first.file))},"
    if first.line and place and not first.source:
        place += f"line={first.line},"
    lines = [str(f) for f in findings[:EXAMPLES]]
    if count > len(lines):
        lines.append(f"and {count - len(lines):,} more")
    title = _property(f"{code}: {FINDINGS[code].meaning}")
    return f"::{_COMMANDS[severity]} {place}title={title}::{_data(chr(10).join(lines))}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
