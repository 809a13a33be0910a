"""Which files a page includes: those opened while Pelican's own reader reads the page.

Whatever extension opens them, no syntax is parsed a second time. The names go into the
page's metadata, which Pelican caches too: a page from its cache opens nothing.

A template that the author chose for one page can show the site's articles, or what a
plugin has read. These files are not known, only that there can be some.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, TemplateNotFound
from pelican.contents import Content
from pelican.generators import Generator

from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.opened import (
    Opened,
    Project,
    about_url,
    is_url,
    opened_by_nearly_all,
    record,
)
from sitemap_plugins.core.records import Included
from sitemap_plugins.core.untrusted_files import checksum

_OPENED = "sitemap_plugins_includes"
"""The metadata that holds what was opened for a page: absolute name → `checksum`, by
which the page is known to show an older text, as Pelican's cache looks at the page's
own file only. Or URL → None."""

_REPEATS = "sitemap_plugins_repeats"
"""The metadata of a page whose own template repeats something."""

_LOOP = re.compile(r"{%[-+]?\s*for\b")

_SETTINGS = ("docutils.conf", ".docutils")
"""docutils reads its settings for each page, from the working directory and the user's
(https://docutils.sourceforge.io/docs/user/config.html)."""


def watch_readers(readers: Iterable[Any], project: Project) -> None:
    """Have a generator's readers, which live for one run, note what pages open."""
    for reader in readers:
        if hasattr(reader, "read"):
            reader.read = partial(_read, project, reader.read)
        environment = getattr(reader, "env", None)
        if isinstance(environment, Environment):
            # pelican-jinja2content's reader has an environment. Without its cache, each
            # page opens all templates that it uses.
            environment.cache = None


def _read(
    project: Project,
    read: Callable[..., Any],
    source: str,
    *arguments: Any,  # noqa: ANN401
    **keywords: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    """Read a page, and note in its metadata what was opened meanwhile."""
    opened = Opened()
    record(opened)
    try:
        content, metadata = read(source, *arguments, **keywords)
    finally:
        record(None)
    names = [name for name in opened.files if os.path.basename(name) not in _SETTINGS]
    parts = project.parts_of(names, opened)
    parts.pop(os.path.abspath(source), None)
    noted: dict[str, int | None] = {}
    for name in sorted(parts):
        noted[name] = None if is_url(name) else checksum(Path(name))
    if noted:
        metadata[_OPENED] = noted
    return content, metadata


def settle(contents: Collection[Content]) -> None:
    """Forget files that nearly all pages opened, once all are read.

    Such a file is not a part of any page.
    """
    common = opened_by_nearly_all([each.metadata.get(_OPENED, {}) for each in contents])
    for content in contents:
        # A new mapping: Pelican's cache has the old one.
        noted = dict(content.metadata.get(_OPENED, {}))
        for name in common.intersection(noted):
            del noted[name]
        content.metadata[_OPENED] = noted


def note_templates(contents: Iterable[Content], generator: Generator) -> None:
    """Note which pages have a template of their own that repeats something.

    No template is compiled: i18n_subsites installs translations later.
    """
    environment = generator.env
    for content in contents:
        if content.template == content.default_template:
            continue
        for suffix in generator.settings["TEMPLATE_EXTENSIONS"]:
            name = content.template + suffix
            with suppress(TemplateNotFound):
                text, _, _ = environment.loader.get_source(environment, name)
                content.metadata[_REPEATS] = bool(_LOOP.search(text))
                break


def included_by(content: Any) -> Included:  # noqa: ANN401 Pelican has no types
    """Return what an article or page includes; what is unknown comes first."""
    if content.metadata.get(_REPEATS):
        name = quoted(content.template)
        return Included(unknown=f"has the template {name}, which can show other pages")
    files = []
    for name, known in content.metadata.get(_OPENED, {}).items():
        if is_url(name):
            return Included(unknown=about_url(name))
        file = Path(name)
        if checksum(file) != known:
            old = f"shows an old {quoted(file.name)} from Pelican's cache"
            return Included(unknown=old)
        files.append(file)
    return Included(tuple(files))
