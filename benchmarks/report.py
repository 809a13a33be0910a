"""Run the benchmarks that have targets, and write docs/benchmarks.md.

    python benchmarks/report.py [part …]

The parts are those of `PARTS`; a part that is not named keeps the lines of its last
run, and other sections of the page are unchanged. Each line is a ratio or a number of
one run on one machine, which the page describes.
"""

from __future__ import annotations

import itertools
import os
import platform
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import catalogs
import check
import hosts
import lastmod
import pages
import pelican_blog
import scale

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PAGE = Path(__file__).parents[1] / "docs/benchmarks.md"
ARTICLES = 20_000
INTRODUCTION = """\
# Benchmarks

`nox -s bench` writes this page (`benchmarks/report.py`), `nox -s bench -- waiting` only
its first table: what users wait for. Times are processor time. Compare the ratios, each
measured in one run, not the seconds. A load above the number of cores is a busy
machine, on which ratios differ by a tenth or more. Targets in seconds are for a machine
on which ten million additions in Python take 0.6 s, and are as much longer here as
these took.
"""
ADDITIONS = 10_000_000
SECONDS_OF_ADDITIONS = 0.6
"""How long they take on the machine for which targets in seconds are set."""
REASONS = {
    "`check` of one file, 50,000 URLs": "a seventh of the time is the start, a"
    " tenth lxml's parser, a seventh the elements' records, and a third the checks of"
    " each URL. A faster copy of the parser is gone, because it gave false results.",
    "`check` of one file, 50,000 URLs, to xmllint": "it is written in C, and only"
    " compares the file with the schema.",
    "`build` of 3 pages": "the records of pages and settings are made while the program"
    " starts; 0.3 s is less than people notice.",
    "`check` of 3 pages": "as for `build`.",
    "Dates of 90 pages from 200 versions of one catalog": "every fourth version of this"
    " generated catalog moves all places, so that all its messages are compared; dates"
    " of a real one take twice git's time (below).",
    "`build` of a folder": "two fifths of the time, each page is read whole, for links"
    " that say what it is made of; a seventh each, sources are found and pages judged.",
    "`check` of a folder": "a third of the time, each page is read whole, as for"
    " `build`; a sixth, it is compared with the sitemap; an eighth each, sources are"
    " found and pages judged.",
    "`check` of a folder, 50,000 pages of 1 KB": "a third of the time, pages are found"
    " and read; a quarter, each URL is compared with its page; a sixth, pages are"
    " judged as for `build`. To read the sitemap three times takes 7 %.",
    "One page of": "a sixth of a millisecond for each page that did not change: a"
    " quarter of it to describe the page, a quarter for its date, a seventh for the"
    " record, a tenth for what its file says. On 17 public manuals, it is 9 % in the"
    " middle (Rebuilds, below), and 0.07 to 0.45 s.",
    "Import of the plugin": "most is the code of our modules: a quarter of all is for"
    " records and a fifth for expressions that are made; an eighth is that of libraries"
    " which the host has not imported.",
    "Ten times as many pages": "the sizes are measured one after the other, while the"
    " machine's speed changes; both in one process give 9.3.",
    "The last step alone, 1,000,000 pages without files": "half of the time, what hosts"
    " and authors say of a page is checked; a fifth each, its date is chosen and its"
    " XML is written.",
    "The last step alone, 1,000,000 pages without files, which are in a list": "the"
    " list keeps each page beside what the core keeps of it; pages from a generator are"
    " freed.",
    "Dates by any commit": "the fewer commits are on branches, the less there is to"
    " leave out. Half of scipy's and three quarters of xarray's are first parents, a"
    " third of Sphinx's. Of scipy's, git's walk takes 0.87 of the bare one, and"
    " reading it in Python a third more.",
    "Dates by what readers see": "versions of files are read and compared, of which the"
    " bare walk knows nothing.",
    "Pelican, 34,991 pages, without HTML": "two fifths of the time, pages are"
    " described, a third of which Pelican takes to make their URLs and names; a"
    " quarter, they are judged; a fifth, their dates and those of lists are chosen.",
    "Share of a build of 1,000 pages, mkdocs": "its own theme takes 14 ms a page, of"
    " which ours are 0.4.",
    "Share of a build of 1,000 pages, pelican": "Pelican writes these 1,605 pages in 3"
    " ms each, of which ours are 0.4: two fifths for the links of the 653 lists, a"
    " quarter for what pages say in their heads.",
    "Pelican, ": "pelican-sitemap reads neither pages nor git, which are a third of our"
    " time, and checks nothing.",
}
"""Why it is right that a row misses its target, by the row's beginning."""
HEADER = "| measured | target | reached | met |\n|---|---|---|---|\n"


class Row(NamedTuple):
    """One line of the table."""

    measured: str
    target: str
    reached: str
    met: bool

    def reason(self) -> str:
        """Return a line that says why it misses its target; empty if nobody knows."""
        # The longest beginning is about this row alone.
        for beginning in sorted(REASONS, key=len, reverse=True):
            if self.measured.startswith(beginning):
                return f"- {beginning}: {REASONS[beginning]}\n"
        return ""

    def line(self) -> str:
        """Return the line of the table."""
        met = "yes" if self.met else "no"
        return f"| {self.measured} | {self.target} | {self.reached} | {met} |"


