"""Judge one built sitemap, with nothing but the standard library, git and a server on loopback.

Of each URL: does it answer, and may the page be indexed? Of each document that the
generator
built: is it listed? Of each date: what do the histories of the source and of the files
that were read for the page say? What cannot be decided is counted as undecided, whoever
wrote the date.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote
from xml.etree import ElementTree as ET

from benchmarks.truth.history import MOVES, UNSEEN, same_day
from benchmarks.truth.pages import FINE, Site, served

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from benchmarks.truth.building import Built
    from benchmarks.truth.history import History

NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico", ".avif")
CODE = (".py", ".pyi", ".pyx", ".so", ".pyc")
STATED = re.compile(
    r"^[ \t:.#-]*[\w -]*?(modified|update|lastmod|revis|date)[\w -]*[\"']?[ \t]*[:=][^\n\d]*"
    r"(\d{4}-\d\d-\d\d)",
    re.IGNORECASE | re.MULTILINE,
)
"""A line of front matter with a date, as the author writes it: of the last change, or any."""

TRUE, CODE_IS_NEWER, MERGES, FALSE = "true", "code", "merges", "false"
ABSENT, UNDECIDED = "absent", "undecided"
"""Verdicts on dates, with those of history.py."""

MANY_PAGES = 10
"""What is read for nearly all of so many pages is their layout."""


class Verdicts(NamedTuple):
    """What was found of one sitemap."""

    counts: Counter[str]
    """By verdict; `urls`, `twice`, `missing` and `unreadable` besides."""

    notes: list[tuple[str, str, str]]
    """Each verdict with a reason: verdict, URL or file, and the reason."""

    def add(self, verdict: str, place: str, why: str = "") -> None:
        """Count a verdict on a URL or file, and note it if there is a reason to give."""
        self.counts[verdict] += 1
        if why:
            self.notes.append((verdict, place, why))


class Entry(NamedTuple):
    """One `<url>`, as written."""

    loc: str
    lastmod: str | None


def judge(
    built: Built, base_url: str, history: History, *, content: bool = False
) -> Verdicts:
    """Judge the sitemap of a built site, whose clone has the history.

    With `content`, a date may be that of the last change that readers see.
    """
    verdicts = Verdicts(Counter(), [])
    pages = built.record["pages"]
    with served(built.output_dir, base_url) as fetch:
        site = Site(built.output_dir, base_url, fetch)
        listed: dict[str, Entry] = {}
        for entry in _readable(built.output_dir, base_url, verdicts):
            verdicts.counts["urls"] += 1
            verdict, why = site.verdict(entry.loc)
            if verdict == FINE and site.file(entry.loc) in listed:
                verdict, why = "twice", "its page has been listed before"
            verdicts.add(verdict, entry.loc, why)
            listed.setdefault(site.file(entry.loc) or entry.loc, entry)
        for file in sorted(pages.keys() - listed.keys()):
            is_page = (
                file.endswith((".html", ".htm")) and (built.output_dir / file).is_file()
            )
            if is_page and site.verdict(site.url(file))[0] == FINE:
                verdicts.add("missing", file, "it may be indexed, and is not listed")
    layout = _layout(pages.values())
    for file, entry in listed.items():
        files = pages.get(file, [])
        files = files[:1] + [each for each in files[1:] if each not in layout]
        verdicts.add(*_date(entry, files, built.source, history, content=content))
    return verdicts


def _layout(pages: Collection[Sequence[str | None]]) -> set[str | None]:
    """Return what is read for nearly every page, such as a glossary that is appended to each."""
    count = Counter(file for files in pages for file in files[1:])
    nearly_all = max(0.9 * len(pages), MANY_PAGES)
    everywhere = {file for file, number in count.items() if number >= nearly_all}
    return {file for file in everywhere if not str(file).endswith(".po")}


def _readable(output_dir: Path, base_url: str, verdicts: Verdicts) -> Iterator[Entry]:
    """Yield the entries of a sitemap as far as a parser reads it, and note where it ends."""
    try:
        yield from entries(output_dir, "sitemap.xml", base_url)
    except (OSError, ValueError, RecursionError, ET.ParseError) as error:
        verdicts.add("unreadable", "sitemap.xml", str(error))


def entries(output_dir: Path, path: str, base_url: str) -> Iterator[Entry]:
    """Yield the URLs of the sitemap at a path, or of those that an index lists, in order."""
    for _, element in ET.iterparse(output_dir / path):
        loc = (element.findtext(f"{NAMESPACE}loc") or "").strip()
        if element.tag == f"{NAMESPACE}sitemap":
            yield from entries(
                output_dir, unquote(loc.removeprefix(base_url)), base_url
            )
        elif element.tag == f"{NAMESPACE}url":
            yield Entry(
                loc, (element.findtext(f"{NAMESPACE}lastmod") or "").strip() or None
            )


def _date(
    entry: Entry,
    files: Sequence[str | None],
    source: Path,
    history: History,
    *,
    content: bool,
) -> tuple[str, str, str]:
    """Return the verdict on a date, the URL, and why unless it is plain.

    `files` are those read for the page, its source first; empty if the generator made
    it of none.
    """
    known = _Sources.of(files, source, history)
    stated = _parsed(entry.lastmod) if entry.lastmod else None
    if not entry.lastmod:
        verdict, why = ABSENT, known.why or "no date"
    elif stated is None:
        verdict, why = FALSE, "not a date"
    elif known.why:
        verdict, why = UNDECIDED, known.why
    elif _says(source, known.texts[0], entry.lastmod[:10], history, content=content):
        verdict, why = TRUE, ""
    else:
        verdict, why = _by_history(stated, known, history)
        last = (
            newest(history.last_seen, known.texts)
            if content and verdict == FALSE
            else None
        )
        if last and same_day(stated, last):
            verdict, why = UNSEEN, f"the last change that readers see; {why}"
    return verdict, entry.loc, f"{entry.lastmod}: {why}" if why else ""


def _by_history(stated: date, known: _Sources, history: History) -> tuple[str, str]:
    """Return the verdict on a date of a page whose sources are known, and why unless it is true."""
    everything = [*known.texts, *known.code]
    if any(
        same_day(stated, newest(of, everything))
        for of in (history.last_commit, history.authored)
    ):
        return TRUE, ""
    if any(path.endswith(".po") for path in known.texts):
        return UNDECIDED, "not all changes of a catalog concern the page"
    last = newest(history.last_commit, known.texts)
    if same_day(stated, last):
        return CODE_IS_NEWER, "the code that it documents is newer"
    change = newest(lambda path: history.last_change(path)[0], known.texts) or last
    if same_day(stated, change):
        latest = next(path for path in known.texts if history.last_commit(path) == last)
        return history.last_change(latest)[1] or MOVES, f"before {last.isoformat()}"
    if same_day(stated, newest(history.last_merge, everything)):
        return MERGES, "when its change was merged"
    return FALSE, f"git says {last.isoformat()}, or {change.isoformat()} without moves"


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
        texts, code = [], []
        for number, file in enumerate(dict.fromkeys(files)):
            path = _path(file, source)
            if path is None:
                if number == 0:
                    break
                continue  # A theme's or an extension's, or a file of the build's that is gone.
            tracked = path if path in history.tracked else history.original(path)
            if tracked in history.changed:
                tracked = None
            if not path.endswith(CODE + PICTURES) or _is_named(
                Path(path).name, source, texts
            ):
                if tracked:
                    texts.append(tracked)
                elif not path.endswith(PICTURES):
                    return cls([], [], f"the build wrote {path}")
            elif path.endswith(CODE) and tracked:
                code.append(tracked)
        return cls(texts, code, "" if texts else "it has no source in the repository")


def _path(file: str | None, source: Path) -> str | None:
    """Return the path in the clone of a file that is there; None for another."""
    if (
        file is None
        or not Path(file).is_relative_to(source)
        or not Path(file).is_file()
    ):
        return None
    return Path(file).relative_to(source).as_posix()


def _is_named(name: str, source: Path, texts: Sequence[str]) -> bool:
    """Tell whether any of these files names another, as an include does; the first is not named."""
    return not texts or any(
        name in (source / text).read_text("utf-8", "replace") for text in texts
    )


def _says(
    source: Path, path: str, day: str, history: History, *, content: bool
) -> bool:
    """Tell whether the author wrote this day of a change into the first lines of the source.

    A day of publication is one if the source has not changed since its first commit,
    or, with `content`, if readers have seen no change since that day.
    """
    head = "\n".join((source / path).read_text("utf-8", "replace").splitlines()[:40])
    found = [(kind.lower() == "date", said) for kind, said in STATED.findall(head)]
    if (False, day) in found or ((True, day) in found and history.is_unchanged(path)):
        return True
    last = (
        history.last_seen(path)
        if content and any(is_first for is_first, _ in found)
        else None
    )
    # The zone of the author's date is not known.
    near = {str(date.fromisoformat(day) + timedelta(days)) for days in (-1, 0, 1)}
    is_near = any(is_first and said in near for is_first, said in found)
    return is_near and last is not None and last.date().isoformat() <= day


def _parsed(lastmod: str) -> date | None:
    """Return what a sitemap's date says, in UTC if its time has no zone; None for another text."""
    try:
        if len(lastmod) == len("2026-01-01"):
            return date.fromisoformat(lastmod)
        moment = datetime.fromisoformat(lastmod)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
