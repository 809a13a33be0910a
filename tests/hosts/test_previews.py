"""Generators that build again after each change fetch no history."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time

import pytest

from tests.full import full
from tests.git_repository import ENVIRON, GitRepository
from tests.git_server import serving
from tests.sites import QUIET, MkDocs, Pelican, Site


@pytest.mark.parametrize(
    ("host", "arguments"),
    [
        (MkDocs(), ("mkdocs", "serve", "-f", "mkdocs.yml", "-a", "127.0.0.1:{port}")),
        full(
            Pelican(), ("pelican", "content", "-s", "pelicanconf.py", "-o", "out", "-r")
        ),
        full(
            Pelican(),
            ("pelican", "content", "-s", "pelicanconf.py", "-o", "out", "--autoreload"),
        ),
    ],
)
def test_previews_fetch_no_history(host, arguments, tmp_path):
    origin, site = (
        GitRepository(tmp_path / "served/site"),
        Site(options={"fetch_history": True}),
    )
    host.write(site, origin.folder)
    origin.git("add", ".")
    for _ in range(2):
        origin.git("commit", "--quiet", "--allow-empty", "-m", "x")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with serving(tmp_path / "served") as server:
        clone, log = tmp_path / "clone", tmp_path / "log"
        origin.git(
            "clone", "--quiet", "--depth=1", f"{server.url}site/.git", str(clone)
        )
        server.requests.clear()
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", *(word.format(port=port) for word in arguments)],
                cwd=clone,
                env={
                    **os.environ,
                    **ENVIRON,
                    **QUIET,
                    "PYTHONUNBUFFERED": "1",
                },
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        try:
            end = time.monotonic() + 60
            while (
                "sitemap.xml: 2 pages" not in log.read_text() and time.monotonic() < end
            ):
                time.sleep(0.1)
        finally:
            process.kill()
            process.wait()

    assert "the clone is shallow" in log.read_text(), log.read_text()
    assert [] == server.requests
