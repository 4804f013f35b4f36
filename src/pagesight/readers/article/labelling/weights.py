"""The weights of the article models, as they are shipped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from pagesight.errors import ModelError
from pagesight.models.chain import Chain
from pagesight.models.logistic import Platt
from pagesight.models.weights import HINT, load_weights
from pagesight.readers.article.labelling.features import VERSION
from pagesight.readers.article.labelling.judging import EVIDENCE
from pagesight.readers.article.labelling.labels import LABELS, ORDERS, Floats
from pagesight.readers.article.reading import ArticleReading, ArticleValue

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


CALIBRATED = ("title", "authors", "affiliations", "abstract", "references")


_TABLES: dict[str, tuple[str, ...]] = {
    "transition": LABELS,
    "orders": ORDERS,
    "judgement": EVIDENCE,
    **dict.fromkeys(("seed mean", "seed deviation", "seed transition"), PAPER_STATES),
}
"""The tables of a weight file, except that of the features, and the names of their rows."""


@dataclass(frozen=True, eq=False)
class ArticleWeights:
    """What the reader has learned."""

    features: tuple[str, ...]
    emission: Floats  # features × labels
    chain: Chain  # which label follows which
    orders: Floats  # by order, the logarithm of its share
    seed: PaperWeights
    judgement: Floats  # by evidence
    calibration: Mapping[str, Platt]  # by field, the curve of its confidences

    def to_json(self) -> dict[str, Any]:
        """All weights as plain lists, by the names of features, states and evidence."""
        curves = {name: [curve.slope, curve.offset] for name, curve in self.calibration.items()}
        ends = {"start": _rounded(self.chain.start), "stop": _rounded(self.chain.stop)}
        emission = dict(zip(self.features, _rounded(self.emission), strict=True))
        tables = {
            key: dict(zip(names, _rounded(values), strict=True))
            for (key, names), values in zip(_TABLES.items(), self._values, strict=True)
        }
        return {"emission": emission, **tables, **ends, "calibration": curves}

    @property
    def _values(self) -> tuple[Floats, ...]:
        """The values of `_TABLES`."""
        seed = self.seed
        learned = (self.chain.transition, self.orders, self.judgement)
        return *learned, seed.mean, seed.deviation, seed.transition

    @classmethod
    def from_json(cls, model: Mapping[str, Any]) -> ArticleWeights:
        """What `to_json` made; `ModelError` where a feature, state or evidence is missing."""
        try:
            transition, orders, judgement, mean, deviation, moves = (
                np.array([model[key][name] for name in names], dtype=np.float64)
                for key, names in _TABLES.items()
            )
            features = tuple(model["emission"])
            emission = np.array(list(model["emission"].values()), dtype=np.float64)
            start, stop = (np.array(model[key], dtype=np.float64) for key in ("start", "stop"))
            seed = PaperWeights(mean, deviation, moves / moves.sum(axis=1, keepdims=True))
            curves = {name: _curve(model["calibration"][name]) for name in CALIBRATED}
        except (KeyError, ValueError, TypeError) as error:
            raise ModelError(f"the weights of {TASK!r} are damaged ({error})", hint=HINT) from error
        return cls(
            features, emission, Chain(transition, start, stop), orders, seed, judgement, curves
        )


def _rounded(values: Floats) -> Any:
    return np.round(values, DIGITS).tolist()


def _curve(values: Sequence[float]) -> Platt:
    slope, offset = map(float, values)
    return Platt(slope, offset)


@cache
def shipped_weights() -> ArticleWeights:
    """The weights that come with the package."""
    return ArticleWeights.from_json(load_weights(TASK, VERSION).model)


# How often values are right that the model is so sure of. A value is read from zones, but more than
# their labels tells whether it is right: the curves come from pages that were read by weights which
# had not seen their publishers.


def calibrated(reading: ArticleReading, curves: Mapping[str, Platt]) -> ArticleReading:
    """The reading with the confidences that these curves give its fields."""
    changed: dict[str, Any] = {}
    for name, curve in curves.items():
        field = getattr(reading, name)
        if isinstance(field, ArticleValue):
            (changed[name],) = _mapped([field], curve)
        elif field:
            changed[name] = tuple(_mapped(field, curve))
    return replace(reading, **changed)


def _mapped(values: Sequence[ArticleValue], curve: Platt) -> list[ArticleValue]:
    mapped = curve.confidence([value.confidence for value in values]).tolist()
    return [replace(value, confidence=sure) for value, sure in zip(values, mapped, strict=True)]
