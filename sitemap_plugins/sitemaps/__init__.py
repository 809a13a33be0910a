"""Sitemaps that exist, read in one way wherever they are, for every command and the folder adapter.

locations       files, URLs and commits that hold a sitemap
read            one sitemap file → what it lists, in XML or text
parts           an index → its parts
facts           what only all files together can tell

A module imports from those above it, from `web` and from the core. What an entry should be is
judged in `checks`.
"""
