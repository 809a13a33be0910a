"""The option `changes: content` on real repositories: which commits date a page."""

from __future__ import annotations

import os
import subprocess
from datetime import UTC, date, datetime

import pytest

from sitemap_plugins.core.dates import lastmod
from sitemap_plugins.core.git import last_change, repository
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.records import Excerpt, Page
from tests.checked import checked, environment
from tests.git_repository import ENVIRON, START, GitRepository
from tests.written import codes

CI = ENVIRON | {"CI": "true"}
TEXT = "# Title\n\nOne two.\n"
TAGGED = f"---\ntags: [a]\n---\n{TEXT}"


def at(number):
    return datetime.fromtimestamp(START + 60 * number, UTC)


@pytest.fixture
def made(tmp_path):
    return GitRepository(tmp_path / "site")


def resolve(*pages, environ=CI, changes="content", **options):
    return lastmod.resolve(
        [checked(page) for page in pages],
        options=Options.parse(options | {"changes": changes}, where="test"),
        environment=environment(environ, None),
    )


def page(folder, name, **fields):
    return Page(path=name, sources=(folder / name,), **fields)


def dates(folder, *names, **options):
    return dict(resolve(*(page(folder, name) for name in names), **options).by_path)


@pytest.mark.parametrize(
    ("versions", "expected"),
    [
        ([TEXT, TAGGED], 1),
        (
            [TEXT, TAGGED, TAGGED.replace("\n", "\r\n"), TEXT + "\n"],
            1,
        ),
        (["x", TEXT, TAGGED], 2),
        ([TEXT, TEXT.replace("One", "1"), TEXT], 3),  # A revert of a real change.
        ([TEXT, TEXT.replace("One", "1"), TAGGED], 3),
        ([b"\xff", b"\xff\n"], 2),  # No text.
        ([TEXT, None, TAGGED], 3),  # It was removed in between.
    ],
)
def test_only_commits_that_readers_see_count(made, versions, expected):
    for number, text in enumerate(versions):
        made.commit({"n": str(number)} | ({} if text is None else {"a.md": text}))
    made.write()

    assert dates(made.folder, "a.md") == {"a.md": at(expected)}


@pytest.mark.parametrize(("more", "expected"), [("", 1), ("More.", 3)])
def test_merge_of_a_change_has_the_date_of_its_branch_if_readers_see_it(
    made, more, expected
):
    base = made.commit({"a.md": TEXT})
    left = made.commit({"a.md": TAGGED}, parents=[base])
    right = made.commit({"a.md": f"{TEXT}{more}\n"}, parents=[base])
    made.commit({"a.md": f"{TAGGED}{more}\n"}, parents=[left, right])
    made.write()

    assert dates(made.folder, "a.md") == {"a.md": at(expected)}
    assert dates(made.folder, "a.md", changes="any") == {"a.md": at(4)}


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ({"new/a.md": TAGGED}, 1),
        (
            {"new/b.md": TAGGED},
            2,
        ),  # Another name: nothing shows that it is the same file.
        ({"new/a.md": TAGGED, "other/a.md": TAGGED + "\n"}, 2),  # Which one was moved?
        ({"new/a.md": f"{TAGGED}More.\n"}, 2),
    ],
)
def test_moved_file_with_such_a_change(made, after, expected):
    made.commit({"old/a.md": TEXT})
    made.commit(after)
    made.write()
    name = next(iter(after))

    assert dates(made.folder, name) == {name: at(expected)}


def test_ignored_commits_are_passed_over_too(made):
    made.commit({"a.md": TEXT})
    made.commit({"a.md": TEXT.replace("One", "1")})
    made.commit({"a.md": TAGGED.replace("One", "1")})
    ignored = made.write()[2]
    (made.folder / ".git-blame-ignore-revs").write_text(f"{ignored}\n")

    assert dates(made.folder, "a.md") == {"a.md": at(1)}


@pytest.mark.parametrize("field", ["included", "sources"])
def test_any_change_of_a_further_file_counts_as_it_may_be_shown_as_it_is(made, field):
    """Such as in a fence, by `literalinclude`, or between two markers."""
    made.commit({"a.md": TEXT, "part.md": TEXT})
    made.commit({"a.md": TEXT, "part.md": TEXT.replace("\n", "\r\n")})
    made.commit({"a.md": TEXT, "part.md": TAGGED})
    made.write()
    own, part = (made.folder / name for name in ("a.md", "part.md"))
    further = {
        "included": {"sources": (own,), "included": (part,)},
        "sources": {"sources": (own, part)},
    }

    shows = Page(path="a", **further[field])
    alone = Page(path="part", sources=(part,))

    assert resolve(alone).by_path == {"part": at(1)}
    assert resolve(shows).by_path == {"a": at(3)}
    assert resolve(shows, alone).by_path == {"a": at(3), "part": at(3)}


@pytest.mark.parametrize(("text", "expected"), [(TAGGED, at(1)), (f"{TEXT}x", None)])
def test_edited_file_counts_if_readers_see_the_edit(made, text, expected):
    made.commit({"a.md": TEXT})
    made.write()
    file = made.folder / "a.md"
    file.write_text(text)
    os.utime(file, (1_700_000_000,) * 2)

    found = dates(made.folder, "a.md", environ=ENVIRON)

    assert found == {"a.md": expected or datetime.fromtimestamp(1_700_000_000, UTC)}


