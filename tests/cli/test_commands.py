"""What stands in place of a command."""

from __future__ import annotations

import click
import pytest

from tests.cli.command import run
from tests.folder.html_folder import BASE, page, write

FILES = {
    "index.html": page(BASE),
    "sitemap.xml": f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
    f"<url><loc>{BASE}</loc></url></urlset>",
}


@pytest.mark.parametrize("target", ["site", "site/sitemap.xml", "https://127.0.0.1:1/"])
def test_a_target_without_a_command_is_checked(tmp_path, target):
    write(tmp_path, {f"site/{name}": text for name, text in FILES.items()})

    options = ("-v", "--retries", "0")
    assert run(tmp_path, "check", target, *options) == run(tmp_path, target, *options)


def test_a_folder_named_like_a_command_is_not_a_target(tmp_path):
    write(tmp_path, {f"build/{name}": text for name, text in FILES.items()})

    assert "Missing argument 'SITE_DIR'" in run(tmp_path, "build").err


@pytest.mark.skipif(not hasattr(click, "NoSuchCommand"), reason="click before 8.4")
def test_the_nearest_command_is_proposed(tmp_path):
    assert "Did you mean 'check'?" in run(tmp_path, "checc", "site").err


@pytest.mark.parametrize("name", ["site", "x" * 5_000, "--nothing", ""])
def test_anything_else_is_refused(tmp_path, name):
    done = run(tmp_path, name)

    assert 2 == done.returncode
    assert "Traceback" not in done.err
