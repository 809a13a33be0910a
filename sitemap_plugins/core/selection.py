"""Pages → those to list, each with its URL, and a reason for every other page.

Each `_judge…` function looks at one kind of evidence and returns verdicts with their notices.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core import html_head, urls
from sitemap_plugins.core.errors import PageError
from sitemap_plugins.core.front_matter import check_page
from sitemap_plugins.core.messages import count_pages, describe_bug, quoted
from sitemap_plugins.core.notices import Notice
from sitemap_plugins.core.page import CheckedPage
from sitemap_plugins.core.patterns import Rules
from sitemap_plugins.core.reasons import REASONS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from sitemap_plugins.core.options import Options
    from sitemap_plugins.core.page import Page
    from sitemap_plugins.core.patterns import Patterns
    from sitemap_plugins.core.reasons import Reason
    from sitemap_plugins.core.robots_txt import Robots
    from sitemap_plugins.core.server_rules import ServerRule, ServerRules

__all__ = ["Selection", "select"]

HOME = frozenset({"", "index.html", "index"})
"""Paths of a site's home page, with and without directory URLs and suffixes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The pages to list, and why the others are not."""

    listed: tuple[CheckedPage, ...]
    """In the order of the pages; URLs are unique."""

    left_out: Mapping[Reason, tuple[str, ...]]
    """Reason → labels of pages, as in `Report`."""

    unlisted_members: tuple[CheckedPage, ...]
    """Pages left out that listed pages name in `lists`, where readers see their content."""

    notices: tuple[Notice, ...]
    """About pages and their URLs."""


class _Verdict(NamedTuple):
    """A page, and whether it is listed as far as it was judged."""

    page: CheckedPage

    reason: Reason | None = None
    """Why the page is left out; None as long as it is to be listed."""

    canonical: str = ""
    """The absolute canonical URL in its HTML, as written; empty for none."""

    notices: tuple[Notice, ...] = ()


def select(  # noqa: PLR0913 everything that a page is judged by
    pages: Iterable[Page],
    *,
    base_url: str,
    options: Options,
    robots: Robots | None,
    server_rules: ServerRules | None = None,
    base_url_setting: str = "base_url",
) -> Selection:
    """Decide for every page whether to list it, the cheapest checks first.

    `pages` are in the order in which the host wrote them; `base_url` is normalized.
    """
    names: list[tuple[str, str]] = []
    verdicts: list[_Verdict] = []
    for page in pages:
        names.append((page.path, page.name))
        verdicts.append(_judge_safely(page, base_url, options, robots))
    about_pages = [notice for verdict in verdicts for notice in verdict.notices]
    verdicts, about_forms = _adopt_url_forms(verdicts)
    verdicts, about_rules = _judge_by_server(verdicts, server_rules)
    verdicts, about_canonicals = _judge_canonicals(verdicts, base_url, base_url_setting)
    verdicts, about_duplicates = _judge_duplicates(verdicts, base_url)
    listed = tuple(verdict.page for verdict in verdicts if verdict.reason is None)
    unlisted = (verdict.page for verdict in verdicts if verdict.reason is not None)
    members = {path for page in listed for path in page.lists}
    return Selection(
        listed=listed,
        left_out=_by_reason(verdicts),
        unlisted_members=tuple(page for page in unlisted if page.path in members),
        notices=(
            *about_pages,
            *about_forms,
            *about_rules,
            *about_canonicals,
            *about_duplicates,
            *_about_home(verdicts),
            *_about_sessions(listed),
            *_about_patterns(options, names),
        ),
    )


def _by_reason(verdicts: Iterable[_Verdict]) -> dict[Reason, tuple[str, ...]]:
    labels: dict[Reason, list[str]] = defaultdict(list)
    for verdict in verdicts:
        if verdict.reason is not None:
            labels[verdict.reason].append(verdict.page.label)
    return {reason: tuple(same) for reason, same in labels.items()}


def _judge_safely(page: Page, base_url: str, options: Options, robots: Robots | None) -> _Verdict:
    """Judge a page; if that fails, leave it out, so that no other page is affected."""
    try:
        return _judge(page, base_url, options, robots)
    except Exception as error:  # noqa: BLE001 metadata can hold any object
        return _failed(page, describe_bug(error))


