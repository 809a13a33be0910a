"""What readers see of a module's objects: which edits change it, and which do not."""

from __future__ import annotations

import sys
import time
import warnings

import pytest

from sitemap_plugins.core.python import modules
from sitemap_plugins.core.python.definitions import MAX_OBJECTS
from sitemap_plugins.core.python.excerpt_names import (
    ALONE,
    DOCUMENTED,
    FIELDS,
    ORDER,
    PARAMETERS,
    SUMMARY,
    WITH_MEMBERS,
    object_of,
    part,
)
from sitemap_plugins.core.python.modules import ModuleReader
from sitemap_plugins.core.python.text import MAX_SOURCE
from tests.full import usually
from tests.unit.python.hostile_modules import MANY, calls, many

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
    ("TIMEOUT = 5", "TIMEOUT = 6", {"TIMEOUT", "*"}),
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
    ("(Base)", "(Other)", {"Client", "Client.=", "Client.*", "*"}),
    (
        "retries: int = 3",
        "retries: int = 4",
        {
            "Client.*",
            "*",
            "Client.()",
            "Client.retries",
        },
    ),
    ("How often.", "How.", {"Client.retries", "Client.retries.1", "Client.*", "*"}),
    (
        "url):",
        "address):",
        {
            "Client",
            "Client.=",
            "Client.1",
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
        {"Client.rest"},
    ),
    ("-> str", "-> bytes", {"Client.name", "Client.*", "*"}),
    ("The name.", "A name.", {"Client.name", "Client.name.1", "Client.*", "*"}),
    ("    @property\n", "", {"Client.name", "Client.*", "*"}),
    ("path, *,", "path,", {"Client.get", "Client.*", "*"}),
    ("= None):", "= 1):", {"Client.get", "Client.*", "*"}),
    ("Request a page.", "Request it.", {"Client.get", "Client.get.1", "Client.*", "*"}),
    ("Follows redirects.", "Follows all.", {"Client.get", "Client.*", "*"}),
    ("def _send", "def send", {"Client._send", "Client._send.1", "Client.send"}),
    ("size: int = 1", "size: int = 2", {"Plain.size", "Plain.()", "Plain.*", "*"}),
    (
        "class Plain:",
        "@record\nclass Plain:",
        {"Plain", "Plain.=", "Plain.*", "*"},
    ),
    ('str = "a"', 'str = "b"', {"connect", "*"}),
    ("def connect", "async def connect", {"connect", "*"}),
    ("@_cached", "@deprecated('x')", {"connect", "*"}),
    ("@_cached", "@option(help='In s')", {"connect", "*"}),
    ("@_cached", "@_cached\n@command", {"connect", "*"}),
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


def read_parts(content):
    return ModuleReader().read_parts(content)


def changed(before, after):
    old, new = read_parts(before.encode()), read_parts(after.encode())
    assert old
    assert new
    names = {name for name in old.keys() | new if old.get(name) != new.get(name)}
    return {name for name in names if name.rpartition(".")[2] != PARAMETERS}


@pytest.mark.parametrize(("old", "new", "names"), SEEN)
def test_change_that_readers_see(old, new, names):
    assert old in MODULE
    assert names <= changed(MODULE, MODULE.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "names"), [row for row in SEEN if "_send" not in row[0]]
)
def test_change_is_seen_nowhere_else(old, new, names):
    others = {f"{name[:-1]}{DOCUMENTED}" for name in names if name.endswith(ALONE)}
    others.add(FIELDS)

    assert changed(MODULE, MODULE.replace(old, new)) <= names | others


@pytest.mark.parametrize(("old", "new"), UNSEEN)
def test_change_that_no_reader_sees(old, new):
    assert old in MODULE
    assert changed(MODULE, MODULE.replace(old, new)) == set()


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


def test_docstring_of_an_imported_object_makes_it_no_member():
    text = "from a import f\nx = 1\n"

    assert not {"", "*", "#"} & changed(text, f"{text}f.__doc__ = 'F.'\n")


