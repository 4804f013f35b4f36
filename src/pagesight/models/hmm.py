"""Hidden Markov models with discrete states, exact and in log space.

What a state emits is up to the caller: a sequence of T observations comes as a T × K matrix of
log P(observation | state). Probabilities of zero are allowed everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pagesight.models.chain import Chain, best_labels, chain_sums

Floats = NDArray[np.float64]


class NoPath(ValueError):
    """Under this model, no sequence of states emits these observations."""


@dataclass(frozen=True, slots=True)
class Decoding:
    """The most probable states of a sequence, and log P(states, observations)."""

    states: NDArray[np.int64]
    log_probability: float


@dataclass(frozen=True, slots=True)
class Posterior:
    """What forward-backward says about a sequence."""

    states: Floats
    """P(state k at time t | observations), T × K."""

    transitions: Floats
    """How often each transition is expected, K × K."""

    log_likelihood: float


class Hmm:
    """A Markov chain over K states: `initial` has K probabilities, `transition` K × K."""

    def __init__(self, initial: ArrayLike, transition: ArrayLike) -> None:
        self.initial: Floats = np.asarray(initial, np.float64)
        self.transition: Floats = np.asarray(transition, np.float64)
        if self.transition.shape != 2 * self.initial.shape:
            raise ValueError(f"{self.initial.shape} states, {self.transition.shape} transitions")
        self._chain = Chain(_log(self.transition), _log(self.initial), np.zeros_like(self.initial))

    def __len__(self) -> int:
        return len(self.initial)

    def viterbi(self, log_emission: ArrayLike) -> Decoding:
        """The most probable states; of several the one with the lower states at the end."""
        states, log_probability = best_labels(self._chain, self._checked(log_emission))
        return Decoding(states, _possible(log_probability))

    def posterior(self, log_emission: ArrayLike) -> Posterior:
        """The probability of each state at each time, and the likelihood of the whole."""
        sums = chain_sums([self._chain], self._checked(log_emission)[:, None])
        log_likelihood = _possible(float(sums.log_total[0, 0]))
        return Posterior(sums.labels[:, 0, 0], sums.pairs[0, 0], log_likelihood)

    def _checked(self, log_emission: ArrayLike) -> Floats:
        emission: Floats = np.asarray(log_emission, np.float64).reshape(-1, len(self))
        if np.isnan(emission).any() or np.isposinf(emission).any():
            raise ValueError("a log-likelihood is not a number, or is infinite")
        return emission


def count_transitions(
    sequences: Sequence[ArrayLike], states: int, *, smoothing: float = 0.0
) -> Floats:
    """P(next state | state) as labelled sequences show it, with `smoothing` added to each count.

    A state that none of them leaves stays where it is.
    """
    counts = np.full((states, states), smoothing)
    for sequence in sequences:
        labels = np.asarray(sequence, np.int64)
        np.add.at(counts, (labels[:-1], labels[1:]), 1)
    left = counts.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(counts, left, out=np.eye(states), where=left > 0)
    return shares


def _log(probabilities: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return np.log(probabilities)


def _possible(log_probability: float) -> float:
    if log_probability == -np.inf:
        raise NoPath("no sequence of states emits these observations")
    return log_probability
