"""A Pelican blog in a folder, for the tests of this host."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pelican
from blinker import Signal
from lxml import etree
from pelican.plugins import signals
from pelican.settings import read_settings

from tests.sites import Built, git

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BASE = "https://example.com/"
MTIME = 1_600_000_000
MTIME_TEXT = "2020-09-13T12:26:40+00:00"
QUIET = {f"{kind}_FEED_ATOM": None for kind in ("CATEGORY", "TRANSLATION", "AUTHOR")}
QUIET |= {"FEED_ALL_ATOM": None, "AUTHOR_FEED_RSS": None}


class Blog:
    """A blog in a folder, built in this process by Pelican's own objects."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.output_dir = folder / "out"

    def write(self, name: str, title: str | None = None, **metadata: str) -> Path:
        """Write an article or, below `pages/`, a page."""
        file = self.folder / "content" / f"{name}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        date = {} if name.startswith("pages/") else {"Date": "2024-05-01"}
        lines = {"Title": title or file.stem, **date, **metadata}
        file.write_text(
            "\n".join(f"{k}: {v}" for k, v in lines.items()) + "\n\nText.\n", "utf-8"
        )
        os.utime(file, (MTIME, MTIME))
        return file

    def object(self, **settings: object) -> pelican.Pelican:
        (self.folder / "content").mkdir(exist_ok=True)
        fixed = {
            "PATH": str(self.folder / "content"),
            "OUTPUT_PATH": str(self.output_dir),
            "CACHE_PATH": str(self.folder / "cache"),
            "SITEURL": BASE.rstrip("/"),
            "TIMEZONE": "UTC",
            "THEME": "simple",
            "PLUGINS": ["sitemap_plugins.pelican"],
        }
        return pelican.Pelican(read_settings(override={**fixed, **QUIET, **settings}))

    def build(self, **settings: object) -> Built:
        self.object(**settings).run()
        return self.built

    @property
    def built(self) -> Built:
        return Built(0, "", self.output_dir)

    def commit(self, date: str) -> None:
        if not (self.folder / ".git").exists():
            git(self.folder, "init", "-q", "-b", "main")
        git(self.folder, "add", "content")
        git(self.folder, "commit", "-qm", date, GIT_COMMITTER_DATE=date)


def paths(built: Built) -> list[str]:
    return [loc.removeprefix(BASE) for loc in built.locs]


def links(built: Built) -> dict[str, list[tuple[str, str]]]:
    """Return the links of each entry that has any."""
    root = etree.parse(built.output_dir / "sitemap.xml").getroot()
    found = {
        url.findtext("{*}loc"): [
            (link.get("hreflang"), link.get("href"))
            for link in url.iterfind("{http://www.w3.org/1999/xhtml}link")
        ]
        for url in root.iterfind("{*}url")
    }
    return {loc: pairs for loc, pairs in found.items() if pairs}


def lastmods(built: Built) -> dict[str, str | None]:
    return {
        loc.removeprefix(BASE): entry.get("lastmod")
        for loc, entry in built.entries.items()
    }


@contextmanager
def plugins_of_their_own() -> Iterator[None]:
    """Disconnect on leaving what plugins connected,
    which would stay for the sites of all tests."""
    every = [signal for signal in vars(signals).values() if isinstance(signal, Signal)]
    before = [dict(signal.receivers) for signal in every]
    yield
    for signal, known in zip(every, before, strict=True):
        for receiver in [*signal.receivers_for(None)]:
            if receiver not in [*map(_living, known.values())]:
                signal.disconnect(receiver)


def _living(receiver: object) -> object:
    return (
        receiver()
        if type(receiver).__name__.endswith(("ref", "WeakMethod"))
        else receiver
    )
