"""Build the sites and print.

    python benchmarks/truth/run.py FOLDER [site …]
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import building
import sites

LIST = Path(__file__).with_name("sites.toml")


def main(folder: str, *names: str) -> None:
    listed = sites.read(Path(os.environ.get("TRUTH_SITES", LIST)))
    mirrors = os.environ.get("TRUTH_MIRRORS")
    for site in listed.sites:
        if names and site.name not in names:
            continue
        place = Path(folder).resolve() / site.name
        place.mkdir(parents=True, exist_ok=True)
        try:
            built = building.build(
                site,
                place,
                mirrors=Path(mirrors) if mirrors else None,
                newest=listed.newest,
                ours=os.environ["TRUTH_OURS"],
            )
        except building.CannotBuildError as error:
            print(f"{site.name}: {error}")
            continue
        for each in built:
            sitemap = each.output_dir / "sitemap.xml"
            count = sitemap.read_text("utf-8").count("<loc>") if sitemap.exists() else "no sitemap"
            record = each.record
            print(f"{site.name}: {each.tool}: {count} URLs, {len(record['pages'])} documents seen,"
                  f" {record['seconds']} of {record['build']} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
