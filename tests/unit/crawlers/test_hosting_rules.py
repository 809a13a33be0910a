"""Which pages the files `_headers` and `_redirects` of static hosts leave out,
and which not."""

from __future__ import annotations

import os
import time

import pytest

from sitemap_plugins.core.crawlers.hosting import (
    MAX_BYTES,
    MAX_LINE,
    MAX_LINES,
    ServerRules,
    read_server_rules,
)

BASE = "https://example.com/"


def rules(*, headers="", redirects="", service=""):
    found = ServerRules(base_url=BASE, service=service)
    found.add_headers(headers)
    found.add_redirects(redirects)
    return found


def judged(found, path):
    """Return the reason and the line that leave out a path; None if it is listed."""
    rule = found.match(BASE + path)
    return (rule.reason, rule.line) if rule else None


@pytest.mark.parametrize(
    ("pattern", "out", "kept"),
    [
        ("/a/", ["a/"], ["a", "a/b/", "A/", ""]),
        ("/a/*", ["a/", "a/b/c"], ["a", "ab/", ""]),
        ("/*", ["", "a", "a/b"], []),
        ("/", [""], ["a"]),
        ("https://example.com/a", ["a"], ["b"]),
        ("/a", ["a", "a?b=/c"], ["a/"]),
        ("/münchen/", ["m%C3%BCnchen/"], ["munchen/"]),
        ("/m%c3%bcnchen/*", ["m%C3%BCnchen/a"], []),
        ("/it's", ["it's", "it%27s"], []),
        ("/a#b", ["a"], []),
    ],
)
def test_header_applies_to_a_path_or_a_folder(pattern, out, kept):
    found = rules(headers=f"# ours\n{pattern}\n  X-Robots-Tag: noindex\n")

    assert [("noindex", 3)] * len(out) == [judged(found, path) for path in out]
    assert [None] * len(kept) == [judged(found, path) for path in kept]


@pytest.mark.parametrize(
    "pattern",
    [
        "https://site.pages.dev/*",
        "https://:branch.site.pages.dev/*",
        "http://www.example.com/*",
        "http://example.com/*",  # The pages are on https.
        "https://example.com.other.example/*",
        "/:page",
        "/a/:rest",
        "/*.html",
        "/a*",
        "/*/a",
        "a",
        "*",
    ],
)
def test_patterns_of_other_hosts_and_forms_are_ignored(pattern):
    found = rules(
        headers=f"{pattern}\n  X-Robots-Tag: noindex\n", redirects=f"{pattern} /b 301!"
    )

    paths = ("", "a", "a.html", "a/a")
    assert [None] * 4 == [judged(found, path) for path in paths]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("X-Robots-Tag: noindex", True),
        ("x-robots-tag:NOINDEX, nofollow", True),
        ("X-Robots-Tag: nofollow, none", True),
        ("X-Robots-Tag: googlebot: noindex", True),
        ("X-Robots-Tag: *: noindex", True),
        ("X-Robots-Tag: max-snippet: 10, noindex", True),
        ("X-Robots-Tag: unavailable_after: 2030-01-01, noindex", True),
        ("X-Robots-Tag: max-image-preview: none", False),
        ("X-Robots-Tag: otherbot: noindex, nofollow", False),
        ("X-Robots-Tag: googlebot: nofollow, otherbot: noindex", False),
        ("X-Robots-Tag: otherbot: nofollow, googlebot: noindex", True),
        ("X-Robots-Tag: nofollow, googlebot: noindex", True),
        ("X-Robots-Tag: nosnippet", False),
        ("X-Robots: noindex", False),
        ("X-Robots-Tag", False),
        ("noindex", False),
    ],
)
def test_value_of_the_header(value, expected):
    assert expected == bool(rules(headers=f"/*\n  {value}"))


def test_comments_are_ignored():
    headers = "/a\n  X-Robots-Tag: noindex\n  #! X-Robots-Tag\n/b\n#/a\n  # X-Robots-Tag: noindex"

    found = rules(headers=headers, redirects="# /a /b 301!\n#/a /b 301!\n#")

    assert (("noindex", 2), None) == (judged(found, "a"), judged(found, "b"))


