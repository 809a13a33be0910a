"""Requests to web servers: limited in rate, and their answers in time and size.

Servers are not trusted: they answer late, without end, in circles and with bombs.
Redirects are not followed, because callers want to see them; nothing is sent that the
caller does not name. The sockets enforce a limit on the time of a whole request:
servers that send a byte now and then never exceed the timeout of a single read.
"""

from __future__ import annotations

import json
import math
import os
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import cached_property, partial
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any, Self
from urllib.parse import SplitResult, unquote, urljoin, urlsplit
from urllib.request import getproxies, proxy_bypass

import urllib3
from urllib3 import HTTPHeaderDict
from urllib3.connection import HTTPConnection
from urllib3.exceptions import HTTPError, ReadTimeoutError

from sitemap_plugins import __version__
from sitemap_plugins.core import urls
from sitemap_plugins.core.messages import (
    OptionsError,
    PageError,
    TimeUpError,
    WebError,
    printable,
    quoted,
)

CRAWLER = "sitemap-plugins"
"""Our name in robots.txt."""

USER_AGENT = f"{CRAWLER}/{__version__}"
"""Sent to servers if the user sets no other."""

_SLOWEST = 1_700_000
"""Bytes of a body for which the timeout of the next bytes is added once: with one of 10
seconds, 170 kB/s."""
_AT_ONCE = 16 * 1024
"""Bytes of a body that are read at once: urllib3 copies those that are left for each
gzip member."""
_PAUSES = (1, 2, 4, 8, 16, 32, 32, 32, 32, 32)
"""Seconds before each further attempt if the server does not name any."""
_LONGEST_PAUSE = 60
"""Seconds: if a server asks for more, its answer is final."""
_TRY_AGAIN = frozenset({429, 500, 502, 503, 504})
"""Statuses that can change within seconds (RFC 9110, section 15; RFC 6585, section
4)."""
_POST_BYTES = 64 * 1024
"""The size limit of the answer to a POST: enough for every error message."""
_CONNECTIONS = 64
"""Kept open for each host: the largest number of requests at once."""
_BUNDLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")


class Deadline:
    """A moment that ends all waiting."""

    def __init__(self, seconds: float = math.inf) -> None:
        """Set the moment, so many seconds from now."""
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds until then; 0 or less if it has passed."""
        return self._end - time.monotonic()

    def pause(self, seconds: float) -> bool:
        """Wait, and return True; return False at once if less time is left."""
        if seconds > self.left:
            return False
        time.sleep(seconds)
        return True


class _Clock(threading.local):
    """The limits of this thread's request: seconds for the next bytes, and for all."""

    def __init__(self) -> None:
        self.start(math.inf, math.inf)

    def start(self, wait: float, whole: float) -> None:
        """Begin to count."""
        self._wait = wait
        self._whole = whole
        self._end = Deadline(whole)

    def left(self) -> float:
        """Return the seconds to wait for the next bytes.

        Raises:
            TimeoutError: The time is up.
        """
        if problem := self.problem():
            raise TimeoutError(problem)
        return max(0.001, min(self._end.left, self._wait))

    def problem(self) -> str:
        """Return an error message if the time is up; otherwise an empty text."""
        if self._end.left > 0:
            return ""
        return f"it timed out after {self._whole:.3g} seconds"


CLOCK = _Clock()


class _Socket(socket.socket):
    """Waits no longer than the request's clock allows, however often it is read."""

    def recv(self, *args: Any) -> bytes:  # noqa: ANN401 the socket's own signature
        self.settimeout(CLOCK.left())
        return super().recv(*args)

    def recv_into(self, *args: Any) -> int:  # noqa: ANN401
        self.settimeout(CLOCK.left())
        return super().recv_into(*args)

    def send(self, *args: Any) -> int:  # noqa: ANN401
        self.settimeout(CLOCK.left())
        return super().send(*args)

    def sendall(self, *args: Any) -> None:  # noqa: ANN401
        self.settimeout(CLOCK.left())
        super().sendall(*args)


class _TLSSocket(_Socket, ssl.SSLSocket):
    """A `_Socket` for https."""


class _Connection(HTTPConnection):
    def connect(self) -> None:
        super().connect()
        self.sock = _Socket(fileno=self.sock.detach())


class _Pool(urllib3.HTTPConnectionPool):
    ConnectionCls = _Connection


