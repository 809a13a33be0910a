"""No command prints the user name or the password of a URL."""

from __future__ import annotations

import pytest

from tests.check.checked_site import index, url, urlset
from tests.cli.command import run
from tests.faults.hostile_server import HostileServer, sending
from tests.folder.html_folder import BASE, write

KEY = "0123456789abcdef"
COMMANDS = [
    "diff http://me:SECRET@127.0.0.1:9/ site",
    "diff site http://me:SEC#SECRET@127.0.0.1:9/",
    "diff site 'http://me:SEC SECRET@127.0.0.1:9/'",
    "diff site http://me:SEC/SECRET@127.0.0.1:9/",
    "diff site ftp://me:SECRET@127.0.0.1:9/",
    "diff site git:http://me:SECRET@example.com/:x",
    "diff site site http://me:SECRET@example.com/",
    "http://me:SECRET@example.com/",
    "check http://me:SECRET@127.0.0.1:9/",
    "check me:SECRET@example.com",
    "check site --map-host http://me:SECRET@127.0.0.1:9/ b",
    "check site --base-url http://me:SECRET@127.0.0.1:9/",
    "check site --format http://me:SECRET@127.0.0.1:9/",
    "check site --select http://me:SECRET@127.0.0.1:9/",
    "check site --config http://me:SECRET@127.0.0.1:9/",
    "check site --header http://me:SECRET@127.0.0.1:9/",
    "build http://me:SECRET@127.0.0.1:9/",
    "build site --base-url http://me:SECRET@127.0.0.1:9/",
    "merge all.xml http://me:SECRET@127.0.0.1:9/ --base-url https://example.com/",
    "notify http://me:SECRET@127.0.0.1:9/ --all --key 0123456789abcdef",
    "notify site --changes http://me:SECRET@127.0.0.1:9/",
    "notify site --all --key 0123456789abcdef --endpoint http://me:SECRET@127.0.0.1:9/",
    "notify site --all --key 0123456789abcdef --key-location http://me:SECRET@127.0.0.1:9/",
    "notify site --all --key http://me:SECRET@127.0.0.1:9/",
]
LISTED = "http://me:SECRET@example.com/a"


EACH = """
import shlex, sys
from sitemap_plugins.cli.commands import commands
for number, line in enumerate(sys.argv[1:], 1):
    try:
        commands(shlex.split(line), prog_name="sitemap-plugins")
    except SystemExit as ended:
        print("\\nexit code", ended.code, "of command", number, flush=True)
"""
OF_A_SITEMAP = [
    "check listed.xml -v",
    "check site -v",
    "check index.xml -v",
    *(
        f"check listed.xml --format {form}"
        for form in ("json", "sarif", "junit", "github")
    ),
    "check listed.xml --summary summary --report report --output output",
    "check listed.xml --write-baseline baseline",
    *(f"diff old.xml listed.xml --format {form}" for form in ("text", "json", "urls")),
    "diff old.xml index.xml",
    "notify listed.xml --all --dry-run",
    f"notify listed.xml --all --key {KEY} --base-url {BASE} --wait 0",
    f"merge all.xml listed.xml --base-url {BASE}",
    f"merge all.xml index.xml --base-url {BASE}",
]


@pytest.fixture
def folder(tmp_path):
    write(
        tmp_path,
        {"site/index.html": "<title>x</title>", "site/sitemap.xml": urlset(url(""))},
    )
    return tmp_path


def test_password_in_an_argument_is_not_printed(folder):
    done = run(folder, *COMMANDS, code=EACH)

    assert "SECRET" not in done.out + done.err
    assert "me:" not in done.out + done.err
    assert len(COMMANDS) == done.out.count("exit code 2 ") + done.out.count(
        "exit code 1 "
    )


def test_password_in_a_sitemap_is_not_printed(folder):
    listed = urlset(
        *[url(LISTED, base="")] * 2, url("http://me:SEC/SECRET@example.com/", base="")
    )
    write(
        folder,
        {"listed.xml": listed, "site/sitemap.xml": listed, "index.xml": index(LISTED)},
    )
    write(folder, {"old.xml": urlset(url("b"))})
    before = {*folder.iterdir()}
    done = run(folder, *OF_A_SITEMAP, code=EACH, HTTP_PROXY="http://127.0.0.1:9")

    written = {file.name: file.read_text() for file in {*folder.iterdir()} - before}
    assert {"summary", "report", "output", "baseline"} == {*written}
    for text in (done.out, done.err, *written.values()):
        assert "SECRET" not in text
    assert "http://…@example.com/" in done.out
    assert len(OF_A_SITEMAP) == done.out.count("exit code ")


def test_password_in_a_response_is_not_printed(folder):
    moved = b"HTTP/1.1 301 x\r\nLocation: http://me:SECRET@example.com/\r\n\r\n"
    with HostileServer(sending(moved)) as server:
        for arguments in (("check", server.url, "-v"), ("diff", server.url, "site")):
            done = run(folder, *arguments)

            assert "http://…@example.com/" in done.out + done.err
            assert "SECRET" not in done.out + done.err
