"""Sight: what all groups and attributes of a page are judged by."""

from __future__ import annotations

import re
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagesight.page import NodeKind, Page, Visibility
from pagesight.page.derived import once_per_page
from pagesight.readers.records.pieces import Pieces, pieces_of
from pagesight.readers.zones.features import hints
from pagesight.segment.nodes import before, corners, depths, named, range_unions
from pagesight.segment.units import Units

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
DEEPEST = 5  # levels of a record that are compared
RAISED = 2.0  # px; cents that are so much higher or lower are set apart
SMALLER = 0.9  # of the font size: so are cents
NEAR = 0.5  # of the font size, between a number and its cents
_CENTS = re.compile(r"[.,](?:\d\d)?")
_AFTER_POINT = re.compile(r"\d\d(?!\d)")
_SIGNS = "$€£¥"


class Listed(NamedTuple):
    """Lists by unit, which are quicker than arrays where units are looked at one by one."""

    first: list[int]
    last: list[int]
    parent: list[int]
    characters: list[float]
    texts: list[float]
    picture: list[bool]
    """Whether it is a picture and nothing else."""

    style: list[int]
    """The look of what it begins with."""

    token: list[str]
    """Its first class."""


class Sight:
    """The units of a page and what is seen of them."""

    def __init__(self, pieces: Pieces) -> None:
        self.pieces = pieces
        self.units: Units = pieces.units
        page = self.units.page
        nodes = self.units.node.tolist()
        self.tags = [page.name(node) for node in nodes]
        self.classes = [page.attributes(node).get("class", "") for node in nodes]
        self.depth = depths(self.units.parent)
        self.corners = corners(self.units.content.box)
        width, height = page.info.size
        self.width, self.height = max(width, 1.0), max(height, 1.0)
        written = np.sort(pieces.size[pieces.characters > 0])
        self.font_size = float(written[len(written) // 2]) if len(written) else 16.0
        self.links: dict[int, int] = {}
        """By unit: the link around it, as far as it was looked for."""

        self.suggested: dict[int, tuple[float, ...]] = {}
        """By unit: what its names suggest, as far as that was looked for."""

        self._texts: dict[int, str] = {}
        self._lines: dict[tuple[int, int], list[tuple[int, str]]] = {}
        self._boxes: dict[bytes, Floats] = {}
        self._likeness: dict[bytes, Floats] = {}

    @cached_property
    def paths(self) -> NDArray[np.int64]:
        """By level and unit: a number for the tags from that many levels above to the unit."""
        names = self.units.page.columns["name"][self.units.node].astype(np.int64)
        levels = [np.zeros(len(names), dtype=np.int64)]
        for _ in range(DEEPEST):
            levels.append((levels[-1][self.units.parent] * 0x9E3B1 + names + 1) & 0x3FFFFFFFFFF)
        return np.stack(levels)

    @cached_property
    def around(self) -> Ints:
        """By unit: what its elements and those around it suggest, as bits of `zones.HINTS`."""
        page = self.units.page
        bits = hints(page).tolist()
        total: list[int] = []
        for node, above in enumerate(page.columns["parent"].tolist()):
            total.append(bits[node] | (total[above] if above >= 0 else 0))
        return np.array(total, dtype=np.int64)[self.units.inner]

    @cached_property
    def block(self) -> Ints:
        """By piece: the box that its line is in."""
        return np.array(self.units.page.block_of, dtype=np.int64)[self.units.content.nodes]

    @cached_property
    def in_block(self) -> Floats:
        """By piece: the characters of that box."""
        _, at = np.unique(self.block, return_inverse=True)
        return np.bincount(at, self.pieces.characters)[at].astype(np.float64)

    @cached_property
    def style(self) -> Ints:
        """By piece: a number for its look."""
        size, bold = self.pieces.size.astype(np.int64), self.pieces.bold.astype(np.int64)
        looks = np.stack((size, bold, self.pieces.color))
        return np.unique(looks, axis=1, return_inverse=True)[1].ravel()

    @cached_property
    def listed(self) -> Listed:
        """What is asked of one unit after the other."""
        units, total = self.units, self.pieces.total
        first, last = units.first, units.last
        single = (last == first + 1) & (first < len(self.pieces.picture))
        picture = single.copy()
        picture[single] = self.pieces.picture[first[single]]
        return Listed(
            first=first.tolist(),
            last=last.tolist(),
            parent=units.parent.tolist(),
            characters=total("characters", first, last).tolist(),
            texts=total("texts", first, last).tolist(),
            picture=picture.tolist(),
            style=np.append(self.style, -1)[first].tolist(),
            token=[known.split(" ", 1)[0] for known in self.classes],
        )

    def boxes(self, first: Ints, last: Ints) -> Floats:
        """Left, top, right and bottom of runs of pieces."""
        key = first.tobytes() + last.tobytes()
        if key not in self._boxes:
            self._boxes[key] = range_unions(self.corners, first, last)
        return self._boxes[key]

    def text(self, unit: int) -> str:
        """What is written in a unit on one line: raised cents are behind a point."""
        if unit not in self._texts:
            units = self.units
            first, last = int(units.first[unit]), int(units.last[unit])
            end = int(units.page.end[units.node[unit]])
            self._texts[unit] = self.joined(first, last, end)
        return self._texts[unit]

    def joined(self, first: int, last: int, end: int = 0) -> str:
        """What is written in a run of pieces; also what is cut off, up to the node `end`."""
        text, last_written = "", -1
        for piece in range(first, last):
            string = self.pieces.texts[piece]
            if string:
                text += self._between(last_written, piece, text) + string
                last_written = piece
                if piece in self.cut_off:
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
        return list(self.block.tolist())

    def _rest(self, piece: int, end: int) -> str:
        """The rest of a line that begins with a piece, and is not seen for lack of room."""
        nodes = [node for node in self.cut_off[piece] if node < end]
        if not nodes:
            return ""
        page, content = self.units.page, self.units.content
        rest = "".join(page.strings[page.columns["text"][node]] for node in nodes)
        between = np.searchsorted(content.blanks, (content.nodes[piece], nodes[0]))
        apart = rest[0].isspace() or self.pieces.spaced[piece] or between[0] < between[1]
        return (" " if apart else "") + " ".join(rest.split())

    @cached_property
    def cut_off(self) -> dict[int, list[int]]:
        """By piece: the texts behind it in the same box that are cut away."""
        page, nodes = self.units.page, self.units.content.nodes
        columns, blocks = page.columns, page.block_of
        cut: dict[int, list[int]] = {}
        hidden = (columns["visibility"] == Visibility.CLIPPED) & (columns["kind"] == NodeKind.TEXT)
        for node in np.flatnonzero(hidden & (columns["text"] >= 0)).tolist():
            piece = int(np.searchsorted(nodes, node)) - 1
            if piece >= 0 and self.pieces.texts[piece] and blocks[node] == self.block[piece]:
                cut.setdefault(piece, []).append(node)
        return cut

    @cached_property
    def _glued(self) -> list[bool]:
        """By piece: whether nothing separates its text from the one before."""
        page, nodes, pieces = self.units.page, self.units.content.nodes, self.pieces
        apart = np.sort(
            np.concatenate((self.units.content.blanks, np.flatnonzero(named(page, {"br"}))))
        )
        marks = np.searchsorted(apart, nodes)
        written = pieces.characters > 0
        glued = written & ~pieces.indented & ~page.set_apart[nodes]
        glued[1:] &= written[:-1] & ~pieces.spaced[:-1] & (marks[1:] == marks[:-1])
        glued[1:] &= self.block[1:] == self.block[:-1]
        glued[:1] = False
        return list(glued.tolist())

    def _between(self, piece: int, following: int, text: str) -> str:
        """What separates a text from the one before: a point if these are cents."""
        string = self.pieces.texts[following]
        if not text or (text[-1] in _SIGNS and string[0].isdigit()):
            return ""
        if text[-1].isdigit() and _CENTS.fullmatch(string):
            return ""
        if text[-1] in ".," and text[-2:-1].isdigit() and _AFTER_POINT.match(string):
            gap = self.corners[following, 0] - self.corners[piece, 2]
            return "" if 0 <= gap + 1 <= NEAR * self.pieces.size[piece] + 1 else " "
        if text[-1].isdigit() and len(string) == 2 and string.isdigit():
            top, size = self.corners[:, 1], self.pieces.size
            if size[following] < SMALLER * size[piece] or abs(top[piece] - top[following]) > RAISED:
                return "."
        return "" if piece == following - 1 and self._glued[following] else " "

    def likeness(self, heads: Ints) -> Floats:
        """How much each of these units has in common with what is usual among them, in tags."""
        key = heads.tobytes()
        if key not in self._likeness:
            self._likeness[key] = self._compared(heads)
        return self._likeness[key]

    def _compared(self, heads: Ints) -> Floats:
        member, path = self._paths_below(heads)
        if not len(path):
            return np.ones(len(heads))
        _, at, counts = np.unique(path, return_inverse=True, return_counts=True)
        usual = counts * 2 >= len(heads)
        has = np.bincount(member, minlength=len(heads))
        has_usual = np.bincount(member[usual[at]], minlength=len(heads))
        all_of = has + int(usual.sum()) - has_usual
        return np.asarray((has_usual + 0.5) / (all_of + 0.5))

    def _paths_below(self, heads: Ints) -> tuple[Ints, Ints]:
        """Which paths of tags lead to what is in each of these units: pairs of member and path."""
        sizes = self.units.end[heads].astype(np.int64) - heads - 1
        member = np.repeat(np.arange(len(heads)), sizes)
        unit = np.arange(len(member)) - np.repeat(before(sizes)[:-1], sizes) + heads[member] + 1
        level = self.depth[unit] - self.depth[heads[member]]
        shallow = level <= DEEPEST
        path = self.paths[level[shallow], unit[shallow]]
        if not len(path):
            return path, path
        keys = np.unique(path * len(heads) + member[shallow])
        return keys % len(heads), keys // len(heads)


def median(values: Floats) -> float:
    """The value in the middle, in a fraction of the time that numpy takes for few values."""
    ordered = np.sort(values)
    half = len(ordered) // 2
    return float(ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2)


@once_per_page
def sight_of(page: Page) -> Sight:
    """What is seen of the units of a page."""
    return Sight(pieces_of(page))
