"""Judge each page alone: by its host, its front matter, the options, robots.txt and its HTML.

The cheapest checks come first. Most pages have nothing to judge but their URL; a block of such
pages is recognized at once.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core import urls
from sitemap_plugins.core.errors import PageError
from sitemap_plugins.core.html.head import read_head_of
from sitemap_plugins.core.messages import describe_bug
from sitemap_plugins.core.notices import Notice
from sitemap_plugins.core.pages.front_matter import check_page
from sitemap_plugins.core.patterns import Rules
from sitemap_plugins.core.records import NO_METADATA, CheckedPage, unchecked_page
from sitemap_plugins.core.untrusted_files import is_file

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from sitemap_plugins.core.codes import Reason
    from sitemap_plugins.core.crawlers.robots_txt import Robots
    from sitemap_plugins.core.html.head import HeadMeta
    from sitemap_plugins.core.options import Options
    from sitemap_plugins.core.patterns import Patterns
    from sitemap_plugins.core.records import Page

__all__ = ["Judged", "has_values", "judge_alone", "page_patterns"]

_PAGES_IN_BLOCK = 100  # One that is not plain makes all of a block take longer.


class _Verdict(NamedTuple):
    """A page, and whether it is listed as far as it was judged alone."""

    page: CheckedPage

    reason: Reason | None = None
    """Why the page is left out; None if it is to be listed."""

    canonical: str = ""
    """The absolute canonical URL in its HTML, as written; empty for none."""

    notices: tuple[Notice, ...] = ()


@dataclass(slots=True)
class Judged:
    """All pages as far as they are judged; what few pages have is kept by the page's index."""

    pages: list[CheckedPage] = field(default_factory=list)
    """In the order in which the host wrote them."""

    reasons: dict[int, Reason] = field(default_factory=dict)
    """Why pages are left out; the others are to be listed."""

    canonicals: dict[int, str] = field(default_factory=dict)
    """The absolute canonical URLs that pages to be listed have in their HTML, as written."""

    odd: set[int] = field(default_factory=set)
    """All pages whose paths can be spelled in several ways, and perhaps others."""

    names: list[tuple[str, str]] = field(default_factory=list)
    """Path and name of each page as its host gives them, if any option has patterns."""

    notices: list[Notice] = field(default_factory=list)

    def add(self, verdict: _Verdict) -> None:
        """Add the next page."""
        page, reason, canonical, notices = verdict
        if reason is not None:
            self.reasons[len(self.pages)] = reason
        elif canonical:
            self.canonicals[len(self.pages)] = canonical
        self.notices += notices
        self.pages.append(page)

    def listed(self) -> list[CheckedPage]:
        """Return the pages that are to be listed, in their order."""
        if not self.reasons:
            return self.pages
        return [page for i, page in enumerate(self.pages) if i not in self.reasons]

    def left_out(self) -> dict[Reason, tuple[str, ...]]:
        """Return the labels of the other pages by reason, in their order."""
        labels: dict[Reason, list[str]] = defaultdict(list)
        for i, reason in sorted(self.reasons.items()):
            labels[reason].append(self.pages[i].label)
        return {reason: tuple(same) for reason, same in labels.items()}


def judge_alone(
    pages: Iterable[Page], base_url: str, options: Options, robots: Robots | None
) -> Judged:
    """Judge each page by itself; if that fails for one, leave it out, as no other is affected."""
    judged = Judged()
    has_patterns = bool(page_patterns(options))
    has_rules = options.exclude or (robots is not None and robots.has_rules)
    remaining = iter(pages)
    while block := list(islice(remaining, _PAGES_IN_BLOCK)):
        plain = urls.are_plain([page.path for page in block], base_url)
        if not plain:
            judged.odd.update(range(len(judged.pages), len(judged.pages) + len(block)))
        if has_patterns:
            judged.names += [(p.path, p.name) for p in block if isinstance(p.path, str)]
        if plain and not has_rules and not any(map(has_values, block)):
            judged.pages += [unchecked_page(page, base_url + page.path) for page in block]
            continue
        for page in block:
            try:
                url = base_url + page.path if plain else ""
                judged.add(_judge(page, url, base_url, options, robots))
            except Exception as error:  # noqa: BLE001 metadata can hold any object
                judged.add(_failed(page, describe_bug(error)))
    return judged


