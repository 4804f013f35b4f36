"""Pieces of text: characters that follow each other in the document, in one style on one line."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pagesight.render.pdf.characters import Bools, Characters, Ints
from pagesight.render.pdf.geometry import Floats
from pagesight.render.pdf.spelling import spell

CLOSE = 0.7  # em; gaps between columns are wider, and few between words are
OVERLAP = 0.5  # em; characters may overlap so far and still follow each other
_SAME_BASE = 0.05  # em
_SAME_SIZE = 0.03
# em; the gap that reads as a space, by what is there in the document: nothing, a space, a break
LEAST_GAP = (0.3, 0.05, 0.17)
_LEFTWARD = ((0x590, 0x8FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFE))  # Hebrew, Arabic and others


@dataclass(slots=True, eq=False)
class TextPiece:
    """A piece of text; `first` and `last` are numbers of characters."""

    text: str
    start: float
    end: float
    base: float
    size: float
    look: int
    link: int
    first: int
    last: int
    spacing: int
    leftward: bool


def cut(characters: Characters, link: Ints) -> list[TextPiece]:
    """Cut the characters of one direction into pieces."""
    if len(characters) == 0:
        return []
    leftward = _leftward(characters.code)
    gap = _gaps(characters, leftward)
    borders = _borders(characters, link, gap)
    spaced = gap > np.array(LEAST_GAP)[characters.spacing]
    return _collect(characters, link, leftward, borders, spaced)


def _texts(code: Ints, spaced: Bools, first: Ints, last: Ints) -> list[str]:
    """The texts from and to these characters, with the spaces between them."""
    codes = np.insert(code, np.flatnonzero(spaced), ord(" "))
    string = codes.astype("<u4").tobytes().decode("utf-32-le", "replace")
    place = np.arange(len(code)) + np.cumsum(spaced)
    spans = zip(place[first].tolist(), (place[last] + 1).tolist(), strict=True)
    return [spell(string[start:stop]) for start, stop in spans]


def _collect(
    characters: Characters, link: Ints, leftward: Bools, borders: Ints, spaced: Bools
) -> list[TextPiece]:
    first, last = borders, np.append(borders[1:], len(characters)) - 1
    columns = (
        np.minimum.reduceat(characters.start, borders),
        np.maximum.reduceat(characters.end, borders),
        characters.base[borders],
        characters.size[borders],
        characters.look[borders],
        link[borders],
        first,
        last,
        characters.spacing[borders],
        np.add.reduceat(leftward.astype(np.int64), borders) * 2 > last - first,
    )
    rows = zip(
        _texts(characters.code, spaced, first, last),
        *(column.tolist() for column in columns),
        strict=True,
    )
    return [TextPiece(*row) for row in rows if row[0]]


def _leftward(code: Ints) -> Bools:
    leftward = np.zeros(len(code), dtype=np.bool_)
    for low, high in _LEFTWARD:
        leftward |= (code >= low) & (code <= high)
    return leftward


def _gaps(characters: Characters, leftward: Bools) -> Floats:
    """The gap between each character and the one before it, in ems."""
    gap = np.zeros(len(characters))
    rightwards = characters.start[1:] - characters.end[:-1]
    leftwards = characters.start[:-1] - characters.end[1:]
    both = leftward[1:] & leftward[:-1]
    em = np.minimum(characters.size[1:], characters.size[:-1])
    gap[1:] = np.where(both, np.maximum(rightwards, leftwards), rightwards) / em
    # The letters of a ligature have the same place.
    gap[1:][(np.diff(characters.start) == 0) & (np.diff(characters.end) == 0)] = 0
    return gap


def _borders(characters: Characters, link: Ints, gap: Floats) -> Ints:
    """The numbers of the characters that begin a piece."""
    size, base = characters.size, characters.base
    new = np.ones(len(characters), dtype=np.bool_)
    new[1:] = (
        (np.diff(characters.look) != 0)
        | (np.diff(link) != 0)
        | (np.abs(np.diff(size)) > _SAME_SIZE * size[1:])
        | (np.abs(np.diff(base)) > _SAME_BASE * size[1:])
        | (gap[1:] > CLOSE)
        | (gap[1:] < -OVERLAP)
    )
    return np.flatnonzero(new)
