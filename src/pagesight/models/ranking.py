"""A ranker: small regression trees that say which of several candidates is the best.

The sum of the trees is a score for each candidate, and the softmax of the scores over the
candidates of one group is the probability that each is the right one. Scoring needs no numpy, so
that programs which rank one small group start quickly; `pagesight.models.boosting` trains.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LEAF = -1


@dataclass(frozen=True, slots=True)
class Tree:
    """A binary tree as arrays; the children of node i are 2 i + 1 (not above) and 2 i + 2."""

    feature: tuple[int, ...]
    """What each node looks at; -1 for a leaf."""

    value: tuple[float, ...]
    """The threshold of an inner node, the score of a leaf."""


@dataclass(frozen=True, slots=True)
class Ranker:
    """Trees over named features."""

    features: tuple[str, ...]
    trees: tuple[Tree, ...]

    def scores(self, candidates: Sequence[Mapping[str, float]]) -> list[float]:
        """The score of each candidate of a group; the higher, the better."""
        trees = [(tree.feature, tree.value) for tree in self.trees]
        return [
            _score([candidate[name] for name in self.features], trees) for candidate in candidates
        ]

    def to_json(self) -> dict[str, Any]:
        """As it is saved."""
        trees = [{"feature": list(tree.feature), "value": list(tree.value)} for tree in self.trees]
        return {"features": list(self.features), "trees": trees}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Ranker:
        """What `to_json` made; raises `ValueError`, `KeyError` or `TypeError` for anything else."""
        names = tuple(map(str, fields["features"]))
        return cls(names, tuple(_tree(tree, len(names)) for tree in fields["trees"]))


def _score(row: Sequence[float], trees: list[tuple[tuple[int, ...], tuple[float, ...]]]) -> float:
    """The sum of the leaves that a candidate falls into. One loop: calls would take longest."""
    total = 0.0
    for feature, value in trees:
        node = 0
        while (looked_at := feature[node]) != LEAF:
            node = 2 * node + (2 if row[looked_at] > value[node] else 1)
        total += value[node]
    return total


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
