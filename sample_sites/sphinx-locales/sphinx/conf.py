project = "In three languages"
language = "en"
locale_dirs = ["locale"]
html_baseurl = "https://example.com/en/"
extensions = ["sitemap_plugins.sphinx"]
# The builds lie beside each other, so that a page is linked only where it is: `only-english.rst`
# is taken out of the others with `-D exclude_patterns=only-english.rst`.
sitemap_locale_builds = "../{lang}"
