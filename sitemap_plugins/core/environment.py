"""What the environment's variables say of the machine that builds the site."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["is_set"]


def is_set(environ: Mapping[str, str], name: str) -> bool:
    """Tell whether a variable that services set to say yes (`CI`, `READTHEDOCS`) does.

    >>> [is_set({"CI": value}, "CI") for value in ("true", "1", "false", "0", "")]
    [True, True, False, False, False]
    """
    return environ.get(name, "").lower() not in {"", "0", "false"}
