"""Messages to users: notices and errors.

Messages have parts; their text is made here: values quoted, passwords hidden. Nothing
is logged here: strict modes count only messages of the host's own logger. Errors are
sorted by who can fix the problem. `notify.indexnow.RefusedError` is the only one
elsewhere: it knows what a search engine answered.
"""

from __future__ import annotations

import re
import reprlib
import traceback
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Self

from sitemap_plugins.core import codes

MAX_NAMED = 3
"""Names of one kind in a message."""

MAX_QUOTED = 80
"""Characters of a value in a message: enough to find it, too few to fill the log."""

# C0 and C1 controls, line separators, marks of direction, and halves of surrogate
# pairs: they could break a line of the log, recolour a terminal, reverse a text or not
# be encodable at all.
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
# A line of the log would be a command for GitHub's runner with `::` after blanks, and
# with `##[` anywhere (actions/runner, ActionCommand.cs).
_COMMAND = re.compile(r"^(?=\s*::)|(?<=##)(?=\[)")
# The user information of a URL (RFC 3986, section 3.2.1), also if a file path has only
# one of its slashes, or of a host alone. A password may contain characters that it must
# encode: if what follows the first colon is not a port, all up to an "@" belongs to it.
_USER = re.compile(
    r"(://|(?<=http):/|(?<=https):/)(?:[^/?#\s]*@|[^/?#@:\s\[]*+:(?!\d*(?:[/?#\s]|$))[^'\"]{0,300}@)"
    r"|\A()[^/:@\s'\"]+:[^/@\s]*@(?=[\w-]+\.)"
)
_MAX_URL = 4_096
"""Characters of a value in which a password is looked for, and of a place in a message:
more than a URL or a path may have."""


Environ = Mapping[str, str]
"""Environment variables. A value can be a password."""


class Secret(str):
    """A text from the environment; messages show what the settings' author wrote."""

    __slots__ = ("written",)

    written: str
    """Such as `!ENV NAME`."""

    def __new__(cls, value: str, written: str) -> Self:
        """Return the value, and what to show for it."""
        text = super().__new__(cls, value)
        text.written = written
        return text

    def __repr__(self) -> str:
        """Return what to show."""
        return self.written


@dataclass(frozen=True, slots=True)
class Message:
    """A message to the site's owner: what is wrong, what to do about it, and where."""

    code: codes.Code
    """Stable: users suppress, select and ignore messages by it."""

    problem: str
    """What is wrong, with the value; one sentence without a full stop."""

    cure: str = ""
    """What to do about it; empty if the problem says that."""

    place: str = ""
    """The page or file that it is about, as the author knows it; empty for the whole
    site."""

    @property
    def text(self) -> str:
        """The problem and its cure, for where the place is shown by itself."""
        return sentence(self.problem, self.cure)

    def __str__(self) -> str:
        """Return all of it in one line."""
        return sentence(self.problem, self.cure, place=self.place)


def sentence(problem: str, cure: str = "", *, place: str = "") -> str:
    """Return a message in one line that is safe to print.

    The line says where, what is wrong, and what to do.

    >>> sentence("the date is in the future", "correct it", place="about.md")
    'about.md: the date is in the future: correct it'
    """
    # Only an option can name a longer place; Pelican's log takes seconds for one word.
    if len(place) > _MAX_URL:
        place = quoted(place)
    return printable(": ".join(filter(None, (place, problem, cure))))


def quoted(value: object) -> str:
    """Return a value for a message, as Python writes it, without passwords.

    A long one is cut short; a long text keeps its end, by which URLs and paths differ.

    >>> quoted("x" * 50 + "y" * 50)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy'"
    """
    if isinstance(value, str) and not isinstance(value, Secret):
        value = without_password(value[:_MAX_URL])
        kept = MAX_QUOTED // 2 - 1
        if len(value) > MAX_QUOTED:
            value = f"{value[:kept]}…{value[-kept:]}"
        return repr(value)
    try:
        text = _BOUNDED.repr(value)
    except (RecursionError, ValueError):  # A number of more than 4,300 digits.
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= MAX_QUOTED else f"{text[: MAX_QUOTED - 1]}…"


def cited(text: str) -> str:
    r"""Return a stranger's text in double quotes, bounded and escaped as by `quoted`.

    >>> print(cited("it's new\n"))
    "it's new\n"
    """
    return f'"{quoted(text)[1:-1]}"'


