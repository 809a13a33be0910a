"""README and manual agree with the code."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import tomllib
from collections import Counter
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import click
import jsonschema
import pytest
import yaml
from mkdocs.utils import yaml_load
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from docs import published, reference, search
from sitemap_plugins import Options, Page, Site, generate
from sitemap_plugins.check import whole_files as files
from sitemap_plugins.cli.commands import commands
from sitemap_plugins.core import codes as table_of_codes
from sitemap_plugins.core.options import PLUGIN_OPTIONS, options_of
from sitemap_plugins.folder.options import FOLDER_OPTIONS
from sitemap_plugins.pelican.options import PelicanOptions
from sitemap_plugins.sphinx.options import PREFIX, SPHINX_OPTIONS
from tests.check.checked_site import NS, index, links, result_of_file, url, urlset
from tests.cli.command import run
from tests.folder.html_folder import BASE, write
from tests.full import FULL
from tests.preloaded import decode, run_module
from tests.sites import QUIET, git

FINDINGS = table_of_codes.findings()

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
QUICK_STARTS = {
    "mkdocs.yml": "mkdocs/mkdocs.yml",
    "pelicanconf.py": "pelican/pelicanconf.py",
    "conf.py": "sphinx/conf.py",
}
BUILDS = {
    "mkdocs": ["mkdocs", "build", "-d"],
    "pelican": ["pelican", "content", "-s", "pelicanconf.py", "-o"],
    "sphinx": ["sphinx", "."],
}


PELICAN = [o for o in options_of(PelicanOptions) if o not in PLUGIN_OPTIONS]
SPHINX = [o for o in SPHINX_OPTIONS if o not in PLUGIN_OPTIONS]
FOLDER = [o for o in FOLDER_OPTIONS if o not in options_of(Options)]


@pytest.mark.parametrize("name", reference.DECLARED)
def test_each_declaration_has_one_place_in_the_manual(name):
    pages = [file.read_text("utf-8") for file in ROOT.glob("docs/*.md")]

    assert 1 == "".join(pages).count(f"<!-- declared: {name} -->")


def test_each_code_and_option_has_one_entry_in_the_built_manual():
    declared = [
        *table_of_codes.table(),
        *(option.name for option in [*PLUGIN_OPTIONS, *PELICAN, *FOLDER]),
        *(f"{PREFIX}{option.name}" for option in SPHINX),
    ]
    pages = [reference.fill(file.read_text("utf-8")) for file in ROOT.glob("docs/*.md")]
    entry = r"^\| `\w+`\{ #(\w+) \} \||<h3 id=\"([\w-]+)\">"
    shown = [a or b for a, b in re.findall(entry, "".join(pages), re.MULTILINE)]

    assert Counter(declared) == Counter(shown)


def test_changelog_in_the_manual_links_only_to_pages_and_urls():
    targets = re.findall(r"\]\(([^)]+)\)", reference.changelog())

    assert targets
    for target in targets:
        assert target.startswith("https://") or (ROOT / "docs" / target).is_file()


@pytest.mark.parametrize(
    "option",
    [*PLUGIN_OPTIONS, *PELICAN, *SPHINX, *FOLDER],
    ids=lambda option: option.name,
)
def test_examples_of_options_are_accepted_and_are_not_the_default(option):
    option.parse(option.example)

    assert option.default != option.example


@pytest.mark.parametrize("name", QUICK_STARTS)
def test_quick_start_is_the_minimal_sample_word_for_word(name):
    sample = (ROOT / "sample_sites/minimal" / QUICK_STARTS[name]).read_text("utf-8")
    text = README.read_text("utf-8")
    found = re.search(
        rf"^`{name}`:\n\n```\w+\n(.*?)```", text, re.MULTILINE | re.DOTALL
    )

    assert found is not None
    assert found[1] == sample


@pytest.mark.parametrize("sample", QUICK_STARTS.values())
def test_first_steps_show_the_minimal_sample_word_for_word(sample):
    text = (ROOT / f"docs/{sample.partition('/')[0]}.md").read_text("utf-8")
    found = re.search(r"^```(?:yaml|python)\n(.*?)```", text, re.MULTILINE | re.DOTALL)

    assert found is not None
    assert found[1] == (ROOT / "sample_sites/minimal" / sample).read_text("utf-8")


def test_the_front_page_shows_the_minimal_settings_of_mkdocs():
    """A list without `search` switches MkDocs' search off; without an address is no sitemap."""
    text = (ROOT / "docs/index.md").read_text("utf-8")
    shown = yaml.safe_load(
        re.search(r"```yaml title=.mkdocs.yml.\n(.*?)```", text, re.DOTALL)[1]
    )
    sample = yaml.safe_load(
        (ROOT / "sample_sites/minimal/mkdocs/mkdocs.yml").read_text("utf-8")
    )

    assert sample == {"site_name": "My site", **shown}


