"""Where a project defines an object, by its dotted name: read alone, and imported."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

import pytest

from sitemap_plugins.core.python.layouts import PythonFiles
from sitemap_plugins.core.python.modules import ModuleReader
from sitemap_plugins.core.python.places import Places
from tests.unit.python.hostile_modules import MANY, calls, many
from tests.unit.python.package import named, write_module, write_package


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("project")


@pytest.fixture(scope="module")
def places(folder):
    return write_package(folder)


@pytest.fixture
def imported(folder, places, monkeypatch):
    """The places of a package that is imported."""
    monkeypatch.syspath_prepend(str(folder / "src"))
    before = {*sys.modules}
    importlib.import_module("own.sub.deep")
    yield Places(PythonFiles(folder / "docs"), ModuleReader())
    for name in {*sys.modules} - before:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("own._core.work", ["_core.py work"]),
        ("own.work", ["_core.py work"]),
        ("own.do", ["_core.py work"]),
        ("own.LIMIT", ["_core.py LIMIT"]),
        ("own.Client.run", ["_core.py Client.run"]),
        ("own.Deep", ["sub/deep.py Deep"]),
        ("own.renamed.Deep.dig", ["sub/deep.py Deep.dig"]),
        ("own.sub.deep", ["sub/deep.py "]),
        # What runs only is not looked for.
        ("own.Client.shared", []),
        ("own.sub.stub", []),
        ("own.dumps", []),
        ("own.Client.missing", []),
        ("own.loop.missing", []),
        ("json.dumps", []),
        ("missing.x", []),
        ("", []),
    ],
)
def test_an_object_is_followed_to_where_it_is_defined(folder, places, name, expected):
    """Through imports, stars and other names of modules."""
    assert expected == named(folder, places.find(name))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("own.work", ["_core.py work"]),
        ("own.task", ["_core.py task", "_core.py work"]),
        ("own.made", ["_core.py made"]),
        ("own.LIMIT", ["_core.py LIMIT"]),
        ("own.Other", ["_core.py Other"]),
        ("own.Client.shared", ["_core.py Base.shared"]),
        ("own.Client.again", ["_core.py Base.again", "_core.py Base.run"]),
        # It has no docstring there, and inherits one.
        ("own.Client.run", ["_core.py Client.run", "_core.py Base.run"]),
        ("own.Client.Inner.shared", ["_core.py Base.shared"]),
        ("own.sub.deep", ["sub/deep.py "]),
        ("own.dumps", []),
        ("own.missing", []),
    ],
)
def test_an_imported_object_says_where_it_is_defined(folder, imported, name, expected):
    assert expected == named(folder, imported.find(name))


def test_parameters_of_an_imported_class_are_those_of_the_first_initializer(
    folder, imported
):
    classes = [*imported.find("own.Client"), *imported.bases("own.Client")]

    parts = imported.parameters(classes, has_fields=False)
    assert ["_core.py Client.!", "_core.py Base.!"] == named(folder, parts)
    # Fields of a class with an initializer are no parameters.
    parts = imported.parameters(classes, has_fields=True)
    assert ["_core.py Client.!", "_core.py Client.()", "_core.py Base.!"] == named(
        folder, parts
    )
    assert [] == imported.bases("own.work") == imported.bases("own.missing")


def test_members_of_pythons_own_classes():
    places = Places(PythonFiles(Path()), ModuleReader())
    names = ["json.JSONDecodeError.add_note", "json.JSONDecodeError.__init__"]

    assert [True, True] == [places.is_pythons(name) for name in names]
    assert not places.is_pythons("pytest.Item.nodeid")
    assert not places.is_pythons("missing.A.b")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("imported", ["config.py LIMIT"]),
        ("by_module", ["config.py LIMIT"]),
        ("by_key", ["config.py TIMES", "config.py LIMIT"]),
        ("member", ["config.py Mode.FAST"]),
        ("annotated", ["config.py LIMIT"]),
        ("body", []),
        ("old", ["config.py LIMIT"]),
        ("traced", []),
        ("run", ["config.py LIMIT"]),
        ("python", []),
        ("assigned", ["config.py LIMIT"]),
        ("documented", ["values.py imported", "config.py LIMIT"]),
        ("Scope.method", ["values.py Scope.N"]),
        ("Scope", ["config.py LIMIT"]),
        ("Plain", []),
    ],
)
def test_variables_that_show_with_an_object(folder, places, name, expected):
    """Constants and types that its signature, or an assigned docstring, names."""
    (place,) = places.find(f"own.values.{name}")

    assert expected == named(folder, places.values(place))


def test_a_module_is_found_without_being_imported(places):
    (place,) = places.find_module("own.sub.deep")

    assert ("", True) == (place.name, place.has_members)
    assert place.file.match("src/own/sub/deep.py")
    assert [] == places.find_module("own.missing") == places.find_module("json")


def test_a_stub_counts_where_it_has_the_object(folder, places):
    (module,) = places.find_module("own.sub")
    stub = module._replace(name="stub.1")

    assert ["sub/__init__.py ", "sub/__init__.pyi "] == named(
        folder, places.with_stub(module)
    )
    assert ["sub/__init__.py stub.1", "sub/__init__.pyi stub.1"] == named(
        folder, places.with_stub(stub)
    )
    other = module._replace(name="other")
    assert ["sub/__init__.py other"] == named(folder, places.with_stub(other))


@pytest.mark.parametrize("name", MANY)
def test_work_grows_as_a_module_does_of_which_names_are_followed(name, tmp_path):
    found = []
    for times in (1, 2):
        places = write_module(tmp_path / str(times), many(name, times))
        found.append(calls(places.find, "own.missing.it"))

    one, two = found
    assert two < 3 * one


def test_modules_that_all_import_each_other_are_looked_through_once(tmp_path):
    (tmp_path / ".git").mkdir()
    names = [f"m{number}" for number in range(40)]
    stars = "".join(f"from {name} import *\n" for name in names)
    for name in names:
        (tmp_path / f"{name}.py").write_text(stars)
    places = Places(PythonFiles(tmp_path, [tmp_path]), ModuleReader())

    assert calls(places.find, "m0.missing") < 100_000


def test_name_that_leads_to_longer_and_longer_ones_is_nowhere(tmp_path):
    places = write_module(
        tmp_path, "from . import own as text\nfrom .own import text.x"
    )

    assert [] == places.find("own.text.strip.x")
    places = write_module(tmp_path / "b", "import own as text\n")
    assert [] == places.find("own.text.text.text.x")


def test_object_with_too_many_names_has_no_values(tmp_path):
    """A part of them would give a page a date that can be too old."""
    names = ", ".join(f"a{number}" for number in range(5000))
    places = write_module(tmp_path, f"def f(x=({names})): 1\n")
    (place,) = places.find("own.f")

    with pytest.raises(ValueError, match="a4096"):
        places.values(place)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe")
def test_pipe_in_place_of_a_module_is_not_waited_for(tmp_path):
    """Neither of one to read, nor of one to compare with an installed copy."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "pytest").mkdir()
    os.mkfifo(tmp_path / "own.py")
    os.mkfifo(tmp_path / "pytest/__init__.py")
    files = PythonFiles(tmp_path)

    assert Places(files, ModuleReader()).find("own.work") == []
    assert files.own(Path(pytest.__file__)) is None
