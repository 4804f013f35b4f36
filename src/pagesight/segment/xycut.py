"""The zone tree of a page by recursive X-Y cut: boxes divided at the largest gaps between them.

All zones of one depth are cut at the same time, on arrays that stay sorted along both axes. What
comes out depends on the boxes alone, not on their order or on what they were in. Gaps that are
almost as large as the largest are cut with it: they look the same, and a thousand paragraphs become
a thousand siblings rather than a thousand levels.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pagesight.page import Box, Page
from pagesight.page.columns import Array, subtree_ends
from pagesight.page.derived import once_per_page
from pagesight.segment.leaves import Leaves, leaf_zones
from pagesight.segment.nodes import (
    before,
    boxes,
    corners,
    numbered,
    preorder,
    range_unions,
    renumbered,
    run_sizes,
    run_starts,
)
from pagesight.segment.tree import ZoneTree

UNIT = 64  # positions are counted in 1/64 px, as browsers do: sums are exact
LIKE_LARGEST = 10  # the share of the largest gap that a gap may lack to be cut with it: a tenth
LEAST_LACK = 2 * UNIT  # what small gaps may lack
OVERLAP = 2 * UNIT  # boxes that overlap no more than that can still be separated
Boxes = NDArray[np.int64]
_NO_GAP = -(2**62)


class Axis(IntEnum):
    """How the parts of a zone are arranged."""

    NONE = 0
    STACKED = 1  # separated by horizontal gaps
    BESIDE = 2  # separated by vertical gaps


# Plain numbers: members of an enumeration are slow among arrays.
_STACKED, _BESIDE = int(Axis.STACKED), int(Axis.BESIDE)


class Cuts(NamedTuple):
    """Zones by cuts: trees, one for each frame, with the frames themselves as the first zones.

    A zone has a larger number than the one around it, and siblings are in reading order.
    """

    parent: NDArray[np.int64]
    axis: NDArray[np.uint8]
    gap: NDArray[np.float32]  # px
    item: NDArray[np.int64]  # the box, or leaf, that a zone is, else -1

    @property
    def order(self) -> NDArray[np.int64]:
        """The items in reading order, where the zones are in preorder."""
        return self.item[self.item >= 0]


def cut(box: Array, frame: Array, by_rows: NDArray[np.bool_]) -> Cuts:
    """Divide the boxes of each frame; `by_rows` says for each frame whether rows come first.

    `box` holds x, y, width, height; `frame` the number of each box's frame. No frame is empty.
    """
    return _Cutting(box, frame, by_rows).run()


class _Cutting:
    """Trees in the making, and the zones that are still to be divided."""

    def __init__(self, box: Array, frame: Array, by_rows: NDArray[np.bool_]) -> None:
        # First along y, then along x: starts and stops of all boxes.
        starts = np.rint(box[:, 1::-1].T * float(UNIT)).astype(np.int64)
        extents = np.maximum(np.rint(box[:, :1:-1].T * float(UNIT)).astype(np.int64), 0)
        starts -= starts.min(axis=1, keepdims=True, initial=0)
        self.spans = (starts, starts + extents)
        cores = extents // 4
        self.cores = (starts + cores, starts + extents - cores)
        self.stride = int(self.spans[1].max(initial=0)) + 4 * OVERLAP
        frames = len(by_rows)
        self.parent = np.full(2 * len(box) + frames, -1)
        self.axis = np.zeros(len(self.parent), dtype=np.uint8)
        self.gap = np.zeros(len(self.parent), dtype=np.float32)
        self.item = np.full(len(self.parent), -1)
        self.zones = frames
        self.rank = frame.astype(np.int64)  # by box: its zone among the open ones
        self.child = np.zeros(len(box), dtype=np.int64)  # by box: its part of that zone
        self.open = np.arange(frames)
        self.by_rows = by_rows
        everything = np.arange(len(box))
        self.order = self._sorted(everything, starts)  # the boxes of open zones
        self._close(frames)

    def run(self) -> Cuts:
        while len(self.open):
            self._divide()
        every = slice(0, self.zones)
        return Cuts(self.parent[every], self.axis[every], self.gap[every], self.item[every])

    def _sorted(self, boxes: Boxes, starts: Boxes) -> list[Boxes]:
        """Boxes by zone, and in each by where they start: along y, along x."""
        y, x, rank = starts[0][boxes], starts[1][boxes], self.rank[boxes]
        return [boxes[np.lexsort((x, y, rank))], boxes[np.lexsort((y, x, rank))]]

    def _divide(self) -> None:
        """Divide all open zones into at least two parts each; larger parts are the next ones."""
        parts = self._part(np.arange(len(self.open)), self.order, self.spans)
        if len(whole := (parts == 1).nonzero()[0]):
            # What overlaps too much to be separated may still have an order to read it in.
            boxes = self.order[0][(parts == 1)[self.nth]]
            parts[whole] = self._part(whole, self._sorted(boxes, self.cores[0]), self.cores)
            self.gap[self.open[whole]] = 0
            if len(left := self.order[0][(parts == 1)[self.nth]]):
                parts = self._flatten(left, parts)
        last = parts.cumsum()
        boxes = self.order[0]
        self.rank[boxes] = (last - parts)[self.nth] + self.child[boxes]
        new = slice(self.zones, self.zones + int(last[-1]))
        self.parent[new] = self.open.repeat(parts)
        self.by_rows = self.by_rows.repeat(parts)
        self.open = np.arange(new.start, new.stop)
        self.zones = new.stop
        self._close(len(self.open))

    def _close(self, count: int) -> None:
        """Take the zones of a single box from the open ones."""
        boxes, ranks = self.order[0], [self.rank[order] for order in self.order]
        sizes = np.bincount(ranks[0], minlength=count)
        large = sizes > 1
        for axis, rank in enumerate(ranks):
            stays = large[rank]
            kept = rank[stays].argsort(kind="stable")
            self.order[axis] = self.order[axis][stays][kept]
        alone = ~large[ranks[0]]
        self.item[self.open[ranks[0][alone]]] = boxes[alone]
        self.open, self.by_rows, self.sizes = self.open[large], self.by_rows[large], sizes[large]
        # By box in this order, along y as well as along x: its zone among the open ones.
        self.nth = np.arange(len(self.open)).repeat(self.sizes)
        self.rank[self.order[0]] = self.nth

    def _part(
        self, zones: NDArray[np.int64], order: list[Boxes], spans: tuple[Boxes, Boxes]
    ) -> NDArray[np.int64]:
        """Cut some of the open zones at their largest gaps; how many parts each has then.

        `order` holds their boxes, along y and along x.
        """
        sizes = self.sizes[zones]
        heads, nth = sizes.cumsum() - sizes, np.arange(len(zones)).repeat(sizes)
        shift = nth * self.stride
        gaps = [self._gaps(order[a], spans[0][a], spans[1][a], shift) for a in (0, 1)]
        for gap in gaps:
            gap[heads] = _NO_GAP
        stacked, beside = (np.maximum.reduceat(gap, heads) for gap in gaps)
        turned = (beside > stacked) & ~(self.by_rows[zones] & (stacked >= -OVERLAP))
        largest = np.where(turned, beside, stacked)
        least = largest - np.maximum(largest // LIKE_LARGEST, LEAST_LACK)
        across = turned[nth]
        begins = np.where(across, gaps[1], gaps[0]) >= np.maximum(least, -OVERLAP)[nth]
        cuts = begins.cumsum()
        self.child[np.where(across, order[1], order[0])] = cuts - cuts[heads][nth]
        divided = self.open[zones]
        self.axis[divided] = np.where(turned, _BESIDE, _STACKED)
        self.gap[divided] = np.maximum(largest, 0) / UNIT
        return 1 + np.add.reduceat(begins, heads, dtype=np.int64)

    def _gaps(self, order: Boxes, start: Boxes, stop: Boxes, shift: Boxes) -> NDArray[np.int64]:
        """For each box the gap to all those before it; `shift` keeps zones out of each other."""
        reach = np.maximum.accumulate(stop[order] + shift)
        gap = start[order] + shift
        gap[1:] -= reach[:-1]
        return gap

    def _flatten(self, boxes: Boxes, parts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Make a part of each box in zones that cannot be cut: by lines, and along them."""
        start, stop = self.spans[0][0][boxes], self.spans[1][0][boxes]
        rank = self.rank[boxes]
        heads = run_starts(rank)
        sizes = run_sizes(heads, len(rank))
        begins = np.zeros(len(rank), dtype=np.bool_)
        begins[heads] = True
        begins[1:] |= np.diff(start) * 2 > (stop - start)[:-1]
        boxes = boxes[np.lexsort((self.spans[0][1][boxes], np.cumsum(begins)))]
        self.child[boxes] = np.arange(len(rank)) - np.repeat(heads, sizes)
        parts = parts.copy()
        parts[rank[heads]] = sizes
        self.axis[self.open[rank[heads]]] = Axis.NONE
        return parts


