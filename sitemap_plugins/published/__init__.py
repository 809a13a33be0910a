"""Published sitemaps are compared, joined and announced to search engines.

diff            two sitemaps → what was added, removed and changed
merge           several sitemaps → one index
indexnow        IndexNow: the key file, what is sent, and what the answers mean
notify          changes → IndexNow, once they are live

A module imports from those above it, from `sitemaps`, `folder`, `web` and the core.
"""
