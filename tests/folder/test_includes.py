"""Dates of pages whose sources include files, in the syntax of each generator."""

from __future__ import annotations

import json
import os
import time

import pytest

from sitemap_plugins.core.messages import OptionsError
from sitemap_plugins.folder import include_syntax as syntax
from sitemap_plugins.folder.includes import MAX_BYTES, MAX_FILES
from tests.folder.html_folder import (
    BASE,
    MOMENTS,
    build_site,
    commit,
    page,
    report_of,
    write,
)
from tests.sites import git

SNIPPETS = "site_name: x\nmarkdown_extensions:\n  - pymdownx.snippets"


def built_with(
    folder, settings, text, *, source="docs/a.md", included="docs/part.md", **files
):
    """Build a site of one page; its source is committed first,
    and the included file last."""
    others = {
        name: content
        for name, content in files.items()
        if name not in {source, included}
    }
    write(folder, {source: text, included: "# Part\n", **settings, **files})
    names = [source, *settings, *others, included]
    return build_site(folder, {"a.html": page(f"{BASE}a.html")}, names)


def last(built):
    """Return the date of the page, and when the newest file was committed."""
    return built.entries[f"{BASE}a.html"].get("lastmod")


SYNTAXES = {
    "Zensical": (
        {
            "zensical.toml": "[project.markdown_extensions.pymdownx.snippets]\nbase_path = ['docs']"
        },
        '--8<-- "part.md"\n',
    ),
    "Zensical, in YAML": ({"zensical.yml": SNIPPETS}, '--8<-- "docs/part.md"\n'),
    "MkDocs, in a block": (
        {"mkdocs.yml": SNIPPETS},
        "--8<--\ndocs/part.md:1:2\n--8<--\n",
    ),
    "MkDocs, in a section": (
        {"mkdocs.yml": SNIPPETS},
        "  --8<-- 'docs/part.md:intro'\n",
    ),
    "MkDocs, with a base of its own": (
        {"mkdocs.yml": f"{SNIPPETS}:\n      base_path: [no, !relative $docs_dir]"},
        '--8<-- "part.md"\n',
    ),
    "MkDocs, with a file as base": (
        {"mkdocs.yml": f"{SNIPPETS}:\n      base_path: [docs/part.md]"},
        '--8<-- "part.md"\n',
    ),
    "MkDocs, with include-markdown": (
        {"mkdocs.yml": "site_name: x\nplugins: [include-markdown]"},
        "{%\n  include-markdown './part.md' start='<!--a-->'\n%}\n",
    ),
    "MkDocs, with include-markdown from docs_dir": (
        {"mkdocs.yml": "site_name: x\nplugins: [include-markdown]"},
        '{% include "part.md" %}\n',
    ),
    "MkDocs, with Markdown-Include": (
        {"mkdocs.yml": "site_name: x\nmarkdown_extensions: [markdown_include.include]"},
        "{! docs/part.md !}\n",
    ),
    "MkDocs, with lines by Markdown-Include": (
        {"mkdocs.yml": "site_name: x\nmarkdown_extensions: [markdown_include.include]"},
        "{! docs/part.md !lines=1-3 5}\n",
    ),
    "MkDocs, with lines by Markdown-Include-Variants": (
        {
            "mkdocs.yml": "site_name: x\nmarkdown_extensions: [markdown_include_variants]"
        },
        "{* ./docs/part.md ln[1:3] hl[2] *}\n",
    ),
    "MkDocs, with lines by mdx_include": (
        {"mkdocs.yml": "site_name: x\nmarkdown_extensions: [mdx_include]"},
        "{!+> docs/part.md [ln:1-3,5.-6] | utf-8 !}\n",
    ),
    "MkDocs, as it is by mdx_include": (
        {"mkdocs.yml": "site_name: x\nmarkdown_extensions: [mdx_include]"},
        "{!- docs/part.md!}\n",
    ),
    "VitePress": (
        {"docs/.vitepress/config.mts": ""},
        "<!-- @include: ./part.md{1,3} -->\n",
    ),
    "VitePress, from the root": (
        {"docs/.vitepress/config.mts": ""},
        "<!--@include: @/part.md-->",
    ),
    "VitePress, with srcDir": (
        {".vitepress/config.mts": "export default {\n  srcDir: 'docs',\n}"},
        "<!--@include: @/part.md#intro-->",
    ),
    "VitePress, code": (
        {"docs/.vitepress/config.js": ""},
        "<<< @/part.md#intro{1,2 md} [Part]\n",
    ),
    "mystmd": ({"myst.yml": "version: 1\nproject: {}"}, "```{include} part.md\n```\n"),
    "mystmd, with colons": (
        {"docs/myst.yml": "version: 1\nproject: {}"},
        ":::{note}\nText\n:::\n:::{include} /part.md\n:start-line: 1\n:::\n",
    ),
    "mystmd, code": (
        {"myst.yml": "version: 1\nsite: {}"},
        "- a\n  ````{note}\n  ```{literalinclude} part.md\n  ```\n  ````\n",
    ),
    "Sphinx, in Markdown": ({"docs/conf.py": ""}, "```{include} /part.md\n```\n"),
}


