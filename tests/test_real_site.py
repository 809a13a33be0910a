"""A site of another project, compared with a walk over its output
with another HTML parser.

SITEMAP_REAL_SITE names the folder of its sources: `doc` in the source distribution of
Sphinx, which `nox -s check_real_site` downloads.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import walk

SOURCE = os.environ.get("SITEMAP_REAL_SITE", "")
BASE_URL = "https://docs.example.com/"

pytestmark = pytest.mark.skipif(not SOURCE, reason="SITEMAP_REAL_SITE names no folder")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build the site with our extension in its own configuration;
    return log and folder."""
    folder = tmp_path_factory.mktemp("real")
    shutil.copytree(Path(SOURCE).parent, folder / "source")
    settings = folder / "source/doc/conf.py"
    settings.write_text(
        f"{settings.read_text('utf-8')}\n"
        f"extensions.append('sitemap_plugins.sphinx')\nhtml_baseurl = {BASE_URL!r}\n",
        "utf-8",
    )
    return build(folder / "source/doc", folder / "out"), folder / "out"


def build(source, output_dir, *arguments):
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-v",
        "-b",
        "html",
        *arguments,
        ".",
        output_dir,
    ]
    run = subprocess.run(
        list(map(str, command)),
        cwd=source,
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == run.returncode, run.stderr[-2000:]
    return run.stdout


def test_pages_that_must_not_be_indexed_are_not_listed(built):
    _, output_dir = built

    assert len(walk.locs(output_dir)) > 100
    assert {} == walk.wrongly_listed(output_dir, BASE_URL)


def test_every_indexable_page_is_listed_or_left_out_with_a_reason(built):
    log, output_dir = built
    # A page that Sphinx made says what it is: `_modules/sphinx (source code): left out
    # (…)`.
    named = set(re.findall(r"^ *(\S+)(?: \([^)]+\))?: left out \(", log, re.MULTILINE))

    missing = [
        path
        for path in walk.unlisted(output_dir, BASE_URL)
        if path.with_suffix("").as_posix() not in named
    ]
    assert [] == missing


def test_incremental_build_keeps_all_pages(built, tmp_path):
    _, output_dir = built
    before = (output_dir / "sitemap.xml").read_bytes()
    page = output_dir.parent / "source/doc/index.rst"
    os.utime(page)
    log = build(page.parent, output_dir)

    after = walk.locs(output_dir)
    changed = re.search(r"0 added, (\d+) changed", log)
    assert changed is not None
    assert 0 < int(changed[1]) < len(after) / 10
    (output_dir / "sitemap.xml").write_bytes(before)
    assert after == walk.locs(output_dir)
