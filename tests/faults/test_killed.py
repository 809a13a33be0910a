"""A build that is stopped leaves every file whole,
and the next one writes exactly the new set."""

from __future__ import annotations

import gzip
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from datetime import date
from itertools import count
from pathlib import Path

import pytest
from lxml import etree

from sitemap_plugins import Options, Page, Site, generate
from sitemap_plugins.core.crawlers.robots_txt import read_file, with_sitemaps
from sitemap_plugins.core.messages import OutputError
from sitemap_plugins.core.publishing.plan import File, plan_files
from sitemap_plugins.core.publishing.publish import publish, replace_files
from sitemap_plugins.core.records import Entry
from sitemap_plugins.core.untrusted_files import write_text
from tests.check.checked_site import url, urlset
from tests.folder.html_folder import write
from tests.full import FULL
from tests.merge.test_merger import merged

BASE = "https://example.com/"
LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
OLD, NEW = date(2024, 1, 1), date(2025, 1, 1)
STAGING = ".sitemap_plugins"

# The interpreter tells of each of these steps before it takes it (PEP 578); the last is
# our own.
STEPS = {
    "open",
    "os.mkdir",
    "os.rename",
    "os.remove",
    "os.rmdir",
    "os.scandir",
    "os.listdir",
    "shutil.rmtree",
    "os.truncate",
    "fcntl.flock",
    "test.chunk",
}


def published(folder, pages, day, **values):
    """Publish robots.txt and a sitemap of pages with one date, two in each part."""
    entries = [Entry(url=f"{BASE}{number:02}/", lastmod=day) for number in range(pages)]
    options = Options.parse({"max_urls": 2, "gzip": True, **values}, where="")

    def ticking(chunks):
        for chunk in chunks:
            sys.audit("test.chunk", str(folder))
            yield chunk

    def files():
        for file in plan_files(entries, BASE, options):
            yield file._replace(chunks=ticking(file.chunks))
        text = with_sitemaps(
            read_file(folder / "robots.txt") or b"", [f"{BASE}sitemap.xml"]
        )
        yield File(name="robots.txt", chunks=ticking([text]))

    publish(files(), output_dir=folder, filename="sitemap.xml")


def content_of(folder):
    """Return each public file with its bytes."""
    return {
        file.name: file.read_bytes()
        for file in folder.iterdir()
        if not file.name.startswith(STAGING)
    }


def killed_before(step, action, folder):
    """Call a function in a process that is killed before a step;
    return whether it was killed."""
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
def memory():
    """Return a folder in memory if the system has one."""
    shared_memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(dir=shared_memory) as folder:
        yield Path(folder)


def site_before(made, old, **values):
    """Create a folder with a user's files and, optionally, an old sitemap."""
    made.mkdir()
    (made / "robots.txt").write_bytes(b"User-agent: *\nDisallow: /x")
    (made / "sitemap-9.xml").write_bytes(b"<urlset>another's</urlset>")
    if old:
        published(made, old, OLD, **values)
    return made


@FULL
@pytest.mark.skipif(
    not hasattr(os, "fork"), reason="needs processes that can be killed"
)
@pytest.mark.parametrize(
    ("old", "new", "before", "after"),
    [
        pytest.param(0, 3, {}, {}, id="first build", marks=FULL),
        pytest.param(1, 5, {}, {}, id="larger"),
        pytest.param(4, 5, {}, {}, id="a part divided", marks=FULL),
        pytest.param(5, 1, {}, {}, id="one file again", marks=FULL),
        pytest.param(5, 3, {}, {}, id="smaller", marks=FULL),
        pytest.param(5, 0, {}, {}, id="no page", marks=FULL),
        pytest.param(
            5, 4, {"text": True}, {}, id="no text sitemaps any more", marks=FULL
        ),
        pytest.param(
            2,
            3,
            {"text": True},
            {"text": True},
            id="text sitemaps of parts",
            marks=FULL,
        ),
        pytest.param(5, 4, {}, {"split": "section"}, id="sections", marks=FULL),
    ],
)
def test_kill_at_any_step_leaves_every_file_whole(memory, old, new, before, after):
    """The sitemap is old or new and lists only existing files;
    the next build repairs the rest.

    What both sitemaps list is listed at every moment.
    """
    template = site_before(memory / "before", old, **before)
    content_before = content_of(template)
    target = shutil.copytree(template, memory / "after")
    published(target, new, NEW, **after)
    content_after = content_of(target)
    assert content_before != content_after
    shared = listed(content_before) & listed(content_after)
    assert len(shared) == min(old, new)

    for step in count(1):
        folder = shutil.copytree(template, memory / f"step {step}")
        killed = killed_before(
            step, lambda to=folder: published(to, new, NEW, **after), folder
        )
        content = content_of(folder)

        assert content.keys() <= content_before.keys() | content_after.keys()
        assert content.keys() >= content_before.keys() & content_after.keys()
        for name, text in content.items():
            assert text in {content_before.get(name), content_after.get(name)}
        assert_nothing_is_named_that_is_not_there(content)
        assert shared <= listed(content)
        if not killed:
            break

        published(folder, new, NEW, **after)
        assert content_of(folder) == content_after
        assert not list(folder.glob(f"{STAGING}*"))
        shutil.rmtree(folder)
    assert content == content_after
    assert step > 10


