"""Which pieces of text stand on one line.

Pieces on one baseline make a row. Rows are cut at column gutters: at wide gaps, and at narrower
ones that go on above and below. Pieces beside a row, raised or lowered, are attached to it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from pagesight.render.pdf.pieces import CLOSE, OVERLAP, Piece

_ROW = 0.12  # em by which baselines in a row may differ
_WIDE = 1.6  # em; wider gaps always part columns
_LABEL_GAP = 2.2  # em between a label and what it labels
_UNDECIDED = 1.2  # em; where nothing above or below tells
_OTHER_SIZE = 1.9  # sizes this many times apart are not one line
_ROWS_AROUND = 5  # that are asked about a gutter, above and below
_NEAR = 6.0  # em within which they must be
_SAME_EDGE = 0.1  # em by which lines of a column may begin or end apart
_ATTACHED = 0.35  # em between a mark and its word
_RAISED, _LOWERED = 0.75, 0.35  # em by which marks may be off the baseline
_UNEVEN = 0.3  # em by which baselines of words may differ in recognised text
_SMALLER = 0.85  # times the size, at most, that a mark has
_LONGEST_MARK = 60  # characters
_CAPITAL = 0.72  # em, the height of capitals
_LABEL = re.compile(r"[•◦▪■‣·*–—-]|[(\[]?(\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)\]]{1,2}")

_MARKS = re.compile(r"[\d*†‡§¶#]{1,2}(?:\s?,\s?[\d*†‡§¶#]{1,2})*,?")
_MARK = re.compile(r"\d{1,2}|[a-z]|[*†‡§¶#]{1,2}")


def join(pieces: list[Piece]) -> list[list[Piece]]:
    """The pieces of each line, lines in the order of the document."""
    joiner = _Joiner(pieces)
    joiner.join_rows()
    for piece in joiner.pieces:
        joiner.attach(piece)
    return joiner.lines()


class _Row:
    """Pieces on one baseline, from left to right."""

    def __init__(self, pieces: list[Piece]) -> None:
        self.pieces = _without_doubles(sorted(pieces, key=lambda piece: piece.start))
        self.starts = [piece.start for piece in self.pieces]
        self.base = pieces[0].base

    def beside(self, piece: Piece) -> Iterator[Piece]:
        """The pieces before and after the place of a piece from another row."""
        place = bisect_right(self.starts, piece.start)
        yield from self.pieces[max(0, place - 1) : place + 1]

    def is_open(self, left: float, right: float, widest: float) -> bool | None:
        """Whether there is a gap from `left` to `right`; None where the row says nothing.

        A gap that is wider than `widest` says nothing, unless it ends where that one ends, or
        begins where that one begins: there is the edge of a column.
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


def _without_doubles(pieces: list[Piece]) -> list[Piece]:
    """Text printed twice, a little apart, is a poor man's bold or a shadow."""
    kept: list[Piece] = []
    for piece in pieces:
        near = kept and abs(piece.start - kept[-1].start) < 0.3 * piece.size
        if not (near and piece.text == kept[-1].text):
            kept.append(piece)
    return kept


