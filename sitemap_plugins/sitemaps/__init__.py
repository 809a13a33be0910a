"""Sitemaps that exist, read in one way wherever they are, for every command and the folder adapter.

What is wrong with an entry is decided in `checks`.
"""
