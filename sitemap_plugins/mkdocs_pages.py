"""MkDocs files → Page records, with what third-party plugins know of a page.

No such plugin is imported: each leaves its marks on the files and pages of MkDocs.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.utils.meta import get_data

from sitemap_plugins.core.pages import ERROR_PAGE, Alternate, Page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from mkdocs.structure.files import File, Files
    from mkdocs.structure.pages import Page as HostPage

__all__ = ["pages"]


def pages(builds: Iterable[Files]) -> Iterator[Page]:
    """Yield each page of all builds of a site once, drafts too, in the order of the files; lazy."""
    seen = set()
    for page in (page for files in builds for page in _of_one_build(files)):
        # static-i18n builds the default language twice where it is not the first (1.3).
        if (page.name, page.path) not in seen:
            seen.add((page.name, page.path))
            yield page


def _of_one_build(files: Files) -> Iterator[Page]:
    included = {file.src_uri for file in files.documentation_pages()}
    for file in files.documentation_pages(inclusion=lambda _: True):
        # Excluded files have no page; drafts have one in `mkdocs serve`, blog drafts always.
        if file.page is None:
            continue
        if file.src_uri not in included:
            yield Page(path=_path(file), name=file.src_uri, left_out="draft")
            continue
        generated = file.generated_by is not None or file.abs_src_path is None
        metadata = _metadata(file.page)
        published, modified = _dates(metadata)
        yield Page(
            path=_path(file),
            name=file.src_uri,
            left_out="generated" if file.dest_uri == ERROR_PAGE else None,
            output_file=Path(file.abs_dest_path),
            sources=() if generated else (Path(file.abs_src_path or ""),),
            modified=modified,
            published=published,
            # The views of Material's blog have the posts that they list.
            derived_from=tuple(_path(post.file) for post in getattr(file.page, "posts", ())),
            alternates=tuple(_alternates(file)),
            metadata=metadata,
        )


def _path(file: File) -> str:
    return "" if file.url in {".", "./"} else file.url


def _metadata(page: HostPage) -> Mapping[str, object]:
    """Return the front matter, of pages too that `--dirty` did not read."""
    return page.meta if page.markdown is not None else get_data(page.file.content_string)[1]


def _dates(metadata: Mapping[str, object]) -> tuple[date | None, date | None]:
    """Return when a page was published and when updated, as Material's blog lets authors say."""
    said = metadata.get("date")
    dates = said if isinstance(said, dict) else {"created": said}
    published, modified = (
        value if isinstance(value := dates.get(name), date) else None
        for name in ("created", "updated")
    )
    return published, modified


def _alternates(file: File) -> Iterator[Alternate]:
    """Yield the translations that static-i18n knows of; the default's text in place is none."""
    if _is_translation(file):
        for language, other in getattr(file, "alternates", {}).items():
            if _is_translation(other):
                yield Alternate(language=language, path=_path(other))


def _is_translation(file: File) -> bool:
    return getattr(file, "locale", None) == getattr(file, "locale_alternate_of", None)
