"""`explain` says why each page has its date, in every host, as the build decided."""

from __future__ import annotations

import functools
import json
import re
import shutil

import pytest

from tests.cli.command import run
from tests.full import FULL
from tests.git_server import serving
from tests.hosts import mkdocs_project, sphinx_site
from tests.sites import NEWS, Built, MkDocs, Pelican, Source, git
from tests.sites import Site as Written

pytestmark = FULL

BEFORE, LATER = "2020-01-02T03:04:05+00:00", "2024-08-09T10:11:12+00:00"
I18N = {
    "docs_structure": "suffix",
    "languages": [
        {"locale": "en", "name": "English", "default": True},
        {"locale": "de", "name": "Deutsch"},
    ],
}
MONOREPO = """
from pathlib import Path
from mkdocs.structure.files import File

def on_files(files, config):
    other = str(Path(config.config_file_path).parent / "other")
    files.append(File("part/a.md", other, config.site_dir, True))
"""


def commit(folder, subject, moment):
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", subject, GIT_COMMITTER_DATE=moment)


def init(folder):
    git(folder, "init", "-q", "-b", "main")
    (folder / ".gitignore").write_text("out\n__pycache__\n")


def mkdocs(folder, files, options, **settings):
    """Build a project of MkDocs whose `docs/later.txt`-like files
    are committed later."""
    plugins = [*settings.pop("plugins", []), {"sitemap": options}]
    mkdocs_project.write(folder, files, plugins=plugins, **settings)
    init(folder)
    commit(folder, "first", BEFORE)


def translated(folder, options):
    files = {"docs/a.md": "# A\n", "docs/a.de.md": "# B\n", "docs/index.de.md": "# C\n"}
    mkdocs(folder, files, options, plugins=[{"i18n": I18N}])
    return mkdocs_project.build(folder)


def monorepo(folder, options):
    files = {"other/part/a.md": "# A\n", "hooks.py": MONOREPO}
    mkdocs(folder, files, options, hooks=["hooks.py"])
    return mkdocs_project.build(folder)


def blog(folder, options):
    post = "---\ndate: 2020-01-01\n---\n# {}\n"
    files = {f"docs/blog/posts/{n}.md": post.format(n) for n in ("one", "two")}
    files["docs/blog/index.md"] = "# Blog\n"
    theme = {"name": "material", "font": False}
    mkdocs(folder, files, options, plugins=["blog"], theme=theme)
    (folder / "docs/blog/posts/two.md").write_text(post.format("two") + "More.\n")
    commit(folder, "more", LATER)
    return mkdocs_project.build(folder)


def content(folder, options):
    # Two pages: a site with equal bytes of a sitemap would have the same record.
    files = {"docs/a.md": "# A\n", "docs/b.md": "# B\n"}
    mkdocs(folder, files, {**options, "changes": "content"})
    (folder / "docs/a.md").write_text("---\ntags: [x]\n---\n# A\n")
    commit(folder, "tags only", LATER)
    return mkdocs_project.build(folder)


def other_sources(folder, options):
    files = {"docs/a.md": "# A\n", "data.yml": "1"}
    mkdocs(folder, files, {**options, "sources": {"a/": ["data.yml"]}})
    (folder / "data.yml").write_text("2")
    commit(folder, "data", LATER)
    return mkdocs_project.build(folder)


def shallow(folder, options):
    origin = folder / "origin"
    mkdocs(origin, {"docs/a.md": "# A\n"}, {**options, "fetch_history": True})
    (origin / "docs/index.md").write_text("# Other\n")
    commit(origin, "other", LATER)
    git(origin, "config", "uploadpack.allowFilter", "true")
    clone = folder / "clone"
    with serving(folder) as server:
        address = f"{server.url}origin/.git"
        git(folder, "clone", "-q", "--depth=1", address, str(clone))
        built = mkdocs_project.build(clone, CI="true", TMPDIR=str(folder))
    assert BEFORE == built.entries["https://example.com/a/"]["lastmod"]
    return built


def other_name(folder, options):
    mkdocs(folder, {"docs/a.md": "# A\n"}, options, docs_dir="docs")
    text = (folder / "mkdocs.yml").read_text()
    (folder / "mkdocs.yml").unlink()
    (folder / "docs").rename(folder / "pages")
    text = text.replace('"docs_dir": "docs"', '"docs_dir": "pages"')
    (folder / "mkdocs-site.yml").write_text(text)
    commit(folder, "moved", LATER)
    host = MkDocs()
    host.config = "mkdocs-site.yml"
    return host.run(folder)


def sphinx_linked(folder, options):
    """Folders of sources are links, which the plugin follows."""
    sphinx(folder, {"specs/a.rst": sphinx_site.title("A")}, options)
    (folder / "doc/linked").symlink_to("../specs")
    (folder / "doc/index.rst").write_text(sphinx_site.title("Home") + ":doc:`linked/a`")
    commit(folder, "linked", LATER)
    return sphinx_build(folder, "doc", "-c", ".")


def sphinx_elsewhere(folder, options):
    """As Jupyter Book: the settings are where no source is."""
    sphinx(folder, {"lectures/a.rst": sphinx_site.title("A")}, options)
    shutil.move(folder / "doc/index.rst", folder / "lectures/index.rst")
    commit(folder, "lectures", LATER)
    return sphinx_build(folder, "lectures", "-c", ".")


