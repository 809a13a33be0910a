"""Which files a piece of code opens, however it does, and which are part of a page."""

from __future__ import annotations

import codecs
import os
import sys
import threading
from contextlib import contextmanager, suppress
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from sitemap_plugins.core.opened import (
    Opened,
    Project,
    imported,
    opened_by_nearly_all,
    record,
)


@contextmanager
def observe():
    """Record what is opened inside the `with` block."""
    opened = Opened()
    record(opened)
    try:
        yield opened
    finally:
        record(None)


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


@pytest.mark.parametrize(
    ("pages", "openers", "is_common"),
    [(9, 9, True), (9, 8, False), (10, 9, True), (100, 89, False), (100, 90, True)],
)
def test_what_nine_of_ten_pages_open_is_part_of_none(pages, openers, is_common):
    """Of fewer than ten pages, at least nine."""
    opened = [{"all.json": 1} if n < openers else {} for n in range(pages)]

    assert opened_by_nearly_all(opened) == ({"all.json"} if is_common else set())


def test_modules_are_imported_if_their_compiled_code_was_looked_for(tmp_path):
    code = cache_from_source(str(tmp_path / "module.py"))
    files = [code, str(tmp_path / "module.py"), str(tmp_path / "shown.py")]

    assert imported(files) == {code, str(tmp_path / "module.py")}


@pytest.mark.parametrize(
    ("name", "is_content"),
    [
        ("project/docs/a.md", True),
        ("project/beside.md", True),
        ("project/docs/hook.py", True),
        ("other/a.md", True),
        ("other/plugin.py", False),
        ("nowhere/a.md", False),
    ],
)
def test_content_is_in_the_projects_repository_or_another(tmp_path, name, is_content):
    """Code in other repositories is a plugin's."""
    for repository in ("project", "other"):
        (tmp_path / repository / ".git").mkdir(parents=True)
    (tmp_path / "project/docs").mkdir()
    project = Project(tmp_path / "project/docs")

    assert project.has_content(str(tmp_path / name)) == is_content
