"""Sphinx's options: those of all hosts, its own, and sphinx-sitemap's values.

The module also knows what else a set-up can have: an old version of Sphinx, or
sphinx-sitemap itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.extension import Extension

from sitemap_plugins.core.languages import to_bcp47
from sitemap_plugins.core.messages import WrongValueError, quoted
from sitemap_plugins.core.options import (
    Accepts,
    Option,
    PluginOptions,
    flag,
    option,
    options_of,
)
from sitemap_plugins.core.values import parse_str, parse_strings

_OLDEST = (7, 4)
"""The oldest version of Sphinx that is tested."""

_OLDEST_WITHOUT_LIMITS = (8, 2)
"""The oldest version of Sphinx that lists every page."""

PREFIX = "sitemap_"
"""The beginning of an option's name in conf.py."""

_REPLACED = "sphinx_sitemap"
"""The extension whose place this one takes."""

# Folders, the language and the version in any order, then the page: a base URL ends in
# a folder.
_SCHEME = re.compile(r"(?:[^{}/:]*(?:/|\{lang\}|\{version\}))*\{link\}")

_FLAGS = {"true": True, "1": True, "false": False, "0": False}

_SLASHES = re.compile("/{2,}")

_ABOVE = "../"
"""Before a file's name: in the folder above."""


def _parse_locales(value: object) -> tuple[str, ...] | None:
    if value == [None]:  # sphinx-sitemap's word for none.
        return ()
    languages = parse_strings(value)
    for language in languages:
        to_bcp47(language)  # An error for anything else than a language.
    return languages or None


def _parse_locale_builds(value: object) -> str:
    if not (text := parse_str(value)) or "{lang}" in text:
        return text
    msg = f"{quoted(value)} does not contain the language"
    raise WrongValueError(msg, cure="write it as '../{lang}'")


def _parse_url_scheme(value: object) -> str:
    if not (text := parse_str(value)):
        return text
    if _SCHEME.fullmatch(text):
        for folder in ("{lang}", "{version}"):  # They end in a slash of their own.
            text = text.replace(f"{folder}/", folder)
        return _SLASHES.sub("/", text)
    msg = f"{quoted(value)} has to consist of folders, with {{link}} at the end"
    raise WrongValueError(msg, cure="write '{lang}{version}{link}'")


@dataclass(frozen=True, slots=True, kw_only=True)
class SphinxOptions(PluginOptions):
    """The options of one Sphinx project, checked."""

    modules: bool = flag(
        default=False,
        summary="List the source code pages that sphinx.ext.viewcode makes.",
    )
    """Whether `_modules/…` is listed."""

    locales: tuple[str, ...] | None = option(
        default=[],
        example=["de", "fr"],
        accepts=Accepts("list of languages", _parse_locales),
        summary="The site's languages; unset: those in `locale_dirs`; `[None]`: none.",
    )
    """As folders are named; None to look at `locale_dirs`, empty for no links."""

    locale_builds: str = option(
        default="",
        example="../{lang}",
        accepts=Accepts("folder", _parse_locale_builds),
        summary="Path of the other languages' builds, relative to this output folder:"
        " `../{lang}`.",
    )
    """The folder, with `{lang}`; if it is empty, every page is assumed to have every
    language."""

    url_scheme: str = option(
        default="",
        example="{lang}{version}{link}",
        accepts=Accepts("text", _parse_url_scheme),
        summary="Template of URLs after the base URL, such as `{lang}{version}{link}`.",
    )
    """Ends with `{link}`; empty to add nothing."""

    excludes: tuple[str, ...] = option(
        default=[],
        example=["search.html", "_modules/*"],
        accepts=Accepts("list of wildcards", parse_strings),
        summary="sphinx-sitemap's list of pages to leave out; `exclude` can do more.",
    )
    """For `fnmatchcase`, on decoded paths."""

    show_lastmod: bool = flag(
        default=True,
        summary="sphinx-sitemap's switch for dates; `lastmod` can do more.",
    )
    """Whether there are dates at all."""


SPHINX_OPTIONS = options_of(SphinxOptions)
"""Every option of a Sphinx project, in the manual's order."""


def read_options(config: Config) -> tuple[SphinxOptions, int]:
    """Check what conf.py and the command line say.

    Returns:
        The options, and how many folders the sitemap lies above the output folder: a
        build of one language can have it above the language's folder
        (`sitemap_filename = "../sitemap.xml"`).

    Raises:
        OptionsError: Any value is wrong; it tells all of them at once.
    """
    values = {each.name: _value_of(each, config) for each in SPHINX_OPTIONS}
    # Defaults of sphinx-sitemap were None.
    values = {name: value for name, value in values.items() if value is not None}
    levels = 0
    while str(values.get("filename")).startswith(_ABOVE):
        values["filename"] = str(values["filename"]).removeprefix(_ABOVE)
        levels += 1
    options = SphinxOptions.parse(values, where="conf.py", prefix=PREFIX)
    origins = options.lastmod if options.show_lastmod else ()
    if getattr(config, "smv_current_version", ""):
        # sphinx-multiversion builds from exported commits: each file's time is its
        # commit's.
        origins = tuple(origin for origin in origins if origin != "mtime")
    return replace(options, lastmod=origins), levels


def _value_of(declared: Option, config: Config) -> object:
    """Return an option's value; the command line (`-D`) can only give a text."""
    name = f"{PREFIX}{declared.name}"
    value = config[name]
    is_flag = isinstance(declared.default, bool) or declared.accepts.shape == "flag"
    if is_flag and name in config.overrides:
        # Sphinx itself knows 0 and 1, if the default is a flag.
        return _FLAGS.get(str(value).lower(), value)
    return value


def take_over(app: Sphinx) -> str:
    """Take the place of sphinx-sitemap if another extension loads that.

    Sphinx skips an extension that it has an entry for. So if sphinx-sitemap is not
    loaded yet, an empty entry keeps it out. If sphinx-sitemap is loaded already, it is
    disconnected, and the result is what to say; otherwise the result is empty.
    """
    if _REPLACED not in app.extensions:
        safe = {"parallel_read_safe": True, "parallel_write_safe": True}
        app.extensions[_REPLACED] = Extension(_REPLACED, module=None, **safe)
        return ""
    for listeners in [*app.events.listeners.values()]:
        for listener in [*listeners]:
            if getattr(listener.handler, "__module__", "") == _REPLACED:
                app.disconnect(listener.id)
    return f"{_REPLACED}, which another extension loads, is replaced: it writes nothing"


def unsupported(sphinx: tuple[int, ...]) -> str:
    """Return that a version of Sphinx is too old; empty if it is not."""
    if sphinx >= _OLDEST:
        return ""
    return (
        f"Sphinx {_dotted(sphinx)} is installed, and {_dotted(_OLDEST)} or later is"
        " needed: upgrade Sphinx"
    )


def too_old(sphinx: tuple[int, ...]) -> str:
    """Return what a supported version of Sphinx cannot do; empty if it can do all."""
    if sphinx >= _OLDEST_WITHOUT_LIMITS:
        return ""
    return (
        f"Sphinx {_dotted(sphinx)} is older than {_dotted(_OLDEST_WITHOUT_LIMITS)}:"
        " a build in which nothing changes does not list the pages that extensions"
        " make: upgrade Sphinx"
    )


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
