"""Strings: spaces squeezed, spellings folded, words counted, likeness measured, lines rejoined."""

from __future__ import annotations

import io
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import filterfalse
from operator import add
from typing import Any

UNSPACED_SHARE = 0.2  # of the characters, from which words are counted by characters
WORD_LIST = "words.npz"
SILENT = frozenset({"style", "script", "noscript", "template", "svg", "rt", "rp", "button"})
"""Elements whose texts say nothing about the page."""
SIGNS = "*†‡§¶#∥‖✉✝♠♣♥♦♤♧♡♢⋆★☆◇◊△▲▽□■"  # that mark notes
MOST_LETTERS = 1 << 14  # that are kept as they are folded; no language has so many
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")  # Chinese and Japanese
_UNSPACED_PAIR = re.compile(r"[\u3001-\u30ff\u3400-\u9fff\uff01-\uff60]{2}")
_WORD = re.compile(r"[^\W_]+")
_ONLY_IGNORING_CASE = frozenset("ıſ")  # i and s, where case is ignored
_PLAIN = str.maketrans(
    {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i", "ß": "ss", "æ": "ae",
     "Æ": "AE", "œ": "oe", "Œ": "OE", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th",
     **dict.fromkeys("’‘ʼ", "'"), **dict.fromkeys("‐‑‒–—―−", "-")}
)  # fmt: skip


def squeeze(text: str) -> str:
    """The text on one line, with single spaces."""
    return " ".join(text.split())


def without_accents(text: str, letters: Mapping[int, Any] = _PLAIN) -> str:
    """The text without accents and ligatures, and with the letters of this table replaced."""
    bare = text.translate(letters)
    if bare.isascii():
        return bare
    decomposed = unicodedata.normalize("NFKD", bare)
    bare = "".join(filterfalse(unicodedata.combining, decomposed))
    return bare.translate(letters)  # й and the like lose their accent first


def folded(text: str) -> str:
    """For comparison: no case, accents, ligatures, typographic dashes or quotes."""
    return text.casefold() if text.isascii() else text.translate(_FOLDED)


class _Folded(dict[int, str]):
    """What each letter is folded to, by its code, as far as that was asked before."""

    def __missing__(self, code: int) -> str:
        letter = without_accents(chr(code)).casefold()
        if len(self) < MOST_LETTERS:
            self[code] = letter
        return letter


_FOLDED = _Folded()


def words(text: str) -> list[str]:
    """The folded words of a text."""
    return _WORD.findall(folded(text))


def letters(text: str) -> str:
    """The folded letters and digits of a text, without anything between."""
    return "".join(words(text))


def says(text: str, pattern: re.Pattern[str]) -> bool:
    """Whether a text has something that matches a pattern that ignores case.

    Those are slow, so that plain English letters are made small first.
    """
    if text.isascii():
        return _in_small_letters(pattern.pattern).search(text.lower()) is not None
    return pattern.search(text) is not None


@cache
def _in_small_letters(pattern: str) -> re.Pattern[str]:
    """The pattern of texts in small letters; it must have none that are no small ones of Latin."""
    literal = re.sub(r"\\.", "", pattern)
    if literal != literal.lower() or not _ONLY_IGNORING_CASE.isdisjoint(literal):
        raise ValueError(f"not in small letters: {pattern}")
    return re.compile(pattern)


