"""Built folders with one fault each: pages, sitemap and robots.txt do not agree."""

from __future__ import annotations

from collections.abc import Iterator

from .cases import (
    HOST,
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

CANONICAL = "Google, canonical URLs"
NOINDEX = "Google, robots meta tag"
HREFLANG = "Google, localized versions"
REDIRECT = "Google, redirects: list the target"
GONE = "Google, Sitemaps report: URL not found"
LASTMOD = "Google and Bing: lastmod is the page's last change"
PROTOCOL = "sitemaps.org/protocol"

Files = dict[str, str | bytes | Answer]

PAGES = ("/", "/a/", "/b/")
DATES = ("2023-11-02", "2024-01-05", "2024-03-09")


def site(changes: dict[str, str | bytes | None], *more: str, listed: str = "") -> Files:
    """Return a good site of three pages with these files changed; None removes one.

    `more` are further listed paths; `listed` replaces all entries.
    """
    known = [entry(path, date) for path, date in zip(PAGES, DATES, strict=True)]
    body = listed or "".join(known + [entry(path) for path in more])
    robots = f"User-agent: *\nDisallow:\n\nSitemap: {HOST}/sitemap.xml\n"
    files: Files = {"sitemap.xml": urlset(body), "robots.txt": robots}
    for path in PAGES:
        files[f"{path[1:]}index.html"] = page(canonical(HOST + path))
    for name, content in changes.items():
        if content is None:
            del files[name]
        else:
            files[name] = content
    return files


def both(a: str, b: str, *, first: str = "", second: str = "") -> Files:
    """Return a site whose pages a and b have these heads."""
    return site(
        {
            "a/index.html": page(canonical(f"{HOST}/a/") + a, first),
            "b/index.html": page(canonical(f"{HOST}/b/") + b, second, "de"),
        }
    )


def one(head: str, body: str = "") -> Files:
    """Return a site whose page a has this head and no other canonical."""
    return site({"a/index.html": page(head, body)})


EN, DE = f"{HOST}/a/", f"{HOST}/b/"
PAIR = alternate("en", EN) + alternate("de", DE)
ROBOTS = '<meta name="robots" content="{}">\n'
REFRESH = '<meta http-equiv="refresh" content="{}">\n'
PLAIN = "Sitemap: {}\n"

CASES: list[tuple[str, Files, str, str, str]] = [
    ("canonical-other", one(canonical(DE)), "/a/", "It names page b.", CANONICAL),
    (
        "canonical-host",
        one(canonical("https://example.org/a/")),
        "/a/",
        "It names another host.",
        CANONICAL,
    ),
    (
        "canonical-http",
        one(canonical("http://example.com/a/")),
        "/a/",
        "It names http.",
        CANONICAL,
    ),
    (
        "canonical-slash",
        one(canonical(f"{HOST}/a")),
        "/a/",
        "It has no slash at its end.",
        CANONICAL,
    ),
    (
        "canonical-index",
        one(canonical(f"{HOST}/a/index.html")),
        "/a/",
        "It names the file instead of the folder.",
        CANONICAL,
    ),
    (
        "canonical-www",
        one(canonical("https://www.example.com/a/")),
        "/a/",
        "It names www.",
        CANONICAL,
    ),
    (
        "canonical-missing",
        one(canonical(f"{HOST}/gone/")),
        "/a/",
        "It names a page that does not exist.",
        CANONICAL,
    ),
    (
        "canonical-two",
        one(canonical(EN) + canonical(DE)),
        "/a/",
        "Two canonicals that differ.",
        CANONICAL,
    ),
    (
        "canonical-relative",
        one(canonical("../b/")),
        "/a/",
        "A relative one, which names page b.",
        CANONICAL,
    ),
    (
        "canonical-base",
        one('<base href="https://example.org/">\n' + canonical("a/")),
        "/a/",
        "A relative one after a base of another host.",
        CANONICAL,
    ),
    (
        "canonical-query",
        one(canonical(f"{HOST}/a/?id=7")),
        "/a/",
        "It names the page with a query.",
        CANONICAL,
    ),
    (
        "canonical-home",
        site(
            {
                f"{name}index.html": page(canonical(f"{HOST}/"))
                for name in ("", "a/", "b/")
            }
        ),
        "/a/",
        "Every page names the home page.",
        CANONICAL,
    ),
    (
        "canonical-local",
        one(canonical("http://localhost:8000/a/")),
        "/a/",
        "It names the author's computer.",
        CANONICAL,
    ),
    (
        "canonical-case",
        one(canonical(f"{HOST}/A/")),
        "/a/",
        "It has another case.",
        CANONICAL,
    ),
    ("noindex", one(ROBOTS.format("noindex")), "/a/", "noindex.", NOINDEX),
    ("none", one(ROBOTS.format("none")), "/a/", "none.", NOINDEX),
    (
        "noindex-list",
        one(ROBOTS.format("follow, NOINDEX")),
        "/a/",
        "noindex in a list, in capitals.",
        NOINDEX,
    ),
    (
        "noindex-googlebot",
        one('<meta name="googlebot" content="noindex">'),
        "/a/",
        "noindex for Google.",
        NOINDEX,
    ),
    (
        "noindex-bingbot",
        one('<meta name="bingbot" content="noindex">'),
        "/a/",
        "noindex for Bing.",
        "Bing, robots meta tag",
    ),
    (
        "noindex-second",
        one(ROBOTS.format("index") + ROBOTS.format("noindex")),
        "/a/",
        "Two metas: the stricter one applies.",
        NOINDEX,
    ),
    (
        "noindex-case",
        one('<META CONTENT="NoIndex" NAME="ROBOTS">'),
        "/a/",
        "Names in capitals.",
        NOINDEX,
    ),
    (
        "noindex-home",
        site({"index.html": page(ROBOTS.format("noindex"))}),
        f"{HOST}/",
        "The home page says noindex.",
        NOINDEX,
    ),
    (
        "unavailable",
        one(ROBOTS.format("unavailable_after: 2020-01-01")),
        "/a/",
        "unavailable_after is in the past.",
        NOINDEX,
    ),
    (
        "headers-noindex",
        site({"_headers": "/a/*\n  X-Robots-Tag: noindex\n"}),
        "/a/",
        "The file _headers says noindex.",
        NOINDEX + "; Netlify and Cloudflare, _headers",
    ),
    (
        "refresh",
        one(REFRESH.format("0; url=/b/")),
        "/a/",
        "The page sends on to b.",
        REDIRECT,
    ),
    (
        "refresh-away",
        one(REFRESH.format("0;URL='https://example.org/'")),
        "/a/",
        "The page sends on to another host.",
        REDIRECT,
    ),
    (
        "redirects-file",
        site({"_redirects": "/old/ /b/ 301\n"}, "/old/"),
        "/old/",
        "The file _redirects sends it on.",
        REDIRECT,
    ),
    (
        "script-redirect",
        one("<script>location.replace('/b/')</script>\n", "<p>Moved.</p>"),
        "/a/",
        "A script sends on at once.",
        "Google, JavaScript redirects",
    ),
    ("no-file", site({}, "/gone/"), "/gone/", "It has no file.", GONE),
    (
        "no-index",
        site({"c/d.html": page()}, "/c/"),
        "/c/",
        "The folder has no index.",
        GONE,
    ),
    ("other-case", site({}, "/A/"), "/A/", "The folder has another case.", GONE),
    (
        "removed",
        site({"b/index.html": None}),
        "/b/",
        "The file was removed.",
        GONE,
    ),
    (
        "pdf",
        site({}, "/a/manual.pdf"),
        "manual.pdf",
        "A document that is not there.",
        GONE,
    ),
    (
        "no-bytes",
        site({"a/index.html": ""}),
        "/a/",
        "The page's file is empty.",
        "Google, soft 404",
    ),
    (
        "error-page",
        site({"404.html": page("", "<h1>Not found</h1>")}, "/404.html"),
        "/404.html",
        "The error page is listed.",
        "Google, soft 404",
    ),
    (
        "soft-404",
        site(
            {
                "a/index.html": "<!doctype html><html><head><title>404 Not Found"
                "</title></head><body><h1>Not Found</h1></body></html>"
            }
        ),
        "/a/",
        "A page that says Not Found.",
        "Google, soft 404",
    ),
    (
        "two-urls",
        site({}, "/a/index.html"),
        "/a/index.html",
        "One file under two URLs.",
        PROTOCOL + ": one version of each URL",
    ),
    (
        "image-gone",
        site(
            {},
            listed=entry(
                "/",
                more=f"<image:image><image:loc>{HOST}/i.png</image:loc></image:image>",
            ),
        ),
        "i.png",
        "The image is not there.",
        "Google, image sitemaps",
    ),
    (
        "no-return",
        both(PAIR, alternate("de", DE)),
        "/b/",
        "b does not link back.",
        HREFLANG,
    ),
    (
        "no-links-back",
        both(PAIR, ""),
        "/b/",
        "b has no hreflang at all.",
        HREFLANG,
    ),
    (
        "no-self",
        both(alternate("de", DE), PAIR),
        "/a/",
        "a does not list itself.",
        HREFLANG,
    ),
    (
        "relative",
        both(
            alternate("en", "/a/") + alternate("de", "../b/"),
            alternate("en", "../a/") + alternate("de", "/b/"),
        ),
        "/b/",
        "The links are relative.",
        HREFLANG,
    ),
    (
        "code",
        both(PAIR + alternate("en_GB", EN), PAIR + alternate("en_GB", EN)),
        "en_GB",
        "An underscore.",
        HREFLANG,
    ),
    (
        "code-uk",
        both(PAIR + alternate("en-UK", EN), PAIR + alternate("en-UK", EN)),
        "en-UK",
        "UK is no country of ISO 3166.",
        HREFLANG,
    ),
    (
        "target-gone",
        both(PAIR + alternate("fr", f"{HOST}/c/"), PAIR),
        "/c/",
        "The French page does not exist.",
        HREFLANG,
    ),
    (
        "target-noindex",
        both(PAIR, PAIR + ROBOTS.format("noindex")),
        "/b/",
        "The German page says noindex.",
        HREFLANG,
    ),
    (
        "language-twice",
        both(PAIR + alternate("de", f"{HOST}/"), PAIR),
        "/a/",
        "Two German pages.",
        HREFLANG,
    ),
    (
        "target-redirects",
        both(PAIR, PAIR + REFRESH.format("0; url=/")),
        "/b/",
        "The German page sends on.",
        HREFLANG,
    ),
    (
        "target-canonical",
        site(
            {
                "a/index.html": page(canonical(EN) + PAIR),
                "b/index.html": page(canonical(EN) + PAIR, "", "de"),
            }
        ),
        "/b/",
        "The German page's canonical is the English one.",
        HREFLANG,
    ),
    (
        "sitemap-differs",
        site(
            {
                "a/index.html": page(canonical(EN) + PAIR),
                "b/index.html": page(canonical(DE) + PAIR, "", "de"),
            },
            listed=entry("/")
            + entry("/a/", more=link("en", "/a/") + link("fr", "/b/"))
            + entry("/b/", more=link("en", "/a/") + link("fr", "/b/")),
        ),
        "/b/",
        "Page and sitemap name b by two languages.",
        HREFLANG,
    ),
    (
        "robots-page",
        site(
            {
                "robots.txt": "User-agent: *\nDisallow: /a/\n"
                + PLAIN.format(f"{HOST}/sitemap.xml")
            }
        ),
        "/a/",
        "robots.txt disallows page a.",
        PROTOCOL,
    ),
    (
        "robots-googlebot",
        site(
            {
                "robots.txt": "User-agent: Googlebot\nDisallow: /a/\n\n"
                + PLAIN.format(f"{HOST}/sitemap.xml")
            }
        ),
        "/a/",
        "robots.txt disallows page a for Google.",
        "Google, robots.txt",
    ),
    (
        "robots-wildcard",
        site(
            {
                "robots.txt": "User-agent: *\nDisallow: /*/$\n"
                + PLAIN.format(f"{HOST}/sitemap.xml")
            }
        ),
        "/a/",
        "A pattern disallows every folder.",
        "RFC 9309, 2.2.3",
    ),
    (
        "robots-line",
        site(
            {
                "robots.txt": PLAIN.format(f"{HOST}/sitemap.xml")
                + PLAIN.format(f"{HOST}/gone.xml")
            }
        ),
        "gone.xml",
        "A sitemap that is not there.",
        "Google, Sitemaps report: HTTP error 404",
    ),
    (
        "part-gone",
        site({"sitemap.xml": index("/s1.xml")}),
        "s1.xml",
        "A part that is not there.",
        "Google, Sitemaps report",
    ),
    (
        "part-above",
        site(
            {
                "sitemap.xml": index("/a/s1.xml"),
                "a/s1.xml": urlset("".join(entry(path) for path in PAGES)),
            }
        ),
        "s1.xml",
        "A part lists pages above its folder.",
        PROTOCOL + ": location",
    ),
    (
        "nested",
        site(
            {
                "sitemap.xml": index("/s1.xml"),
                "s1.xml": index("/s2.xml"),
                "s2.xml": urlset("".join(entry(path) for path in PAGES)),
            }
        ),
        "s1.xml",
        "An index in an index.",
        "Google, Sitemaps report: nested indexes",
    ),
    (
        "in-two-parts",
        site(
            {
                "sitemap.xml": index("/s1.xml", "/s2.xml"),
                "s1.xml": urlset("".join(entry(path) for path in PAGES)),
                "s2.xml": urlset(entry("/a/")),
            }
        ),
        "/a/",
        "A URL in two parts.",
        PROTOCOL,
    ),
    (
        "part-page",
        site({"sitemap.xml": index("/a/", "/b/")}),
        "/a/",
        "An index of pages.",
        "Google, Sitemaps report: sitemap is HTML",
    ),
    (
        "future",
        site({}, listed=entry("/", "2099-01-01") + entry("/a/") + entry("/b/")),
        f"{HOST}/",
        "A date in the future.",
        "Bing, July 2025",
    ),
    (
        "modified",
        site(
            {
                "a/index.html": page(
                    canonical(EN) + '<meta property="article:modified_time"'
                    ' content="2020-02-02T10:00:00+00:00">\n'
                )
            }
        ),
        "/a/",
        "The page says 2020, the sitemap 2024.",
        LASTMOD,
    ),
    (
        "same-second",
        site(
            {f"{n}/index.html": page(canonical(f"{HOST}/{n}/")) for n in range(40)},
            listed="".join(entry(p, "2024-05-05T05:05:05Z") for p in PAGES)
            + "".join(entry(f"/{n}/", "2024-05-05T05:05:05Z") for n in range(40)),
        ),
        "",
        "Forty pages changed in the same second.",
        LASTMOD,
    ),
    (
        "same-second-but-one",
        site(
            {f"{n}/index.html": page(canonical(f"{HOST}/{n}/")) for n in range(40)},
            listed=entry("/", "2020-01-01")
            + "".join(entry(p, "2024-05-05T05:05:05Z") for p in PAGES[1:])
            + "".join(entry(f"/{n}/", "2024-05-05T05:05:05Z") for n in range(40)),
        ),
        "",
        "All pages but one changed in the same second.",
        LASTMOD,
    ),
    (
        "packed-differs",
        site({"sitemap.xml.gz": b""}),
        "sitemap.xml.gz",
        "The packed sitemap is empty.",
        "Google, Sitemaps report: compression error",
    ),
    (
        "unlisted",
        site({"c/index.html": page(canonical(f"{HOST}/c/"))}),
        "/c/",
        "A page that the sitemap forgets.",
        "Bing, guidelines: all relevant URLs",
    ),
]


def faulty() -> Iterator[Case]:
    """Yield every folder with a fault."""
    for name, files, at, fault, rule in CASES:
        if name == "packed-differs":
            files["sitemap.xml.gz"] = b"\x1f\x8b\x08"
        yield Case(f"folder-{name}", fault, rule, files, at, ".")
