"""Which edits of a source readers see, by format."""

from __future__ import annotations

import json
import time

import pytest

from sitemap_plugins.core.dates.content import read_content

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
:summary: s

One two three
four `x <y>`_.

::

    code
      b

* i1
  i1b
"""
PELICAN = "Title: T\nTags: a\nSummary: s\n\nOne two three\nfour\n"
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


UNSEEN = {
    "tags": ("a.md", MARKDOWN, "[a]", "[b]"),
    "tags as a list": ("a.md", MARKDOWN, "[a]", "\n  - a\n  # why\n- b"),
    "id added": ("a.md", MARKDOWN, "title: T", "title: T\nid: x"),
    "order of keys": ("a.md", MARKDOWN, "title: T\ntags: [a]", "tags: [a]\ntitle: T"),
    "unknown flag": ("a.md", MARKDOWN, "title: T", "title: T\nlocalized: true"),
    "comment in front matter": ("a.md", MARKDOWN, "title: T", "# why\n\ntitle: T"),
    "spaces at line ends": ("a.md", MARKDOWN, "three\n", "three  \n"),
    "CRLF": ("a.md", MARKDOWN, "\n", "\r\n"),
    "byte order mark": ("a.md", MARKDOWN, "---\ntitle", "\ufeff---\ntitle"),
    "rewrapped paragraph": ("a.md", MARKDOWN, "three\nfour", "three four"),
    "rewrapped item": ("a.md", MARKDOWN, "i1\n  i1b", "i1 i1b"),
    "empty lines": ("a.md", MARKDOWN, "\n\n", "\n\n\n"),
    "comment": ("a.md", MARKDOWN, "# H", "# H <!-- omit in toc -->"),
    "comment of lines": ("a.md", MARKDOWN, "# H", "<!-- lint\noff `x` -->\n# H"),
    "comment behind fences": (
        "a.md",
        "````\n```\n````\n\nend\n",
        "end",
        "<!-- x -->\nend",
    ),
    "dashes of a table": ("a.md", "|a|\n|------|\n", "------", "---------"),
    "TOML": ("a.md", TOML, '["a"]', '[\n  "a",\n  "b",\n]'),
    "docinfo": ("a.rst", RST, "tags: a", "tags: b"),
    "docinfo removed": ("a.rst", RST, ":tags: a\n", ""),
    "length of an underline": ("a.rst", RST, "=====", "===="),
    "docinfo below an overline": (
        "a.rst",
        f"==\n T\n==\n{RST[8:]}",
        "tags: a",
        "tags: b",
    ),
    "rewrapped reStructuredText": ("a.rst", RST, "three\nfour", "three four"),
    "spaces below header lines": ("a.md", PELICAN, "\n", "  \n"),
    "spaces below docinfo": ("a.rst", RST, "\n", "  \n"),
    "header lines": ("a.md", PELICAN, "Tags: a", "Tags: b\n  c"),
    "counters, metadata, indentation": (
        "a.ipynb",
        NOTEBOOK,
        NOTEBOOK,
        json.dumps(
            {
                **json.loads(NOTEBOOK.replace('_count": 1', '_count": 2')),
                "metadata": {},
            },
            indent=1,
        ),
    ),
    "tags of a notebook": ("a.ipynb", NOTEBOOK, "tags: a", "tags: b"),
    "indented element": ("a.html", HTML, "  <p>", "<p>"),
    "HTML comment": ("a.html", HTML, "<p>", "<!-- x --><p>"),
    "front matter of HTML": (
        "a.html",
        f"---\ntags: a\n---\n{HTML}",
        "tags: a",
        "tags: b",
    ),
    "spaces in another file": ("a.csv", "a, b\nc\n", "\n", " \r\n"),
}
SEEN = {
    "title": ("a.md", MARKDOWN, "title: T", "title: U"),
    "title removed": ("a.md", MARKDOWN, "title: T\n", ""),
    "description": ("a.md", MARKDOWN, "title: T", "title: T\ndescription: d"),
    "unknown sentence": (
        "a.md",
        MARKDOWN,
        "title: T",
        "title: T\nmotto: read the manual",
    ),
    "nested sentence": ("a.md", MARKDOWN, "title: T", "title: T\nhero:\n  text: a b c"),
    "indented code": ("a.md", MARKDOWN, "      b", "        b"),
    "fenced code": ("a.md", MARKDOWN, "    y", "  y"),
    "target of a link": ("a.md", MARKDOWN, "(y)", "(z)"),
    "word": ("a.md", MARKDOWN, "two", "2"),
    "comment that is a command": (
        "a.md",
        MARKDOWN,
        "# H",
        "# H <!-- md:version 9.7 -->",
    ),
    "comment that includes": ("a.md", MARKDOWN, "# H", '# H\n<!-- --8<-- "a.md" -->'),
    "comment in a fence": ("a.md", MARKDOWN, "if x:", "<!-- x -->\nif x:"),
    "comment in a code span": ("a.md", MARKDOWN, "two", "`<!-- x -->`"),
    "comment in indented code": ("a.md", MARKDOWN, "code a", "<!-- x -->"),
    "comment without end": ("a.md", MARKDOWN, "# H", "<!-- x\n# H"),
    "text between rules": ("a.md", "---\nSome text.\n---\n", "text", "words"),
    "lines that only look like a header": ("a.md", "Note: one\n\nx\n", "one", "two"),
    "summary": ("a.rst", RST, "summary: s", "summary: z"),
    "code in reStructuredText": ("a.rst", RST, "      b", "     b"),
    "role": ("a.rst", "T\n=\n\n:any:`x`\n\ny\n", "`x`", "`y`"),
    "summary in a header": ("a.md", PELICAN, "Summary: s", "Summary: z"),
    "title in a header": ("a.md", PELICAN, "Title: T", "Title: U"),
    "output": ("a.ipynb", NOTEBOOK, '1\\n"', '2\\n"'),
    "output as data": ("a.ipynb", NOTEBOOK, "chart", "table"),
    "cell": ("a.ipynb", NOTEBOOK, "one", "1"),
    "preformatted": ("a.html", HTML, "  b", "    b"),
    "attribute": ("a.html", HTML, 'href="x"', 'href="y"'),
    "comment in a script": ("a.html", "<script>a</script>", "a", "a<!-- b"),
    "line of another file": ("a.csv", "a, b\nc\n", "a, b", "a,\nb"),
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
    text = BODY.replace("\n", end)

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


@pytest.mark.parametrize("case", HOSTILE)
@pytest.mark.parametrize("name", [b"a.md", b"a.rst", b"a.html", b"a.py"])
def test_time_grows_with_the_length_only(case, name):
    """A quadratic expression takes minutes; 3 s leave room for a busy machine."""
    text = HOSTILE[case]
    start = time.process_time()

    before = read_content(name, text.encode())
    for other in (text + " z", text.replace("\n", "\n ", 1), "\n" + text):
        assert (before == read_content(name, other.encode())) in {True, False}
    assert time.process_time() - start < 3
