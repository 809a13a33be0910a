"""A folder of built HTML: addresses, sources,
dates and languages as its pages say them."""

from __future__ import annotations

import json
import os

import pytest
from lxml import etree

from sitemap_plugins.core.messages import OptionsError
from tests.check.checked_site import index, url, urlset
from tests.cli.command import run
from tests.folder.html_folder import (
    BASE,
    MOMENTS,
    build_site,
    commit,
    html,
    page,
    report_of,
    write,
)
from tests.git_repository import ENVIRON
from tests.sites import Built


def dates(built):
    return {loc: fields.get("lastmod") for loc, fields in built.entries.items()}


# --- the site's address
# ------------------------------------------------------------------------


def test_canonical_links_that_agree_give_the_address(tmp_path):
    files = {"index.html": page(BASE), "a/index.html": page(f"{BASE}a/")}
    files["old/index.html"] = page("https://elsewhere.com/b/")

    assert [BASE, f"{BASE}a/"] == build_site(tmp_path, files).locs


def test_canonical_links_that_disagree_give_no_address(tmp_path):
    files = {"index.html": page(BASE), "a/index.html": page("https://other.com/a/")}
    built = build_site(tmp_path, files)

    assert not built.wrote("sitemap.xml")
    assert "is not set, so no sitemap is written" in built.log


def test_generator_setting_wins_over_canonical_links(tmp_path):
    (tmp_path / "mkdocs.yml").write_text("site_url: https://example.com/docs")

    assert ["https://example.com/docs/"] == build_site(
        tmp_path, {"index.html": html()}
    ).locs


def test_option_wins_over_everything_else(tmp_path):
    (tmp_path / "mkdocs.yml").write_text("site_url: https://wrong.com/")
    built = build_site(tmp_path, {"index.html": html()}, base_url=BASE)

    assert [BASE] == built.locs


@pytest.mark.parametrize(
    "host", ["localhost:3000", "127.0.0.1:8000", "[::1]", "book.localhost"]
)
def test_address_of_a_local_server_is_refused(tmp_path, host):
    """mystmd builds its static site by asking a server of its own."""
    files = {
        "index.html": page(f"http://{host}/"),
        "a/index.html": page(f"http://{host}/a"),
    }

    with pytest.raises(
        OptionsError,
        match=r"local server: give the published site's address, such as --base",
    ):
        build_site(tmp_path, files)


def test_error_names_the_setting_with_the_local_address(tmp_path):
    local = "http://localhost:8000/"
    write(tmp_path, {"mkdocs.yml": f"site_url: {local}", "out/index.html": html()})
    hosted = ENVIRON | {"READTHEDOCS": "True", "READTHEDOCS_CANONICAL_URL": local}

    with pytest.raises(
        OptionsError, match=r"site_url in mkdocs.yml is 'http://localhost:8000/'"
    ):
        report_of(tmp_path)
    with pytest.raises(
        OptionsError, match=r"READTHEDOCS_CANONICAL_URL is 'http://localhost:8000/"
    ):
        report_of(tmp_path, environ=hosted)


def test_published_option_uses_the_date_in_the_source(tmp_path):
    write(tmp_path, {"a.md": "---\ndate: 2020-01-02\n---\n"})
    files = {"a/index.html": page(f"{BASE}a/")}
    built = build_site(tmp_path, files, ["a.md"], lastmod=["published"])

    assert dates(built) == {f"{BASE}a/": "2020-01-02"}


def test_mystmd_site_is_listed_below_the_given_address(tmp_path):
    """Its sitemap names the local server, and folders without a slash;
    it links no canonical."""
    local = "http://localhost:3000"
    old = "".join(f"<url><loc>{local}{path}</loc></url>" for path in ("/", "/guide"))
    files = {
        "index.html": html(),
        "guide/index.html": html(),
        "sitemap.xml": f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{old}</urlset>',
    }
    built = build_site(tmp_path, files, ["index.md", "guide.md"], base_url=BASE)

    assert dates(built) == {BASE: MOMENTS[0], f"{BASE}guide/": MOMENTS[1]}
    assert "no-longer-listed" not in built.log


# --- which files
# -------------------------------------------------------------------------------


def test_hidden_folders_and_other_files_are_not_listed(tmp_path):
    files = dict.fromkeys(
        ("index.html", "a.htm", ".hidden/a.html", "a.md", "b.txt"), html()
    )
    files["index.html"] = page(BASE)
    files["google0123456789abcdef.html"] = (
        "google-site-verification: google0123456789abcdef.html"
    )
    files["404.html"] = html()

    built = build_site(tmp_path, files, base_url=BASE)

    assert [BASE, f"{BASE}a.htm"] == built.locs


