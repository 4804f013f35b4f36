"""Training of a `Ranker`: gradient boosting with histograms, for any loss.

Every tree takes one Newton step on the loss. Each sees a part of the rows and of the features,
drawn by a generator with a fixed seed: the same data give the same trees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pagesight.models.ranking import DIGITS, LEAF, Ranker, Tree

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bins = NDArray[np.int16]  # small numbers are looked up faster
_LEAST_BEND = 1e-3  # of the loss of a row, so that no step is endless


@dataclass(frozen=True, slots=True, kw_only=True)
class Boosting:
    """How trees are grown."""

    trees: int = 200
    depth: int = 3
    rate: float = 0.1  # how much of each step is taken
    ridge: float = 12.0  # added to the curvature of a leaf
    least: float = 3.0  # curvature on both sides of a split
    bins: int = 32
    groups: float = 0.7  # the share of rows or groups that a tree sees
    features: float = 0.4  # the share of features that a tree sees
    seed: int = 0


class Loss(Protocol):
    """What trees are to lower. Arrays are by row."""

    def slopes(self, scores: Floats) -> tuple[Floats, Floats]:
        """Its gradient and its curvature at these scores."""

    def sample(self, random: np.random.Generator, share: float) -> NDArray[np.bool_]:
        """The rows that a tree learns from: about this share of them."""


@dataclass(frozen=True, eq=False)
class Listwise:
    """The cross-entropy between the softmax of the scores in each group and given probabilities."""

    group: Ints
    """The group of each row: 0, 1, … in order."""

    wanted: Floats
    """The probability that each row should have; those of a group sum to 1."""

    @cached_property
    def groups(self) -> int:
        return int(self.group[-1]) + 1 if len(self.group) else 0

    def slopes(self, scores: Floats) -> tuple[Floats, Floats]:
        highest = np.full(self.groups, -np.inf)
        np.maximum.at(highest, self.group, scores)
        weights = np.exp(scores - highest[self.group])
        chance = weights / np.bincount(self.group, weights, self.groups)[self.group]
        return chance - self.wanted, chance * (1 - chance) + _LEAST_BEND

    def sample(self, random: np.random.Generator, share: float) -> NDArray[np.bool_]:
        """Rows of one group are taken or left together."""
        return (random.random(self.groups) < share)[self.group]


@dataclass(frozen=True, eq=False)
class Logistic:
    """The cross-entropy of yes and no, whose log odds are the scores."""

    wanted: NDArray[np.bool_]
    weights: Floats
    """How much each row counts."""

    family: Ints
    """Where each row comes from: 0, 1, …"""

    families: float = 0.5
    """The share of families that a tree sees: what holds for one may not for others."""

    def slopes(self, scores: Floats) -> tuple[Floats, Floats]:
        chance = 1 / (1 + np.exp(-scores))
        bend = self.weights * (chance * (1 - chance) + _LEAST_BEND)
        return self.weights * (chance - self.wanted), bend

    def sample(self, random: np.random.Generator, share: float) -> NDArray[np.bool_]:
        """A share of the rows of some families."""
        count = int(self.family.max(initial=0)) + 1
        of_family = (random.random(count) < self.families)[self.family]
        return of_family & (random.random(len(self.family)) < share)


def boost(names: Sequence[str], rows: Floats, loss: Loss, how: Boosting | None = None) -> Ranker:
    """Trees over named features whose sum lowers a loss; `rows` are the features of all cases."""
    how = how or Boosting()
    edges = [_edges(column, how.bins) for column in rows.T]
    binned = np.stack(
        [np.searchsorted(edge, column) for edge, column in zip(edges, rows.T, strict=True)],
        dtype=np.int16,
    )
    random = np.random.default_rng(how.seed)
    few = max(1, round(how.features * len(names)))
    scores, trees = np.zeros(len(rows)), []
    for _ in range(how.trees):
        slope, bend = loss.slopes(scores)
        seen = loss.sample(random, how.groups)
        looked_at = np.sort(random.permutation(len(names))[:few])
        grown = _grow(binned[np.ix_(looked_at, seen)], slope[seen], bend[seen], how)
        tree = _tree(grown, looked_at, edges, how.rate)
        scores += np.array(tree.value)[_ends(grown, binned, looked_at)]
        trees.append(tree)
    return Ranker(tuple(names), tuple(trees))


def boost_several(
    names: Sequence[str], rows: Floats, loss: Loss, how: Boosting, several: int
) -> Ranker:
    """The mean of rankers that differ in what they drew by chance."""
    rankers = [
        boost(names, rows, loss, replace(how, seed=how.seed + more)) for more in range(several)
    ]
    trees = (tree.scaled(1 / several) for ranker in rankers for tree in ranker.trees)
    return Ranker(tuple(names), tuple(trees))


def _edges(column: Floats, bins: int) -> Floats:
    """Where a feature is cut into bins: between all its values if they are few."""
    values = np.unique(column)
    if len(values) > bins:
        values = np.unique(np.quantile(column, np.linspace(0, 1, bins + 1)))
    return np.unique(np.round((values[1:] + values[:-1]) / 2, DIGITS))


@dataclass(frozen=True, slots=True)
class _Grown:
    """A tree over bins; arrays by node."""

    feature: Ints  # -1 for a leaf
    bin: Ints  # candidates in higher bins go to the right
    step: Floats  # the score of a leaf


def _grow(binned: Bins, slope: Floats, bend: Floats, how: Boosting) -> _Grown:
    size = 2 ** (how.depth + 1) - 1
    grown = _Grown(np.full(size, LEAF), np.zeros(size, np.int64), np.zeros(size))
    node = np.zeros(len(slope), np.int64)
    for level in range(how.depth):
        first, count = 2**level - 1, 2**level
        splits = _splits(binned, node - first, count, slope, bend, how)
        for at, (feature, cut) in enumerate(splits, start=first):
            if feature != LEAF:
                grown.feature[at], grown.bin[at] = feature, cut
                _descend(node, at, binned[feature] > cut)
    total = np.bincount(node, slope, size)
    grown.step[:] = -total / (np.bincount(node, bend, size) + how.ridge)
    return grown


def _descend(node: Ints, at: int, right: NDArray[np.bool_]) -> None:
    """Let the rows that are at a node go on to one of its children."""
    here = np.flatnonzero(node == at)
    node[here] = 2 * at + 1 + right[here]


def _ends(grown: _Grown, binned: Bins, looked_at: Ints) -> Ints:
    """The leaf in which each row ends; all features are given, by row."""
    node = np.zeros(binned.shape[1], np.int64)
    for at in np.flatnonzero(grown.feature != LEAF).tolist():
        _descend(node, at, binned[looked_at[grown.feature[at]]] > grown.bin[at])
    return node


def _splits(
    binned: Bins, node: Ints, count: int, slope: Floats, bend: Floats, how: Boosting
) -> list[tuple[int, int]]:
    """The best feature and bin for each node of a level; feature -1 where none is any good.

    One feature after the other: its sums are few enough to stay close to the processor.
    """
    shape = (count, len(binned), how.bins + 1)
    inside = node >= 0  # others ended in a leaf above
    start, slopes, bends = node[inside] * shape[2], slope[inside], bend[inside]
    left, left_bend = np.empty(shape), np.empty(shape)
    for feature, bins in enumerate(binned):
        cell = start + bins[inside]
        for sums, values in ((left, slopes), (left_bend, bends)):
            cells = np.bincount(cell, values, count * shape[2])
            sums[:, feature] = cells.reshape(count, -1).cumsum(axis=1)
    all_slope, all_bend = left[:, :, -1:], left_bend[:, :, -1:]
    right, right_bend = all_slope - left, all_bend - left_bend
    gain = left**2 / (left_bend + how.ridge) + right**2 / (right_bend + how.ridge)
    gain -= all_slope**2 / (all_bend + how.ridge)
    gain[(left_bend < how.least) | (right_bend < how.least)] = 0
    flat = gain.reshape(count, -1)
    best = flat.argmax(axis=1)
    return [
        divmod(int(at), shape[2]) if flat[index, at] > 1e-6 else (LEAF, 0)
        for index, at in enumerate(best)
    ]


def _tree(grown: _Grown, looked_at: Ints, edges: list[Floats], rate: float) -> Tree:
    """The tree over the features themselves."""
    feature, value = [], []
    for inner, cut, step in zip(
        grown.feature.tolist(), grown.bin.tolist(), grown.step.tolist(), strict=True
    ):
        named = int(looked_at[inner]) if inner != LEAF else LEAF
        feature.append(named)
        value.append(round(float(edges[named][cut]) if inner != LEAF else rate * step, DIGITS))
    return Tree(tuple(feature), tuple(value))
