"""What real Sphinx projects set, write and hook into;
each test names where it is from."""

from __future__ import annotations

import os
import re

import pytest

from sitemap_plugins import sphinx as adapter
from tests.full import FULL, full
from tests.hosts.sphinx_site import (
    BASE_URL,
    build,
    build_many,
    lists_all_pages_again,
    takes_flags,
    title,
    write,
)
from tests.sites import Sphinx, git
from tests.written import links

OLD, NEW = "2023-01-02T03:04:05+00:00", "2024-05-06T07:08:09+00:00"
HOME = {"index.rst": title("Home")}


def orphan(text):
    return f":orphan:\n\n{title(text)}"


def with_setup(site, code):
    """Add code to conf.py, where `setup` is a function of the project's own."""
    conf = site / "conf.py"
    conf.write_text(f"{conf.read_text('utf-8')}\n{code}", "utf-8")
    return site


# --- conf.py
# -------------------------------------------------------------------------------------


def test_a_wrong_option_is_one_line(tmp_path):
    """Sphinx 8.2 and later show each error with versions,
    a traceback and "please report"."""
    site = write(tmp_path, HOME, sitemap_max_urls=0, sitemap_indent="two")
    built = build(site)
    lines = [line for line in built.log.splitlines() if "conf.py" in line]

    assert built.returncode != 0
    assert 1 == len(lines)
    assert "sitemap_max_urls = 0" in lines[0]
    assert "sitemap_indent = 'two'" in lines[0]
    assert "Traceback" not in built.log
    assert "report" not in built.log
    assert not built.wrote("index.html")


def test_a_project_can_demand_a_version_of_the_plugin(tmp_path):
    site = write(tmp_path, HOME, needs_extensions={"sitemap_plugins.sphinx": "0.0"})

    assert 0 == build(site, "-W").returncode
    assert (
        build(site, "-D", "needs_extensions.sitemap_plugins.sphinx=999").returncode != 0
    )


@pytest.mark.parametrize("base", ["/", "/docs/", "/dev/docs/server/"])
def test_a_path_for_local_builds_passes_a_strict_build(tmp_path, base):
    """`os.environ.get("READTHEDOCS_CANONICAL_URL", "/")`:
    a starter's, 6 projects of 20."""
    built = build(write(tmp_path, HOME, html_baseurl=base), "-W")

    assert 0 == built.returncode, built.log
    assert f"html_baseurl = '{base}' names no host" in built.log
    assert not built.wrote("sitemap.xml")


def test_none_means_unset(tmp_path):
    """sphinx-sitemap's own defaults, once."""
    names = ("locales", "excludes", "url_scheme", "filename", "show_lastmod")
    site = write(tmp_path, HOME, **{f"sitemap_{name}": None for name in names})
    built = build(site, "-W")

    assert 0 == built.returncode, built.log
    assert [f"{BASE_URL}index.html"] == built.locs


def test_an_unsupported_sphinx_stops_before_the_build(tmp_path):
    """Seen with 5.3.0, 6.2.1 and 7.2.6 themselves; conf.py sets the version here."""
    site = write(tmp_path, HOME)
    with (site / "conf.py").open("a") as conf:
        conf.write("import sphinx\nsphinx.version_info = (7, 3, 7, 'final', 0)\n")
    built = Sphinx().run(site, real=True)

    assert 0 != built.returncode
    line = "Sphinx 7.3 is installed, and 7.4 or later is needed"
    assert f"{line}: upgrade Sphinx\n" in built.log
    assert "Traceback" not in built.log
    assert not built.wrote("index.html")


def test_sphinx_version_that_loses_pages_is_reported():
    assert adapter.too_old((8, 2)) == adapter.too_old((9, 0)) == ""
    assert adapter.too_old((7, 4)).startswith("Sphinx 7.4 is older than 8.2: ")


# --- the sitemap above the language's folder
# -----------------------------------------------------


