"""Numbers that options take."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from typing import Any

__all__ = ["NumberRange"]


class NumberRange(click.FloatRange):
    """Numbers in a range: click's own takes `nan` for one, with which no comparison is true."""

    name = "number"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ANN401 click's own signature
        """Return a number of the range, or say what is wrong."""
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number
