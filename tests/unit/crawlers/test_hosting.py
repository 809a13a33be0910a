"""Redirects of hosting services between the forms of a URL, and the notice about them."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.crawlers.hosting import SERVICES, about_redirects, answer

BASE = "https://example.com/docs/"


@pytest.mark.parametrize(
    ("path", "file", "redirecting"),
    [
        ("", "index.html", set()),
        ("a/", "a/index.html", set()),
        ("a/b/", "a/b/index.html", set()),
        ("a", "a/index.html", {"cloudflare", "github", "netlify"}),
        ("a/b", "a/b/index.html", {"cloudflare", "github", "netlify"}),
        ("a/index.html", "a/index.html", {"cloudflare", "vercel-cleanurls"}),
        ("index.html", "index.html", {"cloudflare", "vercel-cleanurls"}),
        ("a.html", "a.html", {"cloudflare", "vercel-cleanurls"}),
        ("a/b.html", "a/b.html", {"cloudflare", "vercel-cleanurls"}),
    ],
)
def test_service_redirects_to_the_form_that_it_serves(
    path: str, file: str, redirecting: set[str]
) -> None:
    found = {service: answer(service, path=path, file=file) for service in SERVICES}

    assert dict.fromkeys(SERVICES, "") | dict.fromkeys(redirecting, "redirects") == found


@pytest.mark.parametrize("path", ["a", "a/b", "a/my-index"])
def test_vercel_needs_a_setting_to_serve_urls_without_html(path: str) -> None:
    found = {service: answer(service, path=path, file=f"{path}.html") for service in SERVICES}

    assert dict.fromkeys(SERVICES, "") | {"vercel": "does not serve"} == found


def test_redirected_urls_are_reported_in_one_notice() -> None:
    listed = [f"{BASE}{path}" for path in ("", "a/", "b", "a.html", "a/index.html?x=/", "index")]

    (notice,) = about_redirects("cloudflare", listed, BASE, cure="do it")

    assert "host-redirects" == notice.code
    assert (
        f"Cloudflare redirects the URLs of 3 pages, such as '{BASE}a.html', and crawlers want the"
        " final ones: do it"
    ) == str(notice)


@pytest.mark.parametrize(
    ("service", "path"), [("", "a.html"), ("github", "a.html"), ("vercel", "a/index")]
)
def test_no_notice_without_a_redirected_url(service: str, path: str) -> None:
    assert [] == [*about_redirects(service, [f"{BASE}{path}", BASE], BASE, cure="do it")]
