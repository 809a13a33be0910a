"""The objects of Python that pages of API documentation show.

mkdocstrings renders objects of Griffe, which know their files. mkautodoc and
mkdocs-click import what they document.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

from sitemap_plugins.core.python.excerpt_names import ALONE, WITH_MEMBERS
from sitemap_plugins.core.python.layouts import PythonFiles
from sitemap_plugins.core.python.modules import ModuleReader
from sitemap_plugins.core.python.places import Place, Places
from sitemap_plugins.core.records import Excerpt
from sitemap_plugins.core.values import Changes

_COMMAND = re.compile(
    r"""
    ^ ::: [ \t]* mkdocs-click [ \t]* \n     # The beginning of a block, and
    ( (?: [ \t]+ : .* (?: \n | \Z ) )* )    # its options.
    """,
    re.MULTILINE | re.VERBOSE,
)
_OPTION = re.compile(r"^[ \t]+:(\w+):(.*)", re.MULTILINE)

_IDENTIFIER = re.compile(
    r"""
    ^ ::: [ \t]* ( [A-Za-z_] [\w.]* ) [ \t]* (?: \n | \Z )  # What it documents, and
    ( (?: [ \t]+ : .* (?: \n | \Z ) )* )                    # its options.
    """,
    re.MULTILINE | re.VERBOSE,
)

_TEMPLATE = "get_template"
"""The filter with which templates of mkdocstrings-python include that of an object."""

_MODULES = "as_modules_section"
"""The filter with which templates of mkdocstrings-python list the modules of a package,
as `summary` demands."""

_OF_OTHERS = "documents code with mkdocstrings in unknown files"
"""Why a page is undated that shows another language, or what Griffe has not loaded."""

_NO_FILE = Path()


class Documented:
    """The objects that one page after another documents."""

    def __init__(self) -> None:
        """Start without a page."""
        self._reader = ModuleReader()
        self._find_in(Path())
        self.begin()

    def begin(self) -> None:
        """Begin a page: forget the previous one."""
        self.parts: dict[tuple[Path, str], None] = {}
        """What it shows: absolute paths of modules, and names of parts."""

        self.unknown = ""
        """Why files of the page are unknown, for messages; empty if all are known."""

    def excerpts(self, changes: Changes) -> Iterator[Excerpt]:
        """Yield what the page shows of modules."""
        for file, name in self.parts:
            yield self._reader.excerpt(file, name, changes)

    def _find_in(self, folder: Path) -> None:
        """Find objects in the project that a folder is in."""
        self._files = PythonFiles(folder)
        self._places = Places(self._files, self._reader)

    def watch(self, config: MkDocsConfig) -> bool:
        """Begin to watch what mkdocstrings renders; return whether that is possible.

        A build within a build may call this again.
        """
        self._find_in(Path(config.config_file_path).absolute().parent)
        if "mkdocstrings" not in config.plugins:
            return False
        handlers: Any = getattr(config.plugins["mkdocstrings"], "handlers", None)
        get_handler = getattr(handlers, "get_handler", None)
        if get_handler is None:
            return False
        if hasattr(get_handler, "__wrapped__"):  # It is watched already.
            return True

        @wraps(get_handler)
        def watched(*arguments: Any, **keywords: Any) -> Any:  # noqa: ANN401 as mkdocstrings'
            return self._watch_handler(get_handler(*arguments, **keywords))

        handlers.get_handler = watched
        return True

    def _watch_handler(self, handler: Any) -> Any:  # noqa: ANN401 mkdocstrings may be absent
        """Have a handler note what it renders; return the handler.

        Its templates call a filter for the template of each member, so the objects that
        pass the filter are those that show with the object.
        """
        if hasattr(handler.render, "__wrapped__"):
            return handler
        render = handler.render

        @wraps(render)
        def watched(data: Any, options: Any, *arguments: Any, **keywords: Any) -> Any:  # noqa: ANN401
            # The handler sets its filters anew for each page.
            filters = getattr(getattr(handler, "env", None), "filters", {})
            template_of = filters.get(_TEMPLATE)
            list_modules = filters.get(_MODULES)
            if template_of is None or list_modules is None:
                self.unknown = _OF_OTHERS
                return render(data, options, *arguments, **keywords)
            rendered = [data]
            filters[_TEMPLATE] = _noting(template_of, rendered)
            filters[_MODULES] = self._watch_list(list_modules)
            try:
                return render(data, options, *arguments, **keywords)
            finally:
                self._take(rendered, options)
                filters[_TEMPLATE] = template_of
                filters[_MODULES] = list_modules

        handler.render = watched
        return handler

    def _watch_list(self, list_modules: Callable[..., Any]) -> Callable[..., Any]:
        # `wraps` keeps the mark by which Jinja passes the context to the filter.
        @wraps(list_modules)
        def watched(*arguments: Any, **keywords: Any) -> Any:  # noqa: ANN401
            section = list_modules(*arguments, **keywords)
            if section.value:
                self._take_modules()
            return section

        return watched

    def _take(self, rendered: Sequence[Any], options: object) -> None:
        """Take what a block of mkdocstrings shows.

        `rendered` are its object and the members that were rendered with it.
        """
        try:
            parts = [*self._shown(rendered, options)]
        except Exception:  # noqa: BLE001 an alias can name what Griffe has not loaded
            self.unknown = _OF_OTHERS
            return
        for each in parts:
            self._add(each)
        # With `show_submodules`, a package is rendered with its modules.
        if any(each.is_module for each in rendered[1:]):
            self._take_modules()

    def _shown(self, rendered: Sequence[Any], options: object) -> Iterator[Place]:
        """Yield the parts that show with Griffe's objects, rendered together."""
        shows_inherited = bool(_option(options, "inherited_members"))
        parts = [*self._parts(rendered, options)]
        for each in rendered:
            if each.is_class:
                parts += self._of_class(each, shows_inherited=shows_inherited)
        for each in parts:
            # Griffe adds to a module what its stub says.
            yield from self._places.with_stub(each)

    def _of_class(self, it: Any, *, shows_inherited: bool) -> Iterator[Place]:  # noqa: ANN401
        """Yield the parts of a class and its bases that decide what it inherits.

        Griffe knows the bases in the project.
        """
        places = [_place(each) for each in (it, *it.mro())]
        has_fields = "dataclass" in it.labels
        yield from self._places.parameters(places, has_fields=has_fields)
        if shows_inherited:
            # A member that is removed from a base changes nothing in the class itself.
            yield from places[1:]

    def _parts(self, rendered: Sequence[Any], options: object) -> Iterator[Place]:
        """Yield the parts of the objects themselves."""
        owners = {each.path.rpartition(".")[0] for each in rendered}
        is_ordered = "source" in str(_option(options, "members_order"))
        shows_undocumented = bool(_option(options, "show_if_no_docstring"))
        for each in rendered:
            place = _place(each)
            # Of a dataclass's fields, Griffe makes a function that is in no line.
            is_made = each.is_function and each.lineno is None
            if place.file == _NO_FILE or is_made:
                continue
            # If the object has no public member, nothing shows whether the page hides
            # members, so those that the object once had count.
            is_empty = all(name.startswith("_") for name in each.members)
            yield from place.shown(
                with_members=is_empty or each.path in owners,
                undocumented=shows_undocumented,
                is_ordered=is_ordered,
            )

    def _take_modules(self) -> None:
        # No version of a file says which modules are no more beside it.
        self.unknown = "lists the modules of a package, which can come and go"

    def _add(self, it: Place) -> None:
        own = self._files.own(it.file)
        if own is None:
            place = f"{it.file.parent.name}/{it.file.name}"
            self.unknown = f"documents {place}, which is not a file of the project"
        else:
            self.parts[own, it.name] = None

    def take_imported(self, markdown: str) -> None:
        """Take what mkautodoc and mkdocs-click document; both import the objects."""
        if "mkdocs_click" in sys.modules:
            for (block,) in map(re.Match.groups, _COMMAND.finditer(markdown)):
                options = _options(block)
                module = options.get("module", "")
                command = options.get("command", "")
                for name in _commands(module, command):
                    self._find(name, ALONE)
        if "mkautodoc" in sys.modules:
            for name, block in _IDENTIFIER.findall(markdown):
                members = _options(block).get("members")
                # With the option but without names, mkautodoc shows all members.
                self._find(name, WITH_MEMBERS if members == "" else ALONE)
                for member in (members or "").split():
                    self._find(f"{name}.{member}", ALONE)

    def _find(self, name: str, part: str) -> None:
        """Take the object of a name.

        `part` is the part of a class or module that shows: `ALONE` or `WITH_MEMBERS`.
        """
        found = self._places.find(name)
        if not found:
            self.unknown = f"documents {name}, whose file is unknown"
        shown: list[Place] = []
        for place in found:
            shown += self._places.values(place)
            if not place.has_members:
                shown.append(place)
                continue
            bases = self._places.bases(name)
            shown.append(place.part(part))
            shown += self._places.parameters([place, *bases], has_fields=True)
            if part == WITH_MEMBERS:
                shown += [each.part(part) for each in bases]
        for place in shown:
            self._add(place)


