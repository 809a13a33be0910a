"""Pages that the build itself makes:
without a date, with a notice, or dated by what they show."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from pelican.plugins import signals

from tests.full import FULL, full
from tests.hosts import mkdocs_project, pelican_blog, sphinx_site
from tests.sites import git

OLD, NEW = "2024-05-01T10:00:00+00:00", "2024-06-01T10:00:00+00:00"
SCRIPT = '"""\nPlot {0}\n======\n\nText.\n"""\n\nx = 1\n'
"""An example of sphinx-gallery;
its name does not match the pattern of those that are run."""
GALLERY = {
    "extensions": ["sphinx_gallery.gen_gallery", "sitemap_plugins.sphinx"],
    "sphinx_gallery_conf": {
        "examples_dirs": "../examples",
        "gallery_dirs": "auto_examples",
        "filename_pattern": "/none",
        "write_computation_times": False,
    },
    "exclude_patterns": ["out*", "sg_*"],
}
GENERATE = """
import mkdocs_gen_files

for name in ("one", "two"):
    with mkdocs_gen_files.open(f"api/{name}.md", "w") as file:
        file.write(f"# {name}")
"""


MANUAL = Path(__file__).parents[2] / "docs"


def recipe(page, first):
    """Return the example of a page of the manual that holds a text."""
    examples = re.findall(r"(?ms)^```python\n(.*?)^```", (MANUAL / page).read_text())
    (example,) = (each for each in examples if first in each)
    return example


def commit(folder):
    """Commit everything at one time, and `two.py` once more, later."""
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "all", GIT_COMMITTER_DATE=OLD)
    (two,) = folder.rglob("*two.py")
    two.write_text(two.read_text() + "y = 2\n")
    git(folder, "commit", "-qam", "two", GIT_COMMITTER_DATE=NEW)


def dates(built, base):
    return {
        loc.removeprefix(base): entry.get("lastmod")
        for loc, entry in built.entries.items()
    }


@pytest.fixture
def gallery(tmp_path):
    pytest.importorskip("sphinx_gallery")
    files = {
        "index.rst": f"{sphinx_site.title('Home')}.. toctree::\n\n   auto_examples/index\n",
        "../examples/GALLERY_HEADER.rst": "Gallery\n=======\n",
        "../examples/plot_one.py": SCRIPT.format("one"),
        "../examples/plot_two.py": SCRIPT.format("two"),
        "../.gitignore": "auto_examples/\nout/\nsg_*\n",
    }
    return sphinx_site.write(tmp_path / "docs", files, **GALLERY)


@FULL
@pytest.mark.parametrize("with_recipe", [False, full(True)])
def test_sphinx_gallery_pages_have_the_dates_of_the_scripts_that_it_copies(
    gallery, with_recipe
):
    """A script of the same bytes and name is beside each page,
    and the page depends on it.

    The recipe in the manual names the scripts.
    """
    if with_recipe:
        conf = gallery / "conf.py"
        conf.write_text(f"{conf.read_text()}\n{recipe('rules.md', 'examples = Path')}")
    commit(gallery.parent)
    built = sphinx_site.build(gallery)

    found = dates(built, sphinx_site.BASE_URL)
    assert OLD == found["auto_examples/plot_one.html"]
    assert NEW == found["auto_examples/plot_two.html"]
    assert (
        "no source that git can date" in built.log
    )  # The gallery's own list of pages.
    assert "(1 without a date)" in built.log


def test_recipe_in_the_manual_dates_changed_copies_by_their_originals(tmp_path):
    texts = {
        "index": sphinx_site.title("Home") + ".. toctree::\n\n   guide/two\n",
        "guide/two": sphinx_site.title("Two"),
    }
    files = {}
    for name, text in texts.items():
        files[f"{name}.rst"] = f"{text}\nAdded by a script.\n"
        files[f"../source/{name}.rst"] = text
    folder = sphinx_site.write(tmp_path / "copies", files)
    with (folder / "conf.py").open("a", encoding="utf-8") as file:
        file.write(recipe("sphinx.md", "originals = Path"))
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "copies/conf.py", "source")
    git(tmp_path, "commit", "-qm", "all", GIT_COMMITTER_DATE=OLD)
    two = tmp_path / "source/guide/two.rst"
    two.write_text(f"{texts['guide/two']}\nMore.\n")
    git(tmp_path, "commit", "-qam", "two", GIT_COMMITTER_DATE=NEW)
    built = sphinx_site.build(folder)

    found = dates(built, sphinx_site.BASE_URL)
    assert {"index.html": OLD, "guide/two.html": NEW} == found


def test_gen_files_pages_have_no_date_and_one_notice_counts_them(tmp_path):
    pytest.importorskip("mkdocs_gen_files")
    generator = {"gen-files": {"scripts": ["generate.py"]}}
    files = {"generate.py": GENERATE, "src/two.py": "x = 1\n"}
    mkdocs_project.write(tmp_path, files, plugins=["sitemap", generator])
    commit(tmp_path)
    built = mkdocs_project.build(tmp_path, "--strict")

    assert {"": OLD, "api/one/": None, "api/two/": None} == dates(
        built, mkdocs_project.BASE
    )
    assert 1 == built.log.count(
        "2 pages have no source that git can date (api/one.md and api/two.md): name the files that"
        " the build makes them of in the option sources, such as {'api/': ['src/*']}"
    )
    assert "3 pages (2 without a date)" in built.log


def test_no_pattern_is_proposed_that_matches_pages_with_dates(tmp_path):
    pytest.importorskip("mkdocs_gen_files")
    generator = {"gen-files": {"scripts": ["generate.py"]}}
    files = {"generate.py": GENERATE, "src/two.py": "x\n", "docs/api/a.md": "# A\n"}
    mkdocs_project.write(tmp_path, files, plugins=["sitemap", generator])
    commit(tmp_path)
    built = mkdocs_project.build(tmp_path, "--strict")

    assert "in the option sources, such as {'api/one.md': ['src/*']}" in built.log


def test_recipe_in_the_manual_dates_gen_files_pages(tmp_path):
    pytest.importorskip("mkdocs_gen_files")
    files = {"src/one.py": "x = 1\n", "src/two.py": "x = 1\n"}
    files["generate.py"] = recipe("mkdocs.md", "import mkdocs_gen_files")
    settings = {"repo_url": "https://github.com/o/r", "edit_uri": "edit/main/docs/"}
    generator = {"gen-files": {"scripts": ["generate.py"]}}
    mkdocs_project.write(tmp_path, files, plugins=["sitemap", generator], **settings)
    commit(tmp_path)
    built = mkdocs_project.build(tmp_path, "--strict")

    expected = {"": OLD, "reference/one/": OLD, "reference/two/": NEW}
    assert expected == dates(built, mkdocs_project.BASE)
    assert "no source that git can date" not in built.log


@pytest.mark.parametrize(
    ("host", "date"), [("https://github.com", NEW), ("https://example.org", None)]
)
def test_edit_link_that_a_plugin_sets_names_the_source(tmp_path, host, date):
    """If it leads to the project's own repository."""
    hook = f"""
from mkdocs.structure.files import File

def on_files(files, config):
    files.append(File.generated(config, "api.md", content="# Two"))

def on_page_markdown(markdown, page, config, files):
    if page.file.src_uri == "api.md":
        page.edit_url = "{host}/o/r/edit/main/src/two.py"
"""
    settings = {"repo_url": "https://github.com/o/r", "edit_uri": "edit/main/docs/"}
    files = {"hook.py": hook, "src/two.py": "x = 1\n"}
    mkdocs_project.write(tmp_path, files, hooks=["hook.py"], **settings)
    commit(tmp_path)

    found = dates(mkdocs_project.build(tmp_path), mkdocs_project.BASE)
    assert {"": OLD, "api/": date} == found


