"""One index of several sitemaps."""
