"""The core's exceptions, sorted by who can fix what they say, and the base of all.

`web.WebError`, `web.TimeUpError` and `published.indexnow.RefusedError` are the only others: what
fails there is another machine, and the core asks none.

A message says what is wrong (with the value), where, and the cure, in one line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitemap_plugins.core.notice_kinds import Code

__all__ = [
    "FileError",
    "GitError",
    "OptionsError",
    "OutputError",
    "PageError",
    "RobotsError",
    "SitemapError",
]


class SitemapError(Exception):
    """Base of all errors of this package: catch this one."""


class OptionsError(SitemapError):
    """The site's configuration is wrong: its owner can fix it."""

    problems: tuple[str, ...]
    """One sentence for each wrong option, in the order in which they were found."""

    where: str
    """The file or setting that holds the options, e.g. `conf.py`; may be empty."""

    def __init__(self, problems: Sequence[str], *, where: str = "") -> None:
        """Join all problems into one line, after the place."""
        self.problems = tuple(problems)
        self.where = where
        text = "; ".join(self.problems)
        super().__init__(f"{where}: {text}" if where else text)


class PageError(SitemapError):
    """A value of one page is not valid in a sitemap: the page's author can fix it."""


class GitError(SitemapError):
    """Git is missing or fails: whoever set up the machine or the clone can fix it."""

    code: Code
    """Code of the notice to give."""

    def __init__(self, text: str, *, code: Code) -> None:
        """Keep the code of the notice beside the sentence."""
        self.code = code
        super().__init__(text)


class RobotsError(SitemapError):
    """The site's robots.txt cannot be read as one: its author can fix it."""


class OutputError(SitemapError):
    """A file cannot be written: whoever owns the output folder can fix it."""


class FileError(SitemapError):
    """A sitemap file cannot be read: whoever wrote it can fix it."""

    problem: str
    """What is wrong."""

    cure: str
    """What to do about it; empty if the problem says that."""

    line: int
    """Where, from 1; 0 where that is not known."""

    def __init__(self, problem: str, *, cure: str = "", line: int = 0) -> None:
        """Join the problem and its cure into one sentence, and keep each with the line."""
        self.problem = problem
        self.cure = cure
        self.line = line
        super().__init__(f"{problem}: {cure}" if cure else problem)
