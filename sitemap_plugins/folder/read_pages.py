"""The built files of a folder → Page records, with front matter and languages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sitemap_plugins.core import urls
from sitemap_plugins.core.choice.front_matter import published
from sitemap_plugins.core.codes import Reason
from sitemap_plugins.core.date_values import DateOrDatetime
from sitemap_plugins.core.html.head import HeadMeta
from sitemap_plugins.core.languages import X_DEFAULT, is_language
from sitemap_plugins.core.records import (
    NO_METADATA,
    Alternate,
    Included,
    Metadata,
    Page,
)
from sitemap_plugins.core.untrusted_files import is_file, read_beginning
from sitemap_plugins.core.url_forms import ERROR_PAGE, INDEX, Files
from sitemap_plugins.folder.page_marks import Built
from sitemap_plugins.folder.project_files import ProjectFiles
from sitemap_plugins.folder.read_data import parse_toml
from sitemap_plugins.folder.sources import Sources

# What generators write for themselves, if a file of theirs in the same folder (group 1)
# proves that they built the site there.
_GENERATED = {
    # Sphinx.
    "searchindex.js": re.compile(
        r"""
        (.*?/)??
        (?:
            (?: genindex(?:-[^/]*)? | search | [^/]*-?modindex )
            (?: \.html | /index\.html )
          | (?: _static | _modules | _sources ) /.*
        )
        """,
        re.VERBOSE,
    ),
    # MkDocs' own themes.
    "search/search_index.json": re.compile(r"(.*/)?search\.html"),
}
_IN_FOLDER = f"/{INDEX}"
_ERROR_PAGES = {ERROR_PAGE, ERROR_PAGE.removesuffix(".html")}
# Search engines' proofs of ownership are not pages.
_PROOF = re.compile(r"google[0-9a-f]{16}\.html|yandex_[0-9a-f]{16}\.html")

MAX_BYTES = 64 * 1024
"""Bytes of a source in which front matter is looked for."""

_MARKDOWN = {".md", ".markdown", ".mdx", ".qmd", ".myst", ".html"}
_YAML = re.compile(r"---[ \t]*\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TOML = re.compile(r"\+\+\+[ \t]*\n(.*?\n)\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL)
# docutils, "Bibliographic Fields": a field list that comes first.
_FIELD_LIST = re.compile(r"(?:\s*\n)?((?::[\w-]+:[^\n]*\n)+)")
_FIELD = re.compile(r":([\w-]+):[ \t]*([^\n]*)\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReader:
    """Describes the pages of one folder; all mappings are by the built file's name."""

    site_dir: Path

    paths: Mapping[str, str]
    """Percent-encoded, relative to the site's root."""

    project_files: ProjectFiles
    """The files among which sources are looked for."""

    sources: Sources

    included: Mapping[str, Included]
    """What pages include; absent where that is nothing."""

    copied: frozenset[str]
    """The files that the generator only copied."""

    alternates: Mapping[str, tuple[Alternate, ...]]

    modified: Mapping[str, DateOrDatetime]
    """The dates of change that pages give themselves, if they can be trusted."""

    def pages(self, built: Sequence[Built]) -> Iterator[Page]:
        """Yield a page for each file, also what generators write for themselves."""
        for page in built:
            reason: Reason | None = None
            if self._is_error_page(page.name) or self._is_generated(page.name):
                reason = "generated"
            elif page.name in self.copied:
                reason = "static"
            yield self._page(page.name, page.marks.head, reason)

    def _is_generated(self, name: str) -> bool:
        """Tell whether an HTML file is no page, but made for a program to read.

        A generator made the file for its own scripts, if a file that only the generator
        writes is beside it; or the file proves to a search engine who owns the site.
        """
        if _PROOF.fullmatch(name):
            return True
        for mark, pattern in _GENERATED.items():
            found = pattern.fullmatch(name)
            if found and is_file(self.site_dir / (found[1] or "") / mark):
                return True
        return False

    def _is_error_page(self, name: str) -> bool:
        """Tell whether a file is what a server shows for a missing page.

        Such a file is beside the home page of the site, of a language, or of a site in
        a folder that has a sitemap; elsewhere it can be a page about errors.
        """
        folder, slash, file = name.removesuffix(_IN_FOLDER).rpartition("/")
        if file not in _ERROR_PAGES:
            return False
        if not folder:
            return True
        is_site = is_language(folder.rpartition("/")[2])
        is_site = is_site or any((self.site_dir / folder).glob("sitemap*.xml"))
        return is_site and f"{folder}{slash}{INDEX}" in self.paths

    def _source(self, name: str) -> Path | None:
        source = self.sources.by_page.get(name)
        return self.project_files.root / source if source else None

    def _page(
        self, name: str, head: HeadMeta | None, exclude_reason: Reason | None
    ) -> Page:
        file = self._source(name)
        included = self.included.get(name, Included())
        # If the source is known, git's date is better than the page's own.
        modified = None if file else self.modified.get(name)
        metadata = NO_METADATA
        problem = ""
        if file is not None:
            metadata, problem = read_front_matter(file)
        # Long: each field by its name.
        return Page(
            path=self.paths[name],
            name=self.sources.label(name),
            output_file=self.site_dir / name,
            head=head,
            sources=(file,) if file else (),
            included=included.files,
            unknown=included.unknown,
            modified=modified,
            published=published(metadata),
            is_generated=not file,
            alternates=self.alternates.get(name, ()),
            metadata=metadata,
            metadata_problem=problem,
            exclude_reason=exclude_reason,
        )


