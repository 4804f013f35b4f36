"""Conditional random fields against brute force over all labellings."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pagesight.models import crf
from pagesight.models.chain import best_labels, chain_sums
from pagesight.models.crf import FieldWeights, LabelledSequence, train
from pagesight.models.lbfgs import minimize

Floats = NDArray[np.float64]


def some_weights(seed: int, features: int = 3, labels: int = 3) -> FieldWeights:
    random = np.random.default_rng(seed)
    size = features * labels + labels * labels + 2 * labels
    return FieldWeights.from_vector(2 * random.normal(size=size), features, labels)


def total(weights: FieldWeights, scores: Floats, labels: tuple[int, ...]) -> float:
    """The score of a labelling, term by term."""
    emitted = sum(scores[time, label] for time, label in enumerate(labels))
    moved = sum(weights.transition[a, b] for a, b in pairwise(labels))
    return float(emitted + moved + weights.start[labels[0]] + weights.stop[labels[-1]])


sizes = st.integers(1, 4)
seeds = st.integers(0, 10_000)


@given(sizes, seeds)
def test_the_best_labels_are_the_best_of_all(length: int, seed: int) -> None:
    weights = some_weights(seed)
    scores = np.random.default_rng(seed + 1).normal(size=(length, 3))
    every = list(product(range(3), repeat=length))
    best = max(total(weights, scores, labels) for labels in every)
    assert total(weights, scores, tuple(best_labels(weights.chain, scores)[0])) == pytest.approx(
        best
    )


@given(sizes, seeds)
def test_posteriors_are_sums_over_all_labellings(length: int, seed: int) -> None:
    weights = some_weights(seed)
    scores = np.random.default_rng(seed + 1).normal(size=(length, 3))
    every = list(product(range(3), repeat=length))
    mass = np.exp([total(weights, scores, labels) for labels in every])
    expected = np.zeros((length, 3))
    for labels, share in zip(every, mass / mass.sum(), strict=True):
        expected[np.arange(length), labels] += share
    sums = chain_sums([weights.chain], scores[:, None])
    found, log_total = sums.labels[:, 0, 0], sums.log_total[0, 0]
    assert found == pytest.approx(expected)
    assert log_total == pytest.approx(np.log(mass.sum()))


def test_long_sequences_with_strong_opinions_do_not_overflow() -> None:
    weights = some_weights(1)
    scores = 400 * np.random.default_rng(2).normal(size=(3000, 3))
    sums = chain_sums([weights.chain], scores[:, None])
    found, log_total = sums.labels[:, 0, 0], sums.log_total[0, 0]
    assert np.isfinite(log_total)
    assert found.sum(axis=1) == pytest.approx(np.ones(3000))


def some_examples(seed: int) -> list[LabelledSequence]:
    random = np.random.default_rng(seed)
    examples = []
    for length in (1, 3, 4):
        allowed = random.random((length, 3)) < 0.6
        allowed[np.arange(length), random.integers(0, 3, length)] = True
        examples.append(
            LabelledSequence(random.normal(size=(length, 3)).astype(np.float32), allowed)
        )
    return examples


@given(seeds)
def test_the_loss_is_the_probability_of_what_is_allowed(seed: int) -> None:
    weights, examples = some_weights(seed), some_examples(seed)
    expected = 0.0
    for example in examples:
        scores = example.features.astype(np.float64) @ weights.emission
        every = list(product(range(3), repeat=len(scores)))
        mass = {labels: np.exp(total(weights, scores, labels)) for labels in every}
        fits = [all(example.allowed[t, y] for t, y in enumerate(labels)) for labels in every]
        good = sum(mass[labels] for labels, fit in zip(every, fits, strict=True) if fit)
        expected -= np.log(good / sum(mass.values()))
    loss, _ = crf._Batch(examples).loss(weights)
    assert loss == pytest.approx(expected, abs=1e-4)


@given(seeds)
def test_the_gradient_is_the_slope_of_the_loss(seed: int) -> None:
    weights, batch = some_weights(seed), crf._Batch(some_examples(seed))
    _, gradient = batch.loss(weights)
    vector, slope = weights.to_vector(), gradient.to_vector()
    direction = np.random.default_rng(seed).normal(size=len(vector))
    step = 1e-3
    ahead, behind = (
        batch.loss(FieldWeights.from_vector(vector + way * step * direction, 3, 3))[0]
        for way in (1, -1)
    )
    assert (ahead - behind) / (2 * step) == pytest.approx(slope @ direction, rel=0.02, abs=0.02)


def test_training_recovers_labels_and_is_repeatable() -> None:
    random = np.random.default_rng(0)
    truth = some_weights(5)
    examples, answers = [], []
    for _ in range(60):
        features = random.normal(size=(12, 3)).astype(np.float32)
        labels = best_labels(truth.chain, features @ truth.emission)[0]
        allowed = np.zeros((12, 3), dtype=np.bool_)
        allowed[np.arange(12), labels] = True
        examples.append(LabelledSequence(features, allowed))
        answers.append(labels)
    first, second = (train(examples[:40], penalty=0.1, steps=60) for _ in range(2))
    assert (first.to_vector() == second.to_vector()).all()
    found = [
        best_labels(first.chain, example.features @ first.emission)[0] for example in examples[40:]
    ]
    assert np.mean([a == b for a, b in zip(found, answers[40:], strict=True)]) > 0.95


def test_the_minimum_of_a_crooked_valley_is_found() -> None:
    def rosenbrock(point: Floats) -> tuple[float, Floats]:
        x, y = point
        value = (1 - x) ** 2 + 100 * (y - x * x) ** 2
        return value, np.array([-2 * (1 - x) - 400 * x * (y - x * x), 200 * (y - x * x)])

    found = minimize(rosenbrock, np.array([-1.2, 1.0]), steps=200, tolerance=1e-14)
    assert found == pytest.approx([1.0, 1.0], abs=1e-4)


def test_the_value_falls_with_every_step() -> None:
    matrix = np.diag([1.0, 10.0, 100.0])
    accepted = []
    for steps in range(1, 8):
        point = minimize(lambda x: (float(x @ matrix @ x), 2 * matrix @ x), np.ones(3), steps=steps)
        accepted.append(float(point @ matrix @ point))
    assert accepted == sorted(accepted, reverse=True)


def test_indicators_are_learned_like_the_columns_that_they_stand_for() -> None:
    random = np.random.default_rng(3)
    dense, sparse = [], []
    for _ in range(40):
        numbers = np.stack([random.integers(0, 3, 8), random.integers(3, 5, 8)], axis=1)
        columns = np.zeros((8, 5), np.float32)
        np.put_along_axis(columns, numbers, 1, axis=1)
        allowed = np.eye(3, dtype=np.bool_)[numbers[:, 0]]
        dense.append(LabelledSequence(columns, allowed))
        sparse.append(LabelledSequence(numbers, allowed))
    wanted = train(dense, penalty=1.0)
    found = crf.train_indicators(sparse, 5, penalty=1.0, epochs=600)
    assert found.emission == pytest.approx(wanted.emission, abs=0.1)
    assert found.transition == pytest.approx(wanted.transition, abs=0.1)
    assert crf.emissions(sparse[0].features, found.emission) == pytest.approx(
        crf.emissions(dense[0].features, found.emission.astype(np.float32)), abs=1e-4
    )


def test_chances_are_exact_where_numbers_get_too_small() -> None:
    chain = some_weights(1).chain
    scores = np.array([[[0.0, -900.0, -2000.0]], [[-2000.0, 0.0, -900.0]]])
    sums = chain_sums([chain], scores, pairs=False)
    assert sums.labels[:, 0, 0].argmax(axis=1).tolist() == [0, 1]
