"""The core: descriptions of pages in, files out; knows no host.

A module imports only from lines above its own, and is on the first line that allows this
(`tests/test_architecture.py` reads this map):

  1   ci   codes   files.names   files.stylesheet   git.pathspecs   html_text   limits   record
      robots_tag   site
  2   address   messages
  3   errors
  4   checks   dates   files.staging   files.xml_faults   git.failures   git.log   languages
      notices   untrusted_files   urls
  5   canonicals   entry   files.read   git.ignore_revs   git.moves   git.program   hosting
      html_page   patterns   report   robots_txt   server_rules
  6   address_clues   files.indexes   files.split   files.xml   git.repository   html_head
      option_values
  7   git.last_change   options   page
  8   files.layout   front_matter   git.cache   git.excerpts   hreflang   images   other_files
      sources
  9   excerpts   files.existing   selection   surroundings
  10  crawler_rules   file_dates   files.publish   removals
  11  lastmod
  12  generate

Only these do I/O: `git.program` runs git, with a time limit; `untrusted_files` reads files of a
repository or an output folder; `file_dates` reads their times; `excerpts` reads edited files;
`sources`, `canonicals` and `other_files` look for files; `address_clues` asks git for a remote;
`server_rules` reads those of hosting services; `files.stylesheet` reads a file of this package;
`selection`, `html_head` and `html_page` read built pages; `files.read` reads sitemaps;
`files.existing` reads those of earlier builds; `files.staging` and `files.publish` write.
`surroundings` asks for the time. None logs.
"""
