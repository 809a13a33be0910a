"""Sphinx's documents, generated pages and copied HTML → pages, with their sources."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, partial
from itertools import chain
from os.path import normpath, sep
from pathlib import Path
from typing import Any, NamedTuple

from sphinx.application import Sphinx
from sphinx.builders.dirhtml import DirectoryHTMLBuilder
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.builders.singlehtml import SingleFileHTMLBuilder
from sphinx.pycode import ModuleAnalyzer

from sitemap_plugins.core import urls
from sitemap_plugins.core.codes import Reason
from sitemap_plugins.core.html.kept_heads import KeptHeads
from sitemap_plugins.core.python.modules import ModuleReader
from sitemap_plugins.core.records import Alternate, Excerpt, Page, page_or_bug
from sitemap_plugins.core.url_forms import HTML_SUFFIXES, usual_path
from sitemap_plugins.sphinx.blog import Blog
from sitemap_plugins.sphinx.catalogs import CatalogReader
from sitemap_plugins.sphinx.languages import Languages
from sitemap_plugins.sphinx.modules import Shown, find_shown
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


class _Files(NamedTuple):
    """The files that a page is made of, each to be read once, as in `Page`."""

    sources: Iterable[Path] = ()

    included: Iterable[Path] = ()

    excerpts: Iterable[Excerpt] = ()

    unknown: str = ""
    """Why some of the files are unknown, as in `Page`."""

    is_stub: bool = False
    """Whether the build can have made its source."""

    label: str = ""
    """A document's file name below the source folder; empty for a page of no document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReader:
    """Describes the pages that one build has written."""

    app: Sphinx
    builder: StandaloneHTMLBuilder
    options: SphinxOptions
    blog: Blog
    modules: ModuleReader

    languages: Languages = Languages()
    """The site's other languages; none while the pages are not written yet."""

    folder: str = ""
    """The build's folder below the sitemap's, encoded, with a last slash; or empty."""

    heads: KeptHeads | None = None
    """The heads that the last build kept; None if no page is to be read here."""

    def pages(self, generated: Mapping[str, str]) -> Iterator[Page]:
        """Yield a page for each document, generated page and copied file.

        `generated` has the template of each generated page by its name.
        """
        yield from self._documents()
        yield from self._generated(generated)
        yield from self._copied()

    def _documents(self) -> Iterator[Page]:
        """Yield documents' pages: only one if the builder writes a single page."""
        files = self._files_of_documents()
        if isinstance(self.builder, SingleFileHTMLBuilder):
            root = self.app.config.root_doc
            together = _Files(
                sources=chain.from_iterable(each.sources for each in files.values()),
                included=chain.from_iterable(each.included for each in files.values()),
                excerpts=chain.from_iterable(each.excerpts for each in files.values()),
                label=self._label(root),
            )
            yield self._page(root, together)
            return
        for name, own in files.items():
            if name in self.app.config.html_additional_pages:
                # The additional page replaces the document's page.
                template = _template_files(name, self.app)
                yield self._page(name, _Files(template, label=own.label))
            else:
                yield self._page(name, own)

    def _files_of_documents(self) -> dict[str, _Files]:
        """Return what each document is made of, in the order of their names."""
        env = self.app.env
        excerpts = CatalogReader(app=self.app).excerpts()
        shown = find_shown(self.app)
        files = {}
        for name in sorted(env.found_docs):
            own = shown.get(name, Shown())
            label = self._label(name)
            objects = [
                self.modules.excerpt(Path(file), part, self.options.changes)
                for file, part in own.objects
            ]
            files[name] = _Files(
                sources=(Path(self.app.srcdir, label),),
                included=_dependencies(name, self.app, own.files),
                excerpts=(*excerpts.get(name, ()), *objects),
                unknown=own.unknown,
                is_stub=own.is_stub,
                label=label,
            )
        return files

    def _generated(self, generated: Mapping[str, str]) -> Iterator[Page]:
        """Yield the pages that Sphinx and its extensions make without a document."""
        modules = self._modules()
        for name, template in sorted(generated.items()):
            if name in modules or template == "opensearch.xml":
                continue
            files = _Files()
            if name in self.app.config.html_additional_pages:
                files = _Files(_template_files(name, self.app))
            yield self._page(name, files, kind=_OF_SPHINX.get(template, ""))
        for name, module in modules.items():
            if self.options.modules:
                yield self._page(name, _Files(_module_file(module)))
            else:
                yield self._page(name, _Files(), kind="source code")

    def _copied(self) -> Iterator[Page]:
        """Yield the HTML of `html_extra_path`, without what a document replaced."""
        extras = self.app.config.html_extra_path
        if not extras:
            return
        documents = self.app.env.found_docs
        written = {Path(self.builder.get_outfilename(name)) for name in documents}
        for name, file in _copied(extras, self.app):
            output_file = Path(self.app.outdir, name)
            is_replaced = output_file in written or not output_file.is_file()
            if file.suffix in HTML_SUFFIXES and not is_replaced:
                describe = partial(self._copy, file, name, output_file)
                yield page_or_bug(name, describe)

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

    def _page(self, name: str, files: _Files, *, kind: str = "") -> Page:
        """Describe a page; `kind` says what it is, and is empty for one for readers."""
        # The page's metadata and what other extensions record for it can be anything,
        # so an error must not break the build.
        label = files.label or name
        return page_or_bug(label, partial(self._describe, name, files, kind))

    def _label(self, name: str) -> str:
        """Return a document's file name below the source folder."""
        return str(self.app.env.doc2path(name, base=False)).replace(sep, "/")

    def _describe(self, name: str, files: _Files, kind: str) -> Page:
        path = self.path(name)
        file = Path(self.builder.get_outfilename(name))
        kind, reason = self._judge(name, path, kind)
        head = None
        # The HTML of a page that is left out anyway need not be read.
        if self.heads is not None and reason is None:
            head = self.heads.of(file)
        own = tuple(files.sources)
        included = tuple(files.included)
        sources = (*own, *_copies(own, included))
        metadata = self.app.env.metadata.get(name, {})
        alternates = self._alternates(name, path, file)
        posts = sorted(self.blog.lists.get(name, ()))
        lists = tuple(self.folder + self.path(post) for post in posts)
        return Page(
            path=self.folder + path,
            name=files.label or name,
            kind=kind,
            output_file=file,
            head=head,
            sources=sources,
            included=included,
            excerpts=tuple(files.excerpts),
            unknown=files.unknown,
            is_generated=files.is_stub,
            metadata=metadata,
            alternates=alternates,
            lists=lists,
            exclude_reason=reason,
        )

    def _alternates(self, name: str, path: str, file: Path) -> tuple[Alternate, ...]:
        if not self.languages.others:
            return ()
        output_name = file.relative_to(self.app.outdir)
        return self.languages.of(name, path, output_name, own_folder=self.folder)

    def _judge(self, name: str, path: str, kind: str) -> tuple[str, Reason | None]:
        """Return what a page is that is not for readers, and why it is left out.

        For a page that is to be listed, return an empty text and None.
        """
        # The page that servers show for missing ones; sphinx-notfound-page can rename
        # it. For a setting that no extension declares, `getattr` would have Sphinx
        # translate an error message for each page.
        config = self.app.config
        is_renamed = "notfound_pagename" in config and name == config.notfound_pagename
        if is_renamed or name.rpartition("/")[2] == "404":
            kind = "the error page"
        if kind:
            return kind, "generated"
        if self._is_excluded(path):
            return "", "excluded"
        if name in self.blog.drafts:
            return "", "draft"
        return "", None

    def _is_excluded(self, path: str) -> bool:
        decoded = urls.percent_decode(path)
        return any(fnmatchcase(decoded, pattern) for pattern in self.options.excludes)

    def path(self, name: str) -> str:
        """Return a page's path in Sphinx's own canonical link, encoded."""
        uri = self.builder.get_target_uri(name)
        if uri.startswith("#"):
            # singlehtml: the one page, whose link is `#document-index`.
            if name == "index":
                return ""
            return urls.percent_encode(name + self.builder.out_suffix)
        # The html builder quotes, the dirhtml builder does not (Sphinx 8 and 9).
        if isinstance(self.builder, DirectoryHTMLBuilder):
            return urls.percent_encode(uri)
        return uri

    def _modules(self) -> dict[str, str]:
        """Return each page of source code with its module; "" for the index.

        The generated pages do not tell: viewcode skips a page that is newer than its
        module.
        """
        found = getattr(self.app.env, "_viewcode_modules", {})
        if not found:
            return {}
        pages = {f"{_MODULES}index": ""}
        for module, entry in sorted(found.items()):
            if entry:
                pages[_MODULES + module.replace(".", "/")] = module
        return pages


