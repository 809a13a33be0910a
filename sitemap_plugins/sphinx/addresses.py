"""The web address of a build and of its sitemap, from conf.py and Read the Docs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitemap_plugins.core import urls
from sitemap_plugins.core.address import known_address
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.notices import Notice

if TYPE_CHECKING:
    from pathlib import Path

    from sphinx.config import Config

    from sitemap_plugins.core.environment import CI
    from sitemap_plugins.sphinx.options import SphinxOptions

__all__ = ["LANGUAGE_FOLDER", "Address", "fill_in", "find_address", "find_place", "same_language"]

LANGUAGE_FOLDER = "{lang}"
"""Stands for a language's folder in an address, its last slash included (sphinx-sitemap)."""

_DEFAULT_SCHEME = "{lang}{version}{link}"
"""What sphinx-sitemap adds to the base URL if `sitemap_url_scheme` is not set."""

_OF_SPHINX_SITEMAP = ("site_url", "sitemap_locales", "sitemap_excludes", "sitemap_show_lastmod")
"""Settings of projects that used sphinx-sitemap before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """The address of one build."""

    base_url: str
    """As the user writes it; empty if no setting has it."""

    setting: str = "html_baseurl"
    """The setting that it comes from, for messages."""

    template: str = ""
    """The base URL with `LANGUAGE_FOLDER` for its language; empty if that is not known."""

    notices: tuple[Notice, ...] = ()


def find_address(config: Config, options: SphinxOptions, ci: CI) -> Address:
    """Return the address in conf.py, or that of Read the Docs if it is below the former."""
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
    if options.url_scheme and _is_url(address) and not is_complete:
        return _with_scheme(address, setting, config, options)
    found = _with_own_folder(address, setting, config, ci)
    if about_version := _about_missing_version(found, config):
        return replace(found, notices=about_version)
    written = getattr(config, "_raw_config", {})
    comes_from_sphinx_sitemap = any(name in written for name in _OF_SPHINX_SITEMAP)
    if options.url_scheme or is_complete or not comes_from_sphinx_sitemap:
        return found
    return replace(found, notices=_about_missing_scheme(found, config))


def _with_scheme(address: str, setting: str, config: Config, options: SphinxOptions) -> Address:
    own = config.language or "en"
    version = f"{config.version}/" if config.version else ""
    folders = options.url_scheme.removesuffix("{link}").replace("{version}", version).lstrip("/")
    base, added = f"{address.rstrip('/')}/", fill_in(folders, own)
    notices: tuple[Notice, ...] = ()
    if added and base.endswith(f"/{added}"):
        problem = (
            f"sitemap_url_scheme = {quoted(options.url_scheme)} repeats the end of {setting} ="
            f" {quoted(address)}, so it is ignored"
        )
        notices = (Notice("url-scheme", problem, cure="remove it"),)
        base = base.removesuffix(added)
    template = base + folders
    return Address(
        base_url=base + added,
        setting=f"{setting} or sitemap_url_scheme" if added else setting,
        template=template if LANGUAGE_FOLDER in template else "",
        notices=notices,
    )


def _with_own_folder(address: str, setting: str, config: Config, ci: CI) -> Address:
    """Return the address, with a template if one of its folders is the build's own language."""
    own = config.language or "en"
    pieces = address.rstrip("/").split("/")
    for position, piece in enumerate(pieces[3:], start=3):  # After "https:", "" and the host.
        if same_language(piece, own) or same_language(piece, ci.language or own):
            before, after = pieces[:position], pieces[position + 1 :]
            template = "/".join([*before, LANGUAGE_FOLDER + "/".join([*after, ""])])
            return Address(base_url=address, setting=setting, template=template)
    return Address(base_url=address, setting=setting)


def _about_missing_version(found: Address, config: Config) -> tuple[Notice, ...]:
    """Return a notice if sphinx-multiversion builds into a folder that the address lacks."""
    name = getattr(config, "smv_current_version", "")
    if not name or not _is_url(found.base_url) or f"/{name}/" in f"{found.base_url}/":
        return ()
    base = f"{found.base_url.rstrip('/')}/"
    problem = (
        f"sphinx-multiversion builds version {quoted(name)} into a folder of its own, which"
        f" {quoted(found.base_url)} lacks"
    )
    cure = f"run it with `-D 'html_baseurl={base}${{name}}/'`"
    return (Notice("wrong-base-url", problem, cure),)


def _about_missing_scheme(found: Address, config: Config) -> tuple[Notice, ...]:
    """Return a notice if folders are missing that are a default of sphinx-sitemap."""
    has_version = config.version in urlsplit(found.base_url).path.split("/") and config.version
    if found.template or has_version or not _is_url(found.base_url):
        return ()
    problem = (
        f"pages are listed below {quoted(found.base_url)}, where sphinx-sitemap would add folders"
        " for the language and the version"
    )
    cure = (
        f"add them to {found.setting}, or set sitemap_url_scheme = {_DEFAULT_SCHEME!r} ('{{link}}'"
        " if there are no such folders)"
    )
    return (Notice("url-scheme", problem, cure),)


def _is_url(address: str) -> bool:
    return address.startswith(("http://", "https://"))


def find_place(output_dir: Path, address: Address, levels: int) -> tuple[Path, str, str] | Notice:
    """Return the sitemap's folder, its address, and the build's folder in it, encoded.

    `levels` is how many folders the sitemap is above the output folder. These folders must have the
    names of the address's last ones: nothing else proves that the sitemap's folder is published.
    """
    if not levels or not address.base_url:
        return output_dir, address.base_url, ""
    back = "".join(f"{urls.percent_encode(folder)}/" for folder in output_dir.parts[-levels:])
    base_url = f"{address.base_url.rstrip('/')}/"
    if base_url.endswith(f"/{back}") and urlsplit(base_url).path.count("/") > levels:
        return output_dir.parents[levels - 1], base_url.removesuffix(back), back
    problem = (
        f"no sitemap is written: sitemap_filename begins with {quoted('../' * levels)}, but the"
        f" output folder {quoted(str(output_dir))} does not end as {quoted(address.base_url)} does"
    )
    cure = "build into folders of these names, or write the sitemap into the output folder"
    return Notice("bad-option", problem, cure)


def fill_in(template: str, language: str) -> str:
    """Return an address or a scheme with a language's folder for `LANGUAGE_FOLDER`."""
    return template.replace(LANGUAGE_FOLDER, f"{urls.percent_encode(language)}/")


def same_language(one: str, other: str) -> bool:
    """Tell whether two names, such as those of folders, stand for one language."""
    return one.lower().replace("_", "-") == other.lower().replace("_", "-")
