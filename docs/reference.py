"""Put into the manual what the code declares: options, codes, inputs of the Action.

A hook of MkDocs. In a page, `<!-- declared: messages -->` stands for the text that the
function of this name returns.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import markdown
import yaml

from sitemap_plugins import Options
from sitemap_plugins.core import codes
from sitemap_plugins.core.options import PLUGIN_OPTIONS, options_of
from sitemap_plugins.folder.options import FOLDER_OPTIONS
from sitemap_plugins.pelican.options import PelicanOptions
from sitemap_plugins.sphinx.options import PREFIX, SPHINX_OPTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sitemap_plugins.core.codes import Code
    from sitemap_plugins.core.options import Option

ROOT = Path(__file__).parents[1]
BETWEEN = "\n\n"
GROUPS = {
    "Which pages are listed": (
        "exclude",
        "inspect_html",
        "static_html",
        "files",
        "urls",
        "images",
    ),
    "Dates": (
        "lastmod",
        "lastmod_format",
        "changes",
        "sources",
        "ignore_revs",
        "fetch_history",
        "page_dates",
    ),
    "The address and languages": ("base_url", "default_language"),
    "Hints that Google ignores": ("changefreq", "priority"),
    "Files": (
        "filename",
        "split",
        "max_urls",
        "robots",
        "gzip",
        "text",
        "record",
        "stylesheet",
        "indent",
    ),
}
"""The options of all generators, by subject."""
MORE = {
    "exclude": "pages.md#patterns",
    "files": "pages.md#files-besides-html",
    "urls": "pages.md#pages-that-other-programs-make",
    "images": "pages.md#images-of-a-page",
    "lastmod": "lastmod.md#where-a-date-comes-from",
    "changes": "lastmod.md#only-what-readers-see",
    "sources": "lastmod.md#files-that-date-a-page",
    "fetch_history": "lastmod.md#fetch-the-whole-history",
    "page_dates": "page-dates.md",
    "default_language": "languages.md",
    "split": "large-sites.md#by-sections",
    "robots": "robots.md",
    "record": "lastmod.md#the-record-all-of-it-in-one-file",
}
"""Where the manual says more about an option of all generators."""
OF_BUILDS = "Only in a build"
SUBJECTS = {
    "not-well-formed": "Sitemap files",
    "missing-loc": "Entries",
    "bad-url": "URLs",
    "hreflang-code": "Languages",
    "missing": "Pages",
    "bad-date": "Dates",
    "no-answer": "Servers",
    "not-announced": "robots.txt",
    "wrong-base-url": "Address and versions",
}
"""The finding with which each group begins, in the order of the table of codes."""
MARK = re.compile(r"<!-- declared: (.+) -->")
IN_PYTHON = {"true": "True", "false": "False", "null": "None"}
"""Python's spelling of values that YAML writes otherwise."""
CHANGELOG_LINK = re.compile(r"\[([^\]]*)\]\(([^)]*)\)")


def as_python(value: object) -> str:
    """Return a value as Python writes it."""
    text = json.dumps(value)
    return IN_PYTHON.get(text, text)


def table_of_options(
    options: Iterable[Option],
    prefix: str = "",
    form: str = "{name}: {value}",
    write: Callable[[object], str] = json.dumps,
) -> str:
    """Return a row for each option; `form` is how the host's settings set one."""
    rows = ["| option | what it does | default |", "|---|---|---|"]
    for option in options:
        name = prefix + option.name
        example = form.format(name=name, value=write(option.example))
        about = option.summary
        if option.accepts.words != "true or false":
            about += f" *Value:* {option.accepts.words}."
        if name in MORE:
            about += f" [More]({MORE[name]})"
        default = write(option.default)
        rows.append(f"| `{name}`{{ #{name} }} | {about}<br>`{example}` | `{default}` |")
    return "\n".join(rows)


def overview_of_options() -> str:
    """Return a table of the groups of options, with a link to each option."""
    rows = ["| for | options |", "|---|---|"]
    for group, names in GROUPS.items():
        links = ", ".join(f"[`{name}`](#{name})" for name in names)
        rows.append(f"| {group} | {links} |")
    return "\n".join(rows)


def options() -> str:
    """Return the options that all generators have, a table for each group."""
    declared = {option.name: option for option in PLUGIN_OPTIONS}
    parts = []
    for group, names in GROUPS.items():
        table = table_of_options(declared[name] for name in names)
        parts.append(f"### {group}\n\n{table}\n")
    return "\n".join(parts)


