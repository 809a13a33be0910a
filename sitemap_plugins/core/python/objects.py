"""Objects of a module → their parts, by name.

Of members, those count that are public or special, documented or not, if no `__all__`
decides about them.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from sitemap_plugins.core.git.last_change import Distinct, Elsewhere
from sitemap_plugins.core.python.decorators import UPDATES, WRAPS
from sitemap_plugins.core.python.definitions import (
    SCOPES,
    SPECIAL,
    UNLISTED,
    VARIABLES,
    Definition,
)
from sitemap_plugins.core.python.excerpt_names import (
    ALONE,
    APPLIED,
    DECORATORS,
    DOCUMENTED,
    EXPORTS,
    FIELDS,
    INITIALIZER,
    ORDER,
    PRIVATE,
    PRIVATE_DOCUMENTED,
    PUBLIC,
    SHOWN_ELSEWHERE,
    SUMMARY,
    TEXT,
    VALUE,
    WITH_MEMBERS,
    part,
)
from sitemap_plugins.core.python.syntax import (
    INITIALIZERS,
    dotted,
    is_special,
    strings_in,
)

_OWN = ""
"""The part of an object that has its name."""


@dataclass(slots=True)
class Object:
    """A module, class, function or attribute."""

    definitions: list[Definition] = field(default_factory=list)
    """Several if it is overloaded, or defined under conditions."""

    members: dict[str, Object] = field(default_factory=dict)
    """By name, in the order of the source."""

    imports: dict[str, str] = field(default_factory=dict)
    """Names that come from other modules, and what they are there."""

    origins: dict[str, tuple[Elsewhere, ...]] = field(default_factory=dict)
    """The names of a module that come from others of its project, and from where.

    Of a name, several that `try` and `if` choose from; of a star, one with all modules.
    """

    exports: list[ast.stmt] = field(default_factory=list)
    """The statements that set a module's `__all__`."""

    decorators: list[str] = field(default_factory=list)

    texts: list[str] = field(default_factory=list)
    """Of the definitions that write docstrings or options."""

    applied: list[str] = field(default_factory=list)
    """What a class shows of what it decorates."""

    def add(self, more: Object) -> None:
        """Add all of another object, which stays as it is."""
        self.definitions += more.definitions
        self.exports += more.exports
        self.decorators += more.decorators
        self.texts += more.texts
        self.applied += more.applied
        for name, origin in more.imports.items():
            self.imports.setdefault(name, origin)
        self.origins |= more.origins
        for name, member in more.members.items():
            self.members.setdefault(name, Object()).add(member)

    def find(self, names: Iterable[str]) -> Iterator[Object]:
        """Yield the objects of dotted names that a module or class has."""
        for name in names:
            it: Object | None = self
            for each in name.split("."):
                it = it and it.members.get(each)
            if it is not None:
                yield it

    @property
    def kinds(self) -> set[str]:
        """Those of its definitions."""
        return {each.kind for each in self.definitions}

    @property
    def is_documented(self) -> bool:
        """Whether it has a docstring of its own."""
        return any(each.docstring for each in self.definitions)

    @property
    def has_documentation(self) -> bool:
        """Whether it or a member of it has a docstring."""
        if self.is_documented:
            return True
        return any(each.has_documentation for each in self.members.values())


# What other modules ask of the parts of a module.


def is_documented(parts: Mapping[str, Any], name: str) -> bool:
    """Tell whether an object has a docstring of its own; `parts` are its module's."""
    summary = _value(parts.get(part(name, SUMMARY), ()))
    return any(each.docstring for each in summary)


def has_public(parts: Mapping[str, Any], name: str) -> bool:
    """Tell whether a part lists a member that no host hides by its name.

    `parts` are those of its module. Most hosts hide special members.
    """
    _, listed = _value(parts.get(name, ((), ())))
    return any(not each.startswith("_") for each in listed)


def writes(parts: Mapping[str, Any], name: str) -> bool:
    """Tell whether a part `TEXT` or `APPLIED` is of what changes what it decorates.

    Not one whose inner function takes over what readers see of the decorated one.
    """
    texts = _value(parts.get(name, ()))
    return any(WRAPS not in text and UPDATES not in text for text in texts)


def _value(found: Any) -> Any:  # noqa: ANN401 values of parts are of many types
    return found.value if isinstance(found, Distinct) else found


# The parts.


def add_parts(
    parts: dict[str, Hashable], name: str, it: Object, *, of_known: bool = False
) -> Hashable:
    """Add the parts of an object and its members; return that with members.

    `of_known` tells whether it is in a documented class.
    """
    is_in_class = bool(name)
    is_known = it.is_documented
    shown = {}
    for member, inner in it.members.items():
        below = part(name, member)
        of_class = is_known and is_in_class
        shown[member] = add_parts(parts, below, inner, of_known=of_class)
    found = _own_parts(it)
    if not it.kinds.isdisjoint(SCOPES):
        found |= _parts_with_members(it, shown)
    for of, value in found.items():
        is_distinct = is_known or of_known or of in SHOWN_ELSEWHERE
        parts[part(name, of)] = Distinct(value) if is_distinct else value
    return found.get(WITH_MEMBERS, found[_OWN])


