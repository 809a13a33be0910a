"""Recognize a page that only says that there is no page, by its title or heading."""

from __future__ import annotations

import re

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
    r"|ページが見つかりません|页面未找到|找不到页面)"
)


def error_title(html: bytes) -> str:
    """Return the title or first heading of an error page; empty for other pages."""
    for found in _TITLE.finditer(html):
        title = found[1].decode("utf-8", "replace").strip()
        first_segment = _SEGMENTS.split(title)[0]
        words = _NOT_WORD.sub(" ", first_segment).strip().lower()
        if _OF_ERROR_PAGE.fullmatch(words):
            return title
    return ""
