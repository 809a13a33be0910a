"""Run `python -m NAME` in a process that is forked from one
that has loaded its modules.

Most of the time of a small site's build goes into starting Python and importing the
generator. Each worker of the tests keeps a server for each name, which forks for each
run. A test that changes what is read only once (`_READ_AT_START`) gets a real process.
"""

from __future__ import annotations

import atexit
import functools
import gc
import importlib
import importlib.metadata
import json
import os
import re
import runpy
import socket
import subprocess
import sys
import threading
import time
from tempfile import TemporaryDirectory, TemporaryFile, gettempdir
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from types import ModuleType

MODULES = {
    "mkdocs": (
        "mkdocs.commands.build",
        "mkdocs.config.defaults",
        "mkdocs.contrib.search",
        "markdown.extensions.toc",
        "markdown.extensions.tables",
        "markdown.extensions.fenced_code",
        "email.parser",
        "resource",
        "dateutil.parser",
        "pathspec",
        "pymdownx.snippets",
        "requests",
        "sitemap_plugins.mkdocs",
    ),
    "properdocs": (
        "properdocs.commands.build",
        "properdocs.config.defaults",
        "properdocs.contrib.search",
        "markdown.extensions.toc",
        "markdown.extensions.tables",
        # The plugin sees from the program that runs which of both programs it is for.
        "markdown.extensions.fenced_code",
        "sitemap_plugins.core.generate",
    ),
    "pelican": (
        "pelican",
        "markdown.extensions.codehilite",
        "markdown.extensions.extra",
        "markdown.extensions.abbr",
        "markdown.extensions.attr_list",
        "markdown.extensions.def_list",
        "markdown.extensions.fenced_code",
        "markdown.extensions.footnotes",
        "markdown.extensions.md_in_html",
        "markdown.extensions.meta",
        "markdown.extensions.tables",
        "pathspec",
        "rich._emoji_codes",
        "rich.status",
        "rich.table",
        "resource",
        "sitemap_plugins.pelican",
    ),
    "sphinx": (
        "sphinx.cmd.build",
        "sphinx.ext.autodoc",
        "sphinx.environment.adapters.toctree",
        "sphinx.builders.latex.transforms",
        "sphinx.ext.mathjax",
        "jinja2.ext",
        "docutils.languages.en",
        "pathspec",
        "xml.dom.minidom",
        "resource",
        "sphinx.writers.html5",
        "sitemap_plugins.sphinx",
    ),
    "sitemap_plugins": (
        "sitemap_plugins.cli.commands",
        "sitemap_plugins.folder.command",
        "sitemap_plugins.check.command",
        "sitemap_plugins.diff.command",
        "sitemap_plugins.explain.command",
        "sitemap_plugins.merge.command",
        "sitemap_plugins.notify.command",
        "sitemap_plugins.folder.read_yaml",
        "pathspec",
    ),
}
"""What is loaded for each name;
for Sphinx, also the extensions that it always loads."""

ENTRY_POINTS = (
    "markdown.extensions",
    "mkdocs.themes",
    "properdocs.themes",
    "sphinx.builders",
    "sphinx.html_themes",
)
"""The groups in which hosts look for what a site names, among all packages."""

_READ_AT_START = re.compile(
    r"PYTHON(?!IOENCODING)|LC_|(?:LANG|COLUMNS|TERM|NO_COLOR|FORCE_COLOR)"
)
"""How the variables begin that Python, or a library such as rich, reads only once.

A forked process sets the encoding of its output itself.
"""


class _Server:
    def __init__(self, name: str, environ: Mapping[str, str]) -> None:
        self._lock = threading.Lock()
        self._socket, theirs = socket.socketpair()
        number = str(theirs.fileno())
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", __file__, number, name, _templates().name],
                env=dict(environ),
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )
        atexit.register(self.close)

    def close(self) -> None:
        self._socket.close()
        self._process.wait()

    def run(
        self, arguments: Sequence[str], folder: Path, environ: Mapping[str, str]
    ) -> subprocess.CompletedProcess[bytes]:
        with TemporaryFile() as request, TemporaryFile() as out, TemporaryFile() as err:
            request.write(json.dumps([arguments, str(folder), dict(environ)]).encode())
            request.seek(0)
            files = [file.fileno() for file in (request, out, err)]
            with self._lock:
                socket.send_fds(self._socket, [b"."], files)
                answer = self._socket.recv(4)
            assert answer, "the server of preloaded modules has ended"
            code = int.from_bytes(answer, "big", signed=True)
            out.seek(0)
            err.seek(0)
            return subprocess.CompletedProcess(
                [*arguments], code, out.read(), err.read()
            )


