"""Checks of listed URLs against their pages, and of the site as a whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from sitemap_plugins.checks.context import Context
from sitemap_plugins.checks.findings import Finding
from sitemap_plugins.checks.urls import SAME_LINKS, disallowed_for_some, tag_problem
from sitemap_plugins.core import codes, urls
from sitemap_plugins.core.codes import Code
from sitemap_plugins.core.crawlers.hosting import answer, facts_of
from sitemap_plugins.core.date_values import densest, lastmod_in_utc, to_utc
from sitemap_plugins.core.html.head import HeadMeta
from sitemap_plugins.core.html.page import HtmlPage, read_bytes
from sitemap_plugins.core.languages import X_DEFAULT
from sitemap_plugins.core.messages import Notice, PageError, a_few, count_pages, quoted
from sitemap_plugins.core.untrusted_files import is_folder, is_inside
from sitemap_plugins.core.url_forms import HOME, form_of
from sitemap_plugins.folder.options import Track
from sitemap_plugins.folder.page_marks import FEATURES, VERSION_SELECTOR
from sitemap_plugins.folder.previous import parts_in, sitemaps_in
from sitemap_plugins.sitemaps.facts import BUILD, is_one_build
from sitemap_plugins.sitemaps.parts import ListedUrl

PageCheck = Callable[["ListedPage", Context], Iterator[Finding]]
SiteCheck = Callable[[Context], Iterator[Finding]]


SLACK = timedelta(days=1)
"""More than the error of a date without a time of day, or with a wrong zone."""

_IN_DOUBT = "none for a draft, a hidden page or a copied file; otherwise build the sitemap again"

_LINKS, _FRAMES = ("a, area", "href", b"<"), ("frame, iframe", "src", b"frame")
"""Addresses in a page: elements, attribute, and bytes that a page with such elements has."""

_SHOWN = {"missing", "noindex", "redirect", "canonical", "robots"}
"""Reasons to leave a page out that crawlers see; the generator alone knows the others."""


class ListedPage(NamedTuple):
    """A listed URL of the site, and the page that is there."""

    listed: ListedUrl

    path: str
    """Below the base URL, as `urls.path_identity` spells it, without its query."""

    file: str
    """The page's file, percent-encoded; empty for none."""

    date: datetime | None
    """Its valid date in the sitemap, in UTC."""


def missing(page: ListedPage, context: Context) -> Iterator[Finding]:
    """Every URL must answer with a page of its own, or with a PDF, an image and the like."""
    is_known = page.file or page.listed.identity in context.facts.elsewhere
    if not is_known and not context.facts.site.files.at(page.path):
        yield Finding("missing", f"{quoted(page.listed.url)} has no file")


def left_out(page: ListedPage, context: Context) -> Iterator[Finding]:
    """A plugin would leave the page out; the code is the reason."""
    reason, listed = context.facts.reasons.get(page.file), page.listed
    head = context.facts.heads.get(page.file, HeadMeta())
    is_ours = listed.file.path in context.signed
    if reason and reason in codes.findings() and (reason in _SHOWN or not is_ours):
        why = codes.reasons()[reason]
        if reason == "noindex":
            where = "HTML" if head.noindex else "front matter, or the file `_headers`,"
            why = f"the page's {where} says noindex"
        elif reason == "redirect":
            target = head.refresh_url(listed.url)
            why = (
                f"its HTML redirects to {quoted(target)}"
                if target
                else "`_redirects` redirects"
            )
        yield Finding(reason, f"{quoted(listed.url)}: {why}")


def canonical(page: ListedPage, context: Context) -> Iterator[Finding]:
    """The page's URL is another form; other canonical URLs are seen by `left_out`.

    A form that servers may not answer need not be listed, though the canonical link
    names it.
    """
    facts, listed = context.facts, page.listed
    named = facts.canonicals.get(page.file)
    if not named or page.file in facts.reasons:
        return
    path = context.path_of(urls.identity(named[0]))
    if path is not None and page.path not in {
        path,
        urls.path_identity(facts.paths[page.file]),
    }:
        text = f"the canonical link of {quoted(listed.url)} is {quoted(named[0])}"
        yield Finding("canonical", text)


