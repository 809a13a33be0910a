"""What hosting services answer at the different URLs of a file.

From https://github.com/slorber/trailing-slash-guide (docs/Hosting-Providers.md, 2024-11) and
https://developers.cloudflare.com/workers/static-assets/routing/advanced/html-handling/.
"""

from __future__ import annotations

__all__ = ["SERVICES", "answer"]

_REDIRECTS = "redirects"
_NOT_FOUND = "does not serve"

_ANSWERS: dict[str, dict[str, str]] = {
    "cloudflare": {"file.html": _REDIRECTS, "folder": _REDIRECTS, "folder/index.html": _REDIRECTS},
    "github": {"folder": _REDIRECTS},
    "netlify": {"folder": _REDIRECTS},
    "vercel": {"file": _NOT_FOUND},
    "vercel-cleanurls": {"file.html": _REDIRECTS, "folder/index.html": _REDIRECTS},
}
"""By the form of the URL; every other form is answered with the file."""

SERVICES = tuple(_ANSWERS)
"""The services that are known, with their default settings."""


def answer(service: str, *, path: str, file: str) -> str:
    """Return what a service does at a path instead of answering with its file; empty for nothing.

    Both are encoded and relative to the site's root.

    >>> answer("cloudflare", path="guide.html", file="guide.html")
    'redirects'
    >>> answer("cloudflare", path="guide", file="guide.html")
    ''
    """
    if file.rpartition("/")[2] != "index.html":
        form = "file.html" if path == file else "file"
    elif path.endswith("index.html"):
        form = "folder/index.html"
    else:
        form = "folder/" if path.endswith("/") or not path else "folder"
    return _ANSWERS[service].get(form, "")
