"""The manual's script for shards, with two worker processes of Dask;
one shard has two parts."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from dask.distributed import Client, LocalCluster

from sitemap_plugins.sitemaps.locations import FileLocation
from sitemap_plugins.sitemaps.parts import all_elements
from tests.full import FULL

pytestmark = FULL

SCRIPT = Path(__file__).parents[2] / "docs/examples/shards.py"
SHARDS = {"books": 1_000, "games": 51_000, "music": 1_000}
"""Each shard with its number of pages."""


@pytest.fixture(scope="module")
def cluster():
    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0"
    ) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    file = tmp_path_factory.mktemp("shop") / "shop.db"
    rows = (
        (shard, f"item-{n}/", f"2026-05-{1 + n % 28:02}")
        for shard, size in SHARDS.items()
        for n in range(size)
    )
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE page (shard, path, modified)")
        connection.executemany("INSERT INTO page VALUES (?, ?, ?)", rows)
        connection.commit()
    return file


@pytest.fixture(scope="module")
def build(cluster, database, tmp_path_factory):
    """Run the script: returns what it prints about the shards,
    and the hash of each file."""

    def run(name, *shards):
        output = database.parent / name
        output.mkdir(exist_ok=True)
        done = subprocess.run(
            [sys.executable, SCRIPT, database, output, *shards],
            env={**os.environ, "DASK_SCHEDULER_ADDRESS": cluster.scheduler_address},
            capture_output=True,
            text=True,
            check=False,
        )
        assert 0 == done.returncode, done.stderr
        *built, total = done.stdout.splitlines()
        assert f"sitemap.xml: 4 sitemaps, {sum(SHARDS.values()):,} URLs" == total
        files = (file for file in output.rglob("*") if file.is_file())
        hashes = {
            file.relative_to(output).as_posix(): hashlib.sha256(
                file.read_bytes()
            ).hexdigest()
            for file in files
        }
        return sorted(line.partition("/")[0] for line in built), hashes

    return run


@pytest.fixture(scope="module")
def first(build):
    return build("public")


def die_before_the_index():
    """Kill the worker that writes games, between its parts and its index;
    its successor lives."""
    import contextlib  # noqa: PLC0415 runs where this module is not
    import os  # noqa: PLC0415
    import signal  # noqa: PLC0415
    import sys  # noqa: PLC0415

    def hook(event, arguments):
        if event == "os.rename" and str(arguments[1]).endswith(
            "/again/games/sitemap.xml"
        ):
            with contextlib.suppress(
                FileExistsError
            ):  # The other worker does it, and lives.
                os.mkdir(f"{arguments[1]}.reached")  # noqa: PTH102
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)
    return os.getpid()


def test_one_index_lists_all_shards(first, database):
    shards, hashes = first
    listed = all_elements([FileLocation(database.parent / "public/sitemap.xml")])

    assert [*SHARDS] == shards
    assert sum(SHARDS.values()) == len({element.get("loc") for element in listed})
    assert 2 == sum("/sitemap-" in name for name in hashes)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_worker_that_dies_is_replaced_and_the_bytes_are_the_same(first, build, cluster):
    with Client(cluster) as client:
        before = client.run(die_before_the_index).values()
        again = build("again")
        client.wait_for_workers(2)
        after = client.run(os.getpid).values()

    assert first == again
    assert 1 == len({*before} - {*after})


def test_change_of_one_page_builds_one_shard_and_replaces_three_files(
    first, build, database
):
    with closing(sqlite3.connect(database)) as connection:
        connection.execute(
            "UPDATE page SET modified = '2026-06-01' WHERE shard = 'games' AND path = 'item-1/'"
        )
        connection.commit()
    shards, hashes = build("public", "games")
    changed = sorted(name for name in hashes if hashes[name] != first[1][name])

    assert ["games"] == shards
    assert first[1].keys() == hashes.keys()
    part, index, top = changed
    assert part.startswith("games/sitemap-")
    assert ("games/sitemap.xml", "sitemap.xml") == (index, top)


def test_shard_that_cannot_be_built_stops_the_script(cluster, tmp_path):
    with closing(sqlite3.connect(tmp_path / "empty.db")) as connection:
        connection.execute("CREATE TABLE page (shard, path, modified)")
        connection.execute("INSERT INTO page VALUES ('books', 'a b', '2026-05-01')")
        connection.commit()
    done = subprocess.run(
        [sys.executable, SCRIPT, tmp_path / "empty.db", tmp_path / "out"],
        env={**os.environ, "DASK_SCHEDULER_ADDRESS": cluster.scheduler_address},
        capture_output=True,
        text=True,
        check=False,
    )

    assert 0 != done.returncode
    assert "RuntimeError: books: " in done.stderr
    assert not (tmp_path / "out/sitemap.xml").exists()
