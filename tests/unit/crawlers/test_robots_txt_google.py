"""robots.txt as Google reads it: the facts that the tests of google/robotstxt state.

Each row names a robots.txt, then the paths that Googlebot may fetch, and those that it
may not. Where RFC 9309 and Google differ, in escapes, we follow RFC 9309 (`test_escapes`).
"""

from __future__ import annotations

import pytest

from sitemap_plugins.core.crawlers.robots_txt import Robots

BASE = "https://example.com"


def may_fetch(text, path, agent="Googlebot"):
    """Tell whether a crawler may fetch a path."""
    robots = Robots(text.encode(), base_url=f"{BASE}/", on_read_the_docs=False)
    return agent not in robots.disallowed_crawlers(f"{BASE}{path}")


def lines(*each):
    return "".join(f"{line}\n" for line in each)


ME = "User-agent: Googlebot"
OTHER = "User-agent: bingbot"
ALL = "User-agent: *"
NONE = "Disallow: /"
ROWS = {
    "a key and a value": (lines(ME, NONE), "", "/ /a/b"),
    "unknown keys": (lines("agent: Googlebot", "deny: /"), "/ /a/b", ""),
    "keys without a colon": (lines("user-agent Googlebot", "disallow /"), "", "/a"),
    "keys in capitals": (
        lines("USER-AGENT: Googlebot", "ALLOW: /a/", "DISALLOW: /"), "/a/b", "/b",
    ),
    "keys in small letters": (
        lines("user-agent: Googlebot", "allow: /a/", "disallow: /"), "/a/b", "/b",
    ),
    "keys in both": (lines("uSeR-aGeNt: Googlebot", "aLLoW: /a/", "dIsAllOw: /"), "/a/b", "/b"),
    "misspelt keys": (lines("useragent: Googlebot", "dissalow: /a"), "/b", "/a"),
    "key of two words": (lines("user agent: Googlebot", "disallaw: /a"), "/b", "/a"),
    "groups of one crawler are joined": (
        lines("Allow: /none/", ME, NONE, "Allow: /one/", OTHER, NONE, "Allow: /other/",
              "", "Allow: /last/", "User-agent: third", "", ME, "Allow: /two/", NONE),
        "/one/a /two/a", "/other/a /none/a /last/a",
    ),
    "a crawler without rules of its own shares the next ones": (
        lines(ME, "", OTHER, "Disallow: /a"), "/b", "/a",
    ),
    "Sitemap ends no group": (
        lines(ME, "Sitemap: https://example.com/s.xml", ALL, NONE), "", "/ /a",
    ),
    "an unknown line ends no group": (lines(ME, "Nobody-knows: this", ALL, NONE), "", "/ /a"),
    "Crawl-delay ends no group": (lines(ALL, "Crawl-delay: 10", "", OTHER, NONE), "", "/ /a"),
    "Content-Signal ends no group": (
        lines(ALL, "Content-Signal: search=yes", "", OTHER, NONE), "", "/",
    ),
    "Noindex ends no group": (lines(ALL, "Noindex: /x", OTHER, NONE), "", "/a"),
    "the crawler's name in capitals": (
        lines("User-agent: GOOGLEBOT", "Allow: /a/", NONE), "/a/b", "/b",
    ),
    "the crawler's name in small letters": (
        lines("User-agent: googlebot", "Allow: /a/", NONE), "/a/b", "/b",
    ),
    "a name up to its version": (lines("User-agent: Googlebot/2.1", NONE), "", "/"),
    "a name up to a space": (
        lines(ALL, NONE, "User-agent: Googlebot Images", "Allow: /a/", NONE), "/a/b", "/b",
    ),
    "a name up to a star": (lines("User-agent: Googlebot*", NONE), "", "/"),
    "a name that only begins so": (lines("User-agent: Googlebot-Images", NONE), "/", ""),
    "a star and more words": (lines("User-agent: * all of them", NONE), "", "/"),
    "an empty file": ("", "/ /a", ""),
    "own rules replace those for all": (
        lines(ALL, "Disallow: /a/", ME, "Disallow: /b/"), "/a/c", "/b/c",
    ),
    "own rules, then all": (lines(ALL, "Allow: /", ME, NONE), "", "/a"),
    "only others have rules": (lines("User-agent: third", NONE, OTHER, NONE), "/a", ""),
    "paths in small letters": (lines(ME, "Disallow: /a/"), "/A/b", "/a/b"),
    "paths in capitals": (lines(ME, "Disallow: /A/"), "/a/b", "/A/b"),
    "a longer disallow": (lines(ME, "Disallow: /a/b.html", "Allow: /a/"), "/a/c", "/a/b.html"),
    "a longer allow": (lines(ME, "Allow: /a/b.html", "Disallow: /a/"), "/a/b.html", "/a/"),
    "empty values": (lines(ME, "Disallow:", "Allow:"), "/a", ""),
    "allow of equal length": (lines(ME, NONE, "Allow: /"), "/a", ""),
    "allow with a slash": (lines(ME, "Disallow: /a", "Allow: /a/"), "/a/", "/a"),
    "equal rules": (lines(ME, "Disallow: /a/b.html", "Allow: /a/b.html"), "/a/b.html", ""),
    "a longer pattern": (lines(ME, "Allow: /page", "Disallow: /*.html"), "/page", "/page.html"),
    "a longer path": (
        lines(ME, "Allow: /a/page.", "Disallow: /*.html"), "/a/page.html", "/a/b.html",
    ),
    "a query in a rule": (
        lines(ME, NONE, "Allow: /a?b=c&d=http://e.f?g&h"), "/a?b=c&d=http://e.f?g&h", "/a?b",
    ),
    "raw letters in a rule": (
        lines(ME, NONE, "Allow: /a/\N{KATAKANA LETTER TU}"), "/a/%E3%83%84", "/a/b",
    ),
    "encoded letters in a rule": (
        lines(ME, NONE, "Allow: /a/%E3%83%84"), "/a/%E3%83%84", "/a/b",
    ),
    "a star in the middle": (
        lines(ME, "Disallow: /a/b/c", "Allow: /a/*/d"), "/a/c /a//c /a/x/c", "/a/b/c",
    ),
    "the end of a path": (
        lines(ME, "Disallow: /a/b$", "Allow: /a/b/d"), "/a/b/d /a/b/ /a/b/c", "/a/b",
    ),
    "comments": (lines(ME, "# Disallow: /", "Disallow: /a/c#d", "Allow: /"), "/a/b", "/a/c"),
    "index.html is its folder": (
        lines(ALL, "Allow: /a/index.html", NONE), "/a/ /a/index.html", "/a/index.htm /b",
    ),
    "a beginning": (
        lines(ME, NONE, "Allow: /fish"),
        "/fish /fish.html /fish/salmon.html /fishheads /fishheads/yummy.html /fish.html?id=any",
        "/bar /Fish.asp /catfish /?id=fish",
    ),
    "a star at the end": (
        lines(ME, NONE, "Allow: /fish*"),
        "/fish /fish.html /fish/salmon.html /fishheads /fishheads/yummy.html /fish.html?id=any",
        "/bar /Fish.asp /catfish /?id=fish",
    ),
    "a folder": (
        lines(ME, NONE, "Allow: /fish/"),
        "/fish/ /fish/salmon /fish/?salmon /fish/salmon.html /fish/?id=any",
        "/bar /fish /fish.html /Fish/Salmon.html",
    ),
    "a suffix": (
        lines(ME, NONE, "Allow: /*.php"),
        "/a.php /b/a.php /b/a.php?c //b/any.php.file.html /a.php/ /index?f=a.php/",
        "/bar /php/ /index?php /windows.PHP",
    ),
    "a suffix at the end": (
        lines(ME, NONE, "Allow: /*.php$"),
        "/a.php /b/a.php",
        "/bar /a.php?c /a.php/ /a.php5 /php/ /a?php /aaaphpaaa //windows.PHP",
    ),
    "both ends": (
        lines(ME, NONE, "Allow: /fish*.php"),
        "/fish.php /fishheads/catfish.php?c", "/bar /Fish.PHP",
    ),
    "one letter": (lines(ME, "Allow: /p", NONE), "/page", "/a"),
    "a folder twice": (lines(ME, "Allow: /folder", "Disallow: /folder"), "/folder/page", ""),
    "a suffix is longer": (lines(ME, "Allow: /page", "Disallow: /*.htm"), "/page", "/page.htm"),
    "the home page alone": (lines(ME, "Allow: /$", NONE), "/", "/page.html"),
    "line ends of Windows": (lines(ME, NONE).replace("\n", "\r\n"), "", "/a"),
    "line ends of old Macs": (lines(ME, NONE).replace("\n", "\r"), "", "/a"),
    "no last line end": (lines(ME, NONE).rstrip(), "", "/a"),
    "a byte order mark": ("\N{ZERO WIDTH NO-BREAK SPACE}" + lines(ME, NONE), "", "/a"),
}  # fmt: skip


@pytest.mark.parametrize("row", ROWS)
def test_crawler_may_fetch_what_google_says(row):
    text, allowed, disallowed = ROWS[row]

    assert allowed.split() == [
        path for path in allowed.split() if may_fetch(text, path)
    ]
    assert [] == [path for path in disallowed.split() if may_fetch(text, path)]


@pytest.mark.parametrize("key", ["Allow: ", "Disallow: "])
def test_long_line_is_read_up_to_its_limit(key):
    """Google reads 16,663 bytes of a line."""
    path = "/a/" + "b" * (16_663 - len(key) - len("/a/"))
    first = [] if key.startswith("D") else [NONE]
    text = lines(ME, *first, f"{key}{path}/c")

    assert may_fetch(text, f"{path}/d") is key.startswith("A")
    assert may_fetch(text, "/e") is key.startswith("D")


def test_escapes():
    """RFC 9309, section 2.2.2: an encoded letter that need not be is the letter.

    Google compares its bytes.
    """
    assert may_fetch(lines(ME, NONE, "Allow: /a/%62%61%7A"), "/a/baz")
