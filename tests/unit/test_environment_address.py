"""The address that a message proposes for a site without one."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.environment import (
    MAX_CNAME_BYTES,
    about_address,
    propose_address,
)
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


def about(folder, address, **environ):
    """Return the notices about an address, as parts."""
    site = Site(
        output_dir=folder, project_dir=folder, base_url_setting="site_url in mkdocs.yml"
    )
    found = about_address(address, site, environ)
    return [(notice.code, notice.level, notice.text) for notice in found]


@pytest.mark.parametrize("place", ["CNAME", "docs/CNAME"])
@pytest.mark.parametrize("address", ["https://example.com/", "https://your.site/docs/"])
def test_address_on_another_host_than_cname_is_reported(tmp_path, place, address):
    (tmp_path / "docs").mkdir()
    (tmp_path / place).write_text("www.example.com\n")

    named = "'https://www.example.com/'"
    problem = f"is on another host than {named}, which the file CNAME has"
    text = f"site_url in mkdocs.yml = {address!r} {problem}: set it to {named}, or correct CNAME"
    assert [("wrong-base-url", "warning", text)] == about(tmp_path, address)
    assert [] == about(tmp_path, "https://www.example.com/docs/")
    (local,) = about(tmp_path, "http://127.0.0.1:8000/")
    assert "local-address" == local[0]


@pytest.mark.parametrize("host", ["github.com", "gitlab.com", "codeberg.org"])
def test_address_of_a_repository_is_reported(tmp_path, host):
    ((code, level, text),) = about(
        tmp_path, f"https://{host}/owner/repo/", GITHUB_REPOSITORY="owner/repo"
    )

    assert ("wrong-base-url", "warning") == (code, level)
    assert "is the address of a repository, not of a site" in text
    assert (
        "set it to the site's address, perhaps 'https://owner.github.io/repo/'" in text
    )


@pytest.mark.parametrize(
    ("address", "codes"),
    [
        ("https://owner.github.io/other/docs/", ["other-repository"]),
        ("https://owner.github.io/kups/docs/", []),
        ("https://docs.example.com/", []),
        ("https://upstream.github.io/kups/", []),  # In a fork.
    ],
)
def test_pages_address_of_another_repository_is_reported(tmp_path, address, codes):
    found = about(tmp_path, address, GITHUB_REPOSITORY="Owner/kups")

    assert codes == [code for code, _, _ in found]
