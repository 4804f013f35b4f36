"""The encoding of pages that do not declare any."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from pagesight.sources.labels import codec_of

if TYPE_CHECKING:
    from charset_normalizer import CharsetMatch

FALLBACK = "cp1252"

_WINDOW = 64 * 1024
_NOT_ASCII = re.compile(rb"[\x80-\xff]")
_TAG = re.compile(rb"<[^<>]*>")
_SAMPLE_SIZE = 16 * 1024
# Latin letters of one code page are such signs in another.
_SIGN_IN_WORD = re.compile("[¢£¤¥¦§¨¬¯±²³´¶¸¹¼½¾][a-zà-ÿ]")
_CANDIDATES = [
    *[f"cp{page}" for page in (1252, 1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258, 866, 874)],
    *["cp932", "cp949", "gb18030", "big5hkscs", "euc_jp", "koi8_r"],
    *["iso8859_2", "iso8859_5", "iso8859_7"],
]
"""What pages that declare nothing are in; rarer encodings only take hits from these."""


def guess(data: bytes) -> str:
    """UTF-8 if it is valid UTF-8, else what the text reads best in."""
    first = _NOT_ASCII.search(data)
    if first is None:
        return "iso2022_jp" if b"\x1b$B" in data or b"\x1b$@" in data else "utf-8"
    if is_utf8(data):
        return "utf-8"
    return _guess_legacy(_text_of(data[max(0, first.start() - 1024) :][:_WINDOW])) or FALLBACK


def is_utf8(data: bytes) -> bool:
    """Whether `data` is UTF-8, be it cut off within a character or damaged here and there."""
    text, _ = codecs.utf_8_decode(data, "replace", False)
    damage = text.count("\ufffd")
    if not damage:
        return True
    good = sum(map(len, re.findall(r"[^\0-\x7f\ufffd]+", text)))
    return damage * 20 < good


def _text_of(markup: bytes) -> bytes:
    return _TAG.sub(b" ", markup)[:_SAMPLE_SIZE]


def _guess_legacy(sample: bytes) -> str | None:
    from charset_normalizer import from_bytes

    found = from_bytes(sample, cp_isolation=_CANDIDATES)
    matches = [match for match in found if not _SIGN_IN_WORD.search(str(match))]
    if not matches or any(_is_western(match, matches[0]) for match in matches):
        return None
    return codec_of(matches[0].encoding)


def _is_western(match: CharsetMatch, best: CharsetMatch) -> bool:
    # Short Western texts read as well in other Latin code pages, which are far rarer.
    return (
        FALLBACK in match.could_be_from_charset
        and match.chaos <= best.chaos
        and match.coherence >= best.coherence - 0.03
    )
