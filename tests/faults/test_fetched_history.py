"""The history of a shallow clone is fetched from any server, or one line says why not.

Whatever happens, the clone stays as it is, and no process, folder or secret is left.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
import trustme

from sitemap_plugins.core.dates import lastmod
from sitemap_plugins.core.git import history
from sitemap_plugins.core.git.cache import GitCache
from sitemap_plugins.core.git.history import Limits
from sitemap_plugins.core.git.scratch import scratch_folder
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.python.modules import ModuleReader
from sitemap_plugins.core.records import Excerpt, Page
from tests.checked import NOW, checked, environment
from tests.faults.hostile_server import HostileServer, sending
from tests.full import FULL, full, usually
from tests.git_repository import ENVIRON, START, GitRepository
from tests.git_server import HEADER, PASSWORD, USER, Proxy, read_all, serving
from tests.hosts import sphinx_site
from tests.hosts.test_sphinx_catalogs import CATALOG, FILES, catalog

FETCH = Options(fetch_history=True)
NAMES = [f"docs/{number}" for number in range(30)]
DATES = {
    name: datetime.fromtimestamp(START + 60 * (1 + n), UTC)
    for n, name in enumerate(NAMES)
}
"""Of the full clone."""


def history_of(repository):
    """Write a commit for each page; a merge of two branches after the 25th."""
    tree = {}
    for number, name in enumerate(NAMES, 1):
        tree[name] = str(number)
        repository.commit(
            tree, parents=[20, 24] if number == 25 else [21] if number == 22 else None
        )
    repository.write()
    repository.git("config", "uploadpack.allowFilter", "true")


@pytest.fixture
def served(tmp_path, monkeypatch):
    """A served repository; `clone` makes a shallow clone of it."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    repository = GitRepository(tmp_path / "served/site")
    history_of(repository)

    def clone(url, *options, name="clone", **environ):
        command = [
            "git",
            "clone",
            "--quiet",
            "--depth=1",
            *options,
            url,
            str(tmp_path / name),
        ]
        subprocess.run(command, env=ENVIRON | environ, check=True, capture_output=True)
        return tmp_path / name

    with serving(tmp_path / "served") as server:
        server.clone_url = f"{server.url}site/.git"
        yield SimpleNamespace(
            server=server,
            repository=repository,
            clone=clone,
            temporary=temporary,
            folder=tmp_path,
        )
    assert [] == [*temporary.iterdir()]


def build(clone, *, environ=ENVIRON, options=FETCH, names=NAMES, leaves=None):
    """Return the dates of a clone, the notices, and the lines that were shown."""
    git_dir = re.search(
        "(?:gitdir: )?(.*)", git(clone, "rev-parse", "--absolute-git-dir")
    )[1]
    before, lines = read_all(Path(git_dir)), []
    pages = [checked(Page(path=name, sources=(clone / name,))) for name in names]
    cache = GitCache(lines.append)
    fetches = options.fetch_history is True
    made = environment(environ, cache, now=NOW, fetches_history=fetches)
    found = lastmod.resolve(pages, options=options, environment=made)
    again = lastmod.resolve(pages, options=options, environment=made)
    assert (found.by_path, found.notices) == (again.by_path, again.notices)
    assert read_all(Path(git_dir)) == before
    left = processes(tempfile.gettempdir())
    assert all(leaves and leaves in command for command in left), left
    return (
        found.by_path,
        [f"{notice} ({notice.code})" for notice in found.notices],
        lines,
    )


