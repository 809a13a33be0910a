"""Random histories: with `changes:
content`, each file has the commit that a model names.

The model reads no file. It makes each version from what readers see of it (a title,
words) and from what they do not (tags, layout), and so knows which versions read the
same.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest

from sitemap_plugins.core.dates.content import read_content
from sitemap_plugins.core.git.last_change import find_last_changes
from sitemap_plugins.core.git.repository import Repository
from tests.git_repository import ENVIRON, GitRepository

SUFFIXES = ["md", "rst", "html", "ipynb"]
FILES, COMMITS = 25, 25
SEEDS = int(os.environ.get("HISTORIES", "8"))


class Version(NamedTuple):
    """One version of a file."""

    title: str
    words: tuple[str, ...]
    """With a line break where a paragraph ends."""
    layout: int
    """Seed of what readers do not see."""


def render(name, version):
    """Write a version as its suffix demands."""
    draw = random.Random(version.layout)
    tags, end = f"t{draw.randrange(99)}", draw.choice(["\n", "\n", "\r\n"])
    suffix = name.rpartition(".")[2]
    text = ""
    for word in version.words:
        if word == "\n":
            text += "\n" * (draw.choice([2, 2, 3]) if suffix in {"md", "rst"} else 2)
        else:
            text += word + (draw.choice(" \n ") if suffix == "rst" else " ")
    text = text.strip() + "\n"
    match suffix:
        case "md":
            keys = [f"title: {version.title}", f"tags: [{tags}]"]
            draw.shuffle(keys)
            note = "<!-- To be read -->\n\n" if draw.random() < 0.3 else ""
            text = "---\n" + "\n".join(keys) + "\n---\n" + note + text
            text += "\n" * draw.randrange(3)
        case "rst":
            head = f":tags: {tags}\n\n" if draw.random() < 0.5 else ""
            text = f"{head}{version.title}\n=======\n\n{text}"
        case "html":
            text = f"<title>{version.title}</title>\n<p>{text}</p>\n"
        case "ipynb":
            cell = {
                "id": tags,
                "cell_type": "markdown",
                "metadata": {},
                "source": f"# {version.title}\n{text}",
            }
            notebook = {"cells": [cell], "metadata": {}, "nbformat": 4}
            text = json.dumps(notebook, indent=draw.choice([1, None]))
    return draw.choice([b"", b"\xef\xbb\xbf"]) + text.replace("\n", end).encode()


def history(draw):
    """Return commits as (tree, parents by their indexes)."""
    names = [f"d{i % 3}/p{i}.{draw.choice(SUFFIXES)}" for i in range(FILES)]
    tree = {n: Version("T", ("one", "\n", "two", f"file{n}"), 0) for n in names}
    commits = [(tree, [])]
    for index in range(1, COMMITS):
        recent = range(max(0, index - 4), index)
        parents = draw.sample(recent, min(index, draw.choice([1, 1, 1, 2])))
        tree = dict(commits[parents[0]][0])
        for other in parents[1:]:
            theirs = commits[other][0]
            for name in sorted(tree.keys() & theirs.keys()):
                tree[name] = draw.choice([tree[name], theirs[name]])
        for name in draw.sample(sorted(tree), draw.randrange(0, 9)):
            tree[name] = edited(draw, tree[name])
            if len(parents) == 1 and draw.random() < 0.2:
                tree[f"d{draw.randrange(9)}/{name.rpartition('/')[2]}"] = tree.pop(name)
        commits.append((tree, parents))
    return commits


def edited(draw, version):
    """Return another version, mostly one that reads the same."""
    change = draw.random()
    if change < 0.15:
        return version._replace(words=(*version.words, f"w{draw.randrange(3)}"))
    if change < 0.25:
        return version._replace(words=version.words[:4])  # Perhaps a revert.
    if change < 0.35:
        return version._replace(title=f"Title {draw.randrange(3)}")
    return version._replace(layout=draw.randrange(6))


def last_change(commits, name):
    """Return the commit that changed what readers see of a file in the last one."""
    here = len(commits) - 1
    while True:
        tree, parents = commits[here]
        now, text = tree[name], render(name, tree[name])
        older = [(p, commits[p][0][name]) for p in parents if name in commits[p][0]]
        below = [p for p, old in older if render(name, old) == text] or [
            p
            for p, old in older
            if (old.title, _shown(old)) == (now.title, _shown(now))
        ]
        if not older and len(parents) == 1:
            before = commits[parents[0]][0]
            base = name.rpartition("/")[2]
            old = next(
                (n for n in before if n.endswith(f"/{base}") and n not in tree), None
            )
            if old and (before[old].title, _shown(before[old])) == (
                now.title,
                _shown(now),
            ):
                below, name = parents, old
        if not below:
            return here
        here = below[0]


def _shown(version):
    return version.words


@pytest.mark.parametrize("seed", range(SEEDS))
def test_every_file_has_the_commit_that_changed_what_readers_see(seed):
    commits = history(random.Random(seed))
    with tempfile.TemporaryDirectory() as folder:
        made = GitRepository(Path(folder))
        for tree, parents in commits:
            files = {name: render(name, version) for name, version in tree.items()}
            made.commit(files, parents=[parent + 1 for parent in parents])
        names = made.write(checkout=False)
        repository = Repository.open(Path(folder), environ=ENVIRON)
        blobs = repository.blobs([name.encode() for name in commits[-1][0]])

        found = find_last_changes(repository, blobs, ignored=(), read=read_content)

    numbers = {
        path.decode(): names.index(c.commit.decode()) - 1 for path, c in found.items()
    }
    assert numbers == {name: last_change(commits, name) for name in commits[-1][0]}
