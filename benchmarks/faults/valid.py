"""Odd files and folders that no standard and no engine calls wrong."""

from __future__ import annotations

import gzip
from collections.abc import Iterator

from .cases import (
    DECLARATION,
    EXTENSIONS,
    GOOD,
    HOST,
    NAMESPACE,
    Answer,
    Case,
    alternate,
    canonical,
    entry,
    index,
    link,
    page,
    urlset,
)
from .files import NEWS, ONE, ROOT

Files = dict[str, str | bytes | Answer]

LONGEST = "/" + "a" * (2047 - len(HOST) - 1)
PLAIN = urlset(GOOD)


def _prefixed(text: str) -> str:
    """Return a sitemap with a prefix for the protocol's namespace."""
    text = text.replace("xmlns=", "xmlns:s=", 1)
    for tag in ("urlset", "url", "loc", "lastmod"):
        text = text.replace(f"<{tag}>", f"<s:{tag}>")
        text = text.replace(f"<{tag} ", f"<s:{tag} ")
        text = text.replace(f"</{tag}>", f"</s:{tag}>")
    return text


DOCUMENTS: list[tuple[str, str | bytes]] = [
    ("plain", PLAIN),
    ("bom", b"\xef\xbb\xbf" + PLAIN.encode()),
    ("no-declaration", PLAIN.removeprefix(DECLARATION)),
    ("utf-8-small", PLAIN.replace("UTF-8", "utf-8")),
    ("ascii", PLAIN.replace("UTF-8", "US-ASCII")),
    ("single-quotes", PLAIN.replace('"', "'")),
    ("crlf", PLAIN.replace("\n", "\r\n")),
    ("cr", PLAIN.replace("\n", "\r")),
    ("one-line", PLAIN.replace("\n", "")),
    ("tabs", PLAIN.replace("<url>", "\t\t<url>")),
    ("standalone", PLAIN.replace("?>", ' standalone="yes"?>', 1)),
    ("declaration-spaces", PLAIN.replace('"1.0"', '"1.0"  ')),
    ("prefix", _prefixed(PLAIN)),
    ("comment", urlset(f"<!-- {ONE} -->\n{GOOD}<!-- end -->")),
    ("instruction", PLAIN.replace("<urlset", '<?xml-stylesheet href="a.css"?><urlset')),
    ("doctype", PLAIN.replace("<urlset", "<!DOCTYPE urlset><urlset")),
    ("cdata", urlset(f"<url><loc><![CDATA[{HOST}/a/?b=1&c=2]]></loc></url>")),
    ("cdata-date", urlset(entry("/", "<![CDATA[2024-01-05]]>"))),
    ("decimal-reference", urlset(entry("/a/?b=1&#38;c=2"))),
    ("hex-reference", urlset(entry("/a/?b=1&#x26;c=2"))),
    ("apostrophe", urlset(entry("/it&apos;s/"))),
    ("spaces-round-loc", urlset(f"<url>\n<loc>\n  {HOST}/a/\n</loc>\n</url>")),
    ("spaces-round-date", urlset(entry("/", " 2024-01-05 "))),
    ("attribute-space", PLAIN.replace("<urlset ", "<urlset\n   ")),
    ("closing-space", PLAIN.replace("</url>", "</url >")),
    (
        "schema-location",
        urlset(
            GOOD,
            ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
            f' xsi:schemaLocation="{NAMESPACE} {NAMESPACE}/sitemap.xsd"',
        ),
    ),
    ("lang", PLAIN.replace("<urlset ", '<urlset xml:lang="en" ')),
    ("space-preserve", PLAIN.replace("<urlset ", '<urlset xml:space="preserve" ')),
    (
        "other-prefix-xhtml",
        urlset(
            entry("/", more=link("en", "/")).replace("xhtml:", "h:"),
            ' xmlns:h="http://www.w3.org/1999/xhtml"',
        ),
    ),
    (
        "namespace-on-link",
        urlset(
            entry("/", more=link("en", "/").replace("xhtml:link", "link")).replace(
                "<link ", '<link xmlns="http://www.w3.org/1999/xhtml" '
            ),
            "",
        ),
    ),
    (
        "own-extension",
        urlset(entry("/", more="<my:team>web</my:team>"), ' xmlns:my="urn:my"'),
    ),
    (
        "extension-in-root",
        urlset("<my:made>by hand</my:made>" + GOOD, ' xmlns:my="urn:my"'),
    ),
    ("unused-namespaces", urlset(GOOD, EXTENSIONS + ' xmlns:x="urn:x"')),
    (
        "mobile",
        urlset(
            entry("/", more="<m:mobile/>"),
            ' xmlns:m="http://www.google.com/schemas/sitemap-mobile/1.0"',
        ),
    ),
    (
        "image-title",
        urlset(
            entry(
                "/",
                more=f"<image:image><image:loc>{HOST}/i.png</image:loc>"
                "<image:title>Bread &amp; wine</image:title></image:image>",
            )
        ),
    ),
    (
        "image-elsewhere",
        urlset(
            entry(
                "/",
                more="<image:image><image:loc>https://cdn.example.net/i.png"
                "</image:loc></image:image>",
            )
        ),
    ),
    (
        "video",
        urlset(
            entry(
                "/",
                more="<video:video><video:thumbnail_loc>https://example.com/t.jpg"
                "</video:thumbnail_loc><video:title>Bread</video:title>"
                "<video:description>How</video:description><video:player_loc>"
                "https://example.com/player?v=1</video:player_loc>"
                "<video:duration>28800</video:duration><video:rating>0.0</video:rating>"
                "<video:family_friendly>no</video:family_friendly></video:video>",
            )
        ),
    ),
    ("news", urlset(entry("/", more=NEWS))),
    ("one-url", urlset(entry("/"))),
    (
        "index-dates",
        index(
            f"<sitemap><loc>{HOST}/s.xml</loc><lastmod>2024-01</lastmod></sitemap>",
            "/t.xml.gz",
        ),
    ),
    ("index-php", index("/sitemap.php?page=1", "/sitemap.php?page=2")),
    (
        "index-comment",
        index("<!-- pages --><sitemap><loc>" + HOST + "/s</loc></sitemap>"),
    ),
    ("changefreqs", urlset(entry("/", more="<changefreq>never</changefreq>"))),
    ("priority-1", urlset(entry("/", more="<priority>1</priority>"))),
    ("priority-digits", urlset(entry("/", more="<priority>0.33333</priority>"))),
    ("priority-no-zero", urlset(entry("/", more="<priority>.5</priority>"))),
    ("unsorted", urlset(entry("/z/") + entry("/a/"))),
    ("50000", urlset("".join(entry(f"/{number}/") for number in range(50_000)))),
    (
        "rss",
        (
            f'<rss version="2.0"><channel><title>a</title><link>{HOST}/</link>'
            f"<description>a</description><item><title>a</title><link>{HOST}/a/</link>"
            "<pubDate>Fri, 05 Jan 2024 10:20:30 GMT</pubDate></item></channel></rss>"
        ),
    ),
    (
        "atom",
        (
            '<feed xmlns="http://www.w3.org/2005/Atom"><title>a</title>'
            f"<id>{HOST}/</id><updated>2024-01-05T10:20:30Z</updated>"
            f'<entry><title>a</title><id>urn:a</id><link href="{HOST}/a/"/>'
            "<updated>2024-01-05T10:20:30Z</updated></entry></feed>"
        ),
    ),
]