JOSERFC = {
    "site_url": "https://jose.authlib.org/",
    "html_baseurl": "https://jose.authlib.org/en/",
    "sitemap_url_scheme": "{lang}{link}",
    "sitemap_filename": "../sitemap.xml",
    "sitemap_locales": ["zh"],
}


def test_sitemap_can_be_above_the_folder_of_a_language(tmp_path):
    """authlib/joserfc docs/conf.py, DataLab-Platform/DataLab doc/conf.py."""
    site = write(tmp_path / "docs", HOME | {"a.rst": orphan("A")}, **JOSERFC)
    build_many(site, [["-q", "-W", ".", "out/en"]])

    page = {
        "en": "https://jose.authlib.org/en/{}",
        "zh": "https://jose.authlib.org/zh/{}",
    }
    assert not (site / "out/en/sitemap.xml").exists()
    assert links(site / "out/sitemap.xml") == {
        page["en"].format(name): {key: url.format(name) for key, url in page.items()}
        for name in ("a.html", "index.html")
    }


def test_sitemap_above_the_build_is_refused_if_the_folders_do_not_match(tmp_path):
    built = build(write(tmp_path / "docs", HOME, **JOSERFC))

    assert 0 == built.returncode
    assert "sitemap_filename begins with '../', but the output folder" in built.log
    assert "build into folders of these names, or write the sitemap into" in built.log
    assert not (tmp_path / "docs/sitemap.xml").exists()


# --- which pages
# ---------------------------------------------------------------------------------


@FULL
@lists_all_pages_again
def test_the_drafts_of_a_blog_are_left_out(tmp_path):
    pytest.importorskip("ablog")
    post = ".. post:: {}\n   :tags: one\n\n"
    files = HOME | {
        "blog/published.rst": post.format("Jan 1, 2020") + title("Published"),
        "blog/undated.rst": post.format("") + title("Undated"),
        "blog/future.rst": post.format("Jan 1, 2099") + title("Future"),
        "about.rst": orphan("About"),
    }
    settings = {"extensions": ["ablog", "sitemap_plugins.sphinx"], "blog_path": "blog"}
    site = write(tmp_path, files, fontawesome_included=True, **settings)
    for built in (build(site, "-v"), build(site, "-v")):
        listed = [url.removeprefix(BASE_URL) for url in built.locs]
        assert {"about.html", "blog/published.html", "blog.html", "index.html"} <= set(
            listed
        )
        assert not {"blog/drafts.html", "blog/undated.html", "blog/future.html"} & set(
            listed
        )
        assert 3 == built.log.count("left out (draft: ")


@FULL
@lists_all_pages_again
def test_document_that_shows_what_others_say_has_no_date(tmp_path):
    """The home page of a blog, a list of what is to be done, and a program's help."""
    pytest.importorskip("ablog")
    pytest.importorskip("sphinxcontrib.programoutput")
    help_text = (
        "Help\n====\n\n.. program-output:: python -c 'print(1)'\n   :caption: One\n"
    )
    post = ".. post:: Jan 1, 2020\n\n" + title("Post")
    todo = orphan("Page") + "\n.. todo:: Say more.\n"
    files = HOME | {
        "post.rst": post,
        "page.rst": todo,
        "posts.rst": orphan("Posts") + "\n.. postlist::\n   :excerpts:\n",
        "todos.rst": orphan("To do") + "\n.. todolist::\n",
        "help.rst": f":orphan:\n\n{help_text}",
        "quoted.rst": orphan("Quoted") + "\n``.. todolist::``\n",
    }
    others = ["ablog", "sphinx.ext.todo", "sphinxcontrib.programoutput"]
    site = write(
        tmp_path,
        files,
        extensions=[*others, "sitemap_plugins.sphinx"],
        fontawesome_included=True,
        todo_include_todos=True,
    )
    git(site, "init", "-q", "-b", "main")
    git(site, "add", ".")
    git(site, "commit", "-qm", "All", GIT_COMMITTER_DATE="2024-06-01T10:00:00+00:00")

    for built in (build(site, "-v"), build(site, "-v")):
        dated = {
            url.removeprefix(BASE_URL): "lastmod" in entry
            for url, entry in built.entries.items()
        }
        assert (
            dated | dict.fromkeys(["page.html", "post.html", "quoted.html"], True)
            == dated
        )
        undated = dict.fromkeys(["posts.html", "todos.html", "help.html"], False)
        assert dated | undated == dated
        assert "the page shows what other pages or programs say, so it" in built.log


