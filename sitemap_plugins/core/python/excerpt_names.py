"""The names of the parts of Python's objects.

A page shows an object whole, or a part of it: its summary, its members' names. Each
part has a name, by which each version of the module is asked for it.
"""

from __future__ import annotations

ALONE = "="
"""The part of a class or module without even the names of its members."""

WITH_MEMBERS = "*"
"""The part of a class or module that is all that readers see of it and its members."""

DOCUMENTED = "-"
"""The part of a class or module with the names of documented members alone."""

ORDER = "#"
"""The part that is the order of members in the source, for hosts that keep it."""

SUMMARY = "1"
"""The part of any object that a table has: its signature and first paragraph."""

PARAMETERS = "!"
"""The part of a class that is its own initializers, which subclasses inherit."""

FIELDS = "()"
"""The part of a class that is what its body assigns: parameters, for dataclasses."""

_PARTS = {ALONE, WITH_MEMBERS, DOCUMENTED, ORDER, SUMMARY, PARAMETERS, FIELDS}


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
