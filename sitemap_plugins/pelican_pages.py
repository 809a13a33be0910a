"""What Pelican wrote → Page records: how it names, dates and connects its pages.

Pelican gives each page two names that need not agree: `url`, for the links to it, and `save_as`,
the file. Either comes from the author, from a setting, or from a default that is nobody's word.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import unquote

from pelican.utils import get_date

from sitemap_plugins.core import urls
from sitemap_plugins.core.pages import ERROR_PAGE, Alternate, Page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sitemap_plugins.pelican_options import PelicanOptions

__all__ = ["Site", "Written", "pages"]

_KEPT = (
    *("article", "page", "tag", "category", "author", "period", "page_name"),
    *("output_file", "articles", "dates", "articles_page"),
)
_PAGE_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".shtml", ".php"})
_FOR_ITSELF = frozenset({ERROR_PAGE, "search.html"})
_PERIODS = ("YEAR", "MONTH", "DAY")


@dataclass(frozen=True, slots=True)
class Site:
    """A site, or one of the sub-sites in other languages that i18n_subsites builds below it."""

    settings: Mapping[str, Any]
    """Pelican's settings of this site."""

    folder: str = ""
    """Where its URLs begin below the main site's, percent-encoded: `de/`; empty for the main."""

    languages: dict[str, str] = field(default_factory=dict)
    """Language of each folder; shared by the main site and its sub-sites."""

    paths: dict[str, str] = field(default_factory=dict)
    """Path of each article and page by its source, once it is made; shared in the same way."""

    @classmethod
    def main(cls, settings: Mapping[str, Any]) -> Site:
        """Return a site that is not below another one."""
        return cls(settings, languages={"": settings["DEFAULT_LANG"]})

    def sub_site(self, settings: Mapping[str, Any]) -> Site | None:
        """Return a site below this one by its `SITEURL`; None for one elsewhere, say a host."""
        root, address = (f"{each['SITEURL'].rstrip('/')}/" for each in (self.settings, settings))
        if not address.startswith(root):
            return None
        folder = address.removeprefix(root)
        self.languages.setdefault(folder, settings["DEFAULT_LANG"])
        return Site(settings, folder, self.languages, self.paths)

    def path(self, save_as: str, *candidates: str) -> str:
        """Return a page's path: the first of the URLs for links that leads to its file.

        Where none does, the links to the page are broken, and the path is the file's own. Pelican
        takes a URL as it is, so only the file tells whether it is encoded already.
        """
        save_as = save_as.lstrip("/")
        for url in (candidate.lstrip("/") for candidate in candidates):
            if _leads_to(url, save_as):
                return self.folder + urls.percent_encode(url)
            if "%" in url and _leads_to(unquote(url), save_as):
                return self.folder + url
        return self.folder + urls.percent_encode(_for_links(save_as))


@dataclass(frozen=True, slots=True)
class Written:
    """One file that Pelican wrote from a template."""

    file: str
    """The file in the output folder, absolute."""

    context: Mapping[str, Any]
    """Of what the template was given, that which says what page this is."""

    @classmethod
    def of(cls, file: str, context: Mapping[str, Any]) -> Written:
        """Keep what is needed of a context, which holds the whole site."""
        return cls(file, {key: context.get(key) for key in _KEPT})

    @property
    def content(self) -> Any:  # noqa: ANN401 Pelican has no types
        """The article or page; None for a page of another kind."""
        return self.context["article"] or self.context["page"]

    @property
    def overrides(self) -> bool:
        """Whether its author named the file, which Pelican then writes nothing else to."""
        return hasattr(self.content, "override_save_as")


@dataclass(slots=True)
class _Paths:
    """Paths of articles and pages, each made once: Pelican formats a URL anew each time."""

    site: Site
    made: dict[int, str] = field(default_factory=dict)

    def of(self, content: Any, save_as: str = "") -> str:  # noqa: ANN401
        if (path := self.made.get(id(content))) is None:
            path = self.site.path(save_as or str(content.save_as), str(content.url))
            self.made[id(content)] = path
        return path


def pages(written: Iterable[Written], site: Site, options: PelicanOptions) -> Iterator[Page]:
    """Yield the pages of one site, those not to be listed too, while its locale is set."""
    paths = _Paths(site)
    for item in written:
        suffix = PurePosixPath(item.context["output_file"]).suffix
        if item.content is not None and suffix in {"", *_PAGE_SUFFIXES}:
            yield _content(item, paths, options)
        elif suffix in _PAGE_SUFFIXES:  # Others are robots.txt, a feed, a server's `_redirects`.
            yield _index(item, paths, options)


