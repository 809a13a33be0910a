"""Published sitemaps are compared, joined and announced to search engines.

diff            two sitemaps → what was added, removed and changed
mike            the versions that mike deployed
merge           several sitemaps → one index
indexnow        IndexNow: the key file, what is sent, and what the answers mean
notify          changes → IndexNow, once they are live

A module imports from those above it, from `sitemaps`, from `web` and from the core.
"""
