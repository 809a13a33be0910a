"""How git is run: what it gets, how it ends, and what a failure is called."""

from __future__ import annotations

import os
import threading
from contextlib import closing, suppress

import pytest

from sitemap_plugins.core.errors import GitError
from sitemap_plugins.core.git.program import Git
from tests.git_repository import ENVIRON, GitRepository


@pytest.fixture
def fake(tmp_path):
    """Return a function that puts a script in the place of git."""

    def make(script):
        program = tmp_path / "bin" / "git"
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        path = os.pathsep.join([str(program.parent), ENVIRON["PATH"]])
        return Git.at(tmp_path, ENVIRON | {"PATH": path})

    return make


def test_git_gets_what_the_user_set_and_nothing_of_another_repository(tmp_path):
    folder = str(tmp_path)
    kept = {
        "HOME": folder,
        "GIT_CONFIG_GLOBAL": "/global",
        "GIT_CONFIG_SYSTEM": "/system",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": "*",
    }
    dropped = {"GIT_DIR": "/x", "GIT_TRACE": "1", "GIT_EXTERNAL_DIFF": "x", "GIT_CONFIG": "x"}
    path = os.pathsep.join(["bin", ENVIRON["PATH"], ""])
    environ = Git.at(tmp_path, {**kept, **dropped, "LC_ALL": "de_DE", "PATH": path}).environ

    assert {
        **kept,
        "PATH": ENVIRON["PATH"],
        "LC_ALL": "C",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": ":",
    } == {name: value for name, value in environ.items() if value}


@pytest.mark.parametrize("key", ["clean", "process"])
@pytest.mark.parametrize("name", ["mark", "a=b", ""])
def test_each_kind_of_filter_is_switched_off(tmp_path, name, key):
    made = GitRepository(tmp_path / "site")
    made.commit({"a": "1", ".gitattributes": f"a filter={name or 'x'}\n"})
    made.write()
    mark = tmp_path / "mark"
    config = made.folder / ".git" / "config"
    settings = f'[filter "{name}"]\n\t{key} = "touch {mark}"\n'
    config.write_text(f"{config.read_text()}{settings}\trequired = true\n")
    (made.folder / ".git" / "info").mkdir(exist_ok=True)
    (made.folder / ".git" / "info" / "attributes").write_text(f"a filter={name}\n")
    os.utime(made.folder / "a", (0, 0))  # So that git compares its content.
    git = Git.at(made.folder, ENVIRON)

    assert {name.encode()} == git.filters()
    assert b"" == git.run("status", "--porcelain", without=git.filters())
    assert not mark.exists()
    with suppress(GitError):  # `touch` speaks no filter's protocol.
        git.run("status", "--porcelain")
    assert mark.exists()


def test_closing_the_output_ends_git(fake):
    git = fake("head -c 99999 /dev/zero; exec sleep 600")

    with closing(git.stream("log")) as chunks:
        assert bytes(1 << 16) == next(chunks)


def test_nothing_waits_after_git_has_ended(fake):
    before = {*threading.enumerate()}

    fake("exit 0").run("log")

    for thread in {*threading.enumerate()} - before:
        thread.join(60)  # Else the timer would run for two minutes.
        assert not thread.is_alive()


def test_a_failure_is_told_by_its_command(fake):
    with pytest.raises(GitError, match=r"^`git status` failed in .* \(odd\): "):
        fake("echo odd >&2; exit 1").run("status", without=[b"mark"])


def test_the_reason_is_at_the_end_of_a_long_complaint(fake):
    script = "yes warning: a long line | head -n 9999 >&2; echo 'fatal: no room' >&2; exit 1"
    with pytest.raises(GitError, match=r"\(fatal: no room\)"):
        fake(script).run("log")
