"""A package whose names lead from module to module."""

from __future__ import annotations

from sitemap_plugins.core.python.layouts import PythonFiles
from sitemap_plugins.core.python.places import Places

PACKAGE = {
    "__init__.py": (
        "from . import sub\nfrom ._core import *\nfrom ._core import work as do\n"
        "from .sub.deep import Deep\nimport own.sub.deep as renamed\n"
        "from json import dumps\n"
    ),
    "_core.py": (
        '"""Core."""\nimport own.sub.deep\nLIMIT = 5\n\n'
        'def work():\n    """Work."""\n\n'
        "task = work\nmade = work()\n\n"
        "class Base:\n    def shared(self):\n        '''Share.'''\n\n"
        "    def run(self):\n        '''Run.'''\n\n    again = run\n\n"
        "class Client(Base, own.sub.deep.Deep[int]):\n    def run(self): pass\n\n"
        "    class Inner(Base): pass\n"
    ),
    "sub/__init__.py": "",
    "sub/__init__.pyi": "from .deep import Deep as Lazy\ndef stub(): ...\n",
    "sub/deep.py": "class Deep:\n    '''Deep.'''\n    def dig(self): '''Dig.'''\n",
    "_config.py": (
        "LIMIT = _MOST = 5\nTIMES = {'slow': LIMIT}\n\n"
        "class Mode(Enum):\n    FAST = 1\n\n"
        "def noted(text):\n    def add(f):\n        f.__doc__ += NOTE + text\n"
        "    return add\n\n"
        "def traced(f):\n    return f\n\nNOTE = 'Since '\noften = traced\n"
    ),
    "values.py": (
        "__doc__ = NOTE\nfrom enum import Enum\n"
        "from . import _config, _config as other\n"
        "from ._config import LIMIT, Mode, NOTE, TIMES, noted, traced\n\n"
        "def imported(x=LIMIT): 1\n"
        "def by_module(x=other.LIMIT): 1\n"
        "def by_key(x=TIMES['slow']): 1\n"
        "def member(x=Mode.FAST): 1\n"
        "def annotated(x: list[LIMIT]): 1\n"
        "def body():\n    return LIMIT\n"
        "@noted('1')\ndef written(): 1\n"
        "@traced\ndef read(): 1\n"
        "def python(x=Enum, y=int): 1\n"
        "def assigned(): 1\nassigned.__doc__ = NOTE\n"
        "class Scope:\n    N = 3\n    def method(self, n=N): 1\n"
        "    def __init__(self, n=LIMIT): 1\n"
        "class Plain:\n    n = LIMIT\n"
        "class Made(Plain):\n    n: int = LIMIT\n"
        "def documented(): 1\ndocumented.__doc__ = imported.__doc__ + Plain.__doc__\n"
        "@wraps(imported)\ndef wrapping(): 1\n"
        "class Owner:\n    N = 3\n    def method(self, n=N): 1\n"
        "    made = property(method)\n"
        "CHANGED = []\nCHANGED.append(LIMIT)\n"
        "class Noted: 1\nnoted(Noted)\n"
        "class Base:\n    def __init_subclass__(cls): 1\n"
        "def late(x=Field(lambda: Fields())): 1\n"
        "later = lambda a: LIMIT\n"
        "class Derived(Base): 1\n"
        "same = noted\n"
        "def handed(x=noted): 1\n"
        "def instance(x=Fields(), y=int()): 1\n"
        "plain = Plain()\n"
        "def of_instance(x=plain.n): 1\n"
        "class Fields(Plain):\n    x: int = noted\n"
        "for each in LIST:\n    noted(each)\n"
    ),
    "lists/__init__.py": (
        "from . import one, two\n__all__ = one.__all__ + two.__all__ + ['x']\n"
    ),
    "lists/one.py": "__all__ = ['a']\n",
    "lists/two.py": "from .three import *\n",
    "lists/three.py": "def b(): 1\n",
    "diamond.py": (
        "from ._core import Base\nfrom .sub.deep import Deep\n"
        "class A:\n    'A.'\n    def __init__(self): 1\n"
        "    def run(self): 'Run.'\n    def stop(self): 'Stop.'\n"
        "class B(A):\n    def stop(self): 1\n"
        "class C(A):\n    'C.'\n    def __init__(self): 1\n"
        "    def run(self): 'Go.'\n    class Inner(A): 1\n"
        "class D(B, C): 1\n"
        "class Base(Base, dict): 1\nclass E(dict, Deep): 1\n"
    ),
    "loop.py": "from .loop2 import *\n",
    "loop2.py": "from .loop import *\n",
}


def write_package(folder):
    """Write it as a project; return the places of its objects."""
    (folder / ".git").mkdir()
    for name, text in PACKAGE.items():
        file = folder / "src/own" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return Places(PythonFiles(folder / "docs", [folder / "src"]))


def named(places, found):
    """Return the file and name of each part that was found, each once."""
    folder = places.sources.files.module("own").parent
    names = [
        f"{each.file.relative_to(folder).as_posix()} {each.name}" for each in found
    ]
    return [*dict.fromkeys(names)]
