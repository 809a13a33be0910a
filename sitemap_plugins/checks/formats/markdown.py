"""Markdown: what GitHub shows as the summary of a job.

https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#adding-a-job-summary
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from sitemap_plugins.core.codes import FINDINGS
from sitemap_plugins.core.messages import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemap_plugins.checks.findings import Group, Result

__all__ = ["as_markdown"]

EXAMPLES = 10
"""Findings of one code that are listed: GitHub shows at most 1 MiB."""


def as_markdown(result: Result) -> str:
    """Return the findings of each code, with its meaning and cure, and the outcome.

    All of it is in `<pre>`, as strangers' texts could be Markdown.
    """
    lines = [line for group in result.groups() for line in _lines(group)]
    text = "\n".join(escape(printable(line)) for line in (*lines, result.summary()))
    return f"<pre>\n{text}\n</pre>\n"


def _lines(group: Group) -> Iterator[str]:
    code, severity, count, findings = group
    kind, shown = FINDINGS[code], findings[:EXAMPLES]
    yield f"{severity} {code} ({count:,}): {kind.meaning}"
    for finding in shown:
        yield f"  {finding.place}  {finding.problem}"
    if count > len(shown):
        yield f"  and {count - len(shown):,} more"
    for cure in dict.fromkeys(finding.cure for finding in shown):
        yield f"  → {cure}"
