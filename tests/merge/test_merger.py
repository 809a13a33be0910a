"""One index over several sitemaps."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from urllib.request import urlopen

import pytest
from lxml import etree

from sitemap_plugins.check.run import CheckOptions, check_file
from sitemap_plugins.core.messages import SitemapError
from sitemap_plugins.core.publishing.publish import stylesheet
from sitemap_plugins.merge.merger import Merger
from sitemap_plugins.sitemaps.web import Web
from tests.check.checked_site import index, links, url, urlset
from tests.folder.html_folder import BASE, commit, untracked, write
from tests.full import FULL
from tests.git_repository import ENVIRON
from tests.sitemaps.loopback import serving
from tests.sites import NAMESPACES, git
from tests.written import codes, locs

DAY, LATER = "2024-05-01", "2024-05-02T10:00:00+00:00"


def merged(
    folder, *sitemaps, output="sitemap.xml", base_url=BASE, environ=ENVIRON, **more
):
    with Web(user_agent="test", retries=0) as web:
        merger = Merger(
            output=folder / output,
            base_url=base_url,
            web=web,
            environ=environ,
            track=untracked,
            **more,
        )
        return merger.merge([str(folder / name) for name in sitemaps])


def error_of(folder, *sitemaps, **more):
    before = sorted(folder.rglob("*"))
    with pytest.raises(SitemapError) as caught:
        merged(folder, *sitemaps, **more)
    assert before == sorted(folder.rglob("*"))
    return str(caught.value).replace(str(folder), "FOLDER")


def named(folder, output="sitemap.xml"):
    """Return what the index lists, with the dates."""
    root = etree.parse(folder / output).getroot()
    assert "sitemapindex" == etree.QName(root).localname
    return [
        (
            part.findtext("s:loc", namespaces=NAMESPACES).removeprefix(BASE),
            part.findtext("s:lastmod", namespaces=NAMESPACES),
        )
        for part in root
    ]


def findings(folder):
    options = CheckOptions(now=datetime(2030, 1, 1, tzinfo=UTC), base_url=BASE)
    return dict(check_file(folder / "sitemap.xml", "sitemap.xml", options).counts)


def test_the_index_lists_each_part_at_its_url_with_its_newest_date(tmp_path):
    parts = {
        "en/sitemap.xml": urlset(url("en/a", DAY), url("en/b", LATER), url("en/c")),
        "de/sitemap.xml": urlset(url("de/a")),
    }
    write(tmp_path, parts)
    found = merged(tmp_path, "en", "de/sitemap.xml")

    assert [("en/sitemap.xml", LATER), ("de/sitemap.xml", None)] == named(tmp_path)
    assert (2, 4, ()) == (found.parts, found.urls, found.notices)
    assert f"Sitemap: {BASE}sitemap.xml\n" == (tmp_path / "robots.txt").read_text()
    assert parts == {name: (tmp_path / name).read_text() for name in parts}
    assert {} == findings(tmp_path)


def test_a_part_has_the_date_of_its_index_if_that_is_newer(tmp_path):
    """Something was removed from the part, which no date in it says."""
    parts = {"de/old.xml": "2024-04-01", "de/new.xml": LATER, "de/none.xml": None}
    dated = [f"<loc>{BASE}{name}</loc>" for name in parts]
    dated = [
        f"<sitemap>{loc}{f'<lastmod>{date}</lastmod>' if date else ''}</sitemap>"
        for loc, date in zip(dated, parts.values(), strict=True)
    ]
    whole = f'<sitemapindex xmlns="{NAMESPACES["s"]}">{"".join(dated)}</sitemapindex>'
    files = {
        name: urlset(url(f"de/{number}", DAY)) for number, name in enumerate(parts)
    }
    write(tmp_path, {"de/sitemap.xml": whole, **files})
    merged(tmp_path, "de")

    assert [
        ("de/old.xml", DAY),
        ("de/new.xml", LATER),
        ("de/none.xml", DAY),
    ] == named(tmp_path)


def test_the_index_has_our_style_sheet_unless_another_file_has_its_name(tmp_path):
    write(tmp_path, {"en/sitemap.xml": urlset(url("en/"))})
    merged(tmp_path, "en")

    assert (
        b'<?xml-stylesheet type="text/css" href="sitemap.css"?>'
        in (tmp_path / "sitemap.xml").read_bytes()
    )
    assert stylesheet("sitemap.xml") == (tmp_path / "sitemap.css").read_bytes()
    write(tmp_path, {"sitemap.css": "p {}"})
    merged(tmp_path, "en")
    assert b"stylesheet" not in (tmp_path / "sitemap.xml").read_bytes()
    assert "p {}" == (tmp_path / "sitemap.css").read_text()


def test_a_compressed_copy_of_an_earlier_sitemap_is_written_anew(tmp_path):
    write(tmp_path, {"en/sitemap.xml": urlset(url("en/a"))})
    (tmp_path / "sitemap.xml.gz").write_bytes(
        gzip.compress(urlset(url("old")).encode())
    )
    merged(tmp_path, "en")

    copy = gzip.decompress((tmp_path / "sitemap.xml.gz").read_bytes())
    assert (tmp_path / "sitemap.xml").read_bytes() == copy
    assert {} == findings(tmp_path)


def test_parts_of_an_index_are_listed_instead_of_it(tmp_path):
    write(
        tmp_path,
        {
            "a/sitemap.xml": index(f"{BASE}a/sitemap-1.xml", f"{BASE}a/sitemap-2.xml"),
            "a/sitemap-1.xml": urlset(url("a/1")),
            "a/sitemap-2.xml": urlset(url("a/2")),
            "b/sitemap.xml": urlset(url("b/1")),
        },
    )
    merged(tmp_path, "a", "b", "a/sitemap-1.xml")

    assert ["a/sitemap-1.xml", "a/sitemap-2.xml", "b/sitemap.xml"] == [
        n for n, _ in named(tmp_path)
    ]
    assert {} == findings(tmp_path)


@FULL
def test_shards_of_one_site_become_one_sitemap(tmp_path):
    """Ten machines with 10,000 pages each;
    benchmarks/published.py has the ten times larger one."""
    for shard in range(10):
        urls = (url(f"shard-{shard}/{n}", DAY) for n in range(10_000))
        write(tmp_path, {f"shard-{shard}/sitemap.xml": urlset(*urls)})
    found = merged(tmp_path, *(f"shard-{shard}" for shard in range(10)))

    assert (10, 100_000, ()) == (found.parts, found.urls, found.notices)
    assert [(f"shard-{n}/sitemap.xml", DAY) for n in range(10)] == named(tmp_path)


def test_a_url_in_two_parts_is_a_notice(tmp_path):
    write(tmp_path, {n: urlset(url("x"), url("y%7E")) for n in ("a.xml", "c.xml")})
    write(tmp_path, {"b.xml": urlset(url("y~"), url("z"))})
    found = merged(tmp_path, "a.xml", "b.xml", "c.xml")

    assert ["duplicate"] == codes(found)
    assert found.notices[0].text == (
        f"2 URLs are listed more than once, such as '{BASE}x': list each once"
    )


def test_a_separate_sitemap_of_images_lists_the_same_urls_again(tmp_path):
    namespace = "http://www.google.com/schemas/sitemap-image/1.1"
    place = f"<loc>{BASE}a.png</loc>"
    image = f'<image xmlns="{namespace}">{place}</image>'
    images = urlset(url("x", more=image))
    write(tmp_path, {"pages.xml": urlset(url("x")), "images.xml": images})

    assert () == merged(tmp_path, "pages.xml", "images.xml").notices
    write(tmp_path, {"again.xml": images})
    assert ["duplicate"] == codes(merged(tmp_path, "images.xml", "again.xml"))


@pytest.mark.parametrize(
    ("german", "said"),
    [
        (url("de/", more=links(en="en/", de="de/")), None),
        (
            url("de/other"),
            f"'{BASE}en/' links to '{BASE}de/', which no sitemap lists: add",
        ),
        (
            url("de/"),
            f"'{BASE}en/' links to '{BASE}de/', which does not link back: build",
        ),
    ],
)
def test_links_between_languages_are_compared_across_builds(tmp_path, german, said):
    write(
        tmp_path, {"en/sitemap.xml": urlset(url("en/", more=links(en="en/", de="de/")))}
    )
    write(tmp_path, {"de/sitemap.xml": urlset(german)})

    found = merged(tmp_path, "en", "de").notices

    assert (["hreflang"] if said else []) == [notice.code for notice in found]
    assert all(notice.text.startswith(said) for notice in found)


def test_indexes_of_two_groups_of_shards_are_both_announced(tmp_path):
    write(tmp_path, {f"{name}/sitemap.xml": urlset(url(f"{name}/")) for name in "ab"})
    for name in "ab":
        merged(tmp_path, name, output=f"sitemap-{name}.xml")

    lines = [f"Sitemap: {BASE}sitemap-{name}.xml\n" for name in "ab"]
    assert "".join(lines) == (tmp_path / "robots.txt").read_text()


def test_a_language_on_another_site_need_not_be_listed(tmp_path):
    elsewhere = '<xhtml:link rel="alternate" hreflang="fr" href="https://example.fr/"/>'
    write(tmp_path, {"a.xml": urlset(url("en/", more=links(en="en/") + elsewhere))})

    assert () == merged(tmp_path, "a.xml").notices


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            {"en/sitemap.xml": urlset(url("en/a"), url("de/a"))},
            f"FOLDER/en/sitemap.xml lists '{BASE}de/a', which is not below '{BASE}en/': correct",
        ),
        (
            {"en/sitemap.xml": urlset(url("en/", base="https://example.org/"))},
            "FOLDER/en/sitemap.xml lists 'https://example.org/en/', which is not below",
        ),
        (
            {"en/sitemap.xml": urlset()},
            "FOLDER/en/sitemap.xml lists no URL: set its address, and",
        ),
        (
            {"en/sitemap.xml": "<urlset"},
            "FOLDER/en/sitemap.xml:1: it is not well-formed XML",
        ),
        (
            {"en/sitemap.xml": index("https://example.org/1.xml")},
            f"'https://example.org/1.xml' is not below '{BASE}': move the index up",
        ),
        ({"en/x": ""}, "'FOLDER/en' has no sitemap.xml: name a sitemap"),
        (
            {"en/versions.json": "{}x"},
            "FOLDER/en/versions.json is not as mike writes it",
        ),
        (
            {"en/versions.json": '[{"version": "../x", "aliases": []}]'},
            "FOLDER/en/versions.json is not as mike writes it (ValueError: '../x' is not a version",
        ),
        (
            {"en/versions.json": '[{"version": "1", "aliases": []}]'},
            "FOLDER/en has no default version: run `mike set-default`, or give --versions",
        ),
    ],
)
def test_what_cannot_be_merged_is_reported_and_nothing_is_written(
    tmp_path, files, said
):
    write(tmp_path, files | {"fr/sitemap.xml": urlset(url("fr/"))})

    assert error_of(tmp_path, "fr", "en").startswith(said)


def test_a_sitemap_must_be_where_it_will_be_published(tmp_path):
    write(tmp_path, {"a/sitemap.xml": urlset(url("a/")), "site/x": ""})

    assert error_of(tmp_path, "a", output="site/sitemap.xml") == (
        "FOLDER/a/sitemap.xml is not below FOLDER/site: put it where it will be published"
    )
    assert error_of(tmp_path, "a", output="a/sitemap.xml") == (
        "FOLDER/a/sitemap.xml would be replaced by the index: build it under another name"
    )


def test_a_link_in_the_place_of_the_index_is_refused(tmp_path):
    """mike's versions, and the root's sitemap.xml linked to that of an alias."""
    write(tmp_path, {"latest/sitemap.xml": urlset(url("latest/"))})
    (tmp_path / "sitemap.xml").symlink_to("latest/sitemap.xml")

    assert error_of(tmp_path, "latest") == (
        "FOLDER/sitemap.xml is a link to 'latest/sitemap.xml', where the index would be written:"
        " remove the link"
    )


def test_an_endless_link_in_the_place_of_the_index_is_replaced(tmp_path):
    write(tmp_path, {"en/sitemap.xml": urlset(url("en/"))})
    (tmp_path / "sitemap.xml").symlink_to("sitemap.xml")

    merged(tmp_path, "en")

    assert (tmp_path / "sitemap.xml").is_file()


def test_an_index_cannot_list_itself(tmp_path):
    write(
        tmp_path,
        {
            "sitemap.xml": urlset(url("a")),
            "old.xml": index(f"{BASE}sitemap.xml", f"{BASE}en/sitemap.xml"),
            "en/sitemap.xml": urlset(url("en/")),
        },
    )
    before = (tmp_path / "sitemap.xml").read_bytes()

    assert error_of(tmp_path, "old.xml") == (
        "FOLDER/sitemap.xml would be replaced by the index: build it under another name"
    )
    assert before == (tmp_path / "sitemap.xml").read_bytes()


@pytest.mark.parametrize(
    "name", ["robots.txt", "sitemap.xml.gz", "sitemap", "sitemap.css"]
)
def test_the_output_must_end_in_xml(tmp_path, name):
    write(tmp_path, {"en/sitemap.xml": urlset(url("en/"))})

    assert error_of(tmp_path, "en", output=name) == (
        f"'{name}' is not a name for an index: the output must end in .xml"
    )


def test_two_spellings_of_one_sitemap_are_one_part(tmp_path):
    write(tmp_path, {"en/sitemap.xml": urlset(url("en/"))})
    result = merged(tmp_path, "en", "en/../en/sitemap.xml", "./en/sitemap.xml")

    assert (1, 1, ()) == (result.parts, result.urls, result.notices)
    assert [("en/sitemap.xml", None)] == named(tmp_path)


def test_sitemaps_on_servers_can_be_merged(tmp_path):
    with serving(tmp_path) as server, Web(user_agent="test", retries=0) as web:
        write(tmp_path, {"de/sitemap.xml": urlset(url("de/", DAY, base=server.url))})
        output = tmp_path / "sitemap.xml"
        merger = Merger(
            output=output,
            base_url=server.url,
            web=web,
            environ=ENVIRON,
            track=untracked,
        )
        found = merger.merge([f"{server.url}de/"])

    assert (1, 1) == (found.parts, found.urls)
    assert [f"{server.url}de/sitemap.xml"] == locs(output.read_bytes())


def test_below_a_path_the_line_for_robots_txt_is_reported_not_written(tmp_path):
    write(tmp_path, {"en/sitemap.xml": urlset(url("docs/en/"))})
    found = merged(tmp_path, "en", base_url=f"{BASE}docs/")

    assert ["robots-not-at-root"] == codes(found)
    assert f"'Sitemap: {BASE}docs/sitemap.xml'" in found.notices[0].text
    assert not (tmp_path / "robots.txt").exists()


# --- real sites
# ----------------------------------------------------------------------------------

MKDOCS = """
site_name: Made
site_url: {site_url}
theme: material
plugins: {plugins}
"""
SETTINGS = {
    **os.environ,
    "DISABLE_MKDOCS_2_WARNING": "true",
    "NO_MKDOCS_2_WARNING": "1",
}
SETTINGS["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


def execute(folder, module, *arguments):
    code = f"from {module} import {'main' if 'mike' in module else 'cli'} as run; run()"
    command = [sys.executable, "-P", "-c", code, *arguments]
    done = subprocess.run(
        command, cwd=folder, env=SETTINGS, capture_output=True, text=True, check=False
    )
    assert 0 == done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def deployed(tmp_path_factory):
    """A branch as mike fills it with three versions,
    and a site in two languages beside them."""
    for module in ("mike", "mkdocs_static_i18n", "material"):
        pytest.importorskip(module)
    folder = tmp_path_factory.mktemp("mike")
    languages = (
        "[{locale: en, name: English, default: true}, {locale: de, name: Deutsch}]"
    )
    i18n = f"[{{i18n: {{docs_structure: suffix, languages: {languages}}}}}, sitemap]"
    pages = ["index.md", "guide.md"]
    translated = [
        f"book/docs/{name}" for name in ("index.md", "index.de.md", "a.md", "a.de.md")
    ]
    write(
        folder, dict.fromkeys([*translated, *(f"docs/{p}" for p in pages)], "# Text\n")
    )
    write(
        folder, {"mkdocs.yml": MKDOCS.format(site_url=BASE, plugins="[mike, sitemap]")}
    )
    write(
        folder,
        {"book/mkdocs.yml": MKDOCS.format(site_url=f"{BASE}book/", plugins=i18n)},
    )
    commit(
        folder,
        *(f"docs/{p}" for p in pages),
        *translated,
        "mkdocs.yml",
        "book/mkdocs.yml",
    )
    git(folder, "config", "user.name", "A")
    git(folder, "config", "user.email", "a@example.com")
    for version in ("1.0", "2.0", "3.0"):
        execute(folder, "mike.driver", "deploy", "-u", version, "latest")
    execute(folder, "mike.driver", "set-default", "latest")
    git(folder, "worktree", "add", "-q", "pages", "gh-pages")
    execute(
        folder / "book",
        "mkdocs.__main__",
        "build",
        "-q",
        "-d",
        str(folder / "pages/book"),
    )
    return folder / "pages"


@FULL
@pytest.mark.parametrize(
    ("versions", "expected"),
    [
        ((), ["3.0"]),
        (["all"], ["3.0", "2.0", "1.0"]),
        (["1.0", "latest"], ["1.0", "3.0"]),
    ],
)
def test_only_the_default_version_or_the_named_ones_are_listed(
    deployed, versions, expected
):
    merged(deployed, ".", "book", versions=versions)

    wanted = [f"{name}/sitemap.xml" for name in (*expected, "book")]
    assert wanted == [name for name, _ in named(deployed)]
    assert {} == findings(deployed)


@FULL
def test_a_crawler_reaches_every_url_from_robots_txt(deployed):
    (deployed / "robots.txt").unlink(missing_ok=True)
    merged(deployed, ".", "book", versions=["all"])
    with serving(deployed) as server:

        def fetched(address):
            with urlopen(address.replace(BASE, server.url)) as answer:
                assert address.replace(BASE, server.url) == answer.url  # No redirect.
                return answer.read()

        robots = fetched(f"{BASE}robots.txt").decode()
        [start] = [line.removeprefix("Sitemap: ") for line in robots.splitlines()]
        pages = [page for part in locs(fetched(start)) for page in locs(fetched(part))]
        for page in pages:
            fetched(page)

    assert 3 * 2 + 4 == len(pages) == len(set(pages))


@FULL
def test_an_unknown_version_is_reported_in_one_sentence(deployed):
    with pytest.raises(
        SitemapError, match=r"'4\.0' is not a version in .*: name one of 3\.0, l"
    ):
        merged(deployed, ".", versions=["4.0"])


def test_the_sitemap_of_a_canonical_version_is_listed_where_its_urls_are(tmp_path):
    """With `canonical_version: latest`,
    mike builds each version with the alias's address."""
    page = urlset(url("latest/"))
    write(
        tmp_path,
        {
            "versions.json": '[{"version": "2.0", "title": "2.0", "aliases": ["new", "latest"]}]',
            "2.0/sitemap.xml": page,
            "new/sitemap.xml": page,
            "latest/sitemap.xml": page,
        },
    )
    merged(tmp_path, ".", versions=["2.0"])

    assert [("latest/sitemap.xml", None)] == named(tmp_path)
