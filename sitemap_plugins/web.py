"""Answers of web servers, asked politely and read within bounds.

Servers are strangers: they answer late, for ever, in circles and with bombs. Redirects are never
followed, as a redirect is what the caller wants to know of; nothing is sent but what the caller
says (no cookies, no passwords of the machine); proxies are the environment's.
"""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack
from email.utils import parsedate_to_datetime
from http.cookiejar import DefaultCookiePolicy
from typing import TYPE_CHECKING, Self
from urllib.parse import urljoin

import requests
from urllib3.exceptions import HTTPError

from sitemap_plugins.core.errors import SitemapError
from sitemap_plugins.core.messages import printable, quoted
from sitemap_plugins.core.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Answer", "Web", "WebError"]

_CHUNK_BYTES = 16 * 1024
"""Of the compressed body; urllib3 bounds what a bomb makes of it."""
_ANSWER_SECONDS = 300
"""For one whole answer: a server may send a byte now and then."""
_PAUSES = (1, 2, 4, 8, 16, 32)
"""Seconds before each further attempt, where the server says nothing."""
_LONGEST_PAUSE = 60
"""Seconds: a server that asks for more is not waited for."""
_TRY_AGAIN = frozenset({429, 500, 502, 503, 504})
"""Statuses that may be others in a moment (RFC 9110, section 15; RFC 6585, section 4)."""


class WebError(SitemapError):
    """A server does not answer, or not with HTTP: whoever runs it can fix it."""


@record
class Answer:
    """What a server answered to one request."""

    url: str
    """As it was asked for."""

    status: int
    headers: Mapping[str, str]
    """By name, whatever its case; values of a header that came twice are joined by commas."""

    body: bytes
    """Decompressed; the beginning of it, where `is_cut`."""

    is_cut: bool
    """Whether there is more than was asked for."""

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
        """Absolute URL that a redirect names, unchecked; empty where the answer is none."""
        location = self.headers.get("Location", "") if self.status in range(300, 400) else ""
        try:
            return urljoin(self.url, location) if location else ""
        except ValueError:  # No URL.
            return location


class Web:
    """Asks servers; several threads can share one. To be closed, or used in a `with` statement."""

    def __init__(  # noqa: PLR0913 all by name
        self,
        *,
        user_agent: str,
        headers: Mapping[str, str] | None = None,
        headers_for: str = "",
        timeout: float = 10,
        retries: int = 2,
        rate: float | None = None,
    ) -> None:
        """Prepare to ask; nothing is sent yet.

        Args:
            user_agent: Name for the servers' logs and robots.txt.
            headers: Sent with each request to `headers_for`; they can be secrets.
            headers_for: What URLs begin with that get the headers: scheme and host, with a slash.
            timeout: Seconds to wait for a connection, and for each next bytes.
            retries: Further attempts, after a pause, where there is no answer or one that may be
                another in a moment. Nothing that was posted is sent again.
            rate: Requests a second, over all threads; None for no limit.
        """
        self._headers = {"User-Agent": user_agent, "Accept-Encoding": "gzip"}
        self._further_headers = headers or {}
        self._headers_for = headers_for
        self._timeout = timeout
        self._retries = retries
        self._turns = _Turns(rate)
        self._of_thread = threading.local()
        self._sessions = ExitStack()

    def __enter__(self) -> Self:
        """Return the client itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close all connections."""
        self._sessions.close()

    def get(self, url: str, *, limit: int) -> Answer:
        """Return the answer for a URL, with at most `limit` bytes of its body.

        Args:
            url: Absolute; a fragment is not sent.
            limit: Bytes, decompressed; the rest is not fetched.

        Raises:
            WebError: There was no whole answer in time, in all attempts.
        """
        for attempt in range(self._retries + 1):
            pause: float = _PAUSES[min(attempt, len(_PAUSES) - 1)]
            try:
                answer = self._ask("GET", url, limit)
            except WebError:
                if attempt == self._retries:
                    raise
            else:
                pause = pause if answer.retry_after is None else answer.retry_after
                is_last = attempt == self._retries or pause > _LONGEST_PAUSE
                if answer.status not in _TRY_AGAIN or is_last:
                    break
            time.sleep(pause)
        return answer

    def post_json(self, url: str, value: object, *, limit: int = 64 * 1024) -> Answer:
        """Send a value as JSON, once, and return the answer.

        Raises:
            WebError: There was no whole answer in time.
        """
        return self._ask("POST", url, limit, value)

    def _ask(self, method: str, url: str, limit: int, value: object = None) -> Answer:
        self._turns.wait()
        started = time.monotonic()
        further = self._further_headers if url.startswith(self._headers_for) else {}
        try:
            with self._session().request(
                method,
                url,
                json=value,
                headers={**further, **self._headers},
                timeout=self._timeout,
                allow_redirects=False,
                stream=True,
            ) as response:
                body = _body(response, limit + 1, started + _ANSWER_SECONDS)
        except (requests.RequestException, HTTPError, OSError, ValueError) as error:
            text = f"{quoted(url)} gives no answer: {_reason(error)}"
            raise WebError(text) from error
        return Answer(
            url=url,
            status=response.status_code,
            headers=response.headers,
            body=body[:limit],
            is_cut=len(body) > limit,
        )

    def _session(self) -> requests.Session:
        """Return this thread's session: `requests` does not promise that threads can share one."""
        session = getattr(self._of_thread, "session", None)
        if session is None:
            session = self._of_thread.session = self._sessions.enter_context(_Session())
            session.headers.clear()
            session.cookies.set_policy(_NoCookies())
            session.auth = _unchanged  # Else the passwords of .netrc would be sent.
        return session


class _Session(requests.Session):
    """Never looks where a redirect leads: `requests` does even where it does not follow it."""

    def get_redirect_target(self, resp: requests.Response) -> None:
        """Fail on no address that is none."""


class _NoCookies(DefaultCookiePolicy):
    """Takes no cookie."""

    def set_ok(self, *_: object) -> bool:
        return False


class _Turns:
    """Lets callers pass one after the other, so many a second."""

    def __init__(self, rate: float | None) -> None:
        self._seconds = 1 / rate if rate else 0
        self._lock = threading.Lock()
        self._next = 0.0

    def wait(self) -> None:
        with self._lock:
            turn = max(self._next, time.monotonic())
            self._next = turn + self._seconds
        time.sleep(max(0, turn - time.monotonic()))


def _unchanged(request: requests.PreparedRequest) -> requests.PreparedRequest:
    return request


def _body(response: requests.Response, most: int, deadline: float) -> bytes:
    """Read at most so many bytes; `read1` returns with what is there, so that the clock counts."""
    body = bytearray()
    while len(body) < most:
        if time.monotonic() > deadline:
            raise requests.Timeout(f"it is not complete after {_ANSWER_SECONDS} seconds")
        chunk = response.raw.read1(min(_CHUNK_BYTES, most - len(body)), decode_content=True)
        if not chunk:
            break
        body += chunk
    return bytes(body)


def _reason(error: Exception) -> str:
    """Return the innermost reason in one line: the outer ones repeat the address."""
    while inner := [
        each
        for each in (getattr(error, "reason", None), *error.args)
        if isinstance(each, Exception)
    ]:
        error = inner[0]
    return printable(str(error).partition("\n")[0])
