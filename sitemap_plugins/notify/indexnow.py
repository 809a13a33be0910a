"""Changes of a sitemap → IndexNow, once the changed site is live.

URLs that were added or removed are sent, and those with a later date. A listed URL
without a date, before or now, is not sent: it need not have changed.

The key is public, as anybody can read the file. It proves that the sender of URLs can
change the site (indexnow.org/documentation, "Verifying ownership via the key"). The
JSON in refusals is what api.indexnow.org and Bing send, and the texts are Yandex's
(yandex.com/support/webmaster/indexnow/reference). Search engines share what they get,
so one that accepts is enough.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from sitemap_plugins.core import urls
from sitemap_plugins.core.messages import (
    OptionsError,
    SitemapError,
    WebError,
    printable,
    quoted,
)
from sitemap_plugins.core.patterns import Patterns
from sitemap_plugins.core.publishing.plan import File
from sitemap_plugins.core.publishing.publish import write_files
from sitemap_plugins.core.untrusted_files import (
    is_given_folder,
    read_json,
    read_own_file,
)
from sitemap_plugins.sitemaps.changes import UrlChange, find_changes
from sitemap_plugins.sitemaps.locations import Location
from sitemap_plugins.sitemaps.parts import all_elements
from sitemap_plugins.sitemaps.web import Answer, Deadline, Web

ENDPOINTS = ("https://api.indexnow.org/indexnow", "https://yandex.com/indexnow")
"""Where changes are sent: to the next one if the one before refuses."""

BATCH_URLS = 10_000
"""The most URLs of one request (indexnow.org/documentation)."""

_PAUSES = (2, 4, 8, 16, 32)
"""Seconds before each further attempt at a server that fails."""
_VERIFICATION_PAUSE = 120
"""Seconds: a search engine fetches a new key file within some minutes."""
_DEFAULT_RETRY_AFTER = 60
_POLL_SECONDS = 10

_KEY = re.compile(r"[A-Za-z0-9-]{8,128}")
_READ_BYTES = 1024
"""More than a key file has, so that a longer file differs from it."""

Next = Literal["done", "retry", "elsewhere", "stop"]


def check_key(key: str) -> str:
    """Return the key, stripped.

    Raises:
        OptionsError: The protocol does not allow it.
    """
    key = key.strip()  # The secrets of CI services often end with a line break.
    if _KEY.fullmatch(key):
        return key
    cure = "run `sitemap-plugins notify FOLDER --init` to make one"
    if not key:
        cure = f"give --key or set INDEXNOW_KEY, or {cure}"
        raise OptionsError("no key is given", cure=cure)
    # What was given could be another program's secret, so it is not printed.
    msg = f"the key ({len(key)} characters) is not 8 to 128 letters, digits and hyphens"
    raise OptionsError(msg, cure=cure)


def write_key_file(folder: Path) -> Path:
    """Write a file with a new key, named after it.

    Raises:
        OptionsError: `folder` is not a folder.
        OutputError: The file cannot be written.
    """
    if not is_given_folder(folder):
        msg = f"{str(folder)!r} is not a folder"
        raise OptionsError(msg, cure="name one whose files are published as they are")
    key = secrets.token_hex(16)
    file = File(name=f"{key}.txt", chunks=[key.encode()])
    return write_files([file], output_dir=folder)[0]


def key_file_in(folder: Path) -> Path | None:
    """Return the file of a folder that has the form of a key file; None for none."""
    for file in sorted(folder.glob("*.txt")):
        if _KEY.fullmatch(file.stem):
            try:
                if read_own_file(file, max_bytes=_READ_BYTES) == file.stem.encode():
                    return file
            except OSError:
                continue
    return None


def prove_key(key: str, location: str, web: Web) -> None:
    """Request the site's key file, as search engines will.

    Raises:
        OptionsError: The file is missing, is elsewhere, or does not contain the key
            alone.
        WebError: The server does not answer.
    """
    answer = web.get(location, limit=_READ_BYTES)
    if answer.redirect:
        problem = f"redirects to {quoted(answer.redirect)}"
    elif answer.status != 200:
        problem = f"answers {answer.status}"
    elif answer.body != key.encode():
        problem = f"contains {quoted(answer.body.decode('utf-8', 'replace'))}"
    else:
        return
    msg = f"the key file {quoted(location)} {problem}"
    raise OptionsError(msg, cure=f"publish one that contains only {key}")


class Submitted(NamedTuple):
    """A batch that an endpoint accepted."""

    host: str

    urls: int
    """How many."""

    endpoint: str
    meaning: str


class RefusedError(SitemapError):
    """No endpoint accepted a batch: the text says why each did not."""


class Outcome(NamedTuple):
    """What an answer means."""

    next: Next
    """What to do: nothing more, try again, try another endpoint, or give up."""

    meaning: str
    """The status, what it says, and the cure."""

    pause: float = 0
    """Seconds to wait before trying again; 0 for the usual pause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitter:
    """Sends batches of URLs, all with one key and to the same endpoints."""

    key: str
    location: str
    """Absolute URL of the key file."""

    endpoints: Sequence[str]
    web: Web
    deadline: Deadline
    """After it no endpoint is tried again."""

    def submit(self, host: str, batch: Sequence[str]) -> Submitted:
        """Send URLs of one host to the endpoints in turn, until one accepts them.

        Raises:
            RefusedError: No endpoint accepted them.
        """
        body = {
            "host": host,
            "key": self.key,
            "keyLocation": self.location,
            "urlList": batch,
        }
        reasons = []
        for endpoint in self.endpoints:
            try:
                answer = self.web.post_json(
                    endpoint,
                    body,
                    pauses=_PAUSES,
                    pause_of=_pause,
                    deadline=self.deadline,
                )
                outcome = _outcome(answer)
            except WebError as error:
                outcome = Outcome("elsewhere", str(error))
            if outcome.next == "done":
                return Submitted(host, len(batch), endpoint, outcome.meaning)
            reasons.append(f"{endpoint}: {outcome.meaning}")
            if outcome.next == "stop":
                break
        raise RefusedError("; ".join(reasons))


