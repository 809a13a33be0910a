"""The order of writes: parts, then their index, then the removal of old parts.

A test of a real power cut would need its own machine, so the tests compare the order of
the calls.
"""

from __future__ import annotations

import os
import sys

from sitemap_plugins.core.options import Options
from sitemap_plugins.core.publishing.plan import plan_files
from sitemap_plugins.core.publishing.publish import publish
from sitemap_plugins.core.records import Entry

BASE = "https://example.com/"
CALLS = {os.fsync: "sync", os.replace: "move", os.unlink: "remove"}


def calls_of(folder, pages, **values):
    """Publish pages, and return the calls of the system in order."""
    entries = [Entry(url=f"{BASE}{number:02}/") for number in range(pages)]
    options = Options.parse({"max_urls": 2, **values}, where="")
    calls = []

    def profile(frame, event, function):
        if event == "c_call" and function in CALLS:
            names = (
                "staged",
                "folder",
                "self",
            )  # In this project's code, and in pathlib's.
            files = [frame.f_locals[name] for name in names if name in frame.f_locals]
            calls.extend(
                (CALLS[function], "folder" if f == folder else f.name) for f in files
            )

    sys.setprofile(profile)
    try:
        publish(
            plan_files(entries, BASE, options),
            output_dir=folder,
            filename="sitemap.xml",
        )
    finally:
        sys.setprofile(None)
    return [call for call in calls if call != ("remove", ".sitemap_plugins.lock")]


def moved(name):
    return [("sync", name), ("move", name)]


def test_parts_are_on_disk_before_the_index_and_old_parts_are_removed_last(tmp_path):
    calls_of(tmp_path, 4)
    old = {file.name for file in tmp_path.glob("sitemap-*")}

    calls = calls_of(tmp_path, 5)

    new = sorted({file.name for file in tmp_path.glob("sitemap-*")} - old)
    gone = sorted(old - {file.name for file in tmp_path.glob("sitemap-*")})
    assert new
    parts, synced, index = (
        calls[: 2 * len(new)],
        calls[2 * len(new)],
        calls[2 * len(new) + 1 :],
    )
    assert sorted(parts) == sorted(call for name in new for call in moved(name))
    assert ("sync", "folder") == synced
    assert index[:2] == moved("sitemap.xml")
    assert [*index[2:3], *sorted(index[3:])] == [
        ("sync", "folder"),
        *(("remove", name) for name in gone),
    ]


def test_unchanged_files_are_not_synced(tmp_path):
    calls_of(tmp_path, 5)

    assert [] == calls_of(tmp_path, 5)


def test_single_file_is_on_disk_before_it_is_moved(tmp_path):
    assert calls_of(tmp_path, 2) == [*moved("sitemap.xml"), ("sync", "folder")]