def _dependencies(name: str, app: Sphinx, shown: tuple[str, ...]) -> Iterator[Path]:
    """Yield the files besides its source that can date a document.

    `shown` is what `find_shown` says of the document.
    """
    for dependency in app.env.dependencies.get(name, ()):
        # Dependencies are relative or absolute, with ".." in them (Sphinx 8 and 9).
        file = normpath(Path(app.srcdir, dependency))
        # The compiled catalog is a dependency until the document is read (Sphinx 8 and
        # 9).
        if file.endswith((f"{sep}docutils.conf", ".mo")):
            continue
        # Of Python's files, only those count whose text the document has.
        if not file.endswith(".py") or Path(file).as_posix().endswith(shown):
            yield Path(file)


def _copies(sources: Iterable[Path], included: Collection[Path]) -> Iterator[Path]:
    """Yield the scripts of pages that sphinx-gallery copied beside their documents."""
    stems = {source.with_suffix("") for source in sources}
    for file in included:
        if file.with_suffix("") in stems:
            yield file


def _template_files(name: str, app: Sphinx) -> Iterator[Path]:
    """Yield the possible files of the template of one of `html_additional_pages`."""
    for folder in app.config.templates_path:
        yield Path(app.confdir, folder, app.config.html_additional_pages[name])


