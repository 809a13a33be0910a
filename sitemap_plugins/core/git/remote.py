"""The server that a clone is from, and what git needs to fetch from it alone.

The clone is a stranger's, and so is what its server says: of the clone's configuration
only the address and the headers count, and no answer leads git to another host. The
user's and the system's configuration is in force.
"""

from __future__ import annotations

import os
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from sitemap_plugins.core import urls
from sitemap_plugins.core.git.program import MAX_QUOTED, Git, cause_of
from sitemap_plugins.core.git.repository import Repository
from sitemap_plugins.core.messages import Environ, GitError, quoted

MAX_OBJECT = 1 << 29
"""Bytes of one object, which can claim any size."""

MIN_SECRET = 4
"""Characters; without shorter ones, a message could not be read."""

NOWHERE = "http://127.0.0.1:0"
"""A proxy that nobody can be: no program can listen on port 0."""

_SETTINGS = {
    "protocol.version": "2",  # Older ones give branches and tags only, not any commit.
    "http.followRedirects": "false",  # The headers would go to the other host too.
    # Of a process that outlives its build and the one that watches it.
    "http.lowSpeedLimit": "1000",
    "http.lowSpeedTime": "30",
    "http.saveCookies": "false",
    "fetch.unpackLimit": "1",  # One file, however few objects.
    "fetch.writeCommitGraph": "false",
    "pack.threads": "1",
    # Nothing from hosts that the server names. Git obeys an answer that names files of
    # packs (`packfile-uris`) also unasked, so that `NOWHERE` is the proxy to all hosts.
    "fetch.uriProtocols": "",
    "transfer.bundleURI": "false",
    "promisor.acceptFromServer": "None",
    "http.proxy": NOWHERE,
}
_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "https:http:ssh:git",
    "GIT_ALLOC_LIMIT": str(MAX_OBJECT),
    # Nobody is asked for a password.
    "GIT_ASKPASS": "",
    "SSH_ASKPASS_REQUIRE": "never",
    "GCM_INTERACTIVE": "never",
}

# `host:path` is an address too; a colon or slashes after it belong to `ext::` and
# `file://`.
_URL = re.compile(r"(?:https?|ssh|git)://.+|(?:[^-:/\s][^:/\s]*@)?\w[\w.-]+:(?!:|//).+")
_LOGIN = re.compile(r"(\w+://)([^/?#:]*)(?::([^/?#]*))?@([^/?#@]*)(.*)", re.DOTALL)
_REMOTE_URL = re.compile(r"remote\..+\.url", re.DOTALL)
_HEADER = re.compile(r"http\..+\.extraheader", re.DOTALL)
_PROXY = re.compile(rb"http\..+\.proxy", re.DOTALL)

_SSH_COMMAND = (
    "; the clone's own `core.sshCommand` is ignored: set GIT_SSH_COMMAND instead"
)

_Settings = Sequence[tuple[str, str]]
"""Keys and values of git's configuration."""


class Remote(NamedTuple):
    """Where a clone is from."""

    url: str
    """Without a password; without a user too, except for SSH."""

    settings: _Settings
    """Git's settings that belong to the URL."""

    secrets: Sequence[str]
    """What no message may contain."""

    hint: str
    """What else to say about a failure; may be empty."""

    @classmethod
    def of(cls, clone: Repository) -> Remote:
        """Return the remote from which git would fetch, as `_remote_name` finds it.

        Raises:
            GitError: The clone has no such remote, or it is not on a server.
        """
        entries = []
        first: dict[str, str] = {}
        for raw_key, raw_value in clone.settings:
            key = os.fsdecode(raw_key)
            value = os.fsdecode(raw_value)
            entries.append((key, value))
            # Of several addresses, git fetches from the first.
            first.setdefault(key, value)
        address = _address(clone, first)

        headers = [entry for entry in entries if _HEADER.fullmatch(entry[0])]
        found = _without_login(address)
        secrets = [*found.secrets, found.url.partition("?")[2]]
        for _, value in headers:
            secrets += _secrets_of(value)
        hint = ""
        if "core.sshcommand" in first and not found.url.startswith("http"):
            hint = _SSH_COMMAND
        return cls(
            url=found.url,
            settings=[*found.settings, *headers],
            secrets=[text for text in secrets if len(text) >= MIN_SECRET],
            hint=hint,
        )

    def environ(self, git: Git) -> dict[str, str]:
        """Return the environment variables of a fetch, which hold all of its settings.

        So no settings are in a file or in a command line, which others can read.

        `git` runs in a repository without a configuration of its own.

        Raises:
            GitError: Git failed or took too long.
        """
        asked = _with(git.environ, [("remote.origin.url", self.url)])
        settings = [
            *_SETTINGS.items(),
            *_proxies(git._replace(environ=asked)),
            *self.settings,
        ]
        environ = _with(asked, settings) | _ENVIRONMENT
        # Hosts that these variables name would be reached without a proxy.
        for name in ("NO_PROXY", "no_proxy"):
            environ.pop(name, None)
        return environ

    @contextmanager
    def as_git_error(self) -> Iterator[None]:
        """Raise the error for a fetch that failed if there is no room for its files."""
        try:
            yield
        except OSError as error:
            raise self.failed(str(error)) from None

    def failed(self, reason: str) -> GitError:
        """Return the error for a fetch that failed, without secrets."""
        for secret in self.secrets:  # A server can repeat what it was sent.
            reason = reason.replace(secret, "…")
        shown = quoted(self.url.partition("?")[0])
        cure = cause_of(reason, "fetch")["cure"] + self.hint
        problem = f"the history cannot be fetched from {shown} ({reason[:MAX_QUOTED]})"
        return GitError(problem, cure=cure, code="fetch-failed")


