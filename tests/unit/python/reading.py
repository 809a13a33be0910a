"""One version of a module, read without others."""

from __future__ import annotations

from sitemap_plugins.core.python.modules import ModuleReader


def read_parts(content):
    return ModuleReader().read_parts(content)


def read_values(content):
    return ModuleReader().read_values(content)


def read_lines(content):
    return ModuleReader().read_lines(content)
