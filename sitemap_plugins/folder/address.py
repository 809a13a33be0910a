"""The site's address: what the user says, the generator's settings, or the pages themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemap_plugins.core import urls
from sitemap_plugins.core.ci import CI
from sitemap_plugins.core.errors import OptionsError, PageError
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.site import Site
from sitemap_plugins.folder.url_forms import most_common_base

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from sitemap_plugins.folder.generator import Generator
    from sitemap_plugins.folder.project import Project
    from sitemap_plugins.folder.url_forms import Spelling

__all__ = ["site_of"]


def site_of(
    project: Project,
    generator: Generator,
    said: Iterable[Spelling],
    output_dir: Path,
    *,
    local: bool,
) -> tuple[Site, str]:
    """Return the site, and its normalized base URL; empty where that is not known or not valid.

    In this order: the option, the generator's setting, what the service at hand says, and what the
    pages' canonical links agree on.

    Raises:
        OptionsError: It is the address of a local server, which `local` does not allow, and the
            user did not ask for it.
    """
    setting, address = _found(project, generator, said)
    if not local and not project.options.base_url:
        _refuse_local(setting, address)
    site = Site(
        output_dir=output_dir,
        base_url=address,
        base_url_setting=setting,
        project_dir=project.project_dir,
    )
    try:
        return site, project.options.base_url or urls.normalize_base_url(str(address))
    except PageError:  # `generate` says what is wrong with it.
        return site, ""


def _found(project: Project, generator: Generator, said: Iterable[Spelling]) -> tuple[str, object]:
    """Return the first setting that holds an address, and the address; the first of all if none."""
    found = {
        generator.base_url_setting: generator.base_url,
        "READTHEDOCS_CANONICAL_URL": CI.from_environ(project.environ).canonical_url,
        "the base of the pages' canonical links": most_common_base(said),
    }
    known = ((name, value) for name, value in found.items() if value)
    return next(known, (generator.base_url_setting, ""))


def _refuse_local(setting: str, address: object) -> None:
    if urls.is_local(str(address)):
        msg = (
            f"{setting} is {quoted(address)}, the address of a local server: give the published"
            " site's address, such as --base-url https://www.example.com/"
        )
        raise OptionsError([msg])
