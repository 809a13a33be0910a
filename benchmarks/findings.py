"""Findings of `check` and of sitemap-verify 0.1.1 in the sitemaps of other plugins.

    python -m venv VENV && VENV/bin/pip install sitemap-verify==0.1.1
    python -m benchmarks.findings [VENV/bin/sitemap-verify]

Prints a line of a table for each plugin. Without that program, only `check` is run.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.check import OURS, QUIET, measured
from tests.sites import MkDocs, Pelican, Site, Source, Sphinx

if TYPE_CHECKING:
    from collections.abc import Callable


def peers() -> dict[str, Callable[[Path], None]]:
    """Return a function for each of the other plugins that builds a small site with it."""

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
    print("| sitemap of | `check` | sitemap-verify |\n|---|---|---|")
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


if __name__ == "__main__":
    report_findings(sys.argv[1] if len(sys.argv) > 1 else "")
