"""A page's source: a file that its edit link, Sphinx's copy or its route names,
and no other."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from sitemap_plugins.core.html.head import HeadMeta
from sitemap_plugins.folder import project_files
from sitemap_plugins.folder.page_marks import Built, PageMarks
from sitemap_plugins.folder.project_files import ProjectFiles, read_project_files
from sitemap_plugins.folder.sources import find_sources
from tests.folder.html_folder import BASE, build_site, html, page, write
from tests.git_repository import ENVIRON, GitRepository


def project(*names):
    return ProjectFiles(root=Path("/project"), names=frozenset(names))


def sources(pages, *names, folders=("",), **options):
    built = [
        Built(
            name,
            PageMarks(edit_links=tuple(links) if isinstance(links, list) else (links,)),
        )
        for name, links in pages.items()
    ]
    return dict(find_sources(built, project(*names), folders[0], **options).by_page)


@pytest.mark.parametrize(
    "link",
    [
        "https://github.com/o/r/edit/main/docs/a.md",
        "https://github.com/o/r/blob/feature/docs/docs/a.md",
        "https://gitlab.com/o/r/-/edit/main/docs/a.md?plain=1#L1",
        "https://bitbucket.org/o/r/src/main/docs/a.md?mode=edit",
        "https://codeberg.org/o/r/_edit/main/docs/a%2Emd",
        "../../docs/a.md",
    ],
)
def test_edit_link_names_the_file_that_its_path_ends_in(link):
    found = sources({"x.html": link}, "docs/a.md", "a.md", "other/a.md")

    assert {"x.html": "docs/a.md"} == found


def test_edit_link_to_a_project_in_a_subfolder_of_its_repository():
    link = "https://github.com/o/mono/edit/main/packages/p/docs/guide/a.md"

    assert {"x.html": "www/guide/a.md"} == sources(
        {"x.html": link}, "www/guide/a.md", "www/other/a.md"
    )


@pytest.mark.parametrize(
    "link",
    [
        "https://github.com/o/r/edit/main/a.md",
        "https://github.com/o/r",
        "http://[",
        "#",
    ],
)
def test_edit_link_without_exactly_one_file_is_ignored(link):
    assert {} == sources({"x.html": link}, "docs/a.md", "other/a.md")


def test_edit_link_to_a_missing_file_is_not_to_another_one_of_its_name():
    """Of a page that another program writes, such as a reference of commands."""
    main = "https://github.com/o/r/edit/main/"
    links = {
        "index.html": f"{main}docs/index.md",
        "a/index.html": f"{main}docs/a.md",
        "b/c/index.html": "../../docs/b/c.md",
        "b/index.html": "../docs/b/index.md",
        "d/index.html": "../docs/d.md",
        "commands/index.html": f"{main}docs/commands/README.md",
        "api/x/index.html": f"{main}docs/api/x.md",
    }
    texts = {"index.md", "a.md", "b/c.md", "b/index.md", "d.md"}
    names = [f"docs/{name}" for name in texts]

    found = sources(links, *names, "README.md", "packages/p/api/x.md", folders=["docs"])

    assert sorted(names) == sorted(found.values())


def test_edit_link_that_is_too_long_is_ignored():
    """Each of its ends is looked for: one of 8 MB would take days."""
    link = f"https://github.com/{'a/' * 1_100}docs/a.md"

    assert {} == sources({"x.html": link}, "docs/a.md")


@pytest.mark.parametrize(("depth", "is_found"), [(60, True), (70, False)])
def test_source_in_very_deep_folders_is_not_found_by_its_path(depth, is_found):
    """Each pair of n files of one name, 1 to n folders deep, would be compared."""
    path = f"{'d/' * depth}a"

    assert is_found == bool(sources({f"{path}.html": ""}, f"docs/{path}.md"))


def test_pages_that_one_file_could_be_are_compared_once():
    pages = {f"x{number}/{name}.html": "" for number in range(5_000) for name in "ab"}
    start = time.process_time()

    assert {} == sources(pages, "docs/a.md", "docs/b.md")
    assert time.process_time() - start < 1


def test_page_whose_edit_link_names_another_file_leaves_its_path_to_others():
    link = "https://github.com/o/r/edit/main/more/new.md"
    pages = {"docs/guide/index.html": link, "guide/index.html": ""}
    found = sources(pages, "docs/guide.md", "more/new.md")

    assert found == {
        "docs/guide/index.html": "more/new.md",
        "guide/index.html": "docs/guide.md",
    }


def test_file_named_by_many_edit_links_is_not_a_source():
    link = "https://github.com/o/r/edit/main/conf.py"
    pages = {f"{name}.html": link for name in "abcd"}

    assert {"a.html": "docs/a.md"} == sources(pages, "conf.py", "docs/a.md")


@pytest.mark.parametrize(
    "name",
    [
        "guide.md",
        "guide/index.md",
        "guide/README.md",
        "guide.rst",
        "guide.ipynb",
        "guide.qmd",
        "guide.txt",
        "guide.mdx",
    ],
)
@pytest.mark.parametrize("page", ["guide/index.html", "guide.html"])
def test_source_is_found_by_the_route(page, name):
    assert sources({page: []}, f"docs/{name}", "setup.py") == {page: f"docs/{name}"}


@pytest.mark.parametrize("name", ["index.md", "README.md", "index.rst"])
def test_source_of_the_home_page_is_found_by_the_route(name):
    assert {"index.html": f"docs/{name}"} == sources({"index.html": []}, f"docs/{name}")


def test_route_with_two_possible_files_gives_no_source():
    assert {} == sources(
        {"guide/index.html": []}, "docs/guide.md", "docs/guide/index.md"
    )


def test_file_named_like_its_folder_is_the_fallback_source():
    """Eleventy: `guide/guide.md` becomes `guide/`."""
    pages = {"guide/index.html": [], "a/b/index.html": []}

    assert sources(pages, "docs/guide/guide.md", "docs/a/b/b.md") == {
        "guide/index.html": "docs/guide/guide.md",
        "a/b/index.html": "docs/a/b/b.md",
    }
    found = sources(
        {"guide/index.html": []}, "docs/guide/guide.md", "docs/guide/index.md"
    )
    assert {"guide/index.html": "docs/guide/index.md"} == found


def test_folder_with_the_most_sources_wins():
    pages = {"index.html": [], "a.html": [], "b.html": []}
    names = ("README.md", "a.md", "docs/index.md", "docs/a.md", "docs/b.md")

    assert {
        "index.html": "docs/index.md",
        "a.html": "docs/a.md",
        "b.html": "docs/b.md",
    } == sources(pages, *names)


def test_sphinx_copy_names_the_source():
    marks = PageMarks(sphinx_sources=("../_sources/sub/page.rst.txt",))
    built = [Built("sub/page/index.html", marks), Built("gen.html", PageMarks())]
    names = project("docs/sub/page.rst", "docs/sub/page.md", "docs/conf.py")

    assert {"sub/page/index.html": "docs/sub/page.rst"} == find_sources(
        built, names, "docs"
    ).by_page


def test_modules_are_sources_of_pdoc_pages_only():
    pages = [
        Built(n, PageMarks(head=HeadMeta(generator=g)))
        for n, g in (("p.html", "pdoc 16"), ("p/m.html", ""))
    ]
    names = project("src/p/__init__.py", "src/p/m.py")

    assert {"p.html": "src/p/__init__.py"} == find_sources(pages, names, "src").by_page


def test_pdoc_pages_have_only_modules_as_sources():
    """Its list of modules and a text beside a module's tests have the names
    of other pages."""
    pages = [
        Built(n, PageMarks(head=HeadMeta(generator="pdoc 16")))
        for n in ("index.html", "m.html")
    ]
    names = project("README.md", "m.txt", "m.py")

    assert {"m.html": "m.py"} == find_sources(pages, names, "").by_page


def test_readme_is_the_home_page_only_beside_other_sources():
    pages = {"index.html": [], "a.html": "/edit/main/lib/a.py"}
    names = ("README.md", "lib/a.py")

    assert {"a.html": "lib/a.py"} == sources(pages, *names)
    assert "README.md" == sources({**pages, "b.html": []}, *names, "b.md")["index.html"]
    assert {"a.html": "lib/a.py"} == sources(pages, *names, folders=[""])


@pytest.mark.parametrize(
    "names",
    [
        ("README.md", "docs/a.md"),
        ("README.txt", "conf.py", "posts/a.rst"),
        ("README.md", "package.json", "posts/a.md"),
        (
            "website/README.md",
            "website/package.json",
            "website/docs/a.md",
            "CHANGES.md",
        ),
        ("blog/README.txt", "blog/conf.py", "blog/posts/a.rst"),
        ("README.md", "_config.yml", "index.html", "a.md"),
    ],
    ids=["docs", "Nikola", "Hexo", "Docusaurus", "Nikola in a folder", "Jekyll"],
)
def test_readme_beside_project_settings_is_not_the_home_page(names):
    """Only pages made of files beside it show that pages are made there."""
    top = names[0].rpartition("/")[0]
    pages = {
        "index.html": [],
        **{f"{f}a/index.html": [] for f in ("", "docs/", "posts/")},
    }

    found = sources(pages, *names, folders=[top])
    assert found
    assert "index.html" not in found


def test_readme_does_not_decide_the_source_folder():
    """Hexo's, with one page beside the posts."""
    pages = {"index.html": [], "about/index.html": []}
    names = ("README.md", "package.json", "source/about/index.md")

    assert {"about/index.html": "source/about/index.md"} == sources(pages, *names)
    assert {"index.html": "docs/README.md"} == sources(
        {"index.html": []}, "docs/README.md"
    )


