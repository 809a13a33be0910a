"""How git is run: its environment, its end, and the messages about its failures."""

from __future__ import annotations

import errno
import os
import tempfile
import threading
import time
from contextlib import closing, suppress

import pytest

from sitemap_plugins.core.git import program
from sitemap_plugins.core.git.program import Git, explain
from sitemap_plugins.core.git.repository import Repository
from sitemap_plugins.core.messages import GitError
from tests.git_repository import ENVIRON, GitRepository
from tests.shell_scripts import shell_script


@pytest.fixture
def fake(tmp_path):
    """Return a function that replaces git with a script."""

    def make(script):
        script_file = shell_script(tmp_path / "bin" / "git", script)
        path = os.pathsep.join([str(script_file.parent), ENVIRON["PATH"]])
        return Git.at(tmp_path, ENVIRON | {"PATH": path})

    return make


def test_no_place_for_temporary_files_is_a_failure_of_git(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))

    with pytest.raises(GitError, match="No such file or directory"):
        Git.at(tmp_path, ENVIRON).run("version")


def test_environment_of_git_has_user_settings_and_no_other_repository(tmp_path):
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
    dropped = {
        "GIT_DIR": "/x",
        "GIT_TRACE": "1",
        "GIT_EXTERNAL_DIFF": "x",
        "GIT_CONFIG": "x",
    }
    path = os.pathsep.join(["bin", ENVIRON["PATH"], ""])
    environ = Git.at(
        tmp_path, {**kept, **dropped, "LC_ALL": "de_DE", "PATH": path}
    ).environ

    assert {
        **kept,
        "PATH": ENVIRON["PATH"],
        "LC_ALL": "C",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_GRAFT_FILE": f"{os.devnull}/none",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": ":",
    } == {name: value for name, value in environ.items() if value}


@pytest.mark.parametrize("key", ["clean", "process"])
@pytest.mark.parametrize("name", ["mark", "a=b", ""])
def test_each_kind_of_filter_is_disabled(tmp_path, name, key):
    made = GitRepository(tmp_path / "site")
    made.commit({"a": "1", ".gitattributes": f"a filter={name or 'x'}\n"})
    made.write()
    mark = tmp_path / "mark"
    config = made.folder / ".git" / "config"
    settings = f'[filter "{name}"]\n\t{key} = "touch ../mark"\n'
    config.write_text(f"{config.read_text()}{settings}\trequired = true\n")
    (made.folder / ".git" / "info").mkdir(exist_ok=True)
    (made.folder / ".git" / "info" / "attributes").write_text(f"a filter={name}\n")
    os.utime(made.folder / "a", (0, 0))  # So that git compares its content.
    repository = Repository.open(made.folder, environ=ENVIRON)
    git = repository.git

    assert {name.encode()} == repository.filters
    assert b"" == git.run("status", "--porcelain", without=repository.filters)
    assert not mark.exists()
    with suppress(GitError):  # `touch` speaks no filter's protocol.
        git.run("status", "--porcelain")
    assert mark.exists()


def test_closing_the_output_ends_git(fake):
    git = fake("head -c 99999 /dev/zero; exec sleep 600")

    with closing(git.stream("log")) as chunks:
        assert bytes(1 << 16) == next(chunks)


def test_no_timer_is_left_after_git_has_ended(fake):
    before = {*threading.enumerate()}

    fake("exit 0").run("log")

    for thread in {*threading.enumerate()} - before:
        thread.join(60)  # Else the timer would run for two minutes.
        assert not thread.is_alive()


def test_limit_of_time_ends_what_a_wrapper_started(fake, monkeypatch):
    """As git.exe on Windows, which starts the git that does the work."""
    monkeypatch.setattr(program, "SHORT_TIMEOUT", 0.5)
    start = time.monotonic()

    with pytest.raises(GitError, match="did not finish within"):
        fake("sleep 12; exit").run("version")

    assert time.monotonic() - start < 6


@pytest.mark.parametrize(
    "begin", [lambda git: git.blobs(max_bytes=9), lambda git: git.commits()]
)
def test_reason_is_named_where_a_closed_pipe_is_an_invalid_argument(
    fake, monkeypatch, begin
):
    """As on Windows."""

    def write(_descriptor, _content):
        raise OSError(errno.EINVAL, "Invalid argument")

    git = fake("echo fatal: odd >&2; exit 1")
    monkeypatch.setattr(os, "write", write)

    with pytest.raises(GitError, match=r"\(fatal: odd\)"), begin(git) as ask:
        ask(b"a")


