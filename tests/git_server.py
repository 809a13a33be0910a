"""Serve repositories over HTTP on loopback with git's own `http-backend`,
well or badly."""

from __future__ import annotations

import secrets
import socket
import ssl
import subprocess
import threading
from base64 import b64encode
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tests.git_repository import ENVIRON

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

USER, PASSWORD = "reader", "pass/w@rd-2f1c"
HEADER = f"Authorization: Basic {b64encode(f'{USER}:{PASSWORD}'.encode()).decode()}"


class Handler(BaseHTTPRequestHandler):
    """A CGI server for one program, with the faults that the test chooses."""

    protocol_version = "HTTP/1.1"
    """Which keeps a connection for further requests."""

    def do_GET(self):
        self.do_POST()

    def do_POST(self):
        """Answer as git's own server does, unless the server's `fault` does."""
        self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        name, _, path = self.path[1:].partition("/")
        if name != self.server.name:
            self.server.strangers.append(self.path)
            self.send(421, f"this is {self.server.url}".encode())
            return
        self.path = f"/{path}"
        self.server.requests.append((self.command, self.path, dict(self.headers)))
        if (
            self.server.password
            and self.headers.get("Authorization") != HEADER.split(": ")[1]
        ):
            self.send(401, b"", {"WWW-Authenticate": 'Basic realm="git"'})
        elif not (self.server.fault and self.server.fault(self)):
            self.send(*self.of_backend(self.body))

    def of_backend(self, body):
        """Return status, body and headers of git's answer."""
        path, _, query = self.path.partition("?")
        names = {
            "Content-Encoding": "HTTP_CONTENT_ENCODING",
            "Git-Protocol": "GIT_PROTOCOL",
        }
        if self.server.protocol == 0:
            del names["Git-Protocol"]
        environ = ENVIRON | {
            "GIT_PROJECT_ROOT": str(self.server.folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
        }
        environ["GIT_CONFIG_COUNT"] = str(len(self.server.settings))
        for number, (key, value) in enumerate(self.server.settings.items()):
            environ |= {
                f"GIT_CONFIG_KEY_{number}": key,
                f"GIT_CONFIG_VALUE_{number}": value,
            }
        environ |= {
            new: self.headers[old] for old, new in names.items() if old in self.headers
        }
        command = ["git", "http-backend"]
        answer = subprocess.run(
            command, input=body, env=environ, capture_output=True, check=False
        )
        head, _, content = answer.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        return int(headers.pop("Status", "200").split()[0]), content, headers

    def send(self, status, body=b"", headers=()):
        """Send an answer."""
        self.send_response(status)
        for name, value in {"Content-Length": len(body), **dict(headers)}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.server.sent += len(body)
        self.wfile.write(body)

    def log_message(self, text, *values):
        """Print the request, for pytest to show if the test fails."""
        print(f"{self.server.url}: {text % values}")


class ProxyHandler(BaseHTTPRequestHandler):
    """Passes requests on, or whole connections."""

    def do_CONNECT(self):
        port = int(self.path.rpartition(":")[2])
        self.server.ports.append(port)
        with socket.create_connection(("127.0.0.1", port)) as other:
            self.send_response(200)
            self.end_headers()
            threading.Thread(
                target=pump, args=(other, self.connection), daemon=True
            ).start()
            pump(self.connection, other)

    def do_GET(self):
        self.do_POST()

    def do_POST(self):
        parts = urlsplit(self.path)
        self.server.ports.append(parts.port)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        connection = HTTPConnection(parts.hostname, parts.port)
        path = f"{parts.path}?{parts.query}".removesuffix("?")
        connection.request(self.command, path, body, dict(self.headers))
        answer = connection.getresponse()
        content = answer.read()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        """Print nothing."""


def pump(source, target):
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)


class Proxy(ThreadingHTTPServer):
    """A proxy on loopback; `ports` has those that it was asked to reach."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), ProxyHandler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.ports = []

    def __enter__(self):
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    def handle_error(self, *_):
        """Print nothing if git hangs up."""


class Server(ThreadingHTTPServer):
    """A server of the repositories in a folder."""

    daemon_threads = True
    password = False
    """Whether it wants `USER` and `PASSWORD`."""
    protocol = 2
    fault = None
    """Takes the handler; returns whether it has answered the request."""

    def __init__(self, folder: Path) -> None:
        """Listen on a free port."""
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder = folder
        self.name = secrets.token_hex(4)
        """Of the only folder that it serves,
        so that no test takes another one's server for its."""
        self.url = f"http://127.0.0.1:{self.server_port}/{self.name}/"
        self.requests, self.strangers = [], []
        self.sent = 0
        """Bytes of all answers."""
        self.settings = {}
        """Of git's configuration."""
        self.ended = threading.Event()
        """Set at the end of the test, for faults that wait."""

    def use(self, certificate) -> None:
        """Speak TLS from now on."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        certificate.configure_cert(context)
        self.socket = context.wrap_socket(self.socket, server_side=True)
        self.url = self.url.replace("http:", "https:")

    @property
    def fetches(self) -> int:
        """How many times objects were fetched."""
        return sum(
            "git-upload-pack" in path and method == "GET"
            for method, path, _ in self.requests
        )

    def handle_error(self, *_):
        """Print nothing if git hangs up."""


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """Serve all repositories in a folder."""
    with Server(folder) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield server
        finally:
            server.ended.set()
            server.shutdown()
        assert [] == server.strangers, (
            f"requests for other servers came to {server.url}"
        )


def read_all(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every file below a folder."""
    return {
        str(file): file.read_bytes() for file in folder.rglob("*") if file.is_file()
    }
