"""Whole builds, servers and commands on Windows, with drives for everything.

`nox -s windows` runs them under Wine, with CPython for Windows; no other session does.
The project is on drive D:, its output on E:, temporary files are on F:, and C: is the
current one. All but C: are empty at the start.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.git_repository import ENVIRON, GitRepository
from tests.git_server import serving
from tests.sites import QUIET, Built

ROOT = Path(__file__).parents[2]
PROJECTS = Path("D:/")
OUTPUT = Path("E:/")
TEMPORARY = Path("F:/temporary")
BASE = "https://example.com/"
OLD = datetime(2020, 1, 1, tzinfo=UTC)
NEW = datetime(2024, 5, 1, tzinfo=UTC)
SETTINGS = {
    "mkdocs": """
site_name: Site
site_url: https://example.com/
plugins: [{sitemap: {page_dates: true, fetch_history: true}}]
markdown_extensions: [{pymdownx.snippets: {base_path: [!relative $config_dir]}}]
""",
    "pelican": """
SITENAME = "Site"
SITEURL = "https://example.com"
TIMEZONE = "UTC"
THEME = "simple"
PLUGINS = ["sitemap_plugins.pelican"]
SITEMAP = {"page_dates": True, "fetch_history": True}
PAGE_PATHS = [""]
ARTICLE_PATHS = []
PAGE_URL = PAGE_SAVE_AS = "{slug}.html"
DIRECT_TEMPLATES = []
FEED_ALL_ATOM = CATEGORY_FEED_ATOM = TRANSLATION_FEED_ATOM = AUTHOR_FEED_ATOM = None
""",
    "sphinx": """
project = "Site"
html_baseurl = "https://example.com/"
extensions = ["sitemap_plugins.sphinx"]
sitemap_page_dates = True
sitemap_fetch_history = True
html_theme = "basic"
""",
}
PART = "part.txt"
RST = "Home\n====\n\nText.\n"
INCLUDING = "Guide\n=====\n\n.. include:: part.txt\n"
FILES = {
    "mkdocs": {
        "mkdocs.yml": SETTINGS["mkdocs"],
        "docs/index.md": "# Home\n",
        "docs/guide.md": f'# Guide\n\n--8<-- "{PART}"\n',
    },
    "pelican": {
        "pelicanconf.py": SETTINGS["pelican"],
        "content/index.rst": RST,
        "content/guide.rst": INCLUDING.replace(PART, f"../{PART}"),
    },
    "sphinx": {
        "conf.py": SETTINGS["sphinx"],
        "index.rst": f":orphan:\n\n{RST}",
        "guide.rst": f":orphan:\n\n{INCLUDING}",
    },
}
PAGES = {
    "mkdocs": ("", "guide/"),
    "pelican": ("home.html", "guide.html"),
    "sphinx": ("index.html", "guide.html"),
}
"""The path of the page alone, and of the one that includes a newer file."""
HOSTS = tuple(FILES)
LONGEST = 3_600
"""Seconds for a command, or to follow an edit: Wine is slow beside other work."""


def run(*command: str | Path, **environ: str) -> str:
    """Run a module of Python on drive C:, and return what it prints."""
    done = started(*command, **environ)
    log, _ = done.communicate(timeout=LONGEST)
    assert 0 == done.returncode, log
    return log


def started(*command: str | Path, **environ: str) -> subprocess.Popen[str]:
    """Start a module of Python on drive C:."""
    places = {"TMP": str(TEMPORARY), "TEMP": str(TEMPORARY), "PYTHONUTF8": "1"}
    return subprocess.Popen(
        [sys.executable, "-m", *map(str, command)],
        cwd="C:/",
        env={**os.environ, **ENVIRON, **QUIET, **places, **environ},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )


def build(host: str, project: Path, output: Path, **environ: str) -> Built:
    """Build a project with the host's own command; its warnings are failures."""
    commands = {
        "mkdocs": ("build", "--strict", "-f", project / "mkdocs.yml", "-d", output),
        "pelican": (
            project / "content",
            "-s",
            project / "pelicanconf.py",
            "-o",
            output,
            "--fatal",
            "warnings",
        ),
        "sphinx": ("-W", "-b", "html", project, output),
    }
    log = run(host, *commands[host], **environ)
    return Built(0, log, output)


def project(host: str, folder: Path) -> GitRepository:
    """Write a project with a page that includes a file, which changed later."""
    made = GitRepository(folder)
    files = FILES[host]
    made.commit({**files, PART: "Before.\n"}, time=int(OLD.timestamp()))
    made.commit({**files, PART: "After.\n"}, time=int(NEW.timestamp()))
    made.write()
    return made


def dates(host: str) -> dict[str, dict[str, str]]:
    """Return what the sitemap of a project lists."""
    home, guide = PAGES[host]
    return {
        BASE + guide: {"lastmod": NEW.isoformat()},
        BASE + home: {"lastmod": OLD.isoformat()},
    }


@pytest.fixture(autouse=True)
def temporary_files():
    """See that no build leaves temporary files."""
    TEMPORARY.mkdir(exist_ok=True)
    yield
    assert [] == [*TEMPORARY.glob("sitemap-plugins-*")]


