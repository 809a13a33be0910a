"""What readers see of a module's objects: which edits change it, and which do not."""

from __future__ import annotations

import sys
import warnings

import pytest

from sitemap_plugins.core.python.excerpt_names import (
    ALONE,
    APPLIED,
    CODE,
    DECORATORS,
    DOCUMENTED,
    EXPORTS,
    FIELDS,
    IMPORT,
    INITIALIZER,
    ORDER,
    PUBLIC,
    SUMMARY,
    TEXT,
    VALUE,
    WITH_MEMBERS,
    object_of,
    part,
)
from sitemap_plugins.core.python.modules import ModuleReader
from sitemap_plugins.core.python.syntax import MAX_OBJECTS, MAX_SOURCE
from tests.full import full, usually
from tests.unit.python.hostile_modules import MANY, calls, many
from tests.unit.python.reading import read_lines, read_parts, read_values

MODULE = '''\
"""A client."""

import os

TIMEOUT = 5  #: In seconds.
#: Of a request,
#: in bytes.
SIZE: "int" = 1


class Client(Base):
    """Sends requests."""

    retries: int = 3
    """How often."""

    def __init__(self, url):
        """Connect."""
        self.url = url  #: Where to.
        self.rest = None

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    @name.setter
    def name(self, value):
        self._name = value

    def get(self, path, *, headers: Optional["Headers"] = None):
        """Request a page.

        Follows redirects.
        """
        # Slow.
        return self._send(path)

    def _send(self, path):
        return path


class Plain:
    size: int = 1


@_cached
def connect(url: str = "a"):
    """Connect to a server."""
    return Client(url)
'''

SEEN = [
    ("In seconds.", "In minutes.", {"TIMEOUT", "TIMEOUT.1", "*"}),
    ("TIMEOUT = 5", "TIMEOUT = 6", {"TIMEOUT", "TIMEOUT.1", "*"}),
    ("Of a request,", "Of an answer,", {"SIZE", "SIZE.1", "*"}),
    ('"""A client."""', '"""Clients."""', {"", "=", "1", "*"}),
    (
        "TIMEOUT",
        "LIMIT",
        {"TIMEOUT", "TIMEOUT.1", "LIMIT", "LIMIT.1", "", "#", "-", "*"},
    ),
    (
        "Sends requests.",
        "Sends them.",
        {"Client", "Client.=", "Client.1", "Client.*", "*"},
    ),
    ("(Base)", "(Other)", {"Client", "Client.=", "Client.1", "Client.*", "*"}),
    (
        "retries: int = 3",
        "retries: int = 4",
        {
            "Client.*",
            "*",
            "Client.()",
            "Client.retries",
            "Client.retries.1",
        },
    ),
    ("How often.", "How.", {"Client.retries", "Client.retries.1", "Client.*", "*"}),
    (
        "url):",
        "address):",
        {
            "Client",
            "Client.=",
            "Client.*",
            "*",
            "Client.__init__",
            "Client.__init__.1",
        },
    ),
    ("Where to.", "Where.", {"Client.url", "Client.url.1", "Client.*", "*"}),
    (
        "self.rest = None",
        "self.rest = 1",
        {"Client.rest", "Client.rest.1", "Client.*", "*"},
    ),
    ("-> str", "-> bytes", {"Client.name", "Client.name.1", "Client.*", "*"}),
    ("The name.", "A name.", {"Client.name", "Client.name.1", "Client.*", "*"}),
    ("    @property\n", "", {"Client.name", "Client.name.1", "Client.*", "*"}),
    ("path, *,", "path,", {"Client.get", "Client.get.1", "Client.*", "*"}),
    ("= None):", "= 1):", {"Client.get", "Client.get.1", "Client.*", "*"}),
    ("Request a page.", "Request it.", {"Client.get", "Client.get.1", "Client.*", "*"}),
    ("Follows redirects.", "Follows all.", {"Client.get", "Client.*", "*"}),
    ("def _send", "def send", {"Client._send", "Client._send.1", "Client.send"}),
    ("size: int = 1", "size: int = 2", {"Plain.size", "Plain.size.1", "Plain.*", "*"}),
    (
        "class Plain:",
        "@record\nclass Plain:",
        {"Plain", "Plain.=", "Plain.1", "Plain.*", "*"},
    ),
    ('str = "a"', 'str = "b"', {"connect", "connect.1", "*"}),
    ("def connect", "async def connect", {"connect", "connect.1", "*"}),
    ("@_cached", "@deprecated('x')", {"connect", "connect.1", "*"}),
    ("@_cached", "@option(help='In s')", {"connect", "connect.1", "*"}),
]
"""Edits of the module, and parts that they change."""

