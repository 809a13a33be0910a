"""Which files a page includes, at any depth, by the syntaxes that its project uses."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from sitemap_plugins.core import urls
from sitemap_plugins.core.messages import SitemapError, quoted
from sitemap_plugins.core.records import Included
from sitemap_plugins.core.untrusted_files import is_file, is_relative, read_regular_file
from sitemap_plugins.folder.antora import Components, files_of_id, is_resource_id
from sitemap_plugins.folder.include_syntax import MAX_CHARACTERS, Include

MAX_FILES = 1_000
"""Files that one page may include, and includes that one file may have."""

MAX_BYTES = 8 * 1024 * 1024
"""Bytes of a file in which includes are looked for: notebooks contain their images."""

_TOO_MANY = f"includes more than {MAX_FILES:,} files"


@dataclass(frozen=True, slots=True, kw_only=True)
class Syntax:
    """One way to include files, as the generator's settings define it."""

    find: Callable[[str], Iterable[Include]]

    suffixes: tuple[str, ...]
    """The suffixes of the sources that can have this syntax."""

    root: Path
    """The folder for names that begin with a slash."""

    bases: tuple[Path, ...] | None = None
    """Where all other names are looked for, in order: folders, or single files.

    If None, names are looked for beside the file that includes them, and beside the
    page's own.
    """

    is_run_in_root: bool = False
    """Whether a name that is found beside neither file is looked for in `root`."""

    is_restricted: bool = False
    """Whether a name must not lead out of the base in which it is looked for."""

    downloads: bool = False
    """Whether a name can be an address.

    If not, the generator includes nothing for one."""

    components: Components | None = None
    """Antora's components, if names can be its resource ids."""

    is_followed: bool = True
    """Whether what is included is looked for. If not, its page has no date."""

    skips_missing: bool = False
    """Whether the generator includes nothing for a name that means no file below
    `bases`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Includes:
    """Finds what sources include; each file is read once."""

    root: Path
    """The real folder of the project: files outside of it are not read."""

    syntaxes: tuple[Syntax, ...]

    # By the file's path and the suffix of the page's source.
    _read: dict[tuple[str, str], list[tuple[Syntax, Include]]] = field(
        default_factory=dict
    )

    def of(self, source: Path) -> Included:
        """Return the files that the page of a source includes, at any depth."""
        try:
            return Included(tuple(self._follow(source)))
        except _UnknownError as error:
            return Included(unknown=error.problem)

    def _follow(self, source: Path) -> Iterable[Path]:
        """Return the files that a source includes, at any depth, by their first use.

        Raises:
            _UnknownError: Not all of the files can be known.
        """
        files: dict[Path, None] = {}
        followed = {source}
        ahead = [source]
        while ahead:
            file = ahead.pop()
            for syntax, include in self._includes(file, source.suffix.lower()):
                target = self._find(syntax, include.name, file, source)
                if target is None:
                    continue
                files[target] = None
                if len(files) > MAX_FILES:
                    raise _UnknownError(_TOO_MANY)
                if not include.is_literal and target not in followed:
                    followed.add(target)
                    ahead.append(target)
        files.pop(source, None)
        return files

    def _includes(self, file: Path, suffix: str) -> list[tuple[Syntax, Include]]:
        """Return what a file includes if it is part of a source with this suffix.

        The suffix of the source, not that of the file, decides which syntaxes apply.
        """
        key = (os.fspath(file), suffix)
        if key not in self._read:
            found = self._read_includes(file, suffix)
            self._read[key] = list(islice(found, MAX_FILES + 1))
        if len(self._read[key]) > MAX_FILES:
            raise _UnknownError(_TOO_MANY)
        return self._read[key]

    def _read_includes(
        self, file: Path, suffix: str
    ) -> Iterator[tuple[Syntax, Include]]:
        syntaxes = [syntax for syntax in self.syntaxes if suffix in syntax.suffixes]
        if not syntaxes:
            return
        text = self._text(file)
        for syntax in syntaxes:
            for include in syntax.find(text):
                yield syntax, include

    def _text(self, file: Path) -> str:
        """Return a file's text, of a notebook that of its cells.

        Raises:
            _UnknownError: The file cannot be read, or leads out of the project.
        """
        error = _UnknownError(f"is made of {quoted(file.name)}, which cannot be read")
        if not self._holds(file):
            raise error
        try:
            content = read_regular_file(file, max_bytes=MAX_BYTES)
            text = content.decode("utf-8-sig", "replace")
            if file.suffix.lower() == ".ipynb":
                text = _text_of_cells(text)
        except (OSError, ValueError, RecursionError, KeyError, TypeError):
            raise error from None
        return text

    def _holds(self, file: Path) -> bool:
        """Tell whether a file is in the project, and no link on its way leads out."""
        real = Path(os.path.realpath(file))
        return real.is_relative_to(self.root) and is_file(real)

    def _find(self, syntax: Syntax, name: str, file: Path, source: Path) -> Path | None:
        """Return the first file that a name can mean.

        The result is None if the generator includes nothing for the name.

        Raises:
            _UnknownError: The generator includes something that is no file here.
        """
        is_address = urls.is_web(name.lower())
        if is_address and not syntax.downloads:
            return None
        if is_address or not syntax.is_followed:
            raise _UnknownError(f"includes {quoted(name)}, whose date is unknown")
        if len(name) <= MAX_CHARACTERS and "\0" not in name:
            candidates = list(_candidates(syntax, name, file, source))
            for candidate in candidates:
                if self._holds(candidate):
                    return candidate
            # A name with a brace may be a template, which another extension fills in.
            is_plain = is_relative(name) and "{" not in name
            may_skip = syntax.skips_missing and is_plain
            if may_skip and not any(map(os.path.lexists, candidates)):
                return None
        raise _UnknownError(
            f"includes {quoted(name)}, which is not a file of the project"
        )


class _UnknownError(SitemapError):
    """Why not all files of a page are known."""


def _text_of_cells(notebook: str) -> str:
    cells = json.loads(notebook)["cells"]
    texts = [
        "".join(each["source"]) for each in cells if each["cell_type"] == "markdown"
    ]
    return "\n".join(texts)


def _candidates(syntax: Syntax, name: str, file: Path, source: Path) -> Iterator[Path]:
    """Yield the normalized paths that a name can mean, in order.

    `file` includes the name; `source` is the source of the whole page.
    """
    if syntax.components is not None and is_resource_id(name):
        yield from files_of_id(name, file, syntax.components)
        return
    bases = syntax.bases
    if bases is None:
        bases = (file.parent, source.parent)
        if syntax.is_run_in_root:
            bases = (*bases, syntax.root)
        if name.startswith("/"):
            name = name.lstrip("/")
            bases = (syntax.root,)
    if not is_relative(name):
        return
    for base in bases:
        allowed = Path(os.path.normpath(base))
        # Snippets can name single files too.
        is_single = is_file(base)
        folder = base.parent if is_single else base
        path = Path(os.path.normpath(folder / name))
        if is_single:
            is_allowed = path == allowed
        else:
            is_allowed = not syntax.is_restricted or path.is_relative_to(allowed)
        if is_allowed:
            yield path
