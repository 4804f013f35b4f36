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

LONGEST_MARKER = 8  # letters of a list marker such as "viii. "


@dataclass(frozen=True, slots=True)
class Match:
    """The index of the text node, and how many glyphs in front do not belong to it."""

    text: int
    skip: int = 0


def match(texts: Sequence[str], pieces: Sequence[Sequence[str]]) -> list[Match | None]:
    """For each painted piece (its glyphs' letters) the text it belongs to, None for neither."""
    folded = [_fold(text) for text in texts]
    ends = list(accumulate(len(text) for text in folded))
    whole = "".join(folded)
    position = 0
    matches: list[Match | None] = []
    for glyphs in pieces:
        letters = _fold("".join(glyphs))
        found = _find(whole, letters, position)
        if found is None:
            matches.append(None)
            continue
        start, skipped = found
        position = min(start + len(letters) - skipped, len(whole))
        text = min(bisect_right(ends, start), len(texts) - 1)
        matches.append(Match(text, _glyphs_for(glyphs, skipped)))
    return matches


def _fold(text: str) -> str:
    return "".join(text.split()).replace("\u00ad", "").casefold()


def _find(whole: str, letters: str, position: int) -> tuple[int, int] | None:
    """Where `letters` stand in `whole`, and how many of them are in front of that."""
    if not letters:
        return (position, 0) if position < len(whole) else None
    if whole.startswith(letters, position):
        return position, 0
    length = len(letters)
    for skip in range(1, min(LONGEST_MARKER, length - 1) + 1):
        if whole.startswith(letters[skip:], position):
            return position, skip
    if whole[position : position + length][::-1] == letters:
        return position, 0  # right to left
    later = whole.find(letters, position)
    if later >= 0:
        return later, 0
    # Letters that the font does not have, reordered scripts: trust the order of painting.
    if "\ufffd" in letters or not letters.isascii():
        return (position, 0) if position < len(whole) else None
    return None


def _glyphs_for(glyphs: Sequence[str], letters: int) -> int:
    """How many glyphs make up the first `letters` letters, with the white space after them."""
    count = 0
    while count < len(glyphs) and (letters > 0 or not glyphs[count].strip()):
        if letters <= 0 and count == 0:
            return 0
        letters -= len(_fold(glyphs[count]))
        count += 1
    return count