@pytest.mark.parametrize(
    "name",
    [
        "since",
        "versionadded",
        "x.versionchanged",
        "renamed",
        "is_added",
        "deprecated",
        "a.deprecated_in[1]",
        "cli.option",
    ],
)
def test_decorator_that_hosts_show_or_that_documents(name):
    text = f"@{name}('1')\ndef f(): 1"

    assert "f" in changed(text, text.replace("'1'", "'2'"))


@pytest.mark.parametrize("name", ["padded", "_dispatchable", "jit", "wraps"])
def test_decorator_that_is_not_known_to_show_anything(name):
    """So the function counts as its own text."""
    text = f"@{name}('Some words.')\ndef f(): 1"

    assert set() == changed(text, text.replace("Some", "Other"))
    assert set() == changed(text, "def f(): 1")


@pytest.mark.parametrize(
    "exports", ["[each for each in TABLE]", "NAMES", "one.__all__ + ['f']"]
)
def test_name_that_goes_from_a_list_that_cannot_be_read(exports):
    text = f"__all__ = {exports}\ndef f(): 'F.'\n"

    assert DOCUMENTED in changed(f"{text}def g(): 'G.'\n", text)


def test_name_that_a_list_of_names_does_not_have():
    text = "__all__: list[str] = ['f']\ndef f(): 'F.'\n"

    # Names in an annotation are not read as names of other lists.
    assert DOCUMENTED not in changed(f"{text}def g(): 'G.'\n", text)


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
        ("__all__ = ['b', 'a']", "__all__ = ['a']\n__all__ += ['b']", set()),
        ("a = 1", "__all__ = ['a']\na = 1", set()),
        ("__all__ = ['b', 'a']", "__all__ = ['b']\n__all__.append('a')", set()),
        # What is from elsewhere.
        ("import a", "import b as a", set()),
        # Order.
        ("a = 1\nb = 2", "b = 2\na = 1", {"#"}),
        # Names of more than ASCII.
        ("größe = 1", "größe = 2", {"größe"}),
        ("ﬁne = 1", "fine = 1", set()),
        # Comments that document, and which line they are at.
        ("é = 'é'  #: Ä.", "é = 'é'  #: Ö.", {"é"}),
        ("é = [\n1]  #: Ä.", "é = [\n1]  #: Ö.", {"é"}),
        ("\f\nx = 1  #: A.", "\f\nx = 1  #: B.", {"x"}),
        ("x = 1  #: A.\ny = 2", "x = 1  #: B.\ny = 2", {"x"}),
        # Other encodings, and how they are declared.
        ("# coding: latin-1\nx = 'é'", "# coding: utf-8\nx = 'Ã©'", set()),
        ("\ufeffx = 1", "x = 1", set()),
        # Annotations.
        ("def f(a: 'A', *b: B): 1", "def f(a: A, *b: 'B'): 1", set()),
        ("def f(a, /): 1", "def f(a): 1", {"f"}),
        # What makes a class's signature.
        ("class A(B, k=1): 1", "class A(B, k=2): 1", {"A"}),
        ("class A(object): 1", "class A: 1", set()),
        (
            "@d\nclass A:\n    x: int = 1",
            "@d\nclass A:\n    x: int = 2",
            {"A.()", "A.x"},
        ),
        (
            "class A:\n    def __new__(c, a): 1",
            "class A:\n    def __new__(c, b): 1",
            {"A"},
        ),
        # Setters.
        (
            "class A:\n @property\n def x(self): 1",
            "class A:\n @property\n def x(self): 1\n @x.setter\n def x(self, y): 1",
            {"A.x"},
        ),
        # Docstrings.
        ("'''A.\n\n\n\nB.'''", "'''A.\n\nB.'''", set()),
        ("'''A\n\nB::\n\n\n    C.'''", "'''A\n\nB::\n\n    C.'''", {"="}),
    ],
)
def test_other_changes(before, after, names):
    found = changed(before, after)

    assert found >= {*names} if names else found == set()


@pytest.mark.parametrize(
    ("text", "is_listed"),
    [
        ("def g(): 1", True),
        ("def _g(): 'G.'", False),
        ("def __g(): 'G.'", False),
        ("def __eq__(self): 1", False),
        ("def __eq__(self): 'G.'", True),
        ("def __init__(self):\n  self.y = 1", False),
        ("def __init__(self):\n  self.y = 1  #: Y.", True),
        ("def __init__(self):\n  other.y = 1  #: Y.", False),
    ],
)
def test_member_that_a_class_lists(text, is_listed):
    names = changed("class A:\n x = 1\n", f"class A:\n x = 1\n {text}\n")

    assert is_listed == ("A.#" in names)


