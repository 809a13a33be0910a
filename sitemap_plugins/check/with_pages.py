"""Checks of listed URLs against their pages, and of the site as a whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from sitemap_plugins.check.context import Context, SitePage
from sitemap_plugins.check.page_languages import hreflang, incomplete_hreflang
from sitemap_plugins.check.robots_lines import faults_of
from sitemap_plugins.check.urls import disallowed_for_some, is_llms_txt
from sitemap_plugins.core import codes, urls
from sitemap_plugins.core.codes import Severity
from sitemap_plugins.core.crawlers.hosting import answer, facts_of
from sitemap_plugins.core.crawlers.robots_txt import Robots
from sitemap_plugins.core.date_values import is_past, lastmod_in_utc, to_utc
from sitemap_plugins.core.environment import other_host_by_cname
from sitemap_plugins.core.html.document import HtmlPage, read_bytes
from sitemap_plugins.core.messages import (
    Notice,
    PageError,
    a_few,
    count_pages,
    count_things,
    quoted,
)
from sitemap_plugins.core.publishing.read import IMAGE, file_at
from sitemap_plugins.core.untrusted_files import is_file
from sitemap_plugins.core.url_forms import form_of
from sitemap_plugins.findings.records import Finding, Findings
from sitemap_plugins.folder.cures import TRAILING_SLASH
from sitemap_plugins.folder.previous import parts_in, sitemaps_in
from sitemap_plugins.sitemaps.facts import BUILD, is_one_build
from sitemap_plugins.sitemaps.parts import ListedUrl

PageCheck = Callable[["ListedPage", Context], Findings]
SiteCheck = Callable[[Context], Findings]


SLACK = timedelta(days=1)
"""More than the error of a date without a time of day, or with a wrong zone."""

_IN_DOUBT = (
    "do nothing for a draft, a hidden page or a copied file; otherwise build the"
    " sitemap again, or let `exclude` match the page"
)

_ABOUT_ERRORS = re.compile(r"404|not[-_]?found", re.IGNORECASE)
"""What is in the address of an error page, and of a page about errors."""


_SHOWN = {"missing", "blank", "noindex", "redirect", "canonical", "robots"}
"""Reasons to leave a page out that crawlers see; the generator alone knows the
others."""


class ListedPage(NamedTuple):
    """A listed URL of the site, and the page that is there."""

    listed: ListedUrl

    path: str
    """Below the base URL, as `urls.path_identity` spells it, without its query."""

    here: SitePage
    """The page; without a file for none."""

    date: datetime | None
    """Its valid date in the sitemap, in UTC."""


def missing(page: ListedPage, context: Context) -> Findings:
    """Every URL must answer with a page, or with a PDF, an image and the like."""
    is_known = page.here.file or page.listed.identity in context.facts.elsewhere
    if not is_known and not context.facts.site.files.at(page.path):
        yield Finding("missing", f"{quoted(page.listed.url)} has no file")


def missing_image(page: ListedPage, context: Context) -> Findings:
    """Google, image sitemaps: an image's URL is where crawlers fetch it."""
    for extension in page.listed.element.extensions:
        url = extension.get("loc") if extension.name == IMAGE else ""
        path = context.path_of(url) if url else None
        if path and not context.facts.site.files.at(path):
            text = f"{quoted(page.listed.url)} shows {quoted(url)}, which has no file"
            yield Finding("missing", text, "remove the image, or build it", about=url)


def soft_404(page: ListedPage, _context: Context) -> Findings:
    """Google, "Soft 404 errors"; a page at /404/ may be about such errors."""
    why = page.here.soft_404
    if why and not page.here.left_out and not _ABOUT_ERRORS.search(page.path):
        yield Finding("soft-404", f"{quoted(page.listed.url)} {why}")


def unavailable(page: ListedPage, context: Context) -> Findings:
    """Google, robots meta tag: `unavailable_after` is noindex from a date on."""
    head = page.here.head
    if head and is_past(head.unavailable_after, context.now):
        rule = quoted(f"unavailable_after: {head.unavailable_after}")
        text = f"{quoted(page.listed.url)}: its HTML says {rule}, which is past"
        yield Finding("noindex", text)


