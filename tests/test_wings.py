"""The architecture's promise: each wing is one folder that can be deleted.

A wing is a folder of the package that none but other wings import. Here each is deleted
in a copy of the package, with its lines of wiring, and what is left has to work.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import sitemap_plugins
from sample_sites.build import command
from sitemap_plugins.check.targets import further_targets
from sitemap_plugins.diff import command as diff_command
from sitemap_plugins.versions import command as versions_command
from tests.full import usually

PACKAGE = Path(sitemap_plugins.__file__).parent
SAMPLES = Path(__file__).parents[1] / "sample_sites/minimal"
HEART = {"core", "mkdocs", "pelican", "sphinx"}
GROUND = {"cli", "findings", "folder", "sitemaps"}
"""What the wings stand on; the hosts do without it."""
WINGS = {file.parent.name for file in PACKAGE.glob("*/__init__.py")} - HEART - GROUND
QUICK_STARTS = {"mkdocs": "mkdocs.yml", "pelican": "pelicanconf.py", "sphinx": "html"}
"""Each host with its settings file or builder."""
IMPORT_ALL = """
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
print(sys.modules["sitemap_plugins"].__file__)
"""
LOADED_BY_HOSTS = {"__main__.py", "found.py"}
"""Modules that run something when they are imported."""


def imports_of(folder: str) -> set[str]:
    """Return the folders of the package that modules of a folder import."""
    found = set()
    for file in (PACKAGE / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                found.update(re.findall(r"^sitemap_plugins\.(\w+)", node.module))
    return found


def with_dependents(wing: str) -> set[str]:
    """Return a wing, and the wings that extend it."""
    return {wing} | {other for other in WINGS if wing in imports_of(other)}


def copy_without(wings: set[str], folder: Path) -> Path:
    """Copy the package without some wings and their lines of wiring."""
    package = folder / "sitemap_plugins"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, package, ignore=ignored)
    names = "|".join(wings)
    wiring = re.compile(
        rf' *"\w+": \("({names})", ".+"\),\n|"sitemap_plugins\.({names})\.\w+",'
    )
    for wing in wings:
        shutil.rmtree(package / wing)
    for file in package.rglob("*.py"):
        text = file.read_text("utf-8")
        file.write_text(wiring.sub("", text), "utf-8")
    return package


def run(folder: Path, *arguments: str, cwd: Path | None = None) -> str:
    """Run Python with a copy of the package, and return its output."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd or folder,
        env={**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == done.returncode, done.stderr or done.stdout
    return done.stdout


def import_all(package: Path) -> None:
    """Import every module of a copy."""
    names = [
        ".".join(file.relative_to(package.parent).with_suffix("").parts)
        for file in sorted(package.rglob("*.py"))
        if file.name not in LOADED_BY_HOSTS
    ]
    place = run(package.parent, "-c", IMPORT_ALL, *names)

    assert str(package) in place


def build_quick_starts(folder: Path) -> None:
    """Build the three quick starts of the README."""
    for host, variant in QUICK_STARTS.items():
        site = folder / host
        shutil.copytree(SAMPLES / host, site)
        run(folder, *command(host, variant, folder / f"{host}-site")[1:], cwd=site)

        assert "<loc>" in (folder / f"{host}-site/sitemap.xml").read_text("utf-8")


@pytest.mark.parametrize("wing", usually(sorted(WINGS), "check", "moved"))
def test_wing_can_be_deleted(wing, tmp_path):
    wings = with_dependents(wing)
    package = copy_without(wings, tmp_path)

    import_all(package)
    shown = run(tmp_path, "-m", "sitemap_plugins", "--help")
    commands = re.findall(
        r"^  ([a-z]+)  ", shown.partition("Commands:")[2], re.MULTILINE
    )
    for name in commands:
        run(tmp_path, "-m", "sitemap_plugins", name, "--help")
    build_quick_starts(tmp_path)

    assert "build" in commands
    assert not wings & {*commands}


def test_hosts_need_no_wing_and_no_command_line(tmp_path):
    package = copy_without(WINGS | GROUND, tmp_path)
    (package / "__main__.py").unlink()

    import_all(package)
    build_quick_starts(tmp_path)


def test_no_wing_is_imported_but_by_wings():
    importers = {each: imports_of(each) for each in HEART | GROUND}

    assert [] == [each for each, found in importers.items() if found & WINGS]


def test_lines_of_wiring_name_modules_that_have_what_is_called():
    assert all(callable(each.check_target) for each in further_targets())
    for name in diff_command._FURTHER:
        assert callable(import_module(name).find_removed)
    for name in versions_command._KNOW_MOVES:
        assert callable(import_module(name).places_of)
