"""What `sitemap-plugins check` looks for: one function for each finding's code.

findings        a finding, the findings collected, the baseline
formats         findings as text for programs
context         what a check can use besides the current element
urls            checks of one URL after the other
files           checks of whole files
extensions      checks of images, videos and news
pages           checks of URLs against the built pages
site            checks of the site as a whole, and of its links
run             the checks in order
server          which addresses are a site's, what its server answers, its sitemaps as files
answers         what the server answers for listed URLs, and the checks of it
live            the checks of a server in order
removed         what became of URLs that a sitemap lists no more
versions        pages of old versions, and what mends them

A module imports from those above it, from `sitemaps`, `folder`, `web` and the core.
"""
