"""Settings files of other generators, and front matter, read as data.

Nothing in them is ever run. YAML and TOML take time in proportion to `MAX_BYTES` at
most. A text that would take more is an error like one that is not valid: its aliases
make it longer than a file may be, or it has numbers or keys of a length that no project
writes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sitemap_plugins.core.messages import OptionsError
from sitemap_plugins.core.untrusted_files import read_own_file

try:
    # Zensical brings it; it reads TOML 1.1, as tomllib does in Python 3.15.
    import tomli as toml
except ImportError:
    import tomllib as toml  # type: ignore[no-redef]


MAX_BYTES = 512 * 1024
"""Bytes of the largest settings file that is read."""

# A dotted key of TOML takes the square of its number of parts, and so does each line
# below it.
_PART_OF_KEY = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(
    rf"(?<![\w-]){_PART_OF_KEY}(?:[ \t]*+\.[ \t]*+{_PART_OF_KEY}){{32}}"
)


def read_toml(file: Path) -> Mapping[str, Any]:
    """Return the tables of a TOML file.

    Raises:
        OptionsError: The file is not TOML, or cannot be read.
    """
    try:
        content = read_own_file(file, max_bytes=MAX_BYTES, is_alone=False)
    except OSError as error:
        raise unreadable(file, error.strerror or str(error)) from None
    try:
        return parse_toml(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        problem = f"is not UTF-8 (line {line})"
        cure = "save it in that encoding"
    except ValueError as error:
        problem = f"is not valid TOML ({error})"
        cure = "close the bracket or quote before it, or write name = value"
        if toml.__name__ == "tomllib" and file.name == "zensical.toml":
            cure += "; if Zensical reads it, run `pip install tomli`"
    raise OptionsError(f"{str(file)!r} {problem}", cure=cure)


def parse_toml(text: str) -> Mapping[str, Any]:
    """Return the tables of a TOML text.

    Raises:
        ValueError: The text is not valid TOML; the error says why, and where.
    """
    if _LONG_KEY.search(text):
        raise ValueError("a key has more than 32 parts")
    try:
        return toml.loads(text)
    except toml.TOMLDecodeError as error:
        last = len(text.rstrip().splitlines())
        msg = str(error).replace("at end of document", f"in the last line, {last}")
        raise ValueError(msg) from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def read_text(file: Path) -> str:
    """Return the text of a settings file.

    Raises:
        OptionsError: The file cannot be read.
    """
    try:
        content = read_own_file(file, max_bytes=MAX_BYTES, is_alone=False)
    except OSError as error:
        raise unreadable(file, error.strerror or str(error)) from None
    return content.decode("utf-8-sig", "replace")


def unreadable(file: Path, why: str) -> OptionsError:
    """Return the error for a settings file that cannot be read."""
    return OptionsError(
        f"{str(file)!r} cannot be read ({why})", cure="correct the file"
    )
