"""What was learned from pages over time: which candidate is the part, or that none of them is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagesight.models.logistic import DIGITS, chance_of, fit_logistic, odds_of
from pagesight.models.ranking import Ranker
from pagesight.models.weights import load_weights
from pagesight.watch.components.evidence import Candidates, rows
from pagesight.watch.components.reading import Signs

Floats = NDArray[np.float64]

TASK = "components"
VERSION = 3
LABELS = ("found", "missing")
DOUBTS = ("part's slot gone", "part's neighbours", "section elsewhere")
PENALTY = 0.3  # for other weights than those that leave probabilities as they are


def signs_of(found: Candidates, at: int, chance: float) -> Signs:
    """What tells how far the probability of a candidate is to be trusted.

    The log odds of that, how probable it is that the neighbours of the part are there and its
    slot is not, and how many of the folders that the candidate links to were elsewhere before.
    """
    gone, neighbours, elsewhere = (float(found.table[name][at]) for name in DOUBTS)
    return odds_of(chance), gone * neighbours, elsewhere


@dataclass(frozen=True)
class Judge:
    """The weights of the signs of an answer, and last a constant: the log odds that it is right."""

    weights: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)

    def of(self, signs: Signs) -> float:
        """How likely it is that an answer with these signs is right; none: it certainly is."""
        if not signs:
            return 1.0
        products = zip(self.weights, (*signs, 1.0), strict=True)
        return chance_of(sum(weight * sign for weight, sign in products))

    @classmethod
    def fit(cls, signs: Sequence[Signs], right: Sequence[bool]) -> Judge:
        """The weights for answers that turned out to be right or wrong."""
        if not signs:
            return cls()
        table = np.column_stack((np.array(signs), np.ones(len(signs))))
        weights = fit_logistic(table, right, penalty=PENALTY, prior=cls().weights)
        return cls(tuple(np.round(weights, DIGITS).tolist()))


@dataclass(frozen=True)
class ComponentsModel:
    """Trees that compare candidates, and a judge who turns their verdict into a confidence."""

    ranker: Ranker
    judge: Judge = field(default_factory=Judge)
    sure: float = 0.9
    """The confidence from which on a part is found."""

    unsure: float = 0.5
    """The confidence below which it is missing."""

    def chances(self, found: Candidates) -> Floats:
        """The probability of each candidate, and last that it is none of them."""
        scores = self.ranker.scores_of(rows(found, self.ranker.features))
        weights = np.exp(scores - scores.max())
        return np.asarray(weights / weights.sum())

    def to_json(self) -> dict[str, Any]:
        """As it is saved."""
        return {
            "ranker": self.ranker.to_json(),
            "judge": [*self.judge.weights],
            "sure": self.sure,
            "unsure": self.unsure,
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> ComponentsModel:
        """What `to_json` made."""
        return cls(
            Ranker.from_json(fields["ranker"]),
            Judge(tuple(map(float, fields["judge"]))),
            float(fields["sure"]),
            float(fields["unsure"]),
        )


@cache
def shipped_model() -> ComponentsModel:
    """The model that is part of the package."""
    return ComponentsModel.from_json(load_weights(TASK, VERSION).model)
