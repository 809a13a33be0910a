"""The Action's steps, run by bash as on GitHub, and the workflows in the manual."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version

from tests.check.checked_site import url, urlset, write_site
from tests.folder.html_folder import BASE, page, write
from tests.full import FULL
from tests.git_repository import GitRepository
from tests.git_server import serving as serving_git
from tests.shell_scripts import shell_script
from tests.sitemaps.loopback import serving
from tests.versions.test_command import FILES as VERSIONS

ROOT = Path(__file__).parent.parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = ACTION["runs"]["steps"]
WORKFLOWS = sorted((ROOT / "docs/workflows").glob("*.yml"))
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
KEY = "0123456789abcdef"

pytestmark = pytest.mark.skipif(
    shutil.which("bash") is None, reason="steps are for bash"
)


COUNT = "Count what the sitemap lists"
"""The step that always runs."""


@pytest.fixture
def runner(tmp_path):
    """The folder of a job, and the files that steps write for GitHub."""
    folders = {name: tmp_path / name for name in ("temp", "project", "action")}
    for folder in folders.values():
        folder.mkdir()
    return SimpleNamespace(**folders, python=sys.executable)


def value_of(expression, inputs, runner):
    """Return the value that GitHub substitutes for an expression."""
    found = re.fullmatch(r"\$\{\{ ([\w.-]+) \}\}", expression)
    if found is None:
        return expression
    name = found[1]
    if name == "steps.install.outputs.python":
        return str(runner.python)
    if name == "runner.temp":
        return str(runner.temp)
    kind, _, name = name.partition(".")
    assert "inputs" == kind
    return inputs[name]


def execute(runner, name, **given):
    """Run a step with these inputs, `-` for `_`, and the defaults of the others."""
    inputs = {input_: spec["default"] for input_, spec in ACTION["inputs"].items()}
    inputs |= {input_.replace("_", "-"): value for input_, value in given.items()}
    [step] = [step for step in STEPS if step["name"] == name]
    env = {
        key: value_of(text, inputs, runner) for key, text in step.get("env", {}).items()
    }
    files = {
        "GITHUB_STEP_SUMMARY": runner.temp / "summary",
        "GITHUB_OUTPUT": runner.temp / "output",
        "GITHUB_ACTION_PATH": runner.action,
        "RUNNER_TEMP": runner.temp,
        "GITHUB_ACTIONS": "true",
    }
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=runner.project / value_of(step["working-directory"], inputs, runner),
        # GitHub's machines have `python`, as virtual environments do.
        env={**os.environ, **env, **{key: str(file) for key, file in files.items()}}
        | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_scripts_have_no_expressions_and_every_input_is_used():
    """GitHub replaces expressions in a script before bash reads it,
    so their values would run."""
    assert not any("${{" in step["run"] for step in STEPS)
    used = set(re.findall(r"inputs\.([\w-]+)", json.dumps(STEPS)))
    assert {*ACTION["inputs"]} == used
    for step in STEPS[1:]:
        if step["name"] == COUNT:
            continue
        command = re.search(
            r'"\$PYTHON" -I -X utf8 -m sitemap_plugins (\w+)', step["run"]
        )[1]
        assert f"contains(inputs.commands, '{command}')" == step["if"]


@FULL
def test_steps_run_no_python_file_of_the_checked_out_repository(runner, monkeypatch):
    """`python -m` puts the working folder first,
    and an honest repository can have such names."""
    names = (
        "click",
        "hatchling",
        "json",
        "lxml",
        "pip",
        "sitemap_plugins",
        "sysconfig",
        "venv",
    )
    hostile = "import pathlib\npathlib.Path(__file__).with_suffix('.ran').touch()\n"
    write(runner.project, {f"{name}.py": hostile for name in names})
    write(runner.project, {"site/index.html": page(BASE)})
    # A package that needs no other, so that the lists are empty, and nothing is
    # fetched.
    backend = "def build_wheel(folder, *_):\n    raise SystemExit('the build began')\n"
    system = (
        '[build-system]\nrequires = []\nbuild-backend = "own"\nbackend-path = ["."]\n'
    )
    lists = {"action/build.txt": "", "action/requirements.txt": ""}
    write(runner.action, {"own.py": backend, "pyproject.toml": system, **lists})
    monkeypatch.setenv("PYTHONPATH", str(runner.project))

    done = [execute(runner, step["name"], base_url=BASE, wait="0") for step in STEPS]

    assert "the build began" in done[0].stderr
    assert "sitemap.xml: 1 page" in done[1].stdout
    assert [] == sorted(file.name for file in runner.project.glob("*.ran"))


def locked(name):
    """Return the requirements of one of the Action's lists,
    each with its count of hashes."""
    text = (ROOT / f"action/{name}.txt").read_text("utf-8")
    assert "://" not in text
    assert "--index" not in text
    entries = re.findall(
        r"^(\S+ ?[^\\\n]*)\\\n((?: +--hash=sha256:[0-9a-f]{64}\b.*\n)+)",
        text,
        re.MULTILINE,
    )
    assert len(entries) == len(re.findall("^[^ ]", text, re.MULTILINE))
    return [Requirement(entry) for entry, _ in entries]


def needed_by(requirements):
    """Return what requirements need in turn,
    as far as these packages are installed here."""
    for requirement in requirements:
        with suppress(PackageNotFoundError):
            for text in requires(requirement.name) or ():
                needed = Requirement(text)
                if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                    yield needed


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("requirements", PYPROJECT["project"]["dependencies"]),
        ("build", PYPROJECT["build-system"]["requires"]),
    ],
)
def test_the_list_of_what_the_action_installs_fits_pyproject(name, wanted):
    """`nox -s lock` writes it. pip refuses a list in which a package
    or a hash is missing."""
    pinned = {
        entry.name: str(entry.specifier).removeprefix("==") for entry in locked(name)
    }

    for requirement in map(Requirement, wanted):
        assert requirement.specifier.contains(pinned[requirement.name]), requirement
    assert {needed.name.lower() for needed in needed_by(locked(name))} <= pinned.keys()
    assert all(Version(version) for version in pinned.values())


def test_build_and_check_receive_their_options(runner):
    """Each line is one argument, whatever its content."""
    write(
        runner.project,
        {f"out/{p}index.html": page(BASE + p) for p in ("", "a b/", "$(id)/")},
    )
    options = "--exclude\na b/\n--exclude\n$(id)/\n\n"
    done = execute(
        runner, "Write the sitemap", site="out", base_url=BASE, build_options=options
    )

    assert 0 == done.returncode, done.stderr
    assert "sitemap.xml: 1 page, 2 left out (2 excluded), none with" in done.stdout
    ignored = {"site": "out", "check_options": "--ignore\nnot-listed,no-dates"}
    done = execute(runner, "Check the sitemap", base_url=BASE, **ignored)
    assert (0, "") == (done.returncode, done.stdout)


@FULL
def test_history_of_a_shallow_clone_is_fetched_unless_the_input_says_no(
    runner, tmp_path
):
    origin = GitRepository(tmp_path / "served/site")
    for number in range(3):
        origin.commit({f"docs/{name}.md": "# Text" for name in "abc"[: number + 1]})
    origin.write()
    with serving_git(tmp_path / "served") as server:
        runner.project.rmdir()
        origin.git(
            "clone", "-q", "--depth=1", f"{server.url}site/.git", str(runner.project)
        )
        write(
            runner.project,
            {f"out/{name}/index.html": page(f"{BASE}{name}/") for name in "abc"},
        )
        given = {"site": "out", "base_url": BASE, "build_options": "--source\ndocs"}
        done = execute(runner, "Write the sitemap", **given, fetch_history="false")
        without = done.stdout.splitlines()
        done = execute(runner, "Write the sitemap", **given)
        server.password = True
        failed = execute(runner, "Write the sitemap", **given).stdout

    assert not any(line.startswith("::notice") for line in without)
    assert without[-1].startswith(
        "::warning title=sitemap-plugins::sitemap.xml: 3 pages, none with a date: the"
    )
    assert any("sitemap.xml: 3 pages, none with a date: " in line for line in without)
    assert "fetched 3 commits in " in done.stdout
    assert "\nsitemap.xml: 3 pages\n" in done.stdout
    assert (
        "::warning title=sitemap-plugins::sitemap.xml: 3 pages, none with a date: the"
        " history cannot be fetched from 'http://" in failed
    )


NAMES = ["::error title=x::boom", "##[error]old", "::add-mask::the", "a ##[warning]b"]


def test_name_of_a_page_is_no_command_of_the_log(runner):
    """GitHub's runner takes `::` after blanks, and `##[` anywhere in a line."""
    write(
        runner.project,
        {f"out/{name}/index.html": page(f"{BASE}x/") for name in NAMES},
    )
    given = {"site": "out", "base_url": BASE, "build_options": "--verbose"}
    done = execute(runner, "Write the sitemap", **given)

    lines = done.stdout.splitlines()
    assert any(NAMES[0] in line for line in lines), lines
    token = lines[0].removeprefix("::stop-commands::")
    assert re.fullmatch("[0-9a-f]{64}", token)
    after = lines[lines.index(f"::{token}::") + 1 :]
    # The runner takes the first `::` of a line, and nothing in its text.
    ours = ("::notice title=sitemap-plugins::", "::warning title=sitemap-plugins::")
    assert all(line.startswith(ours) for line in after)


