SITENAME = "My site"
SITEURL = "https://example.com"
TIMEZONE = "UTC"
PATH = "content"
PLUGINS = ["sitemap_plugins.pelican"]
