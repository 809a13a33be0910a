"""What Pelican wrote and copied → Page records: how it dates and connects its pages.

Pelican gives each page two names that need not agree: `url`, for the links to it, and
`save_as`, the file. Either comes from the author, from a setting, or from a default
that nobody chose.
"""

from __future__ import annotations

import os
import posixpath
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple, cast
from urllib.parse import unquote

from pelican.contents import Article, Content, Static
from pelican.urlwrappers import URLWrapper
from pelican.utils import get_date

from sitemap_plugins.core import urls
from sitemap_plugins.core.codes import Reason
from sitemap_plugins.core.date_values import DateOrDatetime, to_utc
from sitemap_plugins.core.records import Alternate, Page, page_or_bug
from sitemap_plugins.core.url_forms import (
    ERROR_PAGE,
    INDEX,
    PAGE_SUFFIXES,
    forms_of,
    usual_path,
)
from sitemap_plugins.pelican.includes import included_by
from sitemap_plugins.pelican.options import PelicanOptions


@dataclass(frozen=True, slots=True)
class PelicanSite:
    """A site, or a sub-site in another language that i18n_subsites builds below it."""

    settings: Mapping[str, Any]
    """Pelican's settings of this site."""

    output_dir: str
    """The absolute folder of its files, with slashes on every system, as Pelican writes
    them."""

    folder: str = ""
    """Where its URLs begin below the main site's, percent-encoded: `de/`; empty for the
    main."""

    languages: dict[str, str] = field(default_factory=dict)
    """Language of each folder; shared by the main site and its sub-sites."""

    paths: dict[str, str] = field(default_factory=dict)
    """Path of each article and page by its source, once it is made; shared in the same
    way."""

    @classmethod
    def main(cls, settings: Mapping[str, Any]) -> PelicanSite:
        """Return a site that is not below another one."""
        output_dir = _absolute(settings["OUTPUT_PATH"])
        return cls(settings, output_dir, languages={"": settings["DEFAULT_LANG"]})

    @property
    def project_dir(self) -> Path:
        """The folder of the content's folder, absolute.

        Pelican's defaults are relative.
        """
        return Path(self.settings["PATH"]).parent.absolute()

    def below_output(self, save_as: object) -> str:
        """Return where a file is below the output folder, however settings name it.

        The name is resolved as Pelican's writer does: `./a.html` and absolute names of
        files in the output folder are understood.
        """
        return _absolute(self.output_dir, str(save_as)).removeprefix(
            f"{self.output_dir}/"
        )

    def sub_site(self, settings: Mapping[str, Any]) -> PelicanSite | None:
        """Return a site below this one by its `SITEURL`.

        The result is None for a site elsewhere, such as on another host.
        """
        root = f"{self.settings['SITEURL'].rstrip('/')}/"
        address = f"{settings['SITEURL'].rstrip('/')}/"
        if not address.startswith(root):
            return None
        folder = address.removeprefix(root)
        output_dir = _absolute(settings["OUTPUT_PATH"])
        below = posixpath.relpath(output_dir, self.output_dir)
        if not below.startswith("..") and below != unquote(folder).rstrip("/"):
            # The sub-site's files are in another folder than its links say, and only
            # where there are files can a server answer.
            folder = "" if below == "." else urls.percent_encode(f"{below}/")
        self.languages.setdefault(folder, settings["DEFAULT_LANG"])
        return PelicanSite(settings, output_dir, folder, self.languages, self.paths)

    def path(self, save_as: str, *candidates: str) -> str:
        """Return a page's path: the first of the URLs for links that leads to its file.

        If none does, the links to the page are broken, and the path is the file's own.
        Pelican does not encode URLs, so only the file shows whether one is encoded
        already.
        """
        own = {*forms_of(save_as).values()}
        for url in (candidate.lstrip("/") for candidate in candidates):
            if url in own:
                return self.folder + urls.percent_encode(url)
            if "%" in url and unquote(url) in own:
                return self.folder + url
        return self.folder + urls.percent_encode(usual_path(save_as))


def _absolute(*parts: object) -> str:
    # Pelican's own way, which leaves symbolic links as they are.
    return Path(os.path.abspath(Path(*map(str, parts)))).as_posix()  # noqa: PTH100


