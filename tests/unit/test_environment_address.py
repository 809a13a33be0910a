"""The address that a message proposes for a site without one."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.environment import MAX_CNAME_BYTES, propose_address
from sitemap_plugins.core.records import Site
from tests.git_repository import ENVIRON, GitRepository


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
        *(b"", b"a b", b"a.example\nb.example", b"\xff", b"../a", b"user@a.example"),
        *(b"a.example/?b", b"a" * (MAX_CNAME_BYTES + 1)),
    ],
)
def test_cname_without_a_host_proposes_nothing(tmp_path, content):
    (tmp_path / "CNAME").write_bytes(content)

    assert "" == proposed(tmp_path)


@pytest.mark.parametrize(
    ("remote", "expected"),
    [
        ("https://github.com/Owner/Name.git", "https://owner.github.io/Name/"),
        ("https://github.com/owner/name/", "https://owner.github.io/name/"),
        ("git@github.com:owner/a.b.git", "https://owner.github.io/a.b/"),
        ("ssh://git@github.com/owner/name", "https://owner.github.io/name/"),
        ("https://name:secret@github.com/owner/name", "https://owner.github.io/name/"),
        ("https://github.com/Owner/owner.github.io", "https://owner.github.io/"),
        ("https://gitlab.com/owner/name", ""),
        ("https://notgithub.com/owner/name", ""),
        ("https://example.com/github.com.evil/owner/name", ""),
        ("../github.com/name", ""),
    ],
)
def test_address_of_a_github_repository_is_proposed(tmp_path, remote, expected):
    repository = GitRepository(tmp_path)
    repository.git("remote", "add", "origin", remote)

    found = proposed(tmp_path)

    assert found == (f"'{expected}' (from the repository's remote)" if expected else "")
    assert "secret" not in found


def test_nothing_is_proposed_without_a_remote_or_a_folder(tmp_path):
    GitRepository(tmp_path)

    assert "" == proposed(tmp_path)
    assert "" == propose_address(Site(output_dir=tmp_path / "nothing"), ENVIRON)


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
