"""The options as MkDocs declares them: it checks them before the build and stops it itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mkdocs.config import base

from sitemap_plugins.core.messages import SitemapError, named
from sitemap_plugins.core.options import PLUGIN_OPTIONS, Option, unknown_option


class _Checked(base.BaseConfigOption[Any]):
    """One of our options, declared for MkDocs, which reports its errors."""

    def __init__(self, option: Option) -> None:
        super().__init__()
        self.default = option.default
        self._parse = option.parse

    # Before validation proper, which would stop at the first wrong option (MkDocs 1.6).
    def pre_validation(self, config: base.Config, key_name: str) -> None:
        try:
            config[key_name] = self._parse(config[key_name])
        except SitemapError as error:
            raise base.ValidationError(str(error)) from None


class _StrictConfig(base.Config):
    """Options of which an unknown one stops the build; MkDocs alone would only warn."""

    def validate(self) -> tuple[base.ConfigErrors, base.ConfigWarnings]:
        failed, warnings = super().validate()
        declared = {option.name for option in PLUGIN_OPTIONS}
        unknown = [
            name for name in self if name not in declared
        ]  # In YAML, not all are strings.
        failed += [
            (named(n), base.ValidationError(str(unknown_option(n)))) for n in unknown
        ]
        return failed, [(name, text) for name, text in warnings if name not in unknown]


if TYPE_CHECKING:
    SitemapConfig = base.Config
else:
    # MkDocs' own sitemap has a compressed twin, which Material's tools look for.
    options = (
        replace(o, default=True) if o.name == "gzip" else o for o in PLUGIN_OPTIONS
    )
    SitemapConfig = type(
        "SitemapConfig", (_StrictConfig,), {o.name: _Checked(o) for o in options}
    )
