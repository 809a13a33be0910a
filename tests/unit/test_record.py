"""Records: made by name, compared by value, with slots."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.records import record


@record
class Point:
    x: int
    y: int = 0


def test_a_record_is_made_by_name_and_compared_by_value():
    assert Point(x=1) == Point(x=1, y=0)
    assert 1 == len({Point(x=1), Point(x=1, y=0)})
    with pytest.raises(TypeError):
        Point(1)


def test_a_record_has_no_other_fields():
    with pytest.raises(AttributeError):
        Point(x=1).z = 2
