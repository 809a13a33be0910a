"""The core: descriptions of pages in, files out; knows no host.

A module imports only from lines above its own (`tests/test_architecture.py` keeps that):

    1  errors    protocol
    2  notices   urls     dates
    3  patterns
    4  options   pages
    5  author    alternates   gitlog   markup   entries   encode   split   robots   (pure)
    6  lastmod   output                                                           (the world)
    7  generate
"""
