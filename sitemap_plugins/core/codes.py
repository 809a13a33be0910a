"""Every code of a notice, a finding or a reason to leave a page out, in one table.

A code with several uses stands for the same fact in each of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "CODES",
    "FINDINGS",
    "MANUAL",
    "NOTICES",
    "REASONS",
    "SEVERITIES",
    "Code",
    "Level",
    "Reason",
    "Severity",
    "Use",
    "manual_url",
]

MANUAL = ""
"""The address of the manual, with a last slash; until it has one, nothing links to it."""

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

    example: str = ""
    """What causes it: entries of a sitemap or an index, or the files that `# name` precedes."""

    ignore: str = ""
    """When nothing needs to be done: sentences for the manual."""

    def uses(self) -> Iterator[tuple[str, Use]]:
        """Yield the name of each use and what it means; once, if a code means the same in both."""
        if self.finding == self.notice:
            names = {"finding and notice": self.finding}
        else:
            names = {"finding": self.finding, "notice": self.notice}
        yield from ((name, use) for name, use in names.items() if use)


def _notice(severity: Severity, meaning: str, cure: str, *, example: str, ignore: str) -> Row:
    return Row(notice=Use(severity, meaning, cure), example=example, ignore=ignore)


def _finding(severity: Severity, meaning: str, cure: str, *, example: str, ignore: str) -> Row:
    return Row(finding=Use(severity, meaning, cure), example=example, ignore=ignore)


def _both(severity: Severity, meaning: str, cure: str, *, example: str, ignore: str) -> Row:
    use = Use(severity, meaning, cure)
    return Row(notice=use, finding=use, example=example, ignore=ignore)


CODES: dict[Code, Row] = {
    "no-base-url": _notice(
        "info",
        "The site's address is not set or names no host, so no sitemap is written.",
        "Set `site_url` (MkDocs), `SITEURL` (Pelican) or `html_baseurl` (Sphinx).",
        example="# mkdocs.yml\nsite_name: My site",
        ignore="If the build is not published: in tests, or on your machine for Read the Docs.",
    ),
    "preview-build": _notice(
        "info",
        "This is a deploy preview, which crawlers should not index, so no sitemap is written.",
        "None: the published site gets its sitemap.",
        example="NETLIFY=true CONTEXT=deploy-preview mkdocs build",
        ignore=(
            "Always for a preview. If the build is the published site, correct the variables that"
            " show a preview."
        ),
    ),
    "no-pages": _notice(
        "warning",
        "Every page is left out, so no sitemap is written.",
        "Correct what the message names; the verbose output says why each page is left out.",
        example='# mkdocs.yml\nplugins:\n  - sitemap:\n      exclude: ["*"]',
        ignore="If no page of the site should be found: then remove the plugin.",
    ),
    "home-left-out": _notice(
        "info",
        "The site's home page is not in the sitemap.",
        "Correct what the message names, unless the page is meant to be left out.",
        example="# docs/index.md\n---\nrobots: noindex\n---",
        ignore="If the home page only redirects, for example to a language or a version.",
    ),
    "bad-metadata": _notice(
        "warning",
        "The front matter of a page, or a value in it, is wrong and is ignored.",
        "Correct the value; the message shows its form.",
        example="# docs/about.md\n---\nsitemap:\n  priority: high\n---",
        ignore="Never: the author expects the value to have an effect.",
    ),
    "bad-option": _notice(
        "warning",
        "The site's address, an option that depends on it, or the generator's settings file"
        " is not valid.",
        "Correct the setting that the message names.",
        example="# mkdocs.yml\nsite_url: www.example.com",
        ignore="Never: the setting has no effect, or no sitemap is written.",
    ),
    "write-failed": _notice(
        "warning",
        "A file cannot be written; the files written before it are complete.",
        "Check the output folder's permissions and free space.",
        example="chmod a-w site && mkdocs build",
        ignore="Never: the published sitemap is missing or out of date.",
    ),
    "old-file": _notice(
        "info",
        "A file of an earlier build cannot be removed; the new sitemap does not use it.",
        "Delete the file.",
        example="chmod a-w public && sitemap-plugins build public",
        ignore="If the output folder is deleted before it is published.",
    ),
    "replaced-file": _notice(
        "info",
        "A sitemap.xml of another origin, such as the project's own, is replaced and not used.",
        "Delete it, let only one program write the file, or choose another `filename`.",
        example="# docs/sitemap.xml\n<urlset>…</urlset>",
        ignore="If the old file is a leftover that the new sitemap should replace.",
    ),
    "other-stylesheet": _notice(
        "info",
        "The folder has a sitemap.css of another origin; it is kept, and the sitemap has no style.",
        "Rename or remove that file, or set `stylesheet` to false.",
        example="# docs/sitemap.css\nbody { color: #333 }",
        ignore="If nobody looks at the sitemap in a browser: search engines need no style sheet.",
    ),
    "other-dates": _notice(
        "info",
        "Another plugin gives the theme the dates that pages show, so `page_dates` does nothing.",
        "Remove that plugin, or set `page_dates` to false.",
        example="plugins: [git-revision-date-localized, {sitemap: {page_dates: true}}]",
        ignore="If pages are to show that plugin's dates for now, while you compare the two.",
    ),
    "internal-error": _notice(
        "warning",
        "The plugin failed because of a bug; no sitemap is written.",
        "Report the bug with the whole message.",
        example="sitemap failed because of a bug: KeyError: 'x' (…)",
        ignore="Never: the site has no new sitemap.",
    ),
    "url-scheme": _notice(
        "info",
        "Sphinx: `sitemap_url_scheme` repeats the base URL, or is unset, so URLs have no folders.",
        "Remove the option, or set it; the message says which.",
        example=(
            "# conf.py\n"
            'html_baseurl = "https://example.com/en/latest/"\n'
            'sitemap_url_scheme = "{lang}{version}{link}"'
        ),
        ignore="If readers find the pages at the URLs in the sitemap.",
    ),
    "url-form": _notice(
        "info",
        "The sitemap names or omits `index.html` or `.html` as the canonical links do.",
        "None if your server serves these URLs; otherwise correct the theme's canonical links.",
        example='# site/guide.html\n<link rel="canonical" href="https://example.com/guide">',
        ignore="If `sitemap-plugins check` with the site's domain finds no fault at these URLs.",
    ),
    "same-slug": _notice(
        "info",
        "Pelican: contents in one language share a slug, so they have no links to translations.",
        "Give each a slug of its own.",
        example="# content/intro.md\nSlug: start\n# content/first-steps.md\nSlug: start",
        ignore="If the contents are not translations of each other: they are listed in any case.",
    ),
    "found-languages": _notice(
        "info",
        "Sphinx: pages link to versions in all languages for which `locale_dirs` has translations.",
        "Set `sitemap_locales` to the languages that are published.",
        example='# conf.py\nlocale_dirs = ["locales"]  # It holds de, fr and ja.',
        ignore="If all these languages are published at the addresses in the sitemap.",
    ),
    "host-rule": _notice(
        "info",
        "The hosting service's file `_headers` or `_redirects` leaves out pages, or is not read.",
        "None if the line in the message is meant; otherwise correct it.",
        example="# site/_headers\n/drafts/*\n  X-Robots-Tag: noindex",
        ignore="If the rule is meant, or another service hosts the site and does not read it.",
    ),
    "robots-other-line": _notice(
        "info",
        "A `Sitemap:` line in robots.txt has another scheme, or is a relative URL.",
        "Correct or remove that line; the plugin adds a correct one and does not change yours.",
        example="# robots.txt\nSitemap: /sitemap.xml",
        ignore="If another program needs the line: crawlers read the correct one too.",
    ),
    "unused-pattern": _notice(
        "info",
        "A pattern in the options matches no page, or one in `files` no file.",
        "Correct or remove it; patterns match URL paths and names of sources.",
        example=(
            "# mkdocs.yml\n"
            "plugins:\n"
            "  - sitemap:\n"
            "      exclude: [draft/]  # The folder is named drafts."
        ),
        ignore=(
            "If only some builds have the pages. A pattern copied from another sitemap plugin may"
            " be for pages that this one never lists, such as `404.html` in MkDocs: remove it."
        ),
    ),
    "missing-source": _notice(
        "info",
        "A file named in `sources` does not exist.",
        "Correct or remove the entry; it does not affect dates.",
        example="# docs/about.md\n---\nsitemap:\n  sources: [../team.yml]\n---",
        ignore="If the file exists only on some machines: dates then come from the other sources.",
    ),
    "no-source": _notice(
        "info",
        "Pages have no source that can be found, or dated by git, so they have no date.",
        "Name their sources as the message says.",
        example="$ git status --short docs\n?? docs/about.md",
        ignore="If programs make the pages: an entry without a date is valid.",
    ),
    "unknown-include": _notice(
        "info",
        "Some of what a page includes is unknown, so the page has no date.",
        "Write `lastmod` in the page's front matter.",
        example='# docs/about.md\n{% include-markdown "https://example.com/notice.md" %}',
        ignore="If the page needs no date: an entry without one is valid.",
    ),
    "sitemap-changed": _notice(
        "info",
        "A hook or another plugin changed the sitemap after it was written; the change is kept.",
        "Use an option or the front matter instead, and remove the hook.",
        example=(
            "# hooks.py\n"
            "def on_post_build(config):\n"
            '    path = Path(config.site_dir, "sitemap.xml")\n'
            '    path.write_text(path.read_text().replace("/latest/", "/stable/"))'
        ),
        ignore="If no option can do what the hook does, and `check` finds the sitemap valid.",
    ),
    "no-longer-listed": _notice(
        "info",
        "The previous sitemap listed a URL that the new one leaves out.",
        "None if the reason in the message is right.",
        example=(
            "sitemap.xml before: https://example.com/tags/\nsitemap.xml now: left out (generated)"
        ),
        ignore="If the page should not be found, for the reason in the message.",
    ),
    "newly-listed": _notice(
        "info",
        "The new sitemap lists a page that the previous one did not.",
        "None if the page is meant to be found; otherwise exclude it.",
        example=(
            "sitemap.xml before: 40 URLs\n"
            "sitemap.xml now: 41 URLs, also https://example.com/licence/"
        ),
        ignore="If the page should be found.",
    ),
    "other-sitemap": _notice(
        "info",
        "A sitemap of another program stays in the folder and lists most of the same pages.",
        "Delete it, or set `filename` to its name, so that it is replaced.",
        example=(
            "public/sitemap.xml      written by sitemap-plugins\n"
            "public/sitemap-0.xml    written by another program"
        ),
        ignore="If both sitemaps are meant and robots.txt names both.",
    ),
    "late-file": _notice(
        "info",
        "A source that git cannot date is newer than `SOURCE_DATE_EPOCH`, so the page has no date.",
        "Set the variable to the time of the last change, or leave it unset.",
        example="SOURCE_DATE_EPOCH=1700000000 sphinx-build docs build  # November 2023",
        ignore="If the build only tests whether it is reproducible.",
    ),
    "no-git": _notice(
        "info",
        "Git is not installed, so no page has a date from git.",
        "Install git where the site is built.",
        example="FROM python:3.13-slim\nRUN pip install mkdocs sitemap-plugins && mkdocs build",
        ignore="If the pages have dates in their front matter, or need none.",
    ),
    "no-commits": _notice(
        "info",
        "The repository has no commits yet.",
        "Commit the pages.",
        example="git init && mkdocs build",
        ignore="If the project is new: the notice disappears with the first commit.",
    ),
    "no-repository": _notice(
        "info",
        "The sources are not in a git repository, and their file times are those of a copy.",
        "Build from a clone of the repository, with its `.git` folder.",
        example="# Dockerfile\nCOPY docs/ /src/docs/",
        ignore="If the pages have dates in their front matter, or need none.",
    ),
    "shallow-clone": _notice(
        "info",
        "The clone is shallow; pages last changed before it starts have no date.",
        "Fetch the whole history; the message says how to on your CI service.",
        example="- uses: actions/checkout@v6  # Without fetch-depth: 0.",
        ignore="If the build is not published, such as one that only runs tests.",
    ),
    "dubious-ownership": _notice(
        "info",
        "Git refuses to read a repository that belongs to another user.",
        "Add the folder to git's `safe.directory`.",
        example='docker run -v "$PWD:/src" -w /src builder mkdocs build',
        ignore="If the pages have dates in their front matter, or need none.",
    ),
    "git-failed": _notice(
        "info",
        "Git failed or took too long, so no page has a date from git.",
        "Run the command in the message and fix what git reports.",
        example="$ git log\nfatal: bad object HEAD",
        ignore="If the pages have dates in their front matter, or need none.",
    ),
    "ignore-revs": _notice(
        "info",
        "The list of commits to ignore cannot be read in full.",
        "Correct the file or the option `ignore_revs`.",
        example="# .git-blame-ignore-revs\n6ba7b81",
        ignore="If it does not matter that the commits in the list count as changes.",
    ),
    "draft": Row(
        reason="the generator treats the page as a draft",
        example="# content/article.md\nStatus: draft",
        ignore="If the page is not finished. To list it, remove the mark.",
    ),
    "hidden": Row(
        reason="the generator treats the page as hidden",
        example="# content/pages/thanks.md\nStatus: hidden",
        ignore=(
            "If readers should not find the page by searching. To list it, write `sitemap: true`"
            " in its front matter."
        ),
    ),
    "private": Row(
        reason="the page's metadata says `Private: True`",
        example="# content/article.md\nPrivate: True",
        ignore="If the page is only for some readers. To list it, remove the line.",
    ),
    "not-built": Row(
        reason="the generator's settings exclude the page, such as `exclude_docs` in MkDocs",
        example="# mkdocs.yml\nexclude_docs: drafts/",
        ignore="If the setting is meant: the page is not on the site.",
    ),
    "static": Row(
        reason="the generator only copied the HTML file; the option `static_html` lists it",
        example="# docs/demo.html\n<!doctype html><title>Demo</title>",
        ignore="If the file is only a part of other pages, such as a demo in a frame.",
    ),
    "failed": Row(
        reason="the plugin failed on the page because of a bug",
        notice=Use(
            "warning",
            "The plugin failed on a page because of a bug, so the page is left out.",
            "Report the bug with the whole message.",
        ),
        example="the plugin failed because of a bug: ValueError: … (…)",
        ignore="Never: the page is missing from the sitemap.",
    ),
    "not-well-formed": _finding(
        "error",
        "A file is not well-formed XML, has a document type, cannot be unpacked, or is plain though"
        " its name ends in .gz.",
        "Write it again with an XML library.",
        example="<url><loc>https://example.com/?a=1&b=2</loc></url>",
        ignore="Never: crawlers may read nothing after the fault, or nothing at all.",
    ),
    "not-a-sitemap": _finding(
        "error",
        "The root element is not urlset or sitemapindex in the protocol's namespace.",
        'Write `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`.',
        example="<!doctype html>\n<html><body><h1>Page not found</h1></body></html>",
        ignore="Never: crawlers reject the file.",
    ),
    "feed": _finding(
        "info",
        "A sitemap is a feed (RSS or Atom), which crawlers accept and this command does not read.",
        "Check the XML sitemap, which lists all pages.",
        example=(
            "# robots.txt\n"
            "Sitemap: https://example.com/feed.xml\n"
            "# feed.xml\n"
            '<rss version="2.0"><channel></channel></rss>'
        ),
        ignore="If an XML sitemap lists the same pages: a feed names only the newest ones.",
    ),
    "encoding": _finding(
        "error",
        "A file is not UTF-8.",
        "Save it as UTF-8.",
        example=(
            '<?xml version="1.0" encoding="ISO-8859-1"?>\n'
            '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
            "<url><loc>https://example.com/</loc></url>\n"
            "</urlset>"
        ),
        ignore="Never: the protocol requires UTF-8.",
    ),
    "byte-order-mark": _finding(
        "warning",
        "A file begins with a byte order mark, which some crawlers do not accept.",
        "Save it without one.",
        example="EF BB BF 3C 3F 78 6D 6C    ...<?xml",
        ignore="If the search engines that matter to you report no error.",
    ),
    "empty": _finding(
        "error",
        "A file lists no URL, which the protocol does not allow.",
        "Remove the file, or list a URL.",
        example='<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n</urlset>',
        ignore="If the site has no pages yet. Search engines report an error until it has.",
    ),
    "too-many-urls": _finding(
        "error",
        "A file lists more than 50,000 URLs or sitemaps.",
        "Split it.",
        example='$ grep -c "<loc>" sitemap.xml\n50001',
        ignore="Never: search engines reject the file.",
    ),
    "too-large": _finding(
        "error",
        "A file is larger than 52,428,800 bytes, uncompressed.",
        "Split it.",
        example="$ wc -c sitemap.xml\n52428801 sitemap.xml",
        ignore="Never: search engines reject the file.",
    ),
    "gzip-differs": _finding(
        "error",
        "The compressed copy of a file has other content.",
        "Compress the file again, or remove the copy.",
        example=(
            "$ gunzip -c sitemap.xml.gz | diff - sitemap.xml\n< <loc>https://example.com/old/</loc>"
        ),
        ignore="Never: crawlers that read the copy see another sitemap.",
    ),
    "nested-index": _finding(
        "error",
        "An index lists another index.",
        "List all sitemaps in one index, or name both indexes in robots.txt.",
        example=(
            "# sitemap.xml\n"
            '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
            "<sitemap><loc>https://example.com/blog.xml</loc></sitemap>\n"
            "</sitemapindex>\n"
            "# blog.xml\n"
            '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
            "<sitemap><loc>https://example.com/2026.xml</loc></sitemap>\n"
            "</sitemapindex>"
        ),
        ignore="Never: crawlers do not read the sitemaps in the inner index.",
    ),
    "missing-part": _finding(
        "error",
        "An index lists a sitemap that does not exist.",
        "Build the sitemap again.",
        example="<sitemap><loc>https://example.com/gone.xml</loc></sitemap>",
        ignore="If another build publishes the part at that address.",
    ),
    "part-outside": _finding(
        "error",
        "An index lists a sitemap on another host or above its own folder.",
        "Put the sitemaps in the index's folder or below it.",
        example="<sitemap><loc>https://cdn.example.net/part.xml</loc></sitemap>",
        ignore="If the owner of both hosts is verified in each search engine's console.",
    ),
    "orphaned-part": _finding(
        "warning",
        "A sitemap in the site's top folder is listed neither in an index nor in robots.txt.",
        "Remove the file, or add it to robots.txt.",
        example="# sitemap-old.xml\n<url><loc>https://example.com/about/</loc></url>",
        ignore="If you submitted the file to search engines by hand.",
    ),
    "index-lastmod": _finding(
        "warning",
        "The lastmod of a sitemap in the index is older than the newest one in that sitemap.",
        "Write the sitemap's newest lastmod into the index.",
        example=(
            "# sitemap.xml\n"
            "<sitemap><loc>https://example.com/pages.xml</loc><lastmod>2024-01-01</lastmod></sitemap>\n"
            "# pages.xml\n"
            "<url><loc>https://example.com/</loc><lastmod>2024-05-01</lastmod></url>"
        ),
        ignore="If the site is small: search engines then read all its sitemaps anyway.",
    ),
    "missing-loc": _finding(
        "error",
        "An entry has no `<loc>`, or an empty one.",
        "Add the URL, or remove the entry.",
        example="<url><lastmod>2024-05-01</lastmod></url>",
        ignore="Never: an entry without a URL is an error to every search engine.",
    ),
    "element-order": _finding(
        "warning",
        "The elements of an entry are not in the schema's order.",
        "Write loc, lastmod, changefreq, priority, then extensions.",
        example="<url><lastmod>2024-05-01</lastmod><loc>https://example.com/about/</loc></url>",
        ignore="If the search engines that matter to you report no error.",
    ),
    "unknown-element": _finding(
        "warning",
        "An element is not in the protocol, occurs twice, or has a namespace that crawlers do not"
        " know.",
        "Remove it, or correct its namespace.",
        example="<url><loc>https://example.com/about/</loc><title>About us</title></url>",
        ignore="If a program of your own reads the element: then give it its own namespace.",
    ),
    "bad-value": _finding(
        "error",
        "A changefreq, a priority or a link's rel does not have one of the values defined for it.",
        "Correct or remove it.",
        example="<url><loc>https://example.com/about/</loc><priority>10</priority></url>",
        ignore="For changefreq and priority, if only Google reads the sitemap: it ignores both.",
    ),
    "bad-extension": _finding(
        "error",
        "An image, a video or a news article lacks what Google requires, or has a wrong value.",
        "Correct what the message names.",
        example=(
            "<url><loc>https://example.com/about/</loc>\n"
            "<video:video><video:title>A</video:title><video:duration>32400</video:duration>"
            "</video:video></url>"
        ),
        ignore="If only other crawlers read the extension, or the file is a copy of old news.",
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
        example="<url><loc>/about/</loc></url>",
        ignore="Never: crawlers do not request the URL.",
    ),
    "suspect-url": _finding(
        "warning",
        "A valid URL contains what programs write by mistake (`//`, `undefined`, `&amp;`), or is"
        " that of a sitemap or of robots.txt.",
        "Correct the program that writes the URL, or remove the URL.",
        example="<url><loc>https://example.com//about/?a=1&amp;amp;b=2</loc></url>",
        ignore="If the server really serves that URL, such as a page about `undefined`.",
    ),
    "url-too-long": _finding(
        "error",
        "A URL has more than 2,047 characters.",
        "Shorten the page's address.",
        example="<url><loc>https://example.com/search?q=… (2,100 characters)</loc></url>",
        ignore="Never: the protocol requires less than 2,048 characters.",
    ),
    "long-url": _finding(
        "info",
        "A URL has more than 1,024 characters, which Yandex does not read.",
        "Shorten the page's address.",
        example="<url><loc>https://example.com/search?q=… (1,100 characters)</loc></url>",
        ignore="If no readers come from Yandex.",
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
        example="<url><loc>http://localhost:8000/about/</loc></url>",
        ignore="If the sitemap is that of a local preview and is never published.",
    ),
    "outside-scope": _finding(
        "error",
        "A URL is not below the sitemap's folder, or has another scheme, host or port.",
        "Make the site's address and the sitemap's agree; for a preview, use --map-host.",
        example="<url><loc>https://www.example.com/about/</loc></url>",
        ignore=(
            "If the owner of both hosts is verified in each search engine's console, or the"
            " robots.txt of the other host names this sitemap."
        ),
    ),
    "mixed-hosts": _finding(
        "error",
        "One sitemap lists URLs with different schemes, hosts or ports.",
        "List the URLs of one site only.",
        example=(
            "<url><loc>https://example.com/</loc></url>\n"
            "<url><loc>https://example.com/about/</loc></url>\n"
            "<url><loc>https://www.example.com/guide/</loc></url>"
        ),
        ignore="If the owner of all these hosts is verified in each search engine's console.",
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
        example=(
            "<url><loc>https://example.com/about/</loc></url>\n"
            "<url><loc>https://EXAMPLE.com/about/</loc></url>"
        ),
        ignore="If both entries have the same values: then one of them is only superfluous.",
    ),
    "session-id": _both(
        "warning",
        "A URL contains a session identifier.",
        "Remove it from the URL.",
        example="<url><loc>https://example.com/about/?PHPSESSID=1f0c</loc></url>",
        ignore="If the parameter selects content and is the same for every visitor.",
    ),
    "hreflang-code": _finding(
        "error",
        "The language of a link is not a language tag whose codes exist.",
        "Write it as `en`, `pt-BR` or `zh-Hans`; the message names the tag that is probably meant.",
        example=(
            "<url><loc>https://example.com/about/</loc>\n"
            '<xhtml:link rel="alternate" hreflang="english" href="https://example.com/about/"/></url>'
        ),
        ignore="Never: search engines ignore the link.",
    ),
    "hreflang-self": _finding(
        "error",
        "A page's hreflang links do not include the page itself.",
        "Add a link to the page itself.",
        example=(
            "<url><loc>https://example.com/about/</loc>\n"
            '<xhtml:link rel="alternate" hreflang="de" href="https://example.com/guide/"/></url>'
        ),
        ignore="Never: search engines may ignore all links of the page.",
    ),
    "hreflang": Row(
        notice=Use(
            "warning",
            "The links between a page's translations are incomplete or contradict each other.",
            "Link each language to exactly one page.",
        ),
        finding=Use(
            "error",
            "A page links to a translation that does not link back or, on this site, is not listed"
            " or must not be indexed; or to two in one language.",
            "Add the link back, list the translation, or remove the link.",
        ),
        example=(
            "<url><loc>https://example.com/about/</loc>\n"
            '<xhtml:link rel="alternate" hreflang="en" href="https://example.com/about/"/>\n'
            '<xhtml:link rel="alternate" hreflang="de" href="https://example.com/guide/"/></url>\n'
            "<url><loc>https://example.com/guide/</loc></url>"
        ),
        ignore="If the translation links back in its HTML: search engines accept that as well.",
    ),
    "missing": Row(
        reason="the page's file is missing from the output folder, or empty",
        finding=Use(
            "error",
            "A listed URL has no file in the folder, or an empty one.",
            "Remove the URL, or build the page.",
        ),
        example="<url><loc>https://example.com/gone/</loc></url>",
        ignore="If another build publishes the page at that address.",
    ),
    "noindex": Row(
        reason="the page's front matter or HTML, or the file `_headers`, says noindex",
        finding=Use(
            "error",
            "A listed page says noindex.",
            "Remove the page from the sitemap, or noindex from the page.",
        ),
        example='# site/about/index.html\n<meta name="robots" content="noindex">',
        ignore=(
            "If a page should disappear from search results soon: keep it listed for some days,"
            " so that crawlers visit it and see noindex."
        ),
    ),
    "redirect": Row(
        reason="the page's HTML, or the file `_redirects`, redirects to another address",
        finding=Use(
            "error",
            "A listed page, or a sitemap, redirects to another address.",
            "List the address it redirects to.",
        ),
        example='# site/about/index.html\n<meta http-equiv="refresh" content="0; url=/guide/">',
        ignore=(
            "If the page has just moved: keep the old address listed for some days, so that"
            " crawlers see the redirect soon."
        ),
    ),
    "canonical": Row(
        reason="the page's canonical link names another URL",
        finding=Use(
            "error",
            "The canonical link of a listed page names another URL.",
            "List the canonical URL, or correct the page's canonical link.",
        ),
        example='# site/about/index.html\n<link rel="canonical" href="https://example.com/guide/">',
        ignore="Never: the page asks search engines to show another one instead.",
    ),
    "dead-canonical": Row(
        notice=Use(
            "info",
            "A page is left out, because its canonical link names an address where no page is.",
            "Correct the canonical link.",
        ),
        finding=Use(
            "warning",
            "The canonical link of a page names an address on this site where no page is, or a page"
            " that redirects, says noindex or names another.",
            "Let the page's canonical link name a page that may be indexed.",
        ),
        example='# site/about/index.html\n<link rel="canonical" href="https://example.com/gone/">',
        ignore="If another build publishes a page at that address.",
    ),
    "hidden-noindex": _finding(
        "info",
        "A page says noindex, but robots.txt disallows it, so that no crawler sees the noindex.",
        "Allow the page in robots.txt, or remove noindex if the page need not stay out.",
        example=(
            "# robots.txt\nUser-agent: *\nDisallow: /about/\n"
            '# site/about/index.html\n<meta name="robots" content="noindex">'
        ),
        ignore="If no other site links to the page: then search engines do not find its address.",
    ),
    "several-canonicals": _finding(
        "warning",
        "A page has canonical links to different URLs, so crawlers may ignore them all.",
        "Keep one of the links; often the theme and a plugin each write one.",
        example=(
            "# site/about/index.html\n"
            '<link rel="canonical" href="https://example.com/about/">\n'
            '<link rel="canonical" href="https://example.com/guide/">'
        ),
        ignore="Never: you cannot know which of the URLs search engines show.",
    ),
    "robots": Row(
        reason="robots.txt disallows the page for every crawler",
        finding=Use(
            "error",
            "robots.txt disallows a listed URL for every crawler, or for Googlebot or bingbot.",
            "Allow the URL, or remove it from the sitemap.",
        ),
        example="# robots.txt\nUser-agent: *\nDisallow: /about/",
        ignore="If only one crawler is blocked, and its search engine does not matter to you.",
    ),
    "generated": Row(
        reason="the generator made the page: search, an index, source code, an error page",
        finding=Use(
            "warning",
            "A listed page is one that the generator adds (search, an index), or an error page.",
            "Remove the page from the sitemap.",
        ),
        example=(
            "# site/404.html\n"
            "<title>Page not found</title>\n"
            "# sitemap.xml\n"
            "<url><loc>https://example.com/404.html</loc></url>"
        ),
        ignore="If readers should find this page by searching, such as an index of terms.",
    ),
    "front-matter": Row(
        reason="the page's front matter says `sitemap: false`",
        finding=Use(
            "warning",
            "A listed page's front matter says `sitemap: false`.",
            "Build the sitemap again.",
        ),
        example="# docs/about.md\n---\nsitemap: false\n---",
        ignore="If the front matter changed after the build: the next build leaves the page out.",
    ),
    "excluded": Row(
        reason="the option `exclude` matches",
        finding=Use(
            "warning",
            "The option `exclude` matches a listed page.",
            "Build the sitemap again.",
        ),
        example='# sitemap.toml\nexclude = ["about/"]',
        ignore="If the option changed after the build: the next build leaves the page out.",
    ),
    "not-listed": _finding(
        "warning",
        "A page that may be indexed is not listed.",
        "Build the sitemap again, or exclude the page.",
        example="# site/new/index.html\n<title>New</title>",
        ignore="If readers should not find the page by searching: then let `exclude` match it.",
    ),
    "required": _finding(
        "error",
        "No listed URL matches a pattern that must match one.",
        "List the page, or correct the pattern.",
        example='sitemap-plugins check site --required "pricing/"',
        ignore="If the page was removed on purpose: remove the pattern.",
    ),
    "broken-link": _finding(
        "warning",
        "A page links to a page of this site that does not exist.",
        "Correct the link.",
        example='# site/about/index.html\n<a href="/gone/">Prices</a>',
        ignore="If another build publishes the page at that address.",
    ),
    "orphaned-page": _finding(
        "info",
        "No other page of the site links to a page (with `--links`).",
        "Link to the page, or leave it out if it is not for readers.",
        example="# site/old/index.html\n<p>Only the sitemap names this page.</p>",
        ignore="If readers reach the page in another way: by a form, a script, or a campaign.",
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
        example=(
            "# site/prices.html\n"
            "<title>Prices</title>\n"
            "# sitemap.xml\n"
            "<url><loc>https://example.com/prices.html</loc></url>"
        ),
        ignore="If the service's settings were changed so that it serves these files.",
    ),
    "browser-features": _finding(
        "info",
        "The browser script of Material or Zensical cannot use the sitemap.",
        "Name it sitemap.xml, keep it in one file, and list the home page.",
        example=(
            '<meta name="generator" content="mkdocs-1.6.1, mkdocs-material-9.6.0">\n'
            "sitemap.xml is an index of two parts"
        ),
        ignore="If the theme's instant navigation, previews and selectors are switched off.",
    ),
    "bad-date": _finding(
        "error",
        "A lastmod is not a W3C datetime, is empty, or is older than the web.",
        "Write it as 2004-12-23 or 2004-12-23T18:00:15+00:00.",
        example="<url><loc>https://example.com/about/</loc><lastmod>03.05.2024</lastmod></url>",
        ignore="Never: search engines ignore the date, or report the sitemap as faulty.",
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
        example="<url><loc>https://example.com/about/</loc><lastmod>2099-01-01</lastmod></url>",
        ignore="Never: search engines may stop trusting the other dates, too.",
    ),
    "uniform-dates": _finding(
        "warning",
        "Nearly all dates are within minutes of each other, as dates of a build are.",
        "Take the dates from the sources' history, or omit them.",
        example=(
            "<url><loc>https://example.com/about/</loc><lastmod>2026-05-01T10:00:01Z</lastmod></url>\n"
            "<url><loc>https://example.com/guide/</loc><lastmod>2026-05-01T10:00:02Z</lastmod></url>\n"
            "… and so on for every page"
        ),
        ignore="If all pages did change at once, as on a new site or after an import.",
    ),
    "date-too-new": _finding(
        "info",
        "A lastmod is later than the last change to the source of a page that includes no file.",
        "Take the date from the source's history.",
        example=(
            "<url><loc>https://example.com/about/</loc><lastmod>2024-06-01</lastmod></url>\n"
            "<!-- The source, docs/about.md, last changed on 2024-05-02. -->"
        ),
        ignore="If the content also comes from other files, such as data or a list of pages.",
    ),
    "date-too-old": _finding(
        "warning",
        "A lastmod is earlier than the last change of the page's source.",
        "Build the sitemap again.",
        example="<url><loc>https://example.com/guide/</loc><lastmod>2024-01-01</lastmod></url>",
        ignore="If the change does not matter to readers: list it in `.git-blame-ignore-revs`.",
    ),
    "date-on-page": _finding(
        "info",
        "A lastmod differs by more than a day from the date of change in the page's own HTML.",
        "Let one program make both: with a plugin, the option `page_dates`.",
        example=(
            "<url><loc>https://example.com/about/</loc><lastmod>2024-05-01</lastmod></url>\n"
            "# site/about/index.html\n"
            '<meta property="article:modified_time" content="2023-01-02">'
        ),
        ignore="If the page shows the date of something else, such as an event or a release.",
    ),
    "no-answer": _finding(
        "error",
        "The server does not answer for a URL, or not with HTTP.",
        "Repair the server, or give it more time with --timeout and --retries.",
        example="$ curl https://example.com/about/\ncurl: (28) Operation timed out",
        ignore="If the server was busy for a moment and answers when you check again.",
    ),
    "max-time": _finding(
        "warning",
        "The time set by --max-time ran out before all URLs were requested.",
        "Give it more time, or use --sample.",
        example="sitemap-plugins check www.example.com --max-time 60",
        ignore="If you wanted a short check: the other URLs were not requested.",
    ),
    "http-status": _finding(
        "error",
        "The server answers with an error for a sitemap or a listed URL.",
        "Correct the address, or publish what it names.",
        example="$ curl -sI https://example.com/about/ | head -1\nHTTP/1.1 404 Not Found",
        ignore="If the server refuses only this command (403 or 429), and no search engine.",
    ),
    "redirect-loop": _finding(
        "error",
        "The server redirects a listed URL or a sitemap in a loop, or too many times.",
        "Correct the server's redirects.",
        example="https://example.com/about → https://example.com/about/ → https://example.com/about",
        ignore="Never: crawlers keep no cookies, so they see a loop even where browsers do not.",
    ),
    "soft-404": _finding(
        "warning",
        "The server answers 200 for a listed URL, but with nothing or with an error page.",
        "Publish the page, or remove the URL, and answer 404 where no page is.",
        example="HTTP/1.1 200 OK\n\n<title>Page not found</title>",
        ignore="If the page is about such errors, and its title or heading says so.",
    ),
    "content-type": _finding(
        "warning",
        "The server answers with a Content-Type that does not fit the address.",
        "Set the type: text/html for pages, application/xml for sitemaps.",
        example=(
            "$ curl -sI https://example.com/sitemap.xml | grep -i content-type\n"
            "content-type: text/html"
        ),
        ignore="If the search engine's console shows that it has read the sitemap.",
    ),
    "not-announced": _finding(
        "warning",
        "robots.txt does not name the sitemap.",
        "Add the line that the message shows.",
        example="# robots.txt\nUser-agent: *\nDisallow:",
        ignore="If you submit the sitemap in each search engine's console.",
    ),
    "robots-blocks-sitemap": _both(
        "warning",
        "A rule in robots.txt blocks every crawler from the sitemap.",
        "Allow the sitemap's URL.",
        example=(
            "# robots.txt\n"
            "User-agent: *\n"
            "Disallow: /*.xml$\n"
            "Sitemap: https://example.com/sitemap.xml"
        ),
        ignore="Never: crawlers that obey robots.txt cannot read the sitemap.",
    ),
    "robots-not-at-root": _both(
        "info",
        "Crawlers read robots.txt only at the root of a host, and this site is in a folder below.",
        "Add the line that the message shows to the robots.txt at the root.",
        example=(
            "https://example.com/docs/robots.txt    no crawler reads it\n"
            "https://example.com/robots.txt         they read this one"
        ),
        ignore="If the robots.txt at the root has the line, or you submit the sitemap yourself.",
    ),
    "robots-too-long": _both(
        "info",
        "The `Sitemap:` line is beyond the part of robots.txt that every crawler reads.",
        "Put a `Sitemap:` line near the top.",
        example="$ head -c 512000 robots.txt | grep -c Sitemap:\n0",
        ignore="If you submit the sitemap in each search engine's console.",
    ),
    "robots-unchecked": _both(
        "info",
        "robots.txt has too many crawlers and rules to check each page against.",
        "Merge groups and rules; until then, robots.txt excludes no page.",
        example='$ grep -ci "user-agent" robots.txt\n2000',
        ignore="If none of the rules disallows a page that should be found.",
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
        example="$ file robots.txt\nrobots.txt: Little-endian UTF-16 Unicode text",
        ignore="Never: crawlers may obey no rule of the file, or not visit the site at all.",
    ),
    "wrong-base-url": _both(
        "warning",
        "The site's address does not match the pages' canonical links or mike's versions.",
        "Make the site's address and the theme's canonical links agree.",
        example=(
            "# mkdocs.yml\n"
            "site_url: https://example.com/\n"
            "# site/index.html\n"
            '<link rel="canonical" href="https://docs.example.com/">'
        ),
        ignore="If the folder is a copy for a test, and the published site has another address.",
    ),
    "old-version": Row(
        notice=Use(
            "info",
            "The version that is built names the pages of another version as canonical.",
            "None if readers should find that version; the command `versions` mends old builds.",
        ),
        finding=Use(
            "warning",
            "A page of an old version does not name the same page of the default version.",
            "Run `sitemap-plugins versions --write`, which adds the canonical link.",
        ),
        example=(
            "# site/1.0/install/index.html\n"
            '<link rel="canonical" href="https://example.com/1.0/install/">\n'
            "# site/latest/install/index.html\n"
            '<link rel="canonical" href="https://example.com/latest/install/">'
        ),
        ignore="If readers should find the old page beside the new one, as with two products.",
    ),
    "scheme-differs": _both(
        "warning",
        "Canonical links use `http` and the sitemap `https`, or the other way round.",
        "Use one scheme in both.",
        example='# site/about/index.html\n<link rel="canonical" href="http://example.com/about/">',
        ignore="Never: search engines may show the page under the address that you do not want.",
    ),
    "html-unreadable": _both(
        "info",
        "A built page cannot be read, or not to the end of its head, so its HTML is not checked.",
        "Check the built file.",
        example=(
            "# site/about/index.html\n"
            "<html><head><!-- 20 MB of data before the end of the head --></head></html>"
        ),
        ignore="If the page has no noindex, no redirect and no canonical link: it stays listed.",
    ),
}
"""Each code's uses, in the manual's order."""

NOTICES = {code: row.notice for code, row in CODES.items() if row.notice}
FINDINGS = {code: row.finding for code, row in CODES.items() if row.finding}
REASONS = {code: row.reason for code, row in CODES.items() if row.reason}


def manual_url(code: Code) -> str:
    """Return the address of a code's entry in the manual; empty until the manual has one."""
    page = "findings" if code in FINDINGS else "notices"
    return f"{MANUAL}{page}/#{code}" if MANUAL else ""