def left_out(page: ListedPage, context: Context) -> Findings:
    """A plugin would leave the page out; the code is the reason."""
    why = page.here.left_out
    if why is None or why.reason not in codes.findings():
        return
    # A plugin of ours knew more of its pages than the folder shows.
    is_ours = page.listed.file.path in context.signed
    if is_ours and why.reason not in _SHOWN:
        return
    yield Finding(why.reason, f"{quoted(page.listed.url)}: {why.words}")


def canonical(page: ListedPage, context: Context) -> Findings:
    """The canonical link names another form of the page's URL than the sitemap lists.

    Links to other pages are reported by `left_out`. If servers may not answer the form
    in the canonical link, another form may be listed; then the link is reported only if
    the host redirects it.
    """
    if page.here.left_out or not page.here.canonicals:
        return
    named = page.here.canonicals[0]
    path = context.path_of(named)
    if path is None or path == page.path:
        return
    text = f"the canonical link of {quoted(page.listed.url)} is {quoted(named)}"
    if page.path != urls.path_identity(page.here.path):
        yield Finding("canonical", text)
        return
    says, matters = _answer_of_host(path, page, context)
    if says:
        text += f", which {says}"
        cure = "let the page name the listed URL"
        yield Finding("host-redirects", text, cure, about=named, matters=matters)


def disallowed(page: ListedPage, context: Context) -> Findings:
    """Pages disallowed for every crawler are reported by `left_out`."""
    yield from disallowed_for_some(page.listed.url, context.robots)


def date_of_source(page: ListedPage, context: Context) -> Findings:
    """A new date without a change teaches crawlers to distrust all dates.

    A date that is too old keeps crawlers away. A file that the page includes may have
    changed later, which a folder does not show. A date that a plugin of ours wrote is
    not compared: the plugin knows more.
    """
    dates = page.here.dates
    if page.date is None or dates is None or page.listed.file.path in context.signed:
        return
    # The author can have written the change earlier, as sphinx-last-updated-by-git's
    # dates say.
    earliest, latest = map(to_utc, dates)
    if earliest - SLACK <= page.date <= latest + SLACK:
        return
    written = page.listed.element.get("lastmod")[: len("2024-05-01")]
    text = f"lastmod is {written}, and the source changed"
    change = context.facts.read_changes()[page.here.file]
    if page.date > latest + SLACK:
        yield Finding("date-too-new", f"{text} earlier ({change})")
    else:
        matters = context.severity_in_doubt
        yield Finding("date-too-old", f"{text} later ({change})", matters=matters)


def date_on_page(page: ListedPage, _context: Context) -> Findings:
    """Search engines compare both dates, and trust neither if they differ."""
    if page.date is None or page.here.shown is None:
        return
    shown = to_utc(page.here.shown)
    if abs(page.date - shown) > SLACK:
        here = f"lastmod is {page.date:%Y-%m-%d}"
        text = f"{here}, and the page itself says {shown:%Y-%m-%d}"
        yield Finding("date-on-page", text)


def host_redirects(page: ListedPage, context: Context) -> Findings:
    """The server redirects a URL of this form, or does not serve it."""
    if not page.here.file:
        return
    says, matters = _answer_of_host(page.path, page, context)
    if says:
        text = f"{says} {quoted(page.listed.url)}"
        head = page.here.head
        is_docusaurus = head is not None and head.generator.startswith("Docusaurus")
        cure = TRAILING_SLASH if is_docusaurus else ""
        yield Finding("host-redirects", text, cure, matters=matters)


def _answer_of_host(
    path: str, page: ListedPage, context: Context
) -> tuple[str, Severity | None]:
    """Return what the host does with a path to a page, and how much that matters.

    The first is empty if the host serves the path. If neither `--hosting` nor the
    address names the service, the answer is only a likely one, and matters less.
    """
    service = context.facts.site.service
    problem = answer(service, form_of(path, page.here.file))
    if not problem:
        return "", None
    return f"{facts_of(service).name} {problem}", None if service else "info"


