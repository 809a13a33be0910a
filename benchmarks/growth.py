"""Growth of time with hostile input: linear is 8 times as long for 8 times as much.

Run: python benchmarks/growth.py

Pages, URLs, links, robots.txt and histories are untrusted. Quadratic time (64 times as
long) would let one block a build. The exit code is 1 if a ratio is nearer to that than
to linear time.
"""

from __future__ import annotations

import contextlib
import gc
import io
import itertools
import os
import sys
import tempfile
import time
from functools import lru_cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from sitemap_plugins.cli.commands import commands
from sitemap_plugins.core import urls
from sitemap_plugins.core.choice import hreflang
from sitemap_plugins.core.crawlers.robots_txt import Robots
from sitemap_plugins.core.dates.content import read_content
from sitemap_plugins.core.git.last_change import find_last_changes
from sitemap_plugins.core.git.log import Change, Commit, cover_paths, moves
from sitemap_plugins.core.html import head as html_head
from sitemap_plugins.core.html.document import is_slow
from sitemap_plugins.core.limits import SITEMAP_NAMESPACE
from sitemap_plugins.core.messages import PageError
from sitemap_plugins.core.python.layouts import PythonFiles
from sitemap_plugins.core.python.modules import ModuleReader
from sitemap_plugins.core.python.places import Places
from sitemap_plugins.core.records import Alternate, CheckedPage
from sitemap_plugins.folder import include_syntax
from sitemap_plugins.folder.error_page import why_soft_404
from sitemap_plugins.folder.page_marks import Built, PageMarks, read_page_marks
from sitemap_plugins.folder.project_files import ProjectFiles
from sitemap_plugins.folder.sources import find_sources

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.git_repository import GitRepository

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Iterable, Iterator

    from sitemap_plugins.core.git.repository import Repository

SCRATCH = tempfile.TemporaryDirectory()
TIMES = 8
MAX = TIMES**1.5  # In the middle between linear and quadratic.
ROUNDS = 5
KEPT = {"MALLOC_TRIM_THRESHOLD_": f"{1 << 30}", "MALLOC_MMAP_THRESHOLD_": f"{1 << 25}"}
"""Makes glibc keep freed memory: to give back many megabytes after each round, and to
get them again, takes up to three times as long as their use, and differs from run to
run."""

REFRESH = b"<body><meta http-equiv=refresh content=0;a>"  # The body is parsed.
BEFORE = (b"", b"<head><p>", b"<head><link rel=canonical ", b"<head><style>", REFRESH)
UNITS = (
    b"<!--",
    b"<!-- --!",
    b"<!-- -->",
    b"<!x",
    b"<",
    b"</ ",
    b"<a",
    b" ",
    b" a=b",
    b"\0",
    b"<meta ",
    b'<meta a="',
    b'<meta a=\'" b="',
    b"<meta name=robots content=noindex>",
    b"<link rel=canonical href=/a>",
    b"&#x41;",
    b"\x1b$B",
    b"<title></titl",
    b"<script>",
    b"<script></script>",
    b"<script><!--<script></script>",
    b"<b></b>",
    b"<svg></svg>",
    b"<template>",
    b"<template></template>",
    b"-equiv",
    b"-equiv= ",
    b"<template>%b</template>" % (b"<div>" * 190),
)
BYTES = 256 * 1024
STYLE_BYTES = 3 * BYTES
"""Of a style with tags: so many that the guard looks at each at the smaller size."""

LINKS = (
    b"<a rel=edit>",
    b"rel=edit ",
    b"<a rel=edit ",
    b"<!--rel=edit-->",
    b"modified",
    b">",
    b"<script>rel=edit</script>",
    b"<script>",
    b"<p title='<a rel=edit",
    b"<a href=_sources/>",
)
FORMATTED = (
    "<b>",
    "<b id=a>",
    '<b id="a">x</b>',
    "</b>",
    "<b",
    "<b a",
    '<b a="',
    "<p>x</p>",
)
CONTENTS = (" ", " :", ":", ",", "none:", "\u2003")
TEXTS = ("a", "%2f", "%", "ü", "../", "?", "\ud800", "日")
CHARACTERS = 50_000
INCLUDES = {
    include_syntax.snippets: ("-", ":", '--8<-- "', "a:,1", "--8<--\n"),
    include_syntax.unfollowed: ("{{", "{{#include a", "{{< include ", "{% include 'a"),
    include_syntax.vitepress: ("<!--@include:", "<<< a\n"),
    include_syntax.myst: ("```{include} a\n", ":a:\n", "> ", "1. "),
    include_syntax.rst: (".. include:: a\n", ".. a:"),
    include_syntax.include_markdown: ("{% include ", '{% include "a'),
    include_syntax.markdown_include: ("{!a",),
    include_syntax.mdx_include: ("{!a", "{!-", "[ln:1 "),
}
SOURCES = {
    b"a.md": (
        "---\ntags: a\n",
        "tags: a\n",
        "title: a\n",
        "# a\n",
        "<!-- -->",
        "<!-- a b c -->\n\n",
        "\n\n<!-- a b c",
        "```\n",
        "```a\n\n",
        "~",
        ":",
        "{{",
        "{{ }}",
        "<a>\n",
        "\n",
        " \n",
        "a \t",
        "1",
    ),
    b"a.rst": (":a: b\n", "a\n==\n", "=\n", "word\n", "a ", "\n", " \n"),
}
"""Texts of which versions are compared."""

