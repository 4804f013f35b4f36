"""The tree of zones from which blocks are chosen.

It is the DOM as far as that divides what is seen: elements around the same content are one zone.
Where an element has many children, these are grouped as the X-Y cut does it: the widest gap between
neighbours divides first. So every zone is a run of leaf zones in document order.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagesight.page.columns import Array, subtree_ends
from pagesight.segment.leaves import Leaves
from pagesight.segment.nodes import BOLD, RangeUnions, corners, depths

Ints = NDArray[np.int64]

BOLD_AS_LARGE = 1.2  # as bold text looks
STEP_UP = 2.0  # px of a gap that are worth a pixel of font size


@dataclass(frozen=True, eq=False)
class Candidates:
    """Zones in preorder, siblings in document order; arrays by zone, unless stated otherwise."""

    leaves: Leaves
    parent: Ints
    first: Ints  # the first leaf inside
    last: Ints  # the leaf after the last one inside
    element: Ints  # the innermost node around it
    whole: NDArray[np.bool_]  # whether it is all of that node, and not some of its children
    gap: NDArray[np.float64]  # px between its children, where they are farthest apart
    beside: NDArray[np.bool_]  # whether they are beside each other there
    corners: NDArray[np.float64]  # left, top, right, bottom

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def end(self) -> NDArray[np.int32]:
        """The id after the last descendant of each zone."""
        return subtree_ends(self.parent)

    @cached_property
    def is_leaf(self) -> NDArray[np.bool_]:
        return np.asarray(self.last - self.first <= 1)


class _Borders(NamedTuple):
    """What is between each leaf and the next one."""

    element: Ints  # the innermost node around both
    depth: Ints  # how many nodes are around that
    gap: NDArray[np.float64]  # px between its children that hold them
    beside: NDArray[np.bool_]  # whether these are beside each other
    step_up: NDArray[np.float64]  # px by which the text after is larger, as before a heading

    @property
    def rank(self) -> Ints:
        """Which border divides first: the one of the outermost element, then the widest.

        A heading belongs to what follows: the border before it is wider than it is, and the one
        after it narrower.
        """
        wide = np.maximum(self.gap + STEP_UP * self.step_up, 0)
        steps = np.round(wide).astype(np.int64)  # what differs by less looks alike
        return np.asarray(self.depth * (steps.max(initial=0) + 1) - steps)


def candidates(leaves: Leaves) -> Candidates:
    """The tree of a page; a single zone without leaves where nothing is seen."""
    heads = leaves.nodes[leaves.node_first[:-1]].astype(np.int64)
    edges = corners(leaves.box) if len(leaves) else np.zeros((1, 4))
    around = RangeUnions(edges)
    borders = _borders(leaves, heads, around)
    first, last, border = _spans(borders.rank, len(leaves))
    parent = _parents(last)
    element = np.where(border >= 0, _at(borders.element, border), _leaf_elements(leaves)[first])
    # The text around a float may continue outside of the element that holds its beginning.
    element = np.where(parent >= 0, np.maximum(element, element[parent]), element)
    return Candidates(
        leaves=leaves,
        parent=parent,
        first=first,
        last=last,
        element=element,
        whole=(parent < 0) | (element != element[parent]),
        gap=_at(borders.gap, border),
        beside=_at(borders.beside, border),
        corners=around(first, np.maximum(last, 1)),
    )


def _at(values: Array, border: Ints) -> Array:
    """Values at borders; 0 where there is none."""
    return np.concatenate((values, np.zeros(1, values.dtype)))[border]


def _borders(leaves: Leaves, heads: Ints, around: RangeUnions) -> _Borders:
    """What separates neighbouring leaves, in linear time: no node is left or entered twice."""
    page = leaves.page
    parent, end = page.parents, page.ends
    elements, lefts, rights = [], [], []
    for head, following in zip(heads[:-1].tolist(), heads[1:].tolist(), strict=True):
        left = node = head
        while end[node] <= following:
            left, node = node, parent[node]
        right = following
        while right > node and parent[right] != node:  # a head that comes again has no way to go
            right = parent[right]
        elements.append(node)
        lefts.append(left)
        rights.append(right)
    element, before, after = (
        np.array(nodes, dtype=np.int64) for nodes in (elements, lefts, rights)
    )
    sides = (
        around(heads.searchsorted(nodes), heads.searchsorted(page.end[nodes]))
        for nodes in (before, after)
    )
    gap, beside = _gaps(*sides)
    step_up = np.where(beside, 0, np.diff(_prominence(leaves)))
    return _Borders(element, depths(page.columns["parent"])[element], gap, beside, step_up)


def _gaps(
    one: NDArray[np.float64], other: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """How far boxes are apart, and whether they are beside each other."""
    apart = np.maximum(one[:, :2], other[:, :2]) - np.minimum(one[:, 2:], other[:, 2:])
    return np.maximum(apart.max(axis=1), 0), apart[:, 0] > apart[:, 1]


def _prominence(leaves: Leaves) -> NDArray[np.float64]:
    """How large the text of each leaf looks, px; bold is larger."""
    size = np.where(leaves.characters > 0, leaves.font_size, 0.0)
    return np.where(leaves.font_weight >= BOLD, BOLD_AS_LARGE * size, size)


def _spans(rank: Ints, leaves: int) -> tuple[Ints, Ints, Ints]:
    """The zones that come of dividing at borders of the lowest rank first, in preorder.

    For each zone its first leaf, the leaf after its last one, and a border that divides it (-1 for
    a leaf). Border i lies between the leaves i and i + 1.
    """
    lower_before = _nearest_lower(rank)
    lower_after = len(rank) - 1 - _nearest_lower(rank[::-1])[::-1]
    # Borders between the same lower ones divide the same zone.
    _, border = np.unique(lower_before * (leaves + 1) + lower_after, return_index=True)
    single = np.arange(max(leaves, 1))
    first = np.concatenate((lower_before[border] + 1, single))
    last = np.concatenate((lower_after[border] + 1, np.minimum(single + 1, leaves)))
    border = np.concatenate((border, np.full(len(single), -1)))
    order = np.lexsort((-last, first))
    return first[order], last[order], border[order]


def _nearest_lower(rank: Ints) -> Ints:
    """The nearest position of a lower rank before each position, or -1."""
    lower, stack = [], [-1]
    ranks = [*rank.tolist(), -1]  # at -1, lower than all
    for position, value in enumerate(ranks[:-1]):
        while ranks[stack[-1]] >= value:
            stack.pop()
        lower.append(stack[-1])
        stack.append(position)
    return np.array(lower, dtype=np.int64)


def _parents(last: Ints) -> Ints:
    """The zone around each of these zones in preorder."""
    parents, around = [], [-1]
    lasts = [*last.tolist(), int(last.max(initial=0)) + 1]  # at -1, later than all
    for zone, stop in enumerate(lasts[:-1]):
        while lasts[around[-1]] < stop:
            around.pop()
        parents.append(around[-1])
        around.append(zone)
    return np.array(parents, dtype=np.int64)


def _leaf_elements(leaves: Leaves) -> Ints:
    """The innermost node around the nodes of each leaf; the root where there is no leaf."""
    if len(leaves) == 0:
        return np.zeros(1, dtype=np.int64)
    page = leaves.page
    parent, end = page.parents, page.ends
    elements = leaves.nodes[leaves.node_first[:-1]].astype(np.int64)
    final = leaves.nodes[leaves.node_first[1:] - 1].tolist()
    for leaf in np.flatnonzero(np.diff(leaves.node_first) > 1).tolist():
        node = int(elements[leaf])
        while end[node] <= final[leaf]:
            node = parent[node]
        elements[leaf] = node
    return elements
