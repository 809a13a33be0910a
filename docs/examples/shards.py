"""The sitemap of a site in shards, built by Dask: python shards.py DATABASE OUTPUT [SHARD...].

DATABASE is a file of SQLite with a table `page` (shard, path, modified). The shards
named are built, or else all; the index lists all shards in the folder OUTPUT, which all
workers share.
"""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

from dask.distributed import Client, LocalCluster, as_completed

from sitemap_plugins import Options, Page, Site, generate

BASE_URL = "https://www.example.com/"


def rows(database: Path, query: str, *values: str) -> Iterator[tuple[str, ...]]:
    with closing(
        sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)
    ) as connection:
        yield from connection.execute(query, values)


def build(shard: str, database: Path, output: Path) -> str:
    """Write the sitemap of one shard; a worker of the engine calls this."""
    found = rows(database, "SELECT path, modified FROM page WHERE shard = ?", shard)
    site = Site(output_dir=output / shard, base_url=f"{BASE_URL}{shard}/")
    site.output_dir.mkdir(parents=True, exist_ok=True)
    pages = (
        Page(path=path, modified=date.fromisoformat(modified))
        for path, modified in found
    )
    report = generate(pages, site=site, options=Options())
    if not report.files:  # The engine stops, and names the shard and the cause.
        raise RuntimeError(f"{shard}: {'; '.join(map(str, report.notices))}")
    return f"{shard}/{report.summary()}"


def main(database: Path, output: Path, shards: list[str]) -> None:
    every = [
        shard
        for (shard,) in rows(database, "SELECT DISTINCT shard FROM page ORDER BY shard")
    ]
    cluster = os.environ.get("DASK_SCHEDULER_ADDRESS") or LocalCluster(
        threads_per_worker=1
    )
    with Client(cluster) as client:
        built = client.map(
            build, shards or every, database=database, output=output, pure=False
        )
        for done in as_completed(built):
            print(done.result())
    merge = (sys.executable, "-m", "sitemap_plugins", "merge", "sitemap.xml", *every)
    subprocess.run([*merge, "--base-url", BASE_URL], cwd=output, check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3:])
