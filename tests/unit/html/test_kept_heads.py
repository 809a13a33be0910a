"""Heads that a file keeps for the next build."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

import pytest

from sitemap_plugins.core.html import kept_heads
from sitemap_plugins.core.html.kept_heads import KeptHeads
from sitemap_plugins.core.untrusted_files import read_sealed, write_sealed

PAGE = """<!doctype html><head><link rel="canonical" href="{}"><base href="/b/">
<link rel="canonical" href="/other"><link rel="alternate" hreflang="de" href="/de/">
<meta name="generator" content="é"></head>"""
OLD, NEW = PAGE.format("/old"), PAGE.format("/new")
CHANGED = 1_700_000_000


@pytest.fixture
def page(tmp_path):
    return write(tmp_path / "page.html", OLD)


def write(file, text, *, time=CHANGED):
    file.write_text(text, "utf-8")
    os.utime(file, (time, time))
    return file


def build(page, *, now=None):
    """Return the head that one build sees, which keeps it for the next."""
    heads = KeptHeads(page.with_name("heads.json"), now or datetime.now(UTC))
    head = heads.of(page)
    heads.write()
    return head


def kept_in(file):
    return read_sealed(file, dict, *kept_heads._makers())


def test_head_of_a_file_with_equal_size_and_time_is_not_read_again(page):
    first = build(page)
    write(page, NEW)

    assert first == build(page)
    assert "/old" == first.canonical
    assert (("de", "/de/"),) == first.alternates
    assert ("/other",) == first.other_canonicals


@pytest.mark.parametrize(
    ("text", "time"), [(NEW, CHANGED + 1), (NEW, CHANGED - 1), (f"{NEW} ", CHANGED)]
)
def test_changed_file_is_read_again(page, text, time):
    build(page)
    write(page, text, time=time)

    assert "/new" == build(page).canonical


@pytest.mark.parametrize("seconds", [-60, 0, 1])
def test_file_that_can_still_change_at_its_time_is_not_kept(page, seconds):
    build(page, now=datetime.fromtimestamp(CHANGED + seconds, UTC))
    write(page, NEW)

    assert "/new" == build(page).canonical


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "7", "\n{}", "[" * 99])
def test_damaged_file_counts_as_none(page, text):
    kept = page.with_name("heads.json")
    kept.write_text(text)

    assert "/old" == build(page).canonical
    assert [str(page)] == [*kept_in(kept)]


def test_file_with_any_other_byte_counts_as_none(page):
    """Each would otherwise be a canonical URL that the page has not."""
    kept = page.with_name("heads.json")
    build(page)
    content = kept.read_bytes()
    for place in range(len(content)):
        other = content[place] ^ 1
        kept.write_bytes(content[:place] + bytes([other]) + content[place + 1 :])
        assert "/old" == build(page).canonical


@pytest.mark.parametrize("place", [0, 1, 2])
def test_heads_of_other_versions_are_not_used(page, place):
    kept = page.with_name("heads.json")
    build(page)
    makers = kept_heads._makers()
    makers[place] += "x"
    write_sealed(kept, kept_in(kept), *makers)
    write(page, NEW)

    assert "/new" == build(page).canonical


def test_only_pages_of_the_last_build_are_kept(page):
    kept = page.with_name("heads.json")
    build(page)
    written = kept.stat().st_mtime_ns
    build(page)

    assert written == kept.stat().st_mtime_ns, "nothing changed"
    assert build(page.with_name("gone.html")) is None
    assert {} == kept_in(kept)
    assert [kept, page] == sorted(page.parent.iterdir())


def test_time_ahead_of_the_clock_is_not_trusted(page):
    ahead = (datetime.now(UTC) + timedelta(days=1)).timestamp()
    write(page, OLD, time=ahead)
    build(page)
    write(page, NEW, time=ahead)

    assert "/new" == build(page).canonical


@pytest.mark.parametrize(
    ("place", "value"),
    [(0, "no"), (0, 1), (1, None), (2, 7), (4, "/x"), (4, [7]), (6, [["de"]])],
)
def test_kept_head_with_a_value_of_another_kind_counts_as_none(page, place, value):
    kept = page.with_name("heads.json")
    build(page)
    pages = kept_in(kept)
    [[_size, _time, values]] = pages.values()
    values[place] = value
    write_sealed(kept, pages, *kept_heads._makers())
    write(page, NEW)

    assert "/new" == build(page).canonical
