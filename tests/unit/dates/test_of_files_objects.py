"""The dates of Python objects, from real repositories."""

from __future__ import annotations

import time

import pytest

from sitemap_plugins.core.dates import lastmod
from sitemap_plugins.core.git import kept_answers, last_change, program
from sitemap_plugins.core.git.cache import GitCache
from sitemap_plugins.core.git.last_change import find_part_changes
from sitemap_plugins.core.git.repository import Repository
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.python.modules import ModuleReader
from sitemap_plugins.core.python.places import Place
from sitemap_plugins.core.records import Page
from sitemap_plugins.core.untrusted_files import read_sealed, write_sealed
from tests.checked import checked, environment
from tests.git_repository import ENVIRON, START, GitRepository

CI = ENVIRON | {"CI": "true"}

GET = '''
def get(url):
    """Get {what}."""
    return {body}
'''
OTHER = '''
def other():
    """Something else."""
'''


def get(what="a page", body="url"):
    return GET.format(what=what, body=body)


@pytest.fixture
def made(tmp_path):
    return GitRepository(tmp_path / "site")


def page(folder, *names, file="a.py", source=None, changes="content"):
    reader = ModuleReader()
    shown = [reader.excerpt(folder / file, name, changes) for name in names]
    sources = (folder / source,) if source else ()
    return Page(path=f"{file}:{names}", sources=sources, excerpts=tuple(shown))


def resolve(*pages, environ=CI, git_cache=None, **options):
    return lastmod.resolve(
        [checked(page) for page in pages],
        options=Options.parse(options, where="test"),
        environment=environment(environ, git_cache),
    )


def number(page, **options):
    """Return the number of the commit that dates a page; None for none."""
    date = resolve(page, **options).by_path.get(page.path)
    return date and (int(date.timestamp()) - START) // 60


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["get"], 2),
        (["get", "other"], 3),
        (["*"], 3),
        (["="], 1),
        ([""], 3),
        (["#"], 3),
        # It is made elsewhere: any change of the file can be one of it.
        (["Made.elsewhere"], 4),
        (["get", "Made.elsewhere"], 4),
    ],
)
def test_newest_of_the_objects_that_a_page_shows(made, names, expected):
    made.commit({"a.py": get()})
    made.commit({"a.py": get("all pages")})
    made.commit({"a.py": get("all pages") + OTHER})
    made.commit({"a.py": get("all pages", "None") + OTHER})
    made.write()

    assert number(page(made.folder, *names)) == expected


CLASS = "class A:\n    'A.'\n"
GET_IT = "    def get(self): 'Get.'\n"
PUT = "    def put(self): 1\n"


@pytest.mark.parametrize(("shows_undocumented", "expected"), [(True, 2), (False, 1)])
def test_only_member_without_a_docstring_goes(made, shows_undocumented, expected):
    made.commit({"a.py": CLASS + GET_IT + PUT})
    made.commit({"a.py": CLASS + GET_IT})
    made.write()
    place = Place(made.folder / "a.py", "A", "a", has_members=True)
    parts = place.shown(
        with_members=True, undocumented=shows_undocumented, is_ordered=False
    )

    assert number(page(made.folder, *[each.name for each in parts])) == expected


def test_any_change_of_the_module_counts_if_the_user_wants_it(made):
    made.commit({"a.py": get()})
    made.commit({"a.py": get(body="None")})
    made.commit({"a.py": get(body="None") + OTHER})
    made.write()

    assert number(page(made.folder, "get"), changes="any") == 1
    assert number(page(made.folder, "get", changes="any"), changes="any") == 3


def test_version_that_cannot_be_parsed_counts_as_changed(made):
    made.commit({"a.py": get()})
    made.commit({"a.py": get() + "print 'Python 2'\n"})
    made.commit({"a.py": get() + "print('Python 3')\n"})
    made.write()

    assert number(page(made.folder, "get")) == 3


def test_file_that_cannot_be_parsed_now_dates_all_its_objects(made):
    made.commit({"a.py": get()})
    made.commit({"a.py": get() + "print 'Python 2'\n"})
    made.commit({"a.py": get() + "print 'Python 2.7'\n"})
    made.write()

    assert number(page(made.folder, "get")) == 3


def test_file_that_was_never_committed_prevents_a_date(made):
    made.commit({"a.md": "A.", ".gitignore": "a.py"})
    made.write()
    (made.folder / "a.py").write_text(get())

    assert number(page(made.folder, "get", source="a.md")) is None


