"""A folder of built HTML, read once: files, address, and what its pages are made of."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sitemap_plugins.core import url_forms, urls
from sitemap_plugins.core.choice.other_files import files_below
from sitemap_plugins.core.date_values import DateOrDatetime
from sitemap_plugins.core.messages import Notice, Notices, OptionsError, quoted
from sitemap_plugins.core.records import Alternate, Included, Site
from sitemap_plugins.core.untrusted_files import (
    is_file,
    is_folder,
    is_given_folder,
    root_above,
    seen_from,
)
from sitemap_plugins.core.url_forms import Form
from sitemap_plugins.folder import include_settings, previous
from sitemap_plugins.folder.address import (
    Address,
    Evidence,
    agreed_by_links,
    find_address,
    spelling_of,
)
from sitemap_plugins.folder.generator_settings import Generator, read_generator
from sitemap_plugins.folder.includes import Includes
from sitemap_plugins.folder.options import Project, Track
from sitemap_plugins.folder.page_marks import Built, read_page_marks, trusted_dates
from sitemap_plugins.folder.previous import ListedFiles
from sitemap_plugins.folder.project_files import ProjectFiles, read_project_files
from sitemap_plugins.folder.read_pages import PageReader, alternates_of
from sitemap_plugins.folder.sources import Sources, find_sources
from sitemap_plugins.folder.versions import Versions, apparent_versions


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderSite:
    """All that was read from a folder."""

    site: Site

    base_url: str
    """Normalized; empty if it is unknown or invalid."""

    address: Address
    """What says the address, which the listed URLs can contradict."""

    built: tuple[Built, ...]
    """The HTML files, in the order of their names."""

    fragments: tuple[str, ...]
    """The names of HTML files that are only pieces of pages, in order."""

    files: Mapping[str, str]
    """Each file's name percent-encoded, by its name."""

    site_files: url_forms.Files
    """Which of these files, or of the folder's other files, a path leads to."""

    previous: ListedFiles
    """What the sitemap in the folder lists, as `previous.files_of` returned it."""

    reader: PageReader

    versions: Versions
    """The versions of a manual that the folder holds, as `apparent_versions` found
    them."""

    notices: Notices
    """About files that cannot be read."""

    @property
    def name_in_repository(self) -> str:
        """The folder's name relative to the sources' root, with a last slash.

        The name is empty if the folder is outside that root.
        """
        name = _relative(self.reader.site_dir, self.reader.project_files)
        return f"{name}/" if name and not name.startswith("..") else ""

    def is_made_by(self, generator: str) -> bool:
        """Tell whether the first page that names a generator names this one."""
        names = (page.marks.generator for page in self.built)
        return next(filter(None, names), "").startswith(generator)

    def source_of(self, name: str) -> Path | None:
        """Return the file of the project whose path ends with a built file's name.

        The name includes its folders. The result is None if no file's path ends with
        it, or if those of several do.
        """
        files = self.reader.project_files
        found = files.only(name)
        return files.root / found if found else None


def read_folder(
    project: Project,
    *,
    track: Track,
    local: bool = False,
) -> FolderSite:
    """Read every HTML file of a folder once.

    `local` is for checks, which allow the address of a local server and prefer the
    address that the listed URLs agree on.

    Raises:
        OptionsError: The folder does not exist or has no page, the site's address is a
            local server's, or the settings file that was named cannot be read.
    """
    site_dir = project.site_dir
    options = project.options
    built, fragments = _read(site_dir, track)
    files = {page.name: urls.percent_encode(page.name) for page in built}
    site_files = url_forms.Files.of(files.values(), site_dir)
    generator = read_generator(
        project.project_dir, project.environ, named=options.generator_config
    )
    versions = apparent_versions(site_dir)
    evidence = Evidence(
        listed=previous.listed_urls(site_dir, options.filename),
        is_ours=previous.is_ours(site_dir / options.filename),
        files=site_files,
        by_links=agreed_by_links(built, versions.default),
    )
    address = find_address(project, generator, evidence, local=local)
    base_url, listed = _reconciled(address, evidence.listed, local=local)
    before = previous.files_of(listed, site_files, base_url)
    paths = _paths(built, files, previous.listed_forms(before))
    alternates = alternates_of(built, paths, site_files, base_url)
    reader = _reader(project, generator, built, paths, alternates)
    site = Site(
        output_dir=site_dir,
        base_url=address.value,
        base_url_setting=address.setting,
        project_dir=project.project_dir,
    )
    notices = [Notice.of(generator.error, "bad-option")] if generator.error else []
    return FolderSite(
        site=site,
        base_url=base_url,
        address=address,
        built=tuple(built),
        fragments=tuple(fragments),
        files=files,
        site_files=site_files,
        previous=before,
        reader=reader,
        versions=versions,
        notices=tuple(notices),
    )


