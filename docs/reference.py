"""Put into the manual what the code declares: options, codes, inputs of the Action.

A hook of MkDocs. In a page, `<!-- declared: findings -->` stands for the text that the
function of this name returns.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

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
MARK = re.compile(r"<!-- declared: (.+) -->")
IN_PYTHON = {"true": "True", "false": "False", "null": "None"}
"""Python's spelling of values that YAML writes otherwise."""
CHANGELOG_LINK = re.compile(r"\[([^\]]*)\]\(([^)]*)\)")


def as_python(value: object) -> str:
    """Return a value as Python writes it."""
    text = json.dumps(value)
    return IN_PYTHON.get(text, text)


def entries_of_options(
    options: Iterable[Option],
    prefix: str = "",
    form: str = "{name}: {value}",
    write: Callable[[object], str] = json.dumps,
) -> str:
    """Return the entry of each option; `form` is how the host's settings set one."""
    entries = []
    for option in options:
        example = form.format(name=prefix + option.name, value=write(option.example))
        entries.append(
            f"### `{prefix}{option.name}`\n\n{option.summary}\n\n"
            f"*Value:* {option.accepts.words}. *Default:* `{write(option.default)}`. "
            f"*Example:* `{example}`\n"
        )
    return "\n".join(entries)


def options() -> str:
    """Return the options that all generators have."""
    return entries_of_options(PLUGIN_OPTIONS)


def options_of_pelican() -> str:
    """Return the options of Pelican that no other generator has."""
    own = [o for o in options_of(PelicanOptions) if o not in PLUGIN_OPTIONS]
    return entries_of_options(
        own, form='SITEMAP = {{"{name}": {value}}}', write=as_python
    )


def options_of_sphinx() -> str:
    """Return the options of Sphinx that no other generator has."""
    own = [o for o in SPHINX_OPTIONS if o not in PLUGIN_OPTIONS]
    return entries_of_options(own, PREFIX, "{name} = {value}", as_python)


def options_of_a_folder() -> str:
    """Return the options that only `build` has."""
    own = [o for o in FOLDER_OPTIONS if o not in options_of(Options)]
    return entries_of_options(own, form="{name} = {value}")


def entry(code: Code) -> str:
    """Return the manual's entry of a code."""
    row = codes.table()[code]
    kind = {"$": "console", "<": "xml"}.get(row.example[0], "text")
    parts = [f"### `{code}`"]
    for name, use in row.named_uses():
        title = use.severity.capitalize()
        if row.notice and row.finding and row.notice != row.finding:
            title = f"{title} ({name})"
        parts.append(f"*{title}.* {use.meaning} **Cure:** {use.cure}")
    parts.append(f"```{kind}\n{row.example}\n```")
    parts.append(f"**Ignore it?** {row.ignore}")
    return "\n\n".join(parts) + "\n"


def findings() -> str:
    """Return the entries of all codes that `check` reports."""
    return "\n".join(entry(code) for code in codes.findings())


def notices() -> str:
    """Return the entries of the other codes."""
    others = [code for code in codes.table() if code not in codes.findings()]
    return "\n".join(entry(code) for code in others)


def code_link(code: Code) -> str:
    """Return a link from notices.md to the only entry of a code."""
    page = "findings.md" if code in codes.findings() else ""
    return f"[`{code}`]({page}#{code})"


def reasons() -> str:
    """Return the table of reasons to leave a page out."""
    rows = ["| reason | when |", "|---|---|"]
    for reason, meaning in codes.reasons().items():
        rows.append(f"| {code_link(reason)} | {meaning} |")
    return "\n".join(rows)


def notices_that_are_findings() -> str:
    """Return links to the codes that both builds and `check` report."""
    both = [code for code in codes.notices() if code in codes.findings()]
    return ", ".join(map(code_link, both))


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
    "options": options,
    "options of Pelican": options_of_pelican,
    "options of Sphinx": options_of_sphinx,
    "options of a folder": options_of_a_folder,
    "findings": findings,
    "notices": notices,
    "notices that are findings": notices_that_are_findings,
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
