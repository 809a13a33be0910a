"""One small sitemap for each kind of fault, and valid ones that look like faults.

`benchmarks/findings.py` counts what other programs find in them.
"""

from __future__ import annotations

import gzip
from datetime import timedelta
from typing import TYPE_CHECKING

from sitemap_plugins.core.limits import IMAGE_NAMESPACE, NEWS_NAMESPACE, VIDEO_NAMESPACE
from tests.check.checked_site import NOW, NS, XHTML, index, links, url
from tests.folder.html_folder import BASE

if TYPE_CHECKING:
    from pathlib import Path

HOME = url("", "2024-05-01")
A = url("a/", "2024-05-02")
FRESH = f"{NOW - timedelta(hours=30):%Y-%m-%dT%H:%M:%SZ}"
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
NAMESPACES = (
    f'xmlns="{NS}" xmlns:xhtml="{XHTML}" xmlns:image="{IMAGE_NAMESPACE}"'
    f' xmlns:video="{VIDEO_NAMESPACE}" xmlns:news="{NEWS_NAMESPACE}"'
)
IMAGE = f"<image:loc>{BASE}a.png</image:loc>"
VIDEO = {
    "thumbnail_loc": f"{BASE}a.png",
    "title": "A",
    "description": "About A",
    "content_loc": f"{BASE}a.mp4",
}
NEWS = {
    "name": "The Example",
    "language": "en",
    "publication_date": FRESH,
    "title": "A",
}


def urlset(
    *entries: str, declaration: str = DECLARATION, names: str = NAMESPACES
) -> str:
    return f"{declaration}<urlset {names}>\n{''.join(entries)}</urlset>\n"


def entry(inner: str, **more: str) -> str:
    """Return a sitemap of the home page and an entry with these children."""
    return urlset(HOME, f"<url>{inner}</url>\n", **more)


def loc(text: str) -> str:
    return entry(f"<loc>{text}</loc>")


def page(more: str) -> str:
    """Return a sitemap with further children of the entry of a page."""
    return entry(f"<loc>{BASE}a/</loc>{more}")


def dated(text: str) -> str:
    return page(f"<lastmod>{text}</lastmod>")


def fields(prefix: str, values: dict[str, str]) -> str:
    return "".join(
        f"<{prefix}:{name}>{text}</{prefix}:{name}>" for name, text in values.items()
    )


def image(inner: str = IMAGE, times: int = 1) -> str:
    return page(f"<image:image>{inner}</image:image>" * times)


def video(without: str = "", more: str = "", **values: str) -> str:
    kept = {name: text for name, text in VIDEO.items() if name != without}
    return page(
        f"<video:video>{fields('video', {**kept, **values})}{more}</video:video>"
    )


def news(without: str = "", times: int = 1, **values: str) -> str:
    kept = {name: text for name, text in {**NEWS, **values}.items() if name != without}
    paper = {name: kept.pop(name) for name in ("name", "language") if name in kept}
    publication = f"<news:publication>{fields('news', paper)}</news:publication>"
    return page(f"<news:news>{publication}{fields('news', kept)}</news:news>" * times)


def versions(**targets: str) -> str:
    """Return a sitemap with two pages that link to the same versions."""
    more = links(**targets)
    return urlset(HOME, url("a/", more=more), url("b/", more=more))


def linked(attributes: str) -> str:
    """Return a sitemap in which one link of two has these attributes."""
    more = f"{links(de='a/')}<xhtml:link {attributes}/>"
    return urlset(HOME, url("a/", more=more), url("b/", more=links(de="a/", en="b/")))


def of_parts(
    *locs: str, more: str = "", parts: tuple[str, ...] = ("1", "2")
) -> dict[str, str]:
    """Return an index, and parts of one page each."""
    listed = "".join(
        f"<sitemap><loc>{BASE}{name}</loc>{more}</sitemap>\n" for name in locs
    )
    files = {f"{name}.xml": urlset(url(f"{name}/", "2024-05-02")) for name in parts}
    return {
        "sitemap.xml": f'<sitemapindex xmlns="{NS}">{listed}</sitemapindex>',
        **files,
    }


Files = str | bytes | dict[str, str] | dict[str, bytes]
"""The content of sitemap.xml, or of each file, the one to check first."""

