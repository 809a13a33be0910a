"""What a reader sees of a source, by the table of docs/lastmod.md and by no code of ours.

Two versions read the same if `seen` returns the same of both: words, the steps of
indentation between lines, and the fields of the front matter that are shown.
"""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

HIDDEN = re.compile(
    r"tags?|categor|keyword|author|date|modified|created|updated|last|lang|layout|template|order"
    r"|weight|position|revision"
)
SHOWN = re.compile(
    r"title|desc|summary|excerpt|abstract|image|cover|canonical|url|slug|alias|redirect|permalink"
    r"|save_as|robots|noindex|draft|status|publish|hidden|sitemap"
)
FIELD = re.compile(
    r"^:?[\"']?([A-Za-z][\w .-]*)[\"']?[ \t]*[:=](.*(?:\n(?:[ \t-].*)?)*)", re.MULTILINE
)
FRONT = re.compile(
    r"()(?:---|\+\+\+)[ \t]*\n(.*?\n)??(?:---|\+\+\+|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL
)
HEADERS = re.compile(r"()((?:[A-Za-z][\w -]*:.*\n(?:[ \t]+\S.*\n)*)+)(?=\n|$)")
DOCINFO = re.compile(
    r"\s*((?:[^\w\s]+\n)?[^\s:.].*\n[^\w\s]+\n\s*)?"
    r"((?::[\w -]+:(?: .*)?\n(?:[ \t]+\S.*\n)*)+)(?=\n|$)"
)
"""Each of these three has the text before the fields, such as a title, and the fields."""
COMMENT_OR_FENCE = re.compile(
    r"^ *(`{3,}|~{3,}).*?^ *\1|<!--(?!\s*[\w/-]+:\S|\s*\S+\s*=).*?-->",
    re.MULTILINE | re.DOTALL,
)
MARKER = re.compile(r"(?:[-*+]|\d+[.)]|#\.) +")
RULE = re.compile(r"([^\w\s])\1{3,}")


class Elements(HTMLParser):
    """The words, tags and attributes of HTML; comments are none."""

    def __init__(self, text: str) -> None:
        """Read the whole text."""
        super().__init__()
        self.found: list[object] = []
        self._is_verbatim = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take a tag; the parser calls this."""
        self.found.append((tag, sorted((name, value or "") for name, value in attrs)))
        self._is_verbatim |= tag in {"pre", "textarea", "script", "style"}

    def handle_endtag(self, tag: str) -> None:
        """Take the end of an element."""
        self.found.append(tag)
        self._is_verbatim &= tag not in {"pre", "textarea", "script", "style"}

    def handle_data(self, data: str) -> None:
        """Take the words, or the text as it is where white space counts."""
        self.found += [data] if self._is_verbatim else data.split()


def seen(path: str, content: bytes) -> object:
    """Return what readers see of a version of a file; its bytes if it cannot be read as text."""
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
        if path.endswith(".ipynb"):
            return [_cell(cell) for cell in json.loads(text)["cells"]]
    except (ValueError, KeyError, TypeError):
        return content
    if path.endswith((".html", ".htm")):
        return Elements(text).found
    fields = ""
    if found := FRONT.match(text) or (
        DOCINFO if path.endswith(".rst") else HEADERS
    ).match(text):
        fields, text = found[2] or "", (found[1] or "") + text[found.end() :]
    if not path.endswith((".rst", ".txt")):
        text = COMMENT_OR_FENCE.sub(lambda part: part[0] if part[1] else "", text)
    return sorted(_shown(fields)), _steps(text)


def _cell(cell: dict[str, object]) -> object:
    outputs = [
        {
            key: value
            for key, value in output.items()
            if key not in {"execution_count", "metadata"}
        }
        for output in cell.get("outputs", [])
    ]
    return cell["cell_type"], _steps("".join(cell["source"])), outputs


def _shown(fields: str) -> list[tuple[str, list[str]]]:
    """Return the fields that are shown, each with its words."""
    found = [
        (name.strip().lower(), value.split()) for name, value in FIELD.findall(fields)
    ]
    return [
        (name, words)
        for name, words in found
        if SHOWN.search(name) or (not HIDDEN.match(name) and len(words) > 1)
    ]


def _steps(text: str) -> list[object]:
    """Return the words of all lines, and how far a line is indented if the last one was not so."""
    found, deep = [], 0
    for line in text.expandtabs(4).split("\n"):
        rest = line.lstrip(" ")
        if not rest:
            continue
        if (indent := len(line) - len(rest)) != deep:
            found.append(indent)
        found += RULE.sub(r"\1\1\1", rest).split()
        marker = MARKER.match(rest)
        deep = indent + (marker.end() if marker else 0)
    return found
