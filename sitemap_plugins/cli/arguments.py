"""Arguments that name a file, a folder or a server."""

from __future__ import annotations

from typing import Any

import click

__all__ = ["Argument"]


class Argument(click.Argument):
    """An argument that is not empty: `build "$SITE"` without the variable would mean `build .`."""

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:  # noqa: ANN401 click's own signature
        """Convert a value, or say that it is empty."""
        if value == "" or (isinstance(value, tuple) and "" in value):
            msg = "it is empty: give a name, or '.' for this folder"
            raise click.BadParameter(msg, ctx=ctx, param=self)
        return super().type_cast_value(ctx, value)