PAGE_CHECKS: tuple[PageCheck, ...] = (
    missing,
    missing_image,
    soft_404,
    unavailable,
    left_out,
    canonical,
    disallowed,
    date_of_source,
    date_on_page,
    host_redirects,
)
"""Every check of a URL against its page."""


def page_findings(listed: ListedUrl, context: Context) -> Findings:
    """Yield what is wrong with a listed URL and its page, looked up for all checks."""
    path = context.path_of(listed.identity)
    if path is None:
        return
    date = lastmod_in_utc(listed.element.get("lastmod"))
    page = ListedPage(listed, path, context.facts.page_at(path), date)
    for check in PAGE_CHECKS:
        yield from check(page, context)


MIN_DATED = 5
"""Dates: fewer can lie close together by chance."""


def not_listed(context: Context) -> Findings:
    """Pages are compared only if a listed URL is below the base URL.

    If none is, the base URL is wrong, which is reported instead. Without a base URL,
    all listed URLs are relative, or on several hosts, which is reported too.
    """
    if not (context.base_url and context.survey.below):
        return
    wanted = _pages_to_list(context)
    missed = [page for page in wanted if not context.is_listed(page.file)]
    framed = _framed(context) if missed else ()
    for page in missed:
        if page.file in framed:
            continue
        finding = page.finding("not-listed", "is not listed")
        matters = context.severity_in_doubt
        if matters:
            finding = replace(finding, matters=matters, cure=_IN_DOUBT)
        yield finding


def _pages_to_list(context: Context) -> list[SitePage]:
    """Return the pages of the site itself that are to be listed."""
    wanted = [page for page in context.facts.pages.values() if page.is_wanted]
    return [page for page in wanted if not context.is_of_other_site(page.file)]


def _framed(context: Context) -> set[str]:
    """Return the files in frames of listed pages, where readers see them."""
    framed = set()
    for file in filter(context.is_listed, context.facts.pages):
        for address in _framed_addresses(context.facts.pages[file], context):
            framed.add(context.page_of(address).file)
    return framed


def unlisted_versions(context: Context) -> Findings:
    """An index of one version leaves out others on purpose: one finding for all."""
    wanted = [page for page in context.facts.pages.values() if page.is_wanted]
    folders = [page.file.partition("/")[0] for page in wanted]
    unlisted = [folder for folder in folders if folder in context.unlisted_versions]
    if not unlisted:
        return
    names = sorted(map(urls.percent_decode, set(unlisted)))
    number = count_pages(len(unlisted))
    text = f"the sitemap does not list {number} of versions, in {a_few(names)}"
    wish = "if readers should find the listed one"
    cure = f"do nothing {wish}; otherwise use `merge --versions`"
    yield Finding("not-listed", text, cure, matters="info")


def dead_canonical(context: Context) -> Findings:
    """Crawlers index neither the page nor the one that it names.

    Plugins apply the same rule. Google, "Consolidate duplicate URLs": the canonical URL
    is one that is indexed itself.
    """
    for page in _with_canonicals(context):
        if page.reason != "canonical":
            continue
        named = page.canonicals[0]
        if context.facts.site.is_dead(named):
            why = "where there is no page"
        else:
            why = context.why_not_indexed(named)
        if why:
            problem = f"names {quoted(named)} as its canonical URL, {why}"
            yield page.finding("dead-canonical", problem)


def hidden_noindex(context: Context) -> Findings:
    """Google, "Block Search indexing": a crawler must fetch the page to see noindex.

    A blocked page is indexed by its address if other sites link to it.
    """
    for page in context.facts.pages.values():
        if page.reason == "robots" and page.head and page.head.noindex:
            why = "because robots.txt disallows the page"
            problem = f"says noindex, which no crawler sees, {why}"
            yield page.finding("hidden-noindex", problem)


def several_canonicals(context: Context) -> Findings:
    """Crawlers choose one of several canonical URLs by other signs, or ignore all."""
    for page in _with_canonicals(context):
        named = page.canonicals
        if len(named) > 1 and page.reason != "redirect":
            text = f"names {a_few([*map(quoted, named)])} as canonical"
            yield page.finding("several-canonicals", text)


