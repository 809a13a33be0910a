"""schema.json, with which editors complete and check MkDocs options,
agrees with the code.

python -m tests.test_options_schema --update    rewrite schema.json
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import jsonschema
import pytest
import yaml

from sitemap_plugins.core.limits import CHANGEFREQS, MAX_BYTES, MAX_URLS
from sitemap_plugins.core.messages import OptionsError
from sitemap_plugins.core.options import PLUGIN_OPTIONS, PluginOptions
from sitemap_plugins.core.patterns import Patterns, Rules
from sitemap_plugins.core.values import FILENAME, MIN_BYTES, RECORD_NAME
from sitemap_plugins.mkdocs.options import SitemapConfig

ROOT = Path(__file__).parent.parent
SCHEMA = ROOT / "schema.json"

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
    "max_bytes": {"minimum": MIN_BYTES, "maximum": MAX_BYTES},
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


def schema() -> str:
    """Return the content of schema.json: the forms of an item of `plugins`."""
    types = get_type_hints(PluginOptions)
    defaults = {name: declared.default for name, declared in SitemapConfig._schema}
    properties = {
        option.name: {
            "description": option.summary,
            "default": defaults[option.name],
            **(FORMS.get(option.name) or schema_of(types[option.name])),
            **DETAILS.get(option.name, {}),
        }
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
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "sitemap: the sitemap that a search engine can trust",
        "oneOf": [{"enum": ["sitemap"]}, {**named, "additionalProperties": False}],
    }
    return json.dumps(form, indent=2) + "\n"


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
    {"dependencies": "all"},
    {"sources": {"api/**": ["src/**/*.py"], "cli.md": "src/cli.py"}},
    {"changefreq": "daily"},
    {"changefreq": {"blog/": "weekly", "**": "never"}},
    {"priority": 1},
    {"priority": {"blog/": 0.8}},
    {"indent": 2, "gzip": False, "text": True, "max_urls": 1_000, "max_bytes": 16_384},
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
    {"dependencies": "some"},
    {"sources": ["src/**/*.py"]},
    {"changefreq": "sometimes"},
    {"changefreq": {"blog/": 1}},
    {"priority": 1.1},
    {"priority": {"blog/": -0.1}},
    {"robots": "true"},
    {"indent": 9},
    {"max_urls": 50_001},
    {"max_bytes": 1},
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