def test_headers_of_all_matching_rules_apply():
    text = "/*\n  X-Robots-Tag: nosnippet\n  X-Other: noindex\n/a/*\n  X-Robots-Tag: noindex\n"

    found = rules(headers=text)

    assert (("noindex", 5), None) == (judged(found, "a/b"), judged(found, "b"))


@pytest.mark.parametrize("pattern", ["/a/b", "/a/*", "/*", "/a/:x", "/*/b"])
def test_later_rule_that_may_match_detaches_the_header(pattern):
    found = rules(headers=f"/*\n  X-Robots-Tag: noindex\n{pattern}\n  ! X-Robots-Tag\n")

    assert judged(found, "a/b") is None


def test_detaching_line_needs_no_space():
    assert (
        judged(rules(headers="/a\n  X-Robots-Tag: noindex\n  !X-Robots-Tag\n"), "a")
        is None
    )


def test_header_can_be_set_again_and_unrelated_rules_detach_nothing():
    text = (
        "/a\n  X-Robots-Tag: noindex\n/a\n  ! x-robots-tag\n/a\n  X-Robots-Tag: none\n"
        "/b\n  ! X-Robots-Tag\n/a\n  ! X-Frame-Options\nhttps://x.com/*\n  ! X-Robots-Tag\n"
    )

    assert ("noindex", 6) == judged(rules(headers=text), "a")


@pytest.mark.parametrize(
    ("line", "always", "on_cloudflare"),
    [
        ("/a /b", False, True),
        ("/a /b 301", False, True),
        ("/a /b 302 # comment", False, True),
        ("/a https://other.example/ 308", False, True),
        ("/a /b 301!", True, False),
        ("/* /b 302!", True, False),
        ("/* https://other.example/:splat 301!", True, False),
        ("/* https://example.com/:splat 301!", False, False),
        ("/a https://EXAMPLE.com/%61 301!", False, False),
        ("/a http://[ 301!", False, False),
        ("/a /b 200!", False, False),
        ("/a /b 404!", False, False),
        ("/a /b 301! Country=de", False, False),
        ("/a id=:id /b 301!", False, False),
        ("/a", False, False),
        ("/a b 301!", False, False),
        ("/* /index.html", False, False),
        ("/* /docs/index 301", False, False),
        ("/* /index.html 301!", True, False),
        ("/* https://other.example/index.html", False, True),
        ("/a /index.html", False, True),
        ("/* https://other.example/:splat/:splat 301!", False, False),
        ("/a /b 200\n/a /c 301!", False, False),
        ("/:x /b 200\n/a /c 301!", False, False),
        ("/a /c 301!\n/:x /b 200", True, False),
        ("https://www.example.com/* /b 200!\n/a /c 301!", True, False),
        (
            "http://example.com/* https://example.com/:splat 301!\n/a /c 301!",
            True,
            False,
        ),
        ("/a https://other.example/%c3 301!", True, False),
        ("/a //[ 301!", False, False),
        ("/a /:splat 301!", False, False),
        ("/ /b 301!\n/a /c", False, True),
    ],
)
def test_redirect_applies_if_the_host_follows_it_before_looking_for_a_file(
    line, always, on_cloudflare
):
    anywhere, there = rules(redirects=line), rules(redirects=line, service="cloudflare")

    assert always == (judged(anywhere, "a") is not None)
    assert on_cloudflare == (judged(there, "a") is not None)


def test_cloudflare_does_not_redirect_the_front_page_to_its_own_file():
    assert (
        judged(rules(redirects="/ /index.html 301", service="cloudflare"), "") is None
    )
    assert ("redirect", 1) == judged(
        rules(redirects="/ /en/", service="cloudflare"), ""
    )


def test_redirects_of_many_paths_to_one_target_are_fast():
    found = rules(redirects=f"/* /{':splat' * 300} 301!")
    start = time.process_time()

    assert [None] * 500 == [judged(found, "%C3%A9" * 300) for _ in range(500)]
    assert time.process_time() - start < 3  # It was 30 seconds.