UNSEEN = [
    ("# Slow.", "# Fast."),
    ("return self._send(path)", "return path"),
    ("import os", "import sys"),
    ("= value", "= str(value)"),
    ("name(self, value)", "name(self, value: str)"),
    ('str = "a"', "str = 'a'"),
    ('Optional["Headers"]', "Optional[Headers]"),
    ('SIZE: "int"', "SIZE: int"),
    ("path, *, headers", "path,\n        *,\n        headers"),
    ("Connect to a server.", "Connect to a server. \n    "),
    ("a page.\n\n        Follows", "a page.  \n     \t   \n        Follows"),
    ("@_cached", "@_traced(depth='all')"),
    ("\n", "\r\n"),
    ("    return Client(url)\n", "    if url:\n        raise E\n"),
]
"""Edits of the module that no reader sees."""


SHOWN = {APPLIED, DECORATORS, EXPORTS, TEXT, VALUE}
OF_OTHERS = SHOWN | {CODE, IMPORT, INITIALIZER, PUBLIC}
"""Parts that no page of the object shows by themselves."""


def changed(before, after, read=read_parts):
    old, new = read(before.encode()), read(after.encode())
    assert old
    assert new
    names = {name for name in old.keys() | new if old.get(name) != new.get(name)}
    return {name for name in names if name.rpartition(".")[2] not in OF_OTHERS}


@pytest.mark.parametrize(("old", "new", "names"), SEEN)
def test_change_that_readers_see(old, new, names):
    assert old in MODULE
    assert names <= changed(MODULE, MODULE.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "names"), [row for row in SEEN if "_send" not in row[0]]
)
def test_change_is_seen_nowhere_else(old, new, names):
    others = {f"{name[:-1]}{DOCUMENTED}" for name in names if name.endswith(ALONE)}
    others |= {f"{name[:-1]}{FIELDS}" for name in names if name.endswith(ALONE)}

    assert changed(MODULE, MODULE.replace(old, new)) <= names | others


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("class A:\n    __doc__ = 'one'", "A.="),
        ("__doc__ = 'one'", "="),
        ("def f(): 1\nf.__doc__ = 'one'", "f"),
        ("class A:\n    def f(): 1\nA.f.__doc__ += 'one'", "A.f"),
        ("x = []\nx += ['one']", "x"),
    ],
)
def test_docstrings_and_values_that_are_assigned_later(text, name):
    assert name in changed(text, text.replace("one", "two"))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("X = 'one'", {"X.$"}),
        ("X: int = 'one'", {"X.$"}),
        ("X: 'one' = 1", set()),
        ("X = 1  #: one", set()),
        ("class A:\n    X = 'one'", {"A.X.$"}),
        ("def d(f):\n    f.__doc__ += 'one'", {"d.&"}),
        ("def d(f):\n    'one'\n    f.__signature__ = s", set()),
        ("def d(f):\n    return click.option('one')(f)", {"d.&"}),
        ("def d(f):\n    return 'one'", set()),
        ("def d(f):\n    def g(a='one'): 1\n    return g", {"d.&"}),
        ("def d(f):\n    def g(): 'one'\n    return g", {"d.&"}),
        ("def d(f):\n    def g(): return 'one'\n    return g", set()),
        ("def d(f):\n    def g(a='one'): 1\n    return made(g)", set()),
        (
            "def d(f):\n    def g(a='one'): 1\n    update_wrapper(g, f)\n    return g",
            set(),
        ),
        (
            (
                "def d():\n    def e(f='one'):\n        def g(): 1\n"
                "        return g\n    return e"
            ),
            set(),
        ),
        (
            (
                "def d():\n    def e(f):\n        def g(x='one'): 1\n"
                "        return g\n    return e"
            ),
            {"d.&"},
        ),
        ("def d(f):\n    @wraps(one)\n    def g(a): 1\n    return g", {"d.&"}),
        ("def d(f):\n    @wraps(f)\n    def g(a='one'): 1\n    return g", set()),
        ("class A:\n    def __init_subclass__(cls):\n        cls.x = 'one'", {"A.&"}),
        ("class A(B, metaclass=one): 1", {"A.&"}),
        ("class A:\n    def __call__(cls, x='one'): 1", {"A.%"}),
        ("class A:\n    'one'\n    def __get__(self, it, of): 1", {"A.%"}),
        ("class A:\n    'one'\n    def run(self, it, of): 1", set()),
        ("class A:\n    def __call__(self):\n        return 'one'", set()),
        (
            "class A:\n    def __call__(self, f):\n        f.__doc__ = 'one'",
            {"A.%", "A.__call__.&"},
        ),
        (
            (
                "class A:\n    'one'\n    def __init__(self, f):\n"
                "        update_wrapper(self, f)\n    def __call__(self): 1"
            ),
            set(),
        ),
        ("class A(type):\n    def __call__(cls, x='one'): 1", {"A.&", "A.%"}),
        ("@short('one')\ndef f(): 1", {"f.^"}),
        ("__all__ = ['one']", {"__all__"}),
    ],
)
def test_parts_that_others_show(text, names):
    old, new = (read_parts(each.encode()) for each in (text, text.replace("one", "2")))
    of_others = set()
    for name in old.keys() | new:
        of = name.rpartition(".")[2]
        if of in SHOWN and old.get(name) != new.get(name):
            of_others.add(name)

    assert names == of_others