@pytest.mark.parametrize(("settings", "text"), SYNTAXES.values(), ids=SYNTAXES)
def test_page_is_dated_by_an_included_file(tmp_path, settings, text):
    built = built_with(tmp_path, settings, text)

    assert last(built) == MOMENTS[len(settings) + 1]
    assert "unknown-include" not in built.log


def test_empty_lines_of_settings_are_read_once(tmp_path):
    settings = {".vitepress/config.mts": "\n" * 100_000}
    start = time.process_time()
    built = built_with(tmp_path, settings, "<!--@include: ./part.md-->")

    assert last(built) == MOMENTS[2]
    assert time.process_time() - start < 5


@pytest.mark.parametrize("directive", ["include", "literalinclude"])
def test_page_is_dated_by_a_file_that_rst_includes(tmp_path, directive):
    text = (
        f"Title\n=====\n\n.. note::\n\n   .. {directive}:: part.txt\n      :lines: 1\n"
    )
    settings = {"docs/conf.py": ""}
    built = built_with(
        tmp_path, settings, text, source="docs/a.rst", included="docs/part.txt"
    )

    assert last(built) == MOMENTS[2]


def test_page_is_dated_by_a_file_that_a_notebook_includes(tmp_path):
    cells = [
        {"cell_type": "code", "source": ["```{include} none.md\n```"]},
        {
            "cell_type": "markdown",
            "source": ["Text\n", "\n", "```{include} part.md\n```\n"],
        },
    ]
    text = json.dumps({"cells": cells})
    settings = {"myst.yml": "version: 1\nproject: {}"}
    built = built_with(tmp_path, settings, text, source="docs/a.ipynb")

    assert last(built) == MOMENTS[2]


# --- AsciiDoc, with Antora's resource ids, and MDX

