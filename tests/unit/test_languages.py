"""Language tags: the forms of hosts and locales, converted to BCP 47."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.errors import PageError
from sitemap_plugins.core.languages import to_bcp47


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "en"),
        ("EN", "en"),
        ("pt_BR", "pt-BR"),
        ("pt-br", "pt-BR"),
        ("zh_Hans_CN", "zh-Hans-CN"),
        ("zh-hant", "zh-Hant"),
        ("es-419", "es-419"),
        ("gsw_CH", "gsw-CH"),
        ("sl-rozaj-biske-1994", "sl-rozaj-biske-1994"),
        ("de-CH-1901", "de-CH-1901"),
        ("sr@latin", "sr-Latn"),
        ("sr_RS@latin", "sr-Latn-RS"),
        ("uz@cyrillic", "uz-Cyrl"),
        ("ks_IN@devanagari", "ks-Deva-IN"),
        ("az@arabic", "az-Arab"),
        ("ca@valencia", "ca-valencia"),
        ("ca_ES.UTF-8@valencia", "ca-ES-valencia"),
        ("de_DE@euro", "de-DE"),
        ("en_US.UTF-8", "en-US"),
        ("x-default", "x-default"),
        ("X_Default", "x-default"),
        (" fr ", "fr"),
    ],
)
def test_forms_of_hosts_become_bcp47(language: str, expected: str) -> None:
    assert expected == to_bcp47(language)
    assert expected == to_bcp47(expected)


@pytest.mark.parametrize(
    "language",
    [
        *("", "e", "english", "en--US", "en-", "C", "POSIX", "12", "en US", "en/US", "dé"),
        *("x-klingon", "en-USA", "zh-yue", "sr@la", "en-u-co-phonebk", "en\n<"),
    ],
)
def test_invalid_language_is_refused(language: str) -> None:
    with pytest.raises(PageError, match="is not a language tag: write it as 'en'"):
        to_bcp47(language)
