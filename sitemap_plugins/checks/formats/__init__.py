"""Findings as text for programs and for people: one module for each format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemap_plugins.checks.formats.annotations import as_github
from sitemap_plugins.checks.formats.html import as_html
from sitemap_plugins.checks.formats.json import as_json
from sitemap_plugins.checks.formats.junit import as_junit
from sitemap_plugins.checks.formats.markdown import as_markdown
from sitemap_plugins.checks.formats.sarif import as_sarif

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sitemap_plugins.checks.findings import Result

__all__ = ["FORMATS", "as_html", "as_markdown"]

FORMATS: Mapping[str, Callable[[Result], str]] = {
    "json": as_json,
    "junit": as_junit,
    "sarif": as_sarif,
    "github": as_github,
}
"""Each format that a program reads; people get `text`, which the command line prints."""
