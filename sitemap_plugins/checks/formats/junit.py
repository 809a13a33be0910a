"""JUnit XML: one test case for each code, which fails if there is a finding.

As Jenkins and GitLab read it (https://github.com/testmoapp/junitxml).
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from sitemap_plugins.core.codes import FINDINGS

if TYPE_CHECKING:
    from sitemap_plugins.checks.findings import Finding, Result
    from sitemap_plugins.core.codes import Code

__all__ = ["as_junit"]


def as_junit(result: Result) -> str:
    """Return one test suite; a finding of level info does not fail its case."""
    by_code: dict[Code, list[Finding]] = {code: [] for code in FINDINGS}
    for finding in result.findings:
        by_code[finding.code].append(finding)
    failures = len({code for code, severity in result.numbers if severity != "info"})
    cases = "".join(_case(code, found, result.counts[code]) for code, found in by_code.items())
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites><testsuite name="sitemap-plugins check" tests="{len(FINDINGS)}"'
        f' failures="{failures}">\n{cases}</testsuite></testsuites>\n'
    )


def _case(code: Code, findings: list[Finding], count: int) -> str:
    start = f"<testcase classname={quoteattr('sitemap')} name={quoteattr(code)}"
    if not findings:
        return f"{start}/>\n"
    lines = escape("\n".join(map(str, findings)))
    severity = findings[0].severity  # The worst comes first.
    if severity == "info":
        return f"{start}><system-out>{lines}</system-out></testcase>\n"
    summary = quoteattr(f"{count:,}: {FINDINGS[code].meaning}")
    return f'{start}><failure type="{severity}" message={summary}>{lines}</failure></testcase>\n'