@pytest.mark.skipif(
    not hasattr(os, "fork"), reason="needs processes that can be killed"
)
def test_kill_at_any_step_of_a_merge_leaves_every_file_whole(memory):
    """The index is old or new, with its copy; robots.txt keeps its content."""
    template = memory / "before"
    write(
        template,
        {f"{name}/sitemap.xml": urlset(url(f"{name}/")) for name in ("de", "en", "fr")},
    )
    write(template, {"robots.txt": "User-agent: *\nDisallow: /x", "sitemap.xml.gz": ""})
    merged(template, "de", "en")
    (template / "robots.txt").write_bytes(b"User-agent: *\nDisallow: /x")
    content_before = content_of_files(template)
    target = shutil.copytree(template, memory / "after")
    merged(target, "de", "en", "fr")
    content_after = content_of_files(target)
    changed = {"sitemap.xml", "sitemap.xml.gz", "robots.txt"}
    assert changed == {
        n for n in content_after if content_after[n] != content_before[n]
    }

    for step in count(1):
        folder = shutil.copytree(template, memory / f"step {step}")
        killed = killed_before(
            step, lambda to=folder: merged(to, "de", "en", "fr"), folder
        )
        content = content_of_files(folder)

        assert content.keys() == content_before.keys()
        assert all(
            text in {content_before[n], content_after[n]} for n, text in content.items()
        )
        # A line is only there for an index that is.
        is_announced = content["robots.txt"] == content_after["robots.txt"]
        assert (
            not is_announced or content["sitemap.xml"] == content_after["sitemap.xml"]
        )
        if not killed:
            break

        merged(folder, "de", "en", "fr")
        assert content_of_files(folder) == content_after
        assert not list(folder.glob(f"{STAGING}*"))
        shutil.rmtree(folder)
    assert content == content_after
    assert step > 10


def content_of_files(folder):
    """Return each public file of nested folders with its bytes."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and not file.relative_to(folder).parts[0].startswith(STAGING)
    }


def listed(content):
    """Return each URL that a crawler finds from sitemap.xml."""
    if "sitemap.xml" not in content:
        return set()
    root = etree.fromstring(content["sitemap.xml"])
    found = {loc.text for loc in root.iter(LOC)}
    if root.tag.endswith("urlset"):
        return found
    parts = [content[url.removeprefix(BASE)] for url in found]
    plain = [
        gzip.decompress(part) if part[:2] == b"\x1f\x8b" else part for part in parts
    ]
    return {loc.text for part in plain for loc in etree.fromstring(part).iter(LOC)}


def assert_nothing_is_named_that_is_not_there(content):
    """Parts exist before the index that names them."""
    if b"<sitemapindex" in content.get("sitemap.xml", b""):
        parts = [loc.text for loc in etree.fromstring(content["sitemap.xml"]).iter(LOC)]
        assert {part.removeprefix(BASE) for part in parts} <= content.keys()


needs_modes = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="modes are POSIX")


def pages(number, version):
    return [Page(path=f"{n}/?{version}{'x' * 1500}") for n in range(number)]


def codes_of(folder, some, **values):
    options = Options.parse({"base_url": BASE, **values}, where="")
    report = generate(some, site=Site(output_dir=folder), options=options, environ={})
    return [notice.code for notice in report.notices]


@pytest.fixture
def small_file_system(tmp_path):
    """Return a folder on a separate file system of 64 KiB."""
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
    """Return a folder, and limit files that this process writes to 16 KiB."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield tmp_path, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (16_384, hard))
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_full_disk_is_a_notice_and_changes_nothing(small_file_system):
    assert [] == codes_of(small_file_system, pages(3, "old"))
    before = content_of(small_file_system)

    codes = codes_of(small_file_system, pages(60, "new"))

    assert (["write-failed"], before) == (codes, content_of(small_file_system))
    assert not list(small_file_system.glob(f"{STAGING}*"))