@pytest.mark.parametrize(
    ("settings", "folder"),
    [
        ({"zensical.toml": "[project]\nsite_url = 'https://example.com/'"}, "docs"),
        ({"mkdocs.yml": "site_url: https://example.com/\ndocs_dir: text"}, "text"),
    ],
)
def test_copied_html_is_left_out_as_on_other_hosts(tmp_path, settings, folder):
    """Zensical and MkDocs copy the templates of `custom_dir`
    if it lies among the sources."""
    template = html("{% extends 'base.html' %}")
    write(tmp_path, {**settings, f"{folder}/overrides/main.html": template})
    files = {"index.html": page(BASE), "overrides/main.html": template}

    assert [BASE] == build_site(tmp_path, files).locs
    assert 2 == report_of(tmp_path, static_html=True).listed


def test_html_fragment_is_not_a_page(tmp_path):
    """mystmd writes the outputs of notebooks beside the pages that show them.

    Eleventy without a layout writes pages like that, as each folder's index.html.
    """
    widget = (
        "<div id='plot'></div><script>draw('<b>')</script><svg><title>x</title></svg>"
    )
    files = {
        "index.html": page(BASE),
        "build/1f2e.html": widget,
        "old.html": "<HEAD><p>x",
    }
    files["guide/index.html"] = "<h1>Guide</h1>"

    built = build_site(tmp_path, files, base_url=BASE)

    assert [BASE, f"{BASE}guide/", f"{BASE}old.html"] == built.locs
    assert "build/1f2e.html: left out (fragment: the file is only a piece" in built.log


def test_page_that_begins_with_its_title_needs_no_doctype(tmp_path):
    """HTML standard, 13.1.2.4: the tags of html, head and body are optional."""
    files = {
        "index.html": "<!-- by hand -->\n<title>Home</title><p>x",
        "about.html": "<title>About</title><p>x",
    }

    built = build_site(tmp_path, files, base_url=BASE)

    assert [BASE, f"{BASE}about.html"] == built.locs


@pytest.mark.parametrize("project", ["", "site"])
def test_built_files_are_sources_only_if_source_dir_names_them(tmp_path, project):
    """A checkout of `gh-pages` has nothing else,
    and some sites commit what they build."""
    pages = {"site/index.html": page(BASE), "site/a/index.html": page(f"{BASE}a/")}
    write(tmp_path, {**pages, "site/a.md": "# A\n"})
    commit(tmp_path, "site/a/index.html", "site/a.md")

    def lastmod_of_a(**options):
        report_of(tmp_path / project, site_dir="." if project else "site", **options)
        return Built(0, "", tmp_path / "site").entries[f"{BASE}a/"].get("lastmod")

    assert lastmod_of_a() is None
    assert MOMENTS[0] == lastmod_of_a(source_dir=str(tmp_path / "site"))


def test_sources_can_be_in_the_folder_of_the_built_site(tmp_path):
    write(tmp_path, {"a.html": page(f"{BASE}a.html"), "_src/a.md": "# A\n"})
    commit(tmp_path, "_src/a.md", "a.html")
    report_of(tmp_path, site_dir=".", source_dir="_src")

    found = Built(0, "", tmp_path).entries
    assert MOMENTS[0] == found[f"{BASE}a.html"].get("lastmod")


def test_site_built_into_its_source_folder_is_not_copied_html(tmp_path):
    write(tmp_path, {"mkdocs.yml": "site_url: https://example.com/\ndocs_dir: out"})

    assert [BASE] == build_site(tmp_path, {"index.html": page(BASE)}).locs


@pytest.mark.parametrize("device", ["pipe", "/dev/zero"])
def test_pipes_and_devices_are_never_read(tmp_path, device):
    write(tmp_path, {"out/index.html": page(BASE)})
    if device == "pipe":
        os.mkfifo(tmp_path / "out/a.html")
    else:
        (tmp_path / "out/a.html").symlink_to(device)

    assert {"missing": ("a.html",)} == report_of(tmp_path).left_out


def test_page_that_is_too_slow_to_parse_is_read_by_its_head(tmp_path):
    """Only its edit link is not."""
    files = {"index.html": page(BASE), "a.html": page(f"{BASE}a", body="<div>" * 5_000)}

    assert [BASE, f"{BASE}a"] == build_site(tmp_path, files).locs


def test_links_to_folders_are_not_followed(tmp_path):
    """As mike makes them for `latest`."""
    write(tmp_path, {"out/1.0/index.html": html()})
    (tmp_path / "out/latest").symlink_to("1.0")

    assert [BASE, f"{BASE}1.0/"] == build_site(
        tmp_path, {"index.html": html()}, base_url=BASE
    ).locs


def test_broken_links_and_pipes_are_skipped(tmp_path):
    write(tmp_path, {"out/a.pdf": "PDF"})
    (tmp_path / "out/loop.pdf").symlink_to("loop.pdf")
    (tmp_path / "out/dead.pdf").symlink_to("nowhere.pdf")
    (tmp_path / "out/loop.html").symlink_to("loop.html")
    os.mkfifo(tmp_path / "out/pipe.pdf")

    built = build_site(tmp_path, {"index.html": html()}, base_url=BASE, files=["*.pdf"])

    assert [BASE, f"{BASE}a.pdf"] == built.locs