@pytest.mark.parametrize("host", HOSTS)
def test_project_output_and_temporary_files_are_on_other_drives(host):
    project(host, PROJECTS / host)
    built = build(host, PROJECTS / host, OUTPUT / host)

    assert dates(host) == built.entries, built.log
    page = OUTPUT / host / PAGES[host][1]
    text = (page / "index.html" if page.is_dir() else page).read_text("utf-8")
    if host == "sphinx":
        assert f'"article:modified_time" content="{NEW.isoformat()}"' in text
    assert "After." in text

    checked = run("sitemap_plugins", "check", OUTPUT / host, "--base-url", BASE)
    assert "2 URLs in 1 file: nothing found" in checked
    explained = run("sitemap_plugins", "explain", BASE + PAGES[host][1], OUTPUT / host)
    assert "2024-05-01" in explained


@pytest.mark.parametrize("host", HOSTS)
def test_missing_history_is_fetched(host):
    origins = PROJECTS / "origins" / host
    origin = project(host, origins / "site")
    origin.git("config", "uploadpack.allowFilter", "true")
    clone = PROJECTS / "clones" / host
    with serving(origins) as server:
        url = f"{server.url}site/.git"
        origin.git("clone", "-q", "--depth=1", url, str(clone))
        server.requests.clear()
        built = build(host, clone, OUTPUT / "clones" / host)

        assert dates(host) == built.entries, built.log
        assert server.fetches


@contextmanager
def served(folder: Path):
    """Start `mkdocs serve`; give the function that reads the sitemap."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    command = ("mkdocs", "serve", "-a", address, "-f", folder / "mkdocs.yml")

    def entries() -> dict[str, dict[str, str]]:
        file = OUTPUT / "served/sitemap.xml"
        file.parent.mkdir(exist_ok=True)
        with urllib.request.urlopen(f"http://{address}/sitemap.xml") as answer:
            file.write_bytes(answer.read())
        found = Built(0, "", file.parent).entries
        return {loc.partition(f"{address}/")[2]: entry for loc, entry in found.items()}

    process = started(*command)
    try:
        yield entries
    finally:
        process.kill()
        log, _ = process.communicate()
        print(log)


def wait_for(condition) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + LONGEST
    while time.monotonic() < deadline:
        with suppress(OSError):
            if condition():
                return
        time.sleep(0.2)
    pytest.fail("the server did not follow the edit")


def test_server_follows_three_edits():
    folder = PROJECTS / "served"
    project("mkdocs", folder)
    new = folder / "docs/new.md"
    with served(folder) as entries:
        wait_for(lambda: {"", "guide/"} == {*entries()})
        assert NEW.isoformat() == entries()["guide/"]["lastmod"]

        (folder / "docs/guide.md").write_text("# Guide\n\nEdited.\n", "utf-8")
        wait_for(lambda: NEW.isoformat() < entries()["guide/"]["lastmod"])
        new.write_text("# New\n", "utf-8")
        wait_for(lambda: "new/" in entries())
        new.unlink()
        wait_for(lambda: {"", "guide/"} == {*entries()})

        assert OLD.isoformat() == entries()[""]["lastmod"]


def test_old_versions_are_fixed_and_urls_named():
    """The commands `versions --write` and `notify --dry-run`."""
    site = OUTPUT / "versions"
    page = "<!doctype html><html><head><title>x</title>{}</head><body>x</body></html>"
    link = f'<link rel="canonical" href="{BASE}{{}}/" />'
    for version in ("1.0", "2.0"):
        (site / version).mkdir(parents=True)
        text = page.format(link.format(version))
        (site / version / "index.html").write_text(text, "utf-8")
        run("sitemap_plugins", "build", site / version, "--base-url", BASE + version)
    listed = '[{"version": "2.0", "aliases": []}, {"version": "1.0", "aliases": []}]'
    (site / "versions.json").write_text(listed, "utf-8")
    refresh = '<meta http-equiv="refresh" content="0; url=2.0/">'
    (site / "index.html").write_text(page.format(refresh), "utf-8")

    fixed = run("sitemap_plugins", "versions", site, "--write")
    assert link.format("2.0") in (site / "1.0/index.html").read_text("utf-8"), fixed
    named = run(
        "sitemap_plugins",
        "notify",
        site / "2.0",
        "--dry-run",
        "--all",
        "--base-url",
        f"{BASE}2.0/",
    )
    assert f"{BASE}2.0/" == named.strip()


def test_limit_of_time_ends_git_behind_a_wrapper(tmp_path):
    """As cmd/git.exe of Git for Windows is one."""
    folder = PROJECTS / "hanging"
    project("mkdocs", folder)
    path = os.environ["HANGING_GIT"] + os.pathsep + os.environ["PATH"]
    start = time.monotonic()
    log = run("mkdocs", "build", "-f", folder / "mkdocs.yml", PATH=path)

    assert "git did not finish within 20 seconds" in log
    assert time.monotonic() - start < 100  # The child would hang for 120 s.


def test_sample_sites_have_the_bytes_that_they_have_on_linux():
    """Those that Linux built are in the folder that BUILT_ON_LINUX names."""
    output = OUTPUT / "samples"
    run("sample_sites.build", output, PYTHONPATH=str(ROOT))
    linux = Path(os.environ["BUILT_ON_LINUX"])

    def outputs(folder: Path) -> dict[str, bytes]:
        files = [*folder.rglob("sitemap*.xml"), *folder.rglob("robots.txt")]
        return {f.relative_to(folder).as_posix(): f.read_bytes() for f in files}

    assert outputs(linux) == outputs(output)
