"""The first minutes with the plugin:
each mistake of a new user, and the one line that cures it.

Every line that the plugin says is here word for word, its summary apart; on each host,
built with the host's own command. `{base_url}` and `{where}` are what the host calls
the site's address and the place of the options.
"""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest

from tests.full import FULL, full
from tests.hosts.sphinx_site import takes_flags
from tests.sites import Folder, MkDocs, Pelican, ProperDocs, Site, Source, Sphinx, git

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HOSTS = [MkDocs(), ProperDocs(), Pelican(), Sphinx(), Folder()]
ROWS = [full(host) if host.name == "properdocs" else host for host in HOSTS]
HOST_NAMES = [host.name for host in HOSTS]
BASE_URL = {
    "mkdocs": "site_url in mkdocs.yml",
    "pelican": "SITEURL",
    "sphinx": "html_baseurl",
    "folder": "--base-url",
}
WHERE = {
    "mkdocs": "Plugin 'sitemap' option 'exclude': ",
    "pelican": "SITEMAP in the settings: exclude = ",
    "sphinx": "conf.py: sitemap_exclude = ",
    "folder": "sitemap.toml: exclude = ",
}
STOPPED = {"mkdocs": 1, "pelican": 1, "sphinx": 2, "folder": 2}
"""The exit code where the host does not build."""
NOTHING = {"folder": 2}
"""The exit code where the site is built and has no sitemap:
for the command that is its work."""

LINE = {
    "mkdocs": r"(?:INFO|WARNING|ERROR) +-  (?:sitemap: )?(?:Config value 'plugins': )?"
    r"(?P<text>.*\([a-z-]+\)|.*'sitemap'.*|.*URL isn't.*)",
    "pelican": r"(?:\[[\d:]+\] )?(?:WARNING |CRITICAL )? *(?:OptionsError|sitemap): "
    r"(?P<text>.*?)(?: +(?:__init__|log)\.py:\d+)?",
    "sphinx": r"(?:WARNING|ERROR)?(?:: )?(?P<text>.*[(\[]sitemap\.[a-z-]+[)\]]|conf\.py: .*"
    r"|while setting up .*)",
    "folder": r"(?:info|warning|Error:) (?P<text>.*)",
}
"""A line of the log that is ours, or the host's about us."""


def of(by_host, host, default=None):
    """Return a host's value; ProperDocs' is that of MkDocs, whose words it uses."""
    name = "mkdocs" if host.name == "properdocs" else host.name
    value = by_host.get(name, default)
    return value.replace("mkdocs.yml", host.config) if isinstance(value, str) else value


def said(host, built):
    """Return what the plugin said, without levels and times,
    and the limits of old Sphinx."""
    log = [
        line for line in built.log.splitlines() if "(sitemap.old-sphinx)" not in line
    ]
    lines = [re.fullmatch(of(LINE, host), line.rstrip()) for line in log]
    return [
        re.sub(r"[(\[](?:sitemap\.)?([a-z-]+)[)\]]$", r"(\1)", line["text"].strip())
        for line in lines
        if line
    ]


@dataclass(frozen=True)
class Mistake:
    """What the user did, and what he reads."""

    says: str | dict[str, str]
    """The line, on every host or by host; empty for none."""
    site: Site = Site(git=False)
    code: dict[str, int] = field(default_factory=dict)
    """The exit code by host, where it is not 0."""
    then: Callable[[Path], None] = lambda folder: None
    """What happens to the project before it is built."""
    environ: dict[str, str] = field(default_factory=dict)
    no_dates: str = ""
    """Why no page has a date, in the summary alone; on GitHub in an annotation too."""


def forget_history(folder):
    """Leave the last commit only, as a build service fetches it."""
    git(folder, "commit", "-q", "--allow-empty", "-m", "later")
    clone = folder.with_name("clone")
    git(folder, "clone", "-q", "--depth", "1", folder.as_uri(), str(clone))
    shutil.rmtree(folder / ".git")
    (clone / ".git").rename(folder / ".git")


def lose_git(folder):
    """Copy the project without its repository, as into a container."""
    shutil.rmtree(folder / ".git")


