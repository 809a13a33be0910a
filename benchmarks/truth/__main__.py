"""Build public sites, judge their sitemaps, and write docs/truth.md.

    python -m benchmarks.truth FOLDER WHEEL [site …]

Clones, environments, builds and results stay in FOLDER (10 GB), so that another run goes on where
this one stopped and repeats only what a change concerns. The page is written when all sites are
judged. TRUTH_MIRRORS names a folder of git directories to clone from instead of GitHub.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
import time
from collections import Counter
from pathlib import Path

from benchmarks.truth import building, report, sites
from benchmarks.truth.history import History
from benchmarks.truth.judge import judge

HERE = Path(__file__).parent
JUDGE = [HERE / f"{name}.py" for name in ("history", "judge", "pages")]
RUNNER = [HERE / f"{name}.py" for name in ("building", "observe")]
LIST = HERE / "sites.toml"
PAGE = HERE.parents[1] / "docs/truth.md"


def digest(*files: Path) -> str:
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def find(site: sites.Site, folder: Path, wheel: Path, *, newest: str) -> report.Judged:
    """Build a site with both tools and judge it, as far as that has not been done before."""
    mirrors = os.environ.get("TRUTH_MIRRORS")
    source, env = folder / "source", folder / "env"
    folder.mkdir(parents=True, exist_ok=True)
    key = f"{newest} {site.key} {digest(wheel, *RUNNER, *JUDGE)}"
    result = folder / "result.json"
    if not result.exists() or json.loads(result.read_text("utf-8"))["key"] != key:
        building.clone(site, source, Path(mirrors) if mirrors else None)
        peers = building.PEERS.get(site.generator, ())
        packages = (*site.packages, *peers, f"sitemap-plugins @ {wheel.as_uri()}")
        building.install(env, site.python, packages, newest=newest)
        found = {}
        for tool in (building.USUAL[site.generator], building.OURS):
            ours = digest(wheel) if tool == building.OURS else ""
            built = building.build(site, folder, tool, key=f"{newest} {digest(*RUNNER)} {ours}")
            verdicts = judge(built, source, site.base_url, History(source))
            found[tool] = (verdicts.counts, verdicts.notes, built.record["seconds"])
        unfinished = result.with_suffix(".part")
        unfinished.write_text(json.dumps({"key": key, "tools": found}), "utf-8")
        unfinished.replace(result)
    tools = json.loads(result.read_text("utf-8"))["tools"]
    found = {tool: report.Found(Counter(values[0]), *values[1:]) for tool, values in tools.items()}
    return report.Judged(site, found)


def main(folder: str, wheel: str, *names: str) -> None:
    listed = sites.read(LIST)
    chosen = [site for site in listed.sites if not names or site.name in names]
    judged = []
    for number, site in enumerate(chosen, 1):
        begin = time.monotonic()
        print(f"[{number}/{len(chosen)}] {site.name} …", flush=True)
        place = Path(folder).resolve() / site.name
        try:
            judged.append(find(site, place, Path(wheel).resolve(), newest=listed.newest))
        except building.CannotBuildError as error:
            print(f"    {error}")
            continue
        for tool, found in judged[-1].tools.items():
            counts = ", ".join(
                f"{n} {kind}" for kind in report.COLUMNS if (n := found.counts[kind])
            )
            print(f"    {tool}: {counts}; {found.seconds or 0:.1f} s")
        print(f"    {time.monotonic() - begin:.0f} s", flush=True)
    print("\n".join(report.table(judged)))
    if len(judged) < len(chosen):
        sys.exit(1)
    if not names:
        machine = f"{platform.system()}, {os.cpu_count()} cores, Python {platform.python_version()}"
        PAGE.write_text(report.page(listed, judged, machine), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