@pytest.mark.parametrize("file", ["README.md", "docs/sphinx.md"])
def test_pages_on_read_the_docs_keep_their_canonical_links(file, tmp_path):
    setting = re.search(
        r"html_baseurl = os\.environ.*?\)", (ROOT / file).read_text("utf-8")
    )[0]
    address = "https://my-site.readthedocs.io/en/latest/"
    conf = f'import os\n{setting}\nextensions = ["sitemap_plugins.sphinx"]\n'
    write(tmp_path, {"docs/conf.py": conf, "docs/index.rst": "Home\n====\n"})
    environ = {"READTHEDOCS": "True", "READTHEDOCS_CANONICAL_URL": address}
    run_module(
        "sphinx", ["-q", "docs", "out"], folder=tmp_path, usual=QUIET, environ=environ
    )

    canonical = f'<link rel="canonical" href="{address}index.html"'
    assert canonical in (tmp_path / "out/index.html").read_text("utf-8")
    assert f"<loc>{address}index.html</loc>" in (
        tmp_path / "out/sitemap.xml"
    ).read_text("utf-8")


@pytest.mark.parametrize("host", ["mkdocs", "pelican", "sphinx"])
def test_first_steps_show_the_output_of_the_build(host, tmp_path):
    folder = tmp_path / "site"
    shutil.copytree(ROOT / "sample_sites/minimal" / host, folder)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "1")
    text = (ROOT / f"docs/{host}.md").read_text("utf-8")
    shown = re.search(r"^.*(sitemap\.xml: \d.*)$", text, re.MULTILINE)

    name, *arguments = BUILDS[host]
    arguments.append(str(tmp_path / "out"))
    done = run_module(name, arguments, folder=folder, usual=QUIET, environ={})

    assert shown is not None
    assert shown[1] in decode(done.stdout + done.stderr)


