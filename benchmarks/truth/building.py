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
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
}
"""What writes the sitemap of most sites of each generator."""

OURS = "sitemap_plugins"

CONTENT = "content"
"""Ours with `changes: content`, as a tool of its own."""

PEERS = {
    "sphinx": ("sphinx-sitemap==2.9.0", "sphinx-last-updated-by-git==0.3.8"),
    "pelican": ("pelican-sitemap==1.2.2",),
}
"""What is installed beside a site's own packages; sphinx-sitemap has its dates from the other."""


class CannotBuildError(Exception):
    """A command failed; the text is the end of what it printed."""


class Record(TypedDict):
    """What observe.py saw."""

    seconds: float | None
    """Those in the tool's own functions; None if they cannot be told from the generator's."""

    build: float
    """Seconds of the whole build."""

    pages: dict[str, list[str | None]]
    """For each output file made of a document: its source, if any, and the files read for it."""


class Built(NamedTuple):
    """A site that was built with the sitemap of one tool."""

    source: Path
    """The clone, as the build left it."""

    output_dir: Path
    record: Record


def repository(site: Site, folder: Path, mirrors: Path | None) -> Path:
    """Return a git directory with a site's commit: one of `mirrors`, or a clone from GitHub.

    It is below `mirrors`/owner+name, or that folder itself. The clone is made in
    `folder`, unless it is there and has the commit.

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
    try:
        _run(
            [
                "git",
                "--git-dir",
                str(cloned),
                "cat-file",
                "-e",
                f"{site.commit}^{{commit}}",
            ]
        )
    except CannotBuildError:
        shutil.rmtree(cloned, ignore_errors=True)
        origin = f"https://github.com/{site.repository}"
        _run(["git", "clone", "--quiet", "--bare", origin, str(cloned)])
    return cloned


def install(
    env: Path, python: str, packages: Sequence[str], *, before: str, key: str
) -> None:
    """Make an environment with packages published before a moment, in place of an older one.

    It is left as it is if it was made with the same arguments; `key` stands for what is
    installed from files.

    Raises:
        CannotBuildError: They cannot be installed.
    """
    key = _digest(python, *packages, before, key)
    key_file = env.with_name("env.key")
    if not _has(key_file, key):
        key_file.unlink(missing_ok=True)
        _run(["uv", "venv", "--quiet", "--clear", "--python", python, str(env)])
        options = (
            "--quiet",
            "--python",
            str(env / "bin/python"),
            "--exclude-newer",
            before,
        )
        _run(["uv", "pip", "install", *options, *packages])
        key_file.write_text(key, "utf-8")


def build(site: Site, folder: Path, git_dir: Path, tool: str, *, key: str) -> Built:
    """Build a site with a tool, in a clone of a git directory and with the folder's `env`.

    A build that has been done with the same key is not done again.

    Raises:
        CannotBuildError: A command of the build fails, or takes longer than `LONGEST`.
    """
    place = folder / tool
    source, output_dir = place / "source", place / "site"
    record, key_file = place / "record.json", place / "key"
    key = _digest(key, site.key)
    if not _has(key_file, key):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        _check_out(git_dir, site.commit, source)
        environment = _environment(site, folder)
        settings = source / site.settings
        for line in site.before:
            _run(["bash", "-c", line], settings.parent, environment)
        settings.write_text(_settings(site, settings.read_text("utf-8"), tool), "utf-8")
        python = str(folder / "env/bin/python")

        def run(arguments: list[str]) -> None:
            _run([python, str(OBSERVE), *arguments], settings.parent, environment)

        run([str(record), tool, *_command(site, output_dir)])
        if site.generator == "zensical":
            shutil.move(settings.parent / "site", output_dir)
            if tool != USUAL["zensical"]:
                _add_our_sitemap(tool, output_dir, record, run)
        key_file.write_text(key, "utf-8")
    return Built(source, output_dir, json.loads(record.read_text("utf-8")))


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def _has(key_file: Path, key: str) -> bool:
    return key_file.exists() and key_file.read_text("utf-8") == key


def _add_our_sitemap(
    tool: str, output_dir: Path, record: Path, run: Callable[[list[str]], None]
) -> None:
    """Run our command after the build, by `run`: Zensical takes no plugins."""
    after = record.with_suffix(".after.json")
    command = ["-m", "sitemap_plugins", "build", str(output_dir)]
    run(
        [
            str(after),
            tool,
            *command,
            *(["--changes", "content"] if tool == CONTENT else []),
        ]
    )
    seconds = json.loads(after.read_text("utf-8"))["seconds"]
    seen = json.loads(record.read_text("utf-8")) | {"seconds": seconds}
    record.write_text(json.dumps(seen), "utf-8")


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
    """Check out all files but those that are not in the object store, which count as unchanged."""
    git = partial(subprocess.run, cwd=source, check=True, stdout=subprocess.PIPE)
    git(["git", "update-ref", "--no-deref", "HEAD", commit])
    git(["git", "read-tree", "--reset", commit])
    files = git(["git", "ls-tree", "-rz", "--format=%(objectname) %(path)", commit])
    rows = [row.partition(b" ")[::2] for row in files.stdout.split(b"\0")[:-1]]
    names = b"".join(b"%b\n" % name for name, _ in rows)
    found = git(
        ["git", "cat-file", "--batch-check=%(objectname)"], input=names
    ).stdout.splitlines()
    absent = [
        path
        for (_, path), row in zip(rows, found, strict=True)
        if row.endswith(b"missing")
    ]
    listed = b"".join(b"%b\0" % path for path in absent)
    git(["git", "update-index", "-z", "--skip-worktree", "--stdin"], input=listed)
    git(["git", "checkout-index", "--all", "--force", "--quiet"])


def _environment(site: Site, folder: Path) -> dict[str, str]:
    """Return the variables of builds: the environment's programs first, and nothing of a CI's."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    path = f"{folder / 'env/bin'}{os.pathsep}{os.environ['PATH']}"
    own = {
        "PATH": path,
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
        case "sphinx":
            own = ["-Q", ".", str(output_dir)]
        case _:
            own = ["-q", "-s", settings, "-o", str(output_dir)]
    return ["-m", site.generator, *own, *site.arguments]


def _settings(site: Site, text: str, tool: str) -> str:
    """Return the settings file as the list wants it, and with what enables a tool."""
    for pattern, replacement in site.replace:
        text, count = re.subn(pattern, replacement, text, flags=re.MULTILINE)
        if not count:
            msg = f"{site.settings} has nothing like {pattern!r}"
            raise CannotBuildError(msg)
    text = "\n".join([text, *site.append, ""])
    match site.generator, tool:
        case (("mkdocs" | "properdocs"), "sitemap_plugins"):
            return _with_plugin(text, "{}")
        case (("mkdocs" | "properdocs"), "content"):
            return _with_plugin(text, "{changes: content}")
        case "sphinx", _:
            return text + _sphinx_lines(text, tool)
        case "pelican", _:
            name = "sitemap" if tool == USUAL["pelican"] else "sitemap_plugins.pelican"
            others = '{"sitemap", "pelican.plugins.sitemap", "sitemap_plugins.pelican"}'
            kept = f"p for p in globals().get('PLUGINS') or [] if p not in {others}"
            text += f"PLUGINS = [*({kept}), {name!r}]\n"
            own = (
                "SITEMAP = {**(globals().get('SITEMAP') or {}), 'changes': 'content'}\n"
            )
            return text + (own if tool == CONTENT else "")
    return text


def _with_plugin(text: str, options: str) -> str:
    """Add `sitemap` with its options to the plugins of mkdocs.yml, in the style of those there."""
    blank = r"[ \t]*(?:#.*)?\n"
    found = re.search(rf"^plugins:{blank}(?:{blank})*([ \t]*)(- )?", text, re.MULTILINE)
    if not found:
        if re.search(r"^plugins:", text, re.MULTILINE):
            msg = "mkdocs.yml has its plugins in one line"
            raise CannotBuildError(msg)
        return f"{text}\nplugins: [search, sitemap: {options}]\n"
    line = f"{found[1]}{found[2] or ''}sitemap: {options}\n"
    return text[: found.start(1)] + line + text[found.start(1) :]


def _sphinx_lines(text: str, tool: str) -> str:
    """Return the lines for the end of conf.py that leave one extension for sitemaps."""
    name = "sphinx_sitemap" if tool == USUAL["sphinx"] else "sitemap_plugins.sphinx"
    others = '{"sphinx_sitemap", "sitemap_plugins.sphinx"}'
    lines = f"extensions = [*(e for e in extensions if e not in {others}), {name!r}]\n"
    if name == "sphinx_sitemap":
        lines += "sitemap_show_lastmod = True\n"
        # The address of a page without languages and versions; by default it has both.
        lines += (
            "" if "sitemap_url_scheme" in text else 'sitemap_url_scheme = "{link}"\n'
        )
    return lines + ("sitemap_changes = 'content'\n" if tool == CONTENT else "")


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