def test_names_of_pages_forge_no_annotation_and_no_number(runner):
    """Nothing is read from the log, in which these begin lines."""
    forged = (
        "::warning title=sitemap-plugins::FORGED, none with a date: y",
        "info x (shallow-clone)",
        "x: 5 pages, 777 left out (",
    )
    write(runner.project, {"docs/index.md": "# Text", "out/index.html": page(BASE)})
    for name in forged:
        write(runner.project, {f"out/{name}/index.html": page(f"{BASE}x/")})
    given = {"site": "out", "base_url": BASE, "build_options": "-v"}
    done = execute(runner, "Write the sitemap", **given)

    lines = done.stdout.splitlines()
    end = next(
        i for i, line in enumerate(lines[1:], 1) if line == f"::{lines[0][17:]}::"
    )
    assert any("FORGED" in line for line in lines[:end])
    assert not any(
        line.lstrip().startswith("::") and "FORGED" in line for line in lines
    )
    assert [] == [
        line
        for line in lines[end + 1 :]
        if "FORGED" in line or line.startswith("::notice")
    ]
    assert "left-out=3\n" == (runner.temp / "output").read_text("utf-8")


@pytest.mark.parametrize("where", ["sitemap-changes.json", "sub/sub/changes.json"])
def test_changes_are_not_written_through_a_link(runner, tmp_path, where):
    outside = tmp_path / "outside"
    (outside / "sub").mkdir(parents=True)
    victim = outside / "sub/changes.json"
    victim.write_text("mine")
    if "/" in where:
        (runner.project / "sub").symlink_to(outside)
    else:
        (runner.project / where).symlink_to(victim)
    step = "Find what changed since the last deploy"
    done = execute(runner, step, base_url="http://127.0.0.1:1", changes=where)

    assert 2 == done.returncode
    assert done.stdout.startswith("::error title=sitemap-plugins::The input changes")
    assert "mine" == victim.read_text()