def test_the_option_sources_dates_generated_pages(tmp_path):
    pytest.importorskip("mkdocs_gen_files")
    plugins = [
        {"sitemap": {"sources": {"api/": ["src/*.py"]}}},
        {"gen-files": {"scripts": ["generate.py"]}},
    ]
    files = {"generate.py": GENERATE, "src/two.py": "x = 1\n"}
    mkdocs_project.write(tmp_path, files, plugins=plugins)
    commit(tmp_path)
    built = mkdocs_project.build(tmp_path, "--strict")

    assert {"": OLD, "api/one/": NEW, "api/two/": NEW} == dates(
        built, mkdocs_project.BASE
    )
    assert "no source that git can date" not in built.log
    assert re.search(r"sitemap\.xml: 3 pages$", built.log, re.MULTILINE)


# Outside git, a file that the build writes has the time of the build, which says nothing
# of the page.


def test_mkdocs_source_that_the_build_writes_has_no_date_outside_git(tmp_path):
    hook = """
from pathlib import Path

def on_pre_build(config):
    Path(config.docs_dir, "new.md").write_text("# New", "utf-8")
"""
    mkdocs_project.write(tmp_path, {"hook.py": hook}, hooks=["hook.py"])
    os.utime(tmp_path / "docs/index.md", (1, 1_600_000_000))
    built = mkdocs_project.build(tmp_path)

    found = dates(built, mkdocs_project.BASE)
    assert found[""] is not None
    assert found["new/"] is None


def test_sphinx_source_that_the_build_writes_has_no_date_outside_git(tmp_path):
    conf = """
from pathlib import Path

def write(app):
    Path(app.srcdir, "new.rst").write_text("New\\n===\\n", "utf-8")

def setup(app):
    app.connect("builder-inited", write)
"""
    files = {"index.rst": sphinx_site.title("Home") + ".. toctree::\n\n   new\n"}
    folder = sphinx_site.write(tmp_path, files)
    with (folder / "conf.py").open("a", encoding="utf-8") as file:
        file.write(conf)
    os.utime(folder / "index.rst", (1, 1_600_000_000))
    built = sphinx_site.build(folder)

    found = dates(built, sphinx_site.BASE_URL)
    assert found["index.html"] is not None
    assert found["new.html"] is None


def test_pelican_source_that_the_build_writes_has_no_date_outside_git(tmp_path):
    blog = pelican_blog.Blog(tmp_path)
    blog.write("pages/old")

    def write(generator):
        new = blog.folder / "content/pages/new.md"
        new.write_text("Title: New\n\nText.\n", "utf-8")

    with pelican_blog.plugins_of_their_own():
        signals.article_generator_init.connect(write, weak=False)
        built = blog.build()

    found = pelican_blog.lastmods(built)
    assert pelican_blog.MTIME_TEXT == found["pages/old.html"]
    assert found["pages/new.html"] is None
