"""robots.txt: its bytes are kept, missing lines are added once, and its rules apply."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from sitemap_plugins.core.crawlers.robots_txt import (
    MAX_CHECKS,
    MAX_READ_BYTES,
    Robots,
    read_file,
    with_sitemaps,
)
from sitemap_plugins.core.limits import ROBOTS_READ_BYTES
from sitemap_plugins.core.messages import OutputError, RobotsError

URL = "https://example.com/sitemap.xml"
LINE = f"Sitemap: {URL}".encode()
SECOND = "https://example.com/sitemap-index-2.xml"
BASE = "https://example.com/"


def robots(text, *, base_url=BASE, on_read_the_docs=False):
    return Robots(text, base_url=base_url, on_read_the_docs=on_read_the_docs)


@pytest.mark.parametrize(
    ("before", "added"),
    [
        (b"", LINE + b"\n"),
        (b"User-agent: *\n", LINE + b"\n"),
        # No final line break: one comes first, or crawlers would read one line.
        (b"User-agent: *\nDisallow: /a", b"\n" + LINE + b"\n"),
        (b"User-agent: *", b"\n" + LINE + b"\n"),
        # The user's line ends, the first one's where they are mixed.
        (b"User-agent: *\r\nDisallow: /a\r\n", LINE + b"\r\n"),
        (b"User-agent: *\r\nDisallow: /a", b"\r\n" + LINE + b"\r\n"),
        (b"User-agent: *\rDisallow: /a\r", LINE + b"\r"),
        (b"User-agent: *\rDisallow: /a", b"\r" + LINE + b"\r"),
        (b"User-agent: *\r\nDisallow: /a\n", LINE + b"\r\n"),
        (b"User-agent: *\nDisallow: /a\r\n\r\n", LINE + b"\n"),
        # A byte order mark stays, and our line does not stand behind it.
        (b"\xef\xbb\xbfUser-agent: *\n", LINE + b"\n"),
        (b"\xef\xbb\xbf", b"\n" + LINE + b"\n"),
        # Not UTF-8, and not ASCII: the bytes stay.
        (b"# caf\xe9\n", LINE + b"\n"),
        ("# münchen\n".encode(), LINE + b"\n"),
        # Lines that look alike name another URL, or nothing.
        (b"# " + LINE + b"\n", LINE + b"\n"),
        (LINE + b".gz\n", LINE + b"\n"),
        (LINE + b" and more\n", LINE + b"\n"),
        (b"Sitemap: https://example.com/Sitemap.xml\n", LINE + b"\n"),
        (b"Sitemap: /sitemap.xml\n", LINE + b"\n"),
        (b"Sitemap:\n" + URL.encode() + b"\n", LINE + b"\n"),
        (b"NoSitemap: " + URL.encode() + b"\n", LINE + b"\n"),
    ],
)
def test_line_is_added_at_the_end_and_nothing_else_changes(before, added):
    assert before + added == with_sitemaps(before, [URL])


@pytest.mark.parametrize(
    "line",
    [
        LINE,
        LINE.replace(b"Sitemap", b"SITEMAP"),
        LINE.replace(b"Sitemap: ", b"sitemap:"),
        LINE.replace(b"Sitemap: ", b" \tSitemap\t: \t"),
        LINE + b" # ours",
        LINE + b"# ours",
        LINE + b"  ",
        b"\xef\xbb\xbf" + LINE,
        b"User-agent: *\r" + LINE + b"\rDisallow: /",
        b"User-agent: *\r\n" + LINE + b"\r\nDisallow: /\r\n",
    ],
)
def test_file_that_names_the_url_is_unchanged(line):
    assert line == with_sitemaps(line, [URL])


def test_missing_urls_are_added_in_order():
    before = b"Sitemap: " + SECOND.encode() + b"\n"
    third = "https://example.com/sitemap-index-3.xml"

    after = with_sitemaps(before, [URL, SECOND, third])

    assert before + LINE + b"\nSitemap: " + third.encode() + b"\n" == after
    assert after == with_sitemaps(after, [URL, SECOND, third])


@pytest.mark.parametrize(
    "text",
    [
        "User-agent: *\n".encode("utf-16"),
        b"User-agent: *\n\0",
        b"#" * (ROBOTS_READ_BYTES + 1) + b"\n\0",
    ],
    ids=["utf-16", "nul", "nul that crawlers do not reach"],
)
def test_nul_bytes_are_refused(text):
    with pytest.raises(RobotsError, match="NUL bytes"):
        with_sitemaps(text, [URL])
    with pytest.raises(RobotsError, match="NUL bytes"):
        robots(text)


@pytest.mark.parametrize("text", [b"\xef\xbb\xbf\n <html>", b"<!doctype html>\n"])
def test_page_in_place_of_the_file_is_refused(text):
    with pytest.raises(RobotsError, match=r"robots\.txt is an HTML page") as told:
        robots(text)
    assert "write plain text" == told.value.cure


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        (None, "a", True),
        (b"", "a", True),
        (b"User-agent: *\nDisallow: /a", "a", False),
        (b"User-agent: *\nDisallow: /a", "b", True),
        (b"User-agent: *\nDisallow:", "a", True),
        (b"\xef\xbb\xbfUser-agent: *\rDisallow: /a\r", "a", False),
        (b"User-agent: *\nDisallow: /*.html$", "a/b.html", False),
        (b"User-agent: *\nDisallow: /caf%C3%A9", "caf%C3%A9/", False),
        ("User-agent: *\nDisallow: /café".encode(), "caf%C3%A9/", False),
        (b"User-agent: *\nDisallow: /\nAllow: /a", "a", True),
        # One crawler that may is enough; one that may not is not.
        (b"User-agent: BadBot\nDisallow: /", "a", True),
        (b"User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nAllow: /", "a", True),
        (b"User-agent: *\nUser-agent: Googlebot\nDisallow: /", "a", False),
        (
            b"User-agent: Googlebot\nDisallow: /\n\nUser-agent: *\nDisallow: /",
            "a",
            False,
        ),
        # Not all names are of the letters that RFC 9309, section 2.2.1, allows.
        (b"User-agent: *\nDisallow: /\n\nUser-agent: MJ12bot\nAllow: /", "a", True),
        (
            b"User-agent: *\nDisallow: /\n\nUser-agent: 360Spider # 360\nAllow: /",
            "a",
            True,
        ),
        (b"User-agent: *\nDisallow: /\n\nUser-agent: Mail.RU_Bot\nAllow: /", "a", True),
        # RFC 9309, section 2.2.1: rules before the first user agent are nobody's.
        (b"Disallow: /\nUser-agent: *\n", "a", True),
    ],
)
def test_page_is_left_out_only_if_no_crawler_may_fetch_it(text, path, expected):
    assert expected is robots(text).allow(BASE + path)


def test_too_many_rules_are_ignored_and_reported():
    agents = ["*", *(f"bot-{'x' * number}" for number in range(MAX_CHECKS // 100 - 1))]
    lines = [f"User-agent: {agent}" for agent in agents]
    lines += [f"Disallow: /{number}" for number in range(98)]

    checked = robots("\n".join([*lines, "Disallow: /a", "Allow: /b"]).encode())
    unchecked = robots(
        "\n".join([*lines, "Disallow: /a", "allow : /b", "Disallow:"]).encode()
    )

    assert (False, []) == (checked.allow(f"{BASE}a"), codes(checked))
    assert (True, ["robots-unchecked"]) == (
        unchecked.allow(f"{BASE}a"),
        codes(unchecked),
    )
    assert (
        "500 crawlers and 101 rules and wildcards"
        in next(unchecked.notices([URL])).text
    )


def test_wildcards_count_as_rules():
    """A page whose URL is long could be compared with each of them."""
    agents = "".join(f"User-agent: {'x' * (number + 1)}\n" for number in range(500))
    rules = "".join(f"Disallow: /{'*a' * 1_900}{'b' * number}\n" for number in range(9))
    start = time.process_time()
    unchecked = robots(f"User-agent: *\n{agents}{rules}Disallow: /\n".encode())

    assert unchecked.allow(f"{URL}{'a' * 1_950}")
    assert time.process_time() - start < 1


def test_crawler_name_may_be_invalid_utf_8():
    text = (
        b"User-agent: *\nDisallow: /\n\nUser-agent: caf\xe9\nAllow: /a\nDisallow: /\n"
    )

    assert robots(text).allow(f"{BASE}a")
    assert not robots(text).allow(f"{BASE}b")


def test_rules_beyond_what_crawlers_read_are_ignored():
    comment = b"#" * (ROBOTS_READ_BYTES - 40) + b"\n"
    rules = b"User-agent: *\nDisallow: /a\n"

    within = robots(comment + rules)
    beyond = robots(comment + b"#" * 40 + b"\n" + rules)

    assert (False, True) == (within.allow(BASE + "a"), beyond.allow(BASE + "a"))


def test_blanks_within_a_rule_are_read_once():
    """A line took four seconds, and a file has room for thirty."""
    line = b"Disallow: /a" + b" " * 16_000 + b"b\n"
    began = time.process_time()

    assert robots(b"User-agent: *\n" + line * 3).allow(f"{BASE}a")
    assert time.process_time() - began < 3


def test_rules_of_a_file_below_the_root_are_ignored():
    below = robots(b"User-agent: *\nDisallow: /", base_url=BASE + "docs/")

    assert below.allow(BASE + "docs/a")


def test_read_the_docs_serves_the_file_at_the_root():
    there = robots(
        b"User-agent: *\nDisallow: /en/",
        base_url=BASE + "en/latest/",
        on_read_the_docs=True,
    )

    assert not there.allow(BASE + "en/latest/a")


@pytest.mark.parametrize(
    ("text", "base_url", "on_read_the_docs", "expected"),
    [
        (None, BASE, False, LINE + b"\n"),
        (None, BASE + "docs/", False, None),
        (None, BASE, True, None),
        (None, BASE + "en/latest/", True, None),
        (b"", BASE, False, LINE + b"\n"),
        (b"#\n", BASE + "docs/", False, b"#\n" + LINE + b"\n"),
        (b"#\n", BASE + "en/latest/", True, b"#\n" + LINE + b"\n"),
    ],
)
def test_missing_file_is_created_only_where_crawlers_read_it(
    text, base_url, on_read_the_docs, expected
):
    file = robots(text, base_url=base_url, on_read_the_docs=on_read_the_docs)

    assert expected == file.with_sitemap_lines([URL])


def codes(file, sitemaps=(URL,)):
    return [notice.code for notice in file.notices(sitemaps)]


def test_correct_file_gives_no_notice():
    assert [] == codes(robots(b"User-agent: *\nDisallow: /a\n"))
    assert [] == codes(robots(None))
    assert [] == codes(
        robots(None, base_url=BASE + "en/latest/", on_read_the_docs=True)
    )
    assert [] == codes(
        robots(None, base_url="https://tablib.readthedocs.io/en/stable/")
    )


def test_notice_has_the_line_to_add_at_the_root():
    (notice,) = robots(None, base_url="https://example.com:8443/docs/").notices(
        ["https://example.com:8443/docs/sitemap.xml"]
    )

    assert ("robots-not-at-root", "robots.txt") == (notice.code, notice.place)
    assert (
        "crawlers read robots.txt only at https://example.com:8443/robots.txt: add the line"
        " 'Sitemap: https://example.com:8443/docs/sitemap.xml' there"
    ) == notice.text


def test_rule_that_disallows_the_sitemap_is_reported():
    file = robots(b"User-agent: *\nDisallow: /*.xml$\n")

    (notice,) = file.notices([URL])

    assert ("robots-blocks-sitemap", "robots.txt") == (notice.code, notice.place)
    assert URL in notice.text


def test_line_that_says_noindex_is_reported():
    file = robots(b"User-agent: *\n noindex: /caf\xe9/ # old\nDisallow: /a\n")

    (notice,) = file.notices([URL])

    assert ("hidden-noindex", "robots.txt") == (notice.code, notice.place)
    assert (
        "'noindex: /caf\ufffd/' has no effect: search engines have not read such lines"
        ' since 2019: write <meta name="robots" content="noindex"> in the pages'
    ) == notice.text


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        (b"#" * ROBOTS_READ_BYTES + b"\n", ["robots-too-long"]),
        # The line is there already, within what crawlers read.
        (LINE + b"\n" + b"#" * ROBOTS_READ_BYTES + b"\n", []),
        (b"#" * (ROBOTS_READ_BYTES - 1) + b"\n" + LINE, ["robots-too-long"]),
        # To the byte.
        (b"#" * (ROBOTS_READ_BYTES - len(LINE) - 2) + b"\n", []),
        (b"#" * (ROBOTS_READ_BYTES - len(LINE)) + b"\n", ["robots-too-long"]),
    ],
    ids=["long", "at the top", "there, but too late", "just within", "just beyond"],
)
def test_line_beyond_what_crawlers_read_is_reported(before, expected):
    assert expected == codes(robots(before))


# --- lines that name the sitemap in another way
# ---------------------------------------------------

OTHER_LINES = {
    "the other scheme (19 of 83 real files)": "http://example.com/sitemap.xml",
    "relative to the host (balintawak-eskrima/pelican-generator)": "/sitemap.xml",
    "relative": "sitemap.xml",
}


@pytest.mark.parametrize("case", OTHER_LINES)
def test_line_with_another_address_is_kept_and_reported(case):
    text = f"User-agent: *\nSitemap: {OTHER_LINES[case]}\n".encode()
    file = robots(text)
    (notice,) = file.notices([URL])

    assert file.with_sitemap_lines([URL]) == text + LINE + b"\n"
    assert ("robots-other-line", "robots.txt") == (notice.code, notice.place)
    assert repr(f"Sitemap: {OTHER_LINES[case]}") in notice.text
    assert repr(f"Sitemap: {URL}") in notice.text


@pytest.mark.parametrize(
    "line", ["https://EXAMPLE.com/sitemap.xml", "https://example.com:443/%73itemap.xml"]
)
def test_another_spelling_of_the_address_is_the_same_line(line):
    """Spellings that crawlers treat as one URL get no second line."""
    file = robots(f"Sitemap: {line}\n".encode())

    assert file.with_sitemap_lines([URL]) == f"Sitemap: {line}\n".encode()
    assert [] == list(file.notices([URL]))


@pytest.mark.parametrize(
    "line",
    ["https://cdn.example.com/sitemap.xml", "https://example.com/news.xml", "http://["],
)
def test_other_sitemaps_are_not_reported(line):
    assert [] == list(robots(f"Sitemap: {line}\n".encode()).notices([URL]))


@pytest.mark.parametrize("host", ["localhost:3001", "127.0.0.1:8000", "[::1]"])
def test_line_with_a_local_server_is_kept_and_reported(host):
    """mystmd 1.8 writes one."""
    text = f"Sitemap: http://{host}/sitemap.xml\n".encode()
    (notice,) = robots(text).notices([URL])

    assert robots(text).with_sitemap_lines([URL]) == text + LINE + b"\n"
    assert "local-address" == notice.code
    assert (
        f"'Sitemap: http://{host}/sitemap.xml' is on a local server: remove it"
        in notice.text
    )


def test_preview_may_name_its_local_server():
    file = robots(b"Sitemap: http://localhost:8000/sitemap.xml\n")

    assert [] == list(file.notices(["http://localhost:8001/sitemap.xml"]))


def test_lines_are_not_reported_if_the_option_wants_none():
    file = robots(b"Sitemap: http://example.com/sitemap.xml\n")

    assert [] == list(file.notices([URL], announced=False))


def test_repeated_line_is_reported_once():
    robots = b"Sitemap: http://localhost:3000/sitemap.xml\n" * 2
    found = Robots(robots, base_url="https://e.com/", on_read_the_docs=False)

    assert 1 == len([*found.notices(["https://e.com/sitemap.xml"])])


@pytest.mark.parametrize(("text", "seconds"), [(b"", 0), (b"Crawl-delay: 2.5\n", 2.5)])
def test_seconds_between_two_requests(text, seconds):
    assert seconds == robots(b"User-agent: *\n" + text).crawl_delay("sitemap-check")


def test_name_with_capital_letters_is_refused(tmp_path):
    (tmp_path / "Robots.TXT").touch()

    with pytest.raises(RobotsError, match=r"^crawlers do not read Robots\.TXT") as told:
        Robots.read(tmp_path, BASE, on_read_the_docs=False)
    assert "rename it to robots.txt" == told.value.cure


def test_file_is_read_byte_for_byte(tmp_path):
    (tmp_path / "robots.txt").write_bytes(b"\xff\r\n\0")

    assert b"\xff\r\n\0" == read_file(tmp_path / "robots.txt")
    assert read_file(tmp_path / "nothing") is None


def test_link_to_a_file_is_read(tmp_path):
    (tmp_path / "source.txt").write_bytes(b"the user's")
    (tmp_path / "robots.txt").symlink_to(tmp_path / "source.txt")

    assert b"the user's" == read_file(tmp_path / "robots.txt")


def test_broken_link_is_a_missing_file(tmp_path):
    (tmp_path / "robots.txt").symlink_to(tmp_path / "nowhere")

    assert read_file(tmp_path / "robots.txt") is None


def test_folder_in_place_of_the_file_is_named(tmp_path):
    with pytest.raises(
        OutputError, match=r"cannot be read \((Is a directory|Permission denied)\)"
    ):
        read_file(tmp_path)


def test_named_pipe_is_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "robots.txt")

    with pytest.raises(
        OutputError, match=r"robots\.txt cannot be read \(not a regular file\): put"
    ):
        read_file(tmp_path / "robots.txt")


@pytest.mark.parametrize(
    "target", ["../secret", "../site/../secret", ".git/config", "to/secret"]
)
@pytest.mark.parametrize("is_repository", [True, False])
def test_link_that_leads_out_is_refused(tmp_path, target, is_repository):
    """A token in `.git/config`, or the builder's `.netrc`, would be published."""
    site = tmp_path / "site"
    (site / ".git").mkdir(parents=True)
    (site / ".git/config").write_text("secret")
    (tmp_path / "secret").write_text("secret")
    (site / "to").symlink_to(tmp_path)
    (site / "robots.txt").symlink_to(target)
    if not is_repository:
        (site / ".git").rename(tmp_path / "moved")
        (site / ".git").symlink_to(tmp_path / "moved")

    with pytest.raises(
        OutputError, match=r"\(a link to a file outside its folder and repository\)"
    ):
        read_file(site / "robots.txt")


