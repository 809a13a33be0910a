"""Findings as text, for programs and for people."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from importlib.resources import files
from string import Template
from typing import Any
from urllib.parse import quote

from sitemap_plugins import __version__
from sitemap_plugins.core import codes, urls
from sitemap_plugins.core.codes import Code
from sitemap_plugins.core.messages import printable
from sitemap_plugins.core.publishing.xml import escaped
from sitemap_plugins.findings.records import CodeGroup, Finding, Result

EXAMPLES = 3
"""Findings that an annotation names."""

_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def as_github(result: Result) -> str:
    """Return a line for each code, at the place of its first finding."""
    return "".join(_command(group, result) for group in result.groups())


def _command(group: CodeGroup, result: Result) -> str:
    code, severity, count, findings = group
    lines = [*map(str, findings[:EXAMPLES])]
    more = count - len(lines)
    if more > 0:
        lines.append(f"and {more:,} more")
    text = _data("\n".join(lines))
    meaning = codes.findings()[code].meaning
    title = _property(f"{code}: {meaning}")
    place = _place_for_github(findings[0], result)
    command = _COMMANDS[severity]
    return f"::{command} {place}title={title}::{text}\n"


def _place_for_github(finding: Finding, result: Result) -> str:
    """Return the file and the line, if they are in the repository."""
    if finding.is_fetched:
        return ""
    place = f"file={_property(printable(_file(finding, result)))},"
    if finding.line and not finding.source:
        place += f"line={finding.line},"
    return place


def _file(finding: Finding, result: Result) -> str:
    """Return the file of the repository to look at, for GitHub."""
    if finding.source or not finding.file:
        return finding.source
    return result.folder + finding.file


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


VERSION = 1
"""The version of the output's form, which is higher once a program that reads it would
have to change."""

_FIELDS = {"code": "code", "severity": "severity", "message": "text"} | {
    name: name for name in ("url", "file", "line", "source", "fingerprint")
}
"""The field of a finding for each key."""


def as_json(result: Result) -> str:
    """Return one object, as docs/check.schema.json describes it."""
    document = {
        "version": VERSION,
        "files": result.files,
        "urls": result.urls,
        "counts": dict(result.counts),
        "findings": [_as_object(finding) for finding in result.findings],
    }
    return json.dumps(document, indent=2) + "\n"


def _as_object(finding: Finding) -> dict[str, object]:
    return {key: getattr(finding, field) for key, field in _FIELDS.items()}


def as_junit(result: Result) -> str:
    """Return one test suite; a finding of level info does not fail its case."""
    by_code: dict[Code, list[Finding]] = {code: [] for code in codes.findings()}
    for finding in result.findings:
        by_code[finding.code].append(finding)
    failures = len({code for code, severity in result.numbers if severity != "info"})
    cases = "".join(
        _case(code, found, result.counts[code]) for code, found in by_code.items()
    )
    number = len(codes.findings())
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites><testsuite name="sitemap-plugins check" tests="{number}"'
        f' failures="{failures}">\n{cases}</testsuite></testsuites>\n'
    )


def _case(code: Code, findings: list[Finding], count: int) -> str:
    start = f'<testcase classname="sitemap" name="{code}"'
    if not findings:
        return f"{start}/>\n"
    lines = escaped("\n".join(map(str, findings)))
    severity = findings[0].severity  # The worst comes first.
    if severity == "info":
        return f"{start}><system-out>{lines}</system-out></testcase>\n"
    summary = escaped(f"{count:,}: {codes.findings()[code].meaning}")
    failure = f'<failure type="{severity}" message="{summary}">{lines}</failure>'
    return f"{start}>{failure}</testcase>\n"


MAX_RESULTS = 5_000
"""Results of one run that GitHub shows."""

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def as_sarif(result: Result) -> str:
    """Return one run; the place of a result is the page's source, if it is known."""
    found = list(dict.fromkeys(finding.code for finding in result.findings))
    driver = {
        "name": "sitemap-plugins",
        "version": __version__,
        "rules": [*map(_rule, found)],
    }
    results = []
    for finding in result.findings[:MAX_RESULTS]:
        rule = found.index(finding.code)
        results.append(_result(finding, rule, file=_file(finding, result)))
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=2) + "\n"


def _rule(code: Code) -> dict[str, Any]:
    kind = codes.findings()[code]
    return {
        "id": code,
        "shortDescription": {"text": kind.meaning},
        "help": {"text": kind.cure},
        "defaultConfiguration": {"level": _LEVELS[kind.severity]},
    }


def _result(finding: Finding, rule: int, *, file: str) -> dict[str, Any]:
    # Relative to the repository and percent-encoded, or GitHub shows no file.
    artifact = {"uri": quote(os.fsencode(file or ".")), "uriBaseId": "%SRCROOT%"}
    if finding.is_fetched:
        artifact = {"uri": finding.file}
    line = 1 if finding.source else max(1, finding.line)
    physical = {"artifactLocation": artifact, "region": {"startLine": line}}
    fingerprints = {"primaryLocationLineHash": finding.fingerprint}
    return {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.text},
        "locations": [{"physicalLocation": physical}],
        "partialFingerprints": fingerprints,
    }


_SUMMARY_EXAMPLES = 10
"""Findings of one code that are listed: GitHub shows at most 1 MiB."""

_MARKUP = re.compile(r"""[]\\`*_{}<>()#!|~@&$:"'^[]""")
"""Characters that mean something in a cell or an attribute; a colon, in `https://`."""


