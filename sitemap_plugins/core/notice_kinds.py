"""The kinds of notices: their codes, and what the manual says about each."""

from __future__ import annotations

from typing import Literal, NamedTuple

__all__ = ["KINDS", "Code", "Kind", "Level"]

Level = Literal["warning", "info"]
"""`warning`: nothing was written, or something needs correcting. `info`: valid but incomplete."""

Code = Literal[
    "no-base-url",
    "preview-build",
    "no-pages",
    "home-left-out",
    "bad-url",
    "duplicate-url",
    "bad-metadata",
    "bad-option",
    "bad-robots",
    "write-failed",
    "old-file",
    "replaced-file",
    "other-stylesheet",
    "internal-error",
    "page-failed",
    "wrong-base-url",
    "url-scheme",
    "scheme-differs",
    "dead-canonical",
    "url-form",
    "session-id",
    "hreflang",
    "same-slug",
    "found-languages",
    "host-redirects",
    "host-rule",
    "robots-blocks-sitemap",
    "robots-not-at-root",
    "robots-other-line",
    "robots-too-long",
    "robots-unchecked",
    "html-unreadable",
    "unused-pattern",
    "missing-source",
    "no-source",
    "unknown-include",
    "sitemap-changed",
    "no-longer-listed",
    "newly-listed",
    "other-sitemap",
    "future-date",
    "late-file",
    "no-git",
    "no-commits",
    "no-repository",
    "shallow-clone",
    "dubious-ownership",
    "git-failed",
    "ignore-revs",
]
"""The stable name of a kind of notice: what users suppress and the manual lists."""


class Kind(NamedTuple):
    """What all notices with one code have in common."""

    level: Level
    """How much they matter."""

    meaning: str
    """What has happened, one sentence for the manual."""

    cure: str
    """What to do about it, one sentence for the manual."""


