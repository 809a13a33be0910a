"""What only Windows does to files, on any system:
its rules are put in place of this one's."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from types import SimpleNamespace

import pytest

from sitemap_plugins.core.messages import OutputError
from sitemap_plugins.core.publishing import staging
from sitemap_plugins.core.publishing.plan import File
from sitemap_plugins.core.publishing.publish import publish, replace_files
from sitemap_plugins.core.publishing.staging import staging_folder
from tests.held_files import WINDOWS, held

fcntl = pytest.importorskip("fcntl")

LOCK = ".sitemap_plugins.lock"
NEW = b"<urlset></urlset>"
OLD = b"<urlset/>"


def locking(descriptor, _mode, _bytes):
    """Lock by a byte of the file, after the name that others can read."""
    assert os.lseek(descriptor, 0, os.SEEK_CUR) > 1_000
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise PermissionError(13, "Permission denied") from None


LOCKS = SimpleNamespace(locking=locking, LK_NBLCK=2)


@pytest.fixture
def windows(monkeypatch):
    """Replace and remove nothing that is read-only, and lock as Windows does."""
    replace, rmtree = Path.replace, staging.shutil.rmtree

    def replace_writable(self, target):
        if Path(target).exists() and not Path(target).stat().st_mode & stat.S_IWRITE:
            raise PermissionError(13, "Access is denied", str(self), None, str(target))
        return replace(self, target)

    def remove_writable(folder, **options):
        if all(file.stat().st_mode & stat.S_IWRITE for file in Path(folder).iterdir()):
            rmtree(folder, **options)

    monkeypatch.setattr(Path, "replace", replace_writable)
    monkeypatch.setattr(staging.shutil, "rmtree", remove_writable)
    monkeypatch.setattr(staging, "sys", WINDOWS)
    monkeypatch.setattr(staging, "msvcrt", LOCKS, raising=False)


def names_in(folder):
    return sorted(file.name for file in folder.iterdir())


def publish_new(folder):
    file = File(name="sitemap.xml", chunks=[NEW])
    publish([file], output_dir=folder, filename="sitemap.xml")


@pytest.mark.usefixtures("windows")
def test_file_that_is_open_for_a_moment_is_replaced(tmp_path, monkeypatch):
    (tmp_path / "sitemap.xml").write_bytes(OLD)
    held(monkeypatch, 2)

    publish_new(tmp_path)

    assert NEW == (tmp_path / "sitemap.xml").read_bytes()


@pytest.mark.usefixtures("windows")
def test_file_that_stays_open_is_kept_and_the_reason_named(tmp_path, monkeypatch):
    (tmp_path / "sitemap.xml").write_bytes(OLD)
    held(monkeypatch, 4)

    with pytest.raises(OutputError) as caught:
        publish_new(tmp_path)

    assert "close the program that has it open" in caught.value.cure
    assert caught.value.problem.endswith("cannot be written (Access is denied)")
    assert ["sitemap.xml"] == names_in(tmp_path)
    assert OLD == (tmp_path / "sitemap.xml").read_bytes()


@pytest.mark.usefixtures("windows")
def test_read_only_file_is_replaced_and_stays_read_only(tmp_path):
    (tmp_path / "sitemap.xml").write_bytes(OLD)
    (tmp_path / "sitemap.xml").chmod(stat.S_IREAD)

    publish_new(tmp_path)

    assert NEW == (tmp_path / "sitemap.xml").read_bytes()
    assert not (tmp_path / "sitemap.xml").stat().st_mode & stat.S_IWRITE
    assert ["sitemap.xml"] == names_in(tmp_path)


@pytest.mark.usefixtures("windows")
def test_fixed_page_that_is_read_only_stays_read_only(tmp_path, monkeypatch):
    page = tmp_path / "index.html"
    page.write_bytes(OLD)
    page.chmod(stat.S_IREAD)
    held(monkeypatch, 1)

    replace_files([(page, NEW)], output_dir=tmp_path)

    assert NEW == page.read_bytes()
    assert not page.stat().st_mode & stat.S_IWRITE


@pytest.mark.usefixtures("windows")
def test_builds_wait_for_each_other_without_fcntl(tmp_path, monkeypatch):
    monkeypatch.setattr(staging, "_MAX_WAIT", 0)
    with (
        staging_folder(tmp_path) as first,
        pytest.raises(OutputError, match="another build has been writing"),
        staging_folder(tmp_path),
    ):
        pass

    assert not first.exists()
    assert [] == names_in(tmp_path)


@pytest.mark.usefixtures("windows")
def test_folder_of_a_killed_build_is_removed_without_fcntl(tmp_path):
    leftover = tmp_path / f".sitemap_plugins-{'0af' * 10}00"
    leftover.mkdir()
    (tmp_path / LOCK).write_text(leftover.name)

    with staging_folder(tmp_path) as own:
        assert sorted([LOCK, own.name]) == names_in(tmp_path)

    assert [] == names_in(tmp_path)