def options_of_pelican() -> str:
    """Return the options of Pelican that no other generator has."""
    own = [o for o in options_of(PelicanOptions) if o not in PLUGIN_OPTIONS]
    return table_of_options(
        own, form='SITEMAP = {{"{name}": {value}}}', write=as_python
    )


def options_of_sphinx() -> str:
    """Return the options of Sphinx that no other generator has."""
    own = [o for o in SPHINX_OPTIONS if o not in PLUGIN_OPTIONS]
    return table_of_options(own, PREFIX, "{name} = {value}", as_python)


def options_of_a_folder() -> str:
    """Return the options that only `build` has."""
    own = [o for o in FOLDER_OPTIONS if o not in options_of(Options)]
    return table_of_options(own, form="{name} = {value}")


def entry(code: Code) -> str:
    """Return a code as HTML: its name, which opens what `explain` prints.

    The manual's search finds the name and the first meaning.
    """
    row = codes.table()[code]
    severity = "reason"
    meaning = f"A page is left out: {row.reason}."
    parts = []
    for name, use in row.named_uses():
        if not parts:
            severity = use.severity
            meaning = use.meaning
            parts.append(f"**Fix:** {use.cure}")
        else:
            title = f"*{use.severity.capitalize()} ({name}).*"
            parts.append(f"{title} {use.meaning} **Fix:** {use.cure}")
    kind = {"$": "console", "<": "xml"}.get(row.example[0], "text")
    parts.append(f"```{kind}\n{row.example}\n```")
    parts.append(f"**When to ignore it:** {row.ignore}")
    line = as_html(meaning).removeprefix("<p>").removesuffix("</p>")
    return (
        f'<details class="code"><summary><h3 id="{code}"><code>{code}</code></h3>'
        f' <span class="severity {severity}">{severity}</span>'
        f' <span class="meaning">{line}</span></summary>'
        f"<div data-search-exclude>{as_html(BETWEEN.join(parts))}</div></details>"
    )


def as_html(text: str) -> str:
    """Return Markdown as the manual's pages show it."""
    extensions = ["pymdownx.highlight", "pymdownx.superfences"]
    return markdown.markdown(text, extensions=extensions)


def messages() -> str:
    """Return all codes in groups: first those of builds alone, then findings."""
    groups = {OF_BUILDS: [c for c in codes.table() if c not in codes.findings()]}
    for code in codes.findings():
        if code in SUBJECTS:
            group = groups.setdefault(SUBJECTS[code], [])
        group.append(code)
    parts = []
    for title, members in groups.items():
        entries = "".join(map(entry, members))
        parts.append(f'## {title}\n\n<div class="codes">{entries}</div>\n')
    return "\n".join(parts)


def reasons() -> str:
    """Return the table of reasons to leave a page out."""
    rows = ["| reason | when |", "|---|---|"]
    for reason, meaning in codes.reasons().items():
        rows.append(f"| [`{reason}`](messages.md#{reason}) | {meaning} |")
    return "\n".join(rows)


def inputs() -> str:
    """Return the table of the Action's inputs."""
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    rows = ["| input | what it is | default |", "|---|---|---|"]
    for name, declared in action["inputs"].items():
        default = json.dumps(declared["default"])
        rows.append(f"| `{name}` | {declared['description']} | `{default}` |")
    return "\n".join(rows)


def outputs() -> str:
    """Return the table of the Action's outputs."""
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    rows = ["| output | what it is |", "|---|---|"]
    for name, declared in action["outputs"].items():
        rows.append(f"| `{name}` | {declared['description']} |")
    return "\n".join(rows)


def changelog() -> str:
    """Return CHANGELOG.md without its title; links out of the manual are their text."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8").partition("\n")[2]
    return CHANGELOG_LINK.sub(_in_manual, text)


def _in_manual(link: re.Match[str]) -> str:
    label, target = link.groups()
    if target.startswith("docs/"):
        return f"[{label}]({target.removeprefix('docs/')})"
    return link[0] if target.startswith("https://") else label


DECLARED = {
    "overview of options": overview_of_options,
    "options": options,
    "options of Pelican": options_of_pelican,
    "options of Sphinx": options_of_sphinx,
    "options of a folder": options_of_a_folder,
    "messages": messages,
    "reasons": reasons,
    "inputs": inputs,
    "outputs": outputs,
    "changelog": changelog,
}


def fill(markdown: str) -> str:
    """Return the text of a page with what the code declares."""
    return MARK.sub(lambda mark: DECLARED[mark[1]](), markdown)


def on_page_markdown(markdown: str, **_: object) -> str:
    """Fill the page before MkDocs renders it."""
    return fill(markdown)
