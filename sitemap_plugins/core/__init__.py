"""The core: descriptions of pages in, files out; knows no host.

A module imports only from lines above its own, and is on the first line that allows this
(`tests/test_architecture.py` reads this map):

  1   ci files.names files.stylesheet git.pathspecs html_text limits messages reasons record site
      untrusted_files
  2   checks   notices
  3   errors   git.ignore_revs   hosting   report
  4   dates  files.read  files.staging  git.failures  git.log  html_head  html_page  languages  urls
  5   entry   git.lineage   git.moves   git.program   page   patterns   robots_txt   server_rules
  6   files.split   files.xml   front_matter   git.last_change   hreflang   images   options
  7   files.layout   git.repository   selection   sources
  8   files.existing   git.cache   git.excerpts
  9   excerpts   files.publish   surroundings
  10  file_dates
  11  lastmod
  12  generate

Only these do I/O: `git.program` runs git, with a time limit; `untrusted_files` reads files of a
repository or an output folder; `file_dates` reads their times; `excerpts` reads edited files;
`sources` looks for files; `server_rules` reads those of hosting services; `files.stylesheet` reads
a file of this package; `selection`, `html_head` and `html_page` read built pages; `files.read`
reads sitemaps; `files.existing` reads those of earlier builds; `files.staging` and `files.publish`
write. `generate` asks for the time. None logs.
"""
