"""Any bytes from a server give a response or a WebError,
and no redirect to another server.

Run: python tests/fuzz/fuzz_server_answers.py [seconds]
"""

from __future__ import annotations

import contextlib
import socket
import threading
import zlib
from contextlib import suppress
from urllib.parse import urlsplit

from urllib3.util import parse_url

from sitemap_plugins.core.crawlers.robots_txt import Robots
from sitemap_plugins.core.messages import RobotsError, WebError
from sitemap_plugins.core.urls import requestable
from sitemap_plugins.live.server import follow, is_near
from sitemap_plugins.sitemaps.web import Web

LIMIT = 20_000
GZIP = zlib.compressobj(wbits=31)
PACKED = GZIP.compress(b" " * 200_000) + GZIP.flush()
SEEDS = (
    b"HTTP/1.1 200 OK\r\n",
    b"HTTP/1.1 301 x\r\n",
    b"HTTP/1.0 404\r\n",
    b"HTTP/1.1 100 \r\n\r\n",
    b"HTTP/1.1 204 OK\r\n",
    b"HTTP/1.1 304 OK\r\n",
    b"HTTP/9",
    b" ",
    b"\r\n",
    b"\n",
    b"\r\n\r\n",
    b"Content-Length: 5\r\n",
    b"Content-Length: -1\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"Content-Encoding: gzip\r\n",
    b"Content-Encoding: deflate\r\n",
    b"Connection: close\r\n",
    b"Set-Cookie: a=b\r\n",
    b"Retry-After: 1e9\r\n",
    b"Link: <a>; rel=canonical\r\n",
    b"5\r\nhello\r\n0\r\n\r\n",
    b"ffffffffffff\r\n",
    b"-1\r\n",
    b"5;" + b"a" * 100 + b"\r\n",
    b"Location: http://{host}/b\r\n",
    b"Location: http://a.invalid:1\\@{host}/b\r\n",
    b"Location: //a.invalid/\r\n",
    b"Location: http://{host}\\.a.invalid/\r\n",
    b"Location: /\\",
    b"Location: http://a@{host}/\r\n",
    b"Location: http://www.{host}/\r\n",
    b"Location: ",
    b"User-agent: *\nDisallow: /*a\n",
    b"Sitemap: /",
    b"\0",
    b"\xff",
    b"\xc3\xa9",
    b"\t",
    PACKED,
)


class Server:
    """Sends the same bytes to every request, and ends the connection."""

    answer = b""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.host = f"127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            connection, _ = self._socket.accept()
            with contextlib.closing(connection), suppress(OSError):
                connection.recv(65_536)
                connection.sendall(self.answer)
                connection.shutdown(socket.SHUT_WR)
                connection.recv(65_536)


SERVER = Server()
WEB = Web(user_agent="fuzz", timeout=5, retries=0)


def check(data: bytes) -> None:
    """Read the bytes as robots.txt, and as the target of a redirect."""
    ask(data)
    check_url(data.decode("utf-8", "surrogateescape"))


def ask(data: bytes) -> None:
    """Request an address of a server that answers with the bytes,
    and follow its redirects."""
    SERVER.answer = data.replace(b"{host}", SERVER.host.encode())
    address = f"http://{SERVER.host}/robots.txt"
    try:
        trail = follow(WEB, address, limit=LIMIT, may_follow=may_follow)
    except WebError:
        return
    for answer in trail.answers:
        assert 100 <= answer.status <= 999
        assert len(answer.body) <= LIMIT
        assert (
            SERVER.host == urlsplit(answer.url).netloc == parse_url(answer.url).netloc
        )
        assert answer.retry_after is None or answer.retry_after >= 0
    with suppress(RobotsError):
        Robots(trail.last.body, base_url=address, on_read_the_docs=False)


def may_follow(url: str) -> bool:
    """As in `check` for robots.txt, without names that need a lookup."""
    return is_near(url, f"http://{SERVER.host}/") and "www." not in url.lower()


def check_url(text: str) -> None:
    """All parsers find the same host in a URL that can be requested."""
    for url in (text, f"http://{text}", f"http://{SERVER.host}/{text}", f"//{text}"):
        address = requestable(url)
        if address:
            ours, theirs = urlsplit(address), parse_url(address)
            assert (ours.scheme, ours.port) == (theirs.scheme, theirs.port)
            assert (ours.hostname or "") == (theirs.host or "").strip("[]")
            assert requestable(address) == address
            assert address.isascii() and address.isprintable()
            assert not {"\\", "@", " "} & set(ours.netloc)


if __name__ == "__main__":
    from driver import run

    run(check, SEEDS, slowest="é".encode() * 50_000)
