"""Pages → valid, unique, sorted Entries, and a reason for every page left out."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core import author, markup, urls
from sitemap_plugins.core.errors import PageError
from sitemap_plugins.core.notices import Notice
from sitemap_plugins.core.pages import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sitemap_plugins.core.alternates import Link
    from sitemap_plugins.core.dates import Moment
    from sitemap_plugins.core.options import Options
    from sitemap_plugins.core.pages import Page
    from sitemap_plugins.core.robots import Robots

__all__ = ["Entry", "Selection", "from_pages", "select"]

# Names that servers give to session identifiers (protocol FAQ: "remove session IDs from URLs").
_SESSION = re.compile(
    r"[?&;](?:phpsessid|jsessionid|aspsessionid\w*|session_?id|sid|cfid|cftoken)=", re.IGNORECASE
)


class Entry(NamedTuple):  # Made in half the time of a frozen dataclass.
    """One `<url>`; every string is legal XML text, not escaped yet."""

    url: str
    """Absolute, percent-encoded, at most 2,047 characters; unique among entries."""

    lastmod: Moment | None = None
    """When the page's content last changed; None where nobody knows."""

    changefreq: str | None = None
    """One of the protocol's words."""

    priority: float | None = None
    """0.0 to 1.0."""

    links: tuple[Link, ...] = ()
    """All versions of the page in the order to write them, itself among them; or none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The pages to list, and why the others are not."""

    listed: Mapping[str, Page]
    """Absolute URL → page, with what its front matter says; in the order of the pages."""

    left_out: Mapping[str, tuple[str, ...]]
    """Reason → names of pages, as in `Report`."""

    shown: tuple[Page, ...]
    """Pages left out that listed ones name in `derived_from`: readers see them there."""

    notices: tuple[Notice, ...]
    """What pages and URLs gave cause to say."""


@dataclass(slots=True, kw_only=True)
class _Verdict:
    """What is known of one page so far."""

    page: Page
    url: str = ""
    reason: str | None = None
    canonical: str = ""  # Absolute; empty where the page names none.


def select(pages: Iterable[Page], *, options: Options, robots: Robots | None) -> Selection:
    """Judge every page by all that is known of it, cheap reasons first."""
    notices: list[Notice] = []
    verdicts = []
    for page in pages:
        verdict = _by_description(page, notices, options)
        if verdict.reason is None and robots is not None and not robots.allow(verdict.url):
            verdict.reason = "robots"
        if verdict.reason is None:
            _by_output_file(verdict, notices, inspect_html=options.inspect_html)
        verdicts.append(verdict)
    notices += _by_canonical(verdicts, options.base_url)
    notices += _by_duplicates(verdicts)
    listed = {verdict.url: verdict.page for verdict in verdicts if verdict.reason is None}
    left_out: dict[str, list[str]] = defaultdict(list)
    for verdict in verdicts:
        if verdict.reason is not None:
            left_out[verdict.reason].append(verdict.page.label)
    notices += _about_sessions(listed)
    named = {path for page in listed.values() for path in page.derived_from}
    others = (verdict.page for verdict in verdicts if verdict.reason is not None)
    return Selection(
        listed=listed,
        shown=tuple(page for page in others if page.path in named),
        left_out={reason: tuple(names) for reason, names in left_out.items()},
        notices=tuple(notices),
    )


def from_pages(
    listed: Mapping[str, Page],
    *,
    dates: Mapping[str, Moment],
    links: Mapping[str, tuple[Link, ...]],
    options: Options,
) -> list[Entry]:
    """Return an entry for each listed page, ascending by URL; `dates` and `links` are by path."""
    return [
        Entry(
            url=url,
            lastmod=dates.get(page.path),
            changefreq=page.changefreq or options.changefreq.first(page.path),
            priority=options.priority.first(page.path) if page.priority is None else page.priority,
            links=links.get(page.path, ()),
        )
        for url, page in sorted(listed.items())
    ]


def _by_description(page: Page, notices: list[Notice], options: Options) -> _Verdict:
    """Judge by what the host, the author and the options say."""
    page, about = author.applied(page)
    notices += about
    verdict = _Verdict(page=page, reason=page.left_out)
    if verdict.reason is not None:
        return verdict
    if options.exclude and options.exclude.match(page.path):
        verdict.reason = "excluded"
        return verdict
    try:
        verdict.url = urls.join(options.base_url, page.path)
    except PageError as error:
        text = f"{page.label}: {error}"
        notices.append(Notice(code="bad-url", text=text, source=page.label))
        verdict.reason = "bad-url"
    return verdict


