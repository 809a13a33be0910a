"""Hostile YAML, TOML and Python affect at most one page, with one notice,
and take little time."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import yaml

from sitemap_plugins.mkdocs.options import SitemapConfig
from tests.folder.html_folder import BASE, build_site, page, write
from tests.full import full, usually
from tests.hosts import mkdocs_project

EDIT = "https://github.com/a/b/edit/main/docs"
NESTED = "".join(f"a{n}: &a{n} [{f'*a{n - 1}, ' * 10}]\n" for n in range(1, 20))
ALIASES = f"a0: &a0 [x, x]\n{NESTED}"
MERGED = "a0: &a0 {k: v}\n" + "".join(
    f"a{n}: &a{n} {{<<: [{f'*a{n - 1}, ' * 9}*a{n - 1}]}}\n" for n in range(1, 13)
)
COLLIDING = "".join(f"? {n * (2**61 - 1)}\n" for n in range(2_000))
BOMBS = {
    "aliases": ("yaml", f"{ALIASES}sitemap: *a19\n"),
    "aliases of keys": (
        "yaml",
        f"{ALIASES}sitemap: {{lastmod: *a19, a: *a19, sources: *a19}}\n",
    ),
    "merged mappings": ("yaml", f"{MERGED}sitemap: {{<<: *a12}}\n"),
    "a value that contains itself": ("yaml", "sitemap: &a {lastmod: *a}\n"),
    "no bool": ("yaml", "x: !!bool maybe\n"),
    "no date": ("yaml", "x: !!timestamp foo\n"),
    "no number": ("yaml", "x: !!int ''\n"),
    "a number to base 60": ("yaml", f"x: 1{':59' * 20_000}\n"),
    "a fraction to base 60": ("yaml", f"x: 1{':59' * 20_000}.5\n"),
    "no character": ("yaml", 'x: "\\UFFFFFFFF"\n'),
    "nested": ("yaml", f"x: {'[' * 60_000}\n"),
    "equal hashes": ("yaml", COLLIDING),
    "a dotted key": ("toml", f"{'a.' * 30_000}a = 1\n"),
    "a dotted table": ("toml", f"[{'a.' * 16_000}a]\n" + "k = 1\n" * 4_000),
    "nested in TOML": ("toml", f"a = {'[' * 60_000}\n"),
    "nested tables": ("toml", f"a = {'{a=' * 20_000}\n"),
}
UNKNOWN = {"equal hashes"}
"""Valid front matter without our keys."""


@pytest.mark.parametrize("kind", usually(BOMBS, *BOMBS.keys() - {"nested"}))
def test_hostile_front_matter_is_one_notice(tmp_path, kind):
    """The page is listed because generators build it; the other page is unaffected."""
    language, text = BOMBS[kind]
    fence = {"yaml": "---", "toml": "+++"}[language]
    write(
        tmp_path, {"docs/a.md": f"{fence}\n{text}{fence}\n# A\n", "docs/b.md": "# B\n"}
    )
    files = {f"{n}.html": page(f"{BASE}{n}.html", edit=f"{EDIT}/{n}.md") for n in "ab"}

    built = build_site(tmp_path, files, ["docs/a.md", "docs/b.md"], base_url=BASE)

    assert [f"{BASE}a.html", f"{BASE}b.html"] == built.locs
    lines = [line for line in built.log.splitlines() if line.endswith("(bad-metadata)")]
    assert (0 if kind in UNKNOWN else 1) == len(lines)
    assert all(
        line.startswith("a.md: the front matter cannot be read (") for line in lines
    )


@pytest.mark.parametrize(
    "kind",
    [
        full(kind) if kind == "nested" else kind
        for kind in BOMBS
        if BOMBS[kind][0] == "yaml"
    ],
)
def test_hostile_mkdocs_settings_are_one_notice(tmp_path, kind):
    write(tmp_path, {"mkdocs.yml": BOMBS[kind][1]})

    built = build_site(tmp_path, {"index.html": page(BASE)}, base_url=BASE)

    assert [BASE] == built.locs
    problems = [
        line for line in built.log.splitlines() if line.endswith("(bad-option)")
    ]
    assert (0 if kind in UNKNOWN else 1) == len(problems)


@pytest.mark.parametrize("parent", ["pipe", full("/dev/stdin"), "/dev/zero"])
def test_pipes_and_devices_in_place_of_settings_are_not_read(tmp_path, parent):
    os.mkfifo(tmp_path / "pipe")
    write(
        tmp_path, {"mkdocs.yml": f"INHERIT: {parent}\n", "out/index.html": page(BASE)}
    )
    command = [
        sys.executable,
        "-m",
        "sitemap_plugins",
        "build",
        "out",
        "--base-url",
        BASE,
    ]
    reading, writing = os.pipe()
    try:
        run = subprocess.run(
            command,
            cwd=tmp_path,
            stdin=reading,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
    finally:
        os.close(reading)
        os.close(writing)

    assert "cannot be read (not a regular file): correct the file" in " ".join(
        run.stderr.split()
    )


@pytest.mark.parametrize(
    "text", ["sitemap: *a19", "sitemap: {lastmod: *a19}", "robots: *a19"]
)
def test_only_the_shown_part_of_front_matter_is_formatted(tmp_path, text):
    """MkDocs' loader does not expand aliases."""
    mkdocs_project.write(tmp_path, {"docs/a.md": f"---\n{ALIASES}{text}\n---\n# A\n"})
    mkdocs_project.commit(tmp_path)

    built = mkdocs_project.build(tmp_path)

    assert ["", "a/"] == mkdocs_project.paths(built)
    assert ("robots" not in text) == ("[[[[" in built.log)


def test_only_the_shown_part_of_an_option_is_formatted():
    """Names can be any value."""
    bomb = yaml.safe_load(ALIASES)["a19"]
    names = ("exclude", "lastmod", "max_urls", "split", "priority", "gzip", "sources")
    config = SitemapConfig()
    config.load_dict({**dict.fromkeys(names, bomb), 1: "x", "\x1b": 1, "robot": bomb})

    # With errors, MkDocs drops its own warnings.
    errors, _ = config.validate()

    assert {*names, "1", r"'\x1b'", "robot"} == {name for name, _ in errors}
    assert all(
        str(error).isprintable() and len(str(error)) < 300 for _, error in errors
    )