class _Joiner:
    """Joins pieces into lines, by a union of sets."""

    def __init__(self, pieces: list[Piece]) -> None:
        self.rows = [_Row(row) for row in _rows(pieces)]
        self.bases = [row.base for row in self.rows]
        self.pieces = [piece for row in self.rows for piece in row.pieces]
        self.above = {id(piece): piece for piece in self.pieces}

    def join_rows(self) -> None:
        """Join what follows each other on a baseline."""
        for number, row in enumerate(self.rows):
            begins = True  # whether the left piece is the first of its line
            for left, right in zip(row.pieces, row.pieces[1:], strict=False):
                joined = self._follows(number, left, right, begins=begins)
                if joined:
                    self._unite(left, right)
                begins = not joined

    def attach(self, piece: Piece) -> None:
        """Join a raised, lowered or uneven piece to the nearest row it stands beside."""
        if len(piece.text) > _LONGEST_MARK:
            return
        beside = [
            host
            for row in self._around(piece.base, 1.5 * piece.size)
            for host in row.beside(piece)
            if host is not piece
        ]
        marked = [host for host in beside if _is_mark(piece, host)]
        labelled = [host for host in beside if _is_hanging_mark(piece, host)]
        beyond = [host for host in beside if _is_beyond_sign(piece, host)]
        self._unite_nearest(piece, marked or labelled or beyond)
        self._unite_nearest(piece, [host for host in beside if _is_uneven(piece, host)])
        self._attach_drop_cap(piece)

    def _unite_nearest(self, piece: Piece, hosts: list[Piece]) -> None:
        """Join a piece to the hosts on the nearest baseline, before and after it."""
        distances = [abs(host.base - piece.base) for host in hosts]
        for host, distance in zip(hosts, distances, strict=True):
            if distance <= min(distances) + _ROW * host.size:
                self._unite(host, piece)

    def lines(self) -> list[list[Piece]]:
        """The united pieces."""
        groups: dict[int, list[Piece]] = {}
        for piece in sorted(self.pieces, key=lambda piece: piece.first):
            groups.setdefault(id(self._root(piece)), []).append(piece)
        return list(groups.values())

    def _follows(self, number: int, left: Piece, right: Piece, *, begins: bool) -> bool:
        if max(left.size, right.size) > _OTHER_SIZE * min(left.size, right.size):
            return False
        em = max(left.size, right.size)
        gap = (right.start - left.end) / em
        if gap <= CLOSE:
            return gap >= -OVERLAP
        if begins and gap <= _LABEL_GAP and _LABEL.fullmatch(left.text):
            return True
        return gap <= _WIDE and not self._is_gutter(number, left.end, right.start, em)

    def _is_gutter(self, number: int, left: float, right: float, em: float) -> bool:
        """Whether the gap from `left` to `right` goes on in the rows above and below."""
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

    def _around(self, base: float, reach: float) -> list[_Row]:
        """The few rows nearest to a baseline."""
        place = bisect_left(self.bases, base)
        near = self.rows[max(0, place - _ROWS_AROUND) : place + _ROWS_AROUND]
        return [row for row in near if abs(row.base - base) <= reach]

    def _attach_drop_cap(self, capital: Piece) -> None:
        """Join a large initial to the first line beside it, whose top is level with its own."""
        if len(capital.text) > 2:
            return
        top = capital.base - _CAPITAL * capital.size
        place = bisect_left(self.bases, top)
        for row in self.rows[place : place + _ROWS_AROUND]:
            for piece in row.beside(capital):
                if _is_drop_cap(capital, piece):
                    self._unite(capital, piece)
                    return

    def _root(self, piece: Piece) -> Piece:
        while (above := self.above[id(piece)]) is not piece:
            self.above[id(piece)] = self.above[id(above)]
            piece = above
        return piece

    def _unite(self, one: Piece, other: Piece) -> None:
        self.above[id(self._root(other))] = self._root(one)


def _rows(pieces: list[Piece]) -> list[list[Piece]]:
    rows: list[list[Piece]] = []
    last: Piece | None = None
    for piece in sorted(pieces, key=lambda piece: (piece.base, piece.start)):
        if last is None or piece.base - last.base > _ROW * min(piece.size, last.size):
            rows.append([])
        rows[-1].append(piece)
        last = piece
    return rows


def _is_mark(piece: Piece, host: Piece) -> bool:
    """Whether a piece is small and stands beside its host, as a superscript does."""
    return _is_shifted(piece, host) and -OVERLAP / 2 <= _gap(piece, host) <= _ATTACHED


def _is_hanging_mark(piece: Piece, host: Piece) -> bool:
    """Whether a piece is the mark of a footnote or an address that is indented."""
    gap = (host.start - piece.end) / host.size
    return (
        _is_shifted(piece, host)
        and 0 < gap <= _LABEL_GAP
        and _MARK.fullmatch(piece.text) is not None
    )


def _is_beyond_sign(piece: Piece, host: Piece) -> bool:
    """Whether a piece is the mark of a name behind which a sign is drawn, as that of ORCID."""
    gap = (piece.start - host.end) / host.size
    return (
        _is_shifted(piece, host)
        and host.base > piece.base
        and _ATTACHED < gap <= _LABEL_GAP
        and host.text[-1:].isalpha()
        and _MARKS.fullmatch(piece.text) is not None
    )


def _is_shifted(piece: Piece, host: Piece) -> bool:
    raised = (host.base - piece.base) / host.size
    return piece.size <= _SMALLER * host.size and -_LOWERED <= raised <= _RAISED


def _is_uneven(piece: Piece, host: Piece) -> bool:
    """Whether a piece of about the same size stands beside its host, not quite level."""
    return (
        _SMALLER < piece.size / host.size < 1 / _SMALLER
        and -OVERLAP / 2 <= _gap(piece, host) <= CLOSE
        and abs(host.base - piece.base) <= _UNEVEN * host.size
    )


def _gap(piece: Piece, host: Piece) -> float:
    return max(piece.start - host.end, host.start - piece.end) / host.size


def _is_drop_cap(capital: Piece, piece: Piece) -> bool:
    if len(capital.text) > 2 or capital.size < _OTHER_SIZE * piece.size:
        return False
    tops = capital.base - _CAPITAL * capital.size, piece.base - _CAPITAL * piece.size
    gap = (piece.start - capital.end) / piece.size
    return abs(tops[0] - tops[1]) <= 0.4 * piece.size and -OVERLAP <= gap <= 1.0
