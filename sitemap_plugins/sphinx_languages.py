"""Where the builds of a site's other languages stand, and the versions of a page in them.

Sphinx builds one language at a time and knows nothing of the others: conf.py says where they are,
or this build's own address, in which its language is a folder.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_plugins.core import urls
from sitemap_plugins.core.alternates import bcp47
from sitemap_plugins.core.environment import is_set
from sitemap_plugins.core.errors import PageError
from sitemap_plugins.core.notices import Notice
from sitemap_plugins.core.pages import Alternate

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

    from sitemap_plugins.sphinx_options import SphinxOptions

__all__ = ["Languages", "find"]

_FOLDER = "{lang}"
"""Stands for a language's folder in an address, its last slash included (sphinx-sitemap)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Build:
    """The site in another language."""

    language: str
    base_url: str
    output_dir: Path | None
    """Holds the pages that it has; None where nobody knows, so that it has all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Languages:
    """The site's languages, as one build sees them."""

    base_url: str
    """Of this build, as the user writes it; empty where nobody has said it."""

    own: str
    """This build's language, as Sphinx knows it."""

    default: str
    """The language whose version is `x-default`; empty for none."""

    others: tuple[_Build, ...]

    def of(self, path: str, output_name: Path) -> tuple[Alternate, ...]:
        """Return all versions of a page, by its path and its file in the output folder; or none."""
        links = [
            Alternate(language=build.language, url=build.base_url + path)
            for build in self.others
            if build.output_dir is None or (build.output_dir / output_name).is_file()
        ]
        return (Alternate(language=self.own, path=path), *links) if links else ()


def find(app: Sphinx, options: SphinxOptions) -> tuple[Languages, tuple[Notice, ...]]:
    """Find where this build and those of the other languages stand."""
    own = app.config.language or "en"
    base_url, template = _addresses(app.config, options, own)
    source, translations = _of_catalogs(app)
    named = translations if options.locales is None else options.locales
    others = tuple(
        _Build(
            language=language,
            base_url=_filled(template, language),
            output_dir=_output_dir(app, options, language),
        )
        for language in named
        if template and _plain(language) != _plain(own)
    )
    notices = []
    if options.locales and base_url and not template:
        text = (
            f"sitemap_locales is not used, as nothing says which folder of {base_url!r} is that of"
            f" {own!r}: set sitemap_url_scheme = '{_FOLDER}{{link}}', or take the list out"
        )
        notices.append(Notice(code="hreflang", text=text))
    default = options.default_language or source
    return Languages(base_url=base_url, own=own, default=default, others=others), tuple(notices)


def _addresses(config: Config, options: SphinxOptions, own: str) -> tuple[str, str]:
    """Return this build's address, and the same with `{lang}` where its language stands.

    The second is empty where nobody says where that is.
    """
    hosted = os.environ.get("READTHEDOCS_CANONICAL_URL", "")
    # Whatever conf.py holds: what is no URL is told with the report.
    address = str(options.base_url or config.site_url or config.html_baseurl or hosted)
    # Read the Docs says where the build stands: nothing is missing there.
    if options.url_scheme and address and address.rstrip("/") != hosted.rstrip("/"):
        folders = options.url_scheme.removesuffix("{link}")
        folders = folders.replace("{version}", f"{config.version}/" if config.version else "")
        template = f"{address.rstrip('/')}/{folders.lstrip('/')}"
        return _filled(template, own), template if _FOLDER in template else ""
    own_folders = {_plain(own), _plain(os.environ.get("READTHEDOCS_LANGUAGE", own))}
    pieces = address.rstrip("/").split("/")
    for position, piece in enumerate(pieces[3:], start=3):  # After "https:", "" and the host.
        if _plain(piece) in own_folders:
            before, after = pieces[:position], pieces[position + 1 :]
            return address, "/".join([*before, _FOLDER + "/".join([*after, ""])])
    return address, ""


def _of_catalogs(app: Sphinx) -> tuple[str, list[str]]:
    """Return the language that is translated, if it is known, and all that have a build."""
    catalogs = (
        folder.parent.name
        for name in app.config.locale_dirs
        for folder in Path(app.srcdir, name).glob("*/LC_MESSAGES")
    )
    translated = sorted({name for name in catalogs if _is_language(name)})
    # conf.py names the language that is translated, the command line that of this build. Where
    # conf.py computes the language, it is one of the translations.
    written = getattr(app.config, "_raw_config", {}).get("language") or "en"
    source = [written] if translated and written not in translated else []
    # Read the Docs: pt_BR stands in the folder pt-br.
    folders = map(_plain, translated) if is_set(os.environ, "READTHEDOCS") else translated
    return "".join(source), [*source, *folders]


def _output_dir(app: Sphinx, options: SphinxOptions, language: str) -> Path | None:
    folder = Path(app.outdir, options.locale_builds.replace(_FOLDER, language))
    # Not built yet: a link too many is one that search engines ignore, until its page is there.
    return folder if options.locale_builds and folder.is_dir() else None


def _filled(template: str, language: str) -> str:
    return template.replace(_FOLDER, f"{urls.percent_encode(language)}/")


def _plain(language: str) -> str:
    return language.lower().replace("_", "-")


def _is_language(name: str) -> bool:
    with suppress(PageError):
        return bool(bcp47(name))
    return False