def _with_canonicals(context: Context) -> Iterator[SitePage]:
    """Yield the pages of the site itself that name canonical URLs."""
    if context.base_url:
        for page in context.facts.pages.values():
            if page.canonicals and not context.is_of_other_site(page.file):
                yield page


def orphaned_part(context: Context) -> Findings:
    """A file is named like a sitemap or its part, but nothing leads crawlers to it.

    It can be a file of ours or of another generator.
    """
    if context.facts.site_dir is None:
        return
    known = {facts.file.path.name for facts in context.survey.files}
    known.update(map(_last_segment, context.announced()))
    # A file and its compressed copy are one sitemap.
    known_stems = {name.removesuffix(".gz") for name in known}
    orphans = []
    parts: set[Path] = set()
    for file in sitemaps_in(context.facts.site_dir):
        if file.name.removesuffix(".gz") not in known_stems:
            orphans.append(file)
            parts |= parts_in(file)
    for file in orphans:
        if file not in parts:  # Of a part, the index is reported.
            text = "neither an index nor robots.txt names it"
            yield Finding("orphaned-part", text, file=file.name)


def not_announced(context: Context) -> Findings:
    """Crawlers find the sitemap by robots.txt at the root of the host.

    On Read the Docs a site without robots.txt needs none: the service has one of its
    own.
    """
    robots = context.robots
    if robots is None or not robots.counts or not _is_to_announce(robots, context):
        return
    url = context.submitted_url
    near = _like_submitted(robots, context)
    if near:
        named = a_few([*map(quoted, near)])
        text = f"robots.txt names {named}, which is not the sitemap's address"
        cure = f"write 'Sitemap: {url}'"
        line = robots.line_of(near[0])
        yield Finding("not-announced", text, cure, file="robots.txt", line=line)
    elif robots.exists:
        text = "robots.txt does not name the sitemap"
        cure = f"add the line 'Sitemap: {url}'"
        yield Finding("not-announced", text, cure, file="robots.txt")
    else:
        # sitemaps.org, protocol, "Informing": robots.txt is one way of three.
        text = "there is no robots.txt to name the sitemap"
        cure = f"write one with 'Sitemap: {url}', or submit the sitemap yourself"
        yield Finding("not-announced", text, cure, file="robots.txt", matters="info")


def _is_to_announce(robots: Robots, context: Context) -> bool:
    """Tell whether robots.txt lacks a line for the sitemap, which must be found."""
    url = context.submitted_url
    # Without lines to write, robots.txt is not the author's, as on Read the Docs.
    if not url or context.has_wrong_base or robots.with_sitemap_lines([url]) is None:
        return False
    facts = context.survey.files[0]
    if facts.is_html or (facts.error is not None and facts.root is None):
        return False
    known = {urls.identity(url), urls.identity(context.submitted.url)}
    return known.isdisjoint(context.announced())


def _like_submitted(robots: Robots, context: Context) -> list[str]:
    """Return the sitemaps in robots.txt that are named like the one to announce."""
    name = _last_segment(context.submitted_url)
    return [line for line in robots.sitemaps if _last_segment(line) == name]


def robots_lines(context: Context) -> Findings:
    """RFC 9309, section 2.2: rules have a colon, a path and a group."""
    robots = context.robots
    if robots is None or not robots.counts:
        return
    near = _like_submitted(robots, context)
    for fault in faults_of(robots):
        if fault.text.partition(":")[2].strip() in near:
            continue  # `not_announced` reports it, with the right address.
        what = f"crawlers cannot use {quoted(fault.text)}: {fault.problem}"
        matters: Severity | None = "info" if fault.is_read_by_google else None
        yield Finding(
            "robots-line",
            what,
            fault.cure,
            file="robots.txt",
            line=fault.number,
            about=fault.text,
            matters=matters,
        )


def missing_sitemap(context: Context) -> Findings:
    """robots.txt names a sitemap that is not in the folder, or a page."""
    robots = context.robots
    site_dir = context.facts.site_dir
    if robots is None or site_dir is None or not robots.counts:
        return
    for url in dict.fromkeys(robots.sitemaps):
        found = _about_sitemap(url, site_dir, context)
        if found is not None:
            yield replace(found, file="robots.txt", line=robots.line_of(url), about=url)


