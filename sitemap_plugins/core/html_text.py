"""Decode built pages as browsers do: HTML standard, "Determining the character encoding"."""

from __future__ import annotations

import codecs
import re

__all__ = ["decode"]

# "Prescan a byte stream": a charset, or one in the value of content, in the first 1,024 bytes.
_DECLARATION = re.compile(
    rb"""<meta[\t\n\f\r /][^<>]*?charset[\t\n\f\r ]*=[\t\n\f\r "']*([\w:.-]+)""", re.IGNORECASE
)
# Of https://encoding.spec.whatwg.org/: the labels that Python knows by the same name, and those
# that stand for another encoding there. Others of Python's codecs are none of the web's.
_SAME_NAME = re.compile(
    r"utf-?8|windows-125[0-8]|iso-?8859-(?:[2-8]|1[03-6])|koi8-[ru]|big5|euc-jp|iso-2022-jp"
)
_STANDS_FOR = {
    **dict.fromkeys(("ascii", "us-ascii", "latin1", "iso-8859-1"), "cp1252"),
    **dict.fromkeys(("gb18030", "gb2312", "gbk"), "gb18030"),
    **dict.fromkeys(("shift_jis", "shift-jis", "x-sjis"), "cp932"),
    "euc-kr": "cp949",
    "iso-8859-9": "cp1254",
}


def decode(html: bytes) -> str:
    """Decode a page, or the beginning of one, which may end in half a character.

    Its byte order mark says how, or else what it declares; without either it is UTF-8 if it can be,
    and Windows-1252. What is no character becomes U+FFFD.
    """
    if html.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return html.decode("utf-16", "replace")
    if html.startswith(codecs.BOM_UTF8):
        return html.decode("utf-8-sig", "replace")
    found = _DECLARATION.search(html, 0, 1024)
    label = found[1].decode("ascii").lower() if found else ""
    if encoding := label if _SAME_NAME.fullmatch(label) else _STANDS_FOR.get(label):
        return html.decode(encoding, "replace")
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(html)
    except UnicodeDecodeError:
        return html.decode("cp1252", "replace")