_TEMPORARY = gettempdir()
"""Before a test sets another one for itself."""


@functools.cache
def _templates() -> TemporaryDirectory[str]:
    """Return the folder in which Jinja keeps what it compiles."""
    return TemporaryDirectory(dir=_TEMPORARY)


@functools.cache
def _server(name: str, read_at_start: frozenset[tuple[str, str]]) -> _Server:
    others = {n: v for n, v in os.environ.items() if not _READ_AT_START.match(n)}
    return _Server(name, others | dict(read_at_start))


def run_module(
    name: str,
    arguments: Sequence[str],
    *,
    folder: Path,
    usual: Mapping[str, str],
    environ: Mapping[str, str],
    real: bool = False,
) -> subprocess.CompletedProcess[bytes]:
    """Run `python -P -m NAME` in a folder;
    `environ` has the variables that a test adds.

    With `real`, or without `fork`, in a new process.
    """
    whole = {**os.environ, **usual, **environ}
    if real or not hasattr(os, "fork") or any(map(_READ_AT_START.match, environ)):
        command = [sys.executable, "-P", "-m", name, *arguments]
        return subprocess.run(
            command, cwd=folder, env=whole, capture_output=True, check=False
        )
    once = frozenset((n, v) for n, v in whole.items() if _READ_AT_START.match(n))
    return _server(name, once).run(arguments, folder, whole)


def decode(output: bytes, encoding: str = "utf-8", errors: str = "strict") -> str:
    """Return output with line ends as `subprocess` gives them."""
    return output.decode(encoding, errors).replace("\r\n", "\n").replace("\r", "\n")


def _serve(connection: socket.socket, name: str, templates: str) -> None:
    """Fork for each request until the pipe is closed;
    return in each fork, to run the module."""
    _load(name)
    if "jinja2" in sys.modules:
        _keep_compiled(sys.modules["jinja2"], templates)
    sys.modules.pop(f"{name}.__main__", None)  # It is executed in each fork.
    gc.collect()
    gc.freeze()
    while True:
        message, files, _, _ = socket.recv_fds(connection, 1, 3)
        if not message:
            sys.exit()
        child = os.fork()
        if not child:
            connection.close()
            return _become(name, *files)
        for file in files:
            os.close(file)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        connection.sendall(code.to_bytes(4, "big", signed=True))


def _load(name: str) -> None:
    """Do what every build of a host does first, and in the same way."""
    # What is installed does not change while the tests run.
    importlib.metadata.entry_points = functools.cache(importlib.metadata.entry_points)
    for group in ENTRY_POINTS:
        importlib.metadata.entry_points(group=group)
    for module in MODULES[name]:
        importlib.import_module(module)
    if name == "sphinx":
        for module in sys.modules["sphinx.application"].builtin_extensions:
            importlib.import_module(module)


def _keep_compiled(jinja2: ModuleType, folder: str) -> None:
    """Have Jinja compile each template once for all builds: a theme has many.

    It knows a compiled template by its file and source; but the same source is compiled
    in another way with other settings or extensions.
    """

    class Kept(jinja2.FileSystemBytecodeCache):
        def get_bucket(self, environment, name, filename, source):
            settings = [
                (setting, value)
                for setting, value in vars(environment).items()
                if value is None or isinstance(value, str | bool)
            ]
            how = f"{filename} {sorted(environment.extensions)} {sorted(settings)}"
            return super().get_bucket(environment, name, how, source)

    make = jinja2.Environment.__init__

    def init(self, *arguments, **more):
        # Templates without an environment give all arguments by their places.
        make(self, *arguments, **more)
        self.bytecode_cache = self.bytecode_cache or Kept(folder)

    jinja2.Environment.__init__ = init


def _become(name: str, request: int, out: int, err: int) -> None:
    with open(request, "rb") as file:
        arguments, folder, environ = json.load(file)
    for file, number in ((out, 1), (err, 2)):
        os.dup2(file, number)
        os.close(file)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environ)
    if encoding := environ.get("PYTHONIOENCODING"):
        sys.stdout.reconfigure(encoding=encoding, errors="strict")
        sys.stderr.reconfigure(encoding=encoding, errors="backslashreplace")
    time.tzset()
    sys.argv = [name, *arguments]


def _exit_code(name: str) -> int:
    """Run a module, and return with what its process would end."""
    try:
        runpy.run_module(name, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 as the interpreter does
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


def _end(code: int) -> NoReturn:
    """End the process without taking apart all modules,
    which takes longer than a small run."""
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])), *sys.argv[2:])
    _end(_exit_code(sys.argv[0]))
