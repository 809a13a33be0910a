"""Where a project defines an object, by its dotted name: from source alone."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.python.files import PythonFiles
from sitemap_plugins.core.python.places import Members, Place, Places
from tests.unit.python.hostile_modules import MANY, calls, many
from tests.unit.python.package import named, write_package


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    return write_package(tmp_path_factory.mktemp("project"))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("own._core.work", ["_core.py work"]),
        ("own.work", ["_core.py work"]),
        ("own.do", ["_core.py work"]),
        ("own.LIMIT", ["_core.py LIMIT"]),
        ("own.made", ["_core.py made"]),
        ("own.task", ["_core.py task", "_core.py work"]),
        ("own.Client.shared", ["_core.py Base.shared"]),
        ("own.Client.run", ["_core.py Client.run", "_core.py Base.run"]),
        ("own.Client.dig", ["sub/deep.py Deep.dig"]),
        ("own.Client.Inner.shared", ["_core.py Base.shared"]),
        ("own.Base.again", ["_core.py Base.again", "_core.py Base.run"]),
        ("own.Deep", ["sub/deep.py Deep"]),
        ("own.diamond.D", [f"diamond.py {each}" for each in "DBC"]),
        ("own.diamond.D.__init__", ["diamond.py C.__init__", "diamond.py A.__init__"]),
        ("own.diamond.D.run", ["diamond.py C.run"]),
        ("own.diamond.D.stop", ["diamond.py B.stop", "diamond.py A.stop"]),
        ("own.diamond.D.Inner.run", ["diamond.py A.run"]),
        ("own.diamond.Base.run", ["_core.py Base.run"]),
        ("own.renamed.Deep.dig", ["sub/deep.py Deep.dig"]),
        ("own.sub.Lazy", ["sub/deep.py Deep"]),
        ("own.sub.stub", []),
        ("own.dumps", []),
        ("own.Client.missing", []),
        ("own.loop.missing", []),
        ("json.dumps", []),
        ("missing.x", []),
        ("own", []),
        ("", []),
    ],
)
def test_an_object_is_followed_to_where_it_is_defined(places, name, expected):
    """Through imports, stars, other names, bases, and a lazy package's stub."""
    assert expected == named(places, places.find(name))


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("D", ["diamond.py D.!", "diamond.py B.!", "diamond.py C.!"]),
        ("B", ["diamond.py B.!", "diamond.py A.!"]),
        ("Base", ["diamond.py Base.!", "_core.py Base.!"]),
        ("E", ["diamond.py E.!", "diamond.py Deep.<", "sub/deep.py Deep.!"]),
    ],
)
def test_parameters_of_a_class_are_those_of_the_first_initializer(places, name, parts):
    """In the order of Python, and with what is imported on the way there."""
    (place,) = places.find(f"own.diamond.{name}")[:1]

    assert parts == named(places, places.initializers(place))


def test_a_module_is_found_without_being_imported(places):
    (place,) = places.find_module("own.sub.deep")

    assert ("", True) == (place.name, place.has_members)
    assert place.file.match("src/own/sub/deep.py")
    assert [] == places.find_module("own.missing") == places.find_module("json")


@pytest.mark.parametrize("name", MANY)
def test_work_grows_as_a_module_does_of_which_names_are_followed(name, tmp_path):
    found = []
    for times in (1, 2):
        folder = tmp_path / str(times)
        (folder / ".git").mkdir(parents=True)
        (folder / "own.py").write_text(many(name, times))
        places = Places(PythonFiles(folder, [folder]))
        found.append(calls(places.find, "own.missing.it"))

    one, two = found
    assert two < 3 * one


def test_a_chain_of_names_can_be_longer_than_pythons_stack(tmp_path):
    names = "".join(f"A{number} = A{number - 1}\n" for number in range(1, 990))
    (tmp_path / ".git").mkdir()
    (tmp_path / "own.py").write_text(f"class A0: 'A.'\n{names}class B(A989): 1\n")
    found = Places(PythonFiles(tmp_path, [tmp_path])).find("own.B")

    assert ("B", "A0") == (found[0].name, found[-1].name)


def test_a_search_that_is_too_long_hides_nothing_from_others(tmp_path):
    """A page's date must not depend on which pages were read before."""
    (tmp_path / ".git").mkdir()
    modules = {"one.py": "class A0:\n    def f(self): 'F.'\n"}
    for number in range(1, 60):
        base = f"own.A{number - 1}"
        modules[f"m{number}.py"] = f"import own\nclass A{number}({base}): 1\n"
    for name, text in modules.items():
        (tmp_path / name).write_text(text)
    stars = [f"from {name.removesuffix('.py')} import *\n" for name in modules]
    (tmp_path / "own.py").write_text("".join(stars))

    places = Places(PythonFiles(tmp_path, [tmp_path]))
    for name in ("own.A59.f", "own.A5.f"):
        assert ["A0.f"] == [each.name for each in places.find(name)]


def test_a_module_is_read_once_for_all_classes_whose_members_are_not_shown(tmp_path):
    (tmp_path / ".git").mkdir()
    file = tmp_path / "own.py"
    file.write_text("".join(f"class A{n}(Exception): 1\n" for n in range(200)))
    places = Places(PythonFiles(tmp_path, [tmp_path]))
    members = Members(
        documented=None,
        is_ordered=False,
        shows_undocumented=False,
        ignores_exports=False,
        is_run=True,
    )
    first, second = (
        Place(file, name, "own", has_members=True) for name in ("A1", "A2")
    )

    before = calls(places.shown, first, members)
    assert calls(places.shown, second, members) < before / 10
