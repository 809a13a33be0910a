"""A web server on loopback: a folder as GitHub Pages serves it,
and an endpoint of IndexNow."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Handler(BaseHTTPRequestHandler):
    """Answers from the folder, or as the test says."""

    def do_GET(self):
        path = unquote(urlsplit(self.path).path)
        self.server.gets.append(path)
        if path in self.server.answers:
            self.send(*self.server.answers[path])
            return
        file = self.server.folder / path.strip("/")
        if file.is_dir() and not path.endswith("/"):
            self.send(301, b"", {"Location": f"{path}/"})
            return
        file = file / "index.html" if file.is_dir() else file
        self.send(*((200, file.read_bytes()) if file.is_file() else (404, b"not here")))

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.posts.append((self.path, body))
        answers = self.server.post_answers
        self.send(*(answers.pop(0) if answers else (200,)))

    def send(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, value in {"Content-Length": len(body), **dict(headers)}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextmanager
def serving(folder: Path) -> Iterator[ThreadingHTTPServer]:
    """Serve a folder, as `url`.

    `answers` has the status, body and headers of paths, `post_answers` of each POST in
    turn; what was asked for is in `gets` and `posts`.
    """
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        server.folder = folder
        server.url = f"http://127.0.0.1:{server.server_port}/"
        server.gets, server.posts, server.post_answers, server.answers = [], [], [], {}
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
