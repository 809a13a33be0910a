"""Findings as text for programs and for people: one module for each format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemap_plugins.checks.formats.annotations import as_github
from sitemap_plugins.checks.formats.json import as_json
from sitemap_plugins.checks.formats.junit import as_junit
from sitemap_plugins.checks.formats.sarif import as_sarif

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sitemap_plugins.checks.findings import Result

__all__ = ["FORMATS"]

FORMATS: Mapping[str, Callable[[Result], str]] = {
    "json": as_json,
    "junit": as_junit,
    "sarif": as_sarif,
    "github": as_github,
}
"""The formats for programs; people get `text`, which the command line prints."""