def slowness() -> float:
    """Return how much longer this machine takes now than targets in seconds assume."""
    times = []
    for _ in range(3):
        begin = time.process_time()
        total = 0
        for number in range(ADDITIONS):
            total += number
        times.append(time.process_time() - begin)
    return min(times) / SECONDS_OF_ADDITIONS


def timed(measured: str, target: float, reached: float, unit: str = "s") -> Row:
    """Return the line of a time, whose target is for another machine."""
    slower = slowness()
    digits = 2 if reached < 10 else 0
    return Row(
        measured,
        f"{target:g} {unit}, here {target * slower:.{digits}f}",
        f"{reached:.{digits}f} {unit}",
        reached <= target * slower,
    )


def of_scale() -> Iterator[Row]:
    sizes = [scale.measure(count) for count in scale.SIZES]
    largest = sizes[-1]
    name = f"The last step alone, {largest.pages:,} pages without files"
    yield timed(name, 15, largest.seconds)
    for given, megabytes in (
        ("which a generator gives", largest.megabytes),
        ("which are in a list", largest.megabytes_of_list),
    ):
        met = megabytes <= 900
        yield Row(f"{name}, {given}", "900 MB", f"{megabytes:.0f} MB", met)
    for before, size in itertools.pairwise(sizes):
        grown = scale.factor(size, before)
        what = f"Ten times as many pages, {before.pages:,} to {size.pages:,}"
        yield Row(
            what, "11 times as long", f"{grown:.1f}", grown <= scale.MAX_FOR_TENFOLD
        )
    for change, differ in zip(scale.changes(0), largest.differ, strict=True):
        what = f"Files changed of {largest.files}, {change}"
        single = not change.startswith("50")
        yield Row(
            what, "3" if single else "few", f"{differ}", differ <= 3 or not single
        )


def of_pelican() -> Iterator[Row]:
    pages, of_peer, of_ours = pelican_blog.measure(ARTICLES)
    name = f"Pelican, {pages:,} pages"
    alone = of_ours["without HTML and git"]
    what = f"{name}, without HTML and git, a page"
    yield timed(what, 100, alone, "µs")
    ratio = of_ours["all"] / of_peer
    yield Row(
        f"{name}, all, to pelican-sitemap ({of_peer:.0f} µs)",
        "2",
        f"{ratio:.1f}",
        ratio <= 2,
    )


def of_hosts() -> Iterator[Row]:
    for name, host in hosts.HOSTS.items():
        with tempfile.TemporaryDirectory() as scratch_dir:
            share, _ = hosts.measure(host, Path(scratch_dir))
        what = f"Share of a build of {hosts.PAGES:,} pages, {name}"
        yield Row(what, f"{hosts.TARGET:.0%}", f"{share:.1%}", share <= hosts.TARGET)


def of_pages() -> Iterator[Row]:
    """Pages of real themes, to reading each and parsing its head."""
    with tempfile.TemporaryDirectory() as folder:
        for theme, what, ratio, target, micro in pages.measure(
            Path(folder), pages.PAGES
        ):
            each = f"{pages.PAGES:,} pages of {theme} ({micro:.0f} µs each)"
            name = f"{what}, {each}, to the floor"
            yield Row(name, f"{target}", f"{ratio:.1f}", ratio <= target)


def of_inside() -> Iterator[Row]:
    """What people who use a host wait for, besides its own work."""
    for host, before in hosts.IMPORTED_BEFORE.items():
        ms = hosts.import_seconds(host, before) * 1000
        what = f"Import of the plugin inside {host}"
        yield timed(what, 80, ms, "ms")
    with tempfile.TemporaryDirectory() as folder:
        part = catalogs.share(Path(folder))
    count = catalogs.PAGES * len(catalogs.LANGUAGES)
    what = f"Reading {count:,} catalogs for hreflang, share of Sphinx' build"
    yield Row(
        what,
        f"{catalogs.SHARE_TARGET:.0%}",
        f"{part:.1%}",
        part <= catalogs.SHARE_TARGET,
    )
    with tempfile.TemporaryDirectory() as folder:
        seconds, part = hosts.measure_edit(Path(folder))
    what = f"One page of {hosts.EDITED_PAGES:,} changed, Sphinx"
    what += f", in our handlers: {seconds:.2f} s"
    target = hosts.EDIT_TARGET
    yield Row(f"{what}, share of the build", "10%", f"{part:.1%}", part <= target)


