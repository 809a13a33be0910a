"""What readers and crawlers see of a source, to tell which edits change it for them.

That is the sequence of words, where lines begin to be indented differently, and the
front matter that search results or readers are shown. One rule serves all formats. It
errs on one side: an edit of layout can count as a change, an edit of words always does.
In every text, time grows with its length only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

_INVISIBLE = re.compile(
    "authors?|categor(y|ies)|comments|created|date|draft_date|edit_url|hide|id|jupytext|keywords"
    "|kernelspec|lang(uage)?|last(_modified_at|mod)|layout|locale|menu|modified|nav(_order)?|order"
    "|owners?|parent|published_at|revised|reviewers|series|sidebar(_label|_position)?|tags?"
    "|template|toc(_depth)?|topics|translation|updated(_at)?|weight"
)
"""Front matter that never counts: order, lists and layout, and who wrote the page when. An author's
date of the last change is the page's date anyway."""

_VISIBLE = re.compile(
    "title|desc|summary|excerpt|abstract|image|cover|canonical|url|slug|alias|redirect|permalink"
    "|save_as|robots|noindex|draft|status|publish|hidden|sitemap"
)
"""Front matter that always counts, by a part of its name: what results of a search show, where the
page is, and whether it is. Of other keys, only a value of several words counts: no
flag, number or name."""

_MAX_UNKNOWN = 2
"""Words of another key and its value that do not count."""

_FRONT_MATTER = re.compile(
    r"\A(---|\+\+\+)[ \t]*\n((?s:.*?)\n)??(?:\1|\.\.\.)[ \t]*(?:\n|\Z)"
)
# A key at the beginning of a line, and the indented lines, list items and comments
# below it.
_KEY = re.compile(
    r"""(?:#.*\n|[ \t]*\n)*(["']?)([\w-]+)\1[ \t]*[:=].*\n(?:(?:[ \t}\]-].*|#.*|)\n)*"""
)
# `Title: …` of Pelican's Markdown, and of MkDocs'.
_HEADER = re.compile(r"[ ]{0,3}()([A-Za-z][\w-]*):.*\n(?:[ \t]+\S.*\n)*")
# reStructuredText's `:name: …`, which a title can precede; `:any:`text`` is no field.
_FIELD = re.compile(r"():([\w -]+):(?:[ \t].*)?\n(?:[ \t]+\S.*\n)*")
_TITLE = re.compile(
    r"(?:[ \t]*\n)*(?:(?:([^\w\s])\1*[ \t]*\n)?[ ]*\S.*\n([^\w\s])\2*[ \t]*\n(?:[ \t]*\n)*)?"
)

_EMPTY = re.compile(r"[ \t]*\n")
_LINE = re.compile(
    r"^([ \t]*)((?:[-*+]|\d{1,9}[.)]|#\.|\.\.)[ \t]+)?(\S.*)", re.MULTILINE
)
_RULE = re.compile(r"([-=~^\"'+_`])\1{3,}")
"""Lines and underlines, which are as long as their author likes."""

# Where a comment begins, or text in which `<!--` is no comment: code by its fence or
# indentation, and what follows a backtick in its line. Some are commands that write
# text into the page: `<!-- md:version 9.7 -->`, `<!-- --8<-- "file" -->`, `<!-- include
# a.md -->`.
_COMMENT = re.compile(
    r"<!--(?!\s*(?:[\w-]+:\S|[^\w\s]|include))|^[ \t>]*(`{3,}|~{3,})|^(?: {4}|\t).*|`.*",
    re.MULTILINE,
)
_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})[ \t]*$", re.MULTILINE)
_TAG = re.compile(r"(<!--|-->|</?(?:pre|textarea|script|style)\b)", re.IGNORECASE)


class Content:  # noqa: PLW1641 only compared
    """What readers see of one version of a file, to compare it with others."""

    def __init__(self, shown: Iterable[str], prose: str = "") -> None:
        """Keep the words of what is compared as it is, and the text that can be laid out anew."""
        self._shown, self._prose = [*shown], prose

    def __eq__(self, other: object) -> bool:
        """Compare the words first: most versions differ in these."""
        if not isinstance(other, Content) or self._shown != other._shown:
            return False
        ours, theirs = self._prose, other._prose
        return ours == theirs or (
            _shorten(ours).split() == _shorten(theirs).split()
            and _indented(ours) == _indented(theirs)
        )


def read_content(path: bytes, content: bytes) -> Content:
    """Return what readers see of a version of a file; its bytes if it cannot be read as text."""
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n") + "\n"
        return _READERS.get(path.lower().rpartition(b".")[2], _verbatim)(text)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return Content([content.decode("latin-1")])


def _shorten(text: str) -> str:
    return _RULE.sub(r"\1\1\1", text)


