"""Any bytes as conf.py give the value of Python or none, in linear time; no code runs.

Run: python tests/fuzz/fuzz_conf_py.py [seconds]
"""

from __future__ import annotations

import ast
import tempfile
import warnings
from pathlib import Path

from sitemap_plugins.folder import read_data

SEEDS = (
    b"x",
    b"x = ",
    b"x=",
    b"x: str = ",
    b"y = x = ",
    b"x += ",
    b"x = x = ",
    b"x == ",
    b"xy = ",
    b"\n",
    b"\r\n",
    b"\n\n",
    b"\\\n",
    b"  ",
    b"\t",
    b"\x0c",
    b"#",
    b"# '\n",
    b";",
    b", ",
    b" + ",
    b"'a'",
    b'"b"',
    b"'''",
    b'"""',
    b"'",
    b'"',
    b"\\",
    b"\\'",
    b"r'\\d'",
    b"b'c'",
    b"f'{a}'",
    b"f'{",
    b"}'",
    b"{a}",
    b"f\"{f'{a}'}\"",
    b"rb'''",
    b"u'd'",
    b"'\\d'",
    b"'\\\n'",
    b"(",
    b")",
    b"[",
    b"]",
    b"{",
    b"}",
    b"[1, 2]",
    b"{'a': 1}",
    b"1",
    b"-1",
    b"0xff",
    b"1j",
    b"True",
    b"None",
    b"if x:\n    ",
    b"def f():\n  ",
    b"import a",
    b".a",
    b"lambda: ",
    b"not ",
    b"\xc3\xa9",
    b"\xff",
    b"\0",
    b"\xef\xbb\xbf",
    b"x = 'end'\n",
)
_folder = tempfile.TemporaryDirectory(
    dir="/dev/shm" if Path("/dev/shm").is_dir() else None
)
_FILE = Path(_folder.name, "conf.py")


def check(data: bytes) -> None:
    """Read the bytes as settings, and compare the result with
    that of Python's parser."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = read(data)
    if found is not None and b";" not in data:
        is_valid, expected = _oracle(data.decode("utf-8-sig", "replace"))
        assert not is_valid or repr(found) == repr(expected), (found, expected)


def read(data: bytes) -> object:
    """Return what the bytes assign to a name,
    as if they were read for the first time."""
    _FILE.write_bytes(data)
    read_data._statements.cache_clear()
    return read_data.assigned_value(_FILE, "x")


def _oracle(text: str) -> tuple[bool, object]:
    """Return whether a file is valid Python,
    and what its last assignment to the name writes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            body = ast.parse(text).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False, None
    found = None
    for node in body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            targets = [node.target]
        if any(isinstance(target, ast.Name) and target.id == "x" for target in targets):
            try:
                found = ast.literal_eval(node.value)
            except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
                found = None
    return True, found


if __name__ == "__main__":
    from driver import run

    slowest = (b"x: f'" + b"{a}" * 10_000 + b"'\n") * 3
    run(check, SEEDS, slowest=slowest, timed=read)
