"""Entries in a temporary file: the same as in memory."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from sitemap_plugins.core.entry import Entry, Link
from sitemap_plugins.core.errors import OutputError
from sitemap_plugins.core.files.stored import StoredEntries, merge_entries

LINKS = (Link("de", "https://example.com/de/"), Link("en", "https://example.com/"))
ENTRIES = [
    Entry("https://example.com/", datetime(2024, 5, 1, tzinfo=UTC), "daily", 0.5, LINKS),
    Entry("https://example.com/0", date(2024, 5, 1)),
    *(Entry(f"https://example.com/{number}") for number in range(1000, 1450)),
]


def test_entries_come_back_as_they_were(tmp_path):
    stored = StoredEntries.write(iter(ENTRIES), tmp_path)

    assert (len(ENTRIES), ENTRIES) == (len(stored), list(stored))
    assert ENTRIES[99:101] == [stored[99], stored[100]]
    assert ENTRIES[-1] == stored[-1]


@pytest.mark.parametrize(
    ("start", "stop"), [(0, 0), (0, 1), (99, 101), (100, 200), (150, 160), (201, None)]
)
def test_a_slice_is_a_view(tmp_path, start, stop):
    stored = StoredEntries.write(ENTRIES, tmp_path)[start:stop]

    assert isinstance(stored, StoredEntries)
    assert ENTRIES[start:stop] == list(stored)
    assert ENTRIES[start:stop][1:] == list(stored[1:])


def test_no_name_of_the_file_remains(tmp_path):
    stored = StoredEntries.write(ENTRIES, tmp_path)
    del stored

    assert [] == list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path):
    with pytest.raises(OutputError, match=r"^no temporary file can be written in .+missing"):
        StoredEntries.write(ENTRIES, tmp_path / "missing")


def test_runs_become_one_and_the_last_run_wins():
    first = [Entry("a"), Entry("b", changefreq="daily"), Entry("d")]
    second = [Entry("b", changefreq="weekly"), Entry("c")]
    third = [Entry("b", changefreq="yearly"), Entry("d", priority=1.0)]
    replaced = []

    merged = list(merge_entries([first, second, third], replaced))

    assert [Entry("a"), third[0], Entry("c"), third[1]] == merged
    assert ["b", "b", "d"] == replaced


def test_no_run_is_no_entry():
    assert [] == list(merge_entries([[], []], []))
