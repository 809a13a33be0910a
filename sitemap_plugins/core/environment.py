"""The surroundings of a build: its time, its CI service, and the site's address.

The address is the one in the site's settings, or the one at which Read the Docs serves
the build. Without either, a message proposes the address that a CNAME file or git's
remote suggests.
"""

from __future__ import annotations

import re
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

from sitemap_plugins.core import urls
from sitemap_plugins.core.git.history import BY_ITSELF, WANTED, Limits
from sitemap_plugins.core.git.last_change import GitCache
from sitemap_plugins.core.git.program import Git
from sitemap_plugins.core.git.repository import Repository, read_own_file
from sitemap_plugins.core.messages import GitError, Notice, PageError, Secret, quoted
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.records import Site

_SERVICES = tomllib.loads(
    files(__package__).joinpath("ci_services.toml").read_text("utf-8")
)

_UNSHALLOW = "run `git fetch --unshallow`"


@dataclass(frozen=True, slots=True, kw_only=True)
class CI:
    """The service that builds the site, as its environment variables describe it."""

    is_ci: bool = False
    """Whether a service builds the site: then no file time is its author's."""

    is_known: bool = False
    """Whether it is one of ci_services.toml, which build and publish sites."""

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
    def from_environ(cls, environ: Mapping[str, str]) -> CI:
        """Read the variables that services set."""
        read_the_docs = _is_set(environ, "READTHEDOCS")
        epoch = environ.get("SOURCE_DATE_EPOCH", "")
        services = [
            facts for name, facts in _SERVICES.items() if _is_set(environ, name)
        ]
        previews = (each["preview"] for each in _SERVICES.values() if "preview" in each)
        names = (
            each["name"]
            for each in previews
            if each["variables"].items() <= environ.items()
        )
        return cls(
            is_known=bool(services),
            is_annotated=_is_set(environ, "GITHUB_ACTIONS"),
            is_ci=bool(services) or _is_set(environ, "CI"),
            read_the_docs=read_the_docs,
            preview=next(names, ""),
            hosting=next(
                (each["hosting"] for each in services if "hosting" in each), ""
            ),
            canonical_url=environ.get("READTHEDOCS_CANONICAL_URL", ""),
            language=environ.get("READTHEDOCS_LANGUAGE", ""),
            unshallow=services[0]["unshallow"] if services else _UNSHALLOW,
            source_date_epoch=float(epoch) if epoch.isdecimal() else None,
        )


