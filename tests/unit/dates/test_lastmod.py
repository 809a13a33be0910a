"""The date of each page, from real repositories that the tests create."""

from __future__ import annotations

import os
from datetime import UTC, date, datetime, timedelta

import pytest

from sitemap_plugins.core.date_values import Origin
from sitemap_plugins.core.dates import lastmod
from sitemap_plugins.core.git.cache import GitCache
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.records import Page
from tests.checked import NOW, checked, environment
from tests.git_repository import ENVIRON, START, GitRepository
from tests.shell_scripts import recording_git
from tests.written import codes

CI = ENVIRON | {"CI": "true"}


def at(number: int) -> datetime:
    """Return the time of a commit, by its number."""
    return datetime.fromtimestamp(START + 60 * number, UTC)


@pytest.fixture
def made(tmp_path):
    return GitRepository(tmp_path / "site")


def resolve(*pages, environ=CI, git_cache=None, **options):
    return lastmod.resolve(
        [checked(page) for page in pages],
        options=Options.parse(options, where="test"),
        environment=environment(environ, git_cache),
    )


def dates(folder, *names, environ=CI, **options):
    """Return the dates of files, with one page for each."""
    pages = [Page(path=name, sources=(folder / name,)) for name in names]
    return dict(resolve(*pages, environ=environ, **options).by_path)


# 1. Exactness: what a merge did.


def test_change_on_a_branch_has_its_own_date(made):
    base = made.commit({"a": "1", "b": "1"})
    left = made.commit({"a": "1", "b": "2"}, parents=[base])
    right = made.commit({"a": "2", "b": "1"}, parents=[base])
    made.commit({"a": "2", "b": "2"}, parents=[left, right])
    made.write()

    assert dates(made.folder, "a", "b") == {"a": at(right), "b": at(left)}


def test_change_made_in_a_merge_counts(made):
    base = made.commit({"a": "1"})
    left = made.commit({"a": "2"}, parents=[base])
    right = made.commit({"a": "3"}, parents=[base])
    merge = made.commit({"a": "2 and 3"}, parents=[left, right])
    made.write()

    assert dates(made.folder, "a") == {"a": at(merge)}


def test_change_that_a_merge_discarded_does_not_count(made):
    base = made.commit({"a": "1", "b": "1"})
    left = made.commit({"a": "1", "b": "2"}, parents=[base])
    right = made.commit({"a": "2", "b": "1"}, parents=[base])
    made.commit({"a": "1", "b": "2"}, parents=[left, right])
    made.write()

    assert dates(made.folder, "a") == {"a": at(base)}


def test_change_reverted_on_its_branch_does_not_count(made):
    base = made.commit({"a": "1"})
    right = made.commit({"a": "2"}, parents=[base])
    right = made.commit({"a": "1"}, parents=[right])
    left = made.commit({"a": "1", "b": "1"}, parents=[base])
    made.commit({"a": "1", "b": "1"}, parents=[left, right])
    made.write()

    assert dates(made.folder, "a") == {"a": at(base)}


def test_revert_by_a_merge_request_counts(made):
    """The merged branch began before the change and never changed the file."""
    first = made.commit({"x": "1", "o": "1"})
    change = made.commit({"x": "2", "o": "1"}, parents=[first])
    older = made.commit({"x": "1", "o": "1", "f": "1"}, parents=[first])
    merged = made.commit({"x": "2", "o": "1", "f": "1"}, parents=[change, older])
    back = made.commit({"x": "1", "o": "1"}, parents=[change])
    meanwhile = made.commit({"x": "2", "o": "2", "f": "1"}, parents=[merged])
    made.commit({"x": "1", "o": "2", "f": "1"}, parents=[meanwhile, back])
    made.write()

    assert dates(made.folder, "x", "o", "f") == {
        "x": at(back),
        "o": at(meanwhile),
        "f": at(older),
    }


def test_third_parent_of_a_merge_is_read(made):
    base = made.commit({"a": "1", "b": "1"})
    others = [made.commit({"a": "1", "b": n}, parents=[base]) for n in "234"]
    last = made.commit({"a": "2", "b": "1"}, parents=[base])
    made.commit({"a": "2", "b": "1"}, parents=[*others, last])
    made.write()

    assert dates(made.folder, "a", "b") == {"a": at(last), "b": at(base)}


