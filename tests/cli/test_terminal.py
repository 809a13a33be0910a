"""What people see in a terminal: a sign of life, wrapped lines, links."""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

import pytest

from tests.check.checked_site import url, urlset
from tests.folder.html_folder import BASE, commit, page, write
from tests.full import FULL, full, usually
from tests.moved.test_command import site as moved_site
from tests.sitemaps.loopback import Handler, serving
from tests.versions.test_command import FILES as VERSIONS

pty = pytest.importorskip("pty")
fcntl = pytest.importorskip("fcntl")
termios = pytest.importorskip("termios")

ENOUGH = 60
"""Seconds after which nothing more can be expected."""

SEQUENCE = re.compile(r"\x1b\[([?\d;]*)([A-Za-z])|\x1b\]8;[^;]*;([^\x1b]*)\x1b\\")

GIT = """\
#!/bin/sh
while [ ! -e {released} ]; do sleep 0.05; done
exec {git} "$@"
"""

moved_site = moved_site  # noqa: PLW0127 pytest finds fixtures by their names here


class Terminal(NamedTuple):
    """A program's terminal, its end for the test, and the program."""

    program: subprocess.Popen
    master: int
    seen: bytearray

    def read_until(self, text):
        """Read what the program shows, until that appears."""
        while text.encode() not in self.seen:
            assert self._read(), f"{text!r} is not in {bytes(self.seen)!r}"

    def rest(self):
        """Read to the end; return the exit code."""
        while self._read():
            pass
        return self.program.wait(ENOUGH)

    def _read(self):
        ready, _, _ = select.select([self.master], [], [], ENOUGH)
        try:
            found = os.read(self.master, 4096) if ready else b""
        except OSError:  # Linux says so at the end.
            found = b""
        self.seen.extend(found)
        return found

    def screen(self):
        """Return what stands on the screen now, in lines, without styles."""
        return on_screen(self.seen.decode(errors="replace"))


@contextmanager
def terminal(folder, *arguments, columns=80, stdout=None, stderr=None, **environ):
    """Run the command in a terminal of so many columns."""
    master, slave = pty.openpty()
    size = (50).to_bytes(2, sys.byteorder) + columns.to_bytes(2, sys.byteorder)
    fcntl.ioctl(slave, termios.TIOCSWINSZ, size + bytes(4))
    usual = {"TERM": "xterm-256color", "PYTHONPATH": "", "PATH": os.environ["PATH"]}
    program = subprocess.Popen(
        [sys.executable, "-P", "-m", "sitemap_plugins", *map(str, arguments)],
        cwd=folder,
        stdin=slave,
        stdout=slave if stdout is None else stdout,
        stderr=slave if stderr is None else stderr,
        env={**usual, **environ},
        # A shell's background jobs, and what they start, ignore Ctrl-C.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 no thread of ours runs
    )
    os.close(slave)
    try:
        yield Terminal(program, master, bytearray())
    finally:
        program.kill()
        program.wait()
        os.close(master)


def on_screen(text):
    """Return the lines that a terminal shows after a text; none is longer than it."""
    lines, row, column = [""], 0, 0
    at = 0
    while at < len(text):
        sequence = SEQUENCE.match(text, at)
        if sequence:
            at = sequence.end()
            if sequence[2] == "K":
                assert sequence[1] == "2"
                lines[row] = ""
            elif sequence[2] == "A":
                row -= int(sequence[1] or 1)
            else:
                assert sequence[2] in {None, "m", "h", "l"}
            continue
        letter = text[at]
        at += 1
        if letter == "\r":
            column = 0
        elif letter == "\n":
            row += 1
            lines += [""] * (row == len(lines))
        else:
            line = lines[row].ljust(column)
            lines[row] = line[:column] + letter + line[column + 1 :]
            column += 1
    return lines


class Slow(Handler):
    """Answers once the test lets it."""

    def do_GET(self):  # noqa: N802 http.server's name
        self.server.released.wait(ENOUGH)
        super().do_GET()


