"""Where a site without a known address is probably published: a proposal for a message only."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sitemap_plugins.core import urls
from sitemap_plugins.core.errors import GitError, PageError
from sitemap_plugins.core.git.program import Git
from sitemap_plugins.core.untrusted_files import read_regular_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sitemap_plugins.core.site import Site

__all__ = ["propose_address"]

MAX_CNAME_BYTES = 1024
"""A host has at most 255."""

# Of `https://github.com/owner/name.git` and `git@github.com:owner/name`; no password is kept.
_ON_GITHUB = re.compile(
    rb"(?:^|[/@])github\.com[:/]([A-Za-z0-9-]+)/([A-Za-z0-9._-]+?)(?:\.git)?/?\s*$"
)


def propose_address(site: Site, environ: Mapping[str, str]) -> str:
    """Return a site's probable address, and in brackets what suggests it; empty for none."""
    folders = (site.output_dir, site.project_dir)
    proposals = (
        *(_from_cname(folder / "CNAME") for folder in folders if folder is not None),
        _from_remote(site.project_dir, environ) if site.project_dir is not None else "",
    )
    return next(filter(None, proposals), "")


def _from_cname(file: Path) -> str:
    """Return the address on the host that GitHub Pages is told by a file."""
    try:
        host = read_regular_file(file, max_bytes=MAX_CNAME_BYTES).decode()
        return f"{urls.normalize_base_url(f'https://{host.strip()}/')!r} (from the file CNAME)"
    except (OSError, PageError, UnicodeDecodeError):
        return ""


def _from_remote(folder: Path, environ: Mapping[str, str]) -> str:
    """Return the address of a repository's site on GitHub Pages."""
    try:
        remote = Git.at(folder, environ).run("config", "--get", "remote.origin.url")
    except GitError:
        return ""
    if not (found := _ON_GITHUB.search(remote)):
        return ""
    owner, name = (part.decode("ascii").lower() for part in found.groups())
    host = f"{owner}.github.io"
    folder_name = "" if name == host else f"{found[2].decode('ascii')}/"
    return f"'https://{host}/{folder_name}' (from the repository's remote)"
