"""IndexNow: the key file that proves who owns a site, what is sent, and what the answers mean.

The key is not a secret, as anybody can read the file. It proves that the sender of URLs can change
the site (indexnow.org/documentation, "Verifying ownership via the key").

The protocol is indexnow.org/documentation; the JSON in refusals is what api.indexnow.org and Bing
send, the texts those of Yandex (yandex.com/support/webmaster/indexnow/reference). Search engines
tell each other, so that one that accepts is enough.
"""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import dataclass
from itertools import groupby, islice
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import urlsplit

from sitemap_plugins.core import urls
from sitemap_plugins.core.errors import OptionsError, SitemapError
from sitemap_plugins.core.files.plan import File
from sitemap_plugins.core.files.publish import write_files
from sitemap_plugins.core.messages import printable, quoted
from sitemap_plugins.core.untrusted_files import read_regular_file
from sitemap_plugins.web import WebError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from sitemap_plugins.web import Answer, Deadline, Web

__all__ = [
    "ENDPOINTS",
    "Batch",
    "RefusedError",
    "Submitted",
    "Submitter",
    "Verdict",
    "batches",
    "check_key",
    "covers",
    "explain",
    "key_file_in",
    "prove_key",
    "write_key_file",
]

ENDPOINTS = ("https://api.indexnow.org/indexnow", "https://yandex.com/indexnow")
"""Where changes are sent, the next one if the one before refuses."""

MAX_URLS = 10_000
"""Of one request (indexnow.org/documentation)."""

_PAUSES = (2, 4, 8, 16, 32)
"""Seconds before each further attempt at a server that fails."""
_VERIFICATION_PAUSE = 120
"""Seconds: an engine fetches a new key file within some minutes."""
_DEFAULT_RETRY_AFTER = 60

_KEY = re.compile(r"[A-Za-z0-9-]{8,128}")
_READ_BYTES = 1024
"""More than a key file may have, to see whether it does."""

Next = Literal["done", "retry", "elsewhere", "stop"]


def check_key(key: str) -> str:
    """Return the key, stripped.

    Raises:
        OptionsError: The protocol does not allow it.
    """
    key = key.strip()  # Secrets of a CI service often end with a line break.
    if _KEY.fullmatch(key):
        return key
    cure = "run `sitemap-plugins notify FOLDER --init` to make one"
    if not key:
        raise OptionsError("no key is given", cure=f"give --key or set INDEXNOW_KEY, or {cure}")
    # An invalid key may be a secret for something else, so it is not printed.
    what = f"what is given as the key ({len(key)} characters)"
    raise OptionsError(f"{what} is not 8 to 128 letters, digits and hyphens", cure=cure)


def write_key_file(folder: Path) -> Path:
    """Write a file with a new key, named after it.

    Raises:
        OptionsError: There is no such folder.
        OutputError: It cannot be written.
    """
    if not folder.is_dir():
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
                if read_regular_file(file, max_bytes=_READ_BYTES) == file.stem.encode():
                    return file
            except OSError:
                continue
    return None


