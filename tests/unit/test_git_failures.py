"""Sentences for what git complains of."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.git.program import explain

PLACE = "/config repo"


@pytest.mark.parametrize(
    ("command", "said", "sentence"),
    [
        (
            "rev-parse",
            "fatal: detected dubious ownership in repository at '/config repo'",
            (
                "git refuses to read /config repo, which belongs to another user: if you trust it, "
                "run `git config --global --add safe.directory '/config repo'`"
            ),
        ),
        (
            "log",
            "warning: lazy fetching disabled\nfatal: could not fetch 1 from promisor remote",
            (
                "the clone in /config repo lacks the folders of its history: run "
                "`git fetch --refetch --filter=blob:none` there, or clone without `--filter=tree:0`"
            ),
        ),
        (
            "status",
            "fatal: could not fetch 1 from promisor remote",
            (
                "the clone in /config repo lacks a file that git needs: run `git status` there, "
                "to fetch it"
            ),
        ),
        (
            "rev-parse",
            "fatal: not a git repository: ../.git/modules/docs",
            (
                "the `.git` in /config repo is not a repository, or leads to none (fatal: not a "
                "git repository: ../.git/modules/docs): clone again, or copy the repository that "
                "it leads to"
            ),
        ),
        (
            "log",
            "fatal: unknown repository extension found:\n\tfuture\n",
            (
                "git cannot use its configuration for /config repo (fatal: unknown repository "
                "extension found: future): correct that setting"
            ),
        ),
        (
            "config",
            "error: unknown option `show-scope'\nusage: git config [<options>]\n",
            (
                "git is too old for /config repo (error: unknown option `show-scope'): "
                "update it to 2.31 or later"
            ),
        ),
        (
            "log",
            "error: inflate: data stream error\nfatal: loose object 1 is corrupt",
            (
                "git cannot read the repository in /config repo (fatal: loose object 1 is corrupt):"
                " run `git fsck` there, or clone again"
            ),
        ),
        (
            "status",
            "fatal: cannot chdir to '/config repo': Permission denied",
            (
                "`git status` failed in /config repo (fatal: cannot chdir to '/config repo': "
                "Permission denied): run it there, and fix what it reports"
            ),
        ),
        (
            "config",
            "",
            (
                "`git config` failed in /config repo (no message): run it there, and fix what "
                "it reports"
            ),
        ),
        (
            "status",
            "\nwarning: x\n",
            (
                "`git status` failed in /config repo (no message): run it there, and fix what "
                "it reports"
            ),
        ),
    ],
)
def test_the_cause_has_its_cure(command, said, sentence):
    error = explain(said.encode(), command=command, place=PLACE)

    assert sentence == str(error)
    assert error.code == ("dubious-ownership" if "dubious" in said else "git-failed")


def test_long_complaints_are_cut():
    text = str(explain(b"fatal: " + b"\xff{}" * 1000, command="log", place="/a"))

    assert len(text) < 300
