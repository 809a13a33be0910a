"""Write docs/truth.md: what was found of each tool's sitemaps; our faults by name."""

from __future__ import annotations

import textwrap
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.truth.building import FOLDERS, OURS, USUAL
from benchmarks.truth.judge import OF_OBJECTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchmarks.truth.sites import Site, Sites

INTRODUCTION = """\
# How true are sitemaps?

`nox -s truth` writes this page (`benchmarks/truth/`). It builds public sites, each pinned by commit, twice: with the
generator's usual sitemap, and with ours and its defaults. For Zensical, Nikola, Hugo, Antora and Starlight, ours is the
command `sitemap-plugins build` after the generator. A judge that shares no code with our package then examines both.

- **URLs.** A server on loopback serves the output folder. A URL is *dead* if it is not below the site's address, or
  the answer is not 200. A page is *not to be indexed* if it says noindex, redirects by a meta refresh, names another
  canonical URL, is an error page, or is disallowed by robots.txt. Further URLs of the same page count as *twice*. A
  page is *missing* if it was built from a document, may be indexed, and is not in the sitemap; lists and copied HTML
  files are not checked.
- **Dates.** The files that the generator opens for a page are recorded (for Sphinx, also those that it reports), and
  pictures that the page names. `git log -1 -- <file>` names their newest commit, or, if readers do not see what that
  changed, the one before it. A `<lastmod>` is *true* if it is on the committer's or
  author's day of that commit, in some time zone, or on the day that the author states in the page.
    - *moves*, *modes*, *ignored*, *unseen*: also true, and newer commits do not count: a move (which can have changed
      the URL), a change of the file's mode, a commit in `.git-blame-ignore-revs`, or one that readers do not see;
    - *late*: the day of such a newer commit, so it is too new;
    - *code*: true, but Python modules that were read for the page are newer, and it shows none of their objects; for
      pages that do, [see below](#pages-of-api-documentation);
    - *merges*: the day on which the change was merged.

    A list (a blog's front page, an archive, a tag) is judged by the newest of the pages to which its own content links,
    not counting links that most pages of its language or seven in ten of its lists have, nor those within the text of a
    page that it shows. A page that shows a line of a file which a hook read before the first page is at least as new as
    that line, if it links to the page of that file, where there is one. A date is *undecided* if the page has no source
    in the repository and lists no page with a source, if the build wrote the source, or if the page is translated by
    catalogs (.po) and the date is not that of the newest file. Files read for at least nine in ten pages are layout and
    date no page. Documented packages are installed from the package index.
- **Seconds** are the processor's in the tool's own functions during the build, and in git. For generators with the
  command, ours are those of the command, and theirs are not known; the last two rows leave these out. Ours include
  writing a [record](lastmod.md#the-record-all-of-it-in-one-file), for the numbers in brackets below.
  Compare sums, not sites ({machine}). All builds together took {minutes:.0f} minutes.

We read the verdicts against each tool, and corrected the judge where it was wrong. Please report what is still wrong.

The tools have the settings of their sites. sphinx-sitemap has no dates by default. It is built with those of
sphinx-last-updated-by-git (`sitemap_show_lastmod`) and with `sitemap_url_scheme = "{{link}}"`, but without
`sitemap_excludes`, which could leave out search and error pages. MkDocs, ProperDocs, Nikola and Antora date every page
by the build, which is later than the pinned commit, so these dates are false even if nothing has changed.
pelican-sitemap dates articles by `Modified` or `Date`, and other pages by the build. Hugo asks git, as this site's
settings say. Starlight (its sitemap is that of @astrojs/sitemap) has no dates.
"""

OF_API = """\
The judge finds the objects in the HTML: mkdocstrings, autodoc and sphinx-autoapi give each an anchor with its dotted
name, autosummary links what it lists, and mkautodoc writes the names. [Griffe](https://mkdocstrings.github.io/griffe/),
the reader of mkdocstrings, finds the file where each is defined, and what it inherits, and reads its versions along
`git log --follow`. There are two kinds of change:

- *plain*: of the docstring, and of the names, order and defaults of parameters (in a table, of the first paragraph).
  A date before the newest plain change of what the page shows is false. An object that moves to another module with
  its docstring has not changed;
- *possible*: of anything else that Griffe reads, such as annotations, values, decorators, bases, and which members
  there are (in a table, of the signature). Settings and themes decide whether readers see it. The newest of these is
  true as well; if there is one, older dates are undecided.

The text of the page counts as on any other page. A later day is *late* if it is that of a commit to the modules which
changed none of this, or of a merge; any other is false. A page is undecided if it shows an object that the repository
does not have, or an installed version that differs, or one without a name (`:no-index:`).
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
    "modes": "modes",
    "ignored": "ignored",
    "unseen": "unseen",
    "late": "late",
    "code": "code",
    "merges": "merges",
    "false": "false",
    "absent": "absent",
    "undecided": "undecided",
}
"""The columns of the table, by the verdict that each counts.