def processes(text):
    """Return the commands of the processes with a text in their environment
    or command line."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command, environ = (
                (folder / n).read_bytes() for n in ("cmdline", "environ")
            )
        except OSError:
            continue
        if os.fsencode(text) in command + environ and folder.name != str(os.getpid()):
            found.append(command)
    return found


def git(folder, *arguments):
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(
        command, env=ENVIRON, check=True, capture_output=True, text=True
    ).stdout


def assert_fetched(found):
    dates, notices, lines = found
    assert [] == notices
    assert DATES == dates
    assert "as the clone is shallow" in lines[0]
    assert re.fullmatch(r"fetched 30 commits in \d+\.\d s \(0\.0 MB\)", lines[1])


def failure_of(found):
    """Return the only line about the failure, and check that it is one,
    with the usual dates."""
    dates, (failure, shallow), lines = found
    assert {} == dates
    assert failure.endswith("(fetch-failed)")
    assert shallow.endswith("no date: run `git fetch --unshallow` (shallow-clone)")
    assert len(lines) <= 1
    assert "\n" not in failure
    return failure.removesuffix(" (fetch-failed)")


@contextmanager
def ended_in(seconds):
    began = time.monotonic()
    yield
    assert time.monotonic() - began < seconds


# What works.


@pytest.mark.parametrize("depth", ["1", full("5"), "9"])
def test_history_is_that_of_the_full_clone(served, depth):
    """The ninth commit from the end is below the merge, on one side of it."""
    assert_fetched(build(served.clone(served.server.clone_url, f"--depth={depth}")))
    assert 2 == served.server.fetches


@FULL
def test_commit_is_fetched_after_others_have_been_pushed(served):
    clone = served.clone(served.server.clone_url)
    served.repository.git(
        "commit", "--quiet", "--allow-empty", "-m", "pushed during the build"
    )
    served.repository.git("update-ref", "-d", "refs/made/30")
    (served.folder / "gitconfig").write_text("[protocol]\n\tversion = 0\n")

    config = {"GIT_CONFIG_GLOBAL": str(served.folder / "gitconfig")}
    assert_fetched(build(clone, environ=ENVIRON | config))


def test_nothing_is_fetched_if_that_is_not_wanted_or_needed(served):
    shallow = served.clone(served.server.clone_url)
    full = served.clone(served.server.clone_url, "--depth=99", name="full")
    served.server.requests.clear()

    without = build(shallow, options=Options())
    assert DATES == build(full)[0]
    assert (
        DATES.keys()
        == build(shallow, options=Options(lastmod=()), names=[])[0].keys() | DATES
    )

    assert ({}, []) == (without[0], without[2])
    assert [] == served.server.requests


@FULL
def test_nothing_is_fetched_for_files_that_are_not_committed(served):
    """A Python of pyenv, for example, is in a clone that ignores it."""
    clone = served.clone(served.server.clone_url)
    (clone / "made").write_text("by a program")
    served.server.requests.clear()

    assert ({}, []) == build(clone, names=["made", "absent"])[::2]
    assert [] == served.server.requests

    (clone / "29").write_text("30")  # A copy has the date of the page.
    assert [DATES["docs/29"]] == [*build(clone, names=["29"])[0].values()]


@FULL
def test_worktree_and_submodule_have_their_own_history(served):
    outer = GitRepository(served.folder / "served/outer")
    outer.git(
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        served.server.clone_url,
        "sub",
    )
    outer.git("commit", "--quiet", "-m", "sub")
    outer.git("commit", "--quiet", "--allow-empty", "-m", "more")
    outer.git("config", "uploadpack.allowFilter", "true")
    clone = served.clone(
        f"{served.server.url}outer/.git", "--recurse-submodules", "--shallow-submodules"
    )
    assert_fetched(build(clone / "sub"))

    shallow = served.clone(served.server.clone_url, name="shallow")
    git(shallow, "worktree", "add", "--quiet", str(served.folder / "worktree"))
    assert_fetched(build(served.folder / "worktree"))


@FULL
def test_history_with_the_other_hash_function_is_fetched(served):
    history_of(GitRepository(served.folder / "served/other", hash_function="sha256"))

    assert_fetched(build(served.clone(f"{served.server.url}other/.git")))


@FULL
def test_server_of_the_old_protocol_gives_the_tip_of_a_branch(served):
    clone = served.clone(served.server.clone_url)
    served.server.protocol = 0
    assert_fetched(build(clone))

    served.repository.git("commit", "--quiet", "--allow-empty", "-m", "newer")
    served.repository.git("update-ref", "-d", "refs/made/30")
    reason = failure_of(build(clone))
    assert "(error: Server does not allow request for unadvertised object" in reason
    assert reason.endswith("): push the commit before the build")


@FULL
def test_server_that_knows_no_filter_sends_more(served):
    served.repository.git("config", "uploadpack.allowFilter", "false")

    assert_fetched(build(served.clone(served.server.clone_url)))


@contextmanager
def answering(command):
    """Run a command for each connection; give the port."""

    def accept(listening):
        with suppress(OSError):
            while True:
                connection, _ = listening.accept()
                with connection:
                    pipe = connection.fileno()
                    environ = ENVIRON | {"INETD": "1"}
                    subprocess.run(
                        command, env=environ, stdin=pipe, stdout=pipe, check=False
                    )

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=accept, args=(listening,), daemon=True)
        thread.start()
        yield listening.getsockname()[1]
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()


@FULL
def test_git_daemon_is_a_server_too(served):
    """Started for each connection, as by inetd,
    so that no port is chosen before it is used."""
    program = f"{git('.', '--exec-path').strip()}/git-daemon"
    command = [program, "--inetd", "--export-all", f"--base-path={served.folder}"]
    with answering(command) as port:
        url = f"git://127.0.0.1:{port}/served/site/.git"
        assert_fetched(build(served.clone(url)))


# Old contents of files.


def edited_history(repository, versions=12):
    """Commit pages whose tags change often, and whose text does not;
    and a shared catalog."""
    tree = {}
    for number in range(versions):
        for name in NAMES[:20]:
            tree[f"{name}.md"] = f"---\ntags: [t{number}]\n---\n{name}\n"
        part = {f"m{n}": str(max(0, number - n)) for n in range(20)}
        tree["all.txt"] = "\n".join(f"{name}={text}" for name, text in part.items())
        repository.commit(tree)
    repository.commit(tree | {f"{name}.md": f"{name}\n" for name in NAMES[:20]})
    repository.write()
    repository.git("config", "uploadpack.allowFilter", "true")


def read_parts(content):
    return dict(line.split("=") for line in content.decode().splitlines())


def dates_of(clone, *, fetches=True, changes="content", excerpts=True):
    """Return the dates of the pages and of pages with excerpts, notices and lines."""
    lines = []
    pages = [checked(Page(path=n, sources=(clone / f"{n}.md",))) for n in NAMES[:20]]
    if excerpts:
        shared = clone / "all.txt"
        pages += [
            checked(
                Page(path=n, excerpts=(Excerpt(file=shared, name=n, read=read_parts),))
            )
            for n in (f"m{number}" for number in range(20))
        ]
    made = environment(
        ENVIRON, GitCache(lines.append), now=NOW, fetches_history=fetches
    )
    options = Options(fetch_history=fetches, changes=changes)
    before = read_all(clone / ".git")
    found = lastmod.resolve(pages, options=options, environment=made)
    again = lastmod.resolve(pages, options=options, environment=made)
    assert (found.by_path, found.notices) == (again.by_path, again.notices)
    assert read_all(clone / ".git") == before
    return found.by_path, found.notices, lines


CLONES = {
    "shallow": ["--depth=1"],
    "deeper": ["--depth=3"],
    "partial": ["--depth=99", "--filter=blob:none"],
    "shallow and partial": ["--depth=1", "--filter=blob:none"],
}


@pytest.mark.parametrize("changes", [full("any"), "content"])
@pytest.mark.parametrize("kind", usually(CLONES, "shallow and partial"))
def test_old_contents_are_fetched_by_name_in_a_few_goes(served, kind, changes):
    edited_history(served.repository)
    whole = dates_of(served.repository.folder, fetches=False, changes=changes)
    clone = served.clone(served.server.clone_url, *CLONES[kind])
    served.server.requests.clear()

    dates, notices, lines = dates_of(clone, changes=changes)

    assert len(whole[0]) == 40
    assert (dates, notices) == whole[:2], (lines, served.server.requests)
    # The history, the last versions and all older ones; for excerpts likewise.
    assert served.server.fetches <= 1 + 2 + 2
    assert sum("old versions of files" in line for line in lines) <= 3


@pytest.mark.parametrize("fetches", [True, full(False)])
@pytest.mark.parametrize("kind", usually(CLONES, "shallow"))
def test_object_that_moved_with_its_import_has_the_date_of_the_full_clone(
    served, kind, fetches
):
    """What the import led to is in files that nothing else asked for."""
    text = "def get(url):\n    'Get a page.'\n"
    shown = "X = 1  #: One.\nfrom .{} import get"
    served.repository.commit({"p/__init__.py": shown.format("_a"), "p/_a.py": text})
    tree = {"p/__init__.py": shown.format("_b"), "p/_b.py": text}
    for number in range(5):
        served.repository.commit({**tree, "README": str(number)})
    commits = served.repository.write()
    clone = served.clone(served.server.clone_url, *CLONES[kind])
    module = ModuleReader()
    excerpts = [
        module.excerpt(clone / "p/__init__.py", name, "content")
        for name in ("X", "get.<")
    ]
    page = checked(Page(path="get", excerpts=tuple(excerpts)))
    made = environment(ENVIRON, GitCache(), now=NOW, fetches_history=fetches)

    found = lastmod.resolve([page], options=FETCH, environment=made).by_path

    date = datetime.fromtimestamp(START + 60 * (len(commits) - 6), UTC)
    assert found == ({"get": date} if fetches else {})


def test_nothing_is_fetched_for_contents_that_the_clone_has(served):
    edited_history(served.repository)
    clone = served.clone(served.server.clone_url, "--depth=99")
    served.server.requests.clear()

    dates_of(clone)
    dates_of(clone, fetches=False)

    assert [] == served.server.requests


@pytest.mark.parametrize("name", ["", None])
def test_python_that_does_not_know_its_program_is_one_line(served, monkeypatch, name):
    """As in programs that embed Python."""
    clone = served.clone(served.server.clone_url)
    monkeypatch.setattr(sys, "executable", name)
    _, notices, _ = build(clone)

    why = "(Python does not know where its own program is)"
    assert any(why in notice for notice in notices)


@pytest.mark.parametrize("number", [full(2), 3])
@pytest.mark.parametrize("how", [full("stalls"), full("refuses"), "garbage"])
def test_contents_that_cannot_be_fetched_are_one_line(served, monkeypatch, how, number):
    """The page then has the date of any change,
    and each fetch after the first failure is left."""
    monkeypatch.setattr(history, "WANTED", Limits(6.0, 1 << 29))
    edited_history(served.repository)
    clone = served.clone(served.server.clone_url)
    served.server.requests.clear()

    def fault(handler):
        if served.server.fetches < number:
            return False
        if how == "stalls":
            handler.server.ended.wait(30)
        handler.send(403 if how == "refuses" else 200, b"\0\xff\x1b[31m" * 99)
        return True

    served.server.fault = fault
    with ended_in(15):
        dates, (notice,), _ = dates_of(clone, excerpts=False)

    expected = dates_of(
        served.repository.folder, fetches=False, changes="any", excerpts=False
    )[0]
    assert dates.keys() == expected.keys()
    assert number == 3 or dates == expected
    assert "missing-contents" == notice.code
    assert (
        "so any change dates their pages; the history cannot be fetched from"
        in notice.problem
    )
    assert "--filter" not in notice.cure
    assert not re.search("[\x00-\x1f]", str(notice))
    assert served.server.fetches == number
    assert [] == processes(tempfile.gettempdir())


@pytest.mark.parametrize("option", [full("any"), "content"])
def test_sitemap_is_that_of_the_full_clone(served, option):
    names = [f"docs/{number}" for number in range(40)]
    served.repository.commit({f"{name}.md": name for name in names})
    served.repository.commit(
        {f"{name}.md": f"---\ntags: [a]\n---\n{name}" for name in names}
    )
    served.repository.commit(
        {f"{name}.md": f"---\ntags: [b]\n---\n{name}" for name in names}
    )
    served.repository.write()
    sitemaps = []
    for kind in ("--depth=99", "--depth=1"):
        clone = served.clone(served.server.clone_url, kind, name=kind.strip("-"))
        for name in names:
            page = clone / "site" / f"{name}.html"
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text("<!doctype html><title>x</title>")
        served.server.requests.clear()
        command = [sys.executable, "-P", "-m", "sitemap_plugins", "build", "site"]
        command += ["--fetch-history", f"--changes={option}", "--sources=*=docs/*.md"]
        subprocess.run(
            [*command, "--base-url=https://example.com/"],
            cwd=clone,
            env=ENVIRON | {"CI": "1", "TMPDIR": str(served.temporary)},
            check=True,
            capture_output=True,
        )
        sitemaps.append((clone / "site/sitemap.xml").read_bytes())

    assert sitemaps[0] == sitemaps[1]
    assert 40 == sitemaps[0].count(b"<lastmod>")
    assert served.server.fetches <= 3


def pack_of(*objects):
    pack = b"PACK" + (2).to_bytes(4) + len(objects).to_bytes(4) + b"".join(objects)
    return pack + hashlib.sha1(pack).digest()


BLOB = b"\x33" + zlib.compress(b"abc")
BOMB = bytes([0xB0, *[0x80] * 3, 0x80, 0x10]) + zlib.compress(
    b"0" * 999
)  # A blob of 137 GB.


@pytest.mark.parametrize(
    "objects", [[], full([BLOB]), full([BLOB] * 9999), full([BOMB])]
)
def test_server_that_sends_other_contents_than_those_named_is_one_line(served, objects):
    edited_history(served.repository)
    clone = served.clone(served.server.clone_url)
    served.server.requests.clear()
    pack = pack_of(*objects)
    parts = [pack[i : i + 60_000] for i in range(0, len(pack), 60_000)]
    body = b"".join(b"%04x\x01%b" % (len(part) + 5, part) for part in parts)

    def lie(handler):
        if (
            handler.command != "POST"
            or served.server.fetches < 2
            or b"ls-refs" in handler.body
        ):
            return False
        kind = "application/x-git-upload-pack-result"
        handler.send(200, b"000dpackfile\n" + body + b"0000", {"Content-Type": kind})
        return True

    served.server.fault = lie
    with ended_in(15):
        dates, (notice,), _ = dates_of(clone, excerpts=False)

    expected = dates_of(
        served.repository.folder, fetches=False, changes="any", excerpts=False
    )[0]
    assert dates == expected
    assert "missing-contents" == notice.code
    assert 2 == served.server.fetches


@FULL
def test_sphinx_site_with_a_shared_catalog_is_that_of_the_full_clone(served):
    name = CATALOG.format("guide")
    for text in (
        catalog(),
        catalog(version=2, one="Eins", works="Tut."),
        catalog(version=3, one="Eins", works="Tut.", common="Gemeinsam."),
        catalog(version=4, one="Eins", works="Tut.", common="Gemeinsam."),
    ):
        served.repository.commit(FILES | {name: text})
    served.repository.write()
    sitemaps = []
    for depth, fetches in ((99, False), (1, True), (1, False)):
        clone = served.clone(
            served.server.clone_url, f"--depth={depth}", name=f"{depth}{fetches}"
        )
        settings = {
            "sitemap_fetch_history": fetches,
            "language": "de",
            "locale_dirs": ["locale"],
        }
        built = sphinx_site.build(
            sphinx_site.write(clone, {}, **settings),
            "-D",
            "gettext_compact=1",
            CI="1",
            TMPDIR=str(served.temporary),
        )
        assert 0 == built.returncode, built.log
        sitemaps.append((clone / "out/sitemap.xml").read_bytes())

    full, fetched, shallow = sitemaps
    assert full == fetched != shallow
    assert 3 == len({*re.findall(b"<lastmod>[^<]*", full)}), full


# Passwords.


def header_in_config(clone, server):
    git(clone, "config", f"http.{server.url}.extraheader", HEADER)


def header_in_included_file(clone, server):
    """As actions/checkout does since its version 6."""
    text = f'[http "{server.url}"]\n\textraheader = {HEADER}\n'
    (clone.parent / "credentials").write_text(text)
    git(
        clone,
        "config",
        f"includeIf.gitdir:{clone}/.git.path",
        f"{clone.parent}/credentials",
    )


def password_in_url(clone, server):
    login = f"{USER}:{PASSWORD.replace('/', '%2F').replace('@', '%40')}@"
    git(
        clone,
        "config",
        "remote.origin.url",
        server.clone_url.replace("://", f"://{login}"),
    )


def raw_password_in_url(clone, server):
    password_in_url(clone, server)
    url = git(clone, "config", "remote.origin.url").strip().replace("%40", "@")
    git(clone, "config", "remote.origin.url", url)


@pytest.mark.parametrize(
    "give",
    [
        header_in_config,
        full(header_in_included_file),
        full(password_in_url),
        raw_password_in_url,
    ],
)
@pytest.mark.parametrize("is_right", [True, False])
def test_password_is_used_and_appears_nowhere(served, give, is_right):
    clone = served.clone(served.server.clone_url)
    give(clone, served.server)
    helper = served.folder / "stored"
    config = served.folder / "gitconfig"
    config.write_text(f"[credential]\n\thelper = store --file={helper}\n")
    secrets = [
        HEADER.split()[-1],
        PASSWORD,
        PASSWORD.replace("/", "%2F").replace("@", "%40"),
    ]
    seen = []

    def look(handler):
        commands = [file.read_bytes() for file in Path("/proc").glob("[0-9]*/cmdline")]
        files = read_all(served.temporary).values()
        seen.extend(
            s
            for s in secrets
            if any(s.encode() in text for text in (*commands, *files))
        )
        if not is_right:
            handler.send(403, f"{handler.headers.get('Authorization')}".encode())
        return not is_right

    served.server.password, served.server.fault = True, look
    found = build(clone, environ=ENVIRON | {"GIT_CONFIG_GLOBAL": str(config)})

    if is_right:
        assert_fetched(found)
    else:
        assert failure_of(found).endswith("keep the checkout's credentials")
    assert [] == seen
    assert not any(
        secret in text for secret in secrets for text in (*found[1], *found[2])
    )
    assert not helper.exists()


@pytest.mark.parametrize("give", [full(header_in_config), raw_password_in_url])
def test_password_that_the_server_repeats_is_not_printed(served, give):
    clone = served.clone(served.server.clone_url)
    give(clone, served.server)

    def repeat(handler):
        if handler.command != "POST":
            return False
        text = (
            f"ERR you are {handler.headers['Authorization']}, alias {PASSWORD}".encode()
        )
        kind = "application/x-git-upload-pack-result"
        handler.send(200, b"%04x" % (len(text) + 4) + text, {"Content-Type": kind})
        return True

    served.server.fault = repeat
    reason = failure_of(build(clone))

    assert "(fatal: remote error: you are Basic …, alias " in reason
    assert HEADER.split()[-1] not in reason
    assert PASSWORD not in reason


@pytest.mark.parametrize("status", [403, full(200), full(301)])
def test_query_of_an_address_is_used_and_not_printed(served, status):
    clone = served.clone(served.server.clone_url)
    url = f"{served.server.clone_url}?private_token=glpat-secret"
    git(clone, "config", "remote.origin.url", url)
    asked = []

    def refuse(handler):
        asked.append(handler.path)
        handler.send(status, f"no: {handler.path}".encode(), {"Location": url})
        return True

    served.server.fault = refuse
    reason = failure_of(build(clone))

    assert "private_token=glpat-secret" in asked[0]
    assert "glpat" not in reason
    assert f"fetched from '{served.server.clone_url}' (" in reason


def test_login_of_a_header_that_the_server_repeats_is_not_printed(served):
    clone = served.clone(served.server.clone_url)
    header_in_config(clone, served.server)

    def repeat(handler):
        if handler.command != "POST":
            return False
        text = f"ERR bad token {USER}:{PASSWORD} or {PASSWORD}".encode()
        kind = "application/x-git-upload-pack-result"
        handler.send(200, b"%04x" % (len(text) + 4) + text, {"Content-Type": kind})
        return True

    served.server.fault = repeat
    assert "(fatal: remote error: bad token … or …)" in failure_of(build(clone))


def test_missing_password_is_one_line_at_once(served):
    clone = served.clone(served.server.clone_url)
    served.server.password = True
    mark, program = served.folder / "mark", served.folder / "askpass"
    program.write_text(f"#!/bin/sh\ntouch {mark}; echo x\n")
    program.chmod(0o755)
    began = time.monotonic()

    reason = failure_of(
        build(clone, environ=ENVIRON | {"DISPLAY": ":0", "SSH_ASKPASS": str(program)})
    )

    assert time.monotonic() - began < 3  # Git itself takes a tenth of a second.
    assert not mark.exists()
    assert "terminal prompts disabled" in reason
    assert "keep the checkout's credentials" in reason


def test_settings_of_the_environment_and_of_the_user_are_in_force(served):
    clone = served.clone(served.server.clone_url)
    served.server.password = True
    given = {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"http.{served.server.url}.extraHeader",
        "GIT_CONFIG_VALUE_0": HEADER,
    }
    assert_fetched(build(clone, environ=ENVIRON | given))

    config = served.folder / "gitconfig"
    config.write_text(f'[url "{served.server.url}"]\n\tinsteadOf = "my:"\n')
    git(clone, "config", "remote.origin.url", "my:site/.git")
    given["GIT_CONFIG_GLOBAL"] = str(config)
    assert_fetched(build(clone, environ=ENVIRON | given))


@FULL
def test_connection_that_is_kept_for_later_is_not_waited_for(served, monkeypatch):
    """As SSH does with ControlPersist, with git's error output open."""
    monkeypatch.setattr(history, "WANTED", Limits(14.0, 1 << 29))
    clone = served.clone(served.server.clone_url)
    git(
        clone,
        "config",
        "remote.origin.url",
        f"ssh://127.0.0.1{served.repository.folder}/.git",
    )
    ssh = served.folder / "ssh"
    ssh.write_text(
        '#!/bin/sh\nexec 3>&2; (sleep 15 >&3) & for last; do :; done; eval "$last"\n'
    )
    ssh.chmod(0o755)

    with ended_in(10):
        assert_fetched(
            build(clone, environ=ENVIRON | {"GIT_SSH": str(ssh)}, leaves=b"sleep")
        )


