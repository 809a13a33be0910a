"""How many examples a test tries."""

from __future__ import annotations

from hypothesis import settings


def examples(number: int) -> settings:
    """Return settings for so many examples in the profile `full`; for fewer in `quick`."""
    return settings(max_examples=max(20, number * settings.default.max_examples // 100))