def as_markdown(result: Result) -> str:
    """Return the site, its counts, and a table of codes with pages and cures."""
    about = filter(None, (_link(result.site), *result.heading()))
    lines = [f"**Sitemap check: {result.outcome()}**", "", " · ".join(about)]
    rows = [*map(_row, result.groups())]
    if rows:
        lines += ["", "| finding | where | what to do |", "|---|---|---|", *rows]
    return "\n".join(lines) + "\n\n"


def _row(group: CodeGroup) -> str:
    code, severity, count, findings = group
    shown = findings[:_SUMMARY_EXAMPLES]
    places = [*map(_place, shown)]
    if count > len(shown):
        places.append(f"and {count - len(shown):,} more")
    cures = dict.fromkeys(_literal(finding.cure) for finding in shown)
    meaning = codes.findings()[code].meaning
    cells = (
        f"{severity} `{code}` ({count:,})<br>{meaning}",
        "<br>".join(places),
        "<br>".join(cures),
    )
    return f"| {' | '.join(cells)} |"


def _place(finding: Finding) -> str:
    if not finding.url:
        return f"<code>{_literal(finding.place)}</code> {_literal(finding.problem)}"
    return f"{_link(finding.url)} {_literal(finding.about_url)}"


def _link(url: str) -> str:
    text = _literal(url)
    return f'<a href="{text}">{text}</a>' if urls.is_web(url) else text


def _literal(text: str) -> str:
    """Return a stranger's text as Markdown that means only itself.

    The result can stand in a cell or an attribute. CommonMark 0.31.2, section 2.5:
    references "cannot be used in place of symbols indicating structure".
    """
    return _MARKUP.sub(lambda found: f"&#{ord(found[0])};", printable(text))


MAX_CURES = 3
"""Cures of one code that are shown, if its findings have cures of their own."""

_CODE = re.compile("`([^`]+)`")


def as_html(result: Result) -> str:
    """Return the page: the site, its counts, each code's findings, pages' ages."""
    site = printable(result.site)
    title = "Sitemap check"
    link = ""
    if site:
        title += f": {site}"
        link = _html_link(site, site)
    groups = "".join(map(_group, result.groups()))
    if groups:
        groups = f'<table class="codes">\n{groups}</table>\n'
    reasons = codes.reasons()
    left_out = {reasons[reason]: count for reason, count in result.left_out.items()}
    of_left_out = _histogram("Pages of the folder that are not to be listed", left_out)
    template = files(__package__).joinpath("report.html").read_text("utf-8")
    return Template(template).substitute(
        title=escaped(title),
        site=link,
        outcome=result.outcome(),
        about=" · ".join(result.heading()),
        groups=groups,
        ages=_histogram("How long ago pages changed", result.ages),
        left_out=of_left_out,
    )


def _group(group: CodeGroup) -> str:
    """Return the rows of a code: what it means with its cure, and its pages below."""
    code, severity, count, findings = group
    kind = codes.findings()[code]
    items = "".join(f"<li>{_item(finding)}</li>\n" for finding in findings)
    others = count - len(findings)
    more = f"<p>and {others:,} more</p>" if others > 0 else ""
    cures = [*dict.fromkeys(_text(finding.cure) for finding in findings)][:MAX_CURES]
    meaning = _text(kind.meaning)
    cure = "<br>→ ".join(cures)
    return (
        f'<tbody><tr><th><strong class="{severity}">{code}</strong> ({count:,})<br>'
        f"<small>{severity}</small></th>"
        f"<td>{meaning}</td><td>→ {cure}</td></tr>\n"
        f'<tr><td colspan="3"><details open><summary>Where</summary>\n'
        f"<ul>\n{items}</ul>{more}</details></td></tr></tbody>\n"
    )


def _item(finding: Finding) -> str:
    """Return a finding: the page's address, what is wrong with it, and its source."""
    if not finding.url:
        place = escaped(printable(finding.place))
        return f"<code>{place}</code> {_text(finding.problem)}"
    source = f" <small>{_text(finding.source)}</small>" if finding.source else ""
    url = printable(finding.url)
    return f"{_html_link(url, url)} {_text(finding.about_url)}{source}"


def _text(text: str) -> str:
    """Return a text as HTML; what is between backticks is code."""
    return _CODE.sub(r"<code>\1</code>", escaped(printable(text)))


def _html_link(url: str, text: str) -> str:
    """Return a link, or only its text if the URL is not one of a website."""
    if not urls.is_web(url):
        return escaped(text)
    return f'<a rel="noreferrer" href="{escaped(url)}">{escaped(text)}</a>'


def _histogram(title: str, counts: Mapping[str, int]) -> str:
    """Return a heading and a table with a bar for each count; empty without counts."""
    most = max(counts.values(), default=0)
    if not most:
        return ""
    rows = ""
    for name, count in counts.items():
        bar = f'<div class="bar" style="width: {100 * count / most:.1f}%"></div>'
        cells = f"<th>{_text(name)}</th><td>{count:,}</td><td>{bar}</td>"
        rows += f"<tr>{cells}</tr>\n"
    return f'<h2>{title}</h2>\n<table class="bars">\n{rows}</table>\n'


FORMATS: Mapping[str, Callable[[Result], str]] = {
    "json": as_json,
    "junit": as_junit,
    "sarif": as_sarif,
    "github": as_github,
}
"""The formats for programs; people get `text`, which the command line prints."""
