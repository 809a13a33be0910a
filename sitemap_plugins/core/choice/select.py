"""Select the pages to list.

Judge each page alone, then those that depend on other pages. A page alone is judged by
the host, front matter, the options and the built HTML; the cheapest checks come first.
Then `core.page_urls` chooses the URL of each page, which the options, robots.txt and
the server's rules judge. Among others, a page is judged by canonical links and the
pages' URLs. Each `_judge…` function looks at one kind of evidence.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from sitemap_plugins.core import codes, messages, urls
from sitemap_plugins.core.choice.front_matter import Verdict, check_page
from sitemap_plugins.core.choice.lists import narrow_lists
from sitemap_plugins.core.choice.other_files import other_html
from sitemap_plugins.core.crawlers import hosting
from sitemap_plugins.core.crawlers.robots_txt import Robots
from sitemap_plugins.core.html.head import HeadMeta, read_head_of
from sitemap_plugins.core.messages import (
    Notice,
    Notices,
    PageError,
    a_few,
    count_pages,
    quoted,
)
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.page_urls import PageUrl, PageUrls, file_of
from sitemap_plugins.core.patterns import Patterns, Rules, cure_of_unused
from sitemap_plugins.core.records import CheckedPage, LeftOut, Page
from sitemap_plugins.core.untrusted_files import is_file
from sitemap_plugins.core.url_forms import HOME, Files, spelled_by

_FEW = 4
"""Pages that may well be left out as copies of others, whatever the size of their
site."""


_BY_FILE = {None, "noindex", "redirect", "missing", "blank"}
"""What the file of a page, read by itself, can say."""


@dataclass(slots=True)
class Judged:
    """All pages as far as they are judged.

    Values that only few pages have are kept by the page's index.
    """

    pages: list[CheckedPage] = field(default_factory=list)
    """In the order in which the host wrote them."""

    reasons: dict[int, codes.Reason] = field(default_factory=dict)
    """Why pages are left out; the others are to be listed."""

    whys: dict[int, str] = field(default_factory=dict)
    """What leaves out each page of `reasons`, as in `LeftOut.why`."""

    canonicals: dict[int, str] = field(default_factory=dict)
    """The absolute canonical URLs that pages to be listed have in their HTML, as
    written."""

    chosen: Mapping[int, PageUrl] = field(default_factory=dict)
    """At which path pages with a built file are listed, once `_choose_urls` has
    decided."""

    elsewhere: Collection[int] = ()
    """The pages that are left out because of their canonical links."""

    forced: set[int] = field(default_factory=set)
    """The pages that no pattern excludes."""

    names: list[tuple[str, str]] = field(default_factory=list)
    """Path and name of each page as its host gives them, if any option has patterns."""

    unwritten: list[CheckedPage] = field(default_factory=list)
    """Pages that say noindex in their front matter, and not in their HTML."""

    notices: list[Notice] = field(default_factory=list)

    def add(self, verdict: Verdict) -> None:
        """Add the next page."""
        i = len(self.pages)
        self.pages.append(verdict.page)
        self.notices += verdict.notices
        if verdict.is_unwritten:
            self.unwritten.append(verdict.page)
        if verdict.forced:
            self.forced.add(i)
        if verdict.reason is not None:
            self.leave_out(i, verdict.reason, verdict.why)
        elif verdict.canonical:
            self.canonicals[i] = verdict.canonical

    def leave_out(self, i: int, reason: codes.Reason, why: str) -> None:
        """Leave out the page with an index."""
        self.reasons[i] = reason
        self.whys[i] = why

    def listed(self) -> list[CheckedPage]:
        """Return the pages that are to be listed, in their order."""
        if not self.reasons:
            return self.pages
        return [page for i, page in enumerate(self.pages) if i not in self.reasons]

    def left_out(self) -> tuple[LeftOut, ...]:
        """Return the pages that are not to be listed, in their order."""
        found = []
        for i, reason in sorted(self.reasons.items()):
            found.append(LeftOut(self.pages[i], reason, self.whys[i]))
        return tuple(found)


def judge_alone(pages: Iterable[Page], base_url: str, options: Options) -> Judged:
    """Judge each page by itself.

    If a bug prevents that, the page is left out, and the other pages are judged.
    """
    judged = Judged()
    has_patterns = bool(page_patterns(options))
    for page in pages:
        if has_patterns and isinstance(page.path, str):
            judged.names.append((page.path, page.name))
        try:
            judged.add(_judge(page, base_url, options))
        except Exception as error:  # noqa: BLE001 metadata can hold any object
            judged.add(_failed(page, messages.describe_bug(error)))
    return judged


def _judge(page: Page, base_url: str, options: Options) -> Verdict:
    """Judge a page by its host, front matter, the options and its HTML, in turn.

    The first of these that leaves the page out decides. An invalid URL is reported only
    if the values do not leave the page out.
    """
    if page.bug:
        return _failed(page, page.bug)
    url = ""
    problem = None
    try:
        url = urls.join(base_url, page.path)
    except PageError as error:
        problem = Notice.of(error, "bad-url", place=page.label)
    alone = _judge_values(page, url, options)
    if alone.reason is not None:
        return alone
    if problem is not None:
        return alone._replace(reason="bad-url", notices=(*alone.notices, problem))
    if page.output_file is None:
        return alone
    verdict = _judge_file(alone.page, page.output_file, page.head, options)
    notices = (*alone.notices, *verdict.notices)
    return verdict._replace(notices=notices, forced=alone.forced)


def _judge_values(page: Page, url: str, options: Options) -> Verdict:
    """Judge a page by its host, its front matter and the option `exclude`.

    If the front matter says noindex, also note whether the built HTML does not.
    """
    alone = check_page(page, url)
    if alone.reason == "static" and options.static_html:
        alone = alone._replace(reason=None)
    if alone.reason == "noindex":
        is_unwritten = _may_be_indexed(alone.page, page.head, options)
        why = "its front matter says noindex"
        return alone._replace(why=why, is_unwritten=is_unwritten)
    if alone.reason is None and not alone.forced:
        pattern = options.exclude.decisive(page.path, page.name)
        if pattern:
            return alone._replace(reason="excluded", why=_of_pattern(pattern))
    return alone


def _of_pattern(pattern: str) -> str:
    return f"{quoted(pattern)} in the option exclude"


def _of_robots(robots: Robots, url: str) -> str:
    # Which line of robots.txt disallows the URL; empty if no line can be named.
    number, text = robots.decisive_line(url)
    return f"robots.txt:{number} {messages.cited(text)}" if number else ""


def _judge_file(
    page: CheckedPage, file: Path, head: HeadMeta | None, options: Options
) -> Verdict:
    """Judge a page by its built file; `head` is None if it is not read yet."""
    if not is_file(file):
        return Verdict(page, "missing")
    if not options.inspect_html:
        return Verdict(page)
    try:
        head = head or read_head_of(file)
    except PageError as error:
        problem = f"built HTML was not checked: {error.problem}"
        notice = Notice("html-unreadable", problem, error.cure, page.label)
        return Verdict(page, notices=(notice,))
    if not file.stat().st_size:  # Themes disable a page with an empty template.
        return Verdict(page, "blank")
    verdict = _judge_head(page, head)
    if head.is_whole:
        return verdict
    problem = "the built page is too long, or too slow to parse, to be checked whole"
    cure = "put its robots, canonical and refresh tags first in its head"
    notice = Notice("html-unreadable", problem, cure, page.label)
    return verdict._replace(notices=(notice,))


def _judge_head(page: CheckedPage, head: HeadMeta) -> Verdict:
    """Leave out a page that says noindex or sends readers to another URL."""
    if head.noindex:
        return Verdict(page, "noindex", why="its HTML says noindex")
    refresh = head.refresh_url(page.url)
    # A page that refreshes to its own URL only reloads itself.
    if not refresh or urls.identity(refresh) == urls.identity(page.url):
        return Verdict(page, canonical=head.canonical_url(page.url))
    why = f"its HTML redirects to {quoted(refresh)}"
    return Verdict(page, "redirect", why=why)


def _may_be_indexed(page: CheckedPage, head: HeadMeta | None, options: Options) -> bool:
    """Tell whether crawlers see nothing in a page that keeps it from the index."""
    if page.output_file is None or not options.inspect_html:
        return False
    verdict = _judge_file(page, page.output_file, head, options)
    return verdict.reason is None and not verdict.notices


def _failed(page: Page, bug: str) -> Verdict:
    """Leave out a page that could not be described or judged; `bug` says why."""
    problem = f"the page is left out: {bug}"
    notice = Notice(
        "failed",
        problem,
        cure="report it to the authors of sitemap-plugins",
        place=page.label,
    )
    path = page.path if isinstance(page.path, str) else ""
    checked = CheckedPage(path=path, label=page.label)
    return Verdict(checked, "failed", notices=(notice,))


def page_patterns(options: Options) -> dict[str, Patterns | Rules[str] | Rules[float]]:
    """Return the patterns over pages by option; options without any are absent."""
    by_option: dict[str, Patterns | Rules[str] | Rules[float]] = {
        "exclude": options.exclude,
        "changefreq": options.changefreq,
        "priority": options.priority,
    }
    if isinstance(options.split, Rules):
        by_option["split"] = options.split
    return {name: patterns for name, patterns in by_option.items() if patterns.items}


class Selection(NamedTuple):
    """The pages to list, and why the others are not."""

    listed: tuple[CheckedPage, ...]
    """In the order of the pages; URLs are unique."""

    pages_left_out: tuple[LeftOut, ...]
    """In the order of the pages."""

    notices: Notices
    """About pages and their URLs."""

    site: PageUrls
    """Which file each path leads to."""

    urls: Mapping[Path | None, str]
    """The URL of every page, also of those left out, by the built file."""

    @property
    def unlisted_members(self) -> tuple[CheckedPage, ...]:
        """Pages left out that a listed page shows, such as the posts of an archive.

        Their dates count for the listed page, because readers see them there. A page is
        not among them if a listed page has the same path.
        """
        members: set[str] = set()
        for page in self.listed:
            members.update(page.lists)
        members -= {page.path for page in self.listed}
        others = (each.page for each in self.pages_left_out)
        return tuple(page for page in others if page.path in members)

    def about_nothing(self) -> Notice:
        """Say why no page is listed; the reason of most pages is the one to look at."""
        counts = Counter(each.reason for each in self.pages_left_out)
        if not counts:
            return Notice("no-pages", "the site has no page, so no sitemap is written")
        # What the generator makes is left out of every site.
        if len(counts) > 1:
            del counts["generated"]
        reason, number = counts.most_common(1)[0]
        problem = (
            f"every page is left out, so no sitemap is written: {count_pages(number)}"
            f" because {codes.reasons()[reason]}; the verbose output names each page"
        )
        return Notice("no-pages", problem)


def select(  # noqa: PLR0913 everything that a page is judged by
    pages: Iterable[Page],
    *,
    base_url: str,
    options: Options,
    robots: Robots | None,
    server_rules: hosting.ServerRules | None = None,
    base_url_setting: str = "base_url",
    output_dir: Path | None = None,
    directory_urls: str = "",
) -> Selection:
    """Decide for every page whether to list it, the cheapest checks first.

    `pages` are in the order in which the host wrote them; `base_url` is normalized.
    `output_dir` is where files that are not among the pages are looked for; None to
    look for none. `directory_urls` is as in `Site`.
    """
    judged = judge_alone(pages, base_url, options)
    files = [file_of(page, output_dir) for page in judged.pages]
    service = "" if server_rules is None else server_rules.service
    file_first = hosting.facts_of(service).file_first
    canonicals = {files[i]: url for i, url in judged.canonicals.items()}
    site = PageUrls(
        base_url=base_url,
        files=Files.of(filter(None, files), output_dir, file_first=file_first),
        service=service,
        robots=robots,
        rules=server_rules,
        canonicals=canonicals,
    )
    judged.chosen = _choose_urls(judged, files, site, options)
    _judge_by_robots(judged, robots)
    _judge_by_server(judged, server_rules)
    judged.elsewhere = _judge_canonicals(judged, files, site, base_url_setting)
    _judge_duplicates(judged)
    listed = narrow_lists(judged.listed(), base_url, options)
    left_out = judged.left_out()
    notices = [*judged.notices, *_about_pages(judged, site, listed, directory_urls)]
    notices += _about_patterns(options, judged.names, site.files)
    return Selection(
        listed=listed,
        pages_left_out=left_out,
        site=site,
        urls={page.output_file: page.url for page in judged.pages},
        notices=tuple(notices),
    )


def _choose_urls(
    judged: Judged, files: Sequence[str], site: PageUrls, options: Options
) -> dict[int, PageUrl]:
    """Choose the URL of each page with a file, and judge a new URL by the patterns.

    `files` has the file of each page, in the same order. The result is by the index of
    the page. A page at another URL than its host's is left out if the option `exclude`
    matches the new one.
    """
    chosen = {}
    for i, (page, file) in enumerate(zip(judged.pages, files, strict=True)):
        if not (page.url and file):
            continue
        url = site.listed_at(page.path, file, judged.canonicals.get(i, ""))
        chosen[i] = url
        if url.path == page.path:
            continue
        judged.pages[i] = _respelled(page, site.base_url + url.path)
        if judged.names:
            judged.names.append((url.path, page.label))
        if i in judged.reasons or i in judged.forced:
            continue
        pattern = options.exclude.decisive(url.path, page.label)
        if pattern:
            judged.leave_out(i, "excluded", _of_pattern(pattern))
    return chosen


def _respelled(page: CheckedPage, url: str) -> CheckedPage:
    """Return a page at another URL, its links to other languages changed alike.

    Only the end of the URL changes, from the last slash that both URLs have: for
    instance, `guide.html` becomes `guide`. The builds of other languages have the same
    theme, so they list that form too.
    """
    if not page.alternates:
        return page._replace(url=url)
    same = os.path.commonprefix([page.url, url])  # noqa: RUF071 character by character
    top = page.url.rfind("/", 0, len(same))
    old = page.url[top:]
    new = url[top:]

    def changed(other: str) -> str:
        return other.removesuffix(old) + new if other.endswith(old) else other

    alternates = tuple(replace(each, url=changed(each.url)) for each in page.alternates)
    return page._replace(url=url, alternates=alternates)


def _about_pages(
    judged: Judged, site: PageUrls, listed: Collection[CheckedPage], directory_urls: str
) -> Iterator[Notice]:
    """Yield what only all pages together show, once each is judged."""
    yield from _about_forms(judged, site, directory_urls)
    yield from _about_canonicals(judged, listed)
    yield from _about_unwritten(judged.unwritten, site.rules)
    yield from _about_dead_canonicals(judged, site)
    yield from _about_home(judged, listed)


def _about_forms(judged: Judged, site: PageUrls, cure: str) -> Iterator[Notice]:
    """Yield a notice for each way in which the server redirects the pages' URLs.

    Pages that are left out, or listed at their canonical link, do not count. `cure`
    says how the host writes URLs that end in a slash; URLs of folders that only lack
    this slash have a cure of their own.
    """
    same: dict[tuple[str, str], list[int]] = defaultdict(list)
    for i, url in judged.chosen.items():
        if i in judged.reasons or url.decided_by == "canonical":
            continue
        problem = hosting.answer(site.service, url.host_form)
        if problem or url.decided_by == "server":
            same[url.decided_by, problem].append(i)
    for (decided_by, problem), pages in same.items():
        first = pages[0]
        page = judged.pages[first]
        old = page.url
        final = "and crawlers want the final ones"
        if decided_by == "server":
            old = site.base_url + page.path
            final = f"so the sitemap lists {quoted(page.url)}"
        name = hosting.facts_of(site.service).name
        urls_of_pages = f"the URLs of {count_pages(len(pages))}, such as {quoted(old)}"
        text = f"{name} {problem or 'redirects'} {urls_of_pages}, {final}"
        is_folder = judged.chosen[first].host_form == "folder"
        own_cure = "let the URLs of folders end in a slash" if is_folder else cure
        yield Notice("host-redirects", text, cure=own_cure)


def _judge_by_robots(judged: Judged, robots: Robots | None) -> None:
    """Leave out pages that no crawler may read, whatever their HTML says.

    This replaces only a reason that is from the page's own file.
    """
    if robots is None or not robots.has_rules:
        return
    for i, page in enumerate(judged.pages):
        is_read = judged.reasons.get(i) in _BY_FILE
        if page.url and is_read and not robots.allow(page.url):
            judged.leave_out(i, "robots", _of_robots(robots, page.url))
            judged.canonicals.pop(i, None)


def _judge_by_server(judged: Judged, rules: hosting.ServerRules | None) -> None:
    """Leave out pages that the server redirects, or answers with noindex.

    There is one notice for each rule.
    """
    if not rules:
        return
    labels: dict[hosting.ServerRule, list[str]] = defaultdict(list)
    for i, page in enumerate(judged.pages):
        if i in judged.reasons:
            continue
        rule = rules.match(page.url)
        if rule is not None:
            judged.leave_out(i, rule.reason, f"{rule.file}:{rule.line}")
            judged.canonicals.pop(i, None)
            labels[rule].append(page.label)
    judged.notices += [rule.notice(same) for rule, same in labels.items()]


def _judge_canonicals(
    judged: Judged, files: Sequence[str], site: PageUrls, setting: str
) -> Collection[int]:
    """Leave out pages with another canonical URL, unless the base URL seems wrong.

    `files` has the file of each page, and `setting` the name of the base URL's setting.
    Returns the pages that are left out.
    """
    named = judged.canonicals
    strangers = {i: files[i] for i in named if judged.chosen[i].is_elsewhere}
    twins = _other_scheme(judged, strangers, site)
    if twins:
        example = named[twins[0]]
        problem = (
            f"the canonical link of {count_pages(len(twins))}, such as {quoted(example)},"
            f" and {setting} = {quoted(site.base_url)} differ in http and https"
        )
        notice = Notice("wrong-base-url", problem, cure="use the same in both")
        judged.notices.append(notice)
    elsewhere = strangers.keys() - set(twins)
    # No canonical link is below the base URL.
    if elsewhere and len(elsewhere) == len(named):
        elsewhere -= _below_other_base(judged, strangers, site.base_url, setting)
    for i in elsewhere:
        judged.leave_out(i, "canonical", f"its canonical link is {quoted(named[i])}")
    return elsewhere


def _other_scheme(
    judged: Judged, strangers: Mapping[int, str], site: PageUrls
) -> list[int]:
    """Return the pages whose canonical link differs from their URL only in the scheme.

    `strangers` maps the number of each page whose canonical link leads elsewhere to the
    page's file.
    """
    found = []
    for i, file in strangers.items():
        twin = urls.scheme_twin(judged.canonicals[i])
        if not site.listed_at(judged.pages[i].path, file, twin).is_elsewhere:
            found.append(i)
    return found


def _below_other_base(
    judged: Judged, strangers: Mapping[int, str], base_url: str, setting: str
) -> set[int]:
    """If most pages have canonical links below one other base URL, return these pages.

    The base URL of the settings is then most likely wrong, and a notice says so.
    `strangers` maps the number of each page with a canonical link to its file; no
    canonical link is below `base_url`.
    """
    bases = {}
    for i, file in strangers.items():
        bases[i] = _base_of(judged.canonicals[i], file)
    other, count = Counter(bases.values()).most_common(1)[0]
    remaining = len(judged.pages) - len(judged.reasons)
    # All old versions of a page can name one page of this site as canonical. The URL of
    # that page is not the base URL of another site.
    known = {urls.identity(page.url) for page in judged.pages}
    known.add(urls.identity(base_url))
    if 2 * count <= remaining or other in known:
        return set()
    problem = (
        f"the canonical link of {count_pages(count)} is below {quoted(other)} and that"
        f" of none below {quoted(base_url)}, so no page is left out for that"
    )
    judged.notices.append(Notice("wrong-base-url", problem, cure=f"correct {setting}"))
    return {i for i, base in bases.items() if base == other}


def _base_of(canonical: str, file: str) -> str:
    """Return the part of a canonical link before the path of the page's file.

    If the link does not name the file, return the whole link.
    """
    spelling = spelled_by(canonical, file)
    return spelling.base_url if spelling else canonical


def _judge_duplicates(judged: Judged) -> None:
    """If several pages have one URL, list the last: its file replaced the others."""
    pages = judged.pages
    last: dict[str, int] = {}
    for i, page in enumerate(pages):
        if i in judged.reasons:
            continue
        key = urls.identity(page.url)
        known = last.get(key)
        last[key] = i
        if known is not None:
            problem = f"same URL as {page.label}, {quoted(page.url)}"
            judged.leave_out(known, "duplicate", problem)
            label = pages[known].label
            notice = Notice("duplicate", problem, cure="change one", place=label)
            judged.notices.append(notice)


def _about_canonicals(
    judged: Judged, listed: Iterable[CheckedPage]
) -> Iterator[Notice]:
    """Yield a notice if many pages are left out in favour of pages that are not listed.

    For instance, a page of an old version that names a listed page of the default
    version is not one of them.
    """
    if not judged.elsewhere:
        return
    known = {urls.identity(page.url) for page in listed}
    elsewhere = sorted(judged.elsewhere)
    lost = [i for i in elsewhere if urls.identity(judged.canonicals[i]) not in known]
    if len(lost) > max(_FEW, len(judged.pages) / 10):
        named = judged.canonicals[lost[0]]
        page = judged.pages[lost[0]]
        problem = (
            f"{len(lost):,} of {count_pages(len(judged.pages))} are left out because"
            f" their canonical links name URLs that are not listed, such as"
            f" {quoted(named)}"
        )
        cure = "correct the links if search engines should find the pages"
        yield Notice("canonical", problem, cure=cure, place=page.label)


def _about_unwritten(
    pages: Iterable[CheckedPage], rules: hosting.ServerRules | None
) -> Iterator[Notice]:
    """Yield a notice if nothing tells search engines that pages are left out."""
    if rules:
        pages = [page for page in pages if rules.match(page.url) is None]
    shown = [page.label for page in pages]
    if shown:
        problem = (
            f"the front matter of {count_pages(len(shown))} says noindex and the built"
            f" HTML does not, so search engines can index {a_few(shown)}"
        )
        cure = 'let the theme write `<meta name="robots" content="noindex">`'
        yield Notice("hidden-noindex", problem, cure)


def _about_dead_canonicals(judged: Judged, site: PageUrls) -> Iterator[Notice]:
    """Yield a notice for each page left out in favour of one that does not exist."""
    if site.files.folder is None:
        return
    for i in sorted(judged.elsewhere):
        page = judged.pages[i]
        canonical = judged.canonicals[i]
        if site.is_dead(canonical):
            problem = (
                f"{quoted(page.url)} is left out because its canonical link names"
                f" {quoted(canonical)}, where there is no page, so neither is listed"
            )
            cure = "correct the link"
            yield Notice("dead-canonical", problem, cure, place=page.label)


def _about_home(judged: Judged, listed: Collection[CheckedPage]) -> Iterator[Notice]:
    """Yield a notice if the home page is left out and other pages are not."""
    if not listed or any(page.path in HOME for page in listed):
        return
    for i, reason in sorted(judged.reasons.items()):
        page = judged.pages[i]
        if reason != "failed" and page.path in HOME:
            why = judged.whys[i] or codes.reasons()[reason]
            problem = f"the home page is left out ({reason}: {why})"
            yield Notice("home-left-out", problem, place=page.label)
            return


def _about_patterns(
    options: Options, names: Collection[tuple[str, str]], files: Files
) -> Iterator[Notice]:
    """Yield a notice for each option with patterns that match none of the pages.

    A pattern of `exclude` can also match another HTML file, which `check` expects in
    the sitemap.
    """
    for name, patterns in page_patterns(options).items():
        known = names
        if name == "exclude" and names and any(patterns.unused(names)):
            known = [*names, *((file, "") for file in other_html(files))]
        if not known:
            continue
        unused = [*patterns.unused(known)]
        if unused:
            named = a_few([*map(quoted, unused)])
            verb = "match" if unused[1:] else "matches"
            problem = f"{named} {verb} no page's URL path or source name"
            cure = cure_of_unused(unused, known)
            if name == "exclude":
                cure += ", or remove it if only another sitemap plugin needed it"
            yield Notice("unused-pattern", problem, cure, place=name)
