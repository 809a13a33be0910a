"""The plugin's share of the time of a build: 1,000 pages, built by each host's own command.

Run: python benchmarks/hosts.py [host …]
or, for a site whose settings name the plugin:
     python benchmarks/hosts.py --site FOLDER mkdocs build -q -d OUTPUT

Prints two numbers for each host, both ratios within one run of processor time: the time
in our handlers to that of the build, and the time of builds with the plugin to that of builds
without it. The shortest of several rounds is used; the site is a git repository with a
commit for each ten pages.
"""

from __future__ import annotations

import functools
import importlib
import json
import os
import random
import resource
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PAGES = 1_000
ROUNDS = 3
TARGET = 0.03
EDIT_TARGET = 0.10
_MKDOCS = [
    f"sitemap_plugins.mkdocs.run:Run.{name}"
    for name in ("take_pages", "write_first", "settle")
]
_PELICAN = (
    "initialized",
    "get_generators",
    "generator_init",
    "static_generator_finalized",
)
_PELICAN += ("all_generators_finalized", "write_content")
_PELICAN += ("content_written", "finalized")
_SPHINX = ("config_inited", "write_started", "html_page_context", "build_finished")
_SPHINX += ("end",)
HANDLERS = {
    "mkdocs": _MKDOCS,
    "properdocs": _MKDOCS,
    "pelican": [f"sitemap_plugins.pelican:on_{event}" for event in _PELICAN],
    "sphinx": [
        *(f"sitemap_plugins.sphinx:on_{event}" for event in _SPHINX),
        "sitemap_plugins.sphinx.modules:_Reader.note_object",
        "sitemap_plugins.sphinx.modules:_Reader.note_document",
    ],
}
"""Our functions that each host calls, as `module:name`."""
IMPORTED_BEFORE = {
    "mkdocs": "mkdocs.commands.build, mkdocs.config.defaults",
    "pelican": "pelican",
    "sphinx": "sphinx.application, sphinx.builders.html",
}
"""What each host has imported before it imports its plugins."""
EDITED_PAGES = 1_500
WORDS = (
    "a",
    "site",
    "map",
    "lists",
    "every",
    "page",
    "that",
    "readers",
    "should",
    "find",
)
MARK = "benchmark: "


class Job(NamedTuple):
    """A build to time."""

    command: list[str]
    """A module to run, and its arguments."""

    handlers: list[str]
    """Our functions that the host calls, as `module:name`."""


class Run(NamedTuple):
    """The times of one build, in seconds."""

    total: float
    """Processor time, including child processes."""

    inside: float
    """Of it in the handlers."""


def mkdocs(folder: Path, *, plugin: bool, theme: str = "mkdocs") -> Job:
    """Write a site with MkDocs' own theme."""
    for name, text in texts():
        write(folder / f"docs/{name}.md", text)
    settings = {
        "site_name": "S",
        "site_url": "https://example.com/",
        "theme": theme,
        "plugins": ["search", {"sitemap": {"enabled": plugin}}],
    }
    write(folder / "mkdocs.yml", json.dumps(settings))  # JSON is YAML.
    return Job(["mkdocs", "build", "-q"], HANDLERS["mkdocs"])


def sphinx(
    folder: Path, *, plugin: bool, theme: str = "alabaster", count: int = PAGES
) -> Job:
    """Write a site in reStructuredText; no build uses a cache."""
    for name, text in texts(count):
        lines = []
        for line in text.splitlines():
            marks, _, title = line.partition(" ")
            is_title = marks in {"#", "##"}
            lines += (
                [title, ("=" if marks == "#" else "-") * len(title)]
                if is_title
                else [line]
            )
        write(
            folder / f"{name}.rst",
            "\n".join(lines).replace("\n\n    def", "\n\n::\n\n    def"),
        )
    toctree = "====\n\n.. toctree::\n   :glob:\n   :titlesonly:\n\n   "
    write(folder / "index.rst", f"Site\n{toctree}part*/index\n")
    for part in folder.glob("part*"):
        write(part / "index.rst", f"Part\n{toctree}page*\n")
    extensions = ["sitemap_plugins.sphinx"] if plugin else []
    settings = {"html_baseurl": "https://example.com/", "html_theme": theme}
    conf = {**settings, "extensions": extensions, "exclude_patterns": ["out"]}
    write(
        folder / "conf.py",
        "".join(f"{name} = {value!r}\n" for name, value in conf.items()),
    )
    command = ["sphinx", "-q", "-E", "-a", "-b", "html", ".", "out"]
    return Job(command, HANDLERS["sphinx"] if plugin else [])


