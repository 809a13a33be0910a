"""Which versions a folder has, and what the pages of the old ones say."""

from __future__ import annotations

import json
from types import MappingProxyType

import pytest

from sitemap_plugins.core import url_forms
from sitemap_plugins.core.messages import OptionsError
from sitemap_plugins.folder.versions import Version, read_versions
from sitemap_plugins.versions.old_pages import read_default
from tests.folder.html_folder import html, write

BASE = "https://docs.example.com/"


def leads_to(address):
    return html(f"<meta http-equiv=refresh content='0; url={address}'>")


def says(url):
    return html(f"<link rel=canonical href='{url}'>")


def listed(*names):
    return json.dumps([{"version": n, "title": n, "aliases": a} for n, *a in names])


def found(folder, **more):
    versions = read_versions(folder, **more)
    return [
        v.folders for v in versions.all
    ], versions.default and versions.default_folder


def test_mike_lists_versions_and_aliases(tmp_path):
    files = {
        "versions.json": listed(("2.0", "latest"), ("1.0",)),
        "index.html": leads_to("latest/"),
    }
    write(tmp_path, {**files, "2.0/index.html": "", "1.0/index.html": ""})

    assert ([("2.0", "latest"), ("1.0",)], "latest") == found(tmp_path)


def test_links_are_aliases(tmp_path):
    """hydromt_wflow's switcher.json has neither of its two."""
    rows = [{"version": n, "url": f"{BASE}x/{n}/"} for n in ("v1", "v2", "removed")]
    write(
        tmp_path, {"switcher.json": json.dumps(rows), "index.html": leads_to("stable/")}
    )
    write(tmp_path, {"v1/a.html": "", "v2/a.html": "", "other/a.html": ""})
    (tmp_path / "stable").symlink_to("v2")

    assert ([("v1",), ("v2", "stable")], "stable") == found(tmp_path)


def test_switcher_json_can_name_the_preferred_version(tmp_path):
    rows = [{"url": "/en/v1/"}, {"name": "2", "url": "/en/v2/", "preferred": True}]
    write(
        tmp_path, {"switcher.json": json.dumps(rows), "v1/a.html": "", "v2/a.html": ""}
    )

    assert ([("v1",), ("v2",)], "v2") == found(tmp_path)


def test_sphinx_polyversion_lists_git_references(tmp_path):
    kind = {"__jsonclass__": ["sphinx_polyversion.git.GitRefType", ["TAG"]]}
    rows = [
        {
            "__jsonclass__": [
                "sphinx_polyversion.git.GitRef",
                [name, "1f", "refs/tags", kind],
            ]
        }
        for name in ("v1", "v2")
    ]
    write(
        tmp_path,
        {"versions.json": json.dumps(rows), "index.html": leads_to("v2/index.html")},
    )
    write(tmp_path, {"v1/a.html": "", "v2/a.html": ""})

    assert ([("v1",), ("v2",)], "v2") == found(tmp_path)


def test_sphinx_multiversion_writes_folders_only(tmp_path):
    write(
        tmp_path,
        {f"{n}/{f}": "" for n in ("v1", "main") for f in ("index.html", "objects.inv")},
    )
    assert ([], None) == found(tmp_path)  # They can be sites of different things.

    write(
        tmp_path, {"index.html": leads_to("https://example.com/docs/main/index.html")}
    )
    assert ([("main",), ("v1",)], "main") == found(tmp_path)

    write(tmp_path, {"objects.inv": ""})
    assert ([], None) == found(tmp_path)


def test_folders_can_be_named(tmp_path):
    write(
        tmp_path,
        {f"{name}/index.html": "" for name in ("v1", "v2", "stable", "assets")},
    )

    wanted = {"patterns": ["v*"], "default": "stable"}
    assert ([("stable",), ("v1",), ("v2",)], "stable") == found(tmp_path, **wanted)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        '["2.0"]',
        '[{"version": "../x", "aliases": []}]',
        '[{"version": "\\ud800", "aliases": []}]',
        "7",
    ],
)
def test_a_list_of_another_program_is_an_error(tmp_path, text):
    write(tmp_path, {"versions.json": text})

    with pytest.raises(OptionsError, match=r"versions\.json is not as mike writes it"):
        read_versions(tmp_path)