LOCS = [
    ("query", "/a?b=c"),
    ("query-order", "/a?c=1&amp;b=2"),
    ("query-question", "/a?b=c?d"),
    ("query-slash", "/a?b=/c/"),
    ("colon", "/wiki/Help:Contents"),
    ("at", "/@name/"),
    ("semicolon", "/a;b=c/"),
    ("comma", "/a,b/"),
    ("parentheses", "/a_(b)/"),
    ("tilde", "/~name/"),
    ("star", "/a*b/"),
    ("exclamation", "/a!/"),
    ("dollar", "/a$b/"),
    ("plus", "/c++/"),
    ("equals", "/a=b/"),
    ("dot-file", "/.well-known/a"),
    ("dots-in-name", "/v1.0.0/a...b/"),
    ("extension", "/a.html"),
    ("pdf", "/a.pdf"),
    ("upper-path", "/API/Reference/"),
    ("case-differs", "/Good/"),
    ("slash-differs", "/good2"),
    ("two-slashes", "/a//b/"),
    ("utf-8-escape", "/%C3%BC/"),
    ("small-escape", "/%c3%bc/"),
    ("slash-escape", "/a%2Fb/"),
    ("percent-escape", "/100%25/"),
    ("japanese", "/%E6%97%A5%E6%9C%AC/"),
    ("longest", LONGEST),
    ("hyphens", "/a--b-/"),
    ("number", "/404/"),
    ("hashbang-escape", "/%23!/a"),
]

