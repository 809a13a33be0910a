"""Findings that are known: a file of fingerprints, so that only new ones fail a build."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sitemap_plugins.core.errors import OptionsError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from sitemap_plugins.checks.findings import Finding

__all__ = ["baseline_text", "read_baseline"]


def read_baseline(file: Path) -> frozenset[str]:
    """Return the fingerprints that a baseline holds.

    Raises:
        OptionsError: It cannot be read as one.
    """
    try:
        known = json.loads(file.read_bytes())["known"]
        return frozenset(each["fingerprint"] for each in known)
    except OSError as error:
        problem = f"cannot be read ({error.strerror})"
    except (KeyError, TypeError):
        problem = "is not a baseline, as it has no list `known`"
    except (ValueError, RecursionError) as error:
        problem = f"is not a baseline ({error})"
    raise OptionsError(f"{str(file)!r} {problem}", cure="create it with --write-baseline")


def baseline_text(findings: Iterable[Finding]) -> str:
    """Return a baseline of findings, in a stable order, with what each is for people."""
    known = sorted(
        ({"fingerprint": f.fingerprint, "code": f.code, "url": f.url or f.file} for f in findings),
        key=lambda each: (each["code"], each["url"], each["fingerprint"]),
    )
    return json.dumps({"known": known}, indent=2) + "\n"
