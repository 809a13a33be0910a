"""A hostile robots.txt takes little time and does not prevent the sitemap."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
from sitemap_plugins.core.crawlers.robots_txt import Robots
rule = b"User-agent: *\\nDisallow: /" + b"*a" * 25 + b"*b\\n"
robots = Robots(rule, base_url="https://example.com/", on_read_the_docs=False)
print(robots.allow("https://example.com/" + "a" * 2000))
"""


def test_rule_with_many_wildcards_is_matched_quickly():
    """Protego before 0.7 made a regular expression of it, which takes forever."""
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    assert "True\n" == run.stdout


READ = """
import resource
from pathlib import Path
from sitemap_plugins import Options, Page, Site, generate
resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))
options = Options.parse({"base_url": "https://example.com/"}, where="")
report = generate([Page(path="a")], site=Site(output_dir=Path.cwd()), options=options, environ={})
for notice in report.notices:
    print(notice.code, notice.text)
print(report.listed, *(file.name for file in report.files))
"""


@pytest.mark.skipif(os.name == "nt", reason="needs devices and limits")
@pytest.mark.parametrize("kind", ["a named pipe", "a device", "a large file"])
def test_abnormal_robots_txt_is_neither_read_nor_changed(tmp_path, kind):
    """The build neither waits nor needs more than half a gigabyte of memory."""
    robots = tmp_path / "robots.txt"
    if kind == "a named pipe":
        os.mkfifo(robots)
    elif kind == "a device":
        robots.symlink_to("/dev/zero")
    else:
        with robots.open("wb") as file:
            file.truncate(100_000_000)
    before = kind_size_and_time(robots)

    command = [sys.executable, "-c", READ]
    run = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
    )

    notice, written = run.stdout.splitlines()
    assert notice.startswith(f"bad-robots {robots} ")
    assert "1 sitemap.css sitemap.xml" == written
    assert before == kind_size_and_time(robots)


def kind_size_and_time(file):
    status = file.lstat()
    return status.st_mode, status.st_size, status.st_mtime_ns