Those without any are left out, except for `AGAINST_DATES`.
"""

RIGHT = ("true", "moves", "modes", "ignored", "unseen")
"""Verdicts on dates of the last change that readers see."""

BETWEEN = ("late", "code", "merges")
"""Verdicts on dates that are neither right nor false."""

AGAINST_DATES = ("late", "false")
"""Verdicts on dates that are faults."""

AGAINST_URLS = ("dead", "not to be indexed", "twice", "missing", "unreadable")
"""Other verdicts that are faults."""

MAX_FAULTS = 1
"""How many faults of one kind on one site are written out."""

MAX_WHY = 120
"""How many characters of the reason of a fault are written out."""


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
    """Those of the tool; None if they are not known."""

    build: float
    """Seconds of the whole build."""


def page(sites: Sites, judged: Sequence[Judged], machine: str) -> str:
    """Return the text of the page."""
    seconds = 0.0
    for each in judged:
        seconds += sum(found.build for found in each.tools.values())
    lines = [INTRODUCTION.format(machine=machine, minutes=seconds / 60)]
    lines += _tools(judged)
    lines += _moved(judged)
    lines += _pages_of_objects(judged)
    lines += _our_faults(sites, judged)
    lines += _sites(judged)
    lines += _not_run(sites, judged)
    lines += _not_built(sites)
    return "\n".join(lines)


def table(judged: Sequence[Judged]) -> Iterator[str]:
    """Yield the rows of the table: each generator's usual tool, and ours on its sites."""
    everything = _sum([*_usual(judged), *_ours(judged)])
    columns = {
        each: name
        for each, name in COLUMNS.items()
        if everything[each] or each in AGAINST_DATES
    }
    yield f"| | sites | {' | '.join(columns.values())} | seconds |"
    yield f"|---|{'---:|' * (len(columns) + 2)}"
    for generator, usual in USUAL.items():
        some = [each for each in judged if each.site.generator == generator]
        if some:
            yield _row(usual, columns, _usual(some), timed=_usual(some))
            yield _row(f"{OURS}, same sites", columns, _ours(some), timed=_ours(some))
    timed = [each for each in judged if each.site.generator not in FOLDERS]
    yield _row("**all of these**", columns, _usual(judged), timed=_usual(timed))
    yield _row(f"**{OURS}**", columns, _ours(judged), timed=_ours(timed))


def _row(
    name: str, columns: Iterable[str], found: Sequence[Found], *, timed: Sequence[Found]
) -> str:
    counts = _sum(found)
    numbers = " | ".join(f"{counts[verdict]:,}" for verdict in columns)
    known = [each.seconds for each in timed if each.seconds is not None]
    seconds = f"{sum(known):.1f}" if known else "?"
    return f"| {name} | {len(found)} | {numbers} | {seconds} |"


def _usual(judged: Iterable[Judged]) -> list[Found]:
    return [each.tools[USUAL[each.site.generator]] for each in judged]


def _ours(judged: Iterable[Judged]) -> list[Found]:
    return [each.tools[OURS] for each in judged]


def _tools(judged: Sequence[Judged]) -> Iterator[str]:
    usual, ours = _sum(_usual(judged)), _sum(_ours(judged))
    yield "## What was found"
    yield ""
    yield (
        f"On {len(judged)} sites, git can decide {_decided(usual):,} dates of the usual"
        f" tools, of which {usual['false']:,} are false, and {_decided(ours):,} of ours,"
        f" of which {ours['false']:,} are false ({_between(usual):,} of theirs and"
        f" {_between(ours):,} of ours are neither true nor false). The usual tools list"
        f" {_wrong(usual):,} URLs that are dead or not to be indexed and miss"
        f" {usual['missing']:,} pages; ours list {_wrong(ours):,} and miss"
        f" {ours['missing']:,}."
    )
    yield ""
    yield "The columns from *true* to *undecided* count dates."
    yield ""
    yield from table(judged)
    yield ""


def _moved(judged: Sequence[Judged]) -> Iterator[str]:
    found = _sum(_ours(judged))
    yield "## Only what readers see"
    yield ""
    yield (
        "By default, a date of ours is that of the"
        " [last change that readers see](lastmod.md#only-what-readers-see)."
        f" {found['moved']:,} of our {found['urls']:,} dates passed over newer commits"
        " for that (in brackets below)."
        f" Of the dates that should have moved so, {found['late']:,} did not (*late*)."
    )
    yield ""


