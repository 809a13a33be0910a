"""What a program that uses us writes, for type checkers; never run.

`nox -s check_types` shows it to mypy and pyright beside the installed wheel, so it also
says whether the wheel has its types (py.typed).
"""

# pyright: strict, reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Literal, assert_type

import sitemap_plugins
from sitemap_plugins import (
    Alternate,
    GitCache,
    GitError,
    Notice,
    Options,
    OptionsError,
    OutputError,
    Page,
    PageError,
    Report,
    RobotsError,
    Site,
    SitemapError,
    generate,
    percent_encode,
)

assert_type(sitemap_plugins.__version__, str)
print(sitemap_plugins.missing)  # type: ignore[attr-defined]


def pages(folder: Path) -> Iterator[Page]:
    """Describe pages with every field that a page can have."""
    yield Page(
        path=percent_encode("über.html"),
        name="über.md",
        output_file=folder / "über.html",
        sources=(folder / "über.md",),
        modified=datetime(2024, 5, 1, tzinfo=UTC),
        published=date(2024, 4, 1),
        lists=("blog/",),
        alternates=(
            Alternate(language="de", path="de/"),
            Alternate(language="en", url="https://example.com/en/"),
        ),
        changefreq="daily",
        priority=0.5,
        metadata={"sitemap": False},
        exclude_reason="draft",
    )
    yield Page(path="", exclude_reason="drfat")  # type: ignore[arg-type]
    yield Page("")  # type: ignore[call-arg]


def options(values: Mapping[str, object]) -> Options:
    """Check the user's values."""
    try:
        checked = Options.parse(values, where="settings", prefix="sitemap_")
    except OptionsError as error:
        assert_type(error.problems, tuple[str, ...])
        raise
    assert_type(checked, Options)
    assert_type(checked.max_urls, int)
    return checked


def build(folder: Path) -> None:
    """Write a sitemap and read the report."""
    report = generate(
        pages(folder),
        site=Site(
            output_dir=folder, project_dir=folder, base_url="https://example.com/"
        ),
        options=options({"exclude": ["drafts/"]}),
        environ={"CI": "true"},
        git_cache=GitCache(),
    )
    assert_type(report, Report)
    assert_type(report.files, tuple[Path, ...])
    assert_type(report.listed, int)
    assert_type(report.summary(), str)
    for notice in report.notices:
        assert_type(notice, Notice)
        assert_type(notice.level, Literal["warning", "info"])
        assert_type(notice.problem, str)
        assert_type(str(notice), str)
    for line in report.details():
        assert_type(line, str)
    report.listed = 0  # type: ignore[misc]


errors: list[type[SitemapError]] = [
    GitError,
    OptionsError,
    OutputError,
    PageError,
    RobotsError,
]