def test_file_that_grows_too_large_is_a_notice_and_changes_nothing(
    folder_for_small_files,
):
    folder, limit_file_size = folder_for_small_files
    assert [] == codes_of(folder, pages(3, "old"))
    before = content_of(folder)
    limit_file_size()

    codes = codes_of(folder, pages(20, "new"))

    assert (["write-failed"], before) == (codes, content_of(folder))
    assert not list(folder.glob(f"{STAGING}*"))


def test_text_for_a_file_that_the_user_names_is_written_whole_or_not_at_all(
    folder_for_small_files,
):
    folder, limit_file_size = folder_for_small_files
    known = folder / "known.json"
    write_text(known, "old")
    limit_file_size()

    for file in (known, folder / "new.json"):
        with pytest.raises(OutputError, match=r"cannot be written \(File too large\)"):
            write_text(file, "x" * 20_000)

    assert {"known.json": b"old"} == content_of(folder)


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="Windows has no such devices")
def test_device_that_the_user_names_is_written_into():
    ours, device = os.openpty()
    try:
        write_text(Path(os.ttyname(device)), "text")

        assert b"text" == os.read(ours, 100)
    finally:
        os.close(ours)
        os.close(device)


def without_rights_of_root(tmp_path, program):
    """Run Python code in a process without root's exemption from file modes."""
    code = f"{PREAMBLE}\nfolder = Path({str(tmp_path)!r})\n{program}"
    command = [sys.executable, "-c", code]
    if os.geteuid() == 0:
        setpriv = shutil.which("setpriv")
        if setpriv is None:
            pytest.skip("root cannot drop its rights")
        command = [
            setpriv,
            "--bounding-set",
            "-dac_override,-dac_read_search",
            *command,
        ]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert 0 == run.returncode, run.stderr
    return run.stdout.split()


PREAMBLE = """
from pathlib import Path
from sitemap_plugins import Options, Page, Site, generate
options = Options.parse({"base_url": "https://example.com/"}, where="")
def codes():
    site = Site(output_dir=folder)
    report = generate([Page(path="new")], site=site, options=options, environ={})
    return [notice.code for notice in report.notices]
"""


