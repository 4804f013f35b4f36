"""What was painted: text and boxes, with place, colour and order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from pagesight.render.embedded.glyphs import Font
from pagesight.render.geometry import Rect


@dataclass(slots=True)
class PaintedText:
    """A piece of text on one line. x and baseline in CSS pixels, y downwards."""

    order: int
    x: float
    baseline: float
    width: float
    size: float
    font: Font
    text: str
    color: int  # 0xRRGGBB
    alpha: float
    clip: Rect
    operand: bytes  # what was shown: codes of glyphs, and moves between them
    line_color: int | None = None  # of the lines along the text
    lines: int = 0  # as in Decoration

    def advance(self, letters: int) -> float:
        """How far the first `letters` letters of the text reach, in CSS pixels."""
        return self.font.advance(self.operand, letters) * self.size


class Outline(NamedTuple):
    """A hair-thin frame along the inner edges of a box."""

    order: int
    rect: Rect
    color: int


class PaintedBox(NamedTuple):
    """The outline of something filled: a background, a border, a rule, a picture."""

    order: int
    rect: Rect
    color: int | None  # None of pictures and gradients
    alpha: float
    inner: Rect | None  # of a frame: where the hole is
    clip: Rect


@dataclass(slots=True)
class Painting:
    """Everything that was painted, in order."""

    texts: list[PaintedText] = field(default_factory=list)
    boxes: list[PaintedBox] = field(default_factory=list)
    outlines: list[Outline] = field(default_factory=list)