def judged(folder, pages, *, moved=MappingProxyType({}), base_url=""):
    """Return what each page of version 1.0 says;
    `latest` has `kept`, `moved` and `new`."""
    files = {"versions.json": listed(("2.0", "latest"), ("1.0",), ("dev",))}
    files["index.html"] = leads_to("latest")
    for name in ("kept", "new", "hidden"):
        files[f"2.0/{name}/index.html"] = says(f"{BASE}2.0/{name}/")
    files["2.0/hidden/index.html"] = html("<meta name=robots content=noindex>")
    files["2.0/moved/index.html"] = leads_to("../new/")
    write(folder, {**files, **{f"1.0/{name}": text for name, text in pages.items()}})
    default = read_default(read_versions(folder), base_url=base_url, moved=moved)
    return {
        p.file.removeprefix("1.0/"): p for p in default.old_pages(Version("1.0"), "1.0")
    }


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        ("", "nothing"),
        (f"<link rel=canonical href={BASE}1.0/kept/>", "itself"),
        ("<link rel=canonical href=http://localhost:8000/1.0/kept/>", "nothing"),
        ("<link rel=canonical href=https://old.example.org/x/1.0/kept>", "itself"),
        (f"<link rel=canonical href={BASE}2.0/kept/>", "default"),
        (f"<link rel=canonical href={BASE}latest/kept/index.html>", "default"),
        (f"<link rel=canonical href={BASE}latest/new/>", "default"),
        ("<link rel=canonical href=https://old.example.org/latest/kept/>", "default"),
        (f"<link rel=canonical href={BASE}latest/gone/>", "elsewhere"),
        ("<link rel=canonical href=https://other.example/kept/>", "elsewhere"),
        (f"<link rel=canonical href={BASE}>", "elsewhere"),
        (f"<link rel=canonical href={BASE}dev/new/>", "elsewhere"),
        ("<meta name=robots content=noindex>", "noindex"),
        ("<meta http-equiv=refresh content='0; url=../../2.0/kept/'>", "redirect"),
    ],
)
def test_what_a_page_says(tmp_path, head, kind):
    write(tmp_path, {"dev/new/index.html": html()})
    [page] = judged(tmp_path, {"kept/index.html": html(head)}).values()

    assert (kind, f"{BASE}2.0/kept/") == (page.kind, page.target)
    assert page.is_foreign == ("other.example" in head or f"{BASE}>" in head)
    is_wrong = kind in {"nothing", "itself"} or "gone" in head or "dev" in head
    assert is_wrong == page.is_unprotected
    assert ("gone" in head) == page.is_dead


def test_the_page_of_the_default_version(tmp_path):
    """At the same path in any form, or where the redirect at that path leads;
    or as given."""
    names = (
        "kept.html",
        "moved.html",
        "hidden.html",
        "away/a.html",
        "b.html",
        "404.html",
    )
    moved = {"away/*": "new*", "b": "new"}
    pages = judged(
        tmp_path, dict.fromkeys(names, html()), moved={**moved, "away/*": "new"}
    )

    found = {name: page.target.removeprefix(BASE) for name, page in pages.items()}
    new = "2.0/new/"
    assert {
        "kept.html": "2.0/kept/",
        "moved.html": new,
        "hidden.html": "",
        "away/a.html": new,
        "b.html": new,
    } == found
    assert pages["hidden.html"].is_gone


def test_a_map_to_no_page_is_an_error(tmp_path):
    with pytest.raises(OptionsError, match="the default version has no page 'nothing'"):
        judged(tmp_path, {}, moved={"a": "nothing"})


def test_pieces_of_pages_are_not_pages(tmp_path):
    """Material's overrides are published by many."""
    [page] = judged(tmp_path, {"kept.html": "{% extends 'base.html' %}"}).values()

    assert "unreadable" == page.kind


def test_a_folder_is_of_one_version(tmp_path):
    """Each time that a list names a folder would be a walk over its pages."""
    names = listed(
        ("2.0", "latest", "1.0"), ("1.0", "1.0", "old", "old"), ("1.0", "latest", "old")
    )
    write(
        tmp_path,
        {"versions.json": names, "2.0/a.html": "", "1.0/a.html": "", "old/a.html": ""},
    )

    assert ([("2.0", "latest"), ("1.0", "old")], "2.0") == found(
        tmp_path, default="2.0"
    )


def test_a_page_is_compared_with_the_alias_that_its_link_names(tmp_path, monkeypatch):
    """There can be thousands of aliases, and of pages."""
    compared = []
    monkeypatch.setattr(url_forms, "spelled_by", lambda *given: compared.append(given))
    aliases = [f"alias{number}" for number in range(1_000)]
    write(tmp_path, {"versions.json": listed(("2.0", *aliases), ("1.0",))})
    write(
        tmp_path, {"2.0/a.html": says(f"{BASE}alias7/a.html"), "1.0/a.html": says(BASE)}
    )
    found = read_default(read_versions(tmp_path, default="2.0"), base_url="", moved={})
    [*found.old_pages(Version("1.0"), "1.0")]

    assert [(f"{BASE}alias7/a.html", "alias7/a.html")] == compared