@pytest.mark.parametrize(
    "name",
    ["since", "versionadded", "x.versionchanged", "renamed", "is_added", "deprecated"],
)
def test_decorator_of_documentation_counts_however_short_its_arguments_are(name):
    text = f"@{name}('1')\ndef f(): 1"

    assert "f" in changed(text, text.replace("'1'", "'2'"))


def test_decorator_that_only_sounds_like_one():
    text = "@padded('1')\ndef f(): 1"

    assert set() == changed(text, text.replace("'1'", "'2'"))


def test_name_that_is_no_longer_exported_was_perhaps_documented_elsewhere():
    text = "from .a import f, g\n__all__ = ['f', 'g']"

    assert DOCUMENTED in changed(text, text.replace(", 'g'", ""))


@pytest.mark.parametrize(
    "exports",
    [
        "[name for name in dir() if name[0] != '_']",
        "list(globals())",
        "[each.__name__ for each in TABLE]",
        "NAMES",
        "one.__all__ + NAMES",
        "[*locals()]",
        "tuple(sorted(TABLE))",
    ],
)
def test_name_that_goes_from_a_computed_list(exports):
    text = f"__all__ = {exports}\ndef f(): 'F.'\n"

    assert DOCUMENTED in changed(f"{text}def g(): 'G.'\n", text)


@pytest.mark.parametrize(
    "exports",
    [
        "= ['f']",
        ": list[str] = ['f']",
        "= one.__all__ + ['f']",
        "= [*one.two.__all__, 'f']",
        ": list[str]",
    ],
)
def test_name_that_a_list_of_names_does_not_have(exports):
    text = f"__all__ {exports}\n__all__ += three.__all__\ndef f(): 'F.'\n"

    assert DOCUMENTED not in changed(f"{text}def g(): 'G.'\n", text)


@pytest.mark.parametrize(("old", "new"), UNSEEN)
def test_change_that_no_reader_sees(old, new):
    assert old in MODULE
    assert changed(MODULE, MODULE.replace(old, new)) == set()