def _pages_of_objects(judged: Sequence[Judged]) -> Iterator[str]:
    yield "## Pages of API documentation"
    yield ""
    yield OF_API
    yield "| site | tool | pages | true | late | false | absent | undecided |"
    yield "|---|---|---:|---:|---:|---:|---:|---:|"
    of_usual: Counter[str] = Counter()
    of_ours: Counter[str] = Counter()
    for site, tools in judged:
        usual = _of_objects(tools[USUAL[site.generator]])
        ours = _of_objects(tools[OURS])
        if not ours:
            continue
        of_usual += usual
        of_ours += ours
        yield _row_of_objects(f"{site.repository} | {USUAL[site.generator]}", usual)
        yield _row_of_objects(f" | {OURS}", ours)
    yield _row_of_objects("**all** | the usual tools", of_usual)
    yield _row_of_objects(f" | **{OURS}**", of_ours)
    yield ""


def _of_objects(found: Found) -> Counter[str]:
    """Return the verdicts on the pages that show Python objects."""
    counts: Counter[str] = Counter()
    for verdict, number in found.counts.items():
        if verdict.startswith(OF_OBJECTS):
            counts[verdict.removeprefix(OF_OBJECTS)] = number
    return counts


def _row_of_objects(about: str, counts: Counter[str]) -> str:
    right = sum(counts[verdict] for verdict in RIGHT)
    late = _between(counts)
    others = [counts[verdict] for verdict in ("false", "absent", "undecided")]
    numbers = [counts.total(), right, late, *others]
    return f"| {about} | {' | '.join(f'{number:,}' for number in numbers)} |"


def _decided(counts: Counter[str]) -> int:
    right = sum(counts[verdict] for verdict in RIGHT)
    return right + counts["false"] + _between(counts)


def _between(counts: Counter[str]) -> int:
    return sum(counts[verdict] for verdict in BETWEEN)


def _wrong(counts: Counter[str]) -> int:
    return counts["not to be indexed"] + counts["dead"]


def _sum(found: Iterable[Found]) -> Counter[str]:
    return sum((each.counts for each in found), Counter())


def _our_faults(sites: Sites, judged: Sequence[Judged]) -> Iterator[str]:
    yield "## Our faults"
    yield ""
    found = {each.site.name: [*_faults_of(each)] for each in judged}
    rows = [*chain.from_iterable(found.values())]
    yield from rows or ["None was found."]
    yield ""
    known = {name: why for name, why in sites.about_faults.items() if found.get(name)}
    if known:
        yield "Read by hand since:"
        yield ""
        for name, why in known.items():
            yield f"- {name}: {why}."
        yield ""


def _faults_of(judged: Judged) -> Iterator[str]:
    name = judged.site.name
    notes = judged.tools[OURS].notes
    for kind in (*AGAINST_URLS, *AGAINST_DATES):
        some = [note for note in notes if note[0] == kind]
        for _, place, why in some[:MAX_FAULTS]:
            reason = textwrap.shorten(why, MAX_WHY, placeholder=" …")
            yield f"- {name}, {kind}: `{place}`, {reason}"
        if len(some) > MAX_FAULTS:
            yield f"- {name}, {kind}: {len(some) - MAX_FAULTS} more of this kind"


def _sites(judged: Sequence[Judged]) -> Iterator[str]:
    kinds = Counter(chain.from_iterable(each.site.kinds for each in judged))
    yield "## The sites"
    yield ""
    yield f"Chosen for: {', '.join(f'{k} ({n})' for k, n in kinds.most_common())}."
    yield ""
    yield (
        "After each is the number of URLs that we list and, in brackets, of dates that"
        " passed over newer commits."
    )
    yield ""
    for generator, usual in USUAL.items():
        some = [each for each in judged if each.site.generator == generator]
        if some:
            yield f"**{usual}:** {', '.join(map(_site, some))}."
            yield ""


def _site(judged: Judged) -> str:
    """Return a link to a site's sources, and what was counted of our sitemap."""
    ours = judged.tools[OURS].counts
    moved = f" ({ours['moved']:,})" if ours["moved"] else ""
    return f"{_link(judged.site)} {ours['urls']:,}{moved}"


def _link(site: Site) -> str:
    tree = f"https://github.com/{site.repository}/tree/{site.commit}"
    return f"[{site.repository}]({tree})"


def _not_run(sites: Sites, judged: Sequence[Judged]) -> Iterator[str]:
    """Yield which sites of the list are not in the page's numbers."""
    known = {each.site for each in judged}
    missing = [_link(site) for site in sites.sites if site not in known]
    if missing:
        yield f"**Not built in this run:** {', '.join(missing)}."
        yield ""


def _not_built(sites: Sites) -> Iterator[str]:
    yield "## Left out"
    yield ""
    for repository, reason in sites.not_built.items():
        yield f"- {repository}: {reason}"
    yield ""
