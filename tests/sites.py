"""Describe a site once, write it as the sources of any host,
and build it with the real host."""

from __future__ import annotations

import json
import os
import re
import subprocess
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import quote

from lxml import etree

from tests.git_repository import ENVIRON
from tests.preloaded import decode, run_module

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

NAMESPACES = {
    "s": "http://www.sitemaps.org/schemas/sitemap/0.9",
    "xhtml": "http://www.w3.org/1999/xhtml",
    "image": "http://www.google.com/schemas/sitemap-image/1.1",
}
QUIET = {
    "NO_MKDOCS_2_WARNING": "1",
    "DISABLE_MKDOCS_2_WARNING": "true",
    "COLUMNS": "1000",  # Pelican breaks its lines to the terminal's width.
}
"""The same for all builds, or each host would be loaded twice by each worker."""
FEEDS = ("CATEGORY", "AUTHOR", "TRANSLATION")
NEWS = "2024-05-01T10:00:00+00:00"
"""Default date of a page's commit."""


@dataclass(frozen=True)
class Source:
    """One page as its author writes it."""

    name: str
    """Path without suffix, raw; `index` is the home page."""
    head: str = ""
    """Markup in the built page's head, as a theme would put it there."""
    canonical: bool = True
    """Whether the theme names the page's own URL as canonical, as the host knows it."""
    metadata: dict[str, object] = field(default_factory=dict)
    date: str | None = NEWS
    """Committer date; None leaves the page out of git."""


@dataclass(frozen=True)
class Site:
    """One site, for any host; its pages have directory URLs."""

    sources: tuple[Source, ...] = (Source("index"), Source("guide"))
    base_url: str = "https://example.com/"
    options: dict[str, object] = field(default_factory=dict)
    robots: bytes | None = None
    copied: tuple[str, ...] = ()
    """Names of files that the host copies into the output folder as they are."""
    git: bool = True
    """Whether the site is a repository; pages with a `date` are committed."""


@dataclass(frozen=True)
class Built:
    """A site that the host has built."""

    returncode: int
    log: str
    output_dir: Path

    @cached_property
    def entries(self) -> dict[str, dict[str, str]]:
        """Each `loc` of sitemap.xml in order, with the texts of its other elements."""
        root = etree.parse(self.output_dir / "sitemap.xml").getroot()
        assert f"{{{NAMESPACES['s']}}}urlset" == root.tag
        return {
            url.findtext("s:loc", namespaces=NAMESPACES): {
                etree.QName(child).localname: child.text
                for child in url.iterfind("s:*", NAMESPACES)
                if etree.QName(child).localname != "loc"
            }
            for url in root.iterfind("s:url", NAMESPACES)
        }

    @property
    def locs(self) -> list[str]:
        return list(self.entries)

    @property
    def robots(self) -> bytes:
        return (self.output_dir / "robots.txt").read_bytes()

    def shown(self, loc: str) -> str:
        """Return the date that a page shows, in UTC to the second; empty for none."""
        page = self.output_dir / loc.partition("//")[2].partition("/")[2] / "index.html"
        text = re.search("data-updated='(.*?)'", page.read_text("utf-8"))[1]
        return text.removesuffix("+00:00").removesuffix(" 00:00:00").replace("None", "")

    def wrote(self, name: str) -> bool:
        return (self.output_dir / name).exists()


def git(folder: Path, *arguments: str, **environ: str) -> str:
    """Run git with a test identity and without the user's configuration."""
    identity = {
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.com",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.com",
        "GIT_CONFIG_GLOBAL": ENVIRON["GIT_CONFIG_GLOBAL"],
    }
    return subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env={**os.environ, **identity, **environ},
        check=True,
        capture_output=True,
        text=True,
    ).stdout