@pytest.mark.parametrize(
    ("before", "after", "names"),
    [
        # Under conditions, and several times.
        ("if a:\n    def f(): 'A.'", "if a:\n    def f(): 'B.'", {"f"}),
        ("try:\n    x = 1\nexcept E:\n    x = 2", "x = 1", {"x"}),
        (
            "match a:\n    case 1:\n        x = 1",
            "match a:\n    case 1:\n        y = 1",
            "xy",
        ),
        ("@overload\ndef f(a: int): 1\ndef f(a): 1", "def f(a): 1", {"f"}),
        ("class A:\n    'A.'\n    class B:\n        'B.'", "class A: 'A.'", {"A.B"}),
        # What `__all__` says.
        ("__all__ = ['a']\na = b = 1", "__all__ = ['a', 'b']\na = b = 1", {"", "*"}),
        ("__all__ = ['a']\na = b = 1", "__all__ = ['a']\na = 1\nb = 2", {"b"}),
        ("__all__ = ['b', 'a']", "__all__ = ['a']\n__all__ += ['b']", set()),
        ("a = 1", "__all__ = ['a']\na = 1", set()),
        ("__all__ = ['b', 'a']", "__all__ = ['b']\n__all__.append('a')", set()),
        ("__all__ = a.__all__", "__all__ = b.__all__", {"", "*", "=", "1"}),
        # What is from elsewhere.
        ("import a", "import b as a", set()),
        (
            "try:\n    import a\nexcept E:\n    pass",
            "try:\n    import a\nexcept E:\n    a = None",
            {"a"},
        ),
        # Order.
        ("a = 1\nb = 2", "b = 2\na = 1", {"#"}),
        # Names of more than ASCII.
        ("größe = 1", "größe = 2", {"größe"}),
        ("ﬁne = 1", "fine = 1", set()),
        # Positions in bytes, and form feeds.
        ("é = 'é'; è = 1  #: Ä.", "é = 'é'; è = 1  #: Ö.", {"è"}),
        ("\f\nx = 1  #: A.", "\f\nx = 1  #: B.", {"x"}),
        ("'''\v\f\x1c\x85'''\nx = 1  #: A.", "'''\v\f\x1c\x85'''\nx = 1  #: B.", {"x"}),
        # Other encodings, and how they are declared.
        ("# coding: latin-1\nx = 'é'", "# coding: utf-8\nx = 'Ã©'", set()),
        ("\ufeffx = 1", "x = 1", set()),
        ("# coding: utf8\nx = 1", "x = 1", set()),
        # Annotations.
        ("x: Literal['a'] = 1", "x: Literal[a] = 1", {"x"}),
        (
            "def f(a: 'A', /, *b: B, **c: 'C'): 1",
            "def f(a: A, /, *b: B, **c: C): 1",
            "",
        ),
        (
            "from __future__ import annotations\ndef f(a: 'A'): 1",
            "from __future__ import annotations\ndef f(a: A): 1",
            {"f"},
        ),
        ("def f(a, /): 1", "def f(a): 1", {"f"}),
        # Walrus, lambda.
        ("def f(a=(b := 1)): 1", "def f(a=(b := 2)): 1", {"f"}),
        ("f = lambda a: 1", "f = lambda b: 1", {"f"}),
        # What makes a class's signature.
        ("class A(B, k=1): 1", "class A(B, k=2): 1", {"A"}),
        (
            "@d\nclass A:\n    x: int = 1",
            "@d\nclass A:\n    x: int = 2",
            {"A.()", "A.x"},
        ),
        ("class A:\n    x: int = 1", "class A:\n    x: int = 2", {"A.x"}),
        (
            "class A:\n    def __new__(c, a): 1",
            "class A:\n    def __new__(c, b): 1",
            {"A"},
        ),
        # Decorators.
        (
            "@property\ndef f(self: A): 1",
            "@property\ndef f(self: B): 1",
            set(),
        ),
        (
            "from a import cache\n@cache\ndef f(): 1",
            "from functools import cache\n@cache\ndef f(): 1",
            {"f"},
        ),
        (
            "from a import f\n@f.cache\ndef g(): 1",
            "from b import f\n@f.cache\ndef g(): 1",
            {"g"},
        ),
        (
            (
                "try:\n from b import cache\nexcept E:\n from a import cache\n"
                "@cache\ndef f(): 1"
            ),
            "from b import cache\n@cache\ndef f(): 1",
            set(),
        ),
        (
            "from typing_extensions import final\n@final\ndef f(): 1",
            "from typing import final\n@final\ndef f(): 1",
            set(),
        ),
        ("@c.option('-a')\ndef f(): 1", "@c.option('-b')\ndef f(): 1", {"f"}),
        ("@jit\ndef f(): 1", "def f(): 1", set()),
        ("@cache\ndef f(): 1", "def f(): 1", {"f"}),
        ("@lru_cache(1)\ndef f(): 1", "@lru_cache(2)\ndef f(): 1", set()),
        (
            "@a.deprecated_in[1]('1')\ndef f(): 1",
            "@a.deprecated_in[1]('2')\ndef f(): 1",
            "f",
        ),
    ],
)
def test_parts_that_change(before, after, names):
    others = {"", "*", "#", "=", "-", "1"}
    found = changed(f"{before}\n", f"{after}\n")

    assert set(names) <= found
    assert names or not found
    tops = {name.partition(".")[0] for name in names}
    assert {name.partition(".")[0] for name in found} <= tops | others


