"""The user's options: one frozen record, declared once, checked once for all hosts.

A field of `Options` is the whole declaration: its name, type, default, one-line help and check.
Adapters make their host's declaration from `OPTIONS`, the manual its table.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast, get_args

from sitemap_plugins.core import dates, urls
from sitemap_plugins.core.errors import OptionsError, PageError
from sitemap_plugins.core.patterns import Patterns, Rules
from sitemap_plugins.core.protocol import CHANGEFREQS, MAX_BYTES, MAX_URLS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

__all__ = [
    "OPTIONS",
    "DateSource",
    "Option",
    "Options",
    "check",
    "check_as",
    "checked_changefreq",
    "checked_flag",
    "checked_priority",
    "checked_strings",
    "checked_text",
    "checked_word",
    "declared",
    "option",
    "unknown",
]

DateSource = Literal["page", "git", "published", "mtime"]
"""Where a page's date may come from: its author, git, its publication, the file's own time."""

MIN_BYTES = 16_384
"""The least value of `max_bytes`: room for a header and one entry of the longest URL, escaped."""

# Without "--", which the XML comment that marks our files could not hold.
_FILENAME = re.compile(r"(?!.*--)[A-Za-z0-9_][A-Za-z0-9._-]*\.xml")

T = TypeVar("T")


def checked_changefreq(value: object) -> str:
    """Return a `<changefreq>` value in lower case.

    Raises:
        ValueError: It is none of the protocol's seven words.
    """
    return checked_word(value.lower() if isinstance(value, str) else value, CHANGEFREQS)


def checked_priority(value: object) -> float:
    """Return a `<priority>` value; text that is a number counts as one.

    Raises:
        ValueError: It is no number from 0.0 to 1.0 (sitemaps.org, protocol).
    """
    try:
        number = float(cast("str", value)) if not isinstance(value, bool) else -1.0
    except (OverflowError, TypeError, ValueError):
        number = -1.0
    if not 0.0 <= number <= 1.0:  # Not a number (nan) fails here too.
        msg = f"{value!r} is not a number from 0.0 to 1.0: choose one between"
        raise ValueError(msg)
    return number


def checked_word(value: object, words: Sequence[str]) -> str:
    """Return a value that is one of a few words.

    Raises:
        ValueError: It is none of them.
    """
    if isinstance(value, str) and value in words:
        return value
    choices = ", ".join(map(repr, words))
    msg = f"{value!r} is not one of {choices}{_did_you_mean(value, words)}"
    raise ValueError(msg)


def _did_you_mean(value: object, words: Sequence[str]) -> str:
    close = difflib.get_close_matches(str(value), words, n=1)
    return f": did you mean {close[0]!r}?" if close else ""


def checked_flag(value: object) -> bool:
    """Return a value that is true or false.

    Raises:
        ValueError: It is neither.
    """
    if isinstance(value, bool):
        return value
    msg = f"{value!r} is not true or false: write one of them, without quotes"
    raise ValueError(msg)


def checked_text(value: object) -> str:
    """Return a value that is text.

    Raises:
        ValueError: It is something else.
    """
    if isinstance(value, str):
        return value
    msg = f"{value!r} is not text: put it in quotes"
    raise ValueError(msg)


def checked_strings(value: object) -> tuple[str, ...]:
    """Return a list of texts; one text alone counts as a list of it.

    Raises:
        ValueError: It is something else.
    """
    items = [value] if isinstance(value, str) else value
    if isinstance(items, list | tuple) and all(isinstance(item, str) for item in items):
        return tuple(items)
    msg = f"{value!r} is not a list of texts: write ['one', 'two']"
    raise ValueError(msg)


def _base_url(value: object) -> str:
    try:
        return urls.base(text) if (text := checked_text(value or "")) else ""
    except PageError as error:
        raise ValueError(str(error)) from None


def _filename(value: object) -> str:
    text = checked_text(value)
    if text.lower() == "robots.xml":
        msg = f"{value!r} would make the text sitemap robots.txt: choose another name"
        raise ValueError(msg)
    if _FILENAME.fullmatch(text):
        return text
    msg = (
        f"{value!r} is not a plain file name that ends in .xml: the sitemap stands at the site's"
        " root, because it may only list URLs below its own folder"
    )
    raise ValueError(msg)


def _patterns(value: object) -> Patterns:
    return Patterns.compile(checked_strings(value))


def _date_sources(value: object) -> tuple[DateSource, ...]:
    if value is False:
        return ()
    return tuple(
        cast("DateSource", checked_word(i, get_args(DateSource))) for i in checked_strings(value)
    )


def _ignore_revs(value: object) -> str | bool:
    return value if isinstance(value, bool) else checked_text(value)


def _rules(value: object, checked: Callable[[object], Any]) -> Rules[Any]:
    if value is None:
        return Rules()
    mapping = value if isinstance(value, dict) else {"**": value}
    return Rules(tuple((_patterns(key), checked(item)) for key, item in mapping.items()))


def _changefreqs(value: object) -> Rules[str]:
    return _rules(value, checked_changefreq)


def _priorities(value: object) -> Rules[float]:
    return _rules(value, checked_priority)


def _date_format(value: object) -> dates.Format:
    return cast("dates.Format", checked_word(value, get_args(dates.Format)))


def _limit(value: object, least: int, most: int) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    msg = f"{value!r} is not a whole number from {least:,} to {most:,}: the protocol allows no more"
    raise ValueError(msg)


def _indent(value: object) -> int:
    return _limit(value, 0, 8)


def _max_urls(value: object) -> int:
    return _limit(value, 1, MAX_URLS)


def _max_bytes(value: object) -> int:
    return _limit(value, MIN_BYTES, MAX_BYTES)


def option(*, default: object, kind: str, summary: str, check: Callable[[object], T]) -> T:
    """Declare a field of `Options`; typed as what it holds, as `dataclasses.field` is.

    `default` and what `check` takes are as a user writes them; `check` returns the field's value.
    """
    metadata = {"default": default, "kind": kind, "summary": summary, "check": check}
    return field(default_factory=lambda: check(default), metadata=metadata)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of one site, checked: every value is ready for use."""

    base_url: str = option(
        default="",
        kind="URL",
        summary="The site's address, where it is not the host's own setting.",
        check=_base_url,
    )
    """Percent-encoded, with a last slash; empty where nobody has said it."""

    filename: str = option(
        default="sitemap.xml",
        kind="file name",
        summary="The submitted file's name.",
        check=_filename,
    )
    """A plain name, without a folder, ending in `.xml`."""

    exclude: Patterns = option(
        default=[],
        kind="list of patterns",
        summary="Pages to leave out: gitignore syntax, or `re:` and a regular expression.",
        check=_patterns,
    )
    """Over site-relative paths."""

    lastmod: tuple[DateSource, ...] = option(
        default=["page", "git", "published", "mtime"],
        kind="list",
        summary="Where a page's date may come from, in order; `false` for no dates.",
        check=_date_sources,
    )
    """In the order in which to ask; empty for no dates."""

    lastmod_format: dates.Format = option(
        default="datetime",
        kind="`datetime` or `date`",
        summary="How dates are written, always in UTC.",
        check=_date_format,
    )
    """To the second, or the day alone."""

    ignore_revs: str | bool = option(
        default=True,
        kind="true, false or file name",
        summary="Commits that do not count: `.git-blame-ignore-revs`, another list, or none.",
        check=_ignore_revs,
    )
    """True: `.git-blame-ignore-revs` at the repository's root. A name: relative to that root."""

    changefreq: Rules[str] = option(
        default=None,
        kind="value, or pattern to value",
        summary="`<changefreq>`; not written unless you ask.",
        check=_changefreqs,
    )
    """First match wins; a page's own value comes before."""

    priority: Rules[float] = option(
        default=None,
        kind="value, or pattern to value",
        summary="`<priority>`; not written unless you ask.",
        check=_priorities,
    )
    """First match wins; a page's own value comes before."""

    default_language: str = option(
        default="",
        kind="language",
        summary="The language whose version is `x-default`.",
        check=checked_text,
    )
    """As the host knows it; empty for no `x-default` but the host's own."""

    inspect_html: bool = option(
        default=True,
        kind="true or false",
        summary="Read the built pages for noindex, refresh and canonical.",
        check=checked_flag,
    )
    """Whether the built HTML is read."""

    robots: bool = option(
        default=True,
        kind="true or false",
        summary="Add the `Sitemap:` line to the site's robots.txt.",
        check=checked_flag,
    )
    """Whether robots.txt gets our lines; its rules are obeyed either way."""

    gzip: bool = option(
        default=False,
        kind="true or false",
        summary="Write a `.gz` twin of each file (MkDocs: true, as its own sitemap has one).",
        check=checked_flag,
    )
    """Whether each sitemap file gets a compressed twin."""

    indent: int = option(
        default=0,
        kind="whole number",
        summary="Spaces to indent the XML by, for human readers; 0: one `<url>` a line.",
        check=_indent,
    )
    """0 to 8."""

    text: bool = option(
        default=False,
        kind="true or false",
        summary="Also write a text sitemap, `sitemap.txt`: one URL a line.",
        check=checked_flag,
    )
    """Whether there is a text sitemap too, under the submitted file's name in `.txt`."""

    max_urls: int = option(
        default=MAX_URLS,
        kind="whole number",
        summary="URLs in one file, 50,000 at most.",
        check=_max_urls,
    )
    """1 to 50,000."""

    max_bytes: int = option(
        default=MAX_BYTES,
        kind="whole number",
        summary="Uncompressed bytes of one file, 52,428,800 at most.",
        check=_max_bytes,
    )
    """16,384 to 52,428,800, uncompressed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """The declaration of one option, for adapters and the manual."""

    name: str
    """The option's name on every host, without a host's prefix."""

    default: Any
    """As a user would write it."""

    kind: str
    """What a user may write, in words."""

    summary: str
    """One sentence, for the manual."""

    check: Callable[[object], object]
    """Takes a user's value, returns the field's; raises ValueError with the value and the cure."""


Record = TypeVar("Record", bound=Options)


def declared(record: type[Options]) -> tuple[Option, ...]:
    """Return the declaration of each option of `Options`, or of a host's record with more."""
    return tuple(Option(name=f.name, **f.metadata) for f in fields(record))


