"""Each quick start, as it is, on services
that build sites from clones of one commit."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from sample_sites.build import command
from tests.full import full
from tests.git_repository import ENVIRON, GitRepository
from tests.git_server import serving
from tests.preloaded import decode, run_module
from tests.sites import QUIET

SAMPLES = Path(__file__).parents[2] / "sample_sites/minimal"
VARIANTS = {"mkdocs": "mkdocs.yml", "pelican": "pelicanconf.py", "sphinx": "html"}
SERVICES = {
    "GitHub Actions": {"CI": "true", "GITHUB_ACTIONS": "true"},
    "GitLab": {"CI": "true", "GITLAB_CI": "true"},
    "Read the Docs": {"READTHEDOCS": "True"},
    "none": {},
    "another": {"CI": "true"},
}


def cases():
    """Yield each host with each service; the usual tests have each host once."""
    for host in VARIANTS:
        for service in SERVICES:
            is_usual = service == ("none" if host == "pelican" else "GitHub Actions")
            yield (host, service) if is_usual else full(host, service)


@pytest.fixture(params=VARIANTS)
def served(request, tmp_path):
    """A served quick start with a commit for each file;
    returns a function that builds."""
    origin = GitRepository(tmp_path / "served/site")
    shutil.copytree(SAMPLES / request.param, origin.folder, dirs_exist_ok=True)
    for file in sorted(origin.folder.rglob("*.*")):
        if ".git" not in file.parts and file.is_file():
            origin.git("add", str(file))
            origin.git("commit", "--quiet", "-m", file.name)
    origin.git("commit", "--quiet", "--allow-empty", "-m", "last")
    origin.git("config", "uploadpack.allowFilter", "true")
    with serving(tmp_path / "served") as server:

        def build(depth, environ):
            clone = tmp_path / f"clone{depth}"
            shutil.rmtree(clone, ignore_errors=True)
            url = f"{server.url}site/.git"
            words = ["clone", "-q", f"--depth={depth}", url, str(clone)]
            subprocess.run(["git", *words], env=ENVIRON, check=True)
            if request.param == "pelican":
                # Pelican 4.8 warns if its folder for images is missing.
                (clone / "content/images").mkdir(exist_ok=True)
            server.requests.clear()
            whole = command(request.param, VARIANTS[request.param], clone / "out")
            _, _, name, *arguments = [word for word in whole if word != "-q"]
            done = run_module(
                name,
                arguments,
                folder=clone,
                usual=QUIET,
                environ=ENVIRON | environ | {"TMPDIR": str(tmp_path)},
            )
            log = decode(done.stdout + done.stderr)
            assert 0 == done.returncode, log
            return (clone / "out/sitemap.xml").read_bytes(), log

        build.server = server
        yield build
    assert [] == [*tmp_path.glob("sitemap-plugins-*")]


@pytest.mark.parametrize(("served", "service"), [*cases()], indirect=["served"])
def test_sitemap_is_that_of_the_full_clone_where_a_service_builds_it(served, service):
    environ = SERVICES[service]
    full, _ = served(99, environ)
    assert [] == served.server.requests
    shallow, log = served(1, environ)

    if service in {"none", "another"}:
        assert [] == served.server.requests
        assert b"<lastmod>" not in shallow
        assert "none with a date: the clone is shallow" in log
        assert "set the option fetch_history to true, or" in log
    else:
        assert 1 == served.server.fetches
        assert b"<lastmod>" in full
        assert full == shallow


@pytest.mark.parametrize("service", ["GitHub Actions", full("GitLab")])
def test_site_without_dates_is_told_and_strict_modes_pass(served, service):
    def refuse(handler):
        """Let the clone be made, and nothing else."""
        if b"deepen 1" in handler.body or b"ls-refs" in handler.body:
            return False
        if handler.command == "GET" and not served.is_cloned:
            served.is_cloned = True
            return False
        handler.send(403)
        return True

    served.is_cloned = False
    served.server.fault = refuse
    shallow, log = served(1, SERVICES[service])

    assert b"<lastmod>" not in shallow
    text = "none with a date: the history cannot be fetched from"
    assert text in " ".join(log.split())
    cure = "keep the checkout's credentials"
    pattern = rf"^ *::warning title=sitemap-plugins::sitemap\.xml: .*{text}.*{cure}"
    assert bool(re.search(pattern, log, re.MULTILINE)) == (service != "GitLab"), log
