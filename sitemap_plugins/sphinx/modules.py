"""The Python modules that each document shows or offers, kept in Sphinx's environment.

It is found out while a document is read, when its tree is at hand: to load the trees
of all documents at the end took a fifth of our time in a rebuild. So it follows the
rules for what is kept there: a document that is read again, or goes, loses it, and
parallel readers hand it to the main process.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

VERSION = 1
"""Of what is kept: Sphinx reads all documents again if it is another one."""


def watch(app: Sphinx) -> None:
    """Connect to the events in which documents are read, forgotten, and handed over."""
    # Late: Sphinx's own handler collects the document's dependencies first.
    app.connect("doctree-read", _note_shown, priority=900)
    app.connect("env-purge-doc", _forget_shown)
    app.connect("env-merge-info", _merge_shown)


def _note_shown(app: Sphinx, doctree: nodes.document) -> None:
    """Keep the ends of the paths of modules that the document just read shows.

    Files that autodoc reads are not among them: its sources end in the docstring's
    name. Included files are named relative to the working directory of the build that
    read the document.
    """
    env = app.env
    if not any(str(file).endswith(".py") for file in env.dependencies[env.docname]):
        return
    shown = set()
    for node in doctree.findall(nodes.Element):
        for source in (node.source, node.get("source")):
            if source and str(source).endswith(".py"):
                shown.add(_end_of(source))
    _kept(env)[env.docname] = tuple(sorted(shown))


def _forget_shown(_app: Sphinx, env: BuildEnvironment, name: str) -> None:
    """Forget a document that will be read again, or is gone."""
    _kept(env).pop(name, None)


def _merge_shown(
    _app: Sphinx, env: BuildEnvironment, names: Iterable[str], other: BuildEnvironment
) -> None:
    """Take over what a process has found out that read some of the documents."""
    found = _kept(other)
    _kept(env).update({name: found[name] for name in names if name in found})


def find_shown(app: Sphinx) -> dict[str, tuple[str, ...]]:
    """Return the ends of the paths of modules that each document shows or offers.

    Documents without any are absent.
    """
    shown = dict(_kept(app.env))
    for file, (names, _) in app.env.dlfiles.items():
        for name in names:
            shown[name] = (*shown.get(name, ()), _end_of(file))
    return shown


def _end_of(file: object) -> str:
    return Path(str(file)).as_posix().replace("../", "")


def _kept(env: BuildEnvironment) -> dict[str, tuple[str, ...]]:
    """Return what is kept, by document; documents without modules are absent."""
    found: dict[str, tuple[str, ...]] = env.__dict__.setdefault("sitemap_shown", {})
    return found
