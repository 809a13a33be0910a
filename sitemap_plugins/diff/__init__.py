"""How two sitemaps differ."""