def _by_output_file(verdict: _Verdict, notices: list[Notice], *, inspect_html: bool) -> None:
    """Judge by whether the page was written, and by what its HTML says."""
    file = verdict.page.output_file
    if file is None:
        return
    if not os.path.isfile(file):  # noqa: PTH113 Path.is_file raises for names that are too long
        verdict.reason = "missing"
        return
    if not inspect_html:
        return
    try:
        found = markup.read_file(file)
    except PageError as error:
        name = verdict.page.label
        text = f"{name}: listed without a look at its HTML: {error}"
        notices.append(Notice(code="html-unreadable", text=text, source=name))
        return
    if not file.stat().st_size:  # Themes have empty templates for pages that they do not want.
        verdict.reason = "missing"
        return
    if found.noindex:
        verdict.reason = "noindex"
        return
    refresh, canonical = found.refresh_url(verdict.url), found.canonical_url(verdict.url)
    if refresh is not None and not _same(refresh, verdict.url):
        verdict.reason = "redirect"
    verdict.canonical = canonical or ""


def _same(one: str, other: str) -> bool:
    return one == other or urls.identity(one) == urls.identity(other)


def _by_canonical(verdicts: Sequence[_Verdict], base_url: str) -> Iterator[Notice]:
    """Leave out pages that are canonical elsewhere, unless the base URL must be the wrong one.

    It must be where most pages are canonical under one other base URL, and none under this one.
    """
    remaining = [verdict for verdict in verdicts if verdict.reason is None]
    named = [verdict for verdict in remaining if verdict.canonical]
    twins: list[_Verdict] = []
    elsewhere: list[_Verdict] = []
    for verdict in named:
        canonical, url = _folder(verdict.canonical), _folder(verdict.url)
        if not _same(canonical, url):
            is_twin = _same(canonical, urls.scheme_twin(url))
            (twins if is_twin else elsewhere).append(verdict)
    if twins:
        text = (
            f"the canonical link of {counted(len(twins))} has another scheme than the sitemap at"
            f" {base_url!r}, such as {twins[0].canonical!r}: use one scheme in both"
        )
        yield Notice(code="scheme-differs", text=text)
    if elsewhere and len(elsewhere) == len(named):
        other, count = Counter(map(_canonical_base, elsewhere)).most_common(1)[0]
        if 2 * count > len(remaining) and not _same(other, base_url):
            text = (
                f"the canonical link of {counted(count)} leads below {other!r} and that of none"
                f" below {base_url!r}, so none is left out for it: correct the base URL"
            )
            yield Notice(code="wrong-base-url", text=text)
            elsewhere = [v for v in elsewhere if _canonical_base(v) != other]
    for verdict in elsewhere:
        verdict.reason = "canonical"


def _canonical_base(verdict: _Verdict) -> str:
    """Return what the base URL would be if a page's canonical URL is right."""
    page = urls.path_identity(verdict.page.path)
    return urls.identity(verdict.canonical).removesuffix(page)


def _folder(url: str) -> str:
    """Return a folder's URL for that of its index, which servers answer with the same page."""
    return url.removesuffix("index.html") if url.endswith("/index.html") else url


def _by_duplicates(verdicts: Iterable[_Verdict]) -> Iterator[Notice]:
    first: dict[str, _Verdict] = {}
    for verdict in verdicts:
        if verdict.reason is not None:
            continue
        known = first.setdefault(urls.path_identity(verdict.page.path), verdict)
        if known is not verdict:
            verdict.reason = "duplicate"
            name, other = verdict.page.label, known.page.label
            text = f"{name}: has the URL of {other}, {known.url!r}: give it another"
            yield Notice(code="duplicate-url", text=text, source=name)


def _about_sessions(listed: Mapping[str, Page]) -> Iterator[Notice]:
    for url, page in listed.items():
        if _SESSION.search(url):
            text = f"{page.label}: {url!r} carries a session identifier: take it out of the URL"
            yield Notice(code="session-id", text=text, source=page.label)
