"""`sitemap-plugins check` on the command line: arguments, output, exit codes."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from sitemap_plugins.check.command import check
from sitemap_plugins.findings.formats import FORMATS
from sitemap_plugins.live.arguments import OF_SERVERS
from tests.check.checked_site import URLS, url, urlset, write_site
from tests.cli.command import run
from tests.folder.html_folder import BASE, html, page, write
from tests.full import FULL, full
from tests.live.live_site import HTML, LiveServer

HEAD = "<meta name=robots content=noindex>"


def why_no_host():
    """Return what this system says of a host that does not exist;
    empty if it finds one."""
    try:
        socket.getaddrinfo("no-such-host.invalid", 443)
    except socket.gaierror as error:
        return error.strerror
    return ""


NO_HOST = why_no_host()


@pytest.fixture
def site(tmp_path):
    write_site(tmp_path)
    return tmp_path


def with_faults(site):
    write(site, {"out/a/index.html": page(f"{BASE}a/", head=HEAD)})
    write(
        site, {"out/sitemap.xml": urlset(*URLS[:2], *(url(f"{n}/") for n in range(5)))}
    )


def test_site_without_findings_is_one_line_and_exit_code_zero(site):
    assert (0, "3 URLs in 1 file: nothing found\n", "") == run(site, "check", "out")
    assert 0 == run(site, "check", "out/sitemap.xml").returncode


@pytest.mark.parametrize("form", ["text", *FORMATS])
def test_marks_of_direction_reach_no_output(site, form):
    """A URL could otherwise look like another one in GitHub's job summary."""
    mark = "\u202e"
    locs = (
        url(f"{mark}gpj.exe/"),
        url(f"a\u2066{mark}/"),
        url(f"{mark}.com/", base="http://x"),
    )
    write(site, {"out/sitemap.xml": urlset(*locs)})
    write(site, {"out/robots.txt": f"Disallow{mark}: x\nSitemap: {BASE}{mark}.xml\n"})
    body = f"<a href='/{mark}'>x</a>"
    write(site, {f"out/b{mark}/index.html": page(f"{BASE}b{mark}c/", body=body)})

    reports = ("--summary", "summary.md", "--report", "report.html")
    done = run(site, "check", "--format", form, *reports, "out")

    assert 1 == done.returncode, done.err
    for text in (
        done.out,
        (site / "summary.md").read_text(),
        (site / "report.html").read_text(),
    ):
        assert "u202egpj.exe" in text
        assert not re.search("[\u202a-\u202e\u2066-\u2069]", text)


def test_findings_are_in_order_each_with_its_place_its_code_and_the_cure(site):
    with_faults(site)
    done = run(site, "check", "out")

    assert 1 == done.returncode
    assert "" == done.err
    assert done.out.splitlines() == [
        f"docs/a.md: error[noindex] {BASE}a/: its HTML says noindex",
        "  → remove the page from the sitemap, or noindex from the page",
        *(
            f"sitemap.xml:{n + 5}: error[missing] {BASE}{n}/ has no file"
            for n in range(3)
        ),
        "  → remove the URL, or build the page",
        f"docs/b.md: warning[not-listed] {BASE}b/ is not listed",
        "  → build the sitemap again, or exclude the page",
        "not shown: 2 missing (see --verbose)",
        "For more about a code: sitemap-plugins explain noindex",
        "7 URLs in 1 file: 6 errors, 1 warning",
    ]
    assert "not shown" not in run(site, "check", "out", "-v").out
    assert (1, "", "") == run(site, "check", "out", "-q")


@pytest.mark.parametrize(
    ("arguments", "code", "found"),
    [
        (["--select", "not-listed"], 1, {"not-listed"}),
        (["--select", "not-listed", "--fail-on", "error"], 0, {"not-listed"}),
        (["--ignore", "missing,noindex"], 1, {"not-listed"}),
        (["--ignore", "missing", "--ignore", "noindex not-listed"], 0, set()),
        (["--required", "x/"], 1, {"missing", "noindex", "not-listed", "required"}),
    ],
)
def test_findings_can_be_selected(site, arguments, code, found):
    with_faults(site)
    done = run(site, "check", "out", "--format", "json", *arguments)

    assert (done.returncode, set(json.loads(done.out)["counts"])) == (code, found)