ANTORA = {
    "docs/antora.yml": "name: guide\nversion: '1.0'\n",
    "other/antora.yml": "name: 'other'\nversion: '1.0'\n",
}
PAGE = "docs/modules/ROOT/pages/a.adoc"


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("partial$p.adoc", "docs/modules/ROOT/partials/p.adoc"),
        ("partial$deep/p.adoc", "docs/modules/ROOT/partials/deep/p.adoc"),
        ("partial$p.adoc", "docs/modules/ROOT/pages/_partials/p.adoc"),
        ("example$p.yaml", "docs/modules/ROOT/examples/p.yaml"),
        ("setup:p.adoc", "docs/modules/setup/pages/p.adoc"),
        ("setup:partial$p.adoc", "docs/modules/setup/partials/p.adoc"),
        ("other::partial$p.adoc", "other/modules/ROOT/partials/p.adoc"),
        ("other:setup:p.adoc", "other/modules/setup/pages/p.adoc"),
        ("page$p.adoc", "docs/modules/ROOT/pages/p.adoc"),
        ("./p.adoc", "docs/modules/ROOT/pages/p.adoc"),
        ("../partials/p.adoc", "docs/modules/ROOT/partials/p.adoc"),
    ],
)
def test_page_is_dated_by_what_a_resource_id_of_antora_names(tmp_path, name, target):
    text = f"= A\n\n----\ninclude::{name}[tag=x]\n----\n"
    built = built_with(tmp_path, ANTORA, text, source=PAGE, included=target)

    assert last(built) == MOMENTS[3]
    assert "unknown-include" not in built.log


def test_name_in_a_text_of_nikola_is_relative_to_the_project(tmp_path):
    text = "A\n=\n\n.. include:: stories/part.inc\n"
    included = "stories/part.inc"
    built = built_with(
        tmp_path, {"conf.py": ""}, text, source="stories/a.rst", included=included
    )

    assert last(built) == MOMENTS[2]
    assert "unknown-include" not in built.log


def test_resource_id_in_a_partial_is_one_of_its_own_module(tmp_path):
    files = {
        "docs/modules/setup/partials/b.adoc": "include::./c.adoc[]\n"
        "include::partial$sub/d.adoc[]\n",
        "docs/modules/setup/partials/sub/d.adoc": "include::partial$./e.adoc[]",
        "docs/modules/setup/partials/c.adoc": "C",
    }
    built = built_with(
        tmp_path,
        ANTORA,
        "include::setup:partial$b.adoc[]\n",
        source=PAGE,
        included="docs/modules/setup/partials/sub/e.adoc",
        **files,
    )

    assert last(built) == MOMENTS[6]


@pytest.mark.parametrize(
    "text",
    [
        "include::partial$none.adoc[]",
        "include::2.0@partial$p.adoc[]",
        "include::none::partial$p.adoc[]",
        "include::{path}/p.adoc[]",
        "include::partial$../../../../antora.yml[]",
    ],
)
def test_resource_id_that_is_not_found_leaves_the_page_undated(tmp_path, text):
    target = "docs/modules/ROOT/partials/p.adoc"
    built = built_with(tmp_path, ANTORA, text, source=PAGE, included=target)

    assert last(built) is None
    assert "unknown-include" in built.log


def test_asciidoc_without_antora_includes_beside_itself(tmp_path):
    files = {"source": "docs/a.adoc", "included": "docs/parts/p.adoc"}
    built = built_with(tmp_path, {}, "include::parts/p.adoc[]", **files)

    assert last(built) == MOMENTS[1]


@pytest.mark.parametrize(
    ("statement", "settings"),
    [
        ('import Part from "./_part.mdx"', {}),
        ("import Part, {toc as part} from '../docs/_part.mdx';", {}),
        ("import {\n  toc\n} from './_part.mdx'", {}),
        ("export {toc} from './_part.mdx'", {}),
        ("import Part from '@site/docs/_part.mdx'", {"docusaurus.config.js": ""}),
        ("import Part from '@site/_part.mdx'", {"docs/docusaurus.config.ts": ""}),
    ],
)
def test_page_is_dated_by_a_text_that_mdx_imports(tmp_path, statement, settings):
    files = {"source": "docs/a.mdx", "included": "docs/_part.mdx"}
    built = built_with(tmp_path, settings, f"{statement}\n\n<Part />\n", **files)

    assert last(built) == MOMENTS[len(settings) + 1]
    assert "unknown-include" not in built.log


def test_import_of_mdx_that_is_not_found_leaves_the_page_undated(tmp_path):
    text = 'import Part from "package/part.mdx"\n'
    built = built_with(tmp_path, {}, text, source="docs/a.mdx")

    assert last(built) is None
    assert "includes 'package/part.mdx'" in built.log


