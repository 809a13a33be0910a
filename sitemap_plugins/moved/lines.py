"""A redirect as people write it: for plugins of MkDocs and Sphinx, or for a server.

Each form has its own escapes, and names that it cannot write: for these, the line is
empty.
"""

from __future__ import annotations

import posixpath
from urllib.parse import urlsplit

from sitemap_plugins.folder.reading import FolderSite
from sitemap_plugins.sitemaps.removed import Moved

FORMS = {
    "mkdocs": "`redirect_maps` of mkdocs-redirects in mkdocs.yml",
    "rediraffe": "the file that `rediraffe_redirects` in conf.py names",
    "reredirects": "`redirects` in conf.py, for sphinx-reredirects",
    "_redirects": "`_redirects` in the built folder",
}
"""Where a line of each form belongs."""

_YAML = {'"': '\\"', "\\": "\\\\"}


def usual_form(folder: FolderSite) -> str:
    """Return the form that the maker of a site most likely has a plugin for."""
    makers = {page.marks.generator.lower().partition("-")[0] for page in folder.built}
    # A theme of MkDocs need not name the generator, but mkdocs.yml has the address.
    if makers & {"mkdocs", "zensical"} or "mkdocs.yml" in folder.address.setting:
        return "mkdocs"
    is_sphinx = any(page.marks.sphinx_sources for page in folder.built)
    return "reredirects" if is_sphinx else "_redirects"


def line_of(moved: Moved, form: str) -> str:
    """Return the line for a moved page; empty if the form cannot write its redirect."""
    by_source = form in {"mkdocs", "rediraffe"}
    if by_source and moved.source == moved.new_source:
        # The front matter gives the page another address, which no source's name shows.
        return ""
    match form:
        case "mkdocs":
            return _mkdocs(moved)
        case "rediraffe":
            return _rediraffe(moved)
        case "reredirects":
            return _reredirects(moved)
        case _:
            return f"{_server(moved.url)} {_server(moved.new_url)} 301"


def _mkdocs(moved: Moved) -> str:
    """Return a line of YAML; what follows a `#` would be a fragment of the page."""
    if not (_can_write(moved.source, "#") and _can_write(moved.new_source, "#")):
        return ""
    return f"{_in_yaml(moved.source)}: {_in_yaml(moved.new_source)}"


def _in_yaml(text: str) -> str:
    # JSON's `\\ud83d` is invalid in YAML.
    escaped = (c if c.isprintable() else f"\\U{ord(c):08x}" for c in text)
    return '"' + "".join(_YAML.get(c, c) for c in escaped) + '"'


def _rediraffe(moved: Moved) -> str:
    """Return a line of the file; the file and the pages made of it have no escapes.

    In a log, `##[` would be a command for GitHub's runner.
    """
    for name in (moved.source, moved.new_source):
        is_plain = name.isprintable() and "##[" not in name
        if not (is_plain and _can_write(name, '"\\')):
            return ""
    return f'"{moved.source}" "{moved.new_source}"'


def _reredirects(moved: Moved) -> str:
    """Return a line of a dictionary; the target is relative to the old page.

    In a target, a `:` would end a scheme, such as `javascript:`, and `$source` would be
    replaced.
    """
    document = posixpath.splitext(moved.source)[0]
    if not _can_write(document, "*?[]"):
        return ""
    old = urlsplit(moved.url).path or "/"
    new = urlsplit(moved.new_url).path or "/"
    target = posixpath.relpath(new, posixpath.dirname(old))
    if new.endswith("/"):
        target += "/"
    target = target.replace(":", "%3A").replace("$", "%24")
    return f"{document!r}: {target!r},"


def _server(url: str) -> str:
    """Return a path, in which `*` and `:name` would be patterns."""
    path = urlsplit(url).path or "/"
    return path.replace("*", "%2A").replace(":", "%3A")


def _can_write(name: str, unfit: str) -> bool:
    """Tell whether a form can write a name.

    `unfit` has the characters that the form cannot write. No form can write an empty
    name or the surrogates of a name that is not valid Unicode.
    """
    is_unicode = not any("\ud800" <= c <= "\udfff" for c in name)
    return bool(name) and is_unicode and not any(c in name for c in unfit)
