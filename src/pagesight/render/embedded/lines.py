"""Lines along texts: whose they are, what they mean, and which letters left no ink."""

from __future__ import annotations

from functools import cache

from pagesight.page import Decoration
from pagesight.render.embedded.glyphs import Font
from pagesight.render.embedded.letters import MISSING
from pagesight.render.embedded.painted import PaintedText
from pagesight.render.geometry import Rect

PEN = 1 / 16  # of the size of a font: how thick the lines along its texts are
_LOWEST_LINE = 0.2  # of the size of a font: how far below its letters a line may run
_BLANK = 0.777832  # of the size of Liberation Serif: how wide it leaves space for a letter it lacks
_NEARLY = 0.02
UNDER, OVER, THROUGH = (
    int(line) for line in (Decoration.UNDERLINE, Decoration.OVERLINE, Decoration.LINE_THROUGH)
)


def runs_along(line: Rect, text: PaintedText) -> bool:
    """Whether a line runs along a text."""
    left, top, right, bottom = line
    reach = 1.5 * text.size
    beside = reach if bottom - top > 1 else 1.0  # of a turned text, the line begins elsewhere
    return (
        left - beside <= text.x <= right + beside and top - reach <= text.baseline <= bottom + reach
    )


def is_below(line: Rect, text: PaintedText) -> bool:
    """Whether a line is too far below a text to be a further one along it."""
    return line[1] > text.baseline + _LOWEST_LINE * text.size


def joined(pieces: list[PaintedText]) -> PaintedText:
    """Pieces that were painted apart, because letters came from another font."""
    first = pieces[0]
    for piece in pieces[1:]:
        first.width = piece.x + piece.width - first.x
        first.text += piece.text
        first.operand += piece.operand
    return first


def decoration(line: Rect, text: PaintedText) -> int:
    """What a line along a text is, as in `Decoration`."""
    above = text.baseline - (line[1] + line[3]) / 2
    if above < 0.1 * text.size:
        return UNDER
    return OVER if above > 0.6 * text.size else THROUGH


def blanks(width: float, size: float) -> int:
    """How many letters that the font lacks a line of that width runs along, 0 if along others."""
    letters = width / (size * _BLANK) if size > 0 else 0.0
    return round(letters) if abs(letters - round(letters)) <= _NEARLY else 0


@cache
def blank_font() -> Font:
    """The font that leaves no ink for letters it lacks."""
    return Font(
        "LiberationSerif", family="LiberationSerif", ascent=0.891, descent=0.216,
        letters={ord("?"): MISSING}, widths=[_BLANK] * 256,
    )  # fmt: skip
