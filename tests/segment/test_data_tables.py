"""Tables that hold data, by what they declare and by how their cells look."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from drawn_pages import Part, draw
from hypothesis import given
from hypothesis import strategies as st

from pagesight.page import Page
from pagesight.segment.content import content_of
from pagesight.segment.tables import data_tables

LayOut = Callable[[str], Page]
PAIRS = "<tr><td>1<td>2</tr>"


def holds_data(page: Page) -> list[bool]:
    """Of each table of the page, in document order."""
    tables = data_tables(page, content_of(page)).tolist()
    return [table.id in tables for table in page.find("table")]


def words(count: int) -> str:
    return "word " * count


@pytest.mark.parametrize(
    ("table", "data"),
    [
        (f"<table>{3 * PAIRS}</table>", True),
        (f"<table>{2 * PAIRS}</table>", False),  # two rows may be a coincidence
        (f"<table border=1>{2 * PAIRS}</table>", True),  # unless they are ruled
        (f"<table border=1>{PAIRS}</table>", False),
        (f"<table role=table>{PAIRS}</table>", True),
        ("<table role=grid><tr><td>1</tr></table>", False),  # one cell
        (f"<table role=none>{9 * PAIRS}</table>", False),
        (f"<table role=presentation><tr><th>n<th>m</tr>{PAIRS}</table>", False),
        (f"<table><tr><th>n<th>m</tr>{PAIRS}</table>", True),
        (f"<table><tr><th><th></tr>{2 * PAIRS}</table>", False),  # these header cells say nothing
        (f"<table><caption>Sums</caption>{PAIRS}</table>", True),
        (f"<table><caption style='display:none'>Sums</caption>{PAIRS}</table>", False),
        (f"<table>{2 * PAIRS}<tr><td><td></tr></table>", False),  # empty rows do not count
        (f"<table>{2 * PAIRS}<tr><td>{words(120)}<td>2</tr></table>", True),
        (f"<table>{2 * PAIRS}<tr><td>{words(121)}<td>2</tr></table>", False),
        (f"<table>{3 * PAIRS}{2 * '<tr><td>1</tr>'}</table>", True),  # three rows in five
        (f"<table>{3 * PAIRS}<tr><td>1</tr>{2 * '<tr><td>1<td>2<td>3</tr>'}</table>", False),
    ],
)
def test_a_table_is_judged_by_roles_headers_rules_and_rows(
    lay_out: LayOut, table: str, data: bool
) -> None:
    assert holds_data(lay_out(table)) == [data]


def test_a_page_without_tables_has_none_that_hold_data(lay_out: LayOut) -> None:
    page = lay_out("<p>Tea</p>")
    assert data_tables(page, content_of(page)).tolist() == []


def test_of_nested_tables_only_the_innermost_holds_data(lay_out: LayOut) -> None:
    inner = f"<table>{3 * PAIRS}</table>"
    page = lay_out(f"<table>{3 * PAIRS}<tr><td>{inner}<td>{inner}</tr></table>")
    assert holds_data(page) == [False, True, True]


def test_tables_are_judged_one_by_one(lay_out: LayOut) -> None:
    arranging, data = f"<table>{PAIRS}</table>", f"<table>{4 * PAIRS}</table>"
    assert holds_data(lay_out(arranging + data + arranging + data)) == [False, True, False, True]


def test_a_table_that_nobody_sees_holds_nothing(lay_out: LayOut) -> None:
    page = lay_out(f"<table style='display:none'>{4 * PAIRS}</table>")
    assert holds_data(page) == [False]


@given(st.lists(st.integers(1, 4), min_size=1, max_size=8))
def test_plain_tables_hold_data_if_three_rows_in_five_are_alike(cells: list[int]) -> None:
    rows = [
        Part(
            [Part(box=(30.0 * x, 20.0 * y, 20, 10), text="1", tag="td") for x in range(count)],
            tag="tr",
        )
        for y, count in enumerate(cells)
    ]
    page = draw(Part(rows, (0, 0, 200, 200), tag="table"))
    most = max(map(cells.count, cells))
    columns = max(count for count in cells if cells.count(count) == most)
    expected = len(cells) >= 3 and columns >= 2 and 5 * most >= 3 * len(cells)
    assert holds_data(page) == [expected]