def _own_parts(it: Object) -> dict[str, Hashable]:
    """Return the parts of an object itself."""
    found: dict[str, Hashable] = {_OWN: _alone(it)}
    found[SUMMARY] = tuple(map(_summary, it.definitions))
    if not it.kinds.isdisjoint(VARIABLES):
        found[VALUE] = tuple(each.signature for each in it.definitions)
    if it.texts:
        found[TEXT] = tuple(it.texts)
    if it.applied:
        found[APPLIED] = tuple(it.applied)
    found[DECORATORS] = tuple(it.decorators)
    return found


def _parts_with_members(
    it: Object, shown: Mapping[str, Hashable]
) -> dict[str, Hashable]:
    """Return the parts of a class or module; `shown` has what shows of its members."""
    alone = _alone(it)
    listed, own = _listed(it)
    # What is imported can have a docstring elsewhere.
    hidden = {each for each in own if not it.members[each].has_documentation}
    documented = tuple(each for each in listed if each not in hidden)
    members = [(each, shown[each]) for each in sorted(own)]
    fields = tuple(each.fields for each in it.definitions)
    initializers = tuple(_initializers(it))
    return _lists(it) | {
        _OWN: (alone, listed),
        WITH_MEMBERS: (alone, listed, *members),
        ALONE: alone,
        ORDER: tuple(own),
        DOCUMENTED: (alone, documented),
        EXPORTS: listed,
        FIELDS: fields,
        INITIALIZER: initializers,
    }


def _lists(it: Object) -> dict[str, Hashable]:
    """Return the parts that are names of members alone, in `__all__` or not."""
    public = sorted(_public(it))
    private = sorted(it.members.keys() - it.imports.keys() - {*public})
    return {
        PRIVATE: ((), tuple(private)),
        PRIVATE_DOCUMENTED: ((), _documented(it, private)),
        PUBLIC: ((), _documented(it, public)),
    }


def _documented(it: Object, names: Iterable[str]) -> tuple[str, ...]:
    """Return those of an object's members that have documentation."""
    return tuple(name for name in names if it.members[name].has_documentation)


def _alone(it: Object) -> tuple[Hashable, ...]:
    """Return what readers see of an object itself; of a class, also its parameters."""
    own: list[Hashable] = [each._replace(fields=()) for each in it.definitions]
    own += _initializers(it)
    return tuple(own)


def _initializers(it: Object) -> Iterator[Hashable]:
    """Yield what a class shows of its initializers.

    autodoc shows no docstring of these, if it is not told to.
    """
    for name in INITIALIZERS:
        if name in it.members:
            for each in it.members[name].definitions:
                docstring = "" if each.kind == SPECIAL else each.docstring
                yield each.signature, docstring


def _summary(definition: Definition) -> Hashable:
    paragraph = _first_paragraph(definition.docstring)
    found = definition._replace(docstring=paragraph, fields=())
    if found.brief:
        found = found._replace(kind="", signature=(), returns="")
    return found


# Many names can have one long docstring.
@lru_cache(maxsize=128)
def _first_paragraph(docstring: str) -> str:
    return docstring.partition("\n\n")[0]


@lru_cache(maxsize=128)
def _is_private(docstring: str) -> bool:
    """Tell whether autodoc hides a member by its docstring."""
    return ":meta private:" in docstring


# Which members are listed.


def _listed(it: Object) -> tuple[tuple[str, ...], list[str]]:
    """Return the names that a class or module lists, and those of its own members.

    The first are sorted, the others in the order of the source.
    """
    if it.exports:
        # Some are of other modules: a name that moves there is still listed.
        names = {text for each in it.exports for text in strings_in(each)}
        if any(map(_is_computed, it.exports)):
            names.update(_public(it))
        return tuple(sorted(names)), [name for name in it.members if name in names]
    public = _public(it)
    return tuple(sorted(public)), public


def _is_computed(exports: ast.stmt) -> bool:
    """Tell whether a list of names can have any name of the module.

    It can if there is more in it than texts and the lists of other modules.
    """
    value = getattr(exports, "value", None)
    if value is None:
        return False
    names = set()
    modules = {EXPORTS}
    for node in ast.walk(value):
        match node:
            case ast.Name(id=name):
                names.add(name)
            case ast.Attribute(value=module, attr=name) if name == EXPORTS:
                modules.add(dotted(module).partition(".")[0])
    return not names <= modules


def _public(it: Object) -> list[str]:
    """Return the names of public members, in the order of the source."""
    public = []
    for name, member in it.members.items():
        # `brotli = None` is for where it cannot be imported.
        if name not in it.imports and _is_shown(name, member):
            public.append(name)
    return public


def _is_shown(name: str, member: Object) -> bool:
    """Tell whether hosts list a member that no `__all__` decides about."""
    if name.startswith("_") and not is_special(name):
        return False
    if any(_is_private(it.docstring) for it in member.definitions):
        return False
    return any(it.kind not in UNLISTED or it.docstring for it in member.definitions)
