"""A package whose names lead from module to module."""

from __future__ import annotations

from sitemap_plugins.core.python.layouts import PythonFiles
from sitemap_plugins.core.python.modules import ModuleReader
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
        "class Base:\n    def __init__(self, patience=LIMIT): 1\n\n"
        "    def shared(self):\n        '''Share.'''\n\n"
        "    def run(self):\n        '''Run.'''\n\n    again = run\n\n"
        "class Client(Base):\n    def run(self): pass\n\n"
        "    class Inner(Base): pass\n\n"
        "Other = Client\n"
    ),
    "sub/__init__.py": "",
    "sub/__init__.pyi": "def stub(): ...\n",
    "sub/deep.py": "class Deep:\n    '''Deep.'''\n    def dig(self): '''Dig.'''\n",
    "config.py": "LIMIT = _MOST = 5\nTIMES = {'slow': LIMIT}\nclass Mode:\n    FAST = 1\n",
    "values.py": (
        "import functools\nfrom enum import Enum\n"
        "from . import config, config as other\n"
        "from .config import LIMIT, Mode, TIMES\n\n"
        "def imported(x=LIMIT): 1\n"
        "def by_module(x=other.LIMIT): 1\n"
        "def by_key(x=TIMES['slow']): 1\n"
        "def member(x=Mode.FAST): 1\n"
        "def annotated(x: list[LIMIT]): 1\n"
        "def body():\n    return LIMIT\n"
        "@deprecated(LIMIT)\ndef old(): 1\n"
        "@functools.lru_cache(LIMIT)\ndef kept(): 1\n"
        "@traced(LIMIT)\ndef traced(): 1\n"
        "@command()\n@traced(LIMIT)\ndef run(): 1\n"
        "def python(x=Enum, y=int): 1\n"
        "def assigned(): 1\nassigned.__doc__ = LIMIT\n"
        "def documented(): 1\ndocumented.__doc__ = imported.__doc__\n"
        "class Scope:\n    N = 3\n    def method(self, n=N): 1\n"
        "    def __init__(self, n=LIMIT): 1\n"
        "class Plain:\n    n = LIMIT\n"
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
    return Places(PythonFiles(folder / "docs", [folder / "src"]), ModuleReader())


def write_module(folder, text):
    """Write a project of one module, `own`; return the places of its objects."""
    (folder / ".git").mkdir(parents=True)
    (folder / "own.py").write_text(text)
    return Places(PythonFiles(folder, [folder]), ModuleReader())


def named(folder, found):
    """Return the file in the package, and the name, of each place, each once."""
    names = []
    for each in found:
        file = each.file.relative_to(folder / "src/own").as_posix()
        names.append(f"{file} {each.name}")
    return [*dict.fromkeys(names)]