def _reconciled(
    address: Address, listed: tuple[str, ...], *, local: bool
) -> tuple[str, tuple[str, ...]]:
    """Return the base URL and the listed URLs, changed to agree if that is possible.

    If they contradict each other, a check (`local`, as in `read_folder`) takes the
    address of the listed URLs. Otherwise, if canonical links confirm the address, the
    site has moved, and the listed URLs are moved to the address.
    """
    if not address.refuted_by:
        return address.base_url, listed
    if local:
        return address.refuted_by, listed
    if address.is_confirmed:
        listed = previous.moved(listed, address.refuted_by, address.base_url)
    return address.base_url, listed


def _paths(
    built: Sequence[Built], files: Mapping[str, str], listed: Mapping[str, Form]
) -> dict[str, str]:
    """Return the path of each page by the page's name.

    `files` are the names percent-encoded, by name, and `listed` the forms in the
    previous sitemap. A page's own canonical link is judged later, as on any host; here,
    it is only a vote for the form of other pages.
    """
    votes = dict(listed)
    for page in built:
        spelling = spelling_of(page)
        if spelling is not None:
            votes[files[page.name]] = spelling.form
    paths = url_forms.paths_of(files.values(), known=listed, votes=votes)
    return {name: paths[file] for name, file in files.items()}


def _read(site_dir: Path, track: Track) -> tuple[list[Built], list[str]]:
    """Return the pages of a folder, and the names of HTML files that are none."""
    if not is_given_folder(site_dir):
        msg = f"{str(site_dir)!r} is not a folder"
        raise OptionsError(msg, cure="name the folder that holds the built site")
    # Hidden folders and links to folders are left out, and second names of a page.
    files = {}
    for name in files_below(site_dir):
        if name.endswith(url_forms.HTML_SUFFIXES):
            file = site_dir / name
            if not _is_second_name(file, site_dir):
                files[name] = file
    if not files:
        msg = f"{str(site_dir)!r} contains no HTML file"
        raise OptionsError(msg, cure="build the site first")
    built = []
    fragments = []
    for name in track(sorted(files), "Reading pages"):
        marks = read_page_marks(files[name], urls.percent_encode(name))
        # Eleventy without a layout writes no `<html>`, but a folder answers with its
        # index.html.
        if marks.is_fragment and name.rpartition("/")[2] != url_forms.INDEX:
            fragments.append(name)
        else:
            built.append(Built(name, marks))
    return built, fragments


def _is_second_name(file: Path, site_dir: Path) -> bool:
    if not file.is_symlink():
        return False
    # A second name is a link to another file of the site. `Path.resolve` raises for
    # endless links.
    return Path(os.path.realpath(file)).is_relative_to(site_dir.resolve())


def _reader(
    project: Project,
    generator: Generator,
    built: Sequence[Built],
    paths: Mapping[str, str],
    alternates: Mapping[str, tuple[Alternate, ...]],
) -> PageReader:
    """Return what describes the pages."""
    project_files, folder = _project_files(project, generator)
    options = project.options
    sources = find_sources(
        built,
        project_files,
        folder,
        is_named=bool(options.generator_config),
        site_dir=project.site_dir,
    )
    return PageReader(
        site_dir=project.site_dir,
        paths=paths,
        project_files=project_files,
        sources=sources,
        included=_included(project, generator, sources, project_files),
        copied=_copied(project, generator, built),
        alternates=alternates,
        modified=_dates_in_html(built, sources),
    )