class Host:
    """A generator: writes a site's sources in its own form,
    and runs its own command."""

    name: str
    config: str
    """The file that holds the options."""
    strict: tuple[str, ...]
    """Arguments that make warnings fail the build."""
    plain: tuple[str, ...]
    """The module and the fewest arguments
    that build a project in the current folder."""
    plain_output: str
    """Where that puts the site."""

    def glob(self, pattern: str) -> str:
        """Return a pattern in gitignore syntax as this host's users write it."""
        return pattern

    def build(self, site: Site, folder: Path, *arguments: str, **environ: str) -> Built:
        """Write, commit and build a site,
        with more arguments for the host's command."""
        self.write(site, folder)
        if site.git:
            self.commit(site, folder)
        return self.run(folder, *arguments, **environ)

    def write(self, site: Site, folder: Path) -> None:
        raise NotImplementedError

    def source_file(self, folder: Path, name: str) -> Path:
        raise NotImplementedError

    def copied_file(self, folder: Path, name: str) -> Path:
        """Return the file that the host copies to a name in the output folder."""
        raise NotImplementedError

    def write_copied(self, site: Site, folder: Path) -> None:
        for name in site.copied:
            file = self.copied_file(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(b"%PDF-1.7 <meta name=robots content=noindex>")

    def command(self) -> list[str]:
        raise NotImplementedError

    def commit(self, site: Site, folder: Path) -> None:
        git(folder, "init", "-q", "-b", "main")
        for source in site.sources:
            if source.date is not None:
                git(folder, "add", "--", str(self.source_file(folder, source.name)))
                git(
                    folder, "commit", "-qm", source.name, GIT_COMMITTER_DATE=source.date
                )

    def run(
        self, folder: Path, *arguments: str, real: bool = False, **environ: str
    ) -> Built:
        """Build the sources in a folder;
        `real` starts a new process without preloaded modules."""
        command = [*self.command(), *arguments]
        return self._run(command, folder, "out", real=real, environ=environ)

    def run_plain(self, folder: Path) -> Built:
        """Build the sources in a folder with the call that has the fewest arguments."""
        return self._run([*self.plain], folder, self.plain_output)

    def _run(
        self,
        command: list[str],
        folder: Path,
        output: str,
        *,
        real: bool = False,
        environ: Mapping[str, str] = MappingProxyType({}),
    ) -> Built:
        name, *arguments = command
        run = run_module(
            name,
            arguments,
            folder=folder,
            usual=QUIET,
            environ=environ,
            real=real,
        )
        # Names of files are bytes.
        log = decode(run.stdout + run.stderr, errors="backslashreplace")
        return Built(run.returncode, log, folder / output)

    def write_markdown(self, site: Site, folder: Path) -> None:
        """Write the sources in Markdown, each with front matter."""
        for source in site.sources:
            file = self.source_file(folder, source.name)
            file.parent.mkdir(parents=True, exist_ok=True)
            own = {
                "canonical": source.canonical,
                "head": source.head,
                **source.metadata,
            }
            file.write_text(f"---\n{json.dumps(own)}\n---\n# {source.name}\n", "utf-8")


class MkDocs(Host):
    name = "mkdocs"
    config = "mkdocs.yml"
    strict = ("--strict",)
    plain = ("mkdocs", "build")
    plain_output = "site"

    def write(self, site, folder):
        self.write_markdown(site, folder)
        theme = folder / "theme"
        theme.mkdir(exist_ok=True)
        (theme / "main.html").write_text(
            "<!doctype html><html><head><meta charset='utf-8'><title>x</title>{{ page.meta.head }}"
            "{% if page.meta.canonical and page.canonical_url %}"
            "<link rel='canonical' href='{{ page.canonical_url }}'>{% endif %}"
            "</head><body data-updated="
            "'{{ page.meta.git_revision_date_localized_raw_iso_datetime }}'>"
            "{{ page.content }}</body></html>"
        )
        if site.robots is not None:
            (folder / "docs/robots.txt").write_bytes(site.robots)
        self.write_copied(site, folder)
        settings = {
            "site_name": "Site",
            "theme": {"name": None, "custom_dir": "theme"},
            "plugins": [{"sitemap": site.options}],
        }
        if site.base_url:
            settings["site_url"] = site.base_url
        (folder / self.config).write_text(json.dumps(settings))  # JSON is YAML.

    def source_file(self, folder, name):
        return folder / "docs" / f"{name}.md"

    def copied_file(self, folder, name):
        return folder / "docs" / name

    def command(self):
        return [self.name, "build", "-f", self.config, "-d", "out"]


class ProperDocs(MkDocs):
    name = "properdocs"
    config = "properdocs.yml"
    plain = ("properdocs", "build")


class Pelican(Host):
    name = "pelican"
    config = "pelicanconf.py"
    strict = ("--fatal", "warnings")
    plain = ("pelican", "content")
    plain_output = "output"

    def write(self, site, folder):
        for source in site.sources:
            file = self.source_file(folder, source.name)
            file.parent.mkdir(parents=True, exist_ok=True)
            lines = [f"Title: {source.name}", f"Head: {source.head}"]
            lines += [f"Canonical: {'yes' if source.canonical else ''}"]
            if source.name.rpartition("/")[2] == "index":
                lines += [f"Save_as: {source.name}.html", f"URL: {source.name[:-5]}"]
            lines += [
                f"{key}: {as_text(value)}" for key, value in source.metadata.items()
            ]
            file.write_text("\n".join(lines) + "\n\nText.\n", "utf-8")
        templates = folder / "theme/templates"
        templates.mkdir(parents=True, exist_ok=True)
        (folder / "theme/static").mkdir(exist_ok=True)
        (templates / "page.html").write_text(
            "<!doctype html><html><head><meta charset='utf-8'><title>x</title>{{ page.head }}"
            "{% if page.canonical and SITEURL %}"
            "<link rel='canonical' href=\"{{ SITEURL }}/{{ page.url }}\">{% endif %}"
            "</head><body data-updated='{{ page.modified }}'>{{ page.content }}</body></html>"
        )
        settings = {
            "SITENAME": "Site",
            "TIMEZONE": "UTC",
            "SITEURL": site.base_url.rstrip("/"),
            "PLUGINS": ["sitemap_plugins.pelican"],
            "SITEMAP": site.options,
            "THEME": "theme",
            "PATH_METADATA": r"pages/(?P<path_no_ext>.*)\..*",
            "PAGE_URL": "{path_no_ext}/",
            "PAGE_SAVE_AS": "{path_no_ext}/index.html",
            "ARTICLE_PATHS": [],
            "DIRECT_TEMPLATES": [],
            **dict.fromkeys(f"{kind}_FEED_ATOM" for kind in FEEDS),
            "FEED_ALL_ATOM": None,
            "STATIC_PATHS": [
                *(["extra/robots.txt"] if site.robots is not None else []),
                *(f"extra/{name}" for name in site.copied),
            ],
            "EXTRA_PATH_METADATA": {
                f"extra/{name}": {"path": name} for name in ("robots.txt", *site.copied)
            },
        }
        self.write_copied(site, folder)
        if site.robots is not None:
            (folder / "content/extra").mkdir(parents=True, exist_ok=True)
            (folder / "content/extra/robots.txt").write_bytes(site.robots)
        text = "\n".join(f"{name} = {value!r}" for name, value in settings.items())
        (folder / self.config).write_text(text + "\n", "utf-8")

    def glob(self, pattern):
        return f"glob:{pattern}"

    def source_file(self, folder, name):
        return folder / "content/pages" / f"{name}.md"

    def copied_file(self, folder, name):
        return folder / "content/extra" / name

    def command(self):
        return ["pelican", "content", "-s", self.config, "-o", "out"]


UTC_BEFORE_SPHINX_8_1 = """
import os, sphinx, time
if sphinx.version_info < (8, 1):  # It has no html_last_updated_use_utc.
    os.environ["TZ"] = "UTC"
    time.tzset()
"""


class Sphinx(Host):
    name = "sphinx"
    config = "conf.py"
    strict = ("-W",)
    builder = "dirhtml"
    plain = ("sphinx", "-M", "dirhtml", ".", "_build")
    plain_output = "_build/dirhtml"

    def write(self, site, folder):
        for source in site.sources:
            file = self.source_file(folder, source.name)
            file.parent.mkdir(parents=True, exist_ok=True)
            own = {"orphan": "", "canonical": "yes" if source.canonical else ""}
            own |= {"head": source.head.replace("\\", "\\\\"), **source.metadata}
            fields = "".join(
                f":{key}: {as_text(value)}\n" for key, value in own.items()
            )
            file.write_text(
                f"{fields}\n{source.name}\n{'=' * len(source.name)}\n\nText.\n", "utf-8"
            )
        (folder / "_templates").mkdir(exist_ok=True)
        (folder / "_templates/page.html").write_text(
            "<!doctype html><html><head><meta charset='utf-8'><title>x</title>{{ meta.head }}"
            "{% if meta.canonical and pageurl %}<link rel='canonical' href='{{ pageurl|e }}'>"
            "{% endif %}</head><body data-updated='{{ last_updated }}'>{{ body }}</body></html>"
        )
        settings = {
            "project": "Site",
            "html_last_updated_fmt": "%Y-%m-%d %H:%M:%S",
            "html_last_updated_use_utc": True,
            "html_baseurl": site.base_url,
            "extensions": ["sitemap_plugins.sphinx"],
            "templates_path": ["_templates"],
            "exclude_patterns": ["out"],
            "html_theme": "basic",
            "show_warning_types": True,  # The default since Sphinx 8.
            "smartquotes": False,
        }
        if site.robots is not None:
            (folder / "extra").mkdir(exist_ok=True)
            (folder / "extra/robots.txt").write_bytes(site.robots)
        self.write_copied(site, folder)
        if (folder / "extra").exists():
            settings["html_extra_path"] = ["extra"]
        settings |= {f"sitemap_{name}": value for name, value in site.options.items()}
        text = "\n".join(f"{name} = {value!r}" for name, value in settings.items())
        (folder / self.config).write_text(f"{text}\n{UTC_BEFORE_SPHINX_8_1}", "utf-8")

    def source_file(self, folder, name):
        return folder / f"{name}.rst"

    def copied_file(self, folder, name):
        return folder / "extra" / name

    def command(self):
        return ["sphinx", "-b", self.builder, ".", "out"]


class Folder(Host):
    """A generator without plugins, followed by the command line.

    It writes pages as MkDocs does with directory URLs, but knows nothing of dates or
    sitemaps.
    """

    name = "folder"
    config = "sitemap.toml"
    strict = ("--strict",)

    def write(self, site, folder):
        self.write_markdown(site, folder)
        if site.robots is not None:
            (folder / "docs/robots.txt").write_bytes(site.robots)
        self.write_copied(site, folder)
        (folder / "base_url").write_text(site.base_url)
        lines = [f"{key} = {as_toml(value)}" for key, value in site.options.items()]
        (folder / self.config).write_text("\n".join(lines) + "\n", "utf-8")

    def source_file(self, folder, name):
        return folder / "docs" / f"{name}.md"

    def copied_file(self, folder, name):
        return folder / "docs" / name

    def run(self, folder, *arguments, real=False, **environ):
        self.write_html(folder)
        return super().run(folder, *arguments, real=real, **environ)

    def write_html(self, folder):
        base_url = (folder / "base_url").read_text()
        for file in (folder / "docs").rglob("*.md"):
            page = file.relative_to(folder / "docs").with_suffix("")
            page = page.parent if page.name == "index" else page
            own = json.loads(file.read_text("utf-8").split("---\n")[1])
            url = f"{base_url}{quote(page.as_posix())}/" if page.name else base_url
            link = (
                f"<link rel='canonical' href=\"{url}\">"
                if own["canonical"] and base_url
                else ""
            )
            target = folder / "out" / page / "index.html"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(
                "<!doctype html><html><head><meta charset='utf-8'><title>x</title>"
                f"{own['head']}{link}</head><body>{page}</body></html>",
                "utf-8",
            )
        for file in (folder / "docs").rglob("*.*"):
            if file.suffix != ".md":
                target = folder / "out" / file.relative_to(folder / "docs")
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(file.read_bytes())

    def command(self):
        return ["sitemap_plugins", "build", "out"]


def as_toml(value: object) -> str:
    """Return a value in TOML, which is JSON but for mappings."""
    if isinstance(value, dict):
        items = [f"{json.dumps(key)} = {as_toml(item)}" for key, item in value.items()]
        return "{ " + ", ".join(items) + " }"
    if isinstance(value, list):
        return f"[{', '.join(map(as_toml, value))}]"
    return json.dumps(value)


def as_text(value: object) -> str:
    """Return front matter for hosts whose values are all strings."""
    if isinstance(value, dict):
        return ", ".join(f"{key}: {item}" for key, item in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)
