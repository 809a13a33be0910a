"""What the body of a built page shows: links, words, and what is only around them.

Navigation is left out by its elements (`<nav>`, `<aside>`, and a `<header>` or
`<footer>` outside of articles), and by what most pages have alike.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from html.parser import HTMLParser
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urldefrag, urljoin, urlsplit

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from benchmarks.truth.pages import Site

AROUND = {"nav", "aside"}
AROUND_ARTICLES = {"header", "footer"}
ARTICLES = {"main", "article"}
HIDDEN = {"script", "style", "template", "title"}
FEW_PAGES = 3
"""Of fewer, nothing is usual."""

MANY_LISTS = 10
"""What seven in ten of so many lists link to is beside their own content."""


class Link(NamedTuple):
    """A link to a page of the same site."""

    file: str
    """The output file of the page."""

    text: str
    """The words of the link, in small letters."""


class Body(HTMLParser):
    """The links and the words of a page's own content."""

    def __init__(self, html: str) -> None:
        """Read a whole page."""
        super().__init__()
        self.hrefs: list[tuple[str, str]] = []
        """Each link's address as written, and its words."""
        self.words: list[str] = []
        """All words, in small letters."""
        self.unlinked: list[str] = []
        """The words outside of links: those of links can be other pages' titles."""
        self.title = ""
        """The words of the first heading."""
        self.language = ""
        """As the page says; empty if it does not."""
        self._open: list[str] = []
        self._href = ""
        self._begin = 0
        self._heading = 0
        # The parser fails on declarations such as `<![foo[`.
        with contextlib.suppress(AssertionError):
            self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take a tag; the parser calls this."""
        if tag in AROUND | AROUND_ARTICLES | ARTICLES | HIDDEN:
            self._open.append(tag)
        elif tag == "a" and not self._is_around():
            self._href = dict(attrs).get("href") or ""
            self._begin = len(self.words)
        elif tag == "h1":
            self._heading = len(self.words)
        elif tag == "html":
            self.language = dict(attrs).get("lang") or ""

    def handle_endtag(self, tag: str) -> None:
        """Take the end of an element; one that was not open is passed over."""
        if tag in self._open:
            while self._open.pop() != tag:
                pass
        elif tag == "a" and self._href:
            self.hrefs.append((self._href, " ".join(self.words[self._begin :])))
            self._href = ""
        elif tag == "h1" and not self.title:
            self.title = " ".join(self.words[self._heading :])

    def handle_data(self, data: str) -> None:
        """Take the words of the content."""
        if self._is_around():
            return
        words = re.findall(r"\w+", data.lower())
        self.words += words
        if not self._href:
            self.unlinked += words

    def _is_around(self) -> bool:
        """Tell whether what follows is around the content; an article never is."""
        is_in_article = False
        is_around = False
        for tag in self._open:
            if tag in ARTICLES:
                is_in_article = True
                is_around = False
            elif tag in AROUND | HIDDEN or not is_in_article:
                is_around = True
        return is_around


class Bodies:
    """The bodies of all listed pages of a site, by their output files."""

    def __init__(
        self, output_dir: Path, site: Site, urls: Mapping[str, str], lists: set[str]
    ) -> None:
        """Read the pages with their absolute `urls`; some of them are lists."""
        self._site = site
        self._lists = lists
        self.read: dict[str, Body] = {}
        self._links: dict[str, list[Link]] = {}
        for file, url in urls.items():
            html = (output_dir / file).read_text("utf-8", "replace")
            self.read[file] = Body(html)
            self._links[file] = self._resolved(url, self.read[file])
        self._usual: dict[str, Counter[str]] = {}
        for language in {body.language for body in self.read.values()}:
            self._usual[language] = self._usual_links(language)

    def links(self, file: str, target: str) -> bool:
        """Tell whether a page's content links to another page."""
        return any(link.file == target for link in self._links[file])

    def listed(self, file: str) -> tuple[set[str], set[str]]:
        """Return the pages that a list shows in its own content: surely, and perhaps.

        A link is a mention if a listed page has the same one, since lists show the
        beginnings of pages; but one whose words are its target's title is not, if it
        leads to the folder to which the first link leads.
        """
        own = [link for link in self._own(file) if link.file != file]
        targets = {link.file for link in own}
        mentions: set[Link] = set()
        for target in targets - self._lists:
            mentions |= set(self._links.get(target, []))
        pages = [link.file for link in own if link.file not in self._lists]
        folder = _top_folder(pages[0]) if pages else ""
        surely = set()
        for link in own:
            is_titled = link.text and link.text == self._title(link.file)
            is_alike = is_titled and _top_folder(link.file) == folder
            if is_alike or link not in mentions:
                surely.add(link.file)
        return surely, targets - surely

    def _own(self, file: str) -> list[Link]:
        """Return the links that a page has more often than others of its kind."""
        left = self._usual[self.read[file].language].copy()
        own = []
        for link in self._links[file]:
            if left[link.file] > 0:
                left[link.file] -= 1
            else:
                own.append(link)
        return own

    def _usual_links(self, language: str) -> Counter[str]:
        """Return how often most pages, or seven in ten lists, link to each page.

        Those of one language, whose layout is the same.
        """
        files = {file for file, body in self.read.items() if body.language == language}
        if len(files) < FEW_PAGES:
            return Counter()
        usual = _common([self._links[file] for file in files], 0.5)
        of_lists = [self._links[file] for file in self._lists & files]
        if len(of_lists) >= MANY_LISTS:
            usual |= _common(of_lists, 0.7)
        return usual

    def _title(self, file: str) -> str:
        return self.read[file].title if file in self.read else ""

    def _resolved(self, url: str, body: Body) -> list[Link]:
        links = []
        for href, text in body.hrefs:
            file = self._file(url, href)
            if file:
                links.append(Link(file, text))
        return links

    def _file(self, url: str, href: str) -> str | None:
        """Return the output file that a link leads to; servers complete addresses."""
        try:
            target = urldefrag(urljoin(url, href)).url
            target = target.removesuffix(f"?{urlsplit(target).query}")
        except ValueError:
            return None
        for each in (target, f"{target}.html", f"{target}/index.html"):
            file = self._site.file(each)
            if file:
                return file
        return None


def _top_folder(file: str) -> str:
    return file.partition("/")[0] if "/" in file else ""


def _common(pages: Collection[list[Link]], share: float) -> Counter[str]:
    """Return how often more than a share of pages link to each page."""
    numbers: dict[str, list[int]] = {}
    for links in pages:
        for file, number in Counter(link.file for link in links).items():
            numbers.setdefault(file, []).append(number)
    common: Counter[str] = Counter()
    for file, counted in numbers.items():
        # The least of the most: that many pages have it at least so often.
        place = int(share * len(pages))
        counted.sort(reverse=True)
        if len(counted) > place:
            common[file] = counted[place]
    return common
