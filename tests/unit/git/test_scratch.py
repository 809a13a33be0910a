"""Temporary folders for the fetched history, without what Windows lacks."""

from __future__ import annotations

import os
import sys
import tempfile
from types import SimpleNamespace

import pytest

from sitemap_plugins.core.git import scratch
from sitemap_plugins.core.git.scratch import scratch_folder


def test_two_folders_are_made_and_removed_without_locks_and_user_numbers(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(scratch, "sys", SimpleNamespace(platform="win32"))
    monkeypatch.delattr(os, "getuid", raising=False)

    with scratch_folder() as first, scratch_folder() as second:
        assert {first, second} == {*tmp_path.iterdir()}

    assert [] == [*tmp_path.iterdir()]


@pytest.mark.skipif(sys.platform == "win32", reason="no locks of folders")
def test_new_folder_is_not_taken_for_an_abandoned_one(tmp_path, monkeypatch):
    """Another build looks for those between the making and the locking."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    lock = scratch._lock

    def lock_late(name, closer):
        monkeypatch.setattr(scratch, "_lock", lock)
        scratch._remove_abandoned()
        lock(name, closer)

    monkeypatch.setattr(scratch, "_lock", lock_late)

    with scratch_folder() as folder:
        assert [folder] == [*tmp_path.iterdir()]
        scratch._remove_abandoned()
        assert folder.is_dir()

    assert [] == [*tmp_path.iterdir()]
