"""Repositories that are broken, refused or out for harm: one notice, no date, no mark, no crash."""

from __future__ import annotations

import os
import shutil
import subprocess
from datetime import UTC, datetime

import pytest

from sitemap_plugins.core import lastmod, repository
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.pages import Page
from tests.git_repository import ENVIRON, START, GitRepository

NOW = datetime(2100, 1, 1, tzinfo=UTC)  # Later than files that a test writes.
GIT = shutil.which("git")


@pytest.fixture
def made(tmp_path):
    site = GitRepository(tmp_path / "site")
    attributes = "* diff=mark filter=mark\n*.b filter=a=b\n*.e filter="
    site.commit({".gitattributes": attributes, "a": "1", "c.b": "1", "d.e": "1"})
    site.commit({".gitattributes": attributes, "a": "2", "c.b": "1", "d.e": "1"})
    site.write()
    return site


def resolve(folder, *names, environ=ENVIRON):
    pages = [Page(path=name, sources=(folder / name,)) for name in names]
    return lastmod.resolve(pages, options=Options(), now=NOW, environ=environ)


def at(number):
    return datetime.fromtimestamp(START + 60 * number, UTC)


def notice(found):
    """Return the only notice, where there is no date."""
    assert found.by_path == {}
    assert len(found.notices) == 1
    return found.notices[0].code, found.notices[0].text