@pytest.fixture
def server(tmp_path):
    write(
        tmp_path, {"served/robots.txt": "", "served/index.html": page("http://a.test/")}
    )
    with serving(tmp_path / "served") as server:
        server.RequestHandlerClass = Slow
        server.released = threading.Event()
        listed = urlset(url("").replace(BASE, server.url))
        write(tmp_path, {"served/sitemap.xml": listed, "old.xml": urlset()})
        try:
            yield server
        finally:
            server.released.set()


OF_SERVERS = {
    "check": (["check", "{url}"], "Reading the server's sitemap"),
    "diff": (["diff", "{url}sitemap.xml", "old.xml"], "Reading the old sitemap"),
    "merge": (
        ["merge", "all.xml", "{url}sitemap.xml", "--base-url", "{url}"],
        "Reading sitemaps",
    ),
    "notify": (
        ["notify", "{url}sitemap.xml", "--since", "old.xml", "--dry-run"],
        "Reading sitemaps",
    ),
}


@pytest.mark.parametrize("columns", [80, full(120)])
@pytest.mark.parametrize("command", usually(OF_SERVERS, "check", "merge"))
def test_waiting_for_a_server_is_shown(tmp_path, server, command, columns):
    arguments, step = OF_SERVERS[command]
    arguments = [each.format(url=server.url) for each in arguments]
    with terminal(tmp_path, *arguments, columns=columns) as shown:
        shown.read_until(step)
        server.released.set()
        assert shown.rest() in {0, 1}

        assert step not in "\n".join(shown.screen())
        assert all(len(line) <= columns for line in shown.screen())


def slow_git(folder):
    """Return the variable PATH with a git that waits for the file `released`."""
    program = folder / "bin" / "git"
    git = shutil.which("git")
    text = GIT.format(git=git, released=folder / "released")
    write(folder, {"bin/git": text})
    program.chmod(0o755)
    return f"{program.parent}{os.pathsep}{os.environ['PATH']}"


OF_GIT = {
    "build": (["build", "site", "--base-url", BASE], "Looking for pages"),
    "check": (["check", "site", "--base-url", BASE], "Checking the folder"),
    "redirects": (["redirects", "HEAD~1", "site"], "Looking for pages"),
}


@pytest.mark.parametrize("command", usually(OF_GIT, "build"))
def test_waiting_for_git_is_shown(moved_site, command):
    write(moved_site, {"site/sitemap.xml": urlset(url(""))})
    arguments, step = OF_GIT[command]
    with terminal(moved_site, *arguments, PATH=slow_git(moved_site)) as shown:
        shown.read_until(step)
        (moved_site / "released").touch()
        assert shown.rest() in {0, 1}

        screen = "\n".join(shown.screen())
        assert step not in screen
        assert "━" not in screen
        assert screen.strip()


@FULL
def test_versions_shows_what_it_does(tmp_path):
    write(tmp_path, VERSIONS)
    commit(tmp_path, "versions.json")
    arguments = ("versions", ".", "--write", "--force")
    with terminal(tmp_path, *arguments, PATH=slow_git(tmp_path)) as shown:
        shown.read_until("Reading the default version")
        (tmp_path / "released").touch()
        shown.rest()

        assert "Reading the default version" not in "\n".join(shown.screen())


def test_count_of_requests_is_shown(tmp_path, server):
    """The first requests are answered, and the others wait for the test."""
    every = [url(f"{n}/").replace(BASE, server.url) for n in range(3_000)]
    write(tmp_path, {"served/sitemap.xml": urlset(*every)})
    server.released.set()
    with terminal(tmp_path, "check", server.url, "--rate", "50") as shown:
        shown.read_until("Requesting URLs")
        shown.read_until("3%")
        shown.read_until("0:0")
        assert len(max(shown.screen(), key=len)) <= 80


@FULL
def test_data_of_programs_is_alone_on_standard_output(tmp_path, server):
    arguments = ["check", server.url, "--format", "json"]
    with terminal(tmp_path, *arguments, stdout=subprocess.PIPE) as shown:
        shown.read_until("Reading the server's sitemap")
        server.released.set()
        shown.rest()

        assert json.loads(shown.program.stdout.read())["urls"] == 1
        assert not any(shown.screen())


