"""Build one site: a clone, an environment of its own, and a build for each tool.

Nothing of the package is imported here, nor in what it runs but the tool itself.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sites import Site

OBSERVE = Path(__file__).with_name("observe.py")
LONGEST = 900
"""Seconds of the longest build or installation."""

USUAL = {
    "mkdocs": "MkDocs",
    "properdocs": "ProperDocs",
    "zensical": "Zensical",
    "sphinx": "sphinx-sitemap",
    "pelican": "pelican-sitemap",
}
"""What writes the sitemap of most sites of each generator."""

OURS = "sitemap_plugins"

PEERS = {
    "sphinx": ["sphinx-sitemap==2.9.0", "sphinx-last-updated-by-git==0.3.8"],
    "pelican": ["pelican-sitemap==1.2.2"],
}
"""What is installed beside a site's own packages."""


class CannotBuildError(Exception):
    """A command failed; the text is the end of what it printed."""


class Built(NamedTuple):
    """A built site with the sitemap of one tool."""

    tool: str
    output_dir: Path
    record: dict[str, object]
    """What observe.py saw: `seconds` in the tool, `pages` with the files read for each."""


def build(site: Site, folder: Path, *, mirrors: Path | None, newest: str, ours: str) -> list[Built]:
    """Build a site in a folder, with the usual tool and with ours.

    `mirrors` contains git directories called owner+name; without it, GitHub is asked. `ours` is
    what to install as our package.

    Raises:
        CannotBuildError: A command fails, or takes longer than `LONGEST`.
    """
    source = _clone(site, folder / "source", mirrors)
    environment = _environment(site, folder)
    peers = PEERS.get(site.generator, [])
    _install(folder / "env", site.python, newest, [*site.packages, *peers])
    _install(folder / "env", site.python, newest, [ours])
    return [
        _build(site, source, folder, tool, environment) for tool in (USUAL[site.generator], OURS)
    ]


def _clone(site: Site, source: Path, mirrors: Path | None) -> Path:
    if not source.exists():
        origin = f"https://github.com/{site.repository}"
        if mirrors:
            place = mirrors / site.repository.replace("/", "+")
            origin = str(next(head.parent for head in sorted(place.rglob("HEAD"))[:1]))
        unfinished = source.with_name("source.part")
        shutil.rmtree(unfinished, ignore_errors=True)
        _run(["git", "clone", "--quiet", "--no-checkout", origin, str(unfinished)])
        unfinished.rename(source)
    _run(["git", "checkout", "--quiet", "--force", "--detach", site.commit], source)
    return source


