"""MkDocs files → Page records, with what other plugins know of a page; its date back.

None of these plugins is imported: they add attributes to the files and pages of MkDocs.
Dates get the names that git-revision-date-localized gives them, as Material and other
themes show these.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page as HostPage
from mkdocs.utils.meta import get_data

from sitemap_plugins.core.choice.front_matter import published
from sitemap_plugins.core.codes import Reason
from sitemap_plugins.core.date_values import DateOrDatetime, format_date, to_utc
from sitemap_plugins.core.messages import Notice
from sitemap_plugins.core.records import Alternate, Page, page_or_bug
from sitemap_plugins.core.url_forms import ERROR_PAGE, HTML_SUFFIXES
from sitemap_plugins.mkdocs.includes import Includes
from sitemap_plugins.mkdocs.other_programs import has_no_true_date


def read_pages(
    builds: Iterable[Files], includes: Includes, config: MkDocsConfig
) -> Collection[Page]:
    """Return each page of all builds of a site once, in the order of the files.

    Drafts are among them, and HTML files that MkDocs only copies (with the reason
    `static`).
    """
    pages: dict[tuple[str, str], Page] = {}
    for files in builds:
        for page in _of_one_build(files, includes, config):
            # static-i18n builds the default language twice if it is not the first
            # (1.3).
            pages.setdefault((page.name, page.path), page)
    return pages.values()


def find_source(
    builds: Iterable[Files], config: MkDocsConfig
) -> Callable[[str], Path | None]:
    """Return a function that finds the source of a copied file.

    The function takes the file's name in the output folder.
    """

    @cache  # Only the option `files` asks, so most builds never look.
    def sources() -> Mapping[str, Path]:
        found = {}
        for files in builds:
            for file in files:
                if file.is_documentation_page():
                    continue
                for source in _sources(file, config):
                    found[file.dest_uri] = source
        return found

    return lambda name: sources().get(name)


def _of_one_build(
    files: Files, includes: Includes, config: MkDocsConfig
) -> Iterator[Page]:
    published = {file.src_uri for file in files.documentation_pages()}
    for file in files.static_pages():
        if file.inclusion.is_included() and _is_own_html(file, config):
            yield page_or_bug(file.src_uri, partial(_static_page, file))
    # Also files that MkDocs leaves out, of which drafts are described.
    for file in files.documentation_pages(inclusion=lambda _: True):
        page = file.page
        if page is not None and file.src_uri in published:
            describe = partial(_page, file, page, includes, config)
            yield page_or_bug(file.src_uri, describe)
        # Drafts have a page in `mkdocs serve`, those of blogs always. Files that
        # `exclude_docs` names have none, unless the nav lists them.
        elif page is not None or file.inclusion is InclusionLevel.DRAFT:
            yield Page(
                path=url_path(file),
                name=file.src_uri,
                sources=_sources(file, config),
                exclude_reason=_why_not_published(file, config),
            )


def _why_not_published(file: File, config: MkDocsConfig) -> Reason:
    # An excluded file that the nav lists has a page, but MkDocs does not write it.
    excluded = config.exclude_docs
    if excluded is not None and excluded.match_file(file.src_uri):
        return "not-built"
    return "draft"


def _page(file: File, page: HostPage, includes: Includes, config: MkDocsConfig) -> Page:
    included = includes.of(page)
    own = _sources(file, config, edited=includes.edited.get(file.src_uri, ""))
    if own and own[0].suffix == ".py" and included.excerpts:
        own = ()  # A generated page, which shows less of the module.
    metadata = page.meta
    if page.markdown is None:  # `--dirty` does not read every page.
        _, metadata = get_data(file.content_string)
    reason: Reason | None = "generated" if file.dest_uri == ERROR_PAGE else None
    unknown = included.unknown or _why_undated(file, config)
    # Long: each field by its name.
    return Page(
        path=url_path(file),
        name=file.src_uri,
        exclude_reason=reason,
        output_file=Path(file.abs_dest_path),
        sources=own,
        included=tuple(map(Path, included.files)),
        excerpts=included.excerpts,
        unknown=unknown,
        is_generated=not own,
        published=published(metadata),
        lists=tuple(url_path(other.file) for other in _listed(page, config)),
        alternates=tuple(_alternates(file)),
        metadata=metadata,
    )


def _listed(page: HostPage, config: MkDocsConfig) -> Iterator[HostPage]:
    """Yield the pages that a list of Material's can show: of posts, or by tags."""
    # Each page of a view of the blog has the posts of the whole view.
    yield from getattr(page, "posts", ())
    tags: Any = config.plugins.get("material/tags")
    listings = getattr(tags, "listings", None) or ()
    if page in [listing.page for listing in listings]:
        for mapping in tags.mappings:
            yield mapping.item


def _why_undated(file: File, config: MkDocsConfig) -> str:
    if has_no_true_date(config, file):
        return "is in the `exclude` of git-revision-date-localized"
    return ""


