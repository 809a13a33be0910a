"""The core: descriptions of pages in, files out; knows no host.

A module imports only from lines above its own, and stands on the first line where that is so
(`tests/test_architecture.py` reads this map):

    1   errors     protocol     notices   head     environment
    2   urls       dates        markup    gitlog
    3   patterns   pages        split     robots   origins
    4   options    alternates   repository
    5   author     lastmod
    6   entries
    7   encode
    8   fileset
    9   output
    10  generate

Few touch the world: `repository` runs git, within a time by its clock; `lastmod` reads the times of
files and the list of ignored commits; `entries` and `markup` look at built pages; `output` reads
robots.txt and writes. `generate` asks what time it is. Nobody logs.
"""
