"""A site's address: the one in its settings, or the one at which Read the Docs serves the build.

Without either, a message proposes the address that a CNAME file or git's remote suggests.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitemap_plugins.core import urls
from sitemap_plugins.core.errors import GitError, PageError
from sitemap_plugins.core.git.program import Git
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.notices import Notice
from sitemap_plugins.core.untrusted_files import read_regular_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sitemap_plugins.core.environment import CI
    from sitemap_plugins.core.options import Options
    from sitemap_plugins.core.records import Site

__all__ = ["about_old_version", "find_base_url", "known_address", "propose_address"]

MAX_CNAME_BYTES = 1024
"""A host has at most 255."""

# Of `https://github.com/owner/name.git` and `git@github.com:owner/name`; no password is kept.
_ON_GITHUB = re.compile(
    rb"(?:^|[/@])github\.com[:/]([A-Za-z0-9-]+)/([A-Za-z0-9._-]+?)(?:\.git)?/?\s*$"
)


def find_base_url(site: Site, options: Options, ci: CI, environ: Mapping[str, str]) -> str | Notice:
    """Return the normalized base URL, or why no sitemap is written."""
    if ci.preview:
        return Notice("preview-build", f"this is {ci.preview}, so no sitemap is written")
    address = options.base_url or known_address(site.base_url, ci)
    setting = site.base_url_setting
    if not _names_a_host(address):
        problem = (
            f"{setting} = {quoted(address)} names no host" if address else f"{setting} is not set"
        )
        proposal = propose_address(site, environ)
        example = f"perhaps {proposal}" if proposal else "such as 'https://www.example.com/'"
        cure = f"set it to the site's address, {example}"
        return Notice("no-base-url", f"{problem}, so no sitemap is written", cure=cure)
    try:
        return urls.normalize_base_url(str(address))
    except PageError as error:
        problem = f"no sitemap is written, because {setting} = {error.problem}"
        return Notice("bad-option", problem, error.cure)


def about_old_version(base_url: str, ci: CI) -> tuple[Notice, ...]:
    """Return a notice if Read the Docs builds another version than the one of the address.

    The pages then name that version as canonical; `base_url` is normalized.
    """
    (ours, _, named), (theirs, _, built) = (
        url.rstrip("/").rpartition("/") for url in (base_url, ci.canonical_url)
    )
    is_folder = theirs.count("/") >= 3  # After the host.
    if not is_folder or built == named or urls.identity(ours) != urls.identity(theirs):
        return ()
    problem = f"Read the Docs builds version {quoted(built)}, and the site's address is that of"
    text = f"{problem} {quoted(named)}: pages and sitemap name the URLs of {quoted(named)}"
    return (Notice("old-version", text),)


def known_address(setting: object, ci: CI) -> object:
    """Return the address in a site's settings, unchecked, or that of Read the Docs.

    The latter applies if the settings have none, a path for local builds, or an address on the
    same host above the folder from which Read the Docs serves this build.
    """
    hosted = ci.canonical_url
    is_replaced = not _names_a_host(setting) or _is_below(hosted, str(setting))
    return (is_replaced and hosted) or setting


def _names_a_host(address: object) -> bool:
    """Tell whether an address is not empty and not a path, as in settings for local builds.

    >>> [_names_a_host(address) for address in ("", "/docs/", "//example.com", "example.com")]
    [False, False, True, True]
    """
    is_path = isinstance(address, str) and address.startswith(("/", ".")) and address[:2] != "//"
    return bool(address) and not is_path


def _is_below(hosted: str, address: str) -> bool:
    """Tell whether Read the Docs serves this build from a folder of the address."""
    if not hosted or not address.startswith(("http://", "https://")):
        return False
    try:
        theirs, ours = urlsplit(hosted), urlsplit(address)
    except ValueError:  # Such as `http://[`; `normalize_base_url` reports it.
        return False
    # https://blog.readthedocs.com/securing-subdomains/: .org redirects to .io.
    their_host, our_host = (
        parts.netloc.lower().replace(".readthedocs.org", ".readthedocs.io")
        for parts in (theirs, ours)
    )
    folder = f"{ours.path.rstrip('/')}/"
    return their_host == our_host and theirs.path.rstrip("/").startswith(folder)


def propose_address(site: Site, environ: Mapping[str, str]) -> str:
    """Return a site's probable address, and in brackets what suggests it; empty for none."""
    proposal = _from_cname(site.pages_dir / "CNAME")
    if site.project_dir is None:
        return proposal
    return (
        proposal
        or _from_cname(site.project_dir / "CNAME")
        or _from_remote(site.project_dir, environ)
    )


def _from_cname(file: Path) -> str:
    """Return the address on the host that a CNAME file gives GitHub Pages."""
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
