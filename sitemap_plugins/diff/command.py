"""`sitemap-plugins diff`: how two sitemaps differ."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from itertools import chain, islice
from typing import TYPE_CHECKING, Protocol, cast

import click
from rich.text import Text

from sitemap_plugins.cli.arguments import (
    Argument,
    base_url_type,
    flag_option,
    format_option,
    quiet_option,
    text_option,
)
from sitemap_plugins.cli.commands import FOUND
from sitemap_plugins.cli.console import Output
from sitemap_plugins.core import urls
from sitemap_plugins.core.kept_record import read_kept, with_subjects
from sitemap_plugins.core.messages import (
    OptionsError,
    printable,
    without_password,
)
from sitemap_plugins.core.records import Explanation
from sitemap_plugins.diff.comment import FATES, Links, comment
from sitemap_plugins.sitemaps.changes import UrlChange, find_changes
from sitemap_plugins.sitemaps.locations import (
    FileLocation,
    Location,
    find_locations,
)
from sitemap_plugins.sitemaps.parts import all_elements
from sitemap_plugins.sitemaps.web import Web

if TYPE_CHECKING:
    from sitemap_plugins.sitemaps.removed import Removed  # It is slow to import.

_MARKS = {"added": ("+", "green"), "removed": ("-", "red"), "changed": ("~", "yellow")}

_FURTHER = (
    "sitemap_plugins.live.removed",
    "sitemap_plugins.moved.removed",
)
"""The wings that know what became of removed URLs: each module is a `FindsRemoved`."""

_REQUESTS_A_SECOND = 10
"""At most, of those about removed URLs; as `check` by default."""

_FORM = "Output format; urls: only URLs; markdown: a comment on a pull request."
_PREVIEW = "Where a preview of NEW is; pages in Markdown link to it."
_WITHOUT = "leave it out: the comment names removed pages without a redirect"


@click.command()
@click.argument("old", cls=Argument)
@click.argument("new", cls=Argument)
@format_option(("json", "urls", "markdown"), _FORM)
@text_option("--preview", "URL", _PREVIEW, type=base_url_type, default="")
@flag_option("--urls", "Compare only URLs, not their dates.", "only_urls")
@flag_option(
    "--require-redirects",
    "Print only removed URLs that have no redirect and no longer answer.",
)
@quiet_option("Print nothing; see the exit code.")
def diff(  # noqa: PLR0913 one parameter for each option
    old: str,
    new: str,
    *,
    form: str,
    preview: str,
    only_urls: bool,
    require_redirects: bool,
    quiet: bool,
) -> None:
    """Print the URLs that NEW adds to OLD, removes from it, or gives another date.

    OLD and NEW are sitemap files, folders with one, URLs, or git:REVISION:PATH for a
    committed file. The parts of an index are read too. A date that only one of them has
    is not a difference.

    \b
    Examples:
      sitemap-plugins diff https://example.com/sitemap.xml site
      sitemap-plugins diff git:gh-pages:sitemap.xml site --format urls
      sitemap-plugins diff https://example.com/ site --require-redirects

    Exits with 0 if there is no difference, with 1 if there is one, with 2 if the
    command cannot run. With --require-redirects, only a removed URL without a redirect
    is a difference.
    """
    if require_redirects and form == "markdown":
        msg = "--require-redirects does not write Markdown"
        raise OptionsError(msg, cure=_WITHOUT)
    output = Output(quiet=quiet, verbose=False)
    output.step("Comparing the sitemaps")
    counts: Counter[str] = Counter()
    rate = _REQUESTS_A_SECOND if require_redirects else None
    with Web(rate=rate) as web:
        before = find_locations(old, web=web, environ=os.environ)
        now = find_locations(new, web=web, environ=os.environ)
        sides = _Sides(before, now, web, output)
        changes = sides.changes()
        if only_urls:
            changes = (change for change in changes if change.kind != "changed")
        if require_redirects:
            found = sides.find_removed(_removed_in(changes))
            lines = _removed(found, form, counts)
        elif form == "markdown":
            lines = sides.in_markdown(changes, counts, preview)
        else:
            changes = _counted(changes, counts)
            # If a sitemap cannot be read, nothing is printed.
            changes = chain(list(islice(changes, 1)), changes)
            lines = _FORMATS[form](changes, counts, _recorded(now))
        for line in lines:
            if form == "text":
                output.line(line)
            elif not quiet:
                output.data(f"{line}\n")
    is_different = bool(counts)
    if require_redirects:
        is_different = counts["missing"] > 0
    if is_different:
        raise click.exceptions.Exit(FOUND)


def _removed_in(changes: Iterable[UrlChange]) -> list[str]:
    return [change.url for change in changes if change.kind == "removed"]


class FindsRemoved(Protocol):
    """A module that knows what became of removed URLs, by where the new sitemap is."""

    @staticmethod
    def find_removed(
        removed: Sequence[str],
        locations: Sequence[Location],
        web: Web,
        output: Output,
        /,
    ) -> Iterable[Removed] | None:
        """Look for the removed URLs; None if the last location is of another kind.

        Raises:
            OptionsError: The address of a folder is not known.
        """


@dataclass(frozen=True, slots=True)
class _Sides:
    """The two sitemaps, and what they are read and looked up with."""

    old: Sequence[Location]
    new: Sequence[Location]
    web: Web
    output: Output

    def changes(self) -> Iterator[UrlChange]:
        """Yield what differs."""
        return find_changes(
            self.output.track(all_elements(self.old), "Reading the old sitemap"),
            self.output.track(all_elements(self.new), "Reading the new sitemap"),
        )

    def in_markdown(
        self, changes: Iterable[UrlChange], counts: Counter[str], preview: str
    ) -> Iterator[str]:
        """Return the lines of a comment, with links into a preview."""
        every = [*_counted(changes, counts)]
        gone = self._became(_removed_in(every))
        listed = (str(element.get("loc")) for element in all_elements(self.new))
        return comment(every, gone, counts, Links.of(listed, preview))

    def _became(self, removed: Sequence[str]) -> dict[str, Removed]:
        """Return what a built folder shows of removed URLs, by URL.

        The result is empty for a sitemap on a server, in a commit, or without its
        folder.
        """
        if not isinstance(self.new[0], FileLocation):
            return {}
        with suppress(OptionsError):
            return {each.url: each for each in self.find_removed(removed)}
        return {}

    def find_removed(self, removed: Sequence[str]) -> Iterable[Removed]:
        """Look for removed URLs where the new sitemap is.

        Raises:
            OptionsError: That is a commit, or a folder whose address is not known.
        """
        for name in _FURTHER:
            wing = cast("FindsRemoved", import_module(name))
            found = wing.find_removed(
                removed, (*self.old, *self.new), self.web, self.output
            )
            if found is not None:
                return found
        msg = f"{self.new[0].name} does not show whether removed URLs redirect"
        raise OptionsError(msg, cure="name a built folder or the URL of its site")


def _recorded(new: Sequence[Location]) -> Mapping[str, Explanation]:
    """Return why URLs have their dates, as the build of the new sitemap decided.

    Keys are as `urls.identity` returns them. The result is empty if no build on this
    machine wrote the sitemap.
    """
    found = {}
    for location in new:
        record = None
        if isinstance(location, FileLocation):
            record = read_kept(location.path)
        if record is None:
            continue
        for row in with_subjects(record.pages, os.environ):
            if row.reason:
                found[urls.identity(row.url)] = row.reason
    return found


def _reason(change: UrlChange, recorded: Mapping[str, Explanation]) -> str:
    """Return the file and the commit that gave a URL its new date; empty if unknown."""
    why = recorded.get(urls.identity(change.url))
    if why is None or why.origin is None:
        return ""
    # These words name the file already.
    if why.how or why.origin.excerpt:
        return why.words
    return f"{why.origin.file}: {why.words}"


def _counted(changes: Iterable[UrlChange], counts: Counter[str]) -> Iterator[UrlChange]:
    for change in changes:
        counts[change.kind] += 1
        yield change


def _text(
    changes: Iterable[UrlChange],
    counts: Counter[str],
    recorded: Mapping[str, Explanation],
) -> Iterator[str | Text]:
    for change in changes:
        mark, colour = _MARKS[change.kind]
        dates = f"  {change.old} → {change.new}"
        line = f"{mark} {change.url}{dates if change.kind == 'changed' else ''}"
        yield Text(printable(line), colour)
        reason = _reason(change, recorded)
        if reason:
            yield f"    {reason}"
    words = [f"{counts[kind]:,} {kind}" for kind in _MARKS if counts[kind]]
    yield ", ".join(words) or "no difference"


def _json(
    changes: Iterable[UrlChange],
    counts: Counter[str],
    recorded: Mapping[str, Explanation],
) -> Iterator[str]:
    """Yield one JSON document in lines, one for each change."""
    yield '{"changes": ['
    comma = ""
    for change in changes:
        url = without_password(change.url)
        value = {
            "change": change.kind,
            "url": url,
            "old": change.old,
            "new": change.new,
        }
        reason = _reason(change, recorded)
        if reason:
            value["why"] = reason
        yield f"{comma}{json.dumps(value)}"
        comma = ","
    totals = ", ".join(f'"{kind}": {counts[kind]}' for kind in _MARKS)
    yield f"], {totals}}}"


def _urls(
    changes: Iterable[UrlChange],
    _counts: Counter[str],
    _recorded: Mapping[str, Explanation],
) -> Iterator[str]:
    return (printable(change.url) for change in changes)


def _removed(
    found: Iterable[Removed], form: str, counts: Counter[str]
) -> Iterator[str | Text]:
    """Yield what became of removed URLs.

    Text and `urls` name only those that are missing.
    """
    every = [*found]
    counts.update(each.fate for each in every)
    missing = [each for each in every if each.fate == "missing"]
    match form:
        case "json":
            yield json.dumps({"removed": [*map(_row, every)]})
        case "urls":
            yield from (printable(each.url) for each in missing)
        case _:
            for each in missing:
                line = printable(f"- {each.url}  {each.why}")
                yield Text(line, "red")
            yield _fates_in_words(counts)


def _fates_in_words(counts: Counter[str]) -> str:
    if not counts:
        return "no URL is removed"
    words = [f"{counts[fate]:,} {text}" for fate, text in FATES.items() if counts[fate]]
    return f"{counts.total():,} removed: {', '.join(words)}"


def _row(removed: Removed) -> dict[str, str | None]:
    moved = removed.moved
    return {
        "url": without_password(removed.url),
        "fate": removed.fate,
        "why": removed.why,
        "new_url": moved.new_url if moved else None,
    }


_FORMATS = {"text": _text, "json": _json, "urls": _urls}