@pytest.mark.parametrize(
    ("name", "is_shown"),
    [
        ("x", True),
        ("x: int", True),
        ("_x", False),
        ("_x: int", True),
        ("__signature__", True),
        ("__slots__", False),
        ("x: ClassVar[int]", False),
    ],
)
def test_fields_that_a_class_with_bases_can_have(name, is_shown):
    text = f"class A(B):\n    {name} = 1"
    found = changed(text, text.replace("1", "2"))

    assert is_shown == ("A.()" in found)
    assert found.isdisjoint({"A", "A.=", "A.1"})


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("OPTIONS = {}\nOPTIONS['a'] = 'one'", "OPTIONS"),
        ("OPTIONS = {}\nOPTIONS.update(a='one')", "OPTIONS"),
        ("LIST = []\nLIST.append('one')", "LIST"),
        ("class A: 1\nA.x = 'one'", "A"),
        ("class A: 1\nsetattr(A, 'x', 'one')", "A"),
        ("class A:\n    x = []\n    x.append('one')", "A.x"),
        ("class A:\n    x = []\nA.x.append('one')", "A.x"),
        ("D = dict(A)\ndel D['one']", "D"),
        ("class A:\n    x = 1\ndel A.one", "A"),
        ("if one:\n    x = 1\n    del x['a']", "x"),
        ("for it in (A, B):\n    it.x = 'one'\nclass A: 1", "A"),
        ("if one:\n    def f(): 1", "f"),
        ("try:\n    if one:\n        def f(): 1\nexcept E:\n    pass", "f"),
        ("if one:\n    class A: 1", "A"),
        ("if one:\n    x = 1", "x"),
    ],
)
def test_what_a_module_does_to_its_objects_shows_if_it_is_run(text, name):
    text = f"{text}\n"
    other = text.replace("one", "two")

    assert name in changed(text, other, read_values)
    assert name not in changed(text, other)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x: Optional[int] = 1", "x: int | None = 1"),
        ("x: Union[int, str, A] = 1", "x: int | str | A = 1"),
        ("x: List[Optional['A']] = 1", "x: List[A | None] = 1"),
        ("x: typing.Any = 1", "x: Any = 1"),
        ("x: t.Optional['A'] = 1", "x: A | None = 1"),
        (
            "from __future__ import annotations\ndef f(a: 'A'): 1",
            "def f(a: A): 1",
        ),
        ("class A(abc.ABC): 1", "class A(ABC): 1"),
        (
            "if typing.TYPE_CHECKING:\n    x: int = 1\nelse:\n    x: t.Any = 2",
            "if TYPE_CHECKING:\n    x: int = 1\nelse:\n    x: Any = 2",
        ),
        ("class A(object): 1", "class A: 1"),
        (
            "def f():\n    '''F.\n\n    Long  \n    text.'''",
            "def f(): 'F.\\n\\nLong\\ntext.'",
        ),
    ],
)
def test_code_that_is_printed_alike_by_hosts_that_run_it(before, after):
    texts = (f"{before}\n", f"{after}\n")

    assert changed(*texts, read_values) == set()
    assert changed(*texts)


AT_RUN_TIME = "class A: 1\nimport typing as t\nfrom typing import Optional, Union\n"
TYPES = f"{AT_RUN_TIME}if t.TYPE_CHECKING:\n    import a.b, c as C\n"
LATER = f"from __future__ import annotations\n{TYPES}"


@pytest.mark.parametrize(
    ("module", "before", "after", "is_same"),
    [
        # All names exist.
        (LATER, "x: Optional[A]", "x: A | None", True),
        (LATER, "x: t.Union['A', int]", "x: 'A | int'", True),
        (LATER, "x: t.Any, y: A", "x: t.Any, y: 'A'", True),
        (LATER, "x: t.Any", "x: Any", True),
        (LATER, "x: 't.Optional[A]'", "x: 'A | None'", True),
        # One does not: autodoc prints them as they are written.
        (LATER, "x: Optional[C]", "x: C | None", False),
        (LATER, "x: Optional[A], y: C", "x: A | None, y: C", False),
        (LATER, "x: t.Optional[a.X]", "x: t.Optional[X]", False),
        (LATER, "x: Optional[Inner]", "x: Inner | None", False),
        (LATER, "x: 'C'", "x: C", True),
        (TYPES, "x: 'Optional[C]'", "x: 'C | None'", False),
        (TYPES, "x: t.List['Optional[C]']", "x: t.List['C | None']", False),
        # The others are no texts.
        (TYPES, "x: t.Optional[A], y: 'C'", "x: A | None, y: 'C'", True),
        (TYPES, "x: t.Optional['C']", "x: 'C | None'", True),
        # It is none.
        (TYPES, "x: 'any any'", "x: 'any'", False),
    ],
)
def test_annotations_with_names_that_exist_only_for_checkers_of_types(
    module, before, after, is_same
):
    """As `inspect.signature` of Sphinx, which asks `typing.get_type_hints`."""
    texts = [f"{module}def f({each}): 1\n" for each in (before, after)]

    assert is_same == ("f" not in changed(*texts, read_values))


