"""A package of Python whose history has one kind of change after the other."""

from __future__ import annotations

from tests.sites import git

ONE, BODY, TEXT, BASE, NEW = (
    f"{year}-01-02T03:04:05+00:00" for year in (2020, 2021, 2022, 2023, 2024)
)
SIGNATURE = "2021-07-02T03:04:05+00:00"
CORE = '''"""What the package does."""


def work():
    """Work.

    More about it.
    """


def other():
    """Do something else."""
    return 1


class Base:
    """What clients share."""

    def __init__(self, patience=1):
        self.patience = patience

    def inherited(self):
        """Say what all clients say."""

    def explained(self):
        """Explain."""


class Client(Base):
    """A client."""

    def get(self, seconds=1):
        """Get something."""

    def explained(self):
        return 1


    def hidden(self):
        return 1
'''
EDITS = {
    BODY: ("return 1", "return 1 + 0  # faster"),
    SIGNATURE: ("patience=1", "patience=2"),
    TEXT: ("More about it.", "Much more about it."),
    BASE: ("Say what all clients say.", "Say what every client says."),
    NEW: (
        "\n\n    def hidden",
        "\n    def helper(self):\n        pass\n\n    def hidden",
    ),
}

PARENTS = '''"""A package."""

from dataclasses import dataclass


@dataclass
class Parent:
    """A parent."""

    size: int = 1

    def kept(self):
        """Stay."""

    def dropped(self):
        """Go."""


@dataclass
class Child(Parent):
    """A child."""

    weight: int = 1
'''
OF_PARENT = {
    BODY: ("size: int = 1", "size: int = 2"),
    TEXT: (
        '''

    def dropped(self):
        """Go."""
''',
        "",
    ),
}


def commit_package(folder, *, core=CORE, edits=EDITS):
    """Write a package, and commit all files of a folder; then one edit at a time."""
    source = folder / "src/pkg"
    source.mkdir(parents=True, exist_ok=True)
    package = source / "__init__.py"
    if not package.exists():
        package.write_text("from ._core import *\n")
    (source / "_core.py").write_text(core)
    (folder / ".gitignore").write_text("generated\nautoapi\nout*\n")
    git(folder, "init", "-q", "-b", "main")
    commit(folder, ONE)
    for date, (old, new) in edits.items():
        edit(source / "_core.py", old, new)
        commit(folder, date)


def edit(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def commit(folder, date):
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", f"in {date[:4]}", GIT_COMMITTER_DATE=date)


VALUES = '''"""Values of names."""

from ._config import TIMEOUT, UNUSED, Named, noted


def late(timeout=TIMEOUT):
    """Wait."""


def unused():
    """Wait no more."""
    return UNUSED


class Child(Named):
    """A child."""


class Scope:
    """A scope."""

    N = 1

    def method(self, n=N):
        """Have a default."""


@noted("1")
def written():
    """Be written."""
'''
CONFIG = '''from dataclasses import dataclass

TIMEOUT = 1
UNUSED = 2
SIZE = 3


@dataclass
class Named:
    """A dataclass."""

    size: int = SIZE


def noted(text):
    def note(function):
        function.__doc__ += " Noted. " + text
        return function

    return note
'''
OF_CONFIG = {
    BODY: ("UNUSED = 2", "UNUSED = 3"),
    SIGNATURE: ("TIMEOUT = 1", "TIMEOUT = 2"),
    TEXT: ("Noted.", "It is noted."),
    BASE: ("SIZE = 3", "SIZE = 4"),
}
"""Edits of the module that the other imports."""


def commit_values(folder):
    """Write a package of two modules; commit edits of the imported one, then others."""
    config = folder / "src/pkg/_config.py"
    config.parent.mkdir(parents=True)
    config.write_text(CONFIG)
    commit_package(folder, core=VALUES, edits={})
    for date, (old, new) in OF_CONFIG.items():
        edit(config, old, new)
        commit(folder, date)
    edit(folder / "src/pkg/_core.py", "N = 1", "N = 2")
    commit(folder, NEW)
