"""The environment of a build: its time, its CI service, and the site's address.

The address is the one in the site's settings, or the one at which Read the Docs serves
the build. Without either, a message proposes the address that a CNAME file or GitHub's
variables suggest.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from sitemap_plugins.core import urls
from sitemap_plugins.core.git.cache import GitCache
from sitemap_plugins.core.git.history import BY_ITSELF, WANTED, Limits
from sitemap_plugins.core.git.repository import Repository
from sitemap_plugins.core.messages import (
    Environ,
    Notice,
    PageError,
    Secret,
    quoted,
)
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.records import Site
from sitemap_plugins.core.untrusted_files import read_own_file

_SERVICES = tomllib.loads(
    files(__package__).joinpath("ci_services.toml").read_text("utf-8")
)

_UNSHALLOW = "run `git fetch --unshallow`"


class CI(NamedTuple):
    """The service that builds the site, as its environment variables describe it."""

    is_ci: bool = False
    """Whether a service builds the site: then no file time is its author's."""

    is_known: bool = False
    """Whether the service is one of ci_services.toml, which build and publish sites."""

    read_the_docs: bool = False
    """Whether it is Read the Docs."""

    preview: str = ""
    """The kind of preview that is built, for messages; empty for the site itself."""

    hosting: str = ""
    """The service of `core.crawlers.hosting` that will serve the site, if it is one."""

    canonical_url: str = ""
    """The address of this build that the service announces, unchecked, if any."""

    language: str = ""
    """The language of this build that the service announces; empty for none."""

    is_annotated: bool = False
    """Whether it is GitHub, where a line of the log can be an annotation."""

    unshallow: str = _UNSHALLOW
    """What to do for the whole history of a shallow clone."""

    source_date_epoch: float | None = None
    """The latest file time that counts, in seconds since 1970.

    See reproducible-builds.org.
    """

    @classmethod
    def from_environ(cls, environ: Environ) -> CI:
        """Read the variables that services set."""
        names = [name for name in _SERVICES if _is_set(environ, name)]
        services = [_SERVICES[name] for name in names]
        hosting = [facts["hosting"] for facts in services if "hosting" in facts]
        unshallow = services[0]["unshallow"] if services else _UNSHALLOW
        is_ci = bool(services) or _is_set(environ, "CI")
        epoch = environ.get("SOURCE_DATE_EPOCH", "")
        seconds = float(epoch) if epoch.isdecimal() else None
        return cls(
            is_known=bool(services),
            is_annotated=_is_set(environ, "GITHUB_ACTIONS"),
            is_ci=is_ci,
            read_the_docs=_is_set(environ, "READTHEDOCS"),
            preview=_preview(environ),
            hosting=next(iter(hosting), ""),
            canonical_url=environ.get("READTHEDOCS_CANONICAL_URL", ""),
            language=environ.get("READTHEDOCS_LANGUAGE", ""),
            unshallow=unshallow,
            source_date_epoch=seconds,
        )


def _preview(environ: Environ) -> str:
    """Return the kind of preview that is built; empty for the site itself."""
    for facts in _SERVICES.values():
        preview = facts.get("preview")
        if preview and preview["variables"].items() <= environ.items():
            return str(preview["name"])
    return ""


def _is_set(environ: Environ, name: str) -> bool:
    """Tell whether a variable is set to anything but false.

    >>> [_is_set({"CI": value}, "CI") for value in ("true", "1", "false", "0", "")]
    [True, True, False, False, False]
    """
    return environ.get(name, "").lower() not in {"", "0", "false"}


