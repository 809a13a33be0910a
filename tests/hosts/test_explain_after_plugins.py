"""`explain` never contradicts the sitemap beside it, whatever the plugin knew."""

from __future__ import annotations

import functools
import json
import re
import shutil

import pytest

from tests.cli.command import run
from tests.full import FULL
from tests.git_repository import ENVIRON
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
    mkdocs(folder, {"docs/a.md": "# A\n"}, {**options, "changes": "content"})
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
        "sitemap_dependencies": "all",
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


@pytest.fixture(params=["", "pages.json"], ids=["alone", "with record"])
def record(request):
    return request.param


@pytest.fixture(scope="module")
def built_once(tmp_path_factory):
    """Return a function that builds a site, with a record or not, or finds it built."""

    @functools.cache
    def build_once(site, record):
        options = {"record": record} if record else {}
        built = site(tmp_path_factory.mktemp(site.__name__), options)
        assert 0 == built.returncode, built.log
        assert built.entries
        return built

    return build_once


@pytest.fixture
def built(request, tmp_path, record, built_once):
    """A copy of a built site, which the test may change."""
    original = built_once(request.param, record).output_dir
    folder = tmp_path / "site"
    shutil.copytree(original.parent, folder, symlinks=True)
    return Built(0, "", folder / original.name)


def asked(folder, name):
    """Return what `explain` says of a name, for programs, and all that it prints."""
    done = run(folder, "explain", name, "out", "--format", "json")
    assert 0 == done.returncode, done.err
    return json.loads(done.out)["pages"], done.err


@pytest.mark.parametrize("built", SITES, indirect=True)
def test_date_and_url_are_those_of_the_sitemap(built, record):
    folder = built.output_dir.parent
    for url, entry in built.entries.items():
        ((page,), messages) = asked(folder, url)
        lastmod = entry.get("lastmod")

        assert url == page["url"]
        assert "" == messages  # Nothing about other pages, nothing of a build.
        if "dates" in page:
            assert lastmod == page["dates"][0]["date"]
        else:
            assert (lastmod or "") == page["lastmod"]
            assert "says why" in page["why"]
        assert not record or "dates" in page


@pytest.mark.parametrize(
    ("built", "name"),
    [
        (translated, "the verbose output (-v)"),
        (shallow, "the verbose output (-v)"),
        (blog, "`mkdocs build -v`"),
        (sphinx_autosummary, "`sphinx-build -v`"),
    ],
    indirect=["built"],
)
def test_verbose_output_is_named_if_the_reason_is_unknown(built, record, name):
    """It is the host's own if the pages name the host, as those of most themes do."""
    if record:
        pytest.skip("the record has the reasons")
    sitemap = built.output_dir / "sitemap.xml"
    text = sitemap.read_text()
    sitemap.write_text(re.sub(r"<lastmod>\d{4}", "<lastmod>1999", text))
    outputs = [
        run(built.output_dir.parent, "explain", url, "out").out for url in built.locs
    ]

    assert any(name in out for out in outputs)
    assert not any("--" in out for out in outputs)


@pytest.mark.parametrize("built", [translated], indirect=True)
def test_source_that_only_the_record_knows_names_its_page(built, record):
    folder = built.output_dir.parent
    done = run(folder, "explain", "docs/a.de.md", "out")

    if record:
        assert f"docs/a.de.md → https://example.com/de/a/: {BEFORE[:10]}, " in done.out
    else:
        assert 2 == done.returncode
        assert "no page of out is known to be made of docs/a.de.md" in done.err


def test_source_is_not_taken_for_one_above_it(tmp_path):
    """In a project whose sources begin at the repository's root."""
    files = {"index.rst": sphinx_site.title("A"), "b/index.rst": sphinx_site.title("B")}
    sphinx_site.write(tmp_path, files, sitemap_record="pages.json")
    init(tmp_path)
    commit(tmp_path, "first", BEFORE)
    assert 0 == sphinx_site.build(tmp_path).returncode

    ((page,), _) = asked(tmp_path, "b/index.rst")
    assert "b/index.rst" == page["page"]


@pytest.mark.parametrize("built", [translated], indirect=True)
def test_check_names_the_source_that_the_record_has(built, record):
    sitemap = built.output_dir / "sitemap.xml"
    sitemap.write_text(sitemap.read_text().replace(BEFORE, "2999-01-01"))
    folder = built.output_dir.parent
    done = run(folder, "check", "out", "--select", "future-date", "--format", "json")
    sources = {each["url"]: each["source"] for each in json.loads(done.out)["findings"]}

    assert ("docs/a.de.md" if record else "") == sources["https://example.com/de/a/"]


@pytest.mark.parametrize("built", [content], indirect=True)
def test_reason_is_that_of_the_record(built, record):
    if not record:
        pytest.skip("without it, the reason is not known")
    out = run(built.output_dir.parent, "explain", "docs/a.md", "out").out

    assert re.search(r'passed over: [0-9a-f]{7} "tags only" \(reads the same\)', out)


@pytest.mark.parametrize("built", [content], indirect=True)
def test_record_of_another_sitemap_is_not_believed(built, record):
    """A hook changed the sitemap after it was written."""
    sitemap = built.output_dir / "sitemap.xml"
    sitemap.write_text(sitemap.read_text().replace(BEFORE, NEWS))
    ((page,), _) = asked(built.output_dir.parent, "a/")

    assert NEWS == page["lastmod"]


def test_sitemap_of_another_program_is_shown_as_it_is(tmp_path):
    mkdocs(tmp_path, {"docs/a.md": "# A\n"}, {"lastmod": False})
    built = mkdocs_project.build(tmp_path, **ENVIRON)
    (built.output_dir / "sitemap.xml").write_text(
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url>'
        "<loc>https://example.com/a/</loc><lastmod>2001-02-03</lastmod></url></urlset>"
    )
    out = run(tmp_path, "explain", "a/", "out").out
    home = run(tmp_path, "explain", "/", "out").out

    assert ": 2001-02-03, another program wrote sitemap.xml, so" in out
    assert ": not in sitemap.xml, another program wrote" in home