def _module_file(name: str) -> tuple[Path, ...]:
    """Return a Python module's file.

    The result is empty for an installed module, whose file time tells nothing.
    """
    with suppress(Exception):  # It imports the module, which may do anything.
        file = Path(ModuleAnalyzer.get_module_source(name)[0] or "")
        if not {"site-packages", "dist-packages"}.intersection(file.parts):
            return (file,)
    return ()


def find_source(app: Sphinx, folder: str) -> Callable[[str], Path | None]:
    """Return a function that finds a copied file's source by its name in the output.

    The names begin with `folder`, the build's below the sitemap's, encoded.
    """

    @cache  # Only the option `files` asks, so most builds never look.
    def sources() -> Mapping[str, Path]:
        found = dict(_copied(app.config.html_extra_path, app))
        for name, file in _copied(app.config.html_static_path, app):
            found[f"_static/{name}"] = file
        builder: Any = app.builder
        for copies, place in (
            (app.env.dlfiles, "_downloads"),
            (app.env.images, builder.imagedir),
        ):
            for source, (_, copy) in copies.items():
                found[f"{place}/{copy}"] = Path(app.srcdir, source)
        return {below + name: file for name, file in found.items()}

    below = urls.percent_decode(folder)
    return lambda name: sources().get(name)


def _copied(entries: Iterable[str], app: Sphinx) -> Iterator[tuple[str, Path]]:
    """Yield the name of the copy of each file that a setting names, and the file.

    `entries` are files and folders, relative to the folder of conf.py.
    """
    for entry in entries:
        top = Path(app.confdir, entry)
        if top.is_file():
            yield top.name, top
        for file in sorted(top.rglob("*")):
            yield file.relative_to(top).as_posix(), file