def test_file_merged_from_another_history_keeps_its_date(made):
    other = made.commit({"a": "1"}, parents=[])
    main = made.commit({"b": "1"}, parents=[])
    made.commit({"a": "1", "b": "1"}, parents=[main, other])
    made.write()

    assert dates(made.folder, "a", "b") == {"a": at(other), "b": at(main)}


# 2. What does not count.


@pytest.mark.parametrize(
    ("option", "expected"), [(True, 1), ("ignored.txt", 1), (False, 2)]
)
def test_ignored_commits_do_not_count(made, option, expected):
    made.commit({"a": "1"})
    made.commit({"a": "tidied", "b": "new"})
    made.write()
    tidied = made.git("rev-parse", "HEAD")
    name = option if isinstance(option, str) else ".git-blame-ignore-revs"
    (made.folder / name).write_text(f"# tidied\n{tidied}\n")

    found = dates(made.folder, "a", "b", ignore_revs=option)

    assert {
        "a": at(expected),
        "b": at(2),
    } == found  # It added b: there is no older date.


@pytest.mark.parametrize(
    ("content", "option"),
    [(b"abc\n", True), (None, "missing.txt"), (None, "/dev/zero")],
)
def test_unreadable_list_of_ignored_commits_is_reported(made, content, option):
    made.commit({"a": "1"})
    made.write()
    if content is not None:
        (made.folder / ".git-blame-ignore-revs").write_bytes(content)

    found = resolve(Page(path="a", sources=(made.folder / "a",)), ignore_revs=option)

    assert ["ignore-revs"] == codes(found)
    assert {"a": at(1)} == found.by_path


@pytest.mark.parametrize("folder", ["documents", "docs/old", "elsewhere/deep"])
def test_move_does_not_count(made, folder):
    made.commit({f"{folder}/{n}": f"text {n}" for n in range(20)} | {"README": "1"})
    made.commit({f"{folder}/{n}": f"text {n}" for n in range(20)} | {"README": "2"})
    made.commit({f"docs/{n}": f"text {n}" for n in range(20)} | {"README": "2"})
    made.write()

    found = dates(made.folder / "docs", *map(str, range(20)))

    assert {at(1)} == set(found.values())


def test_move_with_a_change_counts(made):
    made.commit({"old": "text\n" * 20})
    made.commit({"new": "text\n" * 20 + "more"})
    made.write()

    assert {"new": at(2)} == dates(made.folder, "new")


def test_move_made_in_a_merge_counts(made):
    """As in `git log`, the origin of the move does not matter."""
    base = made.commit({"elsewhere/a": "text", "b": "1", "c": "1"})
    left = made.commit({"elsewhere/a": "text", "b": "2", "c": "1"}, parents=[base])
    right = made.commit({"elsewhere/a": "text", "b": "1", "c": "2"}, parents=[base])
    merge = made.commit({"docs/a": "text", "b": "2", "c": "2"}, parents=[left, right])
    made.write()

    assert {"docs/a": at(merge)} == dates(made.folder, "docs/a")


def test_several_moves_are_followed(made):
    for name in ("one/a", "two/b", "three/c", "four/d"):
        made.commit({name: "text"})
    made.write()

    assert {"four/d": at(1)} == dates(made.folder, "four/d")


def test_copy_counts(made):
    made.commit({"a": "text"})
    made.commit({"a": "text", "b": "text"})
    made.write()

    assert {"b": at(2)} == dates(made.folder, "b")


def test_change_of_the_mode_does_not_count(made):
    made.commit({"a": "text"})
    made.commit({"a": (b"100755", "text")})
    made.write()

    assert {"a": at(1)} == dates(made.folder, "a")


# 3. The working tree.


def edit(file, day: int):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"edited on day {day}")
    when = datetime(2026, 1, day, tzinfo=UTC)
    os.utime(file, (when.timestamp(), when.timestamp()))
    return when