def disallowed(page: ListedPage, context: Context) -> Iterator[Finding]:
    """Pages disallowed for every crawler are reported by `left_out`."""
    yield from disallowed_for_some(page.listed.url, context.robots)


def date_of_source(page: ListedPage, context: Context) -> Iterator[Finding]:
    """A new date without a change teaches crawlers to distrust all; an old one keeps them away.

    A file that the page includes may have changed later, which a folder does not show.
    A date that a plugin of ours wrote is not compared: the plugin knows more.
    """
    dates, listed = context.facts.dates.get(page.file), page.listed
    if page.date is None or dates is None or listed.file.path in context.signed:
        return
    # The author can have written the change earlier, as sphinx-last-updated-by-git's
    # dates say.
    earliest, latest = map(to_utc, dates)
    written = listed.element.get("lastmod")[: len("2024-05-01")]
    text = f"lastmod is {written}, and the source changed"
    if page.date > latest + SLACK:
        text = f"{text} earlier ({context.facts.read_changes()[page.file]})"
        yield Finding("date-too-new", text)
    elif page.date < earliest - SLACK:
        text = f"{text} later ({context.facts.read_changes()[page.file]})"
        yield Finding("date-too-old", text, matters=context.doubt)


def date_on_page(page: ListedPage, context: Context) -> Iterator[Finding]:
    """Search engines compare the two, and trust neither if they differ."""
    shown = context.facts.shown.get(page.file)
    if shown is not None and page.date and abs(page.date - to_utc(shown)) > SLACK:
        text = f"lastmod is {page.date:%Y-%m-%d}, and the page itself says {to_utc(shown):%Y-%m-%d}"
        yield Finding("date-on-page", text)


def host_redirects(page: ListedPage, context: Context) -> Iterator[Finding]:
    """The server redirects a URL of this form, or does not serve it.

    Which service it is, `--hosting` or the address says; of any other, it is only
    likely.
    """
    service, listed = context.facts.site.service, page.listed
    if page.file and (problem := answer(service, form_of(page.path, page.file))):
        text = f"{facts_of(service).name} {problem} {quoted(listed.url)}"
        yield Finding("host-redirects", text, matters=None if service else "info")


PAGE_CHECKS: dict[PageCheck, set[Code]] = {
    missing: {"missing"},
    left_out: {*_SHOWN, "excluded", "front-matter", "generated"},
    canonical: {"canonical"},
    disallowed: {"robots"},
    date_of_source: {"date-too-new", "date-too-old"},
    date_on_page: {"date-on-page"},
    host_redirects: {"host-redirects"},
}
"""Every check of a URL against its page, with the codes that it finds."""


def page_findings(listed: ListedUrl, context: Context) -> Iterator[Finding]:
    """Yield what is wrong with a listed URL and its page, which is looked for once."""
    if (path := context.path_of(listed.identity)) is not None:
        date = lastmod_in_utc(listed.element.get("lastmod"))
        page = ListedPage(listed, path, context.facts.page_at(path), date)
        for check in PAGE_CHECKS:
            yield from check(page, context)


MIN_DATED = 5
"""Dates: fewer can lie close together by chance."""


def not_listed(context: Context) -> Iterator[Finding]:
    """If no listed URL is below the base URL, the base URL is wrong, and reported instead.

    Without one, all listed URLs are relative, or on several hosts, which is reported
    too.
    """
    facts = context.facts
    if not (context.base_url and context.survey.below):
        return
    unlisted = facts.reasons.keys() | facts.unlisted
    pages = [
        f for f in facts.paths if f not in unlisted and not context.is_of_other_site(f)
    ]
    missed = [file for file in pages if not context.is_listed(file)]
    framed = _framed(context) if missed else ()
    for file in (file for file in missed if file not in framed):
        finding = _of_page("not-listed", file, "is not listed", context)
        yield replace(
            finding, matters=context.doubt, cure=_IN_DOUBT if context.doubt else ""
        )


