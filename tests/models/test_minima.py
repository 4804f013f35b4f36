"""L-BFGS, Newton's method and Adam on functions whose minima are known."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pagesight.models.adam import descend
from pagesight.models.lbfgs import Objective, minimize
from pagesight.models.newton import minimize_convex

Floats = NDArray[np.float64]
SEEDS = st.integers(0, 10_000)


def bowl(seed: int, size: int) -> tuple[Floats, Floats]:
    """How a random quadratic function bends, and where it is least."""
    random = np.random.default_rng(seed)
    root = random.normal(size=(size, size))
    return root @ root.T + np.eye(size), random.normal(size=size) * 3


def quadratic(bend: Floats, centre: Floats) -> Objective:
    def objective(point: Floats) -> tuple[float, Floats]:
        off = point - centre
        return float(off @ bend @ off / 2), bend @ off

    return objective


def rosenbrock(point: Floats) -> tuple[float, Floats]:
    """A curved valley that is nearly flat; least at (1, 1)."""
    x, y = point
    gradient = np.array([-2 * (1 - x) - 400 * x * (y - x * x), 200 * (y - x * x)])
    return float((1 - x) ** 2 + 100 * (y - x * x) ** 2), gradient


@settings(max_examples=40)
@given(SEEDS, st.integers(1, 8))
def test_the_minimum_of_a_bowl_is_its_centre(seed: int, size: int) -> None:
    bend, centre = bowl(seed, size)
    lowest = minimize(quadratic(bend, centre), np.zeros(size), steps=500, tolerance=1e-14)
    assert lowest == pytest.approx(centre, abs=1e-4)


@settings(max_examples=25)
@given(SEEDS)
def test_both_methods_agree(seed: int) -> None:
    bend, centre = bowl(seed, 4)

    def steep(point: Floats) -> tuple[float, Floats, Floats]:
        off = point - centre
        value = float(off @ bend @ off / 2 + np.cosh(off / 4).sum())
        curve = bend + np.diag(np.cosh(off / 4) / 16)
        return value, bend @ off + np.sinh(off / 4) / 4, curve

    exact = minimize_convex(steep, np.zeros(4))
    near = minimize(lambda point: steep(point)[:2], np.zeros(4), steps=500, tolerance=1e-14)
    assert exact == pytest.approx(centre, abs=1e-9)
    assert near == pytest.approx(exact, abs=1e-4)


def test_a_curved_valley_is_followed_to_its_end() -> None:
    start = np.array([-1.2, 1.0])
    assert minimize(rosenbrock, start, steps=200, tolerance=1e-12) == pytest.approx(
        [1, 1], abs=1e-3
    )
    assert start.tolist() == [-1.2, 1.0]  # is left as it was


@pytest.mark.parametrize("memory", [1, 3, 20])
def test_little_memory_is_enough(memory: int) -> None:
    lowest = minimize(rosenbrock, np.array([-1.2, 1.0]), steps=2000, memory=memory, tolerance=1e-14)
    assert lowest == pytest.approx([1, 1], abs=1e-2)


@settings(max_examples=25)
@given(SEEDS)
def test_more_steps_never_lead_uphill(seed: int) -> None:
    start = np.random.default_rng(seed).normal(size=2) * 2
    ends = [minimize(rosenbrock, start, steps=steps, tolerance=0) for steps in range(8)]
    values = [rosenbrock(point)[0] for point in ends]
    assert ends[0].tolist() == start.tolist()
    assert values == sorted(values, reverse=True)


def test_who_starts_at_the_minimum_stays_there() -> None:
    bend, centre = bowl(1, 3)
    calls = []

    def counted(point: Floats) -> tuple[float, Floats]:
        calls.append(point)
        return quadratic(bend, centre)(point)

    assert minimize(counted, centre).tolist() == centre.tolist()
    assert len(calls) == 1


def test_whole_numbers_are_a_start() -> None:
    lowest = minimize(quadratic(np.eye(2), np.array([0.5, 0.25])), np.array([5, -5]))
    assert lowest == pytest.approx([0.5, 0.25], abs=1e-3)


def test_a_wall_is_not_climbed() -> None:
    """Where a value is infinite or unknown, shorter steps are tried."""

    def fenced(point: Floats) -> tuple[float, Floats]:
        if point[0] <= 0:
            return float("nan"), np.array([float("nan")])
        return float(point[0] - 2 * np.log(point[0])), 1 - 2 / point

    assert minimize(fenced, np.array([30.0]), tolerance=1e-12) == pytest.approx([2], abs=1e-3)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_the_unit_of_a_function_does_not_move_its_exact_minimum(scale: float) -> None:
    bend, centre = bowl(5, 3)

    def scaled(point: Floats) -> tuple[float, Floats, Floats]:
        value, gradient = quadratic(bend, centre)(point)
        return scale * value, scale * gradient, scale * bend

    assert minimize_convex(scaled, np.full(3, 100.0)) == pytest.approx(centre, abs=1e-10)


def test_adam_finds_where_a_sum_of_functions_is_least() -> None:
    parts = [bowl(seed, 4) for seed in range(6)]
    bend = sum(one for one, _ in parts)
    wanted = np.linalg.solve(bend, sum(one @ centre for one, centre in parts))
    gradients = [partial(slope, part) for part in parts]
    found, again = (descend(gradients, np.zeros(4), epochs=400) for _ in range(2))
    assert found == pytest.approx(wanted, abs=0.05)
    assert np.array_equal(found, again)


def slope(part: tuple[Floats, Floats], point: Floats) -> Floats:
    return quadratic(*part)(point)[1]