@pytest.mark.parametrize(
    "environ",
    [{"CI": "true"}, full({"GITHUB_ACTIONS": "true"}), full({"TERM": "dumb"})],
)
def test_services_and_dumb_terminals_get_no_sign(tmp_path, server, environ):
    with terminal(tmp_path, "check", server.url, **environ) as shown:
        threading.Timer(2, server.released.set).start()
        shown.rest()

        assert b"Reading" not in shown.seen
        assert b"\x1b[?25l" not in shown.seen


@FULL
def test_quiet_command_and_file_for_messages_get_no_sign(tmp_path, server):
    for more in ({"stderr": subprocess.PIPE}, {}):
        quiet = [] if more else ["-q"]
        with terminal(tmp_path, "check", server.url, *quiet, **more) as shown:
            threading.Timer(2, server.released.set).start()
            shown.rest()
            if more:
                assert b"" == shown.program.stderr.read()

            assert b"Reading the" not in shown.seen


def test_interrupted_command_leaves_no_sign(tmp_path, server):
    arguments = ("diff", f"{server.url}sitemap.xml", "old.xml")
    with terminal(tmp_path, *arguments) as shown:
        shown.read_until("Reading the old sitemap")
        shown.program.send_signal(2)
        assert 130 == shown.rest()

        assert ["Aborted!"] == [line for line in shown.screen() if line]
        assert shown.seen.rfind(b"\x1b[?25h") > shown.seen.rfind(b"\x1b[?25l")


@pytest.mark.parametrize("columns", [80, full(120)])
def test_long_lines_are_wrapped_and_hang(tmp_path, columns):
    long = f"{BASE}{'a-name/' * 6}#x"
    bad = [f"<url><loc>{long}</loc></url>", url("a/", "2024-13-01"), url("b/", "2999")]
    write(tmp_path, {"sitemap.xml": urlset(*bad)})
    with terminal(tmp_path, "check", "sitemap.xml", columns=columns) as shown:
        shown.rest()
        lines = shown.screen()

    assert all(len(line) <= columns for line in lines)
    begins = [len(line) - len(line.lstrip()) for line in lines if line]
    assert {0, 2, 4} == set(begins)


def test_errors_are_wrapped_too(tmp_path):
    with terminal(tmp_path, "check", "no-file.xml", columns=40) as shown:
        assert 2 == shown.rest()

        lines = shown.screen()
    assert lines[0].startswith("Error: ")
    assert lines[1].startswith("  ")
    assert all(len(line) <= 40 for line in lines)


@pytest.mark.parametrize("columns", [80, full(120)])
def test_long_url_stays_whole(tmp_path, columns):
    long = f"{BASE}{'long-name/' * 20}#x"
    write(tmp_path, {"sitemap.xml": urlset(f"<url><loc>{long}</loc></url>")})
    with terminal(tmp_path, "check", "sitemap.xml", columns=columns) as shown:
        shown.rest()

    assert long in shown.seen.decode()


def test_summary_is_last_with_the_time(tmp_path):
    write(tmp_path, {"sitemap.xml": urlset(url("a/#x"))})
    with terminal(tmp_path, "check", "sitemap.xml") as shown:
        shown.rest()

    *_, last = (line for line in shown.screen() if line)
    assert re.fullmatch(r"1 URL in 1 file: 1 error \(\d+\.\d\d s\)", last.strip())


@FULL
def test_pipe_gets_long_lines(tmp_path):
    write(tmp_path, {"sitemap.xml": urlset(url("a/#x"))})
    arguments = ("check", "sitemap.xml")
    with terminal(tmp_path, *arguments, stdout=subprocess.PIPE, columns=30) as shown:
        shown.rest()
        lines = shown.program.stdout.read().decode().splitlines()

    assert any(len(line) > 60 for line in lines)
