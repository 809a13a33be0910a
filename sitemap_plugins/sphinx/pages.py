"""Sphinx's documents, generated pages and copied HTML → Page records, with their source files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from itertools import chain
from os.path import normpath, sep
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.builders.dirhtml import DirectoryHTMLBuilder
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.builders.singlehtml import SingleFileHTMLBuilder
from sphinx.pycode import ModuleAnalyzer

from sitemap_plugins.core import urls
from sitemap_plugins.core.codes import Reason
from sitemap_plugins.core.records import Excerpt, Page, page_or_bug
from sitemap_plugins.core.url_forms import HTML_SUFFIXES, usual_path
from sitemap_plugins.core.values import Dependencies
from sitemap_plugins.sphinx.blog import Blog
from sitemap_plugins.sphinx.catalogs import CatalogReader
from sitemap_plugins.sphinx.languages import Languages
from sitemap_plugins.sphinx.modules import find_shown
from sitemap_plugins.sphinx.options import SphinxOptions

_OF_SPHINX = {
    "genindex.html": "the index of terms",
    "genindex-single.html": "the index of terms",
    "genindex-split.html": "the index of terms",
    "domainindex.html": "an index of modules",
    "search.html": "the search page",
}
"""What the pages are that Sphinx generates, by their templates."""

_MODULES = "_modules/"
"""Where sphinx.ext.viewcode puts source code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReader:
    """Describes the pages that one build has written."""

    app: Sphinx
    builder: StandaloneHTMLBuilder
    options: SphinxOptions
    languages: Languages
    blog: Blog

    folder: str = ""
    """The build's folder below the sitemap's, encoded, with a last slash; empty for the same."""

    def pages(self, generated: Mapping[str, str]) -> Iterator[Page]:
        """Yield a page for each document, generated page (by name and template) and copied file."""
        yield from self._documents()
        yield from self._generated(generated)
        yield from self._copied()

    def source_of(self, name: str) -> Path | None:
        """Return the file that was copied to a name below the sitemap's folder, if any."""
        folder = urls.percent_decode(self.folder)
        below = name.removeprefix(folder) if name.startswith(folder) else ""
        return _copied_from(below, self.app) if below else None

    def _documents(self) -> Iterator[Page]:
        """Yield the pages of documents: a single one if the builder writes a single page."""
        names = sorted(self.app.env.found_docs)
        dependencies_of = partial(
            _dependencies, app=self.app, wanted=self.options.dependencies
        )
        excerpts = CatalogReader(app=self.app).excerpts()
        if isinstance(self.builder, SingleFileHTMLBuilder):
            yield self._page(
                self.app.config.root_doc,
                [Path(self.app.env.doc2path(name)) for name in names],
                included=chain.from_iterable(map(dependencies_of, names)),
                excerpts=[
                    excerpt for name in names for excerpt in excerpts.get(name, ())
                ],
            )
            return
        for name in names:
            if name in self.app.config.html_additional_pages:
                # It replaces the document's page.
                yield self._page(name, _template_files(name, self.app))
            else:
                yield self._page(
                    name,
                    [Path(self.app.env.doc2path(name))],
                    included=dependencies_of(name),
                    excerpts=excerpts.get(name, ()),
                )

    def _generated(self, generated: Mapping[str, str]) -> Iterator[Page]:
        modules = self._modules()
        for name, template in sorted(generated.items()):
            if name in modules or template == "opensearch.xml":
                continue
            is_additional = name in self.app.config.html_additional_pages
            files: Iterable[Path] = (
                _template_files(name, self.app) if is_additional else ()
            )
            yield self._page(name, files, kind=_OF_SPHINX.get(template, ""))
        for name, module in modules.items():
            files = _module_file(module) if self.options.modules else ()
            yield self._page(
                name, files, kind="" if self.options.modules else "source code"
            )

    def _copied(self) -> Iterator[Page]:
        """Yield the HTML files of `html_extra_path`, without those that a document replaced."""
        written = {
            Path(self.builder.get_outfilename(name)) for name in self.app.env.found_docs
        }
        for extra in self.app.config.html_extra_path:
            source = Path(self.app.confdir, extra)
            files = [source] if source.is_file() else sorted(source.rglob("*"))
            for file in (file for file in files if file.suffix in HTML_SUFFIXES):
                below = file.relative_to(source.parent if source == file else source)
                output_file = Path(self.app.outdir, below)
                if output_file.is_file() and output_file not in written:
                    name = below.as_posix()
                    yield page_or_bug(
                        name, partial(self._copy, file, name, output_file)
                    )

    def _copy(self, file: Path, name: str, output_file: Path) -> Page:
        path = urls.percent_encode(name)
        if isinstance(self.builder, DirectoryHTMLBuilder):
            path = usual_path(path)
        kind, reason = self._judge(name.rpartition(".")[0], path, "")
        return Page(
            path=self.folder + path,
            name=name,
            kind=kind,
            output_file=output_file,
            sources=(file,),
            exclude_reason=reason or "static",
        )

    def _page(
        self,
        name: str,
        sources: Iterable[Path],
        *,
        included: Iterable[Path] = (),
        excerpts: Iterable[Excerpt] = (),
        kind: str = "",
    ) -> Page:
        """Describe a page; `kind` is what it is if it is not for readers."""
        env = self.app.env
        # A document's file name below the source folder, or a generated page's name.
        # Sphinx before 8.0 gives text.
        label = (
            Path(env.doc2path(name, base=False)).as_posix()
            if name in env.found_docs
            else name
        )

        # The page's metadata and what other extensions record for it can be anything.
        def describe() -> Page:
            path = self.path(name)
            file = Path(self.builder.get_outfilename(name))
            output_name = file.relative_to(self.app.outdir)
            own, files = (*sources,), (*included,)
            # sphinx-gallery copies the script of each page beside the document.
            stems = {source.with_suffix("") for source in own}
            copies = (each for each in files if each.with_suffix("") in stems)
            page_kind, reason = self._judge(name, path, kind)
            lists = sorted(self.blog.lists.get(name, ()))
            return Page(
                path=self.folder + path,
                name=label,
                kind=page_kind,
                output_file=file,
                sources=(*own, *copies),
                included=files,
                excerpts=tuple(excerpts),
                metadata=env.metadata.get(name, {}),
                alternates=self.languages.of(
                    name, path, output_name, own_folder=self.folder
                ),
                lists=tuple(self.folder + self.path(post) for post in lists),
                exclude_reason=reason,
            )

        return page_or_bug(label, describe)

    def _judge(self, name: str, path: str, kind: str) -> tuple[str, Reason | None]:
        """Return what a page is that is not for readers, else "", and why it is left out."""
        # The page that servers show for missing ones; sphinx-notfound-page can rename
        # it.
        not_found = getattr(self.app.config, "notfound_pagename", "404")
        if not_found == name or name.rpartition("/")[2] == "404":
            kind = "the error page"
        if kind:
            return kind, "generated"
        decoded = urls.percent_decode(path)
        if any(fnmatchcase(decoded, pattern) for pattern in self.options.excludes):
            return "", "excluded"
        if name in self.blog.drafts:
            return "", "draft"
        return "", None

    def path(self, name: str) -> str:
        """Return a page's path in Sphinx's own canonical link, encoded."""
        uri = self.builder.get_target_uri(name)
        if uri.startswith(
            "#"
        ):  # singlehtml: the one page, whose link is `#document-index`.
            return (
                ""
                if name == "index"
                else urls.percent_encode(name + self.builder.out_suffix)
            )
        # The html builder quotes, the dirhtml builder does not (Sphinx 8 and 9).
        return (
            urls.percent_encode(uri)
            if isinstance(self.builder, DirectoryHTMLBuilder)
            else uri
        )

    def _modules(self) -> dict[str, str]:
        """Return each page of source code with its module; the list of modules has none.

        Not from the generated pages: viewcode skips a page that is newer than its
        module.
        """
        found = getattr(self.app.env, "_viewcode_modules", {})
        modules = sorted(module for module, entry in found.items() if entry)
        index = {f"{_MODULES}index": ""} if found else {}
        return index | {
            _MODULES + module.replace(".", "/"): module for module in modules
        }


