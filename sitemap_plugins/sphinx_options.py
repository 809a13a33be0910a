"""The options that only Sphinx' users have, and what sphinx-sitemap's values mean here."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, cast, get_args

from sitemap_plugins.core.alternates import bcp47
from sitemap_plugins.core.errors import PageError
from sitemap_plugins.core.options import (
    Options,
    check_as,
    checked_flag,
    checked_strings,
    checked_text,
    checked_word,
    declared,
    option,
)

if TYPE_CHECKING:
    from sphinx.config import Config

__all__ = ["PREFIX", "SPHINX_OPTIONS", "Dependencies", "SphinxOptions", "read"]

PREFIX = "sitemap_"
"""What stands before an option's name in conf.py."""

Dependencies = Literal["none", "include", "all"]
"""Which files beside its own source a page is made of."""

# Folders, the language and the version in any order, then the page: a base URL ends in a folder.
_SCHEME = re.compile(r"(?:[^{}/]*(?:/|\{lang\}|\{version\}))*\{link\}")


def _dependencies(value: object) -> Dependencies:
    return cast("Dependencies", checked_word(value, get_args(Dependencies)))


def _locales(value: object) -> tuple[str, ...] | None:
    if value == [None]:  # sphinx-sitemap's word for none.
        return ()
    languages = checked_strings(value)
    for language in languages:
        try:
            bcp47(language)
        except PageError as error:
            raise ValueError(str(error)) from None
    return languages or None


def _locale_builds(value: object) -> str:
    if not (text := checked_text(value)) or "{lang}" in text:
        return text
    msg = f"{value!r} does not say where the language stands: write it as '../{{lang}}'"
    raise ValueError(msg)


def _url_scheme(value: object) -> str:
    if not (text := checked_text(value)) or _SCHEME.fullmatch(text):
        return text
    msg = (
        f"{value!r} is not folders, {{lang}} and {{version}} with {{link}} at the end: write it as"
        " '{lang}{version}{link}'"
    )
    raise ValueError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class SphinxOptions(Options):
    """The options of one Sphinx project, checked."""

    dependencies: Dependencies = option(
        default="include",
        kind="`none`, `include` or `all`",
        summary="Files that date a page beside its source: those it includes, or modules too.",
        check=_dependencies,
    )
    """`include` leaves out Python modules outside the source folder: autodoc reads them."""

    modules: bool = option(
        default=False,
        kind="true or false",
        summary="List the pages of source code that sphinx.ext.viewcode makes.",
        check=checked_flag,
    )
    """Whether `_modules/…` is listed."""

    locales: tuple[str, ...] | None = option(
        default=[],
        kind="list of languages",
        summary="The site's languages; unset: those in `locale_dirs`, `[None]`: none.",
        check=_locales,
    )
    """As folders are named; None to look at `locale_dirs`, empty for no links."""

    locale_builds: str = option(
        default="",
        kind="folder",
        summary="Where the other languages' builds lie, from this one's output: `../{lang}`.",
        check=_locale_builds,
    )
    """With `{lang}`; empty where nobody says, so that every page has every language."""

    url_scheme: str = option(
        default="",
        kind="text",
        summary="What stands between the base URL and a page: `{lang}{version}{link}`.",
        check=_url_scheme,
    )
    """Ends with `{link}`; empty to add nothing."""

    excludes: tuple[str, ...] = option(
        default=[],
        kind="list of wildcards",
        summary="sphinx-sitemap's list of pages to leave out; `exclude` has more.",
        check=checked_strings,
    )
    """For `fnmatch`, on decoded paths."""

    show_lastmod: bool = option(
        default=True,
        kind="true or false",
        summary="sphinx-sitemap's switch of dates; `lastmod` has more.",
        check=checked_flag,
    )
    """Whether there are dates at all."""


SPHINX_OPTIONS = declared(SphinxOptions)
"""Every option of a Sphinx project, in the manual's order."""


def read(config: Config) -> SphinxOptions:
    """Check what conf.py and the command line say.

    Raises:
        OptionsError: Any value is wrong; it tells all of them at once.
    """
    values = {option.name: config[f"{PREFIX}{option.name}"] for option in SPHINX_OPTIONS}
    options = check_as(SphinxOptions, values, where="conf.py", prefix=PREFIX)
    return options if options.show_lastmod else replace(options, lastmod=())