@pytest.mark.parametrize(
    "settings", ["docs/package.json", "docs/conf.py", "mkdocs.yml"]
)
def test_readme_in_the_source_folder_is_the_home_page(settings):
    pages = {"index.html": [], "a.html": []}

    assert (
        "docs/README.md"
        == sources(pages, "docs/README.md", "docs/a.md", settings)["index.html"]
    )


def test_index_wins_over_a_readme_as_home_page():
    """Jekyll's own template."""
    pages = {"index.html": [], "about/index.html": []}
    names = ("README.md", "index.markdown", "about.markdown", "_config.yml")

    assert "index.markdown" == sources(pages, *names)["index.html"]


def test_jekyll_collections_are_in_folders_with_an_underscore():
    pages = {
        "docs/a/index.html": [],
        "docs/b/c.html": [],
        "e.html": [],
        "docs/d.html": [],
    }
    names = ("_docs/a.md", "_docs/b/c.md", "_e.md", "_docs/d.md", "docs/d.md")

    assert {
        "docs/a/index.html": "_docs/a.md",
        "docs/b/c.html": "_docs/b/c.md",
        "docs/d.html": "docs/d.md",
    } == sources(pages, *names)


def test_jekyll_collections_can_be_served_at_the_root():
    """`permalink: "/:path/"`; the collection of most pages is likelier
    for one in two."""
    pages = {
        "how/index.html": [],
        "es/how/index.html": [],
        "two/index.html": [],
        "x.html": [],
    }
    texts = ("_articles/how.md", "_articles/es/how.md", "_layouts/x.md")
    names = ("_config.yml", *texts, "_articles/two.md", "_more/two.md")

    assert {
        "how/index.html": "_articles/how.md",
        "es/how/index.html": "_articles/es/how.md",
        "two/index.html": "_articles/two.md",
    } == sources(pages, *names)


