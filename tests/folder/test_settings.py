"""Settings of the project and of its generator: read, never run."""

from __future__ import annotations

import importlib.util
import os
import re
import sys

import pytest

from sitemap_plugins.core.messages import OptionsError
from sitemap_plugins.folder.generator_settings import read_generator
from sitemap_plugins.folder.options import parse_options, read_settings
from sitemap_plugins.folder.read_data import MAX_BYTES
from sitemap_plugins.folder.read_pages import read_front_matter
from sitemap_plugins.folder.read_yaml import parse_yaml
from tests.full import FULL, full

# From the settings of real projects: tags that MkDocs' loader would make objects of.
MKDOCS = """
site_url: https://example.com/docs/
docs_dir: documentation
theme:
  name: material
markdown_extensions:
  - pymdownx.emoji:
      emoji_index: !!python/name:material.extensions.emoji.twemoji
      options: !!python/object/apply:os.system ["touch hacked"]
extra:
  key: !unknown {a: b}
"""


def generator(folder, **environ):
    found = read_generator(folder, environ)
    source = (
        found.source_dir.relative_to(folder).as_posix() if found.source_dir else None
    )
    return found.base_url, found.base_url_setting, source


def test_mkdocs_settings_are_read_without_running_anything(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mkdocs.yml").write_text(MKDOCS)

    assert (
        "https://example.com/docs/",
        "site_url in mkdocs.yml",
        "documentation",
    ) == generator(tmp_path)
    assert not (tmp_path / "hacked").exists()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ('!ENV [A, B, "https://default.com"]', "https://default.com"),
        ('!ENV [A, SITE, "https://default.com"]', "https://env.com"),
        ("!ENV SITE", "https://env.com"),
        ("!ENV [SITE]", "https://env.com"),
        ("!ENV [A, SITE]", "SITE"),
        ("!ENV A", ""),
        ("!ENV [A]", ""),
        ("!ENV []", ""),
    ],
)
def test_environment_variables_are_replaced_by_their_values(tmp_path, value, expected):
    (tmp_path / "mkdocs.yml").write_text(f"site_url: {value}\n")

    assert expected == generator(tmp_path, SITE="https://env.com")[0]


def test_own_settings_win_over_inherited_ones(tmp_path):
    (tmp_path / "base.yml").write_text(
        "site_url: https://a.com\ndocs_dir: src\nINHERIT: base.yml"
    )
    (tmp_path / "mkdocs.yml").write_text("INHERIT: base.yml\nsite_url: https://b.com")

    assert ("https://b.com", "site_url in mkdocs.yml", "src") == generator(tmp_path)


def test_inherited_address_is_reported_with_its_file(tmp_path):
    """MkDocs itself reads files outside of the project."""
    (tmp_path / "base.yml").write_text("site_url: https://a.com")
    (tmp_path / "project").mkdir()
    (tmp_path / "project/mkdocs.yml").write_text("INHERIT: ../base.yml\nsite_name: x")

    found = ("https://a.com", "site_url in ../base.yml", "docs")
    assert found == generator(tmp_path / "project")


