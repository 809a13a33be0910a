"""Files that another program has open, as only Windows refuses to replace them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

from sitemap_plugins.core import untrusted_files

WINDOWS = SimpleNamespace(platform="win32")


def held(monkeypatch, times):
    """Refuse so many times to replace a file, as if a virus scanner had it open.

    On Windows, what is refused more than three times is given up at once.
    """
    refused = iter(range(times))
    replace = Path.replace

    def replace_unheld(self, target):
        if next(refused, None) is not None:
            raise PermissionError(13, "Access is denied", str(self), None, str(target))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", replace_unheld)
    monkeypatch.setattr(untrusted_files, "sys", WINDOWS)
    monkeypatch.setattr(untrusted_files, "_PAUSES", (0, 0, 0))
