"""The description of a page: as an adapter gives it, and after it is checked."""

from __future__ import annotations

from dataclasses import field
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core.messages import describe_bug
from sitemap_plugins.core.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping
    from pathlib import Path

    from sitemap_plugins.core.codes import Reason
    from sitemap_plugins.core.dates import DateOrDatetime
    from sitemap_plugins.core.html_head import HeadMeta

__all__ = [
    "ERROR_PAGE",
    "NO_METADATA",
    "Alternate",
    "CheckedPage",
    "Excerpt",
    "Page",
    "page_or_bug",
]

ERROR_PAGE = "404.html"
"""The file at the site's root that servers show for missing pages."""

NO_METADATA: Mapping[str, object] = MappingProxyType({})
"""The front matter of a page that has none: one mapping for all, which takes less memory."""


@record
class Alternate:
    """The same page in another language."""

    language: str
    """As the host knows it (`pt_BR`, `sr@latin`); the core turns it into BCP 47. Or `x-default`."""

    path: str = ""
    """Percent-encoded, relative to the site root, as `Page.path`; where `url` is empty."""

    url: str = ""
    """Absolute and percent-encoded, for a version outside this build; empty for one inside."""


@record
class Excerpt:
    """What one page shows of a file that several pages share, such as a catalog of translations.

    A commit that changes the file dates only those pages whose excerpt it changes.
    """

    file: Path
    """Absolute; need not exist."""

    name: str
    """The excerpt's name among those that `read` returns."""

    read: Callable[[bytes], Mapping[str, Hashable]]
    """Takes the file's content in any version; values are equal where the excerpts are. One
    function for all excerpts of a file, so that each version is read once."""

    certain: bool = True
    """False if it is unknown which changes of the file concern the page."""


@record
class Page:
    """One page that the host wrote, as the host and the page's author describe it.

    What comes from the author has the type `object`: `front_matter.check_page` checks it.
    """

    path: str
    """Percent-encoded, relative to the site root, ASCII, no leading slash; empty for the home."""

    name: str = ""
    """The page's name in messages and for patterns: the source's name as the author knows it."""

    output_file: Path | None = None
    """The built HTML file; None: not checked."""

    head: HeadMeta | None = None
    """What the head of the built HTML says, where the host has read it already."""

    sources: tuple[Path, ...] = ()
    """Absolute files that the page is made of, the page's own first; need not exist."""

    is_generated: bool = False
    """Whether the build made the page of no file of its own, so that `sources` may be empty."""

    excerpts: tuple[Excerpt, ...] = ()
    """The excerpts that the page shows of files that it shares with others."""

    modified: DateOrDatetime | None = None
    """When the page's content last changed, as its author wrote it in the host's own field."""

    published: DateOrDatetime | None = None
    """When its author says that it was published, which may be before its last change."""

    lists: tuple[str, ...] = ()
    """Paths of the pages whose content this one shows too: an archive, the front page of a blog."""

    alternates: tuple[Alternate, ...] = ()
    """The versions in other languages; its own may be among them."""

    changefreq: object = None
    """From the host's own option, unchecked; the page's front matter replaces it."""

    priority: object = None
    """From the host's own option, unchecked; the page's front matter replaces it."""

    metadata: Mapping[str, object] = field(default_factory=lambda: NO_METADATA)
    """The author's front matter, unchecked; the core reads its keys `sitemap` and `robots`."""

    metadata_problem: str = ""
    """Why the front matter cannot be read; empty if it can."""

    exclude_reason: Reason | None = None
    """The host's own reason to leave the page out; None for no reason."""

    kind: str = ""
    """What the page is, for messages, if it is not for readers: `the search page`."""

    bug: str = ""
    """The error while the adapter described the page, in one line; empty for none."""

    @property
    def label(self) -> str:
        """The page's name in messages; never empty."""
        label = self.name or self.path or "the home page"
        return f"{label} ({self.kind})" if self.kind else label


class CheckedPage(NamedTuple):  # Made in two thirds of a dataclass's time.
    """A page with checked values; fields without a docstring are as in `Page`."""

    path: str

    label: str
    """The page's name in messages; never empty."""

    url: str = ""
    """Absolute and percent-encoded; empty for a page that is left out and has no valid one."""

    output_file: Path | None = None

    sources: tuple[Path, ...] = ()

    excerpts: tuple[Excerpt, ...] = ()

    named_sources: tuple[str, ...] = ()
    """Further files that the front matter names, as glob patterns beside the page's own source."""

    modified: DateOrDatetime | None = None
    """The front matter's `lastmod` where it has one, else the host's date."""

    published: DateOrDatetime | None = None

    lists: tuple[str, ...] = ()

    alternates: tuple[Alternate, ...] = ()

    is_generated: bool = False

    changefreq: str | None = None
    """One of the protocol's words."""

    priority: float | None = None
    """0.0 to 1.0."""


def page_or_bug(name: str, describe: Callable[[], Page]) -> Page:
    """Return the page that an adapter's function describes, or one with the bug if it fails.

    Plugins and themes can give hosts any object, and a failure on one page must not affect others.
    """
    try:
        return describe()
    except Exception as error:  # noqa: BLE001 a host's objects can raise anything
        return Page(path="", name=name, bug=describe_bug(error), exclude_reason="failed")