def _about_sitemap(url: str, site_dir: Path, context: Context) -> Finding | None:
    """Return what is wrong with a sitemap of the site that robots.txt names."""
    if context.page_of(url).file:
        text = f"robots.txt names {quoted(url)} as a sitemap, which is a page"
        return Finding("not-a-sitemap", text, "name the sitemap")
    path = file_at(site_dir, context.base_url, url)
    if path is None or is_file(path) or is_llms_txt(url):
        return None
    # Another build may write it: a folder that is not here, or a whole service.
    name = path.relative_to(site_dir).as_posix()
    is_here = "/" not in name or context.has_top(name)
    matters: Severity | None = None if is_here else "info"
    text = f"robots.txt names {quoted(url)}, which is not in this folder"
    cure = "build that sitemap, or remove the line from robots.txt"
    return Finding("missing-part", text, cure, matters=matters)


def parts_above(context: Context) -> Findings:
    """sitemaps.org, "Sitemap file location": a part in a folder lists what is there.

    Google takes the URLs of an owner that its console knows. On a server, robots.txt
    decides what a sitemap may list.
    """
    above = [facts for facts in context.survey.files if facts.above]
    if not above or context.has_wrong_base or context.submitted_at:
        return
    names = a_few([quoted(facts.file.name) for facts in above])
    number = count_things(sum(facts.above for facts in above), "URL")
    text = f"{names}: {number} not below the folder of the part that lists them"
    cure = "move the part to the folder of the index"
    yield Finding("outside-scope", text, cure, file=above[0].file.name, matters="info")


def llms_txt(context: Context) -> Findings:
    """A text sitemap lists URLs alone (sitemaps.org, "Text file"): llms.txt is none."""
    if context.robots is None:
        return
    for url in context.robots.sitemaps:
        if is_llms_txt(url):
            text = f"robots.txt names {quoted(url)} as a sitemap"
            yield Finding("llms-txt", text, file="robots.txt", about=url)


def notices(context: Context) -> Findings:
    """What the plugins say of the site, by its codes, unless a check says it better."""
    # `dead_canonical`, `wrong_base_url` and `local_canonicals` report these.
    untold = {"dead-canonical"}
    if context.has_wrong_base or context.facts.has_local_canonicals:
        untold.add("wrong-base-url")
    if context.robots is not None and context.submitted_url:
        yield from from_notices(context.robots.notices([context.submitted_url]))
    told = [notice for notice in context.notices if notice.code not in untold]
    yield from from_notices(told)


def uniform_dates(context: Context) -> Findings:
    """Dates that the sources confirm can be alike: a first commit may hold everything.

    A news sitemap lists pages of the last two days. A plugin of ours never uses the
    time of a build, but the history may begin with one commit of everything.
    """
    survey = context.survey
    if survey.dated < MIN_DATED or survey.has_news:
        return
    (span, most), *_ = survey.builds.most_common(1)
    together = datetime.fromtimestamp(span[0] * BUILD, UTC)
    if is_one_build(most, survey.dated) and not _may_be_true(together, context):
        text = f"{most:,} of {survey.dated:,} dates lie within {BUILD // 60} minutes"
        matters: Severity | None = "info" if context.is_signed else None
        yield Finding("uniform-dates", text, matters=matters)


def _may_be_true(together: datetime, context: Context) -> bool:
    """Tell whether the sources changed at one time, or a plugin knows more of them."""
    dates = [page.dates for page in context.facts.pages.values() if page.dates]
    known = [to_utc(latest) for _, latest in dates]
    if context.is_signed and 0 < len(known) < MIN_DATED:
        return True
    near = sum(abs(date - together) <= SLACK for date in known)
    return is_one_build(near, len(known))


