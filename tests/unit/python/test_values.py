"""What an object shows of others: values of names, and texts of decorators."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.python.excerpt_names import WITH_MEMBERS
from sitemap_plugins.core.python.layouts import PythonFiles
from sitemap_plugins.core.python.places import Places
from sitemap_plugins.core.python.values import MAX_VALUES, Values
from tests.unit.python.hostile_modules import calls, many
from tests.unit.python.package import named, write_package
from tests.unit.python.reading import read_parts, read_values


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    return write_package(tmp_path_factory.mktemp("project"))


NOTE = ["_config.py NOTE.$", "values.py NOTE.<"]
NOTED = ["_config.py NOTE.$", "_config.py noted.&", "values.py noted.<"]
PLAIN = ["Plain.()", "Plain.n.$", "plain.$"]
CONFIG_LIMIT = ["_config.py LIMIT.$", "values.py LIMIT.<"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("imported", CONFIG_LIMIT),
        ("imported.1", []),
        ("Scope.1", []),
        ("written.1", [*NOTED, "values.py written.^"]),
        ("assigned.1", NOTE),
        ("wrapping.1", [*CONFIG_LIMIT, "values.py imported"]),
        ("by_module", ["_config.py LIMIT.$"]),
        ("by_key", ["_config.py LIMIT.$", "_config.py TIMES.$", "values.py TIMES.<"]),
        ("member", ["_config.py Mode.FAST.$", "values.py Mode.<"]),
        ("annotated", CONFIG_LIMIT),
        ("body", []),
        ("written", [*NOTED, "values.py written.^"]),
        ("read", []),
        ("python", []),
        ("assigned", NOTE),
        ("documented", [*CONFIG_LIMIT, "values.py Plain.=", "values.py imported"]),
        ("wrapping", [*CONFIG_LIMIT, "values.py imported"]),
        ("Owner.made", ["values.py Owner.N.$", "values.py Owner.method"]),
        ("CHANGED", [CONFIG_LIMIT[0], "values.py CHANGED.$", CONFIG_LIMIT[1]]),
        ("Noted", [*NOTED, "values.py Noted.^"]),
        ("Derived", ["values.py Base.&", "values.py Derived.^"]),
        ("late", []),
        ("later", CONFIG_LIMIT),
        ("same", [*NOTED, "values.py same.^"]),
        ("handed", [*NOTED, "values.py handed.^"]),
        ("Fields.()", [*NOTED, "values.py Fields.^"]),
        ("plain", ["values.py Plain.()"]),
        ("of_instance", [*CONFIG_LIMIT, *(f"values.py {each}" for each in PLAIN)]),
        (
            "instance",
            [
                *NOTED,
                "values.py Fields.()",
                "values.py Plain.()",
                "values.py instance.^",
            ],
        ),
        ("each", NOTED),
        ("Scope.method", ["values.py Scope.N.$"]),
        ("Scope.=", CONFIG_LIMIT),
        ("Plain.=", []),
        ("Plain.*", CONFIG_LIMIT),
        ("Made.=", []),
        ("Made.()", CONFIG_LIMIT),
        ("", NOTE),
        ("=", NOTE),
        ("1", NOTE),
    ],
)
def test_values_of_names_that_an_object_reads(places, name, shown):
    (place,) = places.find_module("own.values")
    found = Values(places).read_by([place.part(name)])

    assert sorted(shown) == sorted(named(places, found))


CALL = "    def __call__(self, {}): {}\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        # Its instance is in the place of the function: its docstring and parameters.
        (f"class d:\n    'D.'\n{CALL.format('a', '1')}@d\ndef f(): 1\n", ["d.%"]),
        (
            f"class d:\n{CALL.format('f', 'f.__doc__ = N')}@d(1)\ndef f(): 1\nN = 1\n",
            ["d.%", "N.$"],
        ),
        (
            f"class c:\n{CALL.format('a', '1')}class d(c): 1\n@d\ndef f(): 1\n",
            ["c.%"],
        ),
        ("class d:\n    'D.'\n@d\nclass f: 1\n", []),
        # It shows nothing where it is a type or a base.
        (f"class d:\n{CALL.format('a', '1')}def f(a: d = d): 1\n", []),
        (f"class d:\n{CALL.format('a', '1')}class f(d): 1\n", []),
        # Makers of classes, also further up.
        (
            "class a:\n    def __init_subclass__(c): 1\nclass b(a): 1\nclass f(b): 1\n",
            ["a.&"],
        ),
        (
            (
                "class a(type):\n    def __call__(c): 1\n"
                "class b(metaclass=a): 1\nclass f(b): 1\n"
            ),
            ["a.%", "a.&", "b.&"],
        ),
        (
            f"class a:\n{CALL.format('x', '1')}class f(metaclass=a): 1\n",
            ["a.%"],
        ),
        ("class a:\n    def __init_subclass__(c): 1\ndef f(x: a): 1\n", []),
    ],
)
def test_classes_that_decorate_and_that_make_classes(text, shown, tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "own.py").write_text(text)
    places = Places(PythonFiles(tmp_path, [tmp_path]))
    found = {each.name for each in Values(places).read_by(places.find("own.f"))}

    assert {*shown} == {name for name in found if not name.endswith(".^")}


def test_lists_of_names_that_a_module_takes_over(places):
    (place,) = places.find_module("own.lists")
    lists = ["lists/one.py", "lists/three.py", "lists/two.py"]

    found = Values(places).lists_in(place)

    assert [f"{name} __all__" for name in lists] == sorted(named(places, found))


@pytest.mark.parametrize("read", [read_parts, read_values])
def test_parts_that_are_read_are_in_the_file(places, read):
    """A part that is missing would be dated by every commit to its file."""
    (place,) = places.find_module("own.values")
    parts = read(place.file.read_bytes())
    found = Values(places).read_by([place.part("*")])
    shown = {each.name for each in found if each.file == place.file}

    assert {"same.^", "handed.^", "Derived.^", "Noted.^"} <= shown
    assert shown <= parts.keys()


@pytest.mark.parametrize("code", ["for each in X:\n    {}", "call({})"])
def test_values_are_in_one_order_in_every_process(code, tmp_path):
    """Of two that one commit changed, the first is named in the record."""
    (tmp_path / ".git").mkdir()
    names = [f"f{number}" for number in range(10)]
    lines = [code.format(", ".join(names))]
    for name in names:
        lines.append(f"def of_{name}(f): f.__doc__ = 'F.'")
        lines.append(f"@of_{name}\ndef {name}(): 1")
    (tmp_path / "own.py").write_text("\n".join(lines))
    places = Places(PythonFiles(tmp_path, [tmp_path]))
    (module,) = places.find_module("own")

    found = Values(places).read_by([module.part(WITH_MEMBERS)])

    texts = [each.name for each in found if each.name.endswith(".&")]
    assert [f"of_{name}.&" for name in names] == texts


def test_work_for_a_page_of_names_that_all_read_each_other_has_an_end(tmp_path):
    def read(number):
        folder = tmp_path / str(number)
        (folder / ".git").mkdir(parents=True)
        (folder / "own.py").write_text(many("variables of one value", number))
        places = Places(PythonFiles(folder, [folder]))
        (module,) = places.find_module("own")
        with pytest.raises(ValueError, match=f"more than {MAX_VALUES} values"):
            list(Values(places).read_by([module.part(WITH_MEMBERS)]))

    one, two = (calls(read, number) for number in (5, 10))
    assert two < 3 * one
