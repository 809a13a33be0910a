"""The examples in the docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import sitemap_plugins.core

MODULES = [module.name for module in pkgutil.iter_modules(sitemap_plugins.core.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    module = importlib.import_module(f"sitemap_plugins.core.{name}")

    assert doctest.testmod(module).failed == 0
