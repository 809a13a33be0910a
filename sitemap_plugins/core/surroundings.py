"""What a build depends on besides the site and the options."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitemap_plugins.core.ci import CI
    from sitemap_plugins.core.git.cache import GitCache

__all__ = ["Surroundings", "now"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The moment, the machine and what is known of its repositories."""

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