class Connections:
    """Connections that are kept open; several threads can share them."""

    def __init__(self) -> None:
        """Begin without connections.

        The environment or the system names the proxies.
        """
        self._proxies = getproxies()
        self._managers: dict[tuple[str, str], urllib3.PoolManager] = {}
        self._lock = threading.Lock()

    def request(
        self,
        method: str,
        url: str,
        headers: urllib3.HTTPHeaderDict,
        body: bytes | None,
        timeout: float,
    ) -> urllib3.BaseHTTPResponse:
        """Send one request; `url` is what `request_url` returns."""
        manager = self._manager(urlsplit(url))
        return manager.urlopen(
            method,
            url,
            body=body,
            headers=headers,
            timeout=timeout,
            retries=False,
            redirect=False,
            preload_content=False,
        )

    def close(self) -> None:
        """Close the connections that are not in use."""
        for manager in self._managers.values():
            manager.clear()

    def _manager(self, url: SplitResult) -> urllib3.PoolManager:
        proxy = self._proxy_of(url)
        key = (url.scheme, proxy)
        with self._lock:
            if key not in self._managers:
                context = None
                if "https" in {url.scheme, proxy.partition(":")[0]}:
                    context = self._context
                self._managers[key] = _make_manager(proxy, context)
            return self._managers[key]

    @cached_property
    def _context(self) -> ssl.SSLContext:
        """The certificates to trust, which take 50 ms to read."""
        context = _trusting()
        context.sslsocket_class = _TLSSocket
        return context

    def _proxy_of(self, url: SplitResult) -> str:
        """Return the proxy for a URL, as the environment or the system names it.

        The result is empty if there is no proxy.
        """
        proxy = self._proxies.get(url.scheme) or self._proxies.get("all", "")
        if not proxy or proxy_bypass(url.netloc):
            return ""
        # Python's `proxy_bypass` knows no networks.
        for exempt in self._proxies.get("no", "").split(","):
            if _is_in_network(url.hostname or "", exempt.strip()):
                return ""
        return proxy


def _trusting() -> ssl.SSLContext:
    """Trust the certificates of requests' and curl's variables, or OpenSSL's.

    Raises:
        OptionsError: A variable names what cannot be read.
    """
    name = next(filter(os.environ.get, _BUNDLES), None)
    if name is None:
        return ssl.create_default_context()
    path = os.environ[name]
    try:
        if Path(path).is_dir():
            return ssl.create_default_context(capath=path)
        return ssl.create_default_context(cafile=path)
    except OSError as error:
        why = f"whose certificates cannot be read ({error.strerror})"
        msg = f"{name} is {quoted(path)}, {why}"
        cure = "name a file or folder of certificates"
        raise OptionsError(msg, cure=cure) from None


def _make_manager(proxy: str, context: ssl.SSLContext | None) -> urllib3.PoolManager:
    """Return what connects to servers, through a proxy unless its URL is empty."""
    manager: urllib3.PoolManager
    if not proxy:
        manager = urllib3.PoolManager(maxsize=_CONNECTIONS, ssl_context=context)
    else:
        if "://" not in proxy:
            proxy = f"http://{proxy}"
        parts = urlsplit(proxy)
        user, _, host = parts.netloc.rpartition("@")
        manager = urllib3.ProxyManager(
            # Without the password, which an error would show.
            parts._replace(netloc=host).geturl(),
            proxy_headers=_login(user),
            maxsize=_CONNECTIONS,
            ssl_context=context,
            proxy_ssl_context=context,
        )
    manager.pool_classes_by_scheme = {**manager.pool_classes_by_scheme, "http": _Pool}
    return manager


def _login(user: str) -> Mapping[str, str]:
    """Return the header for a user's encoded name and password; none without a user."""
    if not user:
        return {}
    name, _, password = user.partition(":")
    return urllib3.make_headers(proxy_basic_auth=f"{unquote(name)}:{unquote(password)}")


