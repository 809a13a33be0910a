"""A page's front matter and the host's own values, checked.

    sitemap: false                                  leave the page out
    sitemap: true                                   list it, although the host hides it
    sitemap: {lastmod: 2024-05-01, priority: 0.8}   fields of its entry
    sitemap: "lastmod: 2024-05-01, priority: 0.8"   the same as text, also in braces
    robots: noindex                                 leave the page out
    lastmod: 2024-05-01                             when it changed, for its generator

A wrong field of `sitemap` is ignored with a notice; the others apply.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from typing import Any, NamedTuple

from sitemap_plugins.core import messages
from sitemap_plugins.core.codes import Reason
from sitemap_plugins.core.date_values import DateOrDatetime, parse_date
from sitemap_plugins.core.html.head import says_noindex
from sitemap_plugins.core.messages import (
    Notice,
    Notices,
    PageError,
    SitemapError,
    WrongValueError,
    quoted,
)
from sitemap_plugins.core.records import CheckedPage, Metadata, Page
from sitemap_plugins.core.values import PARSERS, did_you_mean

_NO = {"false", "no", "off", "0"}
_YES = {"true", "yes", "on", "1"}
_NOT_IN_FILE_NAMES = re.compile("[\0\ud800-\udfff]")


_MODIFIED = (
    "lastmod",
    "modified",
    "updated",
    "last_update",
    "lastUpdated",
    "last_modified_at",
    "last_modified",
    "date-modified",
)
"""In the order of preference, what Hugo, Pelican, Hexo, Docusaurus, VitePress, Jekyll
and Quarto call the date of a page's last change."""


class Verdict(NamedTuple):
    """A page with checked values, and whether it is listed, as far as judged alone."""

    page: CheckedPage

    reason: Reason | None = None
    """Why the page is left out; None if it is to be listed."""

    notices: Notices = ()
    """Among others, one for each value that is wrong."""

    forced: bool = False
    """Whether the front matter says `sitemap: true`: no pattern excludes the page
    then."""

    why: str = ""
    """What leaves the page out, as `LeftOut.why`."""

    canonical: str = ""
    """The absolute canonical URL in its HTML, as written; empty for none."""

    is_unwritten: bool = False
    """Whether only the front matter says noindex, and the page's HTML does not."""


def check_page(page: Page, url: str) -> Verdict:
    """Check the values that the host and the author give for a page's entry.

    The verdict depends on these values alone. `url` is the page's URL, absolute and
    percent-encoded; empty if the page has no valid one.
    """
    wanted, fields, notices = _said_of(page)
    checked, about_fields = _check_fields(page, fields)
    modified = page.modified or _modified(page.metadata)
    modified = checked.get("lastmod", modified)
    if page.unknown and modified is None:
        problem = f"the page {page.unknown}, so it has no date"
        cure = "give it one in its front matter, `sitemap: {lastmod: 2024-05-01}`"
        notices.append(Notice("unknown-include", problem, cure, page.label))
    notices += about_fields
    # Long: each field by its name.
    checked_page = CheckedPage(
        path=page.path,
        label=page.label,
        url=url,
        output_file=page.output_file,
        sources=page.sources,
        included=page.included,
        excerpts=page.excerpts,
        unknown=page.unknown,
        named_sources=checked.get("sources", ()),
        modified=modified,
        published=page.published,
        lists=page.lists,
        alternates=page.alternates,
        is_generated=page.is_generated,
        changefreq=checked.get("changefreq"),
        priority=checked.get("priority"),
    )
    reason = _reason(page, wanted=wanted)
    return Verdict(checked_page, reason, tuple(notices), forced=wanted is True)


def _said_of(
    page: Page,
) -> tuple[bool | None, Mapping[str, object], list[Notice]]:
    """Return what a page's front matter says of its entry, as `_parse` does.

    Also return a notice for what cannot be read.
    """
    notices = []
    if page.metadata_problem:
        problem = f"the front matter cannot be read ({page.metadata_problem})"
        notices.append(Notice("bad-metadata", problem, "correct it", page.label))
    try:
        wanted, fields = _parse(page.metadata.get("sitemap"))
    except PageError as error:
        notices.append(_notice(page, "sitemap", error))
        return None, {}, notices
    return wanted, fields, notices


def _reason(page: Page, *, wanted: bool | None) -> Reason | None:
    """Return why the host or the page's front matter leaves the page out, if so.

    `wanted` is what the key `sitemap` says: True, False or, if it says neither, None.
    True overrules the host only if the host hides the page.
    """
    host = page.exclude_reason
    if host is not None and not (host == "hidden" and wanted):
        return host
    if wanted is False:
        return "front-matter"
    robots = page.metadata.get("robots")
    if robots is None:
        return None
    values = robots if isinstance(robots, list | tuple) else [robots]
    # Each text is searched once: with YAML's aliases, a short front matter can hold a
    # long list of one long text.
    texts = {value for value in values if isinstance(value, str)}
    return "noindex" if any(map(says_noindex, texts)) else None