def batches(to_send: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each host with URLs on it that have room in one request; lazy."""
    for host, same in groupby(to_send, key=lambda url: urlsplit(url).netloc.lower()):
        while some := list(islice(same, BATCH_URLS)):
            yield host, some


def _pause(answer: Answer, usual: float) -> float | None:
    """Return how long to wait before the next attempt.

    The result is None if another attempt would not help.
    """
    outcome = _outcome(answer)
    return (outcome.pause or usual) if outcome.next == "retry" else None


def _outcome(answer: Answer) -> Outcome:
    """Return what an answer means, and what to do next."""
    status = answer.status
    if status in _SIMPLE:
        return _SIMPLE[status]
    if status == 403:
        try:
            return _REFUSALS[json.loads(answer.body)["errorCode"]]
        except (ValueError, LookupError, TypeError, RecursionError):
            said = quoted(printable(answer.body.decode("utf-8", "replace")))
            meaning = f"403, the key is refused ({said}): check the key file"
            return Outcome("elsewhere", meaning)
    if status == 429:
        asked = answer.retry_after
        pause = _DEFAULT_RETRY_AFTER if asked is None else asked
        meaning = f"429, too many requests: try again in {pause:.0f} s"
        return Outcome("retry", meaning, pause)
    if status >= 500:
        meaning = f"{status}, the server fails: try again later"
        return Outcome("retry", meaning, answer.retry_after or 0)
    meaning = f"{status}, which IndexNow does not know: check the endpoint"
    return Outcome("elsewhere", meaning)


_SIMPLE = {
    200: Outcome("done", "200, accepted"),
    202: Outcome("done", "202, accepted; the key will be verified"),
    400: Outcome(
        "stop",
        "400, the request is malformed: report it to the authors of sitemap-plugins",
    ),
    422: Outcome(
        "stop",
        "422, a URL is not of this host or not below the key file: give the right"
        " --key-location",
    ),
}

_REFUSALS = {
    "SiteVerificationNotCompleted": Outcome(
        "retry",
        "403, the key file is not verified yet, as is usual for the first time: try"
        " again later",
        _VERIFICATION_PAUSE,
    ),
    "KeyNotFound": Outcome("stop", "403, the key file was not found: publish it"),
    "InvalidKey": Outcome(
        "stop", "403, the key file has another key: publish the right one"
    ),
    # Their spelling. A failed verification is remembered for some days, or until the
    # key changes.
    "UserForbiddedToAccessSite": Outcome(
        "elsewhere",
        "403, an earlier verification failed and is remembered: wait some days, or make"
        " a new key",
    ),
}
"""What a 403 means by its `errorCode`."""


def urls_to_send(changes: Iterable[UrlChange]) -> Iterator[str]:
    """Yield the URLs that search engines should look at again."""
    for change in changes:
        if change.kind != "changed" or change.is_newer:
            yield change.url


def without(found: Iterable[str], excluded: Patterns) -> Iterator[str]:
    """Yield the URLs whose path on their host no pattern matches."""
    for url in found:
        path = urls.identity(url).partition("://")[2].partition("/")[2]
        if not excluded.match(path):
            yield url


def read_changes(file: Path) -> list[UrlChange]:
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


def _change(value: dict[str, object]) -> UrlChange:
    url = value["url"]
    if not isinstance(url, str):
        raise TypeError(f"{quoted(url)} is not a URL")
    return UrlChange(url, _date(value["old"]), _date(value["new"]))


def _date(value: object) -> str | None:
    return value if isinstance(value, str) else None


def wait_until_live(
    built: Sequence[Location], live: Sequence[Location], deadline: Deadline
) -> None:
    """Wait until the sitemap on the server lists what the built one does.

    Raises:
        OptionsError: The deadline passed.
        SitemapError: The built sitemap cannot be read.
    """
    with closing(all_elements(built)) as elements:
        # Its errors are raised now: waiting does not correct them.
        next(elements, None)
    while problem := _problem(built, live):
        if not deadline.pause(_POLL_SECONDS):
            msg = f"{quoted(live[0].name)} {problem}"
            cure = "deploy the site first, or give a longer --wait"
            raise OptionsError(msg, cure=cure)


def _problem(built: Sequence[Location], live: Sequence[Location]) -> str:
    """Return how the live sitemap differs from the built one; empty if it does not."""
    try:
        count = sum(1 for _ in find_changes(all_elements(live), all_elements(built)))
    except SitemapError as error:
        return f"cannot be read ({error})"
    return f"is not the built one yet ({count:,} differences)" if count else ""


def send(found: Iterable[str], submitter: Submitter) -> Iterator[Submitted]:
    """Send URLs.

    Yield each batch that is accepted. Nothing is sent without a valid key file.

    Raises:
        OptionsError: The key file is not valid, or not valid for a URL; or a URL has a
            control character.
        RefusedError: No endpoint accepts a batch.
    """
    to_send = list(dict.fromkeys(found))
    folder = urls.identity(submitter.location.rpartition("/")[0] + "/")
    for url in to_send:
        if not urls.identity(url).startswith(folder):
            key_file = quoted(submitter.location)
            msg = f"{quoted(url)} is not in the folder of the key file {key_file}"
            raise OptionsError(msg, cure="put the file higher, and give --key-location")
        if printable(url) != url:
            msg = f"{quoted(url)} has a character that must be percent-encoded"
            raise OptionsError(msg, cure="correct it in the sitemap")
    if to_send:
        prove_key(submitter.key, submitter.location, submitter.web)
    for host, batch in batches(to_send):
        yield submitter.submit(host, batch)