OPTIONS = declared(Options)
"""Every option that all hosts share, in the manual's order."""


def check(values: Mapping[str, object], *, where: str, prefix: str = "") -> Options:
    """Check the user's values, all of them, and return the record; missing ones take defaults.

    `where` names the file or setting in a message; `prefix` is what the host puts before names.

    Raises:
        OptionsError: Any unknown name or wrong value; it tells all of them at once.
    """
    return check_as(Options, values, where=where, prefix=prefix)


def check_as(
    record: type[Record], values: Mapping[str, object], *, where: str, prefix: str = ""
) -> Record:
    """Check the values of a host whose record has more options than all hosts share.

    Raises:
        OptionsError: As `check`.
    """
    known = {option.name: option for option in declared(record)}
    checked: dict[str, Any] = {}
    problems = []
    for name, value in values.items():
        if name not in known:
            problems.append(unknown(name, known.values(), prefix=prefix))
            continue
        try:
            checked[name] = known[name].check(value)
        except ValueError as error:
            problems.append(f"{prefix}{name} = {error}")
    if problems:
        raise OptionsError(problems, where=where)
    return record(**checked)


def unknown(name: str, known: Iterable[Option] = OPTIONS, *, prefix: str = "") -> str:
    """Say that there is no such option, and which one was meant, if any is close."""
    names = [f"{prefix}{option.name}" for option in known]
    cure = _did_you_mean(f"{prefix}{name}", names) or ": take it out"
    return f"{prefix}{name} is not an option{cure}"
