"""The examples in docstrings work."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

from sitemap_plugins import core

MODULES = [
    module.name for module in pkgutil.walk_packages(core.__path__, f"{core.__name__}.")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_work(name):
    module = importlib.import_module(name)

    assert 0 == doctest.testmod(module).failed
