"""What Pelican wrote → Page records: how it names, dates and connects its pages.

A page of Pelican has two names: `url`, which the site's links use, and `save_as`, the file. Both
come from settings, from metadata, or from a default that is nobody's word.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from pelican.utils import get_date

from sitemap_plugins.core import urls
from sitemap_plugins.core.pages import Alternate, Page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sitemap_plugins.pelican_options import PelicanOptions

__all__ = ["Site", "Written", "pages"]

_KEPT = (
    *("article", "page", "tag", "category", "author", "period", "page_name"),
    *("output_file", "articles", "dates", "articles_page"),
)
_PAGE_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".shtml", ".php"})
_FOR_ITSELF = frozenset({"404.html", "search.html"})
_PERIODS = ("YEAR", "MONTH", "DAY")


@dataclass(frozen=True, slots=True)
class Site:
    """A site, or one of the sub-sites in other languages that i18n_subsites builds below it."""

    settings: Mapping[str, Any]
    """Pelican's settings of this site."""

    folder: str = ""
    """Where its URLs begin below the main site's, percent-encoded: `de/`; empty for the main."""

    languages: dict[str, str] = field(default_factory=dict)
    """Language of each folder; one mapping for the main site and its sub-sites."""

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
        return Site(settings, folder, self.languages)

    def path(self, url: str, save_as: str) -> str:
        """Return the path of a page from the URL that the site's links use, and from its file.

        Pelican takes a URL as it is, so only the file tells whether it is encoded already.
        """
        url, save_as = url.lstrip("/"), save_as.lstrip("/")
        encoded = "%" in url and _names(unquote(url), save_as) and not _names(url, save_as)
        path = self.folder + (url if encoded else urls.percent_encode(url))
        # i18n_subsites 1.0 names pages of other languages relative to this site: "../about.html".
        if "./" not in path:
            return path
        slash = "/" if path.endswith("/") else ""
        return f"{normpath(path)}{slash}".removeprefix("./")


@dataclass(frozen=True, slots=True)
class Written:
    """One file that Pelican wrote from a template."""

    file: Path
    """The file in the output folder."""

    context: Mapping[str, Any]
    """Of what the template was given, that which says what page this is."""

    @classmethod
    def of(cls, file: str, context: Mapping[str, Any]) -> Written:
        """Keep what is needed of a context, which holds the whole site."""
        return cls(Path(file), {key: context.get(key) for key in _KEPT})

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

    def of(self, content: Any) -> str:  # noqa: ANN401 Pelican has no types.
        if (path := self.made.get(id(content))) is None:
            path = self.made[id(content)] = self.site.path(content.url, str(content.save_as))
        return path


def pages(written: Iterable[Written], site: Site, options: PelicanOptions) -> Iterator[Page]:
    """Yield the pages of one site, those not to be listed too, while its locale is set."""
    paths = _Paths(site)
    for item in written:
        content = item.content
        suffix = PurePosixPath(item.context["output_file"]).suffix
        if suffix not in _PAGE_SUFFIXES and (suffix or content is None):
            continue  # robots.txt, a feed, JSON, a server's `_redirects`.
        if content is None:
            kind, page = "indexes", _index(item, paths)
        else:
            kind = "articles" if item.context["article"] else "pages"
            page = _content(item, paths, content)
        own: Mapping[str, Any] = page.metadata
        yield replace(
            page,
            changefreq=own.get("changefreq") or options.changefreqs.get(kind),
            priority=own.get("priority") or options.priorities.get(kind),
        )


def _content(item: Written, paths: _Paths, content: Any) -> Page:  # noqa: ANN401
    """Return an article or a page."""
    path = paths.of(content)
    versions = {content.lang: path} | {
        other.lang: paths.of(other) for other in content.translations
    }
    reason = None if content.status == "published" else "hidden"
    if str(content.metadata.get("private")).lower() == "true":
        reason = "hidden"
    return Page(
        path=path,
        name=content.relative_source_path or item.context["output_file"],
        output_file=item.file,
        sources=(Path(content.source_path),) if content.source_path else (),
        modified=_authors_date(content, "modified", paths.site),
        published=_authors_date(content, "date", paths.site),
        alternates=_alternates(versions),
        metadata=content.metadata,
        left_out="draft" if content.status == "draft" else reason,
    )


