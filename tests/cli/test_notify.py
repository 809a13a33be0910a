"""`sitemap-plugins notify` and `merge` on the command line."""

from __future__ import annotations

import re

import pytest

from tests.checks.checked_site import url, urlset
from tests.cli.command import run
from tests.folder.html_folder import BASE, write
from tests.published.loopback import serving

KEY = "0123456789abcdef"
DAY, LATER = "2024-05-01", "2024-05-02"


@pytest.fixture
def server(tmp_path):
    """A project whose folder `site` is deployed."""
    with serving(tmp_path / "site") as server:
        old = urlset(*(url(n, DAY, base=server.url) for n in ("a", "b", "c")))
        dates = {"a": DAY, "b": LATER, "d": DAY}
        new = urlset(*(url(n, date, base=server.url) for n, date in dates.items()))
        write(tmp_path, {"old.xml": old, "site/sitemap.xml": new, f"site/{KEY}.txt": KEY})
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


def test_what_diff_printed_before_the_deploy_is_enough_after_it(tmp_path, server):
    printed = run(tmp_path, "diff", "old.xml", "site", "--format", "json").out
    write(tmp_path, {"changes.json": printed})
    done = notify(tmp_path, server, "--changes", "changes.json", INDEXNOW_KEY=KEY)

    assert (0, 3) == (done.returncode, len(server.posts[0][1]["urlList"]))


def test_all_is_sent_by_name_only(tmp_path, server):
    assert "give one of --since OLD, --changes FILE and --all" in notify(tmp_path, server).err
    assert [] == server.posts

    assert 0 == notify(tmp_path, server, "--all", "--key", KEY).returncode
    assert [f"{server.url}{n}" for n in ("a", "b", "d")] == server.posts[0][1]["urlList"]


def test_a_dry_run_sends_no_request(tmp_path, server):
    done = notify(tmp_path, server, "--since", "old.xml", "--dry-run")

    assert (0, "") == (done.returncode, done.err)
    assert [f"{server.url}{n}" for n in "bcd"] == done.out.splitlines()
    assert ([], []) == (server.gets, server.posts)


def test_nothing_changed_is_success(tmp_path, server):
    done = notify(tmp_path, server, "--since", "site", "--key", KEY)

    assert (0, "nothing changed: nothing is sent\n") == (done.returncode, done.out)
    assert ([], []) == (server.gets, server.posts)


def test_an_old_site_on_the_server_is_not_announced(tmp_path, server):
    server.answers["/sitemap.xml"] = (200, (tmp_path / "old.xml").read_bytes())
    done = notify(tmp_path, server, "--since", "old.xml", "--key", KEY)

    assert 2 == done.returncode
    assert "is not the built one yet (3 differences): deploy the site first" in done.err
    assert [] == server.posts


def test_a_refusal_is_exit_code_one(tmp_path, server):
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
def test_a_key_is_never_guessed(tmp_path, server, key, problem):
    done = notify(tmp_path, server, "--all", "--key", key)

    assert 2 == done.returncode
    assert problem in done.err
    assert "notify FOLDER --init` to make one" in done.err


def test_init_writes_one_key_file_and_explains_where_to_publish_it(tmp_path):
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


def test_merge_writes_the_index_and_names_what_is_wrong(tmp_path):
    settings = f"base_url = '{BASE}'"
    write(tmp_path, {"site/en/sitemap.xml": urlset(url("en/")), "sitemap.toml": settings})
    done = run(tmp_path, "merge", "site/sitemap.xml", "site/en")

    assert (0, "site/sitemap.xml: 1 sitemap, 1 URL\n", "") == done
    write(tmp_path, {"site/de.xml": urlset(url("en/"))})
    done = run(tmp_path, "merge", "site/sitemap.xml", "site/en", "site/de.xml", "--strict")
    assert 1 == done.returncode
    assert f"warning 1 URL is listed more than once, such as '{BASE}en/'" in done.err
    done = run(tmp_path, "merge", "site/sitemap.xml", "site/en", "--base-url", "x")
    assert (2, "") == (done.returncode, done.out)
    (tmp_path / "sitemap.toml").unlink()
    done = run(tmp_path, "merge", "site/sitemap.xml", "site/en")
    assert (2, True) == (done.returncode, "--base-url is not given" in done.err)


def test_merge_replaces_only_a_sitemap(tmp_path):
    write(tmp_path, {"site/en/sitemap.xml": urlset(url("en/")), "site/feed.xml": "<feed/>"})
    command = ["merge", "site/feed.xml", "site/en", "--base-url", BASE]
    done = run(tmp_path, *command)

    assert (2, "") == (done.returncode, done.out)
    assert "Error: 'feed.xml' in the output folder is not a sitemap" in done.err
    assert "<feed/>" == (tmp_path / "site/feed.xml").read_text()
    write(tmp_path, {"site/feed.xml": urlset(url("a/"))})
    assert 0 == run(tmp_path, *command).returncode


def test_an_invalid_key_is_never_printed_and_a_trailing_newline_is_not_part_of_a_key(
    tmp_path, server
):
    done = notify(tmp_path, server, "--all", "--key", "hunter 2: a password")

    assert 2 == done.returncode
    assert "the key (20 characters) is not" in done.err
    assert "hunter" not in done.out + done.err
    assert 0 == notify(tmp_path, server, "--all", INDEXNOW_KEY=f"{KEY}\n").returncode


@pytest.mark.parametrize("option", ["--endpoint", "--key-location"])
@pytest.mark.parametrize("value", ["file:///etc/passwd", "x", "http://[::1"])
def test_an_invalid_address_is_refused_before_any_request(tmp_path, server, option, value):
    done = notify(tmp_path, server, "--all", "--key", KEY, option, value, "--wait", "300")

    assert 2 == done.returncode
    assert f"Invalid value for '{option}'" in done.err
    assert [] == server.gets == server.posts


def test_a_key_file_on_another_host_is_valid_for_no_url(tmp_path, server):
    done = notify(tmp_path, server, "--all", "--key", KEY, "--key-location", "http://127.0.0.1:1")

    assert (2, []) == (done.returncode, server.posts)
    assert "is not in the folder of the key file 'http://127.0.0.1:1/'" in done.err
