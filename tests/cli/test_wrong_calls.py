"""Calls that made people stumble, each with what it says or does now."""

from __future__ import annotations

import json

import pytest

from tests.cli.command import run
from tests.folder.html_folder import BASE, commit, page, write

NS = "http://www.sitemaps.org/schemas/sitemap/0.9"
SITE = {
    "site/index.html": page(BASE),
    "site/robots.txt": f"Sitemap: {BASE}sitemap.xml\n",
    "site/sitemap.xml": f"<urlset xmlns='{NS}'><url><loc>{BASE}</loc></url></urlset>",
}


@pytest.fixture
def site(tmp_path):
    write(tmp_path, SITE)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "https:/example.com"], "write https:// or http:// before the host"),
        (["check", "my", "site"], "Put a name with spaces in quotes."),
        (["check", "site", "--required", ""], "it is empty: write a pattern, such as"),
        (["check", "a.test", "--rate", "0"], "write a number from 0.001 on"),
        (["check", "a.test", "--timeout", "0"], "write a number above 0"),
        (["notify", "site"], "give --since OLD, --changes FILE or --all"),
        (
            ["build", "site", "--default-language", "english"],
            "is not a language tag: write it",
        ),
        (["build", "site", "--config", "sitemap.yml"], "write the options in TOML"),
    ],
    ids=str,
)
def test_wrong_call_is_answered_with_the_cure(site, arguments, said):
    write(site, {"sitemap.yml": "exclude: [a]\n"})
    done = run(site, *arguments)

    assert 2 == done.returncode
    assert said in done.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "[sitemap]\ngzip = true\n",
            "has the table [sitemap]: write the options without",
        ),
        (
            "[tool.sitemap-plugins]\ngzip = true\n",
            "has the table [tool]: write the options",
        ),
        ("exclude = ['a'\n", "in the last line, 1)): close the bracket or quote"),
        (
            "exclude = ['a'\ngzip = true\n",
            "line 2, column 1)): close the bracket or quote",
        ),
        ("default_language = 'english'\n", "'english' is not a language tag: write it"),
    ],
)
def test_wrong_settings_are_answered_with_the_cure(site, text, said):
    write(site, {"sitemap.toml": text})
    done = run(site, "build", "site")

    assert 2 == done.returncode
    assert done.err.startswith("Error: ")
    assert said in done.err
    assert "tomli" not in done.err


def test_target_below_the_home_folder_can_be_in_quotes(site, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    done = run(elsewhere, "check", "~/site", HOME=str(site), USERPROFILE=str(site))

    assert (0, "1 URL in 1 file: nothing found\n", "") == done


def test_folder_of_an_output_is_made(site):
    output = (
        "--format",
        "json",
        "--output",
        "reports/x.json",
        "--report",
        "out/r.html",
    )
    done = run(site, "check", "site", *output)

    assert (0, "", "") == done
    assert 1 == json.loads((site / "reports/x.json").read_text())["urls"]
    assert "<html" in (site / "out/r.html").read_text()


def test_html_by_hand_is_dated_by_the_second_call(tmp_path):
    write(
        tmp_path,
        {"dist/index.html": page(BASE), "dist/a/index.html": page(f"{BASE}a/")},
    )
    commit(tmp_path, "dist")
    first = run(tmp_path, "build", "dist")

    assert "if you write the HTML by hand, give --source dist" in first.out
    assert (0, "sitemap.xml: 2 pages\n", "") == run(
        tmp_path, "build", "dist", "--source", "dist"
    )
    assert 2 == (tmp_path / "dist/sitemap.xml").read_text().count("<lastmod>")
