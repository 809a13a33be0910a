"""Served sites with one fault each, which only the server's answers show."""

from __future__ import annotations

import gzip
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

STATUS = "Google, HTTP status codes"
HEADER = "Google, X-Robots-Tag"
REDIRECT = "Google, redirects: list the target"
ROBOTS = "RFC 9309, 2.3"
FETCH = "Google, Sitemaps report: could not fetch"
SOFT = "Google, soft 404"
HTML = {"Content-Type": "text/html; charset=utf-8"}
XML = {"Content-Type": "application/xml"}
TEXT = {"Content-Type": "text/plain; charset=utf-8"}

PAGES = ("/", "/a/", "/b/")
MAP = urlset(
    entry("/", "2023-11-02") + entry("/a/", "2024-01-05") + entry("/b/", "2024-03-09")
)


def site(**changes: Answer) -> dict[str, Answer]:
    """Return a good site's answers with these changed.

    `home`, `a`, `b` are pages, `map` is the sitemap, `robots` robots.txt; other
    names are paths with `_` for each `/`.
    """
    answers = {path: Answer(page(canonical(HOST + path)), 200, HTML) for path in PAGES}
    answers["/sitemap.xml"] = Answer(MAP, 200, XML)
    robots = f"User-agent: *\nDisallow:\nSitemap: {HOST}/sitemap.xml\n"
    answers["/robots.txt"] = Answer(robots, 200, TEXT)
    paths = {"home": "/", "a": "/a/", "b": "/b/"}
    paths |= {"map": "/sitemap.xml", "robots": "/robots.txt"}
    for name, answer in changes.items():
        answers[paths.get(name, "/" + name.replace("_", "/"))] = answer
    return answers


def status(code: int, **headers: str) -> Answer:
    """Return an answer without a page."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(page("", f"<h1>{code}</h1>"), code, HTML | named)


def good(**headers: str) -> Answer:
    """Return a page with these headers."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(page(), 200, HTML | named)


def says(head: str, body: str = "") -> Answer:
    """Return a page with this head and body."""
    return Answer(page(head, body), 200, HTML)


PAIR = alternate("en", f"{HOST}/a/") + alternate("de", f"{HOST}/b/")
PACKED = gzip.compress(MAP.encode(), mtime=0)

