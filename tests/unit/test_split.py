"""Entries' bytes → parts: limits to the element and to the byte."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from sitemap_plugins.core.errors import OptionsError
from sitemap_plugins.core.split import Frame, into_parts

HEAD, FOOT = b"<head>", b"</>"


def frame(*, max_elements=100, max_bytes=1000):
    return Frame(head=HEAD, foot=FOOT, max_elements=max_elements, max_bytes=max_bytes)


def parts_of(chunks, **limits):
    return list(into_parts([(chunk, None) for chunk in chunks], frame(**limits)))


def test_no_element_gives_no_part():
    assert parts_of([]) == []


def test_parts_are_numbered_framed_and_keep_the_order():
    parts = parts_of([b"a", b"b", b"c"], max_elements=2)

    assert [(part.number, part.chunks) for part in parts] == [
        (1, (HEAD, b"a", b"b", FOOT)),
        (2, (HEAD, b"c", FOOT)),
    ]


@pytest.mark.parametrize(
    ("count", "expected"), [(1, [1]), (3, [3]), (4, [3, 1]), (6, [3, 3]), (7, [3, 3, 1])]
)
def test_elements_fill_parts_to_the_last_one(count, expected):
    parts = parts_of([b"a"] * count, max_elements=3)

    assert expected == [len(part.chunks) - 2 for part in parts]


@pytest.mark.parametrize(
    ("spare", "expected"),
    [(0, [3, 3, 1]), (-1, [2, 2, 2, 1]), (1, [3, 3, 1]), (9, [3, 3, 1]), (10, [4, 3])],
)
def test_bytes_fill_parts_to_the_last_one_frame_included(spare, expected):
    limit = len(HEAD) + 3 * 10 + len(FOOT) + spare

    parts = parts_of([b"0123456789"] * 7, max_bytes=limit)

    assert expected == [len(part.chunks) - 2 for part in parts]
    assert all(len(b"".join(part.chunks)) <= limit for part in parts)


def test_both_limits_hold_at_once():
    parts = parts_of([b"long" * 5, b"a", b"b", b"c"], max_elements=2, max_bytes=9 + 20)

    assert [len(part.chunks) - 2 for part in parts] == [1, 2, 1]


def test_an_element_may_be_as_large_as_a_file_less_its_frame():
    assert [len(part.chunks) - 2 for part in parts_of([b"x" * 91] * 2, max_bytes=100)] == [1, 1]


def test_a_larger_element_is_refused_with_the_cure():
    with pytest.raises(OptionsError, match=r"max_bytes = 100 has no room .* 92 bytes: raise it"):
        parts_of([b"a", b"x" * 92], max_bytes=100)


OLD, NEW = date(2024, 1, 1), datetime(2024, 1, 1, 0, 0, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        ([None, None], None),
        ([None, OLD, None], OLD),
        ([OLD, NEW, OLD], NEW),
        ([NEW, OLD], NEW),
        # A naive time counts as UTC.
        ([datetime(2024, 1, 1, 0, 0, 2), NEW], datetime(2024, 1, 1, 0, 0, 2)),  # noqa: DTZ001
    ],
)
def test_a_part_is_as_new_as_its_newest_element(dates, expected):
    (part,) = into_parts([(b"a", moment) for moment in dates], frame())

    assert expected == part.lastmod


def test_each_part_has_a_date_of_its_own():
    elements = [(b"a", NEW), (b"b", OLD), (b"c", None)]

    assert [p.lastmod for p in into_parts(elements, frame(max_elements=1))] == [NEW, OLD, None]


def test_a_part_is_made_before_the_elements_after_it_are_asked_for():
    asked = []

    def elements():
        for number in range(4):
            asked.append(number)
            yield b"a", None

    next(into_parts(elements(), frame(max_elements=2)))

    assert asked == [0, 1, 2]
