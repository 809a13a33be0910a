"""The core: descriptions of pages in, files out; knows no host.

A module imports only from lines above its own, and is on the first line that allows this
(`tests/test_architecture.py` reads this map):

  1   ci   files.names   files.stylesheet   git.pathspecs   html_text   limits   messages
      notice_kinds   reasons   record   robots_tag   site
  2   address   checks   errors   notices
  3   dates   files.staging   files.xml_faults   git.failures   git.log   hosting   languages
      report   untrusted_files   urls
  4   canonicals   entry   files.read   git.ignore_revs   git.moves   git.program   html_page
      patterns   robots_txt   server_rules
  5   address_clues   files.indexes   files.split   files.xml   git.repository   html_head
      option_values
  6   git.last_change   options   page
  7   files.layout   front_matter   git.cache   git.excerpts   hreflang   images   other_files
      sources
  8   excerpts   files.existing   selection   surroundings
  9   crawler_rules   file_dates   files.publish   removals
  10  lastmod
  11  generate

Only these do I/O: `git.program` runs git, with a time limit; `untrusted_files` reads files of a
repository or an output folder; `file_dates` reads their times; `excerpts` reads edited files;
`sources`, `canonicals` and `other_files` look for files; `address_clues` asks git for a remote;
`server_rules` reads those of hosting services; `files.stylesheet` reads a file of this package;
`selection`, `html_head` and `html_page` read built pages; `files.read` reads sitemaps;
`files.existing` reads those of earlier builds; `files.staging` and `files.publish` write.
`surroundings` asks for the time. None logs.
"""
