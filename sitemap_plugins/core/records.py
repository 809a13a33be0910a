"""The records of the pipeline: a `Site` and its `Page`s in, each `Entry` out.

An adapter describes each page as a `Page`; a `CheckedPage` is the same page with every
value checked, and an `Entry` is one `<url>`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core import codes, messages
from sitemap_plugins.core.date_values import (
    DateOrDatetime,
    Origin,
    format_date,
)
from sitemap_plugins.core.messages import OutputError, PageError, cited, describe_bug

if TYPE_CHECKING:
    from sitemap_plugins.core.html.head import HeadMeta  # Its parser is slow to import.

Metadata = Mapping[str, object]
"""A page's front matter, as the host has parsed it."""

NO_METADATA: Metadata = MappingProxyType({})
"""The front matter of a page that has none: one mapping for all, which takes less
memory."""


def _unknown(_name: str) -> None:
    """Return no source: the host does not know which files it copied."""


class Included(NamedTuple):
    """What a page is made of besides its own sources, as `Page` has it."""

    files: tuple[Path, ...] = ()
    """Absolute."""

    unknown: str = ""
    """Why some of it is unknown, for messages; empty if all is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One built site, as its host describes it.

    Unchecked values have the type `object`.
    """

    output_dir: Path
    """The folder that the web server will serve at the base URL, absolute."""

    project_dir: Path | None = None
    """The folder that the option `sources` is relative to, absolute; None for none."""

    base_url: object = ""
    """The host's own setting of the site's address; the option `base_url` replaces
    it."""

    base_url_setting: str = "base_url"
    """What the host calls that setting, for messages: `site_url in mkdocs.yml`."""

    default_language: str = ""
    """The language whose version is `x-default`, as the host knows it; empty for
    none."""

    began: datetime | None = None
    """When the build began, aware; None if the host does not know. The time of a file
    that the build itself wrote is not a date."""

    directory_urls: str = (
        "let the generator write each page as the index.html of a folder"
    )
    """How to get URLs that end in a slash on this host, for messages."""

    built_dir: Path | None = None
    """Where the built files are if not in `output_dir`, as in a dry run; absolute."""

    source_of: Callable[[str], Path | None] = _unknown
    """Returns the absolute path of the file that the host copied to a name in the
    output folder; None for a file that it made, or if unknown. Files of the option
    `files` get their dates so."""

    def __post_init__(self) -> None:
        """Refuse relative folders.

        A page's file is looked for in them by its whole name.

        Raises:
            OutputError: A folder is not absolute.
        """
        for name in ("output_dir", "project_dir", "built_dir"):
            folder = getattr(self, name)
            if folder is not None and not folder.is_absolute():
                msg = f"{name} {messages.quoted(str(folder))} is not absolute"
                raise OutputError(msg, cure="give its `absolute()` path")

    @property
    def pages_dir(self) -> Path:
        """The folder of the built pages, where nothing is written in a dry run."""
        return self.built_dir or self.output_dir


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternate:
    """The same page in another language."""

    language: str
    """As the host knows it (`pt_BR`, `sr@latin`); the core turns it into BCP 47. Or
    `x-default`."""

    path: str = ""
    """Percent-encoded, relative to the site root, as `Page.path`; where `url` is
    empty."""

    url: str = ""
    """Absolute and percent-encoded, for a version outside this build; empty for one
    inside."""


ReadExcerpts = Callable[[bytes], Mapping[str, Hashable]]
"""Takes a file's content in any version, and returns its excerpts by name.

Values are equal where the excerpts are. An excerpt that is `git.last_change.Distinct`
is known again in another file. One that is missing counts as changed.
"""


