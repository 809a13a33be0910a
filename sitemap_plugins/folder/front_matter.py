"""The front matter of a page's source, which no generator hands over here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sitemap_plugins.core.records import NO_METADATA
from sitemap_plugins.core.untrusted_files import read_beginning
from sitemap_plugins.folder.read_data import parse_toml, parse_yaml

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["read_front_matter"]

MOST_BYTES = 64 * 1024
"""Bytes of a source that are read."""

_MARKDOWN = {".md", ".markdown", ".mdx", ".qmd", ".myst"}
_YAML = re.compile(r"---[ \t]*\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TOML = re.compile(r"\+\+\+[ \t]*\n(.*?\n)\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL)
# docutils, "Bibliographic Fields": a field list that comes first.
_FIELD_LIST = re.compile(r"(?:\s*\n)?((?::[\w-]+:[^\n]*\n)+)")
_FIELD = re.compile(r":([\w-]+):[ \t]*([^\n]*)\n")


def read_front_matter(source: Path) -> tuple[Mapping[str, object], str]:
    """Return what a source's author wrote above the text, and why it cannot be read.

    YAML or TOML in Markdown, a field list in reStructuredText. Empty if there is nothing; the
    reason is empty if it can be read.
    """
    suffix = source.suffix.lower()
    if suffix not in {*_MARKDOWN, ".rst"} or not (text := _beginning(source)):
        return NO_METADATA, ""
    if suffix == ".rst":
        fields = _FIELD_LIST.match(text)
        return (dict(_FIELD.findall(fields[1])) if fields else NO_METADATA), ""
    try:
        if found := _YAML.match(text):
            return parse_yaml(f"\n{found[1]}", {}), ""  # The lines are numbered from the first.
        if found := _TOML.match(text):
            return parse_toml(f"\n{found[1]}"), ""
    except ValueError as error:
        return NO_METADATA, str(error)
    return NO_METADATA, ""


def _beginning(source: Path) -> str:
    try:
        text = read_beginning(source, max_bytes=MOST_BYTES).decode("utf-8-sig", "replace")
    except OSError:
        return ""
    return text.replace("\r\n", "\n")
