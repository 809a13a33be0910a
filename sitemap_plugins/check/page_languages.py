"""Checks of the links between languages in the pages of a built site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from sitemap_plugins.check.context import Context, SitePage
from sitemap_plugins.check.urls import SAME_LINKS, tag_problem
from sitemap_plugins.core import urls
from sitemap_plugins.core.languages import X_DEFAULT
from sitemap_plugins.core.messages import a_few, quoted
from sitemap_plugins.findings.records import Finding, Findings


class _Version(NamedTuple):
    """What a page links to as its version in a language."""

    url: str
    """Absolute."""

    file: str
    """Where the page at the URL is; empty for none."""

    is_whole: bool
    """Whether the page names it with scheme and host."""


_Links = Mapping[str, Mapping[str, _Version]]
"""The versions to which pages link, by file and language."""


def incomplete_hreflang(context: Context) -> Findings:
    """Google, "Localized versions": a version "must list itself", and by whole URLs.

    Themes write such links into every page, so one finding is for all. If the sitemap
    has links between languages, crawlers have these.
    """
    if not context.survey.listed.are_plain:
        return
    links = language_links(context)
    yield from _about_elsewhere(links, context)
    yield from _about_alone(links, context)
    yield from _about_relative(links, context)


def _about_elsewhere(links: _Links, context: Context) -> Findings:
    """Yield what is wrong with versions that would be here if they were built."""
    elsewhere = {}
    for versions in links.values():
        for version in versions.values():
            if _is_not_built(version, context):
                elsewhere[version.url] = quoted(version.url)
    if elsewhere:
        names = a_few([*elsewhere.values()])
        text = f"pages link to versions in folders that are not here: {names}"
        cure = "do nothing if another build publishes them; otherwise remove the links"
        yield Finding("hreflang", text, cure, matters="info")


def _about_alone(links: _Links, context: Context) -> Findings:
    """Yield what is wrong with pages that link to all versions but themselves."""
    alone = []
    for file, versions in links.items():
        if file not in _files_of(versions) and _is_linked_back(file, links):
            alone.append(quoted(context.facts.pages[file].url))
    if alone:
        text = f"the link to the page's own language is missing in {a_few(alone)}"
        cure = "let the theme also write the link of the page's own language"
        yield Finding("hreflang-self", text, cure, matters="info")


def _about_relative(links: _Links, context: Context) -> Findings:
    """Yield what is wrong with pages that do not name versions by whole URLs."""
    relative = []
    for file, versions in links.items():
        if not all(version.is_whole for version in versions.values()):
            relative.append(quoted(context.facts.pages[file].url))
    if relative:
        text = f"the links to other languages are relative in {a_few(relative)}"
        cure = "write the links with https:// and the host"
        yield Finding("hreflang", text, cure, matters="info")


def hreflang(context: Context) -> Findings:
    """The links in the pages; those in the sitemap are checked beside the other URLs.

    Google, "Localized versions": `x-default` may be a home page that redirects by
    language. Themes link from every page to the home page of each language, which links
    back to none.
    """
    links = language_links(context)
    shared = _shared_versions(links)
    for file, versions in links.items():
        page = context.facts.pages[file]
        for language, version in versions.items():
            yield from _about_tag(language, page)
            url = version.url
            cure = "link to a page that may be indexed, or remove the link"
            why = _why_no_version(language, url, context)
            theirs = links.get(version.file)
            is_choice = language.lower() == X_DEFAULT and not theirs
            if not why and theirs is not None and not is_choice:
                cure = SAME_LINKS
                is_shared = url in shared
                why = _why_no_group(
                    file, versions, theirs, context, is_shared=is_shared
                )
            if why:
                its = f"its version in {quoted(language)}"
                text = f"links in its HTML to {its}, {quoted(url)}, {why}"
                yield page.finding("hreflang", text, cure=cure, about=url)


def _about_tag(language: str, page: SitePage) -> Findings:
    problem, cure = tag_problem(language)
    if problem:
        text = f"links to a version by hreflang: {problem}"
        yield page.finding("hreflang-code", text, cure=cure, about=language)


def _shared_versions(links: _Links) -> set[str]:
    """Return the URLs, such as a language's home page, that are no page's translation.

    More pages link to such a URL than the largest group of versions with this URL has
    other members.
    """
    # By URL: the pages that link to it, and the other members of its largest group.
    linking: Counter[str] = Counter()
    most: Counter[str] = Counter()
    for file, versions in links.items():
        others = {each.url for each in versions.values() if each.file != file}
        linking.update(others)
        size = len(versions)
        if file not in _files_of(versions) and _is_linked_back(file, links):
            size += 1  # The page itself.
        for version in versions.values():
            most[version.url] = max(1, most[version.url], size - 1)
    return {url for url, count in linking.items() if count > most[url]}


def _files_of(versions: Mapping[str, _Version]) -> set[str]:
    return {version.file for version in versions.values()}


def _is_linked_back(file: str, links: _Links) -> bool:
    """Tell whether a version of a page links to the page: they are one group."""
    return any(
        file in _files_of(links.get(other, {})) for other in _files_of(links[file])
    )


def language_links(context: Context) -> _Links:
    """Return the versions that pages link to, by file and language.

    Every page to be listed is there, also without such links.
    """
    links = {}
    for file, page in context.facts.pages.items():
        head = page.head
        if head is None or page.left_out or context.is_of_other_site(file):
            continue
        versions = {}
        for language, address in head.alternates:
            url = urls.resolve(address, page.url, head.base or "")
            if url:
                is_whole = "://" in address
                versions[language] = _Version(url, context.page_of(url).file, is_whole)
        links[file] = versions
    return links


def _why_no_version(language: str, url: str, context: Context) -> str:
    """Return why crawlers find no version at a URL, as a relative clause.

    Empty if they may.
    """
    if _is_missing(url, context):
        return "where there is no page"
    if language.lower() == X_DEFAULT:
        return ""
    return context.why_not_indexed(url)


def _is_not_built(version: _Version, context: Context) -> bool:
    """Tell whether a version is below the base URL, in a folder that is not here."""
    path = context.path_of(version.url)
    if not path or version.file:
        return False
    return not context.has_top(path) and not context.facts.site.files.at(path)


def _is_missing(url: str, context: Context) -> bool:
    """Tell whether no page is at a URL, in a folder that was built.

    A folder that was not built can be that of a language that is built by itself.
    """
    path = context.path_of(url)
    if path is None:
        return False
    return context.has_top(path) and not context.facts.site.files.at(path)


def _why_no_group(
    file: str,
    versions: Mapping[str, _Version],
    theirs: Mapping[str, _Version],
    context: Context,
    *,
    is_shared: bool,
) -> str:
    """Return how a page's version links to other versions than the page.

    `file` is the page, `versions` are those that it links to, and `theirs` those that
    the version links to. The result is empty if both link to the same. A version that
    several pages share cannot link back to all of them. If the version links to a
    missing page, only that is reported: the link can be meant as the one back.
    """
    files = {language: version.file for language, version in theirs.items()}
    if file not in files.values():
        is_wrong = any(_is_missing(each.url, context) for each in theirs.values())
        return "" if is_shared or is_wrong else "which does not link back"
    for language, version in versions.items():
        if files.get(language, version.file) != version.file:
            return f"which names another version in {quoted(language)}"
    return ""
