"""Checks of the site as a whole: one function for each code; its links with `--links`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import unquote

from sitemap_plugins.checks.findings import Finding
from sitemap_plugins.checks.pages import PAGE_CHECKS
from sitemap_plugins.checks.urls import AMONG_OTHERS, URL_CHECKS
from sitemap_plugins.core import urls
from sitemap_plugins.core.codes import FINDINGS
from sitemap_plugins.core.date_values import densest
from sitemap_plugins.core.errors import PageError
from sitemap_plugins.core.html.head import HeadMeta
from sitemap_plugins.core.html.page import HtmlPage
from sitemap_plugins.core.languages import X_DEFAULT
from sitemap_plugins.core.messages import a_few, count_pages, quoted
from sitemap_plugins.core.pages.among_others import is_dead
from sitemap_plugins.core.untrusted_files import is_folder, is_inside
from sitemap_plugins.core.url_forms import HOME
from sitemap_plugins.folder.page_marks import reads_sitemap
from sitemap_plugins.folder.previous import parts_in, sitemaps_in
from sitemap_plugins.sitemaps.facts import BUILD, is_one_build

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from sitemap_plugins.checks.context import Context
    from sitemap_plugins.core.codes import Code
    from sitemap_plugins.core.notices import Notice
    from sitemap_plugins.folder.options import Track

    SiteCheck = Callable[[Context], Iterator[Finding]]

__all__ = ["SITE_CHECKS", "followed_links", "from_notices"]

MIN_DATED = 5
"""Dates: fewer can lie close together by chance."""

_FROM_NOTICES = FINDINGS.keys() - {
    check.__name__.replace("_", "-") for check in (*URL_CHECKS, *AMONG_OTHERS, *PAGE_CHECKS)
}
"""Codes that no check of each listed URL finds: such a check has the name of its code."""


def not_listed(context: Context) -> Iterator[Finding]:
    """If no listed URL is below the base URL, the base URL is wrong, and reported instead."""
    facts = context.facts
    if not context.survey.below:
        return
    for file in facts.paths:
        if file in facts.reasons or file in facts.unlisted or context.is_of_other_site(file):
            continue
        if not context.is_listed(file):
            finding = _of_page("not-listed", file, "is not listed", context)
            yield replace(finding, matters=context.doubt)


def unlisted_versions(context: Context) -> Iterator[Finding]:
    """An index of one version leaves out the others on purpose, so they are named once."""
    versions = context.unlisted_versions
    if names := sorted(map(urls.percent_decode, versions)):
        number = sum(file.partition("/")[0] in versions for file in context.facts.paths)
        text = f"the sitemap does not list {count_pages(number)} of versions, in {a_few(names)}"
        cure = "leave it so if readers should find the listed one; or use `merge --versions`"
        yield Finding("not-listed", text, cure, file=context.submitted.name, matters="info")


def dead_canonical(context: Context) -> Iterator[Finding]:
    """Crawlers index neither the page nor the one that it names; plugins apply the same rule.

    Google, "Consolidate duplicate URLs": the canonical URL is one that is indexed itself.
    """
    facts = context.facts
    for file, (canonical, *_) in _canonicals(context):
        if facts.reasons.get(file) != "canonical":
            continue
        why = context.why_not_indexed(urls.identity(canonical))
        if is_dead(canonical, context.base_url, facts.answers):
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

    Google, "Localized versions": `x-default` may be a home page that redirects by language.
    """
    facts = context.facts
    for file, head in facts.heads.items():
        if not head.alternates or file in facts.reasons or context.is_of_other_site(file):
            continue
        page_url = context.base_url + facts.paths[file]
        for language, address in head.alternates:
            url = urls.resolve(address, page_url, head.base or "")
            why = context.why_not_indexed(urls.identity(url)) if url else ""
            if why and language.lower() != X_DEFAULT:
                problem = f"links to its version in {quoted(language)}, {quoted(url)}, {why}"
                cure = "link to a page that may be indexed, or remove the link"
                yield replace(_of_page("hreflang", file, problem, context), cure=cure, about=url)


