"""VIPS, third step: pools become trees. Blocks merge across the lightest separators first.

Seen from the end: a block parts at its heaviest separators. So each pool is parted there, all pools
of a page at once, and the parts again, until every part is a single block.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pagesight.segment.vips_blocks import Blocks, Floats
from pagesight.segment.vips_content import Flags, Ids
from pagesight.segment.vips_rules import Verdicts
from pagesight.segment.vips_separators import SeparatorWeights, Strips, sweep

AS_HEAVY = 0.8  # of the heaviest: separators that part a block together with it
BACKDROP = 0.5  # of a group without separators: a larger item lies under the others
MOST_ROUNDS = 100  # a spiral of boxes gives up one box a round


@dataclass(frozen=True, eq=False)
class Structure:
    """The tree of kept blocks and merged blocks; arrays by block, the merged ones at the end."""

    parent: Ids
    rank: Ids  # among the siblings, in reading order
    weight: Floats  # of the heaviest separator inside; 0 where there is none


class _Growing:
    """A structure to which merged blocks are added."""

    def __init__(self, blocks: int) -> None:
        self.parent = [np.full(blocks, -1, dtype=np.int64)]
        self.rank = [np.zeros(blocks, dtype=np.int64)]
        self.weights: list[tuple[Ids, Floats]] = []
        self.size = blocks

    def place(self, blocks: Ids, parent: Ids, rank: Ids) -> None:
        """Put kept blocks below their parents."""
        self.parent[0][blocks] = parent
        self.rank[0][blocks] = rank

    def merge(self, parent: Ids, rank: Ids) -> Ids:
        """Merged blocks below their parents."""
        self.parent.append(parent)
        self.rank.append(rank)
        self.size += len(parent)
        return np.arange(self.size - len(parent), self.size)

    def weigh(self, blocks: Ids, weight: Floats) -> None:
        """Set what parts blocks."""
        self.weights.append((blocks, weight))

    def structure(self) -> Structure:
        weight = np.zeros(self.size)
        for blocks, heaviest in self.weights:
            weight[blocks] = heaviest
        return Structure(np.concatenate(self.parent), np.concatenate(self.rank), weight)


def structure_of(blocks: Blocks, verdicts: Verdicts, weights: SeparatorWeights) -> Structure:
    """Part all pools."""
    growing = _Growing(len(blocks.node))
    item = np.flatnonzero(verdicts.kept[1:]) + 1
    item = item[np.argsort(blocks.first[item], kind="stable")]  # in document order
    owner, group = np.unique(verdicts.pool[item], return_inverse=True)
    for _ in range(MOST_ROUNDS):
        if not len(item):
            break
        part, weight = _part(item, group, blocks.box[item], weights)
        growing.weigh(owner, weight)
        _, first, which, size = np.unique(
            part, return_index=True, return_inverse=True, return_counts=True
        )
        alone, several = size[which] == 1, size > 1
        growing.place(item[alone], owner[group[alone]], part[alone])
        owner = growing.merge(owner[group[first[several]]], part[first[several]])
        item, group = item[~alone], (np.cumsum(several) - 1)[which[~alone]]
    growing.place(item, owner[group], np.arange(len(item)))
    return growing.structure()


def _part(item: Ids, group: Ids, box: Floats, weights: SeparatorWeights) -> tuple[Ids, Floats]:
    """For each item the part that it is in; for each group the weight of what divides it."""
    rows, columns = sweep(group, box[:, 1], box[:, 3]), sweep(group, box[:, 0], box[:, 2])
    across, along = weights.horizontal(rows.of(item)), weights.vertical(columns.of(item))
    most_across = np.maximum.reduceat(across, np.flatnonzero(rows.starts))
    most_along = np.maximum.reduceat(along, np.flatnonzero(columns.starts))
    heaviest = np.maximum(most_across, most_along)
    by_rows = (most_across >= most_along)[group]
    beyond = len(item) + 1  # so that no number means two parts
    part = np.where(
        by_rows, _parts(rows, across, heaviest), beyond + _parts(columns, along, heaviest)
    )
    piled = heaviest < 0
    if piled.any():
        lifted = weights.lifted[item]
        part = np.where(piled[group], 2 * beyond + _unpile(group, box, lifted), part)
    return part, np.maximum(heaviest, 0)


def _parts(strips: Strips, weight: Floats, heaviest: Floats) -> Ids:
    """The part of each item when strips nearly as heavy as the heaviest of their group part it."""
    group = np.cumsum(strips.starts) - 1
    parts = strips.starts | ((weight >= 0) & (weight >= AS_HEAVY * heaviest[group]))
    part = np.empty(len(weight), dtype=np.int64)
    part[strips.order] = np.cumsum(parts)
    return part


def _unpile(group: Ids, box: Floats, lifted: Flags) -> Ids:
    """Parts of groups without separators: what lies over or under the others, and all the rest.

    Where nothing or everything does, each item is a part.
    """
    corner = np.full((group.max() + 1, 4), np.inf)
    np.minimum.at(corner, group, box * (1, 1, -1, -1))
    whole = (corner[:, 2:] + corner[:, :2]).prod(axis=1)
    apart = lifted | ((box[:, 2:] - box[:, :2]).prod(axis=1) > BACKDROP * whole[group])
    part = np.arange(len(group))
    rest = np.full(len(corner), len(group))
    np.minimum.at(rest, group[~apart], part[~apart])
    layered = np.zeros(len(corner), dtype=np.bool_)
    layered[group[apart]] = True
    return np.where(layered[group] & ~apart, rest[group], part)