# What fails.


@pytest.mark.parametrize("protocol", [full(0), 2])
def test_server_that_is_shallow_too_gives_no_history(served, protocol):
    middle = served.clone(served.server.clone_url, "--depth=3", name="served/middle")
    git(middle, "config", "uploadpack.allowFilter", "true")
    served.server.protocol = protocol

    reason = failure_of(build(served.clone(f"{served.server.url}middle/.git")))

    assert (
        "(the server sent only a part of it): fetch the history before the build"
        in reason
    )


@pytest.mark.parametrize("status", [301, full(302), 307, full(308)])
def test_redirect_to_another_host_is_not_followed(served, status):
    clone = served.clone(served.server.clone_url)
    header_in_config(clone, served.server)
    with HostileServer(lambda send: send(b"HTTP/1.1 404 No\r\n\r\n")) as other:
        served.server.fault = lambda handler: (
            handler.send(status, b"", {"Location": other.url + handler.path[1:]})
            or True
        )
        reason = failure_of(build(clone))

        assert [] == other.asked
    assert f"returned error: {status})" in reason
    assert reason.endswith(
        "set the new address with `git remote set-url`, if the repository moved"
    )


def never(handler):
    handler.server.ended.wait(20)
    return True


def stall(handler):
    """Send the first half of the pack."""
    if handler.command == "POST":
        status, body, headers = handler.of_backend(handler.body)
        handler.send(
            status, body[: len(body) // 2], headers | {"Content-Length": len(body)}
        )
        handler.wfile.flush()
        return never(handler)
    return False


def garbage(handler):
    handler.send(200, b"\0\xff<html>\x1b[31m" * 999, {"Content-Type": "text/html"})
    return True


def garbage_for_a_pack(handler):
    if handler.command == "POST":
        kind = "application/x-git-upload-pack-result"
        handler.send(
            200,
            b"000dpackfile\n" + b"0fff\x01" + b"\xff" * 0xFFA,
            {"Content-Type": kind},
        )
        return True
    return False


def hang_up(handler):
    handler.close_connection = True
    return True


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        full(never, "it took more than the 2 seconds of a build"),
        (stall, "it took more than the 2 seconds of a build"),
        full(garbage, "inflate: data stream error"),
        (garbage_for_a_pack, "protocol error|bad pack|early EOF|invalid"),
        (hang_up, "Empty reply from server"),
    ],
)
def test_bad_server_costs_a_limited_time_and_one_line(served, monkeypatch, fault, text):
    monkeypatch.setattr(history, "WANTED", Limits(2.0, 1 << 29))
    clone = served.clone(served.server.clone_url)
    served.server.fault = fault

    with ended_in(10):
        reason = failure_of(build(clone))

    assert re.search(text, reason), reason
    assert "\x1b" not in reason