def test_language_at_the_root_is_in_its_own_folder():
    """Hugo's `defaultContentLanguage`, with its `_index.md`."""
    pages = {f"{p}index.html": [] for p in ("", "a/", "b/", "fr/", "fr/a/")} | {
        "api/b.html": []
    }
    names = ("_index.md", "a.md", "b/_index.md")
    files = [f"content/{lang}/{name}" for lang in ("en", "fr", "src") for name in names]

    assert sources(pages, *files, "content/de/a.md", "content/api/b.md") == {
        "index.html": "content/en/_index.md",
        "b/index.html": "content/en/b/_index.md",
        "fr/index.html": "content/fr/_index.md",
        "fr/a/index.html": "content/fr/a.md",
        "api/b.html": "content/api/b.md",
    } | {"a/index.html": "content/en/a.md"}


def test_language_at_the_root_needs_no_home_page_beside_other_languages():
    """As letsencrypt.org, whose `en/index.html` redirects,
    and whose Persian is not published."""
    pages = {f"{p}index.html": [] for p in ("", "en/", "a/", "b/", "de/a/", "de/b/")}
    files = [f"content/{lang}/{name}.md" for lang in ("de", "en") for name in "ab"]

    assert sources(pages, *files, "content/fa/a.md") == {
        **{f"{name}/index.html": f"content/en/{name}.md" for name in "ab"},
        **{f"de/{name}/index.html": f"content/de/{name}.md" for name in "ab"},
    }