SHOWN = [
    (syntax.asciidoc, "\\include::p.adoc[]"),
    (syntax.asciidoc, "// include::p.adoc[]"),
    (syntax.asciidoc, "////\ninclude::p.adoc[]\n////"),
    (syntax.asciidoc, "See include::p.adoc[]"),
    (syntax.asciidoc, "include::p.adoc"),
    (syntax.objects, "```md\n::: pkg.Client\n```\n"),
    (syntax.objects, "::::\nText.\n:::\n"),
    (syntax.mdx, '```js\nimport Part from "./_part.mdx"\n```\n'),
    (syntax.mdx, 'import Part from "./Part.tsx"\n'),
    (syntax.mdx, 'Write `import Part from "./_part.mdx"`.\n'),
    (syntax.mdx_include, "\\{! part.md !}\n"),
    (syntax.snippets, ';--8<-- "part.md"\n'),
    (syntax.snippets, '--8<-- "; part.md"\n'),
    (syntax.snippets, "--8<--\n;a.md\n; b.md\n--8<--\n"),
    (syntax.vitepress, "```\n<<< ./part.md\n```\n"),
    (syntax.myst, "````md\n```{include} part.md\n```\n````\n"),
    (syntax.myst, "````{code-block} md\n```{include} part.md\n```\n````\n"),
    (syntax.rst, ".. code-block:: rst\n\n   .. include:: part.txt\n"),
    (syntax.rst, "As here::\n\n   .. include:: part.txt\n"),
    (syntax.rst, ".. include:: <isonum.txt>\n"),
]


@pytest.mark.parametrize(("find", "text"), SHOWN)
def test_text_that_only_shows_an_include_includes_nothing(find, text):
    assert [] == list(find(text))


@pytest.mark.parametrize(
    ("settings", "name"),
    [("site_name: x", "docs/part.md"), (SNIPPETS, "https://example.com/a.md")],
    ids=["snippets are not in use", "addresses are not downloaded"],
)
def test_snippet_that_the_settings_switch_off_is_ignored(tmp_path, settings, name):
    built = built_with(tmp_path, {"mkdocs.yml": settings}, f'--8<-- "{name}"\n')

    assert last(built) == MOMENTS[0]
    assert "unknown-include" not in built.log


def test_nested_and_circular_includes_are_followed(tmp_path):
    files = {"docs/sub/b.md": "<!--@include: ../part.md-->\n<!--@include: ./b.md-->\n"}
    settings = {"docs/.vitepress/config.mts": ""}
    built = built_with(tmp_path, settings, "<!--@include: ./sub/b.md-->\n", **files)

    assert last(built) == MOMENTS[3]


def test_includes_of_a_file_count_whatever_part_of_it_is_shown(tmp_path):
    files = {"b.md": '--8<-- "docs/part.md"\n'}
    settings = {"mkdocs.yml": SNIPPETS}
    built = built_with(tmp_path, settings, '--8<-- "b.md:1:2"\n', **files)

    assert last(built) == MOMENTS[3]
    assert "unknown-include" not in built.log


def test_literal_includes_are_not_searched_for_includes(tmp_path):
    settings = {"docs/conf.py": ""}
    text = "```{literalinclude} b.md\n```\n"
    files = {"docs/b.md": "```{include} part.md\n```\n"}
    built = built_with(tmp_path, settings, text, **files)

    assert last(built) == MOMENTS[2]


def test_files_of_the_whole_project_can_be_included_outside_git(tmp_path):
    write(tmp_path, {"out/a.html": page(f"{BASE}a.html"), "mkdocs.yml": SNIPPETS})
    write(tmp_path, {"docs/a.md": '--8<-- "part.md"\n', "part.md": "Part"})
    for name, seconds in {"docs/a.md": 1_000_000_000, "part.md": 1_100_000_000}.items():
        os.utime(tmp_path / name, (seconds, seconds))
    report = report_of(tmp_path, base_url=BASE)

    assert not report.notices
    assert "2004-11-09T11:33:20+00:00" in (tmp_path / "out/sitemap.xml").read_text()