@FULL
def test_interrupted_build_leaves_nothing(served):
    """As with Ctrl-C, or a job that is cancelled on GitHub."""
    clone = served.clone(served.server.clone_url)
    waits = threading.Event()
    served.server.fault = lambda handler: waits.set() or never(handler)
    before = read_all(clone / ".git")
    for name in NAMES:
        (clone / "site" / name).mkdir(parents=True)
        (clone / "site" / name / "index.html").write_text(
            "<!doctype html><title>x</title>"
        )
    # Started by a job in the background of a shell, it would ignore the signal.
    start = "import signal, runpy; signal.signal(signal.SIGINT, signal.default_int_handler);"
    start += " runpy.run_module('sitemap_plugins', run_name='__main__', alter_sys=True)"
    command = [sys.executable, "-P", "-c", start, "build", "site", "--fetch-history"]
    process = subprocess.Popen(
        [*command, "--base-url=https://example.com/", "--sources=*=docs/*"],
        cwd=clone,
        env=ENVIRON | {"TMPDIR": str(served.temporary)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert waits.wait(30)
    assert [] != [*served.temporary.iterdir()]

    for _ in range(3):  # Python can lose one that arrives while it cleans up.
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(20)
            break

    assert process.poll() not in {0, None}
    assert [] == processes(str(served.temporary))
    assert [] == [*served.temporary.iterdir()]
    assert read_all(clone / ".git") == before


def build_command(clone):
    """Write a site of all pages into a clone;
    return the command that builds its sitemap."""
    for name in NAMES:
        page = clone / "site" / f"{name}.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text("<!doctype html><title>x</title>")
    command = [sys.executable, "-P", "-m", "sitemap_plugins", "build", "site"]
    options = ["--base-url=https://example.com/", "--sources=*=docs/*"]
    return [*command, *options]


@pytest.mark.parametrize("moment", [full(0.0), 0.1, full(0.4)])
@pytest.mark.parametrize(
    "number", [full(signal.SIGTERM), signal.SIGKILL, full(signal.SIGHUP)]
)
def test_build_that_is_ended_leaves_no_process_and_the_next_one_no_folder(
    served, number, moment
):
    clone = served.clone(served.server.clone_url)
    command = [*build_command(clone), "--fetch-history"]
    waits = threading.Event()
    served.server.fault = lambda handler: waits.set() or never(handler)
    environ = ENVIRON | {"TMPDIR": str(served.temporary)}
    process = subprocess.Popen(command, cwd=clone, env=environ)
    assert waits.wait(30)
    time.sleep(moment)
    process.send_signal(number)
    process.wait()

    ends = time.monotonic() + 2
    while processes(str(served.temporary)) and time.monotonic() < ends:
        time.sleep(0.01)
    assert [] == processes(str(served.temporary))

    mine = served.temporary / "sitemap-plugins-history-file"
    mine.write_text("not a folder")
    link = served.temporary / "sitemap-plugins-history-link"
    link.symlink_to(served.folder)
    served.server.fault = None
    with scratch_folder() as other:  # Of a build that still runs.
        subprocess.run(command, cwd=clone, env=environ, check=True)
        assert {mine, link, other} == {*served.temporary.iterdir()}
    mine.unlink()
    link.unlink()


@FULL
def test_git_ends_at_a_limit_of_the_system_if_its_supervisor_is_ended_too(served):
    clone = served.clone(served.server.clone_url)
    waits = threading.Event()
    served.server.fault = lambda handler: waits.set() or never(handler)
    environ = ENVIRON | {"TMPDIR": str(served.temporary)}
    command = [*build_command(clone), "--fetch-history"]
    process = subprocess.Popen(command, cwd=clone, env=environ)
    assert waits.wait(30)
    limits = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (folder / "cmdline").read_bytes()
            if b"supervisor" in command and os.fsencode(served.temporary) in command:
                limits.append((folder / "limits").read_text())
    process.terminate()
    process.wait()

    assert limits
    assert all(re.search(r"Max cpu time +62 +62 ", text) for text in limits)
    largest = (1 << 29) + (1 << 26)
    assert all(re.search(rf"Max file size +{largest} +{largest} ", t) for t in limits)
    shutil.rmtree(next(served.temporary.iterdir()))


@FULL
def test_all_repositories_of_a_build_share_the_limits(served, monkeypatch):
    monkeypatch.setattr(history, "WANTED", Limits(2.0, 1 << 29))
    clones = [served.clone(served.server.clone_url, name=f"clone{n}") for n in range(3)]
    served.server.fault = never
    pages = [checked(Page(path=str(c), sources=(c / NAMES[0],))) for c in clones]

    with ended_in(10):
        found = lastmod.resolve(
            pages, options=FETCH, environment=environment(ENVIRON, fetches_history=True)
        )

    assert ["fetch-failed", "shallow-clone"] == [
        notice.code for notice in found.notices
    ]


def test_history_that_is_too_large_is_not_kept(served, monkeypatch):
    monkeypatch.setattr(history, "WANTED", Limits(60.0, 1_000))
    clone = served.clone(served.server.clone_url)
    with ended_in(10):
        assert "(it is larger than the 0 MB of a build)" in failure_of(build(clone))


@FULL
def test_commit_that_the_server_does_not_know_is_one_line(served):
    clone = served.clone(served.server.clone_url)
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    git(clone, *identity, "commit", "--quiet", "--allow-empty", "-m", "made in the job")

    reason = failure_of(build(clone))

    assert "not our ref" in reason
    assert reason.endswith("): push the commit before the build")


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        (
            "../served/site",
            "the remote 'origin' is '../served/site', which is not on a server",
        ),
        (".", "the remote 'origin' is '.', which is not on a server"),
        ("file:///served/site", "'file:///served/site', which is not on a server"),
        ("ext::sh -c 'touch /x'", "which is not on a server"),
        (
            "ftp://me:secret@example.com/x",
            "is 'ftp://…@example.com/x', which is not on a server",
        ),
        (None, "the remote 'origin' has no address"),
    ],
)
def test_remote_that_is_not_on_a_server_is_one_line(served, url, problem):
    clone = served.clone(served.server.clone_url)
    if url is None:
        git(clone, "remote", "remove", "origin")
    else:
        git(clone, "config", "remote.origin.url", url)

    reason = failure_of(build(clone))

    assert reason.startswith("the history cannot be fetched: ")
    assert problem in reason


