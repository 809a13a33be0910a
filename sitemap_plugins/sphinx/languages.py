"""The builds of a site in other languages, and the versions of a page in them.

Sphinx builds one language at a time and does not know the others: conf.py names their
place, or it follows from this build's own address, in which the language is a folder.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from sphinx.application import Sphinx
from sphinx.config import Config

from sitemap_plugins.core import urls
from sitemap_plugins.core.environment import CI, known_address
from sitemap_plugins.core.languages import is_language
from sitemap_plugins.core.messages import Notice, Notices, a_few, quoted
from sitemap_plugins.core.records import Alternate
from sitemap_plugins.sphinx.catalogs import CatalogReader
from sitemap_plugins.sphinx.options import SphinxOptions

LANGUAGE_FOLDER = "{lang}"
"""Stands for a language's folder, with its last slash, as in sphinx-sitemap."""

_DEFAULT_SCHEME = "{lang}{version}{link}"
"""What sphinx-sitemap adds to the base URL if `sitemap_url_scheme` is not set."""

_OF_SPHINX_SITEMAP = (
    "site_url",
    "sitemap_locales",
    "sitemap_excludes",
    "sitemap_show_lastmod",
    "sitemap_filename",
)
"""Settings of projects that used sphinx-sitemap before."""


class Address(NamedTuple):
    """The address of one build."""

    base_url: str
    """As the user writes it; empty if no setting has it."""

    setting: str = "html_baseurl"
    """The setting that it comes from, for messages."""

    template: str = ""
    """The base URL with `LANGUAGE_FOLDER` for its language; empty if unknown."""

    notices: Notices = ()


def find_address(config: Config, options: SphinxOptions, ci: CI) -> Address:
    """Return the address of a build: that in conf.py, or that of Read the Docs.

    `known_address` decides between the two.
    """
    # conf.py can hold any value: one that is not a URL is reported with the sitemap.
    settings = {
        "sitemap_base_url": options.base_url,
        "site_url": config.site_url,
        "html_baseurl": config.html_baseurl,
    }
    setting = next((name for name, value in settings.items() if value), "html_baseurl")
    address = str(known_address(str(settings[setting] or ""), ci))
    # The address of Read the Docs has all folders: no scheme has to add any.
    is_complete = address.rstrip("/") == ci.canonical_url.rstrip("/")
    if options.url_scheme and urls.is_web(address) and not is_complete:
        return _with_scheme(address, setting, config, options)
    found = _with_own_folder(address, setting, config, ci)
    if about_version := _about_missing_version(found, config):
        return found._replace(notices=about_version)
    written = getattr(config, "_raw_config", {})
    comes_from_sphinx_sitemap = any(name in written for name in _OF_SPHINX_SITEMAP)
    if options.url_scheme or is_complete or not comes_from_sphinx_sitemap:
        return found
    return found._replace(notices=_about_missing_scheme(found, config))


def _with_scheme(
    address: str, setting: str, config: Config, options: SphinxOptions
) -> Address:
    """Return the address with the folders that `sitemap_url_scheme` adds to it."""
    own = config.language or "en"
    version = f"{config.version}/" if config.version else ""
    folders = (
        options.url_scheme.removesuffix("{link}")
        .replace("{version}", version)
        .lstrip("/")
    )
    base = f"{address.rstrip('/')}/"
    added = fill_in(folders, own)
    notices: Notices = ()
    if added and base.endswith(f"/{added}"):
        problem = (
            f"sitemap_url_scheme = {quoted(options.url_scheme)} repeats the end of"
            f" {setting} = {quoted(address)}, so it is ignored"
        )
        notices = (Notice("url-scheme", problem, cure="remove it"),)
        base = base.removesuffix(added)
    if added:
        setting += " or sitemap_url_scheme"
    template = base + folders
    if LANGUAGE_FOLDER not in template:
        template = ""
    return Address(
        base_url=base + added, setting=setting, template=template, notices=notices
    )