def _is_set(environ: Mapping[str, str], name: str) -> bool:
    """Tell whether a variable is set to anything but false.

    >>> [_is_set({"CI": value}, "CI") for value in ("true", "1", "false", "0", "")]
    [True, True, False, False, False]
    """
    return environ.get(name, "").lower() not in {"", "0", "false"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """The time, the machine and git's answers so far."""

    now: datetime
    """Aware; later dates are dropped."""

    ci: CI
    """The service that builds the site."""

    environ: Mapping[str, str]
    """The environment variables to run git with."""

    git_cache: GitCache
    """Git's answers so far; new ones are added."""

    began: datetime | None = None
    """As `Site.began`."""

    earliest: bool = False
    """Whether a commit counts from when its author wrote it, if that was earlier.

    Some programs date pages so.
    """

    fetch_limits: Limits | None = None
    """Of fetching the history that a shallow clone lacks; None if it is not fetched."""

    @classmethod
    def of(
        cls,
        environ: Mapping[str, str],
        options: Options,
        git_cache: GitCache,
        *,
        began: datetime | None,
    ) -> Environment:
        """Return the surroundings of a build that happens now."""
        ci = CI.from_environ(environ)
        return cls(
            now=now(),
            ci=ci,
            environ=environ,
            git_cache=git_cache,
            began=began,
            fetch_limits=_fetch_limits(options, ci),
        )

    @contextmanager
    def repository(self, root: str) -> Iterator[Repository]:
        """Open a repository for one of a build's questions, which share a time limit.

        All repositories of a build share it too. If a question to one fails, those
        after it fail at once.

        Raises:
            GitError: As `Repository.open`, or as what is done with the repository.
        """
        cache = self.git_cache
        build = self.began or self.now
        failure = cache.failures.get((build, root))
        if failure:
            raise GitError(failure.problem, cure=failure.cure, code=failure.code)
        start = time.monotonic()
        try:
            yield Repository.open(root, environ=self.environ, took=cache.took[build])
        except GitError as error:
            failure = GitError(error.problem, cure=error.cure, code=error.code)
            cache.failures[build, root] = failure
            raise
        finally:
            cache.took[build] += time.monotonic() - start

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

# Of `https://github.com/owner/name.git` and `git@github.com:owner/name`; no password is
# kept.
_ON_GITHUB = re.compile(
    rb"(?:^|[/@])github\.com[:/]([A-Za-z0-9-]+)/([A-Za-z0-9._-]+?)(?:\.git)?/?\s*$"
)
_OWNER_AND_NAME = re.compile(r"([A-Za-z0-9-]+)/([A-Za-z0-9._-]+)")


def find_base_url(
    site: Site, options: Options, ci: CI, environ: Mapping[str, str]
) -> str | Notice:
    """Return the normalized base URL, or why no sitemap is written."""
    if ci.preview:
        return Notice(
            "preview-build", f"this is {ci.preview}, so no sitemap is written"
        )
    address = options.base_url or known_address(site.base_url, ci)
    setting = site.base_url_setting
    if not _names_a_host(address):
        problem = (
            f"{setting} = {quoted(address)} names no host"
            if address
            else f"{setting} is not set"
        )
        proposal = propose_address(site, environ)
        example = (
            f"perhaps {proposal}" if proposal else "such as 'https://www.example.com/'"
        )
        cure = f"set it to the site's address, {example}"
        return Notice("no-base-url", f"{problem}, so no sitemap is written", cure=cure)
    try:
        return urls.normalize_base_url(str(address))
    except PageError as error:
        why = (
            f"{quoted(address)} is not a URL"
            if isinstance(address, Secret)
            else error.problem
        )
        return Notice(
            "bad-option",
            f"no sitemap is written, because {setting} = {why}",
            error.cure,
        )


def about_old_version(base_url: str, ci: CI) -> tuple[Notice, ...]:
    """Return a notice if Read the Docs builds another version than that of the address.

    The pages then name that version as canonical; `base_url` is normalized.
    """
    (ours, _, named), (theirs, _, built) = (
        url.rstrip("/").rpartition("/") for url in (base_url, ci.canonical_url)
    )
    is_folder = theirs.count("/") >= 3  # After the host.
    if not is_folder or built == named or urls.identity(ours) != urls.identity(theirs):
        return ()
    text = (
        f"Read the Docs builds version {quoted(built)}, and the site's address is that"
        f" of {quoted(named)}: pages and sitemap name the URLs of {quoted(named)}"
    )
    return (Notice("old-version", text),)


def known_address(setting: object, ci: CI) -> object:
    """Return the address in a site's settings, unchecked, or that of Read the Docs.

    The latter applies if the settings have none, a path for local builds, or an address
    on the same host above the folder from which Read the Docs serves this build.
    """
    hosted = ci.canonical_url
    is_replaced = not _names_a_host(setting) or _is_below(hosted, str(setting))
    return (is_replaced and hosted) or setting


def _names_a_host(address: object) -> bool:
    """Tell whether an address is neither empty nor a path, as for local builds.

    >>> [_names_a_host(address) for address in ("", "/docs/", "//e.com", "e.com")]
    [False, False, True, True]
    """
    is_path = (
        isinstance(address, str)
        and address.startswith(("/", "."))
        and address[:2] != "//"
    )
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
    """Return a site's probable address, and in brackets what suggests it, if any."""
    proposal = _from_cname(site.pages_dir / "CNAME")
    if proposal or site.project_dir is None:
        return proposal
    for folder in ("", "docs"):
        proposal = _from_cname(site.project_dir / folder / "CNAME")
        if proposal:
            return proposal
    repository = _OWNER_AND_NAME.fullmatch(environ.get("GITHUB_REPOSITORY", ""))
    if repository:
        return f"{_on_github_pages(*repository.groups())!r} (from GITHUB_REPOSITORY)"
    return _from_remote(site.project_dir, environ)


def _from_cname(file: Path) -> str:
    """Return the address on the host that a CNAME file gives GitHub Pages."""
    try:
        host = read_own_file(file, max_bytes=MAX_CNAME_BYTES).decode()
        address = urls.normalize_base_url(f"https://{host.strip()}/")
    except (OSError, PageError, UnicodeDecodeError):
        return ""
    return f"{address!r} (from the file CNAME)"


def _from_remote(folder: Path, environ: Mapping[str, str]) -> str:
    """Return the address of a repository's site on GitHub Pages."""
    try:
        remote = Git.at(folder, environ).run("config", "--get", "remote.origin.url")
    except GitError:
        return ""
    found = _ON_GITHUB.search(remote)
    if found is None:
        return ""
    address = _on_github_pages(found[1].decode("ascii"), found[2].decode("ascii"))
    return f"{address!r} (from the repository's remote)"


def _on_github_pages(owner: str, name: str) -> str:
    """Return the address of a repository's site on GitHub Pages.

    >>> _on_github_pages("Owner", "Docs"), _on_github_pages("Owner", "owner.github.io")
    ('https://owner.github.io/Docs/', 'https://owner.github.io/')
    """
    host = f"{owner.lower()}.github.io"
    folder = "" if name.lower() == host else f"{name}/"
    return f"https://{host}/{folder}"
