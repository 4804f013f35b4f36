"""The characters of PDFs, spelt as people write them."""

from __future__ import annotations

import re
import unicodedata

from pagesight.lazy import table

SPACES = frozenset(" \t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
                   "\u2009\u200a\u202f\u205f\u3000")  # fmt: skip
BREAKS = frozenset("\r\n\f\v\u0085\u2028\u2029")

_REPLACED = str.maketrans(
    {
        "\x02": "-",  # pdfium's marks for a hyphen at the end of a line
        "\ufffe": "-",
        "\u00ad": "-",  # a soft hyphen that was drawn
        **{chr(code): unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)},
        "\uf0b7": "\u2022",  # the bullet of symbol fonts
        "\uf0a7": "\u25aa",
    }
)  # fmt: skip
_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200d\u2060\ufeff\uffff\ud800-\udfff]")

_COMBINING = {
    **table(__package__, "accents.tsv"),
    **{chr(code): chr(code) for code in range(0x300, 0x334)},
}
ACCENTS = frozenset(_COMBINING)
_DOTLESS = {"\u0131": "i", "\u0237": "j"}


def spell(raw: str) -> str:
    """Text without ligatures, control characters and separate accents."""
    if raw.isascii() and raw.isprintable():
        return raw
    return unicodedata.normalize("NFC", _INVISIBLE.sub("", raw.translate(_REPLACED)))


def accented(letter: str, accent: str) -> str | None:
    """The letter with an accent that was drawn over it, or None if there is no such letter."""
    letter = _DOTLESS.get(letter, letter)
    if not letter.isalpha():
        return None
    composed = unicodedata.normalize("NFC", letter + _COMBINING[accent])
    return composed if len(composed) == 1 else None
