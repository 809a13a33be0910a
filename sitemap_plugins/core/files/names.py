"""Names of parts: fit for any file system, stable, and never two the same."""

from __future__ import annotations

import re
from hashlib import blake2b

__all__ = ["REST", "digest", "is_section_name", "section_of"]

REST = "pages"
"""The section of pages that are in no other."""

# The excluded ones are how a second index and the divisions of a section are called.
_SECTION = re.compile(r"(?!index-\d+$)(?!(?:.*-)?[0-9a-f]{12}$)[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST = 40


def is_section_name(text: str) -> bool:
    """Tell whether a section may be called so: small letters, digits and single hyphens."""
    return len(text) <= _LONGEST and _SECTION.fullmatch(text) is not None


def section_of(path: str) -> str:
    """Return the section of a page by the first folder of its path, percent-encoded.

    A folder that is not a section's name as it stands becomes one, with its own digest.

    >>> [section_of(path) for path in ("guide/start/", "guide/", "about.html", "")]
    ['guide', 'pages', 'pages', 'pages']
    >>> section_of("Caf%C3%A9/menu/")
    'caf-c3-a9-f9b1dcb5b496'
    """
    folder, _, rest = path.partition("/")
    if not rest:
        return REST
    if is_section_name(folder):
        return folder
    words = re.sub(r"[^a-z0-9]+", "-", folder.lower())[:_LONGEST].strip("-")
    return f"{words}-{digest(folder)}".lstrip("-")


def digest(text: str) -> str:
    """Return 12 hexadecimal digits: of 50,000 texts, two share them in one case of 200,000."""
    return blake2b(text.encode(), digest_size=6).hexdigest()