FAULTY: dict[str, tuple[str, Files]] = {
    # The file
    "an & that is not escaped": ("not-well-formed", loc(f"{BASE}?a=1&b=2")),
    "an entity of HTML": ("not-well-formed", loc(f"{BASE}&eacute;/")),
    "a missing end tag": ("not-well-formed", entry(f"<loc>{BASE}a/")),
    "a file that was cut off": ("not-well-formed", urlset(HOME, A)[:-12]),
    "an undeclared prefix": (
        "not-well-formed unknown-element",
        page("<mobile:mobile/>"),
    ),
    "a line before the declaration": ("not-well-formed", f"\n{urlset(HOME)}"),
    "a control character": ("not-well-formed", loc(f"{BASE}\x01")),
    "bytes that are not UTF-8": (
        "not-well-formed",
        urlset(HOME, url("é/")).encode("latin-1"),
    ),
    "text after the root": ("not-well-formed", f"{urlset(HOME)}done"),
    "a document type": (
        "not-well-formed",
        f"<!DOCTYPE urlset [<!ENTITY a 'b'>]>{urlset(HOME, declaration='')}",
    ),
    "an empty file": ("not-well-formed", ""),
    "a web page": (
        "not-a-sitemap",
        "<!doctype html><html><body>Not found</body></html>",
    ),
    "a plain file called .gz": ("not-well-formed", {"sitemap.xml.gz": urlset(HOME)}),
    "a gzip file that was cut off": (
        "not-well-formed",
        {"sitemap.xml.gz": gzip.compress(urlset(HOME, A).encode())[:-9]},
    ),
    "no namespace": ("not-a-sitemap", urlset(HOME, names="")),
    "a namespace with https": (
        "not-a-sitemap",
        urlset(HOME, names=f'xmlns="{NS.replace("http", "https")}"'),
    ),
    "another root": ("not-a-sitemap", urlset(HOME).replace("urlset", "urls")),
    "Latin-1": (
        "encoding",
        urlset(HOME, declaration='<?xml version="1.0" encoding="ISO-8859-1"?>'),
    ),
    "a byte order mark": ("byte-order-mark", f"\ufeff{urlset(HOME)}"),
    "no entries": ("empty", urlset()),
    "too many entries": ("too-large", urlset(*(url(f"?{n}") for n in range(50_001)))),
    "a sitemap among pages": (
        "unknown-element",
        urlset(HOME, f"<sitemap><loc>{BASE}1.xml</loc></sitemap>"),
    ),
    # The URL
    "no loc": ("missing-loc", entry("<lastmod>2024-05-01</lastmod>")),
    "an empty loc": ("missing-loc", loc("")),
    "a relative URL": ("bad-url", loc("/a/")),
    "a URL without its scheme": ("bad-url", loc("//example.com/a/")),
    "a host alone": ("bad-url", loc("example.com/a/")),
    "a space": ("bad-url", loc(f"{BASE}one two/")),
    "a letter that is not ASCII": ("bad-url", loc(f"{BASE}münchen/")),
    "a half percent escape": ("bad-url", loc(f"{BASE}100%/")),
    "a fragment": ("bad-url", loc(f"{BASE}a/#top")),
    "a password": ("bad-url", loc("https://me:secret@example.com/a/")),
    "a folder '..'": ("bad-url", loc(f"{BASE}a/../b/")),
    "a template's placeholder": ("bad-url", loc(f"{BASE}{{{{ slug }}}}/")),
    "an & that is escaped twice": ("suspect-url", loc(f"{BASE}?a=1&amp;amp;b=2")),
    "an escape that is escaped twice": ("suspect-url", loc(f"{BASE}one%2520two/")),
    "two slashes": ("suspect-url", loc(f"{BASE}/a/")),
    "undefined": ("suspect-url", loc(f"{BASE}undefined/a/")),
    "undefined at the end": ("suspect-url", loc(f"{BASE}blog/undefined")),
    "the sitemap as a page": ("suspect-url", loc(f"{BASE}sitemap.xml")),
    "robots.txt as a page": ("suspect-url", loc(f"{BASE}robots.txt")),
    "2,048 characters": ("url-too-long", loc(f"{BASE}{'x' * 2_028}")),
    "a local server": ("local-address outside-scope", loc("http://localhost:3000/a/")),
    "another host": ("outside-scope", loc("https://www.example.com/a/")),
    "a session identifier": ("session-id", loc(f"{BASE}a/?PHPSESSID=1")),
    "a URL twice": ("duplicate", urlset(HOME, A, A)),
    "a URL in two spellings": ("duplicate", urlset(HOME, A, url("%61/"))),
    # Other elements of the protocol
    "two URLs in one entry": ("unknown-element", page(f"<loc>{BASE}b/</loc>")),
    "an element that is not in the protocol": (
        "unknown-element",
        page("<title>A</title>"),
    ),
    "an element in the wrong case": (
        "unknown-element",
        page("<LastMod>2024-05-01</LastMod>"),
    ),
    "the wrong order": (
        "element-order",
        entry(f"<priority>0.5</priority><loc>{BASE}a/</loc>"),
    ),
    "a frequency in other words": ("bad-value", page("<changefreq>often</changefreq>")),
    "a frequency in the wrong case": (
        "bad-value",
        page("<changefreq>Weekly</changefreq>"),
    ),
    "an empty frequency": ("bad-value", page("<changefreq/>")),
    "a priority above 1": ("bad-value", page("<priority>5</priority>")),
    "a priority with a comma": ("bad-value", page("<priority>0,5</priority>")),
    "a date in the order of a country": ("bad-date", dated("05/01/2024")),
    "a date that does not exist": ("bad-date", dated("2024-02-30")),
    "a time without its zone": ("bad-date", dated("2024-05-01T10:00:00")),
    "an empty date": ("bad-date", page("<lastmod/>")),
    "a date of 1970": ("bad-date", dated("1970-01-01T00:00:00Z")),
    "a date in the future": ("future-date", dated("2036-01-01")),
    "the time of the build as the date of all": (
        "uniform-dates",
        urlset(*(url(f"?{n}", f"2026-05-01T10:00:0{n}Z") for n in range(9))),
    ),
    # Languages
    "a country that does not exist": ("hreflang-code", versions(en_UK="a/", de="b/")),
    "a country in place of a language": ("hreflang-code", versions(jp="a/", de="b/")),
    "a language with three letters": ("hreflang-code", versions(eng="a/", de="b/")),
    "a script that does not exist": ("hreflang-code", versions(zh_Simp="a/", de="b/")),
    "the name of a language": ("hreflang-code", versions(english="a/", de="b/")),
    "a language with an underscore": (
        "hreflang-code",
        versions(en_GB="a/", de="b/").replace("en-GB", "en_GB"),
    ),
    "a language twice": (
        "hreflang",
        urlset(
            HOME, *(url(f"{n}/", more=links(de="1/") + links(de="2/")) for n in (1, 2))
        ),
    ),
    "a page that does not link to itself": (
        "hreflang-self",
        urlset(
            HOME,
            url("a/", more=links(en="b/")),
            url("b/", more=links(de="a/", en="b/")),
        ),
    ),
    "a link that is not returned": (
        "hreflang",
        urlset(url("a/", more=links(de="a/", en="")), HOME),
    ),
    "a link to a page that is not listed": (
        "hreflang",
        versions(de="a/", en="b/", fr="c/"),
    ),
    "a relative link": (
        "bad-url",
        page(f'{links(de="a/")}<xhtml:link rel="alternate" hreflang="en" href="/b/"/>'),
    ),
    "a link without rel": ("bad-value", linked(f'hreflang="en" href="{BASE}b/"')),
    "a wrong namespace of links": (
        "unknown-element",
        versions(de="a/", en="b/").replace(
            XHTML, "http://www.w3.org/TR/xhtml11/xhtml11_schema.html"
        ),
    ),
    # Extensions
    "an image without a URL": ("bad-extension", image("<image:title>A</image:title>")),
    "a wrong namespace of images": (
        "unknown-element",
        image().replace(IMAGE_NAMESPACE, f"{IMAGE_NAMESPACE}/"),
    ),
    "a video without a thumbnail": ("bad-extension", video(without="thumbnail_loc")),
    "a video without a title": ("bad-extension", video(without="title")),
    "a video without a description": ("bad-extension", video(without="description")),
    "a video without its own URL": ("bad-extension", video(without="content_loc")),
    "an article without a title": ("bad-extension", news(without="title")),
    "an article without its newspaper": ("bad-extension", news(without="name")),
    "an article without a language": ("bad-extension", news(without="language")),
    "an article without a date": ("bad-extension", news(without="publication_date")),
    # Indexes
    "a missing part": ("missing-part", of_parts("1.xml", "2.xml", parts=("1",))),
    "a part twice": ("duplicate", of_parts("1.xml", "1.xml")),
    "a nested index": (
        "nested-index",
        {**of_parts("1.xml"), "1.xml": index(f"{BASE}2.xml")},
    ),
    "a part with an older date": (
        "index-lastmod",
        of_parts("1.xml", more="<lastmod>2024-04-01</lastmod>"),
    ),
    "a relative URL of a part": (
        "part-outside",
        {**of_parts(), "sitemap.xml": index("1.xml", f"{BASE}2.xml")},
    ),
    "a page in an index": (
        "unknown-element",
        {
            **of_parts(),
            "sitemap.xml": index(f"{BASE}1.xml").replace(
                "</sitemapi", f"{HOME}</sitemapi"
            ),
        },
    ),
    "a packed file called .xml": ("", gzip.compress(urlset(HOME).encode())),
}
"""The codes of all findings, separated by spaces, and the file; no code: not found."""