def read_front_matter(source: Path) -> tuple[Metadata, str]:
    """Return what a source's author wrote above the text, and why it cannot be read.

    Front matter is YAML or TOML in Markdown, and a field list in reStructuredText. The
    mapping is empty if there is none; the reason is empty if it can be read.
    """
    suffix = source.suffix.lower()
    if suffix not in {*_MARKDOWN, ".rst"}:
        return NO_METADATA, ""
    text = ""
    with suppress(OSError):
        beginning = read_beginning(source, max_bytes=MAX_BYTES)
        text = beginning.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    if suffix == ".rst":
        fields = _FIELD_LIST.match(text)
        metadata = dict(_FIELD.findall(fields[1])) if fields else NO_METADATA
        return metadata, ""
    try:
        return _parse(text), ""
    except ValueError as error:
        return NO_METADATA, str(error)


def _parse(text: str) -> Metadata:
    """Return the front matter of Markdown.

    Raises:
        ValueError: The front matter is not valid; the error says why, and where.
    """
    # An empty line stands for the mark `---` or `+++`, so that the parser's messages
    # number lines as the file does.
    if found := _YAML.match(text):
        from sitemap_plugins.folder.read_yaml import parse_yaml  # noqa: PLC0415 slow to import

        return parse_yaml(f"\n{found[1]}", {})
    if found := _TOML.match(text):
        return parse_toml(f"\n{found[1]}")
    return NO_METADATA


def alternates_of(
    pages: Sequence[Built], paths: Mapping[str, str], site_files: Files, base_url: str
) -> dict[str, tuple[Alternate, ...]]:
    """Return the versions of each page by its name, by `<link rel="alternate">`.

    Themes also link from every page to the home page of each language (Material's
    `extra.alternate`): such a link names no version of the page, and the home page does
    not link back. So a link within the site counts if it is returned, as search engines
    want it, and one to another site if no second page has the same.

    `paths` are the pages' percent-encoded paths by name, `base_url` is normalized.
    """
    links = _links(pages, paths, site_files, base_url)
    inside: set[tuple[str, str]] = set()
    outside: Counter[str] = Counter()
    for name, found in links.items():
        for link in found:
            if link.url:
                outside[link.url] += 1
            else:
                inside.add((paths[name], link.path))

    def is_version(link: Alternate, name: str) -> bool:
        if not link.url:
            return (link.path, paths[name]) in inside
        return link.language.lower() == X_DEFAULT or outside[link.url] == 1

    alternates = {}
    for name, found in links.items():
        alternates[name] = tuple([link for link in found if is_version(link, name)])
    return alternates


def _links(
    pages: Sequence[Built], paths: Mapping[str, str], site_files: Files, base_url: str
) -> dict[str, list[Alternate]]:
    """Return the links of each page by its name, without those to missing pages."""
    path_of = {urls.percent_encode(page.name): paths[page.name] for page in pages}
    beginning = urls.identity(base_url)
    links: dict[str, list[Alternate]] = defaultdict(list)
    for page in pages:
        head = page.marks.head or HeadMeta()
        own = base_url + paths[page.name]
        for language, address in head.alternates:
            url = urls.resolve(address, own, head.base or "")
            if not url:  # Not an address, such as `http://[`.
                continue
            identity = urls.identity(url)
            if not identity.startswith(beginning):
                links[page.name].append(Alternate(language=language, url=url))
                continue
            file = site_files.page_at(identity.removeprefix(beginning))
            if file:
                link = Alternate(language=language, path=path_of[file])
                links[page.name].append(link)
    return links
