"""The weights of the article models, as they are shipped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from pagesight.errors import ModelError
from pagesight.models.chain import Chain
from pagesight.models.ranking import Ranker
from pagesight.models.weights import HINT, load_weights
from pagesight.readers.article.labelling.confidence import CLUES
from pagesight.readers.article.labelling.features import VERSION
from pagesight.readers.article.labelling.judging import EVIDENCE
from pagesight.readers.article.labelling.labels import FIELDS, LABELS, ORDERS, Floats
from pagesight.readers.article.reading import ArticleReading, ArticleValue, Author

TASK = "article"
LEAST_SURE = 0.1  # of a person
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


VALUES = (
    "title", "authors", "affiliations", "abstract", "keywords", "references", "doi", "year",
    "dates", "journal", "volume", "issue", "pages",
)  # fmt: skip
"""The fields of a reading that have a confidence."""

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
    judges: Mapping[str, Ranker]  # by label, how likely a value is right, by its clues

    def to_json(self) -> dict[str, Any]:
        """All weights as plain lists, by the names of features, states and evidence."""
        ends = {"start": _rounded(self.chain.start), "stop": _rounded(self.chain.stop)}
        emission = dict(zip(self.features, _rounded(self.emission), strict=True))
        seed = self.seed
        learned = (self.chain.transition, self.orders, self.judgement)
        values = (*learned, seed.mean, seed.deviation, seed.transition)
        tables = {
            key: dict(zip(names, _rounded(table), strict=True))
            for (key, names), table in zip(_TABLES.items(), values, strict=True)
        }
        judges = {label: judge.to_json()["trees"] for label, judge in self.judges.items()}
        return {"emission": emission, **tables, **ends, "clues": list(CLUES), "judges": judges}

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
            if tuple(model["clues"]) != CLUES:
                raise ValueError("there are other clues")
            judges = {
                label: Ranker.from_json({"features": CLUES, "trees": model["judges"][label]})
                for label in FIELDS
            }
        except (KeyError, ValueError, TypeError) as error:
            raise ModelError(f"the weights of {TASK!r} are damaged ({error})", hint=HINT) from error
        chain = Chain(transition, start, stop)
        return cls(features, emission, chain, orders, seed, judgement, judges)


def _rounded(values: Floats) -> Any:
    return np.round(values, DIGITS).tolist()


@cache
def shipped_weights() -> ArticleWeights:
    """The weights that come with the package."""
    return ArticleWeights.from_json(load_weights(TASK, VERSION).model)


def if_an_article(reading: ArticleReading) -> ArticleReading:
    """The reading with the confidence that a value is right, and of an article at all.

    Persons who are hardly authors are left out.
    """
    changed: dict[str, Any] = {}
    for name in VALUES:
        field = getattr(reading, name)
        values = (field,) if isinstance(field, ArticleValue) else field or ()
        again = tuple(
            replace(value, confidence=value.confidence * reading.confidence)
            for value in values
            if not isinstance(value, Author) or value.group or value.confidence >= LEAST_SURE
        )
        if values:
            changed[name] = again[0] if isinstance(field, ArticleValue) else again
    return replace(reading, **changed)
