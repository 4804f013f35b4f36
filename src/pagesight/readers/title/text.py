"""Strings as titles: folded for comparison, in plain letters, and how alike two are."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from operator import add
from typing import Any

from pagesight.segment.text import bigrams, dice_of_pairs, squeeze, without_accents

_QUOTES = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛`´′", "'"),
        **dict.fromkeys("“”„‟«»″", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "…": "...",
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", None),
    }
)

WORDS: dict[str, Any] = tomllib.loads(
    (files("pagesight") / "data" / "title-words.toml").read_text(encoding="utf-8")
)
_LATIN = WORDS["letters"]["to"].replace("_", "").replace("\n", " ").strip().split(" ")
_TABLE = str.maketrans(dict(zip(WORDS["letters"]["from"], _LATIN, strict=True)))
_ORNAMENTS = frozenset(":|*~=»«›‹·•+-–—")
_NO_WORD = re.compile(r"[\W_]+")
MOST_KEPT = 1 << 8  # texts, of a few pages: what is kept for longer is only in the way
_WORDS_ONLY = bytes(code if chr(code).isalnum() else ord(" ") for code in range(128)) + bytes(128)


@lru_cache(MOST_KEPT)
def fold(text: str) -> str:
    """What two spellings of one title share: no case, plain quotes and dashes, single spaces."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_QUOTES)
    return squeeze(text.casefold())


def unadorned(text: str) -> str:
    """The same text without signs that adorn both of its ends, as in ":: Tea ::"."""
    words = text.split(" ")
    is_adorned = len(words) > 2 and _ORNAMENTS.issuperset(words[0] + words[-1])
    return " ".join(words[1:-1]) if is_adorned else text


@lru_cache(MOST_KEPT)
def plain(text: str) -> str:
    """The words of a text in lower case and, where the script allows it, in English letters."""
    text = text.lower()
    if not text.isascii():
        text = without_accents(text, _TABLE)
    if text.isascii():
        return b" ".join(text.encode().translate(_WORDS_ONLY).split()).decode()
    return _NO_WORD.sub(" ", text).strip()


@lru_cache(MOST_KEPT)
def letters(text: str) -> str:
    """The same without what is between the words."""
    return plain(text).replace(" ", "")


def dice(one: str, other: str) -> float:
    """The Dice coefficient of the adjacent character pairs of two strings, in [0, 1]."""
    return dice_of_pairs(bigrams(one), bigrams(other))


@lru_cache(MOST_KEPT // 2)  # they are large
def pair_set(text: str) -> frozenset[str]:
    """The pairs of adjacent characters."""
    return frozenset(map(add, text, text[1:]))


def alike(one: str, other: str) -> float:
    """As `dice`, but of the sets of pairs: quicker, and enough for evidence."""
    if one == other:
        return 1.0
    pairs, others = pair_set(one), pair_set(other)
    return 2 * len(pairs & others) / (len(pairs) + len(others) or 1)


def likenesses(text: str, others: Mapping[str, frozenset[str]]) -> dict[str, float]:
    """How `alike` a text is to each of others, which are given with their pairs."""
    pairs = pair_set(text)
    size = len(pairs)
    return {
        other: 2 * len(pairs & theirs) / (size + len(theirs) or 1) if other != text else 1.0
        for other, theirs in others.items()
    }


def similarity(one: str, other: str) -> float:
    """How alike two titles are: `dice` of their folded forms."""
    return dice(fold(one), fold(other))
