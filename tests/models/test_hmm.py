"""The algorithms against a sum over all paths, and against numbers worked out by hand."""

from __future__ import annotations

from itertools import pairwise, product
from math import log

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pagesight.models.hmm import Hmm, NoPath, count_transitions

# Rain and sun: the umbrella is seen on days 1 and 2 (Russell & Norvig, section 14.2).
UMBRELLA = Hmm([0.5, 0.5], [[0.7, 0.3], [0.3, 0.7]])
SEEN_TWICE = np.log([[0.9, 0.2], [0.9, 0.2]])


@st.composite
def small_models(draw: st.DrawFn) -> tuple[Hmm, np.ndarray]:
    """A model of up to 3 states, with zeros in it, and up to 5 observations."""
    states, length = draw(st.integers(1, 3)), draw(st.integers(1, 5))
    shares = st.sampled_from([0.0, 0.0, 0.1, 0.2, 0.5, 1.0])

    def rows(count: int) -> np.ndarray:
        flat = draw(st.lists(shares, min_size=count * states, max_size=count * states))
        return np.array(flat).reshape(count, states)

    with np.errstate(divide="ignore"):
        return Hmm(rows(1)[0], rows(states)), np.log(rows(length))


def all_paths(model: Hmm, emission: np.ndarray) -> dict[tuple[int, ...], float]:
    """P(path, observations) of every path."""
    found = {}
    for path in product(range(len(model)), repeat=len(emission)):
        chance = model.initial[path[0]]
        for here, there in pairwise(path):
            chance *= model.transition[here, there]
        found[path] = float(
            chance * np.exp([row[s] for row, s in zip(emission, path, strict=True)]).prod()
        )
    return found


@given(small_models())
def test_viterbi_finds_the_best_of_all_paths(drawn: tuple[Hmm, np.ndarray]) -> None:
    model, emission = drawn
    paths = all_paths(model, emission)
    assume(max(paths.values()) > 0)
    decoding = model.viterbi(emission)
    assert np.exp(decoding.log_probability) == pytest.approx(max(paths.values()))
    assert paths[tuple(decoding.states.tolist())] == pytest.approx(max(paths.values()))


@given(small_models())
def test_forward_backward_sums_over_all_paths(drawn: tuple[Hmm, np.ndarray]) -> None:
    model, emission = drawn
    paths = all_paths(model, emission)
    total = sum(paths.values())
    assume(total > 0)
    posterior = model.posterior(emission)
    states, transitions = np.zeros_like(emission), np.zeros_like(model.transition)
    for path, chance in paths.items():
        states[np.arange(len(path)), path] += chance / total
        np.add.at(transitions, (path[:-1], path[1:]), chance / total)
    assert np.exp(posterior.log_likelihood) == pytest.approx(total)
    assert posterior.states == pytest.approx(states)
    assert posterior.transitions == pytest.approx(transitions)


@given(small_models())
def test_what_no_path_explains_is_said(drawn: tuple[Hmm, np.ndarray]) -> None:
    model, emission = drawn
    assume(sum(all_paths(model, emission).values()) == 0)
    with pytest.raises(NoPath):
        model.viterbi(emission)
    with pytest.raises(NoPath):
        model.posterior(emission)


def test_umbrellas() -> None:
    posterior = UMBRELLA.posterior(SEEN_TWICE)
    assert posterior.states[:, 0] == pytest.approx([0.883, 0.883], abs=5e-4)
    assert UMBRELLA.viterbi(SEEN_TWICE).states.tolist() == [0, 0]
    assert UMBRELLA.viterbi(SEEN_TWICE).log_probability == pytest.approx(log(0.45 * 0.63))


def test_long_sequences_neither_underflow_nor_drift() -> None:
    posterior = UMBRELLA.posterior(np.tile(np.log([1e-200, 1e-201]), (3000, 1)))
    assert np.isfinite(posterior.log_likelihood)
    assert posterior.states.sum(axis=1) == pytest.approx(np.ones(3000))


def test_empty_sequences_are_certain() -> None:
    assert UMBRELLA.viterbi(np.zeros((0, 2))).states.tolist() == []
    assert UMBRELLA.posterior(np.zeros((0, 2))).log_likelihood == 0


def test_wrong_shapes_and_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="transitions"):
        Hmm([1.0], [[0.5, 0.5]])
    with pytest.raises(ValueError, match="not a number"):
        UMBRELLA.viterbi([[np.nan, 0]])


def test_transitions_are_counted() -> None:
    counted = count_transitions([[0, 0, 1], [0, 1, 1]], 3)
    assert counted.tolist() == [[1 / 3, 2 / 3, 0], [0, 1, 0], [0, 0, 1]]
    smoothed = count_transitions([[0, 0, 1]], 2, smoothing=1)
    assert smoothed.tolist() == [[0.5, 0.5], [0.5, 0.5]]
