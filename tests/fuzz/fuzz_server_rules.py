"""Any bytes as `_headers` and `_redirects` give rules or none, in linear time.

Run: python tests/fuzz/fuzz_server_rules.py [seconds]
"""

from __future__ import annotations

from sitemap_plugins.core.crawlers.hosting import ServerRules

BASE = "https://example.com/"
SEEDS = (
    b"/",
    b"/*",
    b"/a",
    b"/a/*",
    b"/:x",
    b"* ",
    b"https://example.com/",
    b"http://[",
    b"#",
    b"\n",
    b"  X-Robots-Tag: noindex\n",
    b"! X-Robots-Tag\n",
    b":splat",
    b" 301!\n",
    b" 302\n",
    b"%2f",
    b"%C3",
    b"\xff",
    b"\0",
    b"\xe2\x80\xa8",
    b"googlebot: none\n",
    b"max-snippet: 1",
)
PATHS = ("", "a", "a/", "a/b", "%C3%A9/", "a%2Fb?c")


def check(data: bytes) -> None:
    """Read the bytes as each file; each rule names an existing line."""
    text = data.decode("utf-8", "replace")
    for service in ("", "cloudflare"):
        rules = ServerRules(base_url=BASE, service=service)
        rules.add_headers(text)
        rules.add_redirects(text)
        for path in PATHS:
            found = rules.match(BASE + path)
            assert found is None or (
                bool(rules) and 1 <= found.line <= text.count("\n") + 1
            )


if __name__ == "__main__":
    from driver import run

    run(check, SEEDS, slowest=b"/\n" * 50_000)
