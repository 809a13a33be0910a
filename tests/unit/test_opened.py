"""Which files a piece of code opens: every way to read one, and no other's."""

from __future__ import annotations

import codecs
import os
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from sitemap_plugins.core.opened import observe

READERS = {
    "open": lambda file: Path(file).open().close(),
    "built-in open with text": lambda file: open(file).close(),  # noqa: PTH123
    "built-in open with bytes": lambda file: open(os.fsencode(file), "rb").close(),  # noqa: PTH123
    "read_text": lambda file: Path(file).read_text(),
    "read_bytes": lambda file: Path(file).read_bytes(),
    "codecs": lambda file: codecs.open(file, "r", "utf-8").close(),
}


@pytest.fixture
def file(tmp_path):
    (tmp_path / "a.md").write_text("a")
    return str(tmp_path / "a.md")


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_a_file_is_seen_however_it_is_read(file, read):
    with observe() as opened:
        read(file)
    read(file)

    assert opened.files == [file]


def test_a_file_is_seen_by_its_absolute_path(file, monkeypatch):
    monkeypatch.chdir(Path(file).parent)
    with observe() as opened:
        Path("a.md").read_text()

    assert opened.files == [file]


def test_the_archive_of_pythons_own_modules_is_not_seen():
    """It is looked for wherever entry points are, even if there is none."""
    version = "{}{}".format(*sys.version_info)
    (archive,) = (name for name in sys.path if name.endswith(f"python{version}.zip"))
    with observe() as opened, suppress(OSError):
        Path(archive).open().close()

    assert [] == opened.files


@pytest.mark.parametrize("mode", ["w", "a", "r+", "x"])
def test_files_that_are_written_are_not_seen(tmp_path, mode):
    target = tmp_path / ("new.md" if mode == "x" else "a.md")
    if mode != "x":
        target.write_text("a")
    with observe() as opened:
        target.open(mode).close()

    assert [] == opened.files


def test_files_read_by_another_thread_are_not_seen(file):
    with observe() as opened:
        thread = threading.Thread(target=Path(file).read_text)
        thread.start()
        thread.join()

    assert [] == opened.files


def test_inner_observer_sees_only_its_own_files(file):
    with observe() as outer, observe() as inner:
        Path(file).read_text()

    assert (outer.files, inner.files) == ([], [file])


def test_nothing_is_seen_after_an_error(file):
    with pytest.raises(KeyError), observe() as opened:
        raise KeyError
    Path(file).read_text()

    assert [] == opened.files
