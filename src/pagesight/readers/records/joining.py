"""What is written in runs of pieces, on one line: raised cents are behind a point.

What separates two texts is told by these two, wherever a run begins. So the texts of a page are
joined once, and that of a run is a part of the whole; except what is seldom.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagesight.page import NodeKind, Visibility
from pagesight.readers.records.pieces import Pieces
from pagesight.segment.nodes import before, named

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
RAISED = 2.0  # px; cents that are so much higher or lower are set apart
SMALLER = 0.9  # of the font size: so are cents
NEAR = 0.5  # of the font size, between a number and its cents
_CENTS = re.compile(r"[.,](?:\d\d)?")
_AFTER_POINT = re.compile(r"\d\d(?!\d)")
_SIGNS = "$€£¥"
_POINTS = ".,"
_TELLING = _SIGNS + _POINTS  # what is at the end of texts, and tells how the next one goes on


class _Whole(NamedTuple):
    """The texts of a page as one."""

    text: str
    begins: list[int]
    """By piece: where its text begins, or else that of the next one with any."""

    ends: list[int]
    """By piece: where the texts in front of it end."""


class Joining:
    """The texts of the pieces of a page, and what is between them."""

    def __init__(self, pieces: Pieces, block: Ints, corners: Floats) -> None:
        self._pieces = pieces
        self._block = block
        """By piece: the box that its line is in."""

        self._corners = corners
        """By piece."""

        self._lines: dict[tuple[int, int], list[tuple[int, str]]] = {}

    def joined(self, first: int, last: int, end: int = 0) -> str:
        """What is written in a run of pieces; also what is cut off, up to the node `end`."""
        odd, cut, whole = self._odd, self._cut_before, self._whole
        if odd[first] == odd[last] and (not end or not cut or cut[first] == cut[last]):
            return whole.text[whole.begins[first] : whole.ends[last]]
        return self._joined_anew(first, last, end)

    def _joined_anew(self, first: int, last: int, end: int) -> str:
        text, last_written, cut_off = "", -1, self.cut_off
        for piece, string in enumerate(self._pieces.texts[first:last], first):
            if string:
                text += self._between(last_written, piece, text) + string if text else string
                last_written = piece
                if piece in cut_off:
                    text += self._rest(piece, end)
        return text

    def lines(self, first: int, last: int) -> list[tuple[int, str]]:
        """What is written in a run of pieces, box by box; each text with its first piece."""
        if (first, last) not in self._lines:
            block = self._blocks[first:last]
            starts = [at for at, own in enumerate(block) if not at or own != block[at - 1]]
            ends = zip(starts, [*starts[1:], len(block)], strict=True)
            self._lines[first, last] = [
                (first + start, self.joined(first + start, first + stop)) for start, stop in ends
            ]
        return self._lines[first, last]

    @cached_property
    def _blocks(self) -> list[int]:
        return list(self._block.tolist())

    @cached_property
    def _whole(self) -> _Whole:
        """All texts of the page, each with what separates it from the one before."""
        parts, begins, ends, at = list[str](), list[int](), [0], 0
        texts, glued = self._pieces.texts, self._glued
        earlier, end = -1, " "
        for piece, text in enumerate(texts):
            if text:
                seam = "" if glued[piece] and earlier == piece - 1 else " "
                if end in _TELLING or end.isdigit():
                    seam = self._between(earlier, piece, texts[earlier])
                at += len(seam)
                begins += [at] * (piece + 1 - len(begins))
                at += len(text)
                parts += (seam, text)
                earlier, end = piece, text[-1]
            ends.append(at)
        return _Whole("".join(parts), begins + [at] * (len(ends) - len(begins)), ends)

    @cached_property
    def _odd(self) -> list[int]:
        """How many pieces before each come after a lone point: what is before that tells more."""
        texts = self._pieces.texts
        odd, after_point = [], False
        for text in texts:
            odd.append(after_point and text != "")
            after_point = text in _POINTS if text else after_point
        return [0, *accumulate(odd)]

    @cached_property
    def _cut_before(self) -> list[int]:
        """How many texts before each piece are cut off; empty if none is."""
        cut_off = self.cut_off
        if not cut_off:
            return []
        return [0, *accumulate(piece in cut_off for piece in range(len(self._pieces.texts)))]

    def _rest(self, piece: int, end: int) -> str:
        """The rest of a line that begins with a piece, and is not seen for lack of room."""
        nodes = [node for node in self.cut_off[piece] if node < end]
        if not nodes:
            return ""
        page, content = self._pieces.units.page, self._pieces.units.content
        rest = "".join(page.strings[page.columns["text"][node]] for node in nodes)
        between = np.searchsorted(content.blanks, (content.nodes[piece], nodes[0]))
        apart = rest[0].isspace() or self._pieces.spaced[piece] or between[0] < between[1]
        return (" " if apart else "") + " ".join(rest.split())

    @cached_property
    def cut_off(self) -> dict[int, list[int]]:
        """By piece: the texts behind it in the same box that are cut away."""
        page, nodes = self._pieces.units.page, self._pieces.units.content.nodes
        columns, texts = page.columns, self._pieces.texts
        cut: dict[int, list[int]] = {}
        hidden = columns["visibility"] == Visibility.CLIPPED
        hidden &= columns["kind"] == NodeKind.TEXT
        for node in np.flatnonzero(hidden & (columns["text"] >= 0)).tolist():
            piece = int(np.searchsorted(nodes, node)) - 1
            if piece >= 0 and texts[piece] and page.block_of[node] == self._block[piece]:
                cut.setdefault(piece, []).append(node)
        return cut

    @cached_property
    def _glued(self) -> list[bool]:
        """By piece: whether nothing separates its text from the one before."""
        units, pieces = self._pieces.units, self._pieces
        page, nodes = units.page, units.content.nodes
        apart = named(page, {"br"})
        apart[units.content.blanks] = True
        marks = before(apart)[nodes]
        written = pieces.characters > 0
        glued = written & ~pieces.indented & ~page.set_apart[nodes]
        glued[1:] &= written[:-1] & ~pieces.spaced[:-1] & (marks[1:] == marks[:-1])
        glued[1:] &= self._block[1:] == self._block[:-1]
        glued[:1] = False
        return list(glued.tolist())

    def _between(self, piece: int, following: int, text: str) -> str:
        """What separates a text from the one before: a point if these are cents."""
        string, end = self._pieces.texts[following], text[-1]
        if end in _SIGNS and string[0].isdigit():
            return ""
        if end.isdigit():
            if _CENTS.fullmatch(string):
                return ""
            if len(string) == 2 and string.isdigit() and self._are_raised(piece, following):
                return "."
        if end in _POINTS and text[-2:-1].isdigit() and _AFTER_POINT.match(string):
            gap = self._corners[following, 0] - self._corners[piece, 2]
            return "" if 0 <= gap + 1 <= NEAR * self._pieces.size[piece] + 1 else " "
        return "" if piece == following - 1 and self._glued[following] else " "

    def _are_raised(self, piece: int, following: int) -> bool:
        """Whether cents are higher or lower than the number that they belong to, or smaller."""
        top, size = self._corners[:, 1], self._pieces.size
        smaller = size[following] < SMALLER * size[piece]
        return bool(smaller or abs(top[piece] - top[following]) > RAISED)
