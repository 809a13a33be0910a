"""Which pages show more of the site than one expects of their kind, by their templates.

An author can choose the template of one page (`Template: news`), and that can loop over
the site's articles, or over what a plugin has read. What the usual template of its kind
reads too is layout. And a theme can show all articles on each page of a list.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from functools import cache, partial
from typing import Any

from jinja2 import TemplateError, meta, nodes
from pelican.contents import Content
from pelican.generators import Generator

from sitemap_plugins.core.messages import quoted

_SHOWN = "sitemap_plugins_shown"
"""The metadata that says what a page's own template shows."""


def note_shown(contents: Collection[Content], generator: Generator) -> None:
    """Note in the metadata of each page which values only its own template reads.

    All contents are read, and the context has what plugins put into it.
    """
    read_by = cache(partial(_read_by, generator))
    for content in contents:
        usual = content.default_template
        if usual is None or content.template == usual:
            continue
        shown = read_by(content.template) - read_by(usual)
        if shown:
            name = quoted(content.template)
            values = ", ".join(sorted(shown))
            content.metadata[_SHOWN] = f"has the template {name}, which shows {values}"


def shown_by_template(content: Any) -> str:  # noqa: ANN401 Pelican has no types
    """Return what a page shows besides its own file, as `Page.unknown`."""
    shown: str = content.metadata.get(_SHOWN, "")
    return shown


def lists_in_whole(generator: Generator) -> frozenset[str]:
    """Return the templates of lists that show all of a list's articles on each page.

    Pelican gives each page of a list both `articles`, which has all, and
    `articles_page`, whose `object_list` has those of the page. A theme can leave the
    second aside.
    """
    whole = set()
    for template in generator.settings["PAGINATED_TEMPLATES"]:
        trees = [*_trees(generator, template)]
        read = _names_in(trees)
        if "articles" in read and not any(map(_reads_a_page, trees)):
            whole.add(template)
    return frozenset(whole)


def _reads_a_page(tree: nodes.Template) -> bool:
    attributes = {node.attr for node in tree.find_all(nodes.Getattr)}
    return "object_list" in attributes


def _read_by(generator: Generator, name: str) -> frozenset[str]:
    """Return the lists and mappings of the context that a template reads.

    Settings are in the context too, with names in capitals.
    """
    values = generator.context
    read = _names_in(_trees(generator, name))
    lists = (each for each in read if isinstance(values.get(each), list | tuple | dict))
    return frozenset(each for each in lists if not each.isupper())


def _names_in(trees: Iterable[nodes.Template]) -> set[str]:
    """Return the names that templates read from their context."""
    read: set[str] = set()
    for tree in trees:
        read |= meta.find_undeclared_variables(tree)
    return read


def _trees(generator: Generator, name: str) -> Iterator[nodes.Template]:
    """Yield a template, and those that it extends, includes or imports.

    None is compiled: i18n_subsites installs translations just before the first page is
    written, and `trans` is compiled in another way then.
    """
    seen: set[str | None] = {None}  # A name that is known only when it is rendered.
    ahead: list[str | None] = []
    for suffix in generator.settings["TEMPLATE_EXTENSIONS"]:
        if _tree(generator, name + suffix) is not None:
            ahead.append(name + suffix)
            break
    while ahead:
        each = ahead.pop()
        tree = None if each in seen else _tree(generator, each)
        seen.add(each)
        if tree is not None:
            ahead += meta.find_referenced_templates(tree)
            yield tree


def _tree(generator: Generator, name: str | None) -> nodes.Template | None:
    """Return a template of a file's name; None if it is not there or has errors."""
    with suppress(TemplateError):
        text, _, _ = generator.env.loader.get_source(generator.env, name)
        tree: nodes.Template = generator.env.parse(text)
        return tree
    return None
