"""What `sitemap-plugins check` looks for: one function for each finding's code.

findings        the codes, and one record for each thing found
results         what was found, bounded
sitemaps        the files of a sitemap, streamed
survey          what only all URLs together can tell
ages            how old the pages are
context         what a check may know beside the element in front of it
file_checks     whole files
url_checks      one URL after the other
page_checks     URLs against the built pages
site_checks     the site as a whole
required        patterns that a listed URL must match
links           links within the site
run             the checks in order
server          which addresses are a site's, and what its server answers
download        a server's sitemaps, as files
visits          the answers for listed URLs
answer_checks   URLs against these answers
live            the checks of a server in order
site_facts      what is known of a built site
baseline        findings that are known
formats         findings as text for programs
"""
