"""What readers see of a module's objects: which edits change it, and which do not."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.dates.python_objects import (
    read_parts,
)

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
    ("TIMEOUT", "LIMIT", {"TIMEOUT", "TIMEOUT.1", "LIMIT", "LIMIT.1", "", "#", "*"}),
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
            *("Client", "Client.=", "Client.1", "Client.*", "*"),
            *("Client.retries", "Client.retries.1"),
        },
    ),
    ("How often.", "How.", {"Client.retries", "Client.retries.1", "Client.*", "*"}),
    (
        "url):",
        "address):",
        {
            *("Client", "Client.=", "Client.*", "*"),
            *("Client.__init__", "Client.__init__.1"),
        },
    ),
    ("Where to.", "Where.", {"Client.url", "Client.url.1", "Client.*", "*"}),
    ("self.rest = None", "self.rest = 1", {"Client.rest", "Client.rest.1"}),
    ("-> str", "-> bytes", {"Client.name", "Client.name.1", "Client.*", "*"}),
    ("The name.", "A name.", {"Client.name", "Client.name.1", "Client.*", "*"}),
    ("    @property\n", "", {"Client.name", "Client.name.1", "Client.*", "*"}),
    ("path, *,", "path,", {"Client.get", "Client.get.1", "Client.*", "*"}),
    ("= None):", "= 1):", {"Client.get", "Client.get.1", "Client.*", "*"}),
    ("Request a page.", "Request it.", {"Client.get", "Client.get.1", "Client.*", "*"}),
    ("Follows redirects.", "Follows all.", {"Client.get", "Client.*", "*"}),
    ("def _send", "def send", {"Client._send", "Client._send.1", "Client.send"}),
    ("size: int = 1", "size: int = 2", {"Plain.size", "Plain.size.1", "Plain.*", "*"}),
    ("class Plain:", "@record\nclass Plain:", {"Plain", "Plain.=", "Plain.1", "*"}),
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
    ("@_cached", "@_traced(depth='all')"),
    ("\n", "\r\n"),
    ("    return Client(url)\n", "    if url:\n        raise E\n"),
]
"""Edits of the module that no reader sees."""


def changed(before, after, read=read_parts):
    old, new = read(before.encode()), read(after.encode())
    assert old
    assert new
    return {name for name in old.keys() | new if old.get(name) != new.get(name)}


@pytest.mark.parametrize(("old", "new", "names"), SEEN)
def test_change_that_readers_see(old, new, names):
    assert old in MODULE
    assert names <= changed(MODULE, MODULE.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "names"), [row for row in SEEN if "_send" not in row[0]]
)
def test_change_is_seen_nowhere_else(old, new, names):
    others = {"Plain.*"} if "Plain" in old else set()

    assert changed(MODULE, MODULE.replace(old, new)) <= names | others


@pytest.mark.parametrize(("old", "new"), UNSEEN)
def test_change_that_no_reader_sees(old, new):
    assert old in MODULE
    assert changed(MODULE, MODULE.replace(old, new)) == set()
