"""Pages → those to list, each with its URL, and a reason for every other page.

Each `_judge…` function looks at one kind of evidence and returns verdicts with their notices.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugins.core import html_head, urls
from sitemap_plugins.core.canonicals import any_form, has_file, is_dead
from sitemap_plugins.core.codes import REASONS
from sitemap_plugins.core.errors import PageError
from sitemap_plugins.core.front_matter import check_page, has_values, unchecked_page
from sitemap_plugins.core.messages import count_pages, describe_bug, quoted
from sitemap_plugins.core.notices import Notice
from sitemap_plugins.core.page import CheckedPage
from sitemap_plugins.core.patterns import Rules
from sitemap_plugins.core.untrusted_files import is_file

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    from sitemap_plugins.core.codes import Reason
    from sitemap_plugins.core.html_head import HeadMeta
    from sitemap_plugins.core.options import Options
    from sitemap_plugins.core.page import Page
    from sitemap_plugins.core.patterns import Patterns
    from sitemap_plugins.core.robots_txt import Robots
    from sitemap_plugins.core.server_rules import ServerRule, ServerRules

__all__ = ["Selection", "select"]

HOME = frozenset({"", "index.html", "index"})
"""Paths of a site's home page, with and without directory URLs and suffixes."""

_PAGES_IN_BLOCK = 100  # One that is not plain makes all of a block take longer.


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
    """A page, and whether it is listed as far as it was judged alone."""

    page: CheckedPage

    reason: Reason | None = None
    """Why the page is left out; None if it is to be listed."""

    canonical: str = ""
    """The absolute canonical URL in its HTML, as written; empty for none."""

    notices: tuple[Notice, ...] = ()


@dataclass(slots=True)
class _Judged:
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


def select(  # noqa: PLR0913 everything that a page is judged by
    pages: Iterable[Page],
    *,
    base_url: str,
    options: Options,
    robots: Robots | None,
    server_rules: ServerRules | None = None,
    base_url_setting: str = "base_url",
    output_dir: Path | None = None,
) -> Selection:
    """Decide for every page whether to list it, the cheapest checks first.

    `pages` are in the order in which the host wrote them; `base_url` is normalized. `output_dir` is
    where files that are not among the pages are looked for; None to look for none.
    """
    judged = _judge_alone(pages, base_url, options, robots)
    _adopt_url_forms(judged)
    _judge_by_server(judged, server_rules)
    elsewhere = _judge_canonicals(judged, base_url, base_url_setting)
    _judge_duplicates(judged)
    listed = tuple(judged.listed())
    members = {path for page in listed for path in page.lists}
    if members:
        members -= {page.path for page in listed}
    return Selection(
        listed=listed,
        left_out=judged.left_out(),
        unlisted_members=tuple(
            judged.pages[i] for i in sorted(judged.reasons) if judged.pages[i].path in members
        ),
        notices=(
            *judged.notices,
            *_about_dead_canonicals(judged, elsewhere, base_url, output_dir),
            *_about_home(judged, listed),
            *_about_sessions(listed),
            *_about_patterns(options, judged.names),
        ),
    )


def _judge_alone(
    pages: Iterable[Page], base_url: str, options: Options, robots: Robots | None
) -> _Judged:
    """Judge each page by itself; if that fails for one, leave it out, as no other is affected."""
    judged = _Judged()
    has_patterns = bool(_patterns(options))
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
    return _judge_file(
        checked, checked.output_file, page.head, notices, inspect_html=options.inspect_html
    )


def _failed(page: Page, bug: str) -> _Verdict:
    notice = Notice(
        "failed", f"the page is left out: {bug}", cure="please report it", place=page.label
    )
    path = page.path if isinstance(page.path, str) else ""
    return _Verdict(CheckedPage(path=path, label=page.label), "failed", notices=(notice,))


