"""Recognize a page that shows nothing, or only says that there is no page."""

from __future__ import annotations

import re

from sitemap_plugins.core.messages import quoted

_TITLE = re.compile(rb"<(?:title|h1)\b[^<>]{0,200}>([^<]{1,200})<", re.IGNORECASE)
_SEGMENTS = re.compile(r"\s[-\u2013\u2014\u00b7\u2022\u00bb]+\s|[:|]")
_NOT_WORD = re.compile(r"[\W_]+")
_OF_ERROR_PAGE = re.compile(
    r"(?:(?:oops|sorry|error|http) )*(?:404(?: error)?|(?:404 )?(?:the |this )?"
    r"(?:(?:requested )?(?:page|file|document|url) )?(?:was |is |could |can)?"
    r"not (?:be )?found(?: error)?(?: 404)?"
    r"|(?:die )?seite (?:wurde )?nicht gefunden|(?:la )?page (?:est |non |n est pas )?"
    r"(?:introuvable|trouvée)|página no encontrada|página não encontrada"
    r"|pagina non trovata|pagina niet gevonden|страница не найдена"
    r"|ページが見つかりません|页面未找到|找不到页面"
    r"|(?:50[0-4] )?(?:internal server error|bad gateway|service unavailable))"
)
_BODY = re.compile(rb"<body\b[^<>]{0,1000}>", re.IGNORECASE)
_END = re.compile(rb"(?:\s|<!--(?>.*?-->))*+</body\b", re.IGNORECASE | re.DOTALL)
_SCRIPT = re.compile(rb"<script\b", re.IGNORECASE)  # It may fill the body.


def why_soft_404(html: bytes) -> str:
    """Return why a page is not one for readers, as a predicate; empty if it is.

    Its title or first heading can be that of an error page, or its body empty.
    """
    # Only the first body is looked at, so that each comment is read once: a stranger's
    # page can begin any number of bodies.
    body = _BODY.search(html)
    is_empty = body is not None and _END.match(html, body.end()) is not None
    if not html.strip() or (is_empty and not _SCRIPT.search(html)):
        return "has no content"
    for found in _TITLE.finditer(html):
        title = found[1].decode("utf-8", "replace").strip()
        first_segment = _SEGMENTS.split(title)[0]
        words = _NOT_WORD.sub(" ", first_segment).strip().lower()
        if _OF_ERROR_PAGE.fullmatch(words):
            return f"has the title {quoted(title)}"
    return ""
