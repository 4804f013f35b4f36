"""The slot of a part: where it was among what was beside it, from the root of the page down.

As long as the design holds, a part whose content is all new is still known by its slot: what was
before it and after it is so today, and one element is between them that was not elsewhere. Where
nothing is between them, the part is gone. Elements side by side are brought in line with those of
another day, level by level; all ways to do so count, each as much as it is likely.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from pagesight.page import NodeKind, Page
from pagesight.page.derived import once_per_page
from pagesight.watch.components.sight import Sight, sight_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes = NDArray[np.uint8]

SKETCHED = ("section", "shape")
"""The kinds of tokens of which something is kept: those that stay when content changes."""

KEPT = 16  # bytes of a sketch
CHILDREN = 8  # whose tags are compared
KNOWN = 25  # elements of a row that are known
MOST_BESIDE = 80  # elements side by side that are looked at
LEAST_CHANCE = 0.01  # of an element that is followed
LITTLE = 0.01  # that a level counts where nothing is lost
BEAM = 4  # elements on a level that are followed
NOTHING = 2**32  # more than any digest
DIGITS = 3
LARGEST = 100.0  # logarithm of a size
NEAR = 0.2  # difference of logarithms of sizes that means nothing
CERTAIN = 12.0  # the largest evidence, as log odds

# Weights of evidence that two elements are the same, in the units of log odds.
BASE, SIZE = -0.5, -1.5
SAID = np.array([-2.0, 3.0, 2.0, 1.0, 1.0])  # another tag; the same opening, heading, link, tags
SHARED = np.array([4.0, 2.0])  # of what is sketched, all the same


@dataclass(frozen=True, eq=False)
class Row:
    """Elements side by side, as far as they are compared."""

    said: Ints
    """Digests of tag, first text, heading, first link, and the tags of its children: (n, 5)."""

    size: Floats
    sketch: Bytes
    """What each holds, (n, kinds of tokens, kept): as many bytes are the same as tokens are.

    The tokens of a kind are dealt out to the bytes; the smallest of their digests stands there,
    or 0 where there is none.
    """

    @cached_property
    def key(self) -> bytes:
        """Equal for equal rows."""
        return b"".join(part.tobytes() for part in (self.said, self.size, self.sketch))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Row) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def to_json(self) -> list[list[Any]]:
        """An entry for each element."""
        columns = (
            self.said.tolist(),
            self.size.tolist(),
            (row.tobytes().hex() for row in self.sketch),
        )
        return [[*said, size, sketch] for said, size, sketch in zip(*columns, strict=True)]

    @classmethod
    def from_json(cls, entries: Sequence[Sequence[Any]]) -> Row:
        """What `to_json` made; raises `TypeError` or `ValueError` for anything else."""
        *said, sizes, sketch = zip(*entries, strict=True)
        shape = len(entries), len(SKETCHED), KEPT
        digests = np.array(said, dtype=np.int64).T
        if digests.shape != (len(entries), len(SAID)) or len(entries) > KNOWN:
            raise ValueError("a row of elements is not complete")
        size = np.array(sizes, dtype=np.float64)
        if not (np.abs(size) <= LARGEST).all():  # NaN is not, either
            raise ValueError("a number is out of range")
        sketches = np.frombuffer(b"".join(map(bytes.fromhex, sketch)), dtype=np.uint8)
        return cls(digests, size, sketches.reshape(shape))


@dataclass(frozen=True)
class Level:
    """A row that was around a part, and which of it the part was in."""

    row: Row
    at: int

    def __post_init__(self) -> None:
        if not 0 <= self.at < len(self.row.size):
            raise ValueError("a part is beside its row")


@dataclass(frozen=True)
class Slot:
    """Where the slot of a part probably is; nothing known is nothing left."""

    chance: Mapping[int, float] = field(default_factory=dict)
    """By unit; what is missing to 1 was lost on the way, or the slot is gone."""

    gone: float = 1.0
    kept: float = 0.0
    """How much of what was beside it is still there, above all where it was lost."""


class InLine(NamedTuple):
    """A row of another day, brought in line with one of today; by element of the former."""

    chances: Floats
    """How probable it is of each element of today (second axis) that it is the same one."""

    none: Floats
    """And of none of them."""

    kept: Floats
    """How many of the others are probably still there."""


class Rows:
    """The rows of a page."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        page = sight.page
        holds = ~np.isin(page.columns["kind"], (NodeKind.TEXT, NodeKind.PSEUDO))
        nodes = np.flatnonzero((sight.units.of_node >= 0) & holds)
        parent = page.columns["parent"][nodes]
        order = np.argsort(parent, kind="stable")
        self._nodes = nodes[order]
        self._first = np.searchsorted(parent[order], np.arange(len(page) + 1))
        self._rows: dict[tuple[int, int, int], Row] = {}
        self._said: dict[int, list[int]] = {}
        self._sketches: dict[int, Bytes] = {}
        self._in_line: dict[tuple[Row, int], InLine] = {}

    def children(self, node: int) -> Ints:
        """The elements directly inside of one that show something."""
        return self._nodes[self._first[node] : self._first[node + 1]][:MOST_BESIDE]

    def levels(self, unit: int) -> tuple[Level, ...]:
        """The rows around a unit, from the root down; none if it is far down a long one."""
        node, levels = self.sight.node(unit), list[Level]()
        parent = self.sight.page.columns["parent"]
        while (above := int(parent[node])) >= 0:
            beside = self.children(above)
            at = int(np.searchsorted(beside, node))
            if at == len(beside):
                return ()
            first = max(0, min(at - KNOWN // 2, len(beside) - KNOWN))
            levels.append(Level(self._row(above, first, KNOWN), at - first))
            node = above
        return tuple(levels[::-1])

    def in_line(self, row: Row, node: int) -> InLine:
        """A row of another day, brought in line with the elements inside of one."""
        if (row, node) not in self._in_line:
            today = self._row(node, 0, MOST_BESIDE)
            self._in_line[row, node] = in_line(np.exp(evidence_of_pairs(row, today)))
        return self._in_line[row, node]

    def _row(self, above: int, first: int, most: int) -> Row:
        """Some of the elements directly inside of one, as they are compared."""
        nodes = self.children(above)[first : first + most]
        key = above, first, len(nodes)
        if key not in self._rows:
            units = self.sight.units.of_node[nodes]
            pairs = list(zip(nodes.tolist(), units.tolist(), strict=True))
            said = [self._digests(node, unit) for node, unit in pairs]
            sketches = [self._sketch(unit) for _, unit in pairs]
            self._rows[key] = Row(
                np.array(said, dtype=np.int64).reshape(-1, len(SAID)),
                np.asarray(np.round(np.log1p(self.sight.shown[units]), DIGITS), np.float64),
                np.array(sketches, dtype=np.uint8).reshape(-1, len(SKETCHED), KEPT),
            )
        return self._rows[key]

    def _digests(self, node: int, unit: int) -> list[int]:
        if unit not in self._said:
            opening, heading = self.sight.first_said(unit)
            said = opening.text, heading.text, self.sight.first_link(unit)
            self._said[unit] = [*map(digest, said)]
        page = self.sight.page
        tags = [page.name(child) for child in self.children(node)[:CHILDREN].tolist()]
        return [digest(page.name(node)), *self._said[unit], digest(" ".join(tags))]

    def _sketch(self, unit: int) -> Bytes:
        if unit not in self._sketches:
            nodes, cells, digests = self._digested
            node = int(self.sight.units.node[unit])
            first, last = np.searchsorted(nodes, (node, int(self.sight.page.end[node])))
            smallest = np.full(len(SKETCHED) * KEPT, NOTHING)
            np.minimum.at(smallest, cells[first:last], digests[first:last])
            smallest = np.where(smallest < NOTHING, 1 + smallest % 255, 0)
            self._sketches[unit] = smallest.astype(np.uint8)
        return self._sketches[unit]

    @cached_property
    def _digested(self) -> tuple[Ints, Ints, Ints]:
        """The occurrences of tokens in the order of the page, the cell of each, and its digest."""
        nodes, cells, digests = list[Ints](), list[Ints](), list[Ints]()
        for at, kind in enumerate(SKETCHED):
            tokens = self.sight.tokens[kind]
            of_token = _digests(tokens.strings)
            nodes.append(tokens.node)
            cells.append((at * KEPT + of_token % KEPT)[tokens.token])
            digests.append((of_token // KEPT)[tokens.token])
        node = np.concatenate(nodes)
        order = np.argsort(node, kind="stable")
        return node[order], np.concatenate(cells)[order], np.concatenate(digests)[order]


def digest(text: str) -> int:
    """A number for a text; 0 for none."""
    return crc32(text.encode(errors="replace")) if text else 0


def _digests(strings: Sequence[str]) -> Ints:
    return _mixed(np.array([digest(string) for string in strings] or [0], dtype=np.uint64))


def _mixed(digests: NDArray[np.uint64]) -> Ints:
    """Digests whose order says nothing of what they are made of."""
    return np.asarray((digests * 2654435761 % 2**32).astype(np.int64))


@once_per_page
def rows_of(page: Page) -> Rows:
    """The rows of a page."""
    return Rows(sight_of(page))


def slot_on(sight: Sight, levels: Sequence[Level]) -> Slot:
    """Where the slot is whose levels are known."""
    if not levels:
        return Slot()
    rows = rows_of(sight.page)
    followed, gone = {0: 1.0}, 0.0
    kept, counted = 0.0, LITTLE
    for level in levels:
        reached: dict[int, float] = {}
        for node, chance in followed.items():
            found = rows.in_line(level.row, node)
            none = float(found.none[level.at])
            gone += chance * none
            if len(level.row.size) > 1:
                weight = chance * (none + LITTLE)
                kept, counted = kept + weight * float(found.kept[level.at]), counted + weight
            chances, children = chance * found.chances[level.at], rows.children(node)
            for at in np.flatnonzero(chances >= LEAST_CHANCE).tolist():
                reached[int(children[at])] = float(chances[at])
        followed = dict(sorted(reached.items(), key=lambda pair: (-pair[1], pair[0]))[:BEAM])
    chance_of: dict[int, float] = {}
    for node, chance in followed.items():
        unit = int(sight.units.of_node[node])
        chance_of[unit] = chance_of.get(unit, 0.0) + chance
    return Slot(chance_of, gone, kept / counted)


def in_line(odds: Floats) -> InLine:
    """A row brought in line with another one.

    `odds` are those that an element of the one (first axis) is the same as one of the other.
    Elements keep their order. A way to pair some of them is as likely as the product of the odds
    of its pairs, and all ways count.
    """
    before, after = _ways(odds), _ways(odds[::-1, ::-1])[::-1, ::-1]
    chances = before[:-1, :-1] * odds * after[1:, 1:] / before[-1, -1]
    none = np.maximum(1 - chances.sum(axis=1), 0)
    best = odds.max(axis=1, initial=0.0)
    still = best / (1 + best)
    return InLine(chances, none, (still.sum() - still) / max(len(odds) - 1, 1))


def _ways(odds: Floats) -> Floats:
    """The sum over all ways to pair the first of two rows, by how many of the one and the other."""
    ways = np.ones((len(odds) + 1, odds.shape[1] + 1))
    for at, pairs in enumerate(odds):
        ways[at + 1] = ways[at]
        ways[at + 1, 1:] += np.cumsum(ways[at, :-1] * pairs)
    return ways


def evidence_of_pairs(one: Row, other: Row) -> Floats:
    """For each two of two rows: the log odds that they are the same."""
    said = one.said[:, None]
    same = (said == other.said) & (said != 0)
    same[..., 0] = ~same[..., 0]
    apart = np.abs(one.size[:, None] - other.size) - NEAR
    sketch = one.sketch[:, None]
    known = (sketch | other.sketch) != 0
    agree = ((sketch == other.sketch) & known).sum(axis=3)
    alike = agree / np.maximum(known.sum(axis=3), 1)
    evidence = BASE + same @ SAID + SIZE * np.maximum(apart, 0) + alike @ SHARED
    return np.asarray(np.clip(evidence, -CERTAIN, CERTAIN))
