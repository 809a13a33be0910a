"""Which pages show more of the site than one expects of their kind, by their templates.

An author can choose the template of one page (`Template: news`), and that can loop over
the site's articles, or over what a plugin has read. What the usual template of its kind
reads too is layout.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import cache
from typing import Any

from jinja2 import TemplateError, meta, nodes
from pelican.contents import Content
from pelican.generators import Generator

from sitemap_plugins.core.messages import quoted

_SHOWN = "sitemap_plugins_shown"
"""The metadata that says what a page's own template shows."""


class Templates:
    """The templates of a site; each is parsed once, and only if it is asked about."""

    def __init__(self, generator: Generator) -> None:
        """Take any generator, once all contents are read.

        Its context then has what plugins put into it.
        """
        self._settings = generator.settings
        self._context = generator.context
        self._env = generator.env
        self._tree = cache(self._parse)
        self._read_by = cache(self._find_read)

    def note_shown(self, contents: Collection[Content]) -> None:
        """Note in the metadata of each page which values only its own template reads."""
        for content in contents:
            usual = content.default_template
            if usual is None or content.template == usual:
                continue
            shown = self._read_by(content.template) - self._read_by(usual)
            if shown:
                name = quoted(content.template)
                values = ", ".join(sorted(shown))
                content.metadata[_SHOWN] = (
                    f"has the template {name}, which shows {values}"
                )

    def _find_read(self, name: str) -> frozenset[str]:
        """Return the lists and mappings of the context that a template reads.

        Settings are in the context too, with names in capitals.
        """
        read: set[str] = set()
        for tree in self._trees(name):
            read |= meta.find_undeclared_variables(tree)
        values = self._context
        lists = (it for it in read if isinstance(values.get(it), list | tuple | dict))
        return frozenset(it for it in lists if not it.isupper())

    def _trees(self, name: str) -> Iterator[nodes.Template]:
        """Yield a template, and those that it extends, includes or imports.

        None is compiled: i18n_subsites installs translations just before the first page
        is written, and `trans` is compiled in another way then.
        """
        seen: set[str | None] = {None}  # A name that is known only when it is rendered.
        ahead: list[str | None] = []
        for suffix in self._settings["TEMPLATE_EXTENSIONS"]:
            if self._tree(name + suffix) is not None:
                ahead.append(name + suffix)
                break
        while ahead:
            each = ahead.pop()
            tree = None if each in seen else self._tree(each)
            seen.add(each)
            if tree is not None:
                yield tree
                ahead += meta.find_referenced_templates(tree)

    def _parse(self, name: str) -> nodes.Template | None:
        """Return a template of a file's name; None if it is not there or has errors."""
        with suppress(TemplateError):
            text, _, _ = self._env.loader.get_source(self._env, name)
            tree: nodes.Template = self._env.parse(text)
            return tree
        return None


def shown_by_template(content: Any) -> str:  # noqa: ANN401 Pelican has no types
    """Return what a page shows besides its own file, as `Page.unknown`."""
    shown: str = content.metadata.get(_SHOWN, "")
    return shown