def test_edits_in_the_working_tree_count(made):
    made.commit({".gitignore": "made", "a": "1", "b": "1", "c": "1", "e": "1"})
    made.write()
    modified, staged = edit(made.folder / "a", 2), edit(made.folder / "e", 5)
    edit(made.folder / "made", 4)
    made.git("add", "e")
    (made.folder / "c").unlink()

    found = dates(made.folder, "a", "b", "c", "e", "made", environ=ENVIRON)

    assert found == {"a": modified, "b": at(1), "e": staged}


def test_file_that_was_never_committed_has_no_date(made):
    """It can be of an earlier build, as autosummary's are;
    then its time is that build's."""
    made.commit({"a": "1"})
    made.write()
    edit(made.folder / "new/d", 3)
    edit(made.folder / "staged", 4)
    made.git("add", "staged")

    assert {"a": at(1)} == dates(made.folder, "a", "new/d", "staged", environ=ENVIRON)


@pytest.mark.parametrize("where", ["ignored", "new", "../outside"])
def test_included_files_do_not_date_a_page_whose_source_has_no_date(made, where):
    made.commit({".gitignore": "ignored", "a": "1", "shown": "1"})
    made.commit({".gitignore": "ignored", "a": "1", "shown": "2"})
    made.write()
    edit(made.folder / where, 3)
    shown = (made.folder / "shown",)
    pages = [
        Page(path="a", sources=(made.folder / "a",), included=shown),
        Page(path="generated", sources=(made.folder / where,), included=shown),
        Page(path="nothing", included=shown),
        Page(path="named", sources=(made.folder / where, *shown)),
    ]

    found = resolve(*pages)

    assert {"a": at(2), "named": at(2)} == found.by_path
    in_git = where != "../outside"
    assert (["no-source"] if in_git else ["no-repository"]) == codes(found)


def test_file_outside_git_and_what_it_includes_from_a_repository_date_a_page(made):
    made.commit({"shown": "1"})
    made.write()
    outside = made.folder.parent / "outside"
    when = edit(outside, 3)
    page = Page(path="", sources=(outside,), included=(made.folder / "shown",))

    assert {"": when} == resolve(page, environ=ENVIRON).by_path
    os.utime(outside, (0, 0))
    assert {"": at(1)} == resolve(page, environ=ENVIRON).by_path


@pytest.mark.parametrize("ignored", ["made/", "nothing"])
@pytest.mark.parametrize("hash_function", ["sha1", "sha256"])
def test_copy_that_the_build_makes_has_the_date_of_its_original(
    tmp_path, ignored, hash_function
):
    """For example with `cp CHANGELOG.md docs/changelog.md`;
    its name tells which file it is."""
    made = GitRepository(tmp_path / "made", hash_function=hash_function)
    before = {".gitignore": ignored, "a/twin": "twins", "b/twin": "twins"}
    made.commit(before | {"CHANGELOG.md": "1"})
    made.commit(before | {"CHANGELOG.md": "2"})
    made.commit(before | {"CHANGELOG.md": "2", "page": "text", "empty": ""})
    made.write()
    (made.folder / "made").mkdir()
    texts = {
        "changelog.md": "2",
        "old/CHANGELOG.md": "1",
        "twin": "twins",
        "news.md": "2",
        "empty": "",
    }
    (made.folder / "made/old").mkdir()
    for name, text in texts.items():
        (made.folder / "made" / name).write_text(text, "utf-8")
    names = [f"made/{name}" for name in texts]

    found = dates(made.folder, "page", *names, environ=ENVIRON | {"CI": "true"})

    assert {"page": at(3), "made/changelog.md": at(2)} == found


@pytest.mark.parametrize(
    ("copy", "is_dated"),
    [(b"1\r\n2\r\n", True), (b"1\n2\n", True), (b"1\r2\r", False)],
)
def test_copy_with_the_line_ends_of_another_system_has_the_date_of_its_original(
    made, copy, is_dated
):
    """With `core.autocrlf`, the working tree has CRLF where the commit has LF."""
    made.commit({"CHANGELOG.md": "1\n2\n"})
    made.commit({"CHANGELOG.md": "1\n2\n", "page": "text"})
    made.write()
    (made.folder / "made").mkdir()
    (made.folder / "made/changelog.md").write_bytes(copy)

    found = dates(made.folder, "made/changelog.md", environ=ENVIRON | {"CI": "true"})

    assert ({"made/changelog.md": at(1)} if is_dated else {}) == found


