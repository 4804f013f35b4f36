from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.readers.zones.learning.metrics import cluster_scores

ITEMS = st.lists(
    st.tuples(st.integers(-1, 3), st.integers(-1, 3), st.integers(0, 3)), min_size=1, max_size=8
)


def expanded(items: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """Each item as often as it weighs, without those that nobody has put anywhere."""
    return [(found, wanted) for found, wanted, weight in items for _ in range(weight)
            if wanted != -1]  # fmt: skip


@given(ITEMS)
def test_bcubed_is_what_its_definition_says(items: list[tuple[int, int, int]]) -> None:
    found, wanted, weights = (np.array(column) for column in zip(*items, strict=True))
    result = cluster_scores(found, wanted, weights)
    single = expanded(items)
    if not single:
        assert result is None
        return
    assert result is not None
    seen = [item for item in single if item[0] != -1]
    precisions = [
        sum(other[1] == item[1] for other in seen if other[0] == item[0])
        / sum(other[0] == item[0] for other in seen)
        for item in seen
    ]
    recalls = [
        sum(other[0] == item[0] for other in single if other[1] == item[1])
        / sum(other[1] == item[1] for other in single)
        if item[0] != -1
        else 0.0
        for item in single
    ]
    precision = sum(precisions) / len(precisions) if precisions else 0.0
    recall = sum(recalls) / len(recalls)
    assert result.precision == pytest.approx(precision)
    assert result.recall == pytest.approx(recall)
    both = precision + recall
    assert result.f == pytest.approx(2 * precision * recall / both if both else 0)


@given(ITEMS)
def test_rand_is_what_counting_pairs_says(items: list[tuple[int, int, int]]) -> None:
    found, wanted, weights = (np.array(column) for column in zip(*items, strict=True))
    result = cluster_scores(found, wanted, weights)
    pairs = list(combinations(expanded(items), 2))
    if result is None or not pairs:
        return
    rows = sum(one[0] == other[0] for one, other in pairs)
    columns = sum(one[1] == other[1] for one, other in pairs)
    both = sum(one == other for one, other in pairs)
    expected, most = rows * columns / len(pairs), (rows + columns) / 2
    rand = 1.0 if most == expected else (both - expected) / (most - expected)
    assert result.rand == pytest.approx(rand)


def test_the_same_clusters_by_other_names_are_perfect() -> None:
    result = cluster_scores([7, 7, 3, 3, 9], [0, 0, 1, 1, 2], [5, 1, 2, 2, 4])
    assert result is not None
    assert (result.precision, result.recall, result.f, result.rand) == (1, 1, 1, 1)


def test_one_cluster_has_all_recall_and_no_rand() -> None:
    result = cluster_scores([0, 0, 0], [0, 1, 1], [1, 1, 1])
    assert result is not None
    assert result.recall == 1
    assert result.precision == pytest.approx(5 / 9)
    assert result.rand == 0
