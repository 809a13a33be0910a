project = "Drop-in"
version = "1.0"
language = "en"
extensions = ["sitemap_plugins.sphinx"]  # It was "sphinx_sitemap".

site_url = "https://example.com/docs/"
sitemap_url_scheme = "{lang}{version}{link}"
sitemap_locales = ["en", "de"]
sitemap_filename = "sitemap.xml"
sitemap_excludes = ["search.html", "genindex.html", "drafts/*"]
sitemap_show_lastmod = True
sitemap_indent = 2
