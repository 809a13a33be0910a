"""The hook for pre-commit, run by `git commit` in a repository
that contains its built site.

pre-commit installs a hook of Python with pip, from an index. Only `nox -s
check_package` does that, with SITEMAP_HOOK_LANGUAGE=python; otherwise the hook runs the
installed command.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.check.checked_site import url, urlset
from tests.folder.html_folder import BASE, page, write
from tests.full import FULL
from tests.sites import git

ROOT = Path(__file__).parents[1]
LANGUAGE = os.environ.get("SITEMAP_HOOK_LANGUAGE", "system")
PACKAGE = ("sitemap_plugins", "pyproject.toml", "README.md", "LICENSE")

pytest.importorskip("pre_commit")
pytestmark = FULL


def commit(folder, *arguments, **environ):
    """Commit everything; return the exit code and what the hook prints."""
    git(folder, "add", "-A")
    command = [
        "git",
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@example.com",
        "commit",
        "-qm",
        "x",
    ]
    done = subprocess.run(
        [*command, *arguments],
        cwd=folder,
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def environ(tmp_path):
    """The installed command is found first;
    pre-commit keeps its files in the test's folder."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    return {
        "PATH": path,
        "PRE_COMMIT_HOME": str(tmp_path / "cache"),
        "GIT_CONFIG_GLOBAL": os.devnull,
    }


@pytest.fixture
def hooks(tmp_path):
    """A clone of this repository, as far as pre-commit needs it; and its commit."""
    folder = tmp_path / "hooks"
    folder.mkdir()
    for name in (".pre-commit-hooks.yaml", *(PACKAGE if LANGUAGE == "python" else ())):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "all")
    return folder, git(folder, "rev-parse", "HEAD").strip()


@pytest.fixture
def site(tmp_path, hooks, environ):
    """A repository whose folder `docs` is published, with the hook."""
    folder = tmp_path / "site"
    listed = {"docs/index.html": page(BASE), "docs/a/index.html": page(f"{BASE}a/")}
    write(folder, listed)
    write(folder, {"docs/sitemap.xml": urlset(url(""), url("a/"))})
    write(folder, {"docs/robots.txt": f"Sitemap: {BASE}sitemap.xml\n"})
    repository, revision = hooks
    hook = {"id": "sitemap-check", "args": ["docs"]}
    hook |= {"language": LANGUAGE} if LANGUAGE != "python" else {}
    settings = {"repos": [{"repo": str(repository), "rev": revision, "hooks": [hook]}]}
    write(folder, {".pre-commit-config.yaml": json.dumps(settings)})
    git(folder, "init", "-q", "-b", "main")
    install = [sys.executable, "-m", "pre_commit", "install"]
    subprocess.run(install, cwd=folder, env={**os.environ, **environ}, check=True)
    return folder


def test_commit_of_a_site_with_a_fault_is_refused(site, environ):
    code, log = commit(site, **environ)
    assert (0, True) == (code, "check the sitemap" in log and "Passed" in log), log

    write(site, {"docs/b/index.html": page(f"{BASE}b/")})
    code, log = commit(site, **environ)
    assert 1 == code
    assert "not-listed" in log
    assert f"{BASE}b/ is not listed" in log

    write(site, {"docs/sitemap.xml": urlset(url(""), url("a/"), url("b/"))})
    assert 0 == commit(site, **environ)[0]


def test_hook_without_arguments_checks_the_usual_folder(site, environ):
    settings = (site / ".pre-commit-config.yaml").read_text()
    write(site, {".pre-commit-config.yaml": settings.replace('"args": ["docs"]', "")})
    text = (site / ".pre-commit-config.yaml").read_text().replace(", ,", ",")
    write(site, {".pre-commit-config.yaml": text.replace(", }", "}")})
    code, log = commit(site, **environ)
    assert 1 == code
    assert "'site' is not a file or folder" in log

    (site / "docs").rename(site / "site")
    code, log = commit(site, **environ)
    assert (0, True) == (code, "Passed" in log), log


def test_commit_of_other_files_does_not_check(site, environ):
    commit(site, **environ)
    write(site, {"README.md": "# Text\n"})
    code, log = commit(site, **environ)

    assert (0, True) == (code, "(no files to check)Skipped" in log), log