@pytest.mark.parametrize(
    ("environ", "is_written", "cure"),
    [
        (ENVIRON, True, "commit the sources, or name the files"),
        (ENVIRON, False, "name the files"),
        (CI, True, "name the files"),
    ],
)
def test_page_that_its_author_may_have_to_commit(made, environ, is_written, cure):
    made.commit({"a": "1"})
    made.write()
    edit(made.folder / "new", 4)
    sources = (made.folder / "new",) if is_written else ()

    found = resolve(
        Page(path="new", sources=sources, is_generated=not is_written), environ=environ
    )

    assert {} == found.by_path
    (notice,) = found.notices
    assert notice.cure.startswith(cure)


@pytest.mark.parametrize(("inside", "behind"), [(True, 0), (False, 0), (False, 9)])
def test_file_that_the_build_wrote_has_no_date(made, tmp_path, inside, behind):
    """Its time can be milliseconds behind the clock."""
    made.commit({"a": "1", "b": "1"})
    made.write()
    folder = made.folder if inside else tmp_path / "elsewhere"
    for day, name in enumerate(["a", "new"], start=4):
        edit(folder / name, day)
    pages = [
        checked(Page(path=name, sources=(folder / name,))) for name in ("a", "new")
    ]

    began = datetime(2026, 1, 5, tzinfo=UTC) + timedelta(milliseconds=behind)
    around = environment(ENVIRON)._replace(began=began)
    found = lastmod.resolve(pages, options=Options(), environment=around)

    assert {"a": datetime(2026, 1, 4, tzinfo=UTC)} == found.by_path
    assert (["no-source"] if inside else []) == [
        notice.code for notice in found.notices
    ]


def test_change_of_the_mode_in_the_working_tree_is_not_an_edit(made):
    """Some file systems give every file the same mode."""
    made.commit({"a": "1"})
    made.write()
    edit(made.folder / "a", 2)
    (made.folder / "a").write_text("1")
    (made.folder / "a").chmod(0o777)

    assert {"a": at(1)} == dates(made.folder, "a", environ=ENVIRON)


@pytest.mark.parametrize("name", ["CI", "READTHEDOCS"])
def test_in_continuous_integration_only_commits_count(made, name):
    made.commit({"a": "1"})
    made.write()
    edited = edit(made.folder / "a", 2)

    assert {"a": at(1)} == dates(made.folder, "a", environ=ENVIRON | {name: "True"})
    assert {"a": edited} == dates(made.folder, "a", environ=ENVIRON | {name: "false"})


def test_page_has_the_date_of_its_newest_source(made):
    made.commit({"a": "1", "b": "1"})
    made.commit({"a": "1", "b": "2"})
    made.write()
    sources = (made.folder / "a", made.folder / "b", made.folder / "missing")

    assert {"p": at(2)} == resolve(Page(path="p", sources=sources)).by_path


# 4. What is not known stays out.


def history_of(made, count):
    """Write commits that each change the file of their number and keep `first`."""
    tree = {"first": "1"}
    for number in range(1, count + 1):
        tree = tree | {f"f{number}": "1"}
        made.commit(tree)
    made.write()


def clone(made, depth):
    target = made.folder.with_name(f"depth-{depth}")
    made.git(
        "clone", "--quiet", f"--depth={depth}", f"file://{made.folder}", str(target)
    )
    return target


def test_clone_of_depth_one_gives_no_date_and_one_notice(made):
    history_of(made, 5)
    folder = clone(made, 1)

    found = resolve(
        *(Page(path=n, sources=(folder / n,)) for n in ("first", "f1", "f5"))
    )

    assert {} == found.by_path
    assert ["shallow-clone"] == codes(found)
    assert "3 of 3 pages" in found.notices[0].text


def test_shallow_clone_gives_only_dates_inside_it(made):
    history_of(made, 9)
    folder = clone(made, 4)

    found = dates(folder, "first", *(f"f{number}" for number in range(1, 10)))

    assert found == {f"f{number}": at(number) for number in (7, 8, 9)}


