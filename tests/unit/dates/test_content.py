"""Which edits of a source readers see, by format."""

from __future__ import annotations

import json
import time

import pytest

from sitemap_plugins.core.dates.content import read_content
from tests.full import full, usually

MARKDOWN = """---
title: T
tags: [a]
---
# H

One two three
four [x](y).

    code a
      b

```py
if x:
    y
```

* i1
  i1b
"""
BODY = MARKDOWN.partition("---\n# H")[2]
RST = """T
=====

:tags: a
:slug: t
:summary: s

One two three
four `x <y>`_.

::

    code
      b

* i1
  i1b
"""
PELICAN = "Title: T\nDate: 2020-01-01\nTags: a\nSummary: z\n\nOne two three\nfour\n"
TOML = '+++\ntitle = "T"\ntags = ["a"]\n+++\nx\n'
HTML = """<!doctype html>
<html><head><title>T</title></head>
<body>
  <p>One two <a href="x">three</a></p>
<pre>a
  b</pre>
</body></html>
"""
NOTEBOOK = json.dumps(
    {
        "cells": [
            {
                "cell_type": "raw",
                "metadata": {},
                "source": "---\ntitle: T\ntags: a\n---",
            },
            {
                "cell_type": "markdown",
                "metadata": {},
                "source": ["# H\n", "one\n", "two"],
            },
            {
                "cell_type": "code",
                "execution_count": 1,
                "metadata": {"tags": ["hide-input"]},
                "outputs": [
                    {"output_type": "stream", "text": ["1\n"]},
                    {
                        "output_type": "display_data",
                        "data": {"application/json": {"a": "chart"}},
                    },
                ],
                "source": ["x = 1"],
            },
        ],
        "metadata": {"kernel": 1},
    }
)


def is_seen(name, old, new):
    if isinstance(new, str):
        new = new.encode()
    before, after = (read_content(name.encode(), text) for text in (old.encode(), new))
    assert before == read_content(name.encode(), old.encode())
    return before != after


FENCED = "a\n\n```\nx\n\n\ny\n```\nend\n"
NOTE = "<!-- one two three -->"
NOTED = f"a\n\n{NOTE}\n\nend\n"
SHELL = "Code::\n\n   echo a b\n"