class Environment(NamedTuple):
    """The time, the machine and git's answers so far."""

    now: datetime
    """Aware; later dates are dropped."""

    ci: CI
    """The service that builds the site."""

    environ: Environ
    """The environment variables to run git with."""

    git_cache: GitCache
    """Git's answers so far; new ones are added."""

    began: datetime | None = None
    """As `Site.began`."""

    fetch_limits: Limits | None = None
    """The limits of fetching the history that a shallow clone lacks; None for no fetch.
    """

    @classmethod
    def of(
        cls,
        environ: Environ,
        options: Options,
        git_cache: GitCache,
        *,
        began: datetime | None,
    ) -> Environment:
        """Return the environment of the current build."""
        ci = CI.from_environ(environ)
        return cls(
            now=now(),
            ci=ci,
            environ=environ,
            git_cache=git_cache,
            began=began,
            fetch_limits=_fetch_limits(options, ci),
        )

    def repository(self, root: str) -> AbstractContextManager[Repository]:
        """Open a repository, as `GitCache.repository`."""
        build = self.began or self.now
        return self.git_cache.repository(root, self.environ, build)

    def complete(self, clone: Repository) -> tuple[Repository, Sequence[Notice]]:
        """Return a repository with its whole history, if wanted and possible."""
        if self.fetch_limits is None:
            return clone, ()
        return self.git_cache.fetched.complete(clone, self.fetch_limits)


def _fetch_limits(options: Options, ci: CI) -> Limits | None:
    """Return what the fetches of a build may take; None if it may not fetch."""
    if options.fetch_history == "auto":
        return BY_ITSELF if ci.is_known else None
    return WANTED if options.fetch_history else None


def now() -> datetime:
    """Return the time, aware."""
    return datetime.now(UTC)


MAX_CNAME_BYTES = 1024
"""A host has at most 255."""

_OWNER_AND_NAME = re.compile(r"([A-Za-z0-9-]+)/([A-Za-z0-9._-]+)")


def find_base_url(
    site: Site, options: Options, ci: CI, environ: Environ
) -> str | Notice:
    """Return the normalized base URL, or why no sitemap is written."""
    if ci.preview:
        return Notice(
            "preview-build", f"this is {ci.preview}, so no sitemap is written"
        )
    address = options.base_url or known_address(site.base_url, ci)
    setting = site.base_url_setting
    if not _names_a_host(address):
        problem = f"{setting} is not set"
        if address:
            problem = f"{setting} = {quoted(address)} names no host"
        cure = f"set it to the site's address, {_example(site, environ)}"
        return Notice("no-base-url", f"{problem}, so no sitemap is written", cure)
    try:
        return urls.normalize_base_url(str(address))
    except PageError as error:
        why = error.problem
        if isinstance(address, Secret):
            why = f"{quoted(address)} is not a URL"
        problem = f"no sitemap is written, because {setting} = {why}"
        return Notice("bad-option", problem, error.cure)


def _example(site: Site, environ: Environ) -> str:
    """Return an example of an address: if anything suggests one, the site's own."""
    proposal = propose_address(site, environ)
    return f"perhaps {proposal}" if proposal else "such as 'https://www.example.com/'"


_FORGES = {"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"}
"""Hosts of repositories, which serve no site of theirs."""


def about_address(base_url: str, site: Site, environ: Environ) -> Iterator[Notice]:
    """Yield a notice if an address is probably not that of the published site.

    `base_url` is normalized, and the value of a setting.
    """
    if urls.is_local(base_url):
        problem = f"{site.base_url_setting} = {quoted(base_url)} is on a local server"
        consequence = "and so is each URL of the sitemap"
        cure = "set it to the site's address"
        yield Notice("local-address", f"{problem}, {consequence}", cure)
    else:
        yield from _about_other_host(base_url, site, environ)


def _about_other_host(base_url: str, site: Site, environ: Environ) -> Iterator[Notice]:
    """Yield a notice if the host of an address cannot be the site's."""
    set_to = f"{site.base_url_setting} = {quoted(base_url)}"
    host = urlsplit(base_url).hostname or ""
    named = other_host_by_cname(base_url, _folders(site))
    # The repository whose workflow builds the site, and the address of its own site.
    built = _OWNER_AND_NAME.fullmatch(environ.get("GITHUB_REPOSITORY", ""))
    own = _on_github_pages(*built.groups()) if built else ""
    if named:
        problem = (
            f"{set_to} is on another host than {named!r}, which the file CNAME has"
        )
        cure = f"set it to {named!r}, or write its host into CNAME"
        yield Notice("wrong-base-url", problem, cure)
    elif host in _FORGES:
        problem = f"{set_to} is the address of a repository, not of a site"
        cure = f"set it to the site's address, {_example(site, environ)}"
        yield Notice("wrong-base-url", problem, cure)
    elif (
        own
        and host == urlsplit(own).hostname
        and not urlsplit(base_url).path.startswith(urlsplit(own).path)
    ):
        problem = f"{set_to} is not below {own!r}, where GitHub Pages serves this site"
        cure = "correct it, unless this workflow publishes to another repository"
        yield Notice("other-repository", problem, cure)