def test_first_redirect_wins_and_hides_headers():
    found = rules(
        headers="/a\n  X-Robots-Tag: noindex", redirects="\n/* /b 301!\n/a /c 301!"
    )

    assert (("redirect", 2), ("redirect", 2)) == (
        judged(found, "a"),
        judged(found, "x"),
    )


def test_files_below_the_root_of_a_host_are_ignored(tmp_path):
    (tmp_path / "_headers").write_text("/*\n  X-Robots-Tag: noindex")
    (tmp_path / "_redirects").write_text("/a /b 301!")

    at_root, _ = read_server_rules(tmp_path, BASE, service="")
    below, notices = read_server_rules(tmp_path, f"{BASE}docs/", service="")

    assert (True, False, ()) == (bool(at_root), bool(below), notices)


def test_missing_files_give_no_rules(tmp_path):
    found, notices = read_server_rules(tmp_path, BASE, service="cloudflare")

    assert (False, ()) == (bool(found), notices)


def test_pipes_and_files_that_are_too_long_are_reported(tmp_path):
    os.mkfifo(tmp_path / "_headers")
    (tmp_path / "_redirects").write_bytes(b" " * (MAX_BYTES + 1))

    found, notices = read_server_rules(tmp_path, BASE, service="cloudflare")

    assert not found
    assert [
        "_headers: it cannot be read (not a regular file), and leaves out no page",
        f"_redirects: it cannot be read (larger than {MAX_BYTES:,} bytes), and leaves out no page",
    ] == [str(notice) for notice in notices]


def test_long_lines_and_lines_beyond_the_limit_are_skipped():
    longest = f"/a /{'b' * (MAX_LINE - len('/a / 301!'))} 301!"
    long = longest.replace("/b", "/bb")
    late = "\n" * MAX_LINES + "/a /b 301!"

    assert [None, None] == [judged(rules(redirects=text), "a") for text in (long, late)]
    assert ("redirect", 1) == judged(rules(redirects=longest), "a")
    assert ("redirect", MAX_LINES) == judged(rules(redirects=late[1:]), "a")


def test_invalid_bytes_do_not_affect_later_rules(tmp_path):
    (tmp_path / "_redirects").write_bytes(b"\xff\xfe\0/\0a\n/a /b 301!\n")

    found, _ = read_server_rules(tmp_path, BASE, service="")

    assert ("redirect", 2) == judged(found, "a")


@pytest.mark.parametrize(
    ("line", "moved", "others"),
    [
        ("/a /b", ["a", "a/", "a.html", "a/index.html", "a?b=1"], ["ab", "a/b", ""]),
        ("/a/ https://example.org/ 302", ["a", "a/"], ["b"]),
        ("https://example.com/a /b 301!", ["a/"], ["b"]),
        ("https://other.example/a /b", [], ["a"]),
        ("/old/* /new/:splat", ["old/x/y", "old/", "old"], ["older/", "x/old/"]),
        ("/:lang/start/ /:lang/", ["de/start/"], ["de/begin/", "start/"]),
        ("/*.txt /:splat.md 301", ["a/b.txt"], ["a/b", "a.txt.html"]),
        ("/a id=:id /b/:id 301", ["a"], ["b/1"]),
        ("/a /b 302 Language=de", ["a"], []),
        ("/münchen /b", ["m%C3%BCnchen/"], []),
        ("/x[1]/* /b", ["x%5B1%5D/a"], ["x1/a"]),
        ("/a /b 404", [], ["a"]),
        ("/* /index.html 200", [], ["a", ""]),
        ("/a", [], ["a"]),
        ("# /a /b", [], ["a"]),
    ],
)
def test_rule_may_redirect_what_it_names_in_any_form(line, moved, others):
    found = rules(redirects=line)

    assert moved == [
        path for path in (*moved, *others) if found.may_redirect(BASE + path)
    ]


def test_hostile_patterns_take_seconds_at_most():
    """Most of them for their compilation, once."""
    found = rules(redirects="".join(f"/{'*a' * 100}{n} /b\n" for n in range(200)))
    before = time.process_time()

    assert not found.may_redirect(f"{BASE}{'a' * 2_000}b")
    assert time.process_time() - before < 20  # Five without a measure of coverage.
