"""The builds of a site in other languages, and the versions of a page in them.

Sphinx builds one language at a time and does not know the others: conf.py names their place, or it
follows from this build's own address, in which the language is a folder.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_plugins.core.errors import PageError
from sitemap_plugins.core.languages import to_bcp47
from sitemap_plugins.core.notices import Notice
from sitemap_plugins.core.page import Alternate
from sitemap_plugins.sphinx.addresses import LANGUAGE_FOLDER, fill_in, same_language
from sitemap_plugins.sphinx.catalogs import domains, is_translated

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from sitemap_plugins.core.ci import CI
    from sitemap_plugins.sphinx.addresses import Address
    from sitemap_plugins.sphinx.options import SphinxOptions

__all__ = ["Languages", "find_languages"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Build:
    """The site in another language."""

    language: str
    base_url: str
    output_dir: Path | None
    """Contains its pages; None if unknown: then it is assumed to have all pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Languages:
    """The site's languages, as one build sees them."""

    own: str
    """This build's language, as Sphinx knows it."""

    default: str
    """The language whose version is `x-default`; empty for none."""

    others: tuple[_Build, ...]

    def of(self, path: str, output_name: Path, *, own_folder: str) -> tuple[Alternate, ...]:
        """Return all versions of a page, by its path and its file in the output folder; or none.

        `own_folder` is this build's, in the folder of its sitemap.
        """
        links = [
            Alternate(language=build.language, url=build.base_url + path)
            for build in self.others
            if build.output_dir is None or (build.output_dir / output_name).is_file()
        ]
        own = Alternate(language=self.own, path=own_folder + path)
        return (own, *links) if links else ()


def find_languages(
    app: Sphinx, options: SphinxOptions, address: Address, ci: CI
) -> tuple[Languages, tuple[Notice, ...]]:
    """Find the builds of the other languages of the site that has this address."""
    own = app.config.language or "en"
    source, translations = _of_catalogs(app, ci)
    named = translations if options.locales is None else options.locales
    others = tuple(
        _Build(
            language=language,
            base_url=fill_in(address.template, language),
            output_dir=_output_dir(app, options, language),
        )
        for language in named
        if address.template and not same_language(language, own)
    )
    notices = []
    if options.locales and address.base_url and not address.template:
        text = (
            f"sitemap_locales is not used, as nothing says which folder of {address.base_url!r} is"
            f" that of {own!r}: set sitemap_url_scheme = '{LANGUAGE_FOLDER}{{link}}', or remove the"
            " list"
        )
        notices.append(Notice(code="hreflang", text=text))
    default = options.default_language or source
    return Languages(own=own, default=default, others=others), tuple(notices)


def _of_catalogs(app: Sphinx, ci: CI) -> tuple[str, list[str]]:
    """Return the language that is translated, if it is known, and all that have a build."""
    folders_of_languages = [
        folder
        for name in app.config.locale_dirs
        for folder in Path(app.srcdir, name).glob("*/LC_MESSAGES")
        if _is_language(folder.parent.name)
    ]
    names = domains(app)
    translated = sorted(
        {
            folder.parent.name
            for folder in folders_of_languages
            if any(is_translated(folder / name) for name in names)
        }
    )
    # conf.py names the language that is translated, the command line that of this build. Where
    # conf.py computes the language, it is one of the translations.
    written = getattr(app.config, "_raw_config", {}).get("language") or "en"
    source = [written] if translated and written not in translated else []
    # Read the Docs: pt_BR stands in the folder pt-br.
    folders = (
        [name.lower().replace("_", "-") for name in translated] if ci.read_the_docs else translated
    )
    return "".join(source), [*source, *folders]


def _output_dir(app: Sphinx, options: SphinxOptions, language: str) -> Path | None:
    folder = Path(app.outdir, options.locale_builds.replace(LANGUAGE_FOLDER, language))
    # Not built yet: search engines ignore a link until its page exists.
    return folder if options.locale_builds and folder.is_dir() else None


def _is_language(name: str) -> bool:
    with suppress(PageError):
        return bool(to_bcp47(name))
    return False