@pytest.mark.parametrize(
    ("generator", "found"),
    [
        ("Hugo 0.168.0", {"cast/toint/index.html": "content/cast/ToInt.md"}),
        ("Eleventy v3.0.0", {}),
    ],
)
def test_hugo_alone_writes_addresses_in_lowercase(generator, found):
    """As 509 pages of gohugo.io; its home page names Hugo. Two files that differ only
    in their case are as likely."""
    pages = [
        Built("index.html", PageMarks(head=HeadMeta(generator=generator))),
        Built("cast/toint/index.html", PageMarks()),
        Built("cast/two/index.html", PageMarks()),
    ]
    names = ("content/cast/ToInt.md", "content/cast/TWO.md", "content/cast/Two.md")

    assert found == find_sources(pages, project(*names)).by_page


def test_lektor_has_a_folder_for_each_page():
    pages = {"index.html": [], "a/b/index.html": []}

    assert sources(pages, "content/contents.lr", "content/a/b/contents.lr") == {
        "index.html": "content/contents.lr",
        "a/b/index.html": "content/a/b/contents.lr",
    }


def written(folder, files):
    """Write the files of a project,
    as HTML and front matter are sources by what they hold."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return ProjectFiles(root=folder, names=frozenset(files))


def test_html_with_front_matter_is_a_source(tmp_path):
    pages = [
        Built(name, PageMarks()) for name in ("index.html", "a/index.html", "b.html")
    ]
    files = {
        "index.html": "---\n---\n<p>",
        "a.html": "---\nx: 1\n---\n",
        "b.html": "<p>b",
    }

    found = find_sources(pages, written(tmp_path, files), "").by_page
    assert {"index.html": "index.html", "a/index.html": "a.html"} == found


@pytest.mark.parametrize("name", ["docs/index.md", "src/README.md", "index.rst"])
def test_home_page_of_a_manual_of_code_is_not_made_from_an_unrelated_index(name):
    """The output of pydoctor, Javadoc, TypeDoc and Doxygen has an index.html, too."""
    pages = {"index.html": [], "pkg.module.html": [], "classIndex.html": []}

    assert {} == sources(pages, name, "docs/guide.md", "setup.py")
    single = {"index.html": [], "404.html": [], "search/index.html": []}
    assert {"index.html": name} == sources(single, name, "docs/guide.md")


def test_page_with_a_copy_of_its_source_is_not_made_from_another_file():
    """The sources are in `manual/source`, where nobody looks for them."""
    marks = {
        name: PageMarks(sphinx_sources=(f"_sources/{name}.rst.txt",)) for name in "abc"
    }
    built = [Built(f"{name}.html", mark) for name, mark in marks.items()]
    files = project(
        "docs/a.md", "src/README.md", "_posts/2024-05-01-b.md", "docs/c.rst"
    )

    assert {"c.html": "docs/c.rst"} == find_sources(built, files, "").by_page


def docusaurus(*pages):
    return [
        Built(name, PageMarks(head=HeadMeta(generator="Docusaurus v3.9.2")))
        for name in pages
    ]


@pytest.mark.parametrize("top", ["", "website/"])
def test_docusaurus_pages_can_be_made_from_components(top):
    settings = ("README.md", "docusaurus.config.ts", "package.json")
    names = ("docs/intro.md", "src/pages/index.js", "src/pages/help/index.mdx")
    files = [
        top + n
        for n in (*settings, *names, "src/pages/about.tsx", "src/pages/about.css")
    ]
    pages = (
        "index.html",
        "about/index.html",
        "docs/intro/index.html",
        "help/index.html",
    )

    found = find_sources(docusaurus(*pages), project(*files), "").by_page
    assert {
        "index.html": f"{top}src/pages/index.js",
        "about/index.html": f"{top}src/pages/about.tsx",
        "docs/intro/index.html": f"{top}docs/intro.md",
        "help/index.html": f"{top}src/pages/help/index.mdx",
    } == found
    assert "index.html" not in sources({"index.html": []}, *files)


@pytest.mark.parametrize("edit_link", ["/edit/main/docs/{}.md", ""])
def test_pages_in_a_language_of_docusaurus_have_no_source(edit_link):
    """The edit link is the original's, whether there is a translation or not."""
    pages = {
        f"{language}docs/{name}/index.html": edit_link.format(name)
        for language in ("", "de/")
        for name in "abc"
    }
    originals = [f"docs/{name}.md" for name in "abc"]
    translation = "i18n/de/docusaurus-plugin-content-docs/current/a.md"

    assert sources(pages, *originals, translation) == {
        f"docs/{name}/index.html": f"docs/{name}.md" for name in "abc"
    }