def test_only_findings_outside_the_baseline_fail(site):
    with_faults(site)
    saved = run(site, "check", "out", "--write-baseline", "known.json")
    assert 0 == saved.returncode
    assert "these findings are saved in known.json" == saved.out.splitlines()[-1]

    assert 0 == run(site, "check", "out", "--baseline", "known.json").returncode
    write(
        site, {"out/sitemap.xml": urlset(*URLS[:1], *(url(f"{n}/") for n in range(6)))}
    )
    done = run(site, "check", "out", "--baseline", "known.json", "--format", "json")
    assert [f"{BASE}5/"] == [f["url"] for f in json.loads(done.out)["findings"]]


def test_reports_are_written_to_files(site):
    with_faults(site)
    arguments = ["--format", "sarif", "--output", "a.sarif", "--report", "a.html"]
    done = run(site, "check", "out", *arguments)

    assert (1, "") == (done.returncode, done.out)
    assert "2.1.0" == json.loads((site / "a.sarif").read_text())["version"]
    assert (site / "a.html").read_text().startswith("<!doctype html>")


def test_command_line_wins_over_the_settings(site):
    with_faults(site)
    write(
        site,
        {
            "sitemap.toml": "[check]\nignore = ['missing', 'noindex']\nfail_on = 'error'\n"
        },
    )

    assert 0 == run(site, "check", "out").returncode
    assert 1 == run(site, "check", "out", "--fail-on", "warning").returncode


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["nowhere"],
            "'nowhere' is not a file or folder: name a sitemap, the folder of a",
        ),
        (
            ["https://127.0.0.1:1/", "--retries", "0"],
            "'https://127.0.0.1:1/robots.txt' gives no answer",
        ),
        (["https://exa mple.com/"], "contains a space or control character"),
        (
            ["https://example.com/", "--filename=a"],
            "--filename is for a folder, not for a URL: remove it",
        ),
        (["out", "--header", "x"], "a header has no name: write 'Name: value'"),
        (
            ["out", "--timeout", "1e300"],
            "1e+300 is not in the range 0<x<=3600: write a number above 0",
        ),
        (
            ["out", "--rate", "1e-320"],
            "is not in the range x>=0.001: write a number from 0.001 on",
        ),
        (["out", "--rate", "nan"], "'nan' is not a number"),
        (
            ["out", "--header", "X: a\r\nY: b"],
            "the header 'X' is not valid: write 'Name: value'",
        ),
        (
            ["out", "--map-host", "example.com", "ftp://x"],
            "is not an absolute http or https URL",
        ),
        (["out", "--sample", "0"], "0 is not in the range"),
        (["out", "--required", "re:("], "is not a pattern"),
        (["docs"], "has no sitemap.xml: build it, or give --filename"),
        (
            ["out", "--ignore", "hreflang-return"],
            "not the code of a finding: did you mean 'hreflang'?",
        ),
        (
            ["out", "--select", "nonidex"],
            "not the code of a finding: did you mean 'noindex'?",
        ),
        (
            ["out", "--select", "NoIndex"],
            "not the code of a finding: did you mean 'noindex'?",
        ),
        (
            ["out", "--select", "parts"],
            "did you mean 'missing-part' or 'part-outside' or 'orphaned-part'?",
        ),
        (["out", "--select", "date-too"], "'date-too-new' or 'date-too-old'"),
        (
            ["out", "--ignore", "qqq"],
            "'qqq' is not the code of a finding: `sitemap-plugins explain` lists them",
        ),
        (
            ["nope.xml"],
            "'nope.xml' is not a file or folder: name a sitemap, the folder of a built",
        ),
        (["nope.xml.gz", "--sample", "3"], "'nope.xml.gz' is not a file or folder"),
        (["nope.txt"], "'nope.txt' is not a file or folder"),
        (["nope.HTML"], "'nope.HTML' is not a file or folder"),
        (["example.com/sitemap.xml"], "or a URL with https:// or http://"),
        (
            ["localhost:1", "--retries", "0"],
            "'http://localhost:1/robots.txt' gives no answer",
        ),
        (
            ["127.0.0.1:1", "--retries", "0"],
            "'http://127.0.0.1:1/robots.txt' gives no answer",
        ),
        (
            ["out", "--sample", "3"],
            "--sample is for a server, not for a folder: remove it",
        ),
        (
            ["out", "--map-host", "a.com", "b.com"],
            "--map-host is for a server, not for a folder",
        ),
        (
            ["out", "--header", "a: b"],
            "--header is for a server, not for a folder: remove it",
        ),
        (
            ["out", "--no-fetch"],
            "--no-fetch is for a server, not for a folder: remove it",
        ),
        (
            ["out/sitemap.xml", "--rate", "3"],
            "--rate is for a server: name a URL, or give --map-",
        ),
        (
            ["out/sitemap.xml", "--filename=a"],
            "--filename is for a folder, not for a file: remove it",
        ),
        (["out", "--base-url", "example.com"], "is not an absolute http or https URL"),
        (
            ["out", "--baseline", "nothing.json"],
            "'nothing.json' cannot be read (No such file",
        ),
        (
            ["out", "--baseline", "docs"],
            "'docs' cannot be read (Is a directory): create it",
        ),
        (
            ["out", "--baseline", "docs/a.md"],
            "'docs/a.md' is not a baseline (Expecting value",
        ),
        (["out", "--baseline", "empty.json"], "is not a baseline: create it with"),
        (["out", "--rate", "x"], "'x' is not a valid number"),
        (["out", "--sample", "##[error]x"], "'##\\[error]x' is not a valid"),
        (["out", "--summary", ""], "'.' cannot be written (Is a directory)"),
        (["out", "--output", "."], "'.' cannot be written (Is a directory)"),
        (["outt"], "'outt' is not a file or folder: did you mean 'out'?"),
        (
            ["out/sitemp.xml"],
            "is not a file or folder: did you mean 'out/sitemap.xml'?",
        ),
        pytest.param(
            ["out", "--fail-on", "warn"],
            "'warn' is not one of 'error', 'warning', 'info': did you mean 'warning'?",
            marks=pytest.mark.skipif(
                not hasattr(click.Choice, "get_invalid_choice_message"),
                reason="click before 8.2",
            ),
        ),
        pytest.param(
            ["no-such-host.invalid", "--retries", "0"],
            f"gives no answer: {NO_HOST}",
            marks=pytest.mark.skipif(
                not NO_HOST, reason="the network answers for every name"
            ),
        ),
        (
            ["out", "--output", "out/sitemap.xml/x", "--format", "json"],
            "cannot be written",
        ),
    ],
)
def test_mistake_is_one_line_with_the_cure(site, arguments, said):
    write(site, {"empty.json": "{}"})
    done = run(site, "check", *arguments)

    assert 2 == done.returncode
    assert "Errno" not in done.err
    assert said in " ".join(done.err.split())
    assert "Traceback" not in done.err


