"""Make the manual's pictures anew, in docs/pictures/: python docs/pictures.py.

Needs git, Chromium, and the packages sitemap-plugins[mkdocs] and mkdocs-material. It
builds a small site of its own in a temporary folder, with fixed dates.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import markdown
from rich.console import Console
from rich.text import Text

PICTURES = Path(__file__).resolve().parent / "pictures"
SAMPLES = PICTURES.parents[1] / "sample_sites"
GALLERY = {
    "sample-material": ("mkdocs", "material", "mkdocs.yml"),
    "sample-languages": ("mkdocs", "languages", "mkdocs.yml"),
    "sample-blog": ("pelican", "pelican-blog", "pelicanconf.py"),
    "sample-locales": ("sphinx", "sphinx-locales", "html"),
}
"""Pictures of samples: host, scenario and variant, as build.py has them."""
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "google-chrome", "chrome"))), ""
)
WIDTH = 1100
PHONE = 400
PHONE_HEIGHT = 600
"""Pixels of a window; that of a phone is about as wide as the manual's text there."""
TERMINAL = 100
"""Columns of the terminal in a picture."""
SETTINGS = """\
site_name: A small site
site_url: https://docs.example.com/
use_directory_urls: true
theme: material
plugins: [search, sitemap]
"""
PAGES = {
    "index": "2026-03-02",
    "guide/install": "2026-05-11",
    "guide/first-steps": "2026-05-11",
    "guide/settings": "2026-09-30",
    "reference/options": "2026-10-14",
    "reference/messages": "2026-08-07",
    "changelog": "2026-11-03",
}
"""Each page with the day of its last change."""
COMMENT_STYLE = """\
<!doctype html>
<meta charset="utf-8">
<style>
  body { font: 14px/1.5 sans-serif; margin: 24px; color: #1f2328; }
  table { border-collapse: collapse; }
  th, td { border: 1px solid #d1d9e0; padding: 6px 13px; text-align: left; }
  tr:nth-child(even) { background: #f6f8fa; }
  code { background: #eff1f3; padding: 2px 5px; border-radius: 6px; }
  a { color: #0969da; }
</style>
"""
"""What a code host makes of a comment, about."""
IDENTITY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "A"), ("EMAIL", "a@example.com"))
}


def run(folder: Path, *command: str, **environ: str) -> str:
    """Run a program and return what it prints; it may fail."""
    environ = {**os.environ, **IDENTITY, "NO_MKDOCS_2_WARNING": "1", **environ}
    done = subprocess.run(
        command, cwd=folder, env=environ, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def write_project(folder: Path) -> None:
    """Write and commit the site."""
    run(folder, "git", "init", "-q")
    (folder / "mkdocs.yml").write_text(SETTINGS)
    (folder / ".gitignore").write_text("site/\n")
    for name, day in PAGES.items():
        page = folder / f"docs/{name}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"# {name.rpartition('/')[2].replace('-', ' ').capitalize()}\n")
        run(folder, "git", "add", "-A")
        run(
            folder,
            "git",
            "commit",
            "-qm",
            name,
            GIT_COMMITTER_DATE=f"{day}T09:30:00+00:00",
        )


def photograph(
    page: Path, picture: str, *, height: int, width: int = WIDTH, dark: bool = False
) -> None:
    """Save what a browser shows of a file, in a window of this size."""
    scheme = f"--blink-settings=preferredColorScheme={0 if dark else 1}"
    flags = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", scheme)
    size = f"--window-size={width},{height}"
    target = f"--screenshot={PICTURES / picture}"
    run(page.parent, CHROMIUM, *flags, size, target, page.as_uri())


def photograph_sample(folder: Path, picture: str) -> None:
    """Build a sample site, and save what a browser shows of its sitemap."""
    host, scenario, variant = GALLERY[picture]
    sys.path.insert(0, str(SAMPLES.parent))
    from sample_sites.build import command  # noqa: PLC0415

    site = folder / picture
    run(SAMPLES / scenario / host, *command(host, variant, site))
    photograph(site / "sitemap.xml", f"{picture}.png", height=640)


def photograph_comment(folder: Path) -> None:
    """Save what a browser shows of the comment in comment.md, which `diff` wrote."""
    comment = (PICTURES / "comment.md").read_text()
    page = folder / "comment.html"
    page.write_text(COMMENT_STYLE + markdown.markdown(comment, extensions=["tables"]))
    photograph(page, "comment.png", height=540)


def run_in_terminal(folder: Path, *command: str) -> str:
    """Run a program and return what it prints in a terminal of `TERMINAL` columns."""
    environ = {"COLUMNS": str(TERMINAL), "TERM": "xterm-256color"}
    screen, terminal = os.openpty()
    with subprocess.Popen(
        command, cwd=folder, env=os.environ | environ, stdout=terminal, stderr=terminal
    ):
        os.close(terminal)
        printed = b""
        # Linux reports an error once no program has the terminal open.
        with suppress(OSError):
            while data := os.read(screen, 1 << 16):
                printed += data
    os.close(screen)
    return printed.decode().replace("\r\n", "\n")


def save_terminal(folder: Path, picture: str, *command: str) -> None:
    """Save what a command prints in a terminal."""
    printed = run_in_terminal(folder, sys.executable, "-m", *command)
    shown = Console(record=True, width=TERMINAL, file=io.StringIO())
    shown.print(
        Text(f"$ {' '.join(command).replace('sitemap_plugins', 'sitemap-plugins')}")
    )
    shown.print(Text.from_ansi(printed.rstrip()))
    picture_text = shown.export_svg(title="", unique_id="terminal")
    # A font of the reader's own machine: no page of the manual loads anything from
    # elsewhere.
    picture_text = re.sub(r"@font-face \{.*?\}\s*", "", picture_text, flags=re.DOTALL)
    (PICTURES / picture).write_text(picture_text)


def break_site(site: Path) -> None:
    """Make the mistakes that `check` is to find."""
    sitemap = site / "sitemap.xml"
    sitemap.with_name("sitemap.xml.gz").unlink()
    text = sitemap.read_text()
    text = text.replace("2026-09-30T09:30:00+00:00", "2026-01-01T00:00:00+00:00")
    sitemap.write_text(text.replace("/changelog/<", "/changes/<"))
    page = site / "reference/messages/index.html"
    page.write_text(
        page.read_text().replace(
            "<head>", '<head><meta name="robots" content="noindex">'
        )
    )


def main() -> None:
    """Make all pictures."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_project(folder)
        run(folder, sys.executable, "-m", "mkdocs", "build")
        for scheme in ("light", "dark"):
            page = folder / "site/sitemap.xml"
            photograph(page, f"sitemap-{scheme}.png", height=480, dark=scheme == "dark")
            photograph(
                page,
                f"sitemap-phone-{scheme}.png",
                height=PHONE_HEIGHT,
                width=PHONE,
                dark=scheme == "dark",
            )
        break_site(folder / "site")
        report = folder / "report.html"
        save_terminal(folder, "check.svg", "sitemap_plugins", "check", "site")
        run(
            folder,
            sys.executable,
            "-m",
            "sitemap_plugins",
            "check",
            "site",
            "--report",
            str(report),
        )
        for scheme in ("light", "dark"):
            photograph(
                report, f"report-{scheme}.png", height=980, dark=scheme == "dark"
            )
        photograph_comment(folder)

        for picture in GALLERY:
            photograph_sample(folder, picture)


if __name__ == "__main__":
    if not CHROMIUM:
        sys.exit("Chromium is missing: install it, then run this again")
    main()