def of_git() -> Iterator[Row]:
    """Dates of a long history, to git's own walk and to another plugin.

    The environment variable BENCH_REPOSITORIES names a folder with git directories,
    `OWNER+NAME/repo`; without it, the history is generated.
    """
    found: dict[str, lastmod.Dated] = {}
    if mirrors := os.environ.get("BENCH_REPOSITORIES"):
        for name, folder in lastmod.REAL.items():
            mirror = Path(mirrors, name.replace("/", "+"), "repo")
            found[name] = lastmod.measure_real(mirror, folder)
    else:
        found["a generated history"] = lastmod.measure_long(100_000)
    for name, dated in found.items():
        size = f"{dated.files:,} files, {dated.commits:,} commits"
        what = f"Dates by any commit, {name} ({size}): {dated.any:.2f} s, to"
        ratio = dated.any / dated.walk
        yield Row(f"{what} a bare walk", "1", f"{ratio:.2f}", ratio <= 1)
        what = f"Dates by what readers see, {name}: {dated.content:.2f} s, to"
        ratio = dated.content / dated.walk
        yield Row(f"{what} a bare walk", "2", f"{ratio:.2f}", ratio <= 2)
        ratio = dated.content / dated.peer
        peer = f"sphinx-last-updated-by-git ({dated.peer:.1f} s)"
        yield Row(f"{what} {peer}", "1", f"{ratio:.2f}", ratio <= 1)


def of_check() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        for case in check.cases(Path(folder)):
            seconds, megabytes, _ = check.run(case)
            what = f"`check` of {case.title}"
            if case.most_seconds:
                yield timed(what, case.most_seconds, seconds)
            if case.target.is_file():
                met = megabytes <= check.MAX_MB
                yield Row(what, f"{check.MAX_MB} MB", f"{megabytes:.0f} MB", met)


def of_waiting() -> Iterator[Row]:
    """Where people wait, each beside peers."""
    with tempfile.TemporaryDirectory() as folder:
        (_, ours), *others = check.beside_peers(Path(folder))
        what = f"`check` of one file, {check.URLS:,} URLs"
        yield timed(what, 1, ours)
        for peer, theirs in others:
            name = f"{what}, to {peer} ({theirs:.2f} s)"
            yield Row(name, "1", f"{ours / theirs:.2f}", ours <= theirs)
        for title, peer, ratio, target in check.starts(Path(folder)):
            name = f"{title}, to {peer}"
            yield Row(name, f"{target}", f"{ratio:.1f}", ratio <= target)
    with tempfile.TemporaryDirectory() as folder:
        seconds, bare = catalogs.measure(Path(folder))
    ratio = seconds / bare
    what = (
        f"Dates of {catalogs.DOCUMENTS} pages from {catalogs.VERSIONS} versions of one"
        " catalog, to git's reading of these"
    )
    yield Row(what, f"{catalogs.TARGET}", f"{ratio:.1f}", ratio <= catalogs.TARGET)


PARTS: dict[str, Callable[[], Iterator[Row]]] = {
    "waiting": of_waiting,
    "pages": of_pages,
    "inside": of_inside,
    "git": of_git,
    "scale": of_scale,
    "pelican": of_pelican,
    "check": of_check,
    "hosts": of_hosts,
}


def machine() -> str:
    """Describe the machine, without names."""
    cpu = Path("/proc/cpuinfo")
    lines = cpu.read_text("utf-8").splitlines() if cpu.exists() else []
    models = [
        line.partition(":")[2].strip()
        for line in lines
        if line.startswith("model name")
    ]
    model = models[0] if models else platform.machine()
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    today = datetime.now(UTC).date().isoformat()
    return (
        f"{model}, {os.cpu_count()} cores{load}; {platform.system()}; {python}; {today}"
    )


def sections(page: str) -> dict[str, str]:
    """Return the text of each part of the page by its name."""
    texts = page.split("\n## ")[1:]
    return {text.partition("\n")[0]: text.partition("\n")[2].strip() for text in texts}


def write(name: str) -> list[str]:
    """Run a part, write the page, and return rows that miss their target unexplained."""
    before = machine()
    table = HEADER
    reasons: dict[str, None] = {}
    unexplained = []
    for row in PARTS[name]():
        print(row.line(), flush=True)
        table += f"{row.line()}\n"
        if not row.met:
            reasons[row.reason()] = None
            if not row.reason():
                unexplained.append(row.measured)
    # Somebody can have edited other sections meanwhile.
    done = sections(PAGE.read_text("utf-8")) if PAGE.exists() else {}
    done[name] = f"{before}.\n\n{table}\n{''.join(reasons)}".strip()
    texts = [
        f"\n## {part}\n\n{done[part]}\n" for part in {**PARTS, **done} if part in done
    ]
    PAGE.write_text(INTRODUCTION + "".join(texts), "utf-8")
    return unexplained


def main() -> None:
    """Run the parts, one after the other, and write the page after each."""
    names = sys.argv[1:] or list(PARTS)
    if len(names) == 1:
        unexplained = write(names[0])
        if unexplained:
            sys.exit(f"Say in REASONS why it is right: {'; '.join(unexplained)}")
        return
    # A program of its own for each: the system counts the memory of a program as that
    # of the programs that it starts.
    codes = [subprocess.call([sys.executable, __file__, name]) for name in names]
    sys.exit(max(codes))


if __name__ == "__main__":
    main()
