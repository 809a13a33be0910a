"""ABlog's posts: which are drafts, and which pages list the others."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sphinx.application import Sphinx


@dataclass(frozen=True, slots=True)
class Blog:
    """What ABlog knows of the pages of one build; nothing without it."""

    drafts: Collection[str] = ()
    """Names of the posts that ABlog does not publish, and of the page that lists them.

    A post without a date, or with one in the future, is a draft.
    """

    lists: Mapping[str, Collection[str]] = field(default_factory=dict)
    """The names of the posts that each page of a list shows, by the page's name.

    These are pages that ABlog makes: all posts, and those of a year, a tag, a
    category, an author, a place or a language, each with the page that lists all of
    its kind.
    """


def read_blog(app: Sphinx) -> Blog:
    """Return what ABlog knows of this build's pages."""
    blog = _blog(app)
    if blog is None:
        return Blog()
    published = _names(blog.posts)
    # A document can hold several posts, of which one is published.
    drafts = _names(blog.drafts) - published
    lists: dict[str, set[str]] = {}
    for catalog in (blog.archive, *blog.catalogs.values()):
        lists[catalog.docname] = set()
        for collection in catalog:
            lists[collection.docname] = _names(collection)
            lists[catalog.docname] |= _names(collection)
    # ABlog makes no page in the place of a document, but for the list of all posts.
    for name in lists.keys() & app.env.found_docs:
        del lists[name]
    lists[blog.posts.docname] = published
    return Blog({*drafts, blog.drafts.docname}, lists)


def _names(posts: Iterable[Any]) -> set[str]:
    return {post.docname for post in posts}


def _blog(app: Sphinx) -> Any | None:  # noqa: ANN401 ABlog has no types
    """Return ABlog's own object with all posts; None without that extension."""
    if "ablog" not in app.extensions:
        return None
    blog = sys.modules["ablog.blog"].Blog(app)
    if not len(blog):
        # ABlog itself registers the posts only once pages are written.
        sys.modules["ablog.post"].register_posts(app)
    return blog