HOSTS = [
    ("punycode", "https://xn--bcher-kva.example/"),
    ("ipv6", "https://[2606:4700::1]/"),
    ("ipv4", "https://93.184.216.34/"),
    ("port", "https://example.com:8443/"),
    ("http", "http://example.com/"),
    ("no-slash", "https://example.com"),
    ("upper-host", "https://Example.COM/"),
    ("digits", "https://1.example.com/"),
    ("long-tld", "https://example.international/"),
]

DATES = [
    ("year", "2004"),
    ("month", "2004-12"),
    ("day", "2004-12-23"),
    ("minutes", "2004-12-23T18:00+00:00"),
    ("minutes-z", "2004-12-23T18:00Z"),
    ("seconds", "2004-12-23T18:00:15+00:00"),
    ("fraction", "2004-12-23T18:00:15.5Z"),
    ("nanoseconds", "2004-12-23T18:00:15.123456789-03:30"),
    ("leap-day", "2024-02-29"),
    ("zone-14", "2004-12-23T18:00:15+14:00"),
    ("minus-zero", "2004-12-23T18:00:15-00:00"),
    ("midnight", "2024-01-05T00:00:00Z"),
]

LANGUAGES = [
    "en",
    "en-GB",
    "EN-gb",
    "zh-Hant",
    "zh-Hans-CN",
    "sr-Latn-RS",
    "pt-BR",
    "x-default",
    "de-AT",
]

TEXTS = [
    ("plain", f"{HOST}/\n{HOST}/a/\n".encode()),
    ("crlf", f"{HOST}/\r\n{HOST}/a/\r\n".encode()),
    ("bom", b"\xef\xbb\xbf" + f"{HOST}/\n".encode()),
    ("no-newline", f"{HOST}/\n{HOST}/a/".encode()),
    ("query", f"{HOST}/?a=1&b=2\n".encode()),
]

MAP = f"Sitemap: {HOST}/sitemap.xml\n"
ROBOTS: list[tuple[str, str | bytes]] = [
    ("plain", f"User-agent: *\nDisallow:\n{MAP}"),
    ("only-sitemap", MAP),
    ("sitemap-first", f"{MAP}User-agent: *\nDisallow:\n"),
    ("small-letters", MAP.lower()),
    ("capitals", f"SITEMAP: {HOST}/sitemap.xml\n"),
    ("spaces", f"  User-agent :  *  \n Disallow :\nSitemap :  {HOST}/sitemap.xml  \n"),
    ("comments", f"# all\nUser-agent: * # all\nDisallow: # none\n{MAP}"),
    ("crlf", f"User-agent: *\r\nDisallow:\r\n{MAP}"),
    ("cr", f"User-agent: *\rDisallow:\rSitemap: {HOST}/sitemap.xml\r"),
    ("bom", b"\xef\xbb\xbf" + f"User-agent: *\nDisallow:\n{MAP}".encode()),
    ("no-newline", f"User-agent: *\nDisallow:\n{MAP}".rstrip()),
    ("blank-in-group", f"User-agent: *\n\nDisallow: /private/\n{MAP}"),
    ("two-agents", f"User-agent: a\nUser-agent: b\nDisallow: /\n{MAP}"),
    ("merged-groups", f"User-agent: *\nDisallow: /x\nUser-agent: *\nAllow: /\n{MAP}"),
    ("allow-wins", f"User-agent: *\nDisallow: /g\nAllow: /good/\n{MAP}"),
    ("equal-allow", f"User-agent: *\nDisallow: /good/\nAllow: /good/\n{MAP}"),
    ("dollar", f"User-agent: *\nDisallow: /good/$x\nDisallow: /*.pdf$\n{MAP}"),
    ("star", f"User-agent: *\nDisallow: *.zip\nDisallow: /*?print=\n{MAP}"),
    ("escape", f"User-agent: *\nDisallow: /%C3%BC/\nDisallow: /ü2/\n{MAP}"),
    ("crawl-delay", f"User-agent: *\nCrawl-delay: 10\nDisallow:\n{MAP}"),
    ("host", f"User-agent: *\nDisallow:\nHost: example.com\n{MAP}"),
    ("clean-param", f"User-agent: Yandex\nClean-param: ref /x/\n{MAP}"),
    ("content-signal", f"User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n{MAP}"),
    ("other-crawler", f"User-agent: GPTBot\nDisallow: /\n{MAP}"),
    ("long-line", f"# {'a' * 3000}\n{MAP}"),
    ("cross-submit", f"{MAP}Sitemap: https://maps.example.net/sitemap.xml\n"),
    ("same-line-twice", MAP + MAP),
    ("case-of-path", f"User-agent: *\nDisallow: /GOOD/\n{MAP}"),
    ("allow-only", f"User-agent: *\nAllow: /\n{MAP}"),
    ("no-rules", f"User-agent: *\n{MAP}"),
]


