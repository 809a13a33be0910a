"""Translations that are older than their originals, of real repositories."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.publishing.xml import signature_comment
from tests.check.checked_site import links, result_of, result_of_file, url, urlset
from tests.cli.command import run
from tests.folder.html_folder import BASE, html, write
from tests.git_repository import GitRepository

DAY = 86_400
PATHS = {
    "en": {"": "index", "a/": "a", "b/": "b"},
    "de": {"de/": "de/index", "de/a/": "de/a", "de/b/": "de/b"},
}
AGES = {"docs/index.md": 0, "docs/a.md": 400, "docs/b.md": 0}
AGES |= {"docs/de/index.md": 0, "docs/de/a.md": 0, "docs/de/b.md": 50}


def group(name, **more):
    return {"en": name, "de": f"de/{name}", **more}


def site(folder, entries, *, head=lambda path: ""):
    """Write a site in two languages; each source's age says when it was committed."""
    repository = GitRepository(folder)
    tree = {}
    for source, days in sorted(AGES.items(), key=lambda item: item[1]):
        tree[source] = f"# {source}\n"
        repository.commit(tree, time=1_600_000_000 + days * DAY)
    repository.write()
    pages = {path: name for names in PATHS.values() for path, name in names.items()}
    files = {f"out/{path}index.html": html(head(path), "text") for path in pages}
    sitemap = urlset(*entries)
    write(folder, {**files, "out/sitemap.xml": sitemap})


def listed(**more):
    """Return an entry for each page, linked to its translation."""
    entries = []
    for name in PATHS["en"]:
        found = links(**{k: v.format(name) for k, v in {**group(name), **more}.items()})
        entries += [url(name, more=found), url(f"de/{name}", more=found)]
    return entries


def behind(result):
    return [e.problem for e in result.findings if e.code == "translation-behind"]


SAID = (
    "'de': the original of 1 of 3 pages changed more than 90 days later"
    f" ('{BASE}de/a/' 400)"
)


def test_each_language_has_a_count_and_its_pages_furthest_behind(tmp_path):
    site(tmp_path, listed())

    assert [SAID] == behind(result_of(tmp_path))
    for days in (400, 10**30):
        assert [] == behind(result_of(tmp_path, behind=days))


def test_no_translation_is_behind_if_it_changed_later(tmp_path):
    site(tmp_path, listed(x_default="de/{}"))

    said = "'en': the original of 1 of 3 pages changed more than 30 days later"
    assert [f"{said} ('{BASE}b/' 50)"] == behind(result_of(tmp_path, behind=30))


def test_a_page_on_which_readers_choose_is_not_an_original(tmp_path):
    site(tmp_path, listed(x_default="choose/"))

    assert [SAID] == behind(result_of(tmp_path))


def alternates(path):
    """Return the links of a theme: to the translation, or only to the home pages."""
    name = path.removeprefix("de/")
    if name == "b/":
        name = ""
    return "".join(
        f'<link rel="alternate" hreflang="{language}" href="{BASE}{top}{name}">'
        for language, top in {"en": "", "de": "de/"}.items()
    )


def test_groups_are_those_of_the_pages_if_the_sitemap_has_none(tmp_path):
    entries = [url(path) for names in PATHS.values() for path in names]
    site(tmp_path, entries, head=alternates)

    assert behind(result_of(tmp_path)) == [SAID.replace("of 3", "of 2")]


@pytest.mark.parametrize("is_ours", [True, False])
def test_only_dates_of_our_sitemaps_are_believed_without_sources(tmp_path, is_ours):
    found = links(en="a/", de="de/a/", x_default="a/")
    entries = [
        url("a/", "2024-05-01", more=found),
        url("de/a/", "2023-05-01", more=found),
    ]
    options = {"declaration": signature_comment("sitemap.xml").decode()}
    write(tmp_path, {"sitemap.xml": urlset(*entries, **(options if is_ours else {}))})

    result = result_of_file(tmp_path / "sitemap.xml")

    assert is_ours == bool(behind(result))


def test_command_takes_the_days(tmp_path):
    site(tmp_path, listed())

    for days, said in ((90, True), (400, False)):
        out = run(tmp_path, "check", "out", "--behind", days, "--source", "docs").out
        assert said == ("translation-behind" in out)
    write(tmp_path, {"sitemap.toml": "[check]\nbehind = 400\n"})
    assert "translation-behind" not in run(tmp_path, "check", "out").out