@once_per_page
def zone_tree(page: Page, leaves: Leaves | None = None) -> ZoneTree:
    """Divide a page at the largest gaps, again and again, until every leaf zone is alone.

    Marks of the zones: `gap` (px) and `axis` of the cuts that divide them, `leaf` (an index into
    the leaves, -1 of inner zones) and `trivial`.
    """
    leaves = leaf_zones(page) if leaves is None else leaves
    if len(leaves) == 0:
        return ZoneTree.bare(page, _marks(_NO_ZONES, np.ones(1, np.bool_)))
    return _tree(leaves, _zones(leaves))


def zone_with_most(page: Page, weights: Array) -> Box:
    """The box of the smallest zone of the same tree with more than half of the weight of nodes."""
    leaves = leaf_zones(page)
    if len(leaves) == 0:
        return Box(0, 0, *page.info.size)
    zones, sums = _zones(leaves), before(weights)
    of_node = before(sums[page.end[leaves.nodes]] - sums[leaves.nodes])
    of_leaf = of_node[leaves.node_first[1:]] - of_node[leaves.node_first[:-1]]
    order, (first, last) = zones.order, _spans(zones)
    sums = before(of_leaf[order])
    heavy = np.flatnonzero(2 * (sums[last] - sums[first]) > sums[-1])  # each in the one before it
    zone = int(heavy[-1]) if len(heavy) else 0
    around = range_unions(corners(leaves.box[order]), first[[zone]], last[[zone]])
    return Box(*boxes(around)[0].astype(np.float32).tolist())