def size_in_words(text: str) -> int:
    """How many words a text has; where no spaces separate them, two characters count as one."""
    size = len(text.split())
    return size if text.isascii() else max(size, len(_UNSPACED.findall(text)) // 2)


def is_unspaced(texts: Sequence[str]) -> bool:
    """Whether texts are written in Chinese or Japanese, and do not just quote such words."""
    unspaced = sum(len(_UNSPACED.findall(text)) for text in texts if not text.isascii())
    return unspaced > UNSPACED_SHARE * sum(map(len, texts))


def continues_unspaced(text: str, following: str) -> bool:
    """Whether no space belongs between two lines, since both are Chinese or Japanese there."""
    return bool(_UNSPACED_PAIR.search(text[-1:] + following[:1]))


# Likeness


def bigrams(text: str) -> Counter[str]:
    """How often each pair of neighbouring characters occurs; a single one is its own pair."""
    return Counter(map(add, text, text[1:])) or Counter([text])


def pairs(text: str) -> Counter[str]:
    """How often each pair of neighbouring letters or digits occurs in the folded words."""
    return bigrams(letters(text))


def dice(one: str, other: str) -> float:
    """Dice's coefficient of the pairs of two texts: 1 for the same, 0 for nothing."""
    return dice_of_pairs(pairs(one), pairs(other))


def dice_of_pairs(one: Counter[str], other: Counter[str]) -> float:
    """The same, for pairs that were counted before."""
    return 2 * (one & other).total() / (one.total() + other.total())


def dice_of_sets(one: frozenset[str], other: frozenset[str]) -> float:
    """Dice's coefficient of two sets; 0 if both are empty."""
    return 2 * len(one & other) / max(len(one) + len(other), 1)


# What the ends of lines do to a text

# A hyphen before these replaces a word that comes later: "short- and long-term".
_SUSPENDING = "and|or|und|oder|et|ou|y|o|to|vs|versus|bzw"
_PERHAPS_SUSPENDING = frozenset(("than", "but", "as", "en", "e"))  # or ends of words: "tak- en"
_DIVIDED = re.compile(rf"(?<![^\W\d_])([^\W\d_]+)-\s(?!(?:{_SUSPENDING})\b)([^\W\d_]+)")
_RANGE = re.compile(r"(?<=\d)([-–])\s(?=\d)|(?<=[^\W\d_])(-)\s(?=\d)")  # 194–203, HLA-27
_ADDRESS = re.compile(r"https?://|\b10\.\d{4,9}/")
_PREFIX = re.compile(r"\b10\.\d{4,9}/$")  # of an identifier, of which the rest has to follow
_DATE = re.compile(r"\W*\d{1,4}(?:[./-]\d{1,4})*\W*")


@cache
def known_words() -> Mapping[str, int]:
    """The folded words of the shipped list, with their ranks in it, from 1."""
    import numpy as np  # not needed where only titles are read from markup

    with np.load(io.BytesIO((files("pagesight") / "data" / WORD_LIST).read_bytes())) as arrays:
        listed = arrays["words"].tobytes().decode().split("\n")
    return {word: rank for rank, word in enumerate(listed, start=1)}


def rejoined(text: str) -> str:
    """A text of lines without what their ends did to it: divided words, ranges and addresses."""
    if "/" in text:
        text = _whole_addresses(text)
    if "- " in text or "– " in text:
        text = _RANGE.sub(r"\1\2", _DIVIDED.sub(_whole_word, text))
    return text


def _whole_addresses(text: str) -> str:
    """A text whose addresses have no spaces within."""
    parts: list[str] = []
    previous, in_address = "", False
    for part in text.split(" "):
        continues = in_address and _continues_address(previous, part)
        in_address = continues or bool(_ADDRESS.search(part))
        parts += [part] if continues or not parts else [" ", part]
        previous = part
    return "".join(parts)


def _continues_address(previous: str, part: str) -> bool:
    """Whether a part continues an address that ends the part before it so far."""
    if previous.endswith("/") and not _PREFIX.search(previous):
        return any(map(str.isdigit, part)) and not _DATE.fullmatch(part)
    return previous.endswith("-") or (
        previous.endswith(("/", "_", "=")) and any(map(str.isdigit, part))
    )


def _whole_word(divided: re.Match[str]) -> str:
    """A word that was divided; with its hyphen if it has one, as far as the list knows."""
    first, second = divided.groups()
    known = known_words()
    whole, *halves = (folded(part) for part in (first + second, first, second))
    if second in _PERHAPS_SUSPENDING and whole not in known and halves[0] in known:
        return divided[0]
    capital = first[-1].isupper() or not second[0].islower()
    hyphened = capital or (whole not in known and all(half in known for half in halves))
    return f"{first}-{second}" if hyphened else first + second
