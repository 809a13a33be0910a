"""Sitemaps that are there already: compared, joined, explained, and announced."""