@FULL
@lists_all_pages_again
@pytest.mark.parametrize("builder", [full("html"), "dirhtml"])
def test_archives_of_a_blog_are_dated_by_the_posts_that_they_list(tmp_path, builder):
    """sunpy.org: half of its pages. A document in the place of one has its own date."""
    pytest.importorskip("ablog")
    fields = ":tags: {}\n   :category: news\n   :author: ann\n\n"
    post = ".. post:: {}\n   " + fields
    first = post.format("Jan 1, 2020", "one") + title("First")
    second = post.format("Feb 1, 2020", "one, two") + title("Second")
    later = post.format("Jan 1, 2021", "two") + title("Later")
    draft = post.format("Jan 1, 2099", "one") + title("Draft")
    files = HOME | {"news/first.rst": first, "news/second.rst": second}
    files["blog/tag/two.rst"] = orphan("What has the tag two")
    site = write(
        tmp_path,
        files | {"news/later.rst": later, "news/draft.rst": draft},
        extensions=["ablog", "sitemap_plugins.sphinx"],
        fontawesome_included=True,
        html_last_updated_fmt="%Y-%m-%d",
        sitemap_page_dates=True,
        templates_path=["_templates"],
        html_sidebars={},
        blog_path="blog",
    )
    page = "<html><head></head><body>updated {{ last_updated }}."
    posts = (
        "{% for post in collection %}"
        "<a href='{{ pathto(post.docname) }}'>{{ post.title }}</a>{% endfor %}"
    )
    catalog = f"{{% for collection in catalog %}}{posts}{{% endfor %}}"
    for name, text in {"page": "", "collection": posts, "catalog": catalog}.items():
        file = site / f"_templates/{'' if name == 'page' else 'ablog/'}{name}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(page + text)
    days = {"index": "01", "news/first": "02", "news/second": "03", "news/later": "01"}
    git(site, "init", "-q", "-b", "main")
    days["blog/tag/two"] = "01"
    for name, day in (days | {"news/draft": "05"}).items():
        git(site, "add", f"{name}.rst")
        when = f"2024-06-{day}T10:00:00+00:00"
        git(site, "commit", "-qm", name, GIT_COMMITTER_DATE=when)

    lists = {"blog": "03", "blog/archive": "03", "blog/2020": "03", "blog/2021": "01"}
    lists |= {"blog/tag": "03", "blog/tag/one": "03"}
    lists |= {"blog/category": "03", "blog/category/news": "03"}
    lists |= {"blog/author": "03", "blog/author/ann": "03"}
    suffix = ".html" if builder == "html" else "/"
    expected = {
        f"{BASE_URL}{name}{suffix}": {"lastmod": f"2024-06-{day}T10:00:00+00:00"}
        for name, day in (days | lists).items()
    }
    if builder == "dirhtml":
        expected[BASE_URL] = expected.pop(f"{BASE_URL}index/")
    for _ in range(2):
        built = build(site, builder=builder)
        assert expected == built.entries
    file = "blog/2021.html" if builder == "html" else "blog/2021/index.html"
    shown = (built.output_dir / file).read_text("utf-8")
    # Before its HTML is written, nobody knows what a list shows.
    assert "updated 2024-06-01." not in shown


