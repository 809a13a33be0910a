"""A robots.txt of a stranger's making costs neither time nor the sitemap."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
from sitemap_plugins.core.robots import Robots
rule = b"User-agent: *\\nDisallow: /" + b"*a" * 25 + b"*b\\n"
robots = Robots(rule, base_url="https://example.com/", on_read_the_docs=False)
print(robots.allow("https://example.com/" + "a" * 2000))
"""


def test_a_rule_with_many_wildcards_is_matched_in_no_time():
    """As a regular expression, which Protego made of it before 0.7, it takes for ever."""
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=True
    )

    assert run.stdout == "True\n"