@pytest.mark.parametrize(
    "names", [full(["origin"]), ["mine", "origin", "theirs"], full(["mine"])]
)
def test_remote_is_that_of_the_branch_or_origin_or_the_only_one(served, names):
    clone = served.clone(served.server.clone_url)
    if names[0] != "origin":
        git(clone, "remote", "rename", "origin", names[0])
    for name in names[1:]:
        git(clone, "remote", "add", name, "https://192.0.2.1/nowhere.git")
    git(
        clone,
        "config",
        "--add",
        f"remote.{names[0]}.url",
        "https://192.0.2.1/second.git",
    )
    assert_fetched(build(clone))

    git(clone, "checkout", "--quiet", "--detach")
    if names[0] == "mine" and len(names) > 1:
        git(clone, "remote", "set-url", "origin", served.server.clone_url)
        git(clone, "remote", "remove", "mine")
    assert_fetched(build(clone))


def test_full_disk_is_one_line(served):
    mount = shutil.which("mount")
    command = [mount, "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(served.temporary)]
    if (
        mount is None
        or subprocess.run(command, check=False, capture_output=True).returncode
    ):
        pytest.skip("cannot mount a file system")
    message = os.urandom(200_000).hex().encode()
    served.repository.git(
        "commit", "--quiet", "--allow-empty", "--file=-", stdin=message
    )
    try:
        clone = served.clone(served.server.clone_url)
        reason = failure_of(build(clone))
    finally:
        subprocess.run(["umount", str(served.temporary)], check=True)

    assert reason.endswith("make room in the folder for temporary files"), reason


def test_key_of_the_clone_is_not_used_and_the_line_says_so(served):
    clone = served.clone(served.server.clone_url)
    mark = served.folder / "mark"
    git(clone, "config", "core.sshCommand", f"touch {mark}; false")
    git(clone, "config", "remote.origin.url", "ssh://git@127.0.0.1:1/site.git")
    cure = "`core.sshCommand` is ignored: set GIT_SSH_COMMAND instead"
    assert cure in failure_of(build(clone))
    assert not mark.exists()

    build(clone, environ=ENVIRON | {"GIT_SSH_COMMAND": f"touch {mark}; false"})
    assert mark.exists()


# A repository that is a stranger's.


def test_hostile_configuration_runs_nothing_and_reaches_nobody(served):
    mark = served.folder / "mark"
    program = served.folder / "program"
    program.write_text(f'#!/bin/sh\necho "$0 $@" >> {mark}\n')
    program.chmod(0o755)
    clone = served.clone(served.server.clone_url)
    with HostileServer(lambda send: send(b"HTTP/1.1 404 No\r\n\r\n")) as other:
        settings = {
            **dict.fromkeys(
                [
                    "core.sshCommand",
                    "core.gitProxy",
                    "core.askPass",
                    "core.editor",
                    "core.fsmonitor",
                    "core.alternateRefsCommand",
                    "credential.helper",
                    f"credential.{served.server.url}.helper",
                    "remote.origin.uploadpack",
                    "uploadpack.packObjectsHook",
                    "gpg.program",
                    "alias.fetch",
                    "alias.init",
                ],
                f"!{program}",
            ),
            "core.hooksPath": str(served.folder),
            "init.templateDir": str(served.folder),
            f"url.{other.url}.insteadOf": served.server.url,
            "url.ext::sh.pushInsteadOf": "http",
            "http.proxy": other.url,
            f"http.{served.server.url}.proxy": other.url,
            "http.followRedirects": "true",
            "http.cookieFile": str(program),
            "http.saveCookies": "true",
            "remote.origin.proxy": other.url,
            "remote.origin.vcs": "ext",
            "remote.origin.promisor": "true",
            "remote.origin.partialCloneFilter": "tree:0",
            "remote.other.url": other.url,
            "remote.pushDefault": "other",
            "fetch.recurseSubmodules": "true",
            "fetch.bundleURI": other.url,
            "submodule.sub.url": other.url,
            "submodule.sub.active": "true",
            "transfer.credentialsInUrl": "die",
            "protocol.allow": "always",
            "protocol.ext.allow": "always",
        }
        for name, value in settings.items():
            git(clone, "config", name, value)
        (clone / ".git/hooks").mkdir()
        for hook in (
            "post-index-change",
            "reference-transaction",
            "post-checkout",
            "pre-auto-gc",
        ):
            for folder in (served.folder, clone / ".git/hooks"):
                shutil.copy(program, folder / hook)
        modules = f'[submodule "sub"]\n\tpath = sub\n\turl = {other.url}\n'
        (clone / ".gitmodules").write_text(modules)
        (clone / ".lfsconfig").write_text(f"[lfs]\n\turl = {other.url}\n")

        assert_fetched(build(clone))

        assert [] == other.asked
    assert not mark.exists(), mark.read_text()


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        (
            "ssh://-oProxyCommand=touch mark/x",
            "strange hostname '-oProxyCommand=touch mark' blocked",
        ),
        full("-oProxyCommand=touch mark:x", "which is not on a server"),
        ("--upload-pack=touch mark", "which is not on a server"),
        ("git://127.0.0.1:1/\n/x", "which is not on a server"),
        full("http://127.0.0.1:1/\x1b[31m", "bad/illegal format|Bad path"),
        ("http://me:sec@ret@127.0.0.1:1/x", "Failed to connect|refused"),
        full("http://127.0.0.1:99999/", "port|URL"),
        full("http://[/x", "URL|host|bad|resolve"),
        full("https://127.0.0.1:1/x" + "a" * 99_999, "unable to access"),
    ],
)
def test_hostile_address_is_one_line(served, url, reason, monkeypatch):
    monkeypatch.chdir(served.folder)
    clone = served.clone(served.server.clone_url)
    git(clone, "config", "remote.origin.url", url)

    text = failure_of(build(clone))

    assert re.search(reason, text), text
    assert len(text) < 999
    assert not re.search("[\x00-\x1f]|sec", text)
    assert not [*served.folder.rglob("mark")]