@FULL
@lists_all_pages_again
def test_modules_that_documents_show_are_known_after_parallel_and_later_builds(
    tmp_path,
):
    """networkx: trees of unchanged documents were loaded in each build
    to find them out."""
    shows = ".. literalinclude:: part.py\n"
    names = [f"p{number}" for number in range(12)]
    files = {f"{name}.rst": orphan(name) + shows for name in names}
    site = write(tmp_path, HOME | files | {"part.py": "x = 1\n"})
    git(site, "init", "-q", "-b", "main")
    for name, date in (("*.rst", OLD), ("part.py", NEW)):
        git(site, "add", name)
        git(site, "commit", "-qm", name, GIT_COMMITTER_DATE=date)
    expected = {f"{BASE_URL}{name}.html": {"lastmod": NEW} for name in names}
    expected[f"{BASE_URL}index.html"] = {"lastmod": OLD}

    assert expected == build(site, "-j2").entries
    (site / "p3.rst").write_text(orphan("p3"), "utf-8")
    git(site, "commit", "-qam", "p3", GIT_COMMITTER_DATE=OLD)
    expected[f"{BASE_URL}p3.html"] = {"lastmod": OLD}
    assert expected == build(site).entries
    assert expected == build(site, "-E").entries


def test_error_page_with_another_name_is_left_out(tmp_path):
    pytest.importorskip("notfound")
    extensions = ["notfound.extension", "sitemap_plugins.sphinx"]
    files = HOME | {"missing.rst": orphan("Missing"), "404.rst": orphan("Not found")}
    site = write(tmp_path, files, extensions=extensions, notfound_pagename="missing")

    assert [f"{BASE_URL}index.html"] == build(site).locs


@FULL
def test_verbose_output_describes_each_generated_page(tmp_path):
    files = HOME | {
        "404.rst": orphan("Not found"),
        "code.rst": ":orphan:\n\n.. automodule:: json\n   :members:\n",
    }
    extensions = ["sphinx.ext.autodoc", "sphinx.ext.viewcode", "sitemap_plugins.sphinx"]
    # Patterns match the names without what the pages are.
    patterns = ["/404.rst", "/genindex", "/_modules/json", "/search"]
    settings = {"extensions": extensions, "sitemap_exclude": patterns}
    log = build(write(tmp_path, files, **settings), "-v").log

    assert "matches no page" not in log
    for label in (
        "404.rst (the error page)",
        "genindex (the index of terms)",
        "py-modindex (an index of modules)",
        "search (the search page)",
        "_modules/json (source code)",
    ):
        assert f"{label}: left out (generated: " in log


STATIC = "<!doctype html><title>x</title>{}<p>Text."


@FULL
@takes_flags
def test_html_that_sphinx_copies_is_counted_and_listed_on_request(tmp_path):
    """22 of 55 projects have `html_extra_path`;
    most hold robots.txt, some a demo or a coverage."""
    files = HOME | {
        "extra/demo/index.html": STATIC.format(""),
        "extra/demo/a b.html": STATIC.format(""),
        "extra/demo/hidden.html": STATIC.format(
            '<meta name="robots" content="noindex">'
        ),
        "extra/404.html": STATIC.format(""),
        "extra/index.html": STATIC.format(""),  # The document's page replaces it.
        "alone/one.html": STATIC.format(""),
        "alone/humans.txt": "Text.",
        "extra/old.html.bak": STATIC.format(""),
    }
    copied = ["extra", "alone/one.html", "alone/humans.txt"]
    extra = {"html_extra_path": copied, "exclude_patterns": ["out*"]}
    site = write(tmp_path, files, **extra)
    plain = build(site)
    assert [f"{BASE_URL}index.html"] == plain.locs
    assert "4 static" in plain.log

    names = ["demo/a%20b.html", "demo/index.html", "index.html", "one.html"]
    listed = build(site, "-D", "sitemap_static_html=1")
    assert listed.locs == [BASE_URL + name for name in names]

    names = ["", "demo/", "demo/a%20b.html", "one.html"]
    listed = build(site, "-D", "sitemap_static_html=1", builder="dirhtml")
    assert listed.locs == [BASE_URL + name for name in names]