def _judge(page: Page, base_url: str, options: Options, robots: Robots | None) -> _Verdict:
    """Judge a page by its host, front matter, the options, robots.txt and its HTML, in turn."""
    if page.bug:
        return _failed(page, page.bug)
    try:
        url, problem = urls.join(base_url, page.path), None
    except PageError as error:
        url, problem = "", Notice(code="bad-url", text=str(error), location=page.label)
    checked, reason, forced, notices = check_page(page, url)
    if reason == "static" and options.static_html:
        reason = None
    if reason is None and not forced and options.exclude.match(page.path, page.name):
        reason = "excluded"
    if reason is not None:
        return _Verdict(checked, reason, notices=notices)
    if problem is not None:
        return _Verdict(checked, "bad-url", notices=(*notices, problem))
    if robots is not None and not robots.allow(url):
        return _Verdict(checked, "robots", notices=notices)
    if page.output_file is None:
        return _Verdict(checked, notices=notices)
    return _judge_file(checked, page.output_file, notices, inspect_html=options.inspect_html)


def _failed(page: Page, bug: str) -> _Verdict:
    notice = Notice(
        code="page-failed",
        text=f"the page is left out: {bug}: please report it",
        location=page.label,
    )
    return _Verdict(CheckedPage(path=page.path, label=page.label), "failed", notices=(notice,))


def _judge_file(
    page: CheckedPage, file: Path, notices: tuple[Notice, ...], *, inspect_html: bool
) -> _Verdict:
    """Judge a page by its built file: whether it exists, and what its HTML says."""
    if not os.path.isfile(file):  # noqa: PTH113 Path.is_file raises for names that are too long
        return _Verdict(page, "missing", notices=notices)
    if not inspect_html:
        return _Verdict(page, notices=notices)
    try:
        head = html_head.read_file(file)
    except PageError as error:
        text = f"built HTML was not checked: {error}"
        notice = Notice(code="html-unreadable", text=text, location=page.label)
        return _Verdict(page, notices=(*notices, notice))
    if not file.stat().st_size:  # Themes disable a page with an empty template.
        return _Verdict(page, "missing", notices=notices)
    if head.noindex:
        return _Verdict(page, "noindex", notices=notices)
    refresh = head.refresh_url(page.url)
    reason: Reason | None = None
    if refresh is not None and not _same(refresh, page.url):
        reason = "redirect"
    return _Verdict(page, reason, head.canonical_url(page.url) or "", notices)


def _same(one: str, other: str) -> bool:
    return one == other or urls.identity(one) == urls.identity(other)


def _adopt_url_forms(verdicts: Sequence[_Verdict]) -> tuple[list[_Verdict], list[Notice]]:
    """List pages at the shorter URLs that most of their canonical links use.

    These are URLs without `index.html`, or without `.html`. The two are counted apart, since a
    theme that shortens one does not always shorten the other.
    """
    adopted, notices = list(verdicts), []
    for suffix in ("index.html", ".html"):
        named = [i for i, verdict in enumerate(adopted) if _ends_in(verdict, suffix)]
        short = [i for i in named if _is_short_form(adopted[i], suffix)]
        if not short or 2 * len(short) <= len(named):
            continue
        for i in short:
            adopted[i] = adopted[i]._replace(page=_in_short_form(adopted[i].page, suffix))
        text = (
            f"the canonical link of {count_pages(len(short))} leaves out {suffix!r}, and so does"
            f" the sitemap: it lists {quoted(adopted[short[0]].page.url)}"
        )
        notices.append(Notice(code="url-form", text=text))
    return adopted, notices


def _in_short_form(page: CheckedPage, suffix: str) -> CheckedPage:
    """The builds of other languages have the same theme, so the links to them are shortened too."""
    name = f"/{page.url.rpartition('/')[2]}"
    alternates = tuple(
        replace(alternate, url=alternate.url.removesuffix(suffix))
        if alternate.url.endswith(name)
        else alternate
        for alternate in page.alternates
    )
    return replace(page, url=page.url.removesuffix(suffix), alternates=alternates)


def _ends_in(verdict: _Verdict, suffix: str) -> bool:
    if verdict.reason is not None or not verdict.canonical:
        return False
    name = verdict.page.url.rpartition("/")[2]
    return name == suffix or (name.endswith(suffix) and "index.html" not in {suffix, name})


def _is_short_form(verdict: _Verdict, suffix: str) -> bool:
    return _same(verdict.canonical, verdict.page.url.removesuffix(suffix))


def _judge_by_server(
    verdicts: list[_Verdict], rules: ServerRules | None
) -> tuple[list[_Verdict], list[Notice]]:
    """Leave out pages that the server redirects, or answers with noindex; one notice for a rule."""
    if not rules:
        return verdicts, []
    judged: list[_Verdict] = []
    labels: dict[ServerRule, list[str]] = defaultdict(list)
    for verdict in verdicts:
        rule = rules.match(verdict.page.url) if verdict.reason is None else None
        if rule is not None:
            labels[rule].append(verdict.page.label)
        judged.append(verdict if rule is None else verdict._replace(reason=rule.reason))
    return judged, [rule.notice(same) for rule, same in labels.items()]