class Excerpt(NamedTuple):
    """What one page shows of a file that several share, such as a catalog.

    A commit that changes the file dates only those pages whose excerpt it changes.
    """

    file: Path
    """Absolute; need not exist."""

    name: str
    """The excerpt's name among those that `read` returns."""

    read: ReadExcerpts
    """One function for all excerpts of a file that are read in one way.

    Each version of a file is therefore read once.
    """

    version: str = ""
    """The version of `read`, which always reads the same under one name. Then git's
    answers are kept for later builds; empty if it depends on more than the content."""

    label: str = ""
    """What messages call it; empty if it goes without saying."""

    is_attributable: bool = True
    """False if it is unknown which changes of the file concern the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page that the host wrote, as the host and the page's author describe it.

    What comes from the author has the type `object`: `choice.front_matter.check_page`
    checks it.
    """

    path: str
    """Percent-encoded, relative to the site root, ASCII, no leading slash; empty for
    the home."""

    name: str = ""
    """The page's name in messages and for patterns: the source's name as the author
    knows it."""

    output_file: Path | None = None
    """The built HTML file; None: not checked."""

    head: HeadMeta | None = None
    """What the head of the built HTML says, where the host has read it already."""

    sources: tuple[Path, ...] = ()
    """Absolute paths of the files that the page is made of, its own first; need not
    exist."""

    included: tuple[Path, ...] = ()
    """Absolute paths of the files that the sources include. Included files can only
    make a date newer: a page whose sources have no date has none, whatever it includes.
    """

    unknown: str = ""
    """Why some of what the page includes is unknown, for messages, so that it has no
    date but its author's; empty if all is known."""

    is_generated: bool = False
    """Whether the build made the page without a file of its own, so that `sources` can
    be empty."""

    excerpts: tuple[Excerpt, ...] = ()
    """The excerpts that the page shows of files that it shares with others."""

    modified: DateOrDatetime | None = None
    """When the page's content last changed, as its author wrote it in the host's own
    field."""

    published: DateOrDatetime | None = None
    """When the page was published, by its author; its last change may be later."""

    lists: tuple[str, ...] = ()
    """Paths of the pages that this one can show too, if it is an archive or the front
    page of a blog. If this page has an `output_file`, only those count to which its HTML
    links. No page in `lists` lists others."""

    alternates: tuple[Alternate, ...] = ()
    """The versions in other languages; its own may be among them."""

    changefreq: object = None
    """From the host's own option, unchecked; the page's front matter replaces it."""

    priority: object = None
    """From the host's own option, unchecked; the page's front matter replaces it."""

    metadata: Metadata = field(default_factory=lambda: NO_METADATA)
    """The author's front matter, unchecked; the core reads its keys `sitemap` and
    `robots`."""

    metadata_problem: str = ""
    """Why the front matter cannot be read; empty if it can."""

    exclude_reason: codes.Reason | None = None
    """The host's own reason to leave the page out; None for no reason."""

    kind: str = ""
    """What the page is, for messages, if it is not content: `the search page`."""

    bug: str = ""
    """The error while the adapter described the page, in one line; empty for none."""

    def __post_init__(self) -> None:
        """Refuse dates of another type.

        Raises:
            PageError: A date is neither a date nor a datetime.
        """
        for date in (self.modified, self.published):
            if not isinstance(date, DateOrDatetime | None):
                problem = f"{messages.quoted(date)} is neither a date nor a datetime"
                msg = f"{self.label}: {problem}"
                raise PageError(msg, cure="convert it")

    @property
    def label(self) -> str:
        """The page's name in messages; never empty."""
        label = self.name or self.path or "the home page"
        return f"{label} ({self.kind})" if self.kind else label


class CheckedPage(NamedTuple):
    """A page with checked values; fields without a docstring are as in `Page`."""

    path: str

    label: str
    """The page's name in messages; never empty."""

    url: str = ""
    """Absolute and percent-encoded; empty for a page that is left out and has no valid
    one."""

    output_file: Path | None = None

    sources: tuple[Path, ...] = ()

    included: tuple[Path, ...] = ()

    excerpts: tuple[Excerpt, ...] = ()

    unknown: str = ""

    named_sources: tuple[str, ...] = ()
    """Further files that the front matter names, as glob patterns beside the page's own
    source."""

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


class LeftOut(NamedTuple):
    """A page that is not listed."""

    page: CheckedPage

    reason: codes.Reason

    why: str = ""
    """What left it out: the pattern, the line, the link; empty for nothing to name."""

    def __str__(self) -> str:
        """Return all of it in one line."""
        return f"{self.page.label}: left out ({self.reason}: {self.words})"

    @property
    def words(self) -> str:
        """What left it out, or else what the reason means."""
        return self.why or codes.reasons()[self.reason]


