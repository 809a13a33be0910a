"""SARIF 2.1.0, within GitHub's limits.

https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from sitemap_plugins import __version__
from sitemap_plugins.core.codes import FINDINGS, manual_url

if TYPE_CHECKING:
    from sitemap_plugins.checks.findings import Finding, Result
    from sitemap_plugins.core.codes import Code

__all__ = ["as_sarif"]

MOST_RESULTS = 5_000
"""Results of one run that GitHub shows."""

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def as_sarif(result: Result) -> str:
    """Return one run; the place of a result is the page's source, if it is known."""
    codes = list(dict.fromkeys(finding.code for finding in result.findings))
    driver = {
        "name": "sitemap-plugins",
        "version": __version__,
        "rules": [_rule(code) for code in codes],
    }
    results = [_result(f, codes.index(f.code)) for f in result.findings[:MOST_RESULTS]]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(code: Code) -> dict[str, Any]:
    kind, url = FINDINGS[code], manual_url(code)
    return {
        "id": code,
        "shortDescription": {"text": kind.meaning},
        "help": {"text": kind.cure},
        **({"helpUri": url} if url else {}),
        "defaultConfiguration": {"level": _LEVELS[kind.severity]},
    }


def _result(finding: Finding, rule: int) -> dict[str, Any]:
    # Relative to the repository and percent-encoded, or GitHub shows no file.
    in_repository = {
        "uri": quote(os.fsencode(finding.source or finding.file or ".")),
        "uriBaseId": "%SRCROOT%",
    }
    physical: dict[str, Any] = {
        "artifactLocation": {"uri": finding.file} if finding.is_fetched else in_repository,
        "region": {"startLine": 1 if finding.source else max(1, finding.line)},
    }
    return {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.text},
        "locations": [{"physicalLocation": physical}],
        "partialFingerprints": {"primaryLocationLineHash": finding.fingerprint},
    }
