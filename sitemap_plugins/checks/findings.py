"""What can be wrong with a sitemap: the stable codes, and one record for each thing found.

A code that a plugin's notice or a reason to leave a page out has means the same here.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal, NamedTuple

from sitemap_plugins.core.messages import printable
from sitemap_plugins.core.notice_kinds import KINDS

__all__ = ["FINDINGS", "MOST_NAMED", "SEVERITIES", "Finding", "FindingKind", "Severity"]

MOST_NAMED = 3
"""URLs or folders that a message names."""

Severity = Literal["error", "warning", "info"]
"""`error`: crawlers refuse or ignore it. `warning`: most likely not meant. `info`: good to know."""

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
"""From the worst."""


class FindingKind(NamedTuple):
    """What all findings with one code have in common."""

    severity: Severity
    """Of a finding that does not say otherwise."""

    meaning: str
    """What is wrong, one sentence for the manual."""

    cure: str
    """What to do about it, one sentence."""


_OF_PAGES: dict[str, FindingKind] = {
    "missing": FindingKind(
        "error",
        "A listed URL has no file in the folder, or an empty one.",
        "Remove the URL, or build the page.",
    ),
    "noindex": FindingKind(
        "error",
        "A listed page says noindex.",
        "Remove the page from the sitemap, or noindex from the page.",
    ),
    "redirect": FindingKind(
        "error",
        "A listed page redirects to another address.",
        "List the address it redirects to.",
    ),
    "canonical": FindingKind(
        "error",
        "The canonical link of a listed page names another URL.",
        "List the canonical URL, or correct the page's canonical link.",
    ),
    "dead-canonical": FindingKind(
        "warning",
        "The canonical link of a page names an address on this site where no page is.",
        "Correct the page's canonical link.",
    ),
    "several-canonicals": FindingKind(
        "warning",
        "A page has canonical links to different URLs, so crawlers may ignore them all.",
        "Keep one of the links.",
    ),
    "robots": FindingKind(
        "error",
        "robots.txt disallows a listed URL for every crawler, or (a warning) for one that matters.",
        "Allow the URL, or remove it from the sitemap.",
    ),
    "generated": FindingKind(
        "warning",
        "A listed page is one that the generator adds (search, an index), or an error page.",
        "Remove the page from the sitemap.",
    ),
    "front-matter": FindingKind(
        "warning",
        "A listed page's front matter says `sitemap: false`.",
        "Build the sitemap again.",
    ),
    "excluded": FindingKind(
        "warning",
        "The option `exclude` matches a listed page.",
        "Build the sitemap again.",
    ),
    "not-listed": FindingKind(
        "warning",
        "A page that may be indexed is not listed.",
        "Build the sitemap again, or exclude the page.",
    ),
    "required": FindingKind(
        "error",
        "No listed URL matches a pattern that must match one.",
        "List the page, or correct the pattern.",
    ),
    "broken-link": FindingKind(
        "warning",
        "A page links to a page of this site that does not exist.",
        "Correct the link.",
    ),
    "host-redirects": FindingKind(
        "warning",
        "The hosting service redirects a listed URL or does not serve it.",
        "Build the site with URLs that the service serves directly.",
    ),
    "browser-features": FindingKind(
        "info",
        "The browser script of Material or Zensical cannot use the sitemap.",
        "Name it sitemap.xml, keep it in one file, and list the home page.",
    ),
}
_OF_FILES: dict[str, FindingKind] = {
    "not-well-formed": FindingKind(
        "error",
        "A file is not well-formed XML, has a document type, or cannot be unpacked.",
        "Write it again with an XML library.",
    ),
    "not-a-sitemap": FindingKind(
        "error",
        "The root element is not urlset or sitemapindex in the protocol's namespace.",
        'Write `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`.',
    ),
    "feed": FindingKind(
        "info",
        "A sitemap is a feed (RSS or Atom), which crawlers take and this command does not read.",
        "Check the XML sitemap, which lists all pages.",
    ),
    "encoding": FindingKind(
        "error",
        "A file is not UTF-8.",
        "Save it as UTF-8.",
    ),
    "byte-order-mark": FindingKind(
        "warning",
        "A file begins with a byte order mark, which some crawlers do not accept.",
        "Save it without one.",
    ),
    "empty": FindingKind(
        "error",
        "A file lists no URL, which the protocol does not allow.",
        "Remove the file, or list a URL.",
    ),
    "too-many-urls": FindingKind(
        "error",
        "A file lists more than 50,000 URLs or sitemaps.",
        "Split it.",
    ),
    "too-large": FindingKind(
        "error",
        "A file is larger than 52,428,800 bytes, uncompressed.",
        "Split it.",
    ),
    "gzip-differs": FindingKind(
        "error",
        "The compressed copy of a file has other content.",
        "Compress the file again, or remove the copy.",
    ),
    "nested-index": FindingKind(
        "error",
        "An index lists another index.",
        "List all sitemaps in one index, or name both indexes in robots.txt.",
    ),
    "missing-part": FindingKind(
        "error",
        "An index lists a sitemap that does not exist.",
        "Build the sitemap again.",
    ),
    "part-outside": FindingKind(
        "error",
        "An index lists a sitemap on another host or above its own folder.",
        "Put the sitemaps in the index's folder or below it.",
    ),
    "orphaned-part": FindingKind(
        "warning",
        "A sitemap in the folder is listed neither in an index nor in robots.txt.",
        "Remove the file, or add it to robots.txt.",
    ),
    "index-lastmod": FindingKind(
        "warning",
        "The lastmod of a sitemap in the index is older than the newest one in that sitemap.",
        "Write the sitemap's newest lastmod into the index.",
    ),
    "missing-loc": FindingKind(
        "error",
        "An entry has no `<loc>`, or an empty one.",
        "Add the URL, or remove the entry.",
    ),
    "element-order": FindingKind(
        "warning",
        "The elements of an entry are not in the schema's order.",
        "Write loc, lastmod, changefreq, priority, then extensions.",
    ),
    "unknown-element": FindingKind(
        "warning",
        "An element is not in the protocol, or occurs twice.",
        "Remove it.",
    ),
    "bad-value": FindingKind(
        "error",
        "A changefreq is not one of the protocol's values, or a priority is not from 0.0 to 1.0.",
        "Correct or remove it: search engines ignore both.",
    ),
}
_OF_URLS: dict[str, FindingKind] = {
    "bad-url": FindingKind(
        "error",
        "A URL is not absolute, not http or https, or not percent-encoded.",
        "Correct the URL.",
    ),
    "url-too-long": FindingKind(
        "error",
        "A URL has more than 2,047 characters.",
        "Shorten the page's address.",
    ),
    "long-url": FindingKind(
        "info",
        "A URL has more than 1,024 characters, which Yandex does not read.",
        "Shorten the page's address.",
    ),
    "local-address": FindingKind(
        "error",
        "A URL is on a local server.",
        "Set the site's address, and build again.",
    ),
    "outside-scope": FindingKind(
        "error",
        "A URL is not below the sitemap's folder, or has another scheme, host or port.",
        "Make the site's address and the sitemap's agree; for a preview, use --map-host.",
    ),
    "mixed-hosts": FindingKind(
        "error",
        "One sitemap lists URLs with different schemes, hosts or ports.",
        "List the URLs of one site only.",
    ),
    "duplicate-url": FindingKind(
        "warning",
        "A URL is listed more than once, possibly in different spellings.",
        "List it once.",
    ),
    "session-id": FindingKind(
        "warning",
        KINDS["session-id"].meaning,
        KINDS["session-id"].cure,
    ),
    "hreflang-code": FindingKind(
        "error",
        "The language of a link is not a valid language tag.",
        "Write it as `en`, `pt-BR` or `zh-Hans`.",
    ),
    "hreflang-self": FindingKind(
        "error",
        "A page's hreflang links do not include the page itself.",
        "Add a link to the page itself.",
    ),
    "hreflang-return": FindingKind(
        "error",
        "A page links to a translation that does not link back, so crawlers ignore the link.",
        "Add the link back.",
    ),
    "hreflang-target": FindingKind(
        "error",
        "A page links to a translation on this site that is not listed.",
        "List the translation, or remove the link.",
    ),
}
_OF_DATES: dict[str, FindingKind] = {
    "bad-date": FindingKind(
        "error",
        "A lastmod is not a W3C datetime.",
        "Write it as 2004-12-23 or 2004-12-23T18:00:15+00:00.",
    ),
    "future-date": FindingKind(
        "warning",
        "A lastmod is in the future.",
        "Correct the date, or the machine's clock.",
    ),
    "uniform-dates": FindingKind(
        "warning",
        "Nearly all dates are within minutes of each other, as dates of a build are.",
        "Take the dates from the sources' history, or omit them.",
    ),
    "date-too-new": FindingKind(
        "info",
        "A lastmod is later than the last change of the page's source, if it includes no file.",
        "Take the date from the source's history.",
    ),
    "date-too-old": FindingKind(
        "warning",
        "A lastmod is earlier than the last change of the page's source.",
        "Build the sitemap again.",
    ),
}
_OF_ROBOTS: dict[str, FindingKind] = {
    "not-announced": FindingKind(
        "warning",
        "robots.txt does not name the sitemap.",
        "Add the line that the message shows.",
    ),
    **{
        code: FindingKind(KINDS[code].level, KINDS[code].meaning, KINDS[code].cure)
        for code in (
            *("robots-blocks-sitemap", "robots-not-at-root", "robots-too-long"),
            *("robots-unchecked", "bad-robots", "wrong-base-url", "scheme-differs"),
            "html-unreadable",
        )
    },
}
_OF_ANSWERS: dict[str, FindingKind] = {
    "no-answer": FindingKind(
        "error",
        "The server does not answer for a URL, or not with HTTP.",
        "Repair the server, or give it more time with --timeout and --retries.",
    ),
    "max-time": FindingKind(
        "warning",
        "The time that --max-time gives ran out, so that not all URLs were requested.",
        "Give it more time, or use --sample.",
    ),
    "http-status": FindingKind(
        "error",
        "The server answers for a sitemap or a listed URL with an error.",
        "Correct the address, or publish what it names.",
    ),
    "redirect-loop": FindingKind(
        "error",
        "The server redirects a listed URL or a sitemap in a circle, or on and on.",
        "Correct the server's redirects.",
    ),
    "soft-404": FindingKind(
        "warning",
        "The server answers 200 for a listed URL, but with nothing or with an error page.",
        "Publish the page, or remove the URL, and answer 404 where no page is.",
    ),
    "content-type": FindingKind(
        "warning",
        "The server answers with a Content-Type that does not fit the address.",
        "Set the type: text/html for pages, application/xml for sitemaps.",
    ),
}

FINDINGS = {**_OF_FILES, **_OF_URLS, **_OF_PAGES, **_OF_DATES, **_OF_ANSWERS, **_OF_ROBOTS}
"""Each code's severity, meaning and cure, in the manual's order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong."""

    code: str

    text: str
    """What is wrong, with the value; one sentence without a full stop."""

    url: str = ""
    """The listed URL that it is about; empty for a whole file or site."""

    file: str = ""
    """The sitemap file, as the user knows it."""

    line: int = 0
    """Where in that file, from 1; 0 for all of it."""

    cure: str = ""
    """What to do, where it is more than what all findings with the code have in common."""

    about: str = ""
    """What tells it from others of its kind at the same URL: the language or target of a link."""

    source: str = ""
    """The page's source, relative to the repository; empty where it is not known."""

    matters: Severity | None = None
    """How much it matters, if that differs from most findings with its code."""

    @property
    def severity(self) -> Severity:
        """How much it matters."""
        return self.matters or FINDINGS[self.code].severity

    @property
    def place(self) -> str:
        """Where to look first: the page's source, or the file and the line."""
        return self.source or (f"{self.file}:{self.line}" if self.line else self.file)

    @property
    def is_fetched(self) -> bool:
        """Whether the file is a URL: nothing in the repository is to be shown then."""
        return not self.source and self.file.startswith(("http://", "https://"))

    @property
    def message(self) -> str:
        """The sentence and the cure in one line, safe to print."""
        return printable(f"{self.text}: {self.cure or FINDINGS[self.code].cure}")

    @property
    def fingerprint(self) -> str:
        """What stays the same from run to run, wherever the URL moves to in the file."""
        about = f"\0{self.about}" if self.about else ""
        key = f"{self.code}\0{self.url or self.file or self.text}{about}"
        return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:32]
