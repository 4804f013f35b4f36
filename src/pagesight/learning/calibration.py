"""Whether values are right as often as their confidences say, and curves that make it so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pagesight.learning.tables import table
from pagesight.models.logistic import Platt

Floats = NDArray[np.float64]
Judged = Sequence[tuple[float, bool]]
"""Values of a page: how probable each was to the model, and whether it is right."""

Curve = Callable[[Sequence[float], Sequence[bool]], Platt]
BINS = 10


class Bin(NamedTuple):
    """The values whose confidences are between two limits."""

    low: float
    high: float
    values: int
    confidence: float
    """Their mean."""

    right: float
    """The share of them that is right."""


def reliability(confidence: ArrayLike, right: ArrayLike) -> list[Bin]:
    """Confidences in ten bins, without those that are empty."""
    sure, correct = np.asarray(confidence, np.float64), np.asarray(right, np.float64)
    number = np.minimum((sure * BINS).astype(np.int64), BINS - 1)
    bins = []
    for index in np.unique(number).tolist():
        inside = number == index
        shares = float(sure[inside].mean()), float(correct[inside].mean())
        bins.append(Bin(index / BINS, (index + 1) / BINS, int(inside.sum()), *shares))
    return bins


def calibration_error(confidence: ArrayLike, right: ArrayLike) -> float:
    """The expected calibration error: how far confidence and share of right values are apart."""
    bins = reliability(confidence, right)
    off = sum(bin_.values * abs(bin_.confidence - bin_.right) for bin_ in bins)
    return off / max(sum(bin_.values for bin_ in bins), 1)


def auroc(confidence: ArrayLike, right: ArrayLike) -> float:
    """How probably a right value is surer than a wrong one; NaN where there are none of either."""
    sure, correct = np.asarray(confidence, np.float64), np.asarray(right, np.bool_)
    wrong = np.sort(sure[~correct])
    below, upto = (np.searchsorted(wrong, sure[correct], side) for side in ("left", "right"))
    return float((below + upto).mean() / 2 / len(wrong)) if len(below) and len(wrong) else np.nan


def trust_in(judged: Judged) -> tuple[float | None, float]:
    """The AUROC of values, None where all are right or all are wrong; and the calibration error."""
    confidence, right = zip(*judged, strict=True) if judged else ((), ())
    order = auroc(confidence, right)
    return None if np.isnan(order) else order, calibration_error(confidence, right)


def calibration_table(kind: str, judged: Judged) -> str:
    """How sure a reading is of values of a kind, and how often these are right."""
    confidence, right = zip(*judged, strict=True) if judged else ((), ())
    order, error = trust_in(judged)
    told_apart = "" if order is None else f", AUROC of right against wrong {order:.2f}"
    return table(
        ["confidence", "values", "mean", "right"],
        [
            [f"{bin_.low:.1f} to {bin_.high:.1f}", bin_.values, bin_.confidence, bin_.right]
            for bin_ in reliability(confidence, right)
        ],
        title=f"Confidence of {kind}: expected calibration error {error:.3f}{told_apart}",
        digits=2,
    )


def merged(pages: Iterable[Mapping[str, Judged]]) -> dict[str, list[tuple[float, bool]]]:
    """The judged values of all pages, by kind."""
    values: dict[str, list[tuple[float, bool]]] = {}
    for page in pages:
        for kind, judged in page.items():
            values.setdefault(kind, []).extend(judged)
    return values


def curves(
    pages: Iterable[Mapping[str, Judged]], fit: Curve = Platt.fit, most: int | None = None
) -> dict[str, Platt]:
    """The curve of each kind of values, by pages that the model had not seen.

    With `most`, at most so many values of a kind count on each page.
    """
    thinned = ({kind: spaced(judged, most) for kind, judged in page.items()} for page in pages)
    return {
        kind: fit([chance for chance, _ in judged], [right for _, right in judged])
        for kind, judged in merged(thinned).items()
    }


def spaced(values: Judged, most: int | None) -> Judged:
    """At most so many of the values, at even distances; all if there is no limit."""
    return values[:: max(1, ceil(len(values) / most))] if most else values


def mapped(page: Mapping[str, Judged], curve_of: Mapping[str, Platt]) -> dict[str, Judged]:
    """The values of a page with the confidences that curves give them."""
    return {
        kind: [
            (float(confidence), right)
            for confidence, (_, right) in zip(
                curve_of.get(kind, Platt()).confidence([chance for chance, _ in judged]),
                judged,
                strict=True,
            )
        ]
        for kind, judged in page.items()
    }