def _is_same_page(canonical: str, url: str) -> bool:
    """Tell whether a canonical URL is the page's own, or a shorter form of it."""
    forms = {url, url.removesuffix("index.html"), url.removesuffix(".html"), f"{url}index.html"}
    return canonical in forms or urls.identity(canonical) in map(urls.identity, forms)


def _judge_canonicals(
    verdicts: Sequence[_Verdict], base_url: str, setting: str
) -> tuple[list[_Verdict], list[Notice]]:
    """Leave out pages with another canonical URL, unless the base URL itself seems to be wrong.

    It does if most pages are canonical below one other base URL, and none below this one.
    """
    remaining = [verdict for verdict in verdicts if verdict.reason is None]
    named = [verdict for verdict in remaining if verdict.canonical]
    strangers = [v for v in named if not _is_same_page(v.canonical, v.page.url)]
    twins = [v for v in strangers if _is_same_page(v.canonical, urls.scheme_twin(v.page.url))]
    notices = []
    if twins:
        text = (
            f"the canonical link of {count_pages(len(twins))} has another scheme than the sitemap"
            f" at {quoted(base_url)}, such as {quoted(twins[0].canonical)}: use one scheme in both"
        )
        notices.append(Notice(code="scheme-differs", text=text))
    elsewhere = {id(verdict) for verdict in strangers} - {id(verdict) for verdict in twins}
    if elsewhere and len(elsewhere) == len(named):
        bases = Counter(map(_canonical_base, named))
        other, count = bases.most_common(1)[0]
        if 2 * count > len(remaining) and not _same(other, base_url):
            text = (
                f"the canonical link of {count_pages(count)} is below {quoted(other)} and that of"
                f" none below {quoted(base_url)}, so none is left out for it: correct {setting}"
            )
            notices.append(Notice(code="wrong-base-url", text=text))
            elsewhere = {id(v) for v in named if _canonical_base(v) != other}
    return [
        verdict._replace(reason="canonical") if id(verdict) in elsewhere else verdict
        for verdict in verdicts
    ], notices


def _canonical_base(verdict: _Verdict) -> str:
    """Return the base URL that a page's canonical URL implies."""
    page = urls.path_identity(verdict.page.path)
    return urls.identity(verdict.canonical).removesuffix(page)


def _judge_duplicates(
    verdicts: Sequence[_Verdict], base_url: str
) -> tuple[list[_Verdict], list[Notice]]:
    """Of several pages with one URL list only the last: its file replaced the others' files."""
    judged, notices = list(verdicts), []
    last: dict[str, int] = {}
    for i, verdict in enumerate(verdicts):
        if verdict.reason is not None:
            continue
        known = last.get(key := urls.path_identity(verdict.page.url.removeprefix(base_url)))
        last[key] = i
        if known is not None:
            judged[known] = judged[known]._replace(reason="duplicate")
            text = f"same URL as {verdict.page.label}, {quoted(verdict.page.url)}: change one"
            location = verdicts[known].page.label
            notices.append(Notice(code="duplicate-url", text=text, location=location))
    return judged, notices


def _about_home(verdicts: Sequence[_Verdict]) -> Iterator[Notice]:
    """Yield a notice if the home page is left out and other pages are not."""
    listed = [verdict.page for verdict in verdicts if verdict.reason is None]
    if not listed or any(page.path in HOME for page in listed):
        return
    for verdict in verdicts:
        if verdict.reason not in {None, "failed"} and verdict.page.path in HOME:
            text = f"the home page is left out ({verdict.reason}: {REASONS[verdict.reason]})"
            yield Notice(code="home-left-out", text=text, location=verdict.page.label)
            return


def _about_sessions(listed: Iterable[CheckedPage]) -> Iterator[Notice]:
    for page in listed:
        if urls.has_session_id(page.url):
            text = f"{quoted(page.url)} contains a session identifier: remove it from the URL"
            yield Notice(code="session-id", text=text, location=page.label)


def _about_patterns(options: Options, names: Collection[tuple[str, str]]) -> Iterator[Notice]:
    """Yield a notice for each option with patterns that match none of the pages."""
    by_option: dict[str, Patterns | Rules[str] | Rules[float]] = {
        "exclude": options.exclude,
        "changefreq": options.changefreq,
        "priority": options.priority,
    }
    if isinstance(options.split, Rules):
        by_option["split"] = options.split
    for name, patterns in by_option.items():
        if names and (unused := [repr(item) for item in patterns.unused(names)]):
            text = f"{', '.join(unused)} matches no page's URL path or source name: correct it"
            yield Notice(code="unused-pattern", text=text, location=name)
