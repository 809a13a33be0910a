"""Entries of a site that is too large for memory: sorted, in a temporary file.

The file has no name where the system allows that, so nothing remains of a build that is killed.
"""

from __future__ import annotations

import heapq
import pickle
from array import array
from collections.abc import Sequence
from itertools import islice
from operator import itemgetter
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Self, overload

from sitemap_plugins.core.entry import Entry
from sitemap_plugins.core.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

__all__ = ["StoredEntries", "merge_entries"]

_ENTRIES_IN_BLOCK = 100


class StoredEntries(Sequence[Entry]):
    """Entries in a file; a slice is another view of them."""

    def __init__(self, blocks: _Blocks, span: range) -> None:
        """Show those entries of the file whose numbers are in the span."""
        self._blocks = blocks
        self._span = span

    @classmethod
    def write(cls, entries: Iterable[Entry], folder: Path) -> Self:
        """Write entries to a temporary file in a folder.

        Raises:
            OutputError: The file cannot be written.
        """
        remaining, count = iter(entries), 0
        try:
            blocks = _Blocks(TemporaryFile(dir=folder))  # noqa: SIM115 closed with the view
            while block := list(islice(remaining, _ENTRIES_IN_BLOCK)):
                blocks.append(block)
                count += len(block)
        except OSError as error:
            msg = f"no temporary file can be written in {folder} ({error.strerror or error})"
            raise OutputError(f"{msg}: check the output folder") from error
        return cls(blocks, range(count))

    def __len__(self) -> int:
        """Return the number of entries in this view."""
        return len(self._span)

    @overload
    def __getitem__(self, index: int) -> Entry: ...

    @overload
    def __getitem__(self, index: slice) -> StoredEntries: ...

    def __getitem__(self, index: int | slice) -> Entry | StoredEntries:
        """Return an entry, or a view of some without a step."""
        if isinstance(index, slice):
            return StoredEntries(self._blocks, self._span[index])
        block, place = divmod(self._span[index], _ENTRIES_IN_BLOCK)
        return self._blocks[block][place]

    def __iter__(self) -> Iterator[Entry]:
        """Yield the entries of this view, a block at a time in memory."""
        first, end = self._span.start, self._span.stop
        for block in range(first // _ENTRIES_IN_BLOCK, -(-end // _ENTRIES_IN_BLOCK)):
            start = block * _ENTRIES_IN_BLOCK
            yield from self._blocks[block][max(first - start, 0) : end - start]


class _Blocks:
    """Lists of entries in a file, of which the last one that was read is in memory."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._starts = array("Q")
        self._number = -1
        self._block: list[Entry] = []

    def append(self, block: list[Entry]) -> None:
        self._starts.append(self._file.tell())
        pickle.dump(block, self._file, pickle.HIGHEST_PROTOCOL)

    def __getitem__(self, number: int) -> list[Entry]:
        if number != self._number:
            self._file.seek(self._starts[number])
            self._block = pickle.load(self._file)  # noqa: S301 only this process has the file
            self._number = number
        return self._block


def merge_entries(runs: Sequence[Iterable[Entry]], replaced: list[str]) -> Iterator[Entry]:
    """Yield the entries of all runs ascending by URL, as each of them is; lazy.

    Of several with one URL, which must be spelled in one way, only that of the last run is
    yielded; the URL is appended to `replaced` once for each of the others.
    """
    last: Entry | None = None
    for entry in heapq.merge(*runs, key=itemgetter(0)):  # Stable: equal ones in the runs' order.
        if last is not None:
            if last.url == entry.url:
                replaced.append(entry.url)
            else:
                yield last
        last = entry
    if last is not None:
        yield last