MISSING = [
    "missing.md",
    "docs/missing.md:intro",
    "none/a.md:2:5",
    "../docs/part.md",
    "x" * 300,
]


@pytest.mark.parametrize("name", MISSING, ids=range(len(MISSING)))
def test_page_with_a_missing_snippet_has_its_own_date(tmp_path, name):
    """PyMdown includes nothing then; 77 pages of Pixi's manual have such a name."""
    built = built_with(tmp_path, {"mkdocs.yml": SNIPPETS}, f'--8<-- "{name}"\n')

    assert last(built) == MOMENTS[0]
    assert "unknown-include" not in built.log


UNCERTAIN = {
    "checked": "check_paths: true",
    "relative to the page": "base_path:\n        - docs\n        - !relative",
    "of unknown value": "base_path: !!python/name:a.b",
    "below a folder that is not here": "base_path: [docs, other]",
}


@pytest.mark.parametrize("option", UNCERTAIN.values(), ids=UNCERTAIN)
def test_page_has_no_date_if_a_missing_snippet_may_exist_elsewhere(tmp_path, option):
    settings = {"mkdocs.yml": f"{SNIPPETS}:\n      {option}\n"}
    built = built_with(tmp_path, settings, '--8<-- "missing.md"\n')

    assert last(built) is None
    assert "includes 'missing.md', which is not a file of the project" in built.log


@pytest.mark.parametrize(
    "settings",
    [
        {"mkdocs.yml": "site_name: x\nplugins: [mkdocstrings]"},
        {"zensical.toml": "[project.plugins.mkdocstrings]\nenabled = true\n"},
    ],
    ids=["mkdocs.yml", "zensical.toml"],
)
@pytest.mark.parametrize(
    "text", ["::: pkg.Client\n", "# API\n\n## ::: pkg.Client\n    options: {}\n"]
)
def test_page_that_documents_an_object_has_no_date(tmp_path, settings, text):
    """Its source is a line that never changes, and docstrings do."""
    built = built_with(tmp_path, settings, text)

    assert last(built) is None
    assert "includes 'pkg.Client', whose date is unknown" in built.log


MACROS = {"mkdocs.yml": "site_name: x\nplugins: [macros]"}


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"book.toml": ""}, "```rust\n{{#include part.md:2:10}}\n```\n"),
        ({"book.toml": ""}, "{{ #playground part.md hidden}}"),
        ({"docs/_quarto.yml": ""}, '{{< include "part.md" >}}\n'),
        ({"_quarto.yml": ""}, "{{< embed part.md#id >}}\n"),
        (MACROS, "{%- include 'part.md' %}\n"),
        (MACROS, "{% from 'part.md' import a %}\n"),
    ],
)
def test_include_that_is_not_followed_leaves_the_page_undated(tmp_path, settings, text):
    built = built_with(tmp_path, settings, text)

    assert last(built) is None
    assert "includes 'part.md" in built.log
    assert "whose date is unknown" in built.log


def test_fence_of_colons_is_no_object_without_mkdocstrings(tmp_path):
    settings = {"mkdocs.yml": "site_name: x"}
    built = built_with(tmp_path, settings, "::: note\nText.\n:::\n")

    assert last(built) is not None


def test_page_has_no_date_if_the_generator_may_have_run_elsewhere(tmp_path):
    write(
        tmp_path, {"sub/mkdocs.yml": SNIPPETS, "sub/docs/a.md": '--8<-- "missing.md"\n'}
    )
    pages = {"a.html": page(f"{BASE}a.html")}
    built = build_site(
        tmp_path, pages, ["sub/docs/a.md"], generator_config="sub/mkdocs.yml"
    )

    assert last(built) is None


