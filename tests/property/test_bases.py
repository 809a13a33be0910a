"""The order in which a class inherits members is that of Python."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import assume, example, given
from hypothesis import strategies as st

from sitemap_plugins.core.python.excerpt_names import object_of
from sitemap_plugins.core.python.layouts import PythonFiles
from sitemap_plugins.core.python.places import Places
from sitemap_plugins.core.python.sources import Place
from tests.property.examples import examples


class Hierarchy(NamedTuple):
    """Classes with bases among those before."""

    unknown: int
    """How many of the first are of another project."""

    bases: list[list[int]]
    """Of each class, in order."""

    initialized: set[int]
    """Those that have an initializer."""

    def imports(self) -> str:
        """Return the lines that import what is of another project."""
        return "".join(f"from elsewhere import C{n}\n" for n in range(self.unknown))

    def definitions(self) -> str:
        """Return the lines that define the others."""
        lines = []
        for number, bases in enumerate(self.bases[self.unknown :], self.unknown):
            names = ", ".join(f"C{base}" for base in bases)
            lines.append(f"class C{number}({names}):\n    x = 1\n")
            if number in self.initialized:
                lines.append("    def __init__(self): 1\n")
        return "".join(lines)

    def run(self) -> dict[str, Any]:
        """Return all classes by name; none if Python refuses one."""
        classes: dict[str, Any] = {}
        for number in range(self.unknown):
            classes[f"C{number}"] = type(f"C{number}", (), {})
        try:
            exec(self.definitions(), classes)
        except TypeError:
            return {}
        return classes


@st.composite
def hierarchies(draw: st.DrawFn) -> Hierarchy:
    """Return a hierarchy in which each class has up to three bases."""
    number = draw(st.integers(1, 8))
    unknown = draw(st.integers(0, min(2, number - 1)))
    bases: list[list[int]] = []
    for own in range(number):
        before = st.integers(0, max(own - 1, 0))
        most = min(3, own) if own >= unknown else 0
        bases.append(draw(st.lists(before, max_size=most, unique=True)))
    initialized = draw(st.sets(st.integers(unknown, number - 1), max_size=3))
    return Hierarchy(unknown, bases, initialized)


@examples(300)
@given(hierarchies())
@example(Hierarchy(0, [[], [0], [0], [1, 2]], {0, 2}))
@example(Hierarchy(1, [[], [0], [], [2, 0], [1, 3]], {2}))
@example(Hierarchy(0, [[], [], [], [0, 1], [2, 0], [3, 4]], {1, 2}))
def test_initializer_is_that_which_python_finds(hierarchy: Hierarchy) -> None:
    classes = hierarchy.run()
    assume(classes)
    own = f"C{len(hierarchy.bases) - 1}"
    order = [each.__name__ for each in classes[own].__mro__[:-1]]
    order = [name for name in order if name not in hierarchy.imports()]
    having = [each for each in order if "__init__" in vars(classes[each])]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / ".git").mkdir()
        text = hierarchy.imports() + hierarchy.definitions()
        (folder / "own.py").write_text(text)
        places = Places(PythonFiles(folder, [folder]))
        place = Place(folder / "own.py", own, "own", has_members=True)
        found = [object_of(each.name) for each in places.initializers(place)]
        members = [each.name for each in places.find(f"own.{own}.__init__")]

    if having:
        order = order[: order.index(having[0]) + 1]
    assert order == found
    assert [f"{each}.__init__" for each in having] == members
