"""Material's features that read sitemap.xml work in a real browser."""

from __future__ import annotations

import functools
import http.server
import os
import threading

import pytest

from tests.browser.chromium import Browser
from tests.full import FULL
from tests.hosts.mkdocs_project import write
from tests.sites import MkDocs

pytest.importorskip("material")
pytestmark = FULL
NAMES = ("one", "two", "three")
SIDES = ("left", "right")
INDEX = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    "<sitemap><loc>{0}sitemap-1.xml</loc></sitemap></sitemapindex>"
)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A folder, and the address that it has on a server of ours."""
    folder = tmp_path_factory.mktemp("served")
    handler = functools.partial(Quiet, directory=os.fspath(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield folder, f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def two_sites(served, name, **extra):
    """Build a site twice, side by side, and return both addresses."""
    folder, address = served
    bases = [f"{address}{name}/{side}/" for side in SIDES]
    for side, base in zip(SIDES, bases, strict=True):
        project = folder / name / f"project-{side}"
        write(
            project,
            {f"docs/{page}.md": f"# {side} {page}\n" for page in NAMES},
            site_url=base,
            theme={
                "name": "material",
                "font": False,
                "features": ["navigation.instant"],
            },
            extra=extra,
        )
        built = MkDocs().run(project, "--strict")
        assert 0 == built.returncode, built.log
        built.output_dir.rename(folder / name / side)
    return bases


@pytest.fixture(scope="module")
def languages(served):
    alternate = [
        {"name": side, "link": f"/languages/{side}/", "lang": lang}
        for side, lang in zip(SIDES, ("en", "de"), strict=True)
    ]
    return two_sites(served, "languages", alternate=alternate)


@pytest.fixture(scope="module")
def versions(served):
    folder, _ = served
    bases = two_sites(served, "versions", version={"provider": "mike"})
    listed = ",".join(f'{{"version":"{s}","title":"{s}","aliases":[]}}' for s in SIDES)
    (folder / "versions/versions.json").write_text(f"[{listed}]")
    return bases


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    opened = Browser(tmp_path_factory.mktemp("profile"))
    yield opened
    opened.driver.quit()


def click_three_links_without_a_full_load(browser, base):
    browser.open(base, f"{base}sitemap.xml")
    browser.run("window.mark = 'the same document'")
    for name in NAMES:
        browser.click(f".md-nav--primary a[href$='{name}/']")
        browser.heading(f"left {name}")

        assert f"{base}{name}/" == browser.driver.current_url
        assert "the same document" == browser.run("return window.mark")


def test_instant_navigation_loads_no_full_page(browser, languages):
    click_three_links_without_a_full_load(browser, languages[0])


def test_instant_navigation_fails_with_an_index(browser, languages, served):
    base, folder = languages[0], served[0]
    file = folder / "languages/left/sitemap.xml"
    ours = file.read_bytes()
    file.write_text(INDEX.format(base))
    with pytest.raises(AssertionError, match="the same document"):
        click_three_links_without_a_full_load(browser, base)
    file.write_bytes(ours)


def test_language_selector_stays_on_the_page(browser, languages):
    left, right = languages
    browser.open(f"{left}two/", f"{left}sitemap.xml", f"{right}sitemap.xml")
    browser.click(".md-select__link[hreflang=de]")
    browser.heading("right two")

    assert f"{right}two/" == browser.driver.current_url


def test_version_selector_stays_on_the_page(browser, versions):
    left, right = versions
    browser.open(f"{left}three/", f"{left}sitemap.xml")
    browser.click(".md-version__link[href$='/right/']")
    browser.heading("right three")

    assert f"{right}three/" == browser.driver.current_url


def test_version_selector_leaves_a_page_that_the_other_sitemap_does_not_list(
    browser, served, versions
):
    """So `versions --write` takes nothing out of the sitemaps
    that Material's pages read."""
    left, right = versions
    file = served[0] / "versions/right/sitemap.xml"
    text = file.read_text()
    file.write_text(
        "".join(
            line for line in text.splitlines(keepends=True) if "/three/" not in line
        )
    )
    browser.open(f"{left}three/", f"{left}sitemap.xml")
    browser.click(".md-version__link[href$='/right/']")
    browser.wait_for("location.pathname.includes('/right/')")
    file.write_text(text)

    assert right == browser.driver.current_url
