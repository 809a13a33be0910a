"""The Action's steps, run by bash as on GitHub, and the workflows in the manual."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from tests.checks.checked_site import url, urlset, write_site
from tests.cli.test_versions import FILES as VERSIONS
from tests.folder.html_folder import BASE, page, write
from tests.published.loopback import serving

ROOT = Path(__file__).parent.parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = ACTION["runs"]["steps"]
WORKFLOWS = sorted((ROOT / "docs/workflows").glob("*.yml"))
KEY = "0123456789abcdef"

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="steps are for bash")


@pytest.fixture
def runner(tmp_path):
    """The folder of a job, and the files that steps write for GitHub."""
    folder = tmp_path / "runner"
    folder.mkdir()
    program = folder / "sitemap-plugins"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m sitemap_plugins "$@"\n')
    program.chmod(0o755)
    project = tmp_path / "project"
    project.mkdir()
    return SimpleNamespace(folder=folder, project=project, program=program)


def value_of(expression, inputs, runner):
    """Return the value that GitHub substitutes for an expression."""
    name = re.fullmatch(r"\$\{\{ ([\w.-]+) \}\}", expression)[1]
    if name == "steps.install.outputs.program":
        return str(runner.program)
    kind, _, name = name.partition(".")
    assert "inputs" == kind
    return inputs[name]


def execute(runner, name, **given):
    """Run a step with these inputs, `-` for `_`, and the defaults of the others."""
    inputs = {input_: spec["default"] for input_, spec in ACTION["inputs"].items()}
    inputs |= {input_.replace("_", "-"): value for input_, value in given.items()}
    [step] = [step for step in STEPS if step["name"] == name]
    env = {key: value_of(text, inputs, runner) for key, text in step.get("env", {}).items()}
    files = {"GITHUB_STEP_SUMMARY": runner.folder / "summary", "GITHUB_OUTPUT": runner.folder / "o"}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=runner.project,
        env={**os.environ, **env, **{key: str(file) for key, file in files.items()}},
        capture_output=True,
        text=True,
        check=False,
    )


def test_scripts_have_no_expressions_and_every_input_is_used():
    """GitHub replaces expressions in a script before bash reads it, so their values would run."""
    assert not any("${{" in step["run"] for step in STEPS)
    used = set(re.findall(r"inputs\.([\w-]+)", json.dumps(STEPS)))
    assert {*ACTION["inputs"]} == used
    for step in STEPS[1:]:
        command = re.search(r'"\$PROGRAM" (\w+)', step["run"])[1]
        assert f"contains(inputs.commands, '{command}')" == step["if"]


def test_build_and_check_receive_their_options(runner):
    """Each line is one argument, whatever its content."""
    write(runner.project, {f"out/{p}index.html": page(BASE + p) for p in ("", "a b/", "$(id)/")})
    options = "--exclude\na b/\n--exclude\n$(id)/\n\n"
    done = execute(runner, "Write the sitemap", site="out", base_url=BASE, build_options=options)

    assert 0 == done.returncode, done.stderr
    assert "sitemap.xml: 1 page (1 without a date), 2 left out (2 excluded)" in done.stdout
    ignored = {"site": "out", "check_options": "--ignore\nnot-listed"}
    done = execute(runner, "Check the sitemap", base_url=BASE, **ignored)
    assert (0, "") == (done.returncode, done.stdout)


def test_old_versions_are_mended(runner):
    write(runner.project, {f"gh-pages/{name}": text for name, text in VERSIONS.items()})
    step = "Keep old versions from outranking the new one"
    given = {"site": "gh-pages", "base_url": "https://docs.example.com"}
    reported = execute(runner, step, **given)
    mended = execute(runner, step, **given, versions_options="--write\n--gone\nnoindex")

    assert (1, 0) == (reported.returncode, mended.returncode)
    assert "4 pages mended" in mended.stdout


def test_findings_are_annotations_and_in_the_summary(runner):
    write_site(runner.project, git=False)
    write(runner.project, {"out/sitemap.xml": urlset(url("gone/"))})
    done = execute(runner, "Check the sitemap", site="out")
    summary = (runner.folder / "summary").read_text("utf-8")

    assert 1 == done.returncode
    assert "::error file=sitemap.xml" in done.stdout
    assert summary.startswith("### Sitemap of `out`\n\n**Sitemap check: 1 error, ")
    assert "\n| error `missing` (1)<br>" in summary


def test_changes_are_found_before_the_deploy_and_sent_after_it(runner, tmp_path):
    with serving(tmp_path / "live") as server:
        old, new = (urlset(url(p, base=server.url), url("x", base=server.url)) for p in "ab")
        write(tmp_path, {"live/sitemap.xml": old, f"live/{KEY}.txt": KEY})
        write(runner.project, {"site/sitemap.xml": new})
        step = "Find what changed since the last deploy"
        done = execute(runner, step, base_url=server.url.rstrip("/"))
        assert (0, "", "") == (done.returncode, done.stdout, done.stderr)
        write(tmp_path, {"live/sitemap.xml": new})
        # The Action leaves the endpoints as they are: here, the program gets another.
        words = f'command=$1; shift; set -- "$command" --endpoint {server.url}indexnow "$@"'
        runner.program.write_text(runner.program.read_text().replace("exec", f"{words}\nexec"))
        step = "Tell search engines what changed"
        done = execute(runner, step, base_url=server.url, key=KEY, wait="0")

    assert 0 == done.returncode, done.stderr
    [(_, body)] = server.posts
    assert [f"{server.url}a", f"{server.url}b"] == body["urlList"]


def test_nothing_is_announced_before_the_first_deploy(runner, tmp_path):
    with serving(tmp_path / "live") as server:
        write(runner.project, {"site/sitemap.xml": urlset(url("a", base=server.url))})
        step = "Find what changed since the last deploy"
        done = execute(runner, step, base_url=server.url)
        assert 0 == done.returncode
        assert done.stdout.startswith("::notice title=sitemap-plugins::The live sitemap cannot")
        step = "Tell search engines what changed"
        done = execute(runner, step, base_url=server.url, key=KEY)

    assert (0, "nothing changed: nothing is sent\n") == (done.returncode, done.stdout)


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_workflow_is_in_the_manual(file):
    manual = (ROOT / "docs/action.md").read_text("utf-8")

    assert f'--8<-- "docs/workflows/{file.name}"' in manual
    assert f"](workflows/{file.name})" in manual


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_workflow_uses_only_inputs_of_the_action(file):
    jobs = yaml.safe_load(file.read_text("utf-8")).get("jobs", {})
    steps = [step for job in jobs.values() for step in job["steps"]]
    ours = [step for step in steps if "sitemap-plugins@" in step.get("uses", "")]

    assert {"gitlab": 0, "mike": 1}.get(file.stem, 2) == len(ours)
    for step in ours:
        assert {*step["with"]} <= {*ACTION["inputs"]}
        known = {"build", "versions", "check", "diff", "notify"}
        assert {*step["with"]["commands"].split()} <= known
    for step in steps:
        assert (
            re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", step["uses"]) if "uses" in step else step["run"]
        )