SHAPES: dict[str, Callable[[int], int]] = {
    "chain": lambda number: number + 1,
    "star": lambda _number: 0,
    "grid": lambda number: number // 5 * 5,
}
PAGES = 4_000
AGENTS = 2_000
COMMITS = 2_000
FILES = 500
FOLDERS = 2_500
POSTS = 1_000
NAMES = 500
OUTPUTS = 250
BASE = "https://example.com/"
VERSIONS = 50
MODULES = {
    "for x in {}: 1": ",",
    "f({})": ",",
    "[{0}] = {0}": ",",
    "{0}.x = {0}": ".x=",
    "{0}.__doc__ = '{0}'": ".__doc__=",
    "if a: 1\nelif {}: 1": ": x=1\nelif ",
    "x = {}": ".",
    "({},) = 1": ",\n",
    "class A({}): 1": ",",
    "def f(x=[{}]): 1": ",",
    "@{}\ndef f(): 1": "\n@",
    "#: {}\nx=1": "\n#: ",
    "__all__ = [{}]": ",",
}
"""Code with a place for many names, and what is between these."""


BODIES = (b"<body><!--", b"<body>\n", b"<title>", b"<h1 ")
"""What begins a page without a word."""


def main() -> None:
    """Print the time for the larger input, and its ratio to that for the smaller."""
    worst = 0.0
    for name, run, size in cases():
        small, large = seconds(partial(run, size)), seconds(partial(run, size * TIMES))
        worst = max(worst, large / small)
        print(f"{name:80}{large * 1e3:9.1f} ms{large / small:7.1f} x", flush=True)
    print(
        f"the worst: {worst:.1f} times as long for {TIMES} times as much"
        f" (at most {MAX:.1f})"
    )
    sys.exit(worst > MAX)


def cases() -> Iterator[tuple[str, Callable[[int], object], int]]:
    """Yield each input's name, a function that reads so much of it, a small amount."""
    for before, unit in itertools.product(BEFORE, UNITS):
        size = STYLE_BYTES if b"<style" in before and b"<" in unit else BYTES
        yield (
            f"html_head: {before!r} and many {unit!r}",
            partial(read_page, before, unit),
            size,
        )
    yield from pages()
    for text in TEXTS:
        yield f"urls: many {text!r}", partial(read_url, text), CHARACTERS
    for shape, target in SHAPES.items():
        yield f"alternates: a {shape}", partial(group_pages, target), PAGES
    for text in CONTENTS:
        yield (
            f"html_head: a robots tag of many {text!r}",
            partial(read_robots, text),
            CHARACTERS,
        )
    for find, units in INCLUDES.items():
        for unit in units:
            name = f"includes: {find.__name__} in many {unit!r}"
            yield name, partial(find_includes, find, unit), CHARACTERS
    yield from sources()
    for date in ("2024-05-01-", ""):
        yield (
            f"posts: many with one title, {date or 'undated'}",
            partial(match_posts, date),
            POSTS,
        )
    yield "urls: a host of many accents", read_host, CHARACTERS
    yield "robots: many crawlers", obey_robots, AGENTS
    yield "robots: many crawlers with many rules", obey_rules, AGENTS
    yield "git: pathspecs for a file in each of many folders", cover_folders, FOLDERS
    yield "git: many equal files moved", move_files, FILES
    yield "git: many edits, all ignored", ignore_edits, COMMITS
    yield "git: many reverts, all ignored", ignore_reverts, COMMITS
    yield "git: many files reverted together", revert_files, FILES
    yield "git: many files reverted below as many commits", revert_below_commits, FILES
    yield "git: a file reverted below many merges", revert_below_merges, COMMITS
    yield from of_commands()