@pytest.mark.parametrize("parent", ["pipe", "/dev/zero", "missing.yml", ".", '"\\0"'])
def test_only_regular_files_are_inherited(tmp_path, parent):
    """Nobody waits for a pipe's other end."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "mkdocs.yml").write_text(
        f"site_url: https://a.com\nINHERIT: {parent}\n"
    )
    found = read_generator(tmp_path, {})

    assert "" == found.base_url
    assert "cannot be read (" in str(found.error)


def test_zensical_toml_wins_over_mkdocs_yml(tmp_path):
    (tmp_path / "mkdocs.yml").write_text("site_url: https://a.com")
    (tmp_path / "zensical.toml").write_text('[project]\nsite_url = "https://b.com"')

    assert ("https://b.com", "site_url in zensical.toml", "docs") == generator(tmp_path)


@pytest.mark.parametrize("folder", ["docs", "docs/source", "source", "."])
def test_settings_in_python_tell_only_where_sources_are(tmp_path, folder):
    (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    (tmp_path / folder / "conf.py").write_text("html_baseurl = 'https://a.com/'\n")

    assert generator(tmp_path) == ("", "--base-url", folder)


def test_project_without_settings(tmp_path):
    assert ("", "--base-url", None) == generator(tmp_path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: [", "line 1: expected the node content, but found '<stream end>'"),
        ("\na: 2024-99-99", "line 2: '2024-99-99' is not of the type timestamp"),
        ("a: !!bool maybe", "line 1: 'maybe' is not of the type bool"),
        ("a: !!int ''", "line 1: '' is not of the type int"),
        ("a: !!timestamp foo", "line 1: 'foo' is not of the type timestamp"),
        (f"a: 1{':59' * 200}.5", "line 1: '1:59:59"),
        (f"a: 1{':59' * 1_500}", "line 1: '1:59:59"),
        ("a: !!float x", "line 1: 'x' is not of the type float"),
        ("a: &a [*a]", "its aliases make it too long"),
        ("? {[]}: b", "line 1: found unhashable key"),
        ("a: !ENV {a: b}", "line 1: expected a scalar node, but found mapping"),
        ("a: !ENV [[b], c]", "line 1: expected a scalar node, but found sequence"),
        full("[" * 10_000, "it is nested too deeply"),
        ("a: b\n---\n", "line 2: but found another document"),
        ("\0", "unacceptable character #x0000: special characters are not allowed"),
        ('"\\UFFFFFFFF"', "it cannot be parsed ("),
        ('"\\U00110000"', "it cannot be parsed (chr() arg not in range"),
        (f"%YAML {'1' * 5_000}.1\n---\n", "it cannot be parsed (Exceeds the limit"),
    ],
)
def test_invalid_yaml_is_explained(text, expected):
    with pytest.raises(ValueError, match=f"^{re.escape(expected)}"):
        parse_yaml(text, {})


@pytest.mark.parametrize("text", ["", "- a", "text", "# Comment", "---", "!ENV A"])
def test_yaml_without_a_mapping_is_empty(text):
    assert {} == parse_yaml(text, {})


@FULL
def test_expanded_yaml_aliases_are_limited_to_the_size_of_a_file():
    line = "b: &b [" + "*a, " * 100 + "]"
    text = "a: &a " + "x" * 1_000 + f"\n{line}\n"

    assert ["x" * 1_000] * 100 == parse_yaml(text, {})["b"]
    with pytest.raises(ValueError, match="its aliases make it too long"):
        parse_yaml(f"{text}c: [{'*b, ' * 6}]", {})
    with pytest.raises(ValueError, match="its aliases make it too long"):
        parse_yaml("a: &a {b: c}\nd: &d {<<: [" + "*a, " * 110_000 + "]}", {})


def test_yaml_merge_keys_are_read(tmp_path):
    (tmp_path / "mkdocs.yml").write_text("x: &x {site_url: https://a.com}\n<<: *x\n")

    assert "https://a.com" == generator(tmp_path)[0]


def test_unreadable_settings_file_is_named(tmp_path):
    (tmp_path / "mkdocs.yml").write_text("site_url: https://a.com\nx: !!bool maybe\n")

    assert (
        f"{str(tmp_path / 'mkdocs.yml')!r} cannot be read (line 2: 'maybe' is not of the type"
        " bool): correct the file"
    ) == str(read_generator(tmp_path, {}).error)


def test_settings_file_that_is_too_long_is_refused(tmp_path):
    (tmp_path / "mkdocs.yml").write_text("site_url: https://a.com\n" + "#" * MAX_BYTES)
    found = read_generator(tmp_path, {})

    assert "" == found.base_url
    assert "cannot be read (larger than 524,288 bytes)" in str(found.error)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sitemap.toml", "max_urls = 5"),
        ("zensical.toml", "[project.extra.sitemap]\nmax_urls = 5"),
        ("pyproject.toml", "[tool.sitemap-plugins]\nmax_urls = 5"),
    ],
)
def test_settings_are_read_from_any_of_three_files(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    settings = read_settings(tmp_path)

    assert settings.where == name
    assert 5 == parse_options(settings, tmp_path).max_urls
    assert read_settings(tmp_path, tmp_path / name) == settings


def test_first_file_with_settings_wins(tmp_path):
    (tmp_path / "zensical.toml").write_text("[project]\nsite_name = 'x'")
    (tmp_path / "pyproject.toml").write_text(
        "[tool.sitemap-plugins]\nsource_dir = 'docs'"
    )

    assert "docs" == parse_options(read_settings(tmp_path), tmp_path).source_dir


def test_named_settings_file_must_have_settings(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.other]")

    with pytest.raises(
        OptionsError, match=r"does not contain the table \[tool.sitemap-plugins\]"
    ):
        read_settings(tmp_path, tmp_path / "pyproject.toml")
    with pytest.raises(OptionsError, match="does not exist: let --config name"):
        read_settings(tmp_path, tmp_path / "nothing.toml")


def test_existing_gzip_copy_is_updated_unless_gzip_is_false(tmp_path):
    (tmp_path / "sitemap.xml.gz").touch()

    assert parse_options(read_settings(tmp_path), tmp_path).gzip is True
    (tmp_path / "sitemap.toml").write_text("gzip = false")
    assert parse_options(read_settings(tmp_path), tmp_path).gzip is False


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.md", "---\nsitemap: false\n---\nText", {"sitemap": False}),
        ("a.md", "\ufeff---\r\nsitemap: false\r\n...\r\n", {"sitemap": False}),
        ("a.md", "+++\nsitemap = false\n+++\n", {"sitemap": False}),
        ("a.qmd", "---\nsitemap: false\n---\n", {"sitemap": False}),
        (
            "a.rst",
            "\n:sitemap: false\n:robots:  x\n\nT\n=\n",
            {"sitemap": "false", "robots": "x"},
        ),
        ("a.md", "Text\n---\nsitemap: false\n---\n", {}),
        ("a.md", "---\nsitemap: false\n", {}),
        ("a.rst", "Text\n\n:sitemap: false\n", {}),
        ("a.ipynb", "---\nsitemap: false\n---\n", {}),
    ],
)
def test_front_matter_is_read_from_the_top_of_the_source(
    tmp_path, name, text, expected
):
    (tmp_path / name).write_bytes(text.encode())

    assert (expected, "") == read_front_matter(tmp_path / name)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            b"a = 1\nb = [1,\nc = 2\n",
            "is not valid TOML (Invalid value (at line 3, column 1)",
        ),
        (
            b"a = [\n\n",
            "is not valid TOML (Invalid value (in the last line, 1)): close the bracket or quote",
        ),
        (b"a = 1\nb = '\xe9'\n", "is not UTF-8 (line 2): save it in that encoding"),
        (b"a = " + b"[" * 100_000, "is not valid TOML ("),
        (b"a = " + b"1" * 5_000, "is not valid TOML ("),
        (
            b"#" * (MAX_BYTES + 1),
            "cannot be read (larger than 524,288 bytes): correct the file",
        ),
    ],
)
@pytest.mark.parametrize("name", ["sitemap.toml", "zensical.toml", "pyproject.toml"])
def test_unreadable_settings_are_an_error(tmp_path, name, content, said):
    (tmp_path / name).write_bytes(content)

    is_ours = name != "pyproject.toml" or said.startswith("cannot be read")
    for file in [None] * is_ours + [tmp_path / name]:
        with pytest.raises(OptionsError) as caught:
            read_settings(tmp_path, file)
        assert f"'{tmp_path / name}' {said}"[:60] in str(caught.value)
        assert said in str(caught.value)


@pytest.mark.parametrize("table", ["", "[tool.sitemap-plugins]\nfilename = 'a.xml'\n"])
def test_a_pyproject_toml_that_cannot_be_read_matters_only_with_our_table(
    tmp_path, table
):
    """Haplo's has a line break in an inline table, which is TOML 1.1."""
    broken = "[tool.uv]\nsources = { a = [\n"
    (tmp_path / "pyproject.toml").write_text(table + broken)

    if table:
        with pytest.raises(OptionsError, match=r"pyproject\.toml' is not valid TOML"):
            read_settings(tmp_path)
    else:
        assert {} == read_settings(tmp_path).values


