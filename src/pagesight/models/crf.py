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
        if not len(scores):
            return scores, 0.0
        lengths = np.array([len(scores)])
        labels, _, log_total = _sums(scores[:, None], lengths, self.weights)
        return labels[:, 0], float(log_total[0])


def _sums(
    scores: Floats, lengths: NDArray[np.int64], weights: Weights
) -> tuple[Floats, Floats, Floats]:
    """Sums over all labellings of B sequences at once, each padded to T positions.

    `scores` is T × B × K, -inf where a label is not allowed. Returns the probability of each label
    (T × B × K, zero after the end), the expected transitions by sequence (B × K × K, but for the
    factor that `weights` give them), and by sequence the logarithm of the sum over all labellings.
    """
    longest, batch, _ = scores.shape
    inside = np.arange(longest)[:, None] < lengths  # T × B
    scores = scores.copy()
    scores[0] += weights.start
    scores[lengths - 1, np.arange(batch)] += weights.stop
    shift = np.where(inside, scores.max(axis=2), 0.0)
    local = np.exp(scores - shift[..., None])
    moves = np.exp(weights.transition)
    # What follows a label is what comes before it, read from the end: both ways are one pass.
    end = np.where(inside, lengths - 1 - np.arange(longest)[:, None], np.arange(longest)[:, None])
    turned = (end, np.arange(batch))
    both, scale = _forward(np.stack((local, local[turned]), axis=1), np.stack((moves, moves.T)))
    forward, later = both[:, 0], both[:, 1][turned]
    ahead = np.ones_like(forward)
    goes_on = inside[1:, :, None]
    np.copyto(ahead[:-1], later[1:] @ moves.T, where=goes_on)
    labels = forward * ahead
    total = labels.sum(axis=2, keepdims=True)
    labels *= inside[..., None] / total
    log_total = (scale[:, 0] * inside + shift).sum(axis=0)
    before = forward[:-1] * goes_on / total[:-1]
    pairs = before.transpose(1, 2, 0) @ later[1:].transpose(1, 0, 2)
    return labels, pairs * moves, log_total


def _forward(local: Floats, moves: Floats) -> tuple[Floats, Floats]:
    """Sums over all labellings up to each position, each scaled to 1; the logarithms of the scales.

    `local` is T × 2 × B × K, and `moves` 2 × K × K, for either way of reading.
    """
    found = local.copy()
    scale = np.empty(local.shape[:-1])
    for time, here in enumerate(found):
        if time:
            here *= found[time - 1] @ moves
        total = here.sum(axis=2, keepdims=True)
        here /= total
        scale[time] = total[..., 0]
    return found, np.log(scale)


class _Batch:
    """Sequences of about the same length, padded to one array."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self.lengths = np.array([len(example.features) for example in examples])
        longest, labels = int(self.lengths.max()), examples[0].allowed.shape[1]
        inside = np.arange(longest)[:, None] < self.lengths
        self.at = np.flatnonzero(inside.T.ravel())  # of all positions, sequence by sequence
        self.features = np.concatenate([example.features for example in examples])
        self.barred = np.zeros((len(examples), longest, labels), dtype=np.bool_)
        for row, example in enumerate(examples):
            self.barred[row, : len(example.allowed)] = ~example.allowed

    def loss(self, weights: Weights) -> tuple[float, Weights]:
        """The negative log-likelihood of what is known, and its gradient."""
        count, longest, labels = self.barred.shape
        free = np.zeros((count * longest, labels))
        free[self.at] = self.features @ weights.emission.astype(np.float32)
        free = free.reshape(self.barred.shape)
        known = np.where(self.barred, -np.inf, free)
        scores = np.concatenate((free, known)).swapaxes(0, 1)
        found, pairs, log_total = _sums(scores, np.tile(self.lengths, 2), weights)
        excess = np.ascontiguousarray((found[:, :count] - found[:, count:]).swapaxes(0, 1))
        rows = excess.reshape(-1, labels)[self.at].astype(np.float32)
        gradient = Weights(
            (self.features.T @ rows).astype(np.float64),
            pairs[:count].sum(axis=0) - pairs[count:].sum(axis=0),
            excess[:, 0].sum(axis=0),
            excess[np.arange(count), self.lengths - 1].sum(axis=0),
        )
        return float(log_total[:count].sum() - log_total[count:].sum()), gradient


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