def pelican(folder: Path, *, plugin: bool) -> Job:
    """Write a blog: lists of ten, three tags to an article, an archive for each month."""
    for number, (name, text) in enumerate(texts()):
        tags = ", ".join(f"tag{(number + step) % 50}" for step in (0, 7, 21))
        date = f"{2010 + number // 120}-{number // 10 % 12 + 1:02}-{number % 28 + 1:02}"
        head = f"Title: {name}\nSlug: a{number}\nDate: {date}\nTags: {tags}\n"
        write(folder / f"content/{name}.md", f"{head}\n{text}")
    settings = {
        "SITEURL": "https://example.com",
        "TIMEZONE": "UTC",
        "DEFAULT_PAGINATION": 10,
        "PAGINATION_PATTERNS": [
            (1, "{url}", "{save_as}"),
            (2, *["{name}-{number}.html"] * 2),
        ],
        "MONTH_ARCHIVE_SAVE_AS": "{date:%Y}/{date:%m}/index.html",
        "PLUGINS": ["sitemap_plugins.pelican"] if plugin else [],
    }
    write(
        folder / "conf.py",
        "".join(f"{name} = {value!r}\n" for name, value in settings.items()),
    )
    handlers = HANDLERS["pelican"] if plugin else []
    return Job(["pelican", "content", "-q", "-s", "conf.py", "-o", "out"], handlers)


HOSTS = {"mkdocs": mkdocs, "material": functools.partial(mkdocs, theme="material")}
HOSTS |= {"sphinx": sphinx, "pelican": pelican}


def main() -> None:
    for name in sys.argv[1:] or HOSTS:
        with tempfile.TemporaryDirectory() as scratch_dir:
            share, extra = measure(HOSTS[name], Path(scratch_dir))
        print(
            f"{name}: {share:.2%} of the build is inside our handlers (target: {TARGET:.0%});"
            f" the build takes {extra:+.2%} of processor time with the plugin"
        )


def measure(host: Callable[..., Job], folder: Path) -> tuple[float, float]:
    """Return the handlers' share of a build, and the relative growth of the build."""
    sides = {plugin: folder / str(plugin) for plugin in (True, False)}
    jobs = {plugin: host(sides[plugin], plugin=plugin) for plugin in sides}
    for side in sides.values():
        commit(side)
    runs: dict[bool, list[Run]] = {True: [], False: []}
    for _ in range(ROUNDS):
        for plugin, job in jobs.items():
            runs[plugin].append(run(sides[plugin], job))
    best = min(runs[True])
    print(
        f"  {best.total:.2f} s with the plugin, {best.inside * 1000:.0f} ms of it in our handlers"
    )
    with_plugin, without = (
        min(one.total for one in runs[side]) for side in (True, False)
    )
    return best.inside / best.total, with_plugin / without - 1


def measure_edit(folder: Path) -> tuple[float, float]:
    """Return our seconds, and their share, of a build by Sphinx of which one page has changed."""
    job = sphinx(folder, plugin=True, count=EDITED_PAGES)
    commit(folder)
    run(folder, job)
    again = job._replace(
        command=[word for word in job.command if word not in {"-E", "-a"}]
    )
    # The first of these keeps what the others need not read again.
    runs = []
    for number in range(ROUNDS):
        with (folder / "part1/page1.rst").open("a") as page:
            page.write(f"\nLine {number}.\n")
        runs.append(run(folder, again))
    best = min(runs)
    return best.inside, best.inside / best.total