def page_or_bug(name: str, describe: Callable[[], Page]) -> Page:
    """Return the page that an adapter's function describes, or one with its bug.

    Plugins and themes can give hosts any object, and a failure on one page must not
    affect others.
    """
    try:
        return describe()
    except Exception as error:  # noqa: BLE001 a host's objects can raise anything
        return Page(
            path="", name=name, bug=describe_bug(error), exclude_reason="failed"
        )


class Link(NamedTuple):
    """One version of a page, as an `<xhtml:link rel="alternate">` names it."""

    language: str
    """BCP 47 tag, or `x-default`: the `hreflang`."""

    url: str
    """Absolute and percent-encoded: the `href`."""


class Entry(NamedTuple):
    """One `<url>`; every string is legal XML text, not escaped yet."""

    url: str
    """Absolute, percent-encoded, at most 2,047 characters; unique among entries."""

    lastmod: DateOrDatetime | None = None
    """When the page's content last changed; None if unknown."""

    changefreq: str | None = None
    """One of the protocol's words."""

    priority: float | None = None
    """0.0 to 1.0."""

    links: tuple[Link, ...] = ()
    """All versions of the page in the order to write them, itself among them; or
    none."""

    images: tuple[str, ...] = ()
    """URLs of the images on the page, absolute and percent-encoded, at most
    `MAX_IMAGES`."""


_WORDS = {
    "page": "as its author wrote",
    "published": "its date of publication",
    "mtime": "the time of the file",
}
"""Origins of dates in words, besides commits."""


class Commit(NamedTuple):
    """A commit that dates a file, or is passed over."""

    name: str
    """The full object name."""

    subject: str = ""
    """The first line of its message, not escaped; empty if git did not say."""

    why: str = ""
    """Why it is passed over; empty for one that dates the file."""

    def __str__(self) -> str:
        """Return the commit as messages name it."""
        name = self.name[:7]
        return f"{name} {cited(self.subject)}" if self.subject else name


class Explanation(NamedTuple):
    """Why a page has its date."""

    name: str
    """The page's label."""

    date: DateOrDatetime | None

    origin: Origin | None = None
    """None without a date."""

    how: str = ""
    """How the page has the file that decides: `included` or `listed`; empty for its
    own."""

    commit: Commit | None = None
    """None if the date is not from git."""

    passed_over: tuple[Commit, ...] = ()
    """Newer commits that do not count, from the newest."""

    why: str = ""
    """Why there is no date, if that is known; empty for a page with a date."""

    @property
    def commits(self) -> tuple[Commit, ...]:
        """All commits that are named."""
        return (self.commit, *self.passed_over) if self.commit else ()

    def with_subjects(self, subjects: Mapping[str, str]) -> Explanation:
        """Return the explanation with the subjects of its commits.

        `subjects` has the subject of each commit by full name; one that is not in it
        gets an empty subject.
        """
        if self.commit is None:
            return self
        commit, *passed_over = (
            each._replace(subject=subjects.get(each.name, "")) for each in self.commits
        )
        return self._replace(commit=commit, passed_over=tuple(passed_over))

    @property
    def words(self) -> str:
        """The date, and where it is from."""
        if self.date is None or self.origin is None:
            return f"no date, {self.why}" if self.why else "no date"
        what = str(self.commit) if self.commit else _WORDS[self.origin.kind]
        text = f"{format_date(self.date, 'date')}, {what}"
        how = self.how or self.origin.excerpt
        if how:
            text += f", in {self.origin.file} ({how})"
        return text

    @property
    def words_passed_over(self) -> str:
        """The commits that are passed over, each with its reason."""
        return ", ".join(f"{commit} ({commit.why})" for commit in self.passed_over)

    def __str__(self) -> str:
        """Return all of it in one line."""
        text = f"{self.name}: {self.words}"
        if self.passed_over:
            text += f"; passed over: {self.words_passed_over}"
        return text
