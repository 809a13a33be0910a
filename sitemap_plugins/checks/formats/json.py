"""JSON: every finding that was kept, and the counts of all."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sitemap_plugins.checks.results import Result

__all__ = ["as_json"]


def as_json(result: Result) -> str:
    """Return one object: `files`, `urls`, `counts` by code, and the list `findings`."""
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
        "files": result.files,
        "urls": result.urls,
        "counts": dict(result.counts),
        "findings": findings,
    }
    return json.dumps(document, indent=2) + "\n"
