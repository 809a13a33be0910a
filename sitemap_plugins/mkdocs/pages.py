"""MkDocs files → Page records, with what third-party plugins know about a page; and its date back.

None of these plugins is imported: they add attributes to the files and pages of MkDocs.
Dates get the names that git-revision-date-localized gives them, as Material and other
themes show these.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as HostPage
from mkdocs.utils.meta import get_data

from sitemap_plugins.core.codes import Reason
from sitemap_plugins.core.date_values import DateOrDatetime, format_date, to_utc
from sitemap_plugins.core.messages import Notice
from sitemap_plugins.core.pages.front_matter import published
from sitemap_plugins.core.records import Alternate, Page, page_or_bug
from sitemap_plugins.core.url_forms import ERROR_PAGE, HTML_SUFFIXES
from sitemap_plugins.mkdocs.includes import Includes


def read_pages(
    builds: Iterable[Files], includes: Includes, config: MkDocsConfig
) -> Collection[Page]:
    """Return each page of all builds of a site once, in the order of the files.

    Drafts are among them, and HTML files that MkDocs only copies (with the reason
    `static`).
    """
    pages: dict[tuple[str, str], Page] = {}
    for page in (
        page for files in builds for page in _of_one_build(files, includes, config)
    ):
        # static-i18n builds the default language twice if it is not the first (1.3).
        pages.setdefault((page.name, page.path), page)
    return pages.values()


def find_source(
    builds: Iterable[Files], config: MkDocsConfig
) -> Callable[[str], Path | None]:
    """Return a function that finds the source of a copied file by its name in the output folder."""

    @cache  # Only the option `files` asks, so most builds never look.
    def sources() -> Mapping[str, Path]:
        return {
            file.dest_uri: source
            for files in builds
            for file in files
            if not file.is_documentation_page()
            for source in _sources(file, config)
        }

    return lambda name: sources().get(name)


def _of_one_build(
    files: Files, includes: Includes, config: MkDocsConfig
) -> Iterator[Page]:
    published = {file.src_uri for file in files.documentation_pages()}
    for file in files.static_pages():
        if file.inclusion.is_included() and _is_own_html(file, config):
            yield page_or_bug(file.src_uri, partial(_static_page, file))
    for file in files.documentation_pages(inclusion=lambda _: True):
        # Excluded files have no page; drafts have one in `mkdocs serve`, blog drafts
        # always.
        if file.page is None:
            continue
        if file.src_uri not in published:
            # An excluded file that the nav lists has a page, but MkDocs does not write
            # it.
            excluded = config.exclude_docs
            is_excluded = excluded is not None and excluded.match_file(file.src_uri)
            reason: Reason = "not-built" if is_excluded else "draft"
            yield Page(path=url_path(file), name=file.src_uri, exclude_reason=reason)
        else:
            yield page_or_bug(
                file.src_uri, partial(_page, file, file.page, includes, config)
            )


def _page(file: File, page: HostPage, includes: Includes, config: MkDocsConfig) -> Page:
    included = includes.of(page)
    sources = tuple(
        _sources(file, config, edited=includes.edited.get(file.src_uri, ""))
    )
    # `--dirty` does not read every page.
    metadata = (
        page.meta if page.markdown is not None else get_data(file.content_string)[1]
    )
    return Page(
        path=url_path(file),
        name=file.src_uri,
        exclude_reason="generated" if file.dest_uri == ERROR_PAGE else None,
        output_file=Path(file.abs_dest_path),
        sources=sources,
        included=tuple(map(Path, included.files)),
        unknown=included.unknown,
        is_generated=not sources,
        published=published(metadata),
        # Material's blog: index pages have the posts that they list.
        lists=tuple(url_path(post.file) for post in getattr(page, "posts", ())),
        alternates=tuple(_alternates(file)),
        metadata=metadata,
    )


def _is_own_html(file: File, config: MkDocsConfig) -> bool:
    """Tell whether a copied file is HTML of the site, not of a theme inside `docs_dir`."""
    source = Path(file.abs_src_path or "")
    themes = (Path(folder).absolute() for folder in config.theme.dirs)
    return source.suffix in HTML_SUFFIXES and not any(
        map(source.is_relative_to, themes)
    )


def _static_page(file: File) -> Page:
    return Page(
        path=url_path(file),
        name=file.src_uri,
        exclude_reason="generated" if file.dest_uri == ERROR_PAGE else "static",
        output_file=Path(file.abs_dest_path),
        sources=(Path(file.abs_src_path),) if file.abs_src_path else (),
    )


def url_path(file: File) -> str:
    """Return the `Page.path` of the page that MkDocs makes of a file."""
    return "" if file.url in {".", "./"} else file.url


def _sources(file: File, config: MkDocsConfig, *, edited: str = "") -> Iterator[Path]:
    """Yield the page's own source; for a generated page, the file that its edit link names.

    `edited` is what gen-files knows of that file, relative to `docs_dir` or the
    project's folder.
    """
    own = Path(file.abs_src_path or "")
    project = (Path(config.docs_dir), Path(config.config_file_path).absolute().parent)
    # Plugins write pages to temporary folders; those files are as new as the build.
    if file.generated_by is None and any(map(own.is_relative_to, project)):
        yield own
        return
    if (
        not edited
        and file.page
        and file.page.edit_url
        and config.repo_url
        and config.edit_uri
    ):
        repository = (
            config.repo_url if config.edit_uri[0] in "?#" else f"{config.repo_url}/"
        )
        folder, link = (
            urlsplit(url)
            for url in (urljoin(repository, config.edit_uri), file.page.edit_url)
        )
        if link.netloc == folder.netloc:
            edited = posixpath.relpath(unquote(link.path), unquote(folder.path))
    found = (top / edited for top in project if edited and (top / edited).is_file())
    yield from islice(found, 1)


def _alternates(file: File) -> Iterator[Alternate]:
    """Yield the translations that static-i18n knows, without those that only show another one."""
    if _is_translation(file):
        for language, other in getattr(file, "alternates", {}).items():
            if _is_translation(other):
                yield Alternate(language=language, path=url_path(other))


def _is_translation(file: File) -> bool:
    return getattr(file, "locale", None) == getattr(file, "locale_alternate_of", None)


RIVALS = ("git-revision-date-localized", "document-dates")
"""Plugins that show dates of their own. The first gives themes the values that this module does; of
the second, MaterialX's template of the sitemap takes its dates."""

