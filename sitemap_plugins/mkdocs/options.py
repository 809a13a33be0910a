"""The options as MkDocs declares them: it checks them before the build and stops it."""

from __future__ import annotations

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
        for name in self:
            if name not in declared:
                error = base.ValidationError(str(unknown_option(name)))
                # In YAML, not all names are strings.
                failed.append((named(name), error))
        return failed, warnings


def _declared() -> dict[str, _Checked]:
    declared = {option.name: _Checked(option) for option in PLUGIN_OPTIONS}
    # MkDocs' own sitemap has a compressed twin, which Material's tools look for.
    declared["gzip"].default = True
    return declared


if TYPE_CHECKING:
    SitemapConfig = base.Config
else:
    SitemapConfig = type("SitemapConfig", (_StrictConfig,), _declared())
