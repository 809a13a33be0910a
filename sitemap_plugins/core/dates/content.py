"""What readers see of a source, to tell which edits change it for them.

A change counts unless it is certain that no reader sees it. So each format has a normal
form, which makes alike only what certainly reads the same: a few keys of metadata,
white space at the ends of lines, the number of empty lines, and comments that stand for
themselves. From the first line whose meaning depends on the program that renders it, a
text stays as it is. In every text, time grows with its length only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

_KEYS = (
    "tags?|categories|keywords|topics|owners?|reviewers"
    "|draft_date|modified|revised|updated(?:_at)?|last(?:mod|_update|_modified_at)"
    "|weight|order|nav_order|sidebar_position|layout|template|orphan"
)
"""Metadata that no reader needs to read again: lists, order, layout, the last change.

The author, the category and the day of publication are not among them: themes print
these above the text.
"""

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
_TEMPLATE = ("{{", "{%", "$frontmatter")
"""What can show any key."""

_SCRIPTS = ("<script", "export ")
"""In a text with one of these, and in braces, MDX and VitePress evaluate the name
`frontmatter`; elsewhere it is a word of the text."""

# Keys, and what belongs to them: else it is text between two rules, as it is without
# any key. The lines are read once, as some can be read in two ways.
_FRONT_MATTER = re.compile(
    r"""
    ---\n
    (?= (?: [\#\ \t] .*\n | \n )* [\w.-]+ [ \t]* : )
    ( (?: (?! --- | \.\.\. ) (?: [\w.-]+ [ \t]* : .* | ["'\[\]{}\#\ \t-] .* | ) \n )*+ )
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

# The beginning of a text, where blanks are kept: Python-Markdown reads indented lines
# before the first text as code. Lines with a key can be metadata, and then the first
# text follows them.
_ABOVE = re.compile(r"(?:[ ]{0,3}[\w-]+:(?:.+\n)*)?\s*")
# Blanks at the end of a line that change nothing. Two can be a line break, unless an
# empty line follows. After other characters, a blank can decide what a line is: `#`,
# `1.`, `a.`.
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

    def __call__(self, path: bytes, content: bytes) -> Reading:
        """Return what is compared of a version.

        A file that is not a page's own source is compared whole.
        """
        if path not in self.own:
            path = b""
        return read_content(path, content)


class Reading:
    """A version of a file, equal to another one that reads the same.

    Most edits change a word. Such an edit shows without the normal form, whose
    expressions read 3 MB/s. So the normal form is made only for edits of white space
    and comments.
    """

    def __init__(self, form: _Form, head: str, body: str) -> None:
        """Keep the metadata (`head`) and the `body` into which `form` split a text."""
        self._form = form
        self._head = head
        self._body = body

    def __eq__(self, other: object) -> bool:
        """Tell whether readers see the same in two versions of a file."""
        if not isinstance(other, Reading):
            return NotImplemented
        # The quick test, if the format has one: different words read differently.
        if self._words and other._words and self._words != other._words:
            return False
        return self._normal == other._normal

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def _words(self) -> tuple[str, str] | None:
        """A value that is equal for two versions with equal normal forms.

        The value is None if the format has no such quick test.
        """
        words = self._form.words(self._body)
        return None if words is None else (self._head, words)

    @cached_property
    def _normal(self) -> str:
        body = self._form.normal(self._body)
        # No body that follows metadata has this sign (see `_OTHER_LINE_ENDS`), so no
        # part of a body is taken for metadata.
        return f"{self._head}\x1e{body}" if self._head else body


def read_content(path: bytes, content: bytes) -> Reading:
    """Return what is compared of a version of a page's source.

    A version that is not text, or that cannot be split as its format wants, is compared
    whole.
    """
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
        if _OTHER_LINE_ENDS.search(text):
            return Reading(_WHOLE, "", text)
        form = _FORMS.get(path.lower().rpartition(b".")[2], _WHOLE)
        return Reading(form, *form.split(text))
    # The JSON of a notebook can have any values.
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        # Latin-1 decodes any bytes.
        return Reading(_WHOLE, "", content.decode("latin-1"))


def _whole(text: str) -> tuple[str, str]:
    # A format without metadata has no head: all of a text is its body.
    return "", text


def _as_it_is(body: str) -> str:
    return body


def _unknown(_body: str) -> None:
    # The format has no quick test: see `_Form.words`.
    return None


def _split_markdown(text: str) -> tuple[str, str]:
    # The expressions read whole lines and look for empty ones, also at the end.
    return _split(f"{text}\n\n")


def _markdown(body: str) -> str:
    # Blanks in the lines above the first text stay.
    above = _ABOVE.match(body)
    start = above.end() if above else 0
    body = body[:start] + _BLANKS.sub("", body[start:])
    return _MARKDOWN.sub(_normal_markdown, body)


def _normal_markdown(found: re.Match[str]) -> str:
    # Each match of `_MARKDOWN` becomes its normal form.
    if found["comments"]:
        return ""
    # The number of empty lines around a heading does not matter.
    if found["heading"]:
        return f"\n{found['heading']}\n"
    if found["empty"]:
        return "\n"
    return found[0]


def _words_of_markdown(body: str) -> str | None:
    """Return a body without white space and without all comments that begin a line.

    The normal form leaves out white space and some of these comments. The result is
    None if a comment has another one in it: without the inner one, the outer one ends
    elsewhere.
    """
    before, *others = body.split("<!--")
    kept = [before]
    for text in others:
        # A comment within a line is part of the normal form, so it is kept here.
        if before and not before.endswith("\n"):
            kept.append(f"<!--{text}")
        else:
            _, end, below = text.partition("-->")
            if not end:
                return None
            kept.append(below)
        before = text
    return _words("".join(kept))


def _words(text: str) -> str:
    return "".join(text.split())


def _split(text: str) -> tuple[str, str]:
    """Return the metadata that readers may see, and the text below all metadata."""
    found = _FRONT_MATTER.match(text) or _HEADER.match(text)
    if not found:
        return "", text
    head = found[1]
    body = text[found.end() :].lstrip("\n")
    if not _can_show_keys(body) and not _OPEN.search(head):
        head = _UNSEEN.sub("", head)
    return head, body


def _can_show_keys(body: str) -> bool:
    """Tell whether a text can show keys of its metadata to readers.

    A template can show any key. `frontmatter` can too, if it is in braces, or if the
    text has scripts.
    """
    text = body.lower()
    if any(mark in text for mark in _TEMPLATE):
        return True
    *above, _ = text.split("frontmatter")
    if not above:
        return False
    if any(mark in text for mark in _SCRIPTS):
        return True
    depth = 0
    for piece in above:
        depth = max(0, depth + piece.count("{") - piece.count("}"))
        # A stray `}` earlier in the piece can hide an open brace from the count.
        if depth or piece.rfind("{") > piece.rfind("}"):
            return True
    return False


def _split_restructured(text: str) -> tuple[str, str]:
    """Return an empty head, and the text without the fields that no reader sees."""
    # https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#whitespace:
    # "Trailing whitespace is ignored".
    text = "\n".join(line.rstrip() for line in text.split("\n"))
    text = text.lstrip("\n") + "\n\n"
    found = _DOCINFO.match(text)
    if found:
        name = "top" if found["top"] else "below"
        fields = _UNSEEN.sub("", found[name])
        text = text[: found.start(name)] + fields + text[found.end() :]
    return "", text.lstrip("\n")


def _restructured(text: str) -> str:
    return _RESTRUCTURED.sub(_normal_restructured, text)


def _normal_restructured(found: re.Match[str]) -> str:
    # Each match of `_RESTRUCTURED` becomes its normal form. The line breaks within a
    # paragraph do not matter.
    if found["paragraph"]:
        return found[0][:-1].replace("\n", " ") + "\n"
    if found["empty"]:
        return "\n"
    return found[0]


def _split_notebook(text: str) -> tuple[str, str]:
    """Return an empty head, and a notebook's values as JSON in one form.

    The names of cells, the times when they ran and the language's version are left out.
    """
    notebook: Any = json.loads(text)
    for cell in notebook["cells"]:
        cell.pop("id", None)
        cell["metadata"].pop("execution", None)
        # The source is a text or a list of its lines; both become the text.
        cell["source"] = "".join(cell["source"])
    notebook["metadata"].get("language_info", {}).pop("version", None)
    return "", json.dumps(notebook, sort_keys=True, ensure_ascii=False)


class _Form(NamedTuple):
    """How versions of files of one format are read."""

    split: Callable[[str], tuple[str, str]]
    """Returns the metadata that counts, and the body below it.

    Raises an error if the text is not of this format.
    """

    normal: Callable[[str], str] = _as_it_is
    """Returns the normal form of a body."""

    words: Callable[[str], str | None] = _unknown
    """Returns quickly a text that is equal for bodies with equal normal forms.

    Returns None if the format has no such text.
    """


_WHOLE = _Form(_whole)
_MARKDOWN_FORM = _Form(_split_markdown, _markdown, _words_of_markdown)
_RESTRUCTURED_FORM = _Form(_split_restructured, _restructured, _words)
_FRONT_MATTER_FORM = _Form(_split)

_FORMS = {
    b"md": _MARKDOWN_FORM,
    b"markdown": _MARKDOWN_FORM,
    b"mkd": _MARKDOWN_FORM,
    b"mdown": _MARKDOWN_FORM,
    b"rst": _RESTRUCTURED_FORM,
    b"rest": _RESTRUCTURED_FORM,
    b"html": _FRONT_MATTER_FORM,
    b"htm": _FRONT_MATTER_FORM,
    b"xhtml": _FRONT_MATTER_FORM,
    b"mdx": _FRONT_MATTER_FORM,
    b"qmd": _FRONT_MATTER_FORM,
    b"ipynb": _Form(_split_notebook),
}
"""Forms by the suffix of a file. Pandoc, which reads qmd, knows headings and lists by
the empty line."""
