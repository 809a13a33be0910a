"""Find statements that must be read twice: `python tests/check_writing.py`.

A comprehension has no other one inside; values that do not belong together are not
assigned in one line; a statement has at most `LARGEST` nodes of the syntax tree, unless
the comment right above it begins with `# Long:` and says why; sections of docstrings
have a line for each entry. Prints each place, and exits with 1 if there is any.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).parents[1]
LARGEST = 40
"""The largest of a thousand statements in click has 38."""

EXCUSE = "# Long:"
JOINED_SECTION = re.compile(r" +(?:Args|Raises|Returns|Yields): \S")
"""What formatters make of a section whose entries are long."""

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
WITH_A_BODY = (
    ast.AsyncFor,
    ast.AsyncFunctionDef,
    ast.AsyncWith,
    ast.ClassDef,
    ast.For,
    ast.FunctionDef,
    ast.If,
    ast.Match,
    ast.Try,
    ast.While,
    ast.With,
)


def faults(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line of each fault, with what is wrong there."""
    lines = source.splitlines()
    for number, line in enumerate(lines, 1):
        if JOINED_SECTION.match(line):
            yield number, "a section of a docstring has its text beside its name"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, COMPREHENSIONS):
            if any(isinstance(inner, COMPREHENSIONS) for inner in inside(node)):
                yield node.lineno, "a comprehension is inside another"
        elif isinstance(node, ast.Assign) and is_unrelated(node):
            yield node.lineno, "several values are assigned in one line"
        if not isinstance(node, ast.stmt) or isinstance(node, WITH_A_BODY):
            continue
        above = lines[node.lineno - 2].strip() if node.lineno > 1 else ""
        number = size(node)
        if number > LARGEST and not above.startswith(EXCUSE):
            yield node.lineno, f"a statement has {number} nodes"


def inside(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what a node contains."""
    for child in ast.iter_child_nodes(node):
        yield from ast.walk(child)


def is_unrelated(node: ast.Assign) -> bool:
    """Tell whether names get a value each; names that change places belong together."""
    target = node.targets[0]
    if not isinstance(target, ast.Tuple) or not isinstance(node.value, ast.Tuple):
        return False
    return {*map(ast.unparse, target.elts)} != {*map(ast.unparse, node.value.elts)}


def size(node: ast.AST) -> int:
    """Return the number of expressions and statements."""
    return sum(isinstance(each, ast.expr | ast.stmt) for each in ast.walk(node))


def main() -> int:
    """Print all faults; return the exit code."""
    number = 0
    for file in sorted((PROJECT / "sitemap_plugins").rglob("*.py")):
        for line, problem in faults(file.read_text("utf-8")):
            print(f"{file.relative_to(PROJECT)}:{line}: {problem}")
            number += 1
    return min(number, 1)


if __name__ == "__main__":
    sys.exit(main())