NO_DATE = ", none with a date: "
NO_BASE_URL = (
    "{base_url} {problem}, so no sitemap is written: set it to the site's address, such as"
    " 'https://www.example.com/' (no-base-url)"
)
BAD_BASE_URL = (
    "no sitemap is written, because {base_url} = %r is not an absolute http or https URL: write it"
    " as https://www.example.com/ (bad-option)"
)
NOT_A_STRING = (
    "sitemap.toml: base_url = %r is not an absolute http or https URL: write it as"
)
MKDOCS_URL = "Config value 'site_url': The URL isn't valid, it should include the http:// (scheme)"
ALL_OUT = (
    "every page is left out, so no sitemap is written: 2 pages because {reason}; the verbose output"
    " names each page (no-pages)"
)
TYPO = "exlude is not an option: did you mean 'exclude'?"

MISTAKES = {
    "no base URL": Mistake(
        NO_BASE_URL.replace("{problem}", "is not set"),
        Site(base_url="", git=False),
        code=NOTHING,
    ),
    "a relative base URL": Mistake(
        {
            "mkdocs": MKDOCS_URL,
            "pelican": BAD_BASE_URL % "docs",
            "sphinx": BAD_BASE_URL % "docs/",
            "folder": f"{NOT_A_STRING} https://www.example.com/" % "docs/",
        },
        Site(base_url="docs/", git=False),
        code={"mkdocs": 1, "folder": 2},
    ),
    "a base URL of a slash": Mistake(
        {
            "mkdocs": MKDOCS_URL,
            "pelican": NO_BASE_URL.replace("{problem}", "is not set"),
            "sphinx": NO_BASE_URL.replace("{problem}", "= '/' names no host"),
            "folder": f"{NOT_A_STRING} https://www.example.com/" % "/",
        },
        Site(base_url="/", git=False),
        code={"mkdocs": 1, "folder": 2},
    ),
    "a base URL with a path": Mistake(
        "",  # For ever, and often not the author's to fix: only the verbose output.
        Site(base_url="https://example.com/docs/", git=False),
    ),
    "a shallow clone": Mistake(
        "",
        no_dates="the clone is shallow, so 2 of 2 pages have no date: set the option fetch_history"
        " to true, or run `git fetch --unshallow` (shallow-clone)",
        site=Site(),
        then=forget_history,
    ),
    "a shallow clone on GitHub": Mistake(
        "",
        no_dates="the clone is shallow, so 2 of 2 pages have no date: set the option fetch_history"
        " to true, or set `fetch-depth: 0` at actions/checkout (shallow-clone)",
        site=Site(options={"fetch_history": False}),
        then=forget_history,
        environ={"GITHUB_ACTIONS": "true"},
    ),
    "no .git in a container": Mistake(
        "",
        no_dates="the sources of 2 pages are in no git repository and their file times"
        " are those of the checkout, so they have no date: build from a clone of the"
        " repository, with its `.git` folder (no-repository)",
        site=Site(),
        then=lose_git,
        environ={"CI": "true"},
    ),
    "a typo in an option": Mistake(
        {
            "mkdocs": f"Plugin 'sitemap' option 'exlude': {TYPO}",
            "pelican": f"SITEMAP in the settings: {TYPO} (bad-option)",
            "sphinx": "conf.py: sitemap_exlude is not an option: did you mean 'sitemap_exclude'?"
            " (unknown-option)",
            "folder": f"sitemap.toml: {TYPO}",
        },
        Site(options={"exlude": ["drafts/"]}, git=False),
        code={"mkdocs": 1, "folder": 2},
    ),
    "a wrong type": Mistake(
        "{where}5 is not a list of strings: write ['one', 'two']",
        Site(options={"exclude": 5}, git=False),
        code=STOPPED,
    ),
    "everything is excluded": Mistake(
        ALL_OUT.replace("{reason}", "the option `exclude` matches"),
        Site(options={"exclude": ["**"]}, git=False),
        code=NOTHING,
    ),
    "robots.txt disallows everything": Mistake(
        ALL_OUT.replace("{reason}", "robots.txt disallows the page for every crawler"),
        Site(robots=b"User-agent: *\nDisallow: /\n", git=False),
        code=NOTHING,
    ),
    "robots.txt with Windows line ends": Mistake(
        "", Site(robots=b"User-agent: *\r\nDisallow: /x/", git=False)
    ),
    "robots.txt in UTF-16": Mistake(
        "robots.txt is not UTF-8 text (it holds NUL bytes): save it as UTF-8 (bad-robots)",
        Site(robots="User-agent: *\r\n".encode("utf-16"), git=False),
    ),
}