def _with_own_folder(address: str, setting: str, config: Config, ci: CI) -> Address:
    """Return the address, with a template if the own language is one of its folders."""
    own = config.language or "en"
    pieces = address.rstrip("/").split("/")
    # After "https:", "" and the host.
    for position, piece in enumerate(pieces[3:], start=3):
        if same_language(piece, own) or same_language(piece, ci.language or own):
            before = "".join(f"{each}/" for each in pieces[:position])
            after = "".join(f"{each}/" for each in pieces[position + 1 :])
            template = before + LANGUAGE_FOLDER + after
            return Address(base_url=address, setting=setting, template=template)
    return Address(base_url=address, setting=setting)


def _about_missing_version(found: Address, config: Config) -> Notices:
    """Return a notice if sphinx-multiversion's folder is not in the address."""
    name = getattr(config, "smv_current_version", "")
    if (
        not name
        or not urls.is_web(found.base_url)
        or f"/{name}/" in f"{found.base_url}/"
    ):
        return ()
    base = f"{found.base_url.rstrip('/')}/"
    problem = (
        f"sphinx-multiversion builds version {quoted(name)} into a folder of its own,"
        f" which {quoted(found.base_url)} lacks"
    )
    cure = f"run it with `-D 'html_baseurl={base}${{name}}/'`"
    return (Notice("wrong-base-url", problem, cure),)


def _about_missing_scheme(found: Address, config: Config) -> Notices:
    """Return a notice if folders are missing that are a default of sphinx-sitemap."""
    has_version = (
        config.version in urlsplit(found.base_url).path.split("/") and config.version
    )
    if found.template or has_version or not urls.is_web(found.base_url):
        return ()
    problem = (
        f"pages are listed below {quoted(found.base_url)}, where sphinx-sitemap would"
        " add folders for the language and the version"
    )
    cure = (
        f"add them to {found.setting}, or set sitemap_url_scheme = {_DEFAULT_SCHEME!r}"
        " ('{link}' if there are no such folders)"
    )
    return (Notice("url-scheme", problem, cure),)


def find_output(
    output_dir: Path, address: Address, levels: int
) -> tuple[Path, str, str] | Notice:
    """Return the sitemap's folder, its address, and the build's folder in it, encoded.

    `levels` is how many folders the sitemap is above the output folder. These folders
    must have the names of the address's last ones: nothing else proves that the
    sitemap's folder is published.
    """
    if not levels or not address.base_url:
        return output_dir, address.base_url, ""
    back = "".join(
        f"{urls.percent_encode(folder)}/" for folder in output_dir.parts[-levels:]
    )
    base_url = f"{address.base_url.rstrip('/')}/"
    if base_url.endswith(f"/{back}") and urlsplit(base_url).path.count("/") > levels:
        return output_dir.parents[levels - 1], base_url.removesuffix(back), back
    problem = (
        f"no sitemap is written: sitemap_filename begins with {quoted('../' * levels)},"
        f" but the output folder {quoted(str(output_dir))} does not end as"
        f" {quoted(address.base_url)} does"
    )
    cure = (
        "build into folders of these names, or write the sitemap into the output folder"
    )
    return Notice("bad-option", problem, cure)


def fill_in(template: str, language: str) -> str:
    """Return an address or a scheme with a language's folder for `LANGUAGE_FOLDER`."""
    return template.replace(LANGUAGE_FOLDER, f"{urls.percent_encode(language)}/")


def same_language(one: str, other: str) -> bool:
    """Tell whether two names, such as those of folders, stand for one language."""
    return one.lower().replace("_", "-") == other.lower().replace("_", "-")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Build:
    """The site in another language."""

    language: str
    base_url: str
    untranslated: Collection[str]
    """The documents of which no message is translated, if that can be found out."""

    output_dir: Path | None
    """Contains its pages; None if unknown: then it is assumed to have all pages."""

    def has(self, name: str, output_name: Path) -> bool:
        """Tell whether the build has a translation of a page, by its name and file."""
        if name in self.untranslated:
            return False
        if self.output_dir is None:
            return True
        return (self.output_dir / output_name).is_file()


