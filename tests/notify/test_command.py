"""`sitemap-plugins notify` and `merge` on the command line."""

from __future__ import annotations

import re

import pytest

from tests.check.checked_site import url, urlset
from tests.cli.command import run
from tests.folder.html_folder import BASE, write
from tests.full import FULL
from tests.hosts.pelican_blog import Blog
from tests.sitemaps.loopback import serving

KEY = "0123456789abcdef"
DAY, LATER = "2024-05-01", "2024-05-02"


@pytest.fixture
def server(tmp_path):
    """A project whose folder `site` is deployed."""
    with serving(tmp_path / "site") as server:
        old = urlset(*(url(n, DAY, base=server.url) for n in ("a", "b", "c")))
        dates = {"a": DAY, "b": LATER, "d": DAY}
        new = urlset(*(url(n, date, base=server.url) for n, date in dates.items()))
        write(
            tmp_path, {"old.xml": old, "site/sitemap.xml": new, f"site/{KEY}.txt": KEY}
        )
        yield server


def notify(folder, server, *arguments, **environ):
    command = ["notify", "site", "--base-url", server.url, "--wait", "0", *arguments]
    return run(folder, *command, "--endpoint", f"{server.url}indexnow", **environ)


def test_changes_are_sent_once_the_site_is_live(tmp_path, server):
    done = notify(tmp_path, server, "--since", "old.xml", "--key", KEY)

    host = server.url.split("/")[2]
    assert (0, "") == (done.returncode, done.err)
    assert f"{host}: 3 sent to {server.url}indexnow (200, accepted)\n" == done.out
    [(_, body)] = server.posts
    assert [f"{server.url}{n}" for n in ("b", "c", "d")] == sorted(body["urlList"])
    assert f"{server.url}{KEY}.txt" == body["keyLocation"]


def test_saved_output_of_diff_can_be_sent_later(tmp_path, server):
    printed = run(tmp_path, "diff", "old.xml", "site", "--format", "json").out
    write(tmp_path, {"changes.json": printed})
    done = notify(tmp_path, server, "--changes", "changes.json", INDEXNOW_KEY=KEY)

    assert (0, 3) == (done.returncode, len(server.posts[0][1]["urlList"]))


def test_all_urls_are_sent_only_on_request(tmp_path, server):
    assert "give --since OLD, --changes FILE or --all" in notify(tmp_path, server).err
    assert [] == server.posts

    assert 0 == notify(tmp_path, server, "--all", "--key", KEY).returncode
    assert [f"{server.url}{n}" for n in ("a", "b", "d")] == server.posts[0][1][
        "urlList"
    ]


def test_dry_run_sends_no_request(tmp_path, server):
    done = notify(tmp_path, server, "--since", "old.xml", "--dry-run")

    assert (0, "") == (done.returncode, done.err)
    assert [f"{server.url}{n}" for n in "bcd"] == done.out.splitlines()
    assert ([], []) == (server.gets, server.posts)


def test_no_change_is_success(tmp_path, server):
    done = notify(tmp_path, server, "--since", "site", "--key", KEY)

    assert (0, "nothing changed: nothing is sent\n") == (done.returncode, done.out)
    assert ([], []) == (server.gets, server.posts)


def test_old_site_on_the_server_is_not_announced(tmp_path, server):
    server.answers["/sitemap.xml"] = (200, (tmp_path / "old.xml").read_bytes())
    done = notify(tmp_path, server, "--since", "old.xml", "--key", KEY)

    assert 2 == done.returncode
    assert "is not the built one yet (3 differences): deploy the site first" in done.err
    assert [] == server.posts


def test_refusal_is_exit_code_one(tmp_path, server):
    server.post_answers.append((422,))
    done = notify(tmp_path, server, "--since", "old.xml", "--key", KEY)

    assert 1 == done.returncode
    assert "Error: " in done.err
    assert "422, a URL is not of this host" in done.err


TOO_SHORT = "the key (5 characters) is not 8 to 128 letters"
TOO_LONG = TOO_SHORT.replace("5", "129")
NO_KEY = "no key is given: give --key or set INDEXNOW_KEY, or run"


@pytest.mark.parametrize(
    ("key", "problem"),
    [
        ("", NO_KEY),
        ("\n", NO_KEY),
        ("short", TOO_SHORT),
        ("a b c", TOO_SHORT),
        ("x" * 129, TOO_LONG),
    ],
)
def test_missing_key_is_an_error(tmp_path, server, key, problem):
    done = notify(tmp_path, server, "--all", "--key", key)

    assert 2 == done.returncode
    assert problem in done.err
    assert "notify FOLDER --init` to make one" in done.err