def pages() -> Iterator[tuple[str, Callable[[int], object], int]]:
    """Yield inputs that are whole pages, as `cases` does."""
    for unit in LINKS:
        yield f"page_marks: many {unit!r}", partial(read_links, unit), BYTES
    for unit in BODIES:
        yield f"soft_404: many {unit!r}", partial(judge_page, unit), BYTES
    for tag in FORMATTED:
        yield f"page: the guard against many {tag!r}", partial(guard, tag), BYTES


def sources() -> Iterator[tuple[str, Callable[[int], object], int]]:
    """Yield likewise what reads sources."""
    for text in MODULES:
        yield f"modules: many names in {text!r}", partial(read_module, text), NAMES
    yield "modules: many imports in a row", import_in_a_row, NAMES
    yield "modules: many versions", read_history, NAMES
    for path, units in SOURCES.items():
        for unit in units:
            name = f"content: {path.decode()} of many {unit!r}"
            yield name, partial(read_source, path, unit), BYTES


def of_commands() -> Iterator[tuple[str, Callable[[int], object], int]]:
    """Yield likewise commands; the time of git, which they run, does not count."""
    for name, make, arguments in COMMANDS:
        yield name, partial(run_command, make, arguments), OUTPUTS


def seconds(run: Callable[[], object]) -> float:
    """Return the best time of a few, without the garbage collector's."""
    best = float("inf")
    for _ in range(ROUNDS):
        gc.collect()
        gc.disable()
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
        gc.enable()
    return best