def test_pages_are_their_own_sources_only_if_asked():
    assert {} == sources({"a.html": []}, "www/a.html", folders=["www"])
    assert {"a.html": "www/a.html"} == sources(
        {"a.html": []}, "www/a.html", folders=["www"], site_dir=Path("/project/www")
    )


def test_page_label_is_the_source_name_below_its_folder():
    found = find_sources([Built("a.html", PageMarks())], project("docs/a.md"), "docs")

    assert ("a.md", "b.html") == (found.label("a.html"), found.label("b.html"))


def test_project_files_include_untracked_but_not_ignored_files(tmp_path):
    repository = GitRepository(tmp_path)
    repository.commit({"docs/a.md": "a", ".gitignore": "out/"})
    repository.write()
    (tmp_path / "out").mkdir()
    (tmp_path / "out/b.md").touch()
    (tmp_path / "docs/new.md").touch()

    names = read_project_files(
        tmp_path / "docs", ENVIRON, site_dir=tmp_path / "out"
    ).names

    assert {"docs/a.md", "docs/new.md", ".gitignore"} == names


def test_project_files_outside_git_exclude_hidden_and_built_ones(tmp_path):
    names = (
        "a.md",
        "b/c.md",
        ".venv/d.md",
        "node_modules/e.md",
        "out/f.md",
        "out/g/h.md",
    )
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()

    found = read_project_files(tmp_path, ENVIRON, site_dir=tmp_path / "out")
    assert {"a.md", "b/c.md"} == found.names
    of_site = read_project_files(tmp_path / "out", ENVIRON, site_dir=None)
    assert {"f.md", "g/h.md"} == of_site.names


# --- more that one rule finds


@pytest.mark.parametrize(
    "suffix", [".adoc", ".org", ".njk", ".liquid", ".mdoc", ".mdx", ".qmd"]
)
def test_texts_of_other_generators_are_sources(suffix):
    assert {"p/index.html": f"content/p{suffix}"} == sources(
        {"p/index.html": []}, f"content/p{suffix}"
    )


@pytest.mark.parametrize("suffix", [".astro", ".vue"])
def test_components_are_sources_in_a_folder_of_pages(suffix):
    names = (f"src/pages/p{suffix}", f"src/components/q{suffix}")

    assert {"p/index.html": names[0]} == sources(
        {"p/index.html": [], "q/index.html": []}, *names
    )


def test_docusaurus_blog_has_posts_with_their_dates_as_folders():
    names = [f"blog/2018-12-{day}-{title}.mdx" for day, title in [(28, "a"), (29, "b")]]
    pages = {"blog/2018/12/28/a/index.html": [], "blog/2018/12/29/b/index.html": []}

    assert dict(zip(pages, names, strict=True)) == sources(pages, *names)
    assert {} == sources({"blog/2019/01/05/a/index.html": []}, *names)


def test_folders_with_other_names_need_a_second_page():
    """Nikola's POSTS."""
    pages = {"blog/x.html": [], "blog/y.html": []}
    names = ("posts/x.txt", "posts/y.txt")

    assert dict(zip(pages, names, strict=True)) == sources(pages, *names)
    assert {} == sources({"blog/x.html": []}, *names)


def test_antora_puts_modules_below_the_version():
    pages = {"docs/next/a.html": [], "docs/next/guide/b.html": []}
    names = ("modules/ROOT/pages/a.adoc", "modules/guide/pages/b.adoc")
    more = {"docs/next/c.html": [], "docs/next/guide/d.html": []}
    texts = ("modules/ROOT/pages/c.adoc", "modules/guide/pages/d.adoc")

    found = sources(pages | more, *names, *texts)
    assert dict(zip([*pages, *more], [*names, *texts], strict=True)) == found


def test_one_page_of_a_module_of_antora_is_found_as_those_of_others():
    """Glossaries are alone in their modules, and each module has one index."""
    texts = {
        "docs/next/a.html": "modules/ROOT/pages/a.adoc",
        "docs/next/guide/index.html": "modules/guide/pages/index.adoc",
        "docs/next/glossary/g.html": "modules/glossary/pages/g.adoc",
    }

    assert texts == sources({page: [] for page in texts}, *texts.values())