@pytest.mark.parametrize(
    ("mark", "names"),
    [
        (
            "searchindex.js",
            [
                "genindex.html",
                "genindex-A.html",
                "search.html",
                "py-modindex.html",
                "search/index.html",
                "genindex/index.html",
                "_modules/a.html",
                "_static/a.html",
            ],
        ),
        ("search/search_index.json", ["search.html"]),
    ],
)
def test_generated_search_and_index_pages_are_left_out(tmp_path, mark, names):
    files = {
        "index.html": html(),
        "guide/search.html": html(),
        **dict.fromkeys(names, html()),
    }

    built = build_site(tmp_path, {**files, mark: ""}, base_url=BASE)
    assert [BASE, f"{BASE}guide/search.html"] == built.locs
    assert f"{len(names)} generated" in built.log

    (tmp_path / "out" / mark).unlink()
    again = report_of(tmp_path, base_url=BASE)
    assert again.listed == len(files)


@pytest.mark.parametrize(
    ("name", "is_page"),
    [
        ("404.html", False),
        ("404/index.html", False),
        ("de/404.html", False),
        ("docs/pt-BR/404.html", False),
        ("de/404/index.html", False),
        ("1.0/404.html", False),
        ("errors/404.html", True),
        ("fr/404.html", True),
        ("guide/404/index.html", True),
    ],
)
def test_error_pages_are_left_out_in_each_language(tmp_path, name, is_page):
    """Docusaurus and others; `errors/` is about them, and `fr/` is not a site."""
    homes = [
        f"{folder}index.html"
        for folder in ("", "de/", "docs/pt-BR/", "1.0/", "errors/")
    ]
    files = {**dict.fromkeys((*homes, name), html()), "1.0/sitemap.xml": ""}
    built = build_site(tmp_path, files, base_url=BASE)

    assert is_page is (len(homes) < len(built.locs)), built.log
    assert is_page is ("1 generated" not in built.log)


def test_missing_folder_and_missing_pages_are_one_line(tmp_path):
    with pytest.raises(
        OptionsError, match="is not a folder: name the one that holds the built"
    ):
        report_of(tmp_path)
    (tmp_path / "out").mkdir()
    with pytest.raises(
        OptionsError, match="contains no HTML file: build the site first"
    ):
        report_of(tmp_path)


# --- the sitemap that is there
# -----------------------------------------------------------------


def test_pages_no_longer_listed_are_counted(tmp_path):
    names = ("", "a/", "b/", "c/", "gone/")
    old = "".join(f"<url><loc>{BASE}{name}</loc></url>" for name in names)
    files = {
        "index.html": page(BASE),
        "a/index.html": page(
            f"{BASE}a/", head="<meta name='robots' content='noindex'>"
        ),
        "b/index.html": page(f"{BASE}b/"),
        "c/index.html": page("https://example.org/c/"),
        "sitemap.xml": f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{old}</urlset>',
    }
    built = build_site(tmp_path, files)

    assert [BASE, f"{BASE}b/"] == built.locs
    gone = f"{BASE}a/, {BASE}c/ and {BASE}gone/"
    assert f"3 URLs of the previous sitemap have gone: {gone}: ask" in built.log
    assert 1 == built.log.count("no-longer-listed")
    # The output names it anyway.
    assert 1 == built.log.count("c/index.html: left out (canonical: ")
    assert "no-longer-listed" not in build_site(tmp_path, {}).log


STARLIGHT = {
    "index.html": page(BASE),
    "a/index.html": page(f"{BASE}a/"),
    "b/index.html": page(f"{BASE}b/"),
    "sitemap-index.xml": index(f"{BASE}sitemap-0.xml"),
    "sitemap-0.xml": urlset(url(""), url("a/"), url("gone/")),
}
"""`@astrojs/sitemap` writes an index and its parts, of names of its own."""


def test_remaining_index_of_the_generator_is_reported(tmp_path):
    built = build_site(tmp_path, STARLIGHT)

    assert (
        "'sitemap-index.xml' and its 1 part, which another program wrote, still lists 2 of the 3"
        " pages: delete what is not needed, or write the option filename = 'sitemap-index.xml' to"
        " replace it (other-sitemap)"
    ) in built.log
    assert f"1 URL of the previous sitemap has gone: {BASE}gone/" in built.log

    again = build_site(tmp_path, {}).log
    assert "other-sitemap" in again
    assert "the previous sitemap" not in again
    instead = build_site(tmp_path, {}, filename="sitemap-index.xml").log
    assert "other-sitemap" not in instead
    assert not (tmp_path / "out/sitemap-0.xml").exists()


@pytest.mark.parametrize(
    "other",
    [
        {"sitemap-news.xml": urlset(url("a/"))},
        {"sitemap-index.xml": index(f"{BASE}sitemap.xml", f"{BASE}rss.xml")},
        {"sitemap-0.xml": "<urlset><url>", "sitemap.xsl": ""},
        {"de/sitemap.xml": urlset(url(""), url("a/"), url("b/"))},
    ],
    ids=["another purpose", "an index of the new one", "broken", "another folder"],
)
def test_other_sitemaps_that_may_stay_are_not_reported(tmp_path, other):
    pages = {name: text for name, text in STARLIGHT.items() if name.endswith(".html")}

    assert "other-sitemap" not in build_site(tmp_path, {**pages, **other}).log


