"""URLs: rules of RFC 3986, RFC 3987, IDNA and the sitemap protocol, by example."""

from __future__ import annotations

import tracemalloc

import pytest

from sitemap_plugins.core import urls
from sitemap_plugins.core.limits import MAX_LOC_LENGTH
from sitemap_plugins.core.messages import PageError, quoted

BASE = "https://example.com/docs/"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("", ""),
        ("a-b_c.d~e/", "a-b_c.d~e/"),
        ("100%", "100%25"),
        ("100%25", "100%2525"),
        ("ümlat.html", "%C3%BCmlat.html"),
        ("日本/", "%E6%97%A5%E6%9C%AC/"),
        ("a b", "a%20b"),
        ("a?b#c", "a%3Fb%23c"),
        ("!$&'()*+,;=:@", "!$&'()*+,;=:@"),
        ('"<>\\^`{|}[]', "%22%3C%3E%5C%5E%60%7B%7C%7D%5B%5D"),
        ("\n\0\x7f", "%0A%00%7F"),
        ("caf\udce9", "caf%E9"),
    ],
)
def test_percent_encode(raw: str, expected: str) -> None:
    assert expected == urls.percent_encode(raw)


def test_unpaired_surrogate_cannot_be_encoded() -> None:
    with pytest.raises(
        PageError, match=r"^'a\\ud800' contains an unpaired surr"
    ) as told:
        urls.percent_encode("a\ud800")
    assert "rename the file" == told.value.cure


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", ""),
        ("100%25", "100%"),
        ("%C3%BC/", "ü/"),
        ("%FF", "\ufffd"),
        ("a+b", "a+b"),
    ],
)
def test_percent_decode(path: str, expected: str) -> None:
    assert expected == urls.percent_decode(path)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.com", "https://example.com/"),
        ("https://example.com/docs", "https://example.com/docs/"),
        ("HTTPS://Example.COM/Docs/", "https://example.com/Docs/"),
        ("http://localhost:8000/", "http://localhost:8000/"),
        ("https://example.com:443/", "https://example.com:443/"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://BÜCHER.example/", "https://xn--bcher-kva.example/"),
        ("https://faß.example/", "https://xn--fa-hia.example/"),
        ("https://日本。jp/", "https://xn--wgv71a.jp/"),
        ("https://example.com/büro/", "https://example.com/b%C3%BCro/"),
        ("https://example.com/b%c3%bcro/", "https://example.com/b%C3%BCro/"),
        ("https://[2001:DB8:0:0::1]:8080", "https://[2001:db8::1]:8080/"),
        ("https://127.0.0.1/", "https://127.0.0.1/"),
        ("https://my_host.example/", "https://my_host.example/"),
    ],
)
def test_base_url_is_normalized(url: str, expected: str) -> None:
    assert expected == urls.normalize_base_url(url)


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("", "not an absolute"),
        ("example.com", "not an absolute"),
        ("//example.com/", "not an absolute"),
        ("/docs/", "not an absolute"),
        ("ftp://example.com/", "not an absolute"),
        ("file:///docs/", "not an absolute"),
        ("https://", "not an absolute"),
        ("https:///docs/", "not an absolute"),
        ("https://example.com/index.html", "the address of a file"),
        ("https://example.com/docs/sitemap.XML", "the address of a file"),
        ("https://example.com/?a", "query"),
        ("https://example.com/?", "query"),
        ("https://example.com/#a", "fragment"),
        ("https://example.com/#", "fragment"),
        ("https://user@example.com/", "user information"),
        ("https://user:pass@example.com/", "user information"),
        ("https://@example.com/", "user information"),
        ("https://example.com:0/", "port 0"),
        ("https://example.com:70000/", r"not a URL \(Port out of range"),
        ("https://example.com:http/", "not a URL"),
        ("https://exa mple.com/", "space or control"),
        ("https://example.com/\n", "space or control"),
        (" https://example.com/", "space or control"),
        ("https://example..com/", "not a host name"),
        ("https://-example.com/", "not a host name"),
        ("https://exa$mple.com/", "not a host name"),
        ("https://example.com\\docs/", "not a host name"),
        ("https://ex%61mple.com/", "not a host name"),
        (f"https://{'a' * 64}.com/", "not a host name"),
        (f"https://{'ü' * 64}.com/", "not a host name"),
        ("https://a\u2488com/", "not a (URL|host name)"),
        ("https://[::1%25eth0]/", "not an IPv6 address"),
        ("https://[::g]/", "not a(n IPv6 address| URL)"),
        ("https://[::1/", "not a URL"),
        ("https://example.com/a/../b/", "folder"),
        ("https://example.com/%2E%2e/", "folder"),
        ("https://example.com/100%/", "percent-encoded"),
        ('https://example.com/"/', "percent-encoded"),
        ("https://example.com/\ud800/", "percent-encoded"),
        (f"https://example.com/{'a' * 2048}/", "at most 2047"),
    ],
)
def test_invalid_base_url_is_refused(url: str, problem: str) -> None:
    with pytest.raises(PageError, match=problem):
        urls.normalize_base_url(url)


