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
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
LEAF = -1
DIGITS = 5  # of thresholds and scores as they are saved
MOST_LEAVES = 256
MOST_AT_ONCE = 1 << 15  # answers
MOST_REACHED = 1 << 18  # lowest nodes times rows: bytes that stay in the cache of a processor
FEWEST_ROWS = 4  # at once: parts of a few rows add up as all rows do, a single one may not


@dataclass(frozen=True, slots=True)
class Tree:
    """A binary tree as arrays; the children of node i are 2 i + 1 (not above) and 2 i + 2."""

    feature: tuple[int, ...]
    """What each node looks at; -1 for a leaf."""

    value: tuple[float, ...]
    """The threshold of an inner node, the score of a leaf."""

    def scaled(self, by: float) -> Tree:
        """The tree whose leaves say so much more."""
        known = zip(self.feature, self.value, strict=True)
        value = (round(own * by, DIGITS) if feature == LEAF else own for feature, own in known)
        return Tree(self.feature, tuple(value))


@dataclass(frozen=True, eq=False, slots=True)
class _Grown:
    """Trees of one depth, as the questions that they ask and the scores in their leaves."""

    feature: Ints
    """What each question is about, the same ones next to each other."""

    threshold: Floats
    """Whether it is above this: (questions, 1)."""

    asked: tuple[Ints, ...]
    """By level, the lowest first: which question each node asks, (nodes, trees)."""

    value: Floats
    """What each leaf says, (trees, leaves)."""

    def answers(self, columns: Floats) -> NDArray[np.bool_]:
        """What each question is answered, (questions, rows); some at a time, to stay in cache."""
        questions, rows = len(self.feature), columns.shape[1]
        answers, some = np.empty((questions, rows), np.bool_), 1 + MOST_AT_ONCE // max(rows, 1)
        for first in range(0, questions, some):
            asked = slice(first, first + some)
            seen = columns.take(self.feature[asked], axis=0)
            np.greater(seen, self.threshold[asked], out=answers[asked])
        return answers


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
        in_order = (
            candidate.values()
            if tuple(candidate) == self.features
            else map(candidate.__getitem__, self.features)
            for candidate in candidates
        )
        rows = np.fromiter(chain.from_iterable(in_order), np.float64)
        rows = rows.reshape(len(candidates), len(self.features))
        scores: list[float] = self.scores_of(rows).tolist() if len(rows) else []
        return scores

    def scores_of(self, rows: Floats) -> Floats:
        """The scores of candidates whose features are the columns of a table.

        Many rows are scored in equal parts: the bytes of all of them would not stay in cache.
        """
        lowest = len(self.trees) << max(len(self._grown.asked) - 1, 0)
        parts = -(-len(rows) // max(FEWEST_ROWS, MOST_REACHED // max(lowest, 1)))
        if parts < 2:
            return np.asarray(self.scores_by_tree(rows).sum(axis=0))
        some = np.array_split(rows, parts)
        return np.concatenate([self.scores_by_tree(part).sum(axis=0) for part in some])

    def scores_by_tree(self, rows: Floats) -> Floats:
        """What each tree adds to the score of each row, (trees, rows): all trees at once.

        Trees ask the same questions again and again: each is answered once for all rows. Then, from
        the lowest nodes upwards, bytes say which of the leaves below a node is reached.
        """
        grown = self._grown
        if not grown.asked:  # they are nothing but leaves
            return np.repeat(grown.value, len(rows), axis=1)
        answers = grown.answers(np.ascontiguousarray(rows.T))
        lowest, *upper = (answers.take(asked, axis=0).view(np.uint8) for asked in grown.asked)
        reached = lowest
        for level, right in enumerate(upper, start=1):
            left = reached[::2]
            reached = left + right * (reached[1::2] - left + np.uint8(1 << level))
        trees, leaves = grown.value.shape
        return np.asarray(grown.value.take(reached[0] + np.arange(trees)[:, None] * leaves))

    @cached_property
    def _grown(self) -> _Grown:
        """All trees, made equally deep."""
        longest = max((len(tree.feature) for tree in self.trees), default=1)
        depth = longest.bit_length() - 1
        feature = np.full((len(self.trees), 2 ** (depth + 1) - 1), LEAF)
        value = np.zeros(feature.shape)
        for row, tree in enumerate(self.trees):
            feature[row, : len(tree.feature)] = tree.feature
            value[row, : len(tree.value)] = tree.value
        inner = 2**depth - 1
        for node in range(inner):  # what is below a leaf says what the leaf says
            leaf = feature[:, node] == LEAF
            for child in (2 * node + 1, 2 * node + 2):
                feature[leaf, child], value[leaf, child] = LEAF, value[leaf, node]
        looked_at = np.maximum(feature[:, :inner], 0)  # a leaf may ask anything: it says the same
        questions, asked = np.unique(
            np.stack((looked_at, value[:, :inner]), axis=-1).reshape(-1, 2),
            axis=0,
            return_inverse=True,
        )
        by_node = np.ascontiguousarray(asked.reshape(looked_at.shape).T)
        return _Grown(
            feature=questions[:, 0].astype(np.int64),
            threshold=questions[:, 1:],
            asked=tuple(by_node[2**at - 1 : 2 ** (at + 1) - 1] for at in reversed(range(depth))),
            value=value[:, inner:].copy(),
        )

    def scaled(self, slope: float, offset: float) -> Ranker:
        """The ranker whose scores are those of this one times `slope`, plus `offset`."""
        trees = (tree.scaled(slope) for tree in self.trees)
        return Ranker(self.features, (*trees, Tree((LEAF,), (offset,))))

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
    if size >= 2 * MOST_LEAVES:
        raise ValueError("a tree is no deeper than a byte can tell its leaves apart")
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
