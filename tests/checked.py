"""Pages and their environment in the form that modules of the core take."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sitemap_plugins.core.choice.front_matter import check_page
from sitemap_plugins.core.environment import CI, Environment
from sitemap_plugins.core.git import history
from sitemap_plugins.core.git.cache import GitCache

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitemap_plugins.core.records import CheckedPage, Page

NOW = datetime(2026, 11, 21, tzinfo=UTC)


def checked(page: Page, base_url: str = "https://example.com/") -> CheckedPage:
    """Return a page at its URL below a base URL."""
    return check_page(page, base_url + page.path).page


def environment(
    environ: Mapping[str, str],
    git_cache: GitCache | None = None,
    now: datetime = NOW,
    *,
    fetches_history: bool = False,
) -> Environment:
    return Environment(
        now=now,
        ci=CI.from_environ(environ),
        environ=environ,
        git_cache=git_cache or GitCache(),
        fetch_limits=history.WANTED if fetches_history else None,
    )
