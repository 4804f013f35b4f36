from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.models.logistic import Platt, fit_logistic, logit, sigmoid
from pagesight.models.newton import Floats, minimize_convex


def sample(rows: int = 4000) -> tuple[Floats, Floats, Floats]:
    """Rows of two features and a constant, answers drawn from known coefficients."""
    random = np.random.default_rng(3)
    table = np.column_stack((random.normal(size=(rows, 2)), np.ones(rows)))
    truth = np.array([1.5, -0.5, 0.25])
    answers = (random.random(rows) < sigmoid(table @ truth)).astype(np.float64)
    return table, answers, truth


def test_coefficients_are_recovered_from_a_sample() -> None:
    table, answers, truth = sample()
    assert fit_logistic(table, answers, penalty=0.01) == pytest.approx(truth, abs=0.15)


def test_the_gradient_is_zero_at_the_end() -> None:
    table, answers, _ = sample(300)
    line = fit_logistic(table, answers, penalty=2.0, prior=1.0)
    slope = table.T @ (sigmoid(table @ line) - answers) + 2 * (line - 1)
    assert slope == pytest.approx(np.zeros(3), abs=1e-10)


def test_a_row_of_weight_three_counts_as_three_rows() -> None:
    table, answers, _ = sample(60)
    weights = np.arange(60) % 4
    weighted = fit_logistic(table, answers, penalty=1.0, weights=weights)
    repeated = np.repeat(np.arange(60), weights)
    assert weighted == pytest.approx(fit_logistic(table[repeated], answers[repeated], penalty=1.0))


def test_a_strong_penalty_leaves_the_prior() -> None:
    table, answers, _ = sample(100)
    line = fit_logistic(table, answers, penalty=1e9, prior=(1.0, 2.0, 3.0))
    assert line == pytest.approx([1, 2, 3], abs=1e-4)


def test_the_order_of_rows_changes_nothing_that_is_kept() -> None:
    table, answers, _ = sample(500)
    mixed = np.random.default_rng(0).permutation(500)
    one = fit_logistic(table, answers, penalty=0.1)
    other = fit_logistic(table[mixed], answers[mixed], penalty=0.1)
    assert one == pytest.approx(other, abs=1e-12)


def test_answers_that_one_feature_decides_give_finite_coefficients() -> None:
    table = np.array([[-1.0], [-2.0], [1.0], [2.0]])
    line = fit_logistic(table, [0, 0, 1, 1], penalty=1e-3)
    assert np.isfinite(line).all()
    assert line[0] > 1


@given(st.floats(0.001, 0.999))
def test_log_odds_and_back(chance: float) -> None:
    assert float(sigmoid(logit(chance))) == pytest.approx(chance)


def test_certainty_is_bounded() -> None:
    assert logit([0.0, 1.0]).tolist() == pytest.approx([-8, 8])
    assert logit(1.0, 12.0) == pytest.approx(12)
    assert np.isfinite(sigmoid([-1e6, 1e6])).all()


def judged(slope: float, offset: float, count: int = 20_000) -> tuple[list[float], list[bool]]:
    """Probabilities, and whether values that have them turned out right, by a known curve."""
    random = np.random.default_rng(1)
    chances = random.uniform(0.01, 0.99, count)
    right = random.random(count) < Platt(slope, offset).confidence(chances)
    return chances.tolist(), right.tolist()


@pytest.mark.parametrize(("slope", "offset"), [(1.0, 0.0), (0.5, 0.4), (2.0, -1.0)])
def test_curves_are_recovered(slope: float, offset: float) -> None:
    curve = Platt.fit(*judged(slope, offset))
    assert (curve.slope, curve.offset) == pytest.approx((slope, offset), abs=0.1)


def test_of_nothing_the_curve_leaves_all_as_it_is() -> None:
    assert Platt.fit([], []) == Platt()
    assert Platt().confidence([0.2, 0.7]).tolist() == pytest.approx([0.2, 0.7])


def test_of_few_values_the_curve_hardly_changes_anything() -> None:
    assert Platt.fit([0.9], [False]).confidence(0.9) > 0.5


def test_no_curve_turns_the_order_around() -> None:
    chances = [0.1, 0.2, 0.8, 0.9] * 50
    curve = Platt.fit(chances, [chance < 0.5 for chance in chances])
    assert curve.slope == 0


def test_what_was_always_right_is_not_certain() -> None:
    curve = Platt.fit([0.99] * 30, [True] * 30)
    assert 0.9 < float(curve.confidence(0.999)) < 1


@given(st.integers(0, 1000))
def test_a_parabola_takes_one_step(seed: int) -> None:
    random = np.random.default_rng(seed)
    root = random.normal(size=(4, 4))
    bend, centre = root @ root.T + np.eye(4), random.normal(size=4)

    def parabola(point: Floats) -> tuple[float, Floats, Floats]:
        off = point - centre
        return float(off @ bend @ off / 2), bend @ off, bend

    assert minimize_convex(parabola, np.zeros(4)) == pytest.approx(centre, abs=1e-10)


@pytest.mark.parametrize("start", [-40.0, -3.0, 0.0, 5.0, 60.0])
def test_wherever_it_starts_the_minimum_is_the_same_to_the_last_digits(start: float) -> None:
    """Full steps from afar would overshoot: log cosh is nearly straight there."""

    def valley(point: Floats) -> tuple[float, Floats, Floats]:
        x = point - 1 / 3
        value = np.logaddexp(x, -x).sum() + 1e-3 * float(x @ x)
        return float(value), np.tanh(x) + 2e-3 * x, np.diag(1 - np.tanh(x) ** 2 + 2e-3)

    assert minimize_convex(valley, np.array([start])) == pytest.approx([1 / 3], abs=1e-14)
