"""Where a node is and how it looks: `Box`, `Style`, and the enumerations that columns hold."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import NamedTuple


class NodeKind(IntEnum):
    """What a node is."""

    DOCUMENT = 0
    ELEMENT = 1
    TEXT = 2
    PSEUDO = 3  # generated content: ::before, ::after, ::marker
    SHADOW = 4  # the root of a shadow tree


class Display(IntEnum):
    """The computed `display`, as far as it matters for layout."""

    NONE = 0
    BLOCK = 1
    INLINE = 2
    INLINE_BLOCK = 3
    LIST_ITEM = 4
    FLEX = 5
    INLINE_FLEX = 6
    GRID = 7
    INLINE_GRID = 8
    TABLE = 9
    INLINE_TABLE = 10
    TABLE_ROW = 11
    TABLE_CELL = 12
    TABLE_GROUP = 13
    TABLE_CAPTION = 14
    TABLE_COLUMN = 15
    CONTENTS = 16
    OTHER = 17

    @property
    def is_inline(self) -> bool:
        """Whether such a box flows in a line of text."""
        return self in _INLINE


_INLINE = frozenset(display for display in Display if display.name.startswith("INLINE"))
_INLINE |= {Display.CONTENTS}


class Position(IntEnum):
    """The computed `position`."""

    STATIC = 0
    RELATIVE = 1
    ABSOLUTE = 2
    FIXED = 3
    STICKY = 4


class Float(IntEnum):
    """The computed `float`."""

    NONE = 0
    LEFT = 1
    RIGHT = 2


class Align(IntEnum):
    """The computed `text-align`."""

    START = 0
    LEFT = 1
    RIGHT = 2
    CENTER = 3
    JUSTIFY = 4
    END = 5


class Decoration(IntFlag):
    """The lines of `text-decoration`."""

    NONE = 0
    UNDERLINE = 1
    OVERLINE = 2
    LINE_THROUGH = 4


class Visibility(IntEnum):
    """Whether a person sees a node, and if not, why not."""

    VISIBLE = 0
    NOT_RENDERED = 1  # display: none, or an element that makes no box
    HIDDEN = 2  # visibility: hidden or collapse
    ZERO_SIZE = 3
    OFF_SCREEN = 4  # beyond the reach of scrolling
    TRANSPARENT = 5  # opacity 0, or text in a transparent colour
    SAME_COLOR = 6  # text in the colour of its background
    CLIPPED = 7  # cut away by an ancestor with overflow: hidden, or by clip


class Box(NamedTuple):
    """A rectangle in CSS pixels; x grows to the right, y downwards, from the page's top left."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    def intersection(self, other: Box) -> Box | None:
        """The common part of two boxes, or None where they do not overlap."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        width = min(self.right, other.right) - x
        height = min(self.bottom, other.bottom) - y
        return Box(x, y, width, height) if width > 0 and height > 0 else None


class Style(NamedTuple):
    """How a node looks. Colours are ``#rrggbb``, or ``#rrggbbaa`` where translucent."""

    display: Display
    position: Position
    floats: Float
    font_size: float
    font_weight: int
    italic: bool
    font_family: str
    color: str
    background: str
    own_background: str
    has_background_image: bool
    decoration: Decoration
    align: Align
    opacity: float
    border: tuple[float, float, float, float]

    @property
    def bold(self) -> bool:
        return self.font_weight >= 600  # where browsers switch to a bold face


def hex_color(rgba: int) -> str:
    """0xRRGGBBAA as CSS writes it."""
    rgb, alpha = rgba >> 8, rgba & 0xFF
    return f"#{rgb:06x}" if alpha == 0xFF else f"#{rgb:06x}{alpha:02x}"
