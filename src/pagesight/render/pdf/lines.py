"""Lines of text on a sheet, and the runs of one style that they are made of."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import IntEnum
from itertools import groupby

import numpy as np

from pagesight.render.pdf.characters import Characters, Ints, Look, Spacing
from pagesight.render.pdf.geometry import Extent, turned
from pagesight.render.pdf.joining import join
from pagesight.render.pdf.pieces import LEAST_GAP, Piece, cut

ASCENT, DESCENT = 0.8, 0.2  # em above and below the baseline that a line takes
_RAISED, _LOWERED = 0.12, 0.06  # em off the baseline, from which smaller text is a mark
_SMALLER = 0.9
_BIGGER = 1.9  # a drop cap belongs to the word after it, however wide the gap


class Shift(IntEnum):
    """Where a run stands in its line."""

    LEVEL = 0
    RAISED = 1
    LOWERED = 2


Part = tuple[Piece, Shift, str]  # a piece, where it stands, and its text with the space after it


@dataclass(frozen=True, slots=True)
class Run:
    """Text of one style on one line."""

    text: str
    extent: Extent
    look: Look
    size: float
    shift: Shift
    link: int  # number of the link on the sheet, -1 for none


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text; `main` is the run that sets its style."""

    runs: tuple[Run, ...]
    extent: Extent
    main: Run


def lines_of(characters: Characters, link: Ints) -> list[Line]:
    """All lines, in the order in which the document has them; turned ones come last."""
    lines = []
    for turn in np.unique(characters.turn).tolist():
        rows = np.flatnonzero(characters.turn == turn)
        pieces = cut(characters.pick(rows), link[rows])
        lines += [_line(group, characters.looks, turn) for group in join(pieces)]
    return lines


def _line(pieces: list[Piece], looks: list[Look], turn: int) -> Line:
    pieces = _in_order(pieces)
    main = _main(pieces)
    shifts = [_shift(piece, main) for piece in pieces]
    parts = zip(pieces, shifts, _texts(pieces), strict=True)
    runs = tuple(_run(list(group), looks, turn) for _, group in groupby(parts, key=_style))
    level = [run for run in runs if run.shift is Shift.LEVEL]
    heaviest = max(level, key=lambda run: len(run.text) * run.size)
    return Line(runs, _around([run.extent for run in runs]), heaviest)


def _main(pieces: list[Piece]) -> Piece:
    """A piece of the size and on the baseline that most of the line has."""
    weights: defaultdict[tuple[int, int], float] = defaultdict(float)
    for piece in pieces:
        weights[round(piece.base), round(piece.size)] += len(piece.text) * piece.size
    heaviest = max(weights, key=weights.__getitem__)
    return next(p for p in pieces if (round(p.base), round(p.size)) == heaviest)


def _in_order(pieces: list[Piece]) -> list[Piece]:
    leftward = sum(len(piece.text) * (1 if piece.leftward else -1) for piece in pieces) > 0
    if leftward:
        return sorted(pieces, key=lambda piece: -piece.end)
    return sorted(pieces, key=lambda piece: (piece.start, piece.first))


def _style(part: Part) -> tuple[int, float, Shift, int]:
    piece, shift, _ = part
    return piece.look, round(piece.size, 1), shift, piece.link


def _shift(piece: Piece, main: Piece) -> Shift:
    raised = (main.base - piece.base) / main.size
    if piece.size > _SMALLER * main.size:
        return Shift.LEVEL
    if raised > _RAISED:
        return Shift.RAISED
    return Shift.LOWERED if raised < -_LOWERED else Shift.LEVEL


def _texts(pieces: list[Piece]) -> list[str]:
    """The texts of pieces, each with the space that follows it."""
    texts = []
    reach = pieces[0].start
    for piece, after in zip(pieces, [*pieces[1:], None], strict=True):
        reach = max(reach, piece.end)
        spaced = after is not None and _is_spaced(piece, after, reach)
        texts.append(piece.text + " " if spaced else piece.text)
    return texts


def _is_spaced(piece: Piece, after: Piece, reach: float) -> bool:
    if piece.size > _BIGGER * after.size and len(piece.text) <= 2:
        return False
    gap = after.start - reach
    if piece.leftward and after.leftward:
        gap = piece.start - after.end
    em = min(piece.size, after.size)
    follows = after.first == piece.last + 1
    return gap > LEAST_GAP[after.spacing if follows else Spacing.BREAK] * em


def _run(parts: list[Part], looks: list[Look], turn: int) -> Run:
    first, shift, _ = parts[0]
    extent = _around([_extent(piece, turn) for piece, _, _ in parts])
    text = "".join(text for _, _, text in parts)
    return Run(text, extent, looks[first.look], first.size, shift, first.link)


def _extent(piece: Piece, turn: int) -> Extent:
    top, bottom = piece.base - ASCENT * piece.size, piece.base + DESCENT * piece.size
    if turn == 0:
        return piece.start, top, piece.end, bottom
    x, y = turned(
        np.array([piece.start, piece.end, piece.start, piece.end]),
        np.array([top, top, bottom, bottom]),
        np.full(4, turn),
    )
    return float(x.min()), float(y.min()), float(x.max()), float(y.max())


def _around(extents: list[Extent]) -> Extent:
    left, top, right, bottom = zip(*extents, strict=True)
    return min(left), min(top), max(right), max(bottom)
