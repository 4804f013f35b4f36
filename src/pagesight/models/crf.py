"""Linear-chain conditional random fields: exact, with labels that may be known in part.

A sequence of T positions comes as a T × F matrix of features. The score of labels y is the sum of
``features[t] @ emission[:, y[t]]``, of ``transition[y[t-1], y[t]]``, and of `start` and `stop` at
the ends. Training maximises the likelihood of all labellings that the known labels allow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagesight.models.lbfgs import minimize

Floats = NDArray[np.float64]
Allowed = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Weights:
    """The parameters of a field with F features and K labels."""

    emission: Floats  # F × K
    transition: Floats  # K × K, from row to column
    start: Floats  # K
    stop: Floats  # K

    def to_vector(self) -> Floats:
        """All parameters in one row."""
        parts = (self.emission, self.transition, self.start, self.stop)
        return np.concatenate([part.ravel() for part in parts])

    @classmethod
    def from_vector(cls, vector: Floats, features: int, labels: int) -> Weights:
        """The parameters that `to_vector` put in one row."""
        ends = np.cumsum([features * labels, labels * labels, labels])
        emission, transition, start, stop = np.split(vector, ends)
        return cls(
            emission.reshape(features, labels), transition.reshape(labels, labels), start, stop
        )


@dataclass(frozen=True, slots=True)
class Example:
    """A sequence, and for each position which labels it may have (T × K)."""

    features: NDArray[np.float32]
    allowed: Allowed


class Crf:
    """A linear-chain field with fixed weights."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    def scores(self, features: NDArray[np.floating]) -> Floats:
        """The score of each label at each position by its features alone, T × K."""
        scores: Floats = features.astype(np.float64) @ self.weights.emission
        return scores

    def decode(self, scores: Floats) -> NDArray[np.int64]:
        """The labels of the highest total score."""
        labels = np.zeros(len(scores), dtype=np.int64)
        if not len(scores):
            return labels
        into = np.ascontiguousarray(self.weights.transition.T)
        best = scores.copy()
        best[0] += self.weights.start
        for time in range(1, len(scores)):
            best[time] += (into + best[time - 1]).max(axis=1)
        # Where a label came from is asked only of those on the best way.
        label = int((best[-1] + self.weights.stop).argmax())
        for time in range(len(scores) - 1, 0, -1):
            labels[time] = label
            label = int((best[time - 1] + into[label]).argmax())
        labels[0] = label
        return labels

    def posterior(self, scores: Floats) -> tuple[Floats, float]:
        """P(label | sequence) at each position, T × K, and the logarithm of the partition sum."""
        lengths = np.array([len(scores)])
        if not len(scores):
            return scores, 0.0
        sums = _sums(scores[None], np.ones((1, *scores.shape), np.bool_), lengths, self.weights)
        return sums.labels[0], float(sums.log_total[0])


@dataclass(frozen=True, slots=True)
class _Sums:
    labels: Floats  # B × T × K: probabilities, zero after the end of a sequence
    pairs: Floats  # K × K: expected transitions of all sequences together
    log_total: Floats  # B


def _sums(scores: Floats, allowed: Allowed, lengths: NDArray[np.int64], weights: Weights) -> _Sums:
    """Forward-backward on B sequences at once, padded to T positions, in scaled probabilities."""
    batch, longest, _ = scores.shape
    inside = np.arange(longest) < lengths[:, None]  # B × T
    limited = np.where(allowed, scores, -np.inf)
    limited[:, 0] += weights.start
    last = (np.arange(batch), lengths - 1)
    limited[last] += weights.stop
    shift = np.where(inside, limited.max(axis=2), 0.0)
    local = np.where(inside[..., None], np.exp(limited - shift[..., None]), 0.0)
    ceiling = weights.transition.max()
    moves = np.exp(weights.transition - ceiling)
    forward, scale = _forward(local, inside, moves)
    backward = _backward(local, inside, moves, scale)
    labels = forward * backward
    labels /= np.maximum(labels.sum(axis=2, keepdims=True), 1e-300)
    labels *= inside[..., None]
    later = local[:, 1:] * backward[:, 1:] / scale[:, 1:, None]
    pairs = np.einsum("bti,btj->ij", forward[:, :-1], later) * moves
    log_total = (np.log(scale) * inside + shift).sum(axis=1) + ceiling * (lengths - 1)
    return _Sums(labels, pairs, log_total)


