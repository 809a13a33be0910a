"""Changes of a sitemap → IndexNow, once the changed site is live.

URLs that were added or removed are sent, and those with a later date. A listed URL without a date,
before or now, is not sent: it need not have changed.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from sitemap_plugins.core import urls
from sitemap_plugins.core.errors import OptionsError, SitemapError
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.untrusted_files import read_json
from sitemap_plugins.published.diff import Change, find_changes
from sitemap_plugins.published.indexnow import batches, covers, prove_key
from sitemap_plugins.sitemaps.parts import all_elements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from sitemap_plugins.core.patterns import Patterns
    from sitemap_plugins.published.indexnow import Submitted, Submitter
    from sitemap_plugins.sitemaps.locations import Location
    from sitemap_plugins.web import Deadline

__all__ = ["read_changes", "send", "urls_to_send", "wait_until_live", "without"]

_POLL_SECONDS = 10


def urls_to_send(changes: Iterable[Change]) -> Iterator[str]:
    """Yield the URLs that search engines should look at again."""
    return (change.url for change in changes if change.kind != "changed" or change.is_newer)


def without(found: Iterable[str], excluded: Patterns) -> Iterator[str]:
    """Yield the URLs whose path on their host no pattern matches."""
    for url in found:
        path = urls.identity(url).partition("://")[2].partition("/")[2]
        if not excluded.match(path):
            yield url


def read_changes(file: Path) -> list[Change]:
    """Return what `sitemap-plugins diff --format json` wrote into a file.

    Raises:
        OptionsError: The file cannot be read, or contains anything else.
    """
    return read_json(
        file,
        lambda found: [_change(value) for value in found["changes"]],
        problem="does not contain changes",
        cure="write it with `sitemap-plugins diff OLD NEW --format json`",
    )


def _change(value: dict[str, object]) -> Change:
    url, *dates = (value[name] for name in ("url", "old", "new"))
    old, new = (date if isinstance(date, str) else None for date in dates)
    if not isinstance(url, str):
        raise TypeError(f"{quoted(url)} is not a URL")
    return Change(url, old, new)


def wait_until_live(
    built: Sequence[Location], live: Sequence[Location], deadline: Deadline
) -> None:
    """Wait until the sitemap on the server lists what the built one does.

    Raises:
        OptionsError: The deadline passed.
        SitemapError: The built sitemap cannot be read.
    """
    with closing(all_elements(built)) as elements:
        next(elements, None)  # Its errors are raised now: waiting does not correct them.
    while problem := _problem(built, live):
        if not deadline.pause(_POLL_SECONDS):
            msg = f"{quoted(live[0].name)} {problem}"
            raise OptionsError(msg, cure="deploy the site first, or give a longer --wait")


def _problem(built: Sequence[Location], live: Sequence[Location]) -> str:
    """Return how the live sitemap differs from the built one; empty if it does not."""
    try:
        count = sum(1 for _ in find_changes(all_elements(live), all_elements(built)))
    except SitemapError as error:
        return f"cannot be read ({error})"
    return f"is not the built one yet ({count:,} differences)" if count else ""


def send(urls: Iterable[str], submitter: Submitter) -> Iterator[Submitted]:
    """Send URLs; yield each batch that is accepted. Nothing is sent without a valid key file.

    Raises:
        OptionsError: The key file is not valid, or not valid for a URL.
        RefusedError: No endpoint accepts a batch.
    """
    to_send = list(dict.fromkeys(urls))
    for url in to_send:
        if not covers(submitter.location, url):
            msg = f"{quoted(url)} is not in the folder of the key file {quoted(submitter.location)}"
            raise OptionsError(msg, cure="put the file higher, and give --key-location")
    if to_send:
        prove_key(submitter.key, submitter.location, submitter.web)
    for batch in batches(to_send):
        yield submitter.submit(batch)
