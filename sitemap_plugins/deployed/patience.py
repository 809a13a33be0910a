"""Waiting that ends."""

from __future__ import annotations

import time

__all__ = ["Patience"]


class Patience:
    """So many seconds to wait in all."""

    def __init__(self, seconds: float) -> None:
        """Begin to wait now."""
        self._deadline = time.monotonic() + seconds

    def pause(self, seconds: float) -> bool:
        """Wait, and return True; False at once if there is not as much time left."""
        if time.monotonic() + seconds > self._deadline:
            return False
        time.sleep(seconds)
        return True
