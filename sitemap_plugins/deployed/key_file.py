"""IndexNow's proof of who owns a site: a file there that contains the key and nothing else.

The key is no secret: whoever reads the file knows it. It proves that who sends URLs can also change
the site (indexnow.org/documentation, "Verifying ownership via the key").
"""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING

from sitemap_plugins.core import urls
from sitemap_plugins.core.errors import OptionsError
from sitemap_plugins.core.files.plan import File
from sitemap_plugins.core.files.publish import write_files
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.untrusted_files import read_regular_file

if TYPE_CHECKING:
    from pathlib import Path

    from sitemap_plugins.web import Web

__all__ = ["check_key", "covers", "key_file_in", "prove_key", "write_key_file"]

_KEY = re.compile(r"[A-Za-z0-9-]{8,128}")
_READ_BYTES = 1024
"""More than a key file may have, to see whether it does."""


def check_key(key: str) -> str:
    """Return the key, stripped.

    Raises:
        OptionsError: The protocol does not allow it.
    """
    key = key.strip()  # Secrets of a CI service often end with a line break.
    if _KEY.fullmatch(key):
        return key
    cure = "run `sitemap-plugins notify FOLDER --init` to make one"
    if not key:
        raise OptionsError("no key is given", cure=f"give --key or set INDEXNOW_KEY, or {cure}")
    # What is no key may be a secret of something else.
    what = f"what is given as the key ({len(key)} characters)"
    raise OptionsError(f"{what} is not 8 to 128 letters, digits and hyphens", cure=cure)


def write_key_file(folder: Path) -> Path:
    """Write a file with a new key, named after it.

    Raises:
        OptionsError: There is no such folder.
        OutputError: It cannot be written.
    """
    if not folder.is_dir():
        msg = f"{str(folder)!r} is not a folder"
        raise OptionsError(msg, cure="name one whose files are published as they are")
    key = secrets.token_hex(16)
    file = File(name=f"{key}.txt", chunks=[key.encode()])
    return write_files([file], output_dir=folder)[0]


def key_file_in(folder: Path) -> Path | None:
    """Return the file of a folder that has the form of a key file; None for none."""
    for file in sorted(folder.glob("*.txt")):
        if _KEY.fullmatch(file.stem):
            try:
                if read_regular_file(file, max_bytes=_READ_BYTES) == file.stem.encode():
                    return file
            except OSError:
                continue
    return None


def prove_key(key: str, location: str, web: Web) -> None:
    """Ask the site for its key file, as search engines will.

    Raises:
        OptionsError: It is not there, is elsewhere, or has anything else in it.
        WebError: The server does not answer.
    """
    answer = web.get(location, limit=_READ_BYTES)
    if answer.redirect:
        problem = f"redirects to {quoted(answer.redirect)}"
    elif answer.status != 200:
        problem = f"answers {answer.status}"
    elif answer.body != key.encode():
        problem = f"contains {quoted(answer.body.decode('utf-8', 'replace'))}"
    else:
        return
    msg = f"the key file {quoted(location)} {problem}"
    raise OptionsError(msg, cure=f"publish one that contains only {key}")


def covers(location: str, url: str) -> bool:
    """Tell whether a key file speaks for a URL: those on its host, in its folder and below."""
    folder = location.rpartition("/")[0] + "/"
    return urls.identity(url).startswith(urls.identity(folder))