def _address(clone: Repository, settings: Mapping[str, str]) -> str:
    """Return the address of the remote as the clone's configuration has it.

    Raises:
        GitError: The remote has no address, or one that is not on a server.
    """
    name = _remote_name(clone, settings)
    url = settings.get(f"remote.{name}.url", "")
    if _URL.fullmatch(url):
        return url
    what = "has no address"
    if url:
        what = f"is {quoted(url)}, which is not on a server"
    problem = f"the history cannot be fetched: the remote {quoted(name)} {what}"
    cure = cause_of("", "fetch")["cure"]
    raise GitError(problem, cure=cure, code="fetch-failed")


def _remote_name(clone: Repository, settings: Mapping[str, str]) -> str:
    """Return the remote of the branch, else the only one, else `origin`."""
    head = clone.git.run("rev-parse", "--symbolic-full-name", "HEAD").strip()
    branch = os.fsdecode(head).removeprefix("refs/heads/")
    name = settings.get(f"branch.{branch}.remote")
    if name is not None:
        return name
    found = [key for key in settings if _REMOTE_URL.fullmatch(key)]
    only = found[0] if len(found) == 1 else "remote.origin.url"
    return only.removeprefix("remote.").removesuffix(".url")


def _with(environ: Environ, settings: _Settings) -> dict[str, str]:
    """Return an environment with further settings; the user's own come first."""
    count = int(environ.get("GIT_CONFIG_COUNT") or 0)
    numbered = {"GIT_CONFIG_COUNT": str(count + len(settings))}
    for number, (key, value) in enumerate(settings, count):
        numbered[f"GIT_CONFIG_KEY_{number}"] = key
        numbered[f"GIT_CONFIG_VALUE_{number}"] = value
    return {**environ, **numbered}


def _proxies(git: Git) -> list[tuple[str, str]]:
    """Return the settings that let git reach the remote alone, by the user's proxy.

    Raises:
        GitError: Git failed or took too long.
    """
    # The address as the user's configuration rewrites it (`insteadOf`). The command
    # does not connect to a server.
    answer = git.run("ls-remote", "--get-url", "origin")
    url = os.fsdecode(answer).removesuffix("\n")
    # A proxy that the user has for some hosts would win over the one for all.
    names = set(git.run("config", "--list", "--name-only", "-z").split(b"\0"))
    others = sorted(filter(_PROXY.fullmatch, names))
    settings = [(os.fsdecode(name), NOWHERE) for name in others]
    if urls.is_web(url):
        settings.append((f"http.{url}.proxy", _proxy_of(url, git)))
    return settings


def _proxy_of(url: str, git: Git) -> str:
    """Return the user's proxy to a server, empty for none, as git and curl find it."""
    with suppress(GitError):  # There is no such setting.
        found = git.run("config", "--get-urlmatch", "http.proxy", url)
        return os.fsdecode(found).removesuffix("\n")
    environ = git.environ
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:  # Git refuses it too.
        return ""
    if _is_reached_directly(host, environ.get("no_proxy", environ.get("NO_PROXY", ""))):
        return ""
    # `HTTP_PROXY` is not read: in a CGI program it is a header of the request.
    names = [f"{parts.scheme}_proxy", "all_proxy", "ALL_PROXY"]
    if parts.scheme == "https":
        names.insert(1, "HTTPS_PROXY")
    return next((environ[name] for name in names if environ.get(name)), "")


def _is_reached_directly(host: str, names: str) -> bool:
    """Tell whether the variable NO_PROXY names a host or a domain of it.

    >>> _is_reached_directly("git.example.com", "localhost, .example.com")
    True
    """
    for name in re.split(r"[,\s]+", names.lower()):
        domain = name.strip(".")
        if name == "*" or host == domain or (domain and host.endswith(f".{domain}")):
            return True
    return False


def _secrets_of(header: str) -> list[str]:
    """Return what is secret in a header such as `Authorization: Basic …`."""
    token = header.rpartition(" ")[2]
    secrets = [token]
    with suppress(ValueError):  # It is no login in base64.
        login = b64decode(token, validate=True).decode()
        secrets += [login, login.partition(":")[2]]
    return secrets


class _Address(NamedTuple):
    """An address without user and password."""

    url: str

    settings: _Settings = ()
    """The settings that replace user and password."""

    secrets: Sequence[str] = ()


def _without_login(url: str) -> _Address:
    """Return a URL without its password, and the settings that replace the password."""
    found = _LOGIN.fullmatch(url)
    if found is None:
        return _Address(url)
    scheme, user, password, host, path = found.groups()
    if not scheme.startswith("http"):
        return _Address(f"{scheme}{user}@{host}{path}", secrets=[password or ""])
    plain = f"{scheme}{host}{path}"
    if not password:  # A server that wants one asks a helper of the user for it.
        return _Address(plain, [(f"credential.{scheme}{host}.username", user)])
    login = f"{unquote(user)}:{unquote(password)}"
    token = b64encode(os.fsencode(login)).decode()
    header = (f"http.{scheme}{host}/.extraheader", f"Authorization: Basic {token}")
    return _Address(plain, [header], [token, password, unquote(password)])
