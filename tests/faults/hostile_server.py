"""A server on loopback that sends any bytes,
and notices when its client disconnects."""

from __future__ import annotations

import re
import socket
import threading
import time
from contextlib import suppress

PATIENCE = 6
"""Seconds for which a server drips:
a client that still listens then would listen forever."""


class HostileServer:
    """Answers each request with `answer(send)`;
    `asked` has the requests, `left` who hung up.

    With `reads=False` it answers without waiting for a request.
    """

    def __init__(self, answer, *, context=None, reads=True):
        self.answer, self.context, self.reads = answer, context, reads
        self.asked, self.left = [], []
        self._socket = socket.create_server(("127.0.0.1", 0))
        # Only on Linux does shutting a listening socket down wake who waits for it.
        self._socket.settimeout(0.1)
        self._has_ended = threading.Event()
        self.port = self._socket.getsockname()[1]
        self.url = f"http{'s' if context else ''}://127.0.0.1:{self.port}/"

    def __enter__(self):
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._has_ended.set()
        self._thread.join()
        self._socket.close()

    def _accept(self):
        while not self._has_ended.is_set():
            with suppress(TimeoutError):
                connection, _ = self._socket.accept()
                connection.settimeout(None)
                threading.Thread(
                    target=self._serve, args=(connection,), daemon=True
                ).start()

    def _serve(self, connection):
        with connection:
            try:
                if self.context is not None:
                    connection = self.context.wrap_socket(connection, server_side=True)
                if self.reads:
                    self.asked.append(_request(connection))
                self.answer(connection.sendall)
                connection.shutdown(socket.SHUT_WR)
                connection.recv(1)
            except OSError as error:
                self.left.append(error)


def _request(connection):
    """Read a request with its body."""
    text = b""
    while b"\r\n\r\n" not in text:
        text += connection.recv(65_536) or b"\r\n\r\n"
    length = re.search(rb"content-length: (\d+)", text, re.IGNORECASE)
    head = text.index(b"\r\n\r\n") + 4
    while length and len(text) < head + int(length[1]):
        text += connection.recv(65_536)
    return text


def dripping(start, piece):
    """Send the beginning at once, then one piece at intervals."""

    def answer(send):
        send(start)
        for _ in range(20 * PATIENCE):
            send(piece)
            time.sleep(0.05)

    return answer


def sending(text):
    """Send all at once."""
    return lambda send: send(text)


def flooding(start, piece):
    """Send the beginning, then more as fast as it is read."""

    def answer(send):
        send(start)
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            send(piece * 1_000)

    return answer


OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
GZIP_START = b"\x1f\x8b\x08\0\0\0\0\0\0\x03"
EMPTY_BLOCK = b"\0\0\0\xff\xff"
"""Of deflate: bytes that are unpacked to none."""

ENDLESS = {
    "a status line": dripping(b"", b"H"),
    "a header": dripping(OK + b"A: ", b"b"),
    "headers": dripping(OK, b"A: b\r\n" + b"A" * 9),
    "100 Continue": dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "a flood of 100 Continue": flooding(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "a chunk's size": dripping(CHUNKED, b"0"),
    "a chunk's extension": dripping(CHUNKED + b"5;", b"a"),
    "chunks of one byte": dripping(CHUNKED, b"1\r\na\r\n"),
    "trailers": dripping(CHUNKED + b"0\r\n", b"A: b\r\n"),
    "a body": dripping(OK + b"\r\n", b"<"),
    "a body of a known length": dripping(OK + b"Content-Length: 1000\r\n\r\n", b"<"),
    "gzip without content": dripping(
        OK + b"Content-Encoding: gzip\r\n\r\n" + GZIP_START, EMPTY_BLOCK
    ),
    "a flood of gzip without content": flooding(
        OK + b"Content-Encoding: gzip\r\n\r\n" + GZIP_START, EMPTY_BLOCK
    ),
    "silence": lambda _: time.sleep(PATIENCE),
}
"""Answers that never end."""
