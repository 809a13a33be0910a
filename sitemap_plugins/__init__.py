"""One sitemap for MkDocs, Pelican and Sphinx."""