def _index(item: Written, paths: _Paths) -> Page:
    """Return a page that lists articles, or one made from a template alone."""
    site, context = paths.site, item.context
    save_as = context["output_file"]
    url = _index_url(context, site.settings) or _without_index(save_as)
    shown = context["articles_page"]
    lists = context["page_name"] is not None or context["period"] is not None
    articles = shown.object_list if shown else (context["articles"] or () if lists else ())
    templates = site.settings["TEMPLATE_PAGES"].items()
    # The sub-sites have the same direct templates, each in its own language.
    same = shown is None or shown.number == 1
    main = Site(site.settings)
    versions = {
        language: folder + main.path(url, save_as) for folder, language in site.languages.items()
    }
    return Page(
        path=site.path(url, save_as),
        name=site.folder + save_as,
        output_file=item.file,
        sources=tuple(Path(site.settings["PATH"], name) for name, to in templates if to == save_as),
        derived_from=tuple(paths.of(article) for article in articles),
        alternates=_alternates(versions) if same and _is_direct(context) else (),
        left_out="generated" if save_as in _FOR_ITSELF else None,
    )


def _index_url(context: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Return the URL that the site's links use; empty where no setting says it."""
    save_as, page = context["output_file"], context["articles_page"]
    if page is not None and page.number > 1:
        return str(page.url)
    wrapper = context["tag"] or context["category"] or context["author"]
    if wrapper is not None:
        return str(wrapper.url if str(wrapper.save_as) == save_as else page.url if page else "")
    if context["period"] is not None:
        url = settings[f"{_PERIODS[len(context['period']) - 1]}_ARCHIVE_URL"]
        return str(url).format(date=context["dates"][0].date)
    for template in settings["DIRECT_TEMPLATES"]:
        name = template.upper()
        if settings.get(f"{name}_SAVE_AS", f"{template}.html") == save_as:
            url = str(settings.get(f"{name}_URL", ""))
            # The defaults of `ARCHIVES_URL` and its kind stay when only `…_SAVE_AS` is set.
            return url if _names(url, save_as) else ""
    return ""


def _is_direct(context: Mapping[str, Any]) -> bool:
    wrapper = context["tag"] or context["category"] or context["author"]
    return context["page_name"] is not None and wrapper is None


def _names(url: str, save_as: str) -> bool:
    """Tell whether servers find the file at the URL."""
    found = {f"{url}index.html", f"{url}/index.html", f"{url}.html", url}
    return save_as in found


def _without_index(save_as: str) -> str:
    """Return a file's URL as themes link to it: the front page as `SITEURL/`."""
    return (
        save_as.removesuffix("index.html")
        if PurePosixPath(save_as).name == "index.html"
        else save_as
    )


def _alternates(versions: Mapping[str, str]) -> tuple[Alternate, ...]:
    if len(set(versions.values())) < 2:
        return ()
    return tuple(Alternate(language=language, path=path) for language, path in versions.items())


def _authors_date(content: Any, key: str, site: Site) -> datetime | None:  # noqa: ANN401
    """Return a date of the metadata, unless the setting `DEFAULT_DATE` put it there."""
    value = content.metadata.get(key)
    default = site.settings.get("DEFAULT_DATE")
    if value is None:
        return None
    if default == "fs":
        default = datetime.fromtimestamp(Path(content.source_path).stat().st_mtime)  # noqa: DTZ006
    elif default:
        default = get_date(default) if isinstance(default, str) else datetime(*default)  # noqa: DTZ001
    return None if value == default else getattr(content, key)
