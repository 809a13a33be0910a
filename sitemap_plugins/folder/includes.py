"""Which files the sources of pages include, in the syntaxes that the generator understands.

Files are read as data, and only regular files of the project. If one of those that a page includes
cannot be found, or there are too many, the page's files are unknown.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.errors import SitemapError
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.untrusted_files import is_file, is_relative, read_regular_file
from sitemap_plugins.folder.include_syntax import MOST_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sitemap_plugins.folder.include_syntax import Include

__all__ = ["NOTHING", "Included", "Includes", "Syntax"]

MOST_FILES = 1_000
"""Files that one page may include, and includes that one file may have."""

MOST_BYTES = 8 * 1024 * 1024
"""Bytes of a file in which includes are looked for: notebooks contain their images."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Syntax:
    """One way to include files, as the generator's settings define it."""

    find: Callable[[str], Iterable[Include]]

    suffixes: tuple[str, ...]
    """The suffixes of the sources that can have this syntax."""

    root: Path
    """The folder for names that begin with a slash."""

    bases: tuple[Path, ...] | None = None
    """Where all other names are looked for, in order: folders, or single files. None: beside the
    file that includes them, and beside the page's own."""

    is_restricted: bool = False
    """Whether a name must not lead out of the base in which it is looked for."""

    downloads: bool = False
    """Whether a name can be an address; if not, the generator includes nothing for one."""

    skips_missing: bool = False
    """Whether the generator includes nothing for a name that means no file below `bases`."""


class Included(NamedTuple):
    """The files that one page is made of besides its own source."""

    files: tuple[Path, ...] = ()
    """Absolute, in the order of their first use."""

    unknown: str = ""
    """Why some of them are unknown, for messages; empty if all are known."""


NOTHING = Included()


@dataclass(frozen=True, slots=True, kw_only=True)
class Includes:
    """Finds what sources include; each file is read once."""

    root: Path
    """The real folder of the project: files outside are not read."""

    syntaxes: tuple[Syntax, ...]

    _read: dict[tuple[str, str], list[tuple[Syntax, Include]]] = field(default_factory=dict)

    def of(self, source: Path) -> Included:
        """Return the files that the page of a source includes, at any depth."""
        try:
            return Included(tuple(self._follow(source)))
        except _UnknownError as error:
            return Included(unknown=error.problem)

    def _follow(self, source: Path) -> Iterable[Path]:
        files: dict[Path, None] = {}
        # Each file with whether only a part of it is shown.
        ahead, seen = [(source, False)], {source}
        while ahead:
            file, is_part = ahead.pop()
            for syntax, include in self._includes(file, source.suffix.lower()):
                if _is_address(include.name) and not syntax.downloads:
                    continue
                target = self._find(syntax, include, file, source)
                if target is None:
                    continue
                # The include may be outside the part that is shown.
                if is_part and target not in seen:
                    msg = f"includes a part of {quoted(file.name)}, which includes other files"
                    raise _UnknownError(msg)
                files[target] = None
                if len(files) > MOST_FILES:
                    raise _UnknownError(_TOO_MANY)
                if target not in seen and not include.is_literal:
                    seen.add(target)
                    ahead.append((target, include.is_part))
        files.pop(source, None)
        return files

    def _includes(self, file: Path, suffix: str) -> list[tuple[Syntax, Include]]:
        """Return what a file includes if it is part of a source with this suffix."""
        key = os.fspath(file), suffix
        if key not in self._read:
            syntaxes = [syntax for syntax in self.syntaxes if suffix in syntax.suffixes]
            text = self._text(file) if syntaxes else ""
            found = ((syntax, include) for syntax in syntaxes for include in syntax.find(text))
            self._read[key] = list(islice(found, MOST_FILES + 1))
        if len(self._read[key]) > MOST_FILES:
            raise _UnknownError(_TOO_MANY)
        return self._read[key]

    def _text(self, file: Path) -> str:
        """Return a file's text, of a notebook that of its cells.

        Raises:
            _UnknownError: It cannot be read, or leads out of the project.
        """
        error = _UnknownError(f"is made of {quoted(file.name)}, which cannot be read")
        if not self._holds(file):
            raise error
        try:
            text = read_regular_file(file, max_bytes=MOST_BYTES).decode("utf-8-sig", "replace")
            if file.suffix.lower() != ".ipynb":
                return text
            cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
            return "\n".join("".join(cell["source"]) for cell in cells)
        except (OSError, ValueError, RecursionError, KeyError, TypeError):
            raise error from None

    def _holds(self, file: Path) -> bool:
        """Tell whether a file is in the project, and no link on its way leads out."""
        real = Path(os.path.realpath(file))
        return real.is_relative_to(self.root) and is_file(real)

    def _find(self, syntax: Syntax, include: Include, file: Path, source: Path) -> Path | None:
        """Return the first file of the project that a name can mean, or None if none is included.

        Raises:
            _UnknownError: There is no such file, though the generator needs or has one.
        """
        name = include.name
        if _is_address(name):
            raise _UnknownError(f"includes {quoted(name)}, whose date is unknown")
        if len(name) <= MOST_CHARACTERS and "\0" not in name:
            candidates = list(_candidates(syntax, name, file, source))
            for candidate in candidates:
                if self._holds(candidate):
                    return candidate
            # A name with a brace may be a template, which another extension fills in.
            is_plain = is_relative(name) and "{" not in name
            if syntax.skips_missing and is_plain and not any(map(os.path.lexists, candidates)):
                return None
        if include.is_optional:
            return None
        raise _UnknownError(f"includes {quoted(name)}, which is not a file of the project")


class _UnknownError(SitemapError):
    """Why not all files of a page are known."""


_TOO_MANY = f"includes more than {MOST_FILES:,} files"


def _is_address(name: str) -> bool:
    return name.lower().startswith(("http://", "https://"))


def _candidates(syntax: Syntax, name: str, file: Path, source: Path) -> Iterator[Path]:
    """Yield the normalized paths that a name can mean, in order."""
    bases = (file.parent, source.parent) if syntax.bases is None else syntax.bases
    if name.startswith("/") and syntax.bases is None:
        name, bases = name.lstrip("/"), (syntax.root,)
    if not is_relative(name):
        return
    for base in bases:
        # Snippets can name single files too.
        is_single = is_file(base)
        path = Path(os.path.normpath((base.parent if is_single else base) / name))
        allowed = Path(os.path.normpath(base))
        if (
            path == allowed
            if is_single
            else not syntax.is_restricted or path.is_relative_to(allowed)
        ):
            yield path
