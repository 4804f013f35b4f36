"""The `display` of an element, as far as the painted boxes show it.

The engine does not report it. A browser's default for the tag is right for most
elements; an inline element that is as wide as its parent although its text is not has been made a
block.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pagesight.lazy import table
from pagesight.page import Display, NodeKind
from pagesight.page.columns import Array

_DISPLAYS = {
    tag: Display[name]
    for name, tags in table(__package__, "displays.tsv").items()
    for tag in tags.split()
}
LINE = 1.25  # em; a usual distance of lines
NEARLY_ALL = 0.9  # of the parent's width
WIDEST_SPACE = 2.5  # em; neighbours in a line of text are nearer


def usual_displays(tags: Sequence[str]) -> NDArray[np.uint8]:
    """The display of elements for which no stylesheet sets it."""
    return np.array([_DISPLAYS.get(tag, Display.INLINE) for tag in tags], dtype=np.uint8)


def displays(
    usual: NDArray[np.uint8],
    is_break: NDArray[np.bool_],
    columns: Mapping[str, Array],
    rendered: NDArray[np.bool_],
    text_width: Array,
    in_lines: NDArray[np.bool_],
) -> NDArray[np.uint8]:
    """The display of every node; `text_width` is how wide all the text in it is, in one line.

    `in_lines` are elements that continue in the next line, so that their box says little.
    """
    result = usual.copy()
    width = columns["box"][:, 2]
    above = width[np.maximum(columns["parent"], 0)]
    lines = np.maximum(np.rint(columns["box"][:, 3] / (LINE * columns["font_size"] + 1)), 1)
    stretched = (width >= NEARLY_ALL * above) & (width > 1.25 * text_width / lines + 16)
    stretched &= above > 0
    inline = (columns["kind"] == NodeKind.ELEMENT) & (result == Display.INLINE)
    result[inline & stretched & ~in_lines] = Display.BLOCK
    result[_apart(columns, inline & rendered & ~is_break, is_break, in_lines)] = Display.BLOCK
    result[~rendered & (columns["kind"] != NodeKind.TEXT)] = Display.NONE
    return result


def _apart(
    columns: Mapping[str, Array],
    inline: NDArray[np.bool_],
    is_break: NDArray[np.bool_],
    in_lines: NDArray[np.bool_],
) -> list[int]:
    """Inline elements that are not beside their neighbour as they would be in a line of text."""
    boxes, sizes = columns["box"].tolist(), columns["font_size"].tolist()
    parents = columns["parent"].tolist()
    # Where there is text between elements, or one continues in the next line, it is a line of text.
    has_width = columns["box"][:, 2] > 0
    texts = (columns["kind"] == NodeKind.TEXT) & has_width
    running = set(columns["parent"][texts | is_break | (inline & in_lines)].tolist())
    last: dict[int, int] = {}
    apart: list[int] = []
    for node in np.flatnonzero(inline).tolist():
        parent = parents[node]
        if parent in running:
            continue
        before = last.get(parent)
        last[parent] = node
        if before is not None and _are_apart(
            boxes[before], boxes[node], boxes[parent], max(sizes[before], sizes[node])
        ):
            apart += (before, node)
    return apart


def _are_apart(
    one: Sequence[float], other: Sequence[float], parent: Sequence[float], size: float
) -> bool:
    gap = other[0] - (one[0] + one[2])
    if other[1] < one[1] + one[3] and one[1] < other[1] + other[3]:
        return gap > WIDEST_SPACE * size
    # Below each other, although there was room on the line
    fits = one[0] + one[2] + other[2] + size < parent[0] + parent[2]
    return other[1] >= one[1] + one[3] - 1 and one[3] < 2 * size and fits