UNKNOWN = {
    "a template": (
        '--8<-- "{{ folder }}/a.md"\n',
        "includes '{{ folder }}/a.md', which is not a",
    ),
    "absolute": (
        '--8<-- "/etc/hostname"\n',
        "includes '/etc/hostname', which is not a file of",
    ),
    "a link out of the project": (
        '--8<-- "link.md"\n',
        "includes 'link.md', which is not a fi",
    ),
    "a pipe": (
        '--8<-- "pipe"\n',
        "includes 'pipe', which is not a file of the project",
    ),
    "a folder": (
        '--8<-- "docs"\n',
        "includes 'docs', which is not a file of the project",
    ),
    "a long name": (f'--8<-- "{"x" * 10_000}"\n', "which is not a file of the project"),
    "the same too often": (
        '--8<-- "docs/part.md"\n' * 1_001,
        "includes more than 1,000 files",
    ),
    "too many": ("--8<--\n{many}\n--8<--\n", "includes more than 1,000 files"),
}


@pytest.mark.parametrize(("text", "why"), UNKNOWN.values(), ids=UNKNOWN)
def test_page_with_an_unresolved_include_has_no_date(tmp_path, text, why):
    project = tmp_path / "project"
    write(tmp_path, {"outside.md": "secret"})
    parts = (
        {f"parts/{number}.md": "" for number in range(MAX_FILES + 1)}
        if "many" in text
        else {}
    )
    write(project, {"b.md": '--8<-- "docs/part.md"\n', **parts})
    (project / "link.md").symlink_to(tmp_path / "outside.md")
    os.mkfifo(project / "pipe")
    text = text.replace("{many}", "\n".join(parts))
    built = built_with(project, {"mkdocs.yml": SNIPPETS}, text)

    assert last(built) is None
    assert 1 == built.log.count("(unknown-include)")
    assert why in built.log
    assert "so it has no date: give it one in its front matter" in built.log


def test_page_with_a_downloaded_include_has_no_date(tmp_path):
    settings = {"mkdocs.yml": f"{SNIPPETS}:\n      url_download: true"}
    built = built_with(tmp_path, settings, '--8<-- "https://example.com/a.md"\n')

    assert last(built) is None
    assert "includes 'https://example.com/a.md', whose date is unknown" in built.log


@pytest.mark.parametrize(
    "own",
    [
        "sitemap: {lastmod: 2024-01-01}",
        'sitemap: "lastmod: 2024-01-01"',
        "date: {updated: 2024-01-01}",
    ],
)
def test_author_date_wins_over_an_unknown_include(tmp_path, own):
    text = f'---\n{own}\n---\n--8<-- "/missing.md"\n'
    built = built_with(tmp_path, {"mkdocs.yml": SNIPPETS}, text)

    assert last(built) == "2024-01-01"
    assert "unknown-include" not in built.log


def test_unknown_includes_are_grouped_in_one_notice(tmp_path):
    names = [f"p{number}" for number in range(5)]
    sources = {f"docs/{name}.md": "<<< ./none.js\n" for name in names}
    write(tmp_path, {**sources, "docs/.vitepress/config.mts": ""})
    pages = {f"{name}.html": page(f"{BASE}{name}.html") for name in names}
    built = build_site(tmp_path, pages, [*sources])

    assert 1 == built.log.count("5 times: ")


def test_page_that_includes_a_huge_file_has_no_date(tmp_path):
    settings = {"docs/.vitepress/config.mts": ""}
    files = {"docs/large.md": "x" * (MAX_BYTES + 1)}
    built = built_with(tmp_path, settings, "<!--@include: ./large.md-->", **files)

    assert last(built) is None
    assert (
        "the page is made of 'large.md', which cannot be read, so it has no date"
        in built.log
    )