@FULL
def test_settings_that_are_too_long_for_an_environment_are_one_line(served):
    clone = served.clone(served.server.clone_url)
    with (clone / ".git/config").open("a") as file:
        file.write(
            f'[http "{served.server.url}"]\n'
            + f"extraheader = X: {'x' * 99_999}\n" * 99
        )

    assert "Argument list too long" in failure_of(build(clone))


def test_other_origins_of_the_clone_stay_as_they_are(served):
    """Replaced objects and alternates of the clone do not count for the history."""
    clone = served.clone(served.server.clone_url)
    (clone / ".git/objects/info/alternates").write_text(
        f"{served.repository.folder}/.git/objects\n"
    )

    assert_fetched(build(clone))


@FULL
def test_server_that_floods_the_log_is_stopped(served, monkeypatch):
    """All that a server writes beside the objects is for people, and git prints it."""
    monkeypatch.setattr(history, "WANTED", Limits(60.0, 1 << 20))
    clone = served.clone(served.server.clone_url)

    def flood(handler):
        if handler.command != "POST":
            return False
        kind = "application/x-git-upload-pack-result"
        line = b"0fff\x02" + b"\x1b[31mall is well\n".ljust(0xFFA)
        handler.send(200, b"000dpackfile\n" + line * 9999, {"Content-Type": kind})
        return True

    served.server.fault = flood
    with ended_in(10):
        assert "(it is larger than the 1 MB of a build)" in failure_of(build(clone))