def sphinx_autosummary(folder, options):
    """Pages of functions are made of modules."""
    text = sphinx_site.title("Home") + (
        ".. autosummary::\n   :toctree: generated\n\n   part.one\n   part.two\n"
    )
    module = 'def one():\n    """One."""\n\ndef two():\n    """Two."""\n'
    settings = {
        "extensions": ["sphinx.ext.autosummary", "sitemap_plugins.sphinx"],
    }
    sphinx(folder, {"lib/part.py": module}, options, **settings)
    (folder / "doc/index.rst").write_text(text)
    (folder / ".gitignore").write_text("out\n__pycache__\ngenerated\n")
    commit(folder, "autosummary", LATER)
    return sphinx_build(folder, "doc", "-c", ".", PYTHONPATH=str(folder / "lib"))


def sphinx(folder, files, options, **settings):
    named = {f"sitemap_{name}": value for name, value in options.items()}
    home = {"doc/index.rst": sphinx_site.title("Home")}
    sphinx_site.write(folder, {**home, **files}, **named, **settings)
    init(folder)
    commit(folder, "first", BEFORE)


def sphinx_build(folder, source, *arguments, **environ):
    done = sphinx_site.run_module(
        "sphinx",
        ["-b", "dirhtml", *arguments, source, "out"],
        folder=folder,
        usual=sphinx_site.QUIET,
        environ=environ,
    )
    log = sphinx_site.decode(done.stdout + done.stderr)
    assert 0 == done.returncode, log
    return Built(done.returncode, log, folder / "out")


def pelican(folder, options):
    """As the manual writes it: the address is in no file that this command reads."""
    host = Pelican()
    sources = (Source("index"), Source("news/a", date=LATER))
    settings = {**options, "changes": "content"}
    return host.build(Written(sources=sources, options=settings), folder)


SITES = (
    translated,
    monorepo,
    blog,
    content,
    other_sources,
    shallow,
    other_name,
    sphinx_linked,
    sphinx_elsewhere,
    sphinx_autosummary,
    pelican,
)


@pytest.fixture(scope="module")
def built_once(tmp_path_factory):
    """Return a function that builds a site, or finds it built."""

    @functools.cache
    def build_once(site):
        built = site(tmp_path_factory.mktemp(site.__name__), {})
        assert 0 == built.returncode, built.log
        assert built.entries
        return built

    return build_once


@pytest.fixture
def built(request, tmp_path, built_once):
    """A copy of a built site, which the test may change."""
    original = built_once(request.param).output_dir
    folder = tmp_path / "site"
    shutil.copytree(original.parent, folder, symlinks=True)
    return Built(0, "", folder / original.name)


def asked(folder, name):
    """Return what `explain` says of a name, for programs, and all that it prints."""
    done = run(folder, "explain", name, "out", "--format", "json")
    assert 0 == done.returncode, done.err
    return json.loads(done.out)["pages"], done.err


@pytest.mark.parametrize("built", SITES, indirect=True)
def test_every_page_has_a_reason_and_the_date_of_the_sitemap(built):
    folder = built.output_dir.parent
    for url, entry in built.entries.items():
        ((page,), messages) = asked(folder, url)
        ((date,)) = page["dates"]

        assert url == page["url"]
        assert "" == messages
        assert entry.get("lastmod") == date["date"]
        assert "no date" != date["words"]


@pytest.mark.parametrize(
    ("built", "source", "url"),
    [
        (translated, "docs/a.de.md", "de/a/"),
        (pelican, "content/pages/news/a.md", "news/a/"),
    ],
    indirect=["built"],
)
def test_source_names_its_page(built, source, url):
    done = run(built.output_dir.parent, "explain", source, "out")

    assert done.out.startswith(f"{source} → https://example.com/{url}: 20"), done.err


def test_source_is_not_taken_for_one_above_it(tmp_path):
    """In a project whose sources begin at the repository's root."""
    files = {"index.rst": sphinx_site.title("A"), "b/index.rst": sphinx_site.title("B")}
    sphinx_site.write(tmp_path, files)
    init(tmp_path)
    commit(tmp_path, "first", BEFORE)
    assert 0 == sphinx_site.build(tmp_path).returncode

    ((page,), _) = asked(tmp_path, "b/index.rst")
    assert "b/index.rst" == page["page"]


@pytest.mark.parametrize("built", [translated], indirect=True)
def test_check_names_the_source_that_the_record_has(built):
    folder = built.output_dir.parent
    page = built.output_dir / "de/a/index.html"
    tag = '<meta name="robots" content="noindex">'
    page.write_text(page.read_text().replace("<head>", f"<head>{tag}"))
    done = run(folder, "check", "out", "--select", "noindex", "--format", "json")
    sources = {each["url"]: each["source"] for each in json.loads(done.out)["findings"]}

    assert "docs/a.de.md" == sources["https://example.com/de/a/"]


@pytest.mark.parametrize("built", [content], indirect=True)
def test_commits_that_are_passed_over_are_named(built):
    done = run(built.output_dir.parent, "explain", "docs/a.md", "out")

    assert "" == done.err
    assert re.search(
        r'passed over: [0-9a-f]{7} "tags only" \(reads the same\)', done.out
    )


@pytest.mark.parametrize("built", [content], indirect=True)
def test_sitemap_that_was_changed_since_has_no_reasons(built):
    sitemap = built.output_dir / "sitemap.xml"
    sitemap.write_text(sitemap.read_text().replace(BEFORE, NEWS))
    done = run(built.output_dir.parent, "explain", "a/", "out")

    assert 2 == done.returncode
    assert (
        "this machine has no record of the build that wrote 'out/sitemap.xml'"
        in done.err
    )