def import_seconds(name: str, before: str) -> float:
    """Return the processor time in which our plugin is imported inside its host, with bytecode."""
    code = (
        f"import os; import {before}; start = sum(os.times()[:2]);"
        f" import sitemap_plugins.{name}; print(sum(os.times()[:2]) - start)"
    )
    environ = {n: v for n, v in os.environ.items() if n != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", code]
    return min(
        float(
            subprocess.run(command, env=environ, capture_output=True, check=True).stdout
        )
        for _ in range(2 * ROUNDS)
    )


def measure_site(folder: Path, command: list[str]) -> Run:
    """Return the shortest of several builds of an existing site."""
    return min(run(folder, Job(command, HANDLERS[command[0]])) for _ in range(ROUNDS))


def run(folder: Path, job: Job) -> Run:
    """Run a job in a new process."""
    script = [sys.executable, __file__, "--child", json.dumps(job)]
    quiet = {
        **os.environ,
        "DISABLE_MKDOCS_2_WARNING": "true",
        "NO_MKDOCS_2_WARNING": "1",
    }
    done = subprocess.run(
        script, cwd=folder, env=quiet, capture_output=True, text=True, check=False
    )
    line = next((ln for ln in done.stderr.splitlines() if ln.startswith(MARK)), None)
    if done.returncode or line is None:
        sys.exit(done.stdout + done.stderr)
    return Run(*json.loads(line.removeprefix(MARK)))


def child(command: list[str], handlers: list[str]) -> None:
    """Run a host's command in this process with a clock around each handler."""
    spent = [0.0]
    if (
        command[0] == "properdocs"
    ):  # It takes the place of MkDocs for what is imported later.
        importlib.import_module("properdocs.__main__")
    for handler in handlers:
        module, _, path = handler.partition(":")
        *owners, name = path.split(".")
        owner = functools.reduce(getattr, owners, importlib.import_module(module))
        setattr(owner, name, clocked(getattr(owner, name), spent))
    sys.argv = command
    try:
        runpy.run_module(command[0], run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if end.code:
            raise
    taken = Run(processor_time(), spent[0])
    print(f"{MARK}{json.dumps(taken)}", file=sys.stderr)


def processor_time() -> float:
    """Return the processor time of this process and its children, in seconds."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def clocked(
    function: Callable[..., object], spent: list[float]
) -> Callable[..., object]:
    @functools.wraps(function)
    def inner(*args: object, **kwargs: object) -> object:
        start = processor_time()
        try:
            return function(*args, **kwargs)
        finally:
            spent[0] += processor_time() - start

    return inner


def texts(count: int = PAGES) -> Iterator[tuple[str, str]]:
    """Yield each page's name and Markdown: five sections of text, a list and code, 600 words."""
    chance = random.Random(0)
    for name in ("index", *(f"part{n % 20}/page{n}" for n in range(1, count))):
        sections = [f"# {name}"]
        for number in range(5):
            words = [" ".join(chance.choices(WORDS, k=40)) for _ in range(3)]
            sections += [
                f"## Section {number}",
                *words[:2],
                f"- {words[2]}\n- `{name}`",
            ]
            sections += [
                f"    def function_{number}(name):\n        return name + {number}"
            ]
        yield name, "\n\n".join(sections) + "\n"


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def commit(folder: Path) -> None:
    """Commit the site, ten files at a time."""
    environ = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull}
    for who in ("AUTHOR", "COMMITTER"):
        environ |= {f"GIT_{who}_NAME": "A", f"GIT_{who}_EMAIL": "a@example.com"}
    git = functools.partial(subprocess.run, cwd=folder, env=environ, check=True)
    files = [str(file) for file in sorted(folder.rglob("*.*"))]
    git(["git", "init", "-q"])
    for first in range(0, len(files), 10):
        git(["git", "add", *files[first : first + 10]])
        git(["git", "commit", "-qm", "pages"])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(*json.loads(sys.argv[2]))
    elif sys.argv[1:2] == ["--site"]:
        best = measure_site(Path(sys.argv[2]), sys.argv[3:])
        print(
            f"{best.inside * 1000:.0f} ms of {best.total:.2f} s: {best.inside / best.total:.2%}"
        )
    else:
        main()
