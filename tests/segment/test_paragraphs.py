"""The paragraphs that the lines of a PDF make up."""

from __future__ import annotations

import pytest
from drawn_pages import Part, draw, draw_sheets, line

from pagesight.segment import leaf_zones, text_blocks

LEFT, TOP, PITCH = 72.0, 100.0, 12.0
BOLD = {"font_weight": 700}


def paragraphs(*lines: Part) -> list[str]:
    """What is read on a sheet with these lines."""
    return text_blocks(draw_sheets(lines)).strings


def column(*lines: tuple[float, str], pitch: float = PITCH) -> list[Part]:
    """Lines below each other, each so many px from the left."""
    return [line(LEFT + x, TOP + pitch * rank, text) for rank, (x, text) in enumerate(lines)]


def test_lines_that_follow_closely_are_a_paragraph() -> None:
    lines = (
        "Tea is as old as anybody knows",
        "and is drunk in all countries",
        "by those who like it",
    )
    assert paragraphs(*column(*((0, text) for text in lines))) == [" ".join(lines)]


def test_a_single_line_is_a_paragraph() -> None:
    assert paragraphs(line(LEFT, TOP, "Tea")) == ["Tea"]
    assert paragraphs() == []


def test_more_space_separates_paragraphs() -> None:
    lines = column((0, "Tea is as old"), (0, "as anybody knows"))
    later = [line(LEFT, TOP + 5 * PITCH, "Coffee is not")]
    assert paragraphs(*lines, *later) == ["Tea is as old as anybody knows", "Coffee is not"]


def test_a_little_more_space_than_between_other_lines_separates_paragraphs() -> None:
    lines = column(*((0, f"line {rank} of a text") for rank in range(4)))
    assert len(paragraphs(*lines, line(LEFT, TOP + 4.4 * PITCH, "another text"))) == 2


def test_another_size_begins_a_paragraph() -> None:
    title, text = line(LEFT, TOP, "On tea", 20), line(LEFT, TOP + 22, "Tea is old")
    assert paragraphs(title, text) == ["On tea", "Tea is old"]


def test_a_line_in_bold_is_a_heading() -> None:
    lines = [line(LEFT, TOP, "Green tea", **BOLD), line(LEFT, TOP + PITCH, "is not black")]
    assert paragraphs(*lines) == ["Green tea", "is not black"]


def test_an_indented_line_begins_a_paragraph_where_a_sentence_ended() -> None:
    lines = column(
        (0, "Tea is as old as anybody knows,"), (0, "and that is long enough indeed."),
        (12, "Coffee is younger than that is,"), (0, "and is drunk at other times."),
    )  # fmt: skip
    assert [text.split()[0] for text in paragraphs(*lines)] == ["Tea", "Coffee"]


def test_items_that_hang_out_begin_paragraphs() -> None:
    lines = []
    for rank in range(6):
        lines += [
            (0, f"King, A. On tea number {rank}, with remarks"),
            (15, "on coffee and on kettles."),
        ]
    assert len(paragraphs(*column(*lines))) == 6


@pytest.mark.parametrize(
    "start", ["[2] King A. On tea", "2. King on tea", "7 Department of Tea",
              "* Corresponding author", "Keywords: tea, age", "Abstract: tea is old", "关键词：茶",
              "Received 3 May 1851"]
)  # fmt: skip
def test_numbers_marks_and_some_words_begin_paragraphs(start: str) -> None:
    assert paragraphs(*column((0, "Tea is old and so"), (0, "are we, some think"), (0, start)))[
        1:
    ] == [start]


@pytest.mark.parametrize("start", ["42.0 grams, see", "and so on", "(see above)", "7 of them"])
def test_a_number_within_a_text_begins_none(start: str) -> None:
    assert len(paragraphs(*column((0, "The tea weighed about"), (0, start)))) == 1


def test_a_short_line_that_ends_a_sentence_ends_a_paragraph() -> None:
    long = "Tea is as old as anybody knows, and is drunk in all countries"
    lines = column((0, long), (0, "by many."), (0, f"{long} but"), (0, "not by all"), (0, long))
    assert paragraphs(*lines) == [f"{long} by many.", f"{long} but not by all {long}"]


def test_centered_lines_are_one_paragraph() -> None:
    lines = [
        line(100, TOP, "The effect of green tea on patience", 20),
        line(390, TOP + 22, "of us", 20),
    ]
    middle = 100 + 35 * 5
    lines[1].box = (middle - 25, TOP + 22, 50, 20)
    assert paragraphs(*lines) == ["The effect of green tea on patience of us"]


def test_a_manuscript_may_leave_room_between_lines() -> None:
    lines = column(*((0, f"line {rank} of a text that continues") for rank in range(9)), pitch=25)
    assert len(paragraphs(*lines)) == 1


def test_a_paragraph_ends_with_its_sheet_and_its_column() -> None:
    page = draw_sheets(column((0, "one"), (0, "two")), column((0, "three")))
    assert text_blocks(page).strings == ["one two", "three"]
    left, right = column((0, "one"), (0, "two")), column((300, "three"), (300, "four"))
    assert paragraphs(*left, *right) == ["one two", "three four"]


def test_the_words_of_a_stretched_line_are_one_line() -> None:
    words = [
        line(LEFT + 60 * rank, TOP + PITCH, word)
        for rank, word in enumerate(("and", "of", "kettles"))
    ]
    lines = [line(LEFT, TOP, "On tea and the sea, with remarks"), *words,
             line(LEFT, TOP + 2 * PITCH, "and on spoons.")]  # fmt: skip
    assert paragraphs(*lines) == ["On tea and the sea, with remarks and of kettles and on spoons."]


def test_words_that_lines_divided_are_whole_again() -> None:
    assert paragraphs(*column((0, "the pharma-"), (0, "cological action"))) == [
        "the pharmacological action"
    ]


def test_lines_of_chinese_are_joined_without_a_space() -> None:
    assert paragraphs(*column((0, "绿茶对审"), (0, "稿人的影响"))) == ["绿茶对审稿人的影响"]


def test_a_paragraph_is_one_leaf_with_its_lines() -> None:
    leaves = leaf_zones(
        draw_sheets([*column((0, "Tea is"), (0, "old and")), line(LEFT, 400, "so")])
    )
    assert len(leaves) == 2
    assert leaves.box[0].tolist() == [LEFT, TOP, 35, PITCH + 10]
    assert [leaves.page.name(node) for node in leaves.nodes.tolist()] == ["line"] * 3
    assert (leaves.node_first.tolist(), leaves.lines.tolist()) == ([0, 2, 3], [0, 1, 2])
    assert leaves.text(0) == "Tea is\nold and"


def test_the_element_of_a_paragraph_is_its_first_line() -> None:
    page = draw_sheets([*column((0, "Tea is"), (0, "old and")), line(LEFT, 400, "so")])
    elements = text_blocks(page).element.tolist()
    assert [page[node].xpath for node in elements] == ["/pdf/sheet/line[1]", "/pdf/sheet/line[3]"]


def test_on_a_web_page_every_block_is_by_itself() -> None:
    lines = column((0, "Tea is"), (0, "old and"))
    assert text_blocks(draw(*lines)).strings == ["Tea is", "old and"]
    assert leaf_zones(draw(*lines)).lines.tolist() == [0, 1]