class _Bounded(reprlib.Repr):
    """Writes as much of a value as a message shows.

    Aliases make a short YAML file endless.
    """

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 4
        self.maxdict = self.maxlist = self.maxtuple = 20
        self.maxother = self.maxlong = MAX_QUOTED + 1

    def repr_str(self, x: str, level: int) -> str:  # noqa: ARG002 the base class gives it
        return repr(without_password(x[:_MAX_URL])[: MAX_QUOTED + 1])


_BOUNDED = _Bounded()


def named(name: object) -> str:
    r"""Return the name of a field or an option, as a user wrote it, for a message.

    >>> named("robots"), named("\x1b[31m"), named(7)
    ('robots', "'\\x1b[31m'", '7')
    """
    is_plain = (
        isinstance(name, str) and len(name) <= MAX_QUOTED and printable(name) == name
    )
    return str(name) if is_plain else quoted(name)


def printable(text: str) -> str:
    r"""Return a text that is safe to print: no control characters, no passwords.

    Names of pages and files come from strangers: a line break in one would forge a line
    of the log, and some words a command of it.

    >>> print(printable("a\nb"), printable("::error::"), printable("##[error]"))
    a\nb \::error:: ##\[error]
    """
    text = _COMMAND.sub(r"\\", without_password(text))
    return _UNPRINTABLE.sub(lambda found: repr(found[0])[1:-1], text)


def without_password(text: str) -> str:
    """Return a text in which no URL has a user name or password.

    >>> without_password("https://me:secret@example.com/@me")
    'https://…@example.com/@me'
    """
    return _USER.sub(r"\1…@", text) if "@" in text else text


def count_things(number: int, noun: str) -> str:
    """Return a number with its noun, whose plural ends in `s`.

    >>> count_things(1, "URL"), count_things(1_000, "URL")
    ('1 URL', '1,000 URLs')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def count_pages(number: int) -> str:
    """Return a number of pages in words."""
    return count_things(number, "page")


def a_few(names: Sequence[str]) -> str:
    """Name a few, and count the others.

    >>> a_few(["a"]), a_few(["a", "b", "c"]), a_few(["a", "b", "c", "d", "e"])
    ('a', 'a, b and c', 'a, b, c and 2 more')
    """
    others = len(names) - MAX_NAMED
    *shown, last = (*names[:MAX_NAMED], f"{others:,} more") if others > 0 else names
    return f"{', '.join(shown)} and {last}" if shown else last


def describe_bug(error: Exception) -> str:
    """Say in one line what failed, and in which line of code, for the developers."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({frame.filename}, line {frame.lineno})"


STANDING: frozenset[codes.Code] = frozenset({"record-not-kept", "robots-not-at-root"})
"""Codes of notices that hold in each build, often for ever: only the verbose output has
them."""

MAX_EXAMPLES = 3
"""Notices with one code that are shown one by one; more are summarized in one, with a
count."""


@dataclass(frozen=True, slots=True)
class Notice(Message):
    """One message about a sitemap, for the host's log."""

    details: tuple[str, ...] = ()
    """For the verbose output: the messages that this one summarizes."""

    @classmethod
    def of(cls, error: SitemapError, code: codes.Code, *, place: str = "") -> Notice:
        """Return an error as a notice."""
        return cls(code, error.problem, error.cure, place or error.place)

    @property
    def level(self) -> codes.Level:
        """How much it matters, fixed by the code."""
        return "info" if codes.notices()[self.code].severity == "info" else "warning"


Notices = tuple[Notice, ...]
"""The notices of one step, in the order in which users read them."""


def group_notices(notices: Iterable[Notice]) -> Notices:
    """Replace many notices with one code by one, with a count and some examples.

    The order is that of each code's first notice. Codes with few notices keep them as
    they are.
    """
    by_code: dict[codes.Code, list[Notice]] = defaultdict(list)
    for notice in notices:
        by_code[notice.code].append(notice)
    for code, same in by_code.items():
        if len(same) > MAX_EXAMPLES:
            messages = tuple(map(str, same))
            examples = "; ".join(messages[:MAX_EXAMPLES])
            problem = (
                f"{len(same)} times: {examples}; the verbose output has all of them"
            )
            by_code[code] = [Notice(code, problem, details=messages)]
    return tuple(chain.from_iterable(by_code.values()))


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

    code: codes.Code
    """Code of the notice to give."""

    def __init__(self, problem: str, *, cure: str = "", code: codes.Code) -> None:
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

    def __init__(
        self, problem: str, *, cure: str = "", place: str = "", line: int = 0
    ) -> None:
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
