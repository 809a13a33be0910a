"""What a reader sees of a source, by the table of docs/lastmod.md and no code of ours.

Two versions read the same if `seen` returns the same of both. In doubt they differ.
"""

from __future__ import annotations

import json
import re

HIDDEN = {
    "tag",
    "tags",
    "category",
    "categories",
    "keywords",
    "topics",
    "owner",
    "owners",
    "reviewers",
    "draft_date",
    "modified",
    "revised",
    "updated",
    "updated_at",
    "last_update",
    "last_modified_at",
    "lastmod",
    "weight",
    "order",
    "nav_order",
    "sidebar_position",
    "layout",
    "template",
    "orphan",
}
"""Keys of metadata, in small letters, that no reader needs to read again."""

TEMPLATE = ("{{", "{%")
"""In a text with one of these, any key can be shown."""

KEY = re.compile(r":?[\"']?([A-Za-z][\w-]*)[\"']?:(?:[ \t]|$)")
"""The beginning of a field: of YAML, of reStructuredText, or of Pelican's Markdown."""

COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
WORDS = re.compile(r"[A-Za-z(]+[,.;]? +[\w(]+")
"""A comment that is a sentence, not a command such as `md:version 9` or `more`."""

LINTER = re.compile(
    r"(?:markdownlint|prettier|vale|spell-?checker|cspell|TODO|FIXME|SPDX)\b"
)
RULE = re.compile(r"([^\w\s])\1*")
HEADING = re.compile(r"#{1,6} ")
FENCE = re.compile(r" *(`{3,}|~{3,})")
BREAK = re.compile(r"\S(?: {2,}|\t+ *)$")
"""White space at the end of a line that can break it."""


def seen(path: str, content: bytes) -> object:
    """Return what readers see of a version of a file, as values that can be compared."""
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except ValueError:
        return content
    if path.endswith(".ipynb"):
        return _notebook(text)
    if not path.endswith((".md", ".markdown", ".rst", ".txt")):
        return text
    is_rst = path.endswith((".rst", ".txt"))
    fields, body = _split(text.split("\n"), is_rst=is_rst)
    if not any(mark in text for mark in TEMPLATE):
        fields = _shown(fields)
    if not is_rst:
        body = _without_comments(body)
    return fields, _paragraphs(body, is_rst=is_rst)


def _notebook(text: str) -> object:
    """Return the cells of a notebook: their kinds, sources, outputs and counters."""
    try:
        cells = json.loads(text)["cells"]
        return [_cell(cell) for cell in cells]
    except (ValueError, KeyError, TypeError):
        return text


def _cell(cell: dict[str, object]) -> object:
    shown = ("cell_type", "outputs", "execution_count")
    return "".join(cell["source"]), [cell.get(key) for key in shown]


def _split(lines: list[str], *, is_rst: bool) -> tuple[list[str], list[str]]:
    """Return the lines of the front matter, and the others."""
    if lines[0] == "---":
        for number, line in enumerate(lines[1:], 1):
            if line in {"---", "..."}:
                return lines[1:number], lines[number + 1 :]
    begin = 0
    # The fields of Pelican's articles are below the title, and the lines around that.
    ruled = [bool(RULE.fullmatch(line)) for line in lines[:3]]
    if is_rst and any(ruled[1:]):
        begin = ruled.index(True, 1) + 1
        while begin < len(lines) and not lines[begin]:
            begin += 1
    end = begin
    while end < len(lines) and (KEY.match(lines[end]) or lines[end][:1] in " \t"):
        if not lines[end].strip():
            break
        end += 1
    fields = lines[begin:end]
    names = {found[1].lower() for line in fields if (found := KEY.match(line))}
    is_article = not names.isdisjoint({"date", "category", "slug"})
    if is_rst and fields and fields[0].startswith(":"):
        is_metadata = begin == 0 or not names.isdisjoint({"category", "slug"})
    else:
        is_metadata = begin == 0 and "title" in names and is_article
    if is_metadata:
        return fields, [*lines[:begin], "", *lines[end:]]
    return [], lines


def _shown(fields: list[str]) -> list[str]:
    """Return the lines of the fields that are shown; each has the indented ones below."""
    shown = []
    is_hidden = False
    for line in fields:
        found = KEY.match(line)
        if found:
            has_anchor = line.partition(":")[2].strip().startswith("&")
            is_hidden = found[1].lower() in HIDDEN and not has_anchor
        elif line[:1] not in {" ", "\t", "-"}:
            is_hidden = False
        if not is_hidden:
            shown.append(line)
    return shown


def _without_comments(lines: list[str]) -> list[str]:
    """Leave out comments of Markdown between paragraphs, unless they can be commands."""
    kept: list[str] = []
    fence = ""
    at = 0
    while at < len(lines):
        line = lines[at]
        found = FENCE.match(line)
        if found and not fence:
            fence = found[1]
        elif found and line.strip() == fence:
            fence = ""
        end = at
        if line.startswith("<!--") and not fence and not (kept and kept[-1].strip()):
            while end < len(lines) - 1 and "-->" not in lines[end]:
                end += 1
            comment = COMMENT.fullmatch("\n".join(lines[at : end + 1]).strip())
            is_alone = end + 1 == len(lines) or not lines[end + 1].strip()
            if comment and is_alone and _is_remark(comment[1]):
                at = end + 1
                continue
        kept.append(line)
        at += 1
    return kept


def _is_remark(comment: str) -> bool:
    """Tell whether a comment speaks to the authors or to a linter."""
    text = " ".join(comment.split())
    return bool(LINTER.match(text) or WORDS.match(text))


def _paragraphs(lines: list[str], *, is_rst: bool) -> list[str]:
    """Return the lines without blanks at their ends, and one empty line of many.

    In a fence of Markdown, each is shown.
    In reStructuredText, lines of a paragraph at the margin are one.
    """
    found: list[str] = []
    fence = ""
    for number, line in enumerate(lines):
        mark = None if is_rst else FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and line.strip() == fence:
            fence = ""
        following = lines[number + 1 : number + 2]
        breaks = BREAK.search(line) and following and following[0].strip()
        kept = line if breaks else line.rstrip(" \t")
        last = found[-1] if found else ""
        if not kept and not fence and (not last or HEADING.match(last)):
            continue
        if is_rst and last[:1].isalpha() and kept[:1].isalpha():
            found[-1] = f"{last} {kept}"
        else:
            found.append(kept)
    while found and not found[-1]:
        found.pop()
    return found
