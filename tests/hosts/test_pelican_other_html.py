"""HTML that plugins write themselves with `open()` is listed on request, or named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pelican.generators import Generator
from pelican.plugins import signals

from tests.cli.command import run as run_command
from tests.hosts.pelican_blog import Blog, paths, plugins_of_their_own

PAGE = "<!doctype html><html><head><title>x</title>{}</head><body>x</body></html>"
INDEXABLE = {
    "posts2.html": "",
    "news/index.html": "",
    "unlinked.html": "",
}
OTHERS = {
    "noindex.html": '<meta name="robots" content="noindex">',
    "redirect.html": '<meta http-equiv="refresh" content="0; url=/other.html">',
    "copy.html": '<link rel="canonical" href="https://example.com/other.html">',
    "404.html": "",
}
LINKS = """Title: {}
Date: 2024-05-01

[second](https://example.com/posts2.html?page=2#top) <a href="/news/">news</a>
[no](noindex.html) [no](redirect.html) [no](copy.html) [old](old.html)
"""


class CombinedPosts(Generator):
    """As the generator of solr-site, which writes lists of posts itself."""

    def generate_output(self, writer):
        for name, head in (INDEXABLE | OTHERS).items():
            file = Path(self.output_path, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(PAGE.format(head))


@pytest.fixture
def blog(tmp_path):
    """A blog with such a generator, and a file that an earlier build wrote."""
    blog = Blog(tmp_path)
    blog.write("a").write_text(LINKS.format("a"))
    blog.output_dir.mkdir()
    (blog.output_dir / "old.html").write_text(PAGE.format(""))
    os.utime(blog.output_dir / "old.html", (1_600_000_000, 1_600_000_000))
    (blog.output_dir / "broken.html").symlink_to("nowhere")
    with plugins_of_their_own():
        signals.get_generators.connect(lambda _: CombinedPosts, weak=False)
        yield blog


def test_static_html_lists_pages_that_a_plugin_wrote_in_this_build(blog, capsys):
    built = blog.build(
        DIRECT_TEMPLATES=[], SITEMAP={"static_html": True, "exclude": ["unlinked"]}
    )

    assert {"posts2.html", "news/"} <= {*paths(built)}
    assert {*paths(built)}.isdisjoint({*OTHERS, "unlinked.html", "old.html"})
    assert "lastmod" not in built.entries["https://example.com/posts2.html"]
    assert "not-listed" not in capsys.readouterr().out


def test_pages_that_a_plugin_wrote_are_counted_and_explained(blog, capsys):
    built = blog.build(DIRECT_TEMPLATES=[])

    assert {*paths(built)}.isdisjoint({*INDEXABLE, "news/"})
    assert "6 static" in capsys.readouterr().out
    url = "https://example.com/posts2.html"
    explained = run_command(blog.folder, "explain", url, str(built.output_dir))
    assert "static" in explained.out
