"""What flows in lines of text, and what stands in a box of its own.

By the computed `display` where the page has style, and by the names of elements where it has none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Display, Float, NodeKind, Page, Position, Visibility
from pagesight.segment.content import Content
from pagesight.segment.nodes import before, inside, named, nearest

INLINE_TAGS = frozenset(
    """
    a abbr acronym b bdi bdo big br cite code data del dfn em font i img input ins kbd label mark
    nobr q rp rt ruby s samp select small span strike strong sub sup svg time tt u var wbr
    """.split()
)
_FLOWING = (Display.NONE, Display.INLINE, Display.CONTENTS, Display.OTHER)
_BOXES_IN_LINES = (
    Display.INLINE_BLOCK,
    Display.INLINE_FLEX,
    Display.INLINE_GRID,
    Display.INLINE_TABLE,
)
_WIDEST_SPACE = 4.0  # font sizes; what is farther apart is no line of text


@dataclass(frozen=True, eq=False)
class Flow:
    """How the nodes of a page flow; arrays by node."""

    parts: NDArray[np.bool_]
    """Boxes that part the text before them from the text after them."""

    holder: NDArray[np.int64]
    """The innermost box around each node that is no part of a line, or the node itself."""


def flow_of(page: Page, content: Content) -> Flow:
    """Which nodes stand in boxes, and which in lines."""
    columns = page.columns
    display = columns["display"]
    elements = columns["kind"] == NodeKind.ELEMENT
    if display.any():
        lifted = np.isin(columns["position"], (Position.ABSOLUTE, Position.FIXED))
        lifted |= columns["float"] != Float.NONE
        stands = ~np.isin(display, _FLOWING) | (lifted & (display != Display.NONE))
        boxes = elements & stands & ~_inside_lines(page, content)
        parts = boxes & ~lifted & (columns["visibility"] != Visibility.NOT_RENDERED)
    else:
        boxes = parts = elements & ~named(page, INLINE_TAGS)
    boxes = boxes | (columns["kind"] == NodeKind.DOCUMENT)
    return Flow(parts, nearest(boxes, columns["parent"]))


def _inside_lines(page: Page, content: Content) -> NDArray[np.bool_]:
    """Boxes in a line of text, such as badges and buttons, and all that they hold.

    They may hold blocks, as long as everything that they show stands on one line.
    """
    boxes = np.flatnonzero(np.isin(page.columns["display"], _BOXES_IN_LINES))
    first = np.searchsorted(content.nodes, boxes)
    last = np.searchsorted(content.nodes, page.end[boxes])
    tall, turns = before(content.runs_on), before(_turns(content))
    some = last > first
    boxes, first, last = boxes[some], first[some], last[some]
    one_line = (tall[last] == tall[first]) & (turns[last - 1] == turns[first])
    return inside(boxes[one_line], page.end)


def _turns(content: Content) -> NDArray[np.bool_]:
    """For each piece of content whether the next one stands on another line, or far away."""
    left, top, width, height = content.box.T
    right, bottom = left + width, top + height
    apart = np.maximum(left[1:] - right[:-1], left[:-1] - right[1:])
    shared = np.minimum(bottom[1:], bottom[:-1]) - np.maximum(top[1:], top[:-1])
    turns: NDArray[np.bool_] = (shared <= 0) | (apart > _WIDEST_SPACE * content.font_size[1:])
    return turns
