"""A stranger's links and settings show no file from outside, no secret,
and take little time."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.check.checked_site import url, urlset
from tests.cli.command import run
from tests.folder.html_folder import BASE, page, write
from tests.full import full
from tests.sites import git

SECRET = "s3cr3t"


@pytest.fixture
def site(tmp_path, monkeypatch):
    """Return a repository with a built site, beside a file with a secret."""
    (tmp_path / "outside").write_text(SECRET)
    folder = tmp_path / "home/site"
    write(folder, {"public/index.html": page(BASE), "docs/index.md": "# A\n"})
    git(folder, "init", "-q")
    git(folder, "config", "http.extraheader", SECRET)
    monkeypatch.setenv("TOKEN", SECRET)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return folder


def texts(folder):
    files = [
        file for file in folder.rglob("*") if file.is_file() and not file.is_symlink()
    ]
    return "".join(file.read_text("utf-8") for file in files if file.name != "outside")


@pytest.mark.parametrize("target", ["../../../outside", "../.git/config"])
@pytest.mark.parametrize("name", ["robots.txt", "CNAME", "_headers", "_redirects"])
def test_link_to_a_file_outside_publishes_and_prints_nothing_of_it(site, name, target):
    (site / "public" / name).symlink_to(target)
    address = [] if name == "CNAME" else ["--base-url", BASE]

    done = run(site, "build", "public", "--source", "public", *address)

    assert SECRET not in texts(site / "public") + done.out + done.err
    assert (site / "public" / name).is_symlink()
    if name != "CNAME":
        message = "cannot be read (a link to a file outside its folder and repository)"
        assert message in " ".join(done.err.split())


@pytest.mark.parametrize(
    "command",
    [
        ("check", "public"),
        full(("check", "public/sitemap.xml")),
        ("diff", "public/sitemap.xml", "public"),
        ("merge", "public/all.xml", "public/sitemap.xml", "--base-url", BASE),
        full(("build", "public", "--base-url", BASE)),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("target", ["../../../outside", "../.git/config"])
def test_sitemap_that_is_a_link_to_a_file_outside_is_not_quoted(site, target, command):
    (site / "public/sitemap.xml").symlink_to(target)

    done = run(site, *command)

    assert SECRET not in texts(site / "public") + done.out + done.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe")
@pytest.mark.parametrize(
    "command",
    [
        ("build", "public", "--base-url", BASE),
        ("build", "public", "--base-url", BASE, "--dry-run"),
        ("explain", "docs/index.md", "public"),
        ("redirects", "git:HEAD:old.xml", "public"),
        ("check", "public"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("name", ["sitemap.xml", full("sitemap-0.xml")])
def test_pipe_in_place_of_a_sitemap_is_not_waited_for(site, name, command):
    os.mkfifo(site / "public" / name)
    write(site, {"old.xml": urlset(url("a/"))})
    git(site, "add", "old.xml")
    git(site, "commit", "-qm", "old")

    done = subprocess.run(
        [sys.executable, "-m", "sitemap_plugins", *command],
        cwd=site,
        capture_output=True,
        check=False,
        timeout=60,
    )

    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="only on Linux")
def test_file_that_a_dry_run_cannot_read_is_one_line(site):
    (site / "public/sitemap.xml").symlink_to("/proc/self/mem")

    done = run(site, "build", "public", "--base-url", BASE, "--dry-run")

    assert 2 == done.returncode
    assert "cannot be read (Input/output error): let this user read it" in done.err


def test_report_is_not_written_through_a_link_that_leads_out(site):
    (site / "report.json").symlink_to("../../outside")
    (site / "summary.md").symlink_to("../../outside")

    run(site, "build", "public", "--base-url", BASE)
    run(site, "check", "public", "--format", "json", "--output", "report.json")
    done = run(site, "check", "public", "--summary", "summary.md")

    text = "a link to a file outside its folder and repository"
    assert text in " ".join(done.err.split())
    assert not (site / "report.json").is_symlink()
    assert (site.parent.parent / "outside").read_text() == SECRET


@pytest.mark.parametrize(
    "settings",
    [
        "site_url: !ENV TOKEN",
        "site_url: !ENV [OTHER, TOKEN, x]",
        "INHERIT: !ENV TOKEN",
        "docs_dir: !ENV TOKEN",
        "plugins: [sitemap: {exclude: !ENV TOKEN}]",
        "plugins: [sitemap: {filename: !ENV TOKEN}]",
        "plugins: !ENV TOKEN",
        "INHERIT: ../../outside",
        "INHERIT: .git/config",
    ],
)
@pytest.mark.parametrize(
    "secret",
    [f"http://{SECRET}:x y/", f"{SECRET}: [", "77e9"],
    ids=["url", "text", "number"],
)
def test_no_secret_is_printed(site, settings, secret, monkeypatch):
    (site.parent.parent / "outside").write_text(f"site_url: [{secret}]\n")
    monkeypatch.setenv("TOKEN", secret)
    (site / "mkdocs.yml").write_text(f"site_name: x\n{settings}\n")

    for command in (["build"], ["check", "--quiet"]):
        done = run(site, *command, "public")

        assert secret not in done.out + done.err
        assert "Traceback" not in done.err


@pytest.mark.parametrize("name", ["/", "../..", "../../..", "../" * 30])
@pytest.mark.parametrize("form", ["zensical.toml", "mkdocs.yml", "source_dir"])
def test_source_folder_above_the_project_is_refused(site, name, form):
    values = {
        "zensical.toml": f'[project]\ndocs_dir = "{name}"\n',
        "mkdocs.yml": f"docs_dir: {name}\n",
    }
    if form in values:
        (site / form).write_text(values[form])
    more = ["--source", name] if form == "source_dir" else []
    began = time.monotonic()

    done = run(site, "build", "public", "--base-url", BASE, *more)

    assert "holds much more than the project: name a folder" in " ".join(
        done.err.split()
    )
    assert time.monotonic() - began < 15
