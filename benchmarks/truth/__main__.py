"""Build public sites, judge their sitemaps, and write docs/truth.md.

    python -m benchmarks.truth FOLDER WHEEL [site …]

Clones, environments, builds and results stay in FOLDER (25 GB), so that another run
goes on where this one stopped and repeats only what a change concerns. The page is
written when all sites are judged. TRUTH_MIRRORS names a folder with git directories,
each below owner+name, to clone from instead of GitHub. The sites' own steps need bash,
make and gettext's msgfmt.
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
from benchmarks.truth.judge import entries, judge

HERE = Path(__file__).parent
JUDGE_FILES = [HERE / f"{name}.py" for name in ("history", "judge", "pages", "reading")]
BUILD_FILES = [HERE / f"{name}.py" for name in ("building", "observe")]
LIST = HERE / "sites.toml"
PAGE = HERE.parents[1] / "docs/truth.md"


def digest(*files: Path) -> str:
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def judged_site(
    site: sites.Site, folder: Path, wheel: Path, *, before: str
) -> report.Judged:
    """Build a site with all tools and judge it, as far as that has not been done before."""
    key = f"{before} {site.key} {digest(wheel, *BUILD_FILES, *JUDGE_FILES)}"
    result = folder / "result.json"
    if not result.exists() or json.loads(result.read_text("utf-8"))["key"] != key:
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = result.with_suffix(".part")
        found = examined(site, folder, wheel, before=before)
        unfinished.write_text(json.dumps({"key": key, "tools": found}), "utf-8")
        unfinished.replace(result)
    tools = json.loads(result.read_text("utf-8"))["tools"]
    found = {
        tool: report.Found(Counter(counts), *rest)
        for tool, (counts, *rest) in tools.items()
    }
    return report.Judged(site, found)


def examined(
    site: sites.Site, folder: Path, wheel: Path, *, before: str
) -> dict[str, report.Found]:
    """Build a site with all tools, unless these builds are there, and judge it."""
    mirrors = os.environ.get("TRUTH_MIRRORS")
    git_dir = building.repository(site, folder, Path(mirrors) if mirrors else None)
    peers = building.PEERS.get(site.generator, ())
    packages = (*site.packages, *peers, f"sitemap-plugins @ {wheel.as_uri()}")
    building.install(
        folder / "env", site.python, packages, before=before, key=digest(wheel)
    )
    found, dates, answers = {}, {}, {}
    usual = building.USUAL[site.generator]
    for tool in (usual, building.OURS, building.CONTENT):
        key = (
            f"{before} {digest(*BUILD_FILES)} {'' if tool == usual else digest(wheel)}"
        )
        built = building.build(site, folder, git_dir, tool, key=key)
        history = History(built.source, answers)
        counts, notes = judge(
            built, site.base_url, history, content=tool == building.CONTENT
        )
        if tool != usual:
            dates[tool] = dict(entries(built.output_dir, "sitemap.xml", site.base_url))
        if tool == building.CONTENT:
            before_it = dates[building.OURS]
            counts["moved"] = sum(
                date != before_it.get(loc) for loc, date in dates[tool].items()
            )
        found[tool] = report.Found(
            counts, notes, built.record["seconds"], built.record["build"]
        )
    return found


def main(folder: str, wheel: str, *names: str) -> None:
    listed = sites.read(LIST)
    if unknown := set(names) - {site.name for site in listed.sites}:
        sys.exit(
            f"no site is called {', '.join(sorted(unknown))}: {LIST.name} names them"
        )
    chosen = [site for site in listed.sites if not names or site.name in names]
    judged = []
    for number, site in enumerate(chosen, 1):
        begin = time.monotonic()
        print(f"[{number}/{len(chosen)}] {site.name} …", flush=True)
        place = Path(folder).resolve() / site.name
        try:
            judged.append(
                judged_site(site, place, Path(wheel).resolve(), before=listed.before)
            )
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