@needs_modes
def test_read_only_folder_is_a_notice_and_changes_nothing(tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    codes_of(folder, pages(3, "old"))
    before = content_of(folder)
    folder.chmod(0o555)

    codes = without_rights_of_root(folder, "print(*codes())")

    assert (["write-failed"], before) == (codes, content_of(folder))


@needs_modes
def test_unreadable_sitemap_is_replaced(tmp_path):
    """The new file has the usual mode, so that the web server can read it."""
    codes_of(tmp_path, pages(3, "old"))
    (tmp_path / "sitemap.xml").chmod(0)

    codes = without_rights_of_root(tmp_path, "print(*codes())")

    assert [] == codes
    assert b"https://example.com/new" in (tmp_path / "sitemap.xml").read_bytes()
    assert (tmp_path / "sitemap.xml").stat().st_mode & 0o400


def test_old_part_that_cannot_be_removed_is_named_and_the_sitemap_is_written(tmp_path):
    """The part is a mount point, which cannot be removed."""
    codes_of(tmp_path, pages(2, "old"), max_urls=1)
    old_part = max(tmp_path.glob("sitemap-*.xml"))
    mount = ["mount", "--bind", str(old_part), str(old_part)]
    if (
        shutil.which("mount") is None
        or subprocess.run(mount, check=False).returncode != 0
    ):
        pytest.skip("this user mounts nothing")
    try:
        options = Options.parse({"base_url": BASE}, where="")
        report = generate(
            pages(1, "new"), site=Site(output_dir=tmp_path), options=options, environ={}
        )
    finally:
        subprocess.run(["umount", str(old_part)], check=True)

    (notice,) = report.notices
    assert (notice.code, notice.level, notice.place) == (
        "old-file",
        "info",
        str(old_part),
    )
    assert (
        "the sitemap is written, but this file of an earlier build cannot be removed"
        " (Device or resource busy): delete it"
    ) == notice.text
    assert 1 == report.listed
    assert {*tmp_path.glob("sitemap*.xml")} == {tmp_path / "sitemap.xml", old_part}
    assert [] == codes_of(tmp_path, pages(1, "new"))
    assert not old_part.exists()


@needs_modes
def test_remaining_staging_folder_is_removed_by_the_next_build(tmp_path):
    (name,) = without_rights_of_root(tmp_path, LEAVE_A_FOLDER)
    assert (tmp_path / ".sitemap_plugins.lock").read_text() == name
    (tmp_path / name / "closed").chmod(0o755)

    assert [] == codes_of(tmp_path, pages(1, "new"))

    assert not list(tmp_path.glob(f"{STAGING}*"))


LEAVE_A_FOLDER = """
from sitemap_plugins.core.publishing.staging import staging_folder
with staging_folder(folder) as staging:
    (staging / "closed").mkdir()
    (staging / "closed" / "file").touch()
    (staging / "closed").chmod(0o555)
print(staging.name)
"""


def test_read_only_file_system_is_a_notice_and_changes_nothing(small_file_system):
    codes_of(small_file_system, pages(3, "old"))
    before = content_of(small_file_system)
    subprocess.run(["mount", "-o", "remount,ro", str(small_file_system)], check=True)

    codes = codes_of(small_file_system, pages(3, "new"))

    assert (["write-failed"], before) == (codes, content_of(small_file_system))


def test_part_that_cannot_be_moved_leaves_the_old_index(tmp_path):
    """The old sitemap is still complete; only whole new parts were added."""
    (tmp_path / "elsewhere").mkdir()
    codes_of(tmp_path / "elsewhere", pages(3, "new"), max_urls=1)
    parts = sorted(file.name for file in (tmp_path / "elsewhere").glob("sitemap-*"))
    site = tmp_path / "site"
    site.mkdir()
    codes_of(site, pages(1, "old"))
    before = content_of(site)
    (site / parts[0] / "in the way").mkdir(parents=True)

    codes = codes_of(site, pages(3, "new"), max_urls=1)

    assert ["write-failed"] == codes
    names = {file.name for file in site.iterdir()}
    always = {"sitemap.css", "sitemap.xml", "robots.txt"}
    assert {parts[0], *always} <= names < {*parts, *always}
    assert (site / "sitemap.xml").read_bytes() == before["sitemap.xml"]


@pytest.mark.skipif(
    not hasattr(os, "fork"), reason="needs processes that can be killed"
)
def test_kill_at_any_step_leaves_every_replaced_file_whole(memory):
    """Pages of old versions (`versions --write`) are replaced in their own folders."""
    old = {f"v{number}/a.html": b"old" * 9 for number in range(3)}
    new = {**dict.fromkeys(old, b"new one" * 9), "v2/sitemap.xml": b""}
    old["v2/sitemap.xml"] = b"nothing is left in this one"
    for step in count(1):
        folder = memory / str(step)
        for name, content in old.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        files = [(folder / name, content) for name, content in new.items()]
        killed = killed_before(
            step, lambda f=files, d=folder: replace_files(f, output_dir=d), folder
        )
        for name, before in old.items():
            assert content_of_files(folder).get(name, b"") in {before, new[name]}
        replace_files(files, output_dir=folder)
        assert {f"v{n}" for n in range(3)} == {each.name for each in folder.iterdir()}
        assert {n: text for n, text in new.items() if text} == content_of_files(folder)
        if not killed:
            break
    assert step > 10