@FULL
def test_old_versions_are_fixed(runner):
    write(runner.project, {f"gh-pages/{name}": text for name, text in VERSIONS.items()})
    step = "Keep old versions from outranking the new one"
    given = {"site": "gh-pages", "base_url": "https://docs.example.com"}
    reported = execute(runner, step, **given)
    fixed = execute(runner, step, **given, versions_options="--write\n--gone\nnoindex")

    assert (1, 0) == (reported.returncode, fixed.returncode)
    assert "4 pages fixed" in fixed.stdout


def test_findings_are_annotations_and_in_the_summary(runner):
    write_site(runner.project, git=False)
    write(runner.project, {"out/sitemap.xml": urlset(url("gone/"))})
    done = execute(runner, "Check the sitemap", site="out")
    summary = (runner.temp / "summary").read_text("utf-8")

    assert 1 == done.returncode
    assert "::error file=out/sitemap.xml" in done.stdout
    assert summary.startswith("### Sitemap of `out`\n\n**Sitemap check: 1 error, ")
    assert "\n| error `missing` (1)<br>" in summary


def test_changes_are_found_before_the_deploy_and_sent_after_it(runner, tmp_path):
    with serving(tmp_path / "live") as server:
        old, new = (
            urlset(url(p, base=server.url), url("x", base=server.url)) for p in "ab"
        )
        write(tmp_path, {"live/sitemap.xml": old, f"live/{KEY}.txt": KEY})
        write(runner.project, {"site/sitemap.xml": new})
        step = "Find what changed since the last deploy"
        done = execute(runner, step, base_url=server.url.rstrip("/"))
        assert (0, "", "") == (done.returncode, done.stdout, done.stderr)
        write(tmp_path, {"live/sitemap.xml": new})
        # The Action leaves the endpoints as they are: here, the program gets another.
        words = f'set -- "${{@:1:6}}" --endpoint {server.url}indexnow "${{@:7}}"'
        runner.python = runner.temp / "python"
        runner.python.write_text(
            f'#!/usr/bin/env bash\n{words}\nexec {sys.executable} "$@"\n'
        )
        runner.python.chmod(0o755)
        step = "Tell search engines what changed"
        done = execute(runner, step, base_url=server.url, key=KEY, wait="0")

    assert 0 == done.returncode, done.stderr
    [(_, body)] = server.posts
    assert [f"{server.url}a", f"{server.url}b"] == body["urlList"]


@FULL
def test_nothing_is_announced_before_the_first_deploy(runner, tmp_path):
    with serving(tmp_path / "live") as server:
        write(runner.project, {"site/sitemap.xml": urlset(url("a", base=server.url))})
        step = "Find what changed since the last deploy"
        done = execute(runner, step, base_url=server.url)
        assert 0 == done.returncode
        assert done.stdout.startswith(
            "::notice title=sitemap-plugins::The live sitemap cannot"
        )
        step = "Tell search engines what changed"
        done = execute(runner, step, base_url=server.url, key=KEY)

    assert (0, "nothing changed: nothing is sent\n") == (done.returncode, done.stdout)


