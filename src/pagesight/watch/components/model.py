"""What was learned from pages over time: which candidate is the part, or that none of them is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagesight.models.logistic import Platt
from pagesight.models.ranking import Ranker
from pagesight.models.weights import load_weights
from pagesight.watch.components.evidence import Candidates, rows

Floats = NDArray[np.float64]

TASK = "components"
VERSION = 2
LABELS = ("found", "missing")


@dataclass(frozen=True)
class ComponentsModel:
    """Trees that compare candidates, and a curve that turns their verdict into a confidence."""

    ranker: Ranker
    curve: Platt = field(default_factory=Platt)
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
            "curve": [self.curve.slope, self.curve.offset],
            "sure": self.sure,
            "unsure": self.unsure,
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> ComponentsModel:
        """What `to_json` made."""
        return cls(
            Ranker.from_json(fields["ranker"]),
            Platt.from_json(fields["curve"]),
            float(fields["sure"]),
            float(fields["unsure"]),
        )


@cache
def shipped_model() -> ComponentsModel:
    """The model that is part of the package."""
    return ComponentsModel.from_json(load_weights(TASK, VERSION).model)