def test_own_sitemap_with_another_name_is_not_reported(tmp_path):
    pages = {name: text for name, text in STARLIGHT.items() if name.endswith(".html")}
    build_site(tmp_path, pages, filename="sitemap-1.xml", gzip=True)

    assert "other-sitemap" not in build_site(tmp_path, {}).log


@pytest.mark.parametrize("robots", [f"Sitemap: {BASE}sitemapindex.xml\n", None])
def test_robots_txt_gets_no_line_if_its_index_lists_the_sitemap(tmp_path, robots):
    """Nikola's default."""
    files = {
        "index.html": page(BASE),
        "sitemapindex.xml": index(f"{BASE}rss.xml", f"{BASE}sitemap.xml"),
    }
    built = build_site(
        tmp_path, {**files, **({"robots.txt": robots} if robots else {})}
    )

    line = f"Sitemap: {BASE}sitemap.xml\n"
    assert (robots or line) == (built.output_dir / "robots.txt").read_text()


@pytest.mark.parametrize(
    "name", ["a" * 300, "%00", "../a.xml", "%FF", "sitemap.xml/x", "pipe"]
)
def test_sitemap_line_without_a_file_is_ignored(tmp_path, name):
    robots = f"Sitemap: {BASE}{name}\nSitemap: http://[\n"
    built = build_site(tmp_path, {"index.html": page(BASE), "robots.txt": robots})

    assert (
        f"{robots}Sitemap: {BASE}sitemap.xml\n"
        == (tmp_path / "out/robots.txt").read_text()
    )
    assert "(failed)" not in built.log


def test_urls_without_suffix_in_the_previous_sitemap_are_kept(tmp_path):
    """VitePress with clean URLs: no canonical links."""
    old = f"<url><loc>{BASE}a</loc></url>"
    files = {
        "index.html": html(),
        "a.html": html(),
        "b.html": html(),
        "sitemap.xml": f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{old}</urlset>',
    }

    first = build_site(tmp_path, files, base_url=BASE)
    assert [BASE, f"{BASE}a", f"{BASE}b"] == first.locs
    report_of(tmp_path, base_url=BASE)
    assert [BASE, f"{BASE}a", f"{BASE}b"] == build_site(
        tmp_path, {}, base_url=BASE
    ).locs


@pytest.mark.parametrize("name", ["a%00.pdf", f"{'a' * 300}.pdf"])
def test_listed_url_that_cannot_be_a_file_name_is_left_out(tmp_path, name):
    old = "".join(f"<url><loc>{BASE}{each}</loc></url>" for each in ("", name))
    files = {
        "index.html": page(BASE),
        "sitemap.xml": f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{old}</urlset>',
    }

    assert [BASE] == build_site(tmp_path, files).locs


def test_impossible_folders_in_generator_settings_are_ignored(tmp_path):
    write(tmp_path, {"mkdocs.yml": f"docs_dir: {'x' * 300}"})

    assert [BASE] == build_site(tmp_path, {"index.html": page(BASE)}).locs


def test_existing_files_in_the_previous_sitemap_are_kept(tmp_path):
    names = (
        "",
        "papers/a%20b.pdf",
        "feed.xml",
        "gone.pdf",
        "..%2Fsecret.txt",
        "%2Fetc%2Fhosts",
    )
    old = "".join(f"<url><loc>{BASE}{name}</loc></url>" for name in names)
    files = {
        "index.html": page(BASE),
        "feed.xml": "<rss/>",
        "papers/a b.pdf": "%PDF",
        "other.pdf": "%PDF",
        "../secret.txt": "x",
        "sitemap.xml": f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{old}</urlset>',
    }
    write(tmp_path, {"static/papers/a b.pdf": "%PDF"})
    built = build_site(tmp_path, files, ["static/papers/a b.pdf"])

    kept = [BASE, f"{BASE}feed.xml", f"{BASE}papers/a%20b.pdf"]
    assert kept == built.locs
    assert {"lastmod": MOMENTS[0]} == built.entries[f"{BASE}papers/a%20b.pdf"]
    assert "3 URLs of the previous sitemap have gone: " in built.log

    # Again, from our own sitemap, and by both ways at once.
    assert kept == build_site(tmp_path, {}).locs
    again = build_site(tmp_path, {}, files=["*.pdf"], exclude=["feed.xml"])
    assert [BASE, f"{BASE}other.pdf", f"{BASE}papers/a%20b.pdf"] == again.locs
    assert "duplicate" not in again.log


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        (("static/papers/a.pdf",), MOMENTS[0]),
        (("papers/a.pdf", "other/a.pdf"), MOMENTS[0]),
        (("static/papers/a.pdf", "old/papers/a.pdf"), None),  # Nobody knows which.
        (("static/a.pdf",), None),
        (("out/papers/a.pdf",), None),  # What was deployed is not its own source.
    ],
)
def test_file_is_dated_by_the_only_project_file_of_its_name(
    tmp_path, sources, expected
):
    files = {"index.html": page(BASE), "papers/a.pdf": "%PDF"}
    write(tmp_path, {"out/papers/a.pdf": "%PDF"})
    built = build_site(tmp_path, files, sources, files=["*.pdf"])

    assert expected == dates(built)[f"{BASE}papers/a.pdf"]


