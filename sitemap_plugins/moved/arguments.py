"""Where a folder's pages are and were, for commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sitemap_plugins.folder.options import Project

if TYPE_CHECKING:
    # They are slow to import.
    from sitemap_plugins.folder.reading import FolderSite
    from sitemap_plugins.moved.places import Places


def places_of(
    folder: FolderSite, project: Project, say: Callable[[str], None], *, since: str = ""
) -> Places:
    """Return where a folder's pages are, and were, as `Places.of` does.

    The history that a shallow clone lacks is fetched as a build's is; `say` shows a
    line at once.
    """
    # They read HTML and run git, which would slow the start of every command.
    from sitemap_plugins.core.environment import Environment  # noqa: PLC0415
    from sitemap_plugins.core.git.cache import GitCache  # noqa: PLC0415
    from sitemap_plugins.moved.places import Places  # noqa: PLC0415

    cache = GitCache(say)
    environment = Environment.of(project.environ, project.options, cache, began=None)
    return Places.of(folder, environment, since=since)
