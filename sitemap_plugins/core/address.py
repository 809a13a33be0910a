"""The address of a site: what its settings say, or where Read the Docs serves the build."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from sitemap_plugins.core.ci import CI

__all__ = ["known_address", "names_a_host"]


def known_address(setting: object, ci: CI) -> object:
    """Return the address in a site's settings, unchecked, or that of Read the Docs.

    The latter where the settings hold none, a path for local builds, or an address on the same
    host above the folder from which Read the Docs serves this build.
    """
    hosted = ci.canonical_url
    is_unknown = not setting or not names_a_host(setting)
    return hosted or setting if is_unknown or _is_below(hosted, str(setting)) else setting


def names_a_host(address: object) -> bool:
    """Tell whether an address is not empty and not a path, as in settings for local builds.

    >>> [names_a_host(address) for address in ("", "/docs/", "//example.com", "example.com")]
    [False, False, True, True]
    """
    is_path = isinstance(address, str) and address.startswith(("/", ".")) and address[:2] != "//"
    return bool(address) and not is_path


def _is_below(hosted: str, address: str) -> bool:
    """Tell whether Read the Docs serves this build from a folder of the address."""
    if not hosted or not address.startswith(("http://", "https://")):
        return False
    try:
        theirs, ours = urlsplit(hosted), urlsplit(address)
    except ValueError:  # Such as `http://[`; whoever normalizes it says what is wrong.
        return False
    folder = f"{ours.path.rstrip('/')}/"
    is_deeper = theirs.path.startswith(folder) and theirs.path.rstrip("/") != folder.rstrip("/")
    return is_deeper and _host(theirs.netloc) == _host(ours.netloc)


def _host(name: str) -> str:
    # https://blog.readthedocs.com/securing-subdomains/: .org redirects to .io.
    return name.lower().replace(".readthedocs.org", ".readthedocs.io")