def _judge(
    page: Page, url: str, base_url: str, options: Options, robots: Robots | None
) -> _Verdict:
    """Judge a page by its host, front matter, the options, robots.txt and its HTML, in turn.

    `url` is the page's; empty if it is not known yet.
    """
    if page.bug:
        return _failed(page, page.bug)
    problem = None
    if not url:
        try:
            url = urls.join(base_url, page.path)
        except PageError as error:
            problem = Notice.of(error, "bad-url", place=page.label)
    checked, reason, forced, notices = check_page(page, url)
    if reason == "static" and options.static_html:
        reason = None
    if reason is None and not forced and options.exclude.match(page.path, page.name):
        reason = "excluded"
    if reason is not None:
        return _Verdict(checked, reason, "", notices)
    if problem is not None:
        return _Verdict(checked, "bad-url", "", (*notices, problem))
    if robots is not None and not robots.allow(url):
        return _Verdict(checked, "robots", "", notices)
    if checked.output_file is None:
        return _Verdict(checked, None, "", notices)
    reason, canonical, about_file = _judge_file(checked, checked.output_file, page.head, options)
    return _Verdict(checked, reason, canonical, (*notices, *about_file))


def _judge_file(
    page: CheckedPage, file: Path, head: HeadMeta | None, options: Options
) -> tuple[Reason | None, str, tuple[Notice, ...]]:
    """Judge a page by its built file; return the reason to leave it out, its canonical, notices.

    `head` is None if it is not read yet.
    """
    if not is_file(file):
        return "missing", "", ()
    if not options.inspect_html:
        return None, "", ()
    try:
        head = head or read_head_of(file)
    except PageError as error:
        problem = f"built HTML was not checked: {error.problem}"
        return None, "", (Notice("html-unreadable", problem, error.cure, page.label),)
    if not file.stat().st_size:  # Themes disable a page with an empty template.
        return "missing", "", ()
    notices: tuple[Notice, ...] = ()
    if not head.is_whole:
        problem = "the built page is too long, or too slow to parse, to be checked whole"
        cure = "put its robots, canonical and refresh tags first in its head"
        notices = (Notice("html-unreadable", problem, cure, page.label),)
    if head.noindex:
        return "noindex", "", notices
    refresh = head.refresh_url(page.url)
    is_redirect = refresh is not None and urls.identity(refresh) != urls.identity(page.url)
    return "redirect" if is_redirect else None, head.canonical_url(page.url) or "", notices


def _failed(page: Page, bug: str) -> _Verdict:
    notice = Notice(
        "failed", f"the page is left out: {bug}", cure="please report it", place=page.label
    )
    path = page.path if isinstance(page.path, str) else ""
    return _Verdict(CheckedPage(path=path, label=page.label), "failed", notices=(notice,))


def has_values(page: Page) -> bool:
    """Tell whether there is anything to judge a page by besides its URL."""
    return bool(
        page.metadata is not NO_METADATA
        or page.metadata_problem
        or page.output_file
        or page.exclude_reason
        or page.changefreq is not None
        or page.priority is not None
        or page.bug
    )


def page_patterns(options: Options) -> dict[str, Patterns | Rules[str] | Rules[float]]:
    """Return the patterns over pages by the option that has them."""
    by_option: dict[str, Patterns | Rules[str] | Rules[float]] = {
        "exclude": options.exclude,
        "changefreq": options.changefreq,
        "priority": options.priority,
    }
    if isinstance(options.split, Rules):
        by_option["split"] = options.split
    return {name: patterns for name, patterns in by_option.items() if patterns.items}
