"""Running heads and feet, and the numbers of lines, on the sheets of a PDF."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

import pytest
from drawn_pages import Part, draw_sheets, line

from pagesight.page import Page
from pagesight.segment import leaf_zones, text_blocks

TEXT = "Tea is as old as anybody knows"


def read(page: Page) -> list[str]:
    return text_blocks(page).strings


def sheets(heads: Sequence[str], y: float = 20.0, text: str = TEXT) -> Page:
    """Sheets with a text and with these heads, or feet."""
    return draw_sheets(*([line(72, y, head), line(72, 300, text)] for head in heads))


def test_running_heads_are_not_read_except_on_the_first_sheet() -> None:
    heads = [f"Journal of Tea 12, page {number}" for number in range(1, 5)]
    assert read(sheets(heads)) == [heads[0], *[TEXT] * 4]
    assert read(sheets(heads, y=970)) == [heads[0], *[TEXT] * 4]


def test_furniture_is_seen_as_leaves_of_its_own() -> None:
    leaves = leaf_zones(sheets(["Journal of Tea"] * 4))
    assert leaves.furniture.tolist() == [False, False, True, False, True, False, True, False]


def test_two_sheets_that_begin_alike_have_no_running_head() -> None:
    assert read(sheets(["Figures", "Figures"])).count("Figures") == 2


def test_heads_of_left_and_right_sheets_differ() -> None:
    heads = ("Journal of Tea", "Ada King", "Journal of Tea", "Bo Lind and others", "Journal of Tea")
    assert read(sheets(heads)) == ["Journal of Tea", *[TEXT] * 5]


def test_what_is_long_or_large_is_not_a_running_head() -> None:
    long = " ".join(f"word{number}" for number in range(30))
    assert read(sheets(["Journal of Tea", "Journal of Tea", "Journal of Tea", long]))[-2:] == [
        long, TEXT,
    ]  # fmt: skip
    lines = [[line(72, 20, "Tea"), line(72, 300, TEXT)] for _ in range(3)]
    lines += [[line(72, 16, "Conclusion", 20), line(72, 300, TEXT)]]
    assert "Conclusion" in read(draw_sheets(*lines))


def test_the_last_lines_of_a_text_are_not_its_foot() -> None:
    texts = [
        [line(72, 840 + 12 * rank, f"line {rank} of the text") for rank in range(8)]
        for _ in range(4)
    ]
    assert len(read(draw_sheets(*texts))) == 4
    assert all(string.endswith("line 7 of the text") for string in read(draw_sheets(*texts)))


def numbered(*steps: int, beside: float = 72) -> Page:
    """Two sheets of twelve lines, counted by these steps."""
    numbers = {step: count(step, step) for step in steps}
    parts: list[list[Part]] = []
    for _ in range(2):
        sheet = []
        for rank in range(1, 61):
            sheet += [
                line(40, 100 + 12 * rank, str(next(numbers[step])))
                for step in steps
                if rank % step == 0
            ]
            sheet.append(line(beside, 100 + 12 * rank, "tea is as old"))
        parts.append(sheet)
    return draw_sheets(*parts)


@pytest.mark.parametrize("step", [1, 2, 5])
def test_numbers_that_count_the_lines_are_not_read(step: int) -> None:
    assert read(numbered(step)) == [" ".join(["tea is as old"] * 60)] * 2


def test_a_number_close_to_its_line_is_not_read_either() -> None:
    page = numbered(1, beside=53)
    assert read(page) == [" ".join(["tea is as old"] * 60)] * 2
    assert leaf_zones(page).furniture.sum() == 120


def test_other_numbers_are_read() -> None:
    rows = [
        [line(40, 100 + 12 * rank, str(7 * rank)), line(72, 100 + 12 * rank, "tea")]
        for rank in range(20)
    ]
    page = draw_sheets([part for row in rows for part in row])
    assert "133" in " ".join(read(page))


def test_items_with_numbers_on_one_of_several_sheets_are_read() -> None:
    listed = [part for rank in range(1, 13) for part in (
        line(40, 100 + 24 * rank, str(rank)), line(72, 100 + 24 * rank, "King A. On tea"),
        line(72, 112 + 24 * rank, "and the sea. J Tea."))]  # fmt: skip
    text = [line(72, 100 + 12 * rank, "tea is as old") for rank in range(30)]
    texts = [line(72, 100 + 12 * rank, "tea is as old") for rank in range(30)]
    assert not leaf_zones(draw_sheets(text, texts, listed)).furniture.any()
