"""Answers of web servers, asked politely and read within bounds.

Servers are strangers: they answer late, without end, in circles and with bombs. Redirects are not
followed, because callers want to see them; nothing is sent but what the caller says.
"""

from __future__ import annotations

import json
import math
import re
import threading
import time
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Self
from urllib.parse import urljoin

from urllib3 import HTTPHeaderDict
from urllib3.exceptions import HTTPError

from sitemap_plugins import __version__
from sitemap_plugins.connections import CLOCK, Connections
from sitemap_plugins.core import urls
from sitemap_plugins.core.errors import PageError, SitemapError
from sitemap_plugins.core.messages import printable, quoted
from sitemap_plugins.core.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from urllib3 import BaseHTTPResponse

__all__ = [
    "CRAWLER",
    "USER_AGENT",
    "Answer",
    "Deadline",
    "RequestError",
    "TimeUpError",
    "Web",
    "WebError",
    "request_url",
]

CRAWLER = "sitemap-plugins"
"""Our name, as robots.txt may address it."""

USER_AGENT = f"{CRAWLER}/{__version__}"
"""Names us to servers if the user names nobody else."""

_CHUNK_BYTES = 16 * 1024
"""Of the compressed body; urllib3 bounds what a bomb makes of it."""
_WHOLE_ANSWER = 30
"""How many times the timeout a whole answer may take: 50 MB at 170 kB/s, with 10 seconds."""
_PAUSES = (1, 2, 4, 8, 16, 32, 32, 32, 32, 32)
"""Seconds before each further attempt if the server does not ask for others."""
_LONGEST_PAUSE = 60
"""Seconds: if a server asks for more, its answer is final."""
_TRY_AGAIN = frozenset({429, 500, 502, 503, 504})
"""Statuses that may be others in a moment (RFC 9110, section 15; RFC 6585, section 4)."""
_ROOT = re.compile(r"https?://[^/?#]*", re.IGNORECASE)


class RequestError(SitemapError):
    """A URL gets no answer."""

    url: str
    """The one that was requested, which may be the target of a redirect."""

    fault: str
    """What is wrong, to be read after the URL."""

    def __init__(self, url: str, fault: str) -> None:
        """Make the problem of the URL and its fault."""
        super().__init__(f"{quoted(url)} {fault}")
        self.url = url
        self.fault = fault


class WebError(RequestError):
    """A server does not answer, or not with HTTP: whoever runs it can fix it."""


class TimeUpError(RequestError):
    """The time for all requests together ran out: the user can give more."""


