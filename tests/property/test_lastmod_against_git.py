"""Random histories: each file has the commit that `git log -1 -- <file>` names.

Allowed are the documented differences only. A pure move and an ignored commit are
looked through, by asking `git log -1` again below them.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sitemap_plugins.core.git import log
from sitemap_plugins.core.git.last_change import find_last_changes
from sitemap_plugins.core.git.repository import Repository
from tests.full import FULL
from tests.git_repository import ENVIRON, START, GitRepository
from tests.property.examples import examples

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
            draw(st.lists(recent, min_size=min(index, 1), max_size=4, unique=True))
            if index
            else []
        )
        if index and draw(st.integers(0, 19)) == 0:
            parents = []
        tree = dict(commits[draw(st.sampled_from(parents))][0]) if parents else {}
        for parent in parents[
            1:
        ]:  # Take some files of each other parent, as a merge does.
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


class Truth:
    """The valid answers for the files of one history, found without the tested code."""

    def __init__(self, repository, commits, names, skipped):
        self.git = repository.git
        self.names = names
        self.skipped = skipped
        self.trees = {
            name: tree for name, (tree, _, _) in zip(names[1:], commits, strict=True)
        }
        self.parents = {
            name: [names[parent + 1] for parent in parents]
            for name, (_, parents, _) in zip(names[1:], commits, strict=True)
        }

    def says_git(self, start, path):
        """Return the commits that git may name; several only if a move is ambiguous."""
        answer = self.git(
            "--literal-pathspecs",
            "log",
            "-1",
            "--format=%H",
            start,
            "--",
            os.fsdecode(path),
        )
        return self._made(answer.split()[0], path, self.says_git)

    def _made(self, commit, path, ask):
        """Return the commit, or what is said below it where it is looked through."""
        parents = self.parents[commit]
        if len(parents) == 1:
            return self._below(commit, parents[0], path, ask)
        older = [parent for parent in parents if path in self.trees[parent]]
        return ask(older[0], path) if older and commit in self.skipped else {commit}

    def _below(self, commit, parent, path, ask):
        tree, before, content = (
            self.trees[commit],
            self.trees[parent],
            self.trees[commit][path],
        )
        if path in before:
            return ask(parent, path) if commit in self.skipped else {commit}
        added = [p for p in tree if p not in before and tree[p] == content]
        gone = [p for p in before if p not in tree and before[p] == content]
        same_name = [
            p for p in gone if p.rpartition(b"/")[2] == path.rpartition(b"/")[2]
        ]
        old = gone if content else same_name
        found = set().union(*(ask(parent, p) for p in old))
        return found if len(added) == len(old) == 1 else found | {commit}


@settings(examples(200), suppress_health_check=list(HealthCheck))
@given(
    commits=histories(),
    ignored=st.sets(st.integers(0, 11), max_size=6),
    specs=st.sampled_from([1, 8]),
    some=st.sets(st.sampled_from(NAMES), min_size=1),
)
def test_every_file_has_the_commit_that_git_names(commits, ignored, specs, some):
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        # A small limit, to meet with few files what else takes many.
        patch.setattr(log, "MAX_PATHSPECS", specs)
        made = GitRepository(Path(folder))
        for tree, parents, time in commits:
            made.commit(tree, parents=[parent + 1 for parent in parents], time=time)
        names = made.write(checkout=False)
        skipped = {names[number + 1] for number in ignored if number < len(commits)}
        truth = Truth(made, commits, names, skipped)
        repository = Repository.open(Path(folder), environ=ENVIRON)
        blobs = repository.blobs(commits[-1][0])
        names_ignored = {*map(str.encode, skipped)}

        origins = find_last_changes(repository, blobs, ignored=names_ignored)

        assert origins.keys() == blobs.keys() == commits[-1][0].keys()
        for path, origin in origins.items():
            commit = origin.commit.decode()
            assert commit in truth.says_git(names[-1], path)
            assert origin.time == commits[names.index(commit) - 1][2]
            if not skipped:
                assert blobs[path].decode() in made.git("ls-tree", "-r", commit)

        asked = {path: blob for path, blob in blobs.items() if path in some}
        # Whatever else is asked.
        assert find_last_changes(repository, asked, ignored=names_ignored) == {
            path: origins[path] for path in asked
        }


FEW = [b"docs/a", b"docs/b", b"docs/c", b"docs/d"]


@FULL
@settings(examples(150), suppress_health_check=list(HealthCheck))
@given(random=st.randoms(use_true_random=True))
def test_repeated_content_has_the_commit_that_git_names(random):
    """Four files with three contents each:
    most histories have reverts and equal changes."""
    with tempfile.TemporaryDirectory() as folder:
        made = GitRepository(Path(folder))
        for tree, parents in _dense_history(random):
            made.commit(tree, parents=[parent + 1 for parent in parents])
        made.write(checkout=False)
        repository = Repository.open(Path(folder), environ=ENVIRON)

        found = find_last_changes(repository, repository.blobs(FEW), ignored=())

        assert {path: change.commit.decode() for path, change in found.items()} == {
            path: made.git("log", "-1", "--format=%H", "--", path.decode())
            for path in FEW
        }


def _dense_history(random):
    """Return commits as (tree, parents);
    no two files share content, so no file is moved."""
    commits = []
    for index in range(random.randint(6, 14)):
        recent = range(max(0, index - 4), index)
        parents = random.sample(recent, min(index, random.choice([1, 1, 2, 2, 3])))
        tree = dict(commits[parents[0]][0]) if parents else {path: path for path in FEW}
        for parent in parents[1:]:
            for path in FEW:
                if random.random() < 0.5:
                    tree[path] = commits[parent][0][path]
        if len(parents) < 2 or random.random() < 0.1:
            for path in FEW:
                if random.random() < 0.5:
                    tree[path] = path + random.choice([b"", b"1", b"2"])
        commits.append((tree, parents))
    return commits
