"""What all tests need."""

from __future__ import annotations

import gc
import os
import time

import pytest
from hypothesis import HealthCheck, settings

pytest.register_assert_rewrite("tests.contract.suite", "tests.sites")

# A time without a zone is found out where the machine's zone is not UTC.
os.environ["TZ"] = "Asia/Kathmandu"
time.tzset()

# Where the tests run says nothing of where the sites are built that they make.
SERVICES = (
    *("CF_PAGES", "CI", "CONTEXT", "GIT_", "GITHUB_", "GITLAB_", "NETLIFY", "READTHEDOCS"),
    *("SOURCE_DATE_EPOCH", "VERCEL", "WORKERS_CI"),
)
"""How the variables begin that tell a build what runs it."""
for name in [name for name in os.environ if name.startswith(SERVICES)]:
    del os.environ[name]

# The machine may be busy: no example has a deadline. `pytest --hypothesis-profile=full` tries four
# times as many.
for name, examples in (("quick", 25), ("full", 100)):
    settings.register_profile(
        name,
        max_examples=examples,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("quick")


def pytest_collection_finish() -> None:
    """Keep the collector away from what pytest holds: each batch of pages runs the collector."""
    gc.collect()
    gc.freeze()
