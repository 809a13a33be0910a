"""Write docs/truth.md: for each tool, what was found of its sitemaps; our own faults by name."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.truth.building import OURS, USUAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchmarks.truth.sites import Site, Sites

INTRODUCTION = """\
# How true are sitemaps?

`nox -s truth` writes this page (`benchmarks/truth/`). It builds public sites, each pinned by commit, twice from the
same clone: with a sitemap that sites of that generator usually have, and with ours in its place. A judge that
shares no code with our package then examines both.

- **URLs.** A server on loopback serves the output folder. A URL is *dead* if the answer is not 200, or if it is not
  below the site's address. A page is *not to be indexed* if it says noindex, redirects by a meta refresh, names
  another canonical URL, is an error page, or is disallowed by robots.txt; *twice* are further URLs of a page. A page is
  *missing* if the generator made it of a document, it may be indexed, and no URL leads to it.
- **Dates.** While the generator reads a page, each file that it opens is noted (for Sphinx, its environment names
  them). Pictures count if the page names them. The true date is the newest that `git log -1 -- <file>` gives for the
  source and the files read, the committer's or the author's. A `<lastmod>` is *true* if it is on that day in some zone,
  or on the day that the author states in the page. Three columns are neither true nor false: *moves* are dates of the
  last change before a move (which can have changed the URL), a change of mode, or a commit in
  `.git-blame-ignore-revs`; *code* are dates without those of Python modules that were read for the page, such as those
  it documents; *merges* are dates on which the branch got the change by a merge.
  *Undecided* are dates of pages without a source in the repository, such as lists of articles, of pages whose sources
  the build writes, and of translations, unless they have the date of the newest file. Files that are read for nine of
  ten pages, such as a glossary, count as layout for every tool.
- **Seconds** are those spent in the tool's own functions during the build. For Zensical, ours are those of the whole
  command after it, and its own are not known. Compare sums, not sites: the machine was not idle ({machine}).

We read the verdicts against each tool, and corrected the judge where it was wrong. What it says against us now is
listed below; it is not the last word on a site, so tell us where it errs.

sphinx-sitemap has no dates by default. It is built with those of sphinx-last-updated-by-git (`sitemap_show_lastmod`) and
with `sitemap_url_scheme = "{{link}}"`, but without `sitemap_excludes`, which could leave out search and error pages. The
other tools have the settings that the sites have. MkDocs and pelican-sitemap date pages by the build, which is later
than the pinned commit, as any build without a change is.
"""

COLUMNS = {
    "urls": "URLs",
    "dead": "dead",
    "not to be indexed": "not to be indexed",
    "twice": "twice",
    "missing": "missing",
    "unreadable": "files that XML parsers refuse",
    "true": "true",
    "moves": "moves",
    "code": "code",
    "merges": "merges",
    "false": "false",
    "absent": "absent",
    "undecided": "undecided",
}
"""The columns of the table, by the verdict that each counts."""

DATED = ("true", "moves", "code", "merges", "false")
"""Verdicts on dates that could be decided."""

AGAINST = ("dead", "not to be indexed", "twice", "missing", "unreadable", "false")
"""Verdicts that are faults."""

MOST_FAULTS = 15
"""How many faults of one kind on one site are written out."""


class Judged(NamedTuple):
    """What was found of one site, for each tool."""

    site: Site
    tools: dict[str, Found]


class Found(NamedTuple):
    """What was found of one sitemap."""

    counts: Counter[str]
    notes: Sequence[tuple[str, str, str]]
    """Verdict, URL or file, and why."""

    seconds: float | None


def page(sites: Sites, judged: Sequence[Judged], machine: str) -> str:
    """Return the text of the page."""
    return "\n".join(
        [
            INTRODUCTION.format(machine=machine),
            *_tools(judged),
            *_our_faults(judged),
            *_sites(judged),
            *_not_built(sites),
        ]
    )


def table(judged: Sequence[Judged]) -> Iterator[str]:
    """Yield the rows of the table: the usual tool of each generator, and ours on the same sites."""
    yield f"| | sites | {' | '.join(COLUMNS.values())} | seconds |"
    yield f"|---|{'---:|' * (len(COLUMNS) + 2)}"
    for generator, usual in USUAL.items():
        some = [each for each in judged if each.site.generator == generator]
        if some:
            yield _row(usual, [each.tools[usual] for each in some])
            yield _row(f"{OURS}, same sites", [each.tools[OURS] for each in some])
    yield _row("**all of these**", [each.tools[USUAL[each.site.generator]] for each in judged])
    yield _row(f"**{OURS}**", [each.tools[OURS] for each in judged])


def _row(name: str, found: Sequence[Found]) -> str:
    counts = _sum(found)
    numbers = " | ".join(f"{counts[verdict]:,}" for verdict in COLUMNS)
    known = [each.seconds for each in found if each.seconds is not None]
    seconds = f"{sum(known):.1f}" if known else "?"
    return f"| {name} | {len(found)} | {numbers} | {seconds} |"


def _tools(judged: Sequence[Judged]) -> Iterator[str]:
    usual = _sum(each.tools[USUAL[each.site.generator]] for each in judged)
    ours = _sum(each.tools[OURS] for each in judged)
    yield "## What was found"
    yield ""
    yield (
        f"On {len(judged)} sites, {_false(usual)} that the usual tools write are false, and"
        f" {_false(ours)} of ours. The usual tools list {usual['not to be indexed'] + usual['dead']:,}"
        f" URLs that are dead or not to be indexed and miss {usual['missing']:,} pages; ours list"
        f" {ours['not to be indexed'] + ours['dead']:,} and miss {ours['missing']:,}."
    )
    yield ""
    yield "The columns from *true* to *undecided* count dates."
    yield ""
    yield from table(judged)
    yield ""


def _false(counts: Counter[str]) -> str:
    decided = sum(counts[verdict] for verdict in DATED)
    return f"{counts['false']:,} of {decided:,} dates"


def _sum(found: Iterable[Found]) -> Counter[str]:
    return sum((each.counts for each in found), Counter())


def _our_faults(judged: Sequence[Judged]) -> Iterator[str]:
    yield "## Our faults"
    yield ""
    rows = [row for each in judged for row in _faults_of(each)]
    yield from rows or ["None was found."]
    yield ""


def _faults_of(judged: Judged) -> Iterator[str]:
    notes = judged.tools[OURS].notes
    for kind in AGAINST:
        some = [note for note in notes if note[0] == kind]
        for _, place, why in some[:MOST_FAULTS]:
            yield f"- {judged.site.name}, {kind}: `{place}`, {why}"
        if len(some) > MOST_FAULTS:
            yield f"- {judged.site.name}, {kind}: {len(some) - MOST_FAULTS} more of this kind"


def _sites(judged: Sequence[Judged]) -> Iterator[str]:
    yield "## The sites"
    yield ""
    yield "| site | commit | generator | of interest | URLs |"
    yield "|---|---|---|---|---:|"
    for site, tools in judged:
        link = f"[{site.repository}](https://github.com/{site.repository}/tree/{site.commit})"
        kinds = ", ".join(site.kinds)
        urls = tools[OURS].counts["urls"]
        yield f"| {link} | {site.commit[:12]} | {site.generator} | {kinds} | {urls:,} |"
    yield ""


def _not_built(sites: Sites) -> Iterator[str]:
    yield "## Left out"
    yield ""
    yield from (f"- {repository}: {reason}" for repository, reason in sites.not_built.items())
    yield ""
