from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pagesight.readers.records.pieces import count_digits, count_digits_and_capitals


def test_digits_and_capitals_of_any_script_are_counted() -> None:
    texts = ["", "Ab 12", "Ärger №7", "٣ Цена", "\ud800 x1"]
    digits, capitals = count_digits_and_capitals(texts)
    assert digits.tolist() == count_digits(texts).tolist() == [0, 2, 1, 1, 1]
    assert capitals.tolist() == [0, 1, 1, 1, 0]


@given(st.lists(st.text()))
def test_each_character_counts_by_itself(texts: list[str]) -> None:
    digits, capitals = count_digits_and_capitals(texts)
    assert digits.tolist() == [sum(map(str.isdigit, text)) for text in texts]
    assert capitals.tolist() == [sum(map(str.isupper, text)) for text in texts]
