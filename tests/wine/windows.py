"""Run CPython for Windows, under Wine: `windows.py FOLDER WHEEL ARGUMENT...`.

FOLDER gets everything that is needed, once: Wine's drive C:, Python, and the packages
of the development group that have wheels for Windows. Drive Z: is Linux' root; D:, E:
and F: are empty. The arguments are Python's, for instance `-m pytest tests/unit`. WHEEL
is the package's; with `-`, what is installed stays.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import threading
import tomllib
import zipfile
from pathlib import Path

from git_server import GitServer

HERE = Path(__file__).parent
COMPILER = "x86_64-w64-mingw32-gcc"
VERSION = "3.11"
BRINGS_PYTHON = "panda3d==1.10.16"
"""A package whose wheel for Windows contains CPython's own DLLs."""
WITHOUT_WHEELS = {"mkautodoc", "pelican-redirect", "dask[distributed]", "nox"}
"""Of the development group; and what no test for Windows needs."""


def run(*command: str | Path, **more) -> None:
    """Run a program that must succeed."""
    subprocess.run([*map(str, command)], check=True, **more)


def make_python(folder: Path) -> None:
    """Put CPython for Windows together: DLLs from a wheel, its library from Linux."""
    download = ["--no-deps", "--only-binary=:all:", "--platform=win_amd64"]
    download += [f"--python-version={VERSION}", BRINGS_PYTHON, "-d", str(folder)]
    run(sys.executable, "-m", "pip", "download", "-q", *download)
    python = folder / "python"
    (python / "DLLs").mkdir(parents=True)
    wheel = next(folder.glob("panda3d-*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            parent, _, name = member.filename.rpartition("/")
            if parent != "deploy_libs" or name.startswith("api-ms-win-"):
                continue
            is_own = name in {"python311.dll", "VCRUNTIME140.dll"}
            target = python / name if is_own else python / "DLLs" / name
            target.write_bytes(archive.read(member))
    library = sysconfig.get_path("stdlib")
    ignored = shutil.ignore_patterns(
        "lib-dynload", "site-packages", "test", "__pycache__"
    )
    shutil.copytree(library, python / "Lib", ignore=ignored)
    (python / "Lib/site-packages").mkdir()
    run(COMPILER, "-municode", "-o", python / "python.exe", HERE / "python.c")
    wheel.unlink()


def make_libraries(folder: Path) -> None:
    """Make what compiled modules need: python3.dll, and a library that Wine lacks."""
    python = folder / "python"
    listing = subprocess.run(
        ["x86_64-w64-mingw32-objdump", "-p", str(python / "python311.dll")],
        check=True,
        capture_output=True,
        text=True,
    )
    names = re.findall(r"(?m)^\s*\[ *\d+\].* (_?Py\w+)$", listing.stdout)
    lines = ["LIBRARY python3.dll", "EXPORTS"]
    lines += [f"{name} = python311.{name}" for name in names]
    definitions = folder / "python3.def"
    definitions.write_text("\n".join(lines), "utf-8")
    run(COMPILER, "-shared", "-nostdlib", "-o", python / "python3.dll", definitions)
    source = HERE / "bcryptprimitives.c"
    target = python / "bcryptprimitives.dll"
    run(COMPILER, "-shared", "-o", target, source, "-ladvapi32")


def make_programs(folder: Path) -> None:
    """Compile a `git.exe` that hands calls to Linux, one that hangs, and taskkill."""
    system = folder / "prefix/drive_c/windows/system32"
    programs = {
        "git": folder / "git/git.exe",
        "hanging_git": folder / "hanging/git.exe",
        "taskkill": system / "taskkill.exe",
    }
    for name, target in programs.items():
        target.parent.mkdir(exist_ok=True)
        source = HERE / f"{name}.c"
        run(COMPILER, "-O1", "-municode", "-o", target, source, "-lws2_32")


def make_drives(folder: Path) -> dict[str, Path]:
    """Return the folder of each drive on Linux; D:, E: and F: become empty."""
    drives = {"C": folder / "prefix/drive_c"}
    shutil.rmtree(folder / "drives", ignore_errors=True)
    for letter in "DEF":
        drives[letter] = folder / "drives" / letter
        drives[letter].mkdir(parents=True)
        link = folder / f"prefix/dosdevices/{letter.lower()}:"
        link.unlink(missing_ok=True)
        link.symlink_to(drives[letter])
    drives["Z"] = Path("/")
    return drives


def on_windows(folder: Path) -> str:
    """Return a folder's path on Wine's drive of Linux' root."""
    return f"Z:{folder}".replace("/", "\\")


def install(folder: Path, wheel: str) -> None:
    """Install the package, its hosts, and the tests' packages that have wheels."""
    dev = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["dependency-groups"]
    names = [name for name in dev["dev"] if name not in WITHOUT_WHEELS]
    platform = ["--python-platform", "x86_64-pc-windows-msvc"]
    platform += ["--python-version", VERSION]
    target = ["--target", str(folder / "python/Lib/site-packages")]
    uv = [sys.executable, "-m", "uv", "pip", "install", "--quiet"]
    run(*uv, *platform, *target, "--upgrade", f"{wheel}[all]", *names)


def main() -> int:
    """Build what is missing, and return the exit code of Python for Windows."""
    folder, wheel, *arguments = sys.argv[1:]
    home = Path(folder).resolve()
    home.mkdir(parents=True, exist_ok=True)
    environ = {
        **os.environ,
        "WINEPREFIX": str(home / "prefix"),
        "WINEDEBUG": "-all",
        "WINEDLLOVERRIDES": "taskkill.exe=n",  # Ours, in place of Wine's.
        "WINEPATH": on_windows(home / "git"),
        "HANGING_GIT": on_windows(home / "hanging"),
        "PYTHONUTF8": "0",
    }
    nothing = subprocess.DEVNULL
    if not (home / "prefix/drive_c").exists():
        run("wineboot", "-i", env=environ, stdin=nothing, stderr=nothing)
    if not (home / "python/python.exe").exists():
        make_python(home)
        make_libraries(home)
    make_programs(home)
    if wheel != "-":
        install(home, wheel)
    with GitServer(make_drives(home)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        (home / "git/port").write_text(str(server.server_address[1]), "utf-8")
        command = ["wine", str(home / "python/python.exe"), *arguments]
        # With a console of Wine, Python ends at once.
        with subprocess.Popen(
            command,
            env=environ,
            stdin=nothing,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as process:
            for line in process.stdout:
                sys.stdout.buffer.write(line)
                sys.stdout.flush()
        server.shutdown()
    return process.returncode


if __name__ == "__main__":
    sys.exit(main())