def test_failure_names_its_command(fake):
    with pytest.raises(GitError, match=r"^`git status` failed in .* \(odd\): "):
        fake("echo odd >&2; exit 1").run("status", without=[b"mark"])


def test_reason_is_taken_from_the_end_of_a_long_output(fake):
    script = (
        "yes warning: a long line | head -n 9999 >&2; echo 'fatal: no room' >&2; exit 1"
    )
    with pytest.raises(GitError, match=r"\(fatal: no room\)"):
        fake(script).run("log")


PLACE = "/config repo"


@pytest.mark.parametrize(
    ("command", "said", "sentence"),
    [
        (
            "rev-parse",
            "fatal: detected dubious ownership in repository at '/config repo'",
            (
                "git refuses to read /config repo, which belongs to another user: if you trust it, "
                "run `git config --global --add safe.directory '/config repo'`"
            ),
        ),
        (
            "log",
            "warning: lazy fetching disabled\nfatal: could not fetch 1 from promisor remote",
            (
                "the clone in /config repo lacks the folders of its history: run "
                "`git fetch --refetch --filter=blob:none` there, or clone without `--filter=tree:0`"
            ),
        ),
        (
            "status",
            "fatal: could not fetch 1 from promisor remote",
            (
                "the clone in /config repo lacks a file that git needs: run `git status` there, "
                "to fetch it"
            ),
        ),
        (
            "rev-parse",
            "fatal: not a git repository: ../.git/modules/docs",
            (
                "the `.git` in /config repo is not a repository, or leads to none (fatal: not a "
                "git repository: ../.git/modules/docs): clone again, or copy the repository that "
                "it leads to"
            ),
        ),
        (
            "rev-parse",
            "fatal: not a git repository (or any of the parent directories): .git",
            (
                "git finds no repository in /config repo (fatal: not a git repository (or "
                "any of the parent directories): .git): run this in a clone of the "
                "repository, with its `.git` folder"
            ),
        ),
        (
            "log",
            "fatal: unknown repository extension found:\n\tfuture\n",
            (
                "git cannot use its configuration for /config repo (fatal: unknown repository "
                "extension found: future): correct that setting"
            ),
        ),
        (
            "config",
            "error: unknown option `show-scope'\nusage: git config [<options>]\n",
            (
                "git is too old for /config repo (error: unknown option `show-scope'): "
                "update it to 2.31 or later"
            ),
        ),
        (
            "log",
            "error: inflate: data stream error\nfatal: loose object 1 is corrupt",
            (
                "git cannot read the repository in /config repo (fatal: loose object 1 is corrupt):"
                " run `git fsck` there, or clone again"
            ),
        ),
        (
            "status",
            "fatal: cannot chdir to '/config repo': Permission denied",
            (
                "`git status` failed in /config repo (fatal: cannot chdir to '/config repo': "
                "Permission denied): run it there, and fix what it reports"
            ),
        ),
        (
            "config",
            "",
            (
                "`git config` failed in /config repo (no message): run it there, and fix what "
                "it reports"
            ),
        ),
        (
            "status",
            "\nwarning: x\n",
            (
                "`git status` failed in /config repo (no message): run it there, and fix what "
                "it reports"
            ),
        ),
    ],
)
def test_each_cause_has_its_cure(command, said, sentence):
    if os.name == "nt":  # Its shell knows no other quotes.
        sentence = sentence.replace(f"directory '{PLACE}'", f'directory "{PLACE}"')
    error = explain(said.encode(), command=command, place=PLACE)

    assert sentence == str(error)
    assert error.code == ("dubious-ownership" if "dubious" in said else "git-failed")


def test_long_output_is_shortened():
    text = str(explain(b"fatal: " + b"\xff{}" * 1000, command="log", place="/a"))

    assert len(text) < 300


@pytest.mark.parametrize(
    ("limit", "in_time", "late"),
    [
        ("SHORT_TIMEOUT", "log", "rev-parse"),
        ("SHORT_TIMEOUT", "cat-file", "version"),
        ("TIMEOUT", "version", "diff-tree"),
    ],
)
def test_only_commands_that_read_the_history_have_the_long_limit(
    fake, monkeypatch, limit, in_time, late
):
    monkeypatch.setattr(program, limit, 0.1)
    git = fake(f'case "$*" in *{late}*) exec sleep 10;; esac; echo done')

    assert b"done\n" == git.run(in_time)
    with pytest.raises(GitError, match="seconds"):
        git.run(late)
