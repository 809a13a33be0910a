"""The names of the parts of Python's objects.

A page shows an object whole, or a part of it: its summary, its members' names. Each
part has a name, by which each version of the module is asked for it.
"""

from __future__ import annotations

WITH_MEMBERS = "*"
"""The part of a class or module that is all that readers see of it and its members."""

ALONE = "="
"""The part of a class or module without even the names of its members."""

ORDER = "#"
"""The part that is the order of members in the source, for hosts that keep it."""

DOCUMENTED = "-"
"""The part of a class or module with the names of documented members alone.

Members of a class that have a docstring document it, too. Hosts hide the others.
"""

SUMMARY = "1"
"""The part of any object that a table has: its signature and first paragraph."""

CODE = "@"
"""The part of a module that is its whole text, but the bodies of decorated functions.

For commands, whose options have words from anywhere in it: from constants, and from
functions that return decorators.
"""

INITIALIZER = "!"
"""The part of a class that is its own initializers, which subclasses inherit."""

FIELDS = "()"
"""The part of a class that it and subclasses can have as parameters.

It is what its body assigns. Whether it is shown, hosts know.
"""

VALUE = "$"
"""The part of a variable that is its value, which others show that read its name."""

TEXT = "&"
"""The part of a function that is its text, if that writes docstrings or options.

It can be a decorator, and then all show it that it decorates. Of a class, it is what
makes classes that inherit from it.
"""

APPLIED = "%"
"""The part of a class that it shows of what it decorates, or makes as a metaclass."""

DECORATORS = "^"
"""The part of any object that is its decorators, for what these are said to show.

Without any it is empty: if it were missing, every commit to the file would change it.
"""

IMPORT = "<"
"""The part of a name that is what it is imported from.

Of a star, all modules of which all names are imported.
"""

PRIVATE = "~"
"""The part of a class or module that is the names of members that most hosts hide."""

PRIVATE_DOCUMENTED = "~-"
"""Likewise, but of documented ones alone."""

PUBLIC = "+"
"""The part of a class or module that is the names of public documented members.

Whether `__all__` has them or not: some hosts do not ask it.
"""

EXPORTS = "__all__"
"""The part of a module or class that is the list of its public names."""

SHOWN_ELSEWHERE = {VALUE, TEXT, APPLIED, DECORATORS, INITIALIZER}
"""These are known again in another file without a docstring: others show them."""

_PARTS = SHOWN_ELSEWHERE | {
    WITH_MEMBERS,
    ALONE,
    ORDER,
    DOCUMENTED,
    SUMMARY,
    CODE,
    IMPORT,
    FIELDS,
    PRIVATE,
    PRIVATE_DOCUMENTED,
    PUBLIC,
    EXPORTS,
}


def part(name: str, of: str) -> str:
    """Return the name of a part of an object, which is empty for the module.

    >>> [part("Client", WITH_MEMBERS), part("", ORDER)]
    ['Client.*', '#']
    """
    return f"{name}.{of}" if name and of else name or of


def object_of(name: str) -> str:
    """Return the name of the object that a part is of; empty for the module."""
    before, _, last = name.rpartition(".")
    return before if last in _PARTS else name
