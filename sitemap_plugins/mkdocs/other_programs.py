"""What other programs do with the sitemap: mike, Material, plugins, the project itself.

mike builds each version separately, below the site's address; no build knows the
others. Material's script reads sitemap.xml in the browser: it treats each `<loc>` as a
page that it can load in place, preview, or find in another language or version. It
reads no other file, and no index (Material 9.8).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from sitemap_plugins.core.git.program import Git
from sitemap_plugins.core.git.repository import IGNORE_REVS_FILE
from sitemap_plugins.core.messages import GitError, Notice, quoted
from sitemap_plugins.core.report import Report
from sitemap_plugins.core.untrusted_files import root_above, seen_from
from sitemap_plugins.core.urls import host_root

_ALIASES = {"latest", "stable"}
"""Names that nearly every project uses for its newest version."""


def builds_a_version(config: MkDocsConfig, address: str) -> bool:
    """Tell whether mike builds a version.

    For a version, mike adds the version's folder to `site_url`; `address` is `site_url`
    as set.
    """
    built = _folder(config.site_url or "")
    return "mike" in config.plugins and built != _folder(address)


def about_versions(
    config: MkDocsConfig, address: str, filename: str
) -> Iterator[Notice]:
    """Yield notices for a site with versions; `address` is `site_url` as set."""
    site_url = _folder(config.site_url or "")
    version = _last(site_url)
    last = _last(address)
    if last in _ALIASES or last == version:
        problem = (
            f"site_url = {address!r} ends in {last!r}, and mike adds a version:"
            f" every URL begins with {site_url!r}"
        )
        yield Notice("wrong-base-url", problem, cure=f"remove {last!r} from site_url")
    # With mike's option canonical_version, `site_url` has that name in place of the
    # version that is built.
    built = os.environ.get("MIKE_DOCS_VERSION", version)
    if built != version and _redirects_aliases(config):
        made = f"mike makes {quoted(version)} a folder of redirects"
        problem = f"{made}, and its URLs are listed"
        cure = "set mike's alias_type to symlink or copy, or canonical_version to a version"
        yield Notice("wrong-base-url", problem, cure)
    # A sitemap at the root is that of `merge`, or a link to a version's.
    if not _at_root(config, "sitemap.xml"):
        yield _about_robots(config, site_url, filename)


def _redirects_aliases(config: MkDocsConfig) -> bool:
    options = config.plugins["mike"].config
    return bool(options.get("alias_type") == "redirect")


def _about_robots(config: MkDocsConfig, site_url: str, filename: str) -> Notice:
    line = f"'Sitemap: {site_url}{filename}'"
    problem = f"crawlers read robots.txt only at {host_root(site_url)}robots.txt"
    if config.plugins["mike"].config.get("canonical_version"):
        cure = f"add the line {line} there, once for all versions"
    else:
        cure = (
            f"add a line such as {line} there, only for the version that readers should"
            " find"
        )
    return Notice("robots-not-at-root", problem, cure, "robots.txt")


def _at_root(config: MkDocsConfig, name: str) -> bytes:
    """Return the content of a file at the root of mike's branch; empty for none."""
    branch = config.remote_branch
    folder = Path(config.config_file_path).absolute().parent
    for ref in (f"refs/heads/{branch}", f"refs/remotes/{config.remote_name}/{branch}"):
        with suppress(GitError):
            git = Git.at(folder, os.environ)
            return git.run("cat-file", "blob", f"{ref}:{name}")
    return b""


def _folder(url: str) -> str:
    return url.rstrip("/") + "/"


def _last(url: str) -> str:
    return url.rstrip("/").rpartition("/")[2]


NAME = "sitemap.xml"
"""The name of MkDocs' sitemap, whatever the name of ours is."""


def about_material(config: MkDocsConfig, report: Report) -> str:
    """Return in one line why Material cannot use the sitemap; empty if it can."""
    # materialx is a fork of Material.
    if config.theme.name not in {"material", "materialx"} or not report.listed:
        return ""
    if report.filename != NAME:
        cause = "it reads only sitemap.xml: remove `filename`"
    elif any(file.name.startswith("sitemap-") for file in report.files):
        cause = "sitemap.xml is an index of parts, which it does not read"
    else:
        return ""
    features = "instant navigation, previews and selectors"
    return f"Material cannot use the sitemap for {features}: {cause}"


def drop_template(config: MkDocsConfig, files: Files) -> None:
    """Keep MkDocs from rendering the theme's template; call this in `on_env`.

    If it were removed in an earlier event, MkDocs 1.6 would copy the template to the
    site as a file. In a build within a build it already is such a file, which is
    removed here too.
    """
    config.theme.static_templates.discard(NAME)
    template = files.src_uris.get(NAME)
    if template is not None and template.src_dir in config.theme.dirs:
        files.remove(template)


def about_unused(
    config: MkDocsConfig, builds: Iterable[Files], filename: str
) -> Iterator[Notice]:
    """Yield a notice for each sitemap of the project's own that is not used."""
    project = Path(config.config_file_path).absolute().parent
    own = set()
    if config.theme.custom_dir:
        own.add(Path(config.theme.custom_dir, NAME).absolute())
    if filename == NAME:  # Under another name the site has both.
        for files in builds:
            file = files.src_uris.get(NAME)
            if file and file.abs_src_path:
                own.add(Path(file.abs_src_path))
    for path in sorted(filter(Path.is_file, own)):
        place = Path(seen_from(str(project), str(path)))
        problem = "it is not used, because this plugin writes the sitemap"
        cure = (
            "delete it; the front matter `sitemap: false` and `exclude` leave pages out"
        )
        yield Notice("replaced-file", problem, cure, place.as_posix())


_DATES = "git-revision-date-localized"
"""A plugin whose settings say, in the maintainer's words, what no date is from."""


def has_no_true_date(config: MkDocsConfig, file: File) -> bool:
    """Tell whether git-revision-date-localized is told to give a page no date.

    Hooks fill most of these pages with what other pages say.
    """
    options = getattr(config.plugins.get(_DATES), "config", {})
    patterns = options.get("exclude", ())
    # As the plugin matches them (1.6), with slashes on every system.
    return any(fnmatchcase(file.src_uri, pattern) for pattern in patterns)


def lists_of_ignored_commits(config: MkDocsConfig) -> bool | tuple[str, ...]:
    """Return git's usual list of commits and that of git-revision-date-localized.

    The result is as in `Options.ignore_revs`: True for the usual list alone, and names
    relative to the repository's root. The plugin's option is relative to the project's
    folder.
    """
    options = getattr(config.plugins.get(_DATES), "config", {})
    name = options.get("ignored_commits_file")
    project = Path(config.config_file_path).resolve().parent
    root = root_above(str(project), {})
    if not name or root is None:
        return True
    return (IGNORE_REVS_FILE, seen_from(root, str(project / name)))
