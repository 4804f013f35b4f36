from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.learning.calibration import (
    Bin,
    auroc,
    calibration_error,
    calibration_table,
    curves,
    mapped,
    merged,
    reliability,
    spaced,
)
from pagesight.models.logistic import Platt

JUDGED = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30)


def test_values_are_counted_in_ten_bins() -> None:
    bins = reliability([0.05, 0.95, 0.97, 1.0], [False, True, True, False])
    assert [(one.low, one.values) for one in bins] == [(0.0, 1), (0.9, 3)]
    assert bins[1] == pytest.approx(Bin(0.9, 1.0, 3, 2.92 / 3, 2 / 3))


@given(JUDGED)
def test_the_error_is_the_mean_distance_of_bins(judged: list[tuple[float, bool]]) -> None:
    by_bin: dict[int, list[float]] = {}
    for confidence, right in judged:
        by_bin.setdefault(min(int(confidence * 10), 9), []).append(right - confidence)
    expected = sum(abs(sum(off)) for off in by_bin.values()) / len(judged)
    assert calibration_error(*zip(*judged, strict=True)) == pytest.approx(expected)


def test_who_is_as_often_right_as_sure_makes_no_error() -> None:
    assert calibration_error([0.75] * 4, [True, True, True, False]) == 0
    assert calibration_error([1.0, 1.0], [False, False]) == 1
    assert calibration_error([], []) == 0


@given(JUDGED)
def test_the_auroc_is_the_share_of_pairs_in_the_right_order(
    judged: list[tuple[float, bool]],
) -> None:
    right = [sure for sure, is_right in judged if is_right]
    wrong = [sure for sure, is_right in judged if not is_right]
    pairs = [(one > other) + (one == other) / 2 for one in right for other in wrong]
    value = auroc([sure for sure, _ in judged], [is_right for _, is_right in judged])
    assert value == pytest.approx(np.mean(pairs)) if pairs else np.isnan(value)


def test_tables_say_how_far_confidences_can_be_trusted() -> None:
    lines = calibration_table("teas", [(0.9, True), (0.95, False), (0.2, False)]).splitlines()
    assert lines[0] == (
        "Confidence of teas: expected calibration error 0.350, AUROC of right against wrong 0.50"
    )
    assert lines[2].split() == ["0.2", "to", "0.3", "1", "0.20", "0.00"]
    assert lines[3].split() == ["0.9", "to", "1.0", "2", "0.93", "0.50"]


def test_values_are_merged_by_kind() -> None:
    pages = [{"tea": [(0.5, True)]}, {"tea": [(0.7, False)], "milk": [(0.1, False)]}]
    assert merged(pages) == {"tea": [(0.5, True), (0.7, False)], "milk": [(0.1, False)]}


def test_each_kind_has_a_curve_of_its_own() -> None:
    random = np.random.default_rng(0)
    chances = random.uniform(0.05, 0.95, 5000).tolist()
    pages = [
        {
            "tea": [(chance, bool(random.random() < chance))],
            "milk": [(chance, bool(random.random() < chance**4))],
        }
        for chance in chances
    ]
    curve_of = curves(pages)
    assert curve_of["tea"].confidence(0.5) == pytest.approx(0.5, abs=0.05)
    assert curve_of["milk"].confidence(0.5) == pytest.approx(0.5**4, abs=0.05)
    before, after = (
        calibration_error(*zip(*(page["milk"][0] for page in some), strict=True))
        for some in (pages, [mapped(page, curve_of) for page in pages])
    )
    assert after < before / 4


def test_a_long_page_counts_no_more_than_the_values_of_it_that_are_taken() -> None:
    long, short = [(0.5, False)] * 1000, {"tea": [(0.5, True)]}
    pages = [{"tea": long}, *[short] * 20]
    assert curves(pages)["tea"].confidence(0.5) < 0.1
    assert curves(pages, most=5)["tea"].confidence(0.5) > 0.6
    assert spaced([(0.1, True), (0.2, True), (0.3, True)], 2) == [(0.1, True), (0.3, True)]
    assert spaced(long, None) == long


def test_curves_leave_what_they_are_not_for() -> None:
    page = mapped({"tea": [(0.25, True)]}, {"milk": Platt(0, 3)})
    assert page["tea"][0] == pytest.approx((0.25, True))