def test_link_within_the_repository_is_read(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "public").mkdir()
    (tmp_path / "robots.txt").write_bytes(b"the user's")
    (tmp_path / "public/robots.txt").symlink_to("../robots.txt")

    assert b"the user's" == read_file(tmp_path / "public/robots.txt")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs devices")
def test_link_to_a_device_is_not_read(tmp_path):
    (tmp_path / "robots.txt").symlink_to("/dev/zero")

    with pytest.raises(
        OutputError,
        match=r"robots\.txt cannot be read \(a link to a file outside.*\): put",
    ):
        read_file(tmp_path / "robots.txt")


@pytest.mark.parametrize("spare", [0, 1])
def test_file_is_read_up_to_a_size(tmp_path, spare):
    with (tmp_path / "robots.txt").open("wb") as file:
        file.truncate(MAX_READ_BYTES + spare)  # Of no blocks.

    if spare == 0:
        assert MAX_READ_BYTES == len(read_file(tmp_path / "robots.txt"))
    else:
        with pytest.raises(OutputError, match=r"\(larger than 16,777,216 bytes\): put"):
            read_file(tmp_path / "robots.txt")


def test_rule_before_the_first_group_decides_nothing():
    """RFC 9309, section 2.2: a rule belongs to the group
    of the `User-agent` lines above it."""
    text = b"Disallow: /a\nUser-agent: *\nDisallow: /a\n"

    assert (3, "Disallow: /a") == robots(text).decisive_line(f"{BASE}a")


@pytest.mark.parametrize(
    ("agent", "disallowed"),
    [("b", ()), ("bing", ()), ("BingBot", ("bingbot",)), ("*", ())],
)
def test_group_is_that_of_a_crawlers_whole_name(agent, disallowed):
    text = f"User-agent: {agent}\nDisallow: /\n\nUser-agent: *\nAllow: /\n".encode()
    robots = Robots(text, base_url=BASE, on_read_the_docs=False)

    assert disallowed == robots.disallowed_crawlers(BASE)
