"""A ranker: small regression trees that say which of several candidates is the best.

The sum of the trees is a score for each candidate, and the softmax of the scores over the
candidates of one group is the probability that each is the right one. `pagesight.models.boosting`
trains.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
LEAF = -1


@dataclass(frozen=True, slots=True)
class Tree:
    """A binary tree as arrays; the children of node i are 2 i + 1 (not above) and 2 i + 2."""

    feature: tuple[int, ...]
    """What each node looks at; -1 for a leaf."""

    value: tuple[float, ...]
    """The threshold of an inner node, the score of a leaf."""


@dataclass(frozen=True)
class Ranker:
    """Trees over named features."""

    features: tuple[str, ...]
    trees: tuple[Tree, ...]

    @cached_property
    def used(self) -> dict[str, int]:
        """The features that any tree looks at, and their columns; others need not be known."""
        seen = {at for tree in self.trees for at in tree.feature if at != LEAF}
        return {self.features[at]: at for at in sorted(seen)}

    def scores(self, candidates: Sequence[Mapping[str, float]]) -> list[float]:
        """The score of each candidate of a group; the higher, the better."""
        numbers = [candidate[name] for candidate in candidates for name in self.features]
        rows = np.array(numbers, np.float64).reshape(len(candidates), len(self.features))
        scores: list[float] = self.scores_of(rows).tolist() if len(rows) else []
        return scores

    def scores_of(self, rows: Floats) -> Floats:
        """The scores of candidates whose features are the columns of a table."""
        total: Floats = self.scores_by_tree(rows).sum(axis=0)
        return total

    def scores_by_tree(self, rows: Floats) -> Floats:
        """What each tree adds to the score of each row, (trees, rows): all trees at once."""
        feature, value = self._grown
        trees, size = feature.shape
        if not trees:
            return np.zeros((0, len(rows)))
        if size == 1:  # they are nothing but leaves
            return np.repeat(value, len(rows), axis=1)
        table = np.ascontiguousarray(rows.T)
        root = np.arange(trees) * size
        node = root[:, None] + 1 + (table[feature[:, 0]] > value[:, :1])
        flat, at, back = table.ravel(), np.arange(len(rows)), 1 - root[:, None]
        for _ in range(size.bit_length() - 2):
            seen = flat.take(feature.take(node) * len(rows) + at)
            higher = seen > value.take(node)
            node = 2 * node
            node += back
            node += higher
        return np.asarray(value.take(node))

    @cached_property
    def _grown(self) -> tuple[Ints, Floats]:
        """All trees, (T, nodes), made equally deep: what each node looks at, and its value."""
        longest = max((len(tree.feature) for tree in self.trees), default=1)
        size = (1 << longest.bit_length()) - 1
        feature = np.full((len(self.trees), size), LEAF)
        value = np.zeros(feature.shape)
        for row, tree in enumerate(self.trees):
            feature[row, : len(tree.feature)] = tree.feature
            value[row, : len(tree.value)] = tree.value
        for node in range(size // 2):  # what is below a leaf says what the leaf says
            leaf = feature[:, node] == LEAF
            for child in (2 * node + 1, 2 * node + 2):
                feature[leaf, child], value[leaf, child] = LEAF, value[leaf, node]
        return np.maximum(feature, 0), value

    def to_json(self) -> dict[str, Any]:
        """As it is saved."""
        trees = [{"feature": list(tree.feature), "value": list(tree.value)} for tree in self.trees]
        return {"features": list(self.features), "trees": trees}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Ranker:
        """What `to_json` made; raises `ValueError`, `KeyError` or `TypeError` for anything else."""
        names = tuple(map(str, fields["features"]))
        return cls(names, tuple(_tree(tree, len(names)) for tree in fields["trees"]))


def _tree(fields: Mapping[str, Any], features: int) -> Tree:
    tree = Tree(tuple(map(int, fields["feature"])), tuple(map(float, fields["value"])))
    size = len(tree.feature)
    if not size or len(tree.value) != size:
        raise ValueError("a tree has as many values as nodes")
    for node, looked_at in enumerate(tree.feature):
        if looked_at >= features or looked_at < LEAF:
            raise ValueError(f"there is no feature {looked_at}")
        if looked_at != LEAF and 2 * node + 2 >= size:
            raise ValueError("a tree ends in leaves")
    return tree


def softmax(scores: Sequence[float]) -> list[float]:
    """The probability of each candidate of a group."""
    highest = max(scores, default=0.0)
    weights = [math.exp(score - highest) for score in scores]
    total = sum(weights)
    return [weight / total for weight in weights]