def _framed(context: Context) -> set[str]:
    """Return the files that stand in frames of listed pages, which is where readers see them."""
    facts = context.facts
    return {
        context.file_of(urls.identity(address))
        for file in filter(context.is_listed, facts.paths if facts.site_dir else ())
        for address in _addresses(file, context, _FRAMES)
    }


def unlisted_versions(context: Context) -> Iterator[Finding]:
    """An index of one version leaves out the others on purpose, so they are named once."""
    facts = context.facts
    pages = facts.paths.keys() - facts.reasons.keys() - facts.unlisted
    tops = [
        top
        for file in pages
        if (top := file.partition("/")[0]) in context.unlisted_versions
    ]
    if names := sorted(map(urls.percent_decode, set(tops))):
        text = f"the sitemap does not list {count_pages(len(tops))} of versions, in {a_few(names)}"
        cure = "leave it so if readers should find the listed one; or use `merge --versions`"
        yield Finding(
            "not-listed", text, cure, file=context.submitted.name, matters="info"
        )


def dead_canonical(context: Context) -> Iterator[Finding]:
    """Crawlers index neither the page nor the one that it names; plugins apply the same rule.

    Google, "Consolidate duplicate URLs": the canonical URL is one that is indexed
    itself.
    """
    facts = context.facts
    for file, (canonical, *_) in _canonicals(context):
        if facts.reasons.get(file) != "canonical":
            continue
        why = context.why_not_indexed(urls.identity(canonical))
        if facts.site.is_dead(canonical):
            why = "where no page is"
        if why:
            problem = f"names {quoted(canonical)} as its canonical URL, {why}"
            yield _of_page("dead-canonical", file, problem, context)


def hidden_noindex(context: Context) -> Iterator[Finding]:
    """Google, "Block Search indexing with noindex": the crawler must be able to fetch the page.

    A blocked page is indexed by its address if other sites link to it.
    """
    facts = context.facts
    for file, head in facts.heads.items():
        if head.noindex and facts.reasons.get(file) == "robots":
            problem = "says noindex, which no crawler sees, because robots.txt disallows the page"
            yield _of_page("hidden-noindex", file, problem, context)


def hreflang(context: Context) -> Iterator[Finding]:
    """The links in the pages; those in the sitemap are checked beside the other URLs.

    Google, "Localized versions": `x-default` may be a home page that redirects by
    language. Themes link from every page to the home page of each language, which links
    back to none.
    """
    facts, links = context.facts, _language_links(context)
    files = {
        url: context.file_of(urls.identity(url))
        for each in links.values()
        for url in each.values()
    }
    targets = Counter(
        u for file in links for u in {*links[file].values()} if files[u] != file
    )
    for file, found in links.items():
        for language, url in found.items():
            if problem := tag_problem(language):
                text = f"has hreflang={quoted(language)} ({problem})"
                yield replace(
                    _of_page("hreflang-code", file, text, context), about=language
                )
            identity = urls.identity(url)
            path, there = context.path_of(identity), files[url]
            why = (
                context.why_not_indexed(identity)
                if language.lower() != X_DEFAULT
                else ""
            )
            cure = "link to a page that may be indexed, or remove the link"
            # Each language can be built in a folder of its own.
            is_built = path is not None and _is_folder(
                facts.site_dir, path.partition("/")[0]
            )
            if is_built and path is not None and not facts.site.files.at(path):
                why = "where no page is"
            elif not why and there in links:
                theirs = {name: files[each] for name, each in links[there].items()}
                same = {
                    name: theirs.get(name, files[each]) for name, each in found.items()
                }
                others, cure = (
                    [n for n in found if same[n] != files[found[n]]],
                    SAME_LINKS,
                )
                if file not in theirs.values():
                    why = "which does not link back" * (targets[url] == 1)
                elif others:
                    why = f"which names another version in {quoted(others[0])}"
            if why:
                text = (
                    f"links to its version in {quoted(language)}, {quoted(url)}, {why}"
                )
                yield replace(
                    _of_page("hreflang", file, text, context), cure=cure, about=url
                )


