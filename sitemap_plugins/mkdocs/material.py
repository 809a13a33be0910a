"""What Material for MkDocs does with the sitemap: its script reads sitemap.xml in the browser.

It takes each `<loc>` for a page that it may load in place, preview, or look for in another
language or version. It reads no other file, and no index (Material 9.8).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mkdocs.config.defaults import MkDocsConfig

    from sitemap_plugins.core.codes import Reason
    from sitemap_plugins.core.records import Report

__all__ = ["disabled_features"]

# Reasons to leave out a page that other pages of the site still link to.
_LINKED: tuple[Reason, ...] = ("front-matter", "noindex", "canonical", "excluded", "robots")


def disabled_features(config: MkDocsConfig, report: Report) -> str:
    """Return in one sentence what does not work in the browser, and why; empty if all does."""
    features = ", ".join(_features(config))
    left_out = [name for reason in _LINKED for name in report.left_out.get(reason, ())]
    if not features or not report.listed:
        return ""
    if report.filename != "sitemap.xml":
        cause = ": it reads only sitemap.xml: remove `filename`"
    elif any(file.name.startswith("sitemap-") for file in report.files):
        cause = ": sitemap.xml is an index of parts, which it does not read"
    elif left_out:
        more = f" and {len(left_out) - 1} more" if left_out[1:] else ""
        cause = f" on links to pages that are left out: {left_out[0]}{more}"
    else:
        return ""
    return f"Material cannot use the sitemap for {features}{cause}"


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
    version = config.extra.get("version")
    if isinstance(version, dict) and version.get("provider") == "mike":
        yield "the version selector"