@pytest.mark.parametrize(
    "trees",
    [
        # A new file for one of several objects.
        [{"a.py": get() + OTHER}, {"a.py": OTHER, "b.py": get()}],
        # Another file has it, too.
        [
            {"a.py": get() + OTHER, "b.py": OTHER},
            {"a.py": OTHER, "b.py": OTHER + get()},
        ],
        # Another one stays.
        [{"a.py": get()}, {"a.py": get("all pages"), "b.py": get(body="None")}],
        # The file is renamed and edited.
        [{"client.py": get() + OTHER}, {"b.py": get() + OTHER.replace("S", "N")}],
        # Twice.
        [
            {"a.py": get() + OTHER},
            {"c.py": get(), "a.py": OTHER},
            {"c.py": OTHER, "b.py": get(), "a.py": OTHER + "\n"},
        ],
    ],
)
def test_object_that_moves_keeps_its_date(made, trees):
    made.commit({"README": "A."})
    for tree in trees:
        made.commit({"README": "A.", **tree})
    made.write()

    assert number(page(made.folder, "get", file="b.py")) == 2


@pytest.mark.parametrize("edited", [OTHER, ""])
def test_copy_of_an_object_is_new(made, edited):
    made.commit({"a.py": get() + OTHER})
    made.commit({"a.py": get() + edited, "b.py": get(body="None")})
    made.write()

    assert number(page(made.folder, "get", file="b.py")) == 2


def test_object_that_moves_with_a_change_is_dated_by_it(made):
    made.commit({"a.py": get() + OTHER})
    made.commit({"a.py": OTHER, "b.py": get("all pages")})
    made.write()

    assert number(page(made.folder, "get", file="b.py")) == 2


def test_object_without_a_docstring_is_not_looked_for_elsewhere(made):
    made.commit({"a.py": "x = 1\n" + OTHER})
    made.commit({"a.py": OTHER, "b.py": "x = 1\n"})
    made.write()

    assert number(page(made.folder, "x", file="b.py")) == 2


def test_object_that_was_elsewhere_before_an_edit_is_new(made):
    """A part is only looked for in other files if its own did not have it."""
    made.commit({"a.py": get(), "b.py": get("b")})
    made.commit({"a.py": OTHER, "b.py": get()})
    made.write()

    assert number(page(made.folder, "get", file="b.py")) == 2


def test_few_files_are_searched_and_those_of_the_same_name_first(made, monkeypatch):
    monkeypatch.setattr(last_change, "MAX_OTHER_FILES", 2)
    many = {f"a/{number}.py": OTHER for number in range(9)}
    made.commit({**many, "z/client.py": get() + OTHER, "z/last.py": get("x")})
    changed = {path: f"{text}\n" for path, text in many.items()}
    new = {"z/client.py": OTHER, "z/last.py": OTHER}
    moved = {"_client.py": get(), "other.py": get("x")}
    made.commit({**changed, **new, **moved})
    made.write()

    assert number(page(made.folder, "get", file="_client.py")) == 1
    assert number(page(made.folder, "get", file="other.py")) == 2


def test_object_that_a_merge_moves_is_new(made):
    made.commit({"a.py": get() + OTHER})
    made.commit({"a.py": get() + OTHER, "c": "1"}, parents=[1])
    made.commit({"a.py": get() + OTHER, "d": "1"}, parents=[1])
    made.commit({"a.py": OTHER, "b.py": get(), "c": "1", "d": "1"}, parents=[2, 3])
    made.write()

    assert number(page(made.folder, "get", file="b.py")) == 4


def test_ignored_commit_that_edits_an_object(made):
    made.commit({"a.py": get()})
    made.commit({"a.py": get("all pages")})
    names = made.write()
    made.commit({"a.py": get("all pages"), ".git-blame-ignore-revs": names[2]})
    made.write()

    assert number(page(made.folder, "get")) == 1


def test_date_names_the_object(made):
    made.commit({"a.md": "A.", "src/a.py": get() + OTHER})
    made.commit({"a.md": "A.", "src/a.py": get("all pages") + OTHER})
    names = made.write(checkout=True)
    client = page(made.folder, "get", "other", file="src/a.py", source="a.md")
    known = checked(client)
    dates = resolve(client)

    (why,) = lastmod.explain_each([known], dates).values()
    assert why.words == f"2017-07-14, {names[2][:7]}, in src/a.py (get)"


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("", "the module"),
        ("*", "the module"),
        ("get", "get"),
        ("A.b.1", "A.b"),
        ("A.*", "A"),
    ],
)
def test_label_of_a_part(tmp_path, name, label):
    reader = ModuleReader()
    assert reader.excerpt(tmp_path / "a.py", name, "content").label == label


