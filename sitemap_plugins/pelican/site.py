"""One Pelican site, or a sub-site: where its files lie, and which URL leads to each.

Pelican gives each page two names that need not agree: `url`, for the links to it, and `save_as`,
the file. Either comes from the author, from a setting, or from a default that nobody chose.
"""

from __future__ import annotations

import os
import posixpath
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from sitemap_plugins.core import urls
from sitemap_plugins.core.url_forms import leads_to, usual_path

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["PelicanSite"]


@dataclass(frozen=True, slots=True)
class PelicanSite:
    """A site, or one of the sub-sites in other languages that i18n_subsites builds below it."""

    settings: Mapping[str, Any]
    """Pelican's settings of this site."""

    output_dir: str
    """The absolute folder of its files, with slashes on every system, as Pelican writes them."""

    folder: str = ""
    """Where its URLs begin below the main site's, percent-encoded: `de/`; empty for the main."""

    languages: dict[str, str] = field(default_factory=dict)
    """Language of each folder; shared by the main site and its sub-sites."""

    paths: dict[str, str] = field(default_factory=dict)
    """Path of each article and page by its source, once it is made; shared in the same way."""

    @classmethod
    def main(cls, settings: Mapping[str, Any]) -> PelicanSite:
        """Return a site that is not below another one."""
        output_dir = _absolute(settings["OUTPUT_PATH"])
        return cls(settings, output_dir, languages={"": settings["DEFAULT_LANG"]})

    def place(self, save_as: object) -> str:
        """Return where a file lies below the output folder, however the settings name it.

        As Pelican's writer resolves it: also `./a.html`, and absolute names of files down there.
        """
        return _absolute(self.output_dir, str(save_as)).removeprefix(f"{self.output_dir}/")

    def sub_site(self, settings: Mapping[str, Any]) -> PelicanSite | None:
        """Return a site below this one by its `SITEURL`; None for one elsewhere, say a host."""
        root, address = (f"{each['SITEURL'].rstrip('/')}/" for each in (self.settings, settings))
        if not address.startswith(root):
            return None
        folder = address.removeprefix(root)
        output_dir = _absolute(settings["OUTPUT_PATH"])
        place = posixpath.relpath(output_dir, self.output_dir)
        if not place.startswith("..") and place != unquote(folder).rstrip("/"):
            # Its files lie elsewhere below this site than its links say: only they can answer.
            folder = "" if place == "." else urls.percent_encode(f"{place}/")
        self.languages.setdefault(folder, settings["DEFAULT_LANG"])
        return PelicanSite(settings, output_dir, folder, self.languages, self.paths)

    def path(self, save_as: str, *candidates: str) -> str:
        """Return a page's path: the first of the URLs for links that leads to its file.

        If none does, the links to the page are broken, and the path is the file's own. Pelican does
        not encode URLs, so only the file shows whether one is encoded already.
        """
        for url in (candidate.lstrip("/") for candidate in candidates):
            if leads_to(url, save_as):
                return self.folder + urls.percent_encode(url)
            if "%" in url and leads_to(unquote(url), save_as):
                return self.folder + url
        return self.folder + urls.percent_encode(usual_path(save_as))


def _absolute(*parts: object) -> str:
    # Pelican's own way, which leaves symbolic links as they are.
    return Path(os.path.abspath(Path(*map(str, parts)))).as_posix()  # noqa: PTH100