CASES: list[tuple[str, dict[str, Answer], str, str, str]] = [
    ("404", site(a=status(404)), "/a/", "The page answers 404.", STATUS),
    ("410", site(a=status(410)), "/a/", "The page answers 410.", STATUS),
    ("403", site(a=status(403)), "/a/", "The page answers 403.", STATUS),
    ("401", site(a=status(401)), "/a/", "The page answers 401.", STATUS),
    ("500", site(a=status(500)), "/a/", "The page answers 500.", STATUS),
    ("503", site(a=status(503)), "/a/", "The page answers 503.", STATUS),
    ("301", site(a=status(301, Location="/b/")), "/a/", "It sends on.", REDIRECT),
    ("302", site(a=status(302, Location="/b/")), "/a/", "It sends on.", REDIRECT),
    ("308", site(a=status(308, Location="/b/")), "/a/", "It sends on.", REDIRECT),
    ("loop", site(a=status(301, Location="/a/")), "/a/", "To itself.", REDIRECT),
    (
        "chain",
        site(a=status(301, Location="/c"), c=status(301, Location="/gone/")),
        "/a/",
        "It sends on twice, to a page that is not there.",
        REDIRECT,
    ),
    (
        "no-location",
        site(a=status(301)),
        "/a/",
        "It sends on and does not say where.",
        "RFC 9110, 15.4",
    ),
    (
        "refresh-header",
        site(a=good(Refresh="0; url=/b/")),
        "/a/",
        "The header Refresh sends on.",
        REDIRECT,
    ),
    ("noindex", site(a=good(X_Robots_Tag="noindex")), "/a/", "noindex.", HEADER),
    ("none", site(a=good(X_Robots_Tag="none")), "/a/", "none.", HEADER),
    (
        "noindex-agent",
        site(a=good(X_Robots_Tag="googlebot: noindex, nofollow")),
        "/a/",
        "noindex for Google.",
        HEADER,
    ),
    (
        "unavailable",
        site(a=good(X_Robots_Tag="unavailable_after: 25 Jun 2010 15:00:00 PST")),
        "/a/",
        "unavailable_after is in the past.",
        HEADER,
    ),
    (
        "link-canonical",
        site(a=good(Link=f'<{HOST}/b/>; rel="canonical"')),
        "/a/",
        "The header names another canonical.",
        "Google, canonical URLs",
    ),
    (
        "canonical-gone",
        site(a=says(canonical(f"{HOST}/gone/"))),
        "/a/",
        "The canonical is not there.",
        "Google, canonical URLs",
    ),
    (
        "meta-noindex",
        site(a=says('<meta name="robots" content="noindex">')),
        "/a/",
        "noindex.",
        "Google, robots meta tag",
    ),
    (
        "soft-404",
        site(a=says("", "<h1>404</h1><p>Page not found</p>")),
        "/a/",
        "A page that says Not Found answers 200.",
        SOFT,
    ),
    ("no-body", site(a=Answer("", 200, HTML)), "/a/", "No body.", SOFT),
    (
        "shell",
        site(
            **{
                name: Answer("<html><body><div id=app></div></body></html>", 200, HTML)
                for name in ("home", "a", "b", "nothing-is-here")
            }
        ),
        "/a/",
        "Every page is the same empty shell.",
        SOFT,
    ),
    (
        "hreflang-gone",
        site(
            a=says(PAIR + alternate("fr", f"{HOST}/gone/")),
            b=says(PAIR),
        ),
        "/gone/",
        "The French page is not there.",
        "Google, localized versions",
    ),
    (
        "map-hreflang-gone",
        site(
            map=Answer(
                urlset(
                    entry("/")
                    + entry("/a/", more=link("en", "/a/") + link("fr", "/gone/"))
                ),
                200,
                XML,
            )
        ),
        "/gone/",
        "The French page of the sitemap is not there.",
        "Google, localized versions",
    ),
    ("map-404", site(map=status(404)), "/sitemap.xml", "No sitemap.", FETCH),
    ("map-500", site(map=status(500)), "/sitemap.xml", "An error.", FETCH),
    ("map-401", site(map=status(401)), "/sitemap.xml", "A login.", FETCH),
    (
        "map-moved",
        site(map=status(301, Location="/b.xml"), **{"b.xml": Answer(MAP, 200, XML)}),
        "/sitemap.xml",
        "The sitemap sends on.",
        "Bing, July 2025: no redirects on the sitemap's URL",
    ),
    (
        "map-away",
        site(map=status(302, Location="/")),
        "/sitemap.xml",
        "The sitemap sends to a page.",
        FETCH,
    ),
    ("map-page", site(map=good()), "/sitemap.xml", "The sitemap is a page.", FETCH),
    (
        "map-type",
        site(map=Answer(MAP, 200, {"Content-Type": "text/html"})),
        "/sitemap.xml",
        "The sitemap's type is HTML.",
        "RFC 9110, 8.3; Google: XML is served as XML",
    ),
    (
        "map-no-body",
        site(map=Answer("", 200, XML)),
        "/sitemap.xml",
        "The sitemap has no body.",
        FETCH,
    ),
    (
        "map-encoding",
        site(map=Answer(MAP, 200, XML | {"Content-Encoding": "gzip"})),
        "/sitemap.xml",
        "It says gzip and is not packed.",
        "RFC 9110, 8.4",
    ),
    (
        "map-cut-off",
        site(map=Answer(PACKED[:-30], 200, XML | {"Content-Encoding": "gzip"})),
        "/sitemap.xml",
        "The packed answer ends in the middle.",
        FETCH,
    ),
    (
        "part-404",
        site(map=Answer(index("/s1.xml"), 200, XML)),
        "/s1.xml",
        "A part is not there.",
        FETCH,
    ),
    (
        "part-page",
        site(map=Answer(index("/s1.xml"), 200, XML), **{"s1.xml": good()}),
        "/s1.xml",
        "A part is a page.",
        FETCH,
    ),
    (
        "robots-500",
        site(robots=status(500)),
        "/robots.txt",
        "robots.txt fails: crawlers stay away.",
        ROBOTS + ".1.4",
    ),
    (
        "robots-page",
        site(robots=good()),
        "/robots.txt",
        "robots.txt is a page.",
        ROBOTS,
    ),
    (
        "robots-type",
        site(robots=Answer(f"User-agent: *\nSitemap: {HOST}/sitemap.xml\n", 200, HTML)),
        "/robots.txt",
        "robots.txt has the type of HTML.",
        ROBOTS,
    ),
    (
        "robots-loop",
        site(robots=status(301, Location="/robots.txt")),
        "/robots.txt",
        "robots.txt sends to itself.",
        ROBOTS + ".1.2",
    ),
    (
        "robots-page-out",
        site(
            robots=Answer(
                f"User-agent: *\nDisallow: /a/\nSitemap: {HOST}/sitemap.xml\n",
                200,
                TEXT,
            )
        ),
        "/a/",
        "robots.txt disallows page a.",
        "Google, Sitemaps report: blocked by robots.txt",
    ),
    (
        "robots-line",
        site(
            robots=Answer(
                f"Sitemap: {HOST}/sitemap.xml\nSitemap: {HOST}/gone.xml\n", 200, TEXT
            )
        ),
        "/gone.xml",
        "A sitemap that is not there.",
        FETCH,
    ),
    (
        "page-type",
        site(a=Answer(page(), 200, {"Content-Type": "application/octet-stream"})),
        "/a/",
        "The page has the type of a download.",
        "Google, indexable file types",
    ),
    (
        "attachment",
        site(a=good(Content_Disposition="attachment; filename=a.html")),
        "/a/",
        "The page is offered as a download.",
        "RFC 6266",
    ),
    (
        "page-encoding",
        site(a=Answer(page(), 200, HTML | {"Content-Encoding": "gzip"})),
        "/a/",
        "The page says gzip and is not packed.",
        "RFC 9110, 8.4",
    ),
    (
        "login",
        site(
            a=status(302, Location="/login"),
            login=says("", "<form><input type=password></form>"),
        ),
        "/a/",
        "The page asks for a login.",
        REDIRECT,
    ),
]


def faulty() -> Iterator[Case]:
    """Yield every served site with a fault; the target is the sitemap or the host."""
    for name, answers, at, fault, rule in CASES:
        target = "/" if name.startswith("robots") else "/sitemap.xml"
        yield Case(f"served-{name}", fault, rule, {**answers}, at, target)
