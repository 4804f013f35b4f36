"""Strings as titles: folded for comparison, in plain letters, and how alike two are."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from operator import add

from pagesight.segment.text import bigrams, dice_of_pairs, dice_of_sets, squeeze, without_accents

_QUOTES = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛`´′", "'"),
        **dict.fromkeys("“”„‟«»″", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "…": "...",
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", None),
    }
)

# Table 2 of the Title Tag Analyzer, as far as taking off the accents does not do it.
_LETTERS = {
    "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "ł": "l", "ŋ": "ng",
    "ŧ": "t", "ħ": "h", "ı": "i", "ĸ": "k", "ŉ": "n", "ə": "e",
}  # fmt: skip
# Beyond it: scripts whose addresses are written in Latin letters as a rule.
_OTHERS = "абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґўјљњћђџαβγδεζηθικλμνξοπρσςτυφχψω"
_AS_LATIN = (
    "a b v g d e zh z i i k l m n o p r s t u f kh ts ch sh shch _ y _ e yu ya e i i e g u "
    "j lj nj c d dz a v g d e z i th i k l m n x o p r s s t y f ch ps o"
)
_TABLE = str.maketrans(
    {**_LETTERS, **dict(zip(_OTHERS, _AS_LATIN.replace("_", "").split(" "), strict=True))}
)
_NO_WORD = re.compile(r"[\W_]+")


def fold(text: str) -> str:
    """What two spellings of one title share: no case, plain quotes and dashes, single spaces."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return squeeze(text.translate(_QUOTES).casefold())


@lru_cache(1 << 12)
def plain(text: str) -> str:
    """The words of a text in lower case and, where the script allows it, in English letters."""
    text = text.lower()
    if not text.isascii():
        text = without_accents(text, _TABLE)
    return _NO_WORD.sub(" ", text).strip()


def dice(one: str, other: str) -> float:
    """The Dice coefficient of the adjacent character pairs of two strings, in [0, 1]."""
    return dice_of_pairs(bigrams(one), bigrams(other))


@lru_cache(1 << 12)
def _pair_set(text: str) -> frozenset[str]:
    return frozenset(map(add, text, text[1:]))


def alike(one: str, other: str) -> float:
    """As `dice`, but of the sets of pairs: quicker, and enough for evidence."""
    return 1.0 if one == other else dice_of_sets(_pair_set(one), _pair_set(other))


def similarity(one: str, other: str) -> float:
    """How alike two titles are: `dice` of their folded forms."""
    return dice(fold(one), fold(other))
