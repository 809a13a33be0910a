"""What a build depends on besides the site and its options: the CI service, the time, git.

The variables that services set are read once, into a `CI`; other modules name them only in
messages.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitemap_plugins.core.git.last_change import GitCache

__all__ = ["CI", "Environment", "now"]

_CLOUDFLARE = ("CF_PAGES", "WORKERS_CI")
"""The variables of Cloudflare's builds: Pages and Workers."""

# Cloudflare is not here: it names the branch that it builds (`CF_PAGES_BRANCH`), but only its
# dashboard knows which one is the site's own, and it serves previews with `X-Robots-Tag: noindex`
# (https://developers.cloudflare.com/pages/how-to/build-commands-branches/).
_PREVIEWS = (
    ({"READTHEDOCS_VERSION_TYPE": "external"}, "a pull request's preview on Read the Docs"),
    ({"NETLIFY": "true", "CONTEXT": "deploy-preview"}, "a deploy preview on Netlify"),
    ({"VERCEL": "1", "VERCEL_ENV": "preview"}, "a preview deployment on Vercel"),
)
"""Variables with their values in a preview, and its name for messages."""

_UNSHALLOW = "run `git fetch --unshallow`"
# The first variable that is set decides: a service can run on another one's machines.
_UNSHALLOW_ON = {
    "READTHEDOCS": "set `build.jobs.post_checkout` to `git fetch --unshallow || true`",
    **dict.fromkeys(
        (*_CLOUDFLARE, "NETLIFY"), "begin the build command with `git fetch --unshallow || true;`"
    ),
    "VERCEL": "set the environment variable `VERCEL_DEEP_CLONE=true`",
    "GITHUB_ACTIONS": "set `fetch-depth: 0` at actions/checkout",
    "GITLAB_CI": "set the variable `GIT_DEPTH: 0`",
}
"""How to get the whole history, by the variable that each service sets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CI:
    """The service that builds the site, as its environment variables describe it."""

    is_ci: bool = False
    """Whether a service builds the site: then no file time is its author's."""

    read_the_docs: bool = False
    """Whether it is Read the Docs."""

    preview: str = ""
    """The kind of preview that is built, for messages; empty for the site itself."""

    hosting: str = ""
    """The service of `core.crawlers.hosting` that will serve the site, if its answers do not
    depend on settings; empty for any other."""

    canonical_url: str = ""
    """The address of this build that the service announces, unchecked; empty for none."""

    language: str = ""
    """The language of this build that the service announces; empty for none."""

    unshallow: str = _UNSHALLOW
    """What to do for the whole history of a shallow clone."""

    source_date_epoch: float | None = None
    """The latest file time that counts, in seconds since 1970 (reproducible-builds.org)."""

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> CI:
        """Read the variables that services set."""
        read_the_docs = _is_set(environ, "READTHEDOCS")
        epoch = environ.get("SOURCE_DATE_EPOCH", "")
        cures = (cure for name, cure in _UNSHALLOW_ON.items() if _is_set(environ, name))
        previews = (text for names, text in _PREVIEWS if names.items() <= environ.items())
        return cls(
            is_ci=any(_is_set(environ, name) for name in ("CI", *_UNSHALLOW_ON)),
            read_the_docs=read_the_docs,
            preview=next(previews, ""),
            hosting="cloudflare" if any(_is_set(environ, n) for n in _CLOUDFLARE) else "",
            canonical_url=environ.get("READTHEDOCS_CANONICAL_URL", ""),
            language=environ.get("READTHEDOCS_LANGUAGE", ""),
            unshallow=next(cures, _UNSHALLOW),
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


def now() -> datetime:
    """Return the time, aware."""
    return datetime.now(UTC)
