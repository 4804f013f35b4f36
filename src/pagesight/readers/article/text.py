"""Comparing texts that should be the same and are not written the same."""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from operator import add

UNPARTED = 0.2  # the share of characters from which words are counted by characters
_TAG = re.compile(r"<(?:/?[a-zA-Z][^<>]*|!--.*?--)>", re.DOTALL)
_OTHER = re.compile("[\u0400-\u04ff\u3400-\u9fff\uac00-\ud7a3]")
_LATIN = re.compile("[A-Za-z]")
_UNPARTED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")  # Chinese and Japanese
_WORD = re.compile(r"[^\W_]+")
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"), "-")
_SPECIAL = str.maketrans(
    {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i", "ß": "ss", "æ": "ae",
     "Æ": "AE", "œ": "oe", "Œ": "OE", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "’": "'",
     "‘": "'", "ʼ": "'"} | {chr(dash): "-" for dash in _DASHES}
)  # fmt: skip
_DAMAGE = re.compile("[ÃÂâÅÄÎÏÐÑ][\x80-\xbf\u20ac\u2122\u201a-\u2026\u0152\u0153\u0160\u0161\u017d"
                     "\u017e\u0178\u2018-\u201d\u02c6\u02dc]")  # fmt: skip


def repaired(text: str) -> str:
    """Text that was decoded with the wrong charset (``Ã¶`` for ``ö``), decoded with the right one.

    Each run of damaged characters is repaired by itself: a text may be half damaged.
    """
    if not _DAMAGE.search(text):
        return text
    return re.sub(r"[^\x00-\x7f]+", lambda found: _redecoded(found[0]), text)


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
    return " ".join(repaired(_TAG.sub(" ", text)).split())


def folded(text: str) -> str:
    """For comparison: no case, accents, ligatures, typographic dashes or quotes."""
    if text.isascii():
        return text.casefold()
    decomposed = unicodedata.normalize("NFKD", text.translate(_SPECIAL))
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return bare.translate(_SPECIAL).casefold()


def size_in_words(text: str) -> int:
    """How many words a text has; where none are parted, two characters count as one."""
    size = len(text.split())
    return size if text.isascii() else max(size, len(_UNPARTED.findall(text)) // 2)


def is_unparted(texts: Sequence[str]) -> bool:
    """Whether texts are written in Chinese or Japanese, and do not just have some such words."""
    unparted = sum(len(_UNPARTED.findall(text)) for text in texts if not text.isascii())
    return unparted > UNPARTED * sum(map(len, texts))


def is_other_script(text: str) -> bool:
    """Whether most letters are Chinese, Korean or Cyrillic ones."""
    return not text.isascii() and len(_OTHER.findall(text)) > len(_LATIN.findall(text))


def in_own_letters(texts: Sequence[str], found: list[int]) -> list[int]:
    """Zones without those that say the same in English, where the first is in other letters."""
    own = [zone for zone in found if is_other_script(texts[zone])]
    return own if found[:1] == own[:1] else found


def words(text: str) -> list[str]:
    """The folded words of a text."""
    return _WORD.findall(folded(text))


def pairs(text: str) -> Counter[str]:
    """How often each pair of neighbouring letters or digits occurs in the folded words."""
    letters = "".join(words(text))
    return Counter(map(add, letters, letters[1:])) or Counter([letters])


def dice(one: str, other: str) -> float:
    """Dice's coefficient of the character pairs of two texts: 1 for the same, 0 for nothing."""
    return dice_of_pairs(pairs(one), pairs(other))


def dice_of_pairs(one: Counter[str], other: Counter[str]) -> float:
    """The same, for pairs that were counted before."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0
