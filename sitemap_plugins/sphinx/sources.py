"""The files that a page is made of."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from os.path import normpath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.pycode import ModuleAnalyzer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sphinx.application import Sphinx

    from sitemap_plugins.core.values import Dependencies

__all__ = ["SourceReader"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceReader:
    """Finds the sources of documents, and of pages without a document."""

    app: Sphinx
    dependencies: Dependencies

    def of_document(self, name: str) -> Iterator[Path]:
        """Yield a document's source, then the files that the option `dependencies` adds."""
        env, srcdir = self.app.env, Path(self.app.srcdir)
        yield Path(env.doc2path(name))
        if self.dependencies == "none":
            return
        modules = []
        for dependency in env.dependencies.get(name, ()):
            # Relative and absolute ones, with ".." in them (Sphinx 8 and 9).
            file = Path(normpath(srcdir / dependency))
            # The compiled catalog is one until the document is read (Sphinx 8 and 9).
            if file.name == "docutils.conf" or file.suffix == ".mo":
                continue
            if file.suffix == ".py" and not file.is_relative_to(srcdir):
                modules.append(file)
            else:
                yield file
        if self.dependencies == "all":
            yield from modules
        elif modules:
            shown = self._shown_on(name)
            yield from (file for file in modules if file.as_posix().endswith(shown))

    def of_template(self, name: str) -> Iterator[Path]:
        """Yield the possible files of the template of one of `html_additional_pages`."""
        config = self.app.config
        for folder in config.templates_path:
            yield Path(self.app.confdir, folder, config.html_additional_pages[name])

    def of_module(self, name: str) -> tuple[Path, ...]:
        """Return a Python module's file; none where it is installed, which says when it was."""
        with suppress(Exception):  # It imports the module, which may do anything.
            file = Path(ModuleAnalyzer.get_module_source(name)[0] or "")
            installed = {"site-packages", "dist-packages"}.intersection(file.parts)
            return () if installed else (file,)
        return ()

    def of_copy(self, name: str) -> Path | None:
        """Return the file that Sphinx copied to a name in the output folder; None for no copy."""
        env, config = self.app.env, self.app.config
        folder, _, rest = name.partition("/")
        image_folder = getattr(self.app.builder, "imagedir", "")
        if folder in {"_downloads", image_folder}:
            copies: Mapping[Any, tuple[Any, Any]] = (
                env.dlfiles if folder == "_downloads" else env.images
            )
            files = (file for file, (_, place) in copies.items() if str(place) == rest)
            return next((Path(self.app.srcdir, file) for file in files), None)
        is_static = folder == "_static"
        entries = config.html_static_path if is_static else config.html_extra_path
        place = rest if is_static else name
        for entry in map(Path(self.app.confdir).joinpath, reversed(entries)):
            source = entry if entry.name == place and entry.is_file() else entry / place
            if source.is_file():
                return source
        return None

    def _shown_on(self, name: str) -> tuple[str, ...]:
        """Return the ends of the files whose text a document shows or offers for download.

        Unlike those that autodoc reads, whose text names the docstring too. Files that are included
        are named from where the build ran that read the document.
        """
        env = self.app.env
        offered = [file for file, (names, _) in env.dlfiles.items() if name in names]
        elements = list(env.get_doctree(name).findall(nodes.Element))
        shown = {
            source for node in elements for source in (node.source, node.get("source")) if source
        }
        return tuple(Path(file).as_posix().replace("../", "") for file in {*offered, *shown})
