"""Lines of text on a sheet, and the runs of one style that they consist of.

Pieces on one baseline make a row. Rows are cut at column gutters: at wide gaps, and at narrower
ones that continue above and below. Pieces beside a row, raised or lowered, are attached to it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from enum import IntEnum
from itertools import groupby, pairwise
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from pagesight.render.geometry import Rect, hull
from pagesight.render.pdf.characters import Characters, Ints, Look, Spacing
from pagesight.render.pdf.geometry import turned
from pagesight.render.pdf.pieces import CLOSE, LEAST_GAP, OVERLAP, TextPiece, cut

_ASCENT, _DESCENT = 0.8, 0.2  # em above and below the baseline that a line takes
_RAISED, _LOWERED = 0.12, 0.06  # em off the baseline, beyond which smaller text is a mark
_SMALLER = 0.9  # of the size of the line
_DROP_CAP = 1.9  # times the size of the next word, which it belongs to however wide the gap


class Shift(IntEnum):
    """Whether a run is on the baseline of its line."""

    LEVEL = 0
    RAISED = 1
    LOWERED = 2


Part = tuple[TextPiece, Shift, str]  # a piece, its shift, and its text with the space after it


class StyledRun(NamedTuple):
    """Text of one style on one line."""

    text: str
    extent: Rect
    look: Look
    size: float
    shift: Shift
    link: int  # number of the link on the sheet, -1 for none


class TextLine(NamedTuple):
    """A line of text; `main` is the run that sets its style."""

    runs: tuple[StyledRun, ...]
    extent: Rect
    main: StyledRun


def lines_of(characters: Characters, link: Ints) -> list[TextLine]:
    """All lines in the order of the document; rotated ones come last."""
    lines = []
    turns = characters.turn
    several = len(turns) > 0 and bool((turns != turns[0]).any())
    for turn in np.unique(turns).tolist() if several else turns[:1].tolist():
        rows = np.flatnonzero(turns == turn) if several else slice(None)
        pieces = cut(characters.pick(rows), link[rows])
        lines += [_line(group, characters.looks, turn) for group in _join(pieces)]
    return lines


def _line(pieces: list[TextPiece], looks: list[Look], turn: int) -> TextLine:
    if len(pieces) == 1:  # as most have; the rest says the same of it
        [piece] = pieces
        extent = _extent(piece, turn)
        run = StyledRun(piece.text, extent, looks[piece.look], piece.size, Shift.LEVEL, piece.link)
        return TextLine((run,), extent, run)
    pieces = _in_order(pieces)
    if len({(piece.base, piece.size) for piece in pieces}) == 1:
        shifts = [Shift.LEVEL] * len(pieces)
    else:
        main = _main(pieces)
        shifts = [_shift(piece, main) for piece in pieces]
    parts = zip(pieces, shifts, _texts(pieces), strict=True)
    runs = tuple(_run(list(group), looks, turn) for _, group in groupby(parts, key=_style))
    level = [run for run in runs if run.shift is Shift.LEVEL]
    heaviest = max(level, key=lambda run: len(run.text) * run.size)
    return TextLine(runs, hull(run.extent for run in runs), heaviest)


def _main(pieces: list[TextPiece]) -> TextPiece:
    """A piece with the size and the baseline of most of the line."""
    weights: defaultdict[tuple[int, int], float] = defaultdict(float)
    for piece in pieces:
        weights[round(piece.base), round(piece.size)] += len(piece.text) * piece.size
    heaviest = max(weights, key=weights.__getitem__)
    return next(p for p in pieces if (round(p.base), round(p.size)) == heaviest)


def _in_order(pieces: list[TextPiece]) -> list[TextPiece]:
    if True in map(attrgetter("leftward"), pieces):
        leftward = sum(len(piece.text) * (1 if piece.leftward else -1) for piece in pieces) > 0
        if leftward:
            return sorted(pieces, key=lambda piece: -piece.end)
    return sorted(pieces, key=attrgetter("start", "first"))


def _style(part: Part) -> tuple[int, float, Shift, int]:
    piece, shift, _ = part
    return piece.look, round(piece.size, 1), shift, piece.link


def _shift(piece: TextPiece, main: TextPiece) -> Shift:
    raised = (main.base - piece.base) / main.size
    if piece.size > _SMALLER * main.size:
        return Shift.LEVEL
    if raised > _RAISED:
        return Shift.RAISED
    return Shift.LOWERED if raised < -_LOWERED else Shift.LEVEL


def _texts(pieces: list[TextPiece]) -> list[str]:
    """The texts of pieces, each with the space that follows it."""
    texts = []
    reach = pieces[0].start
    for piece, after in zip(pieces, [*pieces[1:], None], strict=True):
        reach = max(reach, piece.end)
        spaced = after is not None and _is_spaced(piece, after, reach)
        texts.append(piece.text + " " if spaced else piece.text)
    return texts


def _is_spaced(piece: TextPiece, after: TextPiece, reach: float) -> bool:
    if piece.size > _DROP_CAP * after.size and len(piece.text) <= 2:
        return False
    gap = after.start - reach
    if piece.leftward and after.leftward:
        gap = piece.start - after.end
    em = min(piece.size, after.size)
    follows = after.first == piece.last + 1
    return gap > LEAST_GAP[after.spacing if follows else Spacing.BREAK] * em


def _run(parts: list[Part], looks: list[Look], turn: int) -> StyledRun:
    first, shift, text = parts[0]
    extent = _extent(first, turn)
    if len(parts) > 1:
        extent = hull(_extent(piece, turn) for piece, _, _ in parts)
        text = "".join(text for _, _, text in parts)
    return StyledRun(text, extent, looks[first.look], first.size, shift, first.link)


def _extent(piece: TextPiece, turn: int) -> Rect:
    top, bottom = piece.base - _ASCENT * piece.size, piece.base + _DESCENT * piece.size
    if turn == 0:
        return piece.start, top, piece.end, bottom
    x, y = turned(
        np.array([piece.start, piece.end, piece.start, piece.end]),
        np.array([top, top, bottom, bottom]),
        np.full(4, turn),
    )
    return float(x.min()), float(y.min()), float(x.max()), float(y.max())


# Which pieces are on one line

_ROW = 0.12  # em by which baselines of a row may differ
_WIDE = 1.6  # em; wider gaps always separate columns
_LABEL_GAP = 2.2  # em between a label and what it labels
_UNDECIDED = 1.2  # em; where no row above or below decides
_OTHER_SIZE = 1.9  # a ratio of sizes that are not on one line
_ROWS_AROUND = 5  # that are examined for a gutter, above and below
_NEAR = 6.0  # em within which they must be
_SAME_EDGE = 0.1  # em by which the edges of lines in a column may differ
_ATTACHED = 0.35  # em between a mark and its word
_HIGHEST, _LOWEST = 0.75, 0.35  # em by which marks may be off the baseline, up and down
_UNEVEN = 0.3  # em by which baselines of words may differ in recognised text
_MARK_SIZE = 0.85  # of the size of its word, at most
_LONGEST_MARK = 60  # characters
_CAPITAL = 0.72  # em, the height of capitals
_LABEL = re.compile(r"[•◦▪■‣·*–—-]|[(\[]?(\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)\]]{1,2}")

_MARKS = re.compile(r"[\d*†‡§¶#]{1,2}(?:\s?,\s?[\d*†‡§¶#]{1,2})*,?")
_MARK = re.compile(r"\d{1,2}|[a-z]|[*†‡§¶#]{1,2}")


def _join(pieces: list[TextPiece]) -> list[list[TextPiece]]:
    """The pieces of each line, lines in the order of the document."""
    joiner = _Joiner(pieces)
    joiner.join_rows()
    for piece in joiner.pieces:
        joiner.attach(piece)
    return joiner.lines()


class _Row:
    """Pieces on one baseline, from left to right; between `highest` and `lowest` marks may be."""

    def __init__(self, pieces: list[TextPiece]) -> None:
        self.pieces = pieces
        sizes = [piece.size for piece in pieces]
        size, self.smallest = max(sizes), min(sizes)
        self.highest = pieces[0].base - 1.01 * _HIGHEST * size
        self.lowest = pieces[-1].base + 1.01 * _LOWEST * size
        if len(pieces) > 1:
            self.pieces = _without_doubles(sorted(pieces, key=attrgetter("start")))
        self.starts = [piece.start for piece in self.pieces]
        self.base = pieces[0].base

    def beside(self, piece: TextPiece) -> list[TextPiece]:
        """The pieces of this row before and after a piece of another row."""
        place = bisect_right(self.starts, piece.start)
        return self.pieces[max(0, place - 1) : place + 1]

    def is_open(self, left: float, right: float, widest: float) -> bool | None:
        """Whether there is a gap from `left` to `right`; None where the row does not decide.

        A gap that is wider than `widest` does not, unless it begins or ends where that one begins
        or ends: the edge of a column is there.
        """
        place = bisect_right(self.starts, (left + right) / 2)
        before = self.pieces[place - 1] if place else None
        after = self.pieces[place] if place < len(self.pieces) else None
        if before and (left + right) / 2 <= before.end:
            return False
        if before and after and after.start - before.end <= CLOSE * before.size:
            return False
        if (after and abs(after.start - right) < _SAME_EDGE * after.size) or (
            before and abs(before.end - left) < _SAME_EDGE * before.size
        ):
            return True
        return True if before and after and after.start - before.end <= widest else None


def _without_doubles(pieces: list[TextPiece]) -> list[TextPiece]:
    """Text printed twice with a slight offset imitates bold, or a shadow."""
    kept: list[TextPiece] = []
    for piece in pieces:
        near = kept and abs(piece.start - kept[-1].start) < 0.3 * piece.size
        if not (near and piece.text == kept[-1].text):
            kept.append(piece)
    return kept


class _Joiner:
    """Joins pieces into lines, by a union of sets."""

    def __init__(self, pieces: list[TextPiece]) -> None:
        self._by_number = pieces
        self._asked, self._near = (0.0, 0.0), list[_Row]()
        self.rows = [_Row(row) for row in _rows(pieces)]
        self.bases = [row.base for row in self.rows]
        self.pieces = [piece for row in self.rows for piece in row.pieces]
        self.above = {piece: piece for piece in self.pieces}

    def join_rows(self) -> None:
        """Join pieces that follow each other on a baseline."""
        for number, row in enumerate(self.rows):
            begins = True  # whether the left piece is the first of its line
            for left, right in pairwise(row.pieces):
                joined = self._follows(number, left, right, begins=begins)
                if joined:
                    self._unite(left, right)
                begins = not joined

    def attach(self, piece: TextPiece) -> None:
        """Join a raised, lowered or uneven piece to the nearest row that it is beside."""
        if len(piece.text) > _LONGEST_MARK:
            return
        larger, uneven = [], []
        for row in self._around(piece):
            for host in row.beside(piece):
                if host is piece:
                    continue
                if piece.size <= _MARK_SIZE * host.size:
                    if _is_shifted(piece, host):
                        larger.append(host)
                elif _is_uneven(piece, host):
                    uneven.append(host)
        if larger:
            marked = [host for host in larger if _is_mark(piece, host)]
            labelled = [host for host in larger if _is_hanging_mark(piece, host)]
            beyond = [host for host in larger if _is_beyond_icon(piece, host)]
            self._unite_nearest(piece, marked or labelled or beyond)
        if uneven:
            self._unite_nearest(piece, uneven)
        if len(piece.text) <= 2:
            self._attach_drop_cap(piece)

    def _unite_nearest(self, piece: TextPiece, hosts: list[TextPiece]) -> None:
        """Join a piece to the hosts on the nearest baseline, before and after it."""
        distances = [abs(host.base - piece.base) for host in hosts]
        nearest = min(distances, default=0.0)
        for host, distance in zip(hosts, distances, strict=True):
            if distance <= nearest + _ROW * host.size:
                self._unite(host, piece)

    def lines(self) -> list[list[TextPiece]]:
        """The united pieces."""
        groups: dict[TextPiece, list[TextPiece]] = {}
        for piece in self._by_number:
            if piece in self.above:  # printed once
                groups.setdefault(self._root(piece), []).append(piece)
        return list(groups.values())

    def _follows(self, number: int, left: TextPiece, right: TextPiece, *, begins: bool) -> bool:
        em, smaller = left.size, right.size
        if em < smaller:
            em, smaller = smaller, em
        if em > _OTHER_SIZE * smaller:
            return False
        gap = (right.start - left.end) / em
        if gap <= CLOSE:
            return gap >= -OVERLAP
        if begins and gap <= _LABEL_GAP and _LABEL.fullmatch(left.text):
            return True
        return gap <= _WIDE and not self._is_gutter(number, left.end, right.start, em)

    def _is_gutter(self, number: int, left: float, right: float, em: float) -> bool:
        """Whether the gap from `left` to `right` continues in the rows above and below."""
        around = range(max(0, number - _ROWS_AROUND), number + _ROWS_AROUND + 1)
        answers = [
            self.rows[other].is_open(left, right, 2.5 * (right - left))
            for other in around
            if other != number
            and other < len(self.rows)
            and abs(self.bases[other] - self.bases[number]) <= _NEAR * em
        ]
        gaps, crossings = answers.count(True), answers.count(False)
        return gaps > crossings if gaps or crossings else right - left > _UNDECIDED * em

    def _around(self, piece: TextPiece) -> list[_Row]:
        """The few rows nearest to the baseline of a piece that it may be a mark in."""
        base, size = piece.base, piece.size
        if self._asked != (base, size):  # the pieces of a row mostly ask for the same
            bases, reach = self.bases, 1.5 * size
            place = bisect_left(bases, base)
            first = bisect_left(bases, base - reach, max(0, place - _ROWS_AROUND), place)
            last = bisect_right(bases, base + reach, place, min(len(bases), place + _ROWS_AROUND))
            near = self.rows[first:last]
            self._near = [row for row in near if row.highest <= base <= row.lowest]
            self._asked = base, size
        return self._near

    def _attach_drop_cap(self, capital: TextPiece) -> None:
        """Join a large initial to the first line beside it, whose top is level with its top."""
        top = capital.base - _CAPITAL * capital.size
        place = bisect_left(self.bases, top)
        for row in self.rows[place : place + _ROWS_AROUND]:
            if capital.size < _OTHER_SIZE * row.smallest:
                continue
            for piece in row.beside(capital):
                if _is_drop_cap(capital, piece):
                    self._unite(capital, piece)
                    return

    def _root(self, piece: TextPiece) -> TextPiece:
        above = self.above
        while (upper := above[piece]) is not piece:
            above[piece] = piece = above[upper]
        return piece

    def _unite(self, one: TextPiece, other: TextPiece) -> None:
        self.above[self._root(other)] = self._root(one)


def _rows(pieces: list[TextPiece]) -> list[list[TextPiece]]:
    rows: list[list[TextPiece]] = []
    last: TextPiece | None = None
    for piece in sorted(pieces, key=attrgetter("base", "start")):
        if last is None or piece.base - last.base > _ROW * min(piece.size, last.size):
            rows.append([])
        rows[-1].append(piece)
        last = piece
    return rows


def _is_mark(piece: TextPiece, host: TextPiece) -> bool:
    """Whether a shifted piece is right beside its host, like a superscript."""
    return -OVERLAP / 2 <= _gap(piece, host) <= _ATTACHED


def _is_hanging_mark(piece: TextPiece, host: TextPiece) -> bool:
    """Whether a shifted piece is the mark of a footnote or an address that is indented."""
    near = 0 < (host.start - piece.end) / host.size <= _LABEL_GAP
    return near and _MARK.fullmatch(piece.text) is not None


def _is_beyond_icon(piece: TextPiece, host: TextPiece) -> bool:
    """Whether a shifted piece is the mark of a name followed by an icon, such as ORCID's."""
    near = _ATTACHED < (piece.start - host.end) / host.size <= _LABEL_GAP
    named = host.base > piece.base and host.text[-1:].isalpha()
    return near and named and bool(_MARKS.fullmatch(piece.text))


def _is_shifted(piece: TextPiece, host: TextPiece) -> bool:
    """Whether a smaller piece is a little above or below its host."""
    return -_LOWEST <= (host.base - piece.base) / host.size <= _HIGHEST


def _is_uneven(piece: TextPiece, host: TextPiece) -> bool:
    """Whether a piece of about the same size is beside its host, not quite level."""
    return (
        -_UNEVEN * host.size <= host.base - piece.base <= _UNEVEN * host.size
        and _MARK_SIZE < piece.size / host.size < 1 / _MARK_SIZE
        and -OVERLAP / 2 <= _gap(piece, host) <= CLOSE
    )


def _gap(piece: TextPiece, host: TextPiece) -> float:
    return max(piece.start - host.end, host.start - piece.end) / host.size


def _is_drop_cap(capital: TextPiece, piece: TextPiece) -> bool:
    if capital.size < _OTHER_SIZE * piece.size:
        return False
    tops = capital.base - _CAPITAL * capital.size, piece.base - _CAPITAL * piece.size
    gap = (piece.start - capital.end) / piece.size
    return abs(tops[0] - tops[1]) <= 0.4 * piece.size and -OVERLAP <= gap <= 1.0
