"""What sites may contain: valid entries, and files called robots.txt."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from urllib.parse import quote

from hypothesis import strategies as st

from sitemap_plugins.core.limits import CHANGEFREQS, MAX_LOC_LENGTH
from sitemap_plugins.core.records import Entry, Link

BASE_URLS = st.sampled_from(
    [
        "https://example.com/",
        "http://example.com:8080/",
        "https://xn--bcher-kva.example/",
        "https://user.github.io/it's%20(here)&there/",
        "https://[2001:db8::1]/",
    ]
)

# Encoded by the standard library, not by the package. The characters that make a
# difference to XML or to a URL come often enough, and beside them whatever Unicode has.
_RAW = st.text(
    st.sampled_from("&'\"<>%?#/. ~+;=:@!$()*,-_a0é中\0\n\x7f\ufffe\u202e")
    | st.characters(exclude_categories=["Cs"]),
    max_size=12,
)
_SEGMENTS = _RAW.map(lambda raw: quote(raw, safe="!$&'()*+,;=:@")).filter(
    lambda segment: segment not in {".", ".."}
)
_QUERIES = _RAW.map(lambda raw: "?" + quote(raw, safe="!$&'()*+,;=:@/?"))


@st.composite
def urls_below(draw: st.DrawFn, base_url: str) -> str:
    """Return an absolute URL as an `Entry` holds it:
    encoded, at most 2,047 characters."""
    path = "/".join(draw(st.lists(_SEGMENTS, max_size=4))).lstrip("/")
    url = base_url + path + draw(st.just("") | _QUERIES)
    # Now and then one of the greatest length, made of what is longest when escaped.
    return url.ljust(MAX_LOC_LENGTH, "'") if draw(st.integers(0, 9)) == 9 else url


_ZONES = st.integers(-14 * 60, 14 * 60).map(
    lambda minutes: timezone(timedelta(minutes=minutes))
)
# No year that its zone can move out of the calendar.
_TIMES = st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=_ZONES)  # noqa: DTZ001
_LANGUAGES = ["en", "de", "pt-BR", "zh-Hans", "sr-Latn-RS", "ca-valencia", "x-default"]


@st.composite
def entries_below(draw: st.DrawFn, base_url: str, *, max_size: int) -> list[Entry]:
    """Return valid entries, sorted by URL: each URL once, at least one."""
    urls = urls_below(base_url)
    links = st.dictionaries(st.sampled_from(_LANGUAGES), urls, max_size=3).map(
        lambda versions: tuple(
            Link(language, url) for language, url in versions.items()
        )
    )
    entry = st.builds(
        Entry,
        url=urls,
        lastmod=st.none() | st.dates() | _TIMES,
        changefreq=st.none() | st.sampled_from(CHANGEFREQS),
        priority=st.none() | st.floats(0, 1),
        links=st.just(()) | links,
        images=st.just(()) | st.lists(urls, max_size=3, unique=True).map(tuple),
    )
    several = st.lists(
        entry, min_size=1, max_size=max_size, unique_by=lambda one: one.url
    )
    return sorted(draw(several), key=lambda one: one.url)


AGENTS = ["*", "Googlebot", "bingbot", "BadBot"]
PATHS = ["", "a", "a/b.html", "b?c=d", "caf%C3%A9", "sitemap.xml"]

_PATTERNS = st.sampled_from(
    ["", "/", "/a", "/a/", "/*.html$", "/b?", "/caf%C3%A9", "/café", "*"]
)
_LINES = st.one_of(
    st.builds(
        "{}{}".format,
        st.sampled_from(["User-agent: ", "user-agent:"]),
        st.sampled_from(AGENTS),
    ),
    st.builds(
        "{}{}".format,
        st.sampled_from(["Disallow: ", "Allow: ", "disallow :"]),
        _PATTERNS,
    ),
    st.builds(
        "{}https://example.com/{}".format,
        st.sampled_from(["Sitemap: ", "SITEMAP:"]),
        st.sampled_from(PATHS),
    ),
    st.sampled_from(
        ["", " ", "# comment", "Crawl-delay: 5", "Host: example.com", "nonsense"]
    ),
    st.text(
        st.characters(exclude_characters="\0\r\n", exclude_categories=["Cs"]),
        max_size=8,
    ),
)


@st.composite
def robots_files(draw: st.DrawFn) -> bytes:
    """Return a robots.txt as people and programs write it, valid or not,
    but no HTML or UTF-16."""
    mark = draw(st.sampled_from([b"", b"", b"\xef\xbb\xbf"]))
    ends = draw(st.sampled_from([["\n"], ["\r\n"], ["\r"], ["\n", "\r\n", "\r"]]))
    lines = draw(st.lists(st.tuples(_LINES, st.sampled_from(ends)), max_size=8))
    text = "".join(line + end for line, end in lines) + draw(st.just("") | _LINES)
    junk = draw(
        st.just(b"")
        | st.binary(max_size=5).map(lambda some: some.translate(None, b"\0<"))
    )
    return mark + text.encode() + junk