def test_known_date_wins_over_an_unknown_older_one(made):
    history_of(made, 9)
    folder = clone(made, 4)
    new = Page(path="new", sources=(folder / "first", folder / "f9"))
    old = Page(path="old", sources=(folder / "first", folder / "f5"))

    assert {"new": at(9)} == resolve(new, old).by_path
    assert "1 of 2 pages" in resolve(new, old).notices[0].text
    assert () == resolve(new, Page(path="without sources")).notices


@pytest.mark.parametrize(
    ("variable", "cure"),
    [
        ("GITHUB_ACTIONS", "fetch-depth: 0"),
        ("GITLAB_CI", "GIT_DEPTH: 0"),
        ("READTHEDOCS", "git fetch --unshallow || true"),
        ("OTHER", "run `git fetch --unshallow`"),
    ],
)
def test_cure_for_a_shallow_clone_depends_on_the_service(made, variable, cure):
    history_of(made, 2)
    page = Page(path="a", sources=(clone(made, 1) / "first",))

    assert cure in resolve(page, environ=CI | {variable: "true"}).notices[0].text


def test_notice_on_a_shallow_clone_names_the_option_for_publication_dates(made):
    """They are not dates of the last change, so they are used only on request."""
    history_of(made, 2)
    file = clone(made, 1) / "first"
    article = Page(path="a", sources=(file,), published=at(1))
    page = Page(path="b", sources=(file,))

    found = resolve(article, page)

    assert {} == found.by_path
    assert "write the option lastmod = ['page', 'published']" in found.notices[0].cure
    assert "published" not in resolve(page).notices[0].text
    assert {"a": at(1)} == resolve(article, page, lastmod=["page", "published"]).by_path


def test_publication_date_before_a_shallow_clone_is_dropped(made):
    history_of(made, 3)
    file = clone(made, 1) / "first"
    pages = [
        Page(path="older", sources=(file,), published=at(1)),
        Page(path="newer", sources=(file,), published=at(4)),
        Page(path="author", sources=(file,), modified=at(1)),
    ]

    found = resolve(*pages, lastmod=["git", "page", "published"])

    assert {"newer": at(4), "author": at(1)} == found.by_path
    assert ["shallow-clone"] == codes(found)
    assert "1 of 3 pages" in found.notices[0].text


def test_date_in_the_future_is_left_out(made):
    made.commit({"a": "1"}, time=int((NOW + timedelta(days=1)).timestamp()))
    made.commit({"a": "1", "b": "1"}, time=2**40)
    made.write()
    pages = [
        Page(path=name, name=f"{name}.md", sources=(made.folder / name,))
        for name in "ab"
    ]

    found = resolve(*pages)

    assert {} == found.by_path
    assert ["future-date"] == codes(found)
    assert "2 pages" in found.notices[0].text
    assert "a.md and b.md" in found.notices[0].text


def test_future_author_date_is_replaced_by_that_of_git(made):
    made.commit({"a": "1"})
    made.write()
    page = Page(
        path="a", sources=(made.folder / "a",), modified=NOW + timedelta(seconds=1)
    )

    found = resolve(page)

    assert {"a": at(1)} == found.by_path
    assert ["future-date"] == codes(found)


@pytest.mark.parametrize(
    ("paths", "names"),
    [("a", "(a)"), ("abc", "(a, b and c)"), ("abcd", "(a, b, c and 1 more)")],
)
def test_three_pages_with_a_future_date_are_named(paths, names):
    found = resolve(
        *(Page(path=path, modified=NOW + timedelta(days=2)) for path in paths)
    )

    assert found.notices[0].text.endswith(names)


@pytest.mark.parametrize(("days", "kept"), [(0, True), (1, True), (2, False)])
def test_date_of_tomorrow_is_kept_because_of_time_zones(days, kept):
    day = date(2026, 11, 21) + timedelta(days=days)

    assert bool(resolve(Page(path="a", modified=day)).by_path) is kept


# 5. Odd places and names.


