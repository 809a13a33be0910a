"""Languages as BCP 47 tags (RFC 5646), which is how hreflang names them.

Hosts name languages as POSIX names locales (`pt_BR`, `sr@latin`). A tag is refused if it contains a
code that ISO does not define, because search engines ignore it. This module does no I/O.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sitemap_plugins.core.messages import PageError, quoted

_CODES = """
    aaraa abkab afraf akaak albsq amham araar argan armhy asmas avaav aveae aymay azeaz bakba
    bambm baqeu belbe benbn bisbi bodbo bosbs brebr bulbg burmy catca cescs chach chece chizh
    chucu chvcv corkw cosco crecr cymcy czecs danda deude divdv dutnl dzodz ellel engen epoeo
    estet euseu eweee faofo fasfa fijfj finfi frafr frefr fryfy fulff geoka gerde glagd glega
    glggl glvgv greel grngn gujgu hatht hauha hbssh hebhe herhz hinhi hmoho hrvhr hunhu hyehy
    iboig iceis idoio iiiii ikuiu ileie inaia indid ipkik islis itait javjv jpnja kalkl kankn
    kasks katka kaukr kazkk khmkm kikki kinrw kirky komkv konkg korko kuakj kurku laolo latla
    lavlv limli linln litlt ltzlb lublu luglg macmk mahmh malml maomi marmr mayms mkdmk mlgmg
    mltmt monmn mrimi msams myamy nauna navnv nblnr ndend ndong nepne nldnl nnonn nobnb norno
    nyany ocioc ojioj orior ormom ossos panpa perfa plipi polpl porpt pusps quequ rohrm ronro
    rumro runrn rusru sagsg sansa sinsi slksk slosk slvsl smese smosm snasn sndsd somso sotst
    spaes sqisq srdsc srpsr sswss sunsu swasw swesv tahty tamta tattt telte tgktg tgltl thath
    tibbo tirti tonto tsntn tsots tuktk turtr twitw uigug ukruk urdur uzbuz venve vievi volvo
    welcy wlnwa wolwo xhoxh yidyi yoryo zhaza zhozh zulzu
"""
LANGUAGES = {code[:3]: code[3:] for code in _CODES.split()}
"""The code of three letters of a language (ISO 639-2 and 639-3) → that of two (ISO 639-1)."""

_SCRIPTS = """
    Adlm Afak Aghb Ahom Arab Aran Armi Armn Avst Bali Bamu Bass Batk Beng Berf Bhks Blis Bopo
    Brah Brai Bugi Buhd Cakm Cans Cari Cham Cher Chis Chrs Cirt Copt Cpmn Cprt Cyrl Cyrs Deva
    Diak Dogr Dsrt Dupl Egyd Egyh Egyp Elba Elym Ethi Gara Geok Geor Glag Gong Gonm Goth Gran
    Grek Gujr Gukh Guru Hanb Hang Hani Hano Hans Hant Hatr Hebr Hira Hluw Hmng Hmnp Hntl Hrkt
    Hung Inds Ital Jamo Java Jpan Jurc Kali Kana Kawi Khar Khmr Khoj Kitl Kits Knda Kore Kpel
    Krai Kthi Lana Laoo Latf Latg Latn Leke Lepc Limb Lina Linb Lisu Loma Lyci Lydi Mahj Maka
    Mand Mani Marc Maya Medf Mend Merc Mero Mlym Modi Mong Moon Mroo Mtei Mult Mymr Nagm Nand
    Narb Nbat Newa Nkdb Nkgb Nkoo Nshu Ogam Olck Onao Orkh Orya Osge Osma Ougr Palm Pauc Pcun
    Pelm Perm Phag Phli Phlp Phlv Phnx Piqd Plrd Prti Psin Ranj Rjng Rohg Roro Runr Samr Sara
    Sarb Saur Seal Sgnw Shaw Shrd Shui Sidd Sidt Sind Sinh Sogd Sogo Sora Soyo Sund Sunu Sylo
    Syrc Syre Syrj Syrn Tagb Takr Tale Talu Taml Tang Tavt Tayo Telu Teng Tfng Tglg Thaa Thai
    Tibt Tirh Tnsa Todr Tols Toto Tutg Ugar Vaii Visp Vith Wara Wcho Wole Xpeo Xsux Yezi Yiii
    Zanb Zinh Zmth Zsye Zsym Zyyy
"""
SCRIPTS = frozenset(_SCRIPTS.split())
"""ISO 15924."""

_COUNTRIES = """
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ
    BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM
    DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS
    GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN
    KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ
    MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM
    PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV
    SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI
    VN VU WF WS YE YT ZA ZM ZW
