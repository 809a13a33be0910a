"""Put the repository's address and its newest release into the manual.

A hook of MkDocs. Pages and workflows name the owner, a commit and a version that stand
for the real ones. Without `repo_url`, or without a release, they stay as they are.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

ROOT = Path(__file__).parents[1]
REPOSITORY = "OWNER/sitemap-plugins"
COMMIT = "0" * 40
VERSION = "1.2.3"
TAG = re.compile(r"\d+\.\d+\.\d+")
"""Releases are tagged with the bare version: RELEASING.md."""


class Release(NamedTuple):
    """A published version and the commit of its tag."""

    version: str
    commit: str


def git(folder: Path, *arguments: str) -> list[str]:
    """Return the lines that git prints about the repository; none if it fails."""
    command = ["git", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return []
    return done.stdout.splitlines()


def newest_release(folder: Path) -> Release | None:
    """Return the release with the highest version; None if there is no tag of one."""
    for tag in git(folder, "tag", "--sort=-version:refname"):
        if TAG.fullmatch(tag):
            (commit,) = git(folder, "rev-list", "--max-count=1", tag)
            return Release(tag, commit)
    return None


def fill(text: str, repository: str, release: Release | None) -> str:
    """Return the text with the names of a repository and of its newest release.

    Args:
        text: Markdown, YAML or HTML.
        repository: The owner and the name, with a slash between them; if empty, the
            text stays as it is.
        release: The version to pin; None if nothing is released.
    """
    if not repository:
        return text
    text = text.replace(REPOSITORY, repository)
    if release is None:
        return text
    return text.replace(COMMIT, release.commit).replace(VERSION, release.version)


def _repository(config: MkDocsConfig) -> str:
    return urlsplit(config.repo_url or "").path.strip("/")


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Fill the workflows that readers download."""
    release = newest_release(ROOT)
    for file in list(files):
        if file.src_uri.startswith("workflows/"):
            text = fill(file.content_string, _repository(config), release)
            files.remove(file)
            files.append(File.generated(config, file.src_uri, content=text))


def on_page_content(html: str, config: MkDocsConfig, **_: object) -> str:
    """Fill a page after MkDocs has rendered it with the workflows that it includes."""
    return fill(html, _repository(config), newest_release(ROOT))
