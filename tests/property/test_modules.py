"""Versions of a module: what they share is read once, as each is read alone."""

from __future__ import annotations

import re
from unittest.mock import patch

from hypothesis import example, given
from hypothesis import strategies as st

from sitemap_plugins.core.python import modules
from sitemap_plugins.core.python.modules import ModuleReader
from tests.property.examples import examples

PIECES = (
    '"""A module.\n\ndef in_text(): "x"\n"""\n',
    "from __future__ import annotations\n",
    "from functools import cached_property as prop\n",
    "import functools as prop\n",
    "__all__ = ['f', 'C']\n",
    "__all__ += [\n'C',\n]\n",
    "#: Of a variable.\n",
    "x = 1  #: After it.\n",
    "x: int = 1\n'''Below\nclass it.'''\n",
    "# Of nothing.\n",
    "\f\n",
    "@prop\n",
    "@option('--a',\n  'b c')\n",
    (
        "def f(a: 'int' = 1) -> 'str':\n"
        "    '''First.\n\n    More.\n    '''\n    return 1\n"
    ),
    "def f(b): pass\n",
    "def g(): x.__doc__ = ''\n",
    "async  def f():\n\t'''Text.'''\n",
    (
        "class C(Base):\n    '''Text.'''\n"
        "    import os\n    a: int = 1\n    #: Of b.\n    b = 2\n"
    ),
    "class C:\n    @prop\n    def m(self):\n        '''Text.'''\n",
    "    @prop.setter\n    def m(self, a): pass\n",
    "    def __init__(self):\n        self.c = 1  #: Set.\n",
    "f.__doc__ = 'Another.'\n",
    "C.m.__doc__ = 'Another.'\n",
    "setattr(C, 'm', f)\n",
    "register(f)\n",
    "for each in (f, C): each.__doc__ = ''\n",
    "del f\n",
    "from .a import f\n",
    "if x:\n    def f(): pass\n",
    "else:\n    class C: '''Else.'''\n",
    "try: import a\n",
    "except E: x = None\n",
    "f(\n",
    ")\n",
    "x = '''\n",
    "'''\n",
    "\\\n",
    "y = 1;",
    "def h(): pass",
    "\x00",
    "définition = 1\n",
)
"""Parts of modules: whole statements, others, and what makes a text of a definition."""

MODULES = st.lists(st.sampled_from(PIECES), max_size=10)
NO_DEFINITION = re.compile("(?!)")


@st.composite
def histories(draw: st.DrawFn) -> list[str]:
    """Return versions of a module, each with a few pieces more or less."""
    pieces = draw(MODULES)
    versions = []
    for _ in range(draw(st.integers(1, 4))):
        versions.append("".join(pieces))
        place = draw(st.integers(0, len(pieces)))
        pieces = (
            pieces[:place] + draw(MODULES) + pieces[place + draw(st.integers(0, 2)) :]
        )
    return versions


@examples(1000)
@given(histories())
@example(["def f(): pass\n", "import a\ndef f(): pass\n"])
@example(
    [
        "@prop\ndef f(): pass\n",
        "from functools import cache as prop\n@prop\ndef f(): pass\n",
    ]
)
@example(["class C: pass\ndef f(): pass\nregister(C)\n"])
@example(["class C: pass\ndef f(): pass\nC.__doc__ = 'A.'\n"])
def test_versions_are_read_as_each_alone(versions: list[str]) -> None:
    reader = ModuleReader()
    for version in versions:
        content = version.encode()
        with patch.object(modules, "_DEFINITION", NO_DEFINITION):
            parts = ModuleReader().read_parts(content)

        assert parts == reader.read_parts(content)
