"""`benchmarks/deploys.py`: what deploys did to the dates of pages, in a real repository."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.check.checked_site import url, urlset
from tests.git_repository import GitRepository

PROGRAM = Path(__file__).parents[1] / "benchmarks/deploys.py"
MAY, JUNE, JULY = "2024-05-01", "2024-06-01", "2024-07-01"


def site(**pages):
    """Return the files of a deploy; a page's value is its date and its text."""
    entries = [url(f"{name}/", date) for name, (date, _) in pages.items()]
    files = {f"{name}/index.html": text for name, (_, text) in pages.items()}
    return {"sitemap.xml": urlset(*entries), **files}


def test_dates_are_compared_with_the_bytes_of_their_pages(tmp_path):
    old = site(a=(MAY, "1"), b=(MAY, "1"), c=(MAY, "1"), d=(JULY, "1"), e=("", "1"))
    new = site(a=(JUNE, "1"), b=(JUNE, "2"), c=(MAY, "2"), d=(JUNE, "2"), e=(MAY, "1"))
    repository = GitRepository(tmp_path)
    repository.commit(old)
    repository.commit({**old, "unlisted.html": "1"})
    repository.commit({"sitemap.xml": "<urlset"})
    repository.commit(new)
    repository.write()

    command = [sys.executable, PROGRAM, tmp_path, "main"]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout

    assert said.splitlines() == [
        "1 deploys, 4 dates",
        "moved: 3 (75%)",
        "of these, pages in the branch: 3",
        "of these, not changed by a byte: 1 (33%)",
        "went back: 1",
    ]