@pytest.mark.parametrize(
    "address", ["me:secret@example.com", "me:secret/2@example.com"]
)
def test_password_is_not_quoted(address: str) -> None:
    with pytest.raises(PageError) as caught:
        urls.normalize_base_url(f"https://{address}/")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.com", "https://example.com/"),
        ("https://example.com?a=b", "https://example.com/?a=b"),
        ("https://example.com/a?b=ü&c=%c3", "https://example.com/a?b=%C3%BC&c=%C3"),
        ("https://example.com/a?", "https://example.com/a"),
        ("https://example.com/a%2fb", "https://example.com/a%2Fb"),
        ("https://example.com/a?../b", "https://example.com/a?../b"),
        ("https://example.com/a..b/...", "https://example.com/a..b/..."),
    ],
)
def test_absolute_url_is_normalized(url: str, expected: str) -> None:
    assert expected == urls.normalize_url(url)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", BASE),
        ("a/", BASE + "a/"),
        ("caf%c3%a9.html", BASE + "caf%C3%A9.html"),
        ("%25c3", BASE + "%25c3"),
        ("a?b=c/?", BASE + "a?b=c/?"),
        ("guide?", BASE + "guide"),
        ("guide?b=/../c", BASE + "guide?b=/../c"),
        ("a//b", BASE + "a//b"),
        ("https://x/", BASE + "https://x/"),
        (".well-known/x..y", BASE + ".well-known/x..y"),
        ("a?b=../c", BASE + "a?b=../c"),
    ],
)
def test_path_is_joined_to_the_base(path: str, expected: str) -> None:
    assert expected == urls.join(BASE, path)


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("/a", "slash"),
        ("//example.org/", "slash"),
        ("a#b", "fragment"),
        ("..", "folder"),
        ("../x", "folder"),
        ("a/./b", "folder"),
        ("a/%2e%2E/b", "folder"),
        ("a/.%2e", "folder"),
        ("a/..?b", "folder"),
        ("100%", "percent-encoded"),
        ("%zz", "percent-encoded"),
        ("a b", "percent-encoded"),
        ("ü", "percent-encoded"),
        ("a\n", "percent-encoded"),
        ("a\0", "percent-encoded"),
        ("a<b", "percent-encoded"),
        ("a\\b", "percent-encoded"),
    ],
)
def test_path_that_leaves_the_base_is_refused(path: str, problem: str) -> None:
    with pytest.raises(PageError, match=problem) as told:
        urls.join(BASE, path)
    assert str(told.value).startswith(quoted(path))
    assert told.value.cure


def test_longest_url() -> None:
    longest = "a" * (MAX_LOC_LENGTH - len(BASE))
    assert 2_047 == len(urls.join(BASE, longest))
    with pytest.raises(PageError, match=r"^'https://.*' has 2048 characters") as told:
        urls.join(BASE, longest + "a")
    assert "shorten the page's address" == told.value.cure


@pytest.mark.parametrize("accents", [1100, 100_000])
@pytest.mark.parametrize("slashes", ["//", "///", "/\\"])
def test_overlong_host_is_refused_and_is_its_own_identity(
    accents: int, slashes: str
) -> None:
    url = f"https:{slashes}a{chr(0x300) * accents}.example/a"
    with pytest.raises(PageError, match="is not a URL"):
        urls.normalize_url(url)
    assert urls.identity(url) == url