def test_broken_sitemap_is_replaced(tmp_path):
    files = {"index.html": page(BASE), "sitemap.xml": "<urlset><url>"}

    assert [BASE] == build_site(tmp_path, files).locs


# --- sources and dates
# -------------------------------------------------------------------------


def test_sources_are_found_by_edit_links_sphinx_copies_and_routes(tmp_path):
    edit = "https://github.com/o/r/edit/main/text/where-it-is.md"
    files = {
        "index.html": page(BASE),
        "a/index.html": page(f"{BASE}a/", edit=edit),
        "b/index.html": page(
            f"{BASE}b/", body="<a href='../_sources/b.rst.txt'>Show source</a>"
        ),
        "c/index.html": page(f"{BASE}c/"),
    }
    sources = ["text/index.md", "text/where-it-is.md", "text/b.rst"]
    built = build_site(tmp_path, files, sources, source_dir="text")

    assert dates(built) == {
        BASE: MOMENTS[0],
        f"{BASE}a/": MOMENTS[1],
        f"{BASE}b/": MOMENTS[2],
        f"{BASE}c/": None,
    }


@pytest.mark.parametrize(
    "link",
    [
        "<A HREF='{}' REL='edit'>Edit</A>",
        "<a href='{}' rel=edit>Edit</a>",
        '<a href="{}" rel="edit nofollow">Edit</a>',
        '<a href="{}" rel="noopener edit">Edit</a>',
        '<a href="{}" rel="noopener edit nofollow">Edit</a>',
        "<div class='editthispage'><a href='{}'>Edit</a></div>",
        "<a class='theme-edit-this-page' href='{}'>Edit</a>",
        "<a class='VPLink link edit-link-button' href='{}'>Edit</a>",
        "<div class='edit-this-page'><a href='{}'>Edit</a></div>",
        "<div class='toc-actions'><ul><li><a href='{}' class='toc-action'>Edit</a></li></ul></div>",
        "<a href='{}' title='Suggest an edit'>x</a>",
        "<a href='{}' title='Edit This Page'>x</a>",
        "<a class='pdoc-button git-button' href='{}'>Edit</a>",
        "<li class='wy-breadcrumbs-aside'><a href='{}'>Edit on GitHub</a></li>",
    ],
)
def test_edit_links_of_known_themes_are_recognized(tmp_path, link):
    body = link.format("https://github.com/o/r/edit/main/x/y.md")
    files = {"index.html": page(BASE, body=body)}

    assert dates(build_site(tmp_path, files, ["x/y.md"])) == {BASE: MOMENTS[0]}


def test_link_with_only_the_text_edit_is_ignored(tmp_path):
    body = "<a href='https://github.com/o/r/edit/main/x/y.md'>Edit this page</a>"

    assert {BASE: None} == dates(
        build_site(tmp_path, {"index.html": page(BASE, body=body)}, ["x/y.md"])
    )


@pytest.mark.parametrize(
    ("sources", "count", "cure"),
    [
        (
            ["x/_articles/es/a.md", "x/_articles/b.md", "docs/c.md"],
            3,
            "give --source x/_articles, a folder that has files for 2 of them",
        ),
        (
            ["c.md", "d.md"],
            3,
            "name the files that the build makes them of in the option sources",
        ),
        (
            ["src/a.py"],
            4,
            "name the generator's settings with --generator-config, or the folder of",
        ),
    ],
)
def test_pages_without_a_source_are_counted_with_the_likeliest_cure(
    tmp_path, sources, count, cure
):
    files = {
        f"{name}/index.html": page(f"{BASE}{name}/")
        for name in ("es/a", "es/e", "b", "c")
    }
    write(
        tmp_path, {"mkdocs.yml": f"site_url: {BASE}"} if "docs/c.md" in sources else {}
    )
    built = build_site(tmp_path, files, sources)

    problem = f"{count} pages have no source that git can date, 2 of them in 'es'"
    assert f"{problem} (es/a/index.html and" in built.log
    assert cure in built.log


def test_readme_of_a_folder_is_no_evidence_for_its_pages(tmp_path):
    """Who followed the advice gave the home page the date of a README."""
    files = {name: page() for name in ("index.html", "com/x/A.html", "com/x/B.html")}
    built = build_site(tmp_path, files, ["tools/README.md"], base_url=BASE)

    assert "--source tools" not in built.log
    built = build_site(tmp_path, files, source_dir=str(tmp_path / "tools"))
    assert {None} == {*dates(built).values()}


