"""Which paths git is asked for."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.git import pathspecs

DOCS = [b"docs/%d.md" % number for number in range(9)]


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ([], set()),
        ([b"docs/a.md", b"docs/b.md"], {b"docs/a.md", b"docs/b.md"}),
        ([b"docs/a.md", b"docs/b.md", b"docs/c.md"], set()),
        ([*DOCS, b"README.md", b"CHANGES.md"], set()),  # At the root, a walk comes by anyway.
        ([*DOCS, b"src/a.py"], {b"src/a.py"}),
        ([*DOCS, b"src/a.py", b"lib/b/c.py"], {b"src/a.py", b"lib/b/c.py"}),
        ([*DOCS, b"src/a.py", b"lib/b/c.py", b"x/y"], set()),
        ([*DOCS, b"src/a.py", b"src/b.py"], set()),
    ],
)
def test_lone_files(paths, expected):
    assert expected == pathspecs.lone_files(paths)


def test_few_files_are_their_own_pathspecs():
    assert [
        *(b"README.md", b"docs/a.md", b"docs/b.md"),
    ] == pathspecs.cover_paths([b"docs/b.md", b"README.md", b"docs/a.md"])


def test_a_lone_file_at_the_root_does_not_stand_for_the_repository():
    paths = [b"README.md", *(b"docs/%d/%d.md" % (n, m) for n in range(30) for m in range(30))]

    assert [b"README.md", b"docs"] == pathspecs.cover_paths(paths)


def test_a_root_full_of_files_stands_for_all():
    assert [] == pathspecs.cover_paths([b"%d.md" % number for number in range(100)])
