"""A sitemap with its style sheet is a readable page in a real browser."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from sitemap_plugins import Alternate, Options, Page, Site, generate
from tests.browser.chromium import Browser, waiting
from tests.full import FULL

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = FULL

BASE = "https://example.com/"
MODIFIED = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
COLORS = {
    "light": {"background-color": "rgb(255, 255, 255)", "color": "rgb(31, 35, 40)"},
    "dark": {"background-color": "rgb(13, 17, 23)", "color": "rgb(230, 237, 243)"},
}
WIDE, NARROW, PHONE = 1200, 400, 390
READABLE = 12
"""The least height of letters, in pixels of the screen."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    opened = Browser(tmp_path_factory.mktemp("profile"))
    yield opened
    opened.driver.quit()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder with a `<urlset>` of every element,
    and with the index of three parts."""
    folder = tmp_path_factory.mktemp("site")
    versions = (
        Alternate(language="en", path="a/"),
        Alternate(language="de", path="de/a/"),
    )
    pages = [
        Page(path="", modified=MODIFIED),
        Page(path="a/", changefreq="weekly", priority=0.8, alternates=versions),
        Page(path="de/a/", alternates=versions),
    ]
    for values in ({}, {"filename": "index.xml", "max_urls": 1}):
        report = generate(
            pages,
            site=Site(base_url=BASE, output_dir=folder),
            options=Options.parse(values, where="here"),
            environ={},
        )
        assert () == report.notices
    return folder


def opened(browser, file: Path, *, scheme="light", width=WIDE, mobile=False):
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [feature]}
    )
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": mobile}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.driver.get(file.as_uri())
    # For XML, the driver does not always wait.
    browser.wait_for(
        "document.readyState === 'complete' && document.styleSheets.length > 0"
    )
    browser.wait_for("document.querySelector(':root > *') !== null")


def style(browser, selector, name, box=None):
    """Return a computed property of the first element,
    or of its box `::before` or `::after`."""
    return browser.run(
        "return getComputedStyle(document.querySelector(arguments[0]), arguments[2])"
        ".getPropertyValue(arguments[1])",
        selector,
        name,
        box,
    )


def place(browser, selector):
    """Return the left, top and right edges of an element in the window."""
    return browser.run(
        "const r = document.querySelector(arguments[0]).getBoundingClientRect();"
        "return [r.left, r.top, r.right]",
        selector,
    )


@pytest.mark.parametrize("scheme", COLORS)
@pytest.mark.parametrize("name", ["sitemap.xml", "index.xml"])
def test_colors_follow_the_color_scheme(browser, site, name, scheme):
    opened(browser, site / name, scheme=scheme)

    assert COLORS[scheme] == {
        name: style(browser, ":root", name) for name in COLORS[scheme]
    }


@pytest.mark.parametrize(
    ("name", "title", "count"),
    [
        ("sitemap.xml", '"Sitemap"', "Number of URLs: "),
        ("index.xml", '"Sitemap index"', "Number of sitemaps: "),
    ],
)
def test_title_and_count_are_above_the_rows(browser, site, name, title, count):
    opened(browser, site / name)

    assert title == style(browser, ":root", "content", "::before")
    assert f'"{count}" counter(row)' == style(browser, ":root", "content", "::after")
    assert "absolute" == style(browser, ":root", "position", "::after")
    top = float(style(browser, ":root", "top", "::after").removesuffix("px"))
    assert top < place(browser, ":root > *")[1]


def spoken(browser):
    """Return the texts of the page for a screen reader, including generated content."""
    browser.driver.execute_cdp_cmd("Accessibility.enable", {})
    # The browser makes this tree some time after the page.
    return waiting.WebDriverWait(browser.driver, 10, 0.05).until(texts_of_page)


def texts_of_page(driver):
    nodes = driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    by_id = {node["nodeId"]: node for node in nodes}

    def texts(node):
        if node.get("role", {}).get("value") == "StaticText":
            yield node["name"]["value"]
            return
        for child in node.get("childIds", ()):
            if child in by_id:
                yield from texts(by_id[child])

    return list(texts(nodes[0]))


@pytest.mark.parametrize(
    ("name", "last"),
    [("sitemap.xml", "Number of URLs: 3"), ("index.xml", "Number of sitemaps: 3")],
)
def test_count_is_correct(browser, site, name, last):
    opened(browser, site / name)

    assert last == "".join(spoken(browser)[-2:])


def test_every_element_of_a_url_is_shown(browser, site):
    opened(browser, site / "sitemap.xml")

    texts = spoken(browser)
    expected = [
        "Sitemap",
        "URL",
        BASE,
        "2026-03-04T05:06:07+00:00",
        "Last modified",
        f"{BASE}a/",
        "changefreq: ",
        "weekly",
        "priority: ",
        "0.8",
        "de",
        f"{BASE}de/a/",
        "en",
        f"{BASE}a/",
    ]
    assert expected == texts[: len(expected)]


@pytest.mark.parametrize("name", ["sitemap.xml", "index.xml"])
def test_dates_are_a_column_in_a_wide_window(browser, site, name):
    opened(browser, site / name)

    loc, date = place(browser, "loc"), place(browser, "lastmod")
    assert loc[1] == date[1]
    assert loc[2] <= date[0]
    assert '"Last modified"' == style(browser, ":root > *", "content", "::after")
    assert "none" == style(browser, "lastmod", "content", "::before")


@pytest.mark.parametrize("name", ["sitemap.xml", "index.xml"])
def test_dates_are_below_the_url_with_a_label_in_a_narrow_window(browser, site, name):
    opened(browser, site / name, width=NARROW)

    loc, date = place(browser, "loc"), place(browser, "lastmod")
    assert loc[0] == date[0]
    assert loc[1] < date[1]
    assert "none" == style(browser, ":root > *", "display", "::after")
    assert '"Last modified: "' == style(browser, "lastmod", "content", "::before")


@pytest.mark.parametrize("name", ["sitemap.xml", "index.xml"])
def test_letters_can_be_read_on_a_phone_which_shows_xml_smaller(browser, site, name):
    opened(browser, site / name, width=PHONE, mobile=True)

    scale = PHONE / browser.run("return document.documentElement.clientWidth")
    letters = float(style(browser, "loc", "font-size").removesuffix("px"))
    loc, date = place(browser, "loc"), place(browser, "lastmod")
    assert scale < 0.5
    assert READABLE <= letters * scale
    assert loc[0] == date[0]
    assert loc[1] < date[1]


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_longest_url_does_not_widen_the_page(browser, tmp_path, width):
    generate(
        [Page(path="a" * 2000)],
        site=Site(base_url=BASE, output_dir=tmp_path),
        options=Options(),
        environ={},
    )

    opened(browser, tmp_path / "sitemap.xml", width=width)

    wider = (
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert 0 == browser.run(f"return {wider}")


def test_browser_shows_a_tree_without_the_style_sheet(browser, tmp_path):
    """This shows that the tests above depend on our style sheet."""
    options = Options.parse({"stylesheet": False}, where="here")
    site = Site(base_url=BASE, output_dir=tmp_path)
    generate([Page(path="")], site=site, options=options, environ={})

    opened(browser, tmp_path / "sitemap.xml")

    assert "none" == style(browser, "urlset", "content", "::before")