def _zones(leaves: Leaves) -> Cuts:
    """The zones in preorder."""
    box, frame, by_rows = _framed(leaves)
    if leaves.is_right_to_left:
        box = box.copy()
        box[:, 0] = -box[:, 0] - box[:, 2]
    zones = _preorder(cut(box, frame, by_rows), len(leaves))
    return _grouped(zones, leaves.changes(zones.order))


def _spans(zones: Cuts) -> tuple[Array, Array]:
    """Of each zone its first leaf in reading order, and the leaf after its last one."""
    rank = before(zones.item >= 0)
    return rank[:-1], rank[subtree_ends(zones.parent)]


def _framed(leaves: Leaves) -> tuple[Array, Array, NDArray[np.bool_]]:
    """The boxes of all items, the frame that each is in, and which frames are read row by row.

    Frames are divided by themselves, like pages within the page: the sheets of a PDF, and data
    tables. The first frame is the page. Items are leaves, then all other frames, each of which is
    a single box to what is around it.
    """
    by_rows = bool((leaves.sheet == leaves.sheet[0]).all())
    if by_rows and leaves.table.max() < 0:
        frame, box = np.zeros(len(leaves), dtype=np.int64), leaves.box[:0]
    elif by_rows:
        frame = numbered(leaves.table)
        frame += leaves.table.min() >= 0  # what is in no table is in the first frame
        box = _unions(leaves.box, frame - 1, int(frame.max()))
    else:
        sheets, frame = np.unique(leaves.sheet, return_inverse=True)
        frame, box = frame + 1, _stack(len(sheets), leaves.page.info.viewport[0])
    flags = np.append(False, np.full(len(box), by_rows))
    around = np.zeros(len(box), dtype=np.int64)
    return np.concatenate((leaves.box, box)), np.concatenate((frame, around)), flags


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


