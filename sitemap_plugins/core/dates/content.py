"""What readers see of a source, to tell which edits change it for them.

A change counts unless it is certain that no reader sees it. So each format has a normal
form, in which only that is made alike of which it is certain: a few keys of metadata,
white space at the ends of lines, the number of empty lines, and comments that stand for
themselves. From the first line whose meaning depends on the program that renders it, a
text stays as it is. In every text, time grows with its length only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_KEYS = (
    "tags?|categor(?:y|ies)|keywords|topics|authors?|owners?|reviewers"
    "|(?:draft_)?date|created|modified|revised|updated(?:_at)?"
    "|last(?:mod|_update|_modified_at)"
    "|weight|order|nav_order|sidebar_position|layout|template|orphan"
)
"""Metadata that no reader needs to read again: lists, order, layout, who wrote when."""

# A value with an anchor (`&name`) or a definition (`.. |name|`) can be used elsewhere.
# A tab, a colon or a mark at the beginning can make it wrong, and then all is text.
_VALUE = r"(?! .* (?: \t | [ \[,{] &\S | [ ]\.\.[ ] ) ) .*\n"
# A key at the beginning of a line, and the indented lines and list items below it.
_UNSEEN = re.compile(
    rf"""
    ^ :? (?:{_KEYS}) : (?: [ ]*\n | (?! .*:[ ] ) (?= [ ]+ [\w"'\[] ) {_VALUE} )
    (?: (?= -?[ ] ) {_VALUE} )*
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
# A value that goes on in the next line, where a key can be a part of it.
_OPEN = re.compile(
    r"""
    (?: [\[{] [^\[\]{}\n]* | ,[ \t]* | [:-] [ \t]+ (?: "[^"\n]* | '[^'\n]* ) ) $
    """,
    re.MULTILINE | re.VERBOSE,
)
# What can show any key.
_TEMPLATE = re.compile(r"\{\{|\{%|frontmatter", re.IGNORECASE)

# Keys, and what belongs to them: else it is text between two rules, as it is without
# any key.
_FRONT_MATTER = re.compile(
    r"""
    ---\n
    (?= (?: [\#\ \t] .*\n | \n )* [\w.-]+ [ \t]* : )
    ( (?: (?! --- | \.\.\. ) (?: [\w.-]+ [ \t]* : .* | ["'\[\]{}\#\ \t-] .* | ) \n )* )
    (?: --- | \.\.\. ) \n
    """,
    re.VERBOSE,
)
# `Title: …` and `Date: …` of Pelican's Markdown; others can be the text of a page.
_HEADER = re.compile(
    r"""
    (?= (?: .+\n )*? title: ) (?= (?: .+\n )*? (?: date | category | slug ): )
    ( (?: (?: [a-z][\w-]*: | [ \t]+\S ) .*\n )+ ) (?=\n)
    """,
    re.IGNORECASE | re.VERBOSE,
)
# `:name: …` at the top of reStructuredText. Below a title it is metadata in Pelican,
# whose posts have one of two names, but text in Sphinx.
_FIELDS = r"(?::[\w -]+:(?:[ \t].*)?\n(?:[ \t].*\n)*)+(?=\n)"
_DOCINFO = re.compile(
    rf"""
    (?P<top> {_FIELDS} )
    | (?: ([^\w\s])\2*\n )? [ ]?\S.*\n ([^\w\s])\3*\n \n*
      (?P<below> (?= (?:.+\n)*? :(?:slug|category): ) {_FIELDS} )
    """,
    re.VERBOSE,
)

# Python-Markdown takes blanks above the first text for code; lines with a key can be
# metadata, and then the first text is below.
_ABOVE = re.compile(r"(?:[ ]{0,3}[\w-]+:(?:.+\n)*)?\s*")
# Two blanks at the end of a line can be a line break, unless an empty line follows.
# Behind other characters, a blank can decide what a line is: `#`, `1.`, `a.`.
_BLANKS = re.compile(
    r"""
    (?<=\n) [ \t]+ $
    | (?: (?<=[^\W_]) | (?<=[^\W\d_]{2}[.,;:!?)]) ) (?: [ ] | [ \t]+ (?=\n[ \t]*\n) ) $
    """,
    re.MULTILINE | re.VERBOSE,
)

# Where renderers differ in whether code, raw text or a comment begins, and where it
# ends: a fence behind a marker, a comment that goes on, tags of programs. Or which text
# is in a list: an item without text "can begin with at most one blank line"
# (https://spec.commonmark.org/0.31.2/#list-items). Groups are atomic, so that a line is
# read once.
_DOUBT = r"""
    (?: [^A-Za-z`~\n]* (?: `{3} | ~{3} | :{3} | /{3} )
      | [ \t>]* (?: [-*+] | \d{1,9}[.)] ) (?: [ \t]+ (?: [-*+] | \d{1,9}[.)] ) )* \n
      | .* (?: \{% | \{\{[<%] | \{` | <[?] | <!\[
             | < (?: pre|script|style|textarea|xmp|listing|plaintext ) \b )
      | (?> .*<!-- ) (?! .*--> )
      | (?> .*\{\{ ) (?! .*\}\} ) )
"""
# A fence that ends where it seems to: no line between looks like its end, or leaves its
# list item.
_FENCE = r"""
    (?P<indent> [ \t]* ) (?P<marks> `{3,} | ~{3,} | :{3,} ) (?! [`~:] ) [^`\n]* \n
    (?: (?P=indent) (?! [ \t]* (?P=marks) ) .+ \n | \n )*?
    (?P=indent) (?P=marks) \n
"""
# Notes to authors and to tools that check texts; others can be commands or markers.
_NOTE = r"""
    \s* (?: SPDX- | TODO | FIXME
          | (?: cspell | markdownlint | prettier | textlint | vale | yaspeller | lint
              | markdown-link-check ) \b
          | (?! start | end | begin | include )
            [^\W\d_]+ ,? \s+ [^\W_]+ ,? \s+ [^\W_]+ )
"""
# Comments below an empty line, and above what cannot belong to what is above them: no
# list, nor a term whose definition follows; nor what is not shown itself, as the target
# of a link, or a key that would be metadata at the top.
# Their text has nothing that is read before comments are: fences, macros.
_COMMENTS = rf"""
    (?: \A | (?<=\n\n) )
    (?P<comments> (?: <!-- (?= {_NOTE} ) [^-`~{{]* (?: -[^-`~{{]+ )* --> \n )++ \n*+ )
    (?= \# | \Z
      | (?: (?! [\w-]+: ) [^\W\d_] | [!<] | \[ (?! .*\]: ) )
        (?! .*\n (?: .+\n )*? \n* [ ]{{0,3}} [:~][ \t] ) )
"""
# What can follow a heading without an empty line between, and be the same.
_BELOW = r"(?: \n* (?= [^\W_] | [!\[`*<>] | -[ ] | \Z ) )?"

_MARKDOWN = re.compile(
    rf"""
    {_FENCE}
    | {_COMMENTS}
    | {_DOUBT} (?s: .* )
    | \n* (?! {_DOUBT} ) (?P<heading> \#{{1,6}}[ ].*\n ) {_BELOW}
    # HTML, in which code can begin and end otherwise.
    | [ ]{{0,3}} < (?: (?! {_DOUBT} ) .+ \n )+ (?: (?=\n) | \Z | (?s: .* ) )
    | (?P<empty> \n+ ) (?= \S | \Z )
    | (?: (?! {_DOUBT} | [ ]{{0,3}} < ) .+ \n )+
    | \n+
    """,
    re.IGNORECASE | re.VERBOSE,
)

# Lines that begin with a word, which is no key or number of a list.
_WORDS = r"(?! \w{1,5}[.)]\s | [\w-]+:\s ) [^\W\d_] (?: .* [^\s\\] )? \n"
# A simple table ends at a border above an empty line; other empty lines are between
# its rows (docutils, `isolate_simple_table`).
_BORDER = r"[ ]* =+ (?: [ ]+ =+ )+ \n"
_RESTRUCTURED = re.compile(
    rf"""
    {_BORDER} (?: .*\n )*? (?: {_BORDER} (?=\n) | \Z )
    | (?P<paragraph> (?: {_WORDS} )+ ) (?= \n | \Z )
    | (?P<empty> \n+ ) (?= \S | \Z )
    | (?: (?! {_BORDER} ) .+ \n )+
    | \n+
    """,
    re.VERBOSE,
)

# Where lines end for some readers only; a lone carriage return does for all of them.
_OTHER_LINE_ENDS = re.compile(r"[\r\x1c-\x1e\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class ContentReader:
    """Reads versions of a repository's files, as `find_last_changes` asks for them."""

    own: frozenset[bytes]
    """Paths of pages' own sources; how other files are shown is not known."""

    def __call__(self, path: bytes, content: bytes) -> str:
        """Return what is compared of a version; all of a file that is no page's own."""
        return read_content(path if path in self.own else b"", content)


def read_content(path: bytes, content: bytes) -> str:
    """Return what is compared of a version of a page's source; all if it is no text."""
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
        if _OTHER_LINE_ENDS.search(text):
            return text
        reader = _READERS.get(path.lower().rpartition(b".")[2], _whole)
        return reader(text)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return content.decode("latin-1")


def _whole(text: str) -> str:
    return text


def _front_matter_only(text: str) -> str:
    head, body = _split(text)
    return head + body


def _markdown(text: str) -> str:
    head, body = _split(text + "\n\n")
    above = _ABOVE.match(body)
    start = above.end() if above else 0
    body = body[:start] + _BLANKS.sub("", body[start:])
    return head + _MARKDOWN.sub(_normal_markdown, body)


def _normal_markdown(found: re.Match[str]) -> str:
    if found["comments"]:
        return ""
    if found["heading"]:
        return f"\n{found['heading']}\n"
    if found["empty"]:
        return "\n"
    return found[0]


def _split(text: str) -> tuple[str, str]:
    """Return the metadata that counts, and the text below it."""
    found = _FRONT_MATTER.match(text) or _HEADER.match(text)
    if not found:
        return "", text
    head = found[1]
    body = text[found.end() :].lstrip("\n")
    if not _TEMPLATE.search(body) and not _OPEN.search(head):
        head = _UNSEEN.sub("", head)
    # No text has this sign, and so no text is like metadata.
    return head and f"{head}\x1e", body


def _restructured(text: str) -> str:
    # https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#whitespace:
    # "Trailing whitespace is ignored".
    text = "\n".join(line.rstrip() for line in text.split("\n"))
    text = text.lstrip("\n") + "\n\n"
    found = _DOCINFO.match(text)
    if found:
        name = "top" if found["top"] else "below"
        fields = _UNSEEN.sub("", found[name])
        text = text[: found.start(name)] + fields + text[found.end() :]
    return _RESTRUCTURED.sub(_normal_restructured, text.lstrip("\n"))


def _normal_restructured(found: re.Match[str]) -> str:
    if found["paragraph"]:
        return found[0][:-1].replace("\n", " ") + "\n"
    if found["empty"]:
        return "\n"
    return found[0]


def _notebook(text: str) -> str:
    """Return all but the form of the file, the names of cells and when they ran."""
    notebook: Any = json.loads(text)
    for cell in notebook["cells"]:
        cell.pop("id", None)
        cell["metadata"].pop("execution", None)
        cell["source"] = "".join(cell["source"])
    notebook["metadata"].get("language_info", {}).pop("version", None)
    return json.dumps(notebook, sort_keys=True)


_READERS: dict[bytes, Callable[[str], str]] = {
    b"md": _markdown,
    b"markdown": _markdown,
    b"mkd": _markdown,
    b"mdown": _markdown,
    b"rst": _restructured,
    b"rest": _restructured,
    b"html": _front_matter_only,
    b"htm": _front_matter_only,
    b"xhtml": _front_matter_only,
    b"mdx": _front_matter_only,
    b"qmd": _front_matter_only,
    b"ipynb": _notebook,
}
"""By suffix. Pandoc, which reads qmd, knows headings and lists by the empty line."""
