project = "My site"
html_baseurl = "https://example.com/"
extensions = ["sitemap_plugins.sphinx"]
