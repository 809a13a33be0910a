"""Notices: messages of one line, and many of one code joined into one."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.messages import Notice, group_notices


@pytest.mark.parametrize(
    ("location", "text", "expected"),
    [
        ("", "no sitemap", "no sitemap"),
        ("a.md", "is wrong", "a.md: is wrong"),
        ("a\nWARNING: b.md", "x\x1b[31m", "a\\nWARNING: b.md: x\\x1b[31m"),
        ("\ud800.md", "\u2028", "\\ud800.md: \\u2028"),
    ],
)
def test_notice_is_one_printable_line(location, text, expected):
    notice = Notice(code="bad-url", problem=text, place=location)

    assert expected == str(notice)
    assert expected.encode()


def test_three_notices_of_a_code_are_kept_and_four_become_one():
    notices = [Notice(code="bad-url", problem=str(n)) for n in range(4)]

    assert group_notices(notices[:3]) == tuple(notices[:3])
    assert 1 == len(group_notices(notices))


def test_many_notices_of_a_code_become_one_with_a_count_and_examples():
    many = [
        Notice(code="duplicate", problem="same", place=f"{n}.md") for n in range(740)
    ]
    other = Notice(code="no-git", problem="no git")

    first, second = group_notices([*many[:9], other, *many[9:]])

    assert "duplicate" == first.code
    assert first.text.startswith("740 times: 0.md: same; 1.md: same; 2.md: same; ")
    assert first.details == tuple(f"{n}.md: same" for n in range(740))
    assert second == other
