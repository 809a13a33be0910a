"""The site's address, by evidence in one order, for each command that reads a folder.

An address in the settings or the pages counts only if the pages are below it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import chain
from typing import NamedTuple

from sitemap_plugins.core import urls
from sitemap_plugins.core.environment import known_address
from sitemap_plugins.core.messages import OptionsError, PageError, quoted
from sitemap_plugins.core.url_forms import (
    ERROR_PAGE,
    INDEX,
    Files,
    Spelling,
    most_common_base,
    spelled_by,
)
from sitemap_plugins.folder.generator_settings import Generator
from sitemap_plugins.folder.options import Project
from sitemap_plugins.folder.page_marks import Built
from sitemap_plugins.folder.versions import Version

_OF_SITEMAP = "the base of the URLs in the previous sitemap"
_OF_LINKS = "the base of the pages' canonical links"

_MAX_FOLDERS = 8
"""Folders that a site may be below its host's root."""


class Evidence(NamedTuple):
    """What the files of a folder show of its address."""

    listed: tuple[str, ...]
    """The URLs in the previous sitemap, as written."""

    is_ours: bool
    """Whether a build of ours wrote that sitemap."""

    files: Files
    """Which page's file a path leads to."""

    by_links: str
    """What the pages' canonical links agree on, normalized; empty for nothing."""


class Address(NamedTuple):
    """The site's address."""

    value: object
    """As the settings have it, unchecked; empty if it is unknown."""

    setting: str
    """What says so, for messages."""

    base_url: str
    """Normalized; empty if it is unknown or invalid."""

    refuted_by: str = ""
    """The address below which the listed URLs have their files, if none has one below
    `base_url`; empty if nothing contradicts, or the user gave the address."""

    is_confirmed: bool = False
    """Whether the pages' canonical links agree on `base_url`: then a sitemap that
    contradicts is older than the site's move."""


def find_address(
    project: Project, generator: Generator, evidence: Evidence, *, local: bool
) -> Address:
    """Return the site's address, by the first of these that says it.

    The option, the generator's settings or Read the Docs (`known_address`), the
    previous sitemap if another program wrote it, the pages' canonical links, the
    previous sitemap if a build of ours wrote it: the links may have changed since that
    build.

    `local` allows the address of a local server.

    Raises:
        OptionsError: The address is that of a local server, the user did not give it,
            and `local` is false.
    """
    by_option = project.options.base_url
    listed_below = base_of(evidence.listed, evidence.files)
    value, setting = _found(project, generator, evidence, listed_below)
    if not local and not by_option and urls.is_local(str(value)):
        msg = f"{setting} is {quoted(value)}, the address of a local server"
        cure = (
            "give the published site's address, such as"
            " --base-url https://www.example.com/"
        )
        raise OptionsError(msg, cure=cure)
    if by_option:
        return Address(value, setting, by_option)
    try:
        base_url = urls.normalize_base_url(str(value)) if value else ""
    except PageError:  # `generate` reports what is wrong with it.
        base_url = ""
    return Address(
        value,
        setting,
        base_url,
        refuted_by=_refuting(base_url, listed_below, evidence),
        is_confirmed=bool(base_url) and evidence.by_links == base_url,
    )


def _found(
    project: Project, generator: Generator, evidence: Evidence, listed_below: str
) -> tuple[object, str]:
    """Return the address and what says it, without regard to the option.

    `listed_below` is the base URL of the previous sitemap. The address is empty if
    nothing says it.
    """
    value = known_address(generator.base_url, project.ci)
    if value and value == project.ci.canonical_url:
        return value, "READTHEDOCS_CANONICAL_URL"
    guesses = [(listed_below, _OF_SITEMAP), (evidence.by_links, _OF_LINKS)]
    # A sitemap of ours only repeats what an earlier build found, and mystmd writes the
    # address of its own server into a sitemap. Then the links count first.
    if evidence.is_ours or urls.is_local(listed_below):
        guesses.reverse()
    known = [(value, generator.base_url_setting), *guesses]
    # Without any, the result still names the setting that is empty.
    return next((each for each in known if each[0]), known[0])


