"""Lines of robots.txt that crawlers cannot use."""

from __future__ import annotations

import pytest

from sitemap_plugins.check.robots_lines import faults_of
from sitemap_plugins.core.crawlers.robots_txt import Robots

BASE = "https://example.com/"
ONE_URL = "a sitemap needs one whole URL"
PATH = "a path begins with '/' and has no blank"
NO_RULE = "it is neither a rule nor a comment"
ONE_CRAWLER = "it is not the name of one crawler"
NOT_UTF_8 = "it is not UTF-8"


def faults(text):
    return list(faults_of(Robots(text, base_url=BASE, on_read_the_docs=False)))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("Disallow: /a", ""),
        ("disallow :", ""),
        ("Allow: *.html$  # all", ""),
        ("Thank you for reading", NO_RULE),
        ("/* no drafts */", NO_RULE),
        ("- Disallow: /a", "'- Disallow' is misspelt"),
        ("Deny: /a", "no crawler knows the rule 'Deny'"),
        ("License: https://a.com/license.xml", ""),
        ("Disallow: /a/ /b/", PATH),
        ("Disallow\uff1a/a/", "'Disallow' has no colon after it"),
        ("User-agent: Googlebot, bingbot", ONE_CRAWLER),
        ("User-agent: all", ONE_CRAWLER),
        ("User-agent: 360Spider", ""),
        ("User-agent: * Disallow: /a", ONE_CRAWLER),
        ("Crawl-delay: ten", "it is not a number of seconds"),
        ("Crawl-delay: 2.5", ""),
        (
            "Disallow: /vögel/".encode("latin-1").decode("utf-8", "surrogateescape"),
            NOT_UTF_8,
        ),
        ("Content-Signal: ai-train=no", ""),
        ("Sitemap: https://example.com/a,b.xml", ""),
        ("Sitemap: https://a.com/a.xml, https://a.com/b.xml", ONE_URL),
        ("Sitemap: sitemap.xml", ONE_URL),
        ("Sitemap:", ONE_URL),
        ("Sitemap https://example.com/a.xml", "'Sitemap' has no colon after it"),
        ("Disallow /a: b", "'Disallow' has no colon after it"),
        ("Dissallow: /a", "'Dissallow' is misspelt"),
        ("Disallow: a", PATH),
    ],
)
def test_line_that_crawlers_cannot_use(line, problem):
    text = f"User-agent: *\n{line}\n".encode(errors="surrogateescape")
    found = [each.problem for each in faults(text)]
    assert [problem] * bool(problem) == found


def test_rule_before_the_first_group_has_no_effect():
    text = b"\xef\xbb\xbfAllow: /a\r\nUser-agent: *\r\nDisallow: /b\r\n"
    [line] = faults(text)
    why = "no User-agent line is above it"
    assert (1, "Allow: /a", why, "write 'User-agent: *' above it") == line


@pytest.mark.parametrize(
    ("line", "cure"),
    [
        ("Disalow: /a", "write 'Disallow:'"),
        ("Disallow = /a", "write 'Disallow: /a'"),
        ("Useragnet: *", "write 'User-agent:'"),
        ("<!-- rules -->", "begin a comment with '#', or remove the line"),
        (
            "Sitemap: /a.xml",
            "write one in each line, such as 'https://example.com/sitemap.xml'",
        ),
    ],
)
def test_cure_of_a_line_says_what_to_write(line, cure):
    text = f"User-agent: *\n{line}\n".encode()
    [found] = faults(text)

    assert cure == found.cure


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Googlebot/2.1", True),
        ("Download Ninja", True),
        ("a, b", False),
        ("*bot", False),
    ],
)
def test_name_whose_beginning_google_reads(name, expected):
    text = f"User-agent: {name}\nDisallow: /a\n".encode()
    [found] = faults(text)

    assert expected == found.is_read_by_google


def test_line_that_joins_two_groups_is_named():
    text = b"User-agent: *\nCrawl-delay: 10\n\nUser-agent: AhrefsBot\nDisallow: /\n"

    why = "it is not a rule, so the group of line 1 goes on in line 4"
    cure = "put the line below the rules of its group"
    assert [(2, "Crawl-delay: 10", why, cure)] == faults(text)


def test_line_between_named_crawlers_is_not_named():
    text = b"User-agent: a\nCrawl-delay: 10\n\nUser-agent: AhrefsBot\nDisallow: /\n"

    assert [] == faults(text)
