"""Which URL is a page's: the one place that knows which form of a page's URL to list.

Servers answer with one file at several paths (`core.url_forms`). Three of the forms are
*certain*, as every server answers with the file there; the others are a question of the
server.

A page is listed at its canonical link if that leads to the page's own file and crawlers
get it there; otherwise at the URL that its host gives it, unless the server certainly
redirects that. A canonical link in a form that is not certain counts if the service is
known to answer, if the host links to the page in this form, or if most pages that may
say `file` do: else it is odd.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple

from sitemap_plugins.core import urls
from sitemap_plugins.core.crawlers.hosting import ServerRules, answer, facts_of
from sitemap_plugins.core.crawlers.robots_txt import Robots
from sitemap_plugins.core.limits import MAX_LOC_LENGTH
from sitemap_plugins.core.messages import PageError
from sitemap_plugins.core.records import CheckedPage
from sitemap_plugins.core.url_forms import (
    CERTAIN,
    INDEX,
    Files,
    Form,
    files_at,
    form_of,
    forms_of,
)


class PageUrl(NamedTuple):
    """At which path a page is listed, and why there."""

    path: str
    """Percent-encoded, below the base URL."""

    decided_by: Literal["host", "canonical", "server"] = "host"
    """Who says so: the host, the page's canonical link, or the server, which redirects
    others."""

    host_form: Form = ""
    """The form of the host's path; empty if the path leads to the page's file by rules
    of the server only."""

    is_elsewhere: bool = False
    """Whether the canonical link leads to another page."""


@dataclass(kw_only=True)
class PageUrls:
    """The URLs of a built site's pages below its base; paths are percent-encoded."""

    base_url: str = ""
    """Normalized."""

    files: Files = field(default_factory=Files)

    service: str = ""
    """One of `hosting.SERVICES`; empty for a server that is not known."""

    robots: Robots | None = None

    rules: ServerRules | None = None

    canonicals: Mapping[str, str] = field(default_factory=dict)
    """The pages' absolute canonical URLs, by file."""

    @cached_property
    def _is_short(self) -> bool:
        """Whether more canonical links have the form `file` than `file.html`."""
        forms: Counter[Form] = Counter()
        for file, url in self.canonicals.items():
            path = urls.path_below(url, self.base_url)
            if path is not None:
                forms[form_of(path, file)] += 1
        return forms["file"] > forms["file.html"]

    def is_dead(self, url: str) -> bool:
        """Tell whether a URL is below the base URL and no page is there.

        Whether pages of other sites exist is not known.
        """
        path = urls.path_below(url, self.base_url)
        return path is not None and not self.files.at(path.partition("?")[0])

    def listed_at(self, path: str, file: str, canonical: str) -> PageUrl:
        """Return at which path a page is listed.

        `path` is the path at which the host links to the page, `file` is as `file_of`
        returned it, and `canonical` is the page's canonical URL, absolute; empty if it
        has none.
        """
        # Nearly all pages; the whole search takes 44 µs a page, this 10.
        if self._is_usual(path, file, canonical):
            return PageUrl(path, host_form=form_of(path, file))
        found = self._found(path, file, canonical)
        return found._replace(path=self._spelled(found.path, canonical))

    def _is_usual(self, path: str, file: str, canonical: str) -> bool:
        """Tell whether nothing can contradict the host's path, so that it is listed.

        A canonical link to another path, a rule of the server and a known service can
        contradict the path.
        """
        if file not in {path, path + INDEX}:
            return False
        if canonical not in {"", self.base_url + path}:
            return False
        # Some services redirect the name of each page's file, or do not serve it.
        serves_files = not answer(self.service, "file.html")
        return serves_files and not self.rules

    def _found(self, path: str, file: str, canonical: str) -> PageUrl:
        """Return what `listed_at` returns, before the path is spelled as the link is.

        A believable canonical link decides first, then a redirect of the server, then
        the host.
        """
        host_form = form_of(path, file)
        by_host = PageUrl(path, host_form=host_form)
        named = urls.path_below(canonical, self.base_url) if canonical else None
        is_same = named == urls.path_identity(path)

        if canonical and not is_same:
            own = self._own_file(named, path, file)
            if not own:
                return by_host._replace(is_elsewhere=True)
            form = form_of(named, own)
            if self._is_believed(form, host_form) and not self._is_closed(own, form):
                return PageUrl(forms_of(own)[form], "canonical", host_form)

        for form in self._redirected_forms(path, file, is_said=is_same):
            if not self._is_closed(file, form):
                return PageUrl(forms_of(file)[form], "server", host_form)
        return by_host

    def _spelled(self, path: str, canonical: str) -> str:
        """Return a path as the page's canonical link spells it, if it is the same."""
        if not canonical:
            return path
        try:
            named = urls.normalize_url(canonical).removeprefix(self.base_url)
        except PageError:
            return path
        is_same = urls.path_identity(named) == urls.path_identity(path)
        return named if is_same else path

    def _own_file(self, named: str | None, path: str, file: str) -> str:
        """Return the file that a page means by the path that its canonical link names.

        `named` is this path, None outside the site; `path` and `file` are the page's
        own. The result is empty if the link is to another page.
        """
        if named is None:
            return ""
        if self._leads_to(named, file):
            return file
        if form_of(path, file):
            return ""
        # `a/` for `a/page.html` needs rules of the server; the page may mean
        # `a/index.html`.
        other = _named(path)
        return other if self._leads_to(named, other) else ""

    def _leads_to(self, path: str, file: str) -> bool:
        """Tell whether servers may answer at a path with a file, and with no other.

        If `file.html` and `folder/index.html` have the same stem, services differ on
        `file`, so on an unknown one it leads to both: the page that names it means
        itself.
        """
        file = urls.path_identity(file)
        for other in files_at(path, file_first=self.files.file_first):
            if other == file:
                return True
            is_certain = self.service or form_of(path, other) in CERTAIN
            if is_certain and self.files.has(other):
                return False
        return False

    def _is_believed(self, form: Form, host_form: Form) -> bool:
        """Tell whether a canonical link with a form (which can be empty) counts."""
        if not form:
            return False
        if form in CERTAIN or form == host_form or self.service:
            return True
        # Of the others, only `file` is answered by more than a few servers.
        return form == "file" and self._is_short

    def _is_closed(self, file: str, form: Form) -> bool:
        """Tell whether crawlers do not get a file at its URL of a form.

        The URL can be too long, redirected by the service or a rule of the server, or
        disallowed by robots.txt.
        """
        url = self.base_url + forms_of(file)[form]
        if len(url) > MAX_LOC_LENGTH:
            return True
        if self.service and answer(self.service, form):
            return True
        if self.robots is not None and self.robots.disallowed_crawlers(url):
            return True
        return self.rules is not None and self.rules.match(url) is not None

    def _redirected_forms(self, path: str, file: str, *, is_said: bool) -> list[Form]:
        """Return the forms, likeliest first, to which the server may redirect a path.

        The result is empty if the server may answer at the path. `is_said` tells
        whether the page's canonical link names the path.
        """
        if self.rules:
            _, url = self.rules.redirect(self.base_url + path)
            if url:
                target = urls.path_below(url, self.base_url)
                form = "" if target is None else form_of(target, file)
                return [form] if form else []
        if is_said and not self.service:
            return []  # The page knows best what an unknown server answers with.
        if not facts_of(self.service).fixed:
            return []
        if not answer(self.service, form_of(path, file)):
            return []
        return [form for form in forms_of(file) if form in {"folder/", "file"}]


def file_of(page: CheckedPage, folder: Path | None) -> str:
    """Return a page's file below the site's folder, percent-encoded.

    The result is empty for a page without a file. If the file is not in `folder`, the
    result is the name that the host's path stands for, such as `a/index.html` for `a/`.
    """
    if page.output_file is None:
        return ""
    name = str(page.output_file)
    top = f"{folder}{os.sep}"
    if folder is None or not name.startswith(top):
        return _named(page.path)
    return urls.percent_encode(name.removeprefix(top).replace(os.sep, "/"))


def _named(path: str) -> str:
    """Return the file that usually belongs to a path, such as `a.html` to `a`."""
    if not path or path.endswith("/"):
        return path + INDEX
    if path.endswith(".html"):
        return path
    return f"{path}.html"
