"""Antora's components, and the files that its resource ids name.

https://docs.antora.org/antora/latest/page/resource-id-coordinates/
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from sitemap_plugins.folder.project_files import ProjectFiles

Components = Mapping[str, tuple[Path, ...]]
"""The folders of each component by its name; they contain `modules`."""

_SETTINGS = "antora.yml"
_NAME = re.compile(rb"""^name:[ \t]*["']?([\w.-]+)""", re.ASCII | re.MULTILINE)

# Antora's parse-resource-id.js: `version@component:module:family$relative`.
_ID = re.compile(
    r"""
    (?:(?P<version>[^@:$]+)@)?
    (?:(?:(?P<component>[^@:$]+):)?(?P<module>[^@:$]+)?:)?
    (?:(?P<family>[^@:$]+)\$)?
    (?P<relative>[^:$][^@:$]*)
    """,
    re.VERBOSE,
)
_FAMILIES = {
    "page": ("pages",),
    "partial": ("partials", "pages/_partials"),
    "example": ("examples",),
    "attachment": ("attachments",),
    "image": ("images",),
}
"""The folders of a module that contain each family."""


def read_components(project: ProjectFiles) -> Components:
    """Return a project's components."""
    components: dict[str, tuple[Path, ...]] = {}
    for settings in project.by_last_name.get(_SETTINGS, ()):
        found = _NAME.search(project.beginning(settings))
        if found:
            name = found[1].decode()
            folder = (project.root / settings).parent
            components[name] = (*components.get(name, ()), folder)
    return components


def is_resource_id(name: str) -> bool:
    """Tell whether a name is an id of Antora's, such as `setup:page$a.adoc`."""
    return not {"$", ":", "@"}.isdisjoint(name)


def files_of_id(name: str, file: Path, components: Components) -> Iterator[Path]:
    """Yield the paths that an id in a file can mean; none if it names a version.

    `name` is the id, and `file` the file whose text has it.
    """
    found = _ID.fullmatch(name)
    if found is None or found["version"]:
        return
    # A component's file is `{above}/modules/{own_module}/{family}/{path}`.
    above, _, inside = file.as_posix().rpartition("/modules/")
    own_module, _, below = inside.partition("/")
    relative = _in_family(found["relative"], below.partition("/")[2])
    module = found["module"] or own_module
    roots = _with_root(Path(above), components)
    if found["component"]:
        module = found["module"] or "ROOT"
        roots = components.get(found["component"], ())
    for root in roots:
        for family in _FAMILIES.get(found["family"] or "page", ()):
            yield root / "modules" / module / family / relative


def _in_family(relative: str, own: str) -> str:
    """Return the path that the last part of an id, `relative`, means in a family.

    `own` is the path of the file whose text has the id, in that file's own family.
    Antora takes `./` from the file's folder, all else from the family's.
    """
    if relative.startswith("./"):
        relative = f"{own.rpartition('/')[0]}/{relative}"
    # Normalized with a root, so that `..` cannot lead out of the family's folder.
    return os.path.normpath(f"/{relative}").lstrip(os.sep)


def _with_root(root: Path, components: Components) -> tuple[Path, ...]:
    """Return all folders of the component that has the folder `root`.

    If no component has it, return `root` alone.
    """
    for roots in components.values():
        if root in roots:
            return roots
    return (root,)
