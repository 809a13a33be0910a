"""The schemas with which editors complete and check options agree with the code.

python -m tests.test_options_schema --update    rewrite schema.json, sitemap.schema.json
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
import tomllib
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import click
import jsonschema
import pytest
import yaml

from sitemap_plugins.check.command import check, settable
from sitemap_plugins.core.limits import CHANGEFREQS, MAX_URLS
from sitemap_plugins.core.messages import OptionsError
from sitemap_plugins.core.options import PLUGIN_OPTIONS, Option, PluginOptions
from sitemap_plugins.core.patterns import Patterns, Rules
from sitemap_plugins.core.values import FILENAME, RECORD_NAME
from sitemap_plugins.folder.options import (
    CHECK,
    FOLDER_OPTIONS,
    FolderOptions,
    parse_options,
    read_settings,
)
from sitemap_plugins.mkdocs.options import SitemapConfig
from tests.cli.command import run
from tests.folder.html_folder import write

ROOT = Path(__file__).parent.parent
SCHEMA = ROOT / "schema.json"
"""For an item of MkDocs' `plugins`."""
TABLE_SCHEMA = ROOT / "sitemap.schema.json"
"""For sitemap.toml and the table tool.sitemap-plugins of pyproject.toml."""
DRAFT = "http://json-schema.org/draft-07/schema#"

TEXTS = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
TYPES = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    str: {"type": "string"},
    Patterns: TEXTS,
    tuple[tuple[Patterns, tuple[str, ...]], ...]: {
        "type": "object",
        "additionalProperties": TEXTS,
    },
}
RULES = {
    str: {"enum": list(CHANGEFREQS)},
    float: {"type": "number", "minimum": 0, "maximum": 1},
}
DETAILS = {
    "base_url": {"type": ["string", "null"]},
    "filename": {"pattern": f"^{FILENAME.pattern}$"},
    "record": {"pattern": f"^({RECORD_NAME.pattern})?$"},
    "indent": {"minimum": 0, "maximum": 8},
    "max_urls": {"minimum": 1, "maximum": MAX_URLS},
}
"""What a field's type does not say."""
LOC = {"type": "string", "minLength": 1}
URL = {"type": "object", "properties": {"loc": LOC}, "required": ["loc"]}
FORMS = {
    "ignore_revs": {"anyOf": [{"type": "string"}, {"type": "boolean"}]},
    "urls": {"anyOf": [LOC, {"type": "array", "items": {"anyOf": [LOC, URL]}}]},
    "split": {
        "anyOf": [
            {"enum": ["size", "section"]},
            {"type": "object", "additionalProperties": {"type": "string"}},
        ]
    },
}
"""The forms of options whose type has another one elsewhere."""


def schema_of(kind: Any) -> dict[str, Any]:
    """Return the schema of the values
    that a user may write for a field of this type."""
    if kind in TYPES:
        return TYPES[kind]
    arguments = get_args(kind)
    match get_origin(kind):
        case origin if origin is Literal:
            return {"enum": list(arguments)}
        case origin if origin in {Union, UnionType}:
            return {"anyOf": [schema_of(argument) for argument in arguments]}
        case origin if origin is Rules:
            value = RULES[arguments[0]]
            mapping = {"type": "object", "additionalProperties": value}
            return {"anyOf": [{"type": "null"}, value, mapping]}
        case origin if origin is tuple:  # Of words, or none of them.
            word = schema_of(arguments[0])
            return {"anyOf": [{"const": False}, word, {"type": "array", "items": word}]}
    msg = f"no schema for {kind}: add its form to schema_of"
    raise TypeError(msg)


def property_of(option: Option, kind: Any, default: object) -> dict[str, Any]:
    """Return what an editor knows of an option whose field has this type."""
    return {
        "description": option.summary,
        "default": default,
        **(FORMS.get(option.name) or schema_of(kind)),
        **DETAILS.get(option.name, {}),
    }


def schema() -> str:
    """Return the content of schema.json: the forms of an item of `plugins`."""
    types = get_type_hints(PluginOptions)
    defaults = {name: declared.default for name, declared in SitemapConfig._schema}
    properties = {
        option.name: property_of(option, types[option.name], defaults[option.name])
        for option in PLUGIN_OPTIONS
    }
    properties["enabled"] = {
        "description": "MkDocs' own switch for every plugin.",
        "default": True,
        "type": "boolean",
    }
    options = {
        "type": ["object", "null"],
        "properties": properties,
        "additionalProperties": False,
    }
    named = {
        "type": "object",
        "properties": {"sitemap": options},
        "required": ["sitemap"],
    }
    form = {
        "$schema": DRAFT,
        "title": "sitemap: the sitemap that a search engine can trust",
        "oneOf": [{"enum": ["sitemap"]}, {**named, "additionalProperties": False}],
    }
    return json.dumps(form, indent=2) + "\n"


