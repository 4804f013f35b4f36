"""The weights of the article models, as they are shipped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from pagesight.errors import ModelError
from pagesight.models import crf
from pagesight.models.crf import Crf
from pagesight.models.logistic import Platt
from pagesight.models.weights import HINT, load_weights
from pagesight.readers.article.labelling.calibration import CALIBRATED
from pagesight.readers.article.labelling.chains import CHAINS
from pagesight.readers.article.labelling.features import VERSION, feature_names
from pagesight.readers.article.labelling.judging import EVIDENCE, Floats
from pagesight.readers.article.labelling.labels import LABELS

TASK = "article"
DIGITS = 4  # after the point; more change no label
PAPER_STATES = (
    "PreTitle", "Title", "BTA", "Author", "BAA", "Affiliation", "BAAH", "Abstract Heading",
    "BAHA", "Abstract", "BARH", "Reference Heading", "BRHR", "Reference", "BR", "AR",
)  # fmt: skip
"""The states of the layout paper's model (`seed.model`)."""


@dataclass(frozen=True, slots=True)
class PaperWeights:
    """Mean and deviation of each geometric feature in each state, and the transitions."""

    mean: Floats  # 16 × 4
    deviation: Floats  # 16 × 4
    transition: Floats  # 16 × 16


@dataclass(frozen=True, eq=False)
class ArticleWeights:
    """What the reader has learned."""

    field: Crf
    orders: Floats  # by chain, the logarithm of its share
    seed: PaperWeights
    judgement: Floats  # by evidence
    calibration: Mapping[str, Platt]  # by field, the curve of its confidences

    def to_json(self) -> dict[str, Any]:
        """All weights as plain lists, by the names of features, states and evidence."""
        field, seed = self.field.weights, self.seed
        return {
            "emission": dict(zip(feature_names(), _rounded(field.emission), strict=True)),
            "transition": dict(zip(LABELS, _rounded(field.transition), strict=True)),
            "start": _rounded(field.start),
            "stop": _rounded(field.stop),
            "orders": dict(zip(CHAINS, _rounded(self.orders), strict=True)),
            "judgement": dict(zip(EVIDENCE, _rounded(self.judgement), strict=True)),
            "calibration": {
                name: [curve.slope, curve.offset] for name, curve in self.calibration.items()
            },
            "seed mean": dict(zip(PAPER_STATES, _rounded(seed.mean), strict=True)),
            "seed deviation": dict(zip(PAPER_STATES, _rounded(seed.deviation), strict=True)),
            "seed transition": dict(zip(PAPER_STATES, _rounded(seed.transition), strict=True)),
        }

    @classmethod
    def from_json(cls, model: Mapping[str, Any]) -> ArticleWeights:
        """What `to_json` made; `ModelError` where a feature, state or evidence is missing."""
        try:
            field = crf.FieldWeights(
                _array(model["emission"], feature_names()),
                _array(model["transition"], LABELS),
                np.array(model["start"], dtype=np.float64),
                np.array(model["stop"], dtype=np.float64),
            )
            seed = PaperWeights(
                _array(model["seed mean"], PAPER_STATES),
                _array(model["seed deviation"], PAPER_STATES),
                _normal(_array(model["seed transition"], PAPER_STATES)),
            )
            return cls(
                Crf(field),
                _array(model["orders"], CHAINS),
                seed,
                _array(model["judgement"], EVIDENCE),
                {name: _curve(model["calibration"][name]) for name in CALIBRATED},
            )
        except (KeyError, ValueError, TypeError) as error:
            raise ModelError(f"the weights of {TASK!r} are damaged ({error})", hint=HINT) from error


def _rounded(values: Floats) -> Any:
    return np.round(values, DIGITS).tolist()


def _array(rows: Mapping[str, Any], names: tuple[str, ...]) -> Floats:
    return np.array([rows[name] for name in names], dtype=np.float64)


def _curve(values: Sequence[float]) -> Platt:
    slope, offset = map(float, values)
    return Platt(slope, offset)


def _normal(transition: Floats) -> Floats:
    """Probabilities that sum up to one again."""
    normal: Floats = transition / transition.sum(axis=1, keepdims=True)
    return normal


@cache
def shipped_weights() -> ArticleWeights:
    """The weights that come with the package."""
    return ArticleWeights.from_json(load_weights(TASK, VERSION).model)
