"""Whatever stops a build, each file is whole, and the next build leaves exactly the new set."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import count

import pytest
from lxml import etree

from sitemap_plugins import Page, check, generate
from sitemap_plugins.core.entries import Entry
from sitemap_plugins.core.fileset import File, from_entries
from sitemap_plugins.core.output import existing, publish
from sitemap_plugins.core.robots import with_sitemaps

BASE = "https://example.com/"
LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
STAGING = ".sitemap_plugins-"

# The interpreter tells of each of these steps before it takes it (PEP 578); the last is our own.
STEPS = {
    *("open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.scandir", "os.listdir"),
    *("shutil.rmtree", "tempfile.mkdtemp", "test.chunk"),
}


def published(folder, pages, version):
    """Publish a sitemap of so many pages, two in a part, and robots.txt."""
    entries = [Entry(url=f"{BASE}{number}/?{version}") for number in range(pages)]
    options = replace(check({"max_urls": 2, "gzip": True}, where=""), base_url=BASE)

    def ticking(chunks):
        for chunk in chunks:
            sys.audit("test.chunk", str(folder))
            yield chunk

    def files():
        for file in from_entries(entries, options):
            yield replace(file, chunks=ticking(file.chunks))
        text = with_sitemaps(existing(folder / "robots.txt") or b"", [f"{BASE}sitemap.xml"])
        yield File(name="robots.txt", chunks=ticking([text]))

    publish(files(), output_dir=folder, filename="sitemap.xml")


def content_of(folder):
    """Return each file that the web server would show, with its bytes."""
    return {
        file.name: file.read_bytes()
        for file in folder.iterdir()
        if not file.name.startswith(STAGING)
    }


def killed_before(step, action, folder):
    """Do something in a process of its own that is killed before a step; tell whether it was."""
    child = os.fork()
    if child == 0:  # pragma: no cover
        steps = count(1)

        def hook(event, arguments):
            # Modules are opened too, and within rmtree files have no folder.
            counts = event in STEPS and (
                event != "open" or str(arguments[0]).startswith(str(folder))
            )
            if counts and next(steps) == step:
                os.kill(os.getpid(), signal.SIGKILL)

        code = 1
        try:
            sys.addaudithook(hook)
            action()
            code = 0
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in {0, -signal.SIGKILL}
    return code != 0


@pytest.fixture
def folders(tmp_path):
    """Return a function that makes a folder with a user's files and, perhaps, an old sitemap."""

    def folder(name, old):
        made = tmp_path / name
        made.mkdir()
        (made / "robots.txt").write_bytes(b"User-agent: *\nDisallow: /x")
        (made / "sitemap-9.xml").write_bytes(b"<urlset>another's</urlset>")
        if old:
            published(made, old, "old")
        return made

    return folder


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that can be killed")
@pytest.mark.parametrize(
    ("old", "new"),
    [(0, 3), (1, 5), (5, 1), (5, 3)],
    ids=["first build", "larger", "one file again", "smaller"],
)
def test_a_kill_at_any_step_leaves_every_file_whole(folders, old, new):
    """Old or new, and never a list of files that are not there; the next build mends the rest."""
    before = content_of(folders("before", old))
    target = folders("after", old)
    published(target, new, "new")
    after = content_of(target)
    assert before != after

    for step in count(1):
        folder = folders(f"step {step}", old)
        killed = killed_before(step, lambda to=folder: published(to, new, "new"), folder)
        content = content_of(folder)

        assert content.keys() <= before.keys() | after.keys()
        assert content.keys() >= before.keys() & after.keys()
        for name, text in content.items():
            assert text in {before.get(name), after.get(name)}
        assert_nothing_is_named_that_is_not_there(content)
        if not killed:
            break

        published(folder, new, "new")
        assert content_of(folder) == after
        assert not list(folder.glob(f"{STAGING}*"))
        shutil.rmtree(folder)
    assert content == after
    assert step > 25


def assert_nothing_is_named_that_is_not_there(content):
    """Parts are there before their index, and the index before robots.txt names it."""
    if b"Sitemap:" in content["robots.txt"]:
        assert "sitemap.xml" in content
    if b"<sitemapindex" in content.get("sitemap.xml", b""):
        parts = [loc.text for loc in etree.fromstring(content["sitemap.xml"]).iter(LOC)]
        assert {part.removeprefix(BASE) for part in parts} <= content.keys()


def pages(number, version):
    return [Page(path=f"{n}/?{version}{'x' * 1500}") for n in range(number)]


def codes_of(folder, some, **values):
    options = check({"base_url": BASE, **values}, where="")
    report = generate(some, options=options, output_dir=folder, environ={})
    return [notice.code for notice in report.notices]


@pytest.fixture
def small_file_system(tmp_path):
    """Return a folder on a file system of 64 KiB of its own."""
    folder = tmp_path / "mounted"
    folder.mkdir()
    mount = shutil.which("mount")
    if mount is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        pytest.skip("only root can mount a file system")
    command = [mount, "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if subprocess.run(command, check=False, capture_output=True).returncode != 0:
        pytest.skip("this machine mounts nothing")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture
def folder_for_small_files(tmp_path):
    """Return a folder while this process can write no file of more than 16 KiB."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield tmp_path, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (16_384, hard))
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_a_notice_and_changes_nothing(small_file_system):
    assert codes_of(small_file_system, pages(3, "old")) == []
    before = content_of(small_file_system)

    codes = codes_of(small_file_system, pages(60, "new"))

    assert (codes, content_of(small_file_system)) == (["write-failed"], before)
    assert not list(small_file_system.glob(f"{STAGING}*"))


def test_a_file_that_grows_too_large_is_a_notice_and_changes_nothing(folder_for_small_files):
    folder, limit_file_size = folder_for_small_files
    assert codes_of(folder, pages(3, "old")) == []
    before = content_of(folder)
    limit_file_size()

    codes = codes_of(folder, pages(20, "new"))

    assert (codes, content_of(folder)) == (["write-failed"], before)
    assert not list(folder.glob(f"{STAGING}*"))


def test_a_read_only_folder_is_a_notice_and_changes_nothing(tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    codes_of(folder, pages(3, "old"))
    before = content_of(folder)
    folder.chmod(0o555)
    try:
        if os.access(folder, os.W_OK):
            pytest.skip("this user may write everywhere")

        codes = codes_of(folder, pages(3, "new"))

        assert (codes, content_of(folder)) == (["write-failed"], before)
    finally:
        folder.chmod(0o755)


def test_a_read_only_file_system_is_a_notice_and_changes_nothing(small_file_system):
    codes_of(small_file_system, pages(3, "old"))
    before = content_of(small_file_system)
    subprocess.run(["mount", "-o", "remount,ro", str(small_file_system)], check=True)

    codes = codes_of(small_file_system, pages(3, "new"))

    assert (codes, content_of(small_file_system)) == (["write-failed"], before)


def test_a_part_that_cannot_be_moved_stops_before_the_index(tmp_path):
    """The old sitemap stays complete; what was moved before are parts, whole ones."""
    codes_of(tmp_path, pages(1, "old"))
    before = content_of(tmp_path)
    (tmp_path / "sitemap-2.xml" / "in the way").mkdir(parents=True)

    codes = codes_of(tmp_path, pages(3, "new"), max_urls=1)

    assert codes == ["write-failed"]
    assert {file.name for file in tmp_path.iterdir()} == {
        *("sitemap-1.xml", "sitemap-2.xml", "sitemap.xml", "robots.txt")
    }
    assert (tmp_path / "sitemap.xml").read_bytes() == before["sitemap.xml"]