def test_name_that_begins_to_exist_when_a_module_runs_changes_its_annotations():
    """The same definition was read before, of an older version."""
    reader = ModuleReader()
    used = "def f(x: t.Optional[C]): 1\ndef g(x: t.Optional[Late]): 1\n"
    defined = "class C: 1\nclass Late: 1\n"
    imported = "from m import C, Late\n"
    checked = f"if t.TYPE_CHECKING:\n    {imported}"
    versions = [checked, imported, defined]
    texts = [f"{LATER}{each}{used}".replace("c as C", "c") for each in versions]
    first, *others = [reader.read_values(text.encode()) for text in texts]

    assert all(first[name] != each[name] for each in others for name in ("f", "g"))
    assert others[0]["f"] == others[1]["f"]


@pytest.mark.parametrize("read", [read_parts, read_values])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = u'a'", "x = 'a'"),
        ("'''A.\n\n\n\nB.'''", "'''A.\n\nB.'''"),
        ("@dataclass\nclass A: 1", "@dataclass(frozen=True, slots=True)\nclass A: 1"),
    ],
)
def test_code_that_is_printed_alike_by_all_hosts(before, after, read):
    assert changed(f"{before}\n", f"{after}\n", read) == set()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x: Literal['a.b'] = 1", "x: Literal['b'] = 1"),
        ("x: Union[int] = 1", "x: Union[str] = 1"),
        ("x: 'a.B' = 1", "x: B = 1"),
        (
            "from __future__ import annotations\nx: a.Optional[B] = 1",
            "from __future__ import annotations\nx: B | None = 1",
        ),
        ("'''A::\n\nB::\n\n\n    C.'''", "'''A::\n\nB::\n\n    C.'''"),
        ("'''```\nA\n\n\nB\n```'''", "'''```\nA\n\nB\n```'''"),
        ("@dataclass\nclass A: 1", "@dataclass(kw_only=True)\nclass A: 1"),
        ("def f(): 1\ndel f", "def f(): 1"),
        ("def f(): 1\ndef g(): 1\ndel (f, g)", "def f(): 1\ndef g(): 1"),
    ],
)
def test_code_that_is_not_printed_alike(before, after):
    assert changed(f"{before}\n", f"{after}\n", read_values)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = 1", "y = 1"),
        (
            "class A:\n    'A.'\n    def __init__(self):\n        self.x = 1",
            "class A:\n    'A.'\n    def __init__(self):\n        self.y = 1",
        ),
        (
            "class A:\n    'A.'\n    def __repr__(self): 1",
            "class A:\n    'A.'\n    def __str__(self): 1",
        ),
    ],
)
def test_undocumented_member_that_hosts_do_not_list_which_run_the_module(before, after):
    texts = (f"{before}\n", f"{after}\n")
    names = {"", "A", "#", "A.#"}

    assert names & changed(*texts)
    assert names.isdisjoint(changed(*texts, read_values))


@pytest.mark.parametrize(
    ("before", "after", "is_shown"),
    [
        ("def f(x=1): 'F.'", "def f(x=2): 'F.'", False),
        ("def f(x: int) -> int: 'F.'", "def f(x: str) -> str: 'F.'", False),
        (
            "@overload\ndef f(x) -> int: 'F.'",
            "@overload\ndef f(x) -> str: 'F.'",
            True,
        ),
        ("def f(x): 'F.'", "async def f(x): 'F.'", False),
        ("f = 1", "f = 2", False),
        ("f = []\nf.append(1)", "f = []\nf.append(2)", False),
        ("f = g", "f = h", True),
        ("f = made('x')", "f = made('y')", True),
        ("def f(x): 'F.'", "@wraps(g)\ndef f(x): 'F.'", True),
        ("def f(x): 'F.'", "@property\ndef f(x): 'F.'", True),
        ("def f(x): 'F.'", "def f(y): 'F.'", True),
        ("def f(x): 'F.'", "def f(x, y): 'F.'", True),
        ("def f(x): 'F.'", "def f(x=1): 'F.'", True),
        ("def f(*, x): 'F.'", "def f(*, x=1): 'F.'", True),
        ("def f(*x): 'F.'", "def f(**x): 'F.'", True),
        ("def f(x, y): 'F.'", "def f(x, *, y): 'F.'", True),
        ("def f(x, y): 'F.'", "def f(x, /, y): 'F.'", True),
        ("def f(x, *z, y): 'F.'", "def f(x, y, *z): 'F.'", True),
        ("def f(*, x=1, y): 'F.'", "def f(*, x=2, y): 'F.'", False),
        ("def f(): 'F.'", "def f(): 'G.'", True),
        ("def f(): 1\nf.__doc__ = 'F.'", "def f(): 1\nf.__doc__ = 'G.'", True),
    ],
)
def test_what_a_table_shows_of_a_module_that_is_run(before, after, is_shown):
    found = changed(f"{before}\n", f"{after}\n", read_values)

    assert is_shown == ("f.1" in found)
    assert "f" in found


