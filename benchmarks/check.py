"""`check` beside sitemap-verify 0.1.1 in one run, and what each finds in other plugins' sitemaps.

    python -m venv VENV && VENV/bin/pip install sitemap-verify==0.1.1
    python -m benchmarks.check [VENV/bin/sitemap-verify]

Without that program only ours is measured. Each run is a process of its own, its start included;
seconds are processor time. Ends with exit code 1 where a million URLs take more than `MOST_MB`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from tests.sites import MkDocs, Pelican, Site, Source, Sphinx

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

BASE_URL = "https://docs.example.com/"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
URLS = 50_000
FILES = 20
MOST_MB = 200
OURS = [sys.executable, "-m", "sitemap_plugins", "check", "--fail-on", "error"]
QUIET = ["check", "--no-check-reachability", "--no-show-progress", "--format", "json"]

Run = tuple[float, float, str]
"""Seconds, megabytes, output."""


def paths(begin: int, end: int) -> Iterator[str]:
    return (f"section-{number % 97}/page-{number}/" for number in range(begin, end))


def write_sitemap(file: Path, listed: Iterable[str]) -> None:
    with file.open("w") as stream:
        stream.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{NAMESPACE}">\n')
        for number, path in enumerate(listed):
            day = f"2024-{number % 12 + 1:02}-{number % 28 + 1:02}"
            stream.write(f"<url><loc>{BASE_URL}{path}</loc><lastmod>{day}</lastmod></url>\n")
        stream.write("</urlset>\n")


def write_index(folder: Path) -> Path:
    """Write an index and its parts, full each."""
    names = [f"sitemap-{number}.xml" for number in range(1, FILES + 1)]
    for number, name in enumerate(names):
        write_sitemap(folder / name, paths(number * URLS, (number + 1) * URLS))
    parts = "".join(f"<sitemap><loc>{BASE_URL}{name}</loc></sitemap>\n" for name in names)
    index = folder / "index.xml"
    index.write_text(f'<sitemapindex xmlns="{NAMESPACE}">\n{parts}</sitemapindex>\n')
    return index


def write_pages(folder: Path) -> Path:
    """Write a built site, with the theme that most sites have left out."""
    for path in paths(0, URLS):
        (folder / path).mkdir(parents=True)
        head = f"<title>{path}</title><link rel=canonical href='{BASE_URL}{path}'>"
        text = f"<!doctype html><html><head>{head}</head><body>{'<p>Text.</p>' * 40}</body></html>"
        (folder / path / "index.html").write_text(text)
    write_sitemap(folder / "sitemap.xml", paths(0, URLS))
    (folder / "robots.txt").write_text(f"Sitemap: {BASE_URL}sitemap.xml\n")
    return folder


def measured(command: list[str], folder: Path) -> Run:
    """Run a command; its processor time, its peak of memory, and what it printed."""
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdout=out,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **ENVIRON},
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, out.read()


ENVIRON = {"PYTHONPATH": str(Path(__file__).parents[1])}


def report_speed(folder: Path, peer: str) -> bool:
    """Print a line for each case; return whether memory is within its bound."""
    (folder / "site").mkdir()
    write_sitemap(folder / "sitemap.xml", paths(0, URLS))
    cases = {
        f"one file, {URLS:,} URLs": folder / "sitemap.xml",
        f"{FILES} files, {FILES * URLS:,} URLs": write_index(folder),
        f"a folder, {URLS:,} pages": write_pages(folder / "site"),
    }
    print(f"{'':28}  seconds      MB   sitemap-verify")
    worst = 0.0
    for title, target in cases.items():
        seconds, megabytes, _ = measured([*OURS, str(target)], folder)
        line = f"{title:28}{seconds:9.2f}{megabytes:8.0f}"
        if target.is_file():
            worst = max(worst, megabytes)
            if peer and target.name == "sitemap.xml":
                theirs, more, _ = measured([peer, *QUIET, str(target)], folder)
                line += (
                    f"   {theirs / seconds:.1f} times the time, {more / megabytes:.1f} the memory"
                )
        print(line, flush=True)
    return worst <= MOST_MB


def peers() -> dict[str, Callable[[Path], None]]:
    """Return what builds a small site with each of the other plugins."""

    def mkdocs(folder: Path) -> None:
        build(
            MkDocs(), Site(), folder, lambda text: json.dumps({**json.loads(text), "plugins": []})
        )

    def sphinx(folder: Path) -> None:
        host, more = Sphinx(), "\nlanguage = 'en'\nextensions = ['sphinx_sitemap']\n"
        host.builder = "html"
        build(host, Site(options={}), folder, lambda text: text + more)

    def pelican(folder: Path) -> None:
        site = Site(sources=(Source("index"), Source("one&two")))
        more = "\nPLUGINS = ['pelican.plugins.sitemap']\nSITEMAP = {'format': 'xml'}\n"
        build(Pelican(), site, folder, lambda text: text + more)

    return {"MkDocs' own": mkdocs, "sphinx-sitemap": sphinx, "pelican-sitemap": pelican}


def build(
    host: MkDocs | Sphinx | Pelican, site: Site, folder: Path, change: Callable[[str], str]
) -> None:
    host.write(site, folder)
    file = folder / host.config
    file.write_text(change(file.read_text()))
    host.commit(site, folder)
    done = host.run(folder)
    if done.returncode:
        sys.exit(done.log)


def report_findings(peer: str) -> None:
    """Print a line of a table for each plugin: what each program finds in its sitemap."""
    print("\n| sitemap of | `check` | sitemap-verify |\n|---|---|---|")
    for title, make in peers().items():
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            make(folder)
            command = [*OURS, "out", "--format", "json"]
            counts = json.loads(measured(command, folder)[2])["counts"]
            ours = ", ".join(f"{code} ({count})" for code, count in counts.items())
            theirs = of_peer(peer, folder) if peer else "not run"
            print(f"| {title} | {ours or 'nothing'} | {theirs} |", flush=True)


def of_peer(peer: str, folder: Path) -> str:
    output = measured([peer, *QUIET, "out/sitemap.xml"], folder)[2]
    try:
        issues = json.loads(output)["diagnostics"]
    except (ValueError, KeyError):
        return "it fails"
    counts = Counter(issue["code"] for issue in issues)
    return ", ".join(f"{code} ({count})" for code, count in counts.items()) or "nothing"


def main() -> None:
    """Measure, then compare what is found."""
    peer = sys.argv[1] if sys.argv[1:] and Path(sys.argv[1]).is_file() else ""
    with tempfile.TemporaryDirectory() as folder:
        is_bounded = report_speed(Path(folder), peer)
    report_findings(peer)
    sys.exit(not is_bounded)


if __name__ == "__main__":
    main()