def base_of(listed: Collection[str], files: Files) -> str:
    """Return the base URL below which more than half of the URLs name files.

    The result is empty if there is no such base URL. The base is compared and returned
    as `urls.identity` spells it.
    """
    identities = [*map(_identity, listed)]
    bases = Counter(filter(None, (_base(url, files) for url in identities)))
    if not bases:
        return ""
    base_url = bases.most_common(1)[0][0]
    try:
        urls.normalize_base_url(base_url)
    except PageError:  # Such as that of a line of a text sitemap that is not a URL.
        return ""
    found = sum(_is_below(url, base_url, files) for url in identities)
    return base_url if 2 * found > len(identities) else ""


def agreed_by_links(pages: Sequence[Built], default: Version | None) -> str:
    """Return the base URL on which the pages' canonical links agree; empty for none.

    Only links of the `default` version of a manual count, as most versions of a site
    can be older than its address.

    A page that redirects or is not to be indexed names another page's address. Every
    address fits the home page's file, so the home page decides only if there is no
    other page.
    """
    voters = [page for page in pages if _has_vote(page)]
    if default is not None:
        of_default = [
            *chain.from_iterable(_in_version(page, default) for page in voters)
        ]
        if of_default:
            return most_common_base(of_default)
    votes = {page.name: spelling_of(page) for page in voters}
    spellings = {name: each for name, each in votes.items() if each is not None}
    if spellings.keys() == {INDEX} and len(votes) > 1:
        return ""
    return most_common_base(spellings.values())


def spelling_of(page: Built) -> Spelling | None:
    """Return how a page's canonical link spells its file.

    The result is None if the link names another page.
    """
    canonical = page.marks.canonical
    if not canonical:
        return None
    return spelled_by(canonical, urls.percent_encode(page.name))


def _has_vote(page: Built) -> bool:
    # `agreed_by_links` says why some pages have none.
    head = page.marks.head
    if head is None or page.name == ERROR_PAGE:
        return False
    return not (page.marks.is_stub or head.noindex)


def _in_version(page: Built, version: Version) -> list[Spelling]:
    """Return how a page's canonical link spells the page, below a version's folder.

    The folder can have several names. A page of another version has no spelling.
    """
    below = page.name.removeprefix(f"{version.name}/")
    if below == page.name:
        return []
    by_folder = version.spellings(page.marks.canonical, urls.percent_encode(below))
    return [spelling for _folder, spelling in by_folder]


def _refuting(base_url: str, listed_below: str, evidence: Evidence) -> str:
    """Return `listed_below` if no listed URL has a file below `base_url`; else empty.

    The address of a local server contradicts nothing: the generator knew no other.
    """
    if not base_url or urls.is_local(listed_below):
        return ""
    identities = map(_identity, evidence.listed)
    beginning = urls.identity(base_url)
    if any(_is_below(url, beginning, evidence.files) for url in identities):
        return ""
    return listed_below


def _identity(url: str) -> str:
    """Return what identifies a URL, without its query."""
    return urls.identity(url).partition("?")[0]


def _is_below(url: str, beginning: str, files: Files) -> bool:
    """Tell whether a URL names a page's file below a base; both by `urls.identity`."""
    if not url.startswith(beginning):
        return False
    return bool(files.page_at(url.removeprefix(beginning)))


def _base(url: str, files: Files) -> str:
    """Return the part of a URL before the longest path at its end that names a file.

    The result is empty if no path at the end names a file. An empty path is not tried:
    it names the home page, whatever is before it.
    """
    _, *pieces = url.partition("://")[2].split("/")
    for number in range(min(len(pieces), _MAX_FOLDERS + 1)):
        path = "/".join(pieces[number:])
        if path and files.page_at(path):
            base = url.removesuffix(path)
            # A folder without a name is a mistake in the URL.
            return "" if base.endswith("//") else base
    return ""