def build(mistake, host, folder):
    site = mistake.site
    if "exclude" in site.options and site.options["exclude"] == ["**"]:
        site = replace(site, options={"exclude": [host.glob("**")]})
    if host.name == "folder" and site.base_url and "://" not in site.base_url:
        site = replace(site, base_url="", options={"base_url": site.base_url})
    host.write(site, folder)
    if site.git:
        host.commit(site, folder)
    mistake.then(folder)
    return host.run(folder, **{"CI": "", "GITHUB_ACTIONS": "", **mistake.environ})


def each_mistake_on_each_host():
    """Yield all; the usual tests try each on the next host in turn."""
    usual = [host for host in HOSTS if host.name != "properdocs"]
    for number, name in enumerate(MISTAKES):
        for host in HOSTS:
            mark = () if host is usual[number % len(usual)] else FULL
            yield pytest.param(name, host, marks=mark, id=f"{name}-{host.name}")


@pytest.mark.parametrize(("name", "host"), [*each_mistake_on_each_host()])
def test_mistake_is_reported_in_one_line_with_its_cure(name, host, tmp_path):
    mistake, folder = MISTAKES[name], tmp_path / "project"
    folder.mkdir()

    built = build(mistake, host, folder)

    line = mistake.says if isinstance(mistake.says, str) else of(mistake.says, host)
    line = line.replace("{base_url}", of(BASE_URL, host)).replace(
        "{where}", of(WHERE, host)
    )
    lines = [each for each in said(host, built) if NO_DATE not in each]
    assert [line] * bool(line) == lines
    if mistake.no_dates:
        # For a folder, the Action makes the annotation.
        is_annotated = "GITHUB_ACTIONS" in mistake.environ and host.name != "folder"
        assert built.log.count(NO_DATE + mistake.no_dates) == 1 + is_annotated
        assert built.log.count(mistake.no_dates) == 1 + is_annotated
    assert of(mistake.code, host, 0) == built.returncode
    assert "Traceback" not in built.log


@pytest.mark.parametrize("host", ROWS, ids=HOST_NAMES)
def test_windows_line_ends_are_kept(host, tmp_path):
    built = build(MISTAKES["robots.txt with Windows line ends"], host, tmp_path)

    line = b"Sitemap: https://example.com/sitemap.xml\r\n"
    assert built.robots == b"User-agent: *\r\nDisallow: /x/\r\n" + line


BOTH = {
    "mkdocs": (
        '"plugins": [',
        '"plugins": ["sitemap", ',
        (
            "Plugin 'sitemap' was specified multiple times - this is likely a mistake, because the"
            " plugin doesn't declare `supports_multiple_instances`."
        ),
        1,
    ),
    "pelican": (
        "'sitemap_plugins.pelican'",
        "'sitemap_plugins.pelican', 'pelican.plugins.sitemap'",
        "PLUGINS: holds 'pelican.plugins.sitemap' too, which writes the same file: remove it",
        1,
    ),
    "sphinx": (
        "'sitemap_plugins.sphinx'",
        "'sitemap_plugins.sphinx', 'sphinx_sitemap'",
        (
            "while setting up extension sitemap_plugins.sphinx: sitemap_plugins.sphinx replaces"
            " sphinx_sitemap: remove that from `extensions`"
        ),
        2,
    ),
}


@pytest.mark.parametrize("host", ROWS[:4], ids=HOST_NAMES[:4])
def test_two_plugins_for_one_file_are_reported(host, tmp_path):
    """In MkDocs no other plugin writes it, and the same one twice is an error."""
    old, new, line, code = of(BOTH, host)
    host.write(Site(git=False), tmp_path)
    config = tmp_path / host.config
    config.write_text(config.read_text("utf-8").replace(old, new), "utf-8")

    built = host.run(tmp_path)

    assert [line] == said(host, built)
    assert code == built.returncode


ORDERS = {
    "mkdocs": ('"plugins": [', '"plugins": ["search", ', "}]", '}, "search"]'),
    "pelican": (
        "['sitemap_plugins.pelican']",
        "['pelican.plugins.redirect_url', 'sitemap_plugins.pelican']",
        "['sitemap_plugins.pelican']",
        "['sitemap_plugins.pelican', 'pelican.plugins.redirect_url']",
    ),
    "sphinx": (
        "['sitemap_plugins.sphinx']",
        "['sphinx.ext.viewcode', 'sitemap_plugins.sphinx']",
        "['sitemap_plugins.sphinx']",
        "['sitemap_plugins.sphinx', 'sphinx.ext.viewcode']",
    ),
}


