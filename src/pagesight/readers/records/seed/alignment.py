"""Partial tree alignment: the elements of many records in columns.

The largest tree is the seed. Each other tree is matched with it, and what has no match becomes part
of the seed, but only where its place is certain: between neighbours, or at an end. Trees with
elements left over wait until the seed has grown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise


@dataclass
class Aligned:
    """A node of a tree, or of several that are aligned."""

    code: str
    children: list[Aligned] = field(default_factory=list)
    places: dict[int, int] = field(default_factory=dict)
    """By tree: which node it is there."""

    def __len__(self) -> int:
        return 1 + sum(map(len, self.children))

    def leaves(self) -> Iterator[Aligned]:
        """The leaves in order: the columns of a table."""
        if not self.children:
            yield self
        for child in self.children:
            yield from child.leaves()


def partial_alignment(trees: Sequence[Aligned]) -> Aligned:
    """All trees in one; what could not be placed is not in it. Trees may become parts of it."""
    seed = max(trees, key=len)
    waiting = [tree for tree in trees if tree is not seed]
    grown = True
    while waiting and grown:
        size = len(seed)
        waiting = [tree for tree in waiting if not _merged(seed, tree)]
        grown = len(seed) > size
    return seed


def _merged(seed: Aligned, tree: Aligned) -> bool:
    """Add a tree to the seed; whether all of it has a place."""
    seed.places |= tree.places
    pairs = _pairs(seed, tree)
    whole = True
    for a, b in pairs:
        whole &= _merged(seed.children[a], tree.children[b])
    borders = [(-1, -1), *pairs, (len(seed.children), len(tree.children))]
    for (before, first), (behind, last) in reversed(list(pairwise(borders))):
        rest = tree.children[first + 1 : last]
        if rest and behind == before + 1:
            seed.children[behind:behind] = rest
        elif rest:
            whole = False
    return whole


def _pairs(one: Aligned, other: Aligned) -> list[tuple[int, int]]:
    """The children that match best, in order."""
    best: list[list[tuple[int, list[tuple[int, int]]]]] = [
        [(0, [])] * (len(other.children) + 1) for _ in range(len(one.children) + 1)
    ]
    for a, left in enumerate(one.children):
        for b, right in enumerate(other.children):
            count = matches(left, right)
            total, pairs = best[a][b]
            with_both = (total + count, [*pairs, (a, b)]) if count else (0, [])
            tried = (with_both, best[a][b + 1], best[a + 1][b])
            best[a + 1][b + 1] = max(tried, key=lambda way: way[0])
    return best[-1][-1][1]


def matches(one: Aligned, other: Aligned) -> int:
    """How many nodes of two trees match, the roots first."""
    if one.code != other.code:
        return 0
    pairs = _pairs(one, other)
    return 1 + sum(matches(one.children[a], other.children[b]) for a, b in pairs)