def read_source(path: bytes, unit: str, size: int) -> None:
    """Read a version of a source of that many characters."""
    read_content(path, (unit * (size // len(unit))).encode())


def read_page(before: bytes, unit: bytes, size: int) -> None:
    """Read a page of that many bytes."""
    html_head.read_head(page_of(before, unit, size))


@lru_cache(maxsize=2)
def page_of(before: bytes, unit: bytes, size: int) -> bytes:
    """Return the page, which takes longer to make than to read."""
    return before + unit * (size // len(unit))


def read_links(unit: bytes, size: int) -> None:
    """Look for links to the source in a page of that many bytes."""
    read_page_marks(links_page(unit, size), "index.html")


@lru_cache(maxsize=2)
def links_page(unit: bytes, size: int) -> Path:
    """Write the page, and return its file."""
    file = Path(SCRATCH.name, f"{size}.html")
    file.write_bytes(unit * (size // len(unit)))
    return file


def judge_page(unit: bytes, size: int) -> None:
    """Ask whether a page of that many bytes is one for readers."""
    why_soft_404(unit * (size // len(unit)))


def guard(tag: str, size: int) -> None:
    """Ask whether a page of that many characters takes too long to parse."""
    is_slow(tag * (size // len(tag)))


def read_robots(text: str, size: int) -> None:
    """Read the content of a robots meta tag, of that many characters."""
    html_head.says_noindex("index" + text * (size // len(text)) + "x")


def read_url(text: str, size: int) -> None:
    """Read a URL of that many characters, which is too long or wrong."""
    url = f"https://example.com/{text * (size // len(text))}"
    with contextlib.suppress(PageError):
        urls.normalize_url(url)
    urls.identity(url)
    urls.percent_decode(url)


def read_host(size: int) -> None:
    """Read a URL whose host has so many characters, mostly accents of a letter."""
    accents = "\u0315\u0300" * (size // 2)
    url = f"https://a{accents}.example/"
    with contextlib.suppress(PageError):
        urls.normalize_url(url)
    urls.identity(url)


def read_module(text: str, size: int) -> None:
    """Read a module with that many functions whose code has all their names.

    Then look up a name, and what shows with each function.
    """
    names = [f"a{number}" for number in range(size)]
    functions = "".join(f"def {name}(): 1\n" for name in names)
    places = places_of(f"{functions}{text.format(MODULES[text].join(names))}\n")
    places.find("own.missing")
    for name in names:
        for place in places.find(f"own.{name}"):
            places.values(place)


def import_in_a_row(size: int) -> None:
    """Look up a name in a module that imports so many names from itself."""
    names = "".join(f"from own import a{n} as a{n + 1}\n" for n in range(size))
    places_of(names).find(f"own.a{size}")


def read_history(size: int) -> None:
    """Read so many versions of a module of as many functions; one is new in each."""
    reader = ModuleReader()
    functions = [f"def a{number}(): 1\n" for number in range(VERSIONS)]
    for number in range(size):
        functions[number % VERSIONS] = f"def a(x={number}): 1\n"
        reader.read_parts("".join(functions).encode())


def places_of(text: str) -> Places:
    """Write a module as a project, and return the places of its objects."""
    folder = Path(SCRATCH.name, "modules")
    # Only files of a repository are read.
    (folder / ".git").mkdir(parents=True, exist_ok=True)
    (folder / "own.py").write_text(text)
    return Places(PythonFiles(folder, [folder]), ModuleReader())


def find_includes(
    find: Callable[[str], Iterable[include_syntax.Include]], unit: str, size: int
) -> None:
    """Find what a text of that many characters includes."""
    for _ in find(unit * (size // len(unit))):
        pass


def match_posts(date: str, count: int) -> None:
    """Look for the pages of that many posts with one title."""
    pages = []
    names = []
    for number in range(count):
        name = f"{2000 + number % 99}/05/01/links.html"
        pages.append(Built(name, PageMarks()))
        names.append(f"_posts/{number}/{date}links.md")
    find_sources(pages, ProjectFiles(root=Path("/none"), names=frozenset(names)))


def group_pages(target: Callable[[int], int], count: int) -> None:
    """Group that many pages, each with a link to another."""
    pages = [
        CheckedPage(
            path=f"p{number}",
            label=f"p{number}",
            url=f"https://example.com/p{number}",
            alternates=(
                Alternate(language="en", path=f"p{number}"),
                Alternate(language="de", path=f"p{target(number)}"),
            ),
        )
        for number in range(count)
    ]
    hreflang.link_groups(pages, base_url="https://example.com/")


def obey_robots(count: int) -> None:
    """Check one page against that many crawlers, none of which may fetch it."""
    text = "".join(f"User-agent: bot{number}\nDisallow: /\n" for number in range(count))
    robots = Robots(
        text.encode(), base_url="https://example.com/", on_read_the_docs=False
    )
    robots.allow("https://example.com/a")


def obey_rules(count: int) -> None:
    """Check a page against a robots.txt of so many lines, half crawlers, half rules."""
    lines = [f"User-agent: bot{number}" for number in range(count // 2)]
    lines += [f"Disallow: /{number}" for number in range(count // 2)]
    text = "\n".join(lines).encode()
    Robots(text, base_url="https://example.com/", on_read_the_docs=False).allow(
        "https://example.com/a"
    )


def move_files(count: int) -> None:
    """Move that many files with one content, each to another name."""
    gone = [Change(b"old/%d" % number, b"1", b"") for number in range(count)]
    come = [Change(b"new/%d" % (number + count), b"", b"1") for number in range(count)]
    moves([*gone, *come])


def cover_folders(count: int) -> None:
    """Find pathspecs for that many files, each in its own folder."""
    cover_paths([b"%d/a" % number for number in range(count)])


def ignore_edits(count: int) -> None:
    """Follow one file through that many ignored commits."""
    ignore(edits(count, [b"t%d" % number for number in range(count + 1)]))


def ignore_reverts(count: int) -> None:
    """Follow a file through so many ignored commits, each of which reverts the last."""
    ignore(edits(count, [b"t%d" % (number % 2) for number in range(count + 1)]))


def edits(count: int, contents: list[bytes]) -> list[Commit]:
    """Return a log of one file's contents, the oldest first."""
    log = [
        Commit(
            b"%d" % n,
            n,
            (b"%d" % (n - 1),),
            [Change(b"a", contents[n - 1], contents[n])],
        )
        for n in range(count, 0, -1)
    ]
    return [*log, Commit(b"0", 0, (), [Change(b"a", b"", contents[0])])]


def ignore(log: list[Commit]) -> None:
    """Follow the file down to the first commit."""
    follow(
        {b"a": log[0].changes[0].after}, log, ignored={commit.id for commit in log[:-1]}
    )


def revert_files(count: int) -> None:
    """Follow so many files, changed and reverted together, below some merges."""
    files = [b"%d" % number for number in range(count)]
    trace(files, merges(200, files))


def revert_below_commits(count: int) -> None:
    """Follow that many files that were changed and reverted, below as many commits."""
    files = [b"%d" % number for number in range(count)]
    trace(
        files,
        [*edits(count, [b"t%d" % n for n in range(count + 1)])[:-1], *revert(files)],
    )


def revert_below_merges(count: int) -> None:
    """Follow one file that was changed and reverted, below that many merges."""
    trace([b"a"], merges(count, [b"a"]))


def trace(files: list[bytes], log: Iterable[Commit]) -> None:
    """Follow the files."""
    follow(dict.fromkeys(files, b"1"), log)


def follow(
    blobs: dict[bytes, bytes], log: Iterable[Commit], *, ignored: Collection[bytes] = ()
) -> None:
    """Follow files with their contents down a log."""
    repository = cast("Repository", History([*log]))
    find_last_changes(repository, blobs, ignored=ignored)


def run_command(
    make: Callable[[Path, int], None], arguments: list[str], size: int
) -> None:
    """Run a command in a folder that is made for so many pages."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.chdir(made(make, size)))
        stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
        stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
        stack.enter_context(contextlib.suppress(SystemExit))
        commands.main(arguments, standalone_mode=False)


@lru_cache(maxsize=2)
def made(make: Callable[[Path, int], None], size: int) -> Path:
    """Return a new folder, filled."""
    folder = Path(SCRATCH.name, f"{make.__name__}-{size}")
    folder.mkdir()
    make(folder, size)
    return folder


def old_versions(folder: Path, size: int) -> None:
    """Write two versions of a site; half of the old pages name no other."""
    for version, number in itertools.product(("1.0", "2.0"), range(size)):
        page = folder / version / f"p{number}.html"
        page.parent.mkdir(exist_ok=True)
        link = f"<link rel=canonical href={BASE}2.0/p{number}.html>" * (number % 2)
        page.write_text(f"<!doctype html><title>x</title>{link}")


def moved_pages(folder: Path, size: int) -> None:
    """Write a repository in which all sources moved, with the old and the new site."""
    sources = {f"docs/old/p{n}.md": f"# Page {n}\n" for n in range(size)}
    moved = {name.replace("old/", "new/"): sources[name] for name in sources}
    import_commits(folder, [sources, moved])
    (folder / "site/new").mkdir(parents=True)
    for number in range(size):
        (folder / f"site/new/p{number}.html").write_text("<!doctype html><title>x")
    (folder / "site/sitemap.xml").write_text(sitemap("new/", size))
    (folder / "old.xml").write_text(sitemap("old/", size))


def import_commits(folder: Path, trees: list[dict[str, str]]) -> None:
    """Write commits of whole trees into a new repository, the last as its HEAD."""
    repository = GitRepository(folder)
    for tree in trees:
        repository.commit(tree)
    repository.write(checkout=True)


def sitemap(folder: str, size: int) -> str:
    """Return a sitemap of so many pages in a folder, all of one day."""
    pages = (f"{BASE}{folder}p{number}.html" for number in range(size))
    one = "<url><loc>{}</loc><lastmod>{}</lastmod></url>"
    inside = "".join(one.format(page, "2024-05-01") for page in pages)
    return f'<urlset xmlns="{SITEMAP_NAMESPACE}">{inside}</urlset>'


COMMANDS: list[tuple[str, Callable[[Path, int], None], list[str]]] = [
    (
        "versions: many old pages",
        old_versions,
        ["versions", ".", "--base-url", BASE, "--version", "*", "--default", "2.0"],
    ),
    ("redirects: many moved pages", moved_pages, ["redirects", "old.xml", "site"]),
]


class History:
    """A log in place of a repository, to exclude git's time."""

    boundary: Collection[bytes] = frozenset()
    git = SimpleNamespace(is_late=lambda: False)

    def __init__(self, commits: list[Commit]) -> None:
        """Take the commits, the newest first."""
        self.commits = {commit.id: commit for commit in commits}
        self.head = commits[0].id

    def log(
        self, *arguments: str, starts: Iterable[bytes], **_paths: object
    ) -> Generator[Commit]:
        """Yield the commits that git would."""
        names = starts if "--no-walk" in arguments else self.commits
        yield from (self.commits[name] for name in names)


def merges(count: int, files: list[bytes]) -> Iterator[Commit]:
    """Yield a log: so many merges, then the files' revert, change and creation."""
    for n in range(count, 0, -1):
        yield Commit(b"%d" % n, n, (b"%d" % (n - 1), b"b%d" % n), [])
        yield Commit(
            b"b%d" % n, n, (b"%d" % (n - 1),), [Change(b"other", b"", b"%d" % n)]
        )
    yield from revert(files)


def revert(files: list[bytes]) -> Iterator[Commit]:
    """Yield a revert of the files, their change, their creation."""
    yield Commit(b"0", 0, (b"c",), [Change(file, b"2", b"1") for file in files])
    yield Commit(b"c", 0, (b"r",), [Change(file, b"1", b"2") for file in files])
    yield Commit(b"r", 0, (), [Change(file, b"", b"1") for file in files])


if __name__ == "__main__":
    if not os.environ.keys() >= KEPT.keys():
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **KEPT})
    main()