def _is_own_html(file: File, config: MkDocsConfig) -> bool:
    """Tell whether a copied file is HTML of the site, not of a theme in `docs_dir`."""
    source = Path(file.abs_src_path or "")
    if source.suffix not in HTML_SUFFIXES:
        return False
    themes = [Path(folder).absolute() for folder in config.theme.dirs]
    return not any(map(source.is_relative_to, themes))


def _static_page(file: File) -> Page:
    sources = [Path(file.abs_src_path)] if file.abs_src_path else []
    return Page(
        path=url_path(file),
        name=file.src_uri,
        exclude_reason="generated" if file.dest_uri == ERROR_PAGE else "static",
        output_file=Path(file.abs_dest_path),
        sources=tuple(sources),
    )


def url_path(file: File) -> str:
    """Return the `Page.path` of the page that MkDocs makes of a file."""
    return "" if file.url in {".", "./"} else file.url


def _sources(file: File, config: MkDocsConfig, *, edited: str = "") -> tuple[Path, ...]:
    """Return the page's own source; of a generated page, what its edit link names.

    The result is empty if the source is not known. `edited` is the source that
    gen-files names, relative to `docs_dir` or the project's folder.
    """
    own = Path(file.abs_src_path or "")
    project = [Path(config.docs_dir), Path(config.config_file_path).absolute().parent]
    # Plugins write pages to temporary folders; those files are as new as the build.
    if file.generated_by is None and any(map(own.is_relative_to, project)):
        return (own,)
    edited = edited or _by_edit_link(file, config)
    if not edited:
        return ()
    for folder in project:
        if (folder / edited).is_file():
            return (folder / edited,)
    return ()


def _by_edit_link(file: File, config: MkDocsConfig) -> str:
    """Return the file that a page's edit link names; empty for none."""
    link = file.page and file.page.edit_url
    if not (link and config.repo_url and config.edit_uri):
        return ""
    repository = config.repo_url
    # MkDocs joins the two in this way.
    if config.edit_uri[0] not in "?#":
        repository += "/"
    folder = urlsplit(urljoin(repository, config.edit_uri))
    place = urlsplit(link)
    if place.netloc != folder.netloc:
        return ""
    return posixpath.relpath(unquote(place.path), unquote(folder.path))


def _alternates(file: File) -> Iterator[Alternate]:
    """Yield the translations that static-i18n knows.

    A translation that only shows another one is skipped.
    """
    if not _is_translation(file):
        return
    for language, other in getattr(file, "alternates", {}).items():
        if _is_translation(other):
            yield Alternate(language=language, path=url_path(other))


def _is_translation(file: File) -> bool:
    # static-i18n also shows a page of another language where a translation is missing.
    return getattr(file, "locale", None) == getattr(file, "locale_alternate_of", None)


RIVALS = ("git-revision-date-localized", "document-dates")
"""Plugins that show dates of their own. The first gives themes the values that this
module does; of the second, MaterialX's template of the sitemap takes its dates."""

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
    cure = "remove that plugin, or set page_dates to false"
    return Notice("other-dates", problem, cure)


def show_dates(
    files: Files, dates: Mapping[str, DateOrDatetime], config: MkDocsConfig
) -> None:
    """Give each page of a build its date, by `Page.path`; one without shows none."""
    for file in files.documentation_pages(inclusion=lambda _: True):
        page = file.page
        if page is None:
            continue
        date = dates.get(url_path(file))
        if date is None:
            page.update_date = ""
            continue
        page.update_date = format_date(date, "date")
        if _AUTHORS not in page.meta:
            values = _values(date, _language(file, config))
            page.meta = {**values, **page.meta}


def _values(date: DateOrDatetime, language: str) -> dict[str, str]:
    """Return the date as the other plugin's `date`, and in its forms without markup."""
    moment = format_date(date)
    day = format_date(date, "date")
    text = _localized(date, language) or day
    time = moment[len("2004-12-23T") : len("2004-12-23T18:00:15")]
    start = f'<time class="{_CLASSES}" datetime="{moment}" title="{moment}">'
    raw = {
        "date": text,
        "datetime": f"{text} {time}".rstrip(),
        "iso_date": day,
        "iso_datetime": f"{day} {time}".rstrip(),
    }
    values = {f"{NAME}_raw_{form}": value for form, value in raw.items()}
    return {NAME: f"{start}{text}</time>", **values}


def _localized(date: DateOrDatetime, language: str) -> str:
    """Return the day in words; empty without Babel, or in a language unknown to it.

    Material brings Babel; MkDocs alone does not.
    """
    try:
        # Slow, and not needed by most.
        from babel import Locale, UnknownLocaleError, dates  # noqa: PLC0415
    except ImportError:
        return ""
    try:
        locale = Locale.parse(language.replace("-", "_"))
        return dates.format_date(to_utc(date), "long", locale)
    except (ValueError, UnknownLocaleError):
        return ""


def _language(file: File, config: MkDocsConfig) -> str:
    """Return a page's language: from static-i18n, its front matter, or the theme."""
    theme: Any = config.theme
    language = getattr(file, "locale", None)
    if not language and file.page:
        language = file.page.meta.get("locale")
    return str(language or theme.get("language") or theme.get("locale") or "en")
