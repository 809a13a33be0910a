"""The number of examples of a property test."""

from __future__ import annotations

from hypothesis import settings


def examples(number: int) -> settings:
    """Return settings with this number of examples in the profile `full`,
    and fewer in `quick`."""
    return settings(max_examples=max(20, number * settings.default.max_examples // 100))
