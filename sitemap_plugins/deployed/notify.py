"""Changes of a sitemap → IndexNow, once the site that has them is live.

What changed is what the two sitemaps say: URLs that came or went, and URLs with a later date. One
whose date is not known, before or now, is not sent, as search engines take it for noise.
"""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING

from sitemap_plugins.core.errors import OptionsError, SitemapError
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.untrusted_files import read_regular_file
from sitemap_plugins.deployed.changes import Change, find_changes
from sitemap_plugins.deployed.indexnow import batches
from sitemap_plugins.deployed.key_file import covers, prove_key
from sitemap_plugins.deployed.listing import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from sitemap_plugins.deployed.indexnow import Submitted, Submitter
    from sitemap_plugins.deployed.places import Place
    from sitemap_plugins.web import Deadline

__all__ = ["all_urls", "notify", "read_changes", "urls_to_send", "wait_until_live"]

_POLL_SECONDS = 10
_MAX_BYTES = 1 << 28
"""Of a file of changes: room for a million."""


def urls_to_send(changes: Iterable[Change]) -> Iterator[str]:
    """Yield the URLs that search engines should look at again."""
    return (change.url for change in changes if change.kind != "changed" or change.is_newer)


def all_urls(places: Iterable[Place]) -> Iterator[str]:
    """Yield every URL of a sitemap, each as often as it is listed."""
    return (element.get("loc") for element in listed(places))


def read_changes(file: Path) -> list[Change]:
    """Return what `sitemap-plugins diff --format json` wrote into a file.

    Raises:
        OptionsError: It did not.
    """
    try:
        found = json.loads(read_regular_file(file, max_bytes=_MAX_BYTES))
        return [_change(value) for value in found["changes"]]
    except OSError as error:
        problem = f"cannot be read ({error.strerror or error})"
    except (LookupError, TypeError):
        problem = "does not contain changes"
    except (ValueError, RecursionError) as error:
        problem = f"does not contain changes ({error})"
    cure = "write it with `sitemap-plugins diff OLD NEW --format json`"
    raise OptionsError(f"{str(file)!r} {problem}", cure=cure)


def _change(value: dict[str, object]) -> Change:
    url, *dates = (value[name] for name in ("url", "old", "new"))
    old, new = (date if isinstance(date, str) else None for date in dates)
    if not isinstance(url, str):
        raise TypeError(f"{quoted(url)} is no URL")
    return Change(url, old, new)


def wait_until_live(built: Sequence[Place], live: Sequence[Place], deadline: Deadline) -> None:
    """Wait until the sitemap on the server lists what the built one does.

    Raises:
        OptionsError: It does not in time.
        SitemapError: The built sitemap cannot be read.
    """
    with closing(listed(built)) as elements:
        next(elements, None)  # What is wrong with it, no waiting cures.
    while problem := _problem(built, live):
        if not deadline.pause(_POLL_SECONDS):
            msg = f"{quoted(live[0].name)} {problem}"
            raise OptionsError(msg, cure="deploy the site first, or give a longer --wait")


def _problem(built: Sequence[Place], live: Sequence[Place]) -> str:
    """Say what tells the live sitemap from the built one; empty for nothing."""
    try:
        count = sum(1 for _ in find_changes(listed(live), listed(built)))
    except SitemapError as error:
        return f"cannot be read ({error})"
    return f"is not the built one yet ({count:,} differences)" if count else ""


def notify(urls: Iterable[str], submitter: Submitter) -> Iterator[Submitted]:
    """Send URLs; yield each batch that is accepted. Nothing is sent without a valid key file.

    Raises:
        OptionsError: The key file is not as it must be, or does not speak for a URL.
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
