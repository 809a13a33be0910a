"""Decode built pages as browsers do: HTML standard, "Determining the character encoding"."""

from __future__ import annotations

import codecs
import re

__all__ = ["declaration", "decode"]

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# "Prescan a byte stream": a charset, or one in the value of content, in the first 1,024 bytes.
_DECLARATION = re.compile(
    rb"""<meta[\t\n\f\r /][^<>]*?charset[\t\n\f\r ]*=[\t\n\f\r "']*([\w:.-]+)""", re.IGNORECASE
)
# The labels of https://encoding.spec.whatwg.org/ that Python knows by the same name, and the
# encodings that a label stands for there. Others of Python's codecs unpack archives.
_SAME_NAME = re.compile(
    r"utf-?8|windows-125[0-8]|iso-?8859-(?:[2-8]|1[03-6])|koi8-[ru]|gb18030|big5"
    r"|euc-jp|euc-kr|shift_jis|iso-2022-jp|ibm866"
)
_STANDS_FOR = {
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "latin1": "cp1252",
    "iso-8859-1": "cp1252",
    "iso-8859-9": "cp1254",
    "iso-8859-11": "cp874",
    "tis-620": "cp874",
    "windows-874": "cp874",
    "gbk": "gb18030",
    "gb2312": "gb18030",
    "macintosh": "mac_roman",
    "x-sjis": "cp932",
}


def decode(html: bytes) -> str:
    """Decode the beginning of a page, which may end in half a character.

    Its byte order mark says how, or else what it declares; without either it is UTF-8 if it can be,
    and Windows-1252. What is no character becomes U+FFFD.
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if html.startswith(mark):
            return html.removeprefix(mark).decode(encoding, "replace")
    if declared := _declared(html):
        return html.decode(declared, "replace")
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(html)
    except UnicodeDecodeError:
        return html.decode("cp1252", "replace")


def declaration(html: bytes) -> bytes:
    """Return a tag that declares the encoding of the beginning of a page; empty if it has none."""
    if html.startswith(codecs.BOM_UTF8):
        return b'<meta charset="utf-8">'
    found = _DECLARATION.search(html, 0, 1024)
    return b'<meta charset="%b">' % found[1] if found else b""


def _declared(html: bytes) -> str | None:
    """Return Python's name of the encoding that a page declares, if browsers know it."""
    if not (found := _DECLARATION.search(html, 0, 1024)):
        return None
    label = found[1].decode("ascii").lower()
    return label if _SAME_NAME.fullmatch(label) else _STANDS_FOR.get(label)