@pytest.fixture
def live():
    with LiveServer() as server:
        yield server.site


def test_every_option_for_servers_is_listed():
    first = next(n for n, p in enumerate(check.params) if p.name == "no_fetch")
    last = next(n for n, p in enumerate(check.params) if p.name == "quiet")

    assert set(OF_SERVERS) == {parameter.name for parameter in check.params[first:last]}


def test_settings_for_other_targets_are_ignored(site, live):
    write(
        site,
        {"sitemap.toml": "[check]\nhosting = 'netlify'\nrate = 50\n"},
    )

    for target in ("out", "out/sitemap.xml", live.url):
        assert (0, "3 URLs in 1 file: nothing found\n", "") == run(
            site, "check", target
        )


def test_server_on_this_machine_is_requested_without_tls(site, live):
    assert (
        0 == run(site, "check", live.url.removeprefix("http://").rstrip("/")).returncode
    )


def test_url_and_everything_it_lists_are_requested(site, live):
    assert (0, "3 URLs in 1 file: nothing found\n", "") == run(site, "check", live.url)

    live.answers["/a/"] = (404, {}, b"")
    done = run(site, "check", f"{live.url}sitemap.xml")
    assert 1 == done.returncode
    assert done.out.splitlines() == [
        f"{live.url}sitemap.xml:4: error[http-status] {live.url}a/ answers 404",
        "  → publish a page at the address, or remove the URL",
        "For more about a code: sitemap-plugins explain http-status",
        "3 URLs in 1 file: 1 error",
    ]
    assert 0 == run(site, "check", live.url, "--no-fetch").returncode


def test_headers_and_sample_can_be_chosen(site, live):
    arguments = ["--header", "X-Key: a b", "--user-agent", "me", "--sample", "1"]
    assert 0 == run(site, "check", live.url, *arguments).returncode

    assert 3 == len(live.asked)
    assert {("a b", "me")} == {
        (r.headers["X-Key"], r.headers["User-Agent"]) for r in live.requests
    }