def outputs(runner):
    """Return the outputs that steps have written so far."""
    lines = (runner.temp / "output").read_text("utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines)


@FULL
def test_numbers_of_the_sitemap_are_outputs(runner):
    write_site(runner.project, git=False)
    noindex = page(BASE, head="<meta name=robots content=noindex>")
    write(runner.project, {"out/hidden/index.html": noindex})
    built = execute(runner, "Write the sitemap", site="out", base_url=BASE)
    listed = execute(runner, COUNT, site="out")
    found = outputs(runner)
    pages = (runner.project / "out/sitemap.xml").read_text().count("<loc>")

    assert (0, 0) == (built.returncode, listed.returncode), built.stdout + listed.stderr
    assert "1" == found["left-out"]
    assert (str(pages), str(pages)) == (found["urls"], found["undated"])
    assert "out/sitemap.xml" == found["path"]


LIKE_WINDOWS = """
breaks() { perl -pe 's/\\n/\\r\\n/'; }
{ "$ORIGINAL" "$@" 2>&1 1>&3 | breaks >&2; } 3>&1 | breaks
"""
"""Python with the line breaks that it writes on Windows."""


@FULL
def test_line_breaks_of_windows_hide_nothing(runner, monkeypatch):
    monkeypatch.setenv("ORIGINAL", sys.executable)
    runner.python = shell_script(runner.temp / "python", LIKE_WINDOWS)
    write_site(runner.project, git=False)
    built = execute(runner, "Write the sitemap", site="out", base_url=BASE)
    execute(runner, COUNT, site="out")
    first, *lines = built.stdout.splitlines()
    token = first.removeprefix("::stop-commands::")
    _, *after = lines[lines.index(f"::{token}::") :]
    found = outputs(runner)

    assert after
    assert all(line.startswith("::warning title=sitemap-plugins::") for line in after)
    assert "0" != found["urls"] == found["undated"]


def test_without_a_sitemap_there_is_nothing_to_count(runner):
    assert 0 == execute(runner, COUNT).returncode
    assert not (runner.temp / "output").exists()


@FULL
def test_what_changes_is_in_the_summary_and_in_outputs(runner, tmp_path):
    with serving(tmp_path / "live") as server:
        old, new = (
            urlset(*(url(p, base=server.url) for p in names))
            for names in (("x/", "a/"), ("x/", "b/", "c/"))
        )
        write(tmp_path, {"live/sitemap.xml": old})
        write(runner.project, {"site/sitemap.xml": new})
        preview = "https://pr-1.example.org/"
        step = "Find what changed since the last deploy"
        done = execute(runner, step, base_url=server.url, preview=preview)
    found = outputs(runner)
    comment = Path(found["comment"]).read_text("utf-8")

    assert 0 == done.returncode, done.stderr
    assert ("2", "1", "0") == (found["added"], found["removed"], found["changed"])
    assert comment.startswith("**Pages: 2 added, 1 removed**\n")
    assert f"| [`b/`]({preview}b/) | new |" in comment
    assert comment in (runner.temp / "summary").read_text("utf-8")


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_workflow_is_in_the_manual(file):
    manual = (ROOT / "docs/action.md").read_text("utf-8")

    assert f'--8<-- "docs/workflows/{file.name}"' in manual
    assert f"](workflows/{file.name})" in manual


@pytest.mark.parametrize(
    "file",
    [*WORKFLOWS, *(ROOT / ".github/workflows").glob("*.yml")],
    ids=lambda file: f"{file.parent.name}-{file.stem}",
)
def test_no_job_that_can_write_installs_a_package(file):
    """What is installed could use the job's permissions."""
    for name, job in yaml.safe_load(file.read_text("utf-8")).get("jobs", {}).items():
        granted = (job.get("permissions") or {}).items()
        writes = {what for what, access in granted if access == "write"}
        if writes:
            text = json.dumps(job["steps"])
            assert "pip" not in text, name
            assert "sitemap-plugins@" not in text, name


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_workflow_uses_only_inputs_of_the_action(file):
    jobs = yaml.safe_load(file.read_text("utf-8")).get("jobs", {})
    steps = [step for job in jobs.values() for step in job["steps"]]
    ours = [step for step in steps if "sitemap-plugins@" in step.get("uses", "")]

    assert {"gitlab": 0, "mike": 1, "comment": 1}.get(file.stem, 2) == len(ours)
    for step in ours:
        assert {*step["with"]} <= {*ACTION["inputs"]}
        known = {"build", "versions", "check", "diff", "notify"}
        assert {*step["with"]["commands"].split()} <= known
    for step in steps:
        assert (
            re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", step["uses"])
            if "uses" in step
            else step["run"]
        )
