"""Every sample site, built by its host:
its paths, its robots.txt, and a response for every URL."""

from __future__ import annotations

from urllib.parse import unquote
from urllib.request import urlopen

import pytest

from sample_sites.build import command, samples
from tests.cli.command import run
from tests.full import FULL
from tests.preloaded import decode, run_module
from tests.sitemaps.loopback import serving
from tests.sites import QUIET
from tests.written import locs


def rows():
    """Yield each sample; the usual tests build URLs of all kinds.

    Those of `test_build_services.py` build the quick starts.
    """
    for sample in samples():
        is_usual = sample.scenario == "urls"
        marks = () if is_usual else FULL
        yield pytest.param(sample, marks=marks, id=sample.name)


@pytest.fixture(params=rows())
def sample(request):
    return request.param


@pytest.fixture
def output_dir(sample, tmp_path):
    _, _, name, *arguments = command(sample.host, sample.variant, tmp_path / "out")
    done = run_module(name, arguments, folder=sample.folder, usual=QUIET, environ={})
    assert 0 == done.returncode, decode(done.stdout + done.stderr)
    return tmp_path / "out"


def test_sample_has_the_expected_sitemap(sample, output_dir):
    found = locs((output_dir / "sitemap.xml").read_bytes())

    assert [unquote(loc.removeprefix(sample.base_url)) for loc in found] == list(
        sample.paths
    )
    if sample.robots is not None:
        assert (output_dir / "robots.txt").read_bytes() == sample.robots.encode()
    checked = run(sample.folder, "check", output_dir)
    assert 0 == checked.returncode, checked.out
    # As a crawler asks for it: byte for byte the URL of the sitemap, without a
    # redirect.
    with serving(output_dir) as server:
        for loc in found:
            requested = loc.replace(sample.base_url, server.url)
            with urlopen(requested) as answer:
                assert (200, requested) == (answer.status, answer.url)
