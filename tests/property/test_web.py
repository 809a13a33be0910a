"""Random URLs are requested only from the host that was checked."""

from __future__ import annotations

from urllib.parse import urlsplit

from hypothesis import example, given
from hypothesis import strategies as st
from urllib3.util import parse_url

from sitemap_plugins.core.urls import requestable
from sitemap_plugins.live.server import is_near

OURS = "http://example.com:8000/"
PIECES = (
    "http:",
    "https:",
    "/",
    "//",
    "\\",
    "@",
    ":",
    "?",
    "#",
    "[",
    "]",
    "%",
    ".",
    "\t",
    "\0",
    " ",
    "example.com",
    "www.",
    "other.net",
    ":8000",
    ":1",
    "é",
    "%2f",
    "%40",
    "::1",
)


@given(st.lists(st.sampled_from(PIECES) | st.characters(), max_size=12).map("".join))
@example("other.net:1\\@example.com:8000/x")
@example("example.com:8000\\@other.net/")
def test_url_of_the_site_is_requested_from_its_host(text: str) -> None:
    """The oracle is the parser of the library that makes the request."""
    for url in (text, f"http://{text}", f"{OURS}{text}"):
        address = requestable(url)
        if address:
            theirs = parse_url(address)
            assert urlsplit(address).hostname == (theirs.host or "").strip("[]")
            assert requestable(address) == address
            assert theirs.url == address
        if is_near(url, OURS):
            assert theirs.host in {"example.com", "www.example.com"}
            assert theirs.port == 8000
