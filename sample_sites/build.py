"""Build every sample site with its real host, and show the sitemap of each.

python sample_sites/build.py [folder for the built sites]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

SAMPLE_SITES = Path(__file__).parent


@dataclass(frozen=True)
class Sample:
    """One site of one scenario, for one host."""

    scenario: str
    host: str
    variant: str
    """The configuration file; for Sphinx the builder."""
    paths: tuple[str, ...]
    """Decoded paths that the sitemap must list, in order."""
    base_url: str
    robots: str | None
    """What robots.txt must hold then, if the scenario has one."""

    @property
    def name(self) -> str:
        return f"{self.scenario}/{self.host} ({self.variant})"

    @property
    def folder(self) -> Path:
        return SAMPLE_SITES / self.scenario / self.host


def samples() -> list[Sample]:
    """Read the samples from the `expected.toml` that the hosts of a scenario share."""
    return [
        Sample(
            scenario=file.parent.name,
            host=host,
            variant=site[host],
            paths=tuple(site["paths"]),
            base_url=expected["base_url"],
            robots=expected.get("robots"),
        )
        for file in sorted(SAMPLE_SITES.glob("*/expected.toml"))
        for expected in [tomllib.loads(file.read_text("utf-8"))]
        for site in expected["site"]
        for host in ("mkdocs", "pelican", "sphinx")
        if host in site
    ]


def command(host: str, variant: str, output_dir: Path) -> list[str]:
    """Return the host's own command, run in the site's folder; its strict mode is on."""
    arguments = {
        "mkdocs": ["mkdocs", "build", "--strict", "-f", variant, "-d", str(output_dir)],
        "properdocs": [
            "properdocs",
            "build",
            "--strict",
            "-f",
            variant,
            "-d",
            str(output_dir),
        ],
        "pelican": [
            "pelican",
            "content",
            "-s",
            variant,
            "-o",
            str(output_dir),
            "--fatal",
            "warnings",
        ],
        "sphinx": ["sphinx", "-q", "-W", "-b", variant, ".", str(output_dir)],
    }
    return [sys.executable, "-m", *arguments[host]]


def main() -> None:
    """Build all samples and print the path and the number of URLs of each sitemap."""
    target = Path(
        sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp(prefix="sample_sites-")
    )
    quiet = {
        **os.environ,
        "NO_MKDOCS_2_WARNING": "1",
        "DISABLE_MKDOCS_2_WARNING": "true",
    }
    for sample in samples():
        output_dir = (
            target.resolve() / sample.scenario / f"{sample.host}-{sample.variant}"
        )
        run = subprocess.run(
            command(sample.host, sample.variant, output_dir),
            cwd=sample.folder,
            env=quiet,
            capture_output=True,
            text=True,
            check=False,
        )
        if run.returncode:
            sys.exit(f"{sample.name} failed:\n{run.stdout}{run.stderr}")
        sitemap = output_dir / "sitemap.xml"
        print(f"{sample.name}: {sitemap}: {sitemap.read_bytes().count(b'<loc>')} URLs")


if __name__ == "__main__":
    main()
