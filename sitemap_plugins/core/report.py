"""The `Report`: what a build wrote, and why each page has its date, or is left out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sitemap_plugins.core import codes
from sitemap_plugins.core.choice.other_files import find_files, other_html
from sitemap_plugins.core.dates.lastmod import Dates, add_subjects, explain_each
from sitemap_plugins.core.messages import Notice, Notices, count_pages, printable
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.records import CheckedPage, Explanation, LeftOut
from sitemap_plugins.core.untrusted_files import checksum
from sitemap_plugins.core.url_forms import Files

_MAX_PAGES = 5
"""Pages left out for one reason that the normal output names; more are only counted."""

_NO_DATES = (
    "fetch-failed",
    "shallow-clone",
    "no-git",
    "dubious-ownership",
    "no-commits",
    "git-failed",
    "no-repository",
    "no-source",
)
"""Codes of the notices that say why no page has a date, the most exact first."""

_OF_HTML: tuple[codes.Reason, ...] = ("redirect", "canonical")
"""Reasons that may surprise an author, because a theme writes these tags."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was written, and why some pages were left out."""

    files: tuple[Path, ...] = ()
    """Every file of the sitemap, in the order of writing; robots.txt last if it has our
    line."""

    listed: int = 0
    """Number of URLs in the sitemap, over all parts."""

    undated: int = 0
    """Number of those without a date; 0 if the options say that there are no dates."""

    pages_left_out: tuple[LeftOut, ...] = field(default=(), repr=False)
    """In the order of the pages."""

    notices: Notices = ()
    """Messages to the site's owner, in the order of the pipeline; few with the same
    code."""

    standing: Notices = ()
    """Notices for the verbose output alone: they hold in each build, and `check` has
    them."""

    filename: str = "sitemap.xml"
    """Name of the sitemap file."""

    is_annotated: bool = False
    """Whether the build runs on GitHub, where lines of its log can be annotations."""

    written: Mapping[Path, int | None] = field(
        default_factory=dict, repr=False, compare=False
    )
    """The files but robots.txt, with the checksum of each; None for one that another
    build has removed at once."""

    listed_pages: tuple[CheckedPage, ...] = field(default=(), repr=False, compare=False)
    """In the order of the pages."""

    dates: Dates | None = field(default=None, repr=False, compare=False)
    """What is known of the dates of the listed pages; None if nothing was written."""

    site_files: Files = field(default_factory=Files, repr=False, compare=False)
    """The files of all pages, in the output folder."""

    options: Options = field(default_factory=Options, repr=False, compare=False)

    other_files: tuple[str, ...] = field(default=(), repr=False, compare=False)
    """The names of the files that the option `files` lists, as `find_files` returned
    them."""

    @property
    def left_out(self) -> Mapping[codes.Reason, tuple[str, ...]]:
        """Each reason with the names of the pages left out for it, in their order."""
        names: dict[codes.Reason, list[str]] = defaultdict(list)
        for page, reason, _ in self.pages_left_out:
            names[reason].append(page.label)
        return {reason: tuple(labels) for reason, labels in names.items()}

    def changed(self) -> list[Path]:
        """Return the sitemap's files that a program has changed or removed since."""
        return [
            file
            for file, old in self.written.items()
            if old is None or checksum(file) != old
        ]

    def is_outdated(self) -> bool:
        """Tell whether a program later wrote or removed files that `files` lists.

        A sitemap that a program has changed is not outdated: the change is kept.
        """
        folder = self.site_files.folder
        if folder is None or self.changed():
            return False
        return tuple(find_files(folder, self.options)) != self.other_files

    def explained(self) -> list[tuple[CheckedPage, Explanation]]:
        """Return each listed page, and why it has its date, without subjects."""
        if self.dates is None:
            return []
        known = explain_each(self.listed_pages, self.dates)
        return [(page, known[page.path]) for page in self.listed_pages]

    def summary(self) -> str:
        """Return the outcome in one line, for the host's normal output.

        If no page has a date, it says why and what to do, and on GitHub a second line
        makes an annotation of that.

        >>> Report(listed=49, undated=3).summary()
        'sitemap.xml: 49 pages (3 without a date)'
        """
        pages = count_pages(self.listed) if self.listed else "not written"
        undated = f" ({self.undated:,} without a date)" if self.undated else ""
        left_out = self._words_left_out()
        cause = self.cause_of_no_dates()
        if cause is None:
            return f"{self.filename}: {pages}{undated}{left_out}"
        why = f"none with a date: {cause} ({cause.code})"
        line = f"{self.filename}: {pages}{left_out}, {why}"
        if not self.is_annotated:
            return line
        # https://docs.github.com/actions/reference/workflow-commands-for-github-actions
        data = line.replace("%", "%25")
        return f"{line}\n::warning title=sitemap-plugins::{data}"

    def above_summary(self) -> Iterator[Notice]:
        """Yield the notices that the normal output has above the summary.

        These are all notices except the one that is in the summary.
        """
        cause = self.cause_of_no_dates()
        for notice in self.notices:
            if notice is not cause:
                yield notice

    def _words_left_out(self) -> str:
        """Return how many pages are left out for each reason, for the summary."""
        if not self.pages_left_out:
            return ""
        counts = [f"{len(names)} {reason}" for reason, names in self.left_out.items()]
        return f", {len(self.pages_left_out)} left out ({', '.join(counts)})"

    def cause_of_no_dates(self) -> Notice | None:
        """Return why no page has a date; None if one has, or no notice says why."""
        if self.listed and self.undated == self.listed:
            for code in _NO_DATES:
                for notice in self.notices:
                    if notice.code == code:
                        return notice
        return None

    def unexpected(self) -> Iterator[str]:
        """Yield what the normal output adds.

        The lines name pages that their own HTML leaves out, if there are few.
        """
        for reason in _OF_HTML:
            if self._is_named(reason):
                for page in self._left_out_as(reason):
                    yield _below_summary(page)

    def details(self) -> Iterator[str]:
        """Yield the lines that the verbose output adds to the normal one.

        The lines say why each page has its date, why pages are left out (but for pages
        that `unexpected` names), which HTML files other programs wrote, and all notices
        that are grouped, or that hold in each build. Asks git for the subjects of
        commits.
        """
        if self.dates is not None and self.options.lastmod:
            reasons = [why for _, why in self.explained()]
            for why in add_subjects(reasons, self.dates.files.repositories):
                yield _below_summary(why)
        for reason in self.left_out:
            if not self._is_named(reason):
                for page in self._left_out_as(reason):
                    yield _below_summary(page)
        for name in other_html(self.site_files):
            yield _below_summary(
                f"{name}: not listed, because the generator has no such page"
            )
        for notice in self.notices:
            for line in notice.details:
                yield _below_summary(f"{line} ({notice.code})")
        for notice in self.standing:
            yield _below_summary(f"{notice} ({notice.code})")

    def _is_named(self, reason: codes.Reason) -> bool:
        """Tell whether the normal output names the pages left out for a reason."""
        return reason in _OF_HTML and len(self.left_out.get(reason, ())) <= _MAX_PAGES

    def _left_out_as(self, reason: codes.Reason) -> Iterator[LeftOut]:
        for page in self.pages_left_out:
            if page.reason == reason:
                yield page


def _below_summary(line: object) -> str:
    """Return a line to print below the summary; only such lines are indented."""
    return f"  {printable(str(line))}"