def known_address(setting: object, ci: CI) -> object:
    """Return the address in a site's settings, unchecked, or that of Read the Docs.

    The address of Read the Docs, if this service builds the site, applies in three
    cases: the settings have no address, they have a path for local builds, or they have
    an address of the same host, below which Read the Docs serves this build from a
    folder.
    """
    hosted = ci.canonical_url
    is_replaced = not _names_a_host(setting) or _is_below(hosted, str(setting))
    return (is_replaced and hosted) or setting


def _names_a_host(address: object) -> bool:
    """Tell whether an address is neither empty nor a path, as for local builds.

    >>> [_names_a_host(address) for address in ("", "/docs/", "//e.com", "e.com")]
    [False, False, True, True]
    """
    if isinstance(address, str) and address.startswith(("/", ".")):
        return address.startswith("//")
    return bool(address)


def _is_below(hosted: str, address: str) -> bool:
    """Tell whether Read the Docs serves this build from a folder of the address."""
    if not hosted or not urls.is_web(address):
        return False
    try:
        theirs = urlsplit(hosted)
        ours = urlsplit(address)
    except ValueError:  # Such as `http://[`; `normalize_base_url` reports it.
        return False
    folder = f"{ours.path.rstrip('/')}/"
    is_same_host = _current_host(theirs.netloc) == _current_host(ours.netloc)
    return is_same_host and theirs.path.rstrip("/").startswith(folder)


def _current_host(host: str) -> str:
    # https://blog.readthedocs.com/securing-subdomains/: .org redirects to .io.
    return host.lower().replace(".readthedocs.org", ".readthedocs.io")


def propose_address(site: Site, environ: Environ) -> str:
    """Return a site's probable address, and in brackets what suggests it, if any."""
    address = _address_by_cname(_folders(site))
    if address:
        return f"{address!r} (from the file CNAME)"
    repository = _OWNER_AND_NAME.fullmatch(environ.get("GITHUB_REPOSITORY", ""))
    if repository:
        return f"{_on_github_pages(*repository.groups())!r} (from GITHUB_REPOSITORY)"
    return ""


def _folders(site: Site) -> list[Path]:
    """Return the folders in which a site's file CNAME can be."""
    if site.project_dir is None:
        return [site.pages_dir]
    return [site.pages_dir, site.project_dir, site.project_dir / "docs"]


def other_host_by_cname(base_url: str, folders: Iterable[Path]) -> str:
    """Return the address that a CNAME file names, if it is on another host.

    The result is empty if there is none. `base_url` is normalized.
    """
    named = _address_by_cname(folders)
    is_other = urlsplit(named).hostname != urlsplit(base_url).hostname
    return named if is_other else ""


def _address_by_cname(folders: Iterable[Path]) -> str:
    """Return the address on the host that a CNAME file gives GitHub Pages.

    The result is empty if no folder has such a file.
    """
    for folder in folders:
        try:
            host = read_own_file(folder / "CNAME", max_bytes=MAX_CNAME_BYTES).decode()
            return urls.normalize_base_url(f"https://{host.strip()}/")
        except (OSError, PageError, UnicodeDecodeError):
            continue
    return ""


def _on_github_pages(owner: str, name: str) -> str:
    """Return the address of a repository's site on GitHub Pages.

    >>> _on_github_pages("Owner", "Docs"), _on_github_pages("Owner", "owner.github.io")
    ('https://owner.github.io/Docs/', 'https://owner.github.io/')
    """
    host = f"{owner.lower()}.github.io"
    folder = "" if name.lower() == host else f"{name}/"
    return f"https://{host}/{folder}"
