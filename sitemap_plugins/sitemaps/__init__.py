"""Sitemaps that exist, read in one way wherever they are, for every command and the folder adapter.

locations       files, URLs and commits that hold a sitemap
ordinary        most entries, without a parser
parts           one sitemap file → what it lists, in XML or text; an index → its parts
trim            the files of a sitemap without some of their entries
facts           what each file contains, and what only all URLs together show

A module imports from those above it, from `web` and from the core. What is wrong with an entry is
decided in `checks`.
"""
