"""Lines along painted texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.page import Decoration
from pagesight.render.embedded.glyphs import Font
from pagesight.render.embedded.letters import MISSING
from pagesight.render.embedded.lines import (
    PEN,
    blank_font,
    blanks,
    decoration,
    is_below,
    joined,
    runs_along,
)
from pagesight.render.embedded.painted import PaintedText
from pagesight.render.geometry import EVERYWHERE, Rect

SIZE = 20.0


def painted(text: str = "tea", x: float = 100.0, width: float = 60.0) -> PaintedText:
    """A text of 20 px on the baseline at 200."""
    operand = f"({text})".encode()
    return PaintedText(0, x, 200.0, width, SIZE, Font(), text, 0, 1.0, EVERYWHERE, operand)


def line(middle: float, left: float = 100.0, right: float = 160.0) -> Rect:
    """A line as thick as those of the renderer."""
    half = PEN * SIZE / 2
    return left, middle - half, right, middle + half


@pytest.mark.parametrize(
    ("middle", "meaning"),
    [
        (203.0, Decoration.UNDERLINE),
        (200.0, Decoration.UNDERLINE),
        (195.0, Decoration.LINE_THROUGH),
        (190.0, Decoration.LINE_THROUGH),
        (182.0, Decoration.OVERLINE),
    ],
)
def test_what_a_line_means_depends_on_how_high_it_is(middle: float, meaning: Decoration) -> None:
    assert decoration(line(middle), painted()) == meaning


@pytest.mark.parametrize(
    ("along", "expected"),
    [
        (line(203), True),
        (line(182), True),
        (line(203, left=20, right=400), True),  # of a whole paragraph
        (line(203, left=100.9), True),
        (line(203, left=102), True),  # thick: the text may be turned
        (line(240), False),
        (line(150), False),
        (line(203, left=200, right=260), False),
        (line(203, left=10, right=60), False),
    ],
)
def test_a_line_runs_along_the_texts_beside_it(along: Rect, expected: bool) -> None:
    assert runs_along(along, painted()) is expected


def test_a_hair_thin_line_begins_where_its_text_does() -> None:
    assert runs_along((100.5, 202.0, 160.0, 203.0), painted())
    assert not runs_along((102.0, 202.0, 160.0, 203.0), painted())


def test_a_line_far_below_a_text_is_of_another_one() -> None:
    assert not is_below((100.0, 204.0, 160.0, 205.0), painted())
    assert is_below((100.0, 204.1, 160.0, 205.0), painted())


def test_pieces_are_joined_with_the_space_between_them() -> None:
    whole = joined([painted("te", 100, 40), painted("a", 145, 20), painted("!", 165, 5)])
    assert (whole.text, whole.x, whole.width) == ("tea!", 100, 70)
    assert whole.operand == b"(te)(a)(!)"


def test_one_piece_is_whole() -> None:
    piece = painted()
    assert joined([piece]) is piece
    assert (piece.text, piece.width) == ("tea", 60)


@given(st.integers(1, 20), st.floats(4, 100))
def test_letters_without_ink_are_counted_by_the_width_of_their_line(
    count: int, size: float
) -> None:
    width = blank_font().reach(b"?" * count) * size
    assert blanks(width, size) == count
    assert blanks(width + size * 0.3, size) == 0


@pytest.mark.parametrize(("width", "size"), [(0.0, 16.0), (10.0, 0.0), (10.0, -1.0)])
def test_where_there_is_no_width_or_size_there_are_no_letters(width: float, size: float) -> None:
    assert blanks(width, size) == 0


def test_the_letters_without_ink_are_unknown_ones() -> None:
    assert blank_font().text(b"??") == MISSING * 2
    assert blank_font() is blank_font()
