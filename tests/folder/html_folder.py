"""Write a folder of HTML and its project, and build its sitemap."""

from __future__ import annotations

from pathlib import Path

from sitemap_plugins import folder as folder_of_html
from sitemap_plugins.folder.options import FolderOptions, Project
from sitemap_plugins.folder.reading import read_folder
from tests.git_repository import ENVIRON
from tests.sites import Built, git

BASE = "https://example.com/"
HTML = (
    "<!doctype html><html><head><title>x</title>{head}</head><body>{body}</body></html>"
)
MOMENTS = [f"2024-05-{day:02}T10:00:00+00:00" for day in range(1, 29)]
"""When the files of a project were committed, one after the other."""


def untracked(items, description):
    return items


def html(head="", body="<p>Text"):
    return HTML.format(head=head, body=body)


def page(url=None, *, edit=None, head="", body="<p>Text"):
    """Return a page with a canonical link and an edit link."""
    canonical = f"<link rel='canonical' href='{url}'>" if url is not None else ""
    link = f"<a rel='edit' href='{edit}'>Edit</a>" if edit else ""
    return html(canonical + head, link + body)


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")


def commit(folder, *names):
    """Commit files one by one, at `MOMENTS`."""
    git(folder, "init", "-q", "-b", "main")
    for name, moment in zip(names, MOMENTS, strict=False):
        git(folder, "add", "--", name)
        git(folder, "commit", "-qm", name, GIT_COMMITTER_DATE=moment)


def report_of(folder, site_dir="out", environ=ENVIRON, **options):
    project = Project(
        site_dir=folder / site_dir,
        project_dir=folder,
        options=FolderOptions.parse(options, where="test"),
        environ=environ,
    )
    site = read_folder(project, track=untracked)
    return folder_of_html.write(site, project, print)


def build_site(folder, files, /, sources=(), **options) -> Built:
    """Write a built site and committed sources, and build its sitemap."""
    write(folder, {f"out/{name}": text for name, text in files.items()})
    write(
        folder, {name: "# Text\n" for name in sources if not (folder / name).exists()}
    )
    if sources:
        commit(folder, *sources)
    report = report_of(folder, **options)
    lines = [f"{notice!s} ({notice.code})" for notice in report.notices]
    return Built(
        0,
        "\n".join([*lines, report.summary(), *report.unexpected(), *report.details()]),
        Path(folder, "out"),
    )
