"""Check the built manual, and put the report beside its pages, as an example.

A hook of MkDocs.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.plugins import event_priority

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig


@event_priority(-100)
def on_post_build(config: MkDocsConfig) -> None:
    """Write report.html once the sitemap is there; it says noindex."""
    report = Path(config.site_dir, "report.html")
    command = [sys.executable, "-P", "-m", "sitemap_plugins", "check", config.site_dir]
    command += ["--quiet", "--report", str(report)]
    subprocess.run(command, check=False)
