"""Markdown: what GitHub shows as the summary of a job.

https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#adding-a-job-summary
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sitemap_plugins.core.codes import FINDINGS, manual_url
from sitemap_plugins.core.messages import printable

if TYPE_CHECKING:
    from sitemap_plugins.checks.findings import Finding, Group, Result

__all__ = ["as_markdown"]

EXAMPLES = 10
"""Findings of one code that are listed: GitHub shows at most 1 MiB."""

_MARKUP = re.compile(r"""[]\\`*_{}<>()#!|~@&$:"'^[]""")
"""Characters that mean something in a cell or an attribute; a colon, in `https://`."""


def as_markdown(result: Result) -> str:
    """Return the site and its counts, and a table: each code with its pages and its cure."""
    about = filter(None, (_link(result.site), *result.heading()))
    lines = [f"**Sitemap check: {result.outcome()}**", "", " · ".join(about)]
    if rows := [*map(_row, result.groups())]:
        lines += ["", "| finding | where | what to do |", "|---|---|---|", *rows]
    return "\n".join(lines) + "\n\n"


def _row(group: Group) -> str:
    code, severity, count, findings = group
    shown, url = findings[:EXAMPLES], manual_url(code)
    name = f"[`{code}`]({url})" if url else f"`{code}`"
    places = [*map(_place, shown)]
    if count > len(shown):
        places.append(f"and {count - len(shown):,} more")
    cures = dict.fromkeys(_literal(finding.cure) for finding in shown)
    meaning = FINDINGS[code].meaning
    cells = (f"{severity} {name} ({count:,})<br>{meaning}", "<br>".join(places), "<br>".join(cures))
    return f"| {' | '.join(cells)} |"


def _place(finding: Finding) -> str:
    if not finding.url:
        return f"<code>{_literal(finding.place)}</code> {_literal(finding.problem)}"
    return f"{_link(finding.url)} {_literal(finding.about_url)}"


def _link(url: str) -> str:
    text = _literal(url)
    is_web = url.startswith(("http://", "https://"))
    return f'<a href="{text}">{text}</a>' if is_web else text


def _literal(text: str) -> str:
    """Return a stranger's text as Markdown that means only itself, in a cell or an attribute.

    CommonMark 0.31.2, section 2.5: references "cannot be used in place of symbols indicating
    structure".
    """
    return _MARKUP.sub(lambda found: f"&#{ord(found[0])};", printable(text))
