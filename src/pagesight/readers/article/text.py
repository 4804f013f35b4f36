"""Texts of meta tags made plain, and the scripts that texts are written in."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from pagesight.segment.text import squeeze

_TAG = re.compile(r"<(?:/?[a-zA-Z][^<>]*|!--.*?--)>", re.DOTALL)
_OTHER = re.compile("[\u0400-\u04ff\u3400-\u9fff\uac00-\ud7a3]")
_LATIN = re.compile("[A-Za-z]")
_DAMAGE = re.compile("[ÃÂâÅÄÎÏÐÑ][\x80-\xbf\u20ac\u2122\u201a-\u2026\u0152\u0153\u0160\u0161\u017d"
                     "\u017e\u0178\u2018-\u201d\u02c6\u02dc]")  # fmt: skip


def repaired(text: str) -> str:
    """Text that was decoded with the wrong charset (``Ã¶`` for ``ö``), decoded with the right one.

    Each run of damaged characters is repaired by itself: a text may be half damaged.
    """
    if not _DAMAGE.search(text):
        return text
    return re.sub(r"[^\x00-\x7f]+", lambda run: _redecoded(run[0]), text)


def _redecoded(run: str) -> str:
    data = bytearray()
    for char in run:
        try:  # cp1252 with its five holes filled, as browsers have it
            data += char.encode("cp1252") if ord(char) > 0xFF else char.encode("latin-1")
        except UnicodeEncodeError:
            return run
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return run


def plain(text: str) -> str:
    """What a meta tag means to say: entities and tags resolved, charset repaired, spaces folded."""
    for _ in range(2):  # "&amp;lt;i&amp;gt;" happens
        text = html.unescape(text)
    return squeeze(repaired(_TAG.sub(" ", text)))


def is_other_script(text: str) -> bool:
    """Whether most letters are Chinese, Korean or Cyrillic ones."""
    return not text.isascii() and len(_OTHER.findall(text)) > len(_LATIN.findall(text))


def in_own_letters(texts: Sequence[str], zones: list[int]) -> list[int]:
    """Zones without those that say the same in English, where the first is in other letters."""
    other = [zone for zone in zones if is_other_script(texts[zone])]
    return other if zones[:1] == other[:1] else zones