def _folder(changes: dict[str, str | bytes], *, body: str = GOOD) -> Files:
    files: Files = {"sitemap.xml": urlset(body), "robots.txt": MAP}
    files |= {"index.html": page(), "good/index.html": page()}
    return files | changes


EN, DE = f"{HOST}/", f"{HOST}/good/"
PAIR = alternate("en", EN) + alternate("de", DE)
FOLDERS: list[tuple[str, Files]] = [
    ("plain", _folder({})),
    ("no-robots", {k: v for k, v in _folder({}).items() if k != "robots.txt"}),
    ("canonical", _folder({"good/index.html": page(canonical(DE))})),
    ("canonical-path", _folder({"good/index.html": page(canonical("/good/"))})),
    ("canonical-dot", _folder({"good/index.html": page(canonical("."))})),
    (
        "canonical-twice",
        _folder({"good/index.html": page(canonical(DE) + canonical(DE))}),
    ),
    (
        "canonical-host-case",
        _folder({"good/index.html": page(canonical("https://EXAMPLE.com/good/"))}),
    ),
    (
        "canonical-commented",
        _folder({"good/index.html": page(f"<!-- {canonical(EN)} -->")}),
    ),
    (
        "canonical-in-pre",
        _folder(
            {
                "good/index.html": page(
                    "", "<pre>&lt;link rel=canonical href=/x/&gt;</pre><p>Code.</p>"
                )
            }
        ),
    ),
    (
        "noindex-unlisted",
        _folder({"x.html": page('<meta name="robots" content="noindex">')}),
    ),
    (
        "index-follow",
        _folder({"index.html": page('<meta name="robots" content="index, follow">')}),
    ),
    (
        "max-snippet",
        _folder(
            {
                "index.html": page(
                    '<meta name="robots" content="max-snippet:-1,'
                    ' max-image-preview:large, noarchive">'
                )
            }
        ),
    ),
    (
        "unavailable-later",
        _folder(
            {
                "index.html": page(
                    '<meta name="robots" content="unavailable_after: 2099-01-01">'
                )
            }
        ),
    ),
    (
        "noindex-in-script",
        _folder(
            {
                "index.html": page(
                    '<script>var a = \'<meta name="robots" content="noindex">\''
                    "</script>"
                )
            }
        ),
    ),
    (
        "refresh-itself",
        _folder({"index.html": page('<meta http-equiv="refresh" content="300">')}),
    ),
    (
        "hreflang",
        _folder(
            {
                "index.html": page(PAIR),
                "good/index.html": page(PAIR, "", "de"),
            }
        ),
    ),
    (
        "hreflang-default",
        _folder(
            {
                "index.html": page(PAIR + alternate("x-default", EN)),
                "good/index.html": page(PAIR + alternate("x-default", EN), "", "de"),
            }
        ),
    ),
    (
        "hreflang-outside",
        _folder(
            {
                "index.html": page(
                    alternate("en", EN) + alternate("fr", "https://example.fr/")
                )
            }
        ),
    ),
    (
        "feed-link",
        _folder(
            {
                "index.html": page(
                    '<link rel="alternate" type="application/rss+xml" href="/f.xml">'
                )
            }
        ),
    ),
    ("404", _folder({"404.html": page("", "<h1>Not found</h1>")})),
    ("capital-doctype", _folder({"index.html": page().replace("doctype", "DOCTYPE")})),
    ("page-bom", _folder({"index.html": b"\xef\xbb\xbf" + page().encode()})),
    ("page-utf-16", _folder({"index.html": page().encode("utf-16")})),
    ("no-closing-tags", _folder({"index.html": "<!doctype html><title>a</title><p>a"})),
    (
        "verification",
        _folder({"google1234567890abcdef.html": "google-site-verification: google1"}),
    ),
    ("packed-too", _folder({"sitemap.xml.gz": gzip.compress(urlset(GOOD).encode())})),
    ("text-too", _folder({"sitemap.txt": f"{HOST}/\n{HOST}/good/\n"})),
    (
        "index-of-parts",
        _folder(
            {
                "sitemap.xml": index("/s1.xml", "/s2.xml"),
                "s1.xml": urlset(entry("/")),
                "s2.xml": urlset(entry("/good/")),
            }
        ),
    ),
    (
        "html-files",
        _folder({"a.html": page()}, body=GOOD + entry("/a.html")),
    ),
    ("no-extension", _folder({"a.html": page()}, body=GOOD + entry("/a"))),
    (
        "escaped-name",
        _folder({"ü/index.html": page()}, body=GOOD + entry("/%C3%BC/")),
    ),
    (
        "space-name",
        _folder({"a b.html": page()}, body=GOOD + entry("/a%20b.html")),
    ),
    ("document", _folder({"a.pdf": b"%PDF-1.7"}, body=GOOD + entry("/a.pdf"))),
    (
        "redirect-unlisted",
        _folder(
            {"old/index.html": page('<meta http-equiv=refresh content="0;url=/">')}
        ),
    ),
    (
        "redirects-file",
        _folder(
            {"_redirects": "/old/* /good/ 301\n/api/* https://a.example.net 200\n"}
        ),
    ),
    ("headers-file", _folder({"_headers": "/*\n  X-Frame-Options: DENY\n"})),
    (
        "headers-preview",
        _folder(
            {"_headers": "https://:p.pages.dev/*\n  X-Robots-Tag: noindex\n"},
        ),
    ),
    (
        "modified-same-day",
        _folder(
            {
                "good/index.html": page(
                    '<meta property="article:modified_time"'
                    ' content="2024-01-05T11:20:30+01:00">'
                )
            }
        ),
    ),
]