@pytest.mark.parametrize(
    "start",
    ["http://", "//", "\x01http://", " http://", "ht\ttp://", "http:\n//", "http:/\r/"],
)
def test_overlong_host_is_not_parsed(start: str) -> None:
    """160 kB of accents took 5 seconds: a link of 8 MB would have taken hours."""
    url = f"{start}{chr(0x301) + chr(0x323)}.localhost/"
    long = f"{start}{(chr(0x301) + chr(0x323)) * 600}.localhost/"

    assert (True, False) == (urls.is_local(url), urls.is_local(long))
    assert urls.resolve(url, BASE)
    assert "" == urls.resolve(long, BASE) == urls.resolve("a", BASE, long)


def test_long_path_is_not_a_long_host() -> None:
    url = f"https://example.com/{'a' * 1500}"
    assert urls.normalize_url(url) == url
    assert urls.identity(f"https://EXAMPLE.com/{'a' * 1500}") == url
    assert urls.resolve(f"/{'é' * 1500}", BASE) == f"https://example.com/{'é' * 1500}"


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://x.example/de/../a/", "https://x.example/a/"),
        (
            "https://x.example/de/%2e%2E/a%20b?c=/../#d",
            "https://x.example/a%20b?c=/../#d",
        ),
        ("//x.example/../a/.", "https://x.example/a/"),
        ("%2e%2e/a", "https://example.com/a"),
        ("mailto:a/../b", "mailto:a/../b"),
    ],
)
def test_dot_segments_are_resolved(address: str, expected: str) -> None:
    assert urls.resolve(address, BASE) == expected


def test_root_of_a_url() -> None:
    assert "https://[2001:db8::1]:8080/" == urls.host_root(
        "https://[2001:db8::1]:8080/a/b/"
    )


def test_url_with_the_other_scheme() -> None:
    assert "https://a.example/b" == urls.scheme_twin("http://a.example/b")
    assert "http://a.example/b" == urls.scheme_twin("https://a.example/b")


@pytest.mark.parametrize(
    "spellings",
    [
        ("https://example.com/", "HTTPS://EXAMPLE.com", "https://example.com:443/#top"),
        ("http://example.com/", "http://example.com:80", " http://example.com/\n"),
        ("https://example.com:8443/", "https://EXAMPLE.com:8443"),
        (
            "https://bücher.example/",
            "https://xn--bcher-kva.example/",
            "https://XN--BCHER-KVA.example",
        ),
        ("https://e.com/caf%C3%A9", "https://e.com/caf%c3%a9", "https://e.com/café"),
        ("https://e.com/a(b)", "https://e.com/a%28b%29"),
        ("https://e.com/a~b!", "https://e.com/a%7Eb%21"),
        ("https://e.com/a%2Fb", "https://e.com/a%2fb"),
        ("https://e.com/a?b=%c3%bc", "https://e.com/a?b=ü"),
        ("https://e.com/%ff", "https://e.com/%FF"),
        (
            "https://e.com/a/",
            "https://e.com/de/../a/",
            "https://e.com/./a/b/..",
            "https://e.com/de/%2E%2e/a/",
            "https://e.com/de/.%2e/a/%2e",
            "https://e.com/../a/",
        ),
        ("https://e.com", "https://e.com/..", "https://e.com/a/../."),
        ("https://e.com/a/b", "https://e.com/a//../b"),
    ],
)
def test_identity_is_the_same_for_all_spellings(spellings: tuple[str, ...]) -> None:
    assert 1 == len(set(map(urls.identity, spellings)))


DIFFERENT = (
    "https://example.com/",
    "http://example.com/",
    "https://example.com:8443/",
    "https://www.example.com/",
    "https://example.com/a",
    "https://example.com/a/",
    "https://example.com/A",
    "https://example.com/a/b",
    "https://example.com/a%2Fb",
    "https://example.com/a%252Fb",
    "https://example.com/.../",
    "https://example.com/.well-known/",
    "https://example.com/a/%252e%252e/",
    "https://example.com/a?b",
    "https://example.com/a%3Fb",
    "https://example.com/a%23b",
    "https://example.com/100%25",
    "https://example.com/100%2525",
    "https://example.com/?a=/b/",
    "https://example.com/?a=/b/../b/",
    "https://example.com/?a=1&b=2",
    "https://example.com/?a=1%26b=2",
    "https://example.com/?a%3D1&b=2",
    "https://example.com/?q=a+b",
    "https://example.com/?q=a%2Bb",
    "https://example.com/%FF",
    "https://example.com/%C3%BF",
    "not a URL",
    "mailto:me@example.com",
    "https://[",
    "https://exa mple.com/",
    "https://example.com/\ud800",
    "https://example.com/a\N{IDEOGRAPHIC SPACE}",
)