@pytest.mark.parametrize(
    ("published", "expected"),
    [
        (date(2016, 1, 1), at(1)),
        (date(2018, 1, 1), date(2018, 1, 1)),
        (date(3000, 1, 1), at(1)),
    ],
)
def test_date_is_not_before_that_of_publication(made, published, expected):
    made.commit({"a.md": TEXT})
    made.commit({"a.md": TAGGED})
    made.write()
    one = page(made.folder, "a.md", published=published)

    assert resolve(one).by_path == {"a.md": expected}
    assert resolve(one, changes="any").by_path == {"a.md": at(2)}


def test_file_beyond_the_limit_of_rounds_keeps_the_oldest_change_that_was_found(
    made, monkeypatch
):
    monkeypatch.setattr(last_change, "MAX_LOOKED_THROUGH", 2)
    for number in range(5):
        made.commit({"a.md": f"---\ntags: t{number}\n---\n{TEXT}"})
    made.write()

    assert dates(made.folder, "a.md") == {"a.md": at(4)}


@pytest.mark.parametrize("limit", ["MAX_BYTES", "MAX_COPY"])
def test_versions_beyond_the_limits_count_as_changes(made, monkeypatch, limit):
    made.commit({"a.md": TEXT})
    made.commit({"a.md": TAGGED})
    made.write()
    monkeypatch.setattr(repository, limit, -1)

    found = resolve(page(made.folder, "a.md"))

    assert found.by_path == {"a.md": at(2)}
    assert [] == codes(found)


@pytest.fixture
def partial_clone(made, tmp_path):
    """A clone that has no contents but those of the last commit."""
    made.git("config", "uploadpack.allowFilter", "true")

    def clone():
        folder = tmp_path / "clone"
        command = [
            "git",
            "clone",
            "-q",
            "--filter=blob:none",
            f"file://{made.folder}",
            str(folder),
        ]
        subprocess.run(command, check=True, env=ENVIRON)
        return folder

    return clone


def test_partial_clone_has_dates_of_any_change_and_says_so(made, partial_clone):
    made.commit({"a.md": TEXT, "b.md": "b", "new.md": "x"})
    made.commit({"a.md": TAGGED, "b.md": "b", "new.md": "x"})
    made.write()
    folder = partial_clone()

    found = resolve(*(page(folder, name) for name in ("a.md", "b.md", "new.md")))

    assert found.by_path == {"a.md": at(2), "b.md": at(1), "new.md": at(1)}
    (notice,) = found.notices
    assert "missing-contents" == notice.code
    assert f"the clone in {folder} lacks old versions of files" in notice.problem
    assert "so any change dates their pages" in notice.problem
    assert notice.cure.endswith("--filter` (a.md)")


def test_partial_clone_lacks_only_the_dates_of_excerpts_that_need_old_contents(
    made, partial_clone
):
    """37.9: all dates of the repository were lost."""
    made.commit(
        {"a.md": "1", "b.md": "1", "c.md": "1", "all.txt": "a=1\nb=1\n", "c.txt": "c"}
    )
    made.commit(
        {"a.md": "1", "b.md": "1", "c.md": "1", "all.txt": "a=1\nb=2\n", "c.txt": "c"}
    )
    made.commit(
        {"a.md": "2", "b.md": "1", "c.md": "1", "all.txt": "a=1\nb=2\n", "c.txt": "c"}
    )
    made.write()
    folder = partial_clone()

    def read(content):
        return {line[:1].decode(): line for line in content.splitlines()}

    def shows(name, file):
        excerpt = Excerpt(file=folder / file, name=name[0], read=read)
        return page(folder, name, excerpts=(excerpt,))

    pages = [shows("a.md", "all.txt"), shows("b.md", "all.txt"), shows("c.md", "c.txt")]
    found = resolve(*pages, changes="any")

    assert found.by_path == {"a.md": at(3), "c.md": at(1)}
    (notice,) = found.notices
    assert "missing-contents" == notice.code
    assert "so pages that show parts of these have no date" in notice.problem
    assert notice.cure.endswith("(all.txt)")


def test_checkout_that_broke_off_has_the_dates_of_git(made):
    """An index without entries, outside CI: the files read as in the last commit."""
    names = [f"{n}.md" for n in range(25)]
    made.commit({name: TEXT + name for name in names})
    made.write()
    made.git("read-tree", "--empty")

    found = resolve(*(page(made.folder, name) for name in names), environ=ENVIRON)

    assert dict.fromkeys(names, at(1)) == found.by_path
    assert [] == codes(found)


def test_list_of_commits_outside_git_is_named(tmp_path):
    (tmp_path / "a.md").write_text(TEXT)

    found = resolve(
        page(tmp_path, "a.md"), environ=ENVIRON, ignore_revs="none.txt", lastmod=["git"]
    )

    assert ["ignore-revs"] == codes(found)
    assert "ignore_revs = 'none.txt' has no effect" in found.notices[0].problem
    found = resolve(page(tmp_path, "a.md"), environ=ENVIRON, lastmod=["git"])
    assert [] == codes(found)
