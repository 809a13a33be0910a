"""The core: descriptions of pages in, files out; knows no host.

A module imports only from lines above its own, and is on the first line that allows this
(`tests/test_architecture.py` reads this map):

  1   ci   files.names   files.stylesheet   git.pathspecs   html_text   limits
      messages   notice_kinds   reasons   record   robots_tag   site   untrusted_files
  2   address   checks   errors   files.parts   notices
  3   dates   files.read   files.staging   git.failures   git.ignore_revs   git.log   hosting
      languages   report   urls
  4   canonicals   entry   git.lineage   git.moves   git.program   html_head   html_page   patterns
      robots_txt   server_rules
  5   files.split   files.stored   files.xml   git.last_change   option_values   page
  6   front_matter   git.repository   hreflang   images   options
  7   files.layout   git.cache   git.excerpts   selection   sources
  8   excerpts   files.existing   surroundings
  9   crawler_rules   file_dates   files.publish
  10  lastmod
  11  generate

Only these do I/O: `git.program` runs git, with a time limit; `untrusted_files` reads files of a
repository or an output folder; `file_dates` reads their times; `excerpts` reads edited files;
`sources` looks for files; `server_rules` reads those of hosting services; `files.stylesheet` reads
a file of this package; `selection`, `html_head` and `html_page` read built pages; `files.read`
reads sitemaps; `files.existing` reads those of earlier builds; `files.stored` keeps entries in a
temporary file; `files.staging` and `files.publish` write. `generate` asks for the time. None logs.
"""
