"""The address that a message proposes for a site without one."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.environment import MAX_CNAME_BYTES, propose_address
from sitemap_plugins.core.records import Site
from tests.git_repository import ENVIRON


def proposed(folder, *, output="out"):
    return propose_address(
        Site(output_dir=folder / output, project_dir=folder), ENVIRON
    )


@pytest.mark.parametrize("place", ["CNAME", "out/CNAME"])
def test_host_of_github_pages_is_proposed(tmp_path, place):
    (tmp_path / "out").mkdir()
    (tmp_path / place).write_text("Docs.Example.com\n")

    assert "'https://docs.example.com/' (from the file CNAME)" == proposed(tmp_path)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"a b",
        b"a.example\nb.example",
        b"\xff",
        b"../a",
        b"user@a.example",
        b"a.example/?b",
        b"a" * (MAX_CNAME_BYTES + 1),
    ],
)
def test_cname_without_a_host_proposes_nothing(tmp_path, content):
    (tmp_path / "CNAME").write_bytes(content)

    assert "" == proposed(tmp_path)


@pytest.mark.parametrize(
    ("repository", "expected"),
    [
        ("Owner/Proj", "'https://owner.github.io/Proj/' (from GITHUB_REPOSITORY)"),
        ("o/o.github.io", "'https://o.github.io/' (from GITHUB_REPOSITORY)"),
        ("no name", ""),
        ("", ""),
    ],
)
def test_address_of_the_repository_that_github_builds_is_proposed(
    tmp_path, repository, expected
):
    site = Site(output_dir=tmp_path, project_dir=tmp_path)
    environ = ENVIRON | {"GITHUB_REPOSITORY": repository}

    assert expected == propose_address(site, environ)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/CNAME").write_text("docs.example.com\n")
    own = "'https://docs.example.com/' (from the file CNAME)"
    assert own == propose_address(site, environ)
