"""Hooks and plugins that read or change the sitemap in `on_post_build`,
and the project's own one.

The hooks do what those of real repositories do, which work with MkDocs' own sitemap;
each names one, where it is known.
"""

from __future__ import annotations

import gzip

import pytest

from tests.hosts.mkdocs_project import BASE, build, commit, paths, write

# Zoey-Cheng/MLSys-Learning-Notes hooks/fix_canonical.py: the front page as a folder.
FRONT_PAGE = """
from pathlib import Path

def on_post_build(config, **kwargs):
    sitemap = Path(config["site_dir"]) / "sitemap.xml"
    if sitemap.exists():
        url = config["site_url"]
        text = sitemap.read_text(encoding="utf-8").replace(f"{url}index.html", url)
        sitemap.write_text(text, encoding="utf-8")
"""
# 14 of 28 hooks: pages out, by what the front matter says or by their place.
PAGES_OUT = """
import gzip, re
from pathlib import Path

def on_post_build(config):
    sitemap = Path(config["site_dir"]) / "sitemap.xml"
    text = sitemap.read_text(encoding="utf-8")
    text = re.sub(r"\\s*<url>\\s*<loc>[^<]*/tags/[^<]*</loc>.*?</url>", "", text, flags=re.S)
    sitemap.write_text(text, encoding="utf-8")
    with gzip.open(str(sitemap) + ".gz", "wb") as twin:
        twin.write(text.encode())
"""
# tyto-official/copilot-studio-course scripts/mkdocs_hooks.py: a page of hand-made HTML.
PAGE_IN = """
from pathlib import Path
from xml.etree import ElementTree as ET

NS = "http://www.sitemaps.org/schemas/sitemap/0.9"

def on_post_build(config, **kwargs):
    sitemap = Path(config["site_dir"]) / "sitemap.xml"
    ET.register_namespace("", NS)
    tree = ET.parse(sitemap)
    url = ET.SubElement(tree.getroot(), f"{{{NS}}}url")
    ET.SubElement(url, f"{{{NS}}}loc").text = config["site_url"] + "zebra/"
    tree.write(sitemap, encoding="UTF-8", xml_declaration=True)
"""
COPY = """
import shutil
from pathlib import Path

def on_post_build(config):
    site = Path(config["site_dir"])
    shutil.copy(site / "sitemap.xml", site / "ru-sitemap.xml")
"""
NOTE = "sitemap.xml: a hook or another plugin changed it in on_post_build after it was written"


@pytest.mark.parametrize(
    ("hook", "expected"),
    [
        (FRONT_PAGE, ["", "tags/x.html"]),
        (PAGES_OUT, ["index.html"]),
        (PAGE_IN, ["index.html", "tags/x.html", "zebra/"]),
    ],
)
def test_change_to_the_sitemap_by_a_hook_is_kept_and_reported_once(
    tmp_path, hook, expected
):
    write(
        tmp_path,
        {"docs/tags/x.md": "# X\n", "hook.py": hook},
        hooks=["hook.py"],
        use_directory_urls=False,
    )
    commit(tmp_path)
    built = build(tmp_path, "--strict")
    twin = gzip.decompress((built.output_dir / "sitemap.xml.gz").read_bytes())

    assert expected == paths(built)
    assert twin == (built.output_dir / "sitemap.xml").read_bytes()
    assert 1 == built.log.count(NOTE)


def test_hook_that_only_reads_the_sitemap_is_not_reported(tmp_path):
    write(tmp_path, {"hook.py": COPY}, hooks=["hook.py"])
    commit(tmp_path)
    built = build(tmp_path, "--strict")
    copy = (built.output_dir / "ru-sitemap.xml").read_bytes()

    assert copy == (built.output_dir / "sitemap.xml").read_bytes()
    assert "another plugin" not in built.log


def test_sitemap_that_a_hook_removes_is_not_written_again(tmp_path):
    hook = (
        "from pathlib import Path\n"
        "def on_post_build(config):\n"
        "    for file in Path(config.site_dir).glob('sitemap*'):\n        file.unlink()\n"
    )
    write(tmp_path, {"hook.py": hook}, hooks=["hook.py"])
    built = build(tmp_path, "--strict")

    assert not list(built.output_dir.glob("sitemap*"))
    assert (
        "sitemap.xml: a hook or another plugin removed it in on_post_build" in built.log
    )


def test_robots_txt_written_by_a_hook_gets_the_sitemap_line(tmp_path):
    hook = (
        "from pathlib import Path\n"
        "def on_post_build(config):\n"
        "    Path(config.site_dir, 'robots.txt').write_text('User-agent: *\\nDisallow: /b/\\n')\n"
    )
    write(tmp_path, {"docs/b.md": "# B\n", "hook.py": hook}, hooks=["hook.py"])
    built = build(tmp_path, "--strict")

    assert built.robots.splitlines()[-1] == f"Sitemap: {BASE}sitemap.xml".encode()
    assert [""] == paths(built)


LANGUAGES = {"en": "English", "de": "Deutsch", "fr": "Français"}


@pytest.mark.parametrize("default", LANGUAGES)
@pytest.mark.parametrize("hook", [PAGES_OUT, COPY])
def test_a_hook_finds_the_sitemap_of_all_languages(tmp_path, hook, default):
    pytest.importorskip("mkdocs_static_i18n")
    languages = [
        {"locale": locale, "name": name, "default": locale == default}
        for locale, name in LANGUAGES.items()
    ]
    write(
        tmp_path,
        {f"docs/a.{locale}.md": "# A\n" for locale in LANGUAGES}
        | {f"docs/index.{locale}.md": "# Home\n" for locale in LANGUAGES}
        | {"docs/tags/x.md": "# X\n", "hook.py": hook},
        hooks=["hook.py"],
        plugins=[
            "sitemap",
            {"i18n": {"docs_structure": "suffix", "languages": languages}},
        ],
    )
    (tmp_path / "docs/index.md").unlink()
    built = build(tmp_path, "--strict")
    folders = sorted("" if locale == default else f"{locale}/" for locale in LANGUAGES)

    if hook == COPY:
        copy = (built.output_dir / "ru-sitemap.xml").read_bytes()
        assert copy == (built.output_dir / "sitemap.xml").read_bytes()
        assert 9 == len(paths(built))
    else:
        assert sorted(paths(built)) == sorted(
            f"{f}{page}" for f in folders for page in ("", "a/")
        )
        assert 1 == built.log.count(NOTE)


@pytest.mark.parametrize("place", ["theme", "docs"])
def test_sitemap_of_the_project_is_replaced_and_reported_once(tmp_path, place):
    """68 real repositories have such a template, 24 such a file."""
    write(tmp_path, {f"{place}/sitemap.xml": "<raw>{{ pages }}</raw>"})
    built = build(tmp_path, "--strict")
    twin = (built.output_dir / "sitemap.xml.gz").read_bytes()

    assert [""] == paths(built)
    assert gzip.decompress(twin) == (built.output_dir / "sitemap.xml").read_bytes()
    assert 1 == built.log.count(f"{place}/sitemap.xml: it is not used, because")
    assert "`sitemap: false`" in built.log


def test_a_sitemap_file_beside_ours_under_another_name_stays(tmp_path):
    write(
        tmp_path,
        {"docs/sitemap.xml": "<mine/>"},
        plugins=[{"sitemap": {"filename": "docs.xml"}}],
    )
    built = build(tmp_path, "--strict")

    assert "<mine/>" == (built.output_dir / "sitemap.xml").read_text()
    assert built.wrote("docs.xml")
    assert "not used" not in built.log