def _language_links(context: Context) -> dict[str, dict[str, str]]:
    """Return the absolute URLs that pages to be listed link to, by file and language."""
    facts = context.facts
    return {
        file: {
            language: url
            for language, address in head.alternates
            if (
                url := urls.resolve(
                    address, context.base_url + facts.paths[file], head.base or ""
                )
            )
        }
        for file, head in facts.heads.items()
        if head.alternates
        and file not in facts.reasons
        and not context.is_of_other_site(file)
    }


def several_canonicals(context: Context) -> Iterator[Finding]:
    """Crawlers choose one by other signs, or ignore them all."""
    for file, canonicals in _canonicals(context):
        if len(canonicals) > 1 and context.facts.reasons.get(file) != "redirect":
            named = a_few([*map(quoted, canonicals)])
            yield _of_page(
                "several-canonicals", file, f"names {named} as canonical", context
            )


def _canonicals(context: Context) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each file of the site itself, with the page's canonical URLs."""
    if context.base_url:
        for file, canonicals in context.facts.canonicals.items():
            if not context.is_of_other_site(file):
                yield file, canonicals


def orphaned_part(context: Context) -> Iterator[Finding]:
    """A file is named like a sitemap or its part, ours or another generator's."""
    if context.facts.site_dir is None:
        return
    known = {facts.file.path.name for facts in context.survey.files}
    known |= {_last_segment(url) for url in context.announced()}
    named = {name.removesuffix(".gz") for name in known}
    found = sitemaps_in(context.facts.site_dir)
    orphans = [file for file in found if file.name.removesuffix(".gz") not in named]
    parts = {part for file in orphans for part in parts_in(file)}
    for file in orphans:
        if file not in parts:
            text = "neither an index nor robots.txt names it"
            yield Finding("orphaned-part", text, file=file.name)


def not_announced(context: Context) -> Iterator[Finding]:
    """Crawlers find the sitemap by robots.txt at the root of the host.

    On Read the Docs a site without robots.txt needs none: the service has one of its
    own.
    """
    robots, url = context.robots, context.submitted_url
    if (
        robots is None
        or not url
        or not robots.counts
        or robots.with_sitemap_lines([url]) is None
    ):
        return
    facts = context.survey.files[0]
    if facts.is_html or (facts.error is not None and facts.root is None):
        return  # Nothing there is worth announcing.
    known = {urls.identity(url), urls.identity(context.submitted.url)}
    if context.has_wrong_base or known & context.announced():
        return
    text, cure = f"robots.txt has no line 'Sitemap: {url}'", ""
    if near := [
        line for line in robots.sitemaps if _last_segment(line) == _last_segment(url)
    ]:
        text = f"robots.txt names {a_few([*map(quoted, near)])}, which is not the sitemap's address"
        cure = f"write 'Sitemap: {url}'"
    yield Finding("not-announced", text, cure, file="robots.txt")


def notices(context: Context) -> Iterator[Finding]:
    """What the plugins say of the site, by its codes, unless a check says it better."""
    untold = {"dead-canonical"}
    if context.has_wrong_base or context.facts.has_local_canonicals:
        untold.add("wrong-base-url")
    if context.robots is not None and context.submitted_url:
        yield from from_notices(context.robots.notices([context.submitted_url]))
    yield from from_notices(each for each in context.notices if each.code not in untold)