def test_files_in_a_submodule_have_its_dates(made, tmp_path):
    inner = GitRepository(tmp_path / "inner")
    inner.commit({"a": "1"}, time=START)
    inner.write()
    made.commit({"b": "1"})
    made.write()
    made.git(
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        str(inner.folder),
        "docs",
    )
    made.git("commit", "--quiet", "--message=submodule")

    assert {"docs/a": at(0), "b": at(1)} == dates(made.folder, "docs/a", "b")


def test_worktree_has_its_own_head(made, tmp_path):
    first = made.commit({"a": "1"})
    made.commit({"a": "2"})
    names = made.write()
    made.git("worktree", "add", "--quiet", str(tmp_path / "tree"), names[first])

    assert {"a": at(1)} == dates(tmp_path / "tree", "a")
    assert {"a": at(2)} == dates(made.folder, "a")


def test_symbolic_links_are_followed(made, tmp_path):
    made.commit({"docs/a": "1", "snippet": "1"})
    made.commit({"docs/a": "1", "snippet": "2"})
    made.write()
    (tmp_path / "linked").symlink_to(made.folder / "docs")
    (tmp_path / "file").symlink_to(made.folder / "snippet")

    assert {"linked/a": at(1), "file": at(2)} == dates(tmp_path, "linked/a", "file")


@pytest.mark.parametrize(
    "name",
    [
        '"quoted"',
        "new\nline",
        "back\\slash",
        ":(top)a",
        ":!a",
        "-a",
        "*",
        "[a]",
        " ",
        "\x01",
        "é",
        "docs/e\u0301",
        "docs/\udcff",
        "a\tb",
        "docs/...",
    ],
)
def test_unusual_file_names_have_dates(made, name):
    if os.name == "nt" and {"\\", "\udcff"} & set(name):
        pytest.skip("Windows has no such names")
    made.commit({name: "1"})
    made.commit({name: "1", "a": "2", "other": "2"})
    made.write()

    assert dates(made.folder, name, environ=ENVIRON) == {name: at(1)}


def test_change_of_case_in_a_name_does_not_count(made):
    made.commit({"docs/Page.md": "1"})
    made.commit({"docs/page.md": "1"})
    made.write()

    assert {"docs/page.md": at(1)} == dates(made.folder, "docs/page.md")


def test_git_variables_in_the_environment_are_ignored(made, tmp_path):
    made.commit({"a": "1"})
    made.write()
    other = GitRepository(tmp_path / "other")
    hook = {
        "GIT_DIR": str(other.folder / ".git"),
        "GIT_INDEX_FILE": "x",
        "GIT_WORK_TREE": "/",
    }

    assert {"a": at(1)} == dates(made.folder, "a", environ=ENVIRON | hook)


def test_pages_from_several_repositories_have_dates(made, tmp_path):
    other = GitRepository(tmp_path / "other")
    for repository in (made, other):
        repository.commit({"docs/a": "1", "more/b": "1"})
        repository.write()

    names = ("site/docs/a", "site/more/b", "other/docs/a", "other/more/b")

    assert dates(tmp_path, *names) == dict.fromkeys(names, at(1))


def test_failing_repositories_are_reported_in_the_order_of_their_pages(tmp_path):
    names = list("fbdace")
    for name in names:
        (tmp_path / name / ".git").mkdir(parents=True)

    found = resolve(
        *(Page(path=name, sources=(tmp_path / name / "a",)) for name in names)
    )

    places = [f"git finds no repository in {tmp_path / name} " for name in names]
    said = [notice.text for notice in found.notices]
    assert all(map(str.startswith, said, places)), said
    assert len(said) == len(names)


@pytest.mark.parametrize("origins", [["page"], ["mtime"], False])
def test_git_is_not_needed_if_the_option_does_not_name_it(made, tmp_path, origins):
    made.commit({"a": "1"})
    made.write()
    page = Page(path="a", sources=(made.folder / "a",))

    found = resolve(page, environ={"PATH": str(tmp_path)}, lastmod=origins)

    assert ({}, ()) == (found.by_path, found.notices)


# 7. Outside git.


