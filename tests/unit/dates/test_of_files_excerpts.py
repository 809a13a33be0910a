"""The date of a page's part of a shared file, from real repositories."""

from __future__ import annotations

import os
import random
import subprocess
from datetime import UTC, datetime

import pytest

from sitemap_plugins.core.dates import lastmod
from sitemap_plugins.core.git import repository
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.records import Excerpt, Page
from tests.checked import checked, environment
from tests.git_repository import ENVIRON, START, GitRepository
from tests.written import codes

CI = ENVIRON | {"CI": "true"}


def at(number):
    return datetime.fromtimestamp(START + 60 * number, UTC)


def lines(**values):
    return "".join(f"{name}={value}\n" for name, value in values.items())


def read(content):
    return {line.split(b"=")[0].decode(): line for line in content.splitlines()}


@pytest.fixture
def made(tmp_path):
    return GitRepository(tmp_path / "site")


def page(folder, name, *sources, file="all.txt", is_attributable=True, read=read):
    excerpt = Excerpt(
        file=folder / file, name=name, read=read, is_attributable=is_attributable
    )
    return Page(
        path=name, sources=tuple(folder / s for s in sources), excerpts=(excerpt,)
    )


def resolve(*pages, environ=CI, **options):
    return lastmod.resolve(
        [checked(page) for page in pages],
        options=Options.parse(options, where="test"),
        environment=environment(environ, None),
    )


def dates(folder, *names, environ=CI, **options):
    return dict(
        resolve(*(page(folder, n) for n in names), environ=environ, **options).by_path
    )


def test_commit_dates_only_the_excerpts_that_it_changed(made):
    first = made.commit({"all.txt": lines(a=1, b=1, c=1)})
    second = made.commit({"all.txt": lines(head=1, a=1, b=2, c=1)})
    made.commit({"all.txt": lines(head=2, c=1, b=2, a=1)})
    made.write()

    assert dates(made.folder, "a", "b", "c") == {
        "a": at(first),
        "b": at(second),
        "c": at(first),
    }


def test_page_has_no_date_if_git_fails_for_its_excerpt(made, tmp_path):
    made.commit({"all.txt": lines(a=1)})
    made.write()
    (tmp_path / "a.md").touch()
    os.utime(tmp_path / "a.md", (START, START))
    one = page(made.folder, "a", tmp_path / "a.md")
    assert {"a"} == set(resolve(one, environ=ENVIRON).by_path)

    (made.folder / ".git/config").write_text("[")
    found = resolve(one, environ=ENVIRON)

    assert ({}, ["git-failed"]) == (dict(found.by_path), codes(found))


def test_reverted_change_counts(made):
    made.commit({"all.txt": lines(a=1)})
    made.commit({"all.txt": lines(a=2)})
    back = made.commit({"all.txt": lines(a=1)})
    made.write()

    assert dates(made.folder, "a") == {"a": at(back)}


def test_merges_are_followed_to_the_branch_that_changed_the_excerpt(made):
    base = made.commit({"all.txt": lines(a=1, b=1, c=1, d=1)})
    left = made.commit({"all.txt": lines(a=2, b=1, c=2, d=1)}, parents=[base])
    right = made.commit({"all.txt": lines(a=1, b=2, c=3, d=1)}, parents=[base])
    merge = made.commit({"all.txt": lines(a=2, b=2, c=4, d=1)}, parents=[left, right])
    made.commit({"all.txt": lines(a=2, b=2, c=4, d=1), "other": "1"}, parents=[merge])
    made.write()

    found = dates(made.folder, "a", "b", "c", "d")
    assert found == {"a": at(left), "b": at(right), "c": at(merge), "d": at(base)}


def test_move_of_the_file_is_not_a_change(made):
    first = made.commit({"old/all.txt": lines(a=1, b=1)})
    second = made.commit({"old/all.txt": lines(a=1, b=2)})
    made.commit({"all.txt": lines(a=1, b=2)})
    made.write()

    assert dates(made.folder, "a", "b") == {"a": at(first), "b": at(second)}


def test_ignored_commits_are_not_changes(made):
    first = made.commit({"all.txt": lines(a=1)})
    ignored = made.commit({"all.txt": lines(a=2)})
    name = made.write()[ignored]
    made.commit({"all.txt": lines(a=2), ".git-blame-ignore-revs": name})
    made.write()

    assert dates(made.folder, "a") == {"a": at(first)}
    assert dates(made.folder, "a", ignore_revs=False) == {"a": at(ignored)}


def test_excerpt_of_an_edited_file_has_no_date_but_that_of_newer_sources(made):
    first = made.commit({"a.txt": "1", "b.txt": "1", "all.txt": lines(a=1, b=1)})
    made.write()
    for name, text, time in [("all.txt", lines(a=2, b=1), 16), ("b.txt", "2", 17)]:
        (made.folder / name).write_text(text)
        os.utime(made.folder / name, (time * 10**8,) * 2)
    pages = [page(made.folder, name, f"{name}.txt") for name in "ab"]

    edited = resolve(*pages, environ=ENVIRON)

    assert edited.by_path == {"b": datetime.fromtimestamp(17 * 10**8, UTC)}
    assert resolve(*pages).by_path == {"a": at(first), "b": at(first)}


