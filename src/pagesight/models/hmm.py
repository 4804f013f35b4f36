"""Hidden Markov models with discrete states, exact and in log space.

What a state emits is the caller's affair: a sequence of T observations comes as a T × K matrix of
log P(observation | state). Probabilities of zero are allowed everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
    """What forward-backward tells of a sequence."""

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
        self._log_initial, self._log_transition = _log(self.initial), _log(self.transition)

    def __len__(self) -> int:
        return len(self.initial)

    def viterbi(self, log_emission: ArrayLike) -> Decoding:
        """The most probable states; of several the one with the lower states at the end."""
        emission = self._checked(log_emission)
        if not len(emission):
            return Decoding(np.zeros(0, np.int64), 0.0)
        best = self._log_initial + emission[0]
        came_from = np.zeros(emission.shape, np.int64)
        for time in range(1, len(emission)):
            reached = best[:, None] + self._log_transition
            came_from[time] = reached.argmax(axis=0)
            best = reached.max(axis=0) + emission[time]
        states = np.zeros(len(emission), np.int64)
        states[-1] = best.argmax()
        for time in range(len(emission) - 1, 0, -1):
            states[time - 1] = came_from[time, states[time]]
        return Decoding(states, _possible(float(best.max())))

    def posterior(self, log_emission: ArrayLike) -> Posterior:
        """The probability of each state at each time, and the likelihood of the whole."""
        emission = self._checked(log_emission)
        if not len(emission):
            return Posterior(emission, np.zeros_like(self.transition), 0.0)
        forward, backward = self._forward(emission), self._backward(emission)
        log_likelihood = _possible(float(_log_sum(forward[-1], axis=0)))
        ahead = (emission + backward)[1:, None, :] - log_likelihood
        pairs = np.exp(forward[:-1, :, None] + self._log_transition + ahead)
        states = np.exp(forward + backward - log_likelihood)
        return Posterior(states, pairs.sum(axis=0), log_likelihood)

    def _forward(self, emission: Floats) -> Floats:
        """Log P(observations up to t, state k at t)."""
        forward = np.empty_like(emission)
        forward[0] = self._log_initial + emission[0]
        for time in range(1, len(emission)):
            reached = forward[time - 1][:, None] + self._log_transition
            forward[time] = _log_sum(reached, axis=0) + emission[time]
        return forward

    def _backward(self, emission: Floats) -> Floats:
        """Log P(observations after t | state k at t)."""
        backward = np.zeros_like(emission)
        for time in range(len(emission) - 2, -1, -1):
            ahead = emission[time + 1] + backward[time + 1]
            backward[time] = _log_sum(self._log_transition + ahead, axis=1)
        return backward

    def _checked(self, log_emission: ArrayLike) -> Floats:
        emission: Floats = np.asarray(log_emission, np.float64).reshape(-1, len(self))
        if np.isnan(emission).any() or np.isposinf(emission).any():
            raise ValueError("a log-likelihood is no number, or infinite")
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


def _log_sum(values: Floats, axis: int) -> Floats:
    """Log of the sum of exponentials; of nothing but -inf it is -inf."""
    highest = values.max(axis=axis, keepdims=True)
    highest[np.isneginf(highest)] = 0.0
    total: Floats = _log(np.exp(values - highest).sum(axis=axis)) + highest.squeeze(axis)
    return total


def _possible(log_probability: float) -> float:
    if log_probability == -np.inf:
        raise NoPath("no sequence of states emits these observations")
    return log_probability