def test_identity_differs_for_different_urls() -> None:
    assert len(DIFFERENT) == len(set(map(urls.identity, DIFFERENT)))


@pytest.mark.parametrize(
    "path",
    [
        "a?PHPSESSID=1",
        "a?x=1&sid=2",
        "a;jsessionid=1",
        "a?session_id=1",
        "a?sessionid=1",
        "a?ASPSESSIONIDABC=1",
        "a?CFID=1&CFTOKEN=2",
    ],
)
def test_session_identifier_is_known_by_its_name(path: str) -> None:
    assert urls.has_session_id(f"https://example.com/{path}")


@pytest.mark.parametrize(
    "path", ["a?side=1", "a?obsid=1", "sid=1/", "sessionid/", "a?q=sid"]
)
def test_similar_url_has_no_session_identifier(path: str) -> None:
    assert not urls.has_session_id(f"https://example.com/{path}")


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("http://localhost:8000/", True),
        ("http://docs.localhost/", True),
        ("https://127.0.0.1/a", True),
        ("http://[::1]/", True),
        ("https://example.com/", False),
        ("https://example.com/localhost", False),
        ("https://localhost.example.com/", False),
        ("localhost", False),
        ("http://[localhost", False),
    ],
)
def test_local_addresses(address: str, *, expected: bool) -> None:
    assert expected == urls.is_local(address)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (f"{BASE}a%7e?b=c", "a~?b=c"),
        (f"{BASE}docs/", "docs/"),
        (BASE, ""),
        ("https://example.com/docs", ""),
        ("https://example.com/", None),
        ("https://example.org/docs/a", None),
    ],
)
def test_path_below_a_base(url: str, expected: str | None) -> None:
    assert expected == urls.path_below(url, BASE.replace("example", "EXAMPLE"))


@pytest.mark.parametrize(
    ("address", "expected"),
    [("a b#c#d", "a%20b"), ("50%", "50%25"), ("%41?ü", "%41?ü"), ('"', "%22")],
)
def test_escape(address: str, expected: str) -> None:
    assert expected == urls.escape(address)


def test_twin_of_a_url_that_names_another_has_its_own_scheme_changed() -> None:
    url = "//example.com/?of=http://example.org/"
    assert f"http:{url}" == urls.scheme_twin(f"https:{url}")
    assert f"https:{url}" == urls.scheme_twin(f"http:{url}")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.com/a b?c[]=1#top", "https://example.com/a%20b?c%5B%5D=1"),
        ("HTTP://EXAMPLE.com/100%", "http://example.com/100%25"),
    ],
)
def test_url_is_requested_as_browsers_do(url: str, expected: str) -> None:
    assert expected == urls.request_url(url)


@pytest.mark.parametrize(
    "url", ["https://example.com/a b\\c", "example.com/[ ", "https://a$b/c d"]
)
def test_url_that_cannot_be_requested_is_quoted_as_it_is(url: str) -> None:
    with pytest.raises(PageError) as told:
        urls.request_url(url)
    assert str(told.value).startswith(quoted(url))


def test_case_of_each_escape_makes_no_difference_to_the_identity() -> None:
    url = f"{BASE}a%2fb%3fc%23d"
    assert urls.identity(url) == urls.identity(url.replace("f", "F"))
    assert urls.identity(url) != urls.identity(url.replace("%23", "%24"))


def test_a_long_url_is_refused_before_it_is_encoded():
    tracemalloc.start()
    with pytest.raises(PageError, match="and crawlers read at most 2047"):
        urls.normalize_url(f"https://example.com/{'é' * 1_000_000}")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20_000_000