class Deadline:
    """A moment that ends all waiting."""

    def __init__(self, seconds: float = math.inf) -> None:
        """Set it so many seconds from now."""
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds until then; 0 or less if it has passed."""
        return self._end - time.monotonic()

    def pause(self, seconds: float) -> bool:
        """Wait, and return True; False at once if there is not as much time left."""
        if seconds > self.left:
            return False
        time.sleep(seconds)
        return True


@record
class Answer:
    """What a server answered to one request."""

    url: str
    """As it was requested: what `request_url` returns."""

    status: int
    headers: Mapping[str, str]
    """By name, whatever its case; values of a header that came twice are joined by commas."""

    body: bytes
    """Decompressed; only its beginning if `is_cut`."""

    is_cut: bool
    """Whether there is more than the limit of the request."""

    @property
    def retry_after(self) -> float | None:
        """Seconds that the server asks to wait (RFC 9110, section 10.2.3); None for no wish."""
        value = self.headers.get("Retry-After", "")
        if value.isdecimal():
            return float(value[:9])
        try:
            return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
        except (ValueError, OverflowError):
            return None

    @property
    def redirect(self) -> str:
        """Absolute URL that a redirect names, unchecked; empty if the answer is not one."""
        location = self.headers.get("Location", "") if self.status in range(300, 400) else ""
        try:
            return urljoin(self.url, location) if location else ""
        except ValueError:  # Not a URL.
            return location


def request_url(url: str) -> str:
    r"""Return a URL as it is requested: all programs read the same host in it.

    Programs differ on backslashes, user information and control characters, so that a URL that is
    checked by one could be requested from another server: they are refused. Characters that
    browsers encode in a path or query are encoded, and a fragment is dropped.

    Raises:
        PageError: It is not a valid absolute http or https URL.

    >>> request_url("https://example.com/a b?c[]=1#top")
    'https://example.com/a%20b?c%5B%5D=1'
    """
    root = _ROOT.match(url)
    if root is not None and "\\" not in url:
        rest = urls.escape(url[root.end() :]).replace("[", "%5B").replace("]", "%5D")
        with suppress(PageError):
            return urls.normalize_url(root[0] + rest)
    return urls.normalize_url(url)  # The error quotes it as it was written.


class Web:
    """Makes requests; several threads can share one. Close it, or use it in a `with` statement."""

    def __init__(  # noqa: PLR0913 all by name
        self,
        *,
        user_agent: str = USER_AGENT,
        headers: Mapping[str, str] | None = None,
        headers_for: str = "",
        timeout: float = 10,
        retries: int = 2,
        rate: float | None = None,
        deadline: Deadline | None = None,
    ) -> None:
        """Prepare to ask; nothing is sent yet.

        Args:
            user_agent: Who asks, for the servers' logs.
            headers: Sent with each request to `headers_for`; they can be secrets.
            headers_for: What URLs begin with that get the headers: scheme and host, with a slash.
            timeout: Seconds until an answer begins, with status and headers, and for each next
                bytes. A whole answer may take thirty times as long.
            retries: Further attempts, after a pause, if there is no answer or one that may be
                another in a moment; at most ten.
            rate: Requests a second, over all threads; None for no limit.
            deadline: Of all requests together; None for none.
        """
        self._headers = {"User-Agent": user_agent, "Accept-Encoding": "gzip"}
        self._further_headers = headers or {}
        self._headers_for = headers_for
        self._timeout = timeout
        self._pauses = _PAUSES[:retries]
        self._turns = _Turns(rate)
        self._deadline = deadline or Deadline()
        self._connections = Connections()

    def __enter__(self) -> Self:
        """Return the client itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close all connections."""
        self._connections.close()

    def get(self, url: str, *, limit: int) -> Answer:
        """Return the answer for a URL, with at most `limit` bytes of its body, decompressed.

        Raises:
            WebError: There was no whole answer in time, in all attempts.
            TimeUpError: The time for all requests ran out.
        """

        def ask() -> Answer:
            return self._ask("GET", url, limit)

        return _attempts(ask, self._pauses, _usual_pause, self._deadline.pause)

    def post_json(
        self,
        url: str,
        value: object,
        *,
        pauses: Sequence[float] = (),
        pause_of: Callable[[Answer, float], float | None] = lambda *_: None,
        wait: Callable[[float], bool] = lambda _: False,
    ) -> Answer:
        """Send a value as JSON, and return the answer with the beginning of its body.

        Args:
            url: As for `get`.
            value: What JSON can express.
            pauses: Seconds before each further attempt; without any, the value is sent once.
            pause_of: Returns the seconds to wait after an answer, from those that are usual; None
                if the answer is final.
            wait: Waits so many seconds, and tells whether there was time for that.

        Raises:
            WebError: There was no whole answer in time.
        """
        body = json.dumps(value).encode()

        def ask() -> Answer:
            return self._ask("POST", url, _POST_BYTES, body)

        return _attempts(ask, pauses, pause_of, wait)

    def _ask(self, method: str, text: str, limit: int, sent: bytes | None = None) -> Answer:
        try:
            url = request_url(text)
        except PageError as error:
            raise WebError(text, f"cannot be requested ({error.problem})") from None
        if not self._deadline.pause(self._turns.take()):
            raise TimeUpError(url, "is not requested, because time ran out")
        headers = HTTPHeaderDict(self._further_headers if url.startswith(self._headers_for) else {})
        headers.update(self._headers)
        if sent is not None:
            headers["Content-Type"] = "application/json"
        try:
            seconds = min(self._timeout, self._deadline.left)
            CLOCK.start(seconds, seconds)
            with self._connections.request(method, url, headers, sent, seconds) as response:
                whole = min(_WHOLE_ANSWER * self._timeout, self._deadline.left)
                CLOCK.start(self._timeout, whole)
                body = _body(response, limit + 1)
        except (HTTPError, OSError, ValueError) as error:
            if self._deadline.left <= 0:
                raise TimeUpError(url, "gives no answer before time runs out") from error
            reason = CLOCK.problem() or _reason(error)
            raise WebError(url, f"gives no answer: {reason}") from error
        return Answer(
            url=url,
            status=response.status,
            headers=response.headers,
            body=body[:limit],
            is_cut=len(body) > limit,
        )


_POST_BYTES = 64 * 1024
"""Of the answer to what was posted: enough for every error message."""


def _attempts(
    ask: Callable[[], Answer],
    pauses: Sequence[float],
    pause_of: Callable[[Answer, float], float | None],
    wait: Callable[[float], bool],
) -> Answer:
    """Ask, and again after each pause, until an answer is final or there is no time to wait."""
    for usual in pauses:
        try:
            answer = ask()
        except WebError:
            if not wait(usual):
                raise
        else:
            pause = pause_of(answer, usual)
            if pause is None or not wait(pause):
                return answer
    return ask()


def _usual_pause(answer: Answer, usual: float) -> float | None:
    """Return how long to wait before the next attempt; None if the answer is final."""
    pause = usual if answer.retry_after is None else answer.retry_after
    return pause if answer.status in _TRY_AGAIN and pause <= _LONGEST_PAUSE else None


class _Turns:
    """Gives callers their turns, so many a second."""

    def __init__(self, rate: float | None) -> None:
        self._seconds = 1 / rate if rate else 0
        self._lock = threading.Lock()
        self._next = 0.0

    def take(self) -> float:
        """Take the next turn, and return the seconds until then."""
        with self._lock:
            turn = max(self._next, time.monotonic())
            self._next = turn + self._seconds
        return max(0, turn - time.monotonic())


def _body(response: BaseHTTPResponse, most: int) -> bytes:
    """Read at most so many bytes; `read1` returns with what is there."""
    body = bytearray()
    while len(body) < most:
        chunk = response.read1(min(_CHUNK_BYTES, most - len(body)), decode_content=True)
        if not chunk:
            break
        body += chunk
    return bytes(body)


def _reason(error: BaseException) -> str:
    """Return the innermost reason in one line: the outer ones repeat the address."""
    while inner := [
        each
        for each in (getattr(error, "reason", None), error.__cause__, *error.args)
        if isinstance(each, Exception)
    ]:
        error = inner[0]
    return printable(str(error).partition("\n")[0])
