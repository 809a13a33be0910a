"""The sitemaps that ours replaces: that of MkDocs, and the project's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_plugins.core.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

__all__ = ["about_replaced", "drop_template"]

NAME = "sitemap.xml"
"""The name of MkDocs' sitemap, whatever the name of ours is."""


def drop_template(config: MkDocsConfig, files: Files) -> None:
    """Keep MkDocs from rendering the theme's template; call this in `on_env`.

    If it were removed in an earlier event, MkDocs 1.6 would copy the template to the site as a
    file. In a build within a build it already is such a file, which is removed here too.
    """
    config.theme.static_templates.discard(NAME)
    template = files.src_uris.get(NAME)
    if template is not None and template.src_dir in config.theme.dirs:
        files.remove(template)


def about_replaced(
    config: MkDocsConfig, builds: Iterable[Files], filename: str
) -> Iterator[Notice]:
    """Yield a notice for each sitemap of the project's own that is not used any more."""
    project = Path(config.config_file_path).absolute().parent
    own = {Path(config.theme.custom_dir, NAME).absolute()} if config.theme.custom_dir else set()
    if filename == NAME:  # Under another name the site has both.
        files = (files.src_uris.get(NAME) for files in builds)
        own |= {Path(file.abs_src_path) for file in files if file and file.abs_src_path}
    for path in sorted(filter(Path.is_file, own)):
        place = path.relative_to(project) if path.is_relative_to(project) else path
        problem = "it is not used, because this plugin writes the sitemap"
        cure = (
            "delete it. Front matter (`sitemap: false`, `robots: noindex`) and `exclude` leave"
            " pages out; `priority`, `changefreq` and `static_html` do the rest"
        )
        yield Notice("replaced-file", problem, cure, place.as_posix())
