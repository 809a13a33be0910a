"""Settings of all tests: time zone, environment, examples of property tests."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

pytest.register_assert_rewrite("tests.contract.suite", "tests.sites")

# In a zone other than UTC, a time without a zone makes a test fail.
os.environ["TZ"] = "Asia/Kathmandu"
if hasattr(time, "tzset"):  # Not on Windows.
    time.tzset()

# Every build keeps a record, and that of a test is no business of the developer.
os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="sitemap-plugins-tests-")

# The service that runs the tests must not be taken for the service that builds their
# sites.
SERVICES = (
    "CF_PAGES",
    "CI",
    "CONTEXT",
    "GIT_",
    "GITHUB_",
    "GITLAB_",
    "NETLIFY",
    "READTHEDOCS",
    "SOURCE_DATE_EPOCH",
    "VERCEL",
    "WORKERS_CI",
)
"""Prefixes of the variables by which a build recognizes its service."""
for name in [name for name in os.environ if name.startswith(SERVICES)]:
    del os.environ[name]

# The machine may be busy: no example has a deadline. `pytest --hypothesis-profile=full`
# tries four times as many as usual, and both try the same ones in each run, so that a
# change passes or fails by what it is; `search` tries others each time.
for name, examples in (("quick", 25), ("full", 100), ("search", 1_000)):
    settings.register_profile(
        name,
        max_examples=examples,
        derandomize=name != "search",
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("quick")


def skip_what_the_system_lacks() -> None:
    """Replace functions that this system does not have by those that skip the test.

    Windows makes symbolic links only for administrators and developers, Wine none.
    """

    def skip(reason: str) -> Callable[..., None]:
        return lambda *_, **__: pytest.skip(reason)

    if not hasattr(os, "mkfifo"):
        os.mkfifo = skip("the system has no named pipes")
    if not makes_symbolic_links():
        os.symlink = skip_links


def skip_links(_target: object, link: object, *_: object, **__: object) -> None:
    """Skip a test that makes a link; pytest needs none to its newest folder."""
    if str(link).endswith("current"):
        raise OSError
    pytest.skip("the system makes no symbolic links")


def makes_symbolic_links() -> bool:
    """Tell whether a link can be made, and leads to its file."""
    with tempfile.TemporaryDirectory() as folder:
        link = Path(folder, "link")
        Path(folder, "target").touch()
        try:
            link.symlink_to("target")
        except OSError:
            return False
        return link.is_symlink() and link.exists()


skip_what_the_system_lacks()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Pass over files of which all tests are left out, and what they would import."""
    if config.option.markexpr != "not full" or collection_path.suffix != ".py":
        return None
    return (
        True if "\npytestmark = FULL\n" in collection_path.read_text("utf-8") else None
    )


def pytest_collection(session: pytest.Session) -> None:
    """Import the files of tests, in each worker beginning with another one.

    What one worker has compiled, the others find. If all began with the same one, each
    would compile all.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is None:
        return
    tests = Path(__file__).parent
    files = [
        file
        for file in sorted(tests.rglob("test_*.py"))
        if is_wanted(file, session.config)
    ]
    first = len(files) * int(worker[2:]) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    for file in files[first:]:
        name = ".".join(file.relative_to(tests.parent).with_suffix("").parts)
        # Some are skipped as a whole. Pytest will meet again what is wrong.
        with contextlib.suppress(Exception, pytest.skip.Exception):
            importlib.import_module(name)


def is_wanted(file: Path, config: pytest.Config) -> bool:
    """Tell whether a file of tests is below what is to run."""
    given = [Path(name.partition("::")[0]).resolve() for name in config.args]
    is_below = any(map(file.is_relative_to, given))
    return is_below and not pytest_ignore_collect(file, config)


def pytest_collection_finish() -> None:
    """Exclude the objects of pytest from garbage collection,
    which each batch of pages runs."""
    gc.collect()
    gc.freeze()
