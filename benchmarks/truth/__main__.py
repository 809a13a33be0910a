"""Build public sites, judge their sitemaps, and write docs/truth.md.

    python -m benchmarks.truth FOLDER WHEEL [site …]

Clones, environments, builds and results stay in FOLDER (25 GB), so that another run
goes on where this one stopped and repeats only what a change concerns. The page names
the sites that could not be built. TRUTH_MIRRORS names a folder with git directories,
each below owner+name, to clone from instead of GitHub. The sites' own steps need bash,
make and gettext's msgfmt, Antora and Starlight npm and node.
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
JUDGE = ("bodies", "documented", "excerpts", "history", "judge", "objects", "pages")
JUDGE += ("python_objects", "reading")
JUDGE_FILES = [HERE / f"{name}.py" for name in JUDGE]
BUILD_FILES = [HERE / f"{name}.py" for name in ("building", "observe")]
RECORD = "sitemap-pages.json"
OURS = building.Tool(building.OURS, {"record": RECORD})
LIST = HERE / "sites.toml"
PAGE = HERE.parents[1] / "docs/truth.md"


def digest(*files: Path) -> str:
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def judged_site(
    site: sites.Site, folder: Path, wheel: Path, *, before: str
) -> report.Judged:
    """Build a site with all tools and judge it, unless that has been done before."""
    key = f"{before} {site.key} {digest(wheel, *BUILD_FILES, *JUDGE_FILES)}"
    result = folder / "result.json"
    if not result.exists() or json.loads(result.read_text("utf-8"))["key"] != key:
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = result.with_suffix(".part")
        found = examined(site, folder, wheel, before=before)
        unfinished.write_text(json.dumps({"key": key, "tools": found}), "utf-8")
        unfinished.replace(result)
    tools = {}
    for tool, values in json.loads(result.read_text("utf-8"))["tools"].items():
        counts, *rest = values
        tools[tool] = report.Found(Counter(counts), *rest)
    return report.Judged(site, tools)


def examined(
    site: sites.Site, folder: Path, wheel: Path, *, before: str
) -> dict[str, report.Found]:
    """Build a site with all tools, unless these builds are there, and judge it."""
    mirrors = os.environ.get("TRUTH_MIRRORS")
    git_dir = building.repository(site, folder, Path(mirrors) if mirrors else None)
    peers = building.PEERS.get(site.generator, ())
    packages = (*site.packages, *peers)
    building.install(folder / "env", site.python, packages, wheel, before=before)
    building.install_node_packages(folder, site.node_packages, before=before)
    found = {}
    answers: dict[tuple[str, ...], str] = {}
    for tool in (building.Tool(building.USUAL[site.generator], {}), OURS):
        key = build_key(tool, wheel, before)
        built = building.build(site, folder, git_dir, tool, key=key)
        counts, notes = judge(built, site.base_url, History(built.source, answers))
        if tool == OURS:
            counts["moved"] = passed_over(built.output_dir / RECORD)
        seconds = built.record["seconds"]
        found[tool.name] = report.Found(counts, notes, seconds, built.record["build"])
    return found


def build_key(tool: building.Tool, wheel: Path, before: str) -> str:
    """Return what builds with a tool depend on, beside the site.

    What concerns ours alone does not repeat those of the others.
    """
    key = f"{before} {digest(*BUILD_FILES)}"
    if tool == OURS:
        key += f" {digest(wheel)} {json.dumps(tool.options)}"
    return key


def passed_over(record: Path) -> int:
    """Return how many dates our record says are older than an edit nobody can see.

    Of a page without a date it says nothing.
    """
    pages = json.loads(record.read_text("utf-8"))["pages"]
    number = 0
    for page in pages:
        reasons = {commit["why"] for commit in page.get("passed_over", ())}
        if "reads the same" in reasons:
            number += 1
    return number


def main(folder: str, wheel: str, *names: str) -> None:
    listed = sites.read(LIST)
    unknown = set(names) - {site.name for site in listed.sites}
    if unknown:
        given = ", ".join(sorted(unknown))
        sys.exit(f"no site is called {given}: {LIST.name} names them")
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
            counts = [f"{found.counts[kind]} {kind}" for kind in report.COLUMNS]
            shown = ", ".join(count for count in counts if not count.startswith("0 "))
            print(f"    {tool}: {shown}; {found.seconds or 0:.1f} s")
        print(f"    {time.monotonic() - begin:.0f} s", flush=True)
    print("\n".join(report.table(judged)))
    if not names:
        machine = f"{platform.system()}, {os.cpu_count()} cores"
        machine += f", Python {platform.python_version()}"
        PAGE.write_text(report.page(listed, judged, machine), "utf-8")
    if len(judged) < len(chosen):
        sys.exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
