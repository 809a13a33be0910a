"""Where a project defines an object, by its dotted name: from source alone."""

from __future__ import annotations

from contextlib import nullcontext, suppress

import pytest

from sitemap_plugins.core.python.layouts import PythonFiles
from sitemap_plugins.core.python.places import Members, Places
from sitemap_plugins.core.python.sources import Place
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


def _try_to_find(places, name):
    with suppress(ValueError):
        places.find(name)


@pytest.mark.parametrize("name", MANY)
def test_work_grows_as_a_module_does_of_which_names_are_followed(name, tmp_path):
    found = []
    for times in (1, 2):
        folder = tmp_path / str(times)
        (folder / ".git").mkdir(parents=True)
        (folder / "own.py").write_text(many(name, times))
        places = Places(PythonFiles(folder, [folder]))
        found.append(calls(_try_to_find, places, "own.missing.it"))

    one, two = found
    assert two < 3 * one


@pytest.mark.parametrize(("names", "is_found"), [(45, True), (55, False)])
def test_chain_of_names_that_is_too_long_is_not_cut_short(names, is_found, tmp_path):
    """Its beginning alone would give a page a date that can be too old."""
    same = "".join(f"A{number} = A{number - 1}\n" for number in range(1, names))
    (tmp_path / ".git").mkdir()
    (tmp_path / "own.py").write_text(f"class A0: 'A.'\n{same}class B(A{names - 1}): 1")
    places = Places(PythonFiles(tmp_path, [tmp_path]))

    for _ in range(2):
        with nullcontext() if is_found else pytest.raises(ValueError, match="lead"):
            found = places.find("own.B")
            assert ("B", "A0") == (found[0].name, found[-1].name)


def test_chain_of_names_leaves_enough_of_the_stack_to_read_modules(tmp_path):
    """Else a module without names would be kept for the objects that come later."""
    same = "".join(f"A{number} = A{number - 1}\n" for number in range(1, 300))
    (tmp_path / ".git").mkdir()
    (tmp_path / "own.py").write_text(f"from other import B as A0\n{same}")
    classes = "class A:\n    def f(self): 'F.'\nclass B(A): 1\n"
    (tmp_path / "other.py").write_text(f"{classes}x = {'+'.join(900 * 'a')}\n")
    places = Places(PythonFiles(tmp_path, [tmp_path]))
    _try_to_find(places, "own.A299.f")

    assert ["A.f"] == [each.name for each in places.find("other.B.f")]


def test_name_that_leads_to_longer_and_longer_ones_is_nowhere(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "own.py").write_text("text = ''\ntext = text.strip()\n")

    assert [] == Places(PythonFiles(tmp_path, [tmp_path])).find("own.text.strip.x")


@pytest.mark.parametrize("first", ["A1", "A99", "A150"])
def test_class_with_too_many_bases_is_not_cut_short(first, tmp_path):
    """Whichever of its bases was asked for before."""
    classes = "".join(f"class A{n}(A{n - 1}): 1\n" for n in range(1, 200))
    (tmp_path / ".git").mkdir()
    (tmp_path / "own.py").write_text(f"class A0:\n    def f(self): 'F.'\n{classes}")
    places = Places(PythonFiles(tmp_path, [tmp_path]))
    _try_to_find(places, f"own.{first}.f")

    assert ["A0.f"] == [each.name for each in places.find("own.A99.f")]
    with pytest.raises(ValueError, match="inherits from 100 others"):
        places.find("own.A100.f")


@pytest.mark.parametrize("first", ["A", "B", "C"])
def test_bases_in_a_cycle_do_not_depend_on_which_is_asked_for_first(first, tmp_path):
    """Two classes have the name `A`, and the later one inherits from the earlier."""
    module = "class A: 1\nclass B(A, D): 1\nclass A(B): 1\nclass C(B): 1\n"
    (tmp_path / ".git").mkdir()
    (tmp_path / "own.py").write_text(module)
    places = Places(PythonFiles(tmp_path, [tmp_path]))
    found = {}
    for name in (first, "A", "B", "C"):
        place = Place(tmp_path / "own.py", name, "own", has_members=True)
        found[name] = "".join(each.name for each in places.classes(place))

    assert {"A": "AB", "B": "BA", "C": "CBA"} == found


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