def several_canonicals(context: Context) -> Iterator[Finding]:
    """Crawlers choose one by other signs, or ignore them all."""
    for file, canonicals in _canonicals(context):
        if len(canonicals) > 1:
            named = a_few([*map(quoted, canonicals)])
            yield _of_page("several-canonicals", file, f"names {named} as canonical", context)


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
    known = {facts.file.path.name for facts in context.survey.files} | context.announced()
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

    On Read the Docs a site without robots.txt needs none: the service has one of its own.
    """
    robots, url = context.robots, context.submitted_url
    if robots is None or not url or not robots.counts or robots.with_sitemap_lines([url]) is None:
        return
    facts = context.survey.files[0]
    if facts.is_html or (facts.error is not None and facts.root is None):
        return  # Nothing there is worth announcing.
    if url.rpartition("/")[2] not in context.announced():
        text = f"robots.txt has no line 'Sitemap: {url}'"
        yield Finding("not-announced", text, file="robots.txt")


def robots(context: Context) -> Iterator[Finding]:
    """The plugins' notices about robots.txt, by their codes."""
    if context.robots is not None and context.submitted_url:
        yield from from_notices(context.robots.notices([context.submitted_url]))


def browser_features(context: Context) -> Iterator[Finding]:
    """Material's script reads sitemap.xml, and no index (Material 9.8).

    Its version selector looks for the home page as a folder's URL, without `index.html`.
    """
    facts, file = context.facts, context.submitted
    if not any(map(reads_sitemap, facts.generators)):
        return
    problem, cure, features = "", "", "instant navigation and the selectors"
    if file.name.rpartition("/")[2] != "sitemap.xml":
        problem = f"it reads sitemap.xml, not {file.name}"
    elif context.is_of_several_sites:
        problem = ""  # The pages of each site read the sitemap of that site.
    elif context.is_index:
        problem = "it reads no index"
    elif context.base_url and not context.survey.cross_checks.is_listed(context.base):
        problem = f"it looks for {quoted(context.base_url)}, which is not listed"
        features = "the version selector of mike"
        cure = "list it as a folder's URL; MkDocs does so with `use_directory_urls: true`"
    if problem:
        text = f"Material cannot use the sitemap for {features}, where switched on: {problem}"
        yield Finding("browser-features", text, cure, file=file.name)


def uniform_dates(context: Context) -> Iterator[Finding]:
    """Dates that the sources confirm can be alike: a first commit may hold everything.

    A news sitemap lists pages of the last two days. A plugin of ours never uses the time of a
    build, but the history may begin with one commit of everything.
    """
    survey = context.survey
    if survey.dated < MIN_DATED or survey.has_news:
        return
    known = context.facts.dates.values()
    if known and (len(known) < MIN_DATED or is_one_build(densest(known, BUILD), len(known))):
        return
    most = max(survey.builds.values())
    if is_one_build(most, survey.dated):
        text = f"{most:,} of {survey.dated:,} dates lie within {BUILD // 60} minutes"
        finding = Finding("uniform-dates", text, file=context.submitted.name)
        yield replace(finding, matters="info" if context.is_signed else None)


def wrong_base_url(context: Context) -> Iterator[Finding]:
    """This one finding replaces those about each URL."""
    if context.has_wrong_base:
        other = context.survey.origin
        text = f"no listed URL is below {quoted(context.base_url)}; they are on {quoted(other)}"
        cure = "set the site's address, or give the right one with --base-url"
        yield Finding("wrong-base-url", text, cure=cure, file=context.submitted.name)


def local_canonicals(context: Context) -> Iterator[Finding]:
    """Most pages were built for a local server; the base URL is not to blame for it."""
    facts = context.facts
    if facts.has_local_canonicals and not urls.is_local(context.base_url):
        pages = count_pages(facts.local_canonicals)
        text = f"the canonical link of {pages} is on a local server"
        yield Finding("local-address", text, file=context.submitted.name)


