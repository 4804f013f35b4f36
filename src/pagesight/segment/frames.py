"""Frames: what is divided for itself, like a page within the page.

The page is one; inside of it each sheet of a PDF, and each table that holds data, which is a single
box to what is around it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagesight.page.columns import Array
from pagesight.segment.leaves import Leaves


@dataclass(frozen=True, eq=False)
class Frames:
    """The frames of a page; the first is the page. Items are leaves, then all other frames."""

    box: NDArray[np.float32]  # of each item
    frame: NDArray[np.int64]  # of each item: the frame that it stands in
    by_rows: NDArray[np.bool_]  # of each frame: whether it is read row by row

    @property
    def first_frame(self) -> int:
        """The item that is frame 1; the items before it are leaves."""
        return len(self.box) - len(self.by_rows) + 1


def frames_of(leaves: Leaves) -> Frames:
    """The page, and in it the sheets or the data tables."""
    if (leaves.sheet != leaves.sheet[0]).any():
        sheets, sheet = np.unique(leaves.sheet, return_inverse=True)
        stack = _stack(len(sheets), leaves.page.info.viewport[0])
        return _framed(leaves, sheet + 1, stack, by_rows=False)
    tables, table = np.unique(leaves.table, return_inverse=True)
    if tables[0] < 0:  # what is in no table is in the first frame
        tables, table = tables[1:], table - 1
    return _framed(leaves, table + 1, _unions(leaves.box, table, len(tables)), by_rows=True)


def _framed(leaves: Leaves, frame: Array, box: NDArray[np.float32], *, by_rows: bool) -> Frames:
    """Leaves in their frames, and the frames with these boxes on the page."""
    flags = np.full(len(box) + 1, by_rows)
    flags[0] = False
    around = np.zeros(len(box), dtype=np.int64)
    return Frames(np.concatenate((leaves.box, box)), np.concatenate((frame, around)), flags)


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
