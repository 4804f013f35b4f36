"""Formulas [8] to [11], worked out by hand, and against a count over all pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.learning.scores import HasRates, MeanPrf
from pagesight.readers.outline.learning import metrics
from pagesight.readers.outline.learning.metrics import OutlineScores, PageScores

LEVELS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12)


def rates(scores: HasRates) -> list[float]:
    return [scores.precision, scores.recall]


def test_a_page_read_as_it_is() -> None:
    levels = np.array([3, 2, 0, 1, 0])
    assert rates(metrics.identification(levels, levels)) == [1, 1]
    assert rates(metrics.hierarchy(levels, levels)) == [1, 1]
    assert metrics.exact_levels(levels, levels) == (3, 3, 3, 2, 2)


def test_two_levels_swapped_by_hand() -> None:
    # The h1 (2) is ordered rightly to the two paragraphs, not to the h2: 2/3; so is the h2.
    scores = metrics.hierarchy(np.array([2, 1, 0, 0]), np.array([1, 2, 0, 0]))
    assert rates(scores) == pytest.approx([(2 / 3 + 2 / 3) / 2, 2 / 3])
    assert rates(metrics.identification(np.array([2, 1, 0, 0]), np.array([1, 2, 0, 0]))) == [1, 1]
    assert rates(
        metrics.hierarchy(np.array([2, 1, 0, 0]), np.array([1, 2, 0, 0]), headings_only=True)
    ) == [0, 0]


def test_a_missed_heading_and_a_false_one_by_hand() -> None:
    truth, found = np.array([[2, 1, 0, 0], [2, 0, 1, 0]])
    # The h1 is above all three: 1. The h2 was missed; only the h1 is ordered rightly to it: 1/3.
    assert metrics.order_scores(truth, found)[:2].tolist() == [1, pytest.approx(1 / 3)]
    assert rates(metrics.hierarchy(truth, found)) == pytest.approx([2 / 3, 2 / 3])
    assert rates(metrics.identification(truth, found)) == [0.5, 0.5]
    assert rates(metrics.hierarchy(truth, found, headings_only=True)) == [0.5, 0.5]


@given(LEVELS)
def test_order_scores_are_those_of_all_pairs(pairs: list[tuple[int, int]]) -> None:
    for only in (False, True):
        truth, found = np.array(pairs).T
        scores = metrics.order_scores(truth, found, headings_only=only)
        for (level, guess), score in zip(pairs, scores, strict=True):
            others = [(t, g) for t, g in pairs if t != level and (t or not only)]
            right = [(t - level) * (g - guess) > 0 for t, g in others]
            assert score == pytest.approx(sum(right) / len(right) if right else float(guess > 0))


@given(st.lists(st.integers(0, 4), max_size=12))
def test_the_truth_is_never_wrong(items: list[int]) -> None:
    levels = np.array(items, np.int64)
    assert rates(metrics.identification(levels, levels)) == [1, 1]
    counts = metrics.exact_levels(levels, levels)
    assert counts.found == counts.exact == counts.shifted
    assert counts.steps == counts.steps_right == max(0, counts.found - 1)


def test_levels_are_counted_from_the_highest() -> None:
    assert metrics.exact_levels(np.array([3, 2, 1, 0]), np.array([2, 1, 1, 1])) == (3, 2, 2, 2, 1)
    # A site's name above the h1: all are one too low, and right up to that.
    assert metrics.exact_levels(np.array([0, 3, 2, 2]), np.array([4, 3, 2, 2])) == (3, 0, 3, 2, 2)


def test_averages_are_over_pages() -> None:
    both = [
        PageScores.of(np.array([2, 1, 0]), np.array([2, 1, 0])),
        PageScores.of(np.array([2, 1, 0, 0]), np.array([0, 0, 1, 0])),
    ]
    scores = OutlineScores.over(both)
    assert scores.identification == MeanPrf(0.5, 0.5)
    assert scores.levels.exact == 1  # of the headings that were found
    assert scores.row[:4] == [0.5, 0.5, 0.5, 0.5]
    assert scores.row[8] == scores.order.f
    assert scores.row[9:] == list(scores.levels)
    assert OutlineScores.over([]).hierarchy.f == 0


def test_a_long_page_counts_by_headings_and_by_pages() -> None:
    long = metrics.exact_levels(np.array([2] + [1] * 9), np.array([2] + [1] * 9))
    short = metrics.exact_levels(np.array([2, 1]), np.array([1, 2]))
    shares = metrics.level_shares([long, short])
    assert shares.exact == pytest.approx(10 / 12)
    assert shares.exact_by_page == pytest.approx(1 / 2)
    assert shares.steps == pytest.approx(9 / 10)
    assert metrics.level_shares([]) == (0, 0, 0, 0)
