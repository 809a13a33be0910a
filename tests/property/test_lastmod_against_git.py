"""Random histories: for every file the commit that `git log -1 -- <file>` names.

Allowed are the documented differences only: a pure move and an ignored commit are looked through,
by asking `git log -1` again below them.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sitemap_plugins.core import gitlog
from sitemap_plugins.core.repository import Repository
from tests.git_repository import ENVIRON, START, GitRepository

NAMES = [
    b"docs/a.md",
    b"docs/A.md",
    b"docs/sub/a.md",
    b"docs/sub/deep/b.md",
    b'docs/"quoted"\nline.md',
    b"docs/back\\slash.md",
    b"docs/[a].md",
    b"docs/\xff\xfe.md",
    b"docs/\x01.md",
    b":(top)a.md",
    b"-a.md",
    b"README.md",
]
CONTENTS = [b"", b"one\n", b"two\n", b"three\n", b"four\n"]
EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


@st.composite
def histories(draw):
    """Draw commits as (tree, parents, time), each parent by its index in the list."""
    commits = []
    for index in range(draw(st.integers(1, 12))):
        recent = st.integers(max(0, index - 5), index - 1) if index else st.nothing()
        parents = (
            draw(st.lists(recent, min_size=min(index, 1), max_size=4, unique=True)) if index else []
        )
        if index and draw(st.integers(0, 19)) == 0:
            parents = []
        tree = dict(commits[draw(st.sampled_from(parents))][0]) if parents else {}
        for parent in parents[1:]:  # Take some files of each other parent, as a merge does.
            theirs = commits[parent][0]
            for name in sorted(tree.keys() | theirs.keys()):
                if draw(st.booleans()):
                    tree.pop(name, None)
                    tree |= {name: theirs[name]} if name in theirs else {}
        edits = 0 if len(parents) > 1 and draw(st.booleans()) else 3
        for _ in range(draw(st.integers(0, edits))):
            _edit(draw, tree)
        skew = draw(st.sampled_from([0, 0, 0, 0, -500, 500]))
        commits.append((tree, parents, START + 60 * index + skew))
    tree = commits[-1][0]
    if not tree:
        tree[NAMES[0]] = CONTENTS[1]
    return commits


def _edit(draw, tree):
    name = draw(st.sampled_from(NAMES))
    match draw(st.sampled_from(["write", "write", "delete", "move"])):
        case "write":
            tree[name] = draw(st.sampled_from(CONTENTS))
        case "delete":
            tree.pop(name, None)
        case "move" if tree:
            tree[name] = tree.pop(draw(st.sampled_from(sorted(tree))))


def expected(repository, start, path, ignored):
    """Return the commits that may be named; several only where a move can be read in two ways."""
    git = repository.git
    answer = git(
        "--literal-pathspecs", "log", "-1", "--format=%H %P", start, "--", os.fsdecode(path)
    )
    commit, *parents = answer.split()
    if len(parents) != 1:
        return {commit}
    listing = git("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", *parents, commit)
    items = os.fsencode(listing).split(b"\0")
    records = {p: r.decode().split() for r, p in zip(items[::2], items[1::2], strict=False)}
    _, _, _, after, kind = records[path]
    if kind == "M":
        return expected(repository, *parents, path, ignored) if commit in ignored else {commit}
    added = [p for p, r in records.items() if r[4] == "A" and r[3] == after]
    gone = [p for p, r in records.items() if r[4] == "D" and r[2] == after]
    same_name = [p for p in gone if p.rpartition(b"/")[2] == path.rpartition(b"/")[2]]
    old = same_name if after == EMPTY else gone
    if not old:
        return {commit}
    found = set().union(*(expected(repository, *parents, p, ignored) for p in old))
    return found if len(added) == len(old) == 1 else found | {commit}


@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(
    commits=histories(),
    ignored=st.sets(st.integers(0, 11), max_size=6),
    pathspecs=st.sampled_from([1, 8]),
    passed=st.sampled_from([2, 10_000]),
)
def test_every_file_has_the_commit_that_git_names(commits, ignored, pathspecs, passed):
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        # Small limits, to meet in few commits what else takes thousands.
        patch.setattr(gitlog, "MAX_PATHSPECS", pathspecs)
        patch.setattr(gitlog, "MAX_PASSED", passed)
        made = GitRepository(Path(folder))
        for tree, parents, time in commits:
            made.commit(tree, parents=[parent + 1 for parent in parents], time=time)
        names = made.write(checkout=False)
        skipped = {names[number + 1] for number in ignored if number < len(commits)}
        repository = Repository.open(Path(folder), environ=ENVIRON)
        blobs = repository.blobs(commits[-1][0])

        origins = repository.origins(blobs, ignored={name.encode() for name in skipped})

        assert origins.keys() == blobs.keys() == commits[-1][0].keys()
        for path, origin in origins.items():
            commit = origin.commit.decode()
            assert commit in expected(made, names[-1], path, skipped)
            assert origin.time == commits[names.index(commit) - 1][2]
            if not skipped:
                assert blobs[path].decode() in made.git("ls-tree", "-r", commit)
