"""HTML files of this build that plugins wrote themselves, not by Pelican's writer.

Pelican tells nobody of them, so they are looked for in the output folder.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from sitemap_plugins.core.choice.other_files import files_below
from sitemap_plugins.core.records import Page, page_or_bug
from sitemap_plugins.core.url_forms import HTML_SUFFIXES
from sitemap_plugins.pelican.pages import PelicanSite, reason_of_other_html


def read_other_html(
    known: Collection[str], site: PelicanSite, began: datetime
) -> Iterator[Page]:
    """Yield the HTML files that were written since `began`, without the known ones.

    Files are in the order of their names, each with the reason why it is left out.
    `known` are absolute paths with slashes.
    """
    folder = Path(site.output_dir)
    for name in sorted(files_below(folder)):
        if not name.endswith(HTML_SUFFIXES) or f"{site.output_dir}/{name}" in known:
            continue
        file = folder / name
        if _is_written_since(file, began):
            yield page_or_bug(name, partial(_describe, name, file, site))


def _is_written_since(file: Path, began: datetime) -> bool:
    try:
        seconds = file.stat().st_mtime
    except OSError:  # A link that leads nowhere.
        return False
    # Some file systems keep whole seconds.
    return datetime.fromtimestamp(seconds, UTC) >= began.replace(microsecond=0)


def _describe(name: str, file: Path, site: PelicanSite) -> Page:
    return Page(
        path=site.path(name),
        name=name,
        output_file=file,
        is_generated=True,
        exclude_reason=reason_of_other_html(name),
    )
