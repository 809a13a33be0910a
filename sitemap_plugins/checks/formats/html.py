"""A report for people: one page that needs nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from sitemap_plugins.core.codes import FINDINGS, REASONS
from sitemap_plugins.core.messages import printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitemap_plugins.checks.findings import Group, Result

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
th {{ font-weight: inherit; text-align: left; padding-right: 1rem; white-space: nowrap }}
td:nth-child(2) {{ text-align: right; padding-right: 1rem }} td:nth-child(3) {{ width: 100% }}
.bar {{ background: #47a; height: 1rem }}
.error {{ color: #c22 }} .warning {{ color: #a50 }} .info {{ color: #47a }}
@media (prefers-color-scheme: dark) {{
.error {{ color: #f88 }} .warning {{ color: #eb5 }} .info {{ color: #8be }}
}}
</style>
</head>
<body>
<h1>Sitemap check</h1>
<p>{summary}</p>
{groups}{ages}{left_out}
</body>
</html>
"""


def as_html(result: Result) -> str:
    """Return the page: a summary, the findings of each code, and how old the pages are."""
    return _PAGE.format(
        summary=result.summary(),
        groups="".join(map(_group, result.groups())),
        ages=_histogram("How long ago pages changed", result.ages),
        left_out=_histogram(
            "Pages of the folder that are not to be listed",
            {REASONS[reason]: count for reason, count in result.left_out.items()},
        ),
    )


def _group(group: Group) -> str:
    code, severity, count, findings = group
    kind = FINDINGS[code]
    rows = "".join(
        f"<li><code>{escape(printable(f.place))}</code> {escape(printable(f.problem))}</li>\n"
        for f in findings
    )
    more = f"<p>and {count - len(findings):,} more</p>" if count > len(findings) else ""
    return (
        f'<details open><summary><strong class="{severity}">{code}</strong> ({count:,})'
        f" {escape(kind.meaning)} {escape(kind.cure)}</summary>\n"
        f"<ul>\n{rows}</ul>{more}</details>\n"
    )


def _histogram(title: str, counts: Mapping[str, int]) -> str:
    """Return a heading and a table with a bar for each count; empty without counts."""
    most = max(counts.values(), default=0)
    if not most:
        return ""
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td>{count:,}</td>"
        f'<td><div class="bar" style="width: {100 * count / most:.1f}%"></div></td></tr>\n'
        for name, count in counts.items()
    )
    return f"<h2>{title}</h2>\n<table>\n{rows}</table>\n"
