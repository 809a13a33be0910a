"""Random URLs, compared with `urllib.parse` and the grammar of RFC 3986."""

from __future__ import annotations

from urllib.parse import quote, unquote, unquote_to_bytes, urljoin, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitemap_plugins.core import urls
from sitemap_plugins.core.messages import PageError
from tests.full import usually
from tests.fuzz import fuzz_urls

BASE = "https://example.com/docs/"
# What can be a segment of a path: no ".", no "..", and no half characters. Four of the
# longest, escaped, make a URL that is not too long.
SEGMENT = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="/"),
    min_size=1,
    max_size=40,
)
PATH = st.lists(SEGMENT.filter(lambda s: s not in {".", ".."}), max_size=4).map(
    "/".join
)


@given(PATH)
@example("100%")
@example("a?b#c")
def test_raw_path_is_recovered_from_its_url(raw: str) -> None:
    url = urls.join(BASE, urls.percent_encode(raw))
    assert unquote(urlsplit(url).path) == "/docs/" + raw
    assert not urlsplit(url).query


# RFC 3986, section 3.3, spelled out: pchar = unreserved / pct-encoded / sub-delims /
# ":" / "@".
UNRESERVED = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
)
IN_A_PATH = UNRESERVED | frozenset("!$&'()*+,;=:@/")


@given(PATH)
def test_only_characters_that_a_path_cannot_contain_are_escaped(raw: str) -> None:
    for character in raw:
        octets = "".join(f"%{octet:02X}" for octet in character.encode())
        expected = character if character in IN_A_PATH else octets
        assert expected == urls.percent_encode(character)
    assert urls.percent_encode(raw) == "".join(map(urls.percent_encode, raw))


@given(st.binary())
def test_undecodable_file_names_keep_their_bytes(name: bytes) -> None:
    raw = name.decode("utf-8", "surrogateescape")
    assert name == unquote_to_bytes(urls.percent_encode(raw))


@given(PATH, st.data())
def test_identity_ignores_how_a_path_is_escaped(raw: str, data: st.DataObject) -> None:
    """Every byte except the slash may be escaped or not, in uppercase or lowercase."""
    url = urls.join(BASE, urls.percent_encode(raw))
    spelled = "".join(
        data.draw(st.sampled_from(_spellings(character))) for character in raw
    )
    assert urls.identity(url) == urls.identity(BASE + spelled)


def _spellings(character: str) -> list[str]:
    escaped = "".join(f"%{octet:02X}" for octet in character.encode())
    if character == "/":
        return ["/"]
    raw = [character] if character.isalnum() or character in "-_~!'()*" else []
    return [escaped, escaped.lower(), *raw]


@given(PATH, PATH)
def test_identity_tells_paths_apart(one: str, other: str) -> None:
    identities = {
        urls.identity(urls.join(BASE, urls.percent_encode(raw))) for raw in (one, other)
    }
    assert len({one, other}) == len(identities)


@given(PATH, PATH)
@example("a?b=c&d", "a?b=c%26d")
@example("a%2fb", "a%2Fb")
def test_identity_of_paths_is_that_of_their_urls(one: str, other: str) -> None:
    paths = [quote(raw, safe="!$&'()*+,;=:@/?%") for raw in (one, other)]
    same_url = len({urls.identity(BASE + path) for path in paths}) == 1
    assert same_url == (len(set(map(urls.path_identity, paths))) == 1)


@given(st.binary(max_size=300))
def test_any_text_gives_a_url_or_an_error(data: bytes) -> None:
    fuzz_urls.check(data)


@given(st.lists(st.sampled_from(fuzz_urls.SEEDS), max_size=12).map(b"".join))
def test_any_pieces_of_urls_give_a_url_or_an_error(data: bytes) -> None:
    fuzz_urls.check(data)


@given(st.text())
def test_nothing_is_encoded_twice(text: str) -> None:
    try:
        url = urls.normalize_url("https://example.com/" + text)
    except PageError:
        return
    assert urls.normalize_url(url) == url
    assert unquote_to_bytes(url) == unquote_to_bytes(
        "https://example.com/" + text.removesuffix("?")
    )


@pytest.mark.parametrize(
    "unit", usually(["a", "%2f", "%", "ü", "../", "?", "\ud800", "日"], "a", "%")
)
def test_long_texts(unit: str) -> None:
    fuzz_urls.check((unit * 200_000).encode("utf-8", "surrogatepass"))


@given(
    st.from_regex(
        r"(https?:)?(//)?[a-z0-9.-]{0,9}/?[a-zA-Z0-9\-._~/#?]{0,20}", fullmatch=True
    ),
    st.sampled_from(
        ["https://example.com/a/b.html", "http://example.com/", "/a/b.html"]
    ),
)
@example("https://example.com/a/../b", BASE)
@example("http:a", "http://example.com/")
def test_address_is_resolved_as_by_the_standard_library(
    address: str, page_url: str
) -> None:
    """The library keeps dot segments of absolute addresses,
    so only their paths are compared."""
    expected, resolved = urljoin(page_url, address), urls.resolve(address, page_url)
    path = urlsplit(expected).path
    if path.startswith("/"):
        assert (
            urlsplit(resolved).path == urljoin("https://example.com", f"/.{path}")[19:]
        )
    if not {".", ".."} & {*path.split("/")}:
        assert resolved == expected
