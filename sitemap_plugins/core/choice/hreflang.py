"""Link the versions of a page in several languages (hreflang).

Rules, from
https://developers.google.com/search/docs/specialty/international/localized-versions:
every version lists itself and all others, by absolute URL; a link that is not returned
is ignored; `x-default` is the version for readers of no other language; languages are
BCP 47 tags.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sitemap_plugins.core import urls
from sitemap_plugins.core.languages import X_DEFAULT, to_bcp47
from sitemap_plugins.core.messages import Notice, Notices, PageError, a_few, quoted
from sitemap_plugins.core.records import Alternate, CheckedPage, Link


def link_groups(
    pages: Sequence[CheckedPage], *, base_url: str, default_language: str = ""
) -> tuple[Mapping[str, tuple[Link, ...]], Notices]:
    """Return each listed page's links by its path, and a notice for each broken group.

    `pages` are those that the sitemap lists, `base_url` is as `normalize_base_url`
    returned it, and `default_language` is the language whose version is `x-default`, as
    the host knows it.

    A group is all pages that links connect, either way round; every member has the same
    tuple, by language, `x-default` last. Links to pages that are not listed are
    dropped; URLs outside the build are used as given. Pages without links are not in
    the mapping.

    A group is broken if one language has two versions (the first is used), if no link
    says which language a page is in (it gets no links), or if a link has an invalid
    language or URL.
    """
    if not any(page.alternates for page in pages):
        return {}, ()
    default = to_bcp47(default_language) if default_language else ""
    notices = []
    site = _Site.read(pages, base_url=base_url)
    links: dict[str, tuple[Link, ...]] = {}
    for group in site.groups():
        versions = group.links(default)
        named = {link.url for link in versions}
        for url, page in group.members.items():
            # A page whose language is not known gets no links, nor does a page alone.
            if url in named and len(named) > 1:
                links[page.path] = versions
        complaint = group.complaint()
        if complaint:
            first = next(iter(group.members.values()))
            notices.append(Notice("hreflang", complaint, place=first.label))
    return links, tuple(notices)


def about_missing_default(
    links: Mapping[str, tuple[Link, ...]], default_language: str
) -> Iterator[Notice]:
    """Yield a notice if the user's default language is that of no linked page.

    `links` are as `link_groups` returns them.
    """
    if not (links and default_language):
        return
    for versions in links.values():
        if any(link.language == X_DEFAULT for link in versions):
            return
    problem = f"no page is in default_language = {quoted(default_language)}"
    yield Notice("hreflang", f"{problem}, so no page is x-default", "name another")


@dataclass(slots=True)
class _Group:
    """Pages that links connect, with what the links say so far."""

    members: dict[str, CheckedPage] = field(default_factory=dict)
    """Indexed by URL, in the order of the site."""

    versions: dict[str, str] = field(default_factory=dict)
    """The first URL of each language."""

    problems: dict[str, None] = field(default_factory=dict)
    """Sentences, each once, in the order in which they were found."""

    dropped: set[str] = field(default_factory=set)
    """URLs that came too late for their language."""

    def add(self, language: str, url: str) -> None:
        """Note which URL is the version in a language; the first one counts."""
        first = self.versions.setdefault(language, url)
        if first != url:
            self.dropped.add(url)
            problem = f"{language} is both {first} and {url}: give one of them"
            self.problems.setdefault(problem)

    def links(self, default: str) -> tuple[Link, ...]:
        """Return the links of every member, by language, `x-default` last.

        The version in the language `default` is `x-default`; without such a version,
        it is the URL that the pages themselves name as `x-default`, if any.
        """
        versions = self.versions.copy()
        fallback = versions.pop(X_DEFAULT, "")
        fallback = versions.get(default, fallback)
        ordered = [Link(language, versions[language]) for language in sorted(versions)]
        return (*ordered, Link(X_DEFAULT, fallback)) if fallback else tuple(ordered)

    def complaint(self) -> str:
        """Return what is wrong with the group, in one line; empty for nothing."""
        named = {*self.versions.values(), *self.dropped}
        unnamed = [page.label for url, page in self.members.items() if url not in named]
        problems = list(self.problems)
        if len(problems) > 3:
            problems[3:] = [f"{len(problems) - 3:,} more of this kind"]
        if unnamed and self.versions:
            text = f"no link says which language {a_few(unnamed)} is in: add one to it"
            problems.append(text)
        if not problems:
            return ""
        names = a_few([page.label for page in self.members.values()])
        return f"the versions of one page, {names}: {'; '.join(problems)}"


@dataclass(slots=True)
class _Site:
    """All links between the pages, as they are read."""

    pages: dict[str, CheckedPage]
    """The listed pages by URL."""

    base_url: str

    by_path: dict[str, str]
    """The URLs of these pages."""

    by_identity: dict[str, str]
    """The URLs of these pages, by what all spellings of a URL have in common."""

    parents: dict[str, str] = field(default_factory=dict)
    """A forest over the URLs of pages that links touch: each tree is a group."""

    links: list[tuple[str, str, str]] = field(default_factory=list)
    """The page's URL, a language and the URL of that version; in the order of the
    pages."""

    problems: list[tuple[str, str]] = field(default_factory=list)
    """The URL of the page, and a sentence."""

    @classmethod
    def read(cls, pages: Sequence[CheckedPage], *, base_url: str) -> _Site:
        """Read the links of all pages."""
        by_url = {page.url: page for page in pages}
        by_path = {page.path: page.url for page in pages}
        same = {urls.identity(url): url for url in by_url}
        site = cls(base_url=base_url, pages=by_url, by_path=by_path, by_identity=same)
        for url, page in site.pages.items():
            for alternate in page.alternates:
                site.add(url, alternate)
        return site

    def add(self, url: str, alternate: Alternate) -> None:
        """Read what the page at a URL says of one version.

        An invalid alternate is a problem of the page's group, so the page gets a group
        even if no other link touches the page.
        """
        try:
            language = to_bcp47(alternate.language)
            target = self.target_of(alternate)
        except PageError as error:
            self.problems.append((url, str(error)))
            self.connect(url, url)
            return
        is_listed = target in self.pages
        # Another page of this build that the sitemap does not list.
        if not is_listed and not alternate.url:
            return
        # Many groups may share one `x-default`, so it connects nothing.
        is_tied = is_listed and language != X_DEFAULT
        self.connect(url, target if is_tied else url)
        self.links.append((url, language, target))

    def target_of(self, alternate: Alternate) -> str:
        """Return the URL of a version: the listed one, however the page spells it.

        Raises:
            PageError: The alternate does not have a valid URL.
        """
        if alternate.url:
            url = urls.normalize_url(alternate.url)
        elif alternate.path in self.by_path:
            url = self.by_path[alternate.path]
        else:
            url = urls.join(self.base_url, alternate.path)
        return self.by_identity.get(urls.identity(url), url)

    def connect(self, one: str, other: str) -> None:
        """Put two pages into one group."""
        self.parents[self.top(one)] = self.top(other)

    def top(self, url: str) -> str:
        """Return the page that stands for a page's group.

        Each URL on the way to that page gets its parent's parent as parent, so that the
        next search takes fewer steps.
        """
        while (parent := self.parents.setdefault(url, url)) != url:
            self.parents[url] = self.parents[parent]
            url = parent
        return url

    def groups(self) -> Iterable[_Group]:
        """Return all groups, in the order of each one's first page."""
        groups: dict[str, _Group] = {}
        for url, page in self.pages.items():
            if url in self.parents:
                groups.setdefault(self.top(url), _Group()).members[url] = page
        for url, language, target in self.links:
            group = groups[self.top(url)]
            # A page of another group would not return the link.
            if target in group.members or target not in self.pages:
                group.add(language, target)
        for url, problem in self.problems:
            groups[self.top(url)].problems[problem] = None
        return groups.values()