@pytest.mark.parametrize("host", ROWS[:4], ids=HOST_NAMES[:4])
def test_the_order_of_plugins_does_not_matter(host, tmp_path):
    before, is_first, after, is_last = of(ORDERS, host)
    built = []
    for name, old, new in (("first", before, is_first), ("last", after, is_last)):
        folder = tmp_path / name
        folder.mkdir()
        host.write(Site(), folder)
        host.commit(Site(), folder)
        config = folder / host.config
        text = config.read_text("utf-8")
        assert old in text
        config.write_text(text.replace(old, new), "utf-8")
        built.append(host.run(folder))

    first, last = built
    assert [] == said(host, first) == said(host, last)
    assert first.entries == last.entries
    assert 2 == len(first.locs)


def add_error_page(host, folder):
    """Write a custom error page as each host's manual says."""
    if isinstance(host, MkDocs):
        (folder / "theme/404.html").write_text("<!doctype html><title>Lost</title>")
    elif host.name == "pelican":
        text = (
            "Title: Lost\nSave_as: 404.html\nURL: 404.html\nStatus: hidden\n\nLost.\n"
        )
        (folder / "content/pages/404.md").write_text(text)
    elif host.name == "sphinx":
        (folder / "404.rst").write_text(":orphan:\n\nLost\n====\n")
    else:
        (folder / "out").mkdir()
        (folder / "out/404.html").write_text("<!doctype html><title>Lost</title>")


@pytest.mark.parametrize("host", ROWS, ids=HOST_NAMES)
def test_a_custom_error_page_is_left_out(host, tmp_path):
    host.write(Site(git=False), tmp_path)
    add_error_page(host, tmp_path)

    built = host.run(tmp_path)

    assert ["https://example.com/", "https://example.com/guide/"] == built.locs
    assert [] == said(host, built)


@pytest.mark.parametrize(
    ("value", "compressed"),
    [
        pytest.param("1", True, marks=takes_flags),
        pytest.param("0", False, marks=takes_flags),
        pytest.param("True", True, marks=takes_flags),
        pytest.param("false", False, marks=takes_flags),
    ],
)
def test_sphinx_accepts_every_gzip_value_on_the_command_line(
    value, compressed, tmp_path
):
    built = Sphinx().build(Site(git=False), tmp_path, "-D", f"sitemap_gzip={value}")

    assert 0 == built.returncode
    assert compressed == built.wrote("sitemap.xml.gz")


@pytest.mark.parametrize("value", ["1", "0", "true", "False", "auto"])
def test_sphinx_accepts_every_fetch_history_on_the_command_line(value, tmp_path):
    option = f"sitemap_fetch_history={value}"
    built = Sphinx().build(Site(git=False), tmp_path, "-D", option)

    assert built.wrote("sitemap.xml"), built.log


def test_base_url_that_is_not_a_string_stops_sphinx(tmp_path):
    """Without us it would end in a traceback that does not name the setting."""
    host = Sphinx()
    host.write(Site(git=False), tmp_path)
    config = tmp_path / host.config
    text = config.read_text("utf-8")
    config.write_text(text.replace("'https://example.com/'", "5"), "utf-8")

    built = host.run(tmp_path)

    assert ["conf.py: html_baseurl = 5 is not a string: put it in quotes"] == said(
        host, built
    )
    assert 2 == built.returncode


def test_page_with_an_undecodable_file_name_is_listed(tmp_path):
    """Generators refuse such a name themselves; a folder can hold it."""
    host = Folder()
    site = Site(sources=(Source("index"), Source("guide")), git=False)
    host.write(site, tmp_path)
    (tmp_path / "out").mkdir()
    name = b"caf\xff.html"
    (tmp_path / "out" / os.fsdecode(name)).write_text("<!doctype html><title>x</title>")

    built = host.run(tmp_path)

    assert 0 == built.returncode
    (line,) = said(host, built)
    assert line.startswith("1 page has no source that git can date (caf\\udcff.html)")