UNSEEN = {
    "tags": ("a.md", MARKDOWN, "[a]", "[b]"),
    "tags as a list": ("a.md", MARKDOWN, "[a]", "\n  - a\n  # why\n- b"),
    "last change": ("a.md", MARKDOWN, "title: T", "title: T\nlastmod: 2020-01-01"),
    "tags of a text about them": (
        "a.md",
        "---\ntags: 1\n---\n```yaml {a=b}\nx\n```\n\nKeys of the frontmatter.\n",
        "tags: 1",
        "tags: 2",
    ),
    "layout": ("a.md", MARKDOWN, "title: T", "title: T\nlayout: wide"),
    "space at a line's end": ("a.md", MARKDOWN, "three\n", "three \n"),
    "spaces before an empty line": ("a.md", MARKDOWN, "# H\n", "# H   \n"),
    "spaces in an empty line": ("a.md", MARKDOWN, "H\n\n", "H\n  \t\n"),
    "CRLF": ("a.md", MARKDOWN, "\n", "\r\n"),
    "byte order mark": ("a.md", MARKDOWN, "---\ntitle", "\ufeff---\ntitle"),
    "two empty lines": ("a.md", MARKDOWN, "H\n\nOne", "H\n\n\nOne"),
    "empty lines at the end": ("a.md", MARKDOWN, "i1b\n", "i1b\n\n\n"),
    "empty line below a heading": ("a.md", MARKDOWN, "H\n\nOne", "H\nOne"),
    "empty lines above a fence": ("a.md", FENCED, "a\n\n", "a\n\n\n\n"),
    "comment": ("a.md", NOTED, NOTE, "<!-- four five six -->"),
    "comment added": ("a.md", MARKDOWN, "# H", f"{NOTE}\n\n# H"),
    "comment above a text": ("a.md", MARKDOWN, "One", f"{NOTE}\nOne"),
    "comment of lines": ("a.md", MARKDOWN, "# H", "<!-- TODO\n\nx -->\n# H"),
    "comments of tools": (
        "a.md",
        NOTED,
        NOTE,
        "<!-- vale off -->\n\n<!-- SPDX-License-Identifier: MIT -->",
    ),
    "comment behind fences": ("a.md", f"````\n```\n````\n\n{NOTED}", NOTE, ""),
    "comment behind an open one": ("a.md", f"```\n<!--\n```\n\n{NOTED}", NOTE, ""),
    "orphan": ("a.rst", ":orphan:\n\nT\n=\n", ":orphan:\n\n", ""),
    "fields": ("a.rst", f":tags: 1\n:nosearch:\n\n{RST}", "tags: 1", "tags: 2"),
    "Pelican's fields": ("a.rst", RST, "tags: a", "tags: b"),
    "Pelican's field removed": ("a.rst", RST, ":tags: a\n", ""),
    "Pelican's fields below an overline": (
        "a.rst",
        f"==\n T\n==\n{RST[8:]}",
        "tags: a",
        "tags: b",
    ),
    "wrapped paragraph": ("a.rst", RST, "three\nfour", "three four"),
    "wrapped sentence": ("a.rst", "One two\nand three.\n", "two\nand", "two and"),
    "empty lines in reStructuredText": ("a.rst", RST, "\n\n* i1", "\n\n\n* i1"),
    "spaces in reStructuredText": ("a.rst", RST, "\n", "  \n"),
    "Pelican's lines": ("a.md", PELICAN, "Tags: a", "Tags: b\n  c"),
    "form and names of cells": (
        "a.ipynb",
        NOTEBOOK,
        NOTEBOOK,
        json.dumps(
            json.loads(NOTEBOOK.replace('"cells": [{', '"cells": [{"id": "1", ')),
            indent=1,
        ),
    ),
    "when a cell ran": (
        "a.ipynb",
        NOTEBOOK,
        '"tags": ["hide-input"]',
        '"execution": {"iopub.status.idle": "2020"}, "tags": ["hide-input"]',
    ),
    "front matter of HTML": (
        "a.html",
        f"---\ntags: a\n---\n{HTML}",
        "tags: a",
        "tags: b",
    ),
    "CRLF in another file": ("a.csv", "a, b\nc\n", "\n", "\r\n"),
}
SEEN = {
    "title": ("a.md", MARKDOWN, "title: T", "title: U"),
    "title removed": ("a.md", MARKDOWN, "title: T\n", ""),
    "description": ("a.md", MARKDOWN, "title: T", "title: T\ndescription: d"),
    "unknown key": ("a.md", MARKDOWN, "title: T", "title: T\nversions: 2.9-9.10"),
    "unknown flag": ("a.md", MARKDOWN, "title: T", "title: T\nlocalized: true"),
    "day of publication": ("a.md", MARKDOWN, "title: T", "title: T\ndate: 2020-01-01"),
    "Pelican's day of publication": ("a.md", PELICAN, "2020", "2021"),
    "author": ("a.md", MARKDOWN, "title: T", "title: T\nauthor: A"),
    "authors": ("a.md", "---\nauthors:\n- a\n---\nx\n", "- a\n", "- a\n- b\n"),
    "Pelican's author": ("a.rst", RST, ":tags:", ":author: A\n:tags:"),
    "known key below another": ("a.md", MARKDOWN, "[a]", "[a]\nhero:\n  tags: x"),
    "key that the text shows": (
        "a.md",
        "---\ntags: 1\n---\nFrom {{ tags }}\n",
        "tags: 1",
        "tags: 2",
    ),
    "key with an anchor": (
        "a.md",
        "---\ntags: &a 1\nshown: *a\n---\n",
        "&a 1",
        "&a 2",
    ),
    "key with an anchor in a list": (
        "a.md",
        "---\ntags:\n- &a 1\nshown: *a\n---\n",
        "&a 1",
        "&a 2",
    ),
    "key with an anchor in brackets": (
        "a.md",
        "---\ntags: [&a 1]\nshown: *a\n---\n",
        "&a 1",
        "&a 2",
    ),
    "key in braces": ("a.md", "---\nhero: {\ntags: 1\n}\n---\n", "1", "2"),
    "key in a list in braces": (
        "a.md",
        "---\nhero: {a: [],\ntags: 1 }\n---\n",
        "1",
        "2",
    ),
    "key in a quoted value": ("a.md", '---\ntitle: "a\ntags: b"\n---\n', "b", "c"),
    "key that an expression shows": (
        "a.mdx",
        "---\ntags: 1\n---\n<p>{frontMatter.tags}</p>\n",
        "tags: 1",
        "tags: 2",
    ),
    "key in an inner brace": (
        "a.mdx",
        "---\ntags: 1\n---\n<A b={[{c}, frontMatter.tags]} />\n",
        "tags: 1",
        "tags: 2",
    ),
    "key that an attribute shows": (
        "a.md",
        "---\ntags: 1\n---\n<A :b='$frontmatter.tags' />\n",
        "tags: 1",
        "tags: 2",
    ),
    "key that a script shows": (
        "a.md",
        "---\ntags: 1\n---\n<script>x = y()</script>\n\n<A :b='x.frontmatter' />\n",
        "tags: 1",
        "tags: 2",
    ),
    "definition in a field": (
        "a.rst",
        ":tags: .. |x| replace:: one\n\n|x|\n",
        "one",
        "two",
    ),
    # Pelican's themes print it on the article.
    "category": ("a.md", "---\ntitle: T\ncategory: one\n---\nText\n", "one", "two"),
    "category above the title": ("a.rst", ":category: one\n\nText\n", "one", "two"),
    "category below the title": (
        "a.rst",
        "Title\n=====\n\n:category: one\n\nText\n",
        "one",
        "two",
    ),
    "comment in front matter": ("a.md", MARKDOWN, "title: T", "# why\ntitle: T"),
    "TOML": ("a.md", TOML, '["a"]', '["b"]'),
    "indented code": ("a.md", MARKDOWN, "      b", "        b"),
    "fenced code": ("a.md", MARKDOWN, "    y", "  y"),
    "empty line in a fence": ("a.md", FENCED, "\n\n\ny", "\n\ny"),
    "lines of a fence": ("a.md", "```\na\nb\n```\n", "a\nb", "a b"),
    "lines of a block": ("a.rst", SHELL, "a b", "a\n   b"),
    "spaces of a literal": ("a.rst", "``a  b``\n", "a  b", "a b"),
    "target of a link": ("a.md", MARKDOWN, "(y)", "(z)"),
    "word": ("a.md", MARKDOWN, "two", "2"),
    "hard break": ("a.md", "one  \ntwo\n", "one  ", "one"),
    "hard break of tabs": ("a.md", "one\ntwo\n", "one", "one\t\t"),
    # With the extension nl2br, and in many programs by a setting.
    "wrapped paragraph": ("a.md", MARKDOWN, "three\nfour", "three four"),
    "wrapped item": ("a.md", MARKDOWN, "i1\n  i1b", "i1 i1b"),
    "empty line above a list": ("a.md", "a\n- b\n", "a\n", "a\n\n"),
    # Pandoc and kramdown need one there.
    "empty line above a heading": ("a.md", "a\n# b\n", "a\n", "a\n\n"),
    "empty line above a fence": ("a.md", "a\n```\nb\n```\n", "a\n", "a\n\n"),
    # Superfences does not end the paragraph.
    "empty line below a fence": ("a.md", FENCED, "```\nend", "```\n\nend"),
    "empty lines below an empty item": ("a.md", "1.\n\n1. b\n", "\n\n", "\n\n\n"),
    "empty line in a paragraph": ("a.md", "a\nb\n", "a\n", "a\n\n"),
    "space behind a number": ("a.md", "a\n\n1.\n", "1.", "1. "),
    "spaces behind a closed heading": ("a.md", "# H #\n", "# H #", "# H # "),
    "space behind a letter": ("a.md", "a\n\nb.\n", "b.", "b. "),
    "empty lines in another kind of block": (
        "a.md",
        "/// html | pre\na\n\n\nb\n///\n",
        "\n\n\n",
        "\n\n",
    ),
    "empty lines behind a carriage return": (
        "a.md",
        "a\r\r```\nb\n\n\nc\n```\n",
        "\n\n\n",
        "\n\n",
    ),
    "dashes of a table": ("a.md", "|a|\n|------|\n", "------", "---------"),
    "comment that is a command": ("a.md", NOTED, NOTE, "<!-- md:version 9.7 -->"),
    "list of tags": ("a.md", NOTED, NOTE, "<!-- material/tags -->"),
    "end of a summary": ("a.md", NOTED, NOTE, "<!-- more -->"),
    "comment that includes": ("a.md", NOTED, NOTE, '<!-- --8<-- "a.md" -->'),
    "marker of an include": ("a.md", NOTED, NOTE, "<!--intro-end-->"),
    "marker of words": ("a.md", NOTED, NOTE, "<!-- end of intro -->"),
    "comment with a macro": ("a.md", NOTED, "two", "{{ two }} x"),
    "comment between lists": ("a.md", f"- a\n\n{NOTE}\n\n- b\n", NOTE, ""),
    "comment between definitions": (
        "a.md",
        f"a\n: b\n\n{NOTE}\n\nc\nd\n\n: e\n",
        NOTE,
        "",
    ),
    "comment between lists, above a link's target": (
        "a.md",
        f"- a\n\n{NOTE}\n\n[x]: y\n\n- b\n",
        NOTE,
        "",
    ),
    "blanks in an empty line at the top": ("a.md", "\n\na\n", "\n\n", "\n\t\n"),
    "blanks in an empty line below a key": (
        "a.md",
        "Note: one\n\nx\n",
        "one\n\n",
        "one\n\n\t\n",
    ),
    "last key removed": ("a.md", "---\ntags: a\n---\nx\n", "tags: a\n", ""),
    "last key removed above a comment": (
        "a.md",
        "---\ntags: a\n# why\n---\nx\n",
        "tags: a\n",
        "",
    ),
    "tab below a key": ("a.md", "---\ntags: a\n---\nx\n", "a\n-", "a\n\t\n-"),
    "key that makes metadata wrong": ("a.md", MARKDOWN, "[a]", "a: b"),
    "value that makes metadata wrong": ("a.md", MARKDOWN, "[a]", "@a"),
    "comment above a key": ("a.md", f"{NOTE}\nNote: one\n\nx\n", f"{NOTE}\n", ""),
    "empty line above a key": ("a.md", "\nNote: one\n\nx\n", "\nN", "N"),
    "empty line above front matter": (
        "a.md",
        "---\na: b\n---\nx\n",
        "---\na",
        "\n---\na",
    ),
    "empty line above front matter of HTML": (
        "a.html",
        "---\na: b\n---\nx\n",
        "---\na",
        "\n---\na",
    ),
    "comment above code": ("a.md", f"- a\n\n{NOTE}\n\n    b\n", NOTE, ""),
    "comment in a paragraph": ("a.md", f"a\n{NOTE}\nb\n", NOTE, ""),
    "comment in a heading": ("a.md", MARKDOWN, "# H", f"# H {NOTE}"),
    "comment in a fence": ("a.md", FENCED, "x", NOTE),
    "comment in a fence apart": ("a.md", FENCED, "x", f"\n{NOTE}\n\nx"),
    "comment in a code span": ("a.md", MARKDOWN, "two", f"`{NOTE}`"),
    "comment in a code span of lines": ("a.md", f"foo `a\nb {NOTE} c`\n", "two", "2"),
    "comment in indented code": ("a.md", MARKDOWN, "code a", NOTE),
    "comment in code of an item": (
        "a.md",
        f"- ```html\n\n{NOTE}\n\nend\n",
        "two",
        "2",
    ),
    "comment in code of a numbered item": (
        "a.md",
        f"1. ```html\n\n{NOTE}\n\nend\n",
        "two",
        "2",
    ),
    "comment in code of a quoted item": (
        "a.md",
        f"> - ```html\n\n{NOTE}\n\nend\n",
        "two",
        "2",
    ),
    "comment in an open fence": ("a.md", f"```\n\n{NOTE}\n\nend\n", "two", "2"),
    "escaped comment": ("a.md", f"a\n\n\\{NOTE}\n\nend\n", "two", "2"),
    "comment in a link's title": ("a.md", f'[x](y "{NOTE}")\n', "two", "2"),
    "comment in an image's text": ("a.md", f"![{NOTE}](y)\n", "two", "2"),
    "comment in a text area": (
        "a.md",
        f"<textarea>\n\n{NOTE}\n\nend\n</textarea>\n",
        "two",
        "2",
    ),
    "comment in a script": (
        "a.md",
        f"<script>\nx = `\n\n{NOTE}\n\nend`\n</script>\n",
        "two",
        "2",
    ),
    "comment in preformatted text": ("a.md", f"<pre>\n\n{NOTE}\n\nend\n", "two", "2"),
    "comment without end": ("a.md", MARKDOWN, "# H", "<!-- one two three\n# H"),
    "comment in a comment without end": (
        "a.md",
        f"<!--\n\n{NOTE}\n\nend\n",
        "two",
        "2",
    ),
    "comment in a raw text": (
        "a.md",
        f"{{% raw %}}\n\n{NOTE}\n\nend\n",
        "two",
        "2",
    ),
    "text between rules": ("a.md", "---\nSome text.\n---\n", "text", "words"),
    "lines that only look like a header": ("a.md", "Note: one\n\nx\n", "one", "two"),
    "lines of a text": ("a.md", "Title: x\nTags: a\n\nx\n", "Tags: a", "Tags: b"),
    "summary": ("a.rst", RST, "summary: s", "summary: z"),
    "fields that Sphinx shows": ("a.rst", "T\n=\n\n:tags: 1\n\nx\n", "1", "2"),
    "code in reStructuredText": ("a.rst", RST, "      b", "     b"),
    "empty line in a block": ("a.rst", "::\n\n  a\n\n\n  b\n", "\n\n\n", "\n\n"),
    "line block": ("a.rst", "| a\n| b\n", "a\n| b", "a b"),
    "rows of a table": (
        "a.rst",
        "== ==\nA  a\n\nB b\nC c\n\nD  d\n== ==\n",
        "b\nC",
        "b C",
    ),
    "line that docutils ends": ("a.rst", "a\nb\n", "a", "a\u2028"),
    "definition": ("a.rst", "a\n  b\n", "a\n  b", "a b"),
    "comment in reStructuredText": ("a.rst", "..\n   a\n\nx\n", "..\n   a\n\n", ""),
    "role": ("a.rst", "T\n=\n\n:any:`x`\n\ny\n", "`x`", "`y`"),
    "plain text": ("a.txt", "a\n\n\nb\n", "\n\n\n", "\n\n"),
    "summary in a header": ("a.md", PELICAN, "Summary: z", "Summary: s"),
    "title in a header": ("a.md", PELICAN, "Title: T", "Title: U"),
    "output": ("a.ipynb", NOTEBOOK, '1\\n"', '2\\n"'),
    "output as data": ("a.ipynb", NOTEBOOK, "chart", "table"),
    "cell": ("a.ipynb", NOTEBOOK, "one", "1"),
    "counter of a cell": ("a.ipynb", NOTEBOOK, '_count": 1', '_count": 2'),
    "preformatted": ("a.html", HTML, "  b", "    b"),
    "attribute": ("a.html", HTML, 'href="x"', 'href="y"'),
    "conditional comment": (
        "a.html",
        "<!--[if !IE]><!--> price 10 <!--<![endif]-->",
        "10",
        "20",
    ),
    "empty comment": ("a.html", "<!--> price 10 <!-- -->", "10", "20"),
    "comment that ends wrongly": ("a.html", "<!-- --!> 10 <!-- -->", "10", "20"),
    "comment in an attribute": ("a.html", '<a title="<!--">10</a> -->', "10", "20"),
    "comment in a title": ("a.html", "<title><!-- 10 --></title>", "10", "20"),
    "comment in raw text": ("a.html", "<xmp><!-- 10 --></xmp>", "10", "20"),
    "comment in a script of HTML": ("a.html", "<script>a</script>", "a", "a<!-- b"),
    "line of another file": ("a.csv", "a, b\nc\n", "a, b", "a,\nb"),
    "spaces in another file": ("a.csv", "a, b\nc\n", "\n", " \n"),
    "key of another file": ("a.yml", "---\ntags: a\n---\n", "a\n", "b\n"),
}