def test_varying_dates_in_pages_are_used_without_a_source(tmp_path):
    def dated(url, date):
        return page(
            url, head=f"<meta property='article:modified_time' content='{date}'>"
        )

    files = {
        "index.html": dated(BASE, "2020-01-01"),
        "a/index.html": dated(f"{BASE}a/", "2021-01-01"),
        "b/index.html": dated(f"{BASE}b/", "2022-01-01"),
    }

    assert dates(build_site(tmp_path, files, ["docs/a.md"])) == {
        BASE: "2020-01-01",
        f"{BASE}a/": MOMENTS[0],
        f"{BASE}b/": "2022-01-01",
    }


def test_file_with_the_metadata_of_a_post_dates_it(tmp_path):
    """As of Nikola's posts, whose title is in it."""
    files = {"a/index.html": page(f"{BASE}a/"), "b/index.html": page(f"{BASE}b/")}
    built = build_site(tmp_path, files, ["posts/a.md", "posts/b.md", "posts/a.meta"])

    assert dates(built) == {f"{BASE}a/": MOMENTS[2], f"{BASE}b/": MOMENTS[1]}


def test_html_with_the_metadata_of_a_post_is_a_source(tmp_path):
    """Nikola's posts can be HTML, with the title beside it."""
    files = {"a.html": page(f"{BASE}a.html"), "b.html": page(f"{BASE}b.html")}
    built = build_site(
        tmp_path, files, ["posts/a.html", "posts/b.html", "posts/a.meta"]
    )

    assert dates(built) == {f"{BASE}a.html": MOMENTS[2], f"{BASE}b.html": None}


def test_date_in_a_list_is_not_used_beside_pages_with_sources(tmp_path):
    """As in Hugo's lists of tags, whose .Lastmod is not that of the newest page."""
    head = "<meta itemprop='dateModified' content='2020-01-01'>"
    files = {
        "a/index.html": page(f"{BASE}a/", head=head),
        "b/index.html": page(f"{BASE}b/"),
        "tags/x/index.html": page(f"{BASE}tags/x/", head=head),
    }

    found = dates(build_site(tmp_path, files, ["docs/a.md", "docs/b.md"]))

    assert found[f"{BASE}tags/x/"] is None
    assert found[f"{BASE}a/"] == MOMENTS[0]


def test_build_date_in_every_page_is_ignored(tmp_path):
    """TYPO3's theme writes it, see render-guides#517."""
    head = "<meta property='article:modified_time' content='2024-05-01T10:00:00+02:00'>"
    files = {f"{name}/index.html": page(f"{BASE}{name}/", head=head) for name in "abc"}

    assert {None} == set(dates(build_site(tmp_path, files)).values())


@pytest.mark.parametrize(
    "mark",
    [
        "<meta property='og:updated_time' content='{}'>",
        "<meta name='DCTERMS.modified' content='{}'>",
        "<meta itemprop='dateModified' content='{}'>",
        '<script type=\'application/ld+json\'>{{"dateModified": "{}"}}</script>',
        '<script type=\'application/ld+json\'>{{"@graph": [{{"dateModified": "{}"}}]}}</script>',
        '<script type=\'application/ld+json\'>[{{"dateModified": "{}"}}]</script>',
        "<script type='application/ld+json'>no</script><meta itemprop=dateModified content={}>",
        "<time itemprop='dateModified' datetime='{}'></time>",
    ],
)
def test_known_markup_of_dates_is_recognized(tmp_path, mark):
    files = {
        f"{year}/index.html": page(f"{BASE}{year}/", head=mark.format(f"{year}-01-02"))
        for year in (2020, 2021)
    }

    assert ["2020-01-02", "2021-01-02"] == list(
        dates(build_site(tmp_path, files)).values()
    )


@pytest.mark.parametrize(
    "mark",
    [
        "<meta property='article:published_time' content='{}'>",
        "<meta itemprop='datePublished' content='{}'>",
        "<time itemprop='datePublished' datetime='{}'></time>",
        '<script type="application/ld+json">{{"datePublished": "{}"}}</script>',
    ],
)
def test_publication_date_is_not_a_modification_date(tmp_path, mark):
    """A post that was edited later keeps it; jekyll-seo-tag says so for both."""
    change = "<meta itemprop='dateModified' content='{}'>"
    files = {
        f"{year}/index.html": page(
            f"{BASE}{year}/", head=(mark + more).format(*[f"{year}-01-02"] * 2)
        )
        for year, more in ((2020, ""), (2021, ""), (2022, change), (2023, change))
    }

    assert {None} == set(dates(build_site(tmp_path, files)).values())


def test_front_matter_works_as_on_other_hosts(tmp_path):
    fields = {"sitemap": {"lastmod": "2020-02-03", "priority": 0.4}}
    write(tmp_path, {"docs/index.md": f"---\n{json.dumps(fields)}\n---\n"})
    built = build_site(tmp_path, {"index.html": page(BASE)}, ["docs/index.md"])

    assert {BASE: {"lastmod": "2020-02-03", "priority": "0.4"}} == built.entries


def test_hand_written_site_can_be_its_own_source(tmp_path):
    write(tmp_path, {"out/index.html": page(BASE)})
    commit(tmp_path, "out/index.html")

    assert {BASE: None} == dates(build_site(tmp_path, {}))
    assert dates(build_site(tmp_path, {}, source_dir="out")) == {BASE: MOMENTS[0]}


