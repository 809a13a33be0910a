"""Write a MkDocs project as its author would, and build it."""

from __future__ import annotations

import json

from tests.sites import NEWS, MkDocs, git

BASE = "https://example.com/"
MAIN = (
    "<!doctype html><html><head><meta charset='utf-8'><title>x</title>"
    "<link rel='canonical' href='{{ page.canonical_url }}'></head>"
    "<body>{{ page.content }}</body></html>"
)


def write(folder, files, **settings):
    """Write the files of a project, each with its text, and its settings."""
    settings = {
        "site_name": "Site",
        "site_url": BASE,
        "theme": {"name": None, "custom_dir": "theme"},
        "plugins": ["sitemap"],
        **settings,
    }
    for name, text in {
        "theme/main.html": MAIN,
        "docs/index.md": "# Home\n",
        **files,
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    (folder / "mkdocs.yml").write_text(json.dumps(settings))  # JSON is YAML.


def commit(folder):
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "all", GIT_COMMITTER_DATE=NEWS)


def build(folder, *arguments, **environ):
    built = MkDocs().run(folder, *arguments, **environ)
    assert 0 == built.returncode, built.log
    return built


def paths(built, base=BASE):
    assert all(loc.startswith(base) for loc in built.locs)
    return [loc.removeprefix(base) for loc in built.locs]
