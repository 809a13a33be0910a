"""Output of every command: in any encoding, and to a closed pipe."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from lxml import etree

from sitemap_plugins.findings.formats import FORMATS
from tests.check.checked_site import url, urlset, write_site
from tests.cli.command import run
from tests.folder.html_folder import BASE, page, write
from tests.full import FULL, full, usually
from tests.preloaded import run_module

ENCODINGS = ["cp1252", "iso-8859-1", "ascii"]
"""The last has no `é`, and none has an arrow."""

NEW = f"<url><loc>{BASE}a/</loc><lastmod>2030-01-01</lastmod></url><url><loc>{BASE}café</loc></url>"


@pytest.fixture
def site(tmp_path):
    write_site(tmp_path)
    write(tmp_path, {"out/café/index.html": page(f"{BASE}a/")})
    write(tmp_path, {"old.xml": urlset(url("a/", "2024-01-01")), "é.xml": urlset(NEW)})
    return tmp_path


def run_bytes(site, encoding, *arguments):
    """Run the command in a terminal's encoding; return what it printed as bytes."""
    usual = {"COLUMNS": "80", "PYTHONIOENCODING": encoding}
    return run_module(
        "sitemap_plugins", arguments, folder=site, usual=usual, environ={}
    )


COMMANDS = {
    "build": (
        ["out", "--dry-run", "-v", "--base-url", BASE],
        0,
        "caf{é}/index.html: left out",
    ),
    "check": (["é.xml"], 1, "{é}.xml:3: "),
    "diff": (["old.xml", "é.xml"], 1, "2024-01-01 -> 2030-01-01"),
    "merge": (["é.xml", "old.xml", "--base-url", BASE], 0, "{é}.xml: 1 sitemap"),
    "notify": (["é", "--init"], 2, "'{é}' is not a folder"),
}


@pytest.mark.parametrize("encoding", usually(ENCODINGS, "ascii"))
@pytest.mark.parametrize("command", COMMANDS)
def test_unencodable_characters_are_written_in_ascii(site, command, encoding):
    arguments, code, said = COMMANDS[command]
    done = run(site, command, *arguments, encoding=encoding)

    assert code == done.returncode
    assert "Traceback" not in done.err
    assert (
        said.replace("{é}", "é" if encoding != "ascii" else "\\xe9")
        in done.out + done.err
    )


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_wrong_argument_is_written_in_ascii(site, encoding):
    done = run(site, "check", "é→", "--fail-on", "é→", encoding=encoding)

    assert 2 == done.returncode
    assert ("\\xe9->" if encoding == "ascii" else "é->") in done.err
    assert done.err.startswith("Usage: sitemap-plugins check ")


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("form", FORMATS)
def test_output_for_programs_is_the_same_in_every_encoding(site, form, encoding):
    arguments = ["check", "é.xml", "--format", form]
    run(site, *arguments, "--output", "result")
    done = run_bytes(site, encoding, *arguments)

    assert (1, b"") == (done.returncode, done.stderr)
    assert (site / "result").read_bytes() == done.stdout
    if form == "junit":
        assert "é.xml" in "".join(etree.fromstring(done.stdout).itertext())
    elif form != "github":
        assert json.loads(done.stdout)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_urls_are_the_same_in_every_encoding(site, encoding):
    done = run_bytes(site, encoding, "diff", "old.xml", "é.xml", "--format", "urls")

    assert [f"{BASE}a/", f"{BASE}café"] == done.stdout.decode().splitlines()


@pytest.mark.skipif(os.name == "nt", reason="needs pipes that end")
@pytest.mark.parametrize(
    "arguments",
    [
        ["build", "out", "--base-url", BASE],
        ["check", "many.xml", "--format", "text"],
        full(["check", "many.xml", "--format", "json"]),
        full(["diff", "old.xml", "many.xml", "--format", "text"]),
        ["diff", "old.xml", "many.xml", "--format", "json"],
        full(["merge", "out/all.xml", "out/sitemap.xml", "--base-url", BASE]),
        ["notify", "out", "--init"],
        full(["check", "--help"]),
    ],
    ids=" ".join,
)
def test_closed_pipe_gives_no_message(site, arguments):
    write(
        site, {"many.xml": urlset(*(url(f"{n}/", "2030-01-01") for n in range(2_000)))}
    )
    command = [sys.executable, "-P", "-m", "sitemap_plugins", *arguments]
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        command,
        cwd=site,
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
    )
    os.close(writer)

    assert (2, b"") == (done.returncode, done.stderr)


@pytest.mark.parametrize(
    "arguments",
    [
        ["build", ""],
        ["check", ""],
        ["diff", "", "out"],
        ["diff", "out", ""],
        ["merge", "", "out"],
        ["merge", "a.xml", "out", ""],
        ["notify", "", "--init"],
    ],
    ids=" ".join,
)
def test_empty_argument_is_not_the_current_folder(site, arguments):
    done = run(site, *arguments)

    assert (2, "") == (done.returncode, done.out)
    assert "it is empty: give a name, or '.' for this folder" in done.err


@pytest.mark.parametrize("method", ["is_file", "stat"])
def test_a_folder_that_may_not_be_read_is_one_line(method, site):
    """The system raises this error for a file in it, unless the user is root."""
    code = (
        "import pathlib, runpy, sys\n"
        "def denied(path, **_): raise PermissionError(13, 'Permission denied', str(path))\n"
        f"pathlib.Path.{method} = denied\n"
        "sys.argv = ['sitemap-plugins', 'check', 'out']\n"
        "runpy.run_module('sitemap_plugins', run_name='__main__')"
    )
    done = run(site, code=code)

    assert 2 == done.returncode
    text = " ".join(done.err.split())
    assert "' cannot be opened (Permission denied): correct its permissions" in text
    assert "Traceback" not in done.err


@pytest.mark.skipif(os.name == "nt", reason="names can be longer there")
@pytest.mark.parametrize(
    "arguments",
    [
        ["build", "x" * 300, "--base-url", BASE],
        ["check", "x" * 300],
        ["diff", "x" * 300, "old.xml"],
        ["merge", "all.xml", "x" * 300, "--base-url", BASE],
        ["merge", "all.xml", "versions", "--versions", "all", "--base-url", BASE],
        ["notify", "x" * 300, "--init"],
        ["versions", "x" * 300, "--base-url", BASE],
    ],
)
def test_impossible_file_name_is_one_line(site, arguments):
    """Since Python 3.14, `Path.is_dir` is False for it."""
    versions = json.dumps([{"version": "x" * 300, "aliases": []}])
    write(site, {"versions/versions.json": versions})
    done = run(site, *arguments)

    assert 2 == done.returncode
    assert "is longer than a file's name can be: correct it" in " ".join(
        done.err.split()
    )
    assert "Traceback" not in done.err


AS_ON_WINDOWS = """
import io, sys
from sitemap_plugins.cli.commands import commands

class Closed(io.RawIOBase):
    def writable(self):
        return True

    def write(self, data):
        raise OSError(22, "Invalid argument")

sys.stdout = io.TextIOWrapper(Closed(), write_through=True)
commands()
"""


@FULL
def test_closed_pipe_gives_no_message_where_it_is_an_invalid_argument(site):
    done = run(site, "explain", code=AS_ON_WINDOWS)

    assert (2, "", "") == done
