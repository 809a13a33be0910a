"""The site's address: from the user, the generator's settings, or the pages themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemap_plugins.core import urls
from sitemap_plugins.core.address import known_address
from sitemap_plugins.core.errors import OptionsError, PageError
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.records import Site
from sitemap_plugins.core.url_forms import most_common_base
from sitemap_plugins.folder.previous import base_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from pathlib import Path

    from sitemap_plugins.core.url_forms import Spelling
    from sitemap_plugins.folder.generator_settings import Generator
    from sitemap_plugins.folder.options import Project

__all__ = ["agreed_address", "site_of"]


def site_of(
    project: Project,
    generator: Generator,
    canonical: Iterable[Spelling],
    output_dir: Path,
    *,
    local: bool,
) -> tuple[Site, str]:
    """Return the site, and its normalized base URL; empty if it is unknown or invalid.

    In this order: the option, the generator's setting or Read the Docs (`core.address`), and what
    the pages' canonical links agree on.

    Raises:
        OptionsError: It is the address of a local server, the user did not give it, and `local` is
            false.
    """
    setting, address = generator.base_url_setting, known_address(generator.base_url, project.ci)
    if address and address == project.ci.canonical_url:
        setting = "READTHEDOCS_CANONICAL_URL"
    elif not address and (base_url := most_common_base(canonical)):
        setting, address = "the base of the pages' canonical links", base_url
    if not local and not project.options.base_url and urls.is_local(str(address)):
        msg = f"{setting} is {quoted(address)}, the address of a local server"
        cure = "give the published site's address, such as --base-url https://www.example.com/"
        raise OptionsError(msg, cure=cure)
    site = Site(
        output_dir=output_dir,
        base_url=address or "",
        base_url_setting=setting,
        project_dir=project.project_dir,
    )
    try:
        return site, project.options.base_url or urls.normalize_base_url(str(site.base_url))
    except PageError:  # `generate` reports what is wrong with it.
        return site, ""


def agreed_address(listed: Collection[str], by_path: Mapping[str, str], base_url: str) -> str:
    """Return the address that listed URLs agree on, if it contradicts `base_url`; else `base_url`.

    More than half must have a file below it, and none below `base_url`. The address of a local
    server contradicts nothing: the generator knew no other.
    """
    agreed = base_of(listed, by_path)
    if not base_url or not agreed:
        return base_url or agreed
    beginning = urls.identity(base_url)
    identities = (urls.identity(url).partition("?")[0] for url in listed)
    has_file = any(
        u.startswith(beginning) and u.removeprefix(beginning) in by_path for u in identities
    )
    return base_url if has_file or urls.is_local(agreed) else agreed
