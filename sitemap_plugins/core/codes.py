"""Every code of a notice, a finding or a reason to leave a page out, in one table.

A code with several uses stands for the same fact in each of them.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

__all__ = [
    "FINDINGS",
    "NOTICES",
    "REASONS",
    "SEVERITIES",
    "Code",
    "Level",
    "Reason",
    "Severity",
    "Use",
]

Severity = Literal["error", "warning", "info"]
"""How much a finding matters.

`error`: crawlers refuse or ignore what it is about. `warning`: most likely a mistake.
`info`: good to know.
"""

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
"""From the worst."""

Level = Literal["warning", "info"]
"""How much a notice matters.

`warning`: nothing was written, or something needs correcting. `info`: valid but incomplete.
"""

Reason = Literal[
    "draft",
    "hidden",
    "private",
    "not-built",
    "generated",
    "static",
    "front-matter",
    "noindex",
    "redirect",
    "canonical",
    "excluded",
    "robots",
    "missing",
    "bad-url",
    "duplicate",
    "failed",
]
"""Why a page is left out; an adapter may give any of these, and the core decides on the rest."""

Code = str
"""A key of `CODES`: what users suppress, select or ignore, and the manual lists."""


class Use(NamedTuple):
    """What all notices, or all findings, with one code have in common."""

    severity: Severity
    """How much they matter, unless a finding has a severity of its own."""

    meaning: str
    """What has happened; one sentence for the manual."""

    cure: str
    """What to do about it; one sentence."""


class Row(NamedTuple):
    """The uses of one code."""

    notice: Use | None = None
    finding: Use | None = None

    reason: str = ""
    """Why a page is left out; empty if the code is not a reason."""


def _notice(severity: Severity, meaning: str, cure: str) -> Row:
    return Row(notice=Use(severity, meaning, cure))


def _finding(severity: Severity, meaning: str, cure: str) -> Row:
    return Row(finding=Use(severity, meaning, cure))


def _both(severity: Severity, meaning: str, cure: str) -> Row:
    use = Use(severity, meaning, cure)
    return Row(notice=use, finding=use)


CODES: dict[Code, Row] = {
    "no-base-url": _notice(
        "info",
        "The site's address is not set or names no host, so no sitemap is written.",
        "Set `site_url` (MkDocs), `SITEURL` (Pelican) or `html_baseurl` (Sphinx).",
    ),
    "preview-build": _notice(
        "info",
        "This is a deploy preview, which crawlers should not index, so no sitemap is written.",
        "None: the published site gets its sitemap.",
    ),
    "no-pages": _notice(
        "warning",
        "Every page is left out, so no sitemap is written.",
        "Correct what the message names; the verbose output says why each page is left out.",
    ),
    "home-left-out": _notice(
        "info",
        "The site's home page is not in the sitemap.",
        "Correct what the message names, unless the page is meant to be left out.",
    ),
    "bad-metadata": _notice(
        "warning",
        "The front matter of a page, or a value in it, is wrong and is ignored.",
        "Correct the value; the message shows its form.",
    ),
    "bad-option": _notice(
        "warning",
        "The site's address, an option that depends on it, or the generator's settings file"
        " is not valid.",
        "Correct the setting that the message names.",
    ),
    "write-failed": _notice(
        "warning",
        "A file cannot be written; the files written before it are complete.",
        "Check the output folder's permissions and free space.",
    ),
    "old-file": _notice(
        "info",
        "A file of an earlier build cannot be removed; the new sitemap does not use it.",
        "Delete the file.",
    ),
    "replaced-file": _notice(
        "info",
        "A sitemap.xml of another origin, such as the project's own, is replaced and not used.",
        "Delete it, let only one program write the file, or choose another `filename`.",
    ),
    "other-stylesheet": _notice(
        "info",
        "The folder has a sitemap.css of another origin; it is kept, and the sitemap has no style.",
        "Rename or remove that file, or set `stylesheet` to false.",
    ),
    "internal-error": _notice(
        "warning",
        "The plugin failed because of a bug; no sitemap is written.",
        "Report the bug with the whole message.",
    ),
    "url-scheme": _notice(
        "info",
        "Sphinx: `sitemap_url_scheme` repeats the base URL, or is unset, so URLs have no folders.",
        "Remove the option, or set it; the message says which.",
    ),
    "url-form": _notice(
        "info",
        "Most canonical links omit `index.html` or `.html`, so the sitemap does too.",
        "None if your server serves these URLs; otherwise correct the theme's canonical links.",
    ),
    "same-slug": _notice(
        "info",
        "Pelican: contents in one language share a slug, so they have no links to translations.",
        "Give each a slug of its own.",
    ),
    "found-languages": _notice(
        "info",
        "Sphinx: pages link to versions in all languages for which `locale_dirs` has translations.",
        "Set `sitemap_locales` to the languages that are published.",
    ),
    "host-rule": _notice(
        "info",
        "The hosting service's file `_headers` or `_redirects` leaves out pages, or is not read.",
        "None if the line in the message is meant; otherwise correct it.",
    ),
    "robots-other-line": _notice(
        "info",
        "A `Sitemap:` line in robots.txt has another scheme, or is a relative URL.",
        "Correct or remove that line; the plugin adds a correct one and does not change yours.",
    ),
    "unused-pattern": _notice(
        "info",
        "A pattern in the options matches no page, or one in `files` no file.",
        "Correct or remove it; patterns match URL paths and names of sources.",
    ),
    "missing-source": _notice(
        "info",
        "A file named in `sources` does not exist.",
        "Correct or remove the entry; it does not affect dates.",
    ),
    "no-source": _notice(
        "info",
        "Pages have no source that can be found, or dated by git, so they have no date.",
        "Name their sources as the message says.",
    ),
    "unknown-include": _notice(
        "info",
        "Some of what a page includes is unknown, so the page has no date.",
        "Write `lastmod` in the page's front matter.",
    ),
    "sitemap-changed": _notice(
        "info",
        "A hook or another plugin changed the sitemap after it was written; the change is kept.",
        "Use an option or the front matter instead, and remove the hook.",
    ),
    "no-longer-listed": _notice(
        "info",
        "The previous sitemap listed a URL that the new one leaves out.",
        "None if the reason in the message is right.",
    ),
    "newly-listed": _notice(
        "info",
        "The new sitemap lists a page that the previous one did not.",
        "None if the page is meant to be found; otherwise exclude it.",
    ),
    "other-sitemap": _notice(
        "info",
        "A sitemap of another program stays in the folder and lists most of the same pages.",
        "Delete it, or set `filename` to its name, so that it is replaced.",
    ),
    "late-file": _notice(
        "info",
        "A source that git cannot date is newer than `SOURCE_DATE_EPOCH`, so the page has no date.",
        "Set the variable to the time of the last change, or leave it unset.",
    ),
    "no-git": _notice(
        "info",
        "Git is not installed, so no page has a date from git.",
        "Install git where the site is built.",
    ),
    "no-commits": _notice(
        "info",
        "The repository has no commits yet.",
        "Commit the pages.",
    ),
    "no-repository": _notice(
        "info",
        "The sources are not in a git repository, and their file times are those of a copy.",
        "Build from a clone of the repository, with its `.git` folder.",
    ),
    "shallow-clone": _notice(
        "info",
        "The clone is shallow; pages last changed before it starts have no date.",
        "Fetch the whole history; the message says how to on your CI service.",
    ),
    "dubious-ownership": _notice(
        "info",
        "Git refuses to read a repository that belongs to another user.",
        "Add the folder to git's `safe.directory`.",
    ),
    "git-failed": _notice(
        "info",
        "Git failed or took too long, so no page has a date from git.",
        "Run the command in the message and fix what git reports.",
    ),
    "ignore-revs": _notice(
        "info",
        "The list of commits to ignore cannot be read in full.",
        "Correct the file or the option `ignore_revs`.",
    ),
    "draft": Row(reason="the generator treats the page as a draft"),
    "hidden": Row(reason="the generator treats the page as hidden"),
    "private": Row(reason="the page's metadata says `Private: True`"),
    "not-built": Row(
        reason="the generator's settings exclude the page, such as `exclude_docs` in MkDocs"
    ),
    "static": Row(
        reason="the generator only copied the HTML file; the option `static_html` lists it"
    ),
    "failed": Row(
        reason="the plugin failed on the page because of a bug",
        notice=Use(
            "warning",
            "The plugin failed on a page because of a bug, so the page is left out.",
            "Report the bug with the whole message.",
        ),
    ),
    "not-well-formed": _finding(
        "error",
        "A file is not well-formed XML, has a document type, or cannot be unpacked.",
        "Write it again with an XML library.",
    ),
    "not-a-sitemap": _finding(
        "error",
        "The root element is not urlset or sitemapindex in the protocol's namespace.",
        'Write `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`.',
    ),
    "feed": _finding(
        "info",
        "A sitemap is a feed (RSS or Atom), which crawlers accept and this command does not read.",
        "Check the XML sitemap, which lists all pages.",
    ),
    "encoding": _finding(
        "error",
        "A file is not UTF-8.",
        "Save it as UTF-8.",
    ),
    "byte-order-mark": _finding(
        "warning",
        "A file begins with a byte order mark, which some crawlers do not accept.",
        "Save it without one.",
    ),
    "empty": _finding(
        "error",
        "A file lists no URL, which the protocol does not allow.",
        "Remove the file, or list a URL.",
    ),
    "too-many-urls": _finding(
        "error",
        "A file lists more than 50,000 URLs or sitemaps.",
        "Split it.",
    ),
    "too-large": _finding(
        "error",
        "A file is larger than 52,428,800 bytes, uncompressed.",
        "Split it.",
    ),
    "gzip-differs": _finding(
        "error",
        "The compressed copy of a file has other content.",
        "Compress the file again, or remove the copy.",
    ),
    "nested-index": _finding(
        "error",
        "An index lists another index.",
        "List all sitemaps in one index, or name both indexes in robots.txt.",
    ),
    "missing-part": _finding(
        "error",
        "An index lists a sitemap that does not exist.",
        "Build the sitemap again.",
    ),
    "part-outside": _finding(
        "error",
        "An index lists a sitemap on another host or above its own folder.",
        "Put the sitemaps in the index's folder or below it.",
    ),
    "orphaned-part": _finding(
        "warning",
        "A sitemap in the site's top folder is listed neither in an index nor in robots.txt.",
        "Remove the file, or add it to robots.txt.",
    ),
    "index-lastmod": _finding(
        "warning",
        "The lastmod of a sitemap in the index is older than the newest one in that sitemap.",
        "Write the sitemap's newest lastmod into the index.",
    ),
    "missing-loc": _finding(
        "error",
        "An entry has no `<loc>`, or an empty one.",
        "Add the URL, or remove the entry.",
    ),
    "element-order": _finding(
        "warning",
        "The elements of an entry are not in the schema's order.",
        "Write loc, lastmod, changefreq, priority, then extensions.",
    ),
    "unknown-element": _finding(
        "warning",
        "An element is not in the protocol, or occurs twice.",
        "Remove it.",
    ),
    "bad-value": _finding(
        "error",
        "A changefreq is not one of the protocol's values, or a priority is not from 0.0 to 1.0.",
        "Correct or remove it: search engines ignore both.",
    ),
    "bad-url": Row(
        reason="the page's URL is not valid in a sitemap",
        notice=Use(
            "warning",
            "A page's URL is not valid in a sitemap, so the page is left out.",
            "Correct the page's URL or its file's name.",
        ),
        finding=Use(
            "error",
            "A URL is not absolute, not http or https, or not percent-encoded.",
            "Correct the URL.",
        ),
    ),
    "url-too-long": _finding(
        "error",
        "A URL has more than 2,047 characters.",
        "Shorten the page's address.",
    ),
    "long-url": _finding(
        "info",
        "A URL has more than 1,024 characters, which Yandex does not read.",
        "Shorten the page's address.",
    ),
    "local-address": Row(
        notice=Use(
            "info",
            "A `Sitemap:` line in robots.txt is on a local server, such as the one of mystmd.",
            "Remove that line.",
        ),
        finding=Use(
            "error",
            "A URL is on a local server.",
            "Set the site's address, and build again.",
        ),
    ),
    "outside-scope": _finding(
        "error",
        "A URL is not below the sitemap's folder, or has another scheme, host or port.",
        "Make the site's address and the sitemap's agree; for a preview, use --map-host.",
    ),
    "mixed-hosts": _finding(
        "error",
        "One sitemap lists URLs with different schemes, hosts or ports.",
        "List the URLs of one site only.",
    ),
    "duplicate": Row(
        reason="another page has the same URL",
        notice=Use(
            "warning",
            "Several pages have the same URL; only the one written last is listed.",
            "Give one of them another URL.",
        ),
        finding=Use(
            "warning",
            "A URL is listed more than once, possibly in different spellings.",
            "List it once.",
        ),
    ),
    "session-id": _both(
        "warning",
        "A URL contains a session identifier.",
        "Remove it from the URL.",
    ),
    "hreflang-code": _finding(
        "error",
        "The language of a link is not a valid language tag.",
        "Write it as `en`, `pt-BR` or `zh-Hans`.",
    ),
    "hreflang-self": _finding(
        "error",
        "A page's hreflang links do not include the page itself.",
        "Add a link to the page itself.",
    ),
    "hreflang": Row(
        notice=Use(
            "warning",
            "The links between a page's translations are incomplete or contradict each other.",
            "Link each language to exactly one page.",
        ),
        finding=Use(
            "error",
            (
                "A page links to a translation that does not link back or, on this site, is not"
                " listed."
            ),
            "Add the link back, list the translation, or remove the link.",
        ),
    ),
    "missing": Row(
        reason="the page's file is missing from the output folder, or empty",
        finding=Use(
            "error",
            "A listed URL has no file in the folder, or an empty one.",
            "Remove the URL, or build the page.",
        ),
    ),
    "noindex": Row(
        reason="the page's front matter or HTML, or the file `_headers`, says noindex",
        finding=Use(
            "error",
            "A listed page says noindex.",
            "Remove the page from the sitemap, or noindex from the page.",
        ),
    ),
    "redirect": Row(
        reason="the page's HTML, or the file `_redirects`, redirects to another address",
        finding=Use(
            "error",
            "A listed page, or a sitemap, redirects to another address.",
            "List the address it redirects to.",
        ),
    ),
    "canonical": Row(
        reason="the page's canonical link names another URL",
        finding=Use(
            "error",
            "The canonical link of a listed page names another URL.",
            "List the canonical URL, or correct the page's canonical link.",
        ),
    ),
    "dead-canonical": Row(
        notice=Use(
            "info",
            "A page is left out, because its canonical link names an address where no page is.",
            "Correct the canonical link.",
        ),
        finding=Use(
            "warning",
            "The canonical link of a page names an address on this site where no page is.",
            "Correct the page's canonical link.",
        ),
    ),
    "several-canonicals": _finding(
        "warning",
        "A page has canonical links to different URLs, so crawlers may ignore them all.",
        "Keep one of the links.",
    ),
    "robots": Row(
        reason="robots.txt disallows the page for every crawler",
        finding=Use(
            "error",
            "robots.txt disallows a listed URL for every crawler, or for Googlebot or bingbot.",
            "Allow the URL, or remove it from the sitemap.",
        ),
    ),
    "generated": Row(
        reason="the generator made the page: search, an index, source code, an error page",
        finding=Use(
            "warning",
            "A listed page is one that the generator adds (search, an index), or an error page.",
            "Remove the page from the sitemap.",
        ),
    ),
    "front-matter": Row(
        reason="the page's front matter says `sitemap: false`",
        finding=Use(
            "warning",
            "A listed page's front matter says `sitemap: false`.",
            "Build the sitemap again.",
        ),
    ),
    "excluded": Row(
        reason="the option `exclude` matches",
        finding=Use(
            "warning",
            "The option `exclude` matches a listed page.",
            "Build the sitemap again.",
        ),
    ),
    "not-listed": _finding(
        "warning",
        "A page that may be indexed is not listed.",
        "Build the sitemap again, or exclude the page.",
    ),
    "required": _finding(
        "error",
        "No listed URL matches a pattern that must match one.",
        "List the page, or correct the pattern.",
    ),
    "broken-link": _finding(
        "warning",
        "A page links to a page of this site that does not exist.",
        "Correct the link.",
    ),
    "host-redirects": Row(
        notice=Use(
            "info",
            "Cloudflare builds the site, and redirects every URL that ends in `.html` or `/index`.",
            "Let URLs end in a slash; the message says how.",
        ),
        finding=Use(
            "warning",
            "The hosting service redirects a listed URL or does not serve it.",
            "Build the site with URLs that the service serves directly.",
        ),
    ),
    "browser-features": _finding(
        "info",
        "The browser script of Material or Zensical cannot use the sitemap.",
        "Name it sitemap.xml, keep it in one file, and list the home page.",
    ),
    "bad-date": _finding(
        "error",
        "A lastmod is not a W3C datetime.",
        "Write it as 2004-12-23 or 2004-12-23T18:00:15+00:00.",
    ),
    "future-date": Row(
        notice=Use(
            "info",
            "A page's date is in the future; the page is listed without it.",
            "Correct the date, or the machine's clock.",
        ),
        finding=Use(
            "warning",
            "A lastmod is in the future.",
            "Correct the date, or the machine's clock.",
        ),
    ),
    "uniform-dates": _finding(
        "warning",
        "Nearly all dates are within minutes of each other, as dates of a build are.",
        "Take the dates from the sources' history, or omit them.",
    ),
    "date-too-new": _finding(
        "info",
        "A lastmod is later than the last change to the source of a page that includes no file.",
        "Take the date from the source's history.",
    ),
    "date-too-old": _finding(
        "warning",
        "A lastmod is earlier than the last change of the page's source.",
        "Build the sitemap again.",
    ),
    "no-answer": _finding(
        "error",
        "The server does not answer for a URL, or not with HTTP.",
        "Repair the server, or give it more time with --timeout and --retries.",
    ),
    "max-time": _finding(
        "warning",
        "The time set by --max-time ran out before all URLs were requested.",
        "Give it more time, or use --sample.",
    ),
    "http-status": _finding(
        "error",
        "The server answers with an error for a sitemap or a listed URL.",
        "Correct the address, or publish what it names.",
    ),
    "redirect-loop": _finding(
        "error",
        "The server redirects a listed URL or a sitemap in a loop, or too many times.",
        "Correct the server's redirects.",
    ),
    "soft-404": _finding(
        "warning",
        "The server answers 200 for a listed URL, but with nothing or with an error page.",
        "Publish the page, or remove the URL, and answer 404 where no page is.",
    ),
    "content-type": _finding(
        "warning",
        "The server answers with a Content-Type that does not fit the address.",
        "Set the type: text/html for pages, application/xml for sitemaps.",
    ),
    "not-announced": _finding(
        "warning",
        "robots.txt does not name the sitemap.",
        "Add the line that the message shows.",
    ),
    "robots-blocks-sitemap": _both(
        "warning",
        "A rule in robots.txt blocks every crawler from the sitemap.",
        "Allow the sitemap's URL.",
    ),
    "robots-not-at-root": _both(
        "info",
        "Crawlers read robots.txt only at the root of a host, and this site is in a folder below.",
        "Add the line that the message shows to the robots.txt at the root.",
    ),
    "robots-too-long": _both(
        "info",
        "The `Sitemap:` line is beyond the part of robots.txt that every crawler reads.",
        "Put a `Sitemap:` line near the top.",
    ),
    "robots-unchecked": _both(
        "info",
        "robots.txt has too many crawlers and rules to check each page against.",
        "Merge groups and rules; until then, robots.txt excludes no page.",
    ),
    "bad-robots": Row(
        notice=Use(
            "warning",
            "robots.txt cannot be read, so it is not changed.",
            "Save robots.txt as UTF-8 text.",
        ),
        finding=Use(
            "warning",
            "robots.txt cannot be read, or the server does not answer with it.",
            "Save robots.txt as UTF-8 text, and let the server answer with it.",
        ),
    ),
    "wrong-base-url": _both(
        "warning",
        "The site's address does not match the pages' canonical links or mike's versions.",
        "Make the site's address and the theme's canonical links agree.",
    ),
    "old-version": Row(
        notice=Use(
            "info",
            "The version that is built names the pages of another version as canonical.",
            "None if readers should find that version; old builds are mended by `versions`.",
        ),
        finding=Use(
            "warning",
            "A page of an old version does not name the same page of the default version.",
            "Run `sitemap-plugins versions --write`, which puts in the canonical link.",
        ),
    ),
    "scheme-differs": _both(
        "warning",
        "Canonical links use `http` and the sitemap `https`, or the other way round.",
        "Use one scheme in both.",
    ),
    "html-unreadable": _both(
        "info",
        "A built page cannot be read, or not to the end of its head, so its HTML is not checked.",
        "Check the built file.",
    ),
}
"""Each code's uses, in the manual's order."""

NOTICES = {code: row.notice for code, row in CODES.items() if row.notice}
FINDINGS = {code: row.finding for code, row in CODES.items() if row.finding}
REASONS = {code: row.reason for code, row in CODES.items() if row.reason}