@FULL
def test_flood_of_messages_fills_no_memory(served, monkeypatch):
    monkeypatch.setattr(history, "WANTED", Limits(60.0, 1 << 26))
    clone = served.clone(served.server.clone_url)
    line = b"%04x\x02" % 60_005 + b"x" * 59_999 + b"\n"
    largest = []

    def flood(handler):
        if handler.command != "POST":
            return False
        kind = "application/x-git-upload-pack-result"
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        handler.end_headers()
        handler.wfile.write(b"000dpackfile\n")
        with suppress(OSError):
            while True:
                handler.wfile.write(line * 99)
                largest.extend(memory(served.temporary))
        handler.close_connection = True
        return True

    served.server.fault = flood
    with ended_in(30):
        assert "(it is larger than the 64 MB of a build)" in failure_of(build(clone))
    assert max(largest) < 50 << 20


def memory(temporary):
    """Return the bytes of memory of each process of a fetch that is Python."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (folder / "cmdline").read_bytes()
            if b"supervisor" in command and os.fsencode(temporary) in command:
                size = (folder / "statm").read_text().split()[1]
                found.append(int(size) * os.sysconf("SC_PAGE_SIZE"))
    return found or [0]


@FULL
def test_object_that_claims_a_huge_size_takes_no_memory(served):
    clone = served.clone(served.server.clone_url)
    size = bytes([0x90, *[0x80] * 3, 0x80, 0x10])  # A commit of 137 GB.
    pack = (
        b"PACK" + (2).to_bytes(4) + (1).to_bytes(4) + size + zlib.compress(b"0" * 999)
    )
    pack += hashlib.sha1(pack).digest()

    def bomb(handler):
        if handler.command != "POST":
            return False
        body = b"000dpackfile\n" + b"%04x\x01" % (len(pack) + 5) + pack + b"0000"
        handler.send(
            200, body, {"Content-Type": "application/x-git-upload-pack-result"}
        )
        return True

    served.server.fault = bomb

    assert "(fatal: attempting to allocate" in failure_of(build(clone))


@FULL
def test_simple_web_server_cannot_name_another_host(served):
    """Such a server can name further places of its objects."""
    clone = served.clone(served.server.clone_url)
    head = git(clone, "rev-parse", "HEAD").strip()
    with HostileServer(lambda send: send(b"HTTP/1.1 404 No\r\n\r\n")) as other:

        def answer(handler):
            path = handler.path.partition("?")[0]
            bodies = {
                "info/refs": f"{head}\trefs/heads/main\n",
                "HEAD": "ref: refs/heads/main\n",
                "objects/info/http-alternates": f"{other.url}objects\n",
                "objects/info/alternates": f"{other.url}objects\n",
            }
            body = bodies.get(path.partition(".git/")[2])
            handler.send(404 if body is None else 200, (body or "").encode())
            return True

        served.server.fault = answer
        failure_of(build(clone))

        assert any("alternates" in path for _, path, _ in served.server.requests)
        assert [] == other.asked


def elsewhere_body(url):
    """Return an answer with the address of a file of objects elsewhere."""
    pack = pack_of()
    lines = [b"packfile-uris\n", b"%040x %b\n" % (7, url.encode())]
    body = b"".join(b"%04x%b" % (len(line) + 4, line) for line in lines) + b"0001"
    return body + b"000dpackfile\n%04x\x01%b0000" % (len(pack) + 5, pack)


SPEAKER = """
import os, sys
folder = sys.argv[1]
def line():
    size = int(sys.stdin.buffer.read(4) or b"0", 16)
    return sys.stdin.buffer.read(size - 4) if size > 3 else size
def send(name):
    sys.stdout.buffer.write(open(f"{folder}/{name}", "rb").read())
    sys.stdout.buffer.flush()
if os.environ.get("INETD"):
    line()
send("greeting")
lines = []
while True:
    got = line()
    if got == 0:
        open(f"{folder}/asked", "ab").write(repr(lines).encode())
        if any(b"command=fetch" in text for text in lines if isinstance(text, bytes)):
            send("body")
        elif lines:
            sys.stdout.buffer.write(b"0000")
            sys.stdout.buffer.flush()
        else:
            break
        lines = []
    else:
        lines.append(got)
