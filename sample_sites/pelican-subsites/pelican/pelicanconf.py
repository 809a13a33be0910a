TIMEZONE = "UTC"
SITENAME = "Languages"
SITEURL = "https://example.com"
PLUGINS = ["i18n_subsites", "sitemap_plugins.pelican"]

DEFAULT_LANG = "en"
I18N_SUBSITES = {"de": {"SITENAME": "Sprachen"}, "fr": {"SITENAME": "Langues"}}
I18N_UNTRANSLATED_ARTICLES = "remove"
I18N_UNTRANSLATED_PAGES = "remove"

ARTICLE_PATHS = ["articles"]
ARTICLE_TRANSLATION_ID = PAGE_TRANSLATION_ID = "version_of"
ARTICLE_URL = PAGE_URL = "{slug}/"
ARTICLE_SAVE_AS = PAGE_SAVE_AS = "{slug}/index.html"
ARTICLE_LANG_URL = PAGE_LANG_URL = "{slug}/"
ARTICLE_LANG_SAVE_AS = PAGE_LANG_SAVE_AS = "{slug}/index.html"
DIRECT_TEMPLATES = ["index", "archives"]
AUTHOR_SAVE_AS = TAG_SAVE_AS = ""