def _noting(template_of: Callable[..., Any], rendered: list[Any]) -> Callable[..., Any]:
    """Return a filter that also adds to `rendered` each object whose template it gives.

    `wraps` keeps the mark by which Jinja passes the environment to a filter.
    """

    @wraps(template_of)
    def watched(*arguments: Any) -> Any:  # noqa: ANN401 as mkdocstrings'
        *_, it = arguments
        # Before 2.0, templates of mkdocstrings-python also pass names, and None.
        if it is not None and not isinstance(it, str):
            rendered.append(it)
        return template_of(*arguments)

    return watched


def _options(block: str) -> dict[str, str]:
    """Return the options of a block, as mkautodoc and mkdocs-click read them."""
    return {name: value.strip() for name, value in _OPTION.findall(block)}


def _place(it: Any) -> Place:  # noqa: ANN401 mkdocstrings may be absent
    """Return where Griffe has found an object."""
    target = it.final_target if it.is_alias else it
    module = target.module
    # A namespace has no text of its own, and several folders.
    file = _NO_FILE if isinstance(module.filepath, list) else Path(module.filepath)
    name = target.path.removeprefix(module.path).removeprefix(".")
    has_members = target.is_module or target.is_class
    return Place(file, name, module.path, has_members)


def _option(options: object, name: str) -> object:
    """Return an option of a block; old versions of mkdocstrings have mappings."""
    if isinstance(options, dict):
        return options.get(name)
    return getattr(options, name, None)


def _commands(module: str, name: str) -> Iterator[str]:
    """Yield the dotted names of a command, its function and its subcommands' functions.

    A command of Click is an object that calls a function.
    """
    yield f"{module}.{name}"
    ahead = [getattr(sys.modules.get(module), name, None)]
    while ahead:
        command = ahead.pop()
        ahead += getattr(command, "commands", {}).values()
        callback = getattr(command, "callback", None)
        if callback is not None:
            function = inspect.unwrap(callback)
            yield f"{function.__module__}.{function.__qualname__}"