def no_dates(context: Context) -> Findings:
    """The cure is the one that a build would print for these pages.

    If a build would find dates now, the usual cure is given, for a shallow clone.
    """
    survey = context.survey
    if not context.is_signed or not survey.urls or survey.dated:
        return
    text = f"none of {count_pages(survey.urls)} has a date"
    if context.facts.why_undated:
        first = context.facts.why_undated[0]
        yield Finding("no-dates", f"{text}: {first.problem}", first.cure)
    else:
        yield Finding("no-dates", text)


def wrong_base_url(context: Context) -> Findings:
    """One finding for all URLs if the site's address is wrong, or was replaced.

    It is wrong if no listed URL is below it, or if the file CNAME names another host.
    It was replaced if the listed URLs have their files below another address.
    """
    folder = context.facts.folder
    if context.has_wrong_base:
        origin = quoted(context.survey.origin)
        text = (
            f"no listed URL is below {quoted(context.base_url)}; they are on {origin}"
        )
        cure = "set the site's address, or give the right one with --base-url"
        yield Finding("wrong-base-url", text, cure)
    top = context.facts.site_dir
    named = other_host_by_cname(context.base_url, [top]) if folder and top else ""
    if named:
        text = f"the sitemap is that of {quoted(context.base_url)}, and the file CNAME"
        cure = (
            f"set the site's address to {quoted(named)}, or write its host into CNAME"
        )
        yield Finding("wrong-base-url", f"{text} names {quoted(named)}", cure)
    if folder and folder.address.refuted_by:
        address = folder.address
        text = (
            f"the listed URLs have their files below {quoted(folder.base_url)}, and"
            f" none below {quoted(address.base_url)} ({address.setting})"
        )
        used = "the former is used as the site's address"
        cure = f"{used}; give --base-url if it is wrong"
        yield Finding("wrong-base-url", text, cure, matters="info")


def local_canonicals(context: Context) -> Findings:
    """Most pages were built for a local server; the base URL is not to blame for it."""
    facts = context.facts
    if facts.has_local_canonicals and not urls.is_local(context.base_url):
        pages = count_pages(facts.local_canonicals)
        text = f"the canonical link of {pages} is on a local server"
        yield Finding("local-address", text)


SITE_CHECKS: tuple[SiteCheck, ...] = (
    not_listed,
    unlisted_versions,
    dead_canonical,
    several_canonicals,
    hidden_noindex,
    hreflang,
    incomplete_hreflang,
    orphaned_part,
    not_announced,
    robots_lines,
    missing_sitemap,
    parts_above,
    llms_txt,
    notices,
    uniform_dates,
    no_dates,
    wrong_base_url,
    local_canonicals,
)
"""Every check of the site."""


_OF_URLS = {
    "bad-url",
    "canonical",
    "duplicate",
    "future-date",
    "host-redirects",
    "hreflang",
    "local-address",
    "missing",
}
"""Codes of notices that checks of each listed URL find too, with its line."""


def from_notices(given: Iterable[Notice]) -> Findings:
    """Yield the notices whose codes are those of checks, as findings.

    What a check of each listed URL finds by itself would be counted twice.
    """
    for notice in given:
        if notice.code not in codes.findings():
            continue
        if notice.place == "robots.txt" or notice.code == "bad-robots":
            yield Finding(notice.code, notice.problem, notice.cure, file="robots.txt")
        elif notice.code not in _OF_URLS:
            # Two about the whole site are told apart by what they say.
            about = "" if notice.place else notice.problem
            source = notice.place
            problem = notice.problem
            yield Finding(notice.code, problem, notice.cure, source=source, about=about)


def _last_segment(url: str) -> str:
    return url.partition("?")[0].rpartition("/")[2]


def _framed_addresses(there: SitePage, context: Context) -> Iterable[str]:
    """Return the addresses in a page's frames: absolute, unique, no fragments."""
    try:
        html = read_bytes((context.facts.site_dir or Path()) / unquote(there.file))
        if b"frame" not in html.lower():
            return ()  # It need not be parsed.
        page = HtmlPage(html)
    except PageError:
        return ()
    found = []
    for value in page.values("frame, iframe", "src"):
        address = page.resolve(value, there.url)
        found.append(address.partition("#")[0])
    return dict.fromkeys(found)