def test_missing_source_folder_is_one_line(tmp_path):
    with pytest.raises(OptionsError, match="source_dir = 'nowhere' is not a folder"):
        build_site(tmp_path, {"index.html": page(BASE)}, source_dir="nowhere")


# --- languages
# ---------------------------------------------------------------------------------


def links(**urls):
    return "".join(
        f"<link rel='alternate' hreflang='{language.replace('_', '-')}' href='{url}'>"
        for language, url in urls.items()
    )


def hreflang(built):
    text = (built.output_dir / "sitemap.xml").read_text()
    return {
        block.split("</loc>")[0]: [
            part.split('"')[0] for part in block.split('hreflang="')[1:]
        ]
        for block in text.split("<loc>")[1:]
    }


def test_versions_that_link_to_each_other_are_alternates(tmp_path):
    both = links(en="/a/", de=f"{BASE}de/a/", x_default="/a/")
    files = {
        "index.html": page(BASE),
        "a/index.html": page(f"{BASE}a/", head=both),
        "de/a/index.html": page(f"{BASE}de/a/", head=both),
    }

    assert {
        BASE: [],
        f"{BASE}a/": ["de", "en", "x-default"],
        f"{BASE}de/a/": ["de", "en", "x-default"],
    } == hreflang(build_site(tmp_path, files))


def test_links_from_every_page_to_home_pages_are_not_alternates(tmp_path):
    """Material's `extra.alternate`."""
    homes = links(en="/", de="/de/", fr="https://fr.example.com/")
    files = {
        name: page(BASE + name.removesuffix("index.html"), head=homes)
        for name in ("index.html", "a/index.html", "de/index.html", "de/b/index.html")
    }
    built = build_site(tmp_path, files)

    assert {
        BASE: ["de", "en"],
        f"{BASE}a/": [],
        f"{BASE}de/": ["de", "en"],
        f"{BASE}de/b/": [],
    } == hreflang(built)
    assert "hreflang" not in built.log


def test_versions_on_other_sites_are_alternates(tmp_path):
    head = links(en="/a/", de="https://example.de/a/")
    files = {"index.html": page(BASE), "a/index.html": page(f"{BASE}a/", head=head)}

    assert ["de", "en"] == hreflang(build_site(tmp_path, files))[f"{BASE}a/"]


def test_an_invalid_address_is_not_an_alternate(tmp_path):
    head = links(en="/a/", de="http://[")
    files = {"index.html": page(BASE), "a/index.html": page(f"{BASE}a/", head=head)}

    assert [] == hreflang(build_site(tmp_path, files))[f"{BASE}a/"]


@pytest.mark.parametrize(
    "loc",
    [
        "secret.html/",
        "b.html/",
        "a/index.html/",
        "m.pdf/",
        "gone.html",
        "sitemap.xml",
        "sitemap-1.xml",
        "sitemap.txt",
        "robots.txt",
    ],
)
def test_url_of_an_old_sitemap_that_leads_to_no_page_or_file_of_the_site_goes(
    tmp_path, loc
):
    """The base address may have been `https://example.com/index.html`,
    and made such URLs."""
    files = {
        "index.html": page(BASE),
        "a/index.html": page(f"{BASE}a/"),
        "b.html": page(f"{BASE}b.html"),
        "secret.html": html("<meta name='robots' content='noindex'>"),
        "m.pdf": "PDF",
        "sitemap-1.xml": urlset(url("a/")),
        "sitemap.txt": f"{BASE}\n",
        "robots.txt": "User-agent: *\n",
        "sitemap.xml": urlset(*map(url, ("", "m.pdf", loc))),
    }

    built = build_site(tmp_path, files, base_url=BASE)

    assert [BASE, f"{BASE}a/", f"{BASE}b.html", f"{BASE}m.pdf"] == built.locs


# --- what the folder adds to messages


def test_verbose_lines_say_which_source_was_considered(tmp_path):
    edit = "https://github.com/o/r/edit/main/conf.py"
    files = {f"{name}.html": page(f"{BASE}{name}.html", edit=edit) for name in "abcd"}
    write(tmp_path, {f"out/{name}": text for name, text in files.items()})
    write(tmp_path, {"conf.py": "x"})
    commit(tmp_path, "conf.py")
    (notice,) = (n for n in report_of(tmp_path).notices if n.code == "no-source")

    assert (
        "a.html: considered 'conf.py', which the edit links of 4 pages name"
        in notice.details
    )


def test_trailing_slash_of_docusaurus_is_named(tmp_path):
    """GitHub redirects its URLs of folders without a slash."""
    head = "<meta name='generator' content='Docusaurus v3'>"
    names = ("docs/a", "docs/b")
    files = {f"{n}/index.html": page(f"{BASE}{n}", head=head) for n in names}
    write(tmp_path, {f"out/{name}": text for name, text in files.items()})
    github = {"GITHUB_ACTIONS": "true"}
    base = "https://o.github.io/"
    for name in files:
        file = tmp_path / "out" / name
        file.write_text(file.read_text().replace(BASE, base))
    report = report_of(tmp_path, environ=ENVIRON | github)
    (notice,) = (n for n in report.notices if n.code == "host-redirects")

    assert "`trailingSlash: true`" in notice.cure