"""
COUNTRIES = frozenset(_COUNTRIES.split())
"""ISO 3166-1 alpha-2."""


X_DEFAULT = "x-default"
"""The language of the version for readers whose language no other version has (Google)."""

# RFC 5646, section 2.1, without what search engines do not support (extended languages, extensions,
# private use): language, script, region, variants. POSIX adds a codeset and a modifier.
_LANGUAGE = re.compile(
    r"(?P<language>[a-z]{2,3})(?:-(?P<script>[a-z]{4}))?"
    r"(?:-(?P<region>[a-z]{2}|\d{3}))?(?P<variants>(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*)"
    r"(?:\.[a-z\d-]+)?(?:@(?P<modifier>[a-z\d]+))?",
    re.ASCII,
)
_SCRIPT_OF_MODIFIER = {
    "latin": "latn",
    "cyrillic": "cyrl",
    "devanagari": "deva",
    "arabic": "arab",
}
_NO_MODIFIER = frozenset({"", "euro"})
_VARIANT = re.compile(r"[a-z\d]{5,8}|\d[a-z\d]{3}", re.ASCII)

# Google, localized versions: "The language code must be in ISO 639-1". Other codes of three letters
# are not looked up: hardly any page is in such a language.
_TWO_LETTERS = frozenset(LANGUAGES.values())
_KNOWN_COUNTRIES = COUNTRIES | {"XK"}  # Kosovo, which ISO 3166 leaves to its users.

# What people write in place of a language: a country, or a code that ISO 639 replaced.
_WRITTEN = """
    atde bybe cnzh czcs dkda gben grel hkzh ilhe inid iwhe jiyi jpja krko mxes rssr uauk usen vnvi
"""
_MEANT = LANGUAGES | {pair[:2]: pair[2:] for pair in _WRITTEN.split()}
_WITH_COUNTRY = {"at", "gb", "hk", "mx", "us"}
"""Those of them that share their language with other countries."""

# What people write in place of a country: mostly its language.
_WRITTEN_COUNTRIES = "CSCZ DADK ELGR HEIL JAJP KOKR UKGB ZHCN"
_MEANT_COUNTRIES = {pair[:2]: pair[2:] for pair in _WRITTEN_COUNTRIES.split()}


@lru_cache(maxsize=1024)
def to_bcp47(language: str) -> str:
    """Return a language as a BCP 47 tag (RFC 5646), its parts in their usual case.

    POSIX locale names are accepted: a codeset is dropped, a modifier becomes a script or a variant.

    Raises:
        PageError: It is not a language, has parts that search engines do not read, or a code that
            does not exist; the cure names the tag that is probably meant.

    >>> [to_bcp47(name) for name in ("zh_hans_CN", "sr_RS@latin", "ca@valencia", "en_US.UTF-8")]
    ['zh-Hans-CN', 'sr-Latn-RS', 'ca-valencia', 'en-US']
    """
    subtags = _subtags(language)
    code, script, region, *_ = subtags
    tag = "-".join(filter(None, subtags))
    if tag == X_DEFAULT:
        return tag
    if code in LANGUAGES or (len(code) == 2 and code not in _TWO_LETTERS):
        wrong, standard = code, "language of ISO 639-1"
    elif region and not region.isdigit() and region not in _KNOWN_COUNTRIES:
        wrong, standard = region, "country"
    elif script and script not in SCRIPTS:
        wrong, standard = script, "script of ISO 15924"
    else:
        return tag
    meant = _meant(code, script if script in SCRIPTS else "", region)
    msg = f"{quoted(wrong)} in {quoted(language)} is not a {standard}"
    raise PageError(msg, cure=f"write {meant!r}" if meant else "write it as 'en' or 'pt-BR'")


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
    modifier = (found["modifier"] or "") if found else ""
    script = (found["script"] if found else None) or _SCRIPT_OF_MODIFIER.get(modifier, "")
    is_variant = modifier not in _SCRIPT_OF_MODIFIER and modifier not in _NO_MODIFIER
    if not found or (is_variant and not _VARIANT.fullmatch(modifier)):
        msg = f"{quoted(language)} is not a language tag"
        raise PageError(msg, cure="write it as 'en', 'pt-BR' or 'zh-Hans'")
    variants = [*found["variants"].split("-"), modifier if is_variant else ""]
    return [found["language"], script.title(), (found["region"] or "").upper(), *variants]


def _meant(code: str, script: str, region: str) -> str:
    """Return the tag that somebody probably meant by codes that do not exist; empty if unknown.

    >>> _meant("en", "", "UK"), _meant("jp", "", ""), _meant("us", "", "EN"), _meant("uk", "", "UK")
    ('en-GB', 'ja', 'en-US', 'uk-UA')
    """
    country = _MEANT_COUNTRIES.get(code.upper(), code.upper())
    is_swapped = region not in _KNOWN_COUNTRIES and region != code.upper()
    if is_swapped and region.lower() in _TWO_LETTERS and country in _KNOWN_COUNTRIES:
        return f"{region.lower()}-{country}"
    language = code if code in _TWO_LETTERS else _MEANT.get(code, "")
    if code in _WITH_COUNTRY and not region:
        region = code.upper()
    if region == "UK" and language == "uk":
        region = "UA"
    region = region if region in _KNOWN_COUNTRIES else _MEANT_COUNTRIES.get(region, "")
    return "-".join(filter(None, (language, script, region))) if language else ""