def test_file_is_checked_against_a_preview(site, live):
    del live.answers["/b/"]
    live.answers |= {f"/{path}": (200, HTML, page(BASE + path)) for path in ("", "a/")}
    done = run(
        site,
        "check",
        "out/sitemap.xml",
        "--map-host",
        BASE,
        live.url,
        "--format",
        "json",
    )

    assert {"http-status": 1} == json.loads(done.out)["counts"]
    assert f"{BASE}b/" == json.loads(done.out)["findings"][0]["url"]


def test_robots_txt_leads_to_the_sitemap_that_it_names(site):
    (site / "out/sitemap.xml").rename(site / "out/map.xml")
    write(site, {"out/robots.txt": f"User-agent: *\nSitemap: {BASE}map.xml\n"})

    assert (0, "3 URLs in 1 file: nothing found\n", "") == run(
        site, "check", "out/robots.txt"
    )
    assert (
        1
        == run(
            site, "check", "out/robots.txt", "--filename", "map.xml", "--required", "x/"
        )[0]
    )


def test_robots_txt_on_a_server_leads_to_the_sitemaps_that_it_names(site, live):
    live.answers["/robots.txt"] = (200, {}, f"Sitemap: {live.url}map.xml\n")
    live.answers["/map.xml"] = live.answers["/sitemap.xml"]

    assert run(site, "check", f"{live.url}robots.txt") == run(
        site, "check", f"{live.url}map.xml"
    )


# Shells start what runs in the background with interrupts ignored.
INTERRUPTED = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
    "from sitemap_plugins.cli import main; main()"
)


@FULL
def test_interrupt_ends_at_once_despite_a_slow_server(site, live):
    live.answers |= {f"/{path}": lambda _: time.sleep(60) for path in ("", "a/", "b/")}
    command = [sys.executable, "-c", INTERRUPTED, "check", "--timeout", "60", live.url]
    with subprocess.Popen(
        command, cwd=site, stderr=subprocess.PIPE, text=True
    ) as process:
        while "/a/" not in live.asked:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)

    assert 130 == process.returncode
    assert "Error: the check was interrupted: run it again for all findings\n" == err


@pytest.mark.parametrize("form", ["text", full("json")])
def test_interrupt_prints_the_findings_so_far(site, live, form):
    live.answers["/a/"] = (404, {}, b"")
    live.answers["/b/"] = lambda _: time.sleep(60)
    command = [
        "check",
        "--timeout",
        "60",
        "--concurrency",
        "1",
        live.url,
        "--format",
        form,
    ]
    command += ["--write-baseline", "known.json"]
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, *command],
        cwd=site,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        while "/b/" not in live.asked:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)

    assert 130 == process.returncode
    assert "Error: the check was interrupted: run it again for all findings\n" == err
    assert "answers 404" in out
    if form == "json":
        assert {"http-status": 1} == json.loads(out)["counts"]
    else:
        assert "\ninterrupted; so far: 1 error (" in out
    assert not (site / "known.json").exists()


def test_unknown_name_in_the_settings_is_reported(site):
    write(site, {"sitemap.toml": "[check]\nignored = ['missing']\n"})
    done = run(site, "check", "out")

    assert 2 == done.returncode
    assert (
        "sitemap.toml: check.ignored is not an option: did you mean 'ignore'?"
        in done.err
    )


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("target = 'x'", "check.target is not an option"),
        ("config = 'x'", "check.config is not an option"),
        (
            "sample = 'x'",
            "check.sample = 'x' is not valid ('x' is not a valid integer range)",
        ),
        (
            "baseline = [1]",
            "check.baseline = [1] is not valid (the type is wrong): `sitemap-plugins",
        ),
        (
            "no_fetch = 'x'",
            "check.no_fetch = 'x' is not valid ('x' is not a valid boolean",
        ),
        (
            "map_host = 'x'",
            "check.map_host = 'x' is not valid (Takes 2 values but 1 was given)",
        ),
        ("fail_on = {a = 1}", "check.fail_on = {'a': 1} is not valid ("),
    ],
)
def test_wrong_value_in_the_settings_is_reported(site, setting, said):
    write(site, {"sitemap.toml": f"[check]\n{setting}\n"})
    done = run(site, "check", "out")

    assert (2, "") == (done.returncode, done.out)
    assert f"Error: sitemap.toml: {said}" in done.err
    assert 1 == done.err.count("\n")


