"""The features of blocks, made bottom-up of those of elements, and of pairs of blocks.

Distances are compared with thresholds. Each answer is a feature with a weight of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.page.derived import once_per_page
from pagesight.readers.records.seed.elements import ElementType, Vision, steps, vision_of
from pagesight.readers.records.seed.shapes import Shapes, code_distance, compressed
from pagesight.readers.zones.features import HINTS, PARTS, hints, landmarks
from pagesight.segment.nodes import before

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
NEAR, FAIR = 0.2, 0.4  # distances of blocks that are alike, and of those that may be
PIXELS = 8  # of a step to the right in the shape of a block
SMALL = 12  # leaves of a block that may be a record
ALIGNED = 0.5  # of the elements: what an alignment has to have


class Likeness:
    """How much each zone is like its previous sibling, and which elements are aligned."""

    def __init__(self, vision: Vision) -> None:
        self.vision = vision
        tree = vision.tree
        kinds = np.full(len(tree), -1)
        kinds[vision.leaves] = vision.types
        self.shapes = Shapes()
        self.shape = self.shapes.of_tree(kinds.tolist(), vision.children)
        self.type_codes = [
            compressed(kinds[vision.leaves_of(zone)].tolist()) for zone in range(len(tree))
        ]
        self.shape_codes = [self._edges(zone) for zone in range(len(tree))]

    def _edges(self, zone: int) -> tuple[int, ...]:
        """How far from the left the elements of a block begin, in order."""
        box = self.vision.tree.box
        left = box[self.vision.leaves_of(zone), 0] - box[zone, 0]
        return compressed((left / PIXELS).astype(int).tolist())

    def between(self, one: int, other: int) -> tuple[float, float, float]:
        """The distances of two blocks: of trees, shapes and types."""
        return (
            self.shapes.tree_distance(self.shape[one], self.shape[other]),
            code_distance(self.shape_codes[one], self.shape_codes[other]),
            code_distance(self.type_codes[one], self.type_codes[other]),
        )

    def neighbours(self) -> Iterator[tuple[int, int]]:
        """All pairs of inner blocks that follow each other below the same block."""
        leaf = self.vision.tree.is_leaf
        for row in self.vision.children:
            inner = [zone for zone in row if not leaf[zone]]
            yield from pairwise(inner)

    @cached_property
    def distances(self) -> dict[tuple[int, int], tuple[float, float, float]]:
        return {pair: self.between(*pair) for pair in self.neighbours()}

    def aligned(self, one: int, other: int) -> Iterator[tuple[int, int]]:
        """The leaves of two blocks that are in the same place of matching trees."""
        if self.vision.tree.is_leaf[one]:
            yield one, other
            return
        left, right = self.vision.children[one], self.vision.children[other]
        for a, b in self.shapes.pairs(self.shape[one], self.shape[other]):
            yield from self.aligned(left[a], right[b])

    def alignment(self, one: int, other: int) -> list[list[int]]:
        """The aligned leaves by their ranks; none if most are not aligned."""
        rank, last = self.vision.rank, self.vision.last_rank
        if self.distances[one, other][0] == 1:
            return []
        pairs = [[int(rank[a]), int(rank[b])] for a, b in self.aligned(one, other)]
        leaves = last[[one, other]] - rank[[one, other]]
        return pairs if len(pairs) > ALIGNED * leaves.mean() else []

    @cached_property
    def repeated(self) -> Floats:
        """By leaf: whether it is aligned with one that shows the same, or with another."""
        vision, shown = self.vision, shown_in(self.vision)
        flags = np.zeros((len(vision.leaves), 2))
        for one, other in self.neighbours():
            for pair in self.alignment(one, other):
                flags[pair, int(shown[pair[0]] != shown[pair[1]])] = 1
        return flags


def shown_in(vision: Vision) -> list[str]:
    """What tells one element from another."""
    return [
        text.casefold() or picture or ""
        for text, picture in zip(vision.texts, vision.pictures, strict=True)
    ]


def block_features(vision: Vision, likeness: Likeness) -> Floats:
    """The features of all zones, those of their elements summed up; zones × features."""
    counts = _counts(vision)
    leaves = counts[:, 0]
    some = [steps(counts[:, at], (1, 2, 4)) for at in range(1, counts.shape[1])]
    shares = [steps(counts[:, at] / leaves, (0.3, 0.7)) for at in (1, 4)]
    return np.hstack((
        steps(leaves, (2, 3, 5, 8, 13, 25, 60)), *some, *shares, vision.geometry,
        _alike(vision, likeness), _parts(vision), _of_elements(vision), np.ones((len(leaves), 1)),
    ))  # fmt: skip


def _of_elements(vision: Vision) -> Floats:
    """Which features some of the elements of a block have, and which most have."""
    sums = np.vstack((np.zeros(vision.elements.shape[1]), np.cumsum(vision.elements, axis=0)))
    held = sums[vision.last_rank] - sums[vision.rank]
    leaves = (vision.last_rank - vision.rank)[:, None]
    small = leaves <= SMALL
    return np.hstack((small & (held > 0), 2 * held > leaves)).astype(np.float64)


def _counts(vision: Vision) -> Floats:
    """How many leaves each zone has, and how many of some kinds."""
    kinds, texts = np.array(vision.types), np.array([len(text) for text in vision.texts])
    pictures = (kinds >= ElementType.IMAGE) & (kinds <= ElementType.CODED_IMAGE)
    large = vision.tree.box[vision.leaves, 2:].min(axis=1) >= 60
    counted = (
        np.ones(len(kinds)), np.array([bool(link) for link in vision.links]), pictures & large,
        kinds == ElementType.DOLLAR_TEXT, texts > 40, kinds == ElementType.NOTE_TEXT,
    )  # fmt: skip
    sums = [before(flags.astype(np.int64)) for flags in counted]
    return np.column_stack([part[vision.last_rank] - part[vision.rank] for part in sums]) * 1.0


def _alike(vision: Vision, likeness: Likeness) -> Floats:
    """Whether a block is like the next one or the one before, by each distance."""
    nearest = np.ones((len(vision.tree), 3))
    for pair, distances in likeness.distances.items():
        for zone in pair:
            nearest[zone] = np.minimum(nearest[zone], distances)
    below = np.zeros((len(vision.tree), 2))  # of the zones inside, how many are alike
    parents = vision.tree.parent
    inner = np.flatnonzero(~vision.tree.is_leaf & (parents >= 0))
    np.add.at(below[:, 0], parents[inner], 1)
    np.add.at(below[:, 1], parents[inner], nearest[inner, 0] <= FAIR)
    share = below[:, 1] / np.maximum(below[:, 0], 1)
    near = nearest <= NEAR, nearest <= FAIR
    return np.hstack((*near, steps(share, (0.5, 0.9)), below > 2)).astype(np.float64)


def _parts(vision: Vision) -> Floats:
    """What the elements around a zone suggest."""
    nodes = np.array([element(vision, zone) for zone in range(len(vision.tree))])
    return around(vision.page, nodes)


def element(vision: Vision, zone: int) -> int:
    """The innermost element around a zone."""
    return vision.tree[zone].element.id


def around(page: Page, nodes: Ints) -> Floats:
    """Which words and landmarks nodes and those around them have."""
    bits = hints(page) | landmarks(page) << len(HINTS)
    total = bits.tolist()
    for node, above in enumerate(page.columns["parent"].tolist()):
        if above >= 0:
            total[node] |= total[above]
    held = np.array(total)[nodes]
    return np.asarray((held[:, None] >> np.arange(len(HINTS) + len(PARTS))) & 1, np.float64)


def sibling_features(vision: Vision, likeness: Likeness) -> Floats:
    """By zone: how it is like the sibling before it."""
    rows = np.zeros((len(vision.tree), 4))
    rows[:, 0] = 1
    parent = vision.tree.parent
    for (one, other), distances in likeness.distances.items():
        if parent[one] == parent[other] and vision.tree.end[one] == other:
            rows[other, 1:] = np.array(distances) <= (NEAR, NEAR, NEAR)
    return rows


@once_per_page
def likeness_of(page: Page) -> Likeness:
    return Likeness(vision_of(page))
