"""Fields on grids against brute force over all labellings."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pagesight.models import grid as grids_of
from pagesight.models.grid import Grid, GridWeights, LabelledGrid, decode, marginals, train

Floats = NDArray[np.float64]
K = 3
seeds = st.integers(0, 10_000)


def some_weights(seed: int, features: int = 2) -> GridWeights:
    size = features * K + 2 * K * K
    vector = np.random.default_rng(seed).normal(size=size)
    return GridWeights.from_vector(vector, features, K)


def some_grid(seed: int, things: int, rows: int = 4, columns: int = 4) -> Grid:
    random = np.random.default_rng(seed)
    cells = random.choice(rows * columns, things, replace=False)
    features = random.normal(size=(things, 2))
    return Grid(features, cells // columns, cells % columns)


def neighbours(grid: Grid) -> list[tuple[str, int, int]]:
    """Things side by side and below each other; rows and columns without any do not count."""
    rows, columns = (np.unique(part, return_inverse=True)[1] for part in (grid.row, grid.column))
    at = {
        (row, column): thing for thing, (row, column) in enumerate(zip(rows, columns, strict=True))
    }
    beside = [("right", thing, at.get((row, column + 1))) for (row, column), thing in at.items()]
    below = [("down", thing, at.get((row + 1, column))) for (row, column), thing in at.items()]
    return [(way, one, other) for way, one, other in beside + below if other is not None]


def counts(grid: Grid, labels: tuple[int, ...]) -> Floats:
    sums = GridWeights.from_vector(np.zeros(2 * K + 2 * K * K), 2, K)
    for thing, label in enumerate(labels):
        sums.vertex[:, label] += grid.features[thing]
    for way, one, other in neighbours(grid):
        getattr(sums, way)[labels[one], labels[other]] += 1
    return sums.to_vector()


@settings(deadline=None, max_examples=50)
@given(seeds, st.integers(1, 5), st.integers(1, 4))
def test_chances_are_sums_over_all_labellings(seed: int, things: int, rows: int) -> None:
    grid, weights = some_grid(seed, min(things, rows * 2), rows, 2 + seed % 3), some_weights(seed)
    every = list(product(range(K), repeat=len(grid.row)))
    mass = np.exp([counts(grid, labels) @ weights.to_vector() for labels in every])
    expected, features = np.zeros((len(grid.row), K)), np.zeros(len(weights.to_vector()))
    for labels, share in zip(every, mass / mass.sum(), strict=True):
        expected[np.arange(len(labels)), labels] += share
        features += share * counts(grid, labels)
    sums = marginals(weights, [grid])
    assert sums.log_total == pytest.approx(np.log(mass.sum()))
    assert sums.labels[0] == pytest.approx(expected)
    assert sums.expected.to_vector() == pytest.approx(features, abs=1e-9)
    best = max(every, key=lambda labels: counts(grid, labels) @ weights.to_vector())
    assert tuple(decode(weights, [grid])[0].tolist()) == best


def test_grids_of_all_shapes_are_summed_together() -> None:
    some = [
        some_grid(seed, 6, *shape) for seed, shape in enumerate([(2, 3), (6, 1), (5, 4), (1, 7)])
    ]
    weights = some_weights(1)
    together, alone = marginals(weights, some), [marginals(weights, [grid]) for grid in some]
    assert together.log_total == pytest.approx(sum(sums.log_total for sums in alone))
    for mine, sums in zip(together.labels, alone, strict=True):
        assert mine == pytest.approx(sums.labels[0])


def test_what_may_not_be_has_no_chance() -> None:
    grid, allowed = some_grid(2, 5), np.ones((5, K), np.bool_)
    allowed[2] = [False, True, False]
    chances = marginals(some_weights(2), [grid], [allowed]).labels[0]
    assert chances[2].tolist() == [0, 1, 0]


def test_wide_grids_are_divided_into_strips(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grids_of, "FRONTIER", K**3)
    row, column = np.divmod(np.arange(36), 6)
    features = np.random.default_rng(0).normal(size=(36, 2))
    wide = Grid(features, row, column)
    halves = [
        Grid(features[column // 3 == half], row[column // 3 == half], column[column // 3 == half])
        for half in (0, 1)
    ]
    weights = some_weights(4)
    assert grids_of.widest(K) == 3
    divided, parts = marginals(weights, [wide]), marginals(weights, halves)
    assert divided.log_total == pytest.approx(parts.log_total)
    assert divided.labels[0][column < 3] == pytest.approx(parts.labels[0])


def test_many_grids_are_summed_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    some, weights = [some_grid(seed, 7) for seed in range(6)], some_weights(3)
    at_once = marginals(weights, some)
    monkeypatch.setattr(grids_of, "BATCH", 1)
    one_by_one = marginals(weights, some)
    assert one_by_one.log_total == pytest.approx(at_once.log_total)
    assert one_by_one.expected.to_vector() == pytest.approx(at_once.expected.to_vector())


def test_training_recovers_labels() -> None:
    truth = some_weights(5)
    some = [some_grid(seed, 9) for seed in range(150)]
    labels = decode(truth, some)
    examples = [
        LabelledGrid(grid, np.eye(K, dtype=np.bool_)[own])
        for grid, own in zip(some[:100], labels, strict=False)
    ]
    learned = train(examples, penalty=0.1)
    right = [
        (mine == own).mean()
        for mine, own in zip(decode(learned, some[100:]), labels[100:], strict=True)
    ]
    assert np.mean(right) > 0.93


def test_training_ends_where_the_counts_are_those_expected() -> None:
    some = [some_grid(seed, 6) for seed in range(8)]
    allowed = [np.random.default_rng(seed).random((6, K)) < 0.6 for seed in range(8)]
    for bars in allowed:
        bars[:, 0] = True
    learned = train([LabelledGrid(*pair) for pair in zip(some, allowed, strict=True)], steps=300)
    free, known = (marginals(learned, some, bars).expected.to_vector() for bars in (None, allowed))
    assert known - free == pytest.approx(learned.to_vector(), abs=0.01)
