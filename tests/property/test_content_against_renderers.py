"""Random edits of Markdown that count as unseen are rendered the same,
by two renderers.

They are MkDocs' with the extensions that Material for MkDocs recommends, and
CommonMark. What is compared is what a browser shows: elements, attributes and words,
with white space where it is shown.
"""

from __future__ import annotations

import os
import random
import re

import markdown
import pytest
from markdown_it import MarkdownIt
from mkdocs.utils.meta import get_data
from selectolax.lexbor import LexborHTMLParser

from sitemap_plugins.core.dates.content import read_content

SEEDS = int(os.environ.get("EDITS", "2"))
FIRST = int(os.environ.get("EDITS_FROM", "0"))
EDITS_OF_SEED = 400

EXTENSIONS = [
    "abbr",
    "admonition",
    "attr_list",
    "def_list",
    "footnotes",
    "md_in_html",
    "tables",
    "toc",
    "pymdownx.arithmatex",
    "pymdownx.betterem",
    "pymdownx.caret",
    "pymdownx.details",
    "pymdownx.highlight",
    "pymdownx.inlinehilite",
    "pymdownx.keys",
    "pymdownx.mark",
    "pymdownx.smartsymbols",
    "pymdownx.superfences",
    "pymdownx.tabbed",
    "pymdownx.tasklist",
    "pymdownx.tilde",
]
CONFIGS = {"pymdownx.tabbed": {"alternate_style": True}}
PYTHON_MARKDOWN = markdown.Markdown(extensions=EXTENSIONS, extension_configs=CONFIGS)
COMMON = MarkdownIt("commonmark").enable("table")

BLOCKS = [
    "One two three.",
    "One two\nthree four",
    "Hard  \nbreak",
    "Back\\\nslash",
    "a `code` b",
    "foo `a\nb <!-- one two three --> c`",
    "## Heading",
    "# Heading #",
    "### Heading {#id}",
    "Setext\n======",
    "Setext\n---",
    "---",
    "***",
    "- item",
    "- item\n- item two",
    "* item\n\n  second paragraph",
    "1. one\n2. two",
    "1.",
    "- a\n    - b\n        - c",
    "- item\n\n      code",
    "10) ten",
    "+ plus",
    "    code\n      more",
    "    code\n\n\n    code",
    "\tcode",
    "```py\nif x:\n\n\n    y\n```",
    "```\n<!-- one two three -->\n```",
    "~~~\na\n\n# b\n~~~",
    "````\n```\n````",
    "```\nopen",
    "- ```html\n  <!-- one two three -->\n\n  x\n  ```",
    "1. Step:\n   ```sh\n   a\n\n\n   b\n   ```",
    "1. Step:\n\n    ```sh\n    a\n\n\n    b\n    ```",
    "> - ```html\n>   x\n>   ```",
    "``` inline ```",
    "> quote\nlazy",
    "> quote\n>\n> > deeper",
    "| a | b |\n|---|---|\n| c | d |",
    "a | b\n--- | ---\nc | d",
    "Term\n: definition\n\n    more",
    "Term\n\n:   definition",
    "!!! note\n    text\n\n    more",
    '!!! note "Title"\n\n    text',
    "??? tip\n    ```\n    a\n\n    b\n    ```",
    '=== "Tab"\n\n    text\n\n=== "Other"\n\n    text',
    "[^1]: footnote\n\n    more",
    "text[^1] [link][ref] HTML",
    "[ref]: https://example.com 'title'",
    "*[HTML]: Hyper Text",
    "{: .attribute }",
    "[ ] task",
    "- [x] done",
    "![image](a.png){ width=3 }",
    "<div>\ntext\n</div>",
    "<div markdown>\n\ntext *em*\n\n</div>",
    "<div>\n```\n\n\nx\n```\n</div>",
    "<details>\n<summary>s</summary>\n\ntext\n\n</details>",
    "<pre>\na\n\n\nb\n</pre>",
    "text <pre>a\n\n\nb</pre>",
    "<script>\nx = '<!-- one two three -->'\n\n\ny\n</script>",
    "<textarea>\n\n\n<!-- one two three -->\n</textarea>",
    "<br>",
    "<span>x</span> y",
    "<!-- one two three -->",
    "<!-- TODO later -->",
    "<!-- more -->",
    "<!-- one two three\n\nfour\n-->",
    "<!-- one two three",
    "text <!-- one two three --> text",
    "text <!-- one two three",
    "\\<!-- one two three -->",
    '[x](y "<!-- one two three -->")',
    "<https://example.com/>",
    "$$\na\n\nb\n$$",
    "$x$ ++ctrl+c++ ==mark== ^^ins^^ ~~del~~ (c) -->",
    "[TOC]",
    "{% raw %}",
    "{{ name }}",
    "::: note\ntext\n\n\nmore\n:::",
    "Title: x\nTags: y",
]
TOPS = ["", "", "", "", "\n", "---\ntitle: x\n---\n", "---\ntags: a\n---\n\n"]
COMMENTS = ["<!-- one two three -->", "<!-- TODO x -->", "<!-- vale off -->"]
CHARACTERS = "ab1 \t\n`~#*-_+.:>|<![]{}()\\$&="


