from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.errors import ModelError
from pagesight.models.boosting import Boosting, Listwise, boost
from pagesight.models.ranking import MOST_REACHED, Ranker, Tree, softmax
from pagesight.models.weights import Weights, load_weights

TREE = Tree((0, -1, 1, -1, -1, -1, -1), (0.5, 1.0, 2.0, 0.0, 0.0, 3.0, 4.0))


def test_a_tree() -> None:
    rows = [(0.5, 9.0), (0.6, 2.0), (0.6, 2.1)]  # what is not above a threshold goes left
    ranker = Ranker(("size", "place"), (TREE,))
    assert ranker.scores([{"size": size, "place": place} for size, place in rows]) == [1, 3, 4]


def test_scores_are_sums_of_trees_by_name() -> None:
    ranker = Ranker(("size", "place"), (TREE, TREE))
    assert ranker.scores([{"place": 9, "size": 0}, {"place": 3, "size": 1}]) == [2.0, 8.0]
    assert Ranker.from_json(ranker.to_json()) == ranker


def test_scores_may_be_stretched_and_moved() -> None:
    ranker = Ranker(("size", "place"), (TREE,)).scaled(2, -0.5)
    assert ranker.scores([{"size": 0.5, "place": 9.0}, {"size": 0.6, "place": 2.1}]) == [1.5, 7.5]


def _grown(random: np.random.Generator, size: int) -> Tree:
    """A tree of any shape over two features."""
    feature = [-1] * size
    for node in range(size):
        reached = node == 0 or feature[(node - 1) // 2] >= 0
        if reached and 2 * node + 2 < size and random.random() < 0.7:
            feature[node] = int(random.integers(2))
    return Tree(tuple(feature), tuple(random.normal(size=size).tolist()))


def _walked(tree: Tree, row: np.ndarray) -> float:
    node = 0
    while (looked_at := tree.feature[node]) >= 0:
        node = 2 * node + (2 if row[looked_at] > tree.value[node] else 1)
    return tree.value[node]


@given(st.lists(st.integers(1, 31), max_size=5), st.integers(0, 4), st.integers(0, 1000))
def test_all_trees_at_once_are_the_sum_of_each(sizes: list[int], count: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    ranker = Ranker(("size", "place"), tuple(_grown(random, size) for size in sizes))
    rows = random.normal(size=(count, 2))
    expected = [sum(_walked(tree, row) for tree in ranker.trees) for row in rows]
    assert ranker.scores_of(rows).tolist() == pytest.approx(expected)
    named = [{"place": place, "size": size} for size, place in rows.tolist()]
    assert ranker.scores(named) == pytest.approx(expected)


@pytest.mark.parametrize("count", [1, 2, 511, 512, 513, 1300])
def test_many_rows_are_scored_in_parts_as_all_are_at_once(count: int) -> None:
    random = np.random.default_rng(count)
    ranker = Ranker(("size", "place"), tuple(_grown(random, 15) for _ in range(MOST_REACHED >> 11)))
    rows = random.normal(size=(count, 2))
    assert ranker.scores_of(rows).tolist() == ranker.scores_by_tree(rows).sum(axis=0).tolist()


@pytest.mark.parametrize(
    "tree",
    [
        {"feature": [5, -1, -1], "value": [0, 0, 0]},
        {"feature": [0], "value": [0]},
        {"feature": [-1], "value": []},
        {"feature": [], "value": []},
        {"feature": [-1] * 513, "value": [0.0] * 513},
    ],
)
def test_broken_trees_are_refused(tree: dict[str, list[float]]) -> None:
    with pytest.raises(ValueError, match=r"tree|feature"):
        Ranker.from_json({"features": ["size"], "trees": [tree]})


def test_softmax() -> None:
    assert softmax([0.0, 0.0]) == [0.5, 0.5]
    assert softmax([1000.0, 0.0])[0] == pytest.approx(1.0)
    assert softmax([]) == []


def _data(groups: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Groups of four in which the candidate with the largest product of two features is right."""
    random = np.random.default_rng(1)
    rows = random.random((groups * 4, 3)).round(3)
    right = (rows[:, 0] * rows[:, 1]).reshape(groups, 4).argmax(axis=1)
    wanted = np.eye(4)[right].ravel()
    return rows, np.repeat(np.arange(groups), 4), wanted


def test_training_finds_what_makes_candidates_right() -> None:
    rows, group, wanted = _data(400)
    ranker = boost(("a", "b", "noise"), rows, Listwise(group, wanted), Boosting(features=1.0))
    fresh, _, truth = _data(500)
    scores = np.array(
        ranker.scores([dict(zip("ab", row, strict=False), noise=row[2]) for row in fresh])
    )
    found = scores.reshape(-1, 4).argmax(axis=1)
    assert (found == truth.reshape(-1, 4).argmax(axis=1))[400:].mean() > 0.8


def test_training_is_deterministic() -> None:
    rows, *answers = _data(50)
    assert boost("abc", rows, Listwise(*answers)) == boost("abc", rows, Listwise(*answers))


WEIGHTS = Weights(
    task="tea", features=2, corpus="0", command="brew", labels=("a",), scores={"f": 0.5}, model={}
)


def test_weights_are_read_back() -> None:
    assert Weights.from_bytes(WEIGHTS.to_bytes(), task="tea", features=2) == WEIGHTS


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"no JSON", "damaged"),
        (b"[]", "damaged"),
        (b'{"format": 99}', "another version"),
        (WEIGHTS.to_bytes().replace(b'"tea"', b'"milk"'), "'milk'"),
        (WEIGHTS.to_bytes().replace(b'"features": 2', b'"features": 3'), "features 3"),
    ],
)
def test_weights_that_do_not_fit_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        Weights.from_bytes(data, task="tea", features=2)


def test_weights_that_are_not_there() -> None:
    with pytest.raises(ModelError, match="no weights"):
        load_weights("no such task", 1)