def _indented(text: str) -> list[str]:
    """Return the words, and each indentation that differs from that of the line before.

    A list item's lines are indented as its text is, so that wrapping changes nothing.
    """
    words: list[str] = []
    last = 0
    for blank, marker, line in _LINE.findall(_shorten(text.expandtabs(4))):
        if (indent := len(blank)) != last:
            words.append(f"\t{indent}")
        last = indent + len(marker)
        words += (*marker.split(), *line.split())
    return words


def _markdown(text: str) -> Content:
    shown, body = _front_matter(text)
    if body is text:
        shown, body = _fields(_HEADER, text, needs="title")
    return Content(shown, _without_comments(body))


def _restructured(text: str) -> Content:
    found = _TITLE.match(text)
    start = found.end() if found else 0
    shown, body = _fields(_FIELD, text[start:])
    return Content(shown, text[:start] + body)


def _front_matter(text: str) -> tuple[list[str], str]:
    """Return the words of the front matter that counts, and the text below it."""
    found = _FRONT_MATTER.match(text)
    fields = found and _parse(_KEY, found[2] or "")
    if not found or fields is None:  # None: it is text between two rules.
        return [], text
    return _shown(fields), text[found.end() :]


def _fields(
    pattern: re.Pattern[str], text: str, *, needs: str = ""
) -> tuple[list[str], str]:
    """Return likewise for fields that an empty line ends, if `needs` is the name of one."""
    end = 0
    while found := pattern.match(text, end):
        end = found.end()
    fields = _parse(pattern, text[:end]) if _EMPTY.match(text, end) else None
    if not fields or (needs and needs not in fields):
        return [], text
    return _shown(fields), text[end:]


def _parse(pattern: re.Pattern[str], text: str) -> dict[str, list[str]] | None:
    """Return the words of each field with its name, by that; None if there is other text."""
    fields: dict[str, list[str]] = {}
    end = 0
    while end < len(text):
        found = pattern.match(text, end)
        if not found:
            return None if text[end:].strip() else fields
        fields[found[2].lower()] = text[found.start(1) : found.end()].split()
        end = found.end()
    return fields


def _shown(fields: dict[str, list[str]]) -> list[str]:
    return [
        word
        for key, words in sorted(fields.items())
        if not _INVISIBLE.fullmatch(key)
        and (_VISIBLE.search(key) or len(words) > _MAX_UNKNOWN)
        for word in words
    ]


def _without_comments(text: str) -> str:
    if "<!--" not in text:
        return text
    parts, kept, end = [], 0, 0
    while found := _COMMENT.search(text, end):
        end = found.end()
        if found[1]:
            fences = _FENCE.finditer(text, end)
            same = (f for f in fences if f[1].startswith(found[1]))
            if (close := next(same, None)) is None:
                break
            end = close.end()
        elif found[0] == "<!--":
            close_at = text.find("-->", end)
            if close_at < 0:
                break
            parts.append(text[kept : found.start()])
            kept = end = close_at + 3
    return "".join([*parts, text[kept:]])


def _html(text: str) -> Content:
    words, text = _front_matter(text)
    closes = ""
    for part in _TAG.split(text):
        word = part.lower()
        if not closes and _TAG.fullmatch(word) and not word.startswith(("</", "-->")):
            closes = "-->" if word == "<!--" else word.replace("<", "</")
        elif word == closes:
            closes = ""
        if closes != "-->" and word != "-->":
            words += [part] if closes else part.split()
    return Content(words)


def _notebook(text: str) -> Content:
    return Content(_cells(json.loads(text)["cells"]))


def _cells(cells: Any) -> Iterator[str]:  # noqa: ANN401 JSON
    """Yield the words of cells and their outputs, without counters and metadata."""
    for cell in cells:
        yield cell["cell_type"]
        yield from sorted(cell.get("metadata", {}).get("tags", ()))
        source = _joined(cell["source"])
        if cell["cell_type"] == "raw":  # nbsphinx and Jupytext keep front matter there.
            shown, source = _front_matter(source + "\n")
            yield from shown
        yield from _indented(source)
        yield from sorted(cell.get("attachments", ()))
        for output in cell.get("outputs", ()):
            texts = {
                key: output.get(key, "")
                for key in ("text", "ename", "evalue", "traceback")
            }
            for kind, shown in sorted({**output.get("data", {}), **texts}.items()):
                yield from (kind, *_joined(shown).split())


def _joined(lines: Any) -> str:  # noqa: ANN401 JSON
    if isinstance(lines, list):
        return "".join(map(str, lines))
    return lines if isinstance(lines, str) else json.dumps(lines)


def _verbatim(text: str) -> Content:
    return Content(["\n".join(line.rstrip() for line in text.splitlines()).rstrip()])


_READERS: dict[bytes, Callable[[str], Content]] = {
    **dict.fromkeys([b"md", b"markdown", b"mdx", b"mkd", b"mdown", b"qmd"], _markdown),
    **dict.fromkeys([b"rst", b"rest", b"txt"], _restructured),
    **dict.fromkeys([b"html", b"htm", b"xhtml"], _html),
    b"ipynb": _notebook,
}
