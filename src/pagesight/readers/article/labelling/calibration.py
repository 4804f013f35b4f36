"""How often a value is right that the model is so sure of: a map from posteriors to confidences.

A value is read from zones, but more than their labels tells whether it is right. For each field,
``a · logit(posterior) + b`` is the logit of the confidence (Platt's scaling); `a` and `b` come from
pages that were read by weights which had not seen their publishers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.article.reading import ArticleReading, ArticleValue

Floats = NDArray[np.float64]
Judged = list[tuple[float, bool]]  # posteriors, and whether the value is right

CALIBRATED = ("title", "authors", "affiliations", "abstract", "references")
AS_IT_IS = np.tile([1.0, 0.0], (len(CALIBRATED), 1))
STEEPEST = 8.0  # logit of a posterior, either way
PENALTY = 1.0  # for other maps than the one that leaves all as it is

_Some = TypeVar("_Some", bound=ArticleValue)


def calibrated(reading: ArticleReading, maps: Floats) -> ArticleReading:
    """The reading with confidences by these maps, fields × (a, b)."""
    title, authors, affiliations, abstract, references = maps
    return replace(
        reading,
        title=_mapped([reading.title], title)[0] if reading.title else None,
        authors=tuple(_mapped(reading.authors, authors)),
        affiliations=tuple(_mapped(reading.affiliations, affiliations)),
        abstract=_mapped([reading.abstract], abstract)[0] if reading.abstract else None,
        references=tuple(_mapped(reading.references, references)),
    )


def _mapped(values: Sequence[_Some], own: Floats) -> list[_Some]:
    sure = _logit([value.confidence for value in values]) * own[0] + own[1]
    found = (1 / (1 + np.exp(-sure))).tolist()
    return [replace(value, confidence=new) for value, new in zip(values, found, strict=True)]


def _logit(probabilities: Sequence[float]) -> Floats:
    least = 1 / (1 + np.exp(STEEPEST))
    inner = np.clip(np.asarray(probabilities, dtype=np.float64), least, 1 - least)
    return np.asarray(np.log(inner / (1 - inner)))


def fit(pages: Iterable[dict[str, Judged]]) -> Floats:
    """The maps that these judged values teach."""
    all_of: dict[str, Judged] = {field: [] for field in CALIBRATED}
    for page in pages:
        for field, pairs in page.items():
            all_of[field] += pairs
    return np.stack([_fit(pairs) for pairs in all_of.values()])


def _fit(pairs: Judged) -> Floats:
    """Logistic regression; a slope below zero would turn the order around."""
    from pagesight.models.lbfgs import minimize

    if not pairs:
        return np.array([1.0, 0.0])
    rows = np.c_[_logit([posterior for posterior, _ in pairs]), np.ones(len(pairs))]
    right = np.array([is_right for _, is_right in pairs])
    # Platt's targets: no value is right or wrong for certain.
    target = np.where(right, (right.sum() + 1) / (right.sum() + 2), 1 / ((~right).sum() + 2))

    def loss(own: Floats) -> tuple[float, Floats]:
        sure, off = rows @ own, own - [1.0, 0.0]
        value = float((np.logaddexp(0, sure) - target * sure).sum() + PENALTY / 2 * off @ off)
        return value, rows.T @ (1 / (1 + np.exp(-sure)) - target) + PENALTY * off

    slope, shift = minimize(loss, np.array([1.0, 0.0]), tolerance=1e-9)
    return np.array([max(slope, 0.0), shift])
