"""Judge pages among others: by their canonical links, the server's rules, and their URLs.

`select` is the judgement of all pages: of each alone, then of what needs several of them. Each
`_judge…` function looks at one kind of evidence.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sitemap_plugins.core import urls
from sitemap_plugins.core.codes import REASONS
from sitemap_plugins.core.crawlers.hosting import answer
from sitemap_plugins.core.messages import count_pages, quoted
from sitemap_plugins.core.notices import Notice
from sitemap_plugins.core.pages.alone import judge_alone, page_patterns
from sitemap_plugins.core.url_forms import (
    ENDINGS,
    HOME,
    INDEX,
    any_form,
    ends_in,
    has_file,
    is_same_page,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    from sitemap_plugins.core.codes import Reason
    from sitemap_plugins.core.crawlers.robots_txt import Robots
    from sitemap_plugins.core.crawlers.server_rules import ServerRule, ServerRules
    from sitemap_plugins.core.options import Options
    from sitemap_plugins.core.pages.alone import Judged
    from sitemap_plugins.core.records import CheckedPage, Page

__all__ = ["Selection", "is_dead", "select"]


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

    def about_nothing(self) -> Notice:
        """Say why no page is listed; the reason of most pages is the one to look at."""
        if not self.left_out:
            return Notice("no-pages", "the site has no page, so no sitemap is written")
        # What the generator makes is left out of every site.
        others = {reason: names for reason, names in self.left_out.items() if reason != "generated"}
        reason, names = max((others or self.left_out).items(), key=lambda item: len(item[1]))
        problem = (
            f"every page is left out, so no sitemap is written: {count_pages(len(names))} because"
            f" {REASONS[reason]}; the verbose output names each page"
        )
        return Notice("no-pages", problem)


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
    judged = judge_alone(pages, base_url, options, robots)
    _adopt_short_forms(judged)
    _adopt_index_files(judged, robots, server_rules)
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


def _adopt_short_forms(judged: Judged) -> None:
    """List pages at the shorter URLs that most of their canonical links use.

    These are URLs without `index.html`, or without `.html`. The two are counted apart, since a
    theme that shortens one does not always shorten the other.
    """
    pages = judged.pages
    for ending in ENDINGS:
        named = [i for i in judged.canonicals if ends_in(pages[i].url, ending)]
        short = [
            i
            for i in named
            if urls.identity(judged.canonicals[i])
            == urls.identity(pages[i].url.removesuffix(ending))
        ]
        if not short or 2 * len(short) <= len(named):
            continue
        for i in short:
            name = f"/{pages[i].url.rpartition('/')[2]}"
            pages[i] = _respelled(pages[i], name, name.removesuffix(ending))
        problem = (
            f"the canonical link of {count_pages(len(short))} leaves out {ending!r}, and so does"
            f" the sitemap: it lists {quoted(pages[short[0]].url)}"
        )
        judged.notices.append(Notice("url-form", problem))


def _adopt_index_files(judged: Judged, robots: Robots | None, rules: ServerRules | None) -> None:
    """List folders at the `index.html` that their canonical links name, if crawlers get it there.

    Search engines index the page at the URL that it names.
    """
    pages = judged.pages
    long = [
        i
        for i, canonical in judged.canonicals.items()
        if (folder := pages[i].url).endswith("/")
        and canonical != folder  # As most are; `identity` takes longer.
        and urls.identity(canonical) == urls.identity(folder + INDEX)
        and not _is_kept_from(folder + INDEX, robots, rules)
    ]
    if not long:
        return
    for i in long:
        pages[i] = _respelled(pages[i], "/", f"/{INDEX}")
    problem = (
        f"the canonical link of {count_pages(len(long))} names {INDEX!r}, and so does the"
        f" sitemap: it lists {quoted(pages[long[0]].url)}"
    )
    judged.notices.append(Notice("url-form", problem))


def _is_kept_from(url: str, robots: Robots | None, rules: ServerRules | None) -> bool:
    """Tell whether robots.txt, a redirect or the service keeps crawlers from an `index.html`."""
    if robots is not None and robots.disallowed_crawlers(url):
        return True
    if rules is None:
        return False
    service = rules.service
    return bool(rules.match(url) or (service and answer(service, path=INDEX, file=INDEX)))


def _respelled(page: CheckedPage, old: str, new: str) -> CheckedPage:
    """Return a page whose URL has another ending, as have its links to builds in other languages.

    These have the same theme, so they list that form too.
    """

    def changed(url: str) -> str:
        return url.removesuffix(old) + new if url.endswith(old) else url

    alternates = tuple(replace(each, url=changed(each.url)) for each in page.alternates)
    return page._replace(url=changed(page.url), alternates=alternates)


def _judge_by_server(judged: Judged, rules: ServerRules | None) -> None:
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


def _judge_canonicals(judged: Judged, base_url: str, setting: str) -> Collection[int]:
    """Leave out pages with another canonical URL, unless the base URL itself seems to be wrong.

    It does if most pages are canonical below one other base URL, and none below this one. Returns
    the pages that are left out.
    """
    pages, named = judged.pages, judged.canonicals
    strangers = {i: url for i, url in named.items() if not is_same_page(url, pages[i].url)}
    twins = {
        i: url for i, url in strangers.items() if is_same_page(url, urls.scheme_twin(pages[i].url))
    }
    if twins:
        problem = (
            f"the canonical link of {count_pages(len(twins))} has another scheme than the sitemap"
            f" at {quoted(base_url)}, such as {quoted(next(iter(twins.values())))}"
        )
        judged.notices.append(Notice("scheme-differs", problem, cure="use one scheme in both"))
    elsewhere = strangers.keys() - twins.keys()
    if elsewhere and len(elsewhere) == len(named):
        bases = {  # The base URL that a canonical URL implies.
            i: urls.identity(url).removesuffix(urls.path_identity(pages[i].path))
            for i, url in named.items()
        }
        other, count = Counter(bases.values()).most_common(1)[0]
        remaining = len(pages) - len(judged.reasons)
        # All old versions of a page can name one of this site, which is no address of a site.
        known = {urls.identity(url) for url in (base_url, *(page.url for page in pages))}
        if 2 * count > remaining and other not in known:
            problem = (
                f"the canonical link of {count_pages(count)} is below {quoted(other)} and that of"
                f" none below {quoted(base_url)}, so none is left out for it"
            )
            judged.notices.append(Notice("wrong-base-url", problem, cure=f"correct {setting}"))
            elsewhere = {i for i, base in bases.items() if base != other}
    for i in elsewhere:
        judged.reasons[i] = "canonical"
    return elsewhere


def _judge_duplicates(judged: Judged) -> None:
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
    judged: Judged, elsewhere: Collection[int], base_url: str, output_dir: Path | None
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


def is_dead(canonical: str, base_url: str, answers: Callable[[str], bool]) -> bool:
    """Tell whether a canonical URL is below the site's address and no page is there.

    `answers` gets the URL's path below that address, as `urls.path_identity` spells it and
    without a query. Whether pages of other sites exist is not known.
    """
    whole, base = urls.identity(canonical).partition("?")[0], urls.identity(base_url)
    return whole.startswith(base) and not answers(whole.removeprefix(base))


def _about_home(judged: Judged, listed: Collection[CheckedPage]) -> Iterator[Notice]:
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


def _about_patterns(options: Options, names: Collection[tuple[str, str]]) -> Iterator[Notice]:
    """Yield a notice for each option with patterns that match none of the pages."""
    for name, patterns in page_patterns(options).items():
        if names and (unused := [repr(item) for item in patterns.unused(names)]):
            problem = f"{', '.join(unused)} matches no page's URL path or source name"
            others = ", or remove it if only another sitemap plugin needed it"
            cure = f"correct it{others if name == 'exclude' else ''}"
            yield Notice("unused-pattern", problem, cure, place=name)
