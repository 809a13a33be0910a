"""Limits and names that standards and search engines define, each with its source."""

from __future__ import annotations

SITEMAP_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
"""Namespace of `<urlset>` and `<sitemapindex>` (sitemaps.org, protocol)."""

XHTML_NAMESPACE = "http://www.w3.org/1999/xhtml"
"""Namespace of `<xhtml:link>`, which carries hreflang (Google, localized versions)."""

IMAGE_NAMESPACE = "http://www.google.com/schemas/sitemap-image/1.1"
"""Namespace of `<image:image>` (Google, image sitemaps)."""

MAX_IMAGES = 1_000
"""Images of one URL (Google, image sitemaps: "up to 1,000 <image:image> tags")."""

VIDEO_NAMESPACE = "http://www.google.com/schemas/sitemap-video/1.1"
"""Namespace of `<video:video>` (Google, video sitemaps)."""

NEWS_NAMESPACE = "http://www.google.com/schemas/sitemap-news/0.9"
"""Namespace of `<news:news>` (Google, news sitemaps)."""

MAX_URLS = 50_000
"""URLs in one sitemap file (sitemaps.org, protocol: "no more than 50,000 URLs")."""

MAX_BYTES = 52_428_800
"""Uncompressed bytes of one file (sitemaps.org, FAQ: 50 MB, written out so)."""

MAX_INDEX_PARTS = 50_000
"""Sitemaps in one index file (sitemaps.org, FAQ)."""

MAX_LOC_LENGTH = 2_047
"""Characters of one URL (sitemaps.org, protocol: "less than 2,048 characters")."""

CHANGEFREQS = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")
"""Values of `<changefreq>`, from often to never (sitemaps.org, protocol)."""

ROBOTS_READ_BYTES = 500 * 1024
"""Bytes of robots.txt that every crawler reads (RFC 9309, section 2.5)."""
