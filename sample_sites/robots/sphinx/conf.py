project = "Robots"
html_baseurl = "https://example.com/"
html_extra_path = ["extra"]
exclude_patterns = ["extra"]
extensions = ["sitemap_plugins.sphinx"]
