"""The manual's adapter: a site built with it, and its messages about mistakes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.sites import git
from tests.written import locs

ADAPTER = Path(__file__).parents[1] / "docs/examples/adapter.py"
FILES = {
    "content/index.md": "Title: Home\n\n# Home\n",
    "content/guide/café.md": "Title: Café\n\nText.\n",
    "content/later.md": "Title: Later\nStatus: draft\n\nText.\n",
    "content/private.md": "Robots: noindex\n\nText.\n",
}


@pytest.fixture
def project(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(
        tmp_path, "commit", "-qm", "all", GIT_COMMITTER_DATE="2026-05-06T07:08:09+00:00"
    )
    return tmp_path


def run(project, settings):
    (project / "site.toml").write_text(settings)
    return subprocess.run(
        [sys.executable, ADAPTER, project], capture_output=True, text=True, check=False
    )


def test_site_of_the_example(project):
    done = run(project, 'base_url = "https://example.com/"\n')

    sitemap = (project / "public/sitemap.xml").read_bytes()
    summary = "sitemap.xml: 2 pages, 2 left out (1 draft, 1 noindex)\n"
    assert (0, summary, "") == (done.returncode, done.stdout, done.stderr)
    assert ["https://example.com/", "https://example.com/guide/caf%C3%A9.html"] == locs(
        sitemap
    )
    assert 2 == sitemap.count(b"<lastmod>2026-05-06T07:08:09+00:00</lastmod>")


@pytest.mark.parametrize(
    ("settings", "code", "line"),
    [
        (
            "",
            0,
            "info: base_url in site.toml is not set, so no sitemap is written: set it to",
        ),
        (
            "[sitemap]\nexlude = []\n",
            2,
            "error: site.toml: exlude is not an option: did you mean",
        ),
    ],
)
def test_mistake_is_one_line(project, settings, code, line):
    done = run(project, settings)

    assert code == done.returncode
    assert done.stdout.startswith(line)
    assert "" == done.stderr
