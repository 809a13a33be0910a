"""Records that type checkers keep from being changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

__all__ = ["record"]

T = TypeVar("T")


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def record(cls: type[T]) -> type[T]:
    """Make a class a dataclass with slots, its fields given by name and not assigned to again.

    Type checkers alone refuse the assignment: a dataclass that is frozen at run time is made in
    more than twice the time, and these are made once or more for each page.
    """
    return dataclass(slots=True, kw_only=True, unsafe_hash=True)(cls)
