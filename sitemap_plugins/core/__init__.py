"""The core: descriptions of pages in, files out; knows no host.

A module imports only from lines above its own, and is on the first line that allows this
(`tests/test_architecture.py` reads this map):

  1   codes   files.stylesheet   limits   robots_tag   untrusted_files
  2   messages
  3   errors
  4   date_values   files.staging   files.xml_faults   git.log   git.program   languages   notices
      urls
  5   crawlers.robots_txt   files.parts   files.read   git.repository   html.page   patterns
      url.forms
  6   git.last_change   hosting   html_head   server_rules   values
  7   environment   options   records
  8   address   dates.excerpts   files.xml   front_matter   hreflang   images   pages.other_files
      removals   sources
  9   file_dates   files.plan   pages.alone
  10  files.existing   lastmod   pages.among_others
  11  files.publish
  12  files.announce
  13  generate

Only these do I/O: `git.program` runs git, with a time limit; `untrusted_files` reads files of a
repository or an output folder; `file_dates` reads their times; `dates.excerpts` reads edited files;
`sources`, `url.forms` and `pages.other_files` look for files; `address` asks git for a remote;
`server_rules` reads the rules of hosting services; `files.stylesheet` reads a file of this package;
`pages.alone`, `html_head` and `html.page` read built pages; `files.read` reads sitemaps;
`files.existing` reads those of earlier builds; `files.staging` and `files.publish` write.
`environment` asks for the time. None logs.
"""