def valid() -> Iterator[Case]:
    """Yield every file and folder without a fault."""
    rule = ""
    for name, content in DOCUMENTS:
        yield Case(f"valid-{name}", "", rule, {"sitemap.xml": content})
    bare = f"{ROOT}{ONE}</urlset>"
    yield Case("valid-no-declaration-one-url", "", rule, {"sitemap.xml": bare})
    packed: Files = {"sitemap.xml.gz": gzip.compress(PLAIN.encode())}
    yield Case("valid-packed", "", rule, packed, "", "sitemap.xml.gz")
    for name, loc in LOCS:
        content = urlset(GOOD + entry(loc))
        yield Case(f"valid-loc-{name}", "", rule, {"sitemap.xml": content})
    for name, loc in HOSTS:
        yield Case(f"valid-host-{name}", "", rule, {"sitemap.xml": urlset(entry(loc))})
    for name, date in DATES:
        content = urlset(GOOD + entry("/a/", date))
        yield Case(f"valid-date-{name}", "", rule, {"sitemap.xml": content})
    for code in LANGUAGES:
        own = "en" if code != "en" else "fr"
        links = link(own, "/a/") + link(code, "/b/")
        body = entry("/a/", more=links) + entry("/b/", more=links)
        content = urlset(GOOD + body)
        yield Case(f"valid-language-{code}", "", rule, {"sitemap.xml": content})
    yield from _sites()


def _sites() -> Iterator[Case]:
    rule = ""
    for name, lines in TEXTS:
        yield Case(
            f"valid-text-{name}", "", rule, {"sitemap.txt": lines}, "", "sitemap.txt"
        )
    for name, rules in ROBOTS:
        yield Case(
            f"valid-robots-{name}", "", rule, _folder({"robots.txt": rules}), "", "."
        )
    for name, files in FOLDERS:
        yield Case(f"valid-folder-{name}", "", rule, files, "", ".")
    yield Case(
        "valid-fragment-root", "", rule, {"sitemap.xml": f"{ROOT}{ONE}</urlset>"}
    )
