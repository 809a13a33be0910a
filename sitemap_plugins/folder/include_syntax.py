"""How texts include files, in the syntax of each generator.

The function of a syntax takes a text and yields what the text includes, in order. Which
lines of a file are shown does not matter: any change to the file counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

MAX_CHARACTERS = 500
"""Characters of a name."""


class Include(NamedTuple):
    """One file that a text includes."""

    name: str
    """As written; it begins with a slash if it is relative to the folder of all
    sources."""

    is_literal: bool = False
    """Whether the file is shown as it is, so that its own includes are not followed."""


# Expressions name the file in the group `name`, in quotes or not; what is in the group
# `literal` shows that the file is included as it is.

# PyMdown's Snippets: `--8<-- "file.md"`, or names between two lines of scissors.
_SCISSORS = re.compile(
    r"""
    [ \t]*
    (?P<escape> ;* )
    -+8<-+
    (?: [ \t]+ (?P<name> "(?:\\"|[^"])+" | '(?:\\'|[^'])+' ) )?
    """,
    re.VERBOSE,
)
_LINES_OR_SECTION = re.compile(
    r"(?:(?::-?[0-9]*){1,2}(?:,-?[0-9:]+)*|:[a-z][-_0-9a-z]*)$", re.IGNORECASE
)
# VitePress' `processIncludes`, and its rule for code.
_VITEPRESS = re.compile(
    r"""
    <!--[ \t]*+@include:[ \t]*+
    (?P<name> [^\n#{]{0,500}? )
    (?: [#{] [^\n]{0,500}? )?          # A section, or lines.
    -->
    """,
    re.VERBOSE,
)
_VITEPRESS_CODE = re.compile(
    r"\A {0,3}(?P<literal><<<)[ \t]*(?P<name>[^\s#{\[][^#{\[]*)"
)
# Asciidoctor's `IncludeDirectiveRx`, and the line around a comment.
_ASCIIDOC = re.compile(r"include::([^\s\[](?:[^\[]*[^\s\[])?)\[.*\][ \t]*")
_ASCIIDOC_COMMENT = re.compile(r"/{4,}[ \t]*")
ASCIIDOC_SUFFIXES = (".adoc", ".asciidoc", ".asc", ".ad")
"""Suffixes of AsciiDoc."""

# mdBook's links, Quarto's shortcodes and Jinja's statements, whether shown as code or
# escaped.
_UNFOLLOWED = re.compile(
    r"""
    (?: \{\{ \s* \# (?: include | rustdoc_include | playground | playpen )
      | \{\{< \s* (?: include | embed )
      | \{%[-+]? \s* (?: include | import | from | extends )
    ) \s++
    (?P<name> [^\s}>%]{1,500} )
    """,
    re.VERBOSE,
)
# The last line of a statement of JavaScript modules that names a text. `@site` is
# Docusaurus' name for the folder of its settings.
_MDX = re.compile(
    r"""
    \A (?: import | export | \} ) [^"']* \b from [ \t]+
    ["'] (?: @site )? (?P<name> [^"']+\.mdx? ) ["']
    ;? [ \t]* \Z
    """,
    re.VERBOSE,
)
_DIRECTIVE = re.compile(r"\{([\w:.+-]+)\}[ \t]*(.*)")
_RST_DIRECTIVE = re.compile(r"[ \t]*\.\.[ \t]+([\w:.+-]+)::[ \t]*(.*)")
# A fence can be in a quotation or a list.
_FENCE = re.compile(
    r"""
    [ \t>]*+
    (?: (?: [-*+] | \d{1,9}[.)] ) [ \t]++ )*+
    ( `{3,}+ | ~{3,}+ | :{3,}+ )
    [ \t]*+
    ( [^`]*+ )
    """,
    re.VERBOSE,
)
_OPTION = re.compile(r"[ \t>]*:([\w-]+):")
_INCLUDING = {"include", "literalinclude"}
_CODE = {
    "code",
    "code-block",
    "code-cell",
    "sourcecode",
    "parsed-literal",
    "raw",
    "math",
}
# include-markdown's tags.
_TAG = re.compile(
    r"""
    \{%[-+]? \s* include(?:-markdown)? \s+
    (?P<name> "[^"\n]+" | '[^'\n]+' )
    """,
    re.VERBOSE,
)
# `{!file.md!}`, `{!file.md!lines=1-3}`.
_MARKDOWN_INCLUDE = re.compile(r"\{!(?P<name>[^!\n]+)!(?:lines=[0-9 -]+)?\}")
# `{* ../code.py ln[1:9] hl[3] *}`.
_VARIANTS = re.compile(r"\{\*[ \t]+(?P<name>[^\s*]++)[^*\n]*+\*\}")
# `{!file.md[ln:1-3] | utf-8!}`; `{!-` shows the file as it is.
_MDX_INCLUDE = re.compile(
    r"""
    (?<!\\) \{! (?: \+ | (?P<literal> - ) )? >?
    (?P<name> [^]|[!\n]+ )
    (?: \[ln:[0-9.,-]+\] [ \t]* )?
    (?: \|[^!\n]+ )?
    !\}
    """,
    re.VERBOSE,
)
# mkdocstrings' `AutoDocProcessor`: an object, perhaps as a heading.
_OBJECT = re.compile(r"\A[ \t]*(?:\#{1,6} *)?::: ?(?P<name>[^\s:].*)\Z")


def snippets(text: str) -> Iterator[Include]:
    r"""Yield what PyMdown's Snippets include; `;` before a line or a name escapes it.

    >>> [include.name for include in snippets('--8<-- "a.md:2:5"\n;--8<-- "b.md"\n')]
    ['a.md']
    """
    is_block = False
    for line in text.splitlines():
        name = ""
        found = _SCISSORS.fullmatch(line)
        if found is None:
            # In a block, each line is a name; elsewhere, names are in quotes.
            name = line.strip() if is_block else ""
        elif found["name"]:
            name = "" if is_block or found["escape"] else found["name"][1:-1].strip()
        elif not found["escape"]:
            is_block = not is_block
        if name.startswith(";"):
            continue
        if len(name) <= MAX_CHARACTERS:
            name = _LINES_OR_SECTION.sub("", name).strip()
        if name:
            yield Include(name)


def vitepress(text: str) -> Iterator[Include]:
    """Yield what VitePress includes: `<!--@include: a.md{3,}-->`, `<<< @/code.js`."""
    code = _found(_VITEPRESS_CODE, _outside_code(text))
    for include in chain(_found(_VITEPRESS, [text]), code):
        name = include.name
        # `@` means the folder of all sources.
        if name.startswith("@"):
            name = "/" + name[1:].removeprefix("/")
        yield Include(name, include.is_literal)


def asciidoc(text: str) -> Iterator[Include]:
    """Yield what AsciiDoc includes, also in listings: `include::partial$a.adoc[tag=b]`.

    Asciidoctor looks for includes in texts only, not in code that is included.
    """
    comment = ""
    for line in text.splitlines():
        if _ASCIIDOC_COMMENT.fullmatch(line):
            if not comment:
                comment = line
            elif comment == line:
                comment = ""
        elif not comment and (found := _ASCIIDOC.fullmatch(line)):
            name = found[1]
            is_text = name.endswith((*ASCIIDOC_SUFFIXES, ".txt"))
            yield Include(name, is_literal=not is_text)


def mdx(text: str) -> Iterator[Include]:
    """Yield the texts, no components, that MDX imports: `import A from "./_a.mdx"`."""
    return _found(_MDX, _outside_code(text))


def unfollowed(text: str) -> Iterator[Include]:
    """Yield what mdBook, Quarto and mkdocs-macros include; nobody looks for the files.

    >>> [include.name for include in unfollowed("{% include 'a.md' %}")]
    ['a.md']
    """
    return _found(_UNFOLLOWED, [text])


def markdown_include(text: str) -> Iterator[Include]:
    """Yield what Markdown-Include includes: `{!file.md!}`."""
    return _found(_MARKDOWN_INCLUDE, [text])


def markdown_include_variants(text: str) -> Iterator[Include]:
    """Yield what Markdown-Include-Variants includes: `{* ../code.py ln[1:9] *}`."""
    return _found(_VARIANTS, [text])


def mdx_include(text: str) -> Iterator[Include]:
    """Yield what mdx_include includes: `{!file.md!}`, `{!file.md[ln:1-3] | utf-8!}`."""
    return _found(_MDX_INCLUDE, [text])


def objects(text: str) -> Iterator[Include]:
    """Yield the objects of Python that a text documents: `::: pkg.Client`.

    The names are those of objects, not of files.
    """
    return _found(_OBJECT, _outside_code(text))


def include_markdown(text: str) -> Iterator[Include]:
    """Yield what include-markdown includes: `{% include-markdown "../a.md" %}`.

    Names are relative to the folder of all sources unless they begin with a dot.
    """
    for include in _found(_TAG, [text]):
        name = include.name
        is_elsewhere = name.startswith(("./", "../")) or "://" in name
        yield include if is_elsewhere else Include(f"/{name}")


def myst(text: str) -> Iterator[Include]:
    """Yield what MyST's directives include, in mystmd and in Sphinx.

    Directives can be in directives; those in code are only shown.
    """
    lines = text.splitlines()
    fences: list[_Fence] = []
    for number, line in enumerate(lines):
        found = _FENCE.fullmatch(line)
        if found is None:
            continue
        mark, info = found.groups()
        around = fences[-1] if fences else _Fence("")
        # A fence that is as long, with nothing after it, closes the one around.
        if around.mark and not info and mark.startswith(around.mark):
            fences.pop()
            continue
        if around.is_code:
            continue
        directive = _DIRECTIVE.match(info)
        if directive is None:
            fences.append(_Fence(mark, is_code=not mark.startswith(":")))
            continue
        kind, argument = directive.groups()
        fences.append(_Fence(mark, is_code=kind in _CODE))
        if kind in _INCLUDING:
            yield _of_directive(kind, argument, lines, number)


class _Fence(NamedTuple):
    """An open fence."""

    mark: str
    is_code: bool = False


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
        if found is None:
            if line.rstrip().endswith("::"):
                literal = indentation
            continue
        kind, argument = found.groups()
        if kind in _CODE:
            literal = indentation
        # A name between `<` and `>` is a file of docutils itself.
        elif kind in _INCLUDING and not argument.startswith("<"):
            yield _of_directive(kind, argument, lines, number)


def _of_directive(
    kind: str, argument: str, lines: Sequence[str], number: int
) -> Include:
    """Return what a directive includes; its options are in the lines after its own."""
    options = set()
    while number + 1 < len(lines) and (option := _OPTION.match(lines[number + 1])):
        options.add(option[1])
        number += 1
    is_literal = kind != "include" or not options.isdisjoint({"literal", "code"})
    return Include(argument.strip(), is_literal)


def _found(expression: re.Pattern[str], texts: Iterable[str]) -> Iterator[Include]:
    """Yield what an expression with a group `name` finds in any of several texts."""
    for text in texts:
        for found in expression.finditer(text):
            groups = found.groupdict()
            name = (groups["name"] or "").strip("\"' \t")
            if name:
                yield Include(name, groups.get("literal") is not None)


def _outside_code(text: str) -> Iterator[str]:
    """Yield the lines outside fenced code."""
    fence = ""
    for line in text.splitlines():
        found = _FENCE.fullmatch(line)
        # Colons begin and end a directive, in which directives can include files too.
        if not found or found[1].startswith(":"):
            if not fence:
                yield line
        elif not fence:
            fence = found[1]
        elif found[1].startswith(fence) and not found[2]:
            fence = ""
