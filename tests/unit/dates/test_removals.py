"""The last removal of a source in real repositories,
and the date of its part in the index."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from sitemap_plugins.core.date_values import NEVER, NOTHING, Evidence
from sitemap_plugins.core.dates.removals import find_last_removal
from sitemap_plugins.core.generate import generate
from sitemap_plugins.core.options import Options
from sitemap_plugins.core.records import Page, Site
from tests.checked import checked, environment
from tests.git_repository import ENVIRON, START, GitRepository

FILES = {f"docs/{number}.md": f"text {number}" for number in range(6)}


def at(number):
    return datetime.fromtimestamp(START + 60 * number, UTC)


@pytest.fixture
def made(tmp_path):
    made = GitRepository(tmp_path / "site")
    made.commit(FILES | {"docs/a.css": "a", "docs/old/x.rst": "x", "other/y.md": "y"})
    return made


def last_removal(folder, *names, environ=ENVIRON, **options):
    pages = [checked(Page(path=name, sources=(folder / name,))) for name in names]
    around = environment(environ, now=datetime(2100, 1, 1, tzinfo=UTC))
    return find_last_removal(pages, Options(**options), around)


def without(*names):
    return {name: text for name, text in FILES.items() if name not in names}


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (without("docs/1.md"), 2),
        (without("docs/1.md") | {"docs/moved.md": "text 1"}, 2),
        (FILES | {"docs/0.md": "changed"}, 2),  # The folder `old` is gone.
    ],
)
def test_removed_and_moved_sources_are_found(made, tree, expected):
    made.commit(tree)
    made.commit({**tree, "docs/0.md": "later"})
    made.write()

    assert Evidence(at(expected)) == last_removal(made.folder, "docs/0.md")


def test_other_files_and_other_folders_are_not_sources(made):
    made.commit(FILES | {"docs/old/x.rst": "x"})
    made.write()

    assert NOTHING == last_removal(made.folder, "docs/0.md")
    assert NOTHING == last_removal(made.folder, "docs/0.md", lastmod=("page",))
    (made.folder / "README.md").write_text("In the root.")
    assert Evidence(at(2)) == last_removal(made.folder, "docs/0.md", "README.md")


def test_removal_on_a_branch_is_as_new_as_the_merge(made):
    made.commit(without("docs/1.md"), parents=[1])
    made.commit(FILES | {"docs/2.md": "main"}, parents=[1])
    made.commit(without("docs/1.md") | {"docs/2.md": "main"}, parents=[3, 2])
    made.write()

    assert Evidence(at(4)) == last_removal(made.folder, "docs/0.md")


def test_change_on_a_branch_is_as_new_as_the_merge(made):
    """Its page keeps the date of the branch,
    which can be older than that of another page."""
    made.commit(FILES | {"docs/1.md": "branch"}, parents=[1])
    made.commit(FILES | {"docs/2.md": "main"}, parents=[1])
    made.commit(FILES | {"docs/1.md": "branch", "docs/2.md": "main"}, parents=[3, 2])
    made.commit(FILES | {"docs/1.md": "branch", "docs/2.md": "later"})
    made.write()

    assert Evidence(at(4)) == last_removal(made.folder, "docs/0.md")


def test_shallow_clone_leaves_earlier_removals_unknown(made, tmp_path):
    made.commit(without("docs/1.md"))
    for number in (3, 4):
        made.commit(without("docs/1.md") | {"docs/0.md": str(number)})
    made.write()
    target = tmp_path / "clone"
    made.git("clone", "--quiet", "--depth=2", f"file://{made.folder}", str(target))

    assert Evidence(lost_until=at(3)) == last_removal(target, "docs/0.md")


def test_failure_of_git_leaves_removals_unknown(made, tmp_path):
    made.write()

    environ = {"PATH": str(tmp_path)}
    assert Evidence(lost_until=NEVER) == last_removal(
        made.folder, "docs/0.md", environ=environ
    )
    made.commit(without("docs/1.md"), time=4_200_000_000)  # After 2100.
    made.write()
    assert Evidence(lost_until=NEVER) == last_removal(made.folder, "docs/0.md")


def test_files_outside_git_give_no_removal(tmp_path):
    assert NOTHING == last_removal(tmp_path, "a.md")


def test_removing_one_of_sixty_pages_changes_the_date_of_its_part(tmp_path):
    made = GitRepository(tmp_path / "site")
    every = {f"docs/{number}.md": f"text {number}" for number in range(60)}
    fewer = {name: text for name, text in every.items() if name != "docs/30.md"}
    options = Options(max_urls=20, stylesheet=False)
    indexes, output_dir = [], tmp_path / "out"
    output_dir.mkdir()

    for tree in (every, fewer):
        made.commit(tree)
        made.write()
        pages = [
            Page(path=name, sources=(made.folder / name,)) for name in sorted(tree)
        ]
        site = Site(output_dir=Path(output_dir), base_url="https://example.com/")
        report = generate(pages, site=site, options=options, environ=ENVIRON)
        assert len(tree) == report.listed
        indexes.append((output_dir / "sitemap.xml").read_text("utf-8"))

    assert at(1).isoformat() in indexes[0]
    assert at(1).isoformat() not in indexes[1]
    assert at(2).isoformat() in indexes[1]
