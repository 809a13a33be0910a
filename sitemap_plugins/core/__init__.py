"""The core: descriptions of pages in, files out; knows no host.

A module imports only from lines above its own, and is on the first line that allows this
(`tests/test_architecture.py` reads this map):

  1   codes   files.stylesheet   language_codes   limits
  2   messages
  3   errors
  4   date_values   files.read   git.log   git.program   languages   notices   untrusted_files
      urls
  5   crawlers.robots_txt   files.indexes   git.repository   html.page   patterns   url_forms
  6   crawlers.hosting   git.last_change   html.head   values
  7   crawlers.server_rules   environment   html.tag   options   records
  8   address   dates.excerpts   dates.removals   dates.sources   files.xml   pages.front_matter
      pages.hreflang   pages.images   pages.other_files
  9   dates.files   files.plan   pages.alone
  10  dates.lastmod   files.existing   pages.among_others
  11  files.publish   page_dates
  12  files.announce
  13  generate
"""