@pytest.mark.parametrize(
    ("deleted", "names"),
    [
        ("x", {"f", "A", "A.y"}),
        ("(x, f)", {"A", "A.y"}),
        ("x['a']", {"x", "f", "A", "A.y"}),
        ("x.a, A.y", {"x", "f", "A", "A.y"}),
    ],
)
def test_only_deleted_names_are_gone_and_only_if_the_module_is_run(deleted, names):
    text = f"class A:\n    y = 1\nx = {{}}\ndef f(): 1\ndel {deleted}\n".encode()
    every = {"x", "f", "A", "A.y"}

    assert names == every & read_values(text).keys()
    assert every <= read_parts(text).keys()


def test_initializer_that_deletes_an_attribute_defines_none():
    text = "class A:\n    def __init__(self):\n        del self.x\n"

    assert "A.x" not in read_parts(text.encode())


def test_setter_shows_only_on_hosts_that_do_not_run_the_module():
    text = "class A:\n    @property\n    def x(self): 1\n"
    other = f"{text}    @x.setter\n    def x(self, y): 1\n"

    assert "A.x" in changed(text, other)
    assert changed(text, other, read_values) == set()


def test_member_that_its_docstring_makes_private():
    text = 'def f():\n    """F.\n\n    :meta public:\n    """\n'

    assert DOCUMENTED in changed(text, text.replace("public", "private"), read_values)


def test_docstring_of_an_initializer_is_no_part_of_a_class_that_is_run():
    text = "class A:\n    'A.'\n    def __init__(self, a): 'One.'\n"
    other = text.replace("One", "Two")

    assert "A.=" in changed(text, other)
    assert "A.=" not in changed(text, other, read_values)
    assert "A.=" in changed(text, text.replace("self, a", "self"), read_values)


def test_undocumented_member_changes_no_list_of_documented_ones():
    text = "class A:\n    def f(): 'F.'\n"
    found = changed(text, f"{text}    def g(): 1\nx = 1\n")

    assert found == {"A", "A.*", "A.#", "A.g", "A.g.1", "", "*", "#", "x", "x.1"}


@pytest.mark.parametrize(("blanks", "names"), [(" ", set()), ("  ", {"f", "f.1", "*"})])
def test_blanks_in_a_paragraph_count_if_they_are_a_line_break_of_markdown(
    blanks, names
):
    text = "def f():\n    '''Do\n    it.'''\n"

    assert names == changed(text, text.replace("Do", f"Do{blanks}"))


NEW_SYNTAX = ["type X = int", "def f[T](a: T): 1", "class A[T]: 1"]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="this Python cannot parse it")
@pytest.mark.parametrize("text", NEW_SYNTAX)
def test_new_syntax(text):
    old, new = text.replace("int", "str"), text.replace("T", "S").replace("int", "X")

    assert changed(old, new) >= {"*"}


HOSTILE = {
    "nothing": b"",
    "too large": b"#" * (MAX_SOURCE + 1),
    "too many objects": b"a=1\n" * (MAX_OBJECTS + 1),
    "too many definitions": b"def f():1\n" * (MAX_OBJECTS + 1),
    "NUL": b"x = 1\0",
    "Python 2": b"print 'x'",
    "half a statement": b"def f(",
    "no UTF-8": b"x = '\xff'",
    "another encoding": "# coding: utf-7\nx = 1".encode("utf-7"),
    "slow encoding": b"# coding: punycode\nx = 1",
    "unknown encoding": b"# coding: none\nx = 1",
    "two encodings": b"\xef\xbb\xbf# coding: latin-1\nx = 1",
    "brackets": b"x = " + b"(" * 100_000,
    "closed brackets": b"x = " + b"[" * 5_000 + b"]" * 5_000,
    "minus signs": b"x = " + b"-" * 100_000 + b"1",
    "attributes": b"x = a" + b".b" * 100_000,
    "sum": b"x = 1" + b"+1" * 100_000,
    "blocks": b"".join(b" " * n + b"if a:\n" for n in range(200)) + b" " * 200 + b"x=1",
    "elif": b"if a:\n x=1\n" + b"elif a:\n x=1\n" * 20_000,
    "digits": b"x = " + b"9" * 100_000,
}
"""Modules that are not read."""


@pytest.mark.parametrize("read", [read_parts, full(read_lines)])
@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_module_that_is_not_read(content, read):
    assert read(content) == {}


