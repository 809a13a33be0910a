"""Judge one built sitemap, with git, Griffe and a server on loopback.

Of each URL: does it answer, and may the page be indexed? Of each document that the
generator built: is it listed? Of each date: what do the histories of the source and of
the files that were read for the page say, of the Python objects that it shows, and for
a list those of the pages that it shows? What cannot be decided is counted as undecided,
whoever wrote the date.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote
from xml.etree import ElementTree as ET

from benchmarks.truth.bodies import Bodies
from benchmarks.truth.documented import names_in
from benchmarks.truth.excerpts import excerpts
from benchmarks.truth.history import IGNORED, MODES, MOVES, UNSEEN, same_day
from benchmarks.truth.objects import Change, Objects, Shown
from benchmarks.truth.pages import FINE, Site, served

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from benchmarks.truth.building import Built
    from benchmarks.truth.history import History

NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico", ".avif")
CODE = (".py", ".pyi", ".pyx", ".so", ".pyc")
TEXTS = (".md", ".rst", ".txt", ".json", ".yml", ".yaml", ".csv", ".toml")
"""What hooks read, and put into pages."""
STATED = re.compile(
    r"""
    ^[ \t:.\#-]* [\w\ -]*? (modified|update|lastmod|revis|date|created) [\w\ -]*
    ["']?[ \t]* [:=] [^\n\d]*  # The name of a field ends here,
    (\d{4}-\d\d-\d\d)         # and this is its day.
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
"""A line of front matter with a date, of the last change or any."""

PUBLISHED = ("date", "created")
"""What it calls a day that can be that of publication."""

TRUE, CODE_IS_NEWER, MERGES, LATE, FALSE = "true", "code", "merges", "late", "false"
ABSENT, UNDECIDED = "absent", "undecided"
"""Verdicts on dates, with those of history.py."""

SEEN = {TRUE, MOVES, MODES, IGNORED, UNSEEN}
"""Those on dates of changes that readers see."""

NO_SOURCE = "it has no source in the repository"

OF_OBJECTS = "objects "
"""Before the verdicts on dates of pages that show Python objects."""

MANY_PAGES = 10
"""What is read for nearly all of so many pages is their layout."""


class Verdicts(NamedTuple):
    """What was found of one sitemap."""

    counts: Counter[str]
    """By verdict; `urls`, `twice`, `missing` and `unreadable` besides.

    Verdicts on pages that show Python objects are counted again, behind `OF_OBJECTS`.
    """

    notes: list[tuple[str, str, str]]
    """Each verdict with a reason: verdict, URL or file, and the reason."""

    def add(self, verdict: str, place: str, why: str = "") -> None:
        """Count a verdict on a URL or file, and note it if there is a reason."""
        self.counts[verdict] += 1
        if why:
            self.notes.append((verdict, place, why))


class Entry(NamedTuple):
    """One `<url>`, as written."""

    loc: str
    lastmod: str | None


def judge(built: Built, base_url: str, history: History) -> Verdicts:
    """Judge the sitemap of a built site, whose clone has the history."""
    verdicts = Verdicts(Counter(), [])
    with served(built.output_dir, base_url) as fetch:
        site = Site(built.output_dir, base_url, fetch)
        listed = _judge_urls(built, base_url, site, verdicts)
        _judge_missing(built, site, listed.keys(), verdicts)
        with contextlib.closing(_objects(built, history)) as objects:
            _Dates(built, site, history, objects, listed).judge(verdicts)
    return verdicts


def _with_noted(built: Built) -> dict[str, list[str | None]]:
    """Return what was read for each page, with what Nikola notes of it.

    It does so below its cache, after the page is read, in a file with a name for each.
    """
    pages = {}
    for output, files in built.record["pages"].items():
        noted: list[str | None] = []
        path = _path(files[0], built.source) if files else None
        if path:
            note = built.source / "cache" / Path(path).with_suffix(".html.dep")
            names = note.read_text("utf-8").splitlines() if note.is_file() else []
            noted += [str(built.source / name) for name in names]
        pages[output] = [*files, *noted]
    return pages


def _objects(built: Built, history: History) -> Objects:
    """Return what finds the Python objects of a site, which its environment imports."""
    opened = set(built.record["elsewhere"])
    for files in built.record["pages"].values():
        opened.update(filter(None, files))
    env = built.source.parents[1] / "env"
    return Objects(built.source, env, opened, history)


def _judge_urls(
    built: Built, base_url: str, site: Site, verdicts: Verdicts
) -> dict[str, Entry]:
    """Judge all URLs; return the first entry of each output file, or of a dead URL."""
    listed: dict[str, Entry] = {}
    for entry in _readable(built, base_url, verdicts):
        verdicts.counts["urls"] += 1
        verdict, why = site.verdict(entry.loc)
        file = site.file(entry.loc)
        if verdict == FINE and file in listed:
            verdict = "twice"
            why = "its page has been listed before"
        verdicts.add(verdict, entry.loc, why)
        listed.setdefault(file or entry.loc, entry)
    return listed


def _judge_missing(
    built: Built, site: Site, listed: Collection[str], verdicts: Verdicts
) -> None:
    """Note each page that was made of a document, may be indexed, and is not listed."""
    for file in sorted(built.record["pages"].keys() - listed):
        if not file.endswith((".html", ".htm")):
            continue
        if not (built.output_dir / file).is_file():
            continue
        if site.verdict(site.url(file))[0] == FINE:
            verdicts.add("missing", file, "it may be indexed, and is not listed")


def _layout(pages: Collection[Sequence[str | None]]) -> set[str | None]:
    """Return what is read for nearly every page, such as a glossary added to each."""
    count = Counter(file for files in pages for file in files[1:])
    nearly_all = max(0.9 * len(pages), MANY_PAGES)
    everywhere = {file for file, number in count.items() if number >= nearly_all}
    return {file for file in everywhere if not str(file).endswith(".po")}


def _readable(built: Built, base_url: str, verdicts: Verdicts) -> Iterator[Entry]:
    """Yield a sitemap's entries as far as a parser reads it; note where it ends."""
    try:
        yield from entries(built.output_dir, built.sitemap, base_url)
    except (OSError, ValueError, RecursionError, ET.ParseError) as error:
        verdicts.add("unreadable", built.sitemap, str(error))


def entries(output_dir: Path, path: str, base_url: str) -> Iterator[Entry]:
    """Yield the URLs of the sitemap at a path, or of those that an index lists."""
    for _, element in ET.iterparse(output_dir / path):
        loc = (element.findtext(f"{NAMESPACE}loc") or "").strip()
        if element.tag == f"{NAMESPACE}sitemap":
            part = unquote(loc.removeprefix(base_url))
            yield from entries(output_dir, part, base_url)
        elif element.tag == f"{NAMESPACE}url":
            lastmod = (element.findtext(f"{NAMESPACE}lastmod") or "").strip()
            yield Entry(loc, lastmod or None)


class _Dates:
    """The dates of a sitemap, and what the history says of each."""

    def __init__(
        self,
        built: Built,
        site: Site,
        history: History,
        objects: Objects,
        listed: dict[str, Entry],
    ) -> None:
        """Take the entries by output file; those of dead URLs are judged too."""
        self._output_dir = built.output_dir
        self._source = built.source
        self._history = history
        self._objects = objects
        self._listed = listed
        self._pages = _with_noted(built)
        self._shown: dict[str, Shown | None] = {}
        self._layout = _layout(self._pages.values())
        files = [file for file in listed if (built.output_dir / file).is_file()]
        self._lists = {file for file in files if self._is_list(file)}
        urls = {file: listed[file].loc for file in files}
        self._bodies = Bodies(built.output_dir, site, urls, self._lists)
        texts = self._read_elsewhere(built.record["elsewhere"])
        self._of: dict[str, _Sources] = {}
        self._page_of = {}
        for file in files:
            own = _path(self._pages.get(file, [None])[0], self._source)
            if own is not None:
                self._page_of[own] = file
        self._excerpts = excerpts(
            self._bodies.read, texts, self._own_text, self._can_show, history
        )

    def judge(self, verdicts: Verdicts) -> None:
        """Add the verdict on each date."""
        for file, entry in self._listed.items():
            verdict, why = self._verdict(file, entry.lastmod)
            note = f"{entry.lastmod}: {why}" if why else ""
            verdicts.add(verdict, entry.loc, note)
            if self._shown_objects(file):
                verdicts.counts[OF_OBJECTS + verdict] += 1

    def _verdict(self, file: str, lastmod: str | None) -> tuple[str, str]:
        """Return the verdict on the date of a page, and why unless it is plain."""
        if not lastmod:
            return ABSENT, self._sources(file).why or "no date"
        stated = _parsed(lastmod)
        if stated is None:
            return FALSE, "not a date"
        if file in self._lists:
            return self._of_list(file, stated)
        return self._of_page(file, stated)

    def _of_page(self, file: str, stated: date) -> tuple[str, str]:
        """Return the verdict on the date of a page that was made from a document."""
        known = self._sources(file)
        if known.why:
            return UNDECIDED, known.why
        excerpt = self._excerpts.get(file)
        if excerpt and not _is_before(stated, excerpt.added):
            excerpt = None
        for accepted in self._accepted(file):
            if not same_day(stated, accepted.moment):
                continue
            if excerpt:
                break
            is_catalog = _has_catalog(known)
            if is_catalog and accepted.verdict != TRUE:
                return UNDECIDED, "not all changes of a catalog concern the page"
            return accepted.verdict, accepted.why
        if _has_catalog(known):
            return UNDECIDED, "not all changes of a catalog concern the page"
        if excerpt:
            return FALSE, f"it shows a line of {excerpt.file} of {excerpt.added}"
        days = ", ".join(str(each.moment) for each in self._accepted(file))
        return FALSE, f"these would be accepted: {days}"

    def _of_list(self, file: str, stated: date) -> tuple[str, str]:
        """Return the verdict on the date of a list: that of the newest page it shows.

        Each page may have any of its accepted dates, so one of them has to be on this
        day, and each other page has to have one that is not later.
        """
        surely, perhaps = self._bodies.listed(file)
        # A list of lists, such as one of all tags, shows what these show.
        if surely and surely <= self._lists:
            shown = [self._bodies.listed(each) for each in surely]
            surely = set().union(*(some for some, _ in shown)) - {file}
            perhaps = perhaps.union(*(some for _, some in shown))
        # Its own text may be newer.
        perhaps.add(file)
        accepted = {each: self._accepted(each) for each in surely | perhaps}
        surely = {each for each in surely if accepted[each]}
        if not surely:
            return UNDECIDED, "it lists no page whose date is known"
        later = [each for each in surely if _is_later(accepted[each], stated)]
        of_day = []
        for each in sorted(surely | perhaps):
            for one in accepted[each]:
                if not later and same_day(stated, one.moment):
                    why = one.why and f"its page {each}: {one.why}"
                    of_day.append((one.verdict, why))
        for verdict, why in sorted(of_day, key=lambda found: found[0] not in SEEN):
            return verdict, why
        if any(self._is_unknown(each) for each in surely | perhaps):
            return UNDECIDED, "it lists pages whose dates are not known"
        if later:
            return FALSE, f"it lists {later[0]}, which is newer"
        return (
            FALSE,
            f"no page that it lists is of this day: {', '.join(sorted(surely))}",
        )

    def _is_list(self, file: str) -> bool:
        files = self._pages.get(file, [None])
        is_alone = len(files) < 2
        # A plugin made it of no file, and of objects.
        if is_alone and file in self._pages and self._shown_objects(file):
            return False
        return files[0] is None

    def _shown_objects(self, file: str) -> Shown | None:
        """Return what is known of the Python objects that a page shows; None for none.

        Copied pages, and those with the source code of modules, are not documents.
        """
        if file not in self._shown:
            self._shown[file] = None
            if file in self._pages:
                html = (self._output_dir / file).read_text("utf-8", "replace")
                names = names_in(html)
                self._shown[file] = self._objects.shown(names, self._read_for(file))
        return self._shown[file]

    def _is_unknown(self, file: str) -> bool:
        """Tell whether a page was made of a document that the history does not have."""
        return file not in self._lists and bool(self._sources(file).why)

    def _accepted(self, file: str) -> list[_Accepted]:
        """Return what is accepted as the date of a page, best first; empty for none."""
        known = self._sources(file)
        if known.why:
            return []
        found = []
        stated = []
        if known.texts:
            days = _stated_days(self._source, known, self._history)
            for day in map(date.fromisoformat, sorted(days)):
                stated += [_Accepted(TRUE, day, "")]
            found += _by_history(known, self._history)
        shown = self._shown_objects(file)
        if shown:
            found = list(_with_objects(found, shown, self._history))
        found = stated + found
        excerpt = self._excerpts.get(file)
        if excerpt:
            texts = [*known.texts, *sorted(excerpt.files)]
            also = _Sources(texts, known.code, "")
            found += _by_history(also, self._history)
            found.append(_Accepted(TRUE, excerpt.added, ""))
        return found

    def _sources(self, file: str) -> _Sources:
        """Return what a page was made from; of a list, the text of its own."""
        if file not in self._of:
            files = self._pages.get(file, [])
            if file in self._lists:
                files = files[1:2]
            also = [each for each in files[1:] if each not in self._layout]
            known = _Sources.of([*files[:1], *also], self._source, self._history)
            self._of[file] = known
            shown = None if file in self._lists else self._shown_objects(file)
            if shown:
                self._of[file] = known.with_objects(shown)
        return self._of[file]

    def _own_text(self, file: str) -> str:
        """Return the texts that a page was made from, also of installed packages."""
        files = [self._source / path for path in self._sources(file).texts]
        texts = [each.read_text("utf-8", "replace") for each in files]
        return "\n".join([self._read_for(file), *texts])

    def _read_for(self, file: str) -> str:
        """Return the texts, also of modules, that were read for a page."""
        named = [Path(name) for name in self._pages.get(file, ()) if name]
        texts = [each for each in named if each.suffix in {*TEXTS, ".py"}]
        read = [each.read_text("utf-8", "replace") for each in texts if each.is_file()]
        return "\n".join(read)

    def _can_show(self, file: str, path: str) -> bool:
        """Tell whether a page can show a text: it links to the page of that text.

        Of a text that is no page nothing is known.
        """
        page = self._page_of.get(path)
        return page is None or self._bodies.links(file, page)

    def _read_elsewhere(self, files: Sequence[str]) -> dict[str, str]:
        """Return the texts that were read while no page was, by their tracked paths."""
        texts = {}
        for file in files:
            path = _path(file, self._source)
            if path is None or path not in self._history.tracked:
                continue
            if path in self._history.changed or not path.endswith(TEXTS):
                continue
            texts[path] = Path(file).read_text("utf-8", "replace")
        return texts


class _Accepted(NamedTuple):
    """A date that a page may have."""

    verdict: str
    moment: date
    why: str
    """Empty if it is plain."""


def _has_catalog(known: _Sources) -> bool:
    return any(path.endswith(".po") for path in known.texts)


def _is_later(accepted: Iterable[_Accepted], stated: date) -> bool:
    """Tell whether a page is newer than a date, whichever of its own is taken."""
    for each in accepted:
        if same_day(stated, each.moment) or not _is_before(stated, each.moment):
            return False
    return True


def _is_before(one: date, other: date) -> bool:
    """Tell whether a date is before another, each with its time or without."""
    if isinstance(one, datetime) and isinstance(other, datetime):
        return one < other
    first = one.date() if isinstance(one, datetime) else one
    second = other.date() if isinstance(other, datetime) else other
    return first < second


def _by_history(known: _Sources, history: History) -> Iterator[_Accepted]:
    """Yield the dates that the histories of a page's sources give, the best first.

    True is that of the last change that readers see. Of code that is read for a page,
    nothing says whether readers see it, so both dates are accepted.
    """
    everything = [*known.texts, *known.code]
    last = newest(history.last_commit, known.texts)
    of_file = _last_seen(known, history)
    seen = newest(lambda path: of_file[path][0], known.texts) or last
    verdict = TRUE
    why = ""
    if newest(history.last_commit, everything) != last:
        yield from _of_commits(TRUE, everything, history, "")
        verdict = CODE_IS_NEWER
        why = "the code that it documents is newer"
    if seen != last:
        latest = next(path for path in known.texts if history.last_commit(path) == last)
        passed = of_file[latest][1] or MOVES
        yield _Accepted(passed, seen, f"before {last.isoformat()}")
        verdict = LATE
        why = f"readers have seen no change since {seen.isoformat()}"
    yield from _of_commits(verdict, known.texts, history, why)
    change = newest(lambda path: history.last_change(path)[0], known.texts) or last
    if change != last:
        yield _Accepted(LATE, change, why)
    merged = newest(history.last_merge, everything)
    yield _Accepted(MERGES, merged, "when its change was merged")


def _with_objects(
    accepted: Sequence[_Accepted], shown: Shown, history: History
) -> Iterator[_Accepted]:
    """Yield what is accepted of a page with the objects that it shows, the best first.

    `accepted` are the dates of its own text; those before the objects' are out. A
    change of an object that readers may not see is accepted, too; then of the dates
    before it nothing is certain.
    """
    plain = shown.plain
    last = plain.committed if plain else None
    for each in accepted:
        if each.verdict in SEEN and (last is None or each.moment > last):
            last = each.moment
    kept = [each for each in accepted if not last or each.moment >= last]
    if plain and plain.committed == last:
        kept = [*_of_change(TRUE, plain, ""), *kept]
    newer = [each for each in shown.possible if not last or each.committed > last]
    if newer:
        yield from _of_change(TRUE, newer[0], "")
        why = f"readers may have seen the change of {newer[0].name} since"
        for change in newer[1:]:
            yield from _of_change(UNDECIDED, change, why)
        kept = [each._replace(verdict=UNDECIDED, why=why) for each in kept]
        # What readers may have seen of older commits is not known either.
        for path in shown.files:
            for moment in history.commits(path):
                if (last is None or moment > last) and moment < newer[0].committed:
                    yield _Accepted(UNDECIDED, moment, why)
        last = newer[0].committed
    yield from kept
    why = f"no Python object that it shows has changed since {last}"
    yield from _of_commits(LATE, shown.files, history, why)
    merged = newest(history.last_merge, shown.files)
    yield _Accepted(MERGES, merged, "when its change was merged")


def _of_change(verdict: str, change: Change, why: str) -> Iterator[_Accepted]:
    """Yield the committer's and the author's date of a change of an object."""
    yield _Accepted(verdict, change.committed, why)
    yield _Accepted(verdict, change.authored, why)


def _last_seen(
    known: _Sources, history: History
) -> dict[str, tuple[datetime | None, str]]:
    """Return when readers have last seen a change of each file, and what was passed."""
    source, *included = known.texts
    # What is included may be shown as it is, such as in a fence.
    of_file = {path: history.last_change(path) for path in included}
    of_file[source] = history.last_seen(source)
    return of_file


def _of_commits(
    verdict: str, paths: Sequence[str], history: History, why: str
) -> Iterator[_Accepted]:
    """Yield the committer's and the author's date of what git's log names last."""
    yield _Accepted(verdict, newest(history.last_commit, paths), why)
    yield _Accepted(verdict, newest(history.authored, paths), why)


def newest(
    date: Callable[[str], datetime | None], paths: Iterable[str]
) -> datetime | None:
    """Return the newest date of some files; None if none has one."""
    return max(filter(None, map(date, paths)), default=None)


class _Sources(NamedTuple):
    """The tracked files that a page was made from, by their paths in the clone."""

    texts: list[str]
    """The source first, then what it includes."""

    code: list[str]
    """Modules that were read for the page, but which it does not name."""

    why: str
    """Why nothing can be decided, or empty."""

    @classmethod
    def of(
        cls, files: Sequence[str | None], source: Path, history: History
    ) -> _Sources:
        """Sort the files that were read for a page, its source first, all absolute."""
        known = cls([], [], "")
        for number, file in enumerate(dict.fromkeys(files)):
            path = _path(file, source)
            if number == 0 and not _is_known(path, history):
                break
            # A theme's or an extension's, or a file of the build's that is gone.
            if path is None:
                continue
            tracked = path if path in history.tracked else history.original(path)
            if tracked in history.changed:
                tracked = None
            is_text = not path.endswith(CODE + PICTURES)
            if is_text or _is_named(Path(path).name, source, known.texts):
                if tracked:
                    known.texts.append(tracked)
                elif not path.endswith(PICTURES):
                    return cls([], [], f"the build wrote {path}")
            elif path.endswith(CODE) and tracked:
                known.code.append(tracked)
        if not known.texts:
            return cls([], [], NO_SOURCE)
        return known

    def with_objects(self, shown: Shown) -> _Sources:
        """Return the same of a page with objects, for which these modules were read."""
        if self.why and self.why != NO_SOURCE:
            return self
        return _Sources(self.texts, [], shown.why)


def _is_known(path: str | None, history: History) -> bool:
    """Tell whether the history has a file as it is."""
    if path is None:
        return False
    tracked = path if path in history.tracked else history.original(path)
    return tracked is not None and tracked not in history.changed


def _path(file: str | None, source: Path) -> str | None:
    """Return the path in the clone of a file that is there; None for another."""
    if file is None or not Path(file).is_relative_to(source):
        return None
    if not Path(file).is_file():
        return None
    return Path(file).relative_to(source).as_posix()


def _is_named(name: str, source: Path, texts: Sequence[str]) -> bool:
    """Tell whether a file names another, as an include does; the first is not named."""
    if not texts:
        return True
    return any(name in (source / text).read_text("utf-8", "replace") for text in texts)


def _stated_days(source: Path, known: _Sources, history: History) -> set[str]:
    """Return the days that the author states as the last change, in the first lines.

    A day of publication is one if nothing has changed since the first commit, or if
    readers have seen no change since that day.
    """
    path, *included = known.texts
    head = "\n".join((source / path).read_text("utf-8", "replace").splitlines()[:40])
    seen = _last_seen(known, history)
    last = newest(lambda each: seen[each][0], known.texts)
    is_unchanged = not included and history.is_unchanged(path)
    days = set()
    for kind, day in STATED.findall(head):
        if kind.lower() not in PUBLISHED:
            days.add(day)
            continue
        try:
            published = date.fromisoformat(day)
        except ValueError:
            continue
        # The zone of the author's date is not known.
        for each in (-1, 0, 1):
            near = (published + timedelta(each)).isoformat()
            if is_unchanged or (last and last.date().isoformat() <= near):
                days.add(near)
    return days


def _parsed(lastmod: str) -> date | None:
    """Return a sitemap's date, in UTC without a zone; None for another text."""
    try:
        if len(lastmod) == len("2026-01-01"):
            return date.fromisoformat(lastmod)
        moment = datetime.fromisoformat(lastmod)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
