"""Where files went: chains, returns, splits, deletions, folders of another name."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.git.repository import Repository
from sitemap_plugins.moved.git_moves import find_moves
from tests.full import FULL
from tests.git_repository import ENVIRON, GitRepository

TEXT = "".join(f"line {n} of a page, which is long enough\n" for n in range(20))
EDITED = TEXT.replace("line 3 ", "LINE 3 ").replace("line 9 ", "LINE 9 ")
PART = TEXT[: len(TEXT) * 11 // 20]
OTHER = TEXT.replace("line", "another")

HISTORIES = {
    "chain": (
        [{"a.md": TEXT}, {"b.md": TEXT}, {"d/c.md": EDITED}],
        {"a.md": "d/c.md", "b.md": "d/c.md"},
    ),
    "case": ([{"A.md": TEXT}, {"a.md": TEXT}], {"A.md": "a.md"}),
    "came back": (
        [{"a.md": TEXT}, {"b.md": TEXT}, {"a.md": TEXT}],
        {"b.md": "a.md"},
    ),
    "deleted": ([{"a.md": TEXT, "x.md": OTHER}, {"x.md": OTHER}], {"a.md": ""}),
    "moved, then deleted": (
        [{"a.md": TEXT}, {"b.md": TEXT}, {"x.md": OTHER}],
        {"a.md": "", "b.md": ""},
    ),
    "name used again": (
        [
            {"a.md": TEXT},
            {"b.md": TEXT},
            {"b.md": TEXT, "a.md": OTHER},
            {"b.md": TEXT},
        ],
        {"a.md": ""},
    ),
    "divided": (
        [{"a.md": TEXT}, {"f/part.md": PART, "f/index.md": OTHER}],
        {"a.md": "f/part.md"},
    ),
    "rewritten in another folder": (
        [{"a/x.md": TEXT}, {"b/x.md": "x" * 999}],
        {"a/x.md": "b/x.md"},
    ),
    "swapped": (
        [{"a.md": TEXT, "b.md": OTHER}, {"b.md": TEXT, "a.md": OTHER}],
        {},
    ),
    "another suffix": ([{"a.rst": TEXT}, {"a.md": EDITED}], {"a.rst": "a.md"}),
    "another language": (
        [{"de/a.md": TEXT}, {"i/de/a.md": TEXT}],
        {"de/a.md": "i/de/a.md"},
    ),
    "hostile": (
        [{'h"\n%.md': TEXT}, {":(glob)*.md": TEXT}],
        {'h"\n%.md': ":(glob)*.md"},
    ),
    "no page": ([{"a.png": TEXT}, {"b.png": TEXT}], {}),
}


def moves_in(folder, top=b"", **options):
    repository = Repository.open(folder, environ=ENVIRON)
    living = {name.encode() for name in repository.files()}
    moves = find_moves(repository, top, [".md", ".rst"], living=living, **options)
    gone = {path: fate for path, fate in moves.fates.items() if path not in living}
    return moves, {path.decode(): fate.to.decode() for path, fate in gone.items()}


@pytest.mark.parametrize("name", HISTORIES)
@pytest.mark.parametrize("folder", ["", "do[c]*s"])
def test_files_are_followed(tmp_path, name, folder):
    trees, expected = HISTORIES[name]
    above = f"{folder}/" if folder else ""
    git = GitRepository(tmp_path)
    for tree in trees:
        git.commit({above + path: content for path, content in tree.items()})
    git.write()
    _, found = moves_in(tmp_path, folder.encode())

    assert {above + a: b and above + b for a, b in expected.items()} == found


def test_a_folder_is_followed_to_its_earlier_names(tmp_path):
    """It was renamed twice; another folder, from which a page came,
    is not one of its names."""
    git = GitRepository(tmp_path)
    git.commit({"doc/a.md": TEXT, "doc/b.md": OTHER, "x/c.md": "c" * 99})
    git.commit({"doc/d.md": TEXT, "doc/b.md": OTHER, "x/c.md": "c" * 99})
    git.commit({"docs/d.md": TEXT, "docs/b.md": OTHER, "docs/c.md": "c" * 99})
    git.commit({"manual/en/e.md": EDITED, "manual/en/b.md": OTHER})
    git.write()
    moves, found = moves_in(tmp_path, b"manual/en")

    assert [b"manual/en", b"docs", b"doc"] == moves.folders
    assert "manual/en/e.md" == found["doc/a.md"] == found["docs/d.md"]
    assert "manual/en/b.md" == found["doc/b.md"]


@FULL
def test_a_folder_of_two_thousand_pages_is_renamed(tmp_path):
    """Some of them are edited in the same commit."""
    git = GitRepository(tmp_path)
    pages = {f"{n % 40}/page{n}.md": f"{n}\n" + TEXT for n in range(2000)}
    edited = {name: text + "more\n" for name, text in [*pages.items()][::50]}
    git.commit({f"doc/{name}": text for name, text in pages.items()})
    git.commit({f"docs/{name}": text for name, text in (pages | edited).items()})
    git.write()
    moves, found = moves_in(tmp_path, b"docs")

    assert [b"docs", b"doc"] == moves.folders
    assert {f"doc/{name}": f"docs/{name}" for name in pages} == found


def test_what_is_not_committed_is_followed(tmp_path):
    git = GitRepository(tmp_path)
    git.commit({"a.md": TEXT})
    git.commit({"b.md": TEXT})
    git.write()
    git.git("mv", "b.md", "c.md")

    assert {"a.md": "c.md", "b.md": "c.md"} == moves_in(tmp_path)[1]


def test_the_search_can_end_at_a_commit(tmp_path):
    git = GitRepository(tmp_path)
    git.commit({"a.md": TEXT})
    git.commit({"b.md": TEXT})
    git.commit({"c.md": TEXT})
    names = git.write()

    assert {"b.md": "c.md"} == moves_in(tmp_path, since=names[2].encode())[1]


def test_a_clone_without_old_contents_shows_unchanged_files(tmp_path):
    git = GitRepository(tmp_path / "whole")
    git.commit({"a.md": TEXT, "x.md": OTHER})
    git.commit({"b.md": TEXT, "y.md": OTHER + "more"})
    git.commit({"b.md": "now", "z.md": "other"})
    git.write()
    git.git("config", "uploadpack.allowFilter", "true")
    whole = (tmp_path / "whole").as_uri()
    git.git("clone", "-q", "--filter=blob:none", whole, str(tmp_path / "clone"))
    moves, found = moves_in(tmp_path / "clone")

    assert moves.is_exact
    assert {"a.md": "b.md", "x.md": "", "y.md": ""} == found
