"""`sitemap-plugins diff` on the command line: output and exit codes."""

from __future__ import annotations

import json

import pytest

from tests.checks.checked_site import url, urlset
from tests.cli.command import run
from tests.folder.html_folder import BASE, write

DAY, LATER = "2024-05-01", "2024-05-02"


@pytest.fixture
def folder(tmp_path):
    old = urlset(url("gone"), url("same", DAY), url("edited", DAY), url("dated"))
    new = urlset(url("new", DAY), url("same", DAY), url("edited", LATER), url("dated", DAY))
    write(tmp_path, {"old.xml": old, "site/sitemap.xml": new})
    return tmp_path


def test_text_names_each_change(folder):
    done = run(folder, "diff", "old.xml", "site")

    assert (1, "") == (done.returncode, done.err)
    assert done.out.splitlines() == [
        f"~ {BASE}dated  undated → {DAY}",
        f"~ {BASE}edited  {DAY} → {LATER}",
        f"- {BASE}gone",
        f"+ {BASE}new",
        "1 added, 1 removed, 2 changed",
    ]
    assert (1, "", "") == run(folder, "diff", "old.xml", "site", "-q")


def test_no_difference_is_exit_code_zero(folder):
    assert (0, "no difference\n", "") == run(folder, "diff", "old.xml", "old.xml")
    assert (0, "", "") == run(folder, "diff", "old.xml", "old.xml", "--format", "urls")


def test_formats_for_programs_are_json_and_urls(folder):
    found = json.loads(run(folder, "diff", "old.xml", "site", "--format", "json").out)
    urls = run(folder, "diff", "old.xml", "site", "--format", "urls").out.splitlines()

    assert (1, 1, 2) == (found["added"], found["removed"], found["changed"])
    assert {"change": "removed", "url": f"{BASE}gone", "old": "", "new": None} in found["changes"]
    assert urls == [change["url"] for change in found["changes"]]
    same = run(folder, "diff", "old.xml", "old.xml", "--format", "json")
    assert [] == json.loads(same.out)["changes"]


def test_unreadable_sitemap_is_exit_code_two(folder):
    write(folder, {"broken.xml": "<urlset>"})
    done = run(folder, "diff", "broken.xml", "site", "--format", "json")

    assert (2, "") == (done.returncode, done.out)
    assert "broken.xml:1: it is not well-formed XML" in done.err
    assert 1 == done.err.count("\n")
