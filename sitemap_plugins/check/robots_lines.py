"""Lines of robots.txt that crawlers cannot use, and what to write in their place."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from sitemap_plugins.core.crawlers.robots_txt import Robots
from sitemap_plugins.core.messages import quoted

_KEYS = ("User-agent", "Disallow", "Allow", "Sitemap", "Crawl-delay")
# Keys that nobody knows are other crawlers' own (RFC 9309, section 2.2.4).
_KEY = re.compile(r"[a-z][a-z-]*", re.IGNORECASE)
_KEY_WITHOUT_COLON = re.compile(
    rf"(?P<key>{'|'.join(_KEYS)})(?![\w-])[\s=]*(?P<value>.*)", re.IGNORECASE
)
# Google reads a crawler's name up to the first other character.
_READ_BY_GOOGLE = re.compile(r"[A-Za-z_-]+[^,:]*")
_RULE = (r"(?:[/*$]\S*)?", "a path begins with '/' and has no blank", "'/private/'")
_VALUES = {
    "user-agent": (
        # 360Spider goes by its whole name.
        r"\*|(?!(?i:all|any)$)[A-Za-z0-9_-]+",
        "it is not the name of one crawler",
        "'Googlebot', or '*' for all",
    ),
    "disallow": _RULE,
    "allow": _RULE,
    "sitemap": (
        r"(?i:https?)://[^\s<>\"{}]+",
        "a sitemap needs one whole URL",
        "'https://example.com/sitemap.xml'",
    ),
    "crawl-delay": (r"\d+(?:\.\d+)?", "it is not a number of seconds", "'10'"),
}
"""For each key: what its value must match, what is wrong otherwise, and an example."""


class LineFault(NamedTuple):
    """A line that crawlers cannot use."""

    number: int
    """The number of the line, from 1."""

    text: str
    """The line as written, without its comment and white space around it."""

    problem: str

    cure: str

    @property
    def is_read_by_google(self) -> bool:
        """Whether the line names one crawler for Google, such as `Googlebot/2.1`."""
        key, _, value = self.text.partition(":")
        is_agent = key.strip().lower() == "user-agent"
        return is_agent and _READ_BY_GOOGLE.fullmatch(value.strip()) is not None


def faults_of(robots: Robots) -> Iterator[LineFault]:
    """Yield each line that crawlers cannot use, in order."""
    begun = {each.number for each in robots.records if each.kind == "agent"}
    joined = dict(_joined_groups(robots))
    has_group = False
    for number, line in enumerate(robots.lines, start=1):
        text = line.decode("utf-8", "replace").partition("#")[0].strip()
        fault = _fault(text, has_group=has_group) if text else None
        if fault is None and number in joined:
            fault = joined[number], "put the line below the rules of its group"
        if fault is not None:
            yield LineFault(number, text, *fault)
        has_group = has_group or number in begun


def _joined_groups(robots: Robots) -> Iterator[tuple[int, str]]:
    """Yield the number of each line that joins two groups by mistake, and why.

    A line between two `User-agent` lines that is not a rule does not end the first
    group, so that both crawlers get the rules below. This is reported only if one of
    the two is `*`: then crawlers read the rules of one crawler as rules for all.
    """
    for above, below in pairwise(robots.records):
        if above.kind != "agent" or below.kind != "agent":
            continue
        if "*" not in {above.value, below.value}:
            continue
        for number in range(above.number + 1, below.number):
            line = robots.lines[number - 1].partition(b"#")[0].strip()
            if line:
                goes_on = f"goes on in line {below.number}"
                why = f"it is not a rule, so the group of line {above.number}"
                yield number, f"{why} {goes_on}"
                break


def _fault(line: str, *, has_group: bool) -> tuple[str, str] | None:
    """Return why crawlers cannot use a line without comment, and the cure.

    The result is None if crawlers can use the line. `has_group` tells whether a
    `User-agent` line is above it.
    """
    if "\ufffd" in line:
        return "it is not UTF-8", "save the file as UTF-8"
    key, colon, value = (part.strip() for part in line.partition(":"))
    rule = key.lower()
    if rule not in _VALUES:
        return _fault_of_unknown(line, key, value if colon else None)
    pattern, problem, example = _VALUES[rule]
    if not re.fullmatch(pattern, value):
        return problem, f"write one in each line, such as {example}"
    if rule in {"allow", "disallow"} and not has_group:
        return "no User-agent line is above it", "write 'User-agent: *' above it"
    return None


def _fault_of_unknown(line: str, key: str, value: str | None) -> tuple[str, str] | None:
    """Return why crawlers cannot use a line whose key is not one of `_VALUES`.

    `value` is None for a line without a colon.
    """
    found = _KEY_WITHOUT_COLON.match(line)
    if found:
        written = quoted(f"{found['key']}: {found['value']}")
        return f"{found['key']!r} has no colon after it", f"write {written}"
    names = {each.lower(): each for each in _KEYS}
    near = difflib.get_close_matches(key.lower(), names, n=1, cutoff=0.75)
    if near and value is not None:
        return f"{quoted(key)} is misspelt", f"write '{names[near[0]]}:'"
    if value is None or not _KEY.fullmatch(key):
        cure = "begin a comment with '#', or remove the line"
        return "it is neither a rule nor a comment", cure
    is_noindex = key.lower() == "noindex"  # `_about_noindex` reports it.
    if value.startswith(("/", "*")) and not is_noindex:
        cure = "write 'Disallow:', 'Allow:' or 'User-agent:'"
        return f"no crawler knows the rule {quoted(key)}", cure
    return None
