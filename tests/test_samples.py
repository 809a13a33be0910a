"""Every sample site, built by its host: its paths, its robots.txt, and a response for every URL."""

from __future__ import annotations

import functools
import http.server
import os
import subprocess
import threading
import urllib.request
from urllib.parse import unquote

import pytest

from sample_sites.build import command, samples
from tests.cli.command import run
from tests.sites import QUIET
from tests.written import locs


@pytest.fixture(params=samples(), ids=lambda sample: sample.name)
def sample(request):
    return request.param


@pytest.fixture
def output_dir(sample, tmp_path):
    done = subprocess.run(
        command(sample.host, sample.variant, tmp_path / "out"),
        cwd=sample.folder,
        env={**os.environ, **QUIET},
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == done.returncode, done.stdout + done.stderr
    return tmp_path / "out"


@pytest.fixture
def serve():
    """Serve a folder on loopback and return its address."""
    servers = []

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments):
            pass

    def start(folder):
        handler = functools.partial(Quiet, directory=os.fspath(folder))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return None


def test_sample_has_the_expected_sitemap(sample, output_dir, serve):
    found = locs((output_dir / "sitemap.xml").read_bytes())
    address = serve(output_dir)
    fetch = urllib.request.build_opener(NoRedirect).open

    assert [unquote(loc.removeprefix(sample.base_url)) for loc in found] == list(sample.paths)
    if sample.robots is not None:
        assert (output_dir / "robots.txt").read_bytes() == sample.robots.encode()
    checked = run(sample.folder, "check", output_dir)
    assert 0 == checked.returncode, checked.out
    # As a crawler asks for it: byte for byte the URL of the sitemap, without a redirect.
    for loc in found:
        with fetch(loc.replace(sample.base_url, address)) as answer:
            assert 200 == answer.status