def _is_in_network(host: str, network: str) -> bool:
    try:
        return ip_address(host) in ip_network(network, strict=False)
    except ValueError:
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a server answered to one request."""

    url: str
    """As it was requested: what `request_url` returns."""

    status: int
    headers: Mapping[str, str]
    """By name in any case; the values of a repeated header are joined by commas."""

    body: bytes
    """Decompressed; only its beginning if `is_cut`."""

    is_cut: bool
    """Whether the body is longer than the limit of the request."""

    @property
    def retry_after(self) -> float | None:
        """Seconds that the server asks to wait (RFC 9110, section 10.2.3).

        The value is None if the server does not ask.
        """
        value = self.headers.get("Retry-After", "")
        if value.isdecimal():
            return float(value[:9])
        try:
            return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
        except (ValueError, OverflowError):
            return None

    @property
    def redirect(self) -> str:
        """Absolute URL that a redirect names, unchecked.

        The URL is empty if the answer is not a redirect.
        """
        if self.status not in range(300, 400):
            return ""
        location = self.headers.get("Location", "")
        if not location:
            return ""
        try:
            return urljoin(self.url, location)
        except ValueError:  # Not a URL.
            return location


class _SlowBodyError(HTTPError):
    """A body took longer than it may, and would again."""


class Web:
    """Makes requests.

    Several threads can share one. Close it, or use it in a `with` statement.
    """

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
        """Prepare requests; nothing is sent yet.

        Args:
            user_agent: The name of the client, for the servers' logs.
            headers: Sent with each request to `headers_for`; they can be secrets.
            headers_for: Scheme and host, with a slash, of the URLs that get the
                headers.
            timeout: Seconds until an answer begins, with status and headers, and for
                each next bytes. A whole body may take as long, and as long again for
                each 1.7 MB of its limit.
            retries: Further attempts, after a pause, if there is no answer or one that
                can change within seconds; at most ten. If the time for a body ran
                out, there is no further attempt: it would run out again.
            rate: Requests a second, over all threads; None for no limit.
            deadline: The end of all requests together; None for none.
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
        """Return the answer for a URL, with up to `limit` unpacked bytes of its body.

        Raises:
            WebError: No attempt got a whole answer in time.
            TimeUpError: The time for all requests ran out.
        """
        request = partial(self._request, "GET", url, limit)
        return _attempts(request, self._pauses, _usual_pause, self._deadline)

    def post_json(
        self,
        url: str,
        value: object,
        *,
        pauses: Sequence[float],
        pause_of: Callable[[Answer, float], float | None],
        deadline: Deadline,
    ) -> Answer:
        """Send a value as JSON, and return the answer with the beginning of its body.

        Args:
            url: As for `get`.
            value: What JSON can express.
            pauses: Seconds before each further attempt; without any, the value is sent
                once.
            pause_of: Returns the seconds to wait after an answer, given the usual ones;
                None if the answer is final.
            deadline: After it there is no further attempt.

        Raises:
            WebError: The server sent no whole answer in time.
        """
        request = partial(
            self._request, "POST", url, _POST_BYTES, json.dumps(value).encode()
        )
        return _attempts(request, pauses, pause_of, deadline)

    def _request(
        self, method: str, text: str, limit: int, sent: bytes | None = None
    ) -> Answer:
        try:
            url = urls.request_url(text)
        except PageError as error:
            raise WebError(text, f"cannot be requested ({error.problem})") from None
        if not self._deadline.pause(self._turns.take()):
            raise TimeUpError(url, "is not requested, because time ran out")
        try:
            return self._exchange(method, url, limit, sent)
        except (HTTPError, OSError, ValueError) as error:
            if self._deadline.left <= 0:
                why = "gives no answer before time runs out"
                raise TimeUpError(url, why) from error
            reason = CLOCK.problem() or _reason(error)
            raise WebError(url, f"gives no answer: {reason}") from error

    def _exchange(
        self, method: str, url: str, limit: int, sent: bytes | None
    ) -> Answer:
        """Send one request, and read the answer."""
        headers = HTTPHeaderDict()
        if url.startswith(self._headers_for):
            headers.update(self._further_headers)
        headers.update(self._headers)
        if sent is not None:
            headers["Content-Type"] = "application/json"
        # Until status and headers have come, one timeout is for all; then each of the
        # body's next bytes has a timeout of its own, within the time for the whole.
        seconds = min(self._timeout, self._deadline.left)
        CLOCK.start(seconds, seconds)
        with self._connections.request(method, url, headers, sent, seconds) as response:
            whole = self._timeout * (1 + limit / _SLOWEST)
            CLOCK.start(self._timeout, min(whole, self._deadline.left))
            body = bytearray()
            read = partial(response.read, _AT_ONCE, decode_content=True)
            try:
                # urllib3 unpacks no more of a bomb than is read.
                while len(body) <= limit and (part := read()):
                    body += part
            except ReadTimeoutError as error:
                raise _SlowBodyError from error
        return Answer(
            url=url,
            status=response.status,
            headers=response.headers,
            body=bytes(body[:limit]),
            is_cut=len(body) > limit,
        )


def _attempts(
    request: Callable[[], Answer],
    pauses: Sequence[float],
    pause_of: Callable[[Answer, float], float | None],
    deadline: Deadline,
) -> Answer:
    """Send a request again, after pauses, until its answer is final or time is up."""
    for usual in pauses:
        try:
            answer = request()
        except WebError as error:
            is_final = isinstance(error.__cause__, _SlowBodyError)
            if is_final or not deadline.pause(usual):
                raise
        else:
            pause = pause_of(answer, usual)
            if pause is None or not deadline.pause(pause):
                return answer
    return request()


def _usual_pause(answer: Answer, usual: float) -> float | None:
    """Return how long to wait before the next attempt; None if the answer is final."""
    pause = usual if answer.retry_after is None else answer.retry_after
    return pause if answer.status in _TRY_AGAIN and pause <= _LONGEST_PAUSE else None


class _Turns:
    """Spreads requests over time, at most so many a second."""

    def __init__(self, rate: float | None) -> None:
        self._seconds = 1 / rate if rate else 0
        self._lock = threading.Lock()
        self._next = 0.0

    def take(self) -> float:
        """Take the next turn, and return the seconds until it comes."""
        with self._lock:
            turn = max(self._next, time.monotonic())
            self._next = turn + self._seconds
        return max(0, turn - time.monotonic())


def _reason(error: BaseException) -> str:
    """Return the innermost reason in one line; the outer ones repeat the address."""
    inner: BaseException | None = error
    while inner is not None:
        error = inner
        causes = (getattr(error, "reason", None), error.__cause__, *error.args)
        inner = next((each for each in causes if isinstance(each, Exception)), None)
    text = getattr(error, "strerror", "") or str(error)
    return printable(text.partition("\n")[0])
