"""A headless Chromium for tests, which are skipped without one."""

from __future__ import annotations

import shutil

import pytest

webdriver = pytest.importorskip(
    "selenium.webdriver", reason="selenium drives the browser"
)
waiting = pytest.importorskip("selenium.webdriver.support.wait")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
if CHROMIUM is None or DRIVER is None:
    pytest.skip(
        "needs Chromium: apt-get install chromium chromium-driver",
        allow_module_level=True,
    )

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-proxy-server",
    "--window-size=1600,1000",
)


class Browser:
    """A browser with one window."""

    def __init__(self, profile):
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        service = webdriver.ChromeService(DRIVER)
        self.driver = webdriver.Chrome(options=options, service=service)
        # A test may change a file that another has just loaded.
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait_for(self, script, *arguments):
        patience = waiting.WebDriverWait(self.driver, 10, 0.05)
        patience.until(lambda _: self.run(f"return {script}", *arguments))

    def open(self, url, *sitemaps):
        """Load a page, and wait for the sitemaps that its script fetches."""
        self.driver.get(url)
        for sitemap in sitemaps:
            self.wait_for(
                "performance.getEntriesByName(arguments[0]).some(e => e.responseEnd)",
                sitemap,
            )
        # The script has them a moment later than the browser.
        self.run("window.ready = 0; setTimeout(() => { window.ready = 1 }, 300)")
        self.wait_for("window.ready")

    def click(self, selector):
        self.wait_for("document.querySelector(arguments[0])", selector)
        self.run("document.querySelector(arguments[0]).click()", selector)

    def heading(self, text):
        self.wait_for(
            "document.querySelector('h1')?.firstChild?.textContent === arguments[0]",
            text,
        )