def test_same_object_on_a_newer_and_an_older_page(made):
    """The older page's date does not depend on the newer page."""
    made.commit({"a.py": get(), "old.md": "A."})
    made.commit({"a.py": get("all pages"), "old.md": "A."})
    made.commit({"a.py": get("all pages"), "old.md": "A.", "new.md": "A."})
    made.write()
    old = page(made.folder, "get", source="old.md")
    new = Page(path="new", sources=(made.folder / "new.md",), excerpts=old.excerpts)
    for pages in ([old, new], [new, old]):
        found = resolve(*pages).by_path

        seconds = {path: int(date.timestamp()) - START for path, date in found.items()}
        assert seconds == {old.path: 120, "new": 180}


def test_search_ends_after_so_many_bytes(made, monkeypatch):
    """Not after a time, which would make dates depend on the machine."""
    made.commit({"a.py": get()})
    made.commit({"a.py": get(body="None")})
    made.write()
    repository = Repository.open(made.folder, environ=ENVIRON)

    def read(_path, content):
        return ModuleReader().read_parts(content)

    def find(number):
        monkeypatch.setattr(last_change, "MAX_READ", number)
        since = {(b"a.py", "get"): 0.0}
        found = find_part_changes(repository, since, ignored=(), read=read)
        return found[b"a.py", "get"]

    assert not find(0).is_certain
    assert not find(len(get())).is_certain
    assert find(1 << 20).is_certain
    assert find(1 << 20).time == START + 60


def test_time_of_the_reader_is_not_that_of_git(made, monkeypatch):
    monkeypatch.setattr(program, "TIMEOUT", 2.0)
    made.commit({"a.py": get()})
    made.commit({"a.py": get(body="None")})
    made.write()
    repository = Repository.open(made.folder, environ=ENVIRON)

    def read(_path, content):
        time.sleep(1.5)
        return ModuleReader().read_parts(content)

    found = find_part_changes(
        repository, {(b"a.py", "get"): 0.0}, ignored=(), read=read
    )
    assert found[b"a.py", "get"].time == START + 60


class Kept:
    """The file of kept answers, and builds that use it."""

    def __init__(self, file):
        self.file = file

    def build(self, *pages, **options):
        """Return the minute of each page's date."""
        cache = GitCache(parts=self.file)
        found = resolve(*pages, git_cache=cache, **options).by_path
        cache.parts.write()
        return [
            (int(found[page.path].timestamp()) - START) // 60
            if page.path in found
            else None
            for page in pages
        ]

    def forge(self, path, name, minute):
        """Write another date, which shows whether the file is used."""
        kept = self.files()
        kept[path][1][name][1] = START + 60 * minute
        write_sealed(self.file, kept, kept_answers._maker())

    def answers(self):
        return {path: rows for path, (_, rows) in self.files().items()}

    def files(self):
        return read_sealed(self.file, dict, kept_answers._maker())


@pytest.fixture
def kept(tmp_path):
    return Kept(tmp_path / "parts.json")


def test_answers_are_kept_until_the_file_changes(made, kept):
    made.commit({"a.py": get(), "b.py": get()})
    made.commit({"a.py": get(body="None"), "b.py": get(body="None")})
    made.write()
    pages = [page(made.folder, "get"), page(made.folder, "get", file="b.py")]

    assert kept.build(*pages) == [1, 1]
    kept.forge("a.py", "get", 50)
    kept.forge("b.py", "get", 60)
    assert kept.build(*pages) == [50, 60]
    made.commit({"a.py": get(), "b.py": get(body="None")})
    made.write()
    assert kept.build(*pages) == [1, 60]
    assert kept.build(pages[1]) == [60]
    assert kept.answers().keys() == {"b.py"}


def test_answers_of_all_questions_of_a_build_about_a_file_are_kept(made, kept):
    made.commit({"a.py": get() + OTHER})
    made.write()
    cache = GitCache(parts=kept.file)
    resolve(page(made.folder, "get"), git_cache=cache)
    resolve(page(made.folder, "other"), git_cache=cache)
    cache.parts.write()

    assert kept.answers()["a.py"].keys() == {"get", "other"}