def _forward(local: Floats, inside: NDArray[np.bool_], moves: Floats) -> tuple[Floats, Floats]:
    """Scaled forward probabilities, and the scale of each position (1 after the end)."""
    forward = np.zeros_like(local)
    scale = np.ones(inside.shape)
    current = local[:, 0]
    for time in range(local.shape[1]):
        if time:
            current = (forward[:, time - 1] @ moves) * local[:, time]
        total = current.sum(axis=1)
        scale[:, time] = np.where(inside[:, time], total, 1.0)
        forward[:, time] = current / scale[:, time, None]
    return forward, scale


def _backward(local: Floats, inside: NDArray[np.bool_], moves: Floats, scale: Floats) -> Floats:
    backward = np.zeros_like(local)
    steps = local.shape[1]
    ending = np.ones(local.shape[2])
    for time in range(steps - 1, -1, -1):
        if time == steps - 1:
            backward[:, time] = ending
            continue
        ahead = local[:, time + 1] * backward[:, time + 1] / scale[:, time + 1, None]
        goes_on = inside[:, time + 1, None]
        backward[:, time] = np.where(goes_on, ahead @ moves.T, ending)
    return backward


class _Batch:
    """Sequences of about the same length, padded to one array."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self.lengths = np.array([len(example.features) for example in examples])
        self.features = np.concatenate([example.features for example in examples])
        longest = int(self.lengths.max())
        labels = examples[0].allowed.shape[1]
        self.allowed = np.ones((len(examples), longest, labels), dtype=np.bool_)
        for row, example in enumerate(examples):
            self.allowed[row, : len(example.allowed)] = example.allowed
        self.inside = np.arange(longest) < self.lengths[:, None]

    def loss(self, weights: Weights) -> tuple[float, Weights]:
        """The negative log-likelihood of what is known, and its gradient."""
        scores = np.zeros(self.allowed.shape)
        scores[self.inside] = self.features @ weights.emission.astype(np.float32)
        free = _sums(scores, np.ones_like(self.allowed), self.lengths, weights)
        known = _sums(scores, self.allowed, self.lengths, weights)
        excess = free.labels - known.labels
        rows = excess[self.inside].astype(np.float32)
        last = (np.arange(len(self.lengths)), self.lengths - 1)
        gradient = Weights(
            (self.features.T @ rows).astype(np.float64),
            free.pairs - known.pairs,
            excess[:, 0].sum(axis=0),
            excess[last].sum(axis=0),
        )
        return float((free.log_total - known.log_total).sum()), gradient


def train(
    examples: Sequence[Example],
    *,
    penalty: float = 1.0,
    steps: int = 150,
    batch: int = 32,
    start: Weights | None = None,
    advance: Callable[[], None] = lambda: None,
) -> Weights:
    """The weights of the highest likelihood, less `penalty` / 2 times their squared length.

    Starts from zero, or from `start`; the same examples give the same weights.
    """
    features, labels = examples[0].features.shape[1], examples[0].allowed.shape[1]
    ordered = sorted(examples, key=lambda example: len(example.features))
    batches = [_Batch(ordered[at : at + batch]) for at in range(0, len(ordered), batch)]

    def objective(vector: Floats) -> tuple[float, Floats]:
        weights = Weights.from_vector(vector, features, labels)
        value = penalty / 2 * float(vector @ vector)
        gradient = penalty * vector
        for each in batches:
            loss, slope = each.loss(weights)
            value += loss
            gradient += slope.to_vector()
        advance()
        return value, gradient

    size = features * labels + labels * labels + 2 * labels
    begin = start.to_vector() if start else np.zeros(size)
    return Weights.from_vector(minimize(objective, begin, steps=steps), features, labels)