KINDS: dict[Code, Kind] = {
    "no-base-url": Kind(
        "info",
        "The site's address is not set or names no host, so no sitemap is written.",
        "Set `site_url` (MkDocs), `SITEURL` (Pelican) or `html_baseurl` (Sphinx).",
    ),
    "preview-build": Kind(
        "info",
        "This is a deploy preview, which crawlers should not index, so no sitemap is written.",
        "None: the published site gets its sitemap.",
    ),
    "no-pages": Kind(
        "warning",
        "Every page is left out, so no sitemap is written.",
        "Correct what the message names; the verbose output says why each page is left out.",
    ),
    "home-left-out": Kind(
        "info",
        "The site's home page is not in the sitemap.",
        "Correct what the message names, unless the page is meant to be left out.",
    ),
    "bad-url": Kind(
        "warning",
        "A page's URL is not valid in a sitemap, so the page is left out.",
        "Correct the page's URL or its file's name.",
    ),
    "duplicate-url": Kind(
        "warning",
        "Several pages have the same URL; only the one written last is listed.",
        "Give one of them another URL.",
    ),
    "bad-metadata": Kind(
        "warning",
        "The front matter of a page, or a value in it, is wrong and is ignored.",
        "Correct the value; the message shows its form.",
    ),
    "bad-option": Kind(
        "warning",
        "The site's address, an option that depends on it, or the generator's settings file is not"
        " valid.",
        "Correct the setting that the message names.",
    ),
    "bad-robots": Kind(
        "warning",
        "robots.txt cannot be read, so it is not changed.",
        "Save robots.txt as UTF-8 text.",
    ),
    "write-failed": Kind(
        "warning",
        "A file cannot be written; the files written before it are complete.",
        "Check the output folder's permissions and free space.",
    ),
    "old-file": Kind(
        "info",
        "A file of an earlier build cannot be removed; the new sitemap does not use it.",
        "Delete the file.",
    ),
    "replaced-file": Kind(
        "info",
        "A sitemap.xml of another origin, such as the project's own, is replaced and not used.",
        "Delete it, let only one program write the file, or choose another `filename`.",
    ),
    "other-stylesheet": Kind(
        "info",
        "The folder has a sitemap.css of another origin; it is kept, and the sitemap has no style.",
        "Rename or remove that file, or set `stylesheet` to false.",
    ),
    "internal-error": Kind(
        "warning",
        "The plugin failed because of a bug; no sitemap is written.",
        "Report the bug with the whole message.",
    ),
    "page-failed": Kind(
        "warning",
        "The plugin failed on a page because of a bug, so the page is left out.",
        "Report the bug with the whole message.",
    ),
    "wrong-base-url": Kind(
        "warning",
        "The site's address does not match the pages' canonical links or mike's versions.",
        "Make the site's address and the theme's canonical links agree.",
    ),
    "url-scheme": Kind(
        "info",
        "Sphinx: `sitemap_url_scheme` repeats the base URL, or is unset, so URLs have no folders.",
        "Remove the option, or set it; the message says which.",
    ),
    "scheme-differs": Kind(
        "warning",
        "Canonical links use `http` and the sitemap `https`, or the other way round.",
        "Use one scheme in both.",
    ),
    "dead-canonical": Kind(
        "info",
        "A page is left out, because its canonical link names an address where no page is.",
        "Correct the canonical link.",
    ),
    "url-form": Kind(
        "info",
        "Most canonical links omit `index.html` or `.html`, so the sitemap does too.",
        "None if your server serves these URLs; otherwise correct the theme's canonical links.",
    ),
    "session-id": Kind(
        "warning",
        "A URL contains a session identifier.",
        "Remove it from the URL.",
    ),
    "hreflang": Kind(
        "warning",
        "The links between a page's translations are incomplete or contradict each other.",
        "Link each language to exactly one page.",
    ),
    "same-slug": Kind(
        "info",
        "Pelican: contents in one language share a slug, so they have no links to translations.",
        "Give each a slug of its own.",
    ),
    "found-languages": Kind(
        "info",
        "Sphinx: pages link to versions in all languages for which `locale_dirs` has translations.",
        "Set `sitemap_locales` to the languages that are published.",
    ),
    "host-redirects": Kind(
        "info",
        "Cloudflare builds the site, and redirects every URL that ends in `.html` or `/index`.",
        "Let URLs end in a slash; the message says how to.",
    ),
    "host-rule": Kind(
        "info",
        "The hosting service's file `_headers` or `_redirects` leaves out pages, or is not read.",
        "None if the line in the message is meant; otherwise correct it.",
    ),
    "robots-blocks-sitemap": Kind(
        "warning",
        "A rule in robots.txt blocks every crawler from the sitemap.",
        "Allow the sitemap's URL.",
    ),
    "robots-not-at-root": Kind(
        "info",
        "Crawlers read robots.txt only at the root of a host, and this site is in a folder below.",
        "Add the line that the message shows to the robots.txt at the root.",
    ),
    "robots-other-line": Kind(
        "info",
        "A `Sitemap:` line in robots.txt has another scheme, a relative URL or a local server's.",
        "Correct or remove that line; the plugin adds a correct one and does not change yours.",
    ),
    "robots-too-long": Kind(
        "info",
        "The `Sitemap:` line is beyond the part of robots.txt that every crawler reads.",
        "Put a `Sitemap:` line near the top.",
    ),
    "robots-unchecked": Kind(
        "info",
        "robots.txt has too many crawlers and rules to check each page against.",
        "Merge groups and rules; until then, robots.txt excludes no page.",
    ),
    "html-unreadable": Kind(
        "info",
        "A built page cannot be read, or not to the end of its head, so its HTML is not checked.",
        "Check the built file.",
    ),
    "unused-pattern": Kind(
        "info",
        "A pattern in the options matches no page, or one in `files` no file.",
        "Correct or remove it; patterns match URL paths and names of sources.",
    ),
    "missing-source": Kind(
        "info",
        "A file named in `sources` does not exist.",
        "Correct or remove the entry; it does not affect dates.",
    ),
    "no-source": Kind(
        "info",
        "Pages have no source that is found, or that git can date, so they have no date.",
        "Name their sources as the message says.",
    ),
    "unknown-include": Kind(
        "info",
        "Some of what a page includes is unknown, so the page has no date.",
        "Write `lastmod` in the page's front matter.",
    ),
    "sitemap-changed": Kind(
        "info",
        "A hook or another plugin changed the sitemap after it was written; the change is kept.",
        "Use an option or the front matter instead, and remove the hook.",
    ),
    "no-longer-listed": Kind(
        "info",
        "The sitemap that was in the folder listed a URL that the new one leaves out.",
        "None if the reason in the message is right.",
    ),
    "newly-listed": Kind(
        "info",
        "The new sitemap lists a page that the one that was in the folder did not.",
        "None if the page is meant to be found; otherwise exclude it.",
    ),
    "other-sitemap": Kind(
        "info",
        "A sitemap of another program stays in the folder and lists most of the same pages.",
        "Delete it, or let `filename` name it, so that it is replaced.",
    ),
    "future-date": Kind(
        "info",
        "A page's date is in the future; the page is listed without it.",
        "Correct the date, or the machine's clock.",
    ),
    "late-file": Kind(
        "info",
        "A source outside git, or an edited one, has a time after `SOURCE_DATE_EPOCH`, so no date.",
        "Set the variable to the time of the last change, or leave it unset.",
    ),
    "no-git": Kind(
        "info",
        "Git is not installed, so no page has a date from git.",
        "Install git where the site is built.",
    ),
    "no-commits": Kind(
        "info",
        "The repository has no commits yet.",
        "Commit the pages.",
    ),
    "no-repository": Kind(
        "info",
        "The sources are not in a git repository, and their file times are those of a copy.",
        "Build from a clone of the repository, with its `.git` folder.",
    ),
    "shallow-clone": Kind(
        "info",
        "The clone is shallow; pages last changed before it starts have no date.",
        "Fetch the whole history; the message says how to on your CI service.",
    ),
    "dubious-ownership": Kind(
        "info",
        "Git refuses to read a repository that belongs to another user.",
        "Add the folder to git's `safe.directory`.",
    ),
    "git-failed": Kind(
        "info",
        "Git failed or took too long, so no page has a date from git.",
        "Run the command in the message and fix what git reports.",
    ),
    "ignore-revs": Kind(
        "info",
        "The list of commits to ignore cannot be read in full.",
        "Correct the file or the option `ignore_revs`.",
    ),
}
"""Each code's level, meaning and cure, in the manual's order."""
