"""What is done with sitemaps that stand somewhere: compared, joined, told to search engines.

places          files, addresses and commits that hold a sitemap
listing         what a sitemap lists, its parts followed
scratch         room for millions of URLs
changes         two sitemaps → what was added, removed and changed
mike            the versions that mike deployed
together        what only all parts of an index together can tell
merge           several sitemaps → one index
key_file        IndexNow's proof of who owns a site
indexnow        what IndexNow is asked, and what its answers mean
notify          changes → IndexNow, once they are live

A module imports from those above it, from `web` and from the core.
"""
