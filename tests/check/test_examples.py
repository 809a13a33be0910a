"""The manual's example of each finding, put into a sound site, gives that finding."""

from __future__ import annotations

import re
import tomllib

import pytest

from sitemap_plugins.core import codes as table_of_codes
from sitemap_plugins.core.limits import SITEMAP_NAMESPACE, VIDEO_NAMESPACE
from tests.check.checked_site import (
    URLS,
    result_of,
    result_of_file,
    urlset,
    write_site,
)
from tests.folder.html_folder import html, write

CODES = table_of_codes.table()
FINDINGS = table_of_codes.findings()

ELSEWHERE = {
    "no-answer",
    "max-time",
    "http-status",
    "redirect-loop",
    "soft-404",
    "content-type",
    "old-version",
}
"""Found by the check of a server or of a branch, or by the command `versions`."""
DESCRIBED = {
    "byte-order-mark",
    "too-large",
    "gzip-differs",
    "uniform-dates",
    "robots-not-at-root",
    "robots-too-long",
    "robots-unchecked",
    "blank",
    "bad-robots",
    "html-unreadable",
    "wrong-base-url",
    "date-on-page",
    "no-dates",
}
"""Their examples say what a file holds, as it is too long, is not text,
or is one of several."""
WANTED = {
    "host-redirects": {"hosting": "cloudflare"},
    "required": {"required": ("pricing/",)},
}


def files_of(example):
    """Return the files in an example: each follows a line with its name;
    others are sitemaps."""
    # The site's pages and sources have shorter names.
    text = example.replace("about", "a").replace("guide", "b")
    text = re.sub(
        r"… \(([\d,]+) characters\)", lambda n: "x" * int(n[1].replace(",", "")), text
    )
    first, *others = re.split(r"^# (\S+\.\w+)\n", f"{text}\n", flags=re.MULTILINE)
    files = dict(zip(others[::2], others[1::2], strict=True))
    return {"sitemap.xml": first, **files} if first else files


def put(folder, name, text):
    """Write one file of an example into the site, whole."""
    if name.startswith("docs/"):
        write(folder, {name: text})
    elif name.endswith(".html"):
        write(folder, {f"out/{name.removeprefix('site/')}": html(text)})
    elif text.startswith("<url>"):
        text = text.replace(
            "<video:video>", f'<video:video xmlns:video="{VIDEO_NAMESPACE}">'
        )
        write(folder, {f"out/{name}": urlset(*URLS, text)})
    elif text.startswith("<sitemap>"):
        root = f'<sitemapindex xmlns="{SITEMAP_NAMESPACE}">'
        write(folder, {f"out/{name}": f"{root}{text}</sitemapindex>"})
    else:
        write(folder, {f"out/{name}": text})


@pytest.mark.parametrize("code", sorted(FINDINGS.keys() - ELSEWHERE - DESCRIBED))
def test_example_gives_its_finding(tmp_path, code):
    write_site(tmp_path)
    files = files_of(CODES[code].example) if code != "required" else {}
    options = tomllib.loads(files.pop("sitemap.toml", ""))
    for name, text in files.items():
        put(tmp_path, name, text)

    of_folder = result_of(tmp_path, options=options, **WANTED.get(code, {}))
    of_file = result_of_file(tmp_path / "out/sitemap.xml")

    assert code in of_folder.counts | of_file.counts


def test_sets_of_untested_examples_hold_codes_of_findings():
    assert (ELSEWHERE | DESCRIBED | WANTED.keys()) <= FINDINGS.keys()