@FULL
def test_a_front_page_whose_canonical_link_is_the_folder_is_listed_as_the_folder(
    tmp_path,
):
    """`context["pageurl"] = html_baseurl` for `index`: ten projects of 123."""
    hook = (
        "def shorten(app, name, template, context, doctree):\n"
        "    if name.split('/')[-1] == 'index':\n"
        "        context['pageurl'] = context['pageurl'].removesuffix('index.html')\n\n\n"
        "def setup(app):\n    app.connect('html-page-context', shorten)\n"
    )
    files = HOME | {"a.rst": orphan("A"), "guide/index.rst": orphan("Guide")}
    for theme in ("alabaster", "furo"):
        if theme == "furo":
            pytest.importorskip("furo")
        site = with_setup(write(tmp_path / theme, files, html_theme=theme), hook)
        built = build(site, "-W")

        assert 0 == built.returncode, built.log
        assert [BASE_URL, f"{BASE_URL}a.html", f"{BASE_URL}guide/"] == built.locs


# --- dates
# --------------------------------------------------------------------------------------


def test_python_files_count_if_the_page_shows_or_offers_them(tmp_path):
    """The manual's own promise: `literalinclude`
    and downloads of ../examples/foo.py."""
    files = {
        "index.rst": title("Home") + ".. toctree::\n   :glob:\n\n   *\n",
        "shown.rst": title("Shown") + ".. literalinclude:: ../examples/shown.py\n",
        "offered.rst": title("Offered") + ":download:`x <../examples/offered.py>`\n",
        "parsed.rst": title("Parsed")
        + ".. include:: ../examples/parsed.py\n   :literal:\n",
        "api.rst": title("API") + ".. automodule:: pretty_module\n   :members:\n",
        "both.rst": title("Both")
        + ".. automodule:: pretty_module\n\n.. literalinclude:: ../lib/pretty_module.py\n",
    }
    examples = {
        f"../examples/{name}.py": "print()\n" for name in ("shown", "offered", "parsed")
    }
    module = {
        "../lib/pretty_module.py": '"""A module."""\n\n\ndef work():\n    """Work."""\n'
    }
    extensions = ["sphinx.ext.autodoc", "sitemap_plugins.sphinx"]
    site = write(tmp_path / "docs", files | examples | module, extensions=extensions)
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "docs/*.rst", "lib")
    git(tmp_path, "commit", "-qm", "documents", GIT_COMMITTER_DATE=OLD)
    with (tmp_path / "lib/pretty_module.py").open("a") as file:
        file.write("    return 1\n")
    git(tmp_path, "add", "lib", "examples")
    git(tmp_path, "commit", "-qm", "files", GIT_COMMITTER_DATE=NEW)
    build(site)
    # Read in another folder than this build's.
    entries = build(site).entries
    found = {
        url.removeprefix(BASE_URL): entry["lastmod"] for url, entry in entries.items()
    }

    newer = dict.fromkeys(
        ["both.html", "offered.html", "parsed.html", "shown.html"], NEW
    )
    assert found == newer | {"api.html": OLD, "index.html": OLD}


@pytest.mark.parametrize(("place", "path"), [("package", "."), ("src/package", "src")])
def test_modules_below_the_source_folder_date_a_page_by_what_it_shows(
    tmp_path, place, path
):
    """Sphinx names a module below its source folder as it names an included file."""
    files = HOME | {
        "api.rst": f":orphan:\n\n{title('API')}.. automodule:: package.part\n   :members:\n",
        f"{place}/__init__.py": "",
        f"{place}/part.py": '"""A part."""\n',
    }
    extensions = ["sphinx.ext.autodoc", "sitemap_plugins.sphinx"]
    site = write(tmp_path, files, extensions=extensions)
    with (site / "conf.py").open("a") as file:
        file.write(f"sys.path.insert(0, os.path.abspath({path!r}))\n")
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "api.rst", f"{place}/part.py")
    git(tmp_path, "commit", "-qm", "all", GIT_COMMITTER_DATE=OLD)
    with (site / place / "part.py").open("a") as file:
        file.write("\n# Nothing for readers.\n")
    git(tmp_path, "commit", "-qam", "code", GIT_COMMITTER_DATE=NEW)
    built = build(site)

    assert "A part." in (built.output_dir / "api.html").read_text("utf-8")
    assert OLD == built.entries[f"{BASE_URL}api.html"]["lastmod"]