def test_init_writes_one_key_file_and_prints_its_url(tmp_path):
    (tmp_path / "docs").mkdir()
    done = run(tmp_path, "notify", "docs", "--init")

    [file] = (tmp_path / "docs").iterdir()
    assert re.fullmatch("[0-9a-f]{32}", file.stem)
    assert file.stem == file.read_text()
    assert f"docs/{file.name} is written: the key is {file.stem}" in done.out
    assert f"https://www.example.com/{file.name}" in done.out
    assert "is there already" in run(tmp_path, "notify", "docs", "--init").out
    assert [file] == [*(tmp_path / "docs").iterdir()]
    assert 2 == run(tmp_path, "notify", "none", "--init").returncode


def test_merge_writes_the_index_and_reports_problems(tmp_path):
    settings = f"base_url = '{BASE}'"
    write(
        tmp_path, {"site/en/sitemap.xml": urlset(url("en/")), "sitemap.toml": settings}
    )
    done = run(tmp_path, "merge", "site/sitemap.xml", "site/en")

    assert (0, "site/sitemap.xml: 1 sitemap, 1 URL\n", "") == done
    write(tmp_path, {"site/de.xml": urlset(url("en/"))})
    done = run(
        tmp_path, "merge", "site/sitemap.xml", "site/en", "site/de.xml", "--strict"
    )
    assert 1 == done.returncode
    assert f"warning 1 URL is listed more than once, such as '{BASE}en/'" in done.err
    done = run(tmp_path, "merge", "site/sitemap.xml", "site/en", "--base-url", "x")
    assert (2, "") == (done.returncode, done.out)
    (tmp_path / "sitemap.toml").unlink()
    done = run(tmp_path, "merge", "site/sitemap.xml", "site/en")
    assert (2, True) == (done.returncode, "--base-url is not given" in done.err)


def test_merge_replaces_only_a_sitemap(tmp_path):
    write(
        tmp_path,
        {"site/en/sitemap.xml": urlset(url("en/")), "site/feed.xml": "<feed/>"},
    )
    command = ["merge", "site/feed.xml", "site/en", "--base-url", BASE]
    done = run(tmp_path, *command)

    assert (2, "") == (done.returncode, done.out)
    assert "Error: 'feed.xml' in the output folder is not a sitemap" in done.err
    assert "<feed/>" == (tmp_path / "site/feed.xml").read_text()
    write(tmp_path, {"site/feed.xml": urlset(url("a/"))})
    assert 0 == run(tmp_path, *command).returncode


def test_invalid_key_is_not_printed_and_a_final_line_break_is_ignored(tmp_path, server):
    done = notify(tmp_path, server, "--all", "--key", "hunter 2: a password")

    assert 2 == done.returncode
    assert "the key (20 characters) is not" in done.err
    assert "hunter" not in done.out + done.err
    assert 0 == notify(tmp_path, server, "--all", INDEXNOW_KEY=f"{KEY}\n").returncode


@pytest.mark.parametrize("option", ["--endpoint", "--key-location"])
@pytest.mark.parametrize("value", ["file:///etc/passwd", "x", "http://[::1"])
def test_invalid_address_is_refused_before_any_request(tmp_path, server, option, value):
    done = notify(
        tmp_path, server, "--all", "--key", KEY, option, value, "--wait", "300"
    )

    assert 2 == done.returncode
    assert f"Invalid value for '{option}'" in done.err
    assert [] == server.gets == server.posts


def test_key_file_of_another_host_is_refused(tmp_path, server):
    done = notify(
        tmp_path, server, "--all", "--key", KEY, "--key-location", "http://127.0.0.1:1"
    )

    assert (2, []) == (done.returncode, server.posts)
    assert "is not in the folder of the key file 'http://127.0.0.1:1/'" in done.err


@FULL
def test_lists_of_posts_are_not_sent_if_they_are_excluded(tmp_path):
    """A list changes with each of its posts,
    so one post of a blog changes many pages."""
    blog = Blog(tmp_path)
    for name in ("one", "two", "three"):
        blog.write(name, Tags="maps, trees", Author="Ann", Category="news")
    built = blog.build()
    (tmp_path / "old.xml").write_bytes((built.output_dir / "sitemap.xml").read_bytes())
    blog.write(
        "one", Tags="maps, trees", Author="Ann", Category="news", Modified="2026-05-01"
    )
    blog.build()
    every = ("notify", "out", "--since", "old.xml", "--dry-run")
    lists = (
        "tag/",
        "category/",
        "author/",
        "/index.html",
        "/tags.html",
        "/categories.html",
    )
    lists += ("/authors.html", "/archives.html")
    sent = run(tmp_path, *every).out.split()
    done = run(
        tmp_path, *every, *(part for name in lists for part in ("--exclude", name))
    )

    assert 7 == len(sent)
    assert (0, f"{BASE}one.html\n", "") == done


def test_pattern_that_is_none_is_named(tmp_path, server):
    done = notify(tmp_path, server, "--all", "--exclude", "re:(")

    assert 2 == done.returncode
    assert "'re:(' is not a pattern" in done.err
    excluded = notify(tmp_path, server, "--all", "--exclude", "re:.", "--key", KEY)
    assert (0, "nothing else changed: nothing is sent\n") == (
        excluded.returncode,
        excluded.out,
    )
