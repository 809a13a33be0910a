"""Changes that look like a comment or metadata, but that readers see, on real pages."""

from __future__ import annotations

import pytest

from tests.full import FULL
from tests.hosts import mkdocs_project, sphinx_site
from tests.sites import NEWS, MkDocs, Pelican, Site, Source, Sphinx, git

LATER = "2025-02-03T04:05:06+00:00"


def dated(folder, file, old, new, run, page):
    """Build a committed site, then again after a later commit; return what changed."""
    mkdocs_project.commit(folder)
    built = run()
    text = (built.output_dir / page).read_text("utf-8")
    before = dates(built)
    edited = folder / file
    edited.write_text(edited.read_text("utf-8").replace(old, new), "utf-8")
    times = {"GIT_COMMITTER_DATE": LATER, "GIT_AUTHOR_DATE": LATER}
    git(folder, "commit", "-qam", "later", **times)
    built = run()
    assert text != (built.output_dir / page).read_text("utf-8")
    return [before, dates(built)]


def dates(built):
    return {fields.get("lastmod") for fields in built.entries.values()}


KEY = ("tags: [a, b]", "tags: [a, c]")
COMMENT = ("<!-- key K one -->", "<!-- key K two -->")


@pytest.mark.parametrize(
    ("part", "text", "change"),
    [
        ("part.html", "<!-- key K one -->\n", COMMENT),
        ("part.md", "---\ntags: [a, b]\n---\ntext\n", KEY),
    ],
)
def test_file_that_mkdocs_shows_in_a_fence(tmp_path, part, text, change):
    files = {
        "docs/index.md": f'# Home\n\n```\n--8<-- "{part}"\n```\n',
        part: text,
    }
    mkdocs_project.write(
        tmp_path, files, markdown_extensions=["pymdownx.snippets", "fenced_code"]
    )
    run = lambda: MkDocs().run(tmp_path, CI="true")  # noqa: E731

    assert [{NEWS}, {LATER}] == dated(tmp_path, part, *change, run, "index.html")


def test_marker_that_moves_in_a_file_that_mkdocs_includes(tmp_path):
    include = '{% include-markdown "../README.md" end="<!--intro-end-->" %}\n'
    files = {
        "docs/index.md": f"# Home\n\n{include}",
        "README.md": "One.\n\n<!--intro-end-->\n\nTwo.\n\nThree.\n",
    }
    plugins = ["include-markdown", "sitemap"]
    mkdocs_project.write(tmp_path, files, plugins=plugins)
    change = ("<!--intro-end-->\n\nTwo.\n", "Two.\n\n<!--intro-end-->\n")
    run = lambda: MkDocs().run(tmp_path, CI="true")  # noqa: E731

    found = dated(tmp_path, "README.md", *change, run, "index.html")
    assert [{NEWS}, {LATER}] == found


@FULL
def test_comment_that_is_material_s_list_of_tags(tmp_path):
    files = {"docs/index.md": "---\ntags: [a]\n---\n# Home\n\ntext\n"}
    mkdocs_project.write(tmp_path, files, theme="material", plugins=["tags", "sitemap"])
    change = ("text\n", "text\n\n<!-- material/tags -->\n")
    run = lambda: MkDocs().run(tmp_path, CI="true")  # noqa: E731

    found = dated(tmp_path, "docs/index.md", *change, run, "index.html")
    assert [{NEWS}, {LATER}] == found


def test_file_that_sphinx_shows_literally(tmp_path):
    files = {
        "index.rst": f"{sphinx_site.title('Home')}.. literalinclude:: part.html\n",
        "part.html": "<!-- key K one -->\n",
    }
    sphinx_site.write(tmp_path, files)
    run = lambda: Sphinx().run(tmp_path, "-E", CI="true")  # noqa: E731

    found = dated(tmp_path, "part.html", *COMMENT, run, "index.html")
    assert NEWS in found[0]
    assert LATER not in found[0]
    assert LATER in found[1]


def test_conditional_comment_in_a_page_of_pelican(tmp_path):
    host = Pelican()
    host.write(Site(sources=(Source("guide"),)), tmp_path)
    page = tmp_path / "content/pages/price.html"
    page.write_text(
        "<html><head><title>Price</title></head><body>"
        "<!--[if !IE]><!--> price 10 <!--<![endif]--></body></html>\n"
    )
    run = lambda: host.run(tmp_path, CI="true")  # noqa: E731

    found = dated(
        tmp_path, "content/pages/price.html", "10", "20", run, "price/index.html"
    )
    assert [{NEWS}, {NEWS, LATER}] == found