def browser_features(context: Context) -> Iterator[Finding]:
    """Material's script reads sitemap.xml, and no index (Material 9.8).

    Its version selector looks for the home page as a folder's URL, without
    `index.html`.
    """
    facts, file = context.facts, context.submitted
    problem, cure, features = "", "", facts.features
    if file.name.rpartition("/")[2] != "sitemap.xml":
        problem = f"it reads sitemap.xml, not {file.name}"
    elif context.is_of_several_sites:
        problem = ""  # The pages of each site read the sitemap of that site.
    elif (root := context.survey.files[0].root) and root.name == "sitemapindex":
        problem = "it reads no index"
    elif context.base_url and not context.survey.cross_checks.is_listed(context.base):
        problem = f"it looks for {quoted(context.base_url)}, which is not listed"
        features &= {VERSION_SELECTOR}
        cure = (
            "list it as a folder's URL; MkDocs does so with `use_directory_urls: true`"
        )
    if problem and features:
        names = ", ".join(name for name in FEATURES if name in features)
        text = f"Material cannot use the sitemap for {names}: {problem}"
        yield Finding("browser-features", text, cure, file=file.name)


def uniform_dates(context: Context) -> Iterator[Finding]:
    """Dates that the sources confirm can be alike: a first commit may hold everything.

    A news sitemap lists pages of the last two days. A plugin of ours never uses the
    time of a build, but the history may begin with one commit of everything.
    """
    survey = context.survey
    if survey.dated < MIN_DATED or survey.has_news:
        return
    known = [latest for _, latest in context.facts.dates.values()]
    if known and (
        len(known) < MIN_DATED or is_one_build(densest(known, BUILD), len(known))
    ):
        return
    most = max(survey.builds.values())
    if is_one_build(most, survey.dated):
        text = f"{most:,} of {survey.dated:,} dates lie within {BUILD // 60} minutes"
        finding = Finding("uniform-dates", text, file=context.submitted.name)
        yield replace(finding, matters="info" if context.is_signed else None)


def no_dates(context: Context) -> Iterator[Finding]:
    """Nearly always, the clone was shallow: the build said so, and nobody read its log."""
    survey = context.survey
    if context.is_signed and survey.urls and not survey.dated:
        text = f"none of {count_pages(survey.urls)} has a date"
        yield Finding("no-dates", text, file=context.submitted.name)


def wrong_base_url(context: Context) -> Iterator[Finding]:
    """This one finding replaces those about each URL; or the listed URLs refute the settings."""
    file, folder = context.submitted.name, context.facts.folder
    if context.has_wrong_base:
        other = context.survey.origin
        text = f"no listed URL is below {quoted(context.base_url)}; they are on {quoted(other)}"
        cure = "set the site's address, or give the right one with --base-url"
        yield Finding("wrong-base-url", text, cure, file=file)
    if folder and folder.said_base_url not in {"", folder.base_url}:
        text = (
            f"the listed URLs have their files below {quoted(folder.base_url)}, and none below"
            f" {quoted(folder.said_base_url)} ({folder.site.base_url_setting})"
        )
        cure = (
            "the former is used as the site's address; give --base-url if it is wrong"
        )
        yield Finding("wrong-base-url", text, cure, file=file, matters="info")


def local_canonicals(context: Context) -> Iterator[Finding]:
    """Most pages were built for a local server; the base URL is not to blame for it."""
    facts = context.facts
    if facts.has_local_canonicals and not urls.is_local(context.base_url):
        text = f"the canonical link of {count_pages(facts.local_canonicals)} is on a local server"
        yield Finding("local-address", text, file=context.submitted.name)


SITE_CHECKS: dict[SiteCheck, set[Code]] = {
    not_listed: {"not-listed"},
    unlisted_versions: {"not-listed"},
    dead_canonical: {"dead-canonical"},
    several_canonicals: {"several-canonicals"},
    hidden_noindex: {"hidden-noindex"},
    hreflang: {"hreflang-code", "hreflang"},
    orphaned_part: {"orphaned-part"},
    not_announced: {"not-announced"},
    notices: {
        "bad-robots",
        "html-unreadable",
        "robots-blocks-sitemap",
        "robots-not-at-root",
        "robots-too-long",
        "robots-unchecked",
    },
    browser_features: {"browser-features"},
    uniform_dates: {"uniform-dates"},
    no_dates: {"no-dates"},
    wrong_base_url: {"wrong-base-url"},
    local_canonicals: {"local-address"},
}
"""Every check of the site, with the codes that it finds."""


