"""Logistic regression, and the curve from probabilities to confidences (Platt's scaling)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
STEEPEST = 8.0  # the logits beyond which a probability says nothing more
PENALTY = 1.0  # for other curves than the one that leaves probabilities as they are
DIGITS = 4  # of curves, as they are saved


def sigmoid(logits: ArrayLike) -> Floats:
    """The probabilities that have these log odds."""
    bounded = np.clip(np.asarray(logits, np.float64), -700, 700)
    chances: Floats = np.asarray(1 / (1 + np.exp(-bounded)))
    return chances


def logit(probabilities: ArrayLike, steepest: float = STEEPEST) -> Floats:
    """The log odds of probabilities, at most `steepest` either way."""
    least = 1 / (1 + np.exp(steepest))
    inner = np.clip(np.asarray(probabilities, np.float64), least, 1 - least)
    log_odds: Floats = np.asarray(np.log(inner / (1 - inner)))
    return log_odds


def chance_of(odds: float) -> float:
    """`sigmoid` of one number."""
    return 1 / (1 + exp(-min(max(odds, -700), 700)))


def odds_of(probability: float, steepest: float = STEEPEST) -> float:
    """`logit` of one number."""
    if not 0 < probability < 1:
        return steepest if probability > 0 else -steepest
    return min(max(log(probability / (1 - probability)), -steepest), steepest)


def fit_logistic(
    rows: Floats,
    targets: ArrayLike,
    *,
    penalty: float,
    weights: ArrayLike = 1.0,
    prior: ArrayLike = 0.0,
) -> Floats:
    """The coefficients (F) for which `rows` (n × F) have the probabilities `targets` (n).

    `penalty` pulls the coefficients towards `prior`; `weights` is how much each row counts.
    """
    wanted, counted = np.asarray(targets, np.float64), np.asarray(weights, np.float64)
    centre = np.broadcast_to(np.asarray(prior, np.float64), rows.shape[1:])

    def loss(point: Floats) -> tuple[float, Floats, Floats]:
        scores, off = rows @ point, point - centre
        chance = sigmoid(scores)
        value = (counted * (np.logaddexp(0, scores) - wanted * scores)).sum()
        bend = (rows * (counted * chance * (1 - chance))[:, None]).T @ rows
        return (
            float(value + penalty / 2 * off @ off),
            rows.T @ (counted * (chance - wanted)) + penalty * off,
            bend + penalty * np.eye(len(point)),
        )

    from pagesight.models.newton import minimize_convex  # reading pages does not need it

    return minimize_convex(loss, centre)


@dataclass(frozen=True, slots=True)
class Platt:
    """The curve whose log odds are ``slope · logit(probability) + offset``."""

    slope: float = 1.0
    offset: float = 0.0
    steepest: float = STEEPEST

    def confidence(self, probabilities: ArrayLike) -> Floats:
        """How likely it is that values are right which a model has given these probabilities."""
        return sigmoid(self.slope * logit(probabilities, self.steepest) + self.offset)

    def of(self, probability: float) -> float:
        """The confidence of one value."""
        return chance_of(self.slope * odds_of(probability, self.steepest) + self.offset)

    @classmethod
    def from_json(cls, values: Sequence[float]) -> Platt:
        """The curve of this slope and offset."""
        slope, offset = map(float, values)
        return cls(slope, offset)

    @classmethod
    def fit(
        cls,
        probabilities: Sequence[float],
        right: Sequence[bool],
        *,
        steepest: float = STEEPEST,
        penalty: float = PENALTY,
        softened: bool = True,
    ) -> Platt:
        """The curve for values that turned out to be right or wrong.

        With `softened` targets, as in Platt's paper, no value is certainly right or wrong; with
        many values it makes no difference. A slope below zero would reverse the order.
        """
        if not len(right):
            return cls(steepest=steepest)
        answers = np.asarray(right, np.bool_)
        rows = np.column_stack((logit(probabilities, steepest), np.ones(len(answers))))
        targets = _softened(answers) if softened else answers
        line = fit_logistic(rows, targets, penalty=penalty, prior=(1.0, 0.0))
        slope, offset = np.round(line, DIGITS).tolist()
        return cls(max(slope, 0.0), offset + 0.0, steepest)


def _softened(answers: NDArray[np.bool_]) -> Floats:
    """Platt's targets: nearly 1 for what is right, nearly 0 for what is wrong."""
    right, wrong = int(answers.sum()), int((~answers).sum())
    return np.where(answers, (right + 1) / (right + 2), 1 / (wrong + 2))
