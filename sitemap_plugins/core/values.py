"""Parsers for the values of options and front matter.

Every parser raises an error whose problem begins with the value, so that the caller
only adds where the value is. Patterns and dates have modules of their own.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, cast, get_args

from sitemap_plugins.core.date_values import parse_date
from sitemap_plugins.core.languages import to_bcp47
from sitemap_plugins.core.limits import CHANGEFREQS
from sitemap_plugins.core.messages import (
    MAX_QUOTED,
    PageError,
    WrongValueError,
    quoted,
)
from sitemap_plugins.core.patterns import Patterns, Rules
from sitemap_plugins.core.urls import normalize_base_url

DateOrigin = Literal["page", "git", "published", "mtime"]
"""Where a page's date may come from: its author, git, its publication, the file's own
time."""

Changes = Literal["any", "content"]
"""Which commits date a page: all that change its source, or those that change it for
readers."""

Split = Literal["size", "section"]
"""How to divide a site: where one file is full, or into sections first."""

# Without "--", which the XML comment that signs our files could not hold.
FILENAME = re.compile(r"(?!.*--)[A-Za-z0-9_][A-Za-z0-9._-]*\.xml")
"""The whole name of a sitemap file."""

RECORD_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*\.json")
"""The whole name of a record, which no file of a sitemap can have."""

# The excluded names are those of further indexes and of the parts of a section.
_SECTION = re.compile(
    r"(?!index-\d+$)(?!(?:.*-)?[0-9a-f]{12}$)[a-z0-9]+(?:-[a-z0-9]+)*"
)
_LONGEST = 40


def parse_changefreq(value: object) -> str:
    """Return a `<changefreq>` value in lower case.

    Raises:
        WrongValueError: The value is not one of the protocol's seven words.
    """
    if isinstance(value, str):
        value = value.lower()
    return parse_choice(value, CHANGEFREQS)


def parse_priority(value: object) -> float:
    """Return a `<priority>` value; text that is a number counts as one.

    Raises:
        WrongValueError: The value is not a number from 0.0 to 1.0 (sitemaps.org).
    """
    try:
        # A bool is a number to Python, but not a priority.
        number = float(cast("str", value)) if not isinstance(value, bool) else -1.0
    except (OverflowError, TypeError, ValueError):
        number = -1.0
    if not 0.0 <= number <= 1.0:  # Not a number (nan) fails here too.
        msg = f"{quoted(value)} is not a number from 0.0 to 1.0"
        raise WrongValueError(msg, cure="write one, such as 0.5")
    return number


def parse_choice(value: object, words: Sequence[str]) -> str:
    """Return a value that is one of a few words.

    Raises:
        WrongValueError: The value is not one of the words.
    """
    if isinstance(value, str) and value in words:
        return value
    choices = ", ".join(map(repr, words))
    msg = f"{quoted(value)} is not one of {choices}"
    raise WrongValueError(msg, cure=did_you_mean(value, words))


def did_you_mean(value: object, words: Iterable[str]) -> str:
    """Return `did you mean 'x'?` for the closest word; empty where none is close."""
    word = value[:MAX_QUOTED] if isinstance(value, str) else ""
    close = difflib.get_close_matches(word, words, n=1)
    return f"did you mean {close[0]!r}?" if close else ""


def parse_bool(value: object) -> bool:
    """Return a value that is true or false.

    Raises:
        WrongValueError: The value is not true or false.
    """
    if isinstance(value, bool):
        return value
    msg = f"{quoted(value)} is not true or false"
    raise WrongValueError(msg, cure="write one of them, without quotes")


def parse_str(value: object) -> str:
    """Return a value that is text.

    Raises:
        WrongValueError: The value is not text.
    """
    if isinstance(value, str):
        return value
    raise WrongValueError(f"{quoted(value)} is not a string", cure="put it in quotes")


def parse_language(value: object) -> str:
    """Return a language as its host names it; empty for none.

    Raises:
        WrongValueError: The value is not a language.
    """
    text = parse_str(value)
    try:
        # The empty text, for none, is valid, so that a language stands in for it.
        to_bcp47(text or "en")
    except PageError as error:
        raise WrongValueError(error.problem, cure=error.cure) from None
    return text


def parse_strings(value: object) -> tuple[str, ...]:
    """Return a list of texts, each once; one text alone counts as a list of it.

    Raises:
        WrongValueError: The value is not text or a list of texts.
    """
    items = [value] if isinstance(value, str) else value
    if isinstance(items, list | tuple) and all(isinstance(item, str) for item in items):
        return tuple(dict.fromkeys(items))
    msg = f"{quoted(value)} is not a list of strings"
    raise WrongValueError(msg, cure="write ['one', 'two']")


def is_section_name(text: str) -> bool:
    """Tell whether a text can name a section.

    A name has lowercase letters, digits and single hyphens.
    """
    return len(text) <= _LONGEST and _SECTION.fullmatch(text) is not None


def parse_base_url(value: object) -> str:
    """Return an absolute http or https URL, percent-encoded, with a last slash.

    An empty value stays empty.
    """
    text = parse_str(value or "")
    return normalize_base_url(text) if text else ""


def parse_filename(value: object) -> str:
    """Return the plain name of a file, without a folder, that ends in `.xml`."""
    text = parse_str(value)
    if text.lower() == "robots.xml":
        msg = f"{quoted(value)} would make the text sitemap robots.txt"
        raise WrongValueError(msg, cure="choose another name")
    if FILENAME.fullmatch(text):
        return text
    msg = f"{quoted(value)} is not a plain file name that ends in .xml"
    cure = (
        "the sitemap is written to the site's root, because it lists URLs below its"
        " folder only"
    )
    raise WrongValueError(msg, cure=cure)


def parse_record(value: object) -> str:
    """Return the plain name of a file that ends in `.json`, without a folder.

    An empty value stays empty.
    """
    text = parse_str(value)
    if not text or RECORD_NAME.fullmatch(text):
        return text
    msg = f"{quoted(value)} is not a plain file name that ends in .json"
    cure = "write 'pages.json': the record is written beside the sitemap"
    raise WrongValueError(msg, cure=cure)


def parse_patterns(value: object) -> Patterns:
    """Return the patterns in a text or a list of texts."""
    return Patterns.compile(parse_strings(value))


PARSERS: Mapping[str, Callable[[object], object]] = {
    "lastmod": parse_date,
    "changefreq": parse_changefreq,
    "priority": parse_priority,
}
"""What parses each field of an entry, in front matter and in the option `urls`."""


def parse_urls(value: object) -> tuple[dict[str, object], ...]:
    """Return the addresses in a list, each with its entry's valid fields as written.

    Raises:
        WrongValueError: An item has no address, an unknown field, or a wrong value.
    """
    items: Any = value if isinstance(value, list | tuple) else [value]
    entries: list[Any] = [{"loc": it} if isinstance(it, str) else it for it in items]
    for entry in entries:
        address = entry.get("loc") if isinstance(entry, dict) else None
        if not isinstance(address, str) or not address:
            msg = f"{quoted(entry)} is neither a URL nor a mapping with `loc`"
            raise WrongValueError(msg, cure="write '/app/', or {'loc': '/app/'}")
        _check_fields(entry, quoted(address))
    return tuple(entries)


def _check_fields(entry: Mapping[str, object], page: str) -> None:
    """Raise an error for a field of an item of `urls` that has no use, or is wrong."""
    for name, field in entry.items():
        if name == "loc":
            continue
        if name not in PARSERS:
            msg = f"{quoted(name)} is not a field of {page}"
            cure = did_you_mean(name, PARSERS)
            known = f"the fields are loc, {', '.join(PARSERS)}"
            raise WrongValueError(msg, cure=cure or known)
        try:
            PARSERS[name](field)
        except (PageError, WrongValueError) as error:
            msg = f"{page}: {name}: {error.problem}"
            raise WrongValueError(msg, cure=error.cure) from None


def parse_date_origins(value: object) -> tuple[DateOrigin, ...]:
    """Return the origins of dates in order of preference; none for `False`."""
    if value is False:
        return ()
    known = get_args(DateOrigin)
    origins = [parse_choice(item, known) for item in parse_strings(value)]
    return tuple(cast("list[DateOrigin]", origins))


def parse_ignore_revs(value: object) -> str | bool:
    """Return whether to ignore commits, or the name of the file that lists them."""
    return value if isinstance(value, bool) else parse_str(value)


def parse_bool_or(value: object, *, word: str) -> Any:  # noqa: ANN401 a type of that word
    """Return a value that is true, false or a word.

    Raises:
        WrongValueError: The value is not true, false or the word.
    """
    if isinstance(value, bool) or value == word:
        return value
    msg = f"{quoted(value)} is not true, false or {word!r}"
    raise WrongValueError(msg, cure="write one of them")


def parse_rules(value: object, *, parse: Callable[[object], Any]) -> Rules[Any]:
    """Return values by pattern; one value alone is for all pages."""
    if value is None:
        return Rules()
    if not isinstance(value, dict):
        return Rules(((parse_patterns("**"), parse(value)),))
    rules = []
    for pattern, item in value.items():
        try:
            rules.append((parse_patterns(pattern), parse(item)))
        except WrongValueError as error:
            msg = f"{quoted(pattern)}: {error.problem}"
            raise WrongValueError(msg, cure=error.cure) from None
    return Rules(tuple(rules))


def parse_sources(value: object) -> tuple[tuple[Patterns, tuple[str, ...]], ...]:
    """Return glob patterns of files by the pattern of the pages that they date."""
    if not isinstance(value, dict):
        msg = f"{quoted(value)} does not map patterns to files"
        raise WrongValueError(msg, cure="write {'api/**': ['src/**/*.py']}")
    rules = [(parse_patterns(key), parse_strings(item)) for key, item in value.items()]
    return tuple(rules)


def parse_int(value: object, *, least: int, most: int, cure: str) -> int:
    """Return a whole number within these limits."""
    if (
        isinstance(value, int)
        and not isinstance(value, bool)
        and least <= value <= most
    ):
        return value
    msg = f"{quoted(value)} is not a whole number from {least:,} to {most:,}"
    raise WrongValueError(msg, cure=cure)


def parse_split(value: object) -> Split | Rules[str]:
    """Return how to divide a site.

    A mapping gives the names of its sections by pattern.
    """
    if isinstance(value, dict):
        return parse_rules(value, parse=_parse_section)
    return cast("Split", parse_choice(value, get_args(Split)))


def _parse_section(value: object) -> str:
    text = parse_str(value)
    if is_section_name(text):
        return text
    msg = f"{quoted(value)} is not a section's name"
    raise WrongValueError(msg, cure="use lowercase letters, digits and hyphens")
