"""What each document shows of Python's files and others, kept in the environment.

What a document shows is found out while Sphinx reads it and has its tree: to load the
trees of all documents at the end took a fifth of our time in a rebuild. So Sphinx's
rules for the environment apply: what is kept of a document is forgotten if it is read
again or goes, and parallel readers hand it to the main process.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.locale import _ as translated
from sphinx.transforms import SphinxTransform
from sphinx.util.nodes import extract_messages

from sitemap_plugins.core.python.definitions import INITIALIZERS
from sitemap_plugins.core.python.excerpt_names import FIELDS, SUMMARY
from sitemap_plugins.core.python.layouts import PythonFiles
from sitemap_plugins.core.python.modules import ModuleReader
from sitemap_plugins.core.python.places import Place, Places

VERSION = 12
"""The version of what is kept: Sphinx reads all documents again if it is another one.
"""

_DOCSTRINGS = "autodoc-process-docstring"
"""autodoc's event for each object that it documents, and autosummary's for each that
it lists."""

_COMMANDS = "sphinx-click-process-description"
"""sphinx-click's event for each command that it documents."""

_FROM_ELSEWHERE = re.compile(
    r"(?:^|[ \t])(?:\.\.[ \t]+|[`:]{3,}\{)"
    r"(?:todolist|postlist|(?:program|command)-output|argparse|autoprogram)(?:::|\})",
    re.MULTILINE,
)
"""A directive that shows what other documents or programs say, in both syntaxes."""


_MESSAGES = "sitemap_messages"
"""The attribute of a document, while Sphinx reads it, with the messages to look up."""


class Shown(NamedTuple):
    """What one document shows or offers besides its own text and what it includes."""

    files: tuple[str, ...] = ()
    """The ends of the paths of modules whose text it has."""

    objects: tuple[tuple[str, str], ...] = ()
    """The absolute paths of modules, and the names of what it documents in them."""

    unknown: str = ""
    """Why a part of it is unknown, for messages; empty if all are known."""

    is_stub: bool = False
    """Whether its file is one that autosummary and others write for an object."""

    messages: frozenset[str] = frozenset()
    """The texts that Sphinx looks up in catalogs; none on a site without catalogs."""


def watch(app: Sphinx, modules: ModuleReader) -> None:
    """Connect to the events in which documents are read, forgotten, and handed over."""
    app.connect("builder-inited", partial(_watch_objects, modules))
    app.connect("env-purge-doc", _forget_shown)
    app.connect("env-merge-info", _merge_shown)


def _watch_objects(modules: ModuleReader, app: Sphinx) -> None:
    """Watch what the documents of this build show, once all extensions are loaded."""
    reader = _Reader(app, modules)
    if _DOCSTRINGS in app.events.events:
        app.connect(_DOCSTRINGS, reader.note_object)
    if _COMMANDS in app.events.events:
        app.connect(_COMMANDS, reader.note_command)
    app.connect("source-read", reader.note_source)
    folders = [Path(app.srcdir, name) for name in app.config.locale_dirs]
    if any(folder.is_dir() for folder in folders):
        app.add_transform(_MessageReader)
    # Late: Sphinx's own handler collects the document's dependencies first.
    app.connect("doctree-read", reader.note_document, priority=900)


class _MessageReader(SphinxTransform):
    """Keeps the messages of a document, as Sphinx is about to look them up."""

    # Sphinx preserves messages at 10, and replaces them by translations at 20.
    default_priority = 15

    def apply(self, **_: object) -> None:
        """Keep the messages until the document is read."""
        messages = extract_messages(self.document)
        self.document[_MESSAGES] = frozenset(text for _, text in messages)


class _Object(NamedTuple):
    """A documented object, as a document shows it."""

    is_module: bool = False

    is_ordered: bool = False
    """Whether its members are in the order of the source."""

    shows_inherited: bool = False

    shows_undocumented: bool = False
    """Whether it is described with members that have no docstring."""

    has_fields: bool = False
    """Whether its parameters are names that the body of the class, or of a base,
    assigns."""