@pytest.mark.parametrize(
    ("before", "after", "is_shown"),
    [
        ("def f(x=1): 'F.'", "def f(x=2): 'F.'", False),
        ("def f(x: int) -> int: 'F.'", "def f(x: str) -> str: 'F.'", False),
        ("f = 1", "f = 2", False),
        ("def f(x): 'F.'", "def f(y): 'F.'", True),
        ("def f(x): 'F.'", "def f(x, y): 'F.'", True),
        ("def f(x): 'F.'", "def f(x=1): 'F.'", True),
        ("def f(*, x): 'F.'", "def f(*, x=1): 'F.'", True),
        ("def f(): 'F.'", "def f(): 'G.'", True),
        ("def f(): 1\nf.__doc__ = 'F.'", "def f(): 1\nf.__doc__ = 'G.'", True),
    ],
)
def test_what_a_table_shows(before, after, is_shown):
    found = changed(f"{before}\n", f"{after}\n")

    assert is_shown == ("f.1" in found)
    assert "f" in found


def test_undocumented_member_changes_no_list_of_documented_ones():
    text = "class A:\n    def f(): 'F.'\n"
    found = changed(text, f"{text}    def g(): 1\nx = 1\n")

    assert found == {"A", "A.*", "A.#", "A.g", "A.g.1", "", "*", "#", "()", "x", "x.1"}


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
    "targets": b"a=" * 10_000 + b"[" + b"0," * 200_000 + b"]",
    "digits": b"x = " + b"9" * 100_000,
}
"""Modules that are not read."""


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_module_that_is_not_read(content):
    assert read_parts(content) == {}


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
    "surrogate": b"def f(): '\\ud800'",
    "old escape": b"x = '\\d'",
    "comment at the beginning": b"#: A.\nx = 1",
    "no line end": b"x = 1 #: A.",
    "continued": b"x = 1 \\\n\ny = 2",
    "strings within strings": b"x = f\"{f'{1}'}\"",
}
"""Odd modules that are read."""
SLOW = {"decorators", "comparisons"}


@pytest.mark.parametrize("name", usually(READ, *READ.keys() - SLOW))
def test_odd_module(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = read_parts(READ[name])

    assert "*" in found
    assert all(isinstance(hash(value), int) for value in found.values())


def test_with_changes_any_a_module_is_one_part(tmp_path):
    excerpt = ModuleReader().excerpt(tmp_path / "a.py", "A.b.1", "any")

    assert ("", "the module", {"": b"x"}) == (
        excerpt.name,
        excerpt.label,
        excerpt.read(b"x"),
    )


def test_definitions_that_stayed_are_read_once():
    reader = ModuleReader()
    first = calls(reader.read_parts, MODULE.encode())
    again = calls(reader.read_parts, MODULE.replace('"""A client."""', "").encode())

    assert again < first * 2 / 3


def test_no_more_is_kept_than_the_limit(monkeypatch):
    """A forged history can have definitions without end."""
    monkeypatch.setattr(modules, "MAX_KEPT", 100)
    reader = ModuleReader()
    many = "".join(f"def f{number}(): 1\n" for number in range(50))
    reader.read_parts(many.encode())
    one = calls(reader.read_parts, b"def f49(): 1\n")

    assert one < calls(reader.read_parts, b"def f0(): 1\n")


@pytest.mark.parametrize("name", MANY)
def test_work_grows_as_the_module_does(name):
    one, two = (calls(read_parts, many(name, times).encode()) for times in (1, 2))

    assert two < 3 * one


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


@pytest.mark.parametrize(
    "docstring",
    ["\n" * 400_000 + "A.", "A.\n" + "\n" * 400_000 + "    B.\n  C."],
    ids=["above the text", "before code"],
)
def test_empty_lines_of_a_docstring_are_read_once(docstring):
    start = time.process_time()

    assert changed(f"'''{docstring}'''", f"'''{docstring} D.'''")
    assert time.process_time() - start < 3
