"""A report for people: one page that needs nothing else."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from sitemap_plugins.checks.findings import FINDINGS
from sitemap_plugins.core.messages import printable

if TYPE_CHECKING:
    from sitemap_plugins.checks.findings import Finding
    from sitemap_plugins.checks.results import Result

__all__ = ["as_html"]

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>Sitemap check</title>
<style>
:root {{ color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }}
body {{ max-width: 70rem; margin: 2rem auto; padding: 0 1rem }}
summary {{ cursor: pointer; padding: .3rem 0 }}
code {{ overflow-wrap: anywhere; margin-right: .5rem }}
.error {{ color: #c22 }} .warning {{ color: #a50 }} .info {{ color: #47a }}
@media (prefers-color-scheme: dark) {{
.error {{ color: #f88 }} .warning {{ color: #eb5 }} .info {{ color: #8be }}
}}
</style>
</head>
<body>
<h1>Sitemap check</h1>
<p>{summary}</p>
{groups}
</body>
</html>
"""


def as_html(result: Result) -> str:
    """Return the page: a summary, and the findings of each code, folded."""
    groups = "".join(
        _group(code, list(found), result.counts[code])
        for code, found in groupby(result.findings, key=lambda finding: finding.code)
    )
    return _PAGE.format(summary=result.summary(), groups=groups)


def _group(code: str, findings: list[Finding], count: int) -> str:
    kind = FINDINGS[code]
    rows = "".join(
        f"<li><code>{escape(printable(f.place))}</code> {escape(printable(f.text))}</li>\n"
        for f in findings
    )
    more = f"<p>and {count - len(findings):,} more</p>" if count > len(findings) else ""
    return (
        f'<details open><summary><strong class="{kind.severity}">{code}</strong> ({count:,})'
        f" {escape(kind.meaning)} {escape(kind.cure)}</summary>\n"
        f"<ul>\n{rows}</ul>{more}</details>\n"
    )
