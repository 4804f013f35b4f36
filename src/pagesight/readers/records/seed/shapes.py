"""Ordered trees of codes: their edit distance, how well they match, and which leaves are aligned.

Equal trees are one shape, whose number is its index. The records of a list have few shapes, so that
each pair is compared once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

LARGEST = 400  # nodes of a tree; larger ones are as far apart as can be
DEEPER = 3  # levels by which trees differ that are not alike


class Shapes:
    """All shapes of the trees of a page."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[Hashable, tuple[int, ...]], int] = {}
        self.code: list[Hashable] = []
        self.children: list[tuple[int, ...]] = []
        self.size: list[int] = []
        self.depth: list[int] = []
        self._codes: list[Counter[Hashable]] = []
        self.distance = cache(self._distance)
        self.match = cache(self._match)

    def number(self, code: Hashable, children: tuple[int, ...] = ()) -> int:
        """The shape of a node with a code above trees of these shapes."""
        key = code, children
        if key not in self._numbers:
            self._numbers[key] = len(self.code)
            self.code.append(code)
            self.children.append(children)
            self.size.append(1 + sum(self.size[child] for child in children))
            self.depth.append(1 + max((self.depth[child] for child in children), default=0))
            self._codes.append(
                sum((self._codes[child] for child in children), Counter[Hashable]([code]))
            )
        return self._numbers[key]

    def of_tree(self, codes: Sequence[Hashable], children: Sequence[Sequence[int]]) -> list[int]:
        """The shapes of the subtrees of a tree in preorder."""
        shape = [0] * len(codes)
        for node in range(len(codes) - 1, -1, -1):
            shape[node] = self.number(codes[node], tuple(shape[child] for child in children[node]))
        return shape

    def tree_distance(self, one: int, other: int) -> float:
        """The edit distance by the size of the larger tree, 1 where it cannot be small."""
        larger = max(self.size[one], self.size[other])
        if one == other:
            return 0.0
        if larger > LARGEST or abs(self.depth[one] - self.depth[other]) >= DEEPER:
            return 1.0
        if 2 * min(self.size[one], self.size[other]) < larger:
            return 1.0
        return min(1.0, self.distance(one, other) / larger)

    def _distance(self, one: int, other: int) -> int:
        """How many nodes to insert, delete or rename, where only whole subtrees come and go."""
        if one == other:
            return 0
        below = sequence_distance(
            self.children[one], self.children[other], self.distance, self.size.__getitem__
        )
        return below + (self.code[one] != self.code[other])

    def likeness(self, one: int, other: int) -> float:
        """How many nodes match, of the mean of both sizes."""
        return self.match(one, other) / ((self.size[one] + self.size[other]) / 2)

    def most_alike(self, one: int, other: int) -> float:
        """A bound for `likeness`: by the codes, wherever they are."""
        shared = (self._codes[one] & self._codes[other]).total()
        return shared / ((self.size[one] + self.size[other]) / 2)

    def is_comparable(self, one: int, other: int) -> bool:
        """Whether two trees are small enough to be matched."""
        return self.size[one] * self.size[other] <= LARGEST**2

    def _match(self, one: int, other: int) -> int:
        """Simple tree matching: the largest number of nodes in the same order below equal ones."""
        if one == other:
            return self.size[one]
        if self.code[one] != self.code[other]:
            return 0
        return 1 + int(self._table(one, other)[-1, -1])

    def _table(self, one: int, other: int) -> NDArray[np.int64]:
        """The most that match of the first children of both, by how many these are."""
        left, right = self.children[one], self.children[other]
        table = np.zeros((len(left) + 1, len(right) + 1), np.int64)
        for row, a in enumerate(left, 1):
            for column, b in enumerate(right, 1):
                table[row, column] = max(
                    table[row - 1, column],
                    table[row, column - 1],
                    table[row - 1, column - 1] + self.match(a, b),
                )
        return table

    def pairs(self, one: int, other: int) -> list[tuple[int, int]]:
        """The children of two matched trees that match, by their positions, in order."""
        table = self._table(one, other)
        row, column = len(self.children[one]), len(self.children[other])
        pairs = []
        while row and column:
            if table[row, column] == table[row - 1, column]:
                row -= 1
            elif table[row, column] == table[row, column - 1]:
                column -= 1
            else:
                row, column = row - 1, column - 1
                pairs.append((row, column))
        return pairs[::-1]


def sequence_distance(
    one: Sequence[int],
    other: Sequence[int],
    change: Callable[[int, int], int],
    whole: Callable[[int], int],
) -> int:
    """The least cost of changing one sequence into another; `whole` is that of a single thing."""
    costs = [0]
    for b in other:
        costs.append(costs[-1] + whole(b))
    for a in one:
        diagonal, costs[0] = costs[0], costs[0] + whole(a)
        for at, b in enumerate(other, 1):
            best = min(diagonal + change(a, b), costs[at] + whole(a), costs[at - 1] + whole(b))
            diagonal, costs[at] = costs[at], best
    return costs[-1]


LONGEST = 60  # codes of a sequence that are compared


@lru_cache(1 << 16)
def code_distance(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """The edit distance of two sequences by the length of the longer one."""
    one, other = one[:LONGEST], other[:LONGEST]
    if one == other:
        return 0.0
    changes = sequence_distance(one, other, lambda a, b: int(a != b), lambda _: 1)
    return changes / max(len(one), len(other))


def compressed(codes: Sequence[int]) -> tuple[int, ...]:
    """Codes, each of several in a row once: 1, 1, 2, 1 becomes 1, 2, 1."""
    return tuple(code for at, code in enumerate(codes) if not at or code != codes[at - 1])
