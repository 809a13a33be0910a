"""Sphinx' documents and generated pages → Page records."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatch
from os.path import normpath
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.builders.dirhtml import DirectoryHTMLBuilder
from sphinx.builders.singlehtml import SingleFileHTMLBuilder
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.i18n import docname_to_domain

from sitemap_plugins.core import urls
from sitemap_plugins.core.pages import Page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sphinx.application import Sphinx
    from sphinx.builders.html import StandaloneHTMLBuilder

    from sitemap_plugins.sphinx_languages import Languages
    from sitemap_plugins.sphinx_options import SphinxOptions

__all__ = ["Site"]

_OF_SPHINX = {
    *("genindex.html", "genindex-single.html", "genindex-split.html", "domainindex.html"),
    "search.html",
}
"""The templates of the pages that Sphinx makes for itself."""

_MODULES = "_modules/"
"""Where sphinx.ext.viewcode puts source code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What one build has written."""

    app: Sphinx
    builder: StandaloneHTMLBuilder
    options: SphinxOptions
    languages: Languages

    def pages(self, generated: Mapping[str, str]) -> Iterator[Page]:
        """Yield a page for each document, and for each generated page by its name and template."""
        documents = sorted(self.app.env.found_docs)
        if isinstance(self.builder, SingleFileHTMLBuilder):
            everything = [file for name in documents for file in self._sources(name)]
            yield self._page(self.app.config.root_doc, everything)
        else:
            for name in documents:
                yield self._page(name, self._sources(name))
        modules = self._modules()
        for name, template in sorted(generated.items()):
            if name not in modules and template != "opensearch.xml":
                yield self._page(name, self._templates(name), hidden=template in _OF_SPHINX)
        for name, module in modules.items():
            sources = _of_module(module) if self.options.modules else ()
            yield self._page(name, sources, hidden=not self.options.modules)

    def _page(self, name: str, sources: Iterable[Path], *, hidden: bool = False) -> Page:
        path = self._path(name)
        file = Path(self.builder.get_outfilename(name))
        left_out = None
        if hidden or name.rpartition("/")[2] == "404":  # What servers show in place of a page.
            left_out = "generated"
        elif any(fnmatch(urls.decoded(path), pattern) for pattern in self.options.excludes):
            left_out = "excluded"
        return Page(
            path=path,
            name=name,
            output_file=file,
            sources=tuple(sources),
            metadata=self.app.env.metadata.get(name, {}),
            alternates=self.languages.of(path, file.relative_to(self.app.outdir)),
            left_out=left_out,
        )

    def _path(self, name: str) -> str:
        """Return a page's path in Sphinx' own canonical link, encoded."""
        uri = self.builder.get_target_uri(name)
        if uri.startswith("#"):  # singlehtml: the one page, whose link is `#document-index`.
            return "" if name == "index" else urls.percent_encode(name + self.builder.out_suffix)
        # The html builder quotes, the dirhtml builder does not (Sphinx 8 and 9).
        return urls.percent_encode(uri) if isinstance(self.builder, DirectoryHTMLBuilder) else uri

    def _sources(self, name: str) -> Iterator[Path]:
        """Yield a document's source and translation, then what the option `dependencies` wants."""
        env, config, srcdir = self.app.env, self.app.config, Path(self.app.srcdir)
        yield Path(env.doc2path(name))
        # Its compiled form is a dependency only until the document is read (Sphinx 8 and 9).
        catalog = f"LC_MESSAGES/{docname_to_domain(name, config.gettext_compact)}.po"
        for folder in config.locale_dirs:
            yield Path(srcdir, folder, config.language or "en", catalog)
        if self.options.dependencies == "none":
            return
        for dependency in env.dependencies.get(name, ()):
            # Relative and absolute ones, with ".." in them (Sphinx 8 and 9).
            file = Path(normpath(srcdir / dependency))
            wanted = self.options.dependencies == "all" or not _is_no_content(file, srcdir)
            if wanted and file.suffix != ".mo":
                yield file

    def _templates(self, name: str) -> Iterator[Path]:
        """Yield where the template of one of `html_additional_pages` may be."""
        config = self.app.config
        if name in config.html_additional_pages:
            for folder in config.templates_path:
                yield Path(self.app.confdir, folder, config.html_additional_pages[name])

    def _modules(self) -> dict[str, str]:
        """Return the pages of source code with their modules, the list of all with none.

        Not from what was generated: a page that is newer than its module is not.
        """
        found = getattr(self.app.env, "_viewcode_modules", {})
        modules = sorted(module for module, entry in found.items() if entry)
        index = {f"{_MODULES}index": ""} if found else {}
        return index | {_MODULES + module.replace(".", "/"): module for module in modules}


def _is_no_content(file: Path, srcdir: Path) -> bool:
    """Tell whether a page shows little of a file: autodoc's modules, and docutils' settings."""
    is_module = file.suffix == ".py" and not file.is_relative_to(srcdir)
    return is_module or file.name == "docutils.conf"


def _of_module(name: str) -> tuple[Path, ...]:
    with suppress(Exception):  # It imports the module, which may do anything.
        file = Path(ModuleAnalyzer.get_module_source(name)[0] or "")
        # The time of an installed file is when it was installed.
        return () if {"site-packages", "dist-packages"}.intersection(file.parts) else (file,)
    return ()