"""
"""Speaks protocol 2 on its pipes: no branches, and the body for each fetch."""


def elsewhere(url):
    """Answer a fetch with the address of a file of objects elsewhere,
    which git did not ask for."""
    body = elsewhere_body(url)

    def answer(handler):
        if handler.command != "POST" or b"command=fetch" not in handler.body:
            return False
        kind = "application/x-git-upload-pack-result"
        handler.send(200, body, {"Content-Type": kind})
        return True

    return answer


def named_bundle(url):
    """Answer a fetch with a capability that names a bundle elsewhere,
    and a promisor."""

    def answer(handler):
        if handler.command != "GET":
            return False
        lines = [b"# service=git-upload-pack\n", b""]
        lines += [b"version 2\n", b"agent=git/2.55.0\n", b"bundle-uri\n"]
        lines += [b"promisor-remote=name=x,url=%b\n" % url.encode()]
        lines += [b"ls-refs=unborn\n", b"fetch=shallow filter packfile-uris\n"]
        lines += [b"server-option\n", b"object-format=sha1\n", b"object-info\n"]
        body = b"".join(
            b"%04x%b" % (len(line) + 4, line) if line else b"0000" for line in lines
        )
        kind = "application/x-git-upload-pack-advertisement"
        handler.send(200, body + b"0000", {"Content-Type": kind})
        return True

    return answer


def moved_after_the_greeting(url):
    """Answer the greeting, and redirect what follows."""

    def answer(handler):
        if handler.command == "POST":
            handler.send(307, b"", {"Location": url})
        return handler.command == "POST"

    return answer


@pytest.fixture
def authority(served):
    """A certificate authority that git trusts, and another server under it."""
    made = trustme.CA()
    made.cert_pem.write_to_path(served.folder / "authority.pem")
    return made


@contextmanager
def another(authority, scheme):
    context = None
    if scheme == "https":
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("127.0.0.1").configure_cert(context)
    with HostileServer(sending(b"HTTP/1.1 404 No\r\n\r\n"), context=context) as other:
        yield other


@pytest.mark.parametrize("scheme", [full("http"), "https"])
@pytest.mark.parametrize(
    ("answer", "variables", "settings"),
    [
        (elsewhere, {}, {}),
        (elsewhere, {"NO_PROXY": "*", "no_proxy": "127.0.0.1"}, {}),
        full(elsewhere, {}, {"http.proxy": ""}),
        full(
            elsewhere, {}, {"http.OTHER.proxy": "", "fetch.uriProtocols": "http,https"}
        ),
        (named_bundle, {}, {}),
        full(named_bundle, {}, {"transfer.bundleURI": "true"}),
        full(named_bundle, {}, {"promisor.acceptFromServer": "All"}),
        full(moved_after_the_greeting, {}, {}),
        (moved_after_the_greeting, {}, {"http.followRedirects": "true"}),
    ],
)
def test_server_cannot_lead_git_to_another_host(
    served, authority, answer, variables, settings, scheme
):
    if scheme == "https":
        served.server.use(authority.issue_cert("127.0.0.1"))
    trusted = {"GIT_SSL_CAINFO": str(served.folder / "authority.pem")}
    clone = served.clone(f"{served.server.url}site/.git", **trusted)
    with another(authority, scheme) as other:
        given = configured(
            {key.replace("OTHER", other.url): text for key, text in settings.items()}
        )
        served.server.fault = answer(f"{other.url}x.pack")
        build(clone, environ=ENVIRON | trusted | variables | given)

        assert [] == other.asked
        assert [] == other.left


def configured(settings):
    """Return the variables with which a user sets git's configuration."""
    given = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (name, value) in enumerate(settings.items()):
        given[f"GIT_CONFIG_KEY_{number}"] = name
        given[f"GIT_CONFIG_VALUE_{number}"] = value
    return given


@pytest.mark.parametrize("scheme", [full("http"), "https"])
@pytest.mark.parametrize(
    "way", [full("http.proxy"), full("http.URL.proxy"), "ALL_PROXY", full("own")]
)
def test_proxy_of_the_user_leads_to_the_remote_and_no_other(
    served, authority, scheme, way
):
    if scheme == "https":
        served.server.use(authority.issue_cert("127.0.0.1"))
    url = f"{served.server.url}site/.git"
    trusted = {"GIT_SSL_CAINFO": str(served.folder / "authority.pem")}
    clone = served.clone(url, **trusted)
    with Proxy() as proxy, another(authority, scheme) as other:
        if "." in way:
            name = way.replace("URL", served.server.url)
            given = configured({name: proxy.url})
        else:
            given = {way.replace("own", f"{scheme}_proxy"): proxy.url}
        environ = ENVIRON | trusted | given
        assert_fetched(build(clone, environ=environ))
        assert {served.server.server_port} == {*proxy.ports}

        proxy.ports.clear()
        served.server.fault = elsewhere(f"{other.url}x.pack")
        build(clone, environ=environ)
        assert {served.server.server_port} == {*proxy.ports}
        assert [] == other.asked

        if "." not in way:
            proxy.ports.clear()
            served.server.fault = None
            direct = {"NO_PROXY": "example.com, 127.0.0.1"}
            assert_fetched(build(clone, environ=environ | direct))
            assert [] == proxy.ports


@pytest.mark.parametrize("transport", ["ssh", full("git")])
def test_other_transports_cannot_lead_git_to_another_host(served, transport):
    """A server of any transport can name files of objects,
    which git fetches by http."""
    clone = served.clone(served.server.clone_url)
    with HostileServer(sending(b"HTTP/1.1 404 No\r\n\r\n")) as other:
        greeting = b"".join(
            b"%04x%b" % (len(line) + 4, line)
            for line in (
                b"version 2\n",
                b"ls-refs=unborn\n",
                b"fetch=shallow filter\n",
                b"object-format=sha1\n",
            )
        )
        body = elsewhere_body(f"{other.url}x.pack")
        (served.folder / "greeting").write_bytes(greeting + b"0000")
        (served.folder / "body").write_bytes(body)
        server = served.folder / "server"
        server.write_text(SPEAKER)
        environ = ENVIRON
        if transport == "ssh":
            command = f"{sys.executable} {server} {served.folder}"
            environ = environ | {"GIT_SSH_COMMAND": f"{command} #"}
            git(clone, "config", "remote.origin.url", "ssh://git@127.0.0.1/site.git")
            found = build(clone, environ=environ)
        else:
            command = [sys.executable, str(server), str(served.folder)]
            with answering(command) as port:
                url = f"git://127.0.0.1:{port}/site.git"
                git(clone, "config", "remote.origin.url", url)
                found = build(clone, environ=environ)

        assert [] == other.asked
    assert (served.folder / "asked").exists()
    assert re.search("port 0 |127.0.0.1:0 ", failure_of(found))


# Who connects, and how often.


WAYS = [
    ("1", "--fetch-history", {}, 1),
    full("1", "--no-fetch-history", {"GITHUB_ACTIONS": "true"}, 0),
    full("1", "", {}, 0),
    full("1", "", {"CI": "1"}, 0),
    full("1", "", {"GITHUB_ACTIONS": "true"}, 1),
    ("99", "--fetch-history", {}, 0),
    full("99", "--no-fetch-history", {"GITHUB_ACTIONS": "true"}, 0),
    full("99", "", {}, 0),
    full("99", "", {"CI": "1"}, 0),
    full("99", "", {"GITHUB_ACTIONS": "true"}, 0),
]
"""The depth of a clone, the option, variables, and how often a build connects."""


@pytest.mark.parametrize(("depth", "option", "variables", "expected"), WAYS)
def test_build_connects_once_and_only_if_it_must(
    served, depth, option, variables, expected
):
    strace = shutil.which("strace")
    if (
        strace is None
        or subprocess.run([strace, "true"], check=False, capture_output=True).returncode
    ):
        pytest.skip("no program can be traced here")
    clone = served.clone(served.server.clone_url, f"--depth={depth}")
    log = served.folder / "log"
    traced = [strace, "-f", "-qq", "-o", str(log)]
    traced += ["-e", "trace=connect,execve", *build_command(clone)]
    served.server.requests.clear()
    subprocess.run(
        [*traced, option] if option else traced,
        cwd=clone,
        env=ENVIRON | variables,
        check=True,
        capture_output=True,
    )

    calls = log.read_text()
    ports = re.findall(r"connect\(.*sin6?_port=(htons\(\d+\))", calls)
    assert {f"htons({served.server.server_port})"} >= {*ports}
    assert expected == len(re.findall(r"connect\(.*AF_INET", calls))
    assert expected == served.server.fetches