def _judge_file(
    page: CheckedPage,
    file: Path,
    head: HeadMeta | None,
    notices: tuple[Notice, ...],
    *,
    inspect_html: bool,
) -> _Verdict:
    """Judge a page by its built file: whether it exists, and what its HTML says.

    `head` is None where it is not read yet.
    """
    if not is_file(file):
        return _Verdict(page, "missing", notices=notices)
    if not inspect_html:
        return _Verdict(page, notices=notices)
    try:
        head = head or html_head.read_file(file)
    except PageError as error:
        problem = f"built HTML was not checked: {error.problem}"
        notice = Notice("html-unreadable", problem, error.cure, page.label)
        return _Verdict(page, notices=(*notices, notice))
    if not file.stat().st_size:  # Themes disable a page with an empty template.
        return _Verdict(page, "missing", notices=notices)
    if not head.is_whole:
        problem = "the built page is too long, or too slow to parse, to be checked whole"
        cure = "put its robots, canonical and refresh tags first in its head"
        notices = (*notices, Notice("html-unreadable", problem, cure, page.label))
    if head.noindex:
        return _Verdict(page, "noindex", notices=notices)
    refresh = head.refresh_url(page.url)
    reason: Reason | None = None
    if refresh is not None and not _same(refresh, page.url):
        reason = "redirect"
    return _Verdict(page, reason, head.canonical_url(page.url) or "", notices)


def _same(one: str, other: str) -> bool:
    return one == other or urls.identity(one) == urls.identity(other)


def _adopt_url_forms(judged: _Judged) -> None:
    """List pages at the shorter URLs that most of their canonical links use.

    These are URLs without `index.html`, or without `.html`. The two are counted apart, since a
    theme that shortens one does not always shorten the other.
    """
    pages = judged.pages
    for suffix in ("index.html", ".html"):
        named = [i for i in judged.canonicals if _ends_in(pages[i].url, suffix)]
        short = [i for i in named if _same(judged.canonicals[i], pages[i].url.removesuffix(suffix))]
        if not short or 2 * len(short) <= len(named):
            continue
        for i in short:
            pages[i] = _in_short_form(pages[i], suffix)
        problem = (
            f"the canonical link of {count_pages(len(short))} leaves out {suffix!r}, and so does"
            f" the sitemap: it lists {quoted(pages[short[0]].url)}"
        )
        judged.notices.append(Notice("url-form", problem))


def _in_short_form(page: CheckedPage, suffix: str) -> CheckedPage:
    """The builds of other languages have the same theme, so the links to them are shortened too."""
    name = f"/{page.url.rpartition('/')[2]}"
    alternates = tuple(
        replace(alternate, url=alternate.url.removesuffix(suffix))
        if alternate.url.endswith(name)
        else alternate
        for alternate in page.alternates
    )
    return page._replace(url=page.url.removesuffix(suffix), alternates=alternates)


def _ends_in(url: str, suffix: str) -> bool:
    name = url.rpartition("/")[2]
    return name == suffix or (name.endswith(suffix) and "index.html" not in {suffix, name})


def _judge_by_server(judged: _Judged, rules: ServerRules | None) -> None:
    """Leave out pages that the server redirects, or answers with noindex; one notice for a rule."""
    if not rules:
        return
    labels: dict[ServerRule, list[str]] = defaultdict(list)
    for i, page in enumerate(judged.pages):
        if i not in judged.reasons and (rule := rules.match(page.url)):
            judged.reasons[i] = rule.reason
            judged.canonicals.pop(i, None)
            labels[rule].append(page.label)
    judged.notices += [rule.notice(same) for rule, same in labels.items()]


def _is_same_page(canonical: str, url: str) -> bool:
    """Tell whether a canonical URL is the page's own, or a shorter form of it."""
    folder, _, name = url.rpartition("/")
    forms = {url, url.removesuffix(".html")}
    if name in {"", "index.html"}:
        forms |= {f"{folder}/", f"{folder}/index.html"}
    return canonical in forms or urls.identity(canonical) in map(urls.identity, forms)