def test_file_outside_git_has_its_own_time(tmp_path):
    when = edit(tmp_path / "a", 2)
    before = str(int(when.timestamp()) - 60)

    def dated(**environ):
        return dates(tmp_path, "a", environ=ENVIRON | environ)

    page = Page(path="a", sources=(tmp_path / "a",))
    origin = resolve(page, environ=ENVIRON).evidence["a"].origin
    assert Origin("mtime", str(tmp_path / "a")) == origin
    assert {"a": when} == dates(tmp_path, "a", "missing", environ=ENVIRON)
    assert {} == dates(tmp_path, "a", environ=ENVIRON, lastmod=["page", "git"])
    assert {"a": when} == dated(SOURCE_DATE_EPOCH=str(int(when.timestamp())))
    assert {"a": when} == dated(SOURCE_DATE_EPOCH="soon")
    assert {} == dated(SOURCE_DATE_EPOCH=before)


@pytest.mark.parametrize("epoch", [0, START])
def test_file_time_after_source_date_epoch_is_ignored(made, tmp_path, epoch):
    """A build would replace it with 1970 or a changelog's date,
    which is not a page's date."""
    made.commit({"edited": "1", "same": "1"})
    made.write()
    same = dates(made.folder, "same")["same"]
    files = [made.folder / "edited", tmp_path / "a", tmp_path / "b"]
    for day, file in enumerate(files, start=2):
        edit(file, day)
    pages = [Page(path=file.name, sources=(file,)) for file in files]

    found = resolve(
        Page(path="same", sources=(made.folder / "same",)),
        Page(path="both", sources=(made.folder / "same", made.folder / "edited")),
        Page(path="own", modified=at(1), sources=(tmp_path / "a",)),
        *pages,
        environ=ENVIRON | {"SOURCE_DATE_EPOCH": str(epoch)},
    )

    assert {"same": same, "own": at(1)} == found.by_path
    assert ["late-file"] == codes(found)
    assert "of 4 pages changed after SOURCE_DATE_EPOCH" in found.notices[0].text


@pytest.mark.parametrize(
    "variable", ["CI", "READTHEDOCS", "NETLIFY", "CF_PAGES", "VERCEL"]
)
def test_file_times_are_ignored_in_continuous_integration(tmp_path, variable):
    edit(tmp_path / "a", 2)
    pages = [Page(path="a", sources=(tmp_path / "a",)), Page(path="b", modified=at(0))]

    found = resolve(*pages, environ=ENVIRON | {variable: "1"})

    assert {"b": at(0)} == found.by_path
    assert ["no-repository"] == codes(found)
    assert "of 1 page are in no git repository" in found.notices[0].text


