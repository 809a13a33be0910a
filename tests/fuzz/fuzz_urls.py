"""Any text gives a URL in its one normal form, or a `PageError`.

Run: python tests/fuzz/fuzz_urls.py [seconds]
"""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes, urlsplit

from sitemap_plugins.core import urls
from sitemap_plugins.core.limits import MAX_LOC_LENGTH
from sitemap_plugins.core.messages import PageError

BASE = "https://example.com/docs/"
SEEDS = (
    *b"https:// http:// / // . .. : @ ? # % %2f %2E %25 %C3%A9 %ff [ ] [::1] :80 :0 - _ ~".split(),
    *b"b\xc3\xbccher.example xn--bcher-kva.example EXAMPLE.com 127.0.0.1 \\ < & a=1&b=2 +".split(),
    *b"\xe6\x97\xa5 \xed\xb2\x80 \xed\xa0\x80 \xf0\x9f\x98\x80 \xc2\xad \xe3\x80\x82".split(),
    b"\xef\xbc\x8f",
    b" ",
    b"\0",
    b"\t",
    b"https://example.com/a/b%20c",
)
# RFC 3986, appendix A, for http and https without user information and fragment.
URL = re.compile(
    r"https?://(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]+)?"
    r"/(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-F]{2})*"
    r"(?:\?(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-F]{2})*)?"
)


def check(data: bytes) -> None:
    """Pass a text, including surrogates, to every function and check the results."""
    text = data.decode(
        "utf-8", "surrogatepass" if _is_surrogate(data) else "surrogateescape"
    )
    for make in (urls.normalize_base_url, urls.normalize_url):
        _check_url(make, text)
        _check_url(make, f"https://example.com/{text}")
        _check_url(make, f"https://{text}/")
    _check_path(text)
    assert isinstance(urls.identity(text), str)
    assert isinstance(urls.percent_decode(text), str)


def _is_surrogate(data: bytes) -> bool:
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


def _check_url(make, text: str) -> None:
    try:
        url = make(text)
    except PageError:
        return
    assert URL.fullmatch(url), url
    assert len(url) <= MAX_LOC_LENGTH
    assert make(url) == url  # Nothing is encoded twice.
    assert make is urls.normalize_base_url or urls.identity(url) == urls.identity(text)
    assert not {b".", b".."} & set(map(unquote_to_bytes, urlsplit(url).path.split("/")))


def _check_path(text: str) -> None:
    try:
        encoded = urls.percent_encode(text)
    except PageError:
        return
    assert unquote_to_bytes(encoded) == text.encode("utf-8", "surrogateescape")
    for path in (text, encoded):
        try:
            url = urls.join(BASE, path)
        except PageError:
            continue
        assert URL.fullmatch(url), url
        assert urls.normalize_url(url) == url
        assert url.startswith(BASE)


if __name__ == "__main__":
    from driver import run

    run(check, SEEDS, slowest="日".encode() * 33_000)