def _environment(site: Site, folder: Path) -> dict[str, str]:
    """Return the variables of builds: the environment's programs first, and nothing of a CI's."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    kept = {name: os.environ[name] for name in ("LANG", "TZ") if name in os.environ}
    path = f"{folder / 'env/bin'}{os.pathsep}{os.environ['PATH']}"
    return {"PATH": path, "HOME": str(home), "LC_ALL": "C.UTF-8"} | kept | dict(site.environment)


def _install(env: Path, python: str, newest: str, packages: Sequence[str]) -> None:
    uv = shutil.which("uv") or "uv"
    if not env.exists():
        _run([uv, "venv", "--quiet", "--python", python, str(env)])
    options = ["--quiet", "--python", str(env / "bin/python"), "--exclude-newer", newest]
    _run([uv, "pip", "install", *options, *packages])


def _build(
    site: Site, source: Path, folder: Path, tool: str, environment: dict[str, str]
) -> Built:
    """Build the site with one tool, from a clean tree."""
    output_dir, record = folder / tool, folder / f"{tool}.json"
    shutil.rmtree(output_dir, ignore_errors=True)
    _run(["git", "checkout", "--quiet", "--force", "."], source)
    _run(["git", "clean", "-qxffd"], source)
    settings = source / site.settings
    for line in site.before:
        _run(["bash", "-c", line], settings.parent, environment)
    text = settings.read_text("utf-8")
    for pattern, replacement in site.replace:
        text, count = re.subn(pattern, replacement, text, flags=re.MULTILINE)
        if not count:
            raise CannotBuildError(f"{site.settings} has nothing like {pattern!r}")
    text = "\n".join([text, *site.append, ""])
    settings.write_text(_with_tool(text, site.generator, tool), "utf-8")
    python = str(folder / "env/bin/python")
    observe = [python, str(OBSERVE), str(record), tool]
    _run([*observe, *_command(site, output_dir)], settings.parent, environment)
    if site.generator == "zensical":
        shutil.move(settings.parent / "site", output_dir)
        if tool == OURS:
            program = ("-m", "sitemap_plugins", "build", str(output_dir))
            _run([python, str(OBSERVE), f"{record}.seconds", tool, *program], settings.parent, environment)
    return Built(tool, output_dir, json.loads(record.read_text("utf-8")))


def _command(site: Site, output_dir: Path) -> list[str]:
    """Return the module that builds the site, and its arguments."""
    settings = Path(site.settings).name
    match site.generator:
        case "mkdocs" | "properdocs":
            own = ["build", "-q", "-f", settings, "-d", str(output_dir)]
        case "zensical":
            own = ["build", "-f", settings]
        case "sphinx":
            own = ["-Q", ".", str(output_dir)]
        case _:
            own = ["-q", "-s", settings, "-o", str(output_dir)]
    return ["-m", site.generator, *own, *site.arguments]


def _with_tool(settings: str, generator: str, tool: str) -> str:
    """Return a settings file with the line that enables a tool, as its manual says."""
    match generator, tool:
        case ("mkdocs" | "properdocs"), "sitemap_plugins":
            return _with_plugin(settings)
        case "sphinx", "sphinx-sitemap":
            # Its dates, and the addresses that a site without languages and versions has.
            own = "sitemap_show_lastmod = True\n"
            if "sitemap_url_scheme" not in settings:
                own += 'sitemap_url_scheme = "{link}"\n'
            return settings + _without(r"sitemap_plugins\.sphinx") + _extension("sphinx_sitemap") + own
        case "sphinx", _:
            return settings + _without("sphinx_sitemap") + _extension("sitemap_plugins.sphinx")
        case "pelican", "pelican-sitemap":
            return settings + _plugin("sitemap")
        case "pelican", _:
            return settings + _plugin("sitemap_plugins.pelican")
    return settings


def _with_plugin(settings: str) -> str:
    """Add `sitemap` to the plugins of mkdocs.yml, in the list's or the mapping's own style."""
    found = re.search(r"^plugins:[ \t]*(?:#.*)?\n((?:[ \t]*(?:#.*)?\n)*)([ \t]*)(- )?", settings, re.MULTILINE)
    if not found:
        return settings + "\nplugins: [search, sitemap]\n"
    line = f"{found[2]}- sitemap\n" if found[3] else f"{found[2]}sitemap: {{}}\n"
    return settings[: found.start(2)] + line + settings[found.start(2) :]


def _without(name: str) -> str:
    return f"import re\nextensions = [e for e in extensions if not re.fullmatch({name!r}, e)]\n"


def _extension(name: str) -> str:
    return f"extensions = [*extensions, {name!r}]\n"


def _plugin(name: str) -> str:
    """Return the lines that put a plugin beside those of Pelican's settings, in place of others."""
    others = '("sitemap", "sitemap_plugins.pelican", "pelican.plugins.sitemap")'
    return f"PLUGINS = [p for p in globals().get('PLUGINS') or [] if p not in {others}] + [{name!r}]\n"


def _run(command: list[str], folder: Path | None = None, env: dict[str, str] | None = None) -> None:
    try:
        done = subprocess.run(
            command, cwd=folder, env=env, timeout=LONGEST, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        )
    except subprocess.TimeoutExpired as error:
        raise CannotBuildError(f"{shlex.join(command)} took longer than {LONGEST} s") from error
    if done.returncode:
        end = "\n".join(done.stdout.splitlines()[-25:])
        raise CannotBuildError(f"{shlex.join(command)} failed:\n{end}")