def _content(item: Written, paths: _Paths, options: PelicanOptions) -> Page:
    """Return an article or a page."""
    content = item.content
    metadata = content.metadata
    kind = "articles" if item.context["article"] else "pages"
    reason = None
    if content.status != "published" or str(metadata.get("private")).lower() == "true":
        reason = "draft" if content.status == "draft" else "hidden"
    elif item.context["output_file"] == ERROR_PAGE:
        reason = "generated"
    return Page(
        path=paths.of(content, item.context["output_file"]),
        name=content.relative_source_path or item.context["output_file"],
        output_file=Path(item.file),
        sources=(Path(content.source_path),) if content.source_path else (),
        modified=_authors_date(content, "modified", paths.site),
        published=_authors_date(content, "date", paths.site),
        alternates=_translations(content, paths) if reason is None else (),
        changefreq=metadata.get("changefreq") or options.changefreqs.get(kind),
        priority=metadata.get("priority") or options.priorities.get(kind),
        metadata=metadata,
        left_out=reason,
    )


def _translations(content: Any, paths: _Paths) -> tuple[Alternate, ...]:  # noqa: ANN401
    """Return the versions that are made so far: one link ties two pages, and the last is made.

    Not by the versions' own URLs: in another site's run they are not what that site will use.
    """
    site = paths.site
    language = site.languages[site.folder].lower()
    sites = {each.lower() for each in site.languages.values()}
    if content.lang.lower() != language and content.lang.lower() in sites:
        return ()  # A copy for readers of this sub-site; the original is in its own language's.
    site.paths[content.source_path] = paths.of(content)
    versions = (content, *content.translations) if content.translations else ()
    return tuple(
        Alternate(language=version.lang, path=site.paths[version.source_path])
        for version in versions
        if version.source_path in site.paths
    )


def _index(item: Written, paths: _Paths, options: PelicanOptions) -> Page:
    """Return a page that lists articles, or one made from a template alone."""
    site, context = paths.site, item.context
    save_as, shown = context["output_file"], context["articles_page"]
    lists = context["page_name"] is not None or context["period"] is not None
    articles = shown.object_list if shown else context["articles"] if lists else None
    templates = site.settings["TEMPLATE_PAGES"].items()
    path = site.path(save_as, *_index_urls(context, site.settings))
    return Page(
        path=path,
        name=site.folder + save_as,
        output_file=Path(item.file),
        sources=tuple(Path(site.settings["PATH"], name) for name, to in templates if to == save_as),
        derived_from=tuple(paths.of(article) for article in articles or ()),
        alternates=_front_pages(site) if path == site.folder else (),
        changefreq=options.changefreqs.get("indexes"),
        priority=options.priorities.get("indexes"),
        left_out="generated" if save_as in _FOR_ITSELF else None,
    )


def _front_pages(site: Site) -> tuple[Alternate, ...]:
    versions = site.languages.items() if len(site.languages) > 1 else ()
    return tuple(Alternate(language=language, path=folder) for folder, language in versions)


def _index_urls(context: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the URLs that the site's links may use for a page of a list, likeliest first."""
    page = context["articles_page"]
    from_pattern = (str(page.url),) if page else ()
    wrapper = context["tag"] or context["category"] or context["author"]
    if wrapper is not None:
        return (str(wrapper.url), *from_pattern)
    if context["period"] is not None:
        url = str(settings[f"{_PERIODS[len(context['period']) - 1]}_ARCHIVE_URL"])
        return (url.format(date=context["dates"][0].date), *from_pattern)
    save_as = context["output_file"]
    for template in settings["DIRECT_TEMPLATES"]:
        name = template.upper()
        if settings.get(f"{name}_SAVE_AS", f"{template}.html") == save_as:
            # Themes link to the front page as `SITEURL/`: there is no `INDEX_URL` by default.
            return (str(settings.get(f"{name}_URL", _for_links(save_as))), *from_pattern)
    return from_pattern


def _leads_to(url: str, save_as: str) -> bool:
    """Tell whether servers find the file at the URL."""
    return save_as in {url, f"{url}index.html", f"{url}/index.html", f"{url}.html"}


def _for_links(save_as: str) -> str:
    """Return a file's own URL, its folder's where it is the index."""
    file = PurePosixPath(save_as)
    return save_as.removesuffix(file.name) if file.name == "index.html" else save_as


def _authors_date(content: Any, key: str, site: Site) -> datetime | None:  # noqa: ANN401
    """Return a date of the metadata, unless the setting `DEFAULT_DATE` put it there."""
    value = content.metadata.get(key)
    if value is None or value == _default_date(content, site):
        return None
    return cast("datetime", getattr(content, key))


def _default_date(content: Any, site: Site) -> datetime | None:  # noqa: ANN401
    """Return what Pelican takes for a date that its author left out; without a zone, as it does."""
    default = site.settings.get("DEFAULT_DATE")
    if default == "fs":
        file = Path(content.source_path or "")  # Plugins make articles without a file.
        return datetime.fromtimestamp(file.stat().st_mtime) if file.is_file() else None  # noqa: DTZ006
    if isinstance(default, str):
        return cast("datetime", get_date(default))
    return datetime(*default) if default else None  # noqa: DTZ001