def test_single_value_in_the_settings_is_a_list(site):
    with_faults(site)
    write(site, {"sitemap.toml": "[check]\nignore = 'missing, noindex, not-listed'\n"})

    assert 0 == run(site, "check", "out").returncode


def test_help_has_examples(site):
    assert (
        "\n    sitemap-plugins check site --hosting" in run(site, "check", "--help").out
    )


@pytest.mark.parametrize(
    "header",
    ["hunter2", full("X: \xa0hunter2"), full("X: hunter2\x00"), full("é: hunter2")],
)
def test_value_of_a_header_is_not_printed(site, header):
    code = (
        "import sys; from sitemap_plugins.cli import main;"
        "sys.argv[1:] = ['check', 'http://127.0.0.1:1/', '--retries', '0',"
        f"'--header', {header!r}]; main()"
    )
    done = run(site, code=code)

    assert 2 == done.returncode
    assert "hunter2" not in done.out + done.err


@pytest.mark.parametrize("form", ["text", *FORMATS])
def test_undecodable_file_name_works_in_every_format(site, form):
    name = os.fsdecode(b"\xff.xml")
    (site / name).write_text("broken")
    done = run(site, "check", name, "--format", form, "--output", "result")

    assert (1, "") == (done.returncode, done.err)
    assert b"not-well-formed" in (site / "result").read_bytes()


@FULL
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_full_disk_is_one_sentence(site):
    command = [
        sys.executable,
        "-P",
        "-m",
        "sitemap_plugins",
        "check",
        "out",
        "--format",
        "json",
    ]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command,
            cwd=site,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert "Error: No space left on device: make room" in done.stderr
    assert "Traceback" not in done.stderr


def test_generator_settings_can_be_named(site):
    write(
        site,
        {"config/en/mkdocs.yml": "site_name: x\nsite_url: https://example.com/en/\n"},
    )
    checked = run(site, "check", "out", "--generator-config", "config/en/mkdocs.yml")
    unknown = run(site, "check", "out", "--generator-config", "other.yml")

    assert "'https://example.com/en/' (site_url in mkdocs.yml)" in " ".join(
        checked.out.split()
    )
    assert 2 == unknown.returncode
    assert "other.yml' is not a file: correct the name" in " ".join(unknown.err.split())


def test_the_options_of_a_settings_file_with_another_name_are_read(site):
    """As with `mkdocs build -f other.yml`."""
    settings = {"site_url": BASE, "plugins": [{"sitemap": {"exclude": ["new/"]}}]}
    write(site, {"other.yml": json.dumps(settings), "out/new/index.html": html()})

    assert "new/ is not listed" in run(site, "check", "out").out
    done = run(site, "check", "out", "--generator-config", "other.yml")
    assert (0, "") == (done.returncode, done.err), done.out

    settings["plugins"][0]["sitemap"]["filename"] = "map.xml"
    write(site, {"other.yml": json.dumps(settings)})
    (site / "out/sitemap.xml").rename(site / "out/map.xml")
    assert 2 == run(site, "check", "out").returncode
    done = run(
        site, "check", "out", "--generator-config", "other.yml", "--format", "json"
    )
    # robots.txt still names the file that is gone.
    codes = [each["code"] for each in json.loads(done.out)["findings"]]
    assert ["missing-part", "not-announced"] == sorted(codes)


@pytest.mark.parametrize(
    "frame", ["<iframe src='api.html'></iframe>", "<IFRAME SRC='/api.html'>"]
)
def test_a_document_in_a_frame_of_a_listed_page_is_not_missed(site, frame):
    """As mkdocs-swagger-ui-tag writes one for each of its tags."""
    write(site, {"out/api.html": "<!doctype html><html><body>API</body></html>"})
    assert "api.html is not listed" in run(site, "check", "out").out

    write(site, {"out/index.html": page(BASE, body=frame)})
    assert "not-listed" not in run(site, "check", "out").out


@pytest.mark.parametrize("is_absolute", [True, False])
def test_path_of_a_file_is_no_part_of_its_address(tmp_path, is_absolute):
    text = urlset(url("a/"))
    (tmp_path / "public").mkdir()
    (tmp_path / "public/sitemap.xml").write_text(text)
    name = "public/sitemap.xml"
    target = str(tmp_path / name) if is_absolute else name
    done = run(tmp_path, "check", target, "--base-url", BASE)

    assert (0, "") == (done.returncode, done.err), done.out
