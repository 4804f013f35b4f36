from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.learning.scores import MeanPrf, Prf, means

COUNTS = st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)).map(
    lambda counts: Prf(*counts)
)


def test_precision_and_recall_are_shares() -> None:
    scores = Prf.of(wanted=4, found=6, right=3)
    assert (scores.right, scores.wrong, scores.missing) == (3, 3, 1)
    assert (scores.precision, scores.recall, scores.f) == (0.5, 0.75, 0.6)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        (Prf(), (1.0, 1.0, 1.0)),
        (Prf(wrong=2), (0.0, 0.0, 0.0)),
        (Prf(missing=2), (0.0, 0.0, 0.0)),
    ],
    ids=["nothing there, nothing read", "all that was read is wrong", "nothing was read"],
)
def test_nothing(scores: Prf, expected: tuple[float, float, float]) -> None:
    assert (scores.precision, scores.recall, scores.f) == expected


@given(COUNTS)
def test_f_is_the_harmonic_mean(scores: Prf) -> None:
    both = scores.precision + scores.recall
    expected = 2 * scores.precision * scores.recall / both if both else 0.0
    assert scores.f == pytest.approx(expected)


@given(st.lists(COUNTS, max_size=5))
def test_scores_of_pages_add_up(pages: list[Prf]) -> None:
    total = sum(pages, Prf())
    assert total.right == sum(page.right for page in pages)
    assert total.found == sum(page.found for page in pages)
    assert total.wanted == sum(page.wanted for page in pages)


def test_a_mean_counts_long_pages_no_more_than_short_ones() -> None:
    pages = [Prf(right=100), Prf(wrong=1, missing=1)]
    average = MeanPrf.over(pages)
    assert (average.precision, average.recall, average.f) == (0.5, 0.5, 0.5)
    assert sum(pages, Prf()).f == pytest.approx(100 / 101)


def test_means_of_means_and_of_nothing() -> None:
    assert MeanPrf.over([MeanPrf(0.2, 1.0), MeanPrf(0.4, 0.0)]) == MeanPrf(0.30000000000000004, 0.5)
    assert MeanPrf.over([]).f == 0.0


def test_a_mean_is_over_the_pages_that_have_a_score() -> None:
    assert means([{"f": 1.0}, {"f": 0.5, "level": 0.2}]) == {"f": 0.75, "level": 0.2}
    assert means([]) == {}
