"""Sight: what all groups and attributes of a page are judged by."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Box, Page
from pagesight.page.columns import Array
from pagesight.page.derived import once_per_page
from pagesight.readers.records.joining import Joining
from pagesight.readers.records.pieces import Numbering, Pieces, divided, pieces_of
from pagesight.readers.zones.features import suggested_by
from pagesight.segment.nodes import (
    before,
    boxes,
    by_node,
    corners,
    depths,
    innermost_around,
    named,
    ordered_by_depth,
    run_sizes,
    run_starts,
)
from pagesight.segment.units import Units

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
N = TypeVar("N", int, NDArray[np.int64])
LEVELS_TO_LINK = 6  # above a text, in which its link is looked for
DEEPEST = 5  # levels of a record that are compared
PATH_BITS = 42  # of the number of a path of tags
_ODD, _BASE = 0x9E3779B97F4A7C15, 0xD1342543DE82EF95  # what numbers of texts are mixed with
_INVERSE = pow(_BASE, -1, 1 << 64)
_NOTHING = np.zeros(1, dtype=np.uint64)


class Listed(NamedTuple):
    """Lists by unit, which are quicker than arrays where units are looked at one by one."""

    inner: list[int]
    outer: list[int]
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
        self._attributes: dict[str, list[str]] = {}
        classes = self.attribute("class")
        self.tags = [page.strings[name] for name in page.columns["name"][self.units.node].tolist()]
        self.classes = [classes[node] for node in nodes]
        self.depth = depths(self.units.parent)
        self.corners = corners(self.units.content.box)
        width, height = page.info.size
        self.width, self.height = max(width, 1.0), max(height, 1.0)
        written = np.sort(pieces.size[pieces.characters > 0])
        self.font_size = float(written[len(written) // 2]) if len(written) else 16.0
        self.suggested: dict[int, int] = {}
        """By unit: what its names suggest as bits, as far as that was looked for."""

        self.sources: dict[int, str] = {}
        """By unit: where its picture comes from, as far as that was looked for."""

        self._suggested_around: dict[int, int] = {}
        """By node: what it and those around it suggest, as far as that was looked for."""

        self._texts: dict[int, str] = {}
        self._likeness: dict[bytes, Floats] = {}

    @cached_property
    def paths(self) -> NDArray[np.int64]:
        """By level and unit: a number for the tags from that many levels above to the unit."""
        names = self.units.page.columns["name"][self.units.node].astype(np.int64)
        levels = [np.zeros(len(names), dtype=np.int64)]
        for _ in range(DEEPEST):
            levels.append(
                (levels[-1][self.units.parent] * 0x9E3B1 + names + 1) & (1 << PATH_BITS) - 1
            )
        return np.stack(levels)

    def attribute(self, name: str) -> list[str]:
        """By node: an attribute, or nothing."""
        if name not in self._attributes:
            self._attributes[name] = by_node(self.units.page, name)
        return self._attributes[name]

    def box(self, unit: int) -> Box:
        """The box of what a unit shows."""
        return self._unit_boxes[unit]

    @cached_property
    def _unit_boxes(self) -> list[Box]:
        return list(map(Box._make, boxes(self.units.corners).tolist()))

    @cached_property
    def parents(self) -> list[int]:
        """By node: the one above."""
        return self.units.page.parents

    @cached_property
    def links(self) -> list[int]:
        """By unit: the link that it is, or that is not far around it; -1 if there is none."""
        page = self.units.page
        is_link, parent = named(page, {"a"}), page.columns["parent"]
        node, link = self.units.inner, np.full(len(self.units), -1)
        for _ in range(LEVELS_TO_LINK):
            link = np.where((link < 0) & (node >= 0) & is_link[node], node, link)
            node = np.where(node >= 0, parent[node], -1)
        return list(link.tolist())

    @cached_property
    def targets(self) -> list[str]:
        """By unit: where the link leads that it is, or that is not far around it."""
        address = self.attribute("href")
        return [address[link] if link >= 0 else "" for link in self.links]

    def around(self, units: Ints) -> Ints:
        """What the elements of units and those around them suggest, as bits of `zones.HINTS`."""
        return np.array([self._suggested(node) for node in self.units.inner[units].tolist()], int)

    def _suggested(self, node: int) -> int:
        known, chain = self._suggested_around, list[int]()
        while node >= 0 and node not in known:
            chain.append(node)
            node = self.parents[node]
        bits = known[node] if node >= 0 else 0
        for inner in reversed(chain):
            known[inner] = bits = bits | suggested_by(self.units.page, inner)
        return bits

    @cached_property
    def block(self) -> Ints:
        """By piece: the box that its line is in."""
        of_node = self.units.page.block_of
        return np.array([of_node[node] for node in self.units.content.nodes.tolist()], np.int64)

    @cached_property
    def in_block(self) -> Floats:
        """By piece: the characters of that box."""
        return np.bincount(self.block, self.pieces.characters)[self.block].astype(np.float64)

    @cached_property
    def style(self) -> Ints:
        """By piece: a number for its look."""
        size, bold = self.pieces.size.astype(np.int64), self.pieces.bold.astype(np.int64)
        return np.asarray((2 * size + bold) << 32 | self.pieces.color)

    @property
    def blocks(self) -> Floats:
        """By unit: how many boxes its texts are in."""
        return self._distinct[0]

    @property
    def styles(self) -> Floats:
        """By unit: how many looks its texts have."""
        return self._distinct[1]

    @cached_property
    def _distinct(self) -> list[Floats]:
        """By unit: how many boxes and how many looks its texts have; 1 where it is a single piece.

        What occurs again is taken back at the innermost unit around both: it is in exactly those
        units that hold both.
        """
        units, leaf = self.units, self.units.of_node[self.units.content.nodes]
        written = np.flatnonzero(self.pieces.characters > 0)
        pairs = []
        for values in (self.block[written], self.style[written]):
            order = np.argsort(values, kind="stable")
            ordered = values[order]
            again = np.flatnonzero(ordered[1:] == ordered[:-1])
            pairs.append(written[np.stack((order[again], order[again + 1]))])
        one, other = leaf[np.concatenate(pairs, axis=1)]
        by_depth = ordered_by_depth(self.depth)
        joint = innermost_around(units.parent, units.end, by_depth, one, other)
        texts = self.pieces.total("texts", units.first, units.last)
        several = units.last > units.first + 1
        distinct = []
        for some in divided(joint, [pair.shape[1] for pair in pairs]):
            taken = before(np.bincount(some, minlength=len(units)))
            distinct.append(np.where(several, texts - (taken[units.end] - taken[:-1]), 1.0))
        return distinct

    @cached_property
    def step(self) -> list[int]:
        """By unit: a number for its kind, and which it is of those beside it."""
        kind = np.array(self.kind, dtype=np.int64)
        beside = self.units.parent * len(kind) + kind  # equal for siblings of a kind
        order = np.argsort(beside, kind="stable")
        starts = run_starts(beside[order])
        rank = np.empty(len(kind), dtype=np.int64)
        rank[order] = np.arange(len(kind)) - np.repeat(starts, run_sizes(starts, len(kind))) + 1
        return list(self.step_of(kind, rank).tolist())

    @cached_property
    def kind(self) -> list[int]:
        """By unit: a number for its tag and its first class."""
        numbers = Numbering[tuple[str, str]]()
        return [numbers[kind] for kind in zip(self.tags, self.listed.token, strict=True)]

    def step_of(self, kind: N, rank: N) -> N:
        """The number of what is of a kind, and is one of several from 1 on."""
        return kind * (len(self.units) + 1) + rank

    @cached_property
    def listed(self) -> Listed:
        """What is asked of one unit after the other."""
        units, total = self.units, self.pieces.total
        first, last = units.first, units.last
        single = (last == first + 1) & (first < len(self.pieces.picture))
        picture = single.copy()
        picture[single] = self.pieces.picture[first[single]]
        return Listed(
            inner=units.inner.tolist(),
            outer=units.node.tolist(),
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
        """Left, top, right and bottom of runs of pieces, none of which is empty."""
        ends = np.stack((first, last), axis=1).ravel()
        if not len(ends):
            return np.zeros((0, 4))
        low, high = self._edges
        return np.concatenate((
            np.minimum.reduceat(low, ends, axis=1)[:, ::2],
            np.maximum.reduceat(high, ends, axis=1)[:, ::2],
        )).T  # fmt: skip

    @cached_property
    def _edges(self) -> tuple[Floats, Floats]:
        """Left and top of the pieces, and right and bottom; the last is around nothing."""
        edges = np.append(self.corners, [[np.inf, np.inf, -np.inf, -np.inf]], axis=0).T
        return np.ascontiguousarray(edges[:2]), np.ascontiguousarray(edges[2:])

    def text(self, unit: int) -> str:
        """What is written in a unit on one line: raised cents are behind a point."""
        first, last = self.listed.first[unit], self.listed.last[unit]
        if last == first + 1 and first not in self.cut_off:  # as most
            return self.pieces.texts[first]
        if unit not in self._texts:
            units = self.units
            end = int(units.page.end[units.node[unit]]) if self.cut_off else 0
            self._texts[unit] = self.joined(first, last, end)
        return self._texts[unit]

    @cached_property
    def _joining(self) -> Joining:
        return Joining(self.pieces, self.block, self.corners)

    def joined(self, first: int, last: int, end: int = 0) -> str:
        """What is written in a run of pieces; also what is cut off, up to the node `end`."""
        return self._joining.joined(first, last, end)

    def lines(self, first: int, last: int) -> list[tuple[int, str]]:
        """What is written in a run of pieces, box by box; each text with its first piece."""
        return self._joining.lines(first, last)

    @cached_property
    def cut_off(self) -> dict[int, list[int]]:
        """By piece: the texts behind it in the same box that are cut away."""
        return self._joining.cut_off

    def likeness(self, groups: Sequence[Ints]) -> list[Floats]:
        """How much each unit of a group has in common with what is usual in the group, in tags."""
        keys = [heads.tobytes() for heads in groups]
        new = {
            key: heads for key, heads in zip(keys, groups, strict=True) if key not in self._likeness
        }
        if new:
            self._likeness |= zip(new, self._compared(list(new.values())), strict=True)
        return [self._likeness[key] for key in keys]

    def _compared(self, groups: Sequence[Ints]) -> list[Floats]:
        """The likeness of groups that was not asked for before."""
        sizes = np.array([len(heads) for heads in groups])
        group, heads = np.repeat(np.arange(len(groups)), sizes), np.concatenate(groups)
        path_of, start = self._paths_below
        has = start[heads + 1] - start[heads]
        member = np.repeat(np.arange(len(heads)), has)
        path = path_of[np.arange(len(member)) + np.repeat(start[heads] - before(has)[:-1], has)]
        keys, at, counts = np.unique(
            path * len(groups) + group[member], return_inverse=True, return_counts=True
        )
        of_key = keys % len(groups)
        usual = 2 * counts >= sizes[of_key]
        has_usual = np.bincount(member, usual[at], len(heads))
        are_usual = np.bincount(of_key, usual, len(groups))
        all_of = has + are_usual[group] - has_usual
        return divided((has_usual + 0.5) / (all_of + 0.5), sizes.tolist())

    @cached_property
    def _paths_below(self) -> tuple[Ints, Ints]:
        """The paths of tags to what is in each unit, and by unit the first of its paths."""
        above, pairs = np.arange(len(self.units)), []
        for paths in self.paths[1:]:
            above = np.where(above >= 0, self.units.parent[above], -1)
            pairs.append((above << PATH_BITS | paths)[above >= 0])
        distinct = np.unique(np.concatenate(pairs))
        around, path = distinct >> PATH_BITS, distinct & (1 << PATH_BITS) - 1
        return path, np.searchsorted(around, np.arange(len(self.units) + 1))

    @cached_property
    def class_number(self) -> Ints:
        """By unit: a number for its class."""
        numbers = Numbering[str]()
        return np.array([numbers[known] for known in self.classes])

    @cached_property
    def count_below(self) -> Ints:
        """By unit: how many units are directly in it."""
        return np.bincount(self.units.parent[1:], minlength=len(self.units))

    @cached_property
    def elements_below(self) -> tuple[Ints, Ints]:
        """The elements in order of the unit they are directly in; and by unit, the first of its."""
        elements = np.flatnonzero([tag[0] != "#" for tag in self.tags])
        above = self.units.parent[elements]
        order = np.argsort(above, kind="stable")
        return elements[order], np.searchsorted(above[order], np.arange(len(self.units) + 1))

    @cached_property
    def _text_numbers(self) -> NDArray[np.uint64]:
        """By piece: a number for what is written in it, 0 if nothing is."""
        numbers = Numbering({"": 0})
        texts = [numbers[text] for text in self.pieces.texts]
        return np.array(texts, dtype=np.uint64) * _ODD

    @cached_property
    def _said(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64], Array]:
        """Sums over the pieces before each that tell what is written in a run of them.

        The number of the n-th text counts b ** n times, all modulo 2 ** 64: a run says what another
        says if its sum is b ** k times that of the other, k texts farther on.
        """
        numbers = self._text_numbers
        count = before(numbers > 0)
        powers, inverse = (
            np.cumprod(np.full(count[-1] + 1, base, dtype=np.uint64), dtype=np.uint64)
            for base in (_BASE, _INVERSE)
        )
        sums = np.cumsum(np.append(_NOTHING, numbers * powers[count[:-1]]))
        return sums, inverse, count

    def said(self, first: Ints, last: Ints) -> NDArray[np.uint64]:
        """A number for the texts of each run of pieces: the same for the same texts."""
        sums, inverse, count = self._said
        return (sums[last] - sums[first]) * inverse[count[first]]

    def begun(self, first: Ints, last: Ints) -> NDArray[np.uint64]:
        """A number for the first text of each run of pieces, 0 if there is none."""
        numbers = np.append(self._text_numbers, _NOTHING)
        written = np.append(np.flatnonzero(numbers), len(numbers) - 1)
        at = written[np.searchsorted(written, first)]
        return np.where(at < last, numbers[at], _NOTHING)


@once_per_page
def sight_of(page: Page) -> Sight:
    """What is seen of the units of a page."""
    return Sight(pieces_of(page))
