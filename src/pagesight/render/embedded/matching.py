"""Which text node a painted piece of text belongs to.

The colour of a piece says its element; an element may have several text nodes, which are painted
in their order. What is painted differs from the document's text in white space, in case
(text-transform), in ligatures, and in direction; parts of it may not be painted at all.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from unicodedata import normalize

from pagesight.render.embedded.letters import MISSING, is_backwards

_HYPHENS = ("-", "\u2010")
# Soft hyphens, spaces without width, signs of direction: they are not painted.
_INVISIBLE = dict.fromkeys(
    [0xAD, 0x61C, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF]
)


@dataclass(frozen=True, slots=True)
class Match:
    """The index of the text node, and which letters of the piece belong to it."""

    text: int
    start: int = 0
    end: int | None = None  # None: all that follow


def match(texts: Sequence[str], pieces: Sequence[str]) -> list[list[Match]]:
    """For each painted piece the texts that it belongs to: one as a rule, none, or neighbours."""
    folded = [_fold(text) for text in texts]
    ends = list(accumulate(len(text) for text in folded))
    whole = "".join(folded)
    mixed = is_backwards(whole)
    position = 0
    matches: list[list[Match]] = []
    for piece in pieces:
        letters = _fold(piece)
        if (backwards := _find_backwards(whole, letters)) is not None:
            # Words of one line are painted from left to right: the last one may come first.
            matches.append([Match(min(bisect_right(ends, backwards), len(texts) - 1))])
            continue
        start = _find(whole, letters, position, mixed)
        if start is None and letters.endswith(_HYPHENS):
            letters = letters[:-1]  # painted where a line ends at a soft hyphen
            start = _find(whole, letters, position, mixed) if letters else None
        if start is None:
            matches.append([])
            continue
        position = min(start + len(letters), len(whole))
        matches.append(_divided(piece, start, position, ends))
    return matches


def _divided(piece: str, start: int, stop: int, ends: Sequence[int]) -> list[Match]:
    """A piece that covers `start` to `stop`, divided where texts end."""
    text = min(bisect_right(ends, start), len(ends) - 1)
    first = 0
    parts = []
    while ends[text] < stop:  # a comment, for example, is between this text and the next
        last = _painted_letters(piece, ends[text] - start)
        parts.append(Match(text, first, last))
        first, text = last, bisect_right(ends, ends[text])
    return [*parts, Match(text, first)]


def _fold(text: str) -> str:
    dense = "".join(text.split())
    return (dense if dense.isascii() else dense.translate(_INVISIBLE)).casefold()


def _find(whole: str, letters: str, position: int, mixed: bool) -> int | None:
    """Where `letters` begin in `whole`, not before `position` unless directions are `mixed`."""
    if not letters:
        return position if position < len(whole) else None
    place = whole.find(letters, position)
    if place < 0 and mixed:
        place = whole.find(letters)  # numbers and names between words of the other direction
    if place >= 0:
        return place
    # Letters that the font does not have, reordered scripts: trust the order of painting.
    if MISSING in letters or any(not letter.isascii() and letter.isalnum() for letter in letters):
        return position if position < len(whole) else None
    return None


def _find_backwards(whole: str, letters: str) -> int | None:
    """Where letters begin that are written from right to left but were painted otherwise."""
    if not is_backwards(letters):
        return None
    # Arabic is painted in the forms that letters have inside of words.
    place = whole.find(normalize("NFKC", letters[::-1]))
    return place if place >= 0 else None


def _painted_letters(piece: str, folded: int) -> int:
    """How many letters of a piece make up its first folded ones, with the white space after."""
    if folded <= 0:
        return 0
    count = 0
    while count < len(piece) and (folded > 0 or not piece[count].strip()):
        folded -= len(_fold(piece[count]))
        count += 1
    return count
