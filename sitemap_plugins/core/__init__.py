"""The core: descriptions of pages in, files out; knows no host.

A module imports only from lines above its own, and stands on the first line where that is so
(`tests/test_architecture.py` reads this map):

    1   errors     protocol     notices   head
    2   urls       dates        markup    gitlog
    3   patterns   pages        split     robots   origins
    4   options    alternates   repository
    5   author     lastmod
    6   entries
    7   encode
    8   fileset
    9   output
    10  generate

Four of them touch the world: `repository` runs git, `markup` reads built pages, `lastmod` reads
the times of files, `output` writes. `generate` looks at the clock. Nobody logs.
"""
