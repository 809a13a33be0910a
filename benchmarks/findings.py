"""Findings of `check`, of sitemap-verify 0.1.1 and of the protocol's schemas.

    python -m venv VENV && VENV/bin/pip install sitemap-verify==0.1.1
    python -m benchmarks.findings [VENV/bin/sitemap-verify]

Prints a table of what `check` and that program find in the sitemaps of other plugins,
then how many of the faulty and of the valid files of `tests/check/kinds.py` each of
them reports. Without that program, only `check` is run. The schemas are read from the
folder that SITEMAP_XSD_DIR names, or from `../shared/schemas`.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import etree

from benchmarks.check import OURS, QUIET, measured
from tests.check.checked_site import result_of_file
from tests.check.kinds import FAULTY, VALID, write_files
from tests.sites import MkDocs, Pelican, Site, Source, Sphinx

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.check.kinds import Files

ADVICE = ("_recommended", "_ignored")
"""How codes of sitemap-verify end that are no faults."""


def peers() -> dict[str, Callable[[Path], None]]:
    """Return a function for each of the other plugins that builds a small site with it."""

    def mkdocs(folder: Path) -> None:
        build(
            MkDocs(),
            Site(),
            folder,
            lambda text: json.dumps({**json.loads(text), "plugins": []}),
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
    host: MkDocs | Sphinx | Pelican,
    site: Site,
    folder: Path,
    change: Callable[[str], str],
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
    counts = Counter(codes_of_peer([peer, *QUIET], folder / "out/sitemap.xml"))
    return ", ".join(f"{code} ({count})" for code, count in counts.items()) or "nothing"


def codes_of_peer(command: list[str], file: Path) -> list[str]:
    """Return the codes of sitemap-verify, without its advice on what every sitemap should have."""
    output = measured([*command, file.name], file.parent)[2]
    try:
        issues = json.loads(output)["diagnostics"]
    except (ValueError, KeyError):
        return ["it fails"]
    return [issue["code"] for issue in issues if not issue["code"].endswith(ADVICE)]


def is_invalid(file: Path, folder: Path) -> bool:
    """Tell whether the schema refuses a file; elements of other namespaces are not judged."""
    data = file.read_bytes()
    try:
        root = etree.fromstring(gzip.decompress(data) if file.suffix == ".gz" else data)
    except (etree.XMLSyntaxError, OSError, EOFError):
        return True
    name = "siteindex" if root.tag.endswith("sitemapindex") else "sitemap"
    text = (folder / f"{name}.xsd").read_text("utf-8")
    schema = etree.XMLSchema(
        etree.fromstring(text.replace('"strict"', '"lax"').encode())
    )
    return not schema.validate(root)


def report_kinds(peer: str, schemas: Path) -> None:
    """Print how many files each program reports; on stderr, which of them it is wrong about."""
    programs: dict[str, Callable[[Path], bool]] = {
        "check": lambda file: (
            {"error", "warning"} & {f.severity for f in result_of_file(file).findings}
            != set()
        )
    }
    if peer:
        programs["sitemap-verify"] = lambda file: bool(
            codes_of_peer([peer, *QUIET], file)
        )
        programs["sitemap-verify --engine google"] = lambda file: bool(
            codes_of_peer([peer, *QUIET, "--engine", "google"], file)
        )
    if schemas.is_dir():
        programs["the schemas"] = lambda file: is_invalid(file, schemas)
    faulty = {kind: files for kind, (_, files) in FAULTY.items()}
    print(
        f"\n| program | of {len(FAULTY)} faulty | of {len(VALID)} valid |\n|---|---|---|"
    )
    for title, reports in programs.items():
        found = [
            [kind for kind, files in kinds.items() if reported(files, reports)]
            for kinds in (faulty, VALID)
        ]
        print(f"| {title} | {len(found[0])} | {len(found[1])} |", flush=True)
        print(
            f"  missed: {'; '.join(kind for kind in faulty if kind not in found[0])}",
            f"  false: {'; '.join(found[1])}",
            sep="\n",
            file=sys.stderr,
        )


def reported(files: Files, reports: Callable[[Path], bool]) -> bool:
    with tempfile.TemporaryDirectory() as name:
        return reports(write_files(Path(name), files))


if __name__ == "__main__":
    program = sys.argv[1] if len(sys.argv) > 1 else ""
    default = Path(__file__).parents[2] / "shared/schemas"
    report_findings(program)
    report_kinds(program, Path(os.environ.get("SITEMAP_XSD_DIR", default)))