@pytest.mark.parametrize("folder", ["_preview/119/", "pr-preview/pr-7/"])
def test_previews_of_other_branches_have_no_dates(tmp_path, folder):
    """Their sources are not those of the branch that is here."""
    modified = "<meta property='article:modified_time' content='2024-0{}-01'>"
    names = ("", "a/", "b/")
    files = {
        f"{top}{name}index.html": page(
            f"{BASE}{top}{name}",
            edit=f"https://github.com/o/r/edit/main/docs/{name or 'index'}.md",
            head=modified.format(number),
        )
        for top in ("", folder)
        for number, name in enumerate(names, 1)
    }
    sources = ["docs/index.md", "docs/a.md", "docs/b.md"]
    built = build_site(tmp_path, files, sources)
    found = dates(built)

    assert {None} == {d for loc, d in found.items() if loc.startswith(BASE + folder)}
    assert None not in {found[f"{BASE}{name}"] for name in names}
    top = folder.partition("/")[0]
    assert f"exclude '{top}/', where previews repeat the site's own pages" in built.log


def test_folder_of_previews_that_repeats_no_path_is_an_ordinary_one(tmp_path):
    name = "preview/first/x/index.html"
    built = build_site(
        tmp_path, {name: page(f"{BASE}preview/first/x/")}, ["preview/first/x.md"]
    )

    assert {f"{BASE}preview/first/x/": MOMENTS[0]} == dates(built)


ASTRO = '<link rel="sitemap" href="/sitemap-index.xml">'


def test_replaced_index_takes_its_parts_with_it(tmp_path):
    """As Astro writes them; its pages link to the index."""
    files = {
        f"{name}index.html": page(f"{BASE}{name}", head=ASTRO) for name in ("", "a/")
    }
    files["sitemap-index.xml"] = index(f"{BASE}sitemap-0.xml")
    files["sitemap-0.xml"] = urlset(url(""), url("a/"))
    files["sitemap-mine.xml"] = urlset(url("mine/"))
    options = {"filename": "sitemap-index.xml"}
    built = build_site(tmp_path, files, ["index.md", "a.md"], **options)

    assert [BASE, f"{BASE}a/"] == built_locs(tmp_path / "out/sitemap-index.xml")
    assert not (tmp_path / "out/sitemap-0.xml").exists()
    assert (tmp_path / "out/sitemap-mine.xml").exists()
    assert "other program" not in built.log
    (tmp_path / "out/sitemap-mine.xml").unlink()
    (tmp_path / "sitemap.toml").write_text('filename = "sitemap-index.xml"\n')
    done = run(tmp_path, "check", "out", "--fail-on", "info")
    assert 0 == done.returncode, done.out


def test_only_known_sitemaps_go_with_their_index(tmp_path):
    """An index can list anything: pages, what another index lists,
    files without pages."""
    names = [
        "sitemap.html",
        "sitemap-a.json",
        "sitemap-video.xml",
        "sitemap-shared.xml",
    ]
    files = {
        "index.html": page(BASE),
        "sitemap.html": page(f"{BASE}sitemap.html"),
        "sitemap-a.json": "{}",
        "sitemap-video.xml": urlset(url(""), url("video")),
        "sitemap-shared.xml": urlset(url("")),
        "sitemap-0.xml": urlset(url("")),
        "sitemap-other.xml": index(f"{BASE}sitemap-shared.xml"),
    }
    listed = [f"{BASE}{name}" for name in [*names, "sitemap-0.xml"]]
    write(tmp_path, {"out/sitemap-target.xml": urlset(url(""))})
    (tmp_path / "out/sitemap-link.xml").symlink_to("sitemap-target.xml")
    listed.append(f"{BASE}sitemap-link.xml")
    build_site(tmp_path, {**files, "sitemap.xml": index(*listed)})

    left = {file.name for file in (tmp_path / "out").iterdir()}
    assert {*names, "sitemap-other.xml", "sitemap-link.xml"} <= left
    assert "sitemap-0.xml" not in left


def test_dry_run_says_that_the_parts_of_a_replaced_index_go(tmp_path):
    files = {"index.html": page(BASE), "sitemap-0.xml": urlset(url(""))}
    files["sitemap-index.xml"] = index(f"{BASE}sitemap-0.xml")
    write(tmp_path, {f"out/{name}": text for name, text in files.items()})
    (tmp_path / "sitemap.toml").write_text('filename = "sitemap-index.xml"\n')
    done = run(tmp_path, "build", "out", "--dry-run")

    assert "would remove sitemap-0.xml" in done.out
    assert (tmp_path / "out/sitemap-0.xml").exists()


def built_locs(file):
    return [e.text for e in etree.parse(file).iter("{*}loc")]
