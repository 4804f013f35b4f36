"""Judges: small regression trees over what is seen, whose sum is the log odds of a yes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagesight.models.boosting import Boosting, _edges, _grow, _scores, _tree
from pagesight.models.ranking import Ranker

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
FAMILIES = (
    0.5  # the share of style families that a tree sees: what holds for one may not for others
)


@dataclass(frozen=True)
class Judge:
    """Trees over named features."""

    trees: Ranker

    @property
    def names(self) -> tuple[str, ...]:
        return self.trees.features

    def log_odds(self, rows: Floats) -> Floats:
        """Of each row the log odds of a yes."""
        return self.trees.scores_of(rows)

    def to_json(self) -> dict[str, Any]:
        """As it is saved."""
        return self.trees.to_json()

    @classmethod
    def from_json(cls, fields: Mapping[str, Any], names: Sequence[str]) -> Judge:
        """What `to_json` made; raises `ValueError` if it looks at other features."""
        trees = Ranker.from_json(fields)
        if trees.features != tuple(names):
            raise ValueError("it has other features")
        return cls(trees)


@dataclass(frozen=True, eq=False)
class Cases:
    """What a judge learns from: rows of features, arrays by row."""

    rows: Floats
    wanted: NDArray[np.bool_]
    weights: Floats
    family: Ints
    """The style family that each row comes from."""

    def where(self, kept: NDArray[np.bool_]) -> Cases:
        """Some of the cases."""
        return Cases(self.rows[kept], self.wanted[kept], self.weights[kept], self.family[kept])

    @classmethod
    def joined(cls, parts: Sequence[Cases]) -> Cases:
        """The cases of many pages."""
        return cls(
            np.vstack([part.rows for part in parts]),
            np.concatenate([part.wanted for part in parts]),
            np.concatenate([part.weights for part in parts]),
            np.concatenate([part.family for part in parts]),
        )


def train_judge(names: Sequence[str], cases: Cases, how: Boosting) -> Judge:
    """Trees whose sum is the log odds of being wanted: Newton steps on the logistic loss."""
    rows = cases.rows
    edges = [_edges(column, how.bins) for column in rows.T]
    binned = np.stack(
        [np.searchsorted(edge, column) for edge, column in zip(edges, rows.T, strict=True)], axis=1
    )
    random = np.random.default_rng(how.seed)
    families = int(cases.family.max(initial=0)) + 1
    scores, trees = np.zeros(len(rows)), []
    for _ in range(how.trees):
        chance = 1 / (1 + np.exp(-scores))
        seen = (random.random(families) < FAMILIES)[cases.family]
        seen &= random.random(len(rows)) < how.groups
        few = max(1, round(how.features * len(names)))
        looked_at = np.sort(random.permutation(len(names))[:few])
        slope = (cases.weights * (chance - cases.wanted))[seen]
        bend = (cases.weights * (chance * (1 - chance) + 1e-3))[seen]
        grown = _grow(binned[np.ix_(seen, looked_at)], slope, bend, how)
        trees.append(_tree(grown, looked_at, edges, how.rate))
        scores += _scores(trees[-1], rows)
    return Judge(Ranker(tuple(names), tuple(trees)))
