"""Any text as the source of a page gives the names of included files, in linear time.

Run: python tests/fuzz/fuzz_include_syntax.py [seconds]
"""

from __future__ import annotations

from sitemap_plugins.folder import include_syntax

FUNCTIONS = (
    include_syntax.snippets,
    include_syntax.vitepress,
    include_syntax.myst,
    include_syntax.rst,
    include_syntax.unfollowed,
    include_syntax.include_markdown,
    include_syntax.markdown_include,
    include_syntax.markdown_include_variants,
    include_syntax.mdx_include,
)
SEEDS = (
    b'--8<-- "',
    b"--8<--\n",
    b"-",
    b";",
    b":1:2,",
    b":part",
    b'"\n',
    b"'",
    b"a.md",
    b"\\",
    b"{{#include ",
    b"\\{{#include ",
    b"}}",
    b"{{< include ",
    b">}}\n",
    b"{!",
    b"!}",
    b"{*",
    b"*}",
    b"<!-- @include: ",
    b"-->",
    b"<<< @/",
    b"#part",
    b"{1,2}",
    b"[x]",
    b"\n",
    b" ",
    b"> ",
    b"1. ",
    b"```",
    b"```{include} ",
    b":::",
    b"{literalinclude} ",
    b":lines: 1\n",
    b"~~~\n",
    b"1. ",
    b".. include:: ",
    b".. code-block:: x\n",
    b"::\n",
    b"{% include ",
    b"%}",
    b"\xff",
    b"\0",
)


def check(data: bytes) -> None:
    """Find the names that each syntax includes, which are parts of the text."""
    text = data.decode("utf-8", "replace")
    for find in FUNCTIONS:
        for include in find(text):
            assert include.name.removeprefix("/").strip() in text, (find, include)


def read(data: bytes) -> None:
    """Find all names, and look for none of them in the text."""
    text = data.decode("utf-8", "replace")
    for find in FUNCTIONS:
        for _ in find(text):
            pass


if __name__ == "__main__":
    from driver import run

    run(check, SEEDS, slowest=b"--8<--\n" + b"<--\n-" * 20_000, timed=read)
