from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.readers.title.candidates import MOST_PARTS, Cut, delimiters, spans


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Green tea | Shop", ["Green tea", "Shop"]),
        ("Green tea|Shop", ["Green tea", "Shop"]),
        ("Green tea – Shop", ["Green tea", "Shop"]),
        ("What now? - Shop", ["What now?", "Shop"]),
        ("Spider-Man returns", ["Spider-Man returns"]),
        ("Top teas ⋆", ["Top teas"]),
        ("Teil 49 (2019)", ["Teil 49", "(2019)"]),
        ("To be continued ... - Shop", ["To be continued ...", "Shop"]),
        ("你好！-新华网", ["你好！", "新华网"]),
        ("抹茶の歴史\uff5cお茶の百科", ["抹茶の歴史", "お茶の百科"]),
        ("抹茶の歴史\uff0dお茶の百科", ["抹茶の歴史", "お茶の百科"]),
    ],
)
def test_where_titles_are_cut(text: str, parts: list[str]) -> None:
    whole = [span.text for span in spans(text) if span.inside == Cut.NONE]
    assert [part for part in whole if part != text or len(parts) == 1] == parts


def test_a_span_knows_what_it_was_cut_at() -> None:
    span = next(span for span in spans("Tea: green - Shop | Site") if span.text == "Tea: green")
    assert (span.left, span.right, span.inside) == (Cut.NONE, Cut.DASH, Cut.COLON)


@given(st.text(alphabet="ab |-:,.?([— ", max_size=60))
def test_spans_are_stretches_of_the_text(text: str) -> None:
    found = list(spans(text))
    assert len(delimiters(text)) < MOST_PARTS
    for span in found:
        assert text[span.start : span.end].strip() == span.text
    if text.strip():
        assert found[0].text == text.strip()


def test_of_many_delimiters_the_strongest_and_first_are_kept() -> None:
    kept = delimiters("a, b, c | d - e: f, g, h, i, j | k - l")
    cuts = [each.cut for each in kept]
    assert cuts == [Cut.COMMA, Cut.COMMA, Cut.BAR, Cut.DASH, Cut.COLON, Cut.BAR, Cut.DASH]
    assert len(cuts) == MOST_PARTS - 1


def test_a_title_as_long_as_a_book() -> None:
    assert len(list(spans("tea - green | " * 50_000))) < 100