def _judge_canonicals(judged: _Judged, base_url: str, setting: str) -> Collection[int]:
    """Leave out pages with another canonical URL, unless the base URL itself seems to be wrong.

    It does if most pages are canonical below one other base URL, and none below this one. Returns
    the pages that are left out.
    """
    pages, named = judged.pages, judged.canonicals
    strangers = {i: url for i, url in named.items() if not _is_same_page(url, pages[i].url)}
    twins = {
        i: url for i, url in strangers.items() if _is_same_page(url, urls.scheme_twin(pages[i].url))
    }
    if twins:
        problem = (
            f"the canonical link of {count_pages(len(twins))} has another scheme than the sitemap"
            f" at {quoted(base_url)}, such as {quoted(next(iter(twins.values())))}"
        )
        judged.notices.append(Notice("scheme-differs", problem, cure="use one scheme in both"))
    elsewhere = strangers.keys() - twins.keys()
    if elsewhere and len(elsewhere) == len(named):
        bases = {i: _canonical_base(pages[i].path, url) for i, url in named.items()}
        other, count = Counter(bases.values()).most_common(1)[0]
        remaining = len(pages) - len(judged.reasons)
        if 2 * count > remaining and not _same(other, base_url):
            problem = (
                f"the canonical link of {count_pages(count)} is below {quoted(other)} and that of"
                f" none below {quoted(base_url)}, so none is left out for it"
            )
            judged.notices.append(Notice("wrong-base-url", problem, cure=f"correct {setting}"))
            elsewhere = {i for i, base in bases.items() if base != other}
    for i in elsewhere:
        judged.reasons[i] = "canonical"
    return elsewhere


def _canonical_base(path: str, canonical: str) -> str:
    """Return the base URL that a page's canonical URL implies."""
    return urls.identity(canonical).removesuffix(urls.path_identity(path))


def _judge_duplicates(judged: _Judged) -> None:
    """Of several pages with one URL list only the last: its file replaced the others' files."""
    pages = judged.pages
    if not judged.odd and len({page.url for page in pages}) == len(pages):
        return
    last: dict[str, int] = {}
    for i, page in enumerate(pages):
        if i in judged.reasons:
            continue
        key = urls.identity(page.url) if i in judged.odd else page.url
        known = last.get(key)
        last[key] = i
        if known is not None:
            judged.reasons[known] = "duplicate"
            problem = f"same URL as {page.label}, {quoted(page.url)}"
            location = pages[known].label
            judged.notices.append(Notice("duplicate", problem, cure="change one", place=location))


def _about_dead_canonicals(
    judged: _Judged, elsewhere: Collection[int], base_url: str, output_dir: Path | None
) -> Iterator[Notice]:
    """Yield a notice for each page that is left out in favour of one that does not exist."""
    if not elsewhere or output_dir is None:
        return
    known = {any_form(page.path) for page in judged.pages if page.output_file is not None}
    for i in sorted(elsewhere):
        page, canonical = judged.pages[i], judged.canonicals[i]
        if is_dead(canonical, base_url, lambda p: any_form(p) in known or has_file(output_dir, p)):
            problem = (
                f"{quoted(page.url)} is left out because its canonical link names"
                f" {quoted(canonical)}, where no page is, so neither is listed"
            )
            yield Notice("dead-canonical", problem, cure="correct the link", place=page.label)


def _about_home(judged: _Judged, listed: Collection[CheckedPage]) -> Iterator[Notice]:
    """Yield a notice if the home page is left out and other pages are not."""
    if not listed or any(page.path in HOME for page in listed):
        return
    for i, reason in sorted(judged.reasons.items()):
        page = judged.pages[i]
        if reason != "failed" and page.path in HOME:
            problem = f"the home page is left out ({reason}: {REASONS[reason]})"
            yield Notice("home-left-out", problem, place=page.label)
            return


def _about_sessions(listed: Iterable[CheckedPage]) -> Iterator[Notice]:
    for page in listed:
        if urls.has_session_id(page.url):
            problem = f"{quoted(page.url)} contains a session identifier"
            yield Notice("session-id", problem, cure="remove it from the URL", place=page.label)


def _patterns(options: Options) -> dict[str, Patterns | Rules[str] | Rules[float]]:
    """Return the patterns over pages by the option that has them."""
    by_option: dict[str, Patterns | Rules[str] | Rules[float]] = {
        "exclude": options.exclude,
        "changefreq": options.changefreq,
        "priority": options.priority,
    }
    if isinstance(options.split, Rules):
        by_option["split"] = options.split
    return {name: patterns for name, patterns in by_option.items() if patterns.items}


def _about_patterns(options: Options, names: Collection[tuple[str, str]]) -> Iterator[Notice]:
    """Yield a notice for each option with patterns that match none of the pages."""
    for name, patterns in _patterns(options).items():
        if names and (unused := [repr(item) for item in patterns.unused(names)]):
            problem = f"{', '.join(unused)} matches no page's URL path or source name"
            yield Notice("unused-pattern", problem, cure="correct it", place=name)