class _Page(NamedTuple):
    """The objects on one page, and how it shows them."""

    noted: Mapping[str, _Object]
    """Indexed by dotted name."""

    listed: Collection[str]
    """The objects in tables, which show their first lines."""

    whole: Collection[str]
    """The objects that the page describes."""

    is_stub: bool

    is_static: bool
    """Whether the modules were read, not run."""

    owners: Collection[str]
    """The dotted names of modules and classes whose members the page shows."""

    def object(self, name: str) -> _Object:
        """Return how the page shows an object."""
        return self.noted.get(name, _Object())

    def is_whole(self, name: str) -> bool:
        """Tell whether the page shows all of an object, not only a line in a table."""
        return name in self.whole or name not in self.listed

    def parts_at(self, name: str, place: Place) -> list[Place]:
        """Return the parts that the page shows of an object at a place."""
        it = self.object(name)
        if not self.is_whole(name):
            return [place.part(SUMMARY)]
        # Tables of autosummary list all members, and autoapi shows all of them, unless
        # the settings say otherwise.
        return place.shown(
            with_members=name in self.owners,
            undocumented=it.shows_undocumented or self.is_stub,
            is_ordered=it.is_ordered,
        )

    def lists_modules(self) -> bool:
        """Tell whether the page was made with a list of modules.

        Such a list has no date: modules come and go, and no version of a file shows
        which other modules were beside it.
        """
        return self.is_stub and any(self.object(name).is_module for name in self.listed)


def _page(
    app: Sphinx,
    doctree: nodes.document,
    noted: Mapping[str, _Object],
    *,
    is_static: bool,
) -> _Page:
    """Return how the document just read shows its objects."""
    listed = _listed(doctree)
    whole = {*_described(doctree), *_own_modules(app.env)}
    shown = _without_dropped(noted, listed | whole)
    shown |= dict.fromkeys(_undocumented(doctree, noted), _Object())
    return _Page(
        noted=shown,
        listed=listed,
        whole=whole,
        is_stub=is_static or _is_stub(app, shown),
        is_static=is_static,
        owners={name.rpartition(".")[0] for name in shown},
    )


def _without_dropped(
    noted: Mapping[str, _Object], seen: Collection[str]
) -> dict[str, _Object]:
    """Return the objects but for those that autodoc drops after its event.

    Since Sphinx 9, autodoc has this event for all that a module imports, and then shows
    only what the module itself defines. `seen` has the objects that the document
    describes or lists.
    """
    modules = {name for name, it in noted.items() if it.is_module}
    kept = {}
    for name, it in noted.items():
        is_member = name.rpartition(".")[0] in modules
        if name in seen or not is_member:
            kept[name] = it
    return kept


