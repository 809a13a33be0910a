"""`sitemap-plugins explain`: entries of codes and options."""

from __future__ import annotations

import pytest

from sitemap_plugins.core import codes as table_of_codes
from sitemap_plugins.core.options import Options, options_of
from sitemap_plugins.explain import command
from tests.cli.command import run

CODES = table_of_codes.table()


def test_entry_of_a_code_has_meaning_cure_example_and_when_to_ignore_it(tmp_path):
    done = run(tmp_path, "explain", "not-listed")
    row = CODES["not-listed"]

    assert (0, "") == (done.returncode, done.err)
    assert done.out.startswith("not-listed\n")
    for text in (
        "finding, warning: ",
        *row.finding[1:],
        *row.example.splitlines(),
        row.ignore,
    ):
        assert text in done.out


def test_entry_of_a_reason_that_is_also_a_finding_has_both(tmp_path):
    out = run(tmp_path, "explain", "robots").out

    assert "reason to leave a page out: robots.txt disallows" in out
    assert "finding, error: " in out
    assert "robots (option)" in out


@pytest.mark.parametrize("name", ["exclude", "sitemap_exclude"])
def test_entry_of_an_option_has_its_default_and_an_example(tmp_path, name):
    out = run(tmp_path, "explain", name).out

    (option,) = (option for option in options_of(Options) if option.name == "exclude")
    assert out.startswith(f"exclude (option)\n  {option.summary}\n")
    assert "default: []" in out
    assert 'example: exclude: ["drafts/", "re:^old-"]' in out


@pytest.mark.parametrize(
    ("name", "cure"),
    [
        ("not-lited", "did you mean 'not-listed'?"),
        ("exlude", "did you mean 'exclude'?"),
        ("zzz", "`sitemap-plugins explain` lists codes and options"),
        ("Couldn't fetch", "see docs/search-console.md in the manual"),
        ("Redirect error", "see docs/search-console.md in the manual"),
        ("\x1b[31m", "no code or option is called"),
    ],
)
def test_other_names_are_refused_with_the_nearest(tmp_path, name, cure):
    done = run(tmp_path, "explain", name)

    assert 2 == done.returncode
    assert cure in " ".join(done.err.split())
    assert "\x1b" not in done.err


def test_a_site_that_is_a_file_is_refused(tmp_path):
    (tmp_path / "a.md").write_text("")
    done = run(tmp_path, "explain", "site", "a.md")

    assert 2 == done.returncode
    assert "'[SITE]': Directory 'a.md' is a file." in done.err


def test_without_a_name_all_are_listed(tmp_path):
    done = run(tmp_path, "explain")
    listed = [line.partition(":")[0] for line in done.out.splitlines()]

    assert (0, "") == (done.returncode, done.err)
    assert [*CODES, *(f"{name} (option)" for name in command._OPTIONS)] == listed


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("too-large", 'sitemaps.org, protocol: "no more than 50,000 URLs'),
        ("robots", "RFC 9309, 2.2.2: a crawler may not access"),
        ("canonical", 'Google, "Build and submit a sitemap": list the canonical URLs'),
        ("long-url", "Yandex, sitemaps: "),
        ("url-too-long", 'sitemaps.org, protocol: "less than 2,048'),
        ("hreflang", "Google, localized versions: links that are not returned"),
    ],
)
def test_a_finding_cites_the_standard_that_it_breaks_and_no_other(tmp_path, code, rule):
    rules = [
        line.strip()
        for line in run(tmp_path, "explain", code).out.splitlines()
        if "rule:" in line
    ]

    assert 1 == len(rules)
    assert rules[0].startswith(f"rule: {rule}")


def test_what_no_standard_says_cites_none(tmp_path):
    assert "rule:" not in run(tmp_path, "explain", "not-listed").out