def _dates_in_html(
    built: Sequence[Built], sources: Sources
) -> Mapping[str, DateOrDatetime]:
    """Return the dates in pages' own HTML, unless the sources of most pages are here.

    If they are, the other pages have no author: they list pages, or are made of data.
    The date in such a page's HTML is one that the theme has chosen: Hugo's `.Lastmod`
    of a list is older than pages that it shows.
    """
    if 2 * len(sources.by_page) > len(built):
        return {}
    return trusted_dates(
        {p.name: p.marks for p in built if p.name not in sources.previews}
    )


def _copied(
    project: Project, generator: Generator, built: Sequence[Built]
) -> frozenset[str]:
    """Return the pages that the generator only copied."""
    copied: set[str] = set()
    for folder in generator.copied_from:
        # A site written by hand is its own source.
        if _is_same(folder, project.site_dir):
            continue
        copied.update(page.name for page in built if is_file(folder / page.name))
    return frozenset(copied)


def _project_files(project: Project, generator: Generator) -> tuple[ProjectFiles, str]:
    """Return the files among which sources are looked for, and where to begin.

    The place to begin is relative to the root of the files.

    Raises:
        OptionsError: The folder that the user names is not one, or holds much more.
    """
    source_dir = _named_source_dir(project)
    start = source_dir or generator.source_dir or project.project_dir
    if start != project.project_dir and _holds_others(start, project.project_dir):
        folder = quoted(str(start))
        msg = f"the folder of the sources, {folder}, holds much more than the project"
        raise OptionsError(msg, cure="name a folder of the project")
    is_own_source = source_dir is not None and _is_same(source_dir, project.site_dir)
    top = start if is_folder(start) else project.project_dir
    built_dir = None if is_own_source else project.site_dir
    files = read_project_files(top, project.environ, site_dir=built_dir)
    # Built files are not sources, even if they are committed, unless the user says so.
    site_dir = os.path.realpath(project.site_dir)
    is_in_site = Path(os.path.realpath(start)).is_relative_to(site_dir)
    if source_dir is None or not is_in_site:
        files = files.outside(_relative(project.site_dir, files))
    return files, _relative(start, files)


def _named_source_dir(project: Project) -> Path | None:
    """Return the folder of the sources that the user names; None for none.

    Raises:
        OptionsError: The path that the user names is not a folder.
    """
    named = project.options.source_dir
    if not named:
        return None
    source_dir = project.project_dir / named
    if not is_folder(source_dir):
        msg = f"source_dir = {quoted(named)} is not a folder"
        raise OptionsError(msg, cure="name the folder that holds the sources")
    return source_dir


def _included(
    project: Project, generator: Generator, sources: Sources, files: ProjectFiles
) -> dict[str, Included]:
    """Return what each page includes, by its name; absent where that is nothing."""
    # Outside git, `files` are only those in the folder of the sources, which can
    # include other files of the project.
    project_dir = Path(os.path.realpath(project.project_dir))
    bound = project_dir if files.root.is_relative_to(project_dir) else files.root
    syntaxes = (*generator.includes, *include_settings.of_any_generator(files))
    includes = Includes(root=bound, syntaxes=syntaxes)
    found = {}
    for page, source in sources.by_page.items():
        file = files.root / source
        included = includes.of(file)
        # Nikola's posts can have title and date in a file of their own:
        # https://getnikola.com/handbook.html#metadata-fields
        metadata = file.with_suffix(".meta")
        if is_file(metadata):
            included = included._replace(files=(*included.files, metadata))
        if included != Included():
            found[page] = included
    return found


def _holds_others(folder: Path, project_dir: Path) -> bool:
    """Tell whether a folder outside a repository holds more than the project.

    It does if the project, or the user's home folder, is below the folder.
    """
    real = os.path.realpath(folder)
    if root_above(real, {}) is not None:
        return False
    above = Path(os.path.realpath(project_dir)).parent
    return above.is_relative_to(real) or Path.home().is_relative_to(real)


def _is_same(folder: Path, other: Path) -> bool:
    return os.path.realpath(folder) == os.path.realpath(other)


def _relative(folder: Path, files: ProjectFiles) -> str:
    # The root of `files` has an empty name.
    name = seen_from(str(files.root), os.path.realpath(folder)).replace(os.sep, "/")
    return "" if name == "." else name