def test_page_has_the_newest_date_of_its_sources_and_excerpts(made):
    first = made.commit({"a.txt": "1", "b.txt": "1", "all.txt": lines(a=1, b=1)})
    second = made.commit({"a.txt": "2", "b.txt": "1", "all.txt": lines(a=1, b=1)})
    third = made.commit({"a.txt": "2", "b.txt": "1", "all.txt": lines(a=1, b=2)})
    made.write()
    found = resolve(page(made.folder, "a", "a.txt"), page(made.folder, "b", "b.txt"))

    assert found.by_path == {"a": at(second), "b": at(third)}
    assert first < second


def test_uncertain_excerpt_leaves_only_newer_sources_dated(made):
    made.commit({"a.txt": "1", "b.txt": "1", "all.txt": lines(a=1, b=1)})
    made.commit({"a.txt": "1", "b.txt": "1", "all.txt": lines(a=1, b=2)})
    newer = made.commit({"a.txt": "2", "b.txt": "1", "all.txt": lines(a=1, b=2)})
    made.write()
    pages = [
        page(made.folder, name, f"{name}.txt", is_attributable=False) for name in "ab"
    ]
    found = resolve(*pages)

    assert found.by_path == {"a": at(newer)}
    assert () == found.notices


def test_shallow_clone_dates_changes_inside_it(made, tmp_path):
    made.commit({"all.txt": lines(a=1, b=1)})
    made.commit({"all.txt": lines(a=1, b=1), "other": "1"})
    third = made.commit({"all.txt": lines(a=1, b=2), "other": "1"})
    made.write()
    clone = tmp_path / "clone"
    command = ["git", "clone", "-q", "--depth=2", f"file://{made.folder}", str(clone)]
    subprocess.run(command, check=True, env=ENVIRON)
    found = resolve(page(clone, "a"), page(clone, "b"))

    assert found.by_path == {"b": at(third)}
    assert ["shallow-clone"] == [notice.code for notice in found.notices]


def test_outside_git_only_a_source_newer_than_the_file_has_a_date(tmp_path):
    (tmp_path / "all.txt").write_text(lines(a=1))
    (tmp_path / "a.txt").write_text("1")
    (tmp_path / "b.txt").write_text("1")
    for name, time in {
        "a.txt": 1_500_000_000,
        "all.txt": 1_600_000_000,
        "b.txt": 1_700_000_000,
    }.items():
        os.utime(tmp_path / name, (time, time))
    found = resolve(
        page(tmp_path, "a", "a.txt"), page(tmp_path, "b", "b.txt"), environ=ENVIRON
    )

    assert found.by_path == {"b": datetime.fromtimestamp(1_700_000_000, UTC)}
    assert () == found.notices


def test_failing_repository_does_not_affect_excerpts_of_another(made, tmp_path):
    first = made.commit({"all.txt": lines(a=1)})
    made.write()
    (tmp_path / "broken" / ".git").mkdir(parents=True)

    found = resolve(page(made.folder, "a"), page(tmp_path / "broken", "b"))

    assert {"a": at(first)} == found.by_path
    assert ["git-failed"] == [notice.code for notice in found.notices]


def test_versions_beyond_the_limit_are_not_read(made, monkeypatch):
    made.commit({"all.txt": lines(a=1, b=1), "a.txt": "1"})
    made.commit({"all.txt": lines(a=1, b=2), "a.txt": "1"})
    third = made.commit({"all.txt": lines(a=1, b=2, c=3), "a.txt": "1"})
    made.write()
    monkeypatch.setattr(repository, "MAX_BYTES", 20)

    assert dates(made.folder, "a", "b", "c") == {"c": at(third)}


@pytest.mark.parametrize("seed", range(5))
def test_excerpt_has_the_date_that_git_gives_a_separate_file(made, seed):
    """The oracle is `git log -1` on files with the content of the excerpts,
    over random merges."""
    draw = random.Random(seed)
    names = list("abcdef")
    trees = {}
    for number in range(1, 25):
        parents = sorted(
            draw.sample(sorted(trees), min(len(trees), draw.choice([1, 1, 1, 2])))
        )
        values = dict.fromkeys(names, 0)
        for name in names if parents else ():
            values[name] = trees[draw.choice(parents)][name]
        values |= dict.fromkeys(draw.sample(names, draw.choice([0, 1, 2])), number)
        files = {"all.txt": lines(**values)} | {
            f"{n}.txt": f"{v}\n" for n, v in values.items()
        }
        trees[made.commit(files, parents=parents)] = values
    made.write()
    expected = {
        name: int(made.git("log", "-1", "--format=%ct", "--", f"{name}.txt"))
        for name in names
    }

    found = dates(made.folder, *names)
    assert expected == {name: int(date.timestamp()) for name, date in found.items()}


def test_excerpt_that_was_always_empty_has_no_date(made):
    first = made.commit({"a.txt": "1", "b.txt": "1"})
    made.commit({"a.txt": "1", "b.txt": "1", "all.txt": lines(b=1)})
    third = made.commit({"a.txt": "1", "b.txt": "1", "all.txt": lines(b=2)})
    made.write()

    def read_both(content):
        return {"a": b"", "b": b"", **read(content)}

    found = resolve(
        page(made.folder, "a", "a.txt", read=read_both),
        page(made.folder, "b", "b.txt", read=read_both),
    )

    assert found.by_path == {"a": at(first), "b": at(third)}


def test_excerpt_that_the_file_lacks_is_as_new_as_the_file(made):
    made.commit({"all.txt": lines(b=1)})
    second = made.commit({"all.txt": lines(b=2)})
    made.write()

    assert dates(made.folder, "a") == {"a": at(second)}