@pytest.mark.parametrize(
    ("seconds", "is_copy"),
    [
        ([0, 0, 0], True),
        ([0, 1, 2], True),
        ([0] * 9 + [86_400], True),  # One was edited since.
        ([0] * 8 + [86_400, 90_000], False),
        ([0, 3, 6], False),
        ([0, 60, 120], False),
        ([0, 0], False),
        ([0], False),
        ([n // 100 for n in range(1000)], True),
        (list(range(1000)), False),
    ],
)
def test_file_times_of_a_copy_are_ignored(tmp_path, seconds, is_copy):
    pages = []
    for number, second in enumerate(seconds):
        file = tmp_path / str(number)
        file.touch()
        os.utime(file, (START + second, START + second))
        pages.append(Page(path=file.name, sources=(file,)))

    found = resolve(*pages, environ=ENVIRON)

    assert (0 if is_copy else len(pages)) == len(found.by_path)
    assert (["no-repository"] if is_copy else []) == codes(found)


@pytest.mark.parametrize("variables", [{"CI": "1"}, {"SOURCE_DATE_EPOCH": "0"}])
def test_unneeded_file_time_is_not_reported(tmp_path, variables):
    edit(tmp_path / "a", 2)
    page = Page(path="a", sources=(tmp_path / "a",), modified=at(0))

    found = resolve(page, environ=ENVIRON | variables, lastmod=["mtime", "page"])

    assert ({"a": at(0)}, ()) == (found.by_path, found.notices)


@pytest.mark.parametrize(
    "origins", [["git", "mtime"], ["git"], ["mtime"], ["published"], False]
)
def test_missing_dates_are_reported_only_if_the_option_names_their_origin(
    tmp_path, origins
):
    edit(tmp_path / "a", 2)
    page = Page(path="a", sources=(tmp_path / "a",))

    def told(**environ):
        return codes(resolve(page, environ=ENVIRON | environ, lastmod=origins))

    named = origins or []
    assert (["no-repository"] if {"git", "mtime"} & {*named} else []) == told(CI="1")
    assert (["late-file"] if "mtime" in named else []) == told(SOURCE_DATE_EPOCH="0")


def test_tracked_file_never_has_its_file_time(made):
    made.commit({"a": "1"})
    made.write()

    assert {} == dates(made.folder, "a", lastmod=["mtime"])


# 8. Pages without sources, and the order of sources.


@pytest.mark.parametrize("origins", [["page", "git"], ["git", "page"]])
def test_page_without_sources_has_the_newest_date_of_the_pages_it_lists(origins):
    pages = [
        Page(path="one", modified=at(1)),
        Page(path="two", modified=at(2)),
        Page(path="tag", lists=("one", "two", "missing")),
        Page(path="tags", lists=("tag", "one")),
        Page(path="empty", lists=("nothing",)),
        Page(path="own", modified=at(0), lists=("two",)),
    ]

    assert {
        "one": at(1),
        "two": at(2),
        "tag": at(2),
        "own": at(0),
    } == resolve(*pages, lastmod=origins).by_path


def test_list_with_a_page_of_unknown_date_has_none():
    pages = [
        Page(path="dated", modified=at(1)),
        Page(path="undated"),
        Page(path="blog", lists=("dated", "undated")),
        Page(path="own", lists=("undated",), modified=at(0)),
    ]

    assert {"dated": at(1), "own": at(0)} == resolve(*pages).by_path


def test_page_with_an_undated_source_takes_no_date_from_its_list(made):
    history_of(made, 3)
    folder = clone(made, 1)
    pages = [
        Page(path="a", sources=(folder / "first",), lists=("b",)),
        Page(path="b", modified=at(1)),
    ]

    assert {"b": at(1)} == resolve(*pages).by_path


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        (["page", "git"], 0),
        (["git", "page"], 1),
        (["git"], 1),
        (["page"], 0),
        (False, None),
    ],
)
def test_first_origin_with_a_date_wins(made, sources, expected):
    made.commit({"a": "1"})
    made.write()
    page = Page(path="a", sources=(made.folder / "a",), modified=at(0))

    found = resolve(page, lastmod=sources)

    assert found.by_path.get("a") == (None if expected is None else at(expected))
    assert () == found.notices


# 9. Rebuilds.


def count_walks(tmp_path):
    """Return variables that make each call of git write a line,
    and the file of the lines."""
    lines = tmp_path / "calls"
    return ENVIRON | {"PATH": recording_git(tmp_path / "bin", lines)}, lines


def test_rebuild_reads_the_history_again_only_after_a_commit(made, tmp_path):
    made.commit({"a": "1", "b": "1"})
    made.write()
    environ, calls = count_walks(tmp_path)
    history = GitCache()
    a, b = (Page(path=name, sources=(made.folder / name,)) for name in "ab")

    def walks(*pages):
        calls.write_text("")
        found = resolve(*pages, environ=environ, git_cache=history)
        return calls.read_text().count(" log "), dict(found.by_path)

    assert walks(a)[0] > 0
    assert (0, {"a": at(1)}) == walks(a)
    when = edit(made.folder / "a", 2)
    assert walks(a) == (0, {"a": when})  # The working tree is looked at each time.
    assert walks(a, b)[0] > 0
    assert walks(a, b) == (0, {"a": when, "b": at(1)})
    made.commit({"a": "1", "b": "2"}, parents=[1])
    made.write()
    assert walks(a, b)[0] > 0
    assert {"a": at(1), "b": at(2)} == walks(a, b)[1]
    (made.folder / ".git-blame-ignore-revs").write_text(made.git("rev-parse", "HEAD"))
    assert at(1) == walks(a, b)[1]["b"]
