"""What `sitemap-plugins check` looks for: one function for each finding's code.

findings        the codes, and one record for each thing found
sitemaps        the files of a sitemap, streamed
survey          what only all URLs together can tell
context         what a check may know beside the element in front of it
file_checks     whole files
url_checks      one URL after the other
page_checks     URLs against the built pages
site_checks     the site as a whole
run             the checks in order
baseline        findings that are known
formats         findings as text for programs
"""