_NO_ZONES = Cuts(np.array([-1]), np.zeros(1, "u1"), np.zeros(1, "f4"), np.array([-1]))


def _preorder(cuts: Cuts, first_frame: int) -> Cuts:
    """The zones of all frames as one tree; the items from `first_frame` on are frames."""
    parent, rank = cuts.parent.copy(), np.arange(len(cuts.parent))
    boxed = np.flatnonzero(cuts.item >= first_frame)  # each gives its place to what is in the frame
    frames = cuts.item[boxed] - first_frame + 1
    parent[frames], rank[frames] = parent[boxed], boxed
    parent[boxed] = -2
    order = preorder(parent, rank)
    return Cuts(renumbered(parent, order), cuts.axis[order], cuts.gap[order], cuts.item[order])


def _grouped(zones: Cuts, changed: NDArray[np.bool_]) -> Cuts:
    """Zones with one more level where equal gaps separate things that look different.

    A heading and ten lines, all equally far apart, become a heading and a group of ten lines.
    """
    siblings = np.lexsort((np.arange(len(zones.parent)), zones.parent))[1:]
    above = zones.parent[siblings]
    border = np.concatenate(([True], changed, [True]))  # before each leaf in reading order
    begins = border[before(zones.item >= 0)[siblings]]
    begins[run_starts(above)] = True
    heads = np.flatnonzero(begins)
    sizes = run_sizes(heads, len(siblings))
    runs = np.bincount(above[heads], minlength=len(zones.parent))
    around = above[heads]
    chosen = (sizes > 1) & (runs[around] > 1) & (zones.axis[around] == _STACKED)
    group = np.full(len(zones.parent), -1)  # by zone: the first zone of its group
    group[siblings] = np.repeat(np.where(chosen, siblings[heads], -1), sizes)
    return _inserted(zones, group)


def _inserted(zones: Cuts, group: NDArray[np.int64]) -> Cuts:
    """Zones with a new one around each group."""
    firsts = np.unique(group[group >= 0])
    if not len(firsts):
        return zones
    around = zones.parent[firsts]
    moved = np.arange(len(group)) + np.searchsorted(firsts, np.arange(len(group)), side="right")
    added = firsts + np.arange(len(firsts))
    parent = np.where(group >= 0, moved[group] - 1, moved[zones.parent])
    parent[0] = -1

    def joined(values: Array, new: ArrayLike) -> Array:
        result = np.empty(len(moved) + len(added), values.dtype)
        result[moved], result[added] = values, new
        return result

    return Cuts(
        joined(parent, moved[around]),
        joined(zones.axis, _STACKED),
        joined(zones.gap, zones.gap[around]),
        joined(zones.item, -1),
    )


def _tree(leaves: Leaves, zones: Cuts) -> ZoneTree:
    """The zones with their boxes and nodes."""
    leaf, order = zones.item, zones.order
    is_leaf = leaf >= 0
    counts = np.where(is_leaf, np.diff(leaves.node_first)[leaf], 0)
    node_first = before(counts)
    within = np.arange(node_first[-1]) - np.repeat(node_first[:-1], counts)
    first, last = _spans(zones)
    informative = before(~leaves.trivial[order])
    return ZoneTree(
        page=leaves.page,
        parent=zones.parent.astype(np.int32),
        box=boxes(range_unions(corners(leaves.box[order]), first, last)).astype(np.float32),
        node_first=node_first.astype(np.int32),
        nodes=leaves.nodes[np.repeat(leaves.node_first[leaf], counts) + within],
        marks=_marks(zones, informative[last] == informative[first]),
    )


def _marks(zones: Cuts, trivial: Array) -> dict[str, Array]:
    leaf = zones.item.astype(np.int32)
    return {"gap": zones.gap, "axis": zones.axis, "leaf": leaf, "trivial": trivial}
