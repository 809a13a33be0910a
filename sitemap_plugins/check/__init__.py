"""What `sitemap-plugins check` looks for: each check stands beside its code."""