def followed_links(context: Context, track: Track) -> Iterator[Finding]:
    """Yield each broken link of a page to be listed, then such pages that no other links to.

    Links of pages that are not listed count too: crawlers follow them, and some themes
    keep their navigation in a page of its own.
    """
    facts, top, folder = context.facts, context.facts.site_dir, context.facts.folder
    if top is None or folder is None or not context.base_url:
        return
    unlisted = facts.reasons.keys() | facts.unlisted
    linked = set()
    for file in track(list(facts.paths), "Following links"):
        page_url = context.base_url + facts.paths[file]
        addresses = _addresses(file, context, _LINKS, _FRAMES)
        refresh = facts.heads.get(file, HeadMeta()).refresh_url(page_url)
        for address in (*addresses, *filter(None, [refresh])):
            path = context.path_of(urls.identity(address))
            target = facts.page_at(path) if path is not None else ""
            if target and target != file:
                linked.add(target)
            is_broken = (
                path and not facts.site.files.at(path) and not _is_folder(top, path)
            )
            first = (path or "").partition("/")[0]
            if is_broken and folder.is_one_version and not _is_folder(top, first):
                continue  # It can lead to another version.
            if is_broken and file not in unlisted:
                text = f"a link leads to {quoted(address)}, which is not in this folder"
                yield Finding(
                    "broken-link", text, url=page_url, file=file, about=address
                )
    pages = [
        f for f in facts.paths if f not in unlisted and not context.is_of_other_site(f)
    ]
    if context.doubt:  # The others can be drafts.
        pages = [file for file in pages if context.is_listed(file)]
    alone = [f for f in pages if f not in linked and facts.paths[f] not in HOME]
    # If most have none, links are made by scripts or name another address of the site.
    for file in alone if 2 * len(alone) <= len(pages) else ():
        yield _of_page("orphaned-page", file, "has no link from another page", context)


_OF_URLS = {
    *("bad-url", "canonical", "duplicate", "future-date", "host-redirects", "hreflang"),
    *("local-address", "missing"),
}
"""Codes of notices that checks of each listed URL find too, with its line."""


def from_notices(notices: Iterable[Notice]) -> Iterator[Finding]:
    """Yield the notices whose codes are those of checks, as findings.

    What a check of each listed URL finds by itself would be counted twice.
    """
    for notice in notices:
        in_robots = notice.place == "robots.txt" or notice.code == "bad-robots"
        if notice.code in codes.findings() and (
            in_robots or notice.code not in _OF_URLS
        ):
            file, source = ("robots.txt", "") if in_robots else ("", notice.place)
            yield Finding(
                notice.code, notice.problem, notice.cure, file=file, source=source
            )


def _last_segment(url: str) -> str:
    return url.partition("?")[0].rpartition("/")[2]


def _addresses(
    file: str, context: Context, *kinds: tuple[str, str, bytes]
) -> Iterator[str]:
    """Yield each address of some kinds in a page, absolute, once, without its fragment."""
    page_url = context.base_url + context.facts.paths[file]
    try:
        html = read_bytes((context.facts.site_dir or Path()) / unquote(file))
        if not any(word in html.lower() for *_, word in kinds):
            return
        page = HtmlPage(html)
    except PageError:
        return
    values = (
        value for selector, name, _ in kinds for value in page.values(selector, name)
    )
    addresses = (page.resolve(address, page_url) for address in values)
    yield from dict.fromkeys(address.partition("#")[0] for address in addresses)


def _is_folder(site_dir: Path | None, path: str) -> bool:
    """Tell whether a path names a folder, for which a server may have a page of its own."""
    name = unquote(path, errors="surrogateescape")
    return site_dir is not None and is_inside(name) and is_folder(site_dir / name)


def _of_page(code: Code, file: str, problem: str, context: Context) -> Finding:
    """Return what is wrong with the page in a file; the text begins with its URL."""
    url = context.base_url + context.facts.paths[file]
    return Finding(
        code, f"{quoted(url)} {problem}", url=url, file=context.submitted.name
    )
