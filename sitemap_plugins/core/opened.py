"""Which files and URLs a host opens while it makes a page, seen by Python's audit hook.

Rules:

- It works however an extension finds its files: no syntax is parsed a second time.
- What nearly all pages open is part of none, as a template is.
- Settings, and the code of plugins, are not part of a page.
"""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections import Counter
from collections.abc import Collection, Iterable
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from importlib.util import cache_from_source
from itertools import chain
from pathlib import Path

from sitemap_plugins.core.untrusted_files import root_above

MIN_PAGES = 10
"""Pages: of fewer, nine of ten do not show that a file is part of none."""


def _places_of_code() -> tuple[str, ...]:
    """Return what the paths of Python's own and of installed files begin with."""
    folders = [sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")]
    folders += site.getsitepackages()
    folders.append(site.getusersitepackages())
    # On Windows, `sys.prefix` is among the folders, and a project can be in it.
    places = [os.path.join(each, "") for each in folders if each != sys.prefix]
    # Python looks for entry points in `python311.zip`, even if there is none.
    places += [name for name in sys.path if name.endswith(".zip")]
    return tuple(places)


_PLACES_OF_CODE = _places_of_code()
"""Where Python and packages are. Python opens the source of packages to show a
warning's line."""


def is_installed(file: str) -> bool:
    """Tell whether an absolute path is that of Python, or of an installed package."""
    return file.startswith(_PLACES_OF_CODE)


@dataclass(slots=True)
class Opened:
    """The files and URLs that were opened, each in the order of opening."""

    files: list[str] = field(default_factory=list)
    """Absolute paths of files that were opened for reading, without those of Python
    and of installed packages; a file can occur twice."""

    urls: list[str] = field(default_factory=list)
    """URLs that were requested, as the requests name them."""


# One for each thread, so that files of another thread are not attributed to the
# observed code.
_observer: ContextVar[Opened | None] = ContextVar("_observer", default=None)


def record(opened: Opened | None) -> None:
    """From now on, record what this thread opens; None to stop."""
    _observer.set(opened)


def _on_audit_event(event: str, arguments: tuple[object, ...]) -> None:
    # Called for every event of the process, so the fastest check comes first. An error
    # would reach the observed code, so none may be raised.
    opened = _observer.get()
    if opened is None:
        return
    # Python raises this event for each file, in whatever way it is opened (PEP 578).
    if event == "open":
        _take_file(opened, *arguments[:2])
    elif event == "urllib.Request":
        opened.urls.append(str(arguments[0]))


def _take_file(opened: Opened, file: object, mode: object) -> None:
    """Record a file that is opened for reading, unless Python or a package owns it."""
    # Without a mode: `os.open`, as for devices and locks.
    if not isinstance(mode, str) or "r" not in mode or "+" in mode:
        return
    if not isinstance(file, str | bytes):  # The number of a file that is open.
        return
    with suppress(OSError):  # The working directory is gone.
        path = os.path.abspath(os.fsdecode(file))
        if not is_installed(path):
            opened.files.append(path)


# An audit hook cannot be removed, so there is one for the life of the process.
sys.addaudithook(_on_audit_event)


def imported(files: Iterable[str]) -> set[str]:
    """Return the files of imported modules among those that were opened.

    Python looks for a module's compiled code, then for its source. So a `.py` file
    counts only if its compiled code was opened too.
    """
    compiled = {file for file in files if file.endswith(".pyc")}
    modules = set(compiled)
    for file in files:
        if file.endswith(".py") and cache_from_source(file) in compiled:
            modules.add(file)
    return modules


class Project:
    """A project whose pages are made; it knows which opened files can be in a page."""

    def __init__(self, folder: Path) -> None:
        """Take the repository around a folder, or the folder if there is none."""
        self._roots: dict[str, str | None] = {}
        real = os.path.realpath(folder)
        self._root = os.path.join(root_above(real, self._roots) or real, "")

    def has_content(self, file: str) -> bool:
        """Tell whether an opened file can be a part of a page.

        Other files are configuration, or the code of a plugin, which Python opens for
        a warning.
        """
        real = os.path.realpath(file)
        if real.startswith(self._root):
            return True
        if real.endswith(".py"):
            return False
        return root_above(os.path.dirname(real), self._roots) is not None

    def parts_of(self, names: Iterable[str], opened: Opened) -> dict[str, None]:
        """Return the files and URLs that can be parts of a page, in order.

        The files are some of `names`, absolute paths of files that a host knows to be
        opened or shown, and the URLs that were opened.
        """
        code = imported(opened.files)
        parts: dict[str, None] = {}
        for name in names:
            if name not in code and self.has_content(name):
                parts[name] = None
        return parts | dict.fromkeys(opened.urls)


def is_url(name: str) -> bool:
    """Tell whether a name of something opened is a URL, not an absolute path."""
    return "://" in name


def about_url(url: str) -> str:
    """Return why a page that shows what a URL gave has no date, as `Page.unknown`."""
    return f"includes {url!r}, whose date is unknown"


def opened_by_nearly_all(pages: Collection[Collection[str]]) -> set[str]:
    """Return the files and URLs that nine of ten pages opened: they are part of none.

    Each page is a collection of names without repetition.
    """
    counts = Counter(chain.from_iterable(pages))
    # At least nine pages, even if there are fewer than `MIN_PAGES`.
    least = max(MIN_PAGES, len(pages)) * 9 / 10
    return {name for name, count in counts.items() if count >= least}
