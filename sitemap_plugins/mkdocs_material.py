"""What Material for MkDocs does with the sitemap: its script reads sitemap.xml in the browser.

It takes each `<loc>` for a page that it may load in place, preview, or look for in another
language or version. It reads no other file, and no index (Material 9.8).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mkdocs.config.defaults import MkDocsConfig

    from sitemap_plugins.core.pages import Report

__all__ = ["limitation"]

# Reasons to leave out a page that is part of the site, and that others link to.
_LINKED = ("author", "noindex", "canonical", "excluded", "robots")


def limitation(config: MkDocsConfig, report: Report) -> str:
    """Say in one sentence what does not work in the browser, and why; nothing if all does."""
    features = ", ".join(_features(config))
    left_out = [name for reason in _LINKED for name in report.left_out.get(reason, ())]
    if not features or not report.listed:
        return ""
    if report.filename != "sitemap.xml":
        cause = ": it reads sitemap.xml and no other file: take out `filename`"
    elif any(file.name == "sitemap-1.xml" for file in report.files):
        cause = ": sitemap.xml is an index of parts, which it does not read"
    elif left_out:
        more = f" and {len(left_out) - 1} more" if left_out[1:] else ""
        cause = f" on the way to pages that are left out: {left_out[0]}{more}"
    else:
        return ""
    return f"Material has to do without {features}{cause}"


def _features(config: MkDocsConfig) -> Iterator[str]:
    """Yield what reads the sitemap in the browser, as Material's manual calls it."""
    if config.theme.name != "material":
        return
    switched_on = config.theme.get("features") or ()
    if "navigation.instant" in switched_on:
        yield "instant navigation"
    previews = "material.extensions.preview" in config.markdown_extensions
    if previews or "navigation.instant.preview" in switched_on:
        yield "instant previews"
    if config.extra.get("alternate"):
        yield "the language selector"
    if config.extra.get("version"):
        yield "the version selector"