def test_a_template_in_place_of_a_document_dates_the_page(tmp_path):
    files = HOME | {
        "templates/home.html": "{% extends 'layout.html' %}{% block body %}{% endblock %}\n"
    }
    settings = {
        "templates_path": ["templates"],
        "html_additional_pages": {"index": "home.html"},
    }
    site = write(tmp_path, files, **settings)
    git(tmp_path, "init", "-q", "-b", "main")
    for name, date in {"templates": OLD, "index.rst": NEW}.items():
        git(tmp_path, "add", name)
        git(tmp_path, "commit", "-qm", name, GIT_COMMITTER_DATE=date)

    assert {f"{BASE_URL}index.html": {"lastmod": OLD}} == build(site).entries


# --- hooks
# --------------------------------------------------------------------------------------


SKFOLIO = """
def rewrite(app, exception):
    from pathlib import Path
    file = Path(app.outdir, "sitemap.xml")
    text = file.read_text("utf-8")
    file.write_text(text.replace("/index.html", "/"), "utf-8")


def setup(app):
    app.connect("build-finished", rewrite)
"""


def test_hook_in_conf_py_can_change_the_sitemap(tmp_path):
    """skfolio/skfolio docs/conf.py, fem-on-colab/fem-on-colab.github.io conf.py,
    five others."""
    site = with_setup(write(tmp_path, HOME), SKFOLIO)

    for _ in range(2):
        built = build(site, "-W")
        assert 0 == built.returncode, built.log
        assert [BASE_URL] == built.locs


def test_sitemap_of_another_extension_is_replaced_with_a_notice(tmp_path):
    extension = (
        "def make(app, exception):\n    (app.outdir / 'sitemap.xml').write_text('<urlset/>')\n\n\n"
        "def setup(app):\n    app.connect('build-finished', make, priority=100)\n"
    )
    extensions = ["maker", "sitemap_plugins.sphinx"]
    site = write(
        tmp_path / "docs", HOME | {"../lib/maker.py": extension}, extensions=extensions
    )
    built = build(site, "-W")

    assert 0 == built.returncode, built.log
    assert [f"{BASE_URL}index.html"] == built.locs
    assert "sitemap.xml was not written by this plugin and is replaced" in built.log
    assert re.search(r"\(sitemap\.replaced-file\)", built.log)


def test_pipe_with_the_sitemaps_name_is_replaced_without_waiting(tmp_path):
    site = write(tmp_path / "docs", HOME)
    (site / "out").mkdir(parents=True)
    os.mkfifo(site / "out/sitemap.xml")
    built = build(site, "-W")

    assert 0 == built.returncode, built.log
    assert [f"{BASE_URL}index.html"] == built.locs


def test_page_with_invalid_extension_data_does_not_affect_others(tmp_path):
    hook = (
        "def note(app, doctree):\n"
        "    if app.env.docname == 'bad':\n        app.env.dependencies['bad'].add(7)\n\n\n"
        "def setup(app):\n    app.connect('doctree-read', note)\n"
    )
    site = with_setup(write(tmp_path, HOME | {"bad.rst": orphan("Bad")}), hook)
    built = build(site)

    assert 0 == built.returncode, built.log
    assert [f"{BASE_URL}index.html"] == built.locs
    assert "bad.rst: " in built.log
