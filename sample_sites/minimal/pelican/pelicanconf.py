SITENAME = "My site"
SITEURL = "https://example.com"
TIMEZONE = "UTC"
PLUGINS = ["sitemap_plugins.pelican"]