def test_answers_are_not_kept_for_other_ignored_commits(made, kept):
    made.commit({"a.py": get()})
    made.commit({"a.py": get("all pages")})
    made.commit({"a.py": get("all pages", "None")})
    names = made.write()
    (made.folder / "revs").write_text(names[2])
    shown = page(made.folder, "get")

    assert kept.build(shown) == [2]
    assert kept.build(shown, ignore_revs="revs") == [1]


def test_answers_are_not_kept_for_another_reader(made, kept):
    made.commit({"a.py": get()})
    made.commit({"a.py": get(body="None")})
    made.write()

    assert kept.build(page(made.folder, "get")) == [1]
    assert kept.build(page(made.folder, "get", changes="any")) == [2]


def test_new_objects_of_a_known_file_are_asked_for(made, kept):
    made.commit({"a.py": get()})
    made.commit({"a.py": get() + OTHER})
    made.write()

    assert kept.build(page(made.folder, "get")) == [1]
    kept.forge("a.py", "get", 50)
    assert kept.build(page(made.folder, "get"), page(made.folder, "other")) == [50, 2]


def test_answer_for_a_newer_page_is_none_for_an_older_one(made, kept):
    """Below the date of its own file, a page's objects are not followed."""
    made.commit({"a.py": get()})
    made.commit({"a.py": get(body="1"), "old.md": "A."})
    made.commit({"a.py": get(body="2"), "old.md": "A.", "new.md": "A."})
    made.commit({"a.py": get(body="3"), "old.md": "A.", "new.md": "A."})
    made.write()
    old = page(made.folder, "get", source="old.md")
    new = page(made.folder, "get", source="new.md")

    assert kept.build(new) == [3]
    assert kept.answers()["a.py"]["get"][1:] == [START + 120, False]
    assert kept.build(new) == [3]
    assert kept.build(old) == [2]
    assert kept.answers()["a.py"]["get"][1:] == [START + 60, False]
    assert kept.build(page(made.folder, "get")) == [1]
    assert kept.answers()["a.py"]["get"][1:] == [START + 60, True]


def test_answer_of_a_shallow_clone_is_not_kept(made, kept, tmp_path):
    made.commit({"a.py": get()})
    made.commit({"a.py": get() + OTHER})
    made.commit({"a.py": get(body="None") + OTHER})
    made.write()
    clone = tmp_path / "clone"
    made.git("clone", "-q", "--depth=2", f"file://{made.folder}", str(clone))
    shown = page(clone, "get")

    assert kept.build(shown) == [None]
    assert kept.answers() == {"a.py": {}}


@pytest.mark.parametrize("content", [b"", b"\n{}", b"{}", b"[" * 100_000])
def test_damaged_file_is_not_used(made, kept, content):
    made.commit({"a.py": get()})
    made.write()
    assert kept.build(page(made.folder, "get")) == [1]
    found = kept.files()
    kept.file.write_bytes(content)

    assert kept.build(page(made.folder, "get")) == [1]
    assert kept.files() == found


@pytest.mark.parametrize(
    "row",
    [
        ["--all", 1, True],
        ["a" * 40, [], True],
        ["a" * 40, 1e300, True],
        ["a" * 40, 1, None],
        ["a" * 40],
        7,
    ],
)
def test_answer_of_another_kind_is_not_used(made, kept, row):
    made.commit({"a.py": get()})
    made.write()
    assert kept.build(page(made.folder, "get")) == [1]
    files = kept.files()
    files["a.py"][1]["get"] = row
    write_sealed(kept.file, files, kept_answers._maker())

    assert kept.build(page(made.folder, "get")) == [1]


def test_build_that_git_does_not_answer_keeps_what_is_known(made, kept):
    made.commit({"a.py": get()})
    made.write()
    shown = page(made.folder, "get")
    kept.build(shown)
    before = kept.file.read_text()

    assert kept.build(shown, environ={**CI, "PATH": ""}) == [None]
    assert kept.file.read_text() == before


def test_equal_answers_are_not_written_again(made, kept):
    made.commit({"a.py": get()})
    made.write()
    kept.build(page(made.folder, "get"))
    kept.file.chmod(0o444)
    before = kept.file.stat().st_mtime_ns
    kept.build(page(made.folder, "get"))

    assert kept.file.stat().st_mtime_ns == before
