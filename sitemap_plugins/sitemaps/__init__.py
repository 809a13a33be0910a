"""Sitemaps that exist, read in one way for all commands and the folder adapter.

What is wrong with an entry is decided in `check`.
"""
