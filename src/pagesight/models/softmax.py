"""Multinomial logistic regression: the probability of each label, from a row of features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagesight.models.lbfgs import minimize

Floats = NDArray[np.float64]
DIGITS = 4  # that weights keep: what lies behind depends on the machine and on the way


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
        found: Floats = self.bias + (table - self.mean) / self.scale @ self.weights
        return found

    def probabilities(self, table: Floats) -> Floats:
        """(n, K): for each row the probability of each label."""
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
    found: Floats = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return found


def fit(
    features: Sequence[str],
    labels: Sequence[str],
    table: Floats,
    answers: NDArray[np.int64],
    *,
    ridge: float,
) -> Softmax:
    """The weights for which these answers, indices of labels, are probable; `ridge` limits them."""
    mean = np.round(table.mean(axis=0), DIGITS)
    scale = np.round(table.std(axis=0), DIGITS)
    scale[scale == 0] = 1
    rows = np.column_stack((np.ones(len(table)), (table - mean) / scale))
    wanted = np.eye(len(labels))[answers]
    penalty = np.full((rows.shape[1], 1), ridge)
    penalty[0] = 1e-3  # the bias is free, but for what all labels share

    def objective(point: Floats) -> tuple[float, Floats]:
        weights = point.reshape(rows.shape[1], len(labels))
        log = log_softmax(rows @ weights)
        value = -(wanted * log).sum() + (penalty * weights**2).sum() / 2
        gradient = rows.T @ (np.exp(log) - wanted) + penalty * weights
        return float(value), gradient.ravel()

    start = np.zeros(rows.shape[1] * len(labels))
    found = minimize(objective, start, steps=5000, tolerance=1e-14).reshape(-1, len(labels))
    found = np.round(found, DIGITS) + 0.0  # no minus 0
    return Softmax(tuple(features), tuple(labels), mean, scale, found[0], found[1:])
