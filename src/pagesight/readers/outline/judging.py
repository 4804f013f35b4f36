"""Judges: small regression trees over what is seen, whose sum is the log odds of a yes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pagesight.models.ranking import Ranker

if TYPE_CHECKING:
    from pagesight.models.boosting import Boosting

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Judge:
    """Trees over named features."""

    trees: Ranker

    @property
    def names(self) -> tuple[str, ...]:
        return self.trees.features

    def log_odds(self, rows: Floats) -> Floats:
        """The log odds of a yes, by row."""
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
    """Trees whose sum is the log odds of being wanted."""
    from pagesight.models.boosting import Logistic, boost

    loss = Logistic(cases.wanted, cases.weights, cases.family)
    return Judge(boost(names, cases.rows, loss, how))
