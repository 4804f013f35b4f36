"""The recursive X-Y cut: boxes divided at the largest gaps between them, again and again.

All zones of one depth are cut at the same time, on arrays that stay sorted along both axes. What
comes out depends on the boxes alone, not on their order or on what they stood in. Gaps that are
almost as large as the largest are cut with it: they look the same, and a thousand paragraphs become
a thousand siblings rather than a thousand levels.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from pagesight.page.columns import Array

UNIT = 64  # positions are counted in 1/64 px, as browsers do: sums are exact
LIKE_LARGEST = 10  # the share of the largest gap that a gap may lack to be cut with it: a tenth
LEAST_LACK = 2 * UNIT  # what small gaps may lack
OVERLAP = 2 * UNIT  # boxes that overlap no more than that can still be parted
Boxes = NDArray[np.int64]
_NO_GAP = -(2**62)


class Axis(IntEnum):
    """How the parts of a zone are arranged."""

    NONE = 0
    STACKED = 1  # parted by horizontal gaps
    BESIDE = 2  # parted by vertical gaps


@dataclass(frozen=True, eq=False)
class Cuts:
    """Trees of zones, one for each frame; the first zones are the frames themselves.

    A zone has a larger number than the one around it, and siblings are in reading order.
    """

    parent: NDArray[np.int64]
    axis: NDArray[np.uint8]
    gap: NDArray[np.float32]  # px
    item: NDArray[np.int64]  # the box that a leaf is, else -1


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
        self.order = self._sorted(everything, starts)
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
        parts = self._part(self.order, self.spans)
        whole = np.flatnonzero(parts == 1)
        if len(whole):
            # What overlaps too much to be parted may still have an order to read it in.
            boxes = self.order[0][parts[self.rank[self.order[0]]] == 1]
            parts = np.maximum(parts, self._part(self._sorted(boxes, self.cores[0]), self.cores))
            self.gap[self.open[whole]] = 0
        if (parts == 1).any():
            parts = self._flatten(self.order[0][parts[self.rank[self.order[0]]] == 1], parts)
        first = np.cumsum(parts) - parts
        boxes = self.order[0]
        self.rank[boxes] = first[self.rank[boxes]] + self.child[boxes]
        new = slice(self.zones, self.zones + int(parts.sum()))
        self.parent[new] = np.repeat(self.open, parts)
        self.by_rows = np.repeat(self.by_rows, parts)
        self.open = np.arange(new.start, new.stop)
        self.zones = new.stop
        self._close(len(self.open))

    def _close(self, count: int) -> None:
        """Take the zones of a single box from the open ones."""
        boxes = self.order[0]
        large = np.bincount(self.rank[boxes], minlength=count) > 1
        alone = boxes[~large[self.rank[boxes]]]
        self.item[self.open[self.rank[alone]]] = alone
        self.open, self.by_rows = self.open[large], self.by_rows[large]
        renamed = np.cumsum(large) - 1
        for axis, order in enumerate(self.order):
            kept = order[large[self.rank[order]]]
            self.order[axis] = kept[np.argsort(self.rank[kept], kind="stable")]
        self.rank[self.order[0]] = renamed[self.rank[self.order[0]]]

    def _part(self, order: list[Boxes], spans: tuple[Boxes, Boxes]) -> NDArray[np.int64]:
        """Cut zones at their largest gaps; how many parts each of the open zones has then."""
        rank = self.rank[order[0]]
        heads = np.flatnonzero(np.diff(rank, prepend=-1))
        zones, sizes = rank[heads], np.diff(heads, append=len(rank))
        nth = np.repeat(np.arange(len(heads)), sizes)  # by box: which of these zones
        gaps = [self._gaps(order[a], spans[0][a], spans[1][a], nth * self.stride) for a in (0, 1)]
        for gap in gaps:
            gap[heads] = _NO_GAP
        stacked, beside = (np.maximum.reduceat(gap, heads) for gap in gaps)
        turned = (beside > stacked) & ~(self.by_rows[zones] & (stacked >= -OVERLAP))
        largest = np.where(turned, beside, stacked)
        least = largest - np.maximum(largest // LIKE_LARGEST, LEAST_LACK)
        begins = np.where(turned[nth], gaps[1], gaps[0]) >= np.maximum(least, -OVERLAP)[nth]
        cuts = np.cumsum(begins)
        parts = np.ones(len(self.open), dtype=np.int64)
        parts[zones] += np.add.reduceat(begins, heads, dtype=np.int64)
        self.child[np.where(turned[nth], order[1], order[0])] = cuts - cuts[heads][nth]
        self.axis[self.open[zones]] = np.where(turned, Axis.BESIDE, Axis.STACKED)
        self.gap[self.open[zones]] = np.maximum(largest, 0) / UNIT
        return parts

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
        begins = np.diff(rank, prepend=-1) != 0
        begins[1:] |= np.diff(start) * 2 > (stop - start)[:-1]
        boxes = boxes[np.lexsort((self.spans[0][1][boxes], np.cumsum(begins)))]
        heads = np.flatnonzero(np.diff(rank, prepend=-1))
        sizes = np.diff(heads, append=len(rank))
        self.child[boxes] = np.arange(len(rank)) - np.repeat(heads, sizes)
        parts = parts.copy()
        parts[rank[heads]] = sizes
        self.axis[self.open[rank[heads]]] = Axis.NONE
        return parts