# As the nav of Pixi's manual, with TOML 1.1's line breaks.
ZENSICAL = """[project]
site_url = "https://example.com/"
nav = [
  {
    "Tutorials" = [{ "ROS 2" = "tutorials/ros2.md" }],
  },
]
"""


def test_zensical_toml_can_have_the_syntax_of_toml_1_1(tmp_path):
    (tmp_path / "zensical.toml").write_text(ZENSICAL)

    assert ("https://example.com/", "site_url in zensical.toml", "docs") == generator(
        tmp_path
    )


def test_without_tomli_the_cure_names_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "tomli", None)
    (tmp_path / "zensical.toml").write_text(ZENSICAL)
    spec = importlib.util.find_spec("sitemap_plugins.folder.read_data")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    assert {"a": 1} == module.parse_toml("a = 1")
    if sys.version_info < (3, 15):
        with pytest.raises(
            OptionsError, match=r"not valid TOML.*run `pip install tomli`"
        ):
            module.read_toml(tmp_path / "zensical.toml")


def test_broken_settings_file_is_an_error_beside_a_valid_one(tmp_path):
    (tmp_path / "sitemap.toml").write_text("filename = 'a.xml'")
    (tmp_path / "zensical.toml").write_text("[project")

    with pytest.raises(OptionsError, match=r"zensical\.toml' is not valid TOML"):
        read_settings(tmp_path)
    assert {"filename": "a.xml"} == read_settings(
        tmp_path, tmp_path / "sitemap.toml"
    ).values


def test_folder_named_like_a_settings_file_is_an_error(tmp_path):
    (tmp_path / "sitemap.toml").mkdir()

    with pytest.raises(OptionsError, match="cannot be read"):
        read_settings(tmp_path)


def test_settings_can_begin_with_a_byte_order_mark(tmp_path):
    (tmp_path / "sitemap.toml").write_bytes(b"\xef\xbb\xbffilename = 'a.xml'")

    assert {"filename": "a.xml"} == read_settings(tmp_path).values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "---\nsitemap: [\n---\n",
            "line 3: expected the node content, but found '<stream end>'",
        ),
        (
            "---\na: b\nc: !!bool maybe\n---\n",
            "line 3: 'maybe' is not of the type bool",
        ),
        ("+++\na = 1\nb =\n+++\n", "Invalid value (at line 3, column 4)"),
        (f"+++\n{'a.' * 40}a = 1\n+++\n", "a key has more than 32 parts"),
        (f"+++\na = {'[' * 10_000}\n+++\n", "it is nested too deeply"),
    ],
)
def test_unreadable_front_matter_is_explained(tmp_path, text, expected):
    (tmp_path / "a.md").write_text(text)

    assert ({}, expected) == read_front_matter(tmp_path / "a.md")


def test_missing_source_has_no_front_matter(tmp_path):
    os.mkfifo(tmp_path / "b.md")

    assert ({}, "") == read_front_matter(tmp_path / "a.md")
    assert ({}, "") == read_front_matter(tmp_path / "b.md")