@pytest.mark.parametrize("case", UNSEEN)
def test_edit_that_readers_do_not_see(case):
    name, text, old, new = UNSEEN[case]
    edited = text.replace(old, new)

    assert edited != text
    assert not is_seen(name, text, edited)


@pytest.mark.parametrize("case", SEEN)
def test_edit_that_readers_see(case):
    name, text, old, new = SEEN[case]
    edited = text.replace(old, new)

    assert edited != text
    assert is_seen(name, text, edited)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_front_matter_without_anything_to_see_is_as_none(end):
    text = BODY.lstrip().replace("\n", end)

    assert not is_seen("a.md", text, f"---{end}tags: [x]{end}---{end}{text}")
    assert is_seen("a.md", text, f"---{end}title: x{end}---{end}{text}")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", b"\xff\xfe a"),
        ("a.ipynb", b"[]"),
        ("a.ipynb", b"[" * 100_000),
        ("a.ipynb", b"{"),
    ],
)
def test_what_cannot_be_read_as_text_is_compared_as_it_is(name, text):
    assert is_seen(name, text.decode("latin-1"), text + b"\n ") is True


HOSTILE = {
    "dashes": "-" * 200_000,
    "keys": "---\n" + "a:\n" * 60_000,
    "continued key": "---\na: b\n" + "  x\n" * 60_000,
    "comments in front matter": "---\n" + "# a\n" * 50_000 + "---\n",
    "empty lines in a key": "---\na: b" + "\n" * 200_000 + "x",
    "quote": '---\n"' * 50_000,
    "colons": ":" * 200_000,
    "fields": ":a: b\n" * 34_000,
    "field names": (":" + "a" * 99) * 2_000,
    "title": "a\n" + "=" * 200_000,
    "header": "Title: b\n" + "  c\n" * 50_000,
    "spaces": " " * 200_000,
    "line breaks": "\n" * 200_000,
    "empty lines": " \n" * 100_000,
    "tabs": "\t" * 200_000 + "x",
    "digits": "1" * 200_000,
    "items": "- " * 100_000,
    "word": "a" * 200_000,
    "comments": "<!-- -->" * 25_000,
    "lines of comments": "<!-- a b c -->\n" * 13_000 + "- x",
    "paragraphs of comments": "\n\n<!-- a b c -->" * 12_000 + "\n\n- x",
    "comments above a definition": "<!-- a b c -->\n" * 13_000 + "a\n: b",
    "comments apart above a definition": "<!-- a b c -->\n\n" * 12_000 + "a\n: b",
    "borders of tables": "== ==\n" * 30_000,
    "borders of tables apart": "== ==\na\n\n" * 20_000,
    "open brackets": "---\na: " + "[" * 200_000 + "]\n---\n",
    "commas": "---\na: " + ", " * 100_000 + "x\n---\n",
    "anchors in a list": "---\ntags:\n" + "- a\n" * 50_000 + "- &a\n---\n",
    "open comments apart": "\n\n<!-- a b c" * 15_000,
    "words in a comment": "<!-- " + "a, " * 70_000 + "-->",
    "headings": "# a\n" * 50_000,
    "lines of titles": "title: b\n" * 20_000 + "\n",
    "fields below a title": "a\n==\n" + ":a: b\n" * 30_000,
    "lines of HTML": "<a>\n" * 50_000 + "```",
    "braces": "{{" * 100_000,
    "closed braces": "{{ }}" * 40_000,
    "fences of many kinds": "".join(
        f"{'`' * (3 + n % 50)}\nx\n\n" for n in range(8_000)
    ),
    "runs of empty lines": (" a" + "\n" * 1_000) * 200,
    "blanks at line ends": ("a." + " \t" * 500 + "x\n") * 200,
    "keys that begin as items": "---\na: b\n" + "-a: b\n" * 22 + "x",
    "anchors": "---\n" + "tags: &a\n x\n" * 18_000 + "---\n",
    "underlines": "=\n" * 100_000,
    "spaces in comments": "<!--" + " " * 200_000 + "<!--" * 9,
    "spaces between comments": ("<!--" + " " * 100) * 2_000,
    "open comments": "<!--" * 50_000,
    "fences": "```\n" * 50_000 + "<!--",
    "longer and longer fences": "\n".join("`" * n for n in range(600)) + "<!--",
    "open fences": "<!--" + "~~~ x\n" * 32_000,
    "backticks": "`" * 200_000 + "<!--",
    "quoted lines": "> " * 100_000 + "<!--",
    "tags": "<pre>" * 40_000,
    "scripts": "<script><!--" * 16_000,
}
SHORT = (
    "word",
    "quote",
    "title",
    "fields",
    "comments",
    "fences",
    "backticks",
    "anchors",
    "keys that begin as items",
)


@pytest.mark.parametrize("case", usually(HOSTILE, *SHORT))
@pytest.mark.parametrize(
    "name", [b"a.md", full(b"a.rst"), full(b"a.html"), full(b"a.py")]
)
def test_time_grows_with_the_length_only(case, name):
    """A quadratic expression takes minutes; 3 s leave room for a busy machine."""
    text = HOSTILE[case]
    start = time.process_time()

    before = read_content(name, text.encode())
    for other in (text + " z", text.replace("\n", "\n ", 1), "\n" + text):
        assert (before == read_content(name, other.encode())) in {True, False}
    assert time.process_time() - start < 3
