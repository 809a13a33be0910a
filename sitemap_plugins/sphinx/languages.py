"""The builds of a site in other languages, and the versions of a page in them.

Sphinx builds one language at a time and does not know the others: conf.py names their place, or it
follows from this build's own address, in which the language is a folder.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_plugins.core.languages import is_language
from sitemap_plugins.core.notices import Notice
from sitemap_plugins.core.records import Alternate
from sitemap_plugins.sphinx.addresses import LANGUAGE_FOLDER, fill_in, same_language
from sitemap_plugins.sphinx.catalogs import CatalogReader

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from collections.abc import Set as AbstractSet

    from sphinx.application import Sphinx

    from sitemap_plugins.core.environment import CI
    from sitemap_plugins.sphinx.addresses import Address
    from sitemap_plugins.sphinx.options import SphinxOptions

__all__ = ["Languages", "find_languages"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Build:
    """The site in another language."""

    language: str
    base_url: str
    untranslated: Collection[str]
    """The documents of which no message is translated, if that can be found out."""

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

    untranslated: Collection[str]
    """The documents of which this build shows no message in its own language."""

    @property
    def are_announced_elsewhere(self) -> bool:
        """Whether the build of the default language is another one."""
        return bool(self.others and self.default) and not same_language(self.own, self.default)

    def of(
        self, name: str, path: str, output_name: Path, *, own_folder: str
    ) -> tuple[Alternate, ...]:
        """Return all versions of a page, by its name, path and file in the output folder; or none.

        `own_folder` is this build's, in the folder of its sitemap.
        """
        if name in self.untranslated:
            return ()
        links = [
            Alternate(language=build.language, url=build.base_url + path)
            for build in self.others
            if name not in build.untranslated
            and (build.output_dir is None or (build.output_dir / output_name).is_file())
        ]
        own = Alternate(language=self.own, path=own_folder + path)
        return (own, *links) if links else ()


def find_languages(
    app: Sphinx, options: SphinxOptions, address: Address, ci: CI
) -> tuple[Languages, tuple[Notice, ...]]:
    """Find the builds of the other languages of the site that has this address."""
    own, default = app.config.language or "en", options.default_language
    if not address.template:
        is_lost = bool(options.locales and address.base_url)
        none = Languages(own=own, default=default, others=(), untranslated=())
        return none, (_about_no_place(own, address),) if is_lost else ()
    translated = CatalogReader(app=app).translated(_folders(app))
    used = [language for language, documents in translated.items() if documents]
    # conf.py names the language that is translated, the command line that of this build. If conf.py
    # computes the language, it is one of the translations.
    written = str(getattr(app.config, "_raw_config", {}).get("language") or "en")
    source = written if used and written not in used else ""
    untranslated = partial(_untranslated, app.env.found_docs, translated, source)
    if options.locales is None:
        # Read the Docs has pt_BR in the folder pt-br.
        folders = [n.lower().replace("_", "-") for n in used] if ci.read_the_docs else used
        named = [source, *folders] if source else folders
    else:
        named = [*options.locales]
    others = tuple(
        _Build(
            language=language,
            base_url=fill_in(address.template, language),
            untranslated=untranslated(language),
            output_dir=_output_dir(app, options, language),
        )
        for language in named
        if not same_language(language, own)
    )
    languages = Languages(
        own=own, default=default or source, others=others, untranslated=untranslated(own)
    )
    if options.locales is not None or not others:
        return languages, ()
    names = ", ".join(build.language for build in others)
    problem = f"pages link to their versions in the other languages of locale_dirs ({names})"
    cure = "if some are not published, set sitemap_locales to those that are"
    return languages, (Notice("found-languages", problem, cure),)


def _about_no_place(own: str, address: Address) -> Notice:
    problem = (
        f"sitemap_locales is not used, as nothing says which folder of {address.base_url!r} is"
        f" that of {own!r}"
    )
    cure = f"set sitemap_url_scheme = '{LANGUAGE_FOLDER}{{link}}', or remove the list"
    return Notice("hreflang", problem, cure)


def _folders(app: Sphinx) -> dict[str, list[Path]]:
    """Return the folders of catalogs by language, sorted."""
    found = defaultdict(list)
    for name in app.config.locale_dirs:
        for folder in sorted(Path(app.srcdir, name).glob("*/LC_MESSAGES")):
            if is_language(folder.parent.name):
                found[folder.parent.name].append(folder)
    return dict(sorted(found.items()))


def _untranslated(
    documents: AbstractSet[str],
    translated: Mapping[str, AbstractSet[str]],
    source: str,
    language: str,
) -> AbstractSet[str]:
    """Return the documents that a build shows only in the original language, if that is known."""
    if same_language(language, source):  # Catalogs of the original language are empty.
        return frozenset()
    found = (names for each, names in translated.items() if same_language(each, language))
    return documents - next(found, documents)


def _output_dir(app: Sphinx, options: SphinxOptions, language: str) -> Path | None:
    folder = Path(app.outdir, options.locale_builds.replace(LANGUAGE_FOLDER, language))
    # Not built yet: search engines ignore a link until its page exists.
    return folder if options.locale_builds and folder.is_dir() else None
