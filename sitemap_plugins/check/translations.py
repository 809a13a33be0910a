"""Translations that are older than their original: groups and true dates together.

A group is what the sitemap's links between languages say, or else the links in the
pages. Its original is the version that `x-default` names too, or else the one in the
language of the site's home page. Dates are those of a sitemap that we wrote, or those
of the sources.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime, timedelta
from operator import attrgetter
from typing import NamedTuple

from sitemap_plugins.check.context import Context
from sitemap_plugins.check.page_languages import language_links
from sitemap_plugins.core import urls
from sitemap_plugins.core.date_values import lastmod_in_utc, to_utc
from sitemap_plugins.core.languages import X_DEFAULT
from sitemap_plugins.core.messages import a_few, count_things, quoted
from sitemap_plugins.findings.records import Finding, Findings
from sitemap_plugins.sitemaps.parts import listed_in

_DAY = timedelta(days=1)

BEHIND = 90
"""Days, if the user does not say how many: translators need some time."""

Group = Mapping[str, str]
"""The identity of each version by its lowercase language."""


class _Translation(NamedTuple):
    """A translation and its original, both with a date."""

    url: str
    """By `urls.identity`."""

    behind: timedelta
    """How much later the original changed; negative if it did not."""


def translation_behind(context: Context, days: int) -> Findings:
    """Yield one finding for each language with translations that are behind.

    `days` is by how many they may be.
    """
    groups, listed = _listed_groups(context)
    if not groups:
        groups = _linked_groups(context)
    translations = _translations(groups, listed, context)
    for language in sorted(translations):
        every = translations[language]
        late = [each for each in every if each.behind / _DAY > days]
        if not late:
            continue
        late.sort(key=attrgetter("behind"), reverse=True)
        pages = [f"{quoted(each.url)} {each.behind.days:,}" for each in late]
        number = f"{len(late):,} of {count_things(len(every), 'page')}"
        text = f"{quoted(language)}: the original of {number} changed more than"
        text += f" {count_things(days, 'day')} later ({a_few(pages)})"
        yield Finding("translation-behind", text, about=language)


def _translations(
    groups: Mapping[str, Group], listed: Mapping[str, datetime], context: Context
) -> dict[str, list[_Translation]]:
    """Return the translations of each language, if they and their originals have dates.

    `listed` has the dates that our sitemap says.
    """
    usual = _language_of_home(groups, context)
    found = defaultdict(list)
    for url, group in groups.items():
        changed = _date(url, listed, context)
        if changed is None or url != _original(group, usual):
            continue
        for language, other in group.items():
            date = _date(other, listed, context)
            if date and other != url:
                found[language].append(_Translation(other, changed - date))
    return found


def _original(group: Group, usual: str) -> str:
    """Return the version from which the others are translated; empty if not known.

    What only `x-default` names can be a page on which readers choose their language.
    """
    others = {url for language, url in group.items() if language != X_DEFAULT}
    default = group.get(X_DEFAULT, "")
    return default if default in others else group.get(usual, "")


def _listed_groups(context: Context) -> tuple[dict[str, Group], dict[str, datetime]]:
    """Return the groups in the sitemap by page, and the dates that we wrote into it."""
    groups: dict[str, Group] = {}
    dates: dict[str, datetime] = {}
    if context.survey.hashed_urls.are_plain:
        return groups, dates
    for listed in listed_in(facts.file for facts in context.survey.files):
        date = lastmod_in_utc(listed.element.get("lastmod"))
        if date and listed.file.path in context.signed:
            dates[listed.identity] = date
        if listed.targets:
            languages = [link.language.lower() for link in listed.element.links]
            groups[listed.identity] = dict(zip(languages, listed.targets, strict=True))
    return groups, dates


def _linked_groups(context: Context) -> dict[str, Group]:
    """Return the groups that pages name, without versions that do not link back.

    Themes link from every page to the home page of each language.
    """
    links = language_links(context)
    groups: dict[str, Group] = {}
    for file, versions in links.items():
        group = {}
        for language, version in versions.items():
            theirs = links.get(version.file, {}).values()
            if file in {other.file for other in theirs}:
                group[language.lower()] = urls.identity(version.url)
        groups[urls.identity(context.facts.pages[file].url)] = group
    return groups


def _language_of_home(groups: Mapping[str, Group], context: Context) -> str:
    """Return the language of the site's home page; empty if its group is not known."""
    for language, url in groups.get(context.base, {}).items():
        if url == context.base and language != X_DEFAULT:
            return language
    return ""


def _date(
    url: str, listed: Mapping[str, datetime], context: Context
) -> datetime | None:
    """Return when a page changed, in UTC; None if that is not known for certain."""
    if url in listed:
        return listed[url]
    dates = context.page_of(url).dates
    return to_utc(dates[1]) if dates else None
