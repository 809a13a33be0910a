"""Published sitemaps are compared, joined and announced to search engines."""
