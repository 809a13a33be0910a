"""Broken, refused and hostile repositories give one notice and no date,
and run no program."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from sitemap_plugins import GitCache, Options, Page, Site, generate
from sitemap_plugins.core.dates import lastmod
from sitemap_plugins.core.generate import find_page_dates
from sitemap_plugins.core.git import program, repository, walk
from sitemap_plugins.core.messages import GitError
from tests.checked import checked, environment
from tests.git_repository import ENVIRON, START, GitRepository
from tests.shell_scripts import shell_script

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
    return lastmod.resolve(
        [checked(page) for page in pages],
        options=Options(),
        environment=environment(environ, now=NOW),
    )


def at(number):
    return datetime.fromtimestamp(START + 60 * number, UTC)


def notice(found):
    """Return the only notice, and check that there is no date."""
    assert {} == found.by_path
    assert 1 == len(found.notices)
    return found.notices[0].code, found.notices[0].text


def script(file, text):
    return str(shell_script(file, text))


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
    "i18n.logOutputEncoding": "UTF-16",
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


def test_repository_cannot_run_a_program(made, tmp_path):
    mark = tmp_path / "mark"
    program = script(tmp_path / "program", f'echo "$0" "$@" >> {mark}; cat')
    for name, value in PROGRAMS.items():
        made.git("config", name, value.format(program))
    included = made.folder / ".git" / "included"
    included.write_text(
        f'[filter "mark"]\n\tclean = {program}\n[filter ""]\n\tclean = {program}\n'
    )
    made.git("config", "include.path", "included")
    for hook in ("post-index-change", "fsmonitor-watchman", "reference-transaction"):
        script(made.folder / ".git" / "hooks" / hook, f"echo {hook} >> {mark}")
    for name in ("a", "c.b", "d.e"):  # So that they are compared.
        os.utime(made.folder / name, (NOW.timestamp(), NOW.timestamp()))

    found = resolve(made.folder, "a", "c.b", "d.e")

    assert not mark.exists(), mark.read_text()
    assert () == found.notices
    assert {"a": at(2), "c.b": at(1), "d.e": at(1)} == found.by_path
    subprocess.run(
        [GIT, "status"], cwd=made.folder, env=ENVIRON, check=False, capture_output=True
    )
    assert mark.exists()  # Plain git would have run some.


def test_file_with_a_disabled_filter_is_not_an_edit(made):
    """Without this, every file of a clone with git-crypt would be an edit."""
    made.git("config", "filter.mark.clean", "tr a-z n-za-m")
    made.git("config", "filter.mark.smudge", "tr a-z n-za-m")
    (made.folder / "a").write_text("looks edited")
    (made.folder / "c.b").write_text("is edited")

    found = resolve(made.folder, "a", "c.b")

    assert at(2) == found.by_path["a"]
    assert found.by_path["c.b"] > at(1)


@pytest.mark.parametrize(
    "committer", ["t <t@t>", "t <t@t> soon +0000", "t <t@t> -5 +0000"]
)
def test_commit_with_an_unreadable_time_affects_only_its_own_files(made, committer):
    (made.folder / "a").write_text("3")
    made.git("add", "a")
    tree, parent = made.git("write-tree"), made.git("rev-parse", "HEAD")
    text = f"tree {tree}\nparent {parent}\nauthor t <t@t> 1 +0000\ncommitter {committer}\n\nm\n"
    options = ("-t", "commit", "-w", "--stdin", "--literally")
    made.git("reset", "--quiet", made.git("hash-object", *options, stdin=text.encode()))

    found = resolve(made.folder, "a", "c.b")

    assert ({"c.b": at(1)}, ()) == (found.by_path, found.notices)


def test_repository_cannot_change_the_output_of_git(made):
    for name, value in OUTPUT.items():
        made.git("config", name, value)
    (made.folder / "new").write_text("1")

    found = resolve(made.folder, "a", "c.b", "new")

    assert ["no-source"] == [
        notice.code for notice in found.notices
    ]  # It was never committed.
    assert {"a", "c.b"} == found.by_path.keys()
    assert at(2) == found.by_path["a"]
    assert at(1) == found.by_path["c.b"]


@pytest.mark.parametrize(
    "target", ["/proc/self/environ", "/proc/kmsg", "../secret", "/dev/zero"]
)
def test_committed_link_is_not_followed(made, tmp_path, target):
    (tmp_path / "secret").write_text("secret")
    made.commit({"a": "3", ".git-blame-ignore-revs": (b"120000", target)})
    made.write()

    found = resolve(made.folder, "a")

    assert {"a": at(3)} == found.by_path
    assert ["ignore-revs"] == [notice.code for notice in found.notices]
    assert "secret" not in found.notices[0].text


def test_partial_clone_fetches_nothing(made, tmp_path):
    mark = tmp_path / "mark"
    made.git("config", "uploadpack.allowFilter", "true")
    target = tmp_path / "clone"
    url = f"file://{made.folder}"
    made.git("clone", "--quiet", "--filter=tree:0", "--no-checkout", url, str(target))
    program = script(
        tmp_path / "program", f'echo "$@" >> {mark}; exec git-upload-pack "$@"'
    )
    subprocess.run(
        [GIT, "config", "remote.origin.uploadpack", program],
        cwd=target,
        env=ENVIRON,
        check=True,
    )

    code, text = notice(resolve(target, "a"))

    assert "git-failed" == code
    assert f"in {target} lacks the folders of its history" in text
    assert not mark.exists()


def test_cure_for_a_clone_without_folders_works(made, tmp_path):
    made.git("config", "uploadpack.allowFilter", "true")
    target = tmp_path / "clone"
    made.git(
        "clone", "--quiet", "--filter=tree:0", f"file://{made.folder}", str(target)
    )

    cure = notice(resolve(target, "a"))[1].split("`")[1]
    assert "git fetch --refetch --filter=blob:none" == cure
    subprocess.run(
        shlex.split(cure), cwd=target, env=ENVIRON, check=True, capture_output=True
    )

    assert {"a": at(2), "c.b": at(1)} == resolve(target, "a", "c.b").by_path


@pytest.mark.parametrize(
    "broken", ["truncated", "no index", "no alternates", "no tree"]
)
def test_cure_of_a_broken_clone_is_none_of_a_partial_one(made, tmp_path, broken):
    target = tmp_path / "clone"
    how = ["--shared"] if broken == "no alternates" else ["--no-local"]
    made.git("clone", "--quiet", *how, str(made.folder), str(target))
    objects = target / ".git" / "objects"
    if broken == "truncated":
        [pack] = objects.glob("pack/*.pack")
        pack.chmod(0o600)
        os.truncate(pack, pack.stat().st_size // 2)
    elif broken == "no index":
        [index] = objects.glob("pack/*.idx")
        index.unlink()
    elif broken == "no alternates":
        (objects / "info" / "alternates").unlink()
    else:
        tree = made.git("rev-parse", "HEAD~1^{tree}")
        [pack] = objects.glob("pack/*.pack")
        packed = pack.rename(tmp_path / "pack")
        made.git("-C", str(target), "unpack-objects", "-q", stdin=packed.read_bytes())
        (objects / tree[:2] / tree[2:]).unlink()

    code, text = notice(resolve(target, "a"))

    assert "git-failed" == code
    assert "git fsck" in text
    assert "refetch" not in text


def test_grafts_and_replaced_commits_are_not_the_history(made):
    """`git replace --graft` joins histories too; only this clone has them."""
    newest = made.git("rev-parse", "HEAD")
    made.git("replace", "--graft", newest)
    assert newest == made.git("rev-list", "HEAD")
    assert {"c.b": at(1)} == resolve(made.folder, "c.b").by_path

    made.git("replace", "--delete", newest)
    grafts = made.folder / ".git" / "info" / "grafts"
    grafts.parent.mkdir(exist_ok=True)
    grafts.write_text(f"{newest}\n")
    assert newest == made.git("rev-list", "HEAD")
    assert {"c.b": at(1)} == resolve(made.folder, "c.b").by_path


def test_replaced_tree_does_not_date_a_page(made):
    newest, first = made.git("rev-list", "HEAD").splitlines()
    made.git("replace", first, newest, "--force")
    found = resolve(made.folder, "c.b", "a")
    assert {"c.b": at(1), "a": at(2)} == found.by_path


def test_cure_for_a_sparse_clone_without_contents_works(tmp_path):
    """Git reads the missing `.gitignore` of a folder that has a new file."""
    made = GitRepository(tmp_path / "site")
    made.commit({"a": "1", "b/.gitignore": "c", "b/d": "1"})
    made.write()
    made.git("config", "uploadpack.allowFilter", "true")
    target = tmp_path / "clone"
    url = f"file://{made.folder}"
    made.git("clone", "--quiet", "--filter=blob:none", "--sparse", url, str(target))
    (target / "b").mkdir()
    (target / "b" / "new").write_text("1")

    if not (
        found := resolve(target, "a", "b/new")
    ).by_path:  # Git 2.55 does not need it.
        text = notice(found)[1]
        assert text.endswith(
            "lacks a file that git needs: run `git status` there, to fetch it"
        )
    subprocess.run(
        [GIT, "status"], cwd=target, env=ENVIRON, check=True, capture_output=True
    )

    assert {"a"} == resolve(target, "a", "b/new").by_path.keys()


@pytest.mark.parametrize(
    ("setting", "value", "reason"),
    [
        ("core.bare", "maybe", "bad boolean config value 'maybe' for 'core.bare'"),
        ("core.bare", "A" * 1000, "bad boolean config value 'AAA"),
        ("log.diffMerges", "x", "bad config variable 'log.diffmerges' in file"),
        (
            "core.repositoryFormatVersion",
            "99",
            "Expected git repo version <= 1, found 99",
        ),
        ("extensions.future", "1", "unknown repository extension found: future"),
        ("core.compression", "99", "bad zlib compression level 99"),
        (
            "core.excludesFile",
            "~nobody-here/x",
            "failed to expand user dir in: '~nobody-here/x'",
        ),
        (
            "include.path",
            "config",
            "exceeded maximum include depth (10) while including",
        ),
    ],
)
def test_invalid_configuration_of_git_is_named(made, setting, value, reason):
    section, key = setting.split(".")
    with (made.folder / ".git" / "config").open("a") as file:
        file.write(
            f"[core]\n\trepositoryFormatVersion = 1\n[{section}]\n\t{key} = {value}\n"
        )

    code, text = notice(resolve(made.folder, "a"))

    assert "git-failed" == code
    assert f"configuration for {made.folder} (fatal: {reason}" in text
    assert text.endswith("): correct that setting")
    assert "\n" not in text
    assert len(text) < len(str(made.folder)) + 300


def test_partial_clone_without_contents_has_all_dates(made, tmp_path):
    made.git("config", "uploadpack.allowFilter", "true")
    target = tmp_path / "clone"
    made.git(
        "clone", "--quiet", "--filter=blob:none", f"file://{made.folder}", str(target)
    )
    made.git("remote", "add", "gone", "nowhere")

    assert {"a": at(2), "c.b": at(1)} == resolve(target, "a", "c.b").by_path


@pytest.mark.parametrize("folder", [".", "", "bin"])
def test_program_in_the_current_folder_is_not_run(made, tmp_path, monkeypatch, folder):
    """With `PATH=.:$PATH`, git and the user's filters are not taken
    from the current folder."""
    mark, config = tmp_path / "mark", tmp_path / "config"
    for name in ("git", "tool"):
        script(made.folder / folder / name, f"touch {shlex.quote(str(mark))}")
    config.write_text('[filter "mark"]\n\tclean = tool\n')
    (made.folder / "a").write_text("3")  # As long as before: git has to compare.
    monkeypatch.chdir(made.folder)
    path = os.pathsep.join([folder, ENVIRON["PATH"]])
    environ = ENVIRON | {"PATH": path, "GIT_CONFIG_GLOBAL": str(config)}

    assert {"c.b": at(1)} == resolve(made.folder, "c.b", environ=environ).by_path
    assert () == resolve(made.folder, "a", environ=environ).notices
    assert not mark.exists()


def test_working_tree_elsewhere_gives_no_date(made):
    made.git("config", "core.worktree", "/")

    assert {} == resolve(made.folder, "a").by_path


# Machines and clones that give no answer.


def test_missing_git(made, tmp_path):
    code, text = notice(resolve(made.folder, "a", environ={"PATH": str(tmp_path)}))

    assert "no-git" == code
    assert "install" in text


def test_missing_git_is_reported_once_for_several_repositories(made, tmp_path):
    GitRepository(tmp_path / "other")

    found = resolve(tmp_path, "site/a", "other/a", environ={"PATH": str(tmp_path)})

    assert "no-git" == notice(found)[0]


def test_git_that_cannot_be_run(made, tmp_path):
    environ = with_git(tmp_path, "")
    (tmp_path / "git").write_bytes(b"\x7fELF no program")

    assert "git-failed" == notice(resolve(made.folder, "a", environ=environ))[0]


def test_missing_repository_gives_no_notice(tmp_path):
    (tmp_path / "a").write_text("1")

    assert () == resolve(tmp_path, "a").notices


def test_repository_without_commits(tmp_path):
    folder = GitRepository(tmp_path / "empty").folder
    (folder / "a").write_text("1")

    code, text = notice(resolve(folder, "a"))

    assert "no-commits" == code
    assert str(folder) in text


def test_folder_that_only_looks_like_a_repository(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "a").write_text("1")

    code, text = notice(resolve(tmp_path, "a"))

    assert "git-failed" == code
    assert "not a git repository" in text


def test_repository_of_another_user(made, tmp_path):
    environ = with_git(tmp_path, f'GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {GIT} "$@"')

    code, text = notice(resolve(made.folder, "a", environ=environ))

    assert "dubious-ownership" == code
    assert f"git config --global --add safe.directory {made.folder}" in text


def test_trusted_repository_of_another_user(made, tmp_path):
    environ = with_git(tmp_path, f'GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {GIT} "$@"')
    config = tmp_path / "config"
    config.write_text(f"[safe]\n\tdirectory = {made.folder}\n")

    found = resolve(
        made.folder, "a", environ=environ | {"GIT_CONFIG_GLOBAL": str(config)}
    )

    assert {"a": at(2)} == found.by_path


@pytest.mark.parametrize("revision", ["HEAD", "HEAD^{tree}", "HEAD^"])
def test_corrupt_object(made, revision):
    name = made.git("rev-parse", revision)
    file = made.folder / ".git" / "objects" / name[:2] / name[2:]
    file.chmod(0o644)
    file.write_bytes(b"not zlib")

    code, text = notice(resolve(made.folder, "a", "c.b"))

    assert "git-failed" == code
    assert "git fsck" in text


@pytest.mark.parametrize("call", ["rev-parse", "ls-tree", "log", "status", "config"])
def test_output_of_a_failed_git_is_not_used(made, tmp_path, call):
    environ = with_git(
        tmp_path, f'{GIT} "$@"; case "$*" in *" {call} "*) exit 128;; esac'
    )

    assert "git-failed" == notice(resolve(made.folder, "a", "c.b", environ=environ))[0]


@pytest.mark.parametrize("size", [1, 1 << 20])
def test_list_of_a_shallow_clone_must_be_a_regular_file_of_limited_size(
    made, tmp_path, monkeypatch, size
):
    target = tmp_path / "clone"
    made.git("clone", "--quiet", "--depth=1", f"file://{made.folder}", str(target))
    monkeypatch.setattr(repository, "MAX_BOUNDARY", size)
    if size > 1:
        (target / ".git" / "shallow").rename(tmp_path / "shallow")
        (target / ".git" / "shallow").symlink_to(tmp_path / "shallow")

    code, text = notice(resolve(target, "a"))

    assert "git-failed" == code
    assert "shallow cannot be read" in text


@pytest.mark.parametrize("name", ["shallow", "packed-refs"])
@pytest.mark.parametrize("content", ["SECRET=1\0OTHER=2", "SECRET\nOTHER\n", "SECRET"])
def test_file_that_git_quotes_is_not_shown(made, tmp_path, name, content):
    outside = tmp_path / "outside"
    outside.write_text(content)
    (made.folder / ".git" / name).symlink_to(outside)

    text = str(notice(resolve(made.folder, "a")))

    assert "SECRET" not in text
    assert "cannot read a file in the `.git`" in text


def test_git_that_hangs(made, tmp_path, monkeypatch):
    monkeypatch.setattr(program, "TIMEOUT", 0.3)
    environ = with_git(
        tmp_path, f'case "$*" in *" log "*) exec sleep 60;; esac; exec {GIT} "$@"'
    )

    code, text = notice(resolve(made.folder, "a", environ=environ))

    assert "git-failed" == code
    assert "did not finish within" in text


def test_index_that_is_a_pipe_takes_little_time(made, monkeypatch):
    monkeypatch.setattr(program, "SHORT_TIMEOUT", 1.0)
    (made.folder / ".git" / "index").unlink()
    os.mkfifo(made.folder / ".git" / "index")
    start = time.monotonic()

    code, text = notice(resolve(made.folder, "a"))

    assert time.monotonic() - start < program.TIMEOUT / 2
    assert "git-failed" == code
    assert text.endswith(
        f"within 1 seconds in {made.folder}: run `git status` there to see why"
    )


@pytest.mark.parametrize("name", ["objects/info/commit-graph", "index"])
def test_questions_of_a_build_share_one_time_limit(made, tmp_path, monkeypatch, name):
    """Dates for the pages of two languages, then the sitemap with parts,
    written twice."""
    monkeypatch.setattr(program, "TIMEOUT", 2.0)
    (made.folder / ".git" / name).unlink(missing_ok=True)
    os.mkfifo(made.folder / ".git" / name)
    pages = [
        Page(path=name, sources=(made.folder / name,)) for name in ("a", "c.b", "d.e")
    ]
    site = Site(
        output_dir=tmp_path,
        project_dir=made.folder,
        base_url="https://e.com/",
        began=NOW,
    )
    options, cache = Options(max_urls=2), GitCache()
    start = time.monotonic()

    for _ in range(2):
        place = {"project_dir": made.folder, "began": NOW}
        assert {} == find_page_dates(pages, **place, options=options, git_cache=cache)
    reports = [
        generate(pages, site=site, options=options, git_cache=cache) for _ in range(2)
    ]

    assert time.monotonic() - start < 1.5 * program.TIMEOUT
    for report in reports:
        assert 3 == report.listed == report.undated
        (failure,) = (n for n in report.notices if n.code == "git-failed")
        assert "did not finish within" in failure.problem
        assert failure.cure
    if name != "index":  # The next build asks again.
        (made.folder / ".git" / name).unlink()
        later = replace(site, began=NOW + timedelta(days=1))
        assert (
            0 == generate(pages, site=later, options=options, git_cache=cache).undated
        )


def answer(build, folder):
    """Ask for a history; tell whether git answered."""
    try:
        with build.repository(str(folder)) as repository:
            return bool(list(repository.log(starts=[repository.head])))
    except GitError:
        return False


def test_questions_that_are_answered_use_up_the_time_limit_too(
    made, tmp_path, monkeypatch
):
    monkeypatch.setattr(program, "TIMEOUT", 3.0)
    environ = with_git(
        tmp_path, f'case "$*" in *" log "*) sleep 1;; esac; exec {GIT} "$@"'
    )
    build = environment(environ, now=NOW)
    start = time.monotonic()

    answers = [answer(build, made.folder) for _ in range(6)]

    assert time.monotonic() - start < program.TIMEOUT + 1
    assert answers[0]
    assert not answers[-1]


def test_repositories_of_a_build_share_one_time_limit(tmp_path, monkeypatch):
    """Git cannot carry them, but an unpacked archive can hold any number."""
    monkeypatch.setattr(program, "TIMEOUT", 2.0)
    monkeypatch.setattr(program, "SHORT_TIMEOUT", 1.0)
    pages = []
    for number in range(9):
        forged = GitRepository(tmp_path / f"r{number}")
        forged.commit({"a": "1"})
        forged.write()
        alternates = forged.folder / ".git/objects/info/alternates"
        os.mkfifo(alternates)
        pages.append(checked(Page(path=str(number), sources=(forged.folder / "a",))))
    start = time.monotonic()

    found = lastmod.resolve(pages, options=Options(), environment=environment(ENVIRON))

    assert time.monotonic() - start < 5
    assert {} == found.by_path
    assert 9 == len(found.notices)


def test_walk_over_the_history_has_more_time(made, tmp_path, monkeypatch):
    monkeypatch.setattr(program, "SHORT_TIMEOUT", 1.0)
    environ = with_git(
        tmp_path, f'case "$*" in *" log "*) sleep 1.5;; esac; exec {GIT} "$@"'
    )

    assert {"a": at(2)} == resolve(made.folder, "a", environ=environ).by_path


@pytest.mark.parametrize(("walks", "expected"), [(16, 1), (3, None)])
@pytest.mark.parametrize("files", [1, 5])
def test_number_of_moves_of_a_file_is_limited(
    tmp_path, monkeypatch, walks, expected, files
):
    monkeypatch.setattr(walk, "MAX_WALKS", walks)
    made = GitRepository(tmp_path)
    for number in range(10):
        made.commit(
            {f"folder{number}/{n}": f"text {n}" for n in range(files)}
            | {"b": str(number)}
        )
    made.write()

    names = [f"folder9/{number}" for number in range(files)]
    assert resolve(tmp_path, *names).by_path == (
        dict.fromkeys(names, at(1)) if expected else {}
    )


def test_commits_with_wrong_clocks(tmp_path):
    made = GitRepository(tmp_path)
    first = made.commit({"a": "1", "b": "1"})
    second = made.commit({"a": "2", "b": "1"})
    late = made.commit({"a": "1", "b": "2"}, parents=[first], time=START - 9999)
    made.commit({"a": "2", "b": "2"}, parents=[second, late])
    made.write()

    found = resolve(tmp_path, "a", "b").by_path

    assert at(2) == found["a"]
    assert START - 9999 == int(found["b"].timestamp())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs limits of processes")
@pytest.mark.parametrize("name", ["objects/info/alternates"])
def test_endless_file_of_git_fills_no_memory(made, monkeypatch, name):
    monkeypatch.setattr(program, "MAX_MEMORY", 1 << 27)
    (made.folder / ".git" / name).unlink(missing_ok=True)
    (made.folder / ".git" / name).symlink_to("/dev/zero")
    began = time.monotonic()

    found = notice(resolve(made.folder, "a"))

    assert "git-failed" == found[0], found
    assert time.monotonic() - began < 15


# References in a table (`git init --ref-format=reftable`).


@pytest.fixture
def tables(tmp_path):
    """A repository with a table, which is the file that this returns beside it."""
    try:
        made = GitRepository(tmp_path / "site", "--ref-format=reftable")
    except AssertionError:
        pytest.skip("git is older than 2.45")
    made.commit({"a": "1", "c.b": "1"})
    made.commit({"a": "2", "c.b": "1"})
    made.write()
    made.git("pack-refs", "--all")
    (table,) = (made.folder / ".git/reftable").glob("*.ref")
    return made, table


def test_repository_with_a_table_of_references_has_its_dates(tables, tmp_path):
    made, _ = tables
    url, target = f"file://{made.folder}", str(tmp_path / "clone")
    made.git("clone", "--quiet", "--depth=1", "--ref-format=reftable", url, target)
    made.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "tree"))

    for folder in (made.folder, tmp_path / "tree"):
        assert ({"a": at(2), "c.b": at(1)}, ()) == (
            (found := resolve(folder, "a", "c.b")).by_path,
            found.notices,
        )
    assert "shallow-clone" == notice(resolve(tmp_path / "clone", "a"))[0]


LISTS = {
    "nothing": b"",
    "a missing table": b"0x000000000001-0x000000000001-00000000.ref\n",
    "a file elsewhere": b"../../../secret\n",
    "an endless file": b"../../../../../../../../../../../../dev/zero\n",
    "many tables": b"".join(
        b"0x%012x-0x%012x-00000000.ref\n" % (n, n) for n in range(99_999)
    ),
    "one name": b"a" * 9_999_999,
    "no names": b"\0\xff\n" * 99_999,
}


@pytest.mark.parametrize("content", LISTS.values(), ids=LISTS)
def test_forged_list_of_tables_is_one_line(tables, tmp_path, content):
    made, table = tables
    (tmp_path / "secret").write_text("secret")
    table.with_name("tables.list").write_bytes(content)
    start = time.monotonic()

    text = notice(resolve(made.folder, "a"))[1]

    assert "secret" not in text.replace("../../../secret", "")
    assert len(text) < len(str(made.folder)) * 2 + 400
    assert time.monotonic() - start < 10


@pytest.mark.parametrize("which", ["tables.list", "table"])
@pytest.mark.parametrize("target", ["/dev/zero", "../../../secret", "pipe", "itself"])
def test_table_that_is_no_file_of_the_repository_is_one_line(
    tables, tmp_path, monkeypatch, which, target
):
    monkeypatch.setattr(program, "SHORT_TIMEOUT", 1.0)
    monkeypatch.setattr(program, "MAX_MEMORY", 1 << 27)
    made, table = tables
    (tmp_path / "secret").write_text("secret")
    file = table if which == "table" else table.with_name(which)
    file.unlink()
    os.mkfifo(file) if target == "pipe" else file.symlink_to(
        file.name if target == "itself" else target
    )
    start = time.monotonic()

    text = notice(resolve(made.folder, "a"))[1]

    assert "secret" not in text
    assert time.monotonic() - start < 10


def test_damaged_table_gives_the_dates_or_one_line(tables):
    """Each byte of the head and the foot, and some between, with four other values."""
    made, table = tables
    whole = table.read_bytes()
    places = {
        *range(28),
        *range(28, len(whole), 5),
        *range(len(whole) - 68, len(whole), 3),
    }
    outcomes = []
    for place in sorted(places):
        other = bytes([whole[place] ^ (0xFF, 0x01, 0x80, 0x10)[place % 4]])
        table.chmod(0o644)
        table.write_bytes(whole[:place] + other + whole[place + 1 :])

        found = resolve(made.folder, "a")

        outcomes.append("" if found.by_path == {"a": at(2)} else notice(found)[0])
    assert {"", "git-failed", "no-commits"} == {*outcomes}
