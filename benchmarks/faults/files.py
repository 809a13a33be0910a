"""Sitemaps, indexes, text sitemaps and robots.txt, each with one fault."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Iterator

from .cases import (
    DECLARATION,
    GOOD,
    HOST,
    NAMESPACE,
    Case,
    entry,
    index,
    link,
    page,
    urlset,
)

PROTOCOL = "sitemaps.org/protocol"
XML = "XML 1.0"
XSD = "sitemap.xsd"
GOOGLE = "Google, Sitemaps report"
URI = "RFC 3986"
W3C = "W3C NOTE-datetime"
HREFLANG = "Google, localized versions"
ROBOTS = "RFC 9309"

ROOT = f'<urlset xmlns="{NAMESPACE}">'
ONE = f"<url><loc>{HOST}/a/</loc></url>"

DOCUMENTS: list[tuple[str, str | bytes, str, str]] = [
    ("no-bytes", b"", "The file is empty.", XML),
    ("blank", "\n \n", "The file has white space only.", XML),
    ("space-first", " " + urlset(GOOD), "A space before the declaration.", GOOGLE),
    ("line-first", "\n" + urlset(GOOD), "A blank line before the declaration.", GOOGLE),
    ("two-declarations", DECLARATION + urlset(GOOD), "Two declarations.", XML),
    (
        "url-open",
        f"{ROOT}<url><loc>{HOST}/a/</loc></urlset>",
        "url is not closed.",
        XML,
    ),
    ("cut-off", urlset(GOOD)[:-30], "The file ends in the middle.", XML),
    (
        "closing-case",
        f"{ROOT}<url><loc>{HOST}/a/</loc></Url></urlset>",
        "The closing tag has another case.",
        XML,
    ),
    ("ampersand", urlset(entry("/a/?b=1&c=2")), "& is not escaped.", PROTOCOL),
    ("less-than", urlset(entry("/a/?b<c")), "< is not escaped.", PROTOCOL),
    ("entity", urlset(entry("/caf&eacute;/")), "XML has no &eacute;.", XML),
    ("no-quotes", f"<urlset xmlns={NAMESPACE}>{ONE}</urlset>", "No quotes.", XML),
    (
        "attribute-twice",
        f'<urlset xmlns="{NAMESPACE}" xmlns="{NAMESPACE}">{ONE}</urlset>',
        "An attribute stands twice.",
        XML,
    ),
    (
        "latin-1",
        urlset(entry("/a/", more="<!-- Übersicht -->")).encode("latin-1"),
        "Latin-1 bytes in a file that says UTF-8.",
        PROTOCOL,
    ),
    (
        "says-utf-16",
        urlset(GOOD).replace("UTF-8", "UTF-16").encode(),
        "It says UTF-16 and is UTF-8.",
        XML,
    ),
    (
        "utf-16",
        urlset(GOOD).replace("UTF-8", "UTF-16").encode("utf-16"),
        "UTF-16, which XML allows and the protocol does not.",
        PROTOCOL + ": UTF-8",
    ),
    ("charset", urlset(GOOD).replace("UTF-8", "utf-9"), "No such encoding.", XML),
    ("control", urlset(entry("/a\x01/")), "A control character.", XML),
    ("nul-reference", urlset(entry("/a&#0;/")), "A reference to NUL.", XML),
    ("text-after", urlset(GOOD) + "done", "Text after the root.", XML),
    ("two-roots", urlset(GOOD) + f"{ROOT}{ONE}</urlset>", "Two roots.", XML),
    ("html", page(), "An HTML page instead of a sitemap.", GOOGLE),
    ("json", f'{{"urls": ["{HOST}/a/"]}}', "JSON instead of a sitemap.", GOOGLE),
    (
        "php-warning",
        "Warning: Undefined variable $x in /srv/map.php\n" + urlset(GOOD),
        "A program's message before the XML.",
        XML,
    ),
    (
        "conflict",
        urlset(GOOD + "<<<<<<< HEAD\n" + entry("/a/") + "=======\n>>>>>>> b\n"),
        "Markers of a merge conflict.",
        XML,
    ),
    ("comment-open", urlset(GOOD + "<!-- old"), "A comment is not closed.", XML),
    ("comment-hyphens", urlset(GOOD + "<!-- a -- b -->"), "-- in a comment.", XML),
    ("cdata-open", urlset("<url><loc><![CDATA[" + HOST), "CDATA is not closed.", XML),
    ("no-namespace", f"<urlset>{ONE}</urlset>", "The root has no namespace.", PROTOCOL),
    (
        "namespace-google",
        f'<urlset xmlns="http://www.google.com/schemas/sitemap/0.84">{ONE}</urlset>',
        "The namespace of 2005.",
        GOOGLE,
    ),
    (
        "namespace-https",
        urlset(GOOD).replace(NAMESPACE, NAMESPACE.replace("http:", "https:")),
        "The namespace with https.",
        GOOGLE,
    ),
    (
        "namespace-slash",
        urlset(GOOD).replace(NAMESPACE, NAMESPACE + "/"),
        "The namespace with a slash at its end.",
        GOOGLE,
    ),
    (
        "namespace-misspelt",
        urlset(GOOD).replace(NAMESPACE, NAMESPACE.replace("schemas", "schema")),
        "The namespace misspelt.",
        GOOGLE,
    ),
    ("root-case", urlset(GOOD).replace("urlset", "urlSet"), "<urlSet>.", XSD),
    ("root-other", urlset(GOOD).replace("urlset", "sitemap"), "<sitemap>.", XSD),
    (
        "index-of-pages",
        urlset(GOOD).replace("urlset", "sitemapindex"),
        "An index with <url>.",
        XSD,
    ),
    (
        "pages-of-index",
        index("/a.xml").replace("sitemapindex", "urlset"),
        "A urlset with <sitemap>.",
        XSD,
    ),
    ("no-entries", urlset(""), "No <url>.", XSD),
    ("no-parts", index(), "No <sitemap>.", XSD),
    ("prefix-undeclared", f"{ROOT}{ONE}<x:y/></urlset>", "Undeclared prefix.", XML),
    (
        "entries-elsewhere",
        urlset(GOOD.replace("<url>", '<url xmlns="urn:x">')),
        "The entries are in another namespace.",
        XSD,
    ),
    (
        "rdf",
        (
            '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
            f' xmlns="http://purl.org/rss/1.0/"><item><link>{HOST}/a/</link></item>'
            "</rdf:RDF>"
        ),
        "RSS 1.0, which is no format of a sitemap.",
        "Google, build a sitemap: RSS 2.0 and Atom",
    ),
    (
        "feed-relative",
        (
            '<rss version="2.0"><channel><title>a</title><link>/</link>'
            "<description>a</description><item><title>a</title>"
            "<link>/a/</link></item></channel></rss>"
        ),
        "A feed whose links are relative.",
        "RSS 2.0: link",
    ),
]

INSIDE: list[tuple[str, str, str, str, str]] = [
    ("no-loc", "<url><lastmod>2024-01-01</lastmod></url>", "", "No loc.", XSD),
    ("loc-empty", "<url><loc></loc></url>", "", "An empty loc.", XSD),
    ("loc-blank", "<url><loc> \n </loc></url>", "", "A blank loc.", XSD),
    (
        "two-locs",
        f"<url><loc>{HOST}/a/</loc><loc>{HOST}/b/</loc></url>",
        "/a/",
        "Two locs.",
        XSD,
    ),
    ("loc-outside", f"<loc>{HOST}/a/</loc>", "", "A loc outside of <url>.", XSD),
    ("bare-text", f"{HOST}/a/\n", "", "Text between the entries.", XSD),
    (
        "unknown-element",
        entry("/a/", more="<title>A</title>"),
        "/a/",
        "An element that the schema does not have.",
        XSD,
    ),
    (
        "lastMod",
        entry("/a/", more="<lastMod>2024-01-01</lastMod>"),
        "/a/",
        "lastmod in another case.",
        XSD,
    ),
    (
        "last-mod",
        entry("/a/", more="<last-mod>2024-01-01</last-mod>"),
        "/a/",
        "lastmod misspelt.",
        XSD,
    ),
    (
        "order-lastmod",
        f"<url><lastmod>2024-01-01</lastmod><loc>{HOST}/a/</loc></url>",
        "/a/",
        "lastmod before loc.",
        XSD,
    ),
    (
        "order-priority",
        entry("/a/", more="<priority>0.5</priority><changefreq>daily</changefreq>"),
        "/a/",
        "priority before changefreq.",
        XSD,
    ),
    (
        "order-extension",
        entry("/a/", more=link("en", "/a/") + "<priority>0.5</priority>"),
        "/a/",
        "An extension before priority.",
        XSD,
    ),
    (
        "two-lastmods",
        entry("/a/", "2024-01-01", "<lastmod>2024-01-02</lastmod>"),
        "/a/",
        "Two lastmods.",
        XSD,
    ),
    (
        "two-priorities",
        entry("/a/", more="<priority>0.5</priority><priority>0.6</priority>"),
        "/a/",
        "Two priorities.",
        XSD,
    ),
    ("url-in-url", f"<url><loc>{HOST}/a/</loc>{ONE}</url>", "/a/", "url in url.", XSD),
    (
        "tag-in-loc",
        f"<url><loc><a>{HOST}/a/</a></loc></url>",
        "",
        "An element in loc.",
        XSD,
    ),
    (
        "priority-high",
        entry("/a/", more="<priority>1.5</priority>"),
        "1.5",
        "priority above 1.",
        XSD,
    ),
    (
        "priority-negative",
        entry("/a/", more="<priority>-0.1</priority>"),
        "-0.1",
        "priority below 0.",
        XSD,
    ),
    (
        "priority-word",
        entry("/a/", more="<priority>high</priority>"),
        "high",
        "priority is a word.",
        XSD,
    ),
    (
        "priority-comma",
        entry("/a/", more="<priority>0,8</priority>"),
        "0,8",
        "priority with a comma.",
        XSD,
    ),
    (
        "priority-empty",
        entry("/a/", more="<priority/>"),
        "/a/",
        "priority is empty.",
        XSD,
    ),
    (
        "changefreq-case",
        entry("/a/", more="<changefreq>Daily</changefreq>"),
        "Daily",
        "changefreq with a capital.",
        XSD,
    ),
    (
        "changefreq-other",
        entry("/a/", more="<changefreq>biweekly</changefreq>"),
        "biweekly",
        "changefreq that does not exist.",
        XSD,
    ),
    (
        "changefreq-number",
        entry("/a/", more="<changefreq>30</changefreq>"),
        "30",
        "changefreq is a number.",
        XSD,
    ),
    ("duplicate", entry("/a/") * 2, "/a/", "The same URL twice.", PROTOCOL),
    (
        "duplicate-escape",
        entry("/~a/") + entry("/%7Ea/"),
        "a/",
        "The same URL twice, once with an escape that says nothing.",
        URI + ", 6.2.2",
    ),
    (
        "duplicate-host",
        entry("/a/") + entry("https://EXAMPLE.com/a/"),
        "/a/",
        "The same URL twice, once with capitals in the host.",
        URI + ", 6.2.2",
    ),
    (
        "duplicate-port",
        entry("/a/") + entry("https://example.com:443/a/"),
        "/a/",
        "The same URL twice, once with the default port.",
        URI + ", 6.2.3",
    ),
    (
        "same-second",
        "".join(entry(f"/{n}/", "2024-05-05T05:05:05+00:00") for n in range(60)),
        "",
        "Sixty pages changed in the same second: the time of the build.",
        "Bing, July 2025: lastmod",
    ),
    (
        "link-no-language",
        entry("/a/", more=f'<xhtml:link rel="alternate" href="{HOST}/b/"/>'),
        "/a/",
        "A link without hreflang.",
        HREFLANG,
    ),
    (
        "link-no-href",
        entry("/a/", more='<xhtml:link rel="alternate" hreflang="de"/>'),
        "/a/",
        "A link without href.",
        HREFLANG,
    ),
    (
        "link-no-rel",
        entry("/a/", more=f'<xhtml:link hreflang="en" href="{HOST}/a/"/>'),
        "/a/",
        "A link without rel.",
        HREFLANG,
    ),
    (
        "link-outside",
        link("en", "/a/") + "\n",
        "",
        "A link of hreflang outside of <url>.",
        HREFLANG,
    ),
    (
        "no-return",
        entry("/a/", more=link("en", "/a/") + link("de", "/b/")) + entry("/b/"),
        "/b/",
        "A version that does not link back.",
        HREFLANG,
    ),
    (
        "no-self",
        entry("/a/", more=link("de", "/b/"))
        + entry("/b/", more=link("de", "/b/") + link("en", "/a/")),
        "/a/",
        "A page that does not list itself.",
        HREFLANG,
    ),
    (
        "language-twice",
        entry("/a/", more=link("en", "/a/") + link("de", "/b/") + link("de", "/c/"))
        + entry("/b/", more=link("en", "/a/") + link("de", "/b/"))
        + entry("/c/", more=link("en", "/a/") + link("de", "/c/")),
        "/a/",
        "Two pages for one language.",
        HREFLANG,
    ),
    (
        "sets-differ",
        entry("/a/", more=link("en", "/a/") + link("de", "/b/"))
        + entry("/b/", more=link("en", "/a/") + link("de", "/b/") + link("fr", "/c/"))
        + entry("/c/", more=link("fr", "/c/") + link("de", "/b/")),
        "",
        "Versions that list different sets.",
        HREFLANG,
    ),
    (
        "image-no-loc",
        entry("/a/", more="<image:image></image:image>"),
        "/a/",
        "An image without loc.",
        "Google, image sitemaps",
    ),
    (
        "image-relative",
        entry("/a/", more="<image:image><image:loc>/i.png</image:loc></image:image>"),
        "/i.png",
        "The image's address is relative.",
        "Google, image sitemaps",
    ),
    (
        "image-loc-alone",
        entry("/a/", more=f"<image:loc>{HOST}/i.png</image:loc>"),
        "/a/",
        "image:loc outside of image:image.",
        "Google, image sitemaps",
    ),
    (
        "images-1001",
        entry(
            "/a/",
            more="".join(
                f"<image:image><image:loc>{HOST}/{n}.png</image:loc></image:image>"
                for n in range(1001)
            ),
        ),
        "/a/",
        "1,001 images on a page.",
        "Google, image sitemaps",
    ),
]

VIDEO = {
    "thumbnail_loc": f"{HOST}/t.jpg",
    "title": "Bread",
    "description": "How bread is made",
    "content_loc": f"{HOST}/v.mp4",
}
VIDEOS: list[tuple[str, dict[str, str], str]] = [
    ("thumbnail", {"thumbnail_loc": ""}, "A video without thumbnail."),
    ("title", {"title": ""}, "A video without title."),
    ("description", {"description": ""}, "A video without description."),
    ("location", {"content_loc": ""}, "A video without content or player."),
    ("duration", {"duration": "0"}, "A video of no seconds."),
    ("duration-long", {"duration": "28801"}, "A video longer than eight hours."),
    ("rating", {"rating": "6.0"}, "A rating above 5."),
    ("same", {"content_loc": f"{HOST}/a/"}, "The video's file is its page."),
    ("expired", {"expiration_date": "2019-01-01"}, "The video expired in 2019."),
    ("family", {"family_friendly": "maybe"}, "family_friendly is yes or no."),
]

NEWS = (
    "<news:news><news:publication><news:name>Times</news:name>"
    "<news:language>en</news:language></news:publication>"
    "<news:publication_date>2026-11-25</news:publication_date>"
    "<news:title>Bread</news:title></news:news>"
)
NEWS_FAULTS: list[tuple[str, str, str, str]] = [
    ("name", "<news:name>Times</news:name>", "", "No name of the publication."),
    ("title", "<news:title>Bread</news:title>", "", "News without title."),
    ("date", "2026-11-25", "25.11.2026", "The date is no W3C date."),
    ("language", ">en<", ">english<", "The language is no ISO 639 code."),
]

LOCS: list[tuple[str, str, str, str]] = [
    ("path", "a.html", "A relative URL.", PROTOCOL),
    ("dot", "./a/", "A relative URL.", PROTOCOL),
    ("no-scheme", "www.example.com/a/", "No scheme.", GOOGLE),
    ("slashes", "//example.com/a/", "No scheme before the slashes.", PROTOCOL),
    ("ftp", "ftp://example.com/a/", "ftp.", PROTOCOL),
    ("mailto", "mailto:a@example.com", "An address of mail.", PROTOCOL),
    ("javascript", "javascript:void(0)", "A script.", PROTOCOL),
    ("file", "file:///srv/www/a.html", "A path of the disk.", PROTOCOL),
    ("host", "https://example.org/a/", "Another host.", GOOGLE),
    ("http", "http://example.com/a/", "http among https.", GOOGLE),
    ("www", "https://www.example.com/a/", "www among URLs without.", GOOGLE),
    ("subdomain", "https://blog.example.com/a/", "Another subdomain.", GOOGLE),
    ("port", "https://example.com:8443/a/", "Another port.", PROTOCOL),
    ("space", "/a b/", "A space.", URI),
    ("umlaut", "/ä/", "Not percent-encoded.", PROTOCOL),
    ("fragment", "/a/#top", "A fragment.", PROTOCOL + ": one version"),
    ("password", "https://me:secret@example.com/a/", "A password.", URI + ", 3.2.1"),
    ("long", "/" + "a" * 2048, "More than 2,048 characters.", PROTOCOL),
    ("twice-escaped", "/a/?b=1&amp;amp;c=2", "& is escaped twice.", PROTOCOL),
    ("backslash", "https://example.com\\a\\", "Backslashes.", URI),
    ("line-break", "/a\nb/", "A line break in the middle.", URI),
    ("percent-zz", "/%zz/", "% without two hexadecimal digits.", URI),
    ("percent-end", "/100%", "% at the end.", URI),
    ("braces", "/{id}/", "Braces.", URI),
    ("pipe", "/a|b/", "A pipe.", URI),
    ("quote", "/&quot;a&quot;/", "Quotes.", URI),
    ("caret", "/a^b/", "A caret.", URI),
    ("template", "{{ page.url }}", "A template that was not filled.", PROTOCOL),
    ("scheme-twice", "https://https://example.com/a/", "Two schemes.", URI),
    ("one-slash", "https:/example.com/a/", "One slash after the scheme.", URI),
    ("no-colon", "https//example.com/a/", "No colon after the scheme.", URI),
    ("no-host", "https:///a/", "No host.", URI),
    ("port-high", "https://example.com:99999/a/", "No such port.", URI),
    ("port-word", "https://example.com:a/a/", "The port is a word.", URI),
    ("host-space", "https://exam ple.com/a/", "A space in the host.", URI),
    ("session", "/a;jsessionid=1A530637289A03B07199A44E8D531427", "A session.", "FAQ"),
    ("phpsessid", "/a?PHPSESSID=0123456789abcdef0123456789abcdef", "A session.", "FAQ"),
    ("dots", "/a/../b/", "Dot segments.", URI + ", 6.2.2.3"),
    ("tag", "&lt;a href='/a/'&gt;a&lt;/a&gt;", "A tag of HTML.", PROTOCOL),
    ("zero-width", "/a/\u200b", "A zero-width space.", PROTOCOL),
    ("localhost", "http://localhost:8000/a/", "The author's computer.", GOOGLE),
    ("private", "http://192.168.0.5/a/", "A private address.", GOOGLE),
]

DATES: list[tuple[str, str, str]] = [
    ("word", "yesterday", "A word."),
    ("dotted", "05.01.2024", "Day, month, year with dots."),
    ("slashes", "01/05/2024", "Month, day, year with slashes."),
    ("month-13", "2024-13-01", "No such month."),
    ("february-30", "2024-02-30", "No such day."),
    ("short", "2024-1-5", "No leading zeros."),
    ("space", "2024-01-05 10:20:30+00:00", "A space instead of T."),
    ("no-zone", "2024-01-05T10:20:30", "A time without zone."),
    ("hour-25", "2024-01-05T25:00:00Z", "No such hour."),
    ("minute-61", "2024-01-05T10:61:00Z", "No such minute."),
    ("zone-colon", "2024-01-05T10:20:30+0100", "A zone without colon."),
    ("hour-only", "2024-01-05T10Z", "An hour without minutes."),
    ("mail", "Fri, 05 Jan 2024 10:20:30 GMT", "A date of mail."),
    ("seconds", "1704450030", "Seconds since 1970."),
    ("future", "2099-01-01", "In the future."),
    ("zeros", "0000-00-00", "Zeros."),
    ("two-digits", "24-01-05", "A year of two digits."),
    ("week", "2024-W01", "A week."),
    ("dash", "2024\N{EN DASH}01\N{EN DASH}05", "Dashes instead of hyphens."),
    ("zone-25", "2024-01-05T10:20:30+25:00", "No such zone."),
    ("template", "{{ page.date }}", "A template that was not filled."),
    ("lower-t", "2024-01-05t10:20:30z", "T and Z in small letters."),
]

LANGUAGES: list[tuple[str, str, str]] = [
    ("underscore", "en_US", "An underscore."),
    ("uk", "en-UK", "UK is no country of ISO 3166."),
    ("word", "english", "A word."),
    ("unknown", "xx", "No language of ISO 639."),
    ("region-only", "gb", "A country without language."),
    ("x-default", "x_default", "x-default misspelt."),
    ("empty", "", "Nothing."),
]

PARTS: list[tuple[str, str, str, str, str]] = [
    ("relative", "s1.xml", "s1.xml", "A relative URL.", GOOGLE),
    ("host", "https://example.org/s1.xml", "example.org", "Another host.", GOOGLE),
    ("fragment", "/s1.xml#x", "#x", "A fragment.", URI),
    ("space", "/s 1.xml", "s 1.xml", "A space.", URI),
    ("umlaut", "/sü.xml", "sü.xml", "Not percent-encoded.", PROTOCOL),
    ("password", "https://a:b@example.com/s.xml", "a:b@", "A password.", URI),
    ("ftp", "ftp://example.com/s1.xml", "ftp:", "ftp.", PROTOCOL),
    ("no-loc", "<sitemap></sitemap>", "", "No loc.", XSD),
    ("itself", "/sitemap.xml", "/sitemap.xml", "The index lists itself.", GOOGLE),
    (
        "date",
        f"<sitemap><loc>{HOST}/s.xml</loc><lastmod>5.1.24</lastmod></sitemap>",
        "5.1.24",
        "No W3C date.",
        XSD,
    ),
    (
        "future",
        f"<sitemap><loc>{HOST}/s.xml</loc><lastmod>2099-01-01</lastmod></sitemap>",
        "2099-01-01",
        "In the future.",
        "Bing, July 2025: lastmod",
    ),
    (
        "priority",
        f"<sitemap><loc>{HOST}/s.xml</loc><priority>1</priority></sitemap>",
        "s.xml",
        "A priority in an index.",
        XSD,
    ),
]

TEXTS: list[tuple[str, str | bytes, str, str, str]] = [
    (
        "relative",
        f"{HOST}/\n/a/\n",
        "/a/",
        "A relative URL.",
        "one absolute URL a line",
    ),
    ("utf-16", f"{HOST}/\n".encode("utf-16"), "", "Not UTF-8.", "UTF-8"),
    ("heading", f"My pages:\n{HOST}/\n", "My pages", "A heading.", "nothing but URLs"),
    ("comma", f"{HOST}/,2024-01-01\n", ",2024", "URL and date.", "nothing but URLs"),
    ("two", f"{HOST}/ {HOST}/a/\n", "/a/", "Two URLs in a line.", "one URL a line"),
    ("space", f"{HOST}/a b/\n", "a b", "A space.", URI),
    ("latin-1", f"{HOST}/ä/\n".encode("latin-1"), "", "Not UTF-8.", "UTF-8"),
    (
        "host",
        f"{HOST}/\nhttps://example.org/\n",
        "example.org",
        "Another host.",
        GOOGLE,
    ),
    ("twice", f"{HOST}/\n{HOST}/\n", f"{HOST}/", "A URL twice.", PROTOCOL),
    ("empty", "\n\n", "", "No URL.", GOOGLE + ": empty sitemap"),
    ("fragment", f"{HOST}/#a\n", "#a", "A fragment.", PROTOCOL),
]

MAP = f"Sitemap: {HOST}/sitemap.xml\n"
RULES: list[tuple[str, str | bytes, str, str, str]] = [
    (
        "sitemap-relative",
        "User-agent: *\nDisallow:\nSitemap: /sitemap.xml\n",
        "Sitemap: /sitemap.xml",
        "The sitemap's address is relative.",
        "Google, robots.txt: fully-qualified URL",
    ),
    (
        "sitemap-no-colon",
        f"User-agent: *\nDisallow:\nSitemap {HOST}/sitemap.xml\n",
        "Sitemap ",
        "No colon after Sitemap.",
        ROBOTS + ", 2.2",
    ),
    (
        "sitemap-missing",
        f"User-agent: *\nDisallow:\n{MAP}Sitemap: {HOST}/gone.xml\n",
        "gone.xml",
        "A sitemap that does not exist.",
        GOOGLE + ": HTTP error 404",
    ),
    (
        "sitemap-two",
        f"Sitemap: {HOST}/sitemap.xml, {HOST}/b.xml\n",
        "b.xml",
        "Two sitemaps in one line.",
        PROTOCOL,
    ),
    (
        "sitemap-http",
        "Sitemap: http://example.com/sitemap.xml\n",
        "http://example.com/sitemap.xml",
        "http, on a site of https.",
        PROTOCOL,
    ),
    (
        "sitemap-page",
        f"{MAP}Sitemap: {HOST}/good/\n",
        f"{HOST}/good/",
        "A page instead of a sitemap.",
        GOOGLE + ": sitemap is HTML",
    ),
    (
        "utf-16",
        f"User-agent: *\nDisallow:\n{MAP}".encode("utf-16"),
        "robots.txt",
        "Not UTF-8.",
        ROBOTS + ", 2.3",
    ),
    ("html", page(), "robots.txt", "An HTML page.", ROBOTS + ", 2.3"),
    (
        "too-long",
        "User-agent: *\n" + "Disallow: /x/aaaaaaaaaa\n" * 25_000 + MAP,
        "robots.txt",
        "Longer than 500 KiB.",
        "Google, robots.txt: file size",
    ),
    (
        "no-agent",
        f"Disallow: /x/\n{MAP}",
        "Disallow: /x/",
        "A rule before any User-agent.",
        ROBOTS + ", 2.2.1",
    ),
    (
        "no-colon",
        f"User-agent: *\nDisallow /x/\n{MAP}",
        "Disallow /x/",
        "No colon after Disallow.",
        ROBOTS + ", 2.2",
    ),
    (
        "no-slash",
        f"User-agent: *\nDisallow: private\n{MAP}",
        "Disallow: private",
        "A path without its slash.",
        ROBOTS + ", 2.2.2",
    ),
    (
        "whole-url",
        f"User-agent: *\nDisallow: {HOST}/x/\n{MAP}",
        f"Disallow: {HOST}/x/",
        "A URL instead of a path.",
        ROBOTS + ", 2.2.2",
    ),
    (
        "page",
        f"User-agent: *\nDisallow: /good/\n{MAP}",
        "/good/",
        "A listed page is disallowed.",
        GOOGLE + ": blocked by robots.txt",
    ),
    (
        "sitemap-disallowed",
        f"User-agent: *\nDisallow: /*.xml$\n{MAP}",
        "sitemap.xml",
        "The sitemap is disallowed.",
        GOOGLE + ": blocked by robots.txt",
    ),
    (
        "everything",
        f"User-agent: *\nDisallow: /\n{MAP}",
        "Disallow: /",
        "Everything is disallowed.",
        GOOGLE + ": blocked by robots.txt",
    ),
    (
        "noindex",
        f"User-agent: *\nNoindex: /good/\n{MAP}",
        "Noindex: /good/",
        "A rule that no engine obeys.",
        "Google, 2019: unsupported rules",
    ),
    (
        "misspelt",
        f"User-agent: *\nDisalow: /x/\n{MAP}",
        "Disalow: /x/",
        "Disallow misspelt.",
        ROBOTS + ", 2.2",
    ),
]


def _zip(name: str, content: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(name, content)
    return stream.getvalue()


def _video(changes: dict[str, str]) -> str:
    fields = {name: value for name, value in (VIDEO | changes).items() if value}
    tags = [f"<video:{name}>{value}</video:{name}>" for name, value in fields.items()]
    return f"<video:video>{''.join(tags)}</video:video>"


def _packed() -> Iterator[Case]:
    whole = gzip.compress(urlset(GOOD).encode(), mtime=0)
    broken = whole[:-8] + b"\0\0\0\0" + whole[-4:]
    contents: list[tuple[str, str | bytes, str]] = [
        ("plain", urlset(GOOD), "It is not packed."),
        ("cut-off", whole[:-20], "The packed file ends in the middle."),
        ("checksum", broken, "The checksum is wrong."),
        ("zip", _zip("sitemap.xml", urlset(GOOD)), "A zip file."),
    ]
    for name, content, fault in contents:
        files: dict[str, str | bytes] = {"sitemap.xml.gz": content}
        rule = GOOGLE + ": compression error"
        yield Case(f"gz-{name}", fault, rule, {**files}, "", "sitemap.xml.gz")


def _large() -> Iterator[Case]:
    many = "".join(entry(f"/{number}/") for number in range(50_001))
    lines = "".join(f"{HOST}/{number}\n" for number in range(50_001))
    parts = [f"/{number}.xml" for number in range(50_001)]
    padded = urlset(GOOD + f"<!--{' ' * 52_428_800}-->")
    limit = PROTOCOL + ": limits"
    name = "sitemap.xml"
    yield Case("50001-urls", "50,001 URLs.", limit, {name: urlset(many)})
    yield Case("50001-parts", "50,001 sitemaps.", limit, {name: index(*parts)})
    yield Case("50mb", "More than 50 MB.", limit, {name: padded})
    yield Case(
        "50mb-packed",
        "More than 50 MB once unpacked.",
        limit,
        {"sitemap.xml.gz": gzip.compress(padded.encode(), 1)},
        "",
        "sitemap.xml.gz",
    )
    files: dict[str, str | bytes] = {"sitemap.txt": lines}
    yield Case("50001-lines", "50,001 lines.", limit, {**files}, "", "sitemap.txt")


def faulty() -> Iterator[Case]:
    """Yield every file with a fault."""
    yield from _sitemaps()
    yield from _others()
    yield from _prefixes()
    yield from _packed()
    yield from _large()


def _sitemaps() -> Iterator[Case]:
    for name, content, fault, rule in DOCUMENTS:
        yield Case(name, fault, rule, {"sitemap.xml": content})
    for name, body, at, fault, rule in INSIDE:
        yield Case(name, fault, rule, {"sitemap.xml": urlset(GOOD + body)}, at)
    for name, loc, fault, rule in LOCS:
        files: dict[str, str | bytes] = {"sitemap.xml": urlset(GOOD + entry(loc))}
        yield Case(f"loc-{name}", fault, rule, {**files}, loc)
    for name, date, fault in DATES:
        content = urlset(GOOD + entry("/a/", date))
        yield Case(f"date-{name}", fault, W3C, {"sitemap.xml": content}, date)
    for name, changes, fault in VIDEOS:
        content = urlset(GOOD + entry("/a/", more=_video(changes)))
        rule = "Google, video sitemaps"
        yield Case(f"video-{name}", fault, rule, {"sitemap.xml": content}, "/a/")
    for name, good, bad, fault in NEWS_FAULTS:
        content = urlset(GOOD + entry("/a/", more=NEWS.replace(good, bad)))
        rule = "Google, news sitemaps"
        yield Case(f"news-{name}", fault, rule, {"sitemap.xml": content}, "/a/")


def _others() -> Iterator[Case]:
    for name, code, fault in LANGUAGES:
        links = link("en", "/a/") + link(code, "/b/")
        body = entry("/a/", more=links) + entry("/b/", more=links)
        content = urlset(GOOD + body)
        yield Case(f"language-{name}", fault, HREFLANG, {"sitemap.xml": content}, code)
    for name, loc, at, fault, rule in PARTS:
        content = index("/s0.xml", loc)
        yield Case(f"part-{name}", fault, rule, {"sitemap.xml": content}, at)
    for name, text, at, fault, rule in TEXTS:
        lines: dict[str, str | bytes] = {"sitemap.txt": text}
        yield Case(f"text-{name}", fault, rule, {**lines}, at, "sitemap.txt")
    for name, text, at, fault, rule in RULES:
        site: dict[str, str | bytes] = {"robots.txt": text, "index.html": page()}
        site |= {"good/index.html": page(), "sitemap.xml": urlset(GOOD)}
        yield Case(f"robots-{name}", fault, rule, {**site}, at, ".")


def _prefixes() -> Iterator[Case]:
    foreign = urlset(GOOD).replace("1999/xhtml", "1999/xlink")
    linked = foreign.replace("</loc>", "</loc>" + link("en", "/"), 1)
    fault = "The prefix of hreflang has another namespace."
    yield Case("prefix-xhtml", fault, HREFLANG, {"sitemap.xml": linked})
    fault = "The prefix of images has another namespace."
    picture = f"<image:image><image:loc>{HOST}/i.png</image:loc></image:image>"
    old = urlset(GOOD + entry("/a/", more=picture)).replace("image/1.1", "image/2.0")
    yield Case("prefix-image", fault, GOOGLE, {"sitemap.xml": old})