def prove_key(key: str, location: str, web: Web) -> None:
    """Ask the site for its key file, as search engines will.

    Raises:
        OptionsError: It is not there, is elsewhere, or has anything else in it.
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


def covers(location: str, url: str) -> bool:
    """Tell whether a key file is valid for a URL: those on its host, in its folder and below."""
    folder = location.rpartition("/")[0] + "/"
    return urls.identity(url).startswith(urls.identity(folder))


class Batch(NamedTuple):
    """URLs of one host."""

    host: str
    urls: list[str]


class Submitted(NamedTuple):
    """A batch that an endpoint took."""

    batch: Batch
    endpoint: str
    meaning: str


class RefusedError(SitemapError):
    """No endpoint took a batch: its text says why each did not."""


class Verdict(NamedTuple):
    """What an answer means."""

    next: Next
    """What to do: nothing more, ask again, ask another endpoint, or give up."""

    meaning: str
    """The status, what it says, and the cure."""

    pause: float = 0
    """Seconds to wait before asking again; 0 for as long as is usual."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitter:
    """What all batches have in common."""

    key: str
    location: str
    """Absolute URL of the key file."""

    endpoints: Sequence[str]
    web: Web
    deadline: Deadline
    """When it has passed, no endpoint is tried again."""

    def submit(self, batch: Batch) -> Submitted:
        """Send a batch to the endpoints in turn, until one takes it.

        Raises:
            RefusedError: None did.
        """
        reasons = []
        for endpoint in self.endpoints:
            verdict = self._ask(endpoint, batch)
            if verdict.next == "done":
                return Submitted(batch, endpoint, verdict.meaning)
            reasons.append(f"{endpoint}: {verdict.meaning}")
            if verdict.next == "stop":
                break
        raise RefusedError("; ".join(reasons))

    def _ask(self, endpoint: str, batch: Batch) -> Verdict:
        """Return an endpoint's last answer, after as many attempts as there is time for."""
        body = {
            "host": batch.host,
            "key": self.key,
            "keyLocation": self.location,
            "urlList": batch.urls,
        }
        try:
            answer = self.web.post_json(
                endpoint, body, pauses=_PAUSES, pause_of=_pause, wait=self.deadline.pause
            )
        except WebError as error:
            return Verdict("elsewhere", str(error))
        return explain(answer)


def batches(to_send: Iterable[str]) -> Iterator[Batch]:
    """Divide URLs, those of one host together, into what one request may have; lazy."""
    for host, same in groupby(to_send, key=lambda url: urlsplit(url).netloc.lower()):
        while some := list(islice(same, MAX_URLS)):
            yield Batch(host, some)


def _pause(answer: Answer, usual: float) -> float | None:
    """Return how long to wait before the next attempt; None if another would not help."""
    verdict = explain(answer)
    return (verdict.pause or usual) if verdict.next == "retry" else None


def explain(answer: Answer) -> Verdict:
    """Say what an answer means, and what to do next."""
    status = answer.status
    if status in _SIMPLE:
        return _SIMPLE[status]
    if status == 403:
        return _explain_refusal(answer)
    if status == 429:
        asked = answer.retry_after
        pause = _DEFAULT_RETRY_AFTER if asked is None else asked
        return Verdict("retry", f"429, too many requests: try again in {pause:.0f} s", pause)
    if status >= 500:
        return Verdict("retry", f"{status}, the server fails: try again later")
    return Verdict("elsewhere", f"{status}, which IndexNow does not know: check the endpoint")


_SIMPLE = {
    200: Verdict("done", "200, accepted"),
    202: Verdict("done", "202, accepted; the key will be verified"),
    400: Verdict("stop", "400, the request is malformed: please report it"),
    422: Verdict(
        "stop",
        "422, a URL is not of this host or not below the key file: give the right --key-location",
    ),
}

_REFUSALS = {
    "SiteVerificationNotCompleted": Verdict(
        "retry",
        "403, the key file is not verified yet, as is usual for the first time: try again later",
        _VERIFICATION_PAUSE,
    ),
    "KeyNotFound": Verdict("stop", "403, the key file was not found: publish it"),
    "InvalidKey": Verdict("stop", "403, the key file has another key: publish the right one"),
    # Their spelling. A failed verification that is remembered; a new key ends that, or time.
    "UserForbiddedToAccessSite": Verdict(
        "elsewhere",
        "403, an earlier verification failed and is remembered: wait some days, or make a new key",
    ),
}
"""What a 403 means by its `errorCode`."""


def _explain_refusal(answer: Answer) -> Verdict:
    try:
        found = json.loads(answer.body)
        code = found.get("errorCode", "")
        return _REFUSALS[code]
    except (ValueError, AttributeError, LookupError, TypeError, RecursionError):
        said = quoted(printable(answer.body.decode("utf-8", "replace")))
        return Verdict("elsewhere", f"403, the key is refused ({said}): check the key file")
