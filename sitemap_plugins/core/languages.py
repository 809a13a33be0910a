"""Languages as BCP 47 tags (RFC 5646), which is how hreflang names them.

Hosts name languages as POSIX names locales (`pt_BR`, `sr@latin`). This module does no I/O.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sitemap_plugins.core.errors import PageError
from sitemap_plugins.core.messages import quoted

__all__ = ["X_DEFAULT", "is_language", "to_bcp47"]

X_DEFAULT = "x-default"
"""The language of the version for readers whose language no other version has (Google)."""

# RFC 5646, section 2.1, without what search engines do not support (extended languages, extensions,
# private use): language, script, region, variants. POSIX adds a codeset and a modifier.
_LANGUAGE = re.compile(
    r"(?P<language>[a-z]{2,3})(?:-(?P<script>[a-z]{4}))?"
    r"(?:-(?P<region>[a-z]{2}|\d{3}))?(?P<variants>(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*)"
    r"(?:\.[a-z\d-]+)?(?:@(?P<modifier>[a-z\d]+))?",
    re.ASCII,
)
_SCRIPT_OF_MODIFIER = {
    "latin": "latn",
    "cyrillic": "cyrl",
    "devanagari": "deva",
    "arabic": "arab",
}
_NO_MODIFIER = frozenset({"", "euro"})
_VARIANT = re.compile(r"[a-z\d]{5,8}|\d[a-z\d]{3}", re.ASCII)


@lru_cache(maxsize=1024)
def to_bcp47(language: str) -> str:
    """Return a language as a BCP 47 tag (RFC 5646), its parts in their usual case.

    POSIX locale names are accepted: a codeset is dropped, a modifier becomes a script or a variant.

    Raises:
        PageError: It is not a language, or has parts that search engines do not read.

    >>> [to_bcp47(name) for name in ("zh_hans_CN", "sr_RS@latin", "ca@valencia", "en_US.UTF-8")]
    ['zh-Hans-CN', 'sr-Latn-RS', 'ca-valencia', 'en-US']
    """
    plain = language.strip().lower().replace("_", "-")
    if plain == X_DEFAULT:
        return X_DEFAULT
    found = _LANGUAGE.fullmatch(plain)
    modifier = (found["modifier"] or "") if found else ""
    script = (found["script"] if found else None) or _SCRIPT_OF_MODIFIER.get(modifier, "")
    is_variant = modifier not in _SCRIPT_OF_MODIFIER and modifier not in _NO_MODIFIER
    if not found or (is_variant and not _VARIANT.fullmatch(modifier)):
        msg = f"{quoted(language)} is not a language tag"
        raise PageError(msg, cure="write it as 'en', 'pt-BR' or 'zh-Hans'")
    variants = [*found["variants"].split("-"), modifier if is_variant else ""]
    region = (found["region"] or "").upper()
    parts = [found["language"], script.title(), region, *variants]
    return "-".join(part for part in parts if part)


def is_language(name: str) -> bool:
    """Tell whether a name, such as a folder's, is a language tag."""
    try:
        return bool(to_bcp47(name))
    except PageError:
        return False