def test_fallback_pages_of_a_language_share_the_original():
    """Starlight shows the original text in the folder of each language
    that lacks it."""
    languages = ("", "da/", "de/", "fr/", "pt-br/", "zh-cn/")
    link = "https://github.com/o/r/edit/main/src/content/docs/components/asides.mdx"
    pages = {f"{language}components/asides/index.html": link for language in languages}
    name = "src/content/docs/components/asides.mdx"

    assert dict.fromkeys(pages, name) == sources(pages, name)
    lists = {f"{name}/components/index.html": link for name in ("x1", "x2", "x3", "x4")}
    assert lists.keys().isdisjoint(sources(pages | lists, name))


def test_page_without_a_source_names_the_file_that_was_considered():
    link = "https://github.com/o/r/edit/main/conf.py"
    pages = {f"{name}.html": link for name in "abcd"}
    pages |= {"blog/x.html": [], "g.html": []}
    built = [
        Built(name, PageMarks(edit_links=tuple(filter(None, [link or ""]))))
        for name, link in pages.items()
    ]
    found = find_sources(built, project("conf.py", "posts/x.txt", "g.md", "g.rst"))

    assert {} == found.by_page
    assert {
        **{
            f"{name}.html": "'conf.py', which the edit links of 4 pages name"
            for name in "abcd"
        },
        "blog/x.html": "'posts/x.txt', which no second page would confirm",
        "g.html": "'g.md', as likely as 'g.rst'",
    } == found.dropped


def test_copy_of_a_committed_file_beside_the_page_proves_its_source(tmp_path):
    """Nikola, with any POSTS and any form of addresses."""
    repository = GitRepository(tmp_path)
    texts = {"posts/2024/a.rst": "Text A", "stories/b.txt": "Text B"}
    same = {"x/c.txt": "Same", "y/c.txt": "Same"}
    repository.commit(texts | same | {".gitignore": "out/"})
    repository.write()
    copies = {"out/blog/first.rst": "Text A", "out/about/index.txt": "Text B"}
    copies |= {"out/c/index.txt": "Same", "out/d.txt": "Other"}
    write(tmp_path, copies)
    names = ("blog/first.html", "about/index.html", "c/index.html", "d.html")

    found = find_sources(
        [Built(name, PageMarks()) for name in names],
        read_project_files(tmp_path, ENVIRON, site_dir=tmp_path / "out"),
        site_dir=tmp_path / "out",
    )

    assert {
        "blog/first.html": "posts/2024/a.rst",
        "about/index.html": "stories/b.txt",
    } == found.by_page


def test_links_to_folders_of_the_project_are_followed(tmp_path):
    """As Sphinx and MkDocs do; nova-specs has `doc/source/specs`."""
    repository = GitRepository(tmp_path)
    repository.commit({"real/2024/p.rst": "P", "doc/index.rst": "I"})
    repository.write()
    (tmp_path / "doc/specs").symlink_to("../real")
    (tmp_path / "doc/loop").symlink_to("..")
    (tmp_path / "doc/out").symlink_to("/etc")
    built = [
        Built(f"{name}.html", PageMarks(sphinx_sources=(f"_sources/{name}.rst.txt",)))
        for name in ("index", "specs/2024/p")
    ]

    found = find_sources(built, read_project_files(tmp_path, ENVIRON, site_dir=None))

    assert {
        "index.html": "doc/index.rst",
        "specs/2024/p.html": "real/2024/p.rst",
    } == found.by_page


def test_sources_are_not_looked_for_among_all_files_of_a_machine(tmp_path, monkeypatch):
    """As if called from `/`: each file of the machine would be listed."""
    for number in range(30):
        (tmp_path / f"{number}.md").write_text("# Text")
    (tmp_path / "out").mkdir()
    (tmp_path / "out/1.html").write_text(page(BASE))
    few = read_project_files(tmp_path, ENVIRON, site_dir=tmp_path / "out")
    monkeypatch.setattr(project_files, "MAX_OUTSIDE_GIT", 29)
    many = read_project_files(tmp_path, ENVIRON, site_dir=tmp_path / "out")
    built = build_site(tmp_path, {"1.html": html(), "2.html": html()}, base_url=BASE)

    assert (30, False) == (len(few.names), few.is_too_large)
    assert (0, True) == (len(many.names), many.is_too_large)
    assert "files and no git, so sources are not looked for in it: run" in built.log