_KEPT = (
    "tag",
    "category",
    "author",
    "period",
    "page_name",
    "output_file",
    "articles",
    "dates",
    "articles_page",
)
_FOR_ITSELF = frozenset({ERROR_PAGE, "search.html"})
_PERIODS = ("YEAR", "MONTH", "DAY")


class Written(NamedTuple):
    """One file that Pelican wrote from a template."""

    file: str
    """The file in the output folder, absolute."""

    save_as: str
    """The file below the output folder, whatever form the settings name it in."""

    content: Any
    """The article or page that the template was given; None for a page of another
    kind."""

    context: Mapping[str, Any]
    """The template's other values that tell what page this is."""

    @classmethod
    def of(cls, file: str, context: Mapping[str, Any], output_dir: str) -> Written:
        """Keep only a part of the context, which has the whole site."""
        given = (context.get("article"), context.get("page"))
        content = next((each for each in given if isinstance(each, Content)), None)
        save_as = file.removeprefix(f"{output_dir}/")
        return cls(file, save_as, content, {key: context.get(key) for key in _KEPT})

    @property
    def overrides(self) -> bool:
        """Whether the author named the file: Pelican then writes nothing else to it."""
        named = getattr(self.content, "override_save_as", None)
        return named is not None and named == self.context["output_file"]

    @property
    def is_page(self) -> bool:
        """Whether it is a page, not robots.txt, a feed or a server's `_redirects`."""
        suffix = _suffix(self.save_as)
        return suffix in PAGE_SUFFIXES or (not suffix and self.content is not None)


def read_static_pages(files: Iterable[Static], site: PelicanSite) -> Iterator[Page]:
    """Yield the HTML files of a site that Pelican copies as they are."""
    for file in files:
        if _suffix(str(file.source_path)) in PAGE_SUFFIXES:
            name = file.relative_source_path or str(file.source_path)
            yield page_or_bug(name, partial(_static, file, name, site))


def find_source(
    files: Iterable[Static], site: PelicanSite
) -> Callable[[str], Path | None]:
    """Return a function that finds a copied file's source by its name in the output."""

    @cache  # Only the option `files` asks, so most builds never look.
    def sources() -> Mapping[str, Path]:
        content = site.settings["PATH"]
        return {
            site.below_output(file.save_as): Path(content, file.source_path)
            for file in files
        }

    return lambda name: sources().get(name)


def reason_of_other_html(name: str) -> Reason:
    """Return why an HTML file that Pelican's writer did not write is left out."""
    return "generated" if name in _FOR_ITSELF else "static"


def _static(file: Static, name: str, site: PelicanSite) -> Page:
    save_as = site.below_output(file.save_as)
    return Page(
        path=site.path(save_as),
        name=name,
        output_file=Path(site.output_dir, save_as),
        sources=(Path(site.settings["PATH"], file.source_path),),
        exclude_reason=reason_of_other_html(save_as),
    )


def read_pages(
    written: Collection[Written], site: PelicanSite, options: PelicanOptions
) -> Iterator[Page]:
    """Yield the pages of one site, including those to leave out.

    The site's locale must be set.
    """
    reader = _PageReader(site, options)
    templates = Counter(id(item.content) for item in written)
    for item in written:
        if item.is_page:
            read = partial(reader.page, item, is_alone=templates[id(item.content)] == 1)
            yield page_or_bug(site.folder + item.save_as, read)


def describe_contents(
    contents: Iterable[Content], site: PelicanSite, options: PelicanOptions
) -> Iterator[tuple[Content, Page]]:
    """Yield articles and pages with what dates them, before they are written."""
    reader = _PageReader(site, options)
    for content in contents:
        read = partial(reader.dated, content)
        yield content, page_or_bug(str(content.source_path), read)