def property_of_check(option: click.Option) -> dict[str, Any]:
    """Return what an editor knows of an option of `check`."""
    match option.type:
        case click.Choice() as kind:
            form = {"enum": list(kind.choices)}
        case click.IntRange() as kind:
            form = {"type": "integer", "minimum": kind.min, "maximum": kind.max}
        case click.FloatRange() as kind:
            form = {"type": "number", "minimum": kind.min, "maximum": kind.max}
        case _ if option.is_flag:
            form = {"type": "boolean"}
        case _:
            form = {"type": "string"}
    form = {name: value for name, value in form.items() if value is not None}
    if option.nargs != 1:
        form = {"type": "array", "items": form}
        form |= {"minItems": option.nargs, "maxItems": option.nargs}
    if option.multiple:
        form = {"anyOf": [form, {"type": "array", "items": form}]}
    return {"description": option.help, **form}


def table_schema() -> str:
    """Return the content of sitemap.schema.json: the table of a project's settings."""
    types = get_type_hints(FolderOptions)
    properties = {
        option.name: property_of(option, types[option.name], option.default)
        for option in FOLDER_OPTIONS
    }
    of_check = settable(check)
    properties[CHECK] = {
        "description": "Defaults of the command `sitemap-plugins check`.",
        "type": "object",
        "properties": {name: property_of_check(of_check[name]) for name in of_check},
        "additionalProperties": False,
    }
    form = {
        "$schema": DRAFT,
        "title": "sitemap.toml, and the table tool.sitemap-plugins of pyproject.toml",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }
    return json.dumps(form, indent=2) + "\n"


def accepts_table(table: object) -> bool:
    form = json.loads(TABLE_SCHEMA.read_text("utf-8"))
    return jsonschema.Draft7Validator(form).is_valid(table)


def accepts(item: object) -> bool:
    return jsonschema.Draft7Validator(json.loads(SCHEMA.read_text("utf-8"))).is_valid(
        item
    )


class Yaml(yaml.SafeLoader):
    """Reads MkDocs' `!ENV [NAME, default]` as its default."""


Yaml.add_constructor("!ENV", lambda loader, node: loader.construct_sequence(node)[-1])


def items_in_the_manual() -> list[object]:
    """Return every item of `plugins` with our name in the manual,
    the samples and our settings."""
    texts = [
        file.read_text("utf-8")
        for file in ROOT.glob("sample_sites/*/mkdocs/mkdocs.yml")
    ]
    texts += [(ROOT / "mkdocs.yml").read_text("utf-8")]
    for file in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        blocks = re.findall(r"(?ms)^( *)```yaml\n(.*?)^\1```", file.read_text("utf-8"))
        texts += [textwrap.dedent(text) for _, text in blocks]
    configs = [yaml.load(text, Yaml) for text in texts if "plugins:" in text]
    items = [item for config in configs for item in config["plugins"]]
    return [item for item in items if item == "sitemap" or "sitemap" in item]


def test_schema_is_current_and_valid_draft_07():
    jsonschema.Draft7Validator.check_schema(json.loads(schema()))

    assert schema() == SCHEMA.read_text("utf-8")


def test_schema_of_tables_is_current_and_valid_draft_07():
    jsonschema.Draft7Validator.check_schema(json.loads(table_schema()))

    assert table_schema() == TABLE_SCHEMA.read_text("utf-8")


def test_every_default_is_valid():
    for name, declared in SitemapConfig._schema:
        assert accepts({"sitemap": {name: declared.default}}), name


def test_every_configuration_in_manual_and_samples_is_valid():
    items = items_in_the_manual()

    assert "sitemap" in items
    assert any(isinstance(item, dict) for item in items)
    for item in items:
        assert accepts(item), item


