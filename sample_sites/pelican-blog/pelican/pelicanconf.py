TIMEZONE = "Europe/Berlin"
SITENAME = "Blog"
SITEURL = "https://example.com/blog"
PLUGINS = ["sitemap_plugins.pelican"]
SITEMAP = {"exclude": ["^/authors"], "priorities": {"articles": 0.8}}

DEFAULT_LANG = "en"
DEFAULT_PAGINATION = 2
PAGINATION_PATTERNS = [
    (1, "{url}", "{save_as}"),
    (2, "{base_name}/page/{number}/", "{base_name}/page/{number}/index.html"),
]
ARTICLE_URL = "posts/{slug}/"
ARTICLE_SAVE_AS = "posts/{slug}/index.html"
ARTICLE_LANG_URL = "posts/{slug}/{lang}/"
ARTICLE_LANG_SAVE_AS = "posts/{slug}/{lang}/index.html"
PAGE_URL = "{slug}/"
PAGE_SAVE_AS = "{slug}/index.html"
CATEGORY_URL = "category/{slug}/"
CATEGORY_SAVE_AS = "category/{slug}/index.html"
TAG_URL = "tag/{name}/"
TAG_SAVE_AS = "tag/{name}/index.html"
AUTHOR_URL = "author/{slug}/"
AUTHOR_SAVE_AS = "author/{slug}/index.html"
MONTH_ARCHIVE_URL = "{date:%Y}/{date:%m}/"
MONTH_ARCHIVE_SAVE_AS = "{date:%Y}/{date:%m}/index.html"
ARCHIVES_SAVE_AS = "archives/index.html"

TEMPLATE_PAGES = {"extra/pages.json": "pages.json"}
