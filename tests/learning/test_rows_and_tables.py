"""Tables keep what they are given; lines of a corpus become requests; bins of confidences."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.learning.calibration import (
    BINS,
    calibration_error,
    calibration_table,
    merged,
    reliability,
)
from pagesight.learning.corpora import request_of
from pagesight.learning.tables import table

NAMES = st.text("abcäöü茶", min_size=1, max_size=9)
ROWS = st.lists(st.tuples(NAMES, st.integers(), st.integers()), max_size=6)
JUDGED = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40)


@given(ROWS)
def test_a_table_keeps_all_cells_in_their_places(rows: list[tuple[str, int, int]]) -> None:
    lines = table(["name", "one", "two"], rows).split("\n")
    assert [line.split() for line in lines[1:]] == [[*map(str, row)] for row in rows]


@given(ROWS)
def test_the_rows_of_a_table_are_equally_long(rows: list[tuple[str, int, int]]) -> None:
    lines = table(["name", "one", "two"], rows).split("\n")
    assert len({len(line) for line in lines}) == 1


@pytest.mark.parametrize(("digits", "shown"), [(0, "1"), (1, "0.7"), (3, "0.667")])
def test_digits_are_rounded(digits: int, shown: str) -> None:
    assert table(["a", "b"], [["x", 2 / 3]], digits=digits).split()[-1] == shown


def test_a_title_is_above_the_header() -> None:
    assert table(["a", "b"], [["x", None]], title="Teas").split("\n") == ["Teas", "a  b", "x  –"]


def test_a_line_names_a_file_and_where_it_was(tmp_path: Path) -> None:
    plain = request_of(tmp_path, {"file": "a/b.html"})
    assert (plain.source, plain.url, plain.root) == (tmp_path / "a/b.html", None, None)
    row = {"file": "a/b.html", "url": "https://tea.example/", "root": "a"}
    full = request_of(tmp_path, row)
    assert (full.url, full.root) == ("https://tea.example/", tmp_path / "a")
    assert request_of(tmp_path, {"file": "b.html", "root": ""}).root is None


@given(JUDGED)
def test_every_value_is_in_the_bin_of_its_confidence(judged: list[tuple[float, bool]]) -> None:
    confidence, right = zip(*judged, strict=True)
    bins = reliability(confidence, right)
    assert sum(bin_.values for bin_ in bins) == len(judged)
    assert sum(bin_.values * bin_.right for bin_ in bins) == pytest.approx(sum(right))
    assert all(bin_.low - 1e-9 <= bin_.confidence <= bin_.high + 1e-9 for bin_ in bins)
    assert [bin_.low for bin_ in bins] == sorted({bin_.low for bin_ in bins})
    assert len(bins) <= BINS


@given(JUDGED)
def test_the_calibration_error_is_a_share(judged: list[tuple[float, bool]]) -> None:
    confidence, right = zip(*judged, strict=True)
    overall = abs(sum(confidence) - sum(right)) / len(judged)
    assert overall - 1e-9 <= calibration_error(confidence, right) <= 1


def test_full_certainty_is_in_the_last_bin() -> None:
    assert reliability([1.0, 0.95], [True, False]) == [(0.9, 1.0, 2, 0.975, 0.5)]


def test_of_no_values_there_is_no_error_and_no_row() -> None:
    assert calibration_error([], []) == 0
    assert calibration_table("teas", []).split("\n") == [
        "Confidence of teas: expected calibration error 0.000",
        "confidence  values  mean  right",
    ]


def test_pages_without_values_of_a_kind_add_none() -> None:
    assert merged([]) == {}
    pages = [{"a": [(0.5, True)], "b": []}, {"a": [(0.25, False)]}]
    assert merged(pages) == {"a": [(0.5, True), (0.25, False)], "b": []}
