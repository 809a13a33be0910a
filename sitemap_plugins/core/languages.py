"""Languages as BCP 47 tags (RFC 5646), which is how hreflang names them.

Hosts name languages as POSIX names locales (`pt_BR`, `sr@latin`). A tag is refused if
it contains a code that ISO does not define, because search engines ignore it. The codes
are in languages.toml.
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib.resources import files

from sitemap_plugins.core.messages import PageError, quoted

_CODES = tomllib.loads(files(__package__).joinpath("languages.toml").read_text("utf-8"))

LANGUAGES = {code[:3]: code[3:] for code in _CODES["languages"].split()}
"""The code of three letters of a language (ISO 639-2 and 639-3) → that of two (ISO
639-1)."""

SCRIPTS = frozenset(_CODES["scripts"].split())
"""ISO 15924."""

COUNTRIES = frozenset(_CODES["countries"].split())
"""ISO 3166-1 alpha-2."""

X_DEFAULT = "x-default"
"""The language of the version for readers whose language no other version has
(Google)."""

# RFC 5646, section 2.1, without what search engines do not support (extended languages,
# extensions, private use): language, script, region, variants. POSIX adds a codeset and
# a modifier.
_LANGUAGE = re.compile(
    r"""
    (?P<language> [a-z]{2,3} )
    (?: - (?P<script> [a-z]{4} ) )?
    (?: - (?P<region> [a-z]{2} | \d{3} ) )?
    (?P<variants> (?: - (?: [a-z\d]{5,8} | \d[a-z\d]{3} ) )* )
    (?: \. [a-z\d-]+ )?                # The codeset.
    (?: @ (?P<modifier> [a-z\d]+ ) )?
    """,
    re.ASCII | re.VERBOSE,
)
_NO_MODIFIER = frozenset({None, "euro"})
_VARIANT = re.compile(r"[a-z\d]{5,8}|\d[a-z\d]{3}", re.ASCII)

# Google, localized versions: "The language code must be in ISO 639-1". Other codes of
# three letters are not looked up: hardly any page is in such a language.
_TWO_LETTERS = frozenset(LANGUAGES.values())
_KNOWN_COUNTRIES = COUNTRIES | {"XK"}  # Kosovo, which ISO 3166 leaves to its users.

_MEANT = LANGUAGES | {
    pair[:2]: pair[2:] for pair in _CODES["written_languages"].split()
}
_MEANT_COUNTRIES = {pair[:2]: pair[2:] for pair in _CODES["written_countries"].split()}


@lru_cache(maxsize=1024)
def to_bcp47(language: str) -> str:
    """Return a language as a BCP 47 tag (RFC 5646), its parts in their usual case.

    POSIX locale names are accepted: a codeset is dropped, a modifier becomes a script
    or a variant.

    Raises:
        PageError: It is not a language, has parts that search engines do not read, or a
            code that does not exist; the cure names the tag that is probably meant.

    >>> [to_bcp47(name) for name in ("zh_hans_CN", "sr_RS@latin", "en_US.UTF-8")]
    ['zh-Hans-CN', 'sr-Latn-RS', 'en-US']
    >>> to_bcp47("ca@valencia")
    'ca-valencia'
    """
    subtags = _subtags(language)
    code, script, region, *_ = subtags
    tag = "-".join(filter(None, subtags))
    if tag == X_DEFAULT:
        return tag
    wrong, standard = _unknown(code, script, region)
    if not wrong:
        return tag
    meant = _meant(code, script, region)
    cure = f"write {meant!r}" if meant else "write a code such as 'en' or 'pt-BR'"
    msg = f"{quoted(wrong)} in {quoted(language)} is not a {standard}"
    raise PageError(msg, cure=cure)


def _unknown(code: str, script: str, region: str) -> tuple[str, str]:
    """Return the code that is not in its standard, and what the standard lists.

    Both are empty if each code is known. A language that has a code of two letters is
    wrong with three, because Google reads only ISO 639-1.
    """
    if code in LANGUAGES or (len(code) == 2 and code not in _TWO_LETTERS):
        return code, "language of ISO 639-1"
    if region and not region.isdigit() and region not in _KNOWN_COUNTRIES:
        return region, "country"
    if script and script not in SCRIPTS:
        return script, "script of ISO 15924"
    return "", ""


def is_language(name: str) -> bool:
    """Tell whether a name, such as a folder's, has the form of a language tag."""
    try:
        return bool(_subtags(name))
    except PageError:
        return False


def _subtags(language: str) -> list[str]:
    """Return language, script, region and variants, each in its usual case or empty."""
    plain = language.strip().lower().replace("_", "-")
    if plain == X_DEFAULT:
        return [X_DEFAULT, "", ""]
    found = _LANGUAGE.fullmatch(plain)
    if found is None:
        raise _no_tag(language)
    script, region, modifier = found.group("script", "region", "modifier")
    variants = found["variants"].split("-")
    if modifier in _CODES["modifiers"]:
        script = script or _CODES["modifiers"][modifier]
    # Other modifiers that have the form of a variant become one, such as `valencia`.
    elif modifier not in _NO_MODIFIER:
        if not _VARIANT.fullmatch(modifier):
            raise _no_tag(language)
        variants.append(modifier)
    return [
        found["language"],
        (script or "").title(),
        (region or "").upper(),
        *variants,
    ]


def _no_tag(language: str) -> PageError:
    msg = f"{quoted(language)} is not a language tag"
    return PageError(msg, cure="write it as 'en', 'pt-BR' or 'zh-Hans'")


def _meant(code: str, script: str, region: str) -> str:
    """Return the tag that is probably meant by one with a code that does not exist.

    Common mistakes are a wrong code, and language and country in the wrong order. The
    result is empty if no tag is known to be meant.

    >>> _meant("en", "", "UK"), _meant("jp", "", "JP"), _meant("en", "", "EU")
    ('en-GB', 'ja-JP', 'en')
    >>> _meant("us", "", "EN")
    'en-US'
    """
    is_swapped = region.lower() in _TWO_LETTERS and region not in _KNOWN_COUNTRIES
    country = code.upper()
    if is_swapped and country in _KNOWN_COUNTRIES:
        return f"{region.lower()}-{country}"
    language = _MEANT.get(code, code)
    country = _MEANT_COUNTRIES.get(region, region)
    if language not in _TWO_LETTERS:
        return ""
    if country not in _KNOWN_COUNTRIES:
        country = ""
    known_script = script if script in SCRIPTS else ""
    return "-".join(filter(None, (language, known_script, country)))