NAME = "git_revision_date_localized"
"""Its name for a page's date in the page's metadata."""

_AUTHORS = "revision_date"
"""The author's own text for the date, which Material shows in its place."""

_CLASSES = f"{RIVALS[0]}-plugin {RIVALS[0]}-plugin-date"
"""What style sheets know its dates by."""


def shows_other_dates(config: MkDocsConfig) -> str:
    """Return the other plugin that shows its own dates; empty for none."""
    for name in RIVALS:
        options = getattr(config.plugins.get(name), "config", {"enabled": False})
        if options.get("enabled", True) and options.get("show_updated", True):
            return name
    return ""


def about_other_dates(plugin: str) -> Notice:
    """Return the notice that the other plugin's dates are shown."""
    shown = f"the pages show the dates of the plugin {plugin}"
    problem = f"{shown}, which can differ from the sitemap's"
    return Notice(
        "other-dates", problem, cure="remove that plugin, or set page_dates to false"
    )


def show_dates(
    files: Files, dates: Mapping[str, DateOrDatetime], config: MkDocsConfig
) -> None:
    """Give each page of a build its date, by `Page.path`; one without shows none."""
    for file in files.documentation_pages(inclusion=lambda _: True):
        if (page := file.page) is None:
            continue
        date = dates.get(url_path(file))
        page.update_date = "" if date is None else format_date(date, "date")
        if date is not None and _AUTHORS not in page.meta:
            page.meta = {**_values(date, _language(file, config)), **page.meta}


def _values(date: DateOrDatetime, language: str) -> dict[str, str]:
    """Return the date as the other plugin's `date`, and in its forms without markup."""
    moment, day = format_date(date), format_date(date, "date")
    text = _localized(date, language) or day
    time = moment[len("2004-12-23T") : len("2004-12-23T18:00:15")]
    return {
        NAME: f'<time class="{_CLASSES}" datetime="{moment}" title="{moment}">{text}</time>',
        f"{NAME}_raw_date": text,
        f"{NAME}_raw_datetime": f"{text} {time}".rstrip(),
        f"{NAME}_raw_iso_date": day,
        f"{NAME}_raw_iso_datetime": f"{day} {time}".rstrip(),
    }


def _localized(date: DateOrDatetime, language: str) -> str:
    """Return the day in words; empty without Babel, or in a language that it does not know.

    Material brings Babel; MkDocs alone does not.
    """
    try:
        from babel import Locale, UnknownLocaleError, dates  # noqa: PLC0415 slow, and not needed by most
    except ImportError:
        return ""
    try:
        return dates.format_date(
            to_utc(date), "long", Locale.parse(language.replace("-", "_"))
        )
    except (ValueError, UnknownLocaleError):
        return ""


def _language(file: File, config: MkDocsConfig) -> str:
    """Return a page's language: from static-i18n, its front matter, or the theme."""
    theme: Any = config.theme
    of_page = getattr(file, "locale", None) or (
        file.page and file.page.meta.get("locale")
    )
    return str(of_page or theme.get("language") or theme.get("locale") or "en")