def test_source_linked_from_outside_the_project_is_not_read(tmp_path):
    write(tmp_path, {"outside.md": '--8<-- "secret"\n', "project/mkdocs.yml": SNIPPETS})
    (tmp_path / "project/docs").mkdir()
    (tmp_path / "project/docs/a.md").symlink_to(tmp_path / "outside.md")
    built = build_site(
        tmp_path / "project", {"a.html": page(f"{BASE}a.html")}, ["docs/a.md"]
    )

    assert last(built) is None
    assert "secret" not in built.log


def test_base_path_that_is_too_long_is_ignored(tmp_path):
    settings = {"mkdocs.yml": f"{SNIPPETS}:\n      base_path: [{'x' * 300}, docs]"}
    built = built_with(tmp_path, settings, '--8<-- "part.md"\n')

    assert last(built) == MOMENTS[2]


def test_names_are_relative_to_the_working_folder_of_the_generator(tmp_path):
    """As in FastAPI's repository: the settings of each language are in a folder
    of their own."""
    settings = {"config/en/mkdocs.yml": f"docs_dir: ../../docs\n{SNIPPETS}"}
    write(tmp_path, {**settings, "docs/a.md": '--8<-- "part.md"\n', "part.md": "Part"})
    pages = {"a.html": page(f"{BASE}a.html")}
    sources = ["docs/a.md", *settings, "part.md"]
    built = build_site(
        tmp_path, pages, sources, generator_config="config/en/mkdocs.yml"
    )

    assert last(built) == MOMENTS[2]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("zensical.other.toml", "[project]\ndocs_dir = 'text'"),
        ("zensical.yaml", "site_name: x\ndocs_dir: text"),
        ("text/settings.py", "project = 'x'"),
        ("text/.vitepress/config.cjs", ""),
        ("text/myst.en.yml", "version: 1\nproject: {}"),
    ],
)
def test_generator_config_gives_the_source_folder(tmp_path, name, text):
    write(tmp_path, {name: text})
    pages = {"a.html": page(f"{BASE}a.html")}
    built = build_site(tmp_path, pages, ["text/a.md"], generator_config=name)

    assert last(built) == MOMENTS[0]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("none.toml", "a file: correct the name"),
        (
            "ci.yml",
            "a settings file of a known generator: name the one of Zensical, MkDocs",
        ),
        (
            "ci.toml",
            "a settings file of a known generator: name the one of Zensical, MkDocs",
        ),
        (
            "pyproject.toml",
            "a settings file of a known generator: name the one of Zensical",
        ),
    ],
)
def test_generator_config_of_another_kind_is_one_line(tmp_path, name, problem):
    files = {
        "ci.yml": "jobs: {}",
        "ci.toml": "[jobs]",
        "pyproject.toml": "[project]\nname = 'x'",
    }
    write(tmp_path, files)
    with pytest.raises(
        OptionsError, match=f"generator_config = .*{name}' is not {problem}"
    ):
        build_site(tmp_path, {"a.html": page(BASE)}, generator_config=name)


def test_generator_config_with_a_long_name_is_cut_short(tmp_path):
    with pytest.raises(OptionsError) as raised:
        build_site(tmp_path, {"a.html": page(BASE)}, generator_config="a" * 9_000)
    assert len(str(raised.value)) < 200


def test_included_files_are_found_in_a_linked_clone(tmp_path):
    write(
        tmp_path / "real", {"mkdocs.yml": SNIPPETS, "docs/a.md": '--8<-- "part.md"\n'}
    )
    write(tmp_path / "real", {"part.md": "Part", "out/a.html": page(f"{BASE}a.html")})
    commit(tmp_path / "real", "docs/a.md", "part.md")
    git(tmp_path / "real", "status")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    report_of(tmp_path / "link", base_url=BASE)

    assert MOMENTS[1] in (tmp_path / "real/out/sitemap.xml").read_text()
