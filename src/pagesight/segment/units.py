"""Units: the elements of a page that show something, elements around the same content being one.

Leaves are single pieces of content: a text, a picture, a control. Every unit is a run of pieces in
document order, so that what a unit holds is a difference of two sums.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Node, Page
from pagesight.page.columns import nearest, subtree_ends
from pagesight.page.derived import once_per_page
from pagesight.segment.content import Content, content_of
from pagesight.segment.nodes import corners, range_unions

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Units:
    """The units of a page in preorder; arrays by unit, unless stated otherwise."""

    page: Page
    content: Content
    node: Ints
    """The outermost element around its content, or a text that has others beside it."""

    inner: Ints
    """The innermost node around its content."""

    first: Ints
    """Its first piece of content."""

    last: Ints
    """The piece after its last one."""

    parent: Ints
    """-1 for the root."""

    of_node: Ints
    """By node: the unit that it is, or -1 if it shows nothing."""

    def __len__(self) -> int:
        return len(self.node)

    @cached_property
    def end(self) -> NDArray[np.int32]:
        """The unit after the last one inside."""
        return subtree_ends(self.parent)

    @cached_property
    def corners(self) -> Floats:
        """Left, top, right and bottom of what is seen."""
        return range_unions(corners(self.content.box), self.first, self.last)

    @cached_property
    def children(self) -> list[list[int]]:
        """The units directly inside of each."""
        nothing: list[int] = []  # of all units that hold no others
        below = [nothing] * len(self)
        for unit, above in enumerate(self.parent.tolist()[1:], start=1):
            if below[above] is nothing:
                below[above] = []
            below[above].append(unit)
        return below

    def element(self, unit: int) -> Node:
        """The outermost node of a unit."""
        return self.page[int(self.node[unit])]

    def text(self, unit: int) -> str:
        """What is read in it."""
        return self.page.text(int(self.node[unit]))


@once_per_page
def units_of(page: Page) -> Units:
    """The units of a page."""
    content = content_of(page)
    first = np.searchsorted(content.nodes, np.arange(len(page)))
    last = np.searchsorted(content.nodes, page.end)
    shows = last > first
    shows[0] = True
    of_node, node, inner, parent = _merged(page, shows, first, last)
    return Units(page, content, node, inner, first[node], last[node], parent, of_node)


def _merged(
    page: Page, shows: NDArray[np.bool_], first: Ints, last: Ints
) -> tuple[Ints, Ints, Ints, Ints]:
    """The unit of each node; and by unit its outermost node, its innermost one and its parent."""
    above = page.columns["parent"]
    merged = shows & (first == first[above]) & (last == last[above])
    merged[0] = False
    node = np.flatnonzero(shows & ~merged)
    number = np.full(len(page), -1)
    number[node] = np.arange(len(node))
    of_node = np.where(shows, number[nearest(number >= 0, above)], -1)
    shown = np.flatnonzero(shows)
    inner = np.zeros(len(node), dtype=np.int64)
    inner[of_node[shown]] = shown  # the last one that is written is the innermost
    parent = of_node[above[node]]
    parent[0] = -1
    return of_node, node, inner, parent