@dataclass(frozen=True, slots=True, kw_only=True)
class Languages:
    """The site's languages, as one build sees them."""

    own: str = ""
    """This build's language, as Sphinx knows it."""

    default: str = ""
    """The language whose version is `x-default`; empty for none."""

    others: tuple[_Build, ...] = ()

    untranslated: Collection[str] = ()
    """The documents of which this build shows no message in its own language."""

    @property
    def are_announced_elsewhere(self) -> bool:
        """Whether the build of the default language is another one."""
        return bool(self.others and self.default) and not same_language(
            self.own, self.default
        )

    def of(
        self, name: str, path: str, output_name: Path, *, own_folder: str
    ) -> tuple[Alternate, ...]:
        """Return all versions of a page, if there are others.

        `output_name` is the page's file in the output folder, and `own_folder` is the
        folder of this build below that of its sitemap.
        """
        if name in self.untranslated:
            return ()
        found = [Alternate(language=self.own, path=own_folder + path)]
        for build in self.others:
            if build.has(name, output_name):
                url = build.base_url + path
                found.append(Alternate(language=build.language, url=url))
        return tuple(found) if len(found) > 1 else ()


def find_languages(
    app: Sphinx, options: SphinxOptions, address: Address, ci: CI
) -> tuple[Languages, Notices]:
    """Find the builds of the other languages of the site that has this address."""
    own = app.config.language or "en"
    default = options.default_language
    # Without a template, the addresses of other languages are not known.
    if not address.template:
        none = Languages(own=own, default=default)
        if options.locales and address.base_url:
            return none, (_about_no_folder(own, address),)
        return none, ()
    translated = CatalogReader(app=app).translated(_folders(app))
    used = [language for language, documents in translated.items() if documents]
    source = _source_language(app, used)
    untranslated = partial(_untranslated, app.env.found_docs, translated, source)
    named = _folder_names(source, used, ci)
    if options.locales is not None:
        named = [*options.locales]
    others = []
    for language in named:
        if not same_language(language, own):
            build = _Build(
                language=language,
                base_url=fill_in(address.template, language),
                untranslated=untranslated(language),
                output_dir=_output_dir(app, options, language),
            )
            others.append(build)
    languages = Languages(
        own=own,
        default=default or source,
        others=tuple(others),
        untranslated=untranslated(own),
    )
    if options.locales is not None or not others:
        return languages, ()
    return languages, (_about_found(others),)


def _source_language(app: Sphinx, used: Collection[str]) -> str:
    """Return the language that the project is written in; empty for none known.

    conf.py names the language that the project is written in; the command line (`-D`)
    then names the language of this build. If conf.py computes the language, it names
    one of the translations, which are `used`, and the result is empty.
    """
    written = str(getattr(app.config, "_raw_config", {}).get("language") or "en")
    return written if used and written not in used else ""


def _folder_names(source: str, used: Collection[str], ci: CI) -> list[str]:
    """Return the languages of a site, as its folders name them."""
    named = [*used]
    if ci.read_the_docs:  # The service publishes pt_BR in the folder pt-br.
        named = [language.lower().replace("_", "-") for language in used]
    return [source, *named] if source else named


def _about_found(others: Iterable[_Build]) -> Notice:
    names = a_few([build.language for build in others])
    problem = (
        f"pages link to their versions in the other languages of locale_dirs ({names})"
    )
    cure = "if some are not published, set sitemap_locales to those that are"
    return Notice("found-languages", problem, cure)


def _about_no_folder(own: str, address: Address) -> Notice:
    problem = (
        f"sitemap_locales is not used, as nothing says which folder of"
        f" {address.base_url!r} is that of {own!r}"
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
    """Return the documents that a build shows untranslated, if that is known."""
    # Catalogs of the original language are empty.
    if same_language(language, source):
        return frozenset()
    for each, names in translated.items():
        if same_language(each, language):
            return documents - names
    return frozenset()


def _output_dir(app: Sphinx, options: SphinxOptions, language: str) -> Path | None:
    folder = Path(app.outdir, options.locale_builds.replace(LANGUAGE_FOLDER, language))
    # Not built yet: search engines ignore a link until its page exists.
    return folder if options.locale_builds and folder.is_dir() else None