NAMES = [f"a{number}" for number in range(2000)]
RUN_HOSTILE = {
    "conditions within each other": "".join(
        f"{' ' * depth}if a:\n" for depth in range(90)
    )
    + " " * 90
    + "=".join(NAMES)
    + "=1\n",
    "elif": "if a:\n x=1\n" + "".join(f"elif a:\n {each}=1\n" for each in NAMES[:600]),
    "calls": "".join(f"f({','.join(NAMES)})\n" for _ in range(10)),
    "loops": "".join(f"for x in {','.join(NAMES)}: 1\n" for _ in range(10)),
    "classes": "".join(
        f"class A{number}:\n for x in {','.join(NAMES[:50])}: 1\n"
        for number in range(400)
    ),
}
"""Modules that are read, but not for hosts that run them: their code does too much."""


@pytest.mark.parametrize("text", RUN_HOSTILE.values(), ids=RUN_HOSTILE)
def test_module_whose_code_does_too_much_to_its_objects(text):
    assert read_parts(text.encode()) != {}
    assert read_values(text.encode()) == {}


@pytest.mark.parametrize("read", [read_parts, read_values, full(read_lines)])
@pytest.mark.parametrize("name", MANY)
def test_work_grows_as_the_module_does(name, read):
    one, two = (calls(read, many(name, times).encode()) for times in (1, 2))

    assert two < 3 * one


READ = {
    "decorators": b"@a\n" * 100_000 + b"def f(): 1",
    "comparisons": b"x = 1" + b"<1" * 100_000,
    "names": b"a=1\n" * MAX_OBJECTS,
    "definitions": b"def f():1\n" * MAX_OBJECTS,
    "definitions and imports": b"def f():1\nimport a\n" * MAX_OBJECTS,
    "definitions in a string": b'def f():1\n"""' + b"def\n" * 200_000 + b'"""',
    "classes": b"".join(b" " * n + b"class A:\n" for n in range(90))
    + b" " * 90
    + b"x=1",
    "comments and statements": b"#:\n" * 300_000 + b"a=1;" * 10_000,
    "targets": b"a=" * 10_000 + b"[" + b"0," * 200_000 + b"]",
    "surrogate": b"def f(): '\\ud800'",
    "old escape": b"x = '\\d'",
    "comment at the beginning": b"#: A.\nx = 1",
    "no line end": b"x = 1 #: A.",
    "continued": b"x = 1 \\\n\ny = 2",
    "strings within strings": b"x = f\"{f'{1}'}\"",
}
"""Odd modules that are read."""
SLOW = {"targets", "comments and statements", "decorators", "comparisons"}


@pytest.mark.parametrize("read", [read_parts, full(read_lines)])
@pytest.mark.parametrize("name", usually(READ, *READ.keys() - SLOW))
def test_odd_module(name, read):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = read(READ[name])

    assert "*" in found
    assert all(isinstance(hash(value), int) for value in found.values())


def test_all_lines_of_an_object_count():
    def names(old, new):
        assert old in MODULE
        return changed(MODULE, MODULE.replace(old, new), read_lines)

    of_module = {"", "=", "1", "*", "-"}
    of_client = {f"Client{end}" for end in ("", ".=", ".1", ".*", ".-")}
    assert names("# Slow.", "# Fast.") == {
        *of_module,
        *of_client,
        "Client.get",
        "Client.get.1",
    }
    assert names("import os", "import sys") == of_module
    assert names("@_cached", "@_traced") == {*of_module, "connect", "connect.1"}


COMMANDS = """\
FAST = "Be quick."

def shared(function):
    return click.option("--slow", help="Take time.")(function)

@main.command()
@shared
@click.option("--fast", help=FAST)
def work(fast):
    'Work.'
    return 1
"""


@pytest.mark.parametrize(
    ("old", "new", "is_same"),
    [
        ("Be quick.", "Be quicker.", False),
        ("Take time.", "Take your time.", False),
        ("'Work.'", "'Do it.'", False),
        ("@shared\n", "", False),
        ("return 1", "return 2", True),
    ],
)
def test_code_is_a_module_without_the_bodies_of_decorated_functions(old, new, is_same):
    before = COMMANDS.encode()
    after = COMMANDS.replace(old, new).encode()

    assert is_same == (read_parts(before)[CODE] == read_parts(after)[CODE])
    assert read_lines(before)[CODE] != read_lines(after)[CODE]


def test_name_of_a_part():
    names = [
        part("A.b", SUMMARY),
        part("A", ALONE),
        part("", ORDER),
        part("", WITH_MEMBERS),
    ]

    assert names == ["A.b.1", "A.=", "#", "*"]
    # No part has a name that an object can have, such as a function that is registered.
    assert "_" == object_of("_")
