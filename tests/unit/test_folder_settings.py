"""Settings of the project and of its generator: read, never run."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.errors import OptionsError
from sitemap_plugins.folder.front_matter import read_front_matter
from sitemap_plugins.folder.generator import read_generator
from sitemap_plugins.folder.options import MOST_BYTES, parse_options, read_settings
from sitemap_plugins.folder.read_data import parse_yaml

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
    source = found.source_dir.relative_to(folder).as_posix() if found.source_dir else None
    return found.base_url, found.base_url_setting, source


def test_mkdocs_settings_are_read_and_nothing_in_them_runs(tmp_path, monkeypatch):
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
        ("!ENV A", ""),
        ("!ENV []", ""),
        ("!ENV {a: b}", ""),
    ],
)
def test_environment_variables_stand_for_their_values(tmp_path, value, expected):
    (tmp_path / "mkdocs.yml").write_text(f"site_url: {value}\n")

    assert expected == generator(tmp_path, SITE="https://env.com")[0]


def test_inherited_settings_count_below_ones_own(tmp_path):
    (tmp_path / "base.yml").write_text("site_url: https://a.com\ndocs_dir: src\nINHERIT: base.yml")
    (tmp_path / "mkdocs.yml").write_text("INHERIT: base.yml\nsite_url: https://b.com")

    assert ("https://b.com", "site_url in mkdocs.yml", "src") == generator(tmp_path)


def test_zensicals_own_settings_come_first(tmp_path):
    (tmp_path / "mkdocs.yml").write_text("site_url: https://a.com")
    (tmp_path / "zensical.toml").write_text('[project]\nsite_url = "https://b.com"')

    assert ("https://b.com", "site_url in zensical.toml", "docs") == generator(tmp_path)


@pytest.mark.parametrize("folder", ["docs", "docs/source", "source", "."])
def test_sphinx_settings_are_read_as_data(tmp_path, folder):
    (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    (tmp_path / folder / "conf.py").write_text(
        "import nothing.at.all\nhtml_baseurl = 'https://old.com'\nhtml_baseurl = 'https://a.com/'\n"
    )

    assert generator(tmp_path) == ("https://a.com/", "html_baseurl in conf.py", folder)


def test_an_assignment_with_a_type_counts(tmp_path):
    (tmp_path / "conf.py").write_text("html_baseurl: str = 'https://a.com/'\nhtml_baseurl: str")

    assert "https://a.com/" == generator(tmp_path)[0]


@pytest.mark.parametrize(
    "text",
    [
        "html_baseurl = os.environ['A']",
        "html_baseurl: str",
        "html_baseurl = 1",
        "html_baseurl = 'a' if",
        "",
    ],
)
def test_what_is_not_written_out_is_not_known(tmp_path, text):
    (tmp_path / "conf.py").write_text(text)

    assert "" == generator(tmp_path)[0]


def test_a_folder_without_settings_says_nothing(tmp_path):
    assert ("", "--base-url", None) == generator(tmp_path)


@pytest.mark.parametrize("text", ["a: [", "- a", "a: 2024-99-99", "a: &a [*a]", "? {[]}: b", "\0"])
def test_yaml_that_cannot_be_read_holds_nothing(text):
    assert parse_yaml(text, {}).get("site_url") is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sitemap.toml", "max_urls = 5"),
        ("zensical.toml", "[project.extra.sitemap]\nmax_urls = 5"),
        ("pyproject.toml", "[tool.sitemap-plugins]\nmax_urls = 5"),
    ],
)
def test_settings_stand_in_one_of_three_files(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    settings = read_settings(tmp_path)

    assert settings.where == name
    assert 5 == parse_options(settings, tmp_path).max_urls
    assert read_settings(tmp_path, tmp_path / name) == settings


def test_the_first_file_that_has_settings_counts(tmp_path):
    (tmp_path / "zensical.toml").write_text("[project]\nsite_name = 'x'")
    (tmp_path / "pyproject.toml").write_text("[tool.sitemap-plugins]\nsource_dir = 'docs'")

    assert "docs" == parse_options(read_settings(tmp_path), tmp_path).source_dir


def test_a_file_that_was_asked_for_must_hold_settings(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.other]")

    with pytest.raises(OptionsError, match=r"does not contain the table \[tool.sitemap-plugins\]"):
        read_settings(tmp_path, tmp_path / "pyproject.toml")
    with pytest.raises(OptionsError, match="does not exist: correct --config"):
        read_settings(tmp_path, tmp_path / "nothing.toml")


def test_a_twin_that_is_there_is_written_anew_unless_the_settings_say_no(tmp_path):
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
        ("a.rst", "\n:sitemap: false\n:robots:  x\n\nT\n=\n", {"sitemap": "false", "robots": "x"}),
        ("a.md", "Text\n---\nsitemap: false\n---\n", {}),
        ("a.md", "---\nsitemap: [\n---\n", {}),
        ("a.md", "---\nsitemap: false\n", {}),
        ("a.rst", "Text\n\n:sitemap: false\n", {}),
        ("a.ipynb", "---\nsitemap: false\n---\n", {}),
    ],
)
def test_front_matter_is_what_stands_above_the_text(tmp_path, name, text, expected):
    (tmp_path / name).write_bytes(text.encode())

    assert expected == read_front_matter(tmp_path / name)


def test_a_source_that_is_not_there_has_none(tmp_path):
    assert {} == read_front_matter(tmp_path / "a.md")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a = 1\nb = [1,\nc = 2\n", "is not valid TOML (Invalid value (at line 3, column 1)"),
        (b"a = [\n\n", "is not valid TOML (Invalid value (in the last line, 1)): correct it there"),
        (b"a = 1\nb = '\xe9'\n", "is not UTF-8 (line 2): save it in that encoding"),
        (b"a = " + b"[" * 100_000, "is not valid TOML ("),
        (b"a = " + b"1" * 5_000, "is not valid TOML ("),
        (b"#" * (MOST_BYTES + 1), "cannot be read (larger than 1,048,576 bytes): correct the file"),
    ],
)
@pytest.mark.parametrize("name", ["sitemap.toml", "zensical.toml", "pyproject.toml"])
def test_settings_that_cannot_be_read_are_an_error(tmp_path, name, content, said):
    (tmp_path / name).write_bytes(content)

    for file in (None, tmp_path / name):
        with pytest.raises(OptionsError) as caught:
            read_settings(tmp_path, file)
        assert f"'{tmp_path / name}' {said}"[:60] in str(caught.value)
        assert said in str(caught.value)


def test_a_broken_file_stops_though_another_has_the_settings(tmp_path):
    (tmp_path / "sitemap.toml").write_text("filename = 'a.xml'")
    (tmp_path / "zensical.toml").write_text("[project")

    with pytest.raises(OptionsError, match=r"zensical\.toml' is not valid TOML"):
        read_settings(tmp_path)
    assert {"filename": "a.xml"} == read_settings(tmp_path, tmp_path / "sitemap.toml").values


def test_a_folder_in_place_of_settings_is_an_error(tmp_path):
    (tmp_path / "sitemap.toml").mkdir()

    with pytest.raises(OptionsError, match="cannot be read"):
        read_settings(tmp_path)


def test_settings_may_begin_with_a_byte_order_mark(tmp_path):
    (tmp_path / "sitemap.toml").write_bytes(b"\xef\xbb\xbffilename = 'a.xml'")

    assert {"filename": "a.xml"} == read_settings(tmp_path).values
