"""Sitemaps that exist, read in one way for all commands and the folder adapter.

Whether an entry is wrong is decided in `check`.
"""
