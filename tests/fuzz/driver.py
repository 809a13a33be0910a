"""Run a fuzz target: with atheris where it is installed, or else with plain random mutations.

An input that takes much longer than its length explains is a failure too.
"""

from __future__ import annotations

import importlib
import importlib.util
import random
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def run(check: Callable[[bytes], None], seeds: Sequence[bytes]) -> None:
    """Call `check` with more and more inputs for the seconds in `sys.argv[1]`, 60 by default."""
    check = _timed(check)
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    if importlib.util.find_spec("atheris") is None:
        _mutate(check, seeds, seconds)
        return
    atheris = importlib.import_module("atheris")
    atheris.instrument_all()
    atheris.Setup([sys.argv[0], f"-max_total_time={seconds:.0f}"], check)
    atheris.Fuzz()


def _timed(check: Callable[[bytes], None]) -> Callable[[bytes], None]:
    def timed(data: bytes) -> None:
        start = time.process_time()
        check(data)
        # Far above what any run took: it is to catch what grows, not what is slow.
        assert time.process_time() - start < 1 + len(data) / 5_000

    return timed


def _mutate(check: Callable[[bytes], None], seeds: Sequence[bytes], seconds: float) -> None:
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
                data[place:place] = bytes(data[place : place + 20]) * chance.choice((1, 3, 200))
    return bytes(data)
