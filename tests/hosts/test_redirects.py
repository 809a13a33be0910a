"""The redirects that are printed, made by the programs that read them, and followed."""

from __future__ import annotations

import json
import re
from urllib.parse import quote, unquote, urljoin, urlsplit
from urllib.request import urlopen

import pytest

from sitemap_plugins.core.html.head import read_head
from tests.cli.command import run
from tests.full import usually
from tests.git_repository import GitRepository
from tests.preloaded import run_module
from tests.sitemaps.loopback import serving
from tests.sites import QUIET

NAMES = ("plain", "sp ace", "co:lon", "münchen", "q'uote", "[x]")
OF_MKDOCS = ("per%cent", "ha#sh")
"""Further names; Sphinx's links to the sources of such pages lead elsewhere."""

UNFIT = {"mkdocs": "#", "rediraffe": "", "reredirects": "[", "_redirects": ""}
"""Characters of names for which a form has no line."""

MKDOCS = {"site_name": "x", "theme": {"name": "mkdocs"}, "use_directory_urls": True}
CONF = (
    "html_theme = 'basic'\nsmartquotes = False\nextensions = [{extension}]\n{settings}"
)
COMMANDS = {
    "mkdocs": ("mkdocs", "build", "-q", "-d", "site"),
    "_redirects": ("mkdocs", "build", "-q", "-d", "site"),
    "rediraffe": ("sphinx", "-q", "-b", "dirhtml", "docs", "site"),
    "reredirects": ("sphinx", "-q", "-b", "dirhtml", "docs", "site"),
}
PROGRAMS = {
    "mkdocs": "mkdocs_redirects",
    "_redirects": "mkdocs",
    "rediraffe": "sphinxext.rediraffe",
    "reredirects": "sphinx_reredirects",
}


def text_of(name):
    return "".join(f"The {name} line {n} of a page, long enough\n" for n in range(20))


def settings_of(form, lines):
    """Return the settings of a generator with the lines where the manual says."""
    match form:
        case "mkdocs":
            maps = "".join(f"        {line}\n" for line in lines)
            plugins = "plugins:\n  - redirects:\n      redirect_maps:\n"
            text = json.dumps(MKDOCS)[1:-1].replace(', "', '\n"')
            return {"mkdocs.yml": text.replace("True", "true") + "\n" + plugins + maps}
        case "_redirects":
            name = "docs/_redirects"
            return {"mkdocs.yml": json.dumps(MKDOCS), name: "\n".join(lines)}
        case "rediraffe":
            extension = "'sphinxext.rediraffe'"
            text = "rediraffe_redirects = 'redirects.txt'\n"
            conf = CONF.format(extension=extension, settings=text)
            return {"docs/conf.py": conf, "docs/redirects.txt": "\n".join(lines)}
        case _:
            text = "redirects = {\n" + "\n".join(lines) + "\n}\n"
            conf = CONF.format(extension="'sphinx_reredirects'", settings=text)
            return {"docs/conf.py": conf}


def build(folder, form, lines):
    for name, text in settings_of(form, lines).items():
        (folder / name).write_text(text, "utf-8")
    name, *arguments = COMMANDS[form]
    done = run_module(name, arguments, folder=folder, usual=QUIET, environ={})
    assert 0 == done.returncode, done.stderr


def follow(server, url):
    """Return the text of the page to which an old address leads a browser."""
    for _ in range(3):
        with urlopen(quote(url, safe="/:%'[]")) as answer:
            html = answer.read()
            url = answer.url
        target = read_head(html).refresh_url(url)
        if not target:
            return html.decode()
        # rediraffe and reredirects say it relative to the old page.
        url = urljoin(server.url, urlsplit(target).path)
    return ""


@pytest.mark.parametrize("form", usually(COMMANDS, "mkdocs"))
def test_each_old_address_leads_to_the_page(tmp_path, form):
    pytest.importorskip(PROGRAMS[form])
    is_mkdocs = COMMANDS[form][0] == "mkdocs"
    suffix = ".md" if is_mkdocs else ".rst"
    names = (*NAMES, *OF_MKDOCS) if is_mkdocs else NAMES
    git = GitRepository(tmp_path)
    home = {f"docs/index{suffix}": "Home\n====\n", ".gitignore": "site\n"}
    for folder in ("old", "new/place"):
        files = {f"docs/{folder}/a {n}{suffix}": text_of(n) for n in names}
        git.commit({**home, **files})
    git.write()
    build(tmp_path, form, [])
    with serving(tmp_path / "site") as server:
        command = ("redirects", "HEAD~", "--base-url", server.url, "--format")
        lines = run(tmp_path, *command, form).out.splitlines()
        moved = json.loads(run(tmp_path, *command, "json").out)["redirects"]
        build(tmp_path, form, lines)
        if form == "_redirects":
            for old, new, status in map(str.split, lines):
                server.answers[unquote(old)] = (int(status), b"", {"Location": new})
        fit = [name for name in names if not set(name) & set(UNFIT[form])]
        led = {}
        for each in moved:
            name = re.fullmatch(r"old/a (.*)\.\w+", each["source"])[1]
            if name in fit:
                led[name] = f"{name} line 7 of" in follow(server, each["url"])
        again = run(tmp_path, *command, form)

    assert len(names) == len(moved)
    assert dict.fromkeys(fit, True) == led
    left = len(names) - len(fit)
    if left == 0:
        expected = "every page is still there, or has a redirect\n"
    elif left == 1:
        expected = "1 page without a redirect: "
    else:
        expected = f"{left} pages without a redirect: "
    assert again.err.startswith(expected)
