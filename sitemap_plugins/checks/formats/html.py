"""A report for people: one page that needs nothing else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from sitemap_plugins.core.codes import FINDINGS, REASONS, manual_url
from sitemap_plugins.core.messages import printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitemap_plugins.checks.findings import Finding, Group, Result

__all__ = ["as_html"]

MOST_CURES = 3
"""Cures of one code that are shown, if its findings have cures of their own."""

_CODE = re.compile("`([^`]+)`")

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }}
body {{ max-width: 70rem; margin: 2rem auto; padding: 0 1rem }}
h1 {{ line-height: 1.2; margin-bottom: 0 }} h2 {{ margin-top: 2.5rem }}
a {{ overflow-wrap: anywhere }} code, li {{ overflow-wrap: anywhere }}
header p {{ margin: .3rem 0 }}
.outcome {{ font-size: 1.4rem; margin: 1rem 0 }}
table {{ border-collapse: collapse; width: 100% }}
th {{ font-weight: inherit; text-align: left; padding: .1rem 1rem .1rem 0; white-space: nowrap }}
.codes {{ table-layout: fixed }}
.codes th {{ width: 14rem }} .codes th a {{ color: inherit }}
.codes th, .codes td {{ vertical-align: top; padding: .6rem 1rem .2rem 0 }}
.codes tbody {{ border-top: 1px solid #8886 }}
.codes tr + tr td {{ padding: 0 0 .6rem }}
ul {{ margin: .3rem 0; padding-left: 1.2rem }}
small {{ opacity: .75 }}
summary {{ cursor: pointer }}
.bars td {{ text-align: right; padding-right: 1rem }}
.bars td + td {{ width: 100% }}
.bar {{ background: #47a; height: 1rem }}
.error {{ color: #c22 }} .warning {{ color: #a50 }} .info {{ color: #47a }}
@media (prefers-color-scheme: dark) {{
a {{ color: #8be }}
.error {{ color: #f88 }} .warning {{ color: #eb5 }} .info {{ color: #8be }}
}}
@media (max-width: 45rem) {{
.codes tr, .codes th, .codes td {{ display: block; width: auto; padding: .2rem 0 }}
.codes tbody {{ display: block; padding: .4rem 0 }}
.bars th {{ white-space: normal }}
}}
@media print {{
body {{ max-width: none; margin: 0 }} tr, li {{ break-inside: avoid }}
.bar {{ print-color-adjust: exact }}
}}
</style>
</head>
<body>
<header>
<h1>Sitemap check</h1>
<p>{site}</p>
<p>{about}</p>
<p class="outcome">{outcome}</p>
</header>
{groups}{ages}{left_out}
</body>
</html>
"""


def as_html(result: Result) -> str:
    """Return the page: the site and its counts, the findings of each code, how old pages are."""
    groups = "".join(map(_group, result.groups()))
    site = printable(result.site)
    return _PAGE.format(
        title=escape(f"Sitemap check: {site}" if site else "Sitemap check"),
        site=_link(site, site) if site else "",
        outcome=result.outcome(),
        about=" · ".join(result.heading()),
        groups=f'<table class="codes">\n{groups}</table>\n' if groups else "",
        ages=_histogram("How long ago pages changed", result.ages),
        left_out=_histogram(
            "Pages of the folder that are not to be listed",
            {REASONS[reason]: count for reason, count in result.left_out.items()},
        ),
    )


def _group(group: Group) -> str:
    """Return the rows of a code: what it means with its cure, and its pages below."""
    code, severity, count, findings = group
    kind, url = FINDINGS[code], manual_url(code)
    name = _link(url, code) if url else code
    items = "".join(f"<li>{_item(finding)}</li>\n" for finding in findings)
    more = f"<p>and {count - len(findings):,} more</p>" if count > len(findings) else ""
    cures = [*dict.fromkeys(_text(finding.cure) for finding in findings)][:MOST_CURES]
    return (
        f'<tbody><tr><th><strong class="{severity}">{name}</strong> ({count:,})<br>'
        f"<small>{severity}</small></th>"
        f"<td>{_text(kind.meaning)}</td><td>→ {'<br>→ '.join(cures)}</td></tr>\n"
        f'<tr><td colspan="3"><details open><summary>Where</summary>\n'
        f"<ul>\n{items}</ul>{more}</details></td></tr></tbody>\n"
    )


def _item(finding: Finding) -> str:
    """Return a finding: the page's address, what is wrong with it, and its source."""
    if not finding.url:
        return f"<code>{escape(printable(finding.place))}</code> {_text(finding.problem)}"
    source = f" <small>{_text(finding.source)}</small>" if finding.source else ""
    url = printable(finding.url)
    return f"{_link(url, url)} {_text(finding.about_url)}{source}"


def _text(text: str) -> str:
    """Return a text as HTML; what is between backticks is code."""
    return _CODE.sub(r"<code>\1</code>", escape(printable(text)))


def _link(url: str, text: str) -> str:
    """Return a link, or only its text if the URL is not one of a website."""
    if not url.startswith(("http://", "https://")):
        return escape(text)
    return f'<a rel="noreferrer" href={quoteattr(url)}>{escape(text)}</a>'


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
    return f'<h2>{title}</h2>\n<table class="bars">\n{rows}</table>\n'
