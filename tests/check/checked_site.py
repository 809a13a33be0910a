"""A built site without a fault, to put one in, and its check."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from sitemap_plugins.check.run import CheckOptions, check_file, check_folder
from sitemap_plugins.folder.options import FolderOptions, Project
from tests.folder.html_folder import BASE, MOMENTS, commit, page, untracked, write
from tests.git_repository import ENVIRON

NS = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML = "http://www.w3.org/1999/xhtml"
NOW = datetime(2026, 11, 21, tzinfo=UTC)
PAGES = {"": "index", "a/": "a", "b/": "b"}
"""Path of each page and name of its source."""
SOURCES = {f"docs/{name}.md": "# Text\n" for name in PAGES.values()}


def url(loc, lastmod=None, *, more="", base=BASE):
    date = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
    return f"<url><loc>{base}{loc}</loc>{date}{more}</url>\n"


def urlset(*urls, declaration='<?xml version="1.0" encoding="UTF-8"?>\n'):
    return f'{declaration}<urlset xmlns="{NS}" xmlns:xhtml="{XHTML}">\n{"".join(urls)}</urlset>\n'


def index(*locs, lastmod=None):
    date = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
    parts = "".join(f"<sitemap><loc>{loc}</loc>{date}</sitemap>\n" for loc in locs)
    return f'<sitemapindex xmlns="{NS}">\n{parts}</sitemapindex>\n'


def links(**targets):
    return "".join(
        f'<xhtml:link rel="alternate" hreflang="{language.replace("_", "-")}" href="{BASE}{path}"/>'
        for language, path in targets.items()
    )


URLS = tuple(url(path, moment) for path, moment in zip(PAGES, MOMENTS, strict=False))
"""The entry of each page, right in every way."""


def write_site(folder, *, git=True):
    """Write the site: pages, sources with a history, robots.txt and sitemap.xml."""
    files = {f"out/{path}index.html": page(BASE + path) for path in PAGES}
    files["out/index.html"] = page(BASE, body="<a href='a/'>A</a><a href='b/'>B</a>")
    files["out/robots.txt"] = f"Sitemap: {BASE}sitemap.xml\n"
    write(folder, {**files, **SOURCES, "out/sitemap.xml": urlset(*URLS)})
    if git:
        shutil.copytree(Path(_committed().name, ".git"), folder / ".git")


@cache
def _committed():
    """Return a folder with the commits of the sources, which are made only once."""
    folder = TemporaryDirectory(prefix="checked-site-")
    write(Path(folder.name), SOURCES)
    commit(Path(folder.name), *SOURCES)
    return folder


def result_of(folder, *, options=None, environ=ENVIRON, **wanted):
    """Check the folder of a project."""
    project = Project(
        site_dir=folder / "out",
        project_dir=folder,
        options=FolderOptions.parse(options or {}, where="test"),
        environ=environ,
    )
    return check_folder(project, CheckOptions(now=NOW, **wanted), track=untracked)


def result_of_file(file, **wanted):
    return check_file(file, file.name, CheckOptions(now=NOW, **wanted))