class _Reader:
    """Finds out what the documents show that one process reads."""

    def __init__(self, app: Sphinx, modules: ModuleReader) -> None:
        folders: list[Path] = []
        # The setting names folders of packages, or the folders above those.
        for name in getattr(app.config, "autoapi_dirs", None) or ():
            folder = Path(app.confdir, name).resolve()
            folders += [folder, folder.parent]
        self._places = Places(PythonFiles(Path(app.confdir), folders), modules)
        self._noted: dict[str, dict[str, _Object]] = defaultdict(dict)
        """Indexed by document, and dotted name."""
        self._has_elsewhere = False
        """Whether the document that is read shows what others say."""

    def note_object(
        self,
        app: Sphinx,
        what: str,
        name: str,
        it: object,
        options: object,
        _lines: list[str],
    ) -> None:
        """Note an object that autodoc documents."""
        order = getattr(options, "member_order", None)
        order = order or app.config.autodoc_member_order
        is_class = what in {"class", "exception"}
        shows_inherited = bool(getattr(options, "inherited_members", False))
        shows_undocumented = bool(getattr(options, "undoc_members", False))
        shown = _Object(
            is_module=what == "module",
            is_ordered=order == "bysource",
            shows_inherited=shows_inherited,
            shows_undocumented=shows_undocumented,
            has_fields=is_class and _has_fields(it),
        )
        self._note(app.env, name, shown)

    def note_command(self, app: Sphinx, context: Any, _lines: object) -> None:  # noqa: ANN401 click's
        """Note a command that sphinx-click documents."""
        function = inspect.unwrap(context.command.callback)
        name = getattr(function, "__qualname__", None)
        # A group can have no function, and its text can be anywhere.
        place = f"{function.__module__}.{name}" if name else context.command_path
        self._note(app.env, place, _Object())

    def _note(self, env: BuildEnvironment, name: str, shown: _Object) -> None:
        # autosummary and autoapi document objects also before any document is read;
        # then there is no `docname`.
        with suppress(KeyError):
            self._noted[env.docname][name] = shown

    def note_source(self, _app: Sphinx, _name: str, text: list[str]) -> None:
        """Note whether a document shows what other documents or programs say."""
        self._has_elsewhere = _FROM_ELSEWHERE.search(text[0]) is not None

    def note_document(self, app: Sphinx, doctree: nodes.document) -> None:
        """Keep which files and objects a document shows, once Sphinx has read it."""
        env = app.env
        noted: Mapping[str, _Object] = self._noted.pop(env.docname, {})
        has_elsewhere = self._has_elsewhere
        is_generated = _is_of_autoapi(app, env.docname)
        if is_generated:
            noted = dict(_of_autoapi(app, doctree))
            # A package's page lists its modules, and no version of the package's file
            # shows which modules were there before.
            has_elsewhere = has_elsewhere or _has_toctree(doctree)
        files = _shown_files(env, doctree)
        messages: frozenset[str] = doctree.attributes.pop(_MESSAGES, frozenset())
        if not noted and not files and not has_elsewhere:
            if messages:
                _kept(env)[env.docname] = Shown(messages=messages)
            return
        page = _page(app, doctree, noted, is_static=is_generated)
        objects, unknown = self._shown(page)
        if has_elsewhere or page.lists_modules():
            unknown = "shows what other pages or programs say"
        _kept(env)[env.docname] = Shown(
            files=files,
            objects=tuple(objects),
            unknown=unknown,
            is_stub=page.is_stub,
            messages=messages,
        )

    def _shown(self, page: _Page) -> tuple[dict[tuple[str, str], None], str]:
        """Return the parts that a page shows, and why some of them are unknown."""
        parts: dict[tuple[str, str], None] = {}
        unknown = ""
        for name in dict.fromkeys([*page.noted, *page.listed]):
            places: list[Place] = []
            with suppress(Exception):  # What is imported can be anything.
                places = [*self._parts(page, name)]
            if not places and not unknown and not self._places.is_pythons(name):
                unknown = f"documents {name}, whose file in the project is unknown"
            for place in places:
                parts[str(place.file), place.name] = None
        return parts, unknown

    def _parts(self, page: _Page, name: str) -> Iterator[Place]:
        """Yield the parts that a page shows of an object, where they are."""
        it = page.object(name)
        find = self._places.find_module if it.is_module else self._places.find
        places = find(name)
        owner, _, last = name.rpartition(".")
        if not places and last in INITIALIZERS:
            # A dataclass has no source for it: its parameters are the fields.
            for place in self._places.find(owner):
                yield place.part(FIELDS)
        for place in places:
            yield from page.parts_at(name, place)
            if page.is_whole(name) and not page.is_static:
                yield from self._places.values(place)
        bases = self._places.bases(name)
        if page.is_whole(name) and (it.shows_inherited or page.is_stub):
            # A member that is removed from a base changes nothing in the class itself.
            yield from bases
        if places and places[0].has_members:
            classes = [places[0], *bases]
            yield from self._places.parameters(classes, has_fields=it.has_fields)


def _has_fields(it: Any) -> bool:  # noqa: ANN401 what is imported can be anything
    """Tell whether a class has parameters with names of what it, or a base, assigns."""
    with suppress(Exception):  # `inspect` can fail, as it can for autodoc.
        if dataclasses.is_dataclass(it):
            return True  # Even without fields: earlier versions may have had some.
        # Every exception has an attribute `args`.
        parameters = {*inspect.signature(it).parameters} - {"args", "kwargs"}
        assigned: list[str] = []
        for base in inspect.getmro(it):
            assigned += [*vars(base), *vars(base).get("__annotations__", ())]
        # attrs leaves out the first underscore.
        return bool(parameters & {name.lstrip("_") for name in assigned})
    return False


def _described(doctree: nodes.document) -> Iterator[str]:
    """Yield the objects of Python that a document describes."""
    for node in _signatures(doctree):
        yield _name_in(node)


def _undocumented(
    doctree: nodes.document, noted: Mapping[str, _Object]
) -> Iterator[str]:
    """Yield the attributes of noted objects for which autodoc has no event.

    These attributes have no docstring. For an attribute that is another name of an
    object, autodoc writes "alias of" and that object.
    """
    alias = translated("alias of %s").partition("%")[0]
    for node in _signatures(doctree):
        name = _name_in(node)
        text = node.parent[-1].astext()
        is_bare = not text or text.startswith(alias)
        if is_bare and name not in noted and name.rpartition(".")[0] in noted:
            yield name