def published(metadata: Metadata) -> date | None:
    """Return when a page was published, by its front matter's `date`."""
    value = metadata.get("date")
    # Material's blog also has a mapping with `created` and `updated`.
    if isinstance(value, dict):
        value = value.get("created")
    return value if isinstance(value, date) else None


def _modified(metadata: Metadata) -> DateOrDatetime | None:
    """Return when a page last changed, by the first key whose value is a date."""
    values = []
    for key in _MODIFIED:
        value = metadata.get(key)
        # Docusaurus has a mapping, and so has Material's blog.
        values.append(value.get("date") if isinstance(value, dict) else value)
    dates = metadata.get("date")
    if isinstance(dates, dict):
        values.append(dates.get("updated"))
    for value in filter(None, values):
        # Other values are no dates, such as `date-modified: last-modified`.
        with suppress(PageError):
            return parse_date(value)
    return None


def _parse(value: object) -> tuple[bool | None, Mapping[str, object]]:
    """Return whether to list the page (None: not said), and its entry's fields."""
    if isinstance(value, str):
        return _parse_text(value.strip())
    if value is None or isinstance(value, bool):
        return value, {}
    if isinstance(value, dict):
        return None, {messages.named(key): item for key, item in value.items()}
    cure = "write false, or the fields lastmod, changefreq, priority, sources"
    raise PageError(f"{quoted(value)} is not true, false or a mapping", cure=cure)


def _parse_text(text: str) -> tuple[bool | None, Mapping[str, object]]:
    """Read the key `sitemap` where a host hands it over as text, as `_parse` does."""
    if not text:
        return None, {}
    if text.lower() in _NO | _YES:
        return text.lower() in _YES, {}
    if text.startswith("{"):  # MyST hands a nested mapping over as JSON.
        try:
            return _parse(json.loads(text))
        except (ValueError, RecursionError):
            # The text is a mapping as YAML writes it, which a host did not parse.
            text = text.removeprefix("{").removesuffix("}")
    pairs = [item.partition(":") for item in text.split(",")]
    if all(colon for _, colon, _ in pairs):
        fields = {messages.named(key.strip()): item.strip() for key, _, item in pairs}
        return None, fields
    cure = "write false, or `lastmod: 2024-05-01, priority: 1`"
    raise PageError(f"{quoted(text)} is neither true, false nor fields", cure=cure)


def _check_fields(
    page: Page, fields: Mapping[str, object]
) -> tuple[dict[str, Any], Notices]:
    """Return the valid fields, parsed, and a notice for each wrong one."""
    given: list[tuple[str, object]] = []
    for name, value in (("changefreq", page.changefreq), ("priority", page.priority)):
        if value is not None:
            given.append((name, value))
    given += fields.items()  # The author's values replace the host's.

    checked: dict[str, Any] = {}
    notices = []
    for name, value in given:
        try:
            checked[name] = _field(page, name, value)
        except (PageError, WrongValueError) as error:
            notices.append(_notice(page, f"sitemap.{name}", error))
    return checked, tuple(notices)


def _field(page: Page, name: str, value: object) -> object:
    """Return a field's value, parsed.

    Raises:
        PageError: The field is unknown, or the value is not one of a page.
        WrongValueError: The value is not valid for the field.
    """
    if name == "sources":
        return _sources(page, value)
    if name in PARSERS:
        return PARSERS[name](value)
    known = [*PARSERS, "sources"]
    cure = did_you_mean(name, known) or f"the fields are {', '.join(known)}"
    raise PageError("is not a field", cure=cure)


def _sources(page: Page, value: object) -> tuple[str, ...]:
    """Return the names in the field `sources`, each once.

    Raises:
        PageError: The page has no source file, or the value is not a list of names.
    """
    if not page.sources:
        msg = "the page has no source file that the names could be relative to"
        raise PageError(msg, cure="remove the field")
    names = [value] if isinstance(value, str) else value
    if isinstance(names, list) and all(isinstance(name, str) for name in names):
        unique = tuple(dict.fromkeys(names))
        if not any(map(_NOT_IN_FILE_NAMES.search, unique)):
            return unique
    msg = f"{quoted(value)} is not a list of files"
    raise PageError(msg, cure="write ['../snippet.md']")


def _notice(page: Page, field: str, error: SitemapError) -> Notice:
    return Notice("bad-metadata", f"{field}: {error.problem}", error.cure, page.label)
