"""The end of a program and of all that it started; most is in tests/faults."""

from __future__ import annotations

import select
import subprocess

from sitemap_plugins.core.git import supervisor
from sitemap_plugins.core.git.supervisor import end_group
from tests.held_files import WINDOWS
from tests.shell_scripts import shell_script


def test_taskkill_of_windows_ends_what_a_wrapper_started(tmp_path, monkeypatch):
    """As cmd/git.exe of Git for Windows is one."""
    wrapper = shell_script(tmp_path / "git", "sleep 60; exit")
    ending = 'test "$*" = "/T /F /PID $4" && kill -9 "-$4"'
    shell_script(tmp_path / "System32/taskkill.exe", ending)
    monkeypatch.setenv("SYSTEMROOT", str(tmp_path))
    monkeypatch.setattr(supervisor, "sys", WINDOWS)
    pipe = subprocess.PIPE
    with subprocess.Popen([wrapper], stdout=pipe, process_group=0) as process:
        end_group(process)
        # What still lives holds the pipe open.
        ended, _, _ = select.select([process.stdout], [], [], 20)

    assert ended
