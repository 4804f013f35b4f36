"""The losses that trees lower."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.models.boosting import (
    Boosting,
    Floats,
    Listwise,
    Logistic,
    Loss,
    boost,
    boost_several,
)

Maker = Callable[[np.random.Generator], Loss]


def listwise(random: np.random.Generator) -> Listwise:
    group = np.array([0, 0, 0, 1, 1, 2])
    wanted = random.random(6)
    return Listwise(group, wanted / np.bincount(group, wanted)[group])


def logistic(random: np.random.Generator) -> Logistic:
    return Logistic(random.random(6) < 0.5, random.random(6), np.array([0, 0, 1, 1, 2, 2]))


def value(loss: Loss, scores: Floats) -> float:
    """The loss itself, by its definition."""
    if isinstance(loss, Logistic):
        chance = 1 / (1 + np.exp(-scores))
        logs = np.where(loss.wanted, np.log(chance), np.log(1 - chance))
        return -float((loss.weights * logs).sum())
    assert isinstance(loss, Listwise)
    sums = np.bincount(loss.group, np.exp(scores))
    return -float((loss.wanted * (scores - np.log(sums)[loss.group])).sum())


@pytest.mark.parametrize("make", [listwise, logistic])
@given(seed=st.integers(0, 1000))
def test_slopes_are_those_of_the_loss(
    make: Callable[[np.random.Generator], Loss], seed: int
) -> None:
    random = np.random.default_rng(seed)
    loss = make(random)
    scores, step = random.normal(size=6), 1e-4
    slope, bend = loss.slopes(scores)
    for row, move in enumerate(np.eye(6) * step):
        higher, here, lower = (value(loss, scores + way * move) for way in (1, 0, -1))
        assert slope[row] == pytest.approx((higher - lower) / (2 * step), abs=1e-6)
        assert bend[row] == pytest.approx((higher - 2 * here + lower) / step**2, abs=2e-3)


def test_rows_of_a_group_are_seen_together() -> None:
    loss = Listwise(np.repeat(np.arange(50), 4), np.full(200, 0.25))
    seen = loss.sample(np.random.default_rng(0), 0.5).reshape(50, 4)
    assert 10 < seen.all(axis=1).sum() < 40
    assert (seen.all(axis=1) | ~seen.any(axis=1)).all()


def test_a_tree_sees_some_rows_of_some_families() -> None:
    family = np.repeat(np.arange(20), 50)
    loss = Logistic(np.zeros(1000, np.bool_), np.ones(1000), family)
    seen = loss.sample(np.random.default_rng(0), 0.7).reshape(20, 50)
    taken = seen.any(axis=1)
    assert 4 < taken.sum() < 16
    assert seen[taken].mean() == pytest.approx(0.7, abs=0.1)


def test_trees_learn_a_yes_that_no_line_divides() -> None:
    random = np.random.default_rng(1)
    rows = random.random((800, 2)).round(3)
    wanted = (rows[:, 0] > 0.5) != (rows[:, 1] > 0.5)
    loss = Logistic(wanted, np.ones(800), np.arange(800) % 10)
    trees = boost(("x", "y"), rows, loss, Boosting(trees=60, features=1.0, least=1.0))
    assert ((trees.scores_of(rows) > 0) == wanted).mean() > 0.95


def test_rows_that_weigh_nothing_teach_nothing() -> None:
    rows = np.linspace(0, 1, 200)[:, None]
    wanted = rows[:, 0] > 0.5
    loss = Logistic(wanted, np.zeros(200), np.zeros(200, np.int64))
    trees = boost(("x",), rows, loss, Boosting(trees=5))
    assert not trees.scores_of(rows).any()


def test_of_no_rows_trees_are_leaves() -> None:
    loss = Logistic(np.zeros(0, np.bool_), np.zeros(0), np.zeros(0, np.int64))
    trees = boost(("x",), np.zeros((0, 1)), loss, Boosting(trees=2))
    assert trees.scores([{"x": 3.0}]) == [0.0]


def test_several_rankers_are_averaged() -> None:
    random = np.random.default_rng(0)
    rows = random.normal(size=(200, 3))
    loss = Logistic(rows[:, 0] > 0, np.ones(200), np.arange(200) % 5)
    how = Boosting(trees=10)
    scores = [
        boost(("a", "b", "c"), rows, loss, Boosting(trees=10, seed=seed)).scores_of(rows)
        for seed in range(3)
    ]
    mean = boost_several(("a", "b", "c"), rows, loss, how, 3).scores_of(rows)
    assert mean == pytest.approx(np.mean(scores, axis=0), abs=1e-3)
