"""Sums over labellings and the best of them, against a list of all labellings."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pagesight.models.chain import Chain, best_labels, chain_sums, log_sum

Floats = NDArray[np.float64]
seeds = st.integers(0, 10_000)
LABELS = 3


def some_chain(random: np.random.Generator, *, barred: float = 0.0, size: float = 2.0) -> Chain:
    """A chain of three labels in which a share of all moves is impossible."""

    def scores(*shape: int) -> Floats:
        return np.where(random.random(shape) < barred, -np.inf, size * random.normal(size=shape))

    return Chain(scores(LABELS, LABELS), scores(LABELS), scores(LABELS))


def all_labellings(chain: Chain, scores: Floats) -> dict[tuple[int, ...], float]:
    """The total score of each labelling, term by term."""
    totals = {}
    for labels in product(range(LABELS), repeat=len(scores)):
        emitted = sum(scores[time, label] for time, label in enumerate(labels))
        moved = sum(chain.transition[a, b] for a, b in pairwise(labels))
        totals[labels] = float(emitted + moved + chain.start[labels[0]] + chain.stop[labels[-1]])
    return totals


def expected_sums(chain: Chain, scores: Floats) -> tuple[Floats, Floats, float]:
    totals = all_labellings(chain, scores)
    log_total = float(log_sum(np.array(list(totals.values())), axis=0))
    labels, pairs = np.zeros(scores.shape), np.zeros((LABELS, LABELS))
    for path, total in totals.items():
        share = np.exp(total - log_total)
        labels[np.arange(len(path)), path] += share
        np.add.at(pairs, (path[:-1], path[1:]), share)
    return labels, pairs, log_total


@given(st.integers(1, 5), st.sampled_from([0.0, 0.3]), seeds)
def test_the_best_labels_are_the_best_of_all(length: int, barred: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    chain, scores = some_chain(random, barred=barred), random.normal(size=(length, LABELS))
    totals = all_labellings(chain, scores)
    labels, total = best_labels(chain, scores)
    assert total == pytest.approx(max(totals.values()))
    assert totals[tuple(labels.tolist())] == pytest.approx(total)


def test_of_equal_labellings_the_one_with_the_lower_labels_is_taken() -> None:
    chain = Chain(np.zeros((2, 2)), np.zeros(2), np.zeros(2))
    assert best_labels(chain, np.zeros((4, 2)))[0].tolist() == [0, 0, 0, 0]


@given(st.lists(st.integers(1, 6), min_size=1, max_size=3), st.sampled_from([0.0, 0.3]), seeds)
@example([1, 5], 0.3, 6634)  # nothing can follow the end of the first
def test_many_sequences_and_chains_at_once_are_as_one_by_one(
    lengths: list[int], barred: float, seed: int
) -> None:
    random = np.random.default_rng(seed)
    chains = [some_chain(random, barred=barred) for _ in range(2)]
    scores = np.zeros((max(lengths), len(lengths), LABELS))
    for row, length in enumerate(lengths):
        scores[:length, row] = 3 * random.normal(size=(length, LABELS))
    sums = chain_sums(chains, scores, lengths)
    for number, chain in enumerate(chains):
        for row, length in enumerate(lengths):
            labels, pairs, log_total = expected_sums(chain, scores[:length, row])
            if log_total == -np.inf:
                assert sums.log_total[number, row] == -np.inf
                continue
            assert sums.log_total[number, row] == pytest.approx(log_total, abs=1e-12)
            assert sums.labels[:length, number, row] == pytest.approx(labels, abs=1e-12)
            assert not sums.labels[length:, number, row].any()
            assert sums.pairs[number, row] == pytest.approx(pairs, abs=1e-12)


@given(st.integers(1, 12), seeds)
def test_each_chain_may_have_scores_of_its_own(length: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    chains = [some_chain(random) for _ in range(2)]
    scores = random.normal(size=(length, 2, 1, LABELS))
    sums = chain_sums(chains, scores, pairs=False)
    assert not sums.pairs.any()
    for number, chain in enumerate(chains):
        alone = chain_sums([chain], scores[:, number])
        assert sums.labels[:, number] == pytest.approx(alone.labels[:, 0], abs=1e-12)
        assert sums.log_total[number] == pytest.approx(alone.log_total[0], abs=1e-12)


@given(seeds)
def test_labels_that_are_not_allowed_have_no_share(seed: int) -> None:
    random = np.random.default_rng(seed)
    chain, scores = some_chain(random), random.normal(size=(4, LABELS))
    scores[random.random(scores.shape) < 0.4] = -np.inf
    assume(np.isfinite(scores).any(axis=1).all())
    sums = chain_sums([chain], scores[:, None])
    labels, pairs, log_total = expected_sums(chain, scores)
    assert sums.labels[:, 0, 0] == pytest.approx(labels, abs=1e-12)
    assert sums.pairs[0, 0] == pytest.approx(pairs, abs=1e-12)
    assert sums.log_total[0, 0] == pytest.approx(log_total)


@given(seeds)
def test_what_seems_impossible_at_first_may_be_right_in_the_end(seed: int) -> None:
    """A label a thousand orders of magnitude behind wins when the others have nowhere to go."""
    random = np.random.default_rng(seed)
    chain = some_chain(random, size=500)
    scores = 1500 * random.normal(size=(4, LABELS))
    sums = chain_sums([chain], scores[:, None])
    labels, pairs, log_total = expected_sums(chain, scores)
    assert sums.labels[:, 0, 0] == pytest.approx(labels, abs=1e-9)
    assert sums.pairs[0, 0] == pytest.approx(pairs, abs=1e-9)
    assert sums.log_total[0, 0] == pytest.approx(log_total)


def test_a_sequence_that_no_labelling_explains() -> None:
    chain = Chain(np.zeros((2, 2)), np.zeros(2), np.zeros(2))
    sums = chain_sums([chain], np.array([[[0.0, 0.0]], [[-np.inf, -np.inf]]]))
    assert sums.log_total[0, 0] == -np.inf
    assert best_labels(chain, np.full((1, 2), -np.inf))[1] == -np.inf


def test_nothing_is_certain_and_has_no_labels() -> None:
    chain = Chain(np.zeros((2, 2)), np.zeros(2), np.zeros(2))
    sums = chain_sums([chain, chain], np.zeros((0, 3, 2)))
    assert sums.labels.shape == (0, 2, 3, 2)
    assert sums.log_total.tolist() == [[0, 0, 0], [0, 0, 0]]
    labels, total = best_labels(chain, np.zeros((0, 2)))
    assert (len(labels), total) == (0, 0.0)
