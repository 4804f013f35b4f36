"""Two-dimensional conditional random fields: labels of things in the cells of a grid.

After Zhu, Nie, Wen, Zhang and Ma (ICML 2005). Each label depends on the features of its cell and on
the labels of the cells beside, above and below; cells may be empty. A labelling scores the sum over
all cells of ``features @ vertex``, of ``right[y, z]`` for cells side by side, and of ``down[y, z]``
for a cell and the one below.

Sums are exact. Cells are taken row by row, and a table holds the sums for all labels of the last
row of cells, the frontier: K labels and a width of W make K ** W entries. So the narrower side of a
grid is taken as its width, and one that is wider than `widest(K)` is divided into strips that
know nothing of each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Allowed = NDArray[np.bool_]
Flags = NDArray[np.bool_]

FRONTIER = 20_000  # entries of a table
BATCH = 4_000_000  # entries of all tables that are held at once


@dataclass(frozen=True, slots=True)
class GridWeights:
    """The parameters of a field with F features and K labels."""

    vertex: Floats  # F × K
    right: Floats  # K × K, from a cell to the one on its right
    down: Floats  # K × K, from a cell to the one below

    def to_vector(self) -> Floats:
        """All parameters in one row."""
        return np.concatenate([getattr(self, part.name).ravel() for part in fields(self)])

    @classmethod
    def from_vector(cls, vector: Floats, features: int, labels: int) -> GridWeights:
        """The parameters that `to_vector` put in one row."""
        vertex, right, down = np.split(vector, features * labels + np.array([0, labels**2]))
        return cls(
            vertex.reshape(features, labels),
            right.reshape(labels, labels),
            down.reshape(labels, labels),
        )


@dataclass(frozen=True, eq=False)
class Grid:
    """Things in the cells of a grid, no two in one."""

    features: NDArray[Any]  # things × F
    row: Ints
    column: Ints


@dataclass(frozen=True, eq=False)
class LabelledGrid:
    """A grid, and for each thing which labels it may have (things × K)."""

    grid: Grid
    allowed: Allowed


class _Strip(NamedTuple):
    """A part of a grid that is narrow enough."""

    things: Ints
    cell: Ints  # of each thing, row by row
    length: int  # in rows
    width: int
    turned: bool  # rows are columns


def widest(labels: int) -> int:
    """How many cells a strip may have side by side."""
    return max(2, int(np.log(FRONTIER) / np.log(max(labels, 2))))


def _strips(grid: Grid, labels: int) -> Iterator[_Strip]:
    """A grid, without empty rows and columns, in strips along its longer side."""
    turned = len(np.unique(grid.column)) > len(np.unique(grid.row))
    along, across = (grid.column, grid.row) if turned else (grid.row, grid.column)
    along, across = (np.unique(part, return_inverse=True)[1] for part in (along, across))
    for number in range(int(across.max(initial=-1)) // widest(labels) + 1):
        things = np.flatnonzero(across // widest(labels) == number)
        rows, columns = along[things], across[things] % widest(labels)
        width = max(2, int(columns.max()) + 1)
        yield _Strip(things, rows * width + columns, int(rows.max()) + 1, width, turned)


class GridSums(NamedTuple):
    """What all labellings of some grids say."""

    labels: list[Floats]
    """P(label | grid) of the things of each grid."""

    expected: GridWeights
    """How often each feature is expected with each label, and each label beside each."""

    log_total: float
    """The logarithm of the sum over all labellings, of all grids together."""


class _Batch:
    """Strips of one width, with empty cells behind those that are shorter; cells × strips first."""

    def __init__(
        self, grids: Sequence[Grid], strips: Sequence[tuple[int, _Strip]], labels: int
    ) -> None:
        self.strips, self.labels = strips, labels
        self.width = strips[0][1].width
        cells = self.width * max(strip.length for _, strip in strips)
        self.filled = np.zeros((cells, len(strips)), np.bool_)
        for number, (_, strip) in enumerate(strips):
            self.filled[strip.cell, number] = True
        features = [grids[index].features[strip.things] for index, strip in strips]
        self.features = np.concatenate(features)
        self.at = tuple(np.concatenate(part) for part in zip(*self._places(), strict=True))
        beside = np.arange(cells) % self.width > 0
        self.beside = self.filled & np.roll(self.filled, 1, axis=0) & beside[:, None]
        self.below = self.filled & np.roll(self.filled, self.width, axis=0)
        self.below[: self.width] = False
        self.turned = np.array([strip.turned for _, strip in strips])

    def _places(self) -> Iterator[tuple[Ints, Ints]]:
        for number, (_, strip) in enumerate(self.strips):
            yield strip.cell, np.full(len(strip.cell), number)

    def scores(self, weights: GridWeights, allowed: Sequence[Allowed] | None) -> Floats:
        """The scores of all cells; an empty cell has the first label."""
        scores = np.full((*self.filled.shape, self.labels), -np.inf)
        scores[..., 0] = 0
        own = np.asarray(self.features @ weights.vertex, np.float64)
        if allowed is not None:
            bars = np.concatenate([allowed[index][strip.things] for index, strip in self.strips])
            own = np.where(bars, own, -np.inf)
        scores[self.at] = own
        return scores

    def pairs(self, weights: GridWeights) -> tuple[Floats, Floats]:
        """The scores of cells side by side and one below the other, by strip."""
        turned = self.turned[:, None, None]
        right = np.where(turned, weights.down, weights.right)
        return right, np.where(turned, weights.right, weights.down)


class _Frontier:
    """How the labels of the last cells of a strip lead to the next.

    Tables are strips × K × K ** (W - 2) × K: the first cell of the frontier, those between, and the
    last one. With a new cell, there is one more dimension, and without the first, a new frontier.
    """

    def __init__(self, batch: _Batch, pairs: tuple[Floats, Floats], nothing: float) -> None:
        self.batch, self.nothing, self.labels = batch, nothing, batch.labels
        self.right, self.down = pairs
        self.shape = (-1, self.labels, self.labels ** (batch.width - 2), self.labels)

    def step(self, cell: int) -> tuple[Floats, Floats]:
        """What the new cell is to the first and to the last of the frontier."""
        beside, below = (
            flags[cell][:, None, None] for flags in (self.batch.beside, self.batch.below)
        )
        down = np.where(below, self.down, self.nothing)[:, :, None, None]
        return down, np.where(beside, self.right, self.nothing)[:, None, None]

    def start(self, first: float, others: float) -> Floats:
        """Before the first cell: empty cells."""
        table = np.full((len(self.right), *self.shape[1:]), others)
        table[:, 0, 0, 0] = first
        return table

    def moved(self, table: Floats) -> Floats:
        """Without the first cell, what is left with the new one is a frontier."""
        return table.reshape(self.shape)

    def ahead(self, table: Floats) -> Floats:
        """A frontier seen from the one before, whatever its first cell is."""
        return table.reshape(-1, 1, self.shape[2], self.labels, self.labels)


def _sums(
    batch: _Batch, weights: GridWeights, allowed: Sequence[Allowed] | None
) -> tuple[Floats, Floats, Floats, Floats]:
    """P(label) by cell and strip; expected pairs to the right and down; logarithms of the sums."""
    scores = batch.scores(weights, allowed)
    highest = scores.max(axis=2)
    here = np.exp(scores - highest[..., None])[:, :, None, None, None]
    right, down = batch.pairs(weights)
    frontier = _Frontier(batch, (np.exp(right), np.exp(down)), 1.0)
    tables, log_total = _forward(frontier, here)
    labels, beside, below = np.zeros_like(scores), np.zeros_like(right), np.zeros_like(down)
    ahead = np.ones_like(tables[-1])
    for cell in range(len(scores) - 1, -1, -1):
        first, last = frontier.step(cell)
        later = frontier.ahead(ahead) * here[cell] * first * last
        chances = _shares(tables[cell][..., None] * later)
        labels[cell] = chances.sum(axis=(1, 2, 3))
        beside += chances.sum(axis=(1, 2)) * batch.beside[cell][:, None, None]
        below += chances.sum(axis=(2, 3)) * batch.below[cell][:, None, None]
        ahead = _shares(later.sum(axis=4))
    return labels, beside, below, log_total + highest.sum(axis=0)


def _forward(frontier: _Frontier, here: Floats) -> tuple[list[Floats], Floats]:
    """The frontiers before each cell and after the last; the logarithms of the sums of all."""
    tables, log_total = [frontier.start(1.0, 0.0)], np.zeros(here.shape[1])
    for cell, own in enumerate(here):
        first, last = frontier.step(cell)
        table = (tables[-1][..., None] * own * first * last).sum(axis=1)
        log_total += np.log(table.sum(axis=(1, 2, 3)))
        tables.append(frontier.moved(_shares(table)))
    return tables, log_total


def _shares(table: Floats) -> Floats:
    """The entries of each table as shares of their sum."""
    total: Floats = table.sum(axis=tuple(range(1, table.ndim)), keepdims=True)
    return table / total


def _batches(grids: Sequence[Grid], labels: int) -> Iterator[_Batch]:
    """All strips, by width and about the same length, as many as may be held at once."""
    by_width = defaultdict(list)
    for index, grid in enumerate(grids):
        for strip in _strips(grid, labels):
            by_width[strip.width].append((index, strip))
    for width, strips in sorted(by_width.items()):
        strips.sort(key=lambda numbered: numbered[1].length)
        while strips:
            each = labels**width * width * strips[-1][1].length
            count = max(1, BATCH // each)
            yield _Batch(grids, strips[-count:], labels)
            del strips[-count:]


def _summed(
    batches: Iterable[_Batch],
    grids: Sequence[Grid],
    weights: GridWeights,
    allowed: Sequence[Allowed] | None = None,
) -> GridSums:
    features, count = weights.vertex.shape
    chances = [np.zeros((len(grid.row), count)) for grid in grids]
    expected, log_total = (
        GridWeights.from_vector(np.zeros(features * count + 2 * count**2), features, count),
        0.0,
    )
    for batch in batches:
        labels, beside, below, totals = _sums(batch, weights, allowed)
        for number, (index, strip) in enumerate(batch.strips):
            chances[index][strip.things] = labels[strip.cell, number]
        expected.vertex[:] += batch.features.T @ labels[batch.at]
        turned = batch.turned[:, None, None]
        expected.right[:] += np.where(turned, below, beside).sum(axis=0)
        expected.down[:] += np.where(turned, beside, below).sum(axis=0)
        log_total += float(totals.sum())
    return GridSums(chances, expected, log_total)


def marginals(
    weights: GridWeights, grids: Sequence[Grid], allowed: Sequence[Allowed] | None = None
) -> GridSums:
    """The sums over all labellings, or over those that are `allowed` (by grid, things × K)."""
    return _summed(_batches(grids, weights.vertex.shape[1]), grids, weights, allowed)


def decode(weights: GridWeights, grids: Sequence[Grid]) -> list[Ints]:
    """The labels of the highest total score, of the things of each grid."""
    chosen = [np.zeros(len(grid.row), np.int64) for grid in grids]
    for batch in _batches(grids, weights.vertex.shape[1]):
        labels = _best(batch, weights)
        for number, (index, strip) in enumerate(batch.strips):
            chosen[index][strip.things] = labels[strip.cell, number]
    return chosen


def _best(batch: _Batch, weights: GridWeights) -> Ints:
    """The best labels by cell and strip."""
    scores = batch.scores(weights, None)
    frontier = _Frontier(batch, batch.pairs(weights), 0.0)
    tables = [frontier.start(0.0, -np.inf)]
    for cell, own in enumerate(scores):
        first, last = frontier.step(cell)
        table = (tables[-1][..., None] + first).max(axis=1)
        tables.append(frontier.moved(table + last[:, 0] + own[:, None, None]))
    # The frontier after the last cell names the labels of its cells, the first one the highest.
    count, width, strips = batch.labels, batch.width, np.arange(scores.shape[1])
    state = tables[-1].reshape(len(strips), -1).argmax(axis=1)
    labels = np.empty(scores.shape[:2], np.int64)
    for cell in range(len(scores) - 1, -1, -1):
        state, labels[cell] = state // count, state % count
        kept = count ** (width - 1)
        tried = tables[cell].reshape(len(strips), count, kept)[strips, :, state]
        first = (tried + frontier.step(cell)[0][strips, :, 0, 0, labels[cell]]).argmax(axis=1)
        state = state + first * kept
    return labels


def train(
    examples: Sequence[LabelledGrid], *, penalty: float = 1.0, steps: int = 100
) -> GridWeights:
    """The weights of the highest likelihood, less `penalty` / 2 times their squared length."""
    from pagesight.models.lbfgs import minimize

    grids = [example.grid for example in examples]
    allowed = [example.allowed for example in examples]
    features, labels = grids[0].features.shape[1], allowed[0].shape[1]
    batches = list(_batches(grids, labels))
    start = GridWeights.from_vector(np.zeros(features * labels + 2 * labels**2), features, labels)
    certain = all((bars.sum(axis=1) == 1).all() for bars in allowed)
    counts = _summed(batches, grids, start, allowed).expected.to_vector() if certain else None

    def objective(vector: Floats) -> tuple[float, Floats]:
        weights = GridWeights.from_vector(vector, features, labels)
        free = _summed(batches, grids, weights)
        value = penalty / 2 * float(vector @ vector) + free.log_total
        gradient = penalty * vector + free.expected.to_vector()
        if counts is not None:  # they do not depend on the weights
            return value - float(counts @ vector), gradient - counts
        known = _summed(batches, grids, weights, allowed)
        return value - known.log_total, gradient - known.expected.to_vector()

    best = minimize(objective, start.to_vector(), steps=steps)
    return GridWeights.from_vector(best, features, labels)
