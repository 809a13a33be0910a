"""Temporary folders for the fetched history, without what Windows lacks."""

from __future__ import annotations

import os
import tempfile
from types import SimpleNamespace

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