def files_in(tree):
    """Return the files of a printed tree, with the text beside each."""
    folders, files = [], {}
    for line in tree.splitlines():
        name, _, text = line.strip().partition(" ")
        folders[(len(line) - len(line.lstrip())) // 4 :] = [name]
        if not name.endswith("/"):
            files["".join(folders)] = text.strip()
    return files


def test_merge_page_shows_the_output_of_the_command(tmp_path):
    text = (ROOT / "docs/merge.md").read_text("utf-8")
    before, after = map(files_in, re.findall(r"```text\n(.*?)```", text, re.DOTALL))
    index = re.search(r"```xml\n(.*?)```", text, re.DOTALL)
    command = re.search(r"^    sitemap-plugins (merge .*)$", text, re.MULTILINE)
    dates = {
        "en": datetime(2026, 5, 2, 10, tzinfo=UTC),
        "de": datetime(2026, 5, 9, 16, 30, tzinfo=UTC),
    }
    for language, date in dates.items():
        folder = tmp_path / "public" / language
        folder.mkdir(parents=True)
        site = Site(output_dir=folder, base_url=f"https://example.com/{language}/")
        pages = [
            Page(path=path, modified=date) for path in ("index.html", "guide.html")
        ]
        generate(pages, site=site, options=Options())
        assert (
            f"2 URLs, the newest of {date.date()}"
            == before[f"public/{language}/sitemap.xml"]
        )

    def found():
        return {
            f.relative_to(tmp_path).as_posix()
            for f in tmp_path.rglob("*")
            if f.is_file()
        }

    assert index is not None
    assert command is not None
    assert found() == before.keys()

    done = run(tmp_path, *command[1].split())

    assert f"prints `{done.out.strip()}`" in text
    assert found() == after.keys()
    assert index[1] == (tmp_path / "public/sitemap.xml").read_text("utf-8")
    robots = (tmp_path / "public/robots.txt").read_text("utf-8")
    assert robots == f"{after['public/robots.txt']}\n"


def test_json_in_the_manual_has_the_documented_form():
    text = (ROOT / "docs/check-ci.md").read_text("utf-8")
    shown = re.search(r"^```json\n(.*?)```", text, re.MULTILINE | re.DOTALL)
    schema = json.loads((ROOT / "docs/check.schema.json").read_text("utf-8"))

    assert shown is not None
    jsonschema.validate(json.loads(shown[1]), schema)


def test_links_between_documents_lead_to_existing_places():
    for file in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for target in re.findall(r"\]\((?!https?://)([^)#]+)", file.read_text("utf-8")):
            assert (file.parent / target).exists(), (file, target)


def test_included_files_are_named_in_the_syntax_of_snippets():
    for file in ROOT.glob("docs/**/*.md"):
        lines = re.findall(r"^ *(--8\s*<.*)$", file.read_text("utf-8"), re.MULTILINE)
        for line in lines:
            name = re.fullmatch(r'--8<-- "(.+)"', line)
            assert name is not None, (file, line)
            assert (ROOT / name[1]).is_file(), (file, line)


@pytest.mark.skipif(shutil.which("sed") is None, reason="releases are made with sed")
def test_no_link_of_a_released_readme_breaks_on_a_package_index(tmp_path):
    text = (ROOT / "RELEASING.md").read_text("utf-8")
    command = re.search(r"```sh\n(    sed .*?README\.md)\n    ```", text, re.DOTALL)
    assert command is not None
    shutil.copy(README, tmp_path)

    subprocess.run(["sh", "-c", command[1]], cwd=tmp_path, check=True)

    # Without fragments.
    targets = re.findall(r"\]\(([^)#]*)", (tmp_path / "README.md").read_text("utf-8"))
    assert [] == [target for target in targets if not target.startswith("https://")]
    for target in targets:
        in_manual = re.fullmatch(
            r"https://OWNER\.github\.io/sitemap-plugins/(.*)", target
        )
        page = in_manual and f"docs/{in_manual[1].strip('/') or 'index'}.md"
        file = re.fullmatch(
            r"https://(?:\w|[.-])+/OWNER/sitemap-plugins/(?:blob/)?main/(.*)", target
        )
        assert (ROOT / (page or (file and file[1]) or "-")).is_file(), target


def test_texts_for_catalogues_agree_with_the_package():
    text = (ROOT / "RELEASING.md").read_text("utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    name = project["project"]["name"]
    (plugin,) = project["project"]["entry-points"]["mkdocs.plugins"]
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]

    assert f"- name: {name}\n  mkdocs_plugin: {plugin}\n" in text
    assert f"pypi_id: {name}\n" in text
    assert (
        "pelican/plugins/sitemap_plugins/__init__.py" in wheel["force-include"].values()
    )
    for file, place in wheel["force-include"].items():
        # An installed wheel has it there alone.
        names = [each.removesuffix(".py").replace("/", ".") for each in (file, place)]
        assert [name for name in names if find_spec(name)]
    for classifier in re.findall("`(Framework :: .+?)`", text.replace("\n> ", " ")):
        assert classifier in project["project"]["classifiers"]
    for module in re.findall(r"imports: \[(.+)\]", text):
        assert import_module(module)
    for script in re.findall(r"- script: \[(\S+) --help\]", text):
        assert script in project["project"]["scripts"]
    for file in re.findall(r"/main/([\w.]+json)", text):
        assert (ROOT / file).is_file()
    for block in re.findall(r"^```json\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        json.loads(block)


def command_lines(text):
    """Return the arguments of each command line that is alone on its line, or after a build."""
    lines = re.findall(
        r"^ *(?:\$ |- |- run: |.* && |uvx )?sitemap-plugins (.*)$", text, re.MULTILINE
    )
    return [shlex.split(re.split(r" [>|&]", line)[0]) for line in lines]


@pytest.mark.parametrize(
    "file",
    [
        f
        for f in [README, *sorted(ROOT.glob("docs/**/*.md"))]
        if command_lines(f.read_text("utf-8"))
    ],
    ids=lambda file: file.relative_to(ROOT).as_posix(),
)
def test_command_lines_are_accepted(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, *arguments in command_lines(file.read_text("utf-8")):
        if "KEY" in arguments:
            arguments[arguments.index("KEY")] = "0123456789abcdef"
        command = commands.get_command(click.Context(commands), name)
        assert command is not None, name
        command.make_context(name, arguments)


def test_policy_names_the_supported_versions():
    text = (ROOT / "docs/policy.md").read_text("utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    label = "Programming Language :: Python :: 3."
    pythons = [c.partition(label)[2] for c in project["classifiers"] if label in c]
    rows = dict(re.findall(r"^\| ([\w.]+) \| (.+) \|$", text, re.MULTILINE))
    names = {"mkdocs": "MkDocs", "pelican": "Pelican", "sphinx": "Sphinx"}

    assert ", ".join(f"3.{minor}" for minor in pythons) == rows["Python"]
    for host, name in names.items():
        (required,) = project["optional-dependencies"][host]
        oldest = re.search(r">=([\d.]+)", required)[1]
        assert rows[name].startswith(f"{oldest} and later"), name


PUBLISHED = [
    *sorted(ROOT.glob("docs/*.md")),
    *sorted(ROOT.glob("docs/workflows/*.yml")),
]


@pytest.mark.parametrize("file", PUBLISHED, ids=lambda file: file.name)
def test_published_manual_has_no_placeholder(file):
    release = published.Release("4.5.6", "ab" * 20)
    text = published.fill(file.read_text("utf-8"), "someone/else", release)

    assert "OWNER" not in text
    assert "0" * 20 not in text
    if published.COMMIT in file.read_text("utf-8"):
        assert f"uses: someone/else@{release.commit} # 4.5.6\n" in text


MOST_WORDS = 15_000
"""Of the manual for users, without code and what opens by a click."""


@FULL
def test_built_manual_is_short_and_names_the_repository(tmp_path):
    environ = {"DOCS_REPOSITORY": "https://github.com/someone/else"}
    built = ["build", "--quiet", "--site-dir", str(tmp_path)]
    run_module("mkdocs", built, folder=ROOT, usual=QUIET, environ=environ)
    navigation = yaml_load((ROOT / "mkdocs.yml").read_text("utf-8"))["nav"]
    (project,) = navigation[-1].values()

    words = 0
    for file in tmp_path.rglob("*.html"):
        tree = HTMLParser(file.read_bytes())
        assert "OWNER" not in tree.html
        text = tree.css_first("article.md-content__inner")
        if text is None or f"{file.parent.name}.md" in project:
            continue
        for node in text.css("pre, .meaning, .code > div, .headerlink, script"):
            node.decompose()
        words += sum(map(is_word, text.text().split()))
    assert 10_000 < words <= MOST_WORDS


def is_word(text):
    """Tell whether a text is more than a sign, such as a dash."""
    return re.search(r"\w", text) is not None


def test_newest_release_is_the_highest_version_not_the_last_tag(tmp_path):
    git(tmp_path, "init", "-q")
    assert published.newest_release(tmp_path) is None

    for tag in ("0.9.0", "0.10.0", "0.9.1", "v9", "latest"):
        git(tmp_path, "commit", "-q", "--allow-empty", "-m", tag)
        git(tmp_path, "tag", "-a", tag, "-m", tag)

    newest = published.newest_release(tmp_path)
    assert newest == ("0.10.0", git(tmp_path, "rev-parse", "0.10.0^{commit}").strip())


def test_pages_of_one_part_are_found_before_those_of_the_other():
    """Pages about the project weigh less in the search, or are left out of it."""
    navigation = yaml_load((ROOT / "mkdocs.yml").read_text("utf-8"))["nav"]
    (project,) = (part for part in navigation if search.PROJECT in part)

    assert search.PROJECT in navigation[-1]
    assert {*search.GENERATED} <= {*project[search.PROJECT]}


def test_words_that_readers_stumble_over_are_not_in_the_manual():
    """In truth.md, which a program writes, they are that program's matter."""
    files = [README, *ROOT.glob("docs/*.md")]
    found = {}
    for file in files:
        text = file.read_text("utf-8")
        words = re.findall(r"\bmend(?:s|ed|ing)?\b(?!\.py)", text)
        if words and file.name != "truth.md":
            found[file.name] = words

    assert {} == found


SEARCH_CONSOLE = ROOT / "docs/search-console.md"
LOC = f"<loc>{BASE}</loc>"
FAULTY = {
    "Sitemap is HTML": ("not-a-sitemap", "<!doctype html><html><body><p>Hello</html>"),
    "Parsing error": ("not-well-formed", urlset(url("?a=1&b=2"))),
    "Unsupported format": ("not-well-formed", "Hello"),
    "Leading whitespace": ("not-well-formed", f"\n{urlset(url(''))}"),
    "Incorrect namespace": (
        "not-a-sitemap",
        urlset(url("")).replace(NS, "https://" + NS[7:]),
    ),
    "Empty sitemap": ("empty", urlset()),
    "Sitemap file size error": (
        "too-large",
        urlset(url("a" * 2_000)),
    ),
    "Too many URLs": ("too-large", urlset(*(url(str(i)) for i in range(6)))),
    "Too many sitemaps": ("too-large", index(*(f"{BASE}{i}.xml" for i in range(6)))),
    "Invalid URL in sitemap index file: incomplete URL": (
        "part-outside",
        index("/a.xml"),
    ),
    "URL not allowed": (
        "outside-scope",
        urlset(url(""), url("", base="https://example.org/")),
    ),
    "Path mismatch: Includes www": (
        "outside-scope",
        urlset(url(""), url("", base="https://www.example.com/")),
    ),
    "Invalid URL": ("bad-url", urlset(url("", base="htp://example.com/"))),
    "Invalid date": ("bad-date", urlset(url("", "2026-02-30"))),
    "Missing XML tag": (
        "missing-loc",
        urlset("<url><lastmod>2026-01-01</lastmod></url>"),
    ),
    "Invalid XML: too many tags": ("unknown-element", urlset(url("", more=LOC))),
    "Invalid tag value": ("bad-value", urlset(url("", more="<priority>2</priority>"))),
    "Invalid attribute value": ("hreflang-code", urlset(url("", more=links(e_="")))),
    "Missing XML attribute": (
        "hreflang-code",
        urlset(url("", more=f'<xhtml:link rel="alternate" href="{BASE}"/>')),
    ),
}
"""What the page says of a message: a code, and a file for which `check` reports it."""


def search_console_codes():
    """Return the codes that the page names for each message."""
    codes = {}
    text = SEARCH_CONSOLE.read_text("utf-8")
    rows = re.findall(r"^\| (.+?) \| .* \| (.+) \|$", text, re.MULTILINE)
    for messages, reported in rows:
        found = set(re.findall(r"\[`([^`]+)`\]", reported))
        codes |= dict.fromkeys(messages.split("<br>"), found)
    return codes


def test_search_console_page_names_codes_of_findings():
    codes = re.findall(
        r"\[`([^`]+)`\]\(messages\.md", SEARCH_CONSOLE.read_text("utf-8")
    )

    assert codes
    assert set() == set(codes) - FINDINGS.keys()


@pytest.mark.parametrize("message", FAULTY)
def test_search_console_page_names_what_check_reports(message, tmp_path, monkeypatch):
    """Another test shows the true limits, of 50,000 URLs and 50 MB."""
    monkeypatch.setattr(files, "MAX_URLS", 5)
    monkeypatch.setattr(files, "MAX_BYTES", 2_000)
    code, content = FAULTY[message]
    file = tmp_path / "sitemap.xml"
    file.write_text(content, "utf-8")

    found = result_of_file(file)

    assert code in search_console_codes()[message]
    assert code in {finding.code for finding in found.findings}
