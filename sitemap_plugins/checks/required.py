"""The patterns of `--required`: each must match a listed URL's path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemap_plugins.checks.findings import Finding
from sitemap_plugins.core.messages import quoted
from sitemap_plugins.core.patterns import Patterns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Required"]


class Required:
    """The patterns that no URL has matched so far."""

    def __init__(self, patterns: Iterable[str]) -> None:
        """Begin with all of them."""
        self._left = {pattern: Patterns.compile([pattern]) for pattern in patterns}

    def note(self, identity: str) -> None:
        """Take note of a listed URL, by what it compares by."""
        if not self._left:
            return
        path = identity.partition("://")[2].partition("/")[2]
        self._left = {text: p for text, p in self._left.items() if not p.match(path)}

    def findings(self, file: str) -> Iterator[Finding]:
        """Yield a finding for each pattern that none has matched."""
        for pattern in self._left:
            yield Finding("required", f"no listed URL matches {quoted(pattern)}", file=file)