def script(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return str(file)


def with_git(folder, text):
    """Return variables that put another program in front of git."""
    script(folder / "git", text)
    return ENVIRON | {"PATH": os.pathsep.join([str(folder), ENVIRON["PATH"]])}


# A repository's own configuration.

PROGRAMS = {
    "core.fsmonitor": "{}",
    "core.pager": "{}",
    "pager.log": "{}",
    "pager.status": "{}",
    "core.editor": "{}",
    "diff.external": "{}",
    "diff.mark.textconv": "{}",
    "diff.mark.command": "{}",
    "filter.mark.clean": "{}",
    "filter.mark.smudge": "{}",
    "filter.mark.process": "{}",
    "filter.mark.required": "true",
    "filter.a=b.clean": "{}",
    "filter.a=b.required": "true",
    "gpg.program": "{}",
    "log.showSignature": "true",
    "alias.log": "!{}",
    "alias.status": "!{}",
    "alias.rev-parse": "!{}",
    "core.sshCommand": "{}",
    "credential.helper": "{}",
}

OUTPUT = {
    "log.showRoot": "false",
    "log.follow": "true",
    "log.diffMerges": "off",
    "log.decorate": "full",
    "log.date": "relative",
    "log.mailmap": "true",
    "format.pretty": "fuller",
    "format.notes": "true",
    "diff.orderFile": "missing",
    "diff.relative": "true",
    "diff.renames": "copies",
    "diff.ignoreSubmodules": "none",
    "diff.noprefix": "true",
    "color.ui": "always",
    "core.abbrev": "4",
    "core.quotePath": "true",
    "status.short": "true",
    "status.branch": "true",
    "status.showStash": "true",
    "status.relativePaths": "true",
    "status.renames": "copies",
    "status.showUntrackedFiles": "no",
}


def test_a_repository_cannot_run_a_program(made, tmp_path):
    mark = tmp_path / "mark"
    program = script(tmp_path / "program", f'echo "$0" "$@" >> {mark}; cat')
    for name, value in PROGRAMS.items():
        made.git("config", name, value.format(program))
    included = made.folder / ".git" / "included"
    included.write_text(f'[filter "mark"]\n\tclean = {program}\n[filter ""]\n\tclean = {program}\n')
    made.git("config", "include.path", "included")
    for hook in ("post-index-change", "fsmonitor-watchman", "reference-transaction"):
        script(made.folder / ".git" / "hooks" / hook, f"echo {hook} >> {mark}")
    for name in ("a", "c.b", "d.e"):  # So that they are compared.
        os.utime(made.folder / name, (NOW.timestamp(), NOW.timestamp()))

    found = resolve(made.folder, "a", "c.b", "d.e")

    assert not mark.exists(), mark.read_text()
    assert found.notices == ()
    assert found.by_path == {"a": at(2), "c.b": at(1), "d.e": at(1)}
    subprocess.run([GIT, "status"], cwd=made.folder, env=ENVIRON, check=False, capture_output=True)
    assert mark.exists()  # Plain git would have run some.


def test_a_file_with_a_filter_that_is_not_run_counts_as_committed(made):
    """As git-crypt's in a clone: without it every file of the checkout would be an edit."""
    made.git("config", "filter.mark.clean", "tr a-z n-za-m")
    made.git("config", "filter.mark.smudge", "tr a-z n-za-m")
    (made.folder / "a").write_text("looks edited")
    (made.folder / "c.b").write_text("is edited")

    found = resolve(made.folder, "a", "c.b")

    assert found.by_path["a"] == at(2)
    assert found.by_path["c.b"] > at(1)


@pytest.mark.parametrize("committer", ["t <t@t>", "t <t@t> soon +0000", "t <t@t> -5 +0000"])
def test_a_commit_whose_time_cannot_be_read_costs_only_its_own_files_their_date(made, committer):
    (made.folder / "a").write_text("3")
    made.git("add", "a")
    tree, parent = made.git("write-tree"), made.git("rev-parse", "HEAD")
    text = f"tree {tree}\nparent {parent}\nauthor t <t@t> 1 +0000\ncommitter {committer}\n\nm\n"
    options = ("-t", "commit", "-w", "--stdin", "--literally")
    made.git("reset", "--quiet", made.git("hash-object", *options, stdin=text.encode()))

    found = resolve(made.folder, "a", "c.b")

    assert (found.by_path, found.notices) == ({"c.b": at(1)}, ())


def test_a_repository_cannot_change_what_git_says(made):
    for name, value in OUTPUT.items():
        made.git("config", name, value)
    (made.folder / "new").write_text("1")

    found = resolve(made.folder, "a", "c.b", "new")

    assert found.notices == ()
    assert found.by_path.keys() == {"a", "c.b", "new"}
    assert found.by_path["a"] == at(2)
    assert found.by_path["c.b"] == at(1)


def test_a_partial_clone_fetches_nothing(made, tmp_path):
    mark = tmp_path / "mark"
    made.git("config", "uploadpack.allowFilter", "true")
    target = tmp_path / "clone"
    url = f"file://{made.folder}"
    made.git("clone", "--quiet", "--filter=tree:0", "--no-checkout", url, str(target))
    program = script(tmp_path / "program", f'echo "$@" >> {mark}; exec git-upload-pack "$@"')
    subprocess.run(
        [GIT, "config", "remote.origin.uploadpack", program], cwd=target, env=ENVIRON, check=True
    )

    code, text = notice(resolve(target, "a"))

    assert code == "git-failed"
    assert str(target) in text
    assert not mark.exists()


def test_a_partial_clone_without_contents_knows_all_dates(made, tmp_path):
    made.git("config", "uploadpack.allowFilter", "true")
    target = tmp_path / "clone"
    made.git("clone", "--quiet", "--filter=blob:none", f"file://{made.folder}", str(target))
    made.git("remote", "add", "gone", "nowhere")

    assert resolve(target, "a", "c.b").by_path == {"a": at(2), "c.b": at(1)}


def test_a_working_tree_elsewhere_gives_no_date(made):
    made.git("config", "core.worktree", "/")

    assert resolve(made.folder, "a").by_path == {}


# Machines and clones that give no answer.


def test_no_git(made, tmp_path):
    code, text = notice(resolve(made.folder, "a", environ={"PATH": str(tmp_path)}))

    assert code == "no-git"
    assert "install" in text


def test_no_git_is_told_once_for_several_repositories(made, tmp_path):
    GitRepository(tmp_path / "other")

    found = resolve(tmp_path, "site/a", "other/a", environ={"PATH": str(tmp_path)})

    assert notice(found)[0] == "no-git"


def test_a_git_that_cannot_be_run(made, tmp_path):
    environ = with_git(tmp_path, "")
    (tmp_path / "git").write_bytes(b"\x7fELF no program")

    assert notice(resolve(made.folder, "a", environ=environ))[0] == "git-failed"


def test_no_repository_is_no_trouble(tmp_path):
    (tmp_path / "a").write_text("1")

    assert resolve(tmp_path, "a").notices == ()


def test_no_commits(tmp_path):
    folder = GitRepository(tmp_path / "empty").folder
    (folder / "a").write_text("1")

    code, text = notice(resolve(folder, "a"))

    assert code == "no-commits"
    assert str(folder) in text


def test_a_folder_that_only_looks_like_a_repository(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "a").write_text("1")

    code, text = notice(resolve(tmp_path, "a"))

    assert code == "git-failed"
    assert "not a git repository" in text


def test_another_users_repository(made, tmp_path):
    environ = with_git(tmp_path, f'GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {GIT} "$@"')

    code, text = notice(resolve(made.folder, "a", environ=environ))

    assert code == "dubious-ownership"
    assert f"git config --global --add safe.directory {made.folder}" in text


def test_another_users_repository_that_the_user_trusts(made, tmp_path):
    environ = with_git(tmp_path, f'GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {GIT} "$@"')
    config = tmp_path / "config"
    config.write_text(f"[safe]\n\tdirectory = {made.folder}\n")

    found = resolve(made.folder, "a", environ=environ | {"GIT_CONFIG_GLOBAL": str(config)})

    assert found.by_path == {"a": at(2)}


@pytest.mark.parametrize("revision", ["HEAD", "HEAD^{tree}", "HEAD^"])
def test_a_corrupt_object(made, revision):
    name = made.git("rev-parse", revision)
    file = made.folder / ".git" / "objects" / name[:2] / name[2:]
    file.chmod(0o644)
    file.write_bytes(b"not zlib")

    code, text = notice(resolve(made.folder, "a", "c.b"))

    assert code == "git-failed"
    assert "git fsck" in text


@pytest.mark.parametrize("call", ["rev-parse", "ls-tree", "log", "status", "config"])
def test_what_git_said_before_it_failed_is_not_used(made, tmp_path, call):
    environ = with_git(tmp_path, f'{GIT} "$@"; case "$*" in *" {call} "*) exit 128;; esac')

    assert notice(resolve(made.folder, "a", "c.b", environ=environ))[0] == "git-failed"


def test_a_git_that_hangs(made, tmp_path, monkeypatch):
    monkeypatch.setattr(repository, "TIMEOUT", 0.3)
    environ = with_git(tmp_path, f'case "$*" in *" log "*) exec sleep 60;; esac; exec {GIT} "$@"')

    code, text = notice(resolve(made.folder, "a", environ=environ))

    assert code == "git-failed"
    assert "took more than" in text


def test_a_chain_of_moves_from_elsewhere_has_an_end(tmp_path, monkeypatch):
    monkeypatch.setattr(repository, "MAX_WALKS", 3)
    made = GitRepository(tmp_path)
    for number in range(10):
        made.commit({f"folder{number}/a": "text", "b": str(number)})
    made.write()

    assert resolve(tmp_path, "folder9/a").by_path == {"folder9/a": at(8)}


def test_clocks_that_differ(tmp_path):
    made = GitRepository(tmp_path)
    first = made.commit({"a": "1", "b": "1"})
    second = made.commit({"a": "2", "b": "1"})
    late = made.commit({"a": "1", "b": "2"}, parents=[first], time=START - 9999)
    made.commit({"a": "2", "b": "2"}, parents=[second, late])
    made.write()

    found = resolve(tmp_path, "a", "b").by_path

    assert found["a"] == at(2)
    assert int(found["b"].timestamp()) == START - 9999
