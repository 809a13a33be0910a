"""How the sources of each generator include files: one function for each syntax.

A function takes a text and yields what the text includes, in order. No file is read here.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = [
    "MOST_CHARACTERS",
    "Include",
    "include_markdown",
    "include_variants",
    "jinja",
    "markdown_include",
    "mdbook",
    "mdx_include",
    "myst",
    "quarto",
    "rst",
    "snippets",
    "vitepress",
]

MOST_CHARACTERS = 500
"""Characters of a name."""


class Include(NamedTuple):
    """One file that a text includes."""

    name: str
    """As written; it begins with a slash if it is relative to the folder of all sources."""

    is_part: bool = False
    """Whether only some of the file's lines are included."""

    is_literal: bool = False
    """Whether the file is shown as it is, so that its own includes are not followed."""

    is_optional: bool = False
    """Whether the file is included only if it exists."""


# PyMdown's Snippets: `--8<-- "file.md"`, or names between two lines of scissors; `;` escapes.
_SCISSORS = re.compile(r"""[ \t]*(;*)-+8<-+(?:[ \t]+("(?:\\"|[^"])+"|'(?:\\'|[^'])+'))?""")
_LINES_OR_SECTION = re.compile(
    r"(?:(?::-?[0-9]*){1,2}(?:,-?[0-9:]+)*|:[a-z][-_0-9a-z]*)$", re.IGNORECASE
)
# mdBook's `links.rs`: an escaped link, or one with its type, its path and what follows.
_MDBOOK = re.compile(
    r"\\\{\{#|\{\{\s*#(include|rustdoc_include|playground|playpen)\s++([^}\s]{1,500}+)[^}]{0,500}+\}\}"
)
# VitePress: `processIncludes`, and its rule for code.
_VITEPRESS = re.compile(r"<!--[ \t]*+@include:[ \t]*+([^\n]{0,500}?)-->")
_VITEPRESS_CODE = re.compile(r" {0,3}<<<[ \t]*(\S.*)")
# Quarto: a shortcode that is alone on its line.
_QUARTO = re.compile(r"""\s*\{\{<\s+(include|embed)\s+["']?([^"'\s>]+)["']?(?:\s[^>]*)?>\}\}\s*""")
_DIRECTIVE = re.compile(r"\{([\w:.+-]+)\}[ \t]*(.*)")
_RST_DIRECTIVE = re.compile(r"([ \t]*)\.\.[ \t]+([\w:.+-]+)::[ \t]*(.*)")
# A fence can be in a quotation or a list.
_FENCE = re.compile(
    r"[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*+(`{3,}+|~{3,}+|:{3,}+)[ \t]*+([^`]*+)"
)
_OPTION = re.compile(r"[ \t>]*:([\w-]+):")
_INCLUDING = ("include", "literalinclude")
_CODE = ("code", "code-block", "code-cell", "sourcecode", "parsed-literal", "raw", "math")
_OF_PART = {
    *("lines", "pyobject", "start-line", "end-line", "start", "end"),
    *("start-at", "start-after", "end-at", "end-before"),
}
# include-markdown's tags, and Jinja's, whose names can also be expressions.
_TAG = re.compile(r"""\{%[-+]?\s*include(?:-markdown)?\s+(?:"([^"\n]+)"|'([^'\n]+)')([^%]*)""")
_JINJA = re.compile(
    r"""\{%[-+]?\s*(?:include|import|from|extends)\s+(?:"([^"\n]+)"|'([^'\n]+)'|(\S+))"""
)
_MARKDOWN_INCLUDE = re.compile(r"\{!([^!\n]+)!(lines=[0-9 -]+)?\}")
_MDX_INCLUDE = re.compile(
    r"(?<!\\)\{!([-+]?)>?([^]|[!\n]+)(?:(\[ln:[0-9.,-]+\])[ \t]*)?(?:\|[^!\n]+)?!\}"
)
_VARIANT = re.compile(r"(?:_an|_py39|_py310|_py311)+$")
_VARIANTS = [
    f"{annotated}{version}"
    for annotated in ("", "_an")
    for version in ("", "_py39", "_py310", "_py311")
]


def snippets(text: str) -> Iterator[Include]:
    r"""Yield what PyMdown's Snippets include.

    >>> [include.name for include in snippets('--8<-- "a.md:2:5"\n;--8<-- "b.md"\n')]
    ['a.md']
    """
    is_block = False
    for line in text.splitlines():
        found = _SCISSORS.fullmatch(line)
        if found and not found[1] and not found[2]:
            is_block = not is_block
        # In a block, each line is a name; elsewhere, names are in quotes.
        if bool(found) == is_block or (found and (found[1] or not found[2])):
            continue
        name = found[2][1:-1].strip() if found else line.strip()
        path = _LINES_OR_SECTION.sub("", name) if len(name) <= MOST_CHARACTERS else name
        if path and not name.startswith(";"):
            yield Include(path.strip(), is_part=path != name)


def mdbook(text: str) -> Iterator[Include]:
    """Yield what mdBook includes: `{{#include file.rs:2:10}}` and similar links."""
    for kind, path in _MDBOOK.findall(text):
        if kind:
            name, _, part = path.partition(":")
            yield Include(name, is_part=bool(part), is_literal=kind != "include")


