"""Multinomial logistic regression: the probability of each label, from a row of features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
DIGITS = 4  # of weights: what is beyond depends on the machine


@dataclass(frozen=True, eq=False)
class Softmax:
    """Weights for F features and K labels; features are taken relative to their usual values."""

    features: tuple[str, ...]
    labels: tuple[str, ...]
    mean: Floats  # (F,)
    scale: Floats  # (F,)
    bias: Floats  # (K,)
    weights: Floats  # (F, K)

    def scores(self, table: Floats) -> Floats:
        """Unnormalised log probabilities, (n, K), of n rows of features."""
        scores: Floats = self.bias + (table - self.mean) / self.scale @ self.weights
        return scores

    def probabilities(self, table: Floats) -> Floats:
        """The probability of each label for each row, (n, K)."""
        return np.exp(log_softmax(self.scores(table)))

    def to_json(self) -> dict[str, Any]:
        """As it is kept in a file: the weights by feature and label."""
        return {
            "labels": list(self.labels),
            "bias": self.bias.tolist(),
            "features": {
                name: {"mean": mean, "scale": scale, "weights": weights}
                for name, mean, scale, weights in zip(
                    self.features,
                    self.mean.tolist(),
                    self.scale.tolist(),
                    self.weights.tolist(),
                    strict=True,
                )
            },
        }

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> Softmax:
        """What `to_json` wrote."""
        rows = fields["features"].values()
        return cls(
            features=tuple(fields["features"]),
            labels=tuple(fields["labels"]),
            mean=np.array([row["mean"] for row in rows], dtype=np.float64),
            scale=np.array([row["scale"] for row in rows], dtype=np.float64),
            bias=np.array(fields["bias"], dtype=np.float64),
            weights=np.array([row["weights"] for row in rows], dtype=np.float64),
        )


def log_softmax(scores: Floats) -> Floats:
    """Log probabilities, normalised by row."""
    shifted = scores - scores.max(axis=1, keepdims=True)
    normal: Floats = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return normal


def fit(
    features: Sequence[str],
    labels: Sequence[str],
    table: Floats,
    answers: NDArray[np.int64],
    *,
    ridge: float,
    counts: Floats | None = None,
) -> Softmax:
    """The weights for which these answers, indices of labels, are probable; `ridge` limits them.

    `counts` says how much each row counts, if not all count the same.
    """
    from pagesight.models.newton import minimize_convex

    mean, scale = _usual_values(table)
    rows = np.column_stack((np.ones(len(table)), (table - mean) / scale))
    wanted = np.eye(len(labels))[answers]
    often = np.ones((len(table), 1)) if counts is None else counts[:, None]
    penalty = np.full((rows.shape[1], 1), ridge)
    penalty[0] = 1e-3  # the bias is free, except for what all labels share

    def loss(point: Floats) -> tuple[float, Floats, Floats]:
        weights = point.reshape(rows.shape[1], len(labels))
        log = log_softmax(rows @ weights)
        chances = np.exp(log)
        value = -(often * wanted * log).sum() + (penalty * weights**2).sum() / 2
        gradient = rows.T @ (often * (chances - wanted)) + penalty * weights
        bend = _curvature(rows, chances, often) + np.diag(np.repeat(penalty, len(labels)))
        return float(value), gradient.ravel(), bend

    start = np.zeros(rows.shape[1] * len(labels))
    weights = minimize_convex(loss, start).reshape(-1, len(labels))
    weights -= weights.mean(axis=1, keepdims=True)  # as at the minimum, except for rounding
    weights = np.round(weights, DIGITS) + 0.0  # no minus 0
    return Softmax(tuple(features), tuple(labels), mean, scale, weights[0], weights[1:])


def _usual_values(table: Floats) -> tuple[Floats, Floats]:
    """Mean and deviation of each column, rounded; in whatever order the rows are."""
    count = len(table)
    mean = np.array([fsum(column) / count for column in table.T.tolist()])
    spread = [fsum(column) / count for column in ((table - mean) ** 2).T.tolist()]
    scale = np.round(np.sqrt(spread), DIGITS)
    return np.round(mean, DIGITS), np.where(scale == 0, 1.0, scale)


def _curvature(rows: Floats, chances: Floats, often: Floats) -> Floats:
    """The second derivatives of the loss by all weights, F · K × F · K."""
    (_, features), labels = rows.shape, chances.shape[1]
    bend = np.zeros((features, labels, features, labels))
    for one in range(labels):
        for other in range(one, labels):
            shared = often[:, 0] * chances[:, one] * ((one == other) - chances[:, other])
            bend[:, one, :, other] = (rows * shared[:, None]).T @ rows
            bend[:, other, :, one] = bend[:, one, :, other]
    return bend.reshape(features * labels, features * labels)
