"""A site without a fault on a server of its own, to put one in, and its check."""

from __future__ import annotations

import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from sitemap_plugins.check.run import CheckOptions
from sitemap_plugins.live.check import LiveOptions, check_file_live, check_live
from tests.check.checked_site import MOMENTS, NOW, url, urlset
from tests.folder.html_folder import page, untracked

HTML = {"Content-Type": "text/html; charset=utf-8"}
XML = {"Content-Type": "application/xml"}
TEXT = {"Content-Type": "text/plain"}
PATHS = ("", "a/", "b/")
MADE_UP = re.compile(r"/(?:.*/)?[0-9a-f]{32}/")
"""The address without a page that each check requests once."""


class Handler(BaseHTTPRequestHandler):
    """Answers with what the site has at a path:
    a triple, or a function of the request."""

    def do_GET(self):
        site = self.server.site
        if not MADE_UP.fullmatch(self.path):
            site.asked.append(self.path)
        site.requests.append(self)
        answer = site.answers.get(self.path, site.answer_for_others)
        if callable(answer):
            answer = answer(self)
        if answer is not None:
            self.send(*answer)

    def send(self, status, headers, body=b""):
        body = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class LiveSite:
    """The site: `answers` by path, and the paths that were asked for,
    but for the one that is made up."""

    def __init__(self, port):
        self.url = f"http://127.0.0.1:{port}/"
        self.asked = []
        self.answer_for_others = (404, {}, b"nothing here")
        self.requests = []
        self.answers = {
            "/robots.txt": (200, TEXT, f"Sitemap: {self.url}sitemap.xml\n"),
            **{f"/{path}": (200, HTML, page(self.url + path)) for path in PATHS},
        }
        self.list(*self.entries())

    def entries(self, *more):
        known = zip(PATHS, MOMENTS, strict=False)
        return [url(path, moment, base=self.url) for path, moment in known] + [
            url(path, base=self.url) for path in more
        ]

    def list(self, *entries, path="/sitemap.xml"):
        self.answers[path] = (200, XML, urlset(*entries))

    def robots(self, text):
        self.answers["/robots.txt"] = (
            200,
            TEXT,
            f"Sitemap: {self.url}sitemap.xml\n{text}",
        )


class LiveServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.site = LiveSite(self.server_port)

    def __enter__(self):
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    def handle_error(self, *_):
        pass


def live_options(**wanted):
    usual = {"concurrency": 3, "rate": 1_000, "timeout": 0.5, "retries": 0}
    return LiveOptions(user_agent="test/1", **{"headers": {}, **usual, **wanted})


def live_result(target, **wanted):
    return check_live(
        target, CheckOptions(now=NOW), live_options(**wanted), track=untracked
    )


def live_file_result(file, **wanted):
    options = live_options(**wanted)
    return check_file_live(
        file, file.name, CheckOptions(now=NOW), options, track=untracked
    )
