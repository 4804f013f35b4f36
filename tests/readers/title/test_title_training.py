"""The parts of the training that are mathematics."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.models.ranking import LEAF, Ranker, Tree
from pagesight.readers.title.learning.training import average

NUMBERS = st.floats(-4, 4).map(lambda value: round(value, 3))
TREES = st.builds(
    lambda cut, low, high: Tree((0, LEAF, LEAF), (cut, low, high)), NUMBERS, NUMBERS, NUMBERS
)
RANKERS = st.lists(TREES, max_size=3).map(lambda trees: Ranker(("length",), tuple(trees)))


@given(st.lists(RANKERS, min_size=1, max_size=4), st.lists(NUMBERS, min_size=1, max_size=5))
def test_the_average_of_rankers_scores_their_average(
    rankers: list[Ranker], lengths: list[float]
) -> None:
    rows = [{"length": length} for length in lengths]
    each = [ranker.scores(rows) for ranker in rankers]
    expected = [sum(scores) / len(rankers) for scores in zip(*each, strict=True)]
    assert average(rankers).scores(rows) == pytest.approx(expected, abs=1e-3)
