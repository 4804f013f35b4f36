"""Zones of PDFs: lines that make up paragraphs and items of lists."""

from __future__ import annotations

import pytest
from small_pdf import pdf, text

from pagesight.readers.article.zones import article_zones
from pagesight.render.pdf import page_from_pdf

LEFT, TOP, PITCH = 72, 700, 12


def zones_of(*lines: tuple[float, str] | None, size: float = 10) -> list[str]:
    """The texts of the zones of lines, each with its indent; None is a space between paragraphs."""
    content, top = "", float(TOP)
    for line in lines:
        top -= PITCH if line else PITCH / 2
        if line:
            content += text(LEFT + line[0], top, line[1], size)
    return article_zones(page_from_pdf(pdf(content))).texts


def test_lines_of_one_look_are_a_paragraph() -> None:
    assert zones_of((0, "Tea is old, and"), (0, "so are we.")) == ["Tea is old, and so are we."]


def test_a_space_between_lines_begins_a_paragraph() -> None:
    found = zones_of((0, "Tea is old, and"), (0, "so are we."), None, (0, "Coffee is not."))
    assert found == ["Tea is old, and so are we.", "Coffee is not."]


def test_an_indented_line_begins_a_paragraph() -> None:
    found = zones_of(
        (0, "Tea is as old as anybody knows,"),
        (0, "and so are we."),
        (15, "Coffee is not, although"),
        (0, "it is drunk by many."),
    )
    assert found == [
        "Tea is as old as anybody knows, and so are we.",
        "Coffee is not, although it is drunk by many.",
    ]


@pytest.mark.parametrize("mark", ["1. ", "[1] ", ""])
def test_items_hang_out(mark: str) -> None:
    items = [
        (f"{mark.replace('1', str(number))}King A. On tea number {number}.", "J Tea 1851.")
        for number in range(1, 6)
    ]
    found = zones_of(*((15 * rank, line) for item in items for rank, line in enumerate(item)))
    assert found == [" ".join(item) for item in items]


def test_numbers_within_a_text_begin_no_item() -> None:
    found = zones_of((0, "The tea weighed about"), (0, "42.0 grams, see also"), (0, "[5]. It was"))
    assert found == ["The tea weighed about 42.0 grams, see also [5]. It was"]


def test_a_raised_mark_begins_an_affiliation() -> None:
    content = ""
    for rank, name in enumerate(("Kyoto", "Lund")):
        top = TOP - 2 * PITCH * rank
        content += text(LEFT, top + 4, str(rank + 1), 6)
        content += text(LEFT + 5, top, f"Department of Tea, University of {name},", 10)
        content += text(LEFT + 5, top - PITCH, f"{name}, Somewhere", 10)
    found = article_zones(page_from_pdf(pdf(content))).unmarked
    assert found == [
        "Department of Tea, University of Kyoto, Kyoto, Somewhere",
        "Department of Tea, University of Lund, Lund, Somewhere",
    ]


def test_centered_lines_are_one_title() -> None:
    content = text(100, TOP, "The effect of green tea on the patience", 20)
    content += text(224, TOP - 24, "of reviewers", 20)
    assert article_zones(page_from_pdf(pdf(content))).texts == [
        "The effect of green tea on the patience of reviewers"
    ]


def test_a_part_of_a_line_in_bold_does_not_end_an_item() -> None:
    content = text(LEFT, TOP, "1. King A: ") + text(LEFT + 55, TOP, "On the virtues of", 10, "B")
    content += text(LEFT + 15, TOP - PITCH, "tea and of patience", 10, "B")
    content += text(LEFT + 15, TOP - 2 * PITCH, "J Tea 1851.")
    content += text(LEFT, TOP - 3 * PITCH, "2. Xu L: Leaves and letters, a history")
    content += text(LEFT + 15, TOP - 4 * PITCH, "of them. J Tea 1852.")
    assert len(article_zones(page_from_pdf(pdf(content))).texts) == 2


def test_keywords_begin_a_paragraph() -> None:
    found = zones_of((0, "Tea is old, and so are we."), (0, "Keywords: tea, age"))
    assert found == ["Tea is old, and so are we.", "Keywords: tea, age"]


def test_a_short_line_that_ends_a_sentence_ends_a_paragraph() -> None:
    long = "Tea is as old as anybody knows, and is drunk in all countries"
    found = zones_of((0, long), (0, "by many."), (0, f"{long} but"), (0, "not by all"), (0, long))
    assert found == [f"{long} by many.", f"{long} but not by all {long}"]


def test_a_manuscript_may_leave_room_between_lines() -> None:
    lines = [f"line {number} of a text that goes on" for number in range(9)]
    content = "".join(text(LEFT, TOP - 24 * rank, line) for rank, line in enumerate(lines))
    assert article_zones(page_from_pdf(pdf(content))).texts == [" ".join(lines)]


def test_a_number_that_a_line_begins_with_ends_a_range_of_pages() -> None:
    lines = [
        (0, "King, A. On tea and on the sea, with remarks. J Tea 12, 134-"),
        (15, "143. doi:10.1000/tea"),
        (0, "Lind, B. On coffee and on the sea, with remarks. J Tea 13, 7-"),
        (15, "9. London and Paris: Kettle"),
    ]
    found = zones_of(*lines, *lines)
    assert len(found) == 4
    assert found[0].endswith("J Tea 12, 134-143. doi:10.1000/tea")


def test_a_stretched_line_is_one_line() -> None:
    words = ("coffee", "and", "kettles")
    content = text(LEFT, 700, "King, A. On tea and the sea, with some remarks on")
    content += "".join(text(LEFT + 50 * rank, 688, word) for rank, word in enumerate(words))
    content += text(LEFT, 676, "and on spoons.")
    assert article_zones(page_from_pdf(pdf(content))).texts == [
        "King, A. On tea and the sea, with some remarks on coffee and kettles and on spoons."
    ]


def test_names_above_their_places_stand_apart() -> None:
    block = ("Daniel Schmidt", "Dept. of Botany", "University of Kyoto", "Kyoto, Japan")
    found = zones_of(*((0, line) for line in block))
    assert found == ["Daniel Schmidt", "Dept. of Botany University of Kyoto Kyoto, Japan"]
