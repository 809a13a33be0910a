"""Files that a hook or another plugin writes in its own last event
are listed by `files`."""

from __future__ import annotations

import pytest

from tests.hosts import mkdocs_project, sphinx_site
from tests.hosts.pelican_blog import Blog, paths, plugins_of_their_own

WRITE = """
from pathlib import Path

def on_post_build(config, **kwargs):
    Path(config["site_dir"], "llms.txt").write_text("# Site")
"""
CHANGE = """
    sitemap = Path(config["site_dir"], "sitemap.xml")
    sitemap.write_text(sitemap.read_text() + "<!-- changed -->")
"""
EXTENSION = """
from pathlib import Path

def setup(app):
    app.connect("build-finished", write, priority=PRIORITY)

def write(app, exception):
    Path(app.outdir, "llms.txt").write_text("# Site")
"""
PLUGINS = """
from pathlib import Path
from pelican.plugins import signals

def writer(number):
    def write(pelican):
        Path(pelican.output_path, f"llms-{number}.txt").write_text("# Site")
    return write

writers = [writer(number) for number in range(9)]

def register():
    for write in writers:
        signals.finalized.connect(write)
"""
OPTIONS = {"files": ["llms*.txt", "*.pdf"]}


@pytest.mark.parametrize(
    ("hook", "is_listed"), [(WRITE, True), (WRITE + CHANGE, False)]
)
def test_file_that_a_hook_of_mkdocs_writes_is_listed(tmp_path, hook, is_listed):
    """Unless the hook changed the sitemap, too: its change is kept."""
    mkdocs_project.write(
        tmp_path,
        {"hooks.py": hook, "docs/a.pdf": "PDF"},
        plugins=[{"sitemap": OPTIONS}],
        hooks=["hooks.py"],
    )
    built = mkdocs_project.build(tmp_path)

    expected = ["", "a.pdf", *["llms.txt"] * is_listed]
    assert expected == mkdocs_project.paths(built)
    assert ("matches no file" in built.log) is not is_listed


@pytest.mark.parametrize("priority", [100, 500, 900])
@pytest.mark.parametrize("is_first", [True, False])
def test_file_that_an_extension_of_sphinx_writes_is_listed(
    tmp_path, priority, is_first
):
    extensions = ["sitemap_plugins.sphinx", "late"]
    files = {
        "index.rst": sphinx_site.title("Home"),
        "extra/a.pdf": "PDF",
        "../lib/late.py": EXTENSION.replace("PRIORITY", str(priority)),
    }
    folder = sphinx_site.write(
        tmp_path / "docs",
        files,
        extensions=extensions if is_first else extensions[::-1],
        sitemap_files=OPTIONS["files"],
        html_extra_path=["extra"],
    )
    built = sphinx_site.build(folder)

    assert 0 == built.returncode, built.log
    expected = ["a.pdf", "index.html", "llms.txt"]
    assert expected == [loc.removeprefix(sphinx_site.BASE_URL) for loc in built.locs]
    assert 1 == built.log.count("sitemap.xml: 3 pages")


def test_files_that_plugins_of_pelican_write_are_listed(tmp_path, monkeypatch, capsys):
    """The receivers of a signal are called in no order, so there are several."""
    (tmp_path / "late_writers.py").write_text(PLUGINS)
    monkeypatch.syspath_prepend(tmp_path)
    blog = Blog(tmp_path)
    blog.write("a")
    with plugins_of_their_own():
        site = blog.object(
            PLUGINS=["sitemap_plugins.pelican", "late_writers"],
            SITEMAP=OPTIONS | {"lastmod": False},
        )
        site.run()
        capsys.readouterr()
        site.run()  # As `pelican -r` does.

    names = [f"llms-{number}.txt" for number in range(9)]
    assert names == [path for path in paths(blog.built) if path.startswith("llms")]
    assert 1 == capsys.readouterr().out.count("sitemap.xml: ")
