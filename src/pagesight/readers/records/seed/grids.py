"""Attributes of records that were found before: 2D CRF, and 2D CRF_G with global features."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pagesight.models.grid import Grid, GridWeights, LabelledGrid, decode, train
from pagesight.readers.records.seed.depta import Depta
from pagesight.readers.records.seed.features import shown_in
from pagesight.readers.records.seed.labels import LabelSpace, shown_by
from pagesight.readers.records.seed.methods import (
    PENALTY,
    STEPS,
    Found,
    SeedPage,
    Value,
    space_of,
    taught,
)
from pagesight.segment.units import units_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Records = Sequence[frozenset[int]]
WIDEST = 3  # elements side by side
PIXELS = 16  # elements of records that are so near to each other are at the same place


def depta_records(page: SeedPage) -> list[frozenset[int]]:
    """The records that DEPTA finds, as leaves of the vision tree; none of them in two."""
    records: list[frozenset[int]] = []
    taken: set[int] = set()
    for units in Depta(page.page).records():
        nodes = units_of(page.page).node[list(units)].tolist()
        leaves = frozenset().union(*(shown_by(page.vision, node) for node in nodes)) - taken
        if leaves:
            records.append(leaves)
            taken |= leaves
    return records


def grid_of(box: Floats) -> tuple[Ints, Ints]:
    """Rows and columns of boxes: what begins above the middle of the last row's first is in it.

    Rows of more than `WIDEST` go on below, since sums over wide grids take long.
    """
    row = np.zeros(len(box), np.int64)
    bottom, number = -np.inf, -1
    for at in np.lexsort((box[:, 0], box[:, 1])).tolist():
        _, y, _, height = box[at]
        if y + height / 2 > bottom:
            bottom, number = y + height, number + 1
        row[at] = number
    place = _from_left(box, row)
    return row * len(box) + place // WIDEST, place % WIDEST


def _from_left(box: Floats, row: Ints) -> Ints:
    """The place of each box in its row."""
    order = np.lexsort((box[:, 0], row))
    column = np.empty_like(row)
    column[order] = np.arange(len(row)) - np.searchsorted(row[order], row[order])
    return column


@dataclass
class Gridded:
    """Finds records by another method and labels their elements in a grid."""

    find: Callable[[SeedPage], Records]
    shared: bool = False
    steps: int = STEPS
    space: LabelSpace | None = None
    weights: GridWeights | None = None

    def learn(self, pages: Sequence[SeedPage]) -> None:
        self.space = space = space_of(pages)
        examples = []
        for page in pages:
            allowed = space.allowed(page.vision, page.marked)[:, : len(space.leaf)]
            records = page.marked.records
            grids = self._grids(page, records)
            for grid, leaves in (grids[at] for at in taught(len(records)).tolist()):
                examples.append(LabelledGrid(grid, allowed[leaves]))
        self.weights = train(examples, penalty=PENALTY, steps=self.steps)

    def read(self, page: SeedPage) -> Found:
        assert self.space
        assert self.weights
        records = list(self.find(page))
        grids = self._grids(page, records)
        labels = decode(self.weights, [grid for grid, _ in grids])
        names = self.space.attributes
        values = {
            leaf: Value(names[label], 1.0)
            for (_, leaves), chosen in zip(grids, labels, strict=True)
            for leaf, label in zip(leaves.tolist(), chosen.tolist(), strict=True)
            if label < len(names)
        }
        return Found(records, values)

    def _grids(self, page: SeedPage, records: Records) -> list[tuple[Grid, Ints]]:
        repeated = repeated_in(page, records) if self.shared else None
        features = page.elements(repeated)
        grids = []
        for record in records:
            leaves = np.array(sorted(record))
            row, column = grid_of(page.vision.tree.box[leaves].astype(np.float64))
            grids.append((Grid(features[page.vision.rank[leaves]], row, column), leaves))
        return grids


def repeated_in(page: SeedPage, records: Records) -> Floats:
    """By leaf: whether another record shows the same at the same place, or something else."""
    vision, shown = page.vision, shown_in(page.vision)
    places: dict[tuple[int, int], list[int]] = defaultdict(list)
    for record in records:
        leaves = np.array(sorted(record))
        box = vision.tree.box[leaves]
        offset = ((box[:, :2] - box[:, :2].min(axis=0)) / PIXELS).astype(int)
        for leaf, (x, y) in zip(leaves.tolist(), offset.tolist(), strict=True):
            places[x, y].append(int(vision.rank[leaf]))
    flags = np.zeros((len(vision.leaves), 2))
    for ranks in places.values():
        for one, other in pairwise(ranks):
            flags[[one, other], int(shown[one] != shown[other])] = 1
    return flags
