project = "Names"
html_baseurl = "https://example.com/docs/"
extensions = ["sitemap_plugins.sphinx"]