RIGHT = [
    {"base_url": None},
    {"base_url": "https://example.com/docs"},
    {"filename": "doc-sitemap.xml"},
    {"exclude": ["404/", "genindex/", "search/"]},
    {"exclude": ["^/noindex/", "/tag/", r"\.json$"]},
    {"exclude": "blog/drafts/"},
    {"lastmod": False},
    {"lastmod": "git"},
    {"lastmod": ["page", "git"]},
    {"lastmod_format": "date"},
    {"ignore_revs": False},
    {"ignore_revs": "scripts/reformatted.txt"},
    {"changes": "content"},
    {"urls": "/app/"},
    {"urls": ["/app/", {"loc": "/api/", "lastmod": "2026-01-01"}]},
    {"sources": {"api/**": ["src/**/*.py"], "cli.md": "src/cli.py"}},
    {"changefreq": "daily"},
    {"changefreq": {"blog/": "weekly", "**": "never"}},
    {"priority": 1},
    {"priority": {"blog/": 0.8}},
    {"indent": 2, "gzip": False, "text": True, "max_urls": 1_000},
]
WRONG = [
    {"base_url": 1},
    {"filename": "../sitemap.xml"},
    {"filename": "sitemap.txt"},
    {"filename": "site--map.xml"},
    {"exclude": [404]},
    {"exclude": {"drafts/": True}},
    {"lastmod": True},
    {"lastmod": ["gti"]},
    {"lastmod_format": "iso"},
    {"ignore_revs": ["a"]},
    {"changes": "words"},
    {"urls": [7]},
    {"urls": [{"lastmod": "2026-01-01"}]},
    {"urls": [""]},
    {"dependencies": "all"},
    {"sources": ["src/**/*.py"]},
    {"changefreq": "sometimes"},
    {"changefreq": {"blog/": 1}},
    {"priority": 1.1},
    {"priority": {"blog/": -0.1}},
    {"robots": "true"},
    {"indent": 9},
    {"max_urls": 50_001},
    {"gzip": "only"},
    {"exlude": ["drafts/"]},
]


@pytest.mark.parametrize("values", RIGHT, ids=str)
def test_accepted_values_are_valid(values):
    PluginOptions.parse(values, where="test")

    assert accepts({"sitemap": values})


@pytest.mark.parametrize("values", WRONG, ids=str)
def test_refused_values_are_invalid(values):
    with pytest.raises(OptionsError, match=next(iter(values))):
        PluginOptions.parse(values, where="test")

    assert not accepts({"sitemap": values})


def tables_in_the_manual() -> list[dict[str, Any]]:
    """Return every table of our settings in the manual and the samples."""
    texts = [
        file.read_text("utf-8") for file in ROOT.glob("sample_sites/**/sitemap.toml")
    ]
    for file in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        blocks = re.findall(r"(?ms)^( *)```toml\n(.*?)^\1```", file.read_text("utf-8"))
        texts += [textwrap.dedent(text) for _, text in blocks]
    tables = [tomllib.loads(text) for text in texts]
    projects = [
        table["tool"]["sitemap-plugins"]
        for table in tables
        if "sitemap-plugins" in table.get("tool", ())
    ]
    alone = [table for table in tables if not {"tool", "project"} & table.keys()]
    return [*projects, *alone]


def test_every_table_in_manual_and_samples_is_valid():
    tables = tables_in_the_manual()

    assert any(CHECK in table for table in tables)
    for table in tables:
        assert accepts_table(table), table


@pytest.mark.parametrize("values", RIGHT, ids=str)
def test_accepted_values_are_valid_in_a_table(values):
    assert accepts_table(values)


@pytest.mark.parametrize("values", WRONG, ids=str)
def test_refused_values_are_invalid_in_a_table(values):
    assert not accepts_table(values)


CHECKS = [
    ("no_fetch = true", True),
    ("ignore = ['not-announced', 'feed']", True),
    ("select = 'feed'", True),
    ("fail_on = 'error'", True),
    ("format = 'json'", True),
    ("map_host = ['https://example.com', 'http://localhost:8000']", True),
    ("rate = 2.5", True),
    ("hosting = 'nobody'", False),
    ("fail_on = 'fatal'", False),
    ("map_host = ['https://example.com']", False),
    ("form = 'json'", False),
    ("config = 'x'", False),
    ("links = 'x'", False),
]


@pytest.mark.parametrize(("line", "expected"), CHECKS)
def test_the_table_of_check_is_as_the_command_takes_it(tmp_path, line, expected):
    write(tmp_path, {"sitemap.toml": f"source_dir = 'docs'\n[check]\n{line}\n"})
    table = tomllib.loads((tmp_path / "sitemap.toml").read_text())
    parse_options(read_settings(tmp_path), tmp_path)
    done = run(tmp_path, "check", "none.xml")

    assert 2 == done.returncode  # There is no sitemap.
    assert expected == ("sitemap.toml: check." not in done.err), done.err
    assert expected == accepts_table(table)


@pytest.mark.parametrize(
    "item", ["sitemap", {"sitemap": None}, {"sitemap": {"enabled": False}}]
)
def test_every_form_of_an_item_is_valid(item):
    assert accepts(item)


@pytest.mark.parametrize(
    "item", ["sitmap", {"search": {}}, {}, {"sitemap": {}, "search": {}}]
)
def test_other_items_are_invalid(item):
    assert not accepts(item)


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"]:
        sys.exit(__doc__)
    SCHEMA.write_text(schema(), "utf-8", newline="\n")
    TABLE_SCHEMA.write_text(table_schema(), "utf-8", newline="\n")
