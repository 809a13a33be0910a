"""Language tags: the forms of hosts and locales, converted to BCP 47."""

from __future__ import annotations

import pytest

from sitemap_plugins.core.languages import is_language, to_bcp47
from sitemap_plugins.core.messages import PageError


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
        "",
        "e",
        "english",
        "en--US",
        "en-",
        "C",
        "POSIX",
        "12",
        "en US",
        "en/US",
        "dé",
        "x-klingon",
        "en-USA",
        "zh-yue",
        "sr@la",
        "en-u-co-phonebk",
        "en\n<",
    ],
)
def test_invalid_language_is_refused(language: str) -> None:
    with pytest.raises(PageError, match="is not a language tag: write it as 'en'"):
        to_bcp47(language)


@pytest.mark.parametrize(
    ("language", "meant"),
    [
        ("en-UK", "en-GB"),
        ("ja-JA", "ja-JP"),
        ("jp", "ja"),
        ("jp-JP", "ja-JP"),
        ("cn", "zh"),
        ("cz-CZ", "cs-CZ"),
        ("in-ID", "id-ID"),
        ("us-US", "en-US"),
        ("gb", "en"),
        ("ger", "de"),
        ("deu-AT", "de-AT"),
        ("zh-Simp", "zh"),
        ("zh-Simp-TW", "zh-TW"),
        ("iw", "he"),
    ],
)
def test_code_that_does_not_exist_is_refused_with_the_one_that_is_meant(
    language: str, meant: str
) -> None:
    with pytest.raises(PageError, match=f": write '{meant}'$"):
        to_bcp47(language)
    assert meant == to_bcp47(meant)


@pytest.mark.parametrize(
    "language", ["xx", "zz-DE", "eu-xx", "en-EU", "en_EN", "us-EN"]
)
def test_code_without_a_likely_meaning_is_refused(language: str) -> None:
    with pytest.raises(
        PageError, match=r" is not a (language of ISO 639-1|country): write"
    ):
        to_bcp47(language)


@pytest.mark.parametrize(
    "language", ["uk", "tw", "sq-XK", "fil", "sr-Cyrl-ME", "zh-cn", "es-419"]
)
def test_code_that_looks_wrong_exists(language: str) -> None:
    assert language.lower() == to_bcp47(language).lower()


def test_folder_can_be_that_of_a_language_whose_code_does_not_exist() -> None:
    assert is_language("jp")
    assert not is_language("assets")
