"""Modules with many names in one piece of code, and how much work they are."""

from __future__ import annotations

import sys

NAMES = 100


def many(kind, times):
    """Return a module of a kind in `MANY`, so many times as long."""
    names = [f"a{number}" for number in range(NAMES * times)]
    return MANY[kind](names)


def _functions(names):
    return "".join(f"def {name}(): 1\n" for name in names)


def _loop(names):
    return f"{_functions(names)}for x in {','.join(names)}: x.y = 1\n"


def _call(names):
    return f"{_functions(names)}f({','.join(names)})\n"


def _values(names):
    return f"{'='.join(names)}=[{','.join(names)}]\n"


def _attributes(names):
    return f"{_functions(names)}{'.x='.join(names)}.x=[{','.join(names)}]\n"


def _docstrings(names):
    return f"{_functions(names)}{'.__doc__='.join(names)}.__doc__=[{','.join(names)}]\n"


def _conditions(names):
    return "if a:\n x=1\n" + "elif a:\n x=1\n" * len(names)


def _nested(names):
    blocks = "".join(f"{' ' * depth}if a:\n" for depth in range(50))
    return f"{blocks}{' ' * 50}{'='.join(names * 4)}=1\n"


def _decorators(names):
    text = "1\n"
    for name in names[::20]:
        below = text.replace("\n", "\n ").removesuffix(" ")
        text = f"def {name}():\n {below}return {name}\nreturn {name}\n"
    below = text.replace("\n", "\n ").removesuffix(" ")
    return f"def outer():\n {below}"


def _lines(names):
    listed = ",\n".join(names)
    return f"({listed}) = 1\n"


def _bases(names):
    classes = "".join(f"class {name}: 1\n" for name in names)
    return f"{classes}class missing({','.join(names)}): 1\n"


MANY = {
    "names in a loop": _loop,
    "names in a call": _call,
    "variables of one value": _values,
    "attributes of one value": _attributes,
    "docstrings of one value": _docstrings,
    "elif": _conditions,
    "names below conditions": _nested,
    "decorators returned twice, within each other": _decorators,
    "lines of one statement": _lines,
    "bases of a class": _bases,
}
"""By what there are many of: a function of the names that are in it."""


def calls(function, *arguments):
    """Return how often Python functions run, or go on, when this one is called."""
    count = 0

    def note(_frame, event, _argument):
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        function(*arguments)
    finally:
        sys.setprofile(before)
    return count