def made(draw):
    """Return a text of random blocks, most of which are separate."""
    text = draw.choice(TOPS)
    for _ in range(draw.randrange(1, 7)):
        text += draw.choice(BLOCKS) + "\n" * draw.choice([1, 2, 2, 2, 3, 4])
    return text


def edited(draw, text):
    """Return the text after one or two edits, mostly of its layout."""
    for _ in range(draw.choice([1, 1, 1, 2])):
        lines = text.split("\n")
        edit = draw.choice(EDITS)
        text = edit(draw, text, lines, draw.randrange(len(lines))) or "\n".join(lines)
    return text


def _empty_line(draw, _text, lines, place):
    lines.insert(place, draw.choice(["", "", "", "  ", "\t"]))


def _blanks(draw, _text, lines, place):
    lines[place] += draw.choice([" ", "  ", "   ", "\t"])


def _comment(draw, _text, lines, place):
    comment = draw.choice(COMMENTS)
    forms = [[comment], ["", comment, ""], [comment, ""], ["", comment]]
    lines[place:place] = draw.choice(forms)


def _indent(draw, _text, lines, place):
    lines[place] = draw.choice([" ", "    "]) + lines[place]


def _more_empty_lines(_draw, text, _lines, _place):
    return re.sub(r"\n\n+", "\n\n\n", text)


def _headings(draw, text, _lines, _place):
    return re.sub(r"(?m)^(#.*\n)\n*", r"\1" + draw.choice(["", "\n"]), text)


def _wrap(_draw, _text, lines, place):
    lines[place : place + 2] = [" ".join(lines[place : place + 2])]


def _strip(_draw, _text, lines, place):
    lines[place] = lines[place].strip()


def _character(draw, text, _lines, _place):
    at = draw.randrange(len(text) + 1)
    return text[:at] + draw.choice(CHARACTERS) + text[at:]


def _delete(_draw, _text, lines, place):
    del lines[place]


def _swap(draw, _text, lines, place):
    lines[place] = draw.choice(lines)


LAYOUT = [_empty_line, _blanks, _comment]
OTHERS = [_indent, _more_empty_lines, _headings, _wrap, _strip]
EDITS = [*LAYOUT, *LAYOUT, *OTHERS, _character, _delete, _swap]


def by_mkdocs(text):
    body, metadata = get_data(text)
    return f"<h1>{metadata.get('title')}</h1>{PYTHON_MARKDOWN.reset().convert(body)}"


def by_common_mark(text):
    return COMMON.render(get_data(text)[0])


_INLINE = {"a", "abbr", "b", "code", "del", "em", "i", "img", "ins", "input", "kbd"} | {
    "label",
    "mark",
    "s",
    "span",
    "strong",
    "sub",
    "sup",
    "br",
}
_AS_IT_IS = {"pre", "textarea", "script", "style"}


def shown(html):
    """Return what a browser shows of a fragment of HTML."""
    found = []
    _walk(LexborHTMLParser(f"<body>{html}").body, found)
    text = "".join(found)
    text = re.sub(r"[ \x01]*\x01[ \x01]*", "\x01", text)  # At the edges of blocks.
    return re.sub(" +", " ", text).strip()


def _walk(node, found):
    for child in node.iter(include_text=True):
        if child.tag == "-comment":
            continue
        if child.tag == "-text":
            found.append(re.sub(r"\s+", " ", child.text_content))
            continue
        edge = "" if child.tag in _INLINE else "\x01"
        found.append(f"{edge}<{child.tag} {sorted(child.attributes.items())}>{edge}")
        if child.tag in _AS_IT_IS:  # Blanks at the ends of lines are not seen.
            lines = child.text().split("\n")
            found += [line.rstrip().replace(" ", "\xa0") + "\0" for line in lines]
        else:
            _walk(child, found)
        found.append(f"{edge}</{child.tag}>{edge}")


def pairs(seed):
    draw = random.Random(seed)
    for _ in range(EDITS_OF_SEED):
        old = made(draw)
        yield old, edited(draw, old)


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SEEDS))
def test_edits_that_count_as_unseen_render_the_same(seed):
    unseen = 0
    for old, new in pairs(seed):
        texts = (old.encode(), new.encode())
        before, after = (read_content(b"a.md", text) for text in texts)
        if old == new or before != after:
            continue
        unseen += 1
        for render in (by_mkdocs, by_common_mark):
            assert shown(render(old)) == shown(render(new)), (old, new)
    assert unseen > EDITS_OF_SEED / 20  # Else it shows nothing.