def vitepress(text: str) -> Iterator[Include]:
    """Yield what VitePress includes: `<!--@include: file.md{3,}-->`, and code: `<<< @/file.js`."""
    for name in _VITEPRESS.findall(text):
        path = re.split(r"[#{]", name, maxsplit=1)[0]
        yield Include(_from_root(path.strip()), is_part=path != name)
    for line in _outside_code(text):
        if found := _VITEPRESS_CODE.fullmatch(line):
            path = re.split(r"[#{\[]", found[1], maxsplit=1)[0]
            yield Include(_from_root(path.strip()), is_literal=True)


def quarto(text: str) -> Iterator[Include]:
    """Yield what Quarto includes: `{{< include _a.qmd >}}`, `{{< embed notebook.ipynb#id >}}`."""
    for line in _outside_code(text):
        if found := _QUARTO.fullmatch(line):
            name = found[2].partition("#")[0]
            yield Include(name, is_literal=found[1] == "embed")


def myst(text: str) -> Iterator[Include]:
    """Yield what MyST's directives include, in mystmd and in Sphinx.

    Directives can be in directives; those in code are only shown.
    """
    lines = text.splitlines()
    ahead: list[tuple[str, bool]] = []  # The open fences, each with whether it is code.
    for number, line in enumerate(lines):
        if not (found := _FENCE.fullmatch(line)):
            continue
        fence, info = found[1], found[2]
        opened, is_code = ahead[-1] if ahead else ("", False)
        if opened and not info and fence.startswith(opened):
            ahead.pop()
        elif not is_code:
            directive = _DIRECTIVE.match(info)
            ahead.append((fence, directive[1] in _CODE if directive else fence[0] != ":"))
            if directive and directive[1] in _INCLUDING:
                yield _of_directive(directive[1], directive[2], lines, number)


def rst(text: str) -> Iterator[Include]:
    """Yield what reStructuredText's directives include."""
    lines = text.splitlines()
    literal: int | None = None  # The indentation below which a literal block ends.
    for number, line in enumerate(lines):
        indentation = len(line) - len(line.lstrip())
        if not line.strip() or (literal is not None and indentation > literal):
            continue
        literal = None
        found = _RST_DIRECTIVE.match(line)
        if found and found[2] in _INCLUDING:
            # A name between `<` and `>` is a file of docutils itself.
            if not found[3].startswith("<"):
                yield _of_directive(found[2], found[3], lines, number)
        elif (found and found[2] in _CODE) or (not found and line.rstrip().endswith("::")):
            literal = indentation


def include_markdown(text: str) -> Iterator[Include]:
    """Yield what the plugin include-markdown includes: `{% include-markdown "../a.md" %}`.

    Names are relative to the folder of all sources unless they begin with a dot.
    """
    for double, single, options in _TAG.findall(text):
        name = double or single
        is_part = "start=" in options or "end=" in options
        is_relative = name.startswith(("./", "../")) or "://" in name
        yield Include(name if is_relative else f"/{name}", is_part=is_part)


def jinja(text: str) -> Iterator[Include]:
    """Yield the templates that a text includes, imports or extends, as mkdocs-macros does."""
    for names in _JINJA.findall(text):
        yield Include("".join(names))


def markdown_include(text: str) -> Iterator[Include]:
    """Yield what Markdown-Include includes: `{!file.md!}`, `{!file.md!lines=1-3}`."""
    for name, lines in _MARKDOWN_INCLUDE.findall(text):
        yield Include(name.strip(), is_part=bool(lines))


def mdx_include(text: str) -> Iterator[Include]:
    """Yield what mdx_include includes: `{!file.md[ln:1-3] | utf-8!}`; `{!-` shows it as it is."""
    for recursion, name, lines in _MDX_INCLUDE.findall(text):
        yield Include(name.strip(), is_part=bool(lines), is_literal=recursion == "-")


def include_variants(text: str) -> Iterator[Include]:
    """Yield what markdown-include-variants shows: `{* a_py310.py ln[1:3] *}`, and its variants.

    They differ in a suffix of the file or of its folder: `a_an_py310.py`, `a_an/b.py`.
    """
    lines = (line for line in text.splitlines() if line.startswith("{*") and line.endswith("*}"))
    names = dict.fromkeys(words[0] for line in lines if (words := line[2:-2].split()))
    for name in names:
        yield Include(name)
        if len(name) > MOST_CHARACTERS:
            continue
        folder, file = posixpath.split(name)
        stem = _VARIANT.sub("", posixpath.splitext(file)[0])
        for suffix in _VARIANTS:
            yield Include(posixpath.join(folder, f"{stem}{suffix}.py"), is_optional=True)
            other = posixpath.join(f"{_VARIANT.sub('', folder)}{suffix}", file)
            yield Include(other, is_optional=True)


def _from_root(name: str) -> str:
    """Return a name of VitePress, in which `@` means the folder of all sources."""
    return f"/{name[1:].removeprefix('/')}" if name.startswith("@") else name


def _of_directive(kind: str, argument: str, lines: Sequence[str], number: int) -> Include:
    """Return what a directive includes; its options are in the lines after its own."""
    options = set()
    while number + 1 < len(lines) and (option := _OPTION.match(lines[number + 1])):
        options.add(option[1])
        number += 1
    is_literal = kind != "include" or bool(options & {"literal", "code"})
    return Include(argument.strip(), is_part=bool(options & _OF_PART), is_literal=is_literal)


def _outside_code(text: str) -> Iterator[str]:
    """Yield the lines outside fenced code."""
    fence = ""
    for line in text.splitlines():
        found = _FENCE.fullmatch(line)
        if not found or found[1][0] == ":":
            if not fence:
                yield line
        elif not fence:
            fence = found[1]
        elif found[1].startswith(fence) and not found[2]:
            fence = ""