VALID: dict[str, Files] = {
    "the least": urlset(HOME, names=f'xmlns="{NS}"', declaration=""),
    "all elements": page(
        "<lastmod>2024-05-01</lastmod><changefreq>weekly</changefreq><priority>0.5</priority>"
    ),
    "comments and a style sheet": urlset(
        "<!-- <url> -->",
        HOME,
        declaration=f'{DECLARATION}<?xml-stylesheet href="a.xsl"?><!-- a -->',
    ),
    "a prefix": f'<s:urlset xmlns:s="{NS}"><s:url><s:loc>{BASE}</s:loc></s:url></s:urlset>',
    "single quotes": urlset(HOME).replace('"', "'"),
    "the location of the schema": urlset(
        HOME,
        names=f'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="{NS}"'
        f' xsi:schemaLocation="{NS} {NS}/sitemap.xsd"',
    ),
    "white space": loc(f"\n  {BASE}a/\n  "),
    "CDATA": loc(f"<![CDATA[{BASE}?a=1&b=2]]>"),
    "a character reference": loc(f"{BASE}?a=1&#38;b=2"),
    "an escaped &": loc(f"{BASE}?a=1&amp;b=2"),
    "an apostrophe": loc(f"{BASE}it&apos;s/"),
    "escapes of UTF-8": loc(f"{BASE}m%C3%BCnchen/"),
    "a URL in a URL": loc(f"{BASE}web/2024/https://example.org/a/"),
    "a URL in a query": loc(f"{BASE}?to=https://example.org//a"),
    "1,024 characters": loc(f"{BASE}{'x' * 1_004}"),
    "another spelling of the host": loc("https://EXAMPLE.com:443/a/"),
    "an international host": urlset(url("", base="https://xn--bcher-kva.example/")),
    "a file that is not a page of HTML": urlset(
        HOME, url("paper.pdf"), url("feed.txt")
    ),
    "a year and a month": urlset(url("", "2023"), url("a/", "2024-05")),
    "times": urlset(
        url("", "2024-05-01T10:00Z"), url("a/", "2024-05-01T10:00:00.123+02:00")
    ),
    "languages": versions(de="a/", en_GB="b/", x_default="b/"),
    "scripts and regions": versions(zh_Hans="a/", sr_Latn_RS="b/"),
    "Latin America and a language of three letters": versions(es_419="a/", gsw="b/"),
    "a version on another host": urlset(
        HOME,
        url(
            "a/",
            more=links(de="a/") + links(en="").replace(BASE, "https://example.org/"),
        ),
    ),
    "a page for mobiles": page(
        f'<xhtml:link rel="alternate" media="only screen" href="{BASE}m/"/>'
    ),
    "1,000 images": image(times=1_000),
    "an image elsewhere, with what Google ignores": image(
        "<image:loc>https://cdn.example.org/a.png</image:loc><image:title>A</image:title>"
    ),
    "a video": video(
        duration="600",
        rating="4.2",
        view_count="7",
        family_friendly="yes",
        live="no",
        tag="a",
        publication_date="2024-05-01T10:00:00+02:00",
        more='<video:restriction relationship="allow">DE</video:restriction>',
    ),
    "a video in a player": video(
        without="content_loc",
        player_loc=f"{BASE}player?a=1",
        thumbnail_loc="ftp://example.com/a.png",
    ),
    "news": news(),
    "an index": of_parts("1.xml", "2.xml", more="<lastmod>2024-05-03</lastmod>"),
    "pages and their images in two files": {
        **of_parts("1.xml", "2.xml"),
        "1.xml": urlset(HOME, A),
        "2.xml": image().replace(HOME, ""),
    },
    "a compressed file": {"sitemap.xml.gz": gzip.compress(urlset(HOME, A).encode())},
    "text": {"sitemap.txt": f"{BASE}\n{BASE}a/\n"},
}


def write_files(folder: Path, files: Files) -> Path:
    """Write the files of one kind; return the one to check."""
    by_name = files if isinstance(files, dict) else {"sitemap.xml": files}
    for name, text in by_name.items():
        data = text if isinstance(text, bytes) else text.encode()
        (folder / name).write_bytes(data)
    return folder / next(iter(by_name))