def _signatures(doctree: nodes.document) -> Iterator[addnodes.desc_signature]:
    """Yield the signatures of Python's objects in a document."""
    for node in doctree.findall(addnodes.desc_signature):
        if node.parent.get("domain") == "py" and node.get("fullname"):
            yield node


def _name_in(signature: addnodes.desc_signature) -> str:
    names = (signature.get("module"), signature["fullname"])
    return ".".join(filter(None, names))


def _own_modules(env: BuildEnvironment) -> set[str]:
    """Return the modules that the document just read describes."""
    modules = env.domaindata.get("py", {}).get("modules", {})
    own = env.docname
    return {name for name, entry in modules.items() if entry.docname == own}


def _listed(doctree: nodes.document) -> set[str]:
    """Return the objects in autosummary's tables, which show their first lines."""
    found = set()
    for table in doctree.findall(nodes.comment):
        # The class is compared by name: importing it takes longer than all the rest.
        if type(table).__name__ != "autosummary_table":
            continue
        for row in table.findall(nodes.row):
            link = next(row.findall(addnodes.pending_xref), None)
            if link is not None:
                found.add(link["reftarget"])
    return found


def _is_of_autoapi(app: Sphinx, document: str) -> bool:
    if "autoapi.extension" not in app.extensions:
        return False
    return document.startswith(f"{app.config.autoapi_root.strip('/')}/")


def _of_autoapi(app: Sphinx, doctree: nodes.document) -> Iterator[tuple[str, _Object]]:
    """Yield the objects of a document that sphinx-autoapi has made."""
    it = _Object(is_ordered=app.config.autoapi_member_order == "bysource")
    for name in _own_modules(app.env):
        yield name, it._replace(is_module=True)
    for name in _described(doctree):
        yield name, it


def _is_stub(app: Sphinx, noted: Iterable[str]) -> bool:
    """Tell whether the document just read has the name of an object that it shows."""
    names = getattr(app.config, "autosummary_filename_map", {})
    document = "." + app.env.docname.replace("/", ".")
    return any(document.endswith(f".{names.get(name, name)}") for name in noted)


def _has_toctree(doctree: nodes.document) -> bool:
    """Tell whether a document shows titles of others in a table of contents."""
    return any(not node["hidden"] for node in doctree.findall(addnodes.toctree))


def _shown_files(env: BuildEnvironment, doctree: nodes.document) -> tuple[str, ...]:
    """Return the ends of the paths of modules whose text a document has.

    Files that autodoc reads are not among them: for autodoc, a node's source ends in
    the name of the docstring, not in `.py`. Included files are named relative to the
    working directory of the build that read the document.
    """
    if not any(str(file).endswith(".py") for file in env.dependencies[env.docname]):
        return ()
    shown = set()
    for node in doctree.findall(nodes.Element):
        for source in (node.source, node.get("source")):
            if source and str(source).endswith(".py"):
                shown.add(_end_of(source))
    return tuple(sorted(shown))


def _forget_shown(_app: Sphinx, env: BuildEnvironment, name: str) -> None:
    """Forget a document that will be read again, or is gone."""
    _kept(env).pop(name, None)


def _merge_shown(
    _app: Sphinx, env: BuildEnvironment, names: Iterable[str], other: BuildEnvironment
) -> None:
    """Take over what a parallel process has kept of `names`, which it has read."""
    found = _kept(other)
    _kept(env).update({name: found[name] for name in names if name in found})


def find_shown(app: Sphinx) -> dict[str, Shown]:
    """Return what each document shows besides its own text, or offers.

    Documents without any are absent.
    """
    shown = dict(_kept(app.env))
    for file, (names, _) in app.env.dlfiles.items():
        for name in names:
            own = shown.get(name, Shown())
            shown[name] = own._replace(files=(*own.files, _end_of(file)))
    return shown


def _end_of(file: object) -> str:
    return Path(str(file)).as_posix().replace("../", "")


def _kept(env: BuildEnvironment) -> dict[str, Shown]:
    """Return what is kept, by document; documents without any are absent."""
    found: dict[str, Shown] = env.__dict__.setdefault("sitemap_shown", {})
    return found