def _dependencies(name: str, *, app: Sphinx, wanted: Dependencies) -> Iterator[Path]:
    """Yield the files besides its source that the option `dependencies` lets date a document."""
    if wanted == "none":
        return
    shown = None
    for dependency in app.env.dependencies.get(name, ()):
        # Relative and absolute ones, with ".." in them (Sphinx 8 and 9).
        file = normpath(Path(app.srcdir, dependency))
        # The compiled catalog is one until the document is read (Sphinx 8 and 9).
        if file.endswith((f"{sep}docutils.conf", ".mo")):
            continue
        if file.endswith(".py") and wanted != "all":
            if shown is None:
                shown = find_shown(name, app)
            if not Path(file).as_posix().endswith(shown):
                continue
        yield Path(file)


def _template_files(name: str, app: Sphinx) -> Iterator[Path]:
    """Yield the possible files of the template of one of `html_additional_pages`."""
    for folder in app.config.templates_path:
        yield Path(app.confdir, folder, app.config.html_additional_pages[name])


def _module_file(name: str) -> tuple[Path, ...]:
    """Return a Python module's file; none if it is installed, as its time tells nothing."""
    with suppress(Exception):  # It imports the module, which may do anything.
        file = Path(ModuleAnalyzer.get_module_source(name)[0] or "")
        if not {"site-packages", "dist-packages"}.intersection(file.parts):
            return (file,)
    return ()


def _copied_from(name: str, app: Sphinx) -> Path | None:
    """Return the file that Sphinx copied to a name in the output folder; None for no copy."""
    folder, _, rest = name.partition("/")
    if folder in {"_downloads", getattr(app.builder, "imagedir", "")}:
        copies: Mapping[Any, tuple[Any, Any]] = (
            app.env.dlfiles if folder == "_downloads" else app.env.images
        )
        files = (file for file, (_, copy) in copies.items() if str(copy) == rest)
        return next((Path(app.srcdir, file) for file in files), None)
    is_static = folder == "_static"
    entries = app.config.html_static_path if is_static else app.config.html_extra_path
    below = rest if is_static else name
    for entry in map(Path(app.confdir).joinpath, reversed(entries)):
        source = entry if entry.name == below and entry.is_file() else entry / below
        if source.is_file():
            return source
    return None
