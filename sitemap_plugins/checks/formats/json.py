"""JSON: every finding that was kept, and the counts of all."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sitemap_plugins.checks.findings import Result

__all__ = ["as_json"]

VERSION = 1
"""Of the form of the output: higher once a program that reads it would have to change."""


def as_json(result: Result) -> str:
    """Return one object, as docs/check.schema.json describes it."""
    findings = [
        {
            "code": finding.code,
            "severity": finding.severity,
            "message": finding.text,
            "url": finding.url,
            "file": finding.file,
            "line": finding.line,
            "source": finding.source,
            "fingerprint": finding.fingerprint,
        }
        for finding in result.findings
    ]
    document = {
        "version": VERSION,
        "files": result.files,
        "urls": result.urls,
        "counts": dict(result.counts),
        "findings": findings,
    }
    return json.dumps(document, indent=2) + "\n"
