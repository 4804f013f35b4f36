from __future__ import annotations

import pytest

from pagesight.learning.tables import show, table


def test_columns_are_as_wide_as_they_need_to_be() -> None:
    assert table(["tea", "F"], [["green", 0.5], ["oolong tea", 1.0]]).split("\n") == [
        "tea             F",
        "green       0.500",
        "oolong tea  1.000",
    ]


def test_whole_numbers_have_no_digits_and_missing_ones_are_dashes() -> None:
    lines = table(["", "pages", "F"], [["tea", 1234, None]], title="Teas", digits=2).split("\n")
    assert lines[0] == "Teas"
    assert lines[2].split() == ["tea", "1234", "–"]


def test_a_table_without_rows_is_its_header() -> None:
    assert table(["tea", "F"], []) == "tea  F"


def test_rows_of_another_length_are_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        table(["tea", "F"], [["green"]])


def test_parts_are_separated_by_empty_lines(capsys: pytest.CaptureFixture[str]) -> None:
    show("one", "", "two")
    assert capsys.readouterr().out == "one\n\ntwo\n\n"