def local_sitemap_lines(context: Context) -> Iterator[Finding]:
    """Such lines are written into robots.txt by mystmd."""
    robots, url = context.robots, context.submitted_url
    if robots is None or not url or urls.is_local(url):
        return
    for line in filter(urls.is_local, robots.sitemaps):
        text = f"'Sitemap: {line}' is on a local server"
        yield Finding("local-address", text, cure="remove the line", file="robots.txt")


SITE_CHECKS: tuple[SiteCheck, ...] = (
    *(not_listed, unlisted_versions, dead_canonical, several_canonicals, hidden_noindex, hreflang),
    *(orphaned_part, not_announced, robots),
    *(browser_features, uniform_dates, wrong_base_url, local_canonicals, local_sitemap_lines),
)
"""Every check of the site."""


def followed_links(context: Context, track: Track) -> Iterator[Finding]:
    """Yield each broken link of a page to be listed, then such pages that no other links to.

    Links of pages that are not listed count too: crawlers follow them, and some themes keep their
    navigation in a page of its own.
    """
    facts, top = context.facts, context.facts.site_dir
    if top is None or not context.base_url:
        return
    unlisted = facts.reasons.keys() | facts.unlisted
    linked = set()
    for file in track(list(facts.paths), "Following links"):
        page_url = context.base_url + facts.paths[file]
        refresh = facts.heads.get(file, HeadMeta()).refresh_url(page_url)
        for address in (*_addresses(top / unquote(file), page_url), *filter(None, [refresh])):
            path = context.path_of(urls.identity(address))
            target = facts.by_path.get(path, "") if path is not None else ""
            if target and target != file:
                linked.add(target)
            is_broken = path and not facts.answers(path) and not _is_folder(top, path)
            if is_broken and file not in unlisted:
                yield Finding(
                    "broken-link",
                    f"a link leads to {quoted(address)}, which does not exist",
                    url=page_url,
                    file=file,
                    about=address,
                )
    pages = [f for f in facts.paths if f not in unlisted and not context.is_of_other_site(f)]
    alone = [f for f in pages if f not in linked and facts.paths[f] not in HOME]
    # If most have none, links are made by scripts or name another address of the site.
    for file in alone if 2 * len(alone) <= len(pages) else ():
        yield _of_page("orphaned-page", file, "has no link from another page", context)


def from_notices(notices: Iterable[Notice]) -> Iterator[Finding]:
    """Yield the notices whose codes are those of checks, as findings.

    What a check of each listed URL finds by itself would be counted twice.
    """
    for notice in notices:
        if notice.code in _FROM_NOTICES:
            in_robots = notice.place == "robots.txt" or notice.code == "bad-robots"
            yield Finding(
                notice.code,
                notice.problem,
                notice.cure,
                file="robots.txt" if in_robots else "",
                source="" if in_robots else notice.place,
            )


def _addresses(file: Path, page_url: str) -> Iterator[str]:
    """Yield each address that a page links to, absolute, once, without its fragment."""
    try:
        page = HtmlPage.read_file(file)
    except PageError:
        return
    links, frames = page.values("a, area", "href"), page.values("frame, iframe", "src")
    addresses = (page.resolve(address, page_url) for address in (*links, *frames))
    yield from dict.fromkeys(address.partition("#")[0] for address in addresses)


def _is_folder(site_dir: Path, path: str) -> bool:
    """Tell whether a path names a folder, for which a server may have a page of its own."""
    name = unquote(path, errors="surrogateescape")
    return is_inside(name) and is_folder(site_dir / name)


def _of_page(code: Code, file: str, problem: str, context: Context) -> Finding:
    """Return what is wrong with the page in a file; the text begins with its URL."""
    url = context.base_url + context.facts.paths[file]
    return Finding(code, f"{quoted(url)} {problem}", url=url, file=context.submitted.name)
