"""What hosting services answer at each form of a URL,
and how an address shows the service."""

from __future__ import annotations

from typing import get_args

import pytest

from sitemap_plugins.core.crawlers.hosting import SERVICES, answer, service_of
from sitemap_plugins.core.url_forms import Form

REDIRECTS, NOT_FOUND = "redirects", "does not serve"
CLOUDFLARE = {
    **dict.fromkeys(("file.html", "file/"), REDIRECTS),
    **dict.fromkeys(("folder", "folder/index", "folder/index.html"), REDIRECTS),
}
FAULTS = {
    "": {"folder": REDIRECTS},
    "cloudflare": CLOUDFLARE,
    "cloudflare-pages": CLOUDFLARE,
    "github": {"folder": REDIRECTS, "file/": NOT_FOUND},
    "netlify": {"folder": REDIRECTS, "file/": REDIRECTS},
    "vercel": {"file": NOT_FOUND, "file/": NOT_FOUND, "folder/index": NOT_FOUND},
    "vercel-cleanurls": {"file.html": REDIRECTS, "folder/index.html": REDIRECTS},
}


@pytest.mark.parametrize("service", ["", *SERVICES])
def test_what_a_service_does_instead_of_answering(service):
    found = {
        form: problem for form in get_args(Form) if (problem := answer(service, form))
    }

    assert FAULTS[service] == found


@pytest.mark.parametrize(
    ("base_url", "service"),
    [
        ("https://owner.github.io/", "github"),
        ("https://owner.github.io/name/", "github"),
        ("https://name.pages.dev/", "cloudflare-pages"),
        ("https://branch.name.pages.dev/docs/", "cloudflare-pages"),
        ("https://name.netlify.app/", "netlify"),
        ("https://github.io/", ""),
        ("https://owner-github.io/", ""),
        ("https://example.com/owner.github.io/", ""),
    ],
)
def test_host_of_an_address_shows_the_service(base_url, service):
    assert service == service_of(base_url)
