"""The zone tree of a page by recursive X-Y cut over its leaf zones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.page.columns import Array, subtree_ends
from pagesight.page.derived import once_per_page
from pagesight.segment.cutting import Axis, Cuts, cut
from pagesight.segment.leaves import Leaves, leaf_zones
from pagesight.segment.nodes import before, boxes, corners, range_unions
from pagesight.segment.tree import ZoneTree

__all__ = ["Axis", "zone_tree"]


@once_per_page
def zone_tree(page: Page, leaves: Leaves | None = None) -> ZoneTree:
    """Divide a page at the largest gaps, again and again, until every leaf zone is alone.

    Marks of the zones: `gap` (px) and `axis` of the cuts that divide them, `leaf` (an index into
    the leaves, -1 of inner zones) and `trivial`.
    """
    leaves = leaf_zones(page) if leaves is None else leaves
    if len(leaves) == 0:
        return ZoneTree.bare(page, _marks(_NO_ZONES, np.ones(1, np.bool_)))
    frames = _frames_of(leaves)
    box = frames.box
    if leaves.is_right_to_left:
        box = box.copy()
        box[:, 0] = -box[:, 0] - box[:, 2]
    zones = _preorder(cut(box, frames.frame, frames.by_rows), frames.first_frame)
    return _tree(leaves, _grouped(zones, leaves.changes(zones.order)))


@dataclass(frozen=True, eq=False)
class _Frames:
    """What is divided by itself, like a page within the page: sheets of a PDF, and data tables.

    The first frame is the page. Items are leaves, then all other frames, each of which is a single
    box to what is around it.
    """

    box: NDArray[np.float32]  # of each item
    frame: NDArray[np.int64]  # of each item: the frame that it is in
    by_rows: NDArray[np.bool_]  # of each frame: whether it is read row by row

    @property
    def first_frame(self) -> int:
        """The item that is frame 1; the items before it are leaves."""
        return len(self.box) - len(self.by_rows) + 1


def _frames_of(leaves: Leaves) -> _Frames:
    """The page, and in it the sheets or the data tables."""
    if (leaves.sheet != leaves.sheet[0]).any():
        sheets, sheet = np.unique(leaves.sheet, return_inverse=True)
        stack = _stack(len(sheets), leaves.page.info.viewport[0])
        return _framed(leaves, sheet + 1, stack, by_rows=False)
    tables, table = np.unique(leaves.table, return_inverse=True)
    if tables[0] < 0:  # what is in no table is in the first frame
        tables, table = tables[1:], table - 1
    return _framed(leaves, table + 1, _unions(leaves.box, table, len(tables)), by_rows=True)


def _framed(leaves: Leaves, frame: Array, box: NDArray[np.float32], *, by_rows: bool) -> _Frames:
    """Leaves in their frames, and the frames with these boxes on the page."""
    flags = np.full(len(box) + 1, by_rows)
    flags[0] = False
    around = np.zeros(len(box), dtype=np.int64)
    return _Frames(np.concatenate((leaves.box, box)), np.concatenate((frame, around)), flags)


def _stack(count: int, size: float) -> NDArray[np.float32]:
    """Boxes one below the other, all equally far apart."""
    box = np.full((count, 4), size, dtype=np.float32)
    box[:, 0] = 0
    box[:, 1] = 2 * size * np.arange(count)
    return box


def _unions(box: NDArray[np.float32], group: Array, count: int) -> NDArray[np.float32]:
    """The box around each group of boxes; those of group -1 belong to none."""
    near = np.full((count, 2), np.inf, dtype=np.float32)
    far = -near
    grouped = group >= 0
    np.minimum.at(near, group[grouped], box[grouped, :2])
    np.maximum.at(far, group[grouped], box[grouped, :2] + box[grouped, 2:])
    return np.hstack((near, far - near))


class _Zones(NamedTuple):
    """Zones in preorder; arrays by zone."""

    parent: NDArray[np.int32]
    gap: NDArray[np.float32]
    axis: NDArray[np.uint8]
    leaf: NDArray[np.int64]  # -1 of inner zones

    @property
    def order(self) -> NDArray[np.int64]:
        """The leaves in reading order."""
        return self.leaf[self.leaf >= 0]


_NO_ZONES = _Zones(np.array([-1], "i4"), np.zeros(1, "f4"), np.zeros(1, "u1"), np.array([-1]))


def _preorder(cuts: Cuts, first_frame: int) -> _Zones:
    """The zones of all frames as one tree; the items from `first_frame` on are frames."""
    numbers = np.arange(len(cuts.parent))
    children = np.argsort(cuts.parent, kind="stable")
    starts = np.searchsorted(cuts.parent[children], numbers).tolist()
    ends = np.searchsorted(cuts.parent[children], numbers, side="right").tolist()
    below, item = children.tolist(), cuts.item.tolist()
    parents: list[int] = []
    zones: list[int] = []
    waiting = [(0, -1)]
    while waiting:
        zone, parent = waiting.pop()
        while item[zone] >= first_frame:  # continue with what is in the frame
            zone = item[zone] - first_frame + 1
        here = len(zones)
        zones.append(zone)
        parents.append(parent)
        waiting.extend((child, here) for child in reversed(below[starts[zone] : ends[zone]]))
    which = np.array(zones)
    parent_of = np.array(parents, dtype=np.int32)
    return _Zones(parent_of, cuts.gap[which], cuts.axis[which], cuts.item[which])


def _grouped(zones: _Zones, changed: NDArray[np.bool_]) -> _Zones:
    """Zones with one more level where equal gaps separate things that look different.

    A heading and ten lines, all equally far apart, become a heading and a group of ten lines.
    """
    siblings = np.lexsort((np.arange(len(zones.parent)), zones.parent))[1:]
    above = zones.parent[siblings]
    border = np.concatenate(([True], changed, [True]))  # before each leaf in reading order
    first_child = np.diff(above, prepend=-1) != 0
    begins = first_child | border[before(zones.leaf >= 0)[siblings]]
    heads = np.flatnonzero(begins)
    sizes = np.diff(heads, append=len(siblings))
    runs = np.bincount(above[heads], minlength=len(zones.parent))
    around = above[heads]
    chosen = (sizes > 1) & (runs[around] > 1) & (zones.axis[around] == Axis.STACKED)
    group = np.full(len(zones.parent), -1)  # by zone: the first zone of its group
    group[siblings] = np.repeat(np.where(chosen, siblings[heads], -1), sizes)
    return _inserted(zones, group)


def _inserted(zones: _Zones, group: NDArray[np.int64]) -> _Zones:
    """Zones with a new one around each group."""
    firsts = np.unique(group[group >= 0])
    around = zones.parent[firsts]
    moved = np.arange(len(group)) + np.searchsorted(firsts, np.arange(len(group)), side="right")
    parent = np.where(group >= 0, moved[group] - 1, moved[zones.parent])
    parent[0] = -1
    return _Zones(
        np.insert(parent, firsts, moved[around]).astype(np.int32),
        np.insert(zones.gap, firsts, zones.gap[around]),
        np.insert(zones.axis, firsts, Axis.STACKED),
        np.insert(zones.leaf, firsts, -1),
    )


def _tree(leaves: Leaves, zones: _Zones) -> ZoneTree:
    """The zones with their boxes and nodes."""
    leaf, order = zones.leaf, zones.order
    is_leaf = leaf >= 0
    counts = np.where(is_leaf, np.diff(leaves.node_first)[leaf], 0)
    node_first = before(counts)
    within = np.arange(node_first[-1]) - np.repeat(node_first[:-1], counts)
    rank = before(is_leaf)
    first, last = rank[:-1], rank[subtree_ends(zones.parent)]  # the leaves of each zone
    informative = before(~leaves.trivial[order])
    return ZoneTree(
        page=leaves.page,
        parent=zones.parent,
        box=boxes(range_unions(corners(leaves.box[order]), first, last)).astype(np.float32),
        node_first=node_first.astype(np.int32),
        nodes=leaves.nodes[np.repeat(leaves.node_first[leaf], counts) + within],
        marks=_marks(zones, informative[last] == informative[first]),
    )


def _marks(zones: _Zones, trivial: Array) -> dict[str, Array]:
    leaf = zones.leaf.astype(np.int32)
    return {"gap": zones.gap, "axis": zones.axis, "leaf": leaf, "trivial": trivial}
