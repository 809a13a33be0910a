"""Other plugins of Pelican: redirects, generators of their own, and other sitemaps."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import pytest
from pelican.generators import Generator
from pelican.plugins import signals

import sitemap_plugins
from sitemap_plugins.core.messages import OptionsError
from tests.folder.html_folder import write
from tests.hosts.pelican_blog import BASE, Blog, paths, plugins_of_their_own
from tests.sites import Pelican as Host
from tests.written import locs

OURS = "sitemap_plugins.pelican"

PACKAGE = Path(sitemap_plugins.__file__).parent
FOUND = PACKAGE / "pelican/found.py"
if not FOUND.is_file():  # A wheel has it where Pelican looks.
    FOUND = PACKAGE.parent / "pelican/plugins/sitemap_plugins/__init__.py"


@pytest.fixture
def blog(tmp_path):
    with plugins_of_their_own():
        yield Blog(tmp_path)


# --- redirects
# ------------------------------------------------------------------------------------


def test_redirects_of_pelican_redirect_are_redirects(blog, caplog, capsys):
    """Its template is given the page that the redirect leads to."""
    blog.write("new", original_url="old.html")
    blog.write("other", original_url="2021/07/other")
    blog.write("own", Save_as="own.html", URL="own.html", original_url="older.html")
    blog.write("pages/about", original_url="who.html")
    built = blog.build(PLUGINS=["pelican_redirect", OURS], DIRECT_TEMPLATES=[])

    assert (built.output_dir / "2021/07/other/index.html").exists()
    assert [
        "category/misc.html",
        "new.html",
        "other.html",
        "own.html",
        "pages/about.html",
    ] == paths(built)
    assert ", 4 left out (4 redirect)" in capsys.readouterr().out
    assert [] == [
        record for record in caplog.records if record.name.startswith("sitemap")
    ]


def test_redirects_pass_a_strict_build(tmp_path):
    """A site with 21 of them failed."""
    blog = Blog(tmp_path)
    blog.write("new", original_url="old.html")
    settings = (
        f"PLUGINS = ['pelican_redirect', {OURS!r}]\nSITEURL = 'https://example.com'\n"
        "TIMEZONE = 'UTC'\nSTATIC_PATHS = []\n"
    )
    (tmp_path / "pelicanconf.py").write_text(settings)
    built = Host().run(tmp_path, "--fatal", "warnings")

    assert 0 == built.returncode, built.log
    assert "1 redirect" in built.log


def test_pages_of_pelican_redirect_url_are_redirects(blog, capsys):
    blog.write("pages/code", redirect_url="https://code.example.org")
    blog.write("pages/about")
    built = blog.build(PLUGINS=["redirect_url", OURS], DIRECT_TEMPLATES=[])

    assert ["pages/about.html"] == paths(built)
    assert "1 left out (1 redirect)" in capsys.readouterr().out


# --- pages of other generators
# --------------------------------------------------------------------


class Unreadable:
    """An object of a plugin that fails whatever it is asked."""

    def __getattr__(self, name):
        message = f"no {name}"
        raise RuntimeError(message)


FOREIGN = {
    "numbers and texts": {
        "page": 3,
        "tag": "x",
        "article": "y",
        "articles": [1],
        "period": 2024,
    },
    "a dictionary": {"page": {"title": "x"}, "category": {"slug": "y"}},
    "nothing": {},
    "a list of its own": {"articles": [{"title": "x"}], "page_name": "made"},
}


def generator_of(**context: object) -> type[Generator]:
    class Made(Generator):
        def generate_output(self, writer):
            template = self.env.from_string("<p>Made.")
            writer.write_file("made.html", template, self.context, **context)

    return Made


def build_with(blog: Blog, **context: object):
    made = generator_of(**context)

    def generators(_: object) -> type[Generator]:
        return made

    signals.get_generators.connect(generators)
    return blog.build(DIRECT_TEMPLATES=[])


@pytest.mark.parametrize("case", FOREIGN)
def test_pages_of_other_generators_are_listed(blog, case, caplog):
    blog.write("one")
    built = build_with(blog, **FOREIGN[case])

    assert ["category/misc.html", "made.html", "one.html"] == paths(built)
    assert "failed" not in caplog.text


def test_page_that_fails_does_not_affect_others(blog, caplog):
    blog.write("one")
    built = build_with(blog, articles_page=Unreadable())

    assert ["category/misc.html", "one.html"] == paths(built)
    assert "made.html: the page is left out: RuntimeError: no url (" in caplog.text
    assert "(failed)" in caplog.text


# --- other sitemaps
# -------------------------------------------------------------------------------

RIVALS = [
    "plugins.sitemap",
    "extended_sitemap",
    "plugins.pelican_sitemap.sitemap",
]


@pytest.mark.parametrize("name", RIVALS)
def test_another_sitemap_plugin_is_one_error(tmp_path, name):
    file = tmp_path / "rivals" / f"{name.replace('.', '/')}.py"
    file.parent.mkdir(parents=True)
    file.write_text("def register(): pass")
    Blog(tmp_path).write("one")
    settings = (
        f"import sys\nsys.path.insert(0, 'rivals')\nPLUGINS = [{name!r}, {OURS!r}]"
    )
    (tmp_path / "pelicanconf.py").write_text(settings + "\nPLUGIN_PATHS = ['rivals']\n")
    built = Host().run(tmp_path)

    assert 1 == built.returncode
    assert 1 == built.log.count(
        f"PLUGINS: holds {name!r} too, which writes the same file"
    )
    assert "Traceback" not in built.log
    assert not built.output_dir.exists()


def test_pelican_sitemap_itself_is_one_error(blog):
    with pytest.raises(
        OptionsError, match=r"holds 'pelican.plugins.sitemap' too, which writes"
    ):
        blog.object(PLUGINS=["sitemap", OURS])


# --- Pelican's own search
# -------------------------------------------------------------------------------------

SEARCH = """\
import pelican.plugins
pelican.plugins.__path__ = [{}]
"""


def search_in(tmp_path, *names, plugins=None):
    """Build a blog for which Pelican finds these plugins, installed in a folder."""
    for name in names:
        text = "def register(): print('theirs is there')\n"
        if name == "sitemap_plugins":
            text = FOUND.read_text("utf-8")
        write(tmp_path, {f"installed/{name}/__init__.py": text})
    Blog(tmp_path).write("one")
    settings = SEARCH.format(repr(str(tmp_path / "installed")))
    settings += f"SITEURL = {BASE!r}\nTIMEZONE = 'UTC'\n"
    if plugins:
        settings += f"PLUGINS = {plugins}\n"
    (tmp_path / "pelicanconf.py").write_text(settings)
    return Host().run(tmp_path)


@pytest.mark.parametrize(
    "plugins",
    [
        None,
        ["sitemap_plugins"],
        ["pelican.plugins.sitemap_plugins"],
        ["sitemap_plugins", OURS],
        [OURS, "sitemap_plugins"],
        [OURS],
    ],
    ids=str,
)
def test_pelican_finds_the_plugin_and_runs_it_once(tmp_path, plugins):
    built = search_in(tmp_path, "sitemap_plugins", plugins=plugins)

    assert 0 == built.returncode
    assert 1 == built.log.count("sitemap.xml: "), built.log
    sitemap = (built.output_dir / "sitemap.xml").read_bytes()
    assert f"{BASE}one.html" in locs(sitemap)


def test_search_that_finds_two_leaves_the_sitemap_to_the_other(tmp_path):
    """It wrote the sitemap before ours was installed."""
    built = search_in(tmp_path, "sitemap_plugins", "sitemap")

    assert 0 == built.returncode
    assert "theirs is there" in built.log
    assert "'pelican.plugins.sitemap' writes the sitemap" in built.log
    assert "(other-sitemap)" in built.log
    assert not (built.output_dir / "sitemap.xml").exists()


def test_search_of_a_site_with_other_plugins_loads_nothing_of_ours(tmp_path):
    write(tmp_path, {"other.py": "def register(): pass"})
    built = search_in(tmp_path, "sitemap_plugins", plugins=["other"])

    assert 0 == built.returncode
    assert "sitemap" not in built.log


def test_wheel_has_the_plugin_where_pelican_looks():
    files = [file.as_posix() for file in metadata.files("sitemap-plugins")]
    if any(file.endswith(".pth") for file in files):
        pytest.skip("the package is not installed from a wheel")

    assert "pelican/plugins/sitemap_plugins/__init__.py" in files
    assert "pelican/__init__.py" not in files
    assert "pelican/plugins/__init__.py" not in files


# --- rebuilds
# -------------------------------------------------------------------------------------


def test_autoreload_survives_wrong_options_like_a_syntax_error(blog):
    """`pelican -r` catches every Exception of the settings that changed,
    and waits for the next."""
    with pytest.raises(Exception, match="format = 'json'") as raised:
        blog.object(SITEMAP={"format": "json"})
    assert not isinstance(raised.value, SystemExit)


def settings_of(folder: Path, sitemap: str) -> None:
    text = f"PLUGINS = [{OURS!r}]\nSITEURL = {BASE!r}\nTIMEZONE = 'UTC'\nSITEMAP = {sitemap}\n"
    (folder / "pelicanconf.py").write_text(text)


def test_wrong_option_is_one_line_at_the_end_of_the_output(tmp_path):
    Blog(tmp_path).write("one")
    settings_of(tmp_path, "{'format': 'json'}")
    built = Host().run(tmp_path)

    assert 1 == built.returncode
    lines = [
        line for line in built.log.splitlines() if "SITEMAP in the settings" in line
    ]
    assert 1 == len(lines)
    assert "Traceback" not in built.log