class _PageReader:
    """Describes the pages of one site."""

    def __init__(self, site: PelicanSite, options: PelicanOptions) -> None:
        self.site = site
        self.options = options
        self.settings = site.settings
        self._paths: dict[int, str] = {}
        self._lists: dict[int, tuple[str, ...]] = {}
        self._direct_urls: dict[str, str] = {}
        """URL of each page in `DIRECT_TEMPLATES`, by its file."""
        for template in self.settings["DIRECT_TEMPLATES"]:
            name = template.upper()
            save_as = site.below_output(
                self.settings.get(f"{name}_SAVE_AS", f"{template}.html")
            )
            # Themes link to the front page as `SITEURL/`: there is no `INDEX_URL` by
            # default.
            url = self.settings.get(f"{name}_URL", usual_path(save_as))
            self._direct_urls[save_as] = str(url)

    def page(self, item: Written, *, is_alone: bool) -> Page:
        """Describe one page.

        `is_alone` if no other template was given its article or page.

        Plugins pass contents to templates of other files too, such as
        pelican-redirect's redirects.
        """
        content = item.content
        # Pelican formats the name of a file anew each time, which takes longer than all
        # the rest.
        if content is None:
            return self._index(item)
        if is_alone or str(content.save_as) == item.context["output_file"]:
            return self._content(content, item)
        return self._index(item)

    def _content(self, content: Any, item: Written) -> Page:  # noqa: ANN401 Pelican has no types
        """Describe an article or a page."""
        options = self.options
        metadata = content.metadata
        kind = "articles" if isinstance(content, Article) else "pages"
        # `dated` comes first: it notes the page's path from `save_as`, which otherwise
        # Pelican would format again.
        dated = self.dated(content, item.save_as)
        reason = self._exclude_reason(content, item.save_as)
        alternates = self._translations(content) if reason is None else ()
        changefreq = metadata.get("changefreq") or options.changefreqs.get(kind)
        priority = metadata.get("priority") or options.priorities.get(kind)
        return replace(
            dated,
            output_file=Path(item.file),
            alternates=alternates,
            changefreq=changefreq,
            priority=priority,
            exclude_reason=reason,
        )

    def dated(self, content: Any, save_as: str = "") -> Page:  # noqa: ANN401
        """Describe what dates an article or page, whether it is written or not."""
        metadata = dict(content.metadata)
        # `_authors_date` judges this key, which `DEFAULT_DATE` can have set.
        metadata.pop("modified", None)
        included = included_by(content)
        sources: tuple[Path, ...] = ()
        if content.source_path:  # Plugins make articles without a file.
            sources = (Path(content.source_path),)
        return Page(
            path=self._path(content, save_as),
            name=content.relative_source_path or save_as,
            sources=sources,
            included=included.files,
            unknown=included.unknown,
            modified=self._authors_date(content, "modified"),
            published=self._authors_date(content, "date"),
            metadata=metadata,
        )

    def _path(self, content: Any, save_as: str = "") -> str:  # noqa: ANN401
        """Return the path of an article or page, which is made once.

        `save_as` is the page's file below the output folder; if it is empty, Pelican
        formats the name.
        """
        path = self._paths.get(id(content))
        if path is None:
            file = save_as or self.site.below_output(content.save_as)
            path = self.site.path(file, str(content.url))
            self._paths[id(content)] = path
        return path

    def _exclude_reason(self, content: Any, save_as: str) -> Reason | None:  # noqa: ANN401
        if content.status == "draft":
            return "draft"
        if str(content.metadata.get("private")).lower() == "true":
            return "private"
        if content.status == "hidden":
            # A hidden page is in no menu (Pelican's manual, "Pages"). A home page needs
            # no menu, and is wanted, unless it only stands in for a translation.
            is_wanted = self.options.hidden or save_as == INDEX
            if not is_wanted or self._is_copy(content):
                return "hidden"
        elif content.status != "published":
            return "hidden"
        return "generated" if save_as == ERROR_PAGE else None

    def _translations(self, content: Any) -> tuple[Alternate, ...]:  # noqa: ANN401
        """Return the versions described so far.

        The version that is described last has links to all of them.

        Each site notes the paths of its own contents. The URLs of other sites' contents
        would not do: in this site's run they differ from those in the other's run.
        """
        # With two contents in one language, it is unclear which is the version.
        if self._is_copy(content) or _rivals(content):
            return ()
        paths = self.site.paths
        paths[content.source_path] = self._path(content)
        if not content.translations:
            return ()
        found = []
        for version in (content, *content.translations):
            path = paths.get(version.source_path)
            if path is not None:
                found.append(Alternate(language=version.lang, path=path))
        return tuple(found)

    def _is_copy(self, content: Any) -> bool:  # noqa: ANN401
        """Tell whether this site shows a content untranslated.

        The original is on another site.
        """
        own = self.site.languages[self.site.folder].lower()
        language = content.lang.lower()
        others = {each.lower() for each in self.site.languages.values()} - {own}
        return language in others

    def _index(self, item: Written) -> Page:
        """Describe a page that lists articles, or one made from a template alone."""
        site = self.site
        path = site.path(item.save_as, *self._index_urls(item))
        sources = tuple(self._template_files(item.save_as))
        front_pages = self._front_pages() if path == site.folder else ()
        reason: Reason | None = "generated" if item.save_as in _FOR_ITSELF else None
        return Page(
            path=path,
            name=site.folder + item.save_as,
            output_file=Path(item.file),
            sources=sources,
            lists=self._listed(item.context),
            alternates=front_pages,
            changefreq=self.options.changefreqs.get("indexes"),
            priority=self.options.priorities.get("indexes"),
            exclude_reason=reason,
        )

    def _listed(self, context: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the paths of the articles that the template of a list can show.

        Each page of a divided list is given the articles of all of them.
        """
        # Only lists of articles have one of these.
        if context["page_name"] is None and context["period"] is None:
            return ()
        contents = context["articles"]
        paths = self._lists.get(id(contents))
        if paths is None:
            known = [each for each in contents or () if isinstance(each, Content)]
            paths = tuple(map(self._path, known))
            self._lists[id(contents)] = paths
        return paths

    def _front_pages(self) -> tuple[Alternate, ...]:
        """Return the front page of each language, if there are several."""
        found = []
        for folder, language in self.site.languages.items():
            found.append(Alternate(language=language, path=folder))
        return tuple(found) if len(found) > 1 else ()

    def _template_files(self, save_as: str) -> Iterator[Path]:
        """Yield the templates of `TEMPLATE_PAGES` that are written to a file."""
        for name, target in self.settings["TEMPLATE_PAGES"].items():
            if self.site.below_output(target) == save_as:
                yield Path(self.settings["PATH"], name)

    def _index_urls(self, item: Written) -> tuple[str, ...]:
        """Return the URLs that links may use for a page of a list, likeliest first."""
        context = item.context
        page = context["articles_page"]
        from_pattern = (str(page.url),) if page else ()
        for key in ("tag", "category", "author"):
            if isinstance(context[key], URLWrapper):
                return (str(context[key].url), *from_pattern)
        if isinstance(context["period"], tuple) and context["dates"]:
            period = _PERIODS[len(context["period"]) - 1]
            url = str(self.settings[f"{period}_ARCHIVE_URL"])
            return (url.format(date=context["dates"][0].date), *from_pattern)
        direct = self._direct_urls.get(item.save_as)
        return from_pattern if direct is None else (direct, *from_pattern)

    def _authors_date(self, content: Any, key: str) -> DateOrDatetime | None:  # noqa: ANN401
        """Return a date of the metadata, unless `DEFAULT_DATE` put it there.

        Pelican reads a day as its midnight in the site's zone, which can be the day
        before in UTC.
        """
        value = content.metadata.get(key)
        if value is None or value == self._default_date(content):
            return None
        if value.tzinfo is None and value.time() == time():
            return date(value.year, value.month, value.day)
        # Dates are converted once here, as lists compare the dates of their articles.
        return to_utc(getattr(content, key))

    def _default_date(self, content: Any) -> datetime | None:  # noqa: ANN401
        """Return Pelican's default for a missing date, without a time zone."""
        default = self.settings.get("DEFAULT_DATE")
        if default == "fs":  # The time of the file.
            file = Path(content.source_path or "")
            if not file.is_file():  # Plugins make articles without one.
                return None
            return datetime.fromtimestamp(file.stat().st_mtime)  # noqa: DTZ006
        if isinstance(default, str):
            return cast("datetime", get_date(default))
        return datetime(*default) if default else None  # noqa: DTZ001


def _rivals(content: Any) -> list[Any]:  # noqa: ANN401
    """Return what Pelican treats as translations of a content, in its own language."""
    return [other for other in content.translations if other.lang == content.lang]


def _suffix(name: str) -> str:
    return os.path.splitext(name)[1]  # noqa: PTH122 many times as fast as a Path
