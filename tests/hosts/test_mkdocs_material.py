"""Material for MkDocs: its blog, and what it reads of the sitemap in the browser."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest

from tests.full import FULL, full
from tests.hosts.mkdocs_project import BASE, build, commit, paths, write
from tests.sites import NEWS, git

pytest.importorskip("material")

# Without fonts, nothing is asked of the network.
THEME = {"name": "material", "font": False}
AUTHORS = "authors:\n  me:\n    name: Me\n    description: Author\n    avatar: me.png\n"
UPDATED = "2024-06-02T00:00:00+00:00"


def post(title, date, **more):
    lines = "".join(f"{name}: {value}\n" for name, value in more.items())
    return f"---\ndate: {date}\n{lines}---\n# {title}\n"


@pytest.fixture(scope="module")
def blog(tmp_path_factory):
    """A blog beside two pages, with all views of the plugin; a post to a page."""
    folder = tmp_path_factory.mktemp("blog")
    write(
        folder,
        {
            "docs/tagged.md": "---\ntags: [one]\n---\n# Tagged\n",
            "docs/tags.md": "# Tags\n\n<!-- material/tags -->\n",
            "docs/blog/index.md": "# Blog\n",
            "docs/blog/.authors.yml": AUTHORS,
            "docs/blog/posts/old.md": post("Old", "2024-01-02", authors="[me]"),
            "docs/blog/posts/new.md": post(
                "New", "{created: 2024-02-02, updated: 2024-06-02}", categories="[News]"
            ),
            "docs/blog/posts/draft.md": post("Draft", "2024-03-02", draft="true"),
        },
        theme=THEME,
        plugins=[
            "sitemap",
            "tags",
            {"blog": {"pagination_per_page": 1, "authors_profiles": True}},
        ],
    )
    commit(folder)
    return build(folder, "-v")


def test_posts_have_their_own_dates_and_views_the_newest_of_their_posts(blog):
    dates = {
        url.removeprefix(BASE): fields.get("lastmod")
        for url, fields in blog.entries.items()
    }

    assert {
        "": NEWS,
        "tagged/": NEWS,
        "tags/": NEWS,
        "blog/": UPDATED,
        "blog/page/2/": NEWS,
        "blog/2024/01/02/old/": NEWS,
        "blog/2024/02/02/new/": UPDATED,
        "blog/archive/2024/": UPDATED,
        "blog/archive/2024/page/2/": NEWS,
        "blog/author/me/": NEWS,
        "blog/category/news/": UPDATED,
    } == dates


OLD = "2020-01-01T00:00:00+00:00"


@pytest.fixture(scope="module")
def posts(tmp_path_factory):
    """Return a function that builds a blog with options, or finds it built."""

    @functools.cache
    def build_posts(*options):
        folder = tmp_path_factory.mktemp("posts")
        settings = {"pagination_per_page": 2, "authors_profiles": True, **dict(options)}
        other = {"blog_dir": "other", "pagination_per_page": 4}
        name = settings.get("blog_dir", "blog")
        files = {"docs/other/index.md": "# Other\n"}
        files[f"docs/{name}/index.md"] = "# Blog\n"
        files[f"docs/{name}/.authors.yml"] = AUTHORS
        for day in range(1, 5):
            more = {"categories": "[News]", "authors": "[me]"}
            text = post(f"Post{day}", f"2019-01-0{day}", **more)
            files[f"docs/{name}/posts/{day}.md"] = text
        plugins = ["sitemap", {"blog": other}, {"blog": settings}]
        write(folder, files, theme=THEME, plugins=plugins)
        git(folder, "init", "-q", "-b", "main")
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", "old", GIT_COMMITTER_DATE=OLD)
        oldest = folder / f"docs/{name}/posts/1.md"
        oldest.write_text(oldest.read_text() + "More.\n")
        git(folder, "commit", "-qam", "new", GIT_COMMITTER_DATE=NEWS)
        return build(folder)

    return build_posts


@pytest.mark.parametrize(
    ("options", "view"),
    [
        ({}, "blog/"),
        full({}, "blog/archive/2019/"),
        full({}, "blog/category/news/"),
        full({}, "blog/author/me/"),
        full({"archive_pagination_per_page": 3}, "blog/archive/2019/"),
        full({"categories_pagination_per_page": 3}, "blog/category/news/"),
        full({"authors_profiles_pagination_per_page": 3}, "blog/author/me/"),
        full({"archive_pagination": False}, "blog/archive/2019/"),
        full(
            {"blog_dir": "news", "archive_pagination_per_page": 1}, "news/archive/2019/"
        ),
    ],
)
def test_page_of_a_view_is_dated_by_the_posts_that_it_shows(posts, options, view):
    """Four posts, of which the oldest has changed; another blog has other options."""
    built = posts(*options.items())

    dates = {}
    for url, fields in built.entries.items():
        path = url.removeprefix(BASE)
        if path.startswith(view) and not re.search("/post", path):
            html = (built.output_dir / path / "index.html").read_text()
            shown = set(re.findall("Post[1-4]", html.partition("<article")[2]))
            dates[path] = fields["lastmod"]
            assert dates[path] == (NEWS if "Post1" in shown else OLD), (path, shown)
    assert NEWS in dates.values()


@pytest.mark.parametrize("tags", ["tags", {"tags": {"tags_file": "index.md"}}], ids=str)
def test_list_of_tags_is_dated_by_the_pages_that_it_shows(tmp_path, tags):
    marker = "<!-- material/tags { include: [old] } -->"
    tagged = "---\ntags: [{}]\n---\n# Page\n"
    files = {
        "docs/index.md": "# Home\n",
        "docs/all.md": "# All\n\n<!-- material/tags -->\n",
        "docs/some.md": f"# Some\n\n{marker}\n",
        "docs/old.md": tagged.format("old"),
        **{f"docs/plain{number}.md": "# Plain\n" for number in range(4)},
    }
    write(tmp_path, files, theme=THEME, plugins=["sitemap", tags])
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "old", GIT_COMMITTER_DATE=OLD)
    (tmp_path / "docs/new.md").write_text(tagged.format("new"))
    commit(tmp_path)

    dates = {
        url.removeprefix(BASE): fields["lastmod"]
        for url, fields in build(tmp_path).entries.items()
        if "plain" not in url
    }
    home = OLD if tags == "tags" else NEWS
    expected = {"": home, "all/": NEWS, "some/": OLD, "old/": OLD, "new/": NEWS}
    assert expected == dates


def test_draft_posts_are_left_out_with_their_reason(blog):
    assert "blog/posts/draft.md: left out (draft" in blog.log


def test_outside_git_posts_have_their_publication_date(tmp_path):
    files = {"docs/blog/posts/old.md": post("Old", "2024-01-02")}
    write(tmp_path, files, theme=THEME, plugins=["sitemap", "blog"])

    entries = build(tmp_path).entries
    assert {"lastmod": "2024-01-02"} == entries[f"{BASE}blog/2024/01/02/old/"]
    assert {"lastmod": "2024-01-02"} == entries[f"{BASE}blog/archive/2024/"]


LINE = (
    "INFO    -  sitemap: Material cannot use the sitemap for instant navigation, previews"
    " and selectors: "
)


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        full({"filename": "map.xml"}, "it reads only sitemap.xml: remove `filename`"),
        ({"max_urls": 1}, "sitemap.xml is an index of parts, which it does not read"),
    ],
)
def test_one_line_says_why_material_cannot_use_the_sitemap(tmp_path, options, cause):
    files = {"docs/a.md": "# A\n", "docs/b.md": "# B\n"}
    write(tmp_path, files, plugins=[{"sitemap": options}], theme=THEME)
    built = build(tmp_path, "--strict")

    assert 1 == built.log.count(LINE + cause)


@pytest.mark.parametrize(
    ("options", "theme"),
    [({"exclude": ["a/"]}, THEME), full({"filename": "map.xml"}, {"name": "mkdocs"})],
)
def test_no_line_if_material_can_use_the_sitemap_or_is_not_there(
    tmp_path, options, theme
):
    files = {"docs/a.md": "# A\n"}
    write(tmp_path, files, plugins=[{"sitemap": options}], theme=theme)

    assert "Material cannot use" not in build(tmp_path, "--strict").log


@FULL
def test_page_with_a_redirecting_template_is_left_out(tmp_path):
    """Material's redirect.html: a script, and a refresh in `<noscript>`."""
    page = "---\ntemplate: redirect.html\nlocation: ../new/\n---\n"
    write(tmp_path, {"docs/old.md": page, "docs/new.md": "# New\n"}, theme=THEME)

    built = build(tmp_path, "-v")

    assert [BASE, f"{BASE}new/"] == built.locs
    assert "old.md: left out (redirect" in built.log


def test_noindex_in_front_matter_is_written_as_the_manual_shows(tmp_path):
    """Material itself writes no robots tag."""
    hidden = {"docs/hidden.md": "---\nrobots: noindex\n---\n# Hidden\n"}
    write(tmp_path, hidden, theme=THEME)
    built = build(tmp_path)
    assert "HTML does not, so search engines can index hidden.md" in built.log

    manual = Path(__file__).parents[2].joinpath("docs/robots.md").read_text("utf-8")
    template = manual.partition("```html+jinja\n")[2].partition("```")[0]
    write(
        tmp_path,
        {"overrides/main.html": template},
        theme={**THEME, "custom_dir": "overrides"},
    )
    built = build(tmp_path)

    page = (built.output_dir / "hidden/index.html").read_text("utf-8")
    assert '<meta name="robots" content="noindex">' in page
    assert "search engines can index" not in built.log
    assert [""] == paths(built)
