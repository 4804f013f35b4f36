from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.models.softmax import Softmax, fit, log_softmax

LABELS = ("tea", "milk", "water")


def sample(rows: int = 3000) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of two features, and labels drawn from known weights."""
    random = np.random.default_rng(7)
    table = random.normal(size=(rows, 2))
    weights = np.array([[1.5, 0.0, -1.5], [0.0, 1.0, -1.0]])
    chances = np.exp(log_softmax(table @ weights))
    answers = (random.random((rows, 1)) > np.cumsum(chances, axis=1)).sum(axis=1)
    return table, answers, weights


def test_weights_are_recovered_from_a_sample() -> None:
    table, answers, weights = sample()
    found = fit(("x", "y"), LABELS, table, answers, ridge=0.01)
    centred = weights - weights.mean(axis=1, keepdims=True)
    assert found.weights / found.scale[:, None] == pytest.approx(centred, abs=0.15)


def test_ridge_keeps_weights_small() -> None:
    table, answers, _ = sample(300)
    sizes = [
        np.abs(fit(("x", "y"), LABELS, table, answers, ridge=ridge).weights).sum()
        for ridge in (0.1, 10, 1000)
    ]
    assert sizes == sorted(sizes, reverse=True)


def test_the_gradient_is_zero_at_the_optimum() -> None:
    table, answers, _ = sample(300)
    found = fit(("x", "y"), LABELS, table, answers, ridge=2.0)
    rows = (table - found.mean) / found.scale
    errors = found.probabilities(table) - np.eye(3)[answers]
    assert rows.T @ errors + 2 * found.weights == pytest.approx(np.zeros((2, 3)), abs=0.02)


def test_the_same_data_give_the_same_weights_and_files_keep_them() -> None:
    table, answers, _ = sample(200)
    one, other = (fit(("x", "y"), LABELS, table, answers, ridge=1.0) for _ in range(2))
    assert json.dumps(one.to_json()) == json.dumps(other.to_json())
    loaded = Softmax.from_json(json.loads(json.dumps(one.to_json())))
    assert np.array_equal(loaded.probabilities(table), one.probabilities(table))
    assert (loaded.features, loaded.labels) == (("x", "y"), LABELS)


def test_a_feature_that_never_changes_says_nothing() -> None:
    found = fit(("x",), ("no", "yes"), np.ones((4, 1)), np.array([0, 1, 1, 1]), ridge=1.0)
    assert found.probabilities(np.ones((1, 1)))[0] == pytest.approx([0.25, 0.75], abs=0.01)


@given(st.lists(st.lists(st.floats(-1e3, 1e3), min_size=3, max_size=3), min_size=1, max_size=5))
def test_probabilities_add_up_to_1(rows: list[list[float]]) -> None:
    chances = np.exp(log_softmax(np.array(rows)))
    assert chances.sum(axis=1) == pytest.approx(np.ones(len(rows)))


def test_neither_the_order_of_rows_nor_other_rounding_changes_what_is_kept() -> None:
    random = np.random.default_rng(2)
    table, answers, _ = sample(400)
    columns = np.column_stack((table, table[:, 0] * table[:, 1], random.integers(0, 2, 400)))
    names, kept = tuple("abcd"), set()
    for _ in range(5):
        order = random.permutation(400)
        noise = 1 + 1e-15 * random.normal(size=(400, 4))
        model = fit(names, LABELS, (columns * noise)[order], answers[order], ridge=3.0)
        kept.add(json.dumps(model.to_json()))
    assert len(kept) == 1


def test_weights_of_a_feature_sum_to_zero() -> None:
    table, answers, _ = sample(300)
    model = fit(("x", "y"), LABELS, table, answers, ridge=1.0)
    assert model.weights.sum(axis=1) == pytest.approx(np.zeros(2), abs=2e-4)
    assert model.bias.sum() == pytest.approx(0, abs=2e-4)
