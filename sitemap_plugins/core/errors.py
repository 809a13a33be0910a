"""The core's exceptions, sorted by who can fix the problem, and the base of all.

`published.indexnow.RefusedError` is the only other public one: it knows what a search engine
answered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemap_plugins.core.messages import quoted, sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitemap_plugins.core.codes import Code


class SitemapError(Exception):
    """Base of all errors of this package: catch this one."""

    problem: str
    """What is wrong, with the value."""

    cure: str
    """What to do about it; empty if the problem says that."""

    place: str
    """The file or setting that it is about, e.g. `conf.py`; may be empty."""

    def __init__(self, problem: str, *, cure: str = "", place: str = "") -> None:
        """Keep the parts."""
        super().__init__(problem)
        self.problem = problem
        self.cure = cure
        self.place = place

    def __str__(self) -> str:
        """Return all of it in one line that is safe to print."""
        return sentence(self.problem, self.cure, place=self.place)


class WrongValueError(SitemapError):
    """An option or a field does not accept a value: whoever wrote it can fix it."""


class OptionsError(SitemapError):
    """The site's configuration is wrong: its owner can fix it."""

    problems: tuple[str, ...]
    """One sentence for each wrong option, in the order in which they were found."""

    def __init__(self, problem: str, *, cure: str = "", place: str = "") -> None:
        """Keep the parts of one problem."""
        super().__init__(problem, cure=cure, place=place)
        self.problems = (sentence(problem, cure),)

    @classmethod
    def of_all(cls, errors: Sequence[SitemapError], *, place: str) -> OptionsError:
        """Combine several errors into one, whose text has one line."""
        if len(errors) == 1:
            return cls(errors[0].problem, cure=errors[0].cure, place=place)
        error = cls("; ".join(map(str, errors)), place=place)
        error.problems = tuple(map(str, errors))
        return error


class PageError(SitemapError):
    """A value of one page is not valid in a sitemap: the page's author can fix it."""


class GitError(SitemapError):
    """Git is missing or fails: whoever set up the machine or the clone can fix it."""

    code: Code
    """Code of the notice to give."""

    def __init__(self, problem: str, *, cure: str = "", code: Code) -> None:
        """Keep the code beside the parts."""
        super().__init__(problem, cure=cure)
        self.code = code


class RobotsError(SitemapError):
    """The site's robots.txt cannot be read as one: its author can fix it."""


class OutputError(SitemapError):
    """A file cannot be written: whoever owns the output folder can fix it."""


class FileError(SitemapError):
    """A sitemap file cannot be read: whoever wrote it can fix it."""

    line: int
    """The line number, from 1; 0 if unknown."""

    def __init__(self, problem: str, *, cure: str = "", place: str = "", line: int = 0) -> None:
        """Keep the line beside the parts."""
        super().__init__(problem, cure=cure, place=place)
        self.line = line


class RequestError(SitemapError):
    """A URL gets no answer."""

    url: str
    """The URL that was requested, possibly the target of a redirect."""

    fault: str
    """What is wrong, in a sentence that begins with the URL."""

    def __init__(self, url: str, fault: str) -> None:
        """Make the sentence."""
        super().__init__(f"{quoted(url)} {fault}")
        self.url = url
        self.fault = fault


class WebError(RequestError):
    """A server does not answer, or not with HTTP: its owner can fix it."""


class TimeUpError(RequestError):
    """The time for all requests together ran out: the user can allow more."""
