"""Linear-chain conditional random fields: exact, with labels that may be known in part.

A sequence of T positions comes as a T × F matrix of features. The score of labels y is the sum of
``features[t] @ emission[:, y[t]]``, of ``transition[y[t-1], y[t]]``, and of `start` and `stop` at
the ends. Training maximises the likelihood of all labellings that the known labels allow.

Features that are indicators, few of many at each position, come as a T × S matrix of the numbers of
those that hold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagesight.models.chain import Chain, chain_sums

Floats = NDArray[np.float64]
Allowed = NDArray[np.bool_]
Indicators = NDArray[np.int64]
BATCH = 32  # sequences that are summed over at once


@dataclass(frozen=True, slots=True)
class FieldWeights:
    """The parameters of a field with F features and K labels, while they are learned."""

    emission: Floats  # F × K
    transition: Floats  # K × K, from row to column
    start: Floats  # K
    stop: Floats  # K

    @property
    def chain(self) -> Chain:
        """Everything except the features."""
        return Chain(self.transition, self.start, self.stop)

    def to_vector(self) -> Floats:
        """All parameters in one row."""
        parts = (self.emission, self.transition, self.start, self.stop)
        return np.concatenate([part.ravel() for part in parts])

    @classmethod
    def from_vector(cls, vector: Floats, features: int, labels: int) -> FieldWeights:
        """The parameters that `to_vector` put in one row."""
        ends = np.cumsum([features * labels, labels * labels, labels])
        emission, transition, start, stop = np.split(vector, ends)
        return cls(
            emission.reshape(features, labels), transition.reshape(labels, labels), start, stop
        )


@dataclass(frozen=True, slots=True)
class LabelledSequence:
    """A sequence, and for each position which labels it may have (T × K)."""

    features: NDArray[np.float32] | Indicators
    allowed: Allowed
    weight: float = 1.0  # how much it counts


class _Batch:
    """Sequences of about the same length, padded to one array."""

    def __init__(self, examples: Sequence[LabelledSequence]) -> None:
        self.lengths = np.array([len(example.features) for example in examples])
        longest, labels = int(self.lengths.max()), examples[0].allowed.shape[1]
        inside = np.arange(longest)[:, None] < self.lengths
        self.at = np.flatnonzero(inside.T.ravel())  # of all positions, sequence by sequence
        self.features = np.concatenate([example.features for example in examples])
        self.weights = np.array([example.weight for example in examples])
        self.barred = np.zeros((len(examples), longest, labels), dtype=np.bool_)
        for row, example in enumerate(examples):
            self.barred[row, : len(example.allowed)] = ~example.allowed

    def loss(self, weights: FieldWeights) -> tuple[float, FieldWeights]:
        """The negative log-likelihood of what is known, and its gradient."""
        count, longest, labels = self.barred.shape
        free = np.zeros((count * longest, labels))
        free[self.at] = emissions(self.features, weights.emission.astype(np.float32))
        free = free.reshape(self.barred.shape)
        known = np.where(self.barred, -np.inf, free)
        scores = np.concatenate((free, known)).swapaxes(0, 1)
        sums = chain_sums([weights.chain], scores, np.tile(self.lengths, 2))
        labelled, pairs, log_total = sums.labels[:, 0], sums.pairs[0], sums.log_total[0]
        counted = self.weights[:, None, None]
        excess = np.ascontiguousarray((labelled[:, :count] - labelled[:, count:]).swapaxes(0, 1))
        excess *= counted
        rows = excess.reshape(-1, labels)[self.at].astype(np.float32)
        gradient = FieldWeights(
            _gradient(self.features, rows, len(weights.emission)),
            ((pairs[:count] - pairs[count:]) * counted).sum(axis=0),
            excess[:, 0].sum(axis=0),
            excess[np.arange(count), self.lengths - 1].sum(axis=0),
        )
        return float(self.weights @ (log_total[:count] - log_total[count:])), gradient


def emissions(features: NDArray[np.float32] | Indicators, emission: NDArray[Any]) -> NDArray[Any]:
    """The scores of each label at each position, by its features."""
    if features.dtype != np.int64:
        return np.asarray(features @ emission)
    scores = np.zeros((len(features), emission.shape[1]), emission.dtype)
    for column in np.ascontiguousarray(features.T):
        scores += emission.take(column, axis=0)
    return scores


def _gradient(
    features: NDArray[np.float32] | Indicators, rows: NDArray[np.float32], count: int
) -> Floats:
    """How the scores of all positions grow with the weights of `count` features."""
    if features.dtype != np.int64:
        return np.asarray(features.T @ rows, np.float64)
    numbers = features.ravel()
    sums = [
        np.bincount(numbers, np.repeat(label, features.shape[1]), minlength=count)
        for label in rows.T
    ]
    return np.stack(sums, axis=1)


def train(
    examples: Sequence[LabelledSequence],
    *,
    penalty: float = 1.0,
    steps: int = 150,
) -> FieldWeights:
    """The weights of the highest likelihood, less `penalty` / 2 times their squared length.

    The same examples give the same weights.
    """
    from pagesight.models.lbfgs import minimize

    features, labels = examples[0].features.shape[1], examples[0].allowed.shape[1]
    ordered = sorted(examples, key=lambda example: len(example.features))
    batches = [_Batch(ordered[at : at + BATCH]) for at in range(0, len(ordered), BATCH)]

    def objective(vector: Floats) -> tuple[float, Floats]:
        weights = FieldWeights.from_vector(vector, features, labels)
        value = penalty / 2 * float(vector @ vector)
        gradient = penalty * vector
        for part in batches:
            loss, slope = part.loss(weights)
            value += loss
            gradient += slope.to_vector()
        return value, gradient

    size = features * labels + labels * labels + 2 * labels
    best = minimize(objective, np.zeros(size), steps=steps)
    return FieldWeights.from_vector(best, features, labels)


def train_indicators(
    examples: Sequence[LabelledSequence], count: int, *, penalty: float, epochs: int
) -> FieldWeights:
    """About the same for `count` indicators and many short sequences, batch by batch."""
    from pagesight.models.adam import descend

    labels = examples[0].allowed.shape[1]
    ordered = sorted(examples, key=lambda example: len(example.features))
    batches = [_Batch(ordered[at : at + BATCH]) for at in range(0, len(ordered), BATCH)]

    def gradient_of(batch: _Batch) -> Callable[[Floats], Floats]:
        def gradient(vector: Floats) -> Floats:
            _, slope = batch.loss(FieldWeights.from_vector(vector, count, labels))
            return slope.to_vector() + penalty / len(batches) * vector

        return gradient

    size = count * labels + labels * labels + 2 * labels
    best = descend(list(map(gradient_of, batches)), np.zeros(size), epochs=epochs)
    return FieldWeights.from_vector(best, count, labels)
