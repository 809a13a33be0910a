"""Run a fuzz target, with atheris if it is installed, or with plain random mutations.

One input in 16 is also made long, by repeating a piece of it. An input also fails if it
takes more than `SLOWER` times as long as the slowest known input: time grows faster
than it should.
"""

from __future__ import annotations

import importlib
import importlib.util
import random
import sys
import time
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LENGTH = 100_000
"""Bytes of an input that was made long."""

SLOWER = 5


def run(
    check: Callable[[bytes], None],
    seeds: Sequence[bytes],
    *,
    slowest: bytes,
    timed: Callable[[bytes], object] | None = None,
) -> None:
    """Call `check` with new inputs for the seconds in `sys.argv[1]`, 60 by default.

    `slowest` is the input of at most `LENGTH` bytes that takes longest, as far as is
    known. The time is that of `timed` where `check` does much besides.
    """
    timed = timed or check
    most = SLOWER * min(_seconds(timed, slowest) for _ in range(5))
    print(f"an input of {LENGTH:,} bytes may take {most * 1e3:.0f} ms")

    def check_both(data: bytes) -> None:
        check(data)
        if zlib.crc32(data) % 16 == 0:
            check_time(timed, data, most)

    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    if importlib.util.find_spec("atheris") is None:
        _mutate(check_both, seeds, seconds)
        return
    atheris = importlib.import_module("atheris")
    atheris.instrument_all()
    atheris.Setup([sys.argv[0], f"-max_total_time={seconds:.0f}"], check_both)
    atheris.Fuzz()


def check_time(timed: Callable[[bytes], object], data: bytes, most: float) -> None:
    """Make an input long, in a deterministic way,
    and compare its seconds with `most`."""
    chance = random.Random(data)
    start = chance.randint(0, len(data))
    end = start + chance.choice((1, 1, 2, 5, 20, 100))
    piece = data[start:end] or b" "
    data = data[:end] + piece * ((LENGTH - len(data)) // len(piece)) + data[end:]
    seconds = _seconds(timed, data)
    assert seconds < most, f"{seconds * 1e3:.0f} ms for many {piece!r}"


def _seconds(timed: Callable[[bytes], object], data: bytes) -> float:
    start = time.process_time()
    timed(data)
    return time.process_time() - start


def _mutate(
    check: Callable[[bytes], None], seeds: Sequence[bytes], seconds: float
) -> None:
    seed = random.randrange(1 << 32)
    chance = random.Random(seed)
    deadline = time.monotonic() + seconds
    count = 0
    while time.monotonic() < deadline:
        data = _mutated(chance, seeds)
        try:
            check(data)
        except BaseException:
            print(f"input {count} of seed {seed}: {data!r}")
            raise
        count += 1
    print(f"{count} inputs in {seconds:.0f} s, seed {seed}: no failure")


def _mutated(chance: random.Random, seeds: Sequence[bytes]) -> bytes:
    data = bytearray(b"".join(chance.choices(seeds, k=chance.randint(1, 12))))
    for _ in range(chance.randint(0, 8)):
        place = chance.randint(0, len(data))
        match chance.randrange(4):
            case 0:
                data[place:place] = chance.randbytes(chance.randint(1, 4))
            case 1:
                del data[place : place + chance.randint(1, 8)]
            case 2:
                data[place:place] = chance.choice(seeds)
            case _:
                data[place:place] = bytes(data[place : place + 20]) * chance.choice(
                    (1, 3, 200)
                )
    return bytes(data)
