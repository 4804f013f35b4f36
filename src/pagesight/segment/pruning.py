"""From the zone tree to a flat segmentation, with a gap threshold that fits the page.

Where paragraphs are leaves, the threshold is just below the usual gap between paragraphs, so that
each of them is a zone. Where lines are leaves, it is just above the usual gap
between lines, so that lines grow together. The text of a page decides which of the two it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pagesight.segment.leaves import Leaves
from pagesight.segment.nodes import before, most_common, outermost
from pagesight.segment.tree import ZoneTree
from pagesight.segment.xycut import Axis

PARAGRAPH_WORDS = 20  # a leaf of more words is a paragraph

_ONE_LINE = 2.0  # font sizes: what is higher has two lines
_LINE_WORDS = 5  # fewer are not a line of running text
_LINES_LOOKED_AT = 400
_RUNS_ON = 0.25  # share of lines that continue in the next, from which lines are leaves
_FEW_PARAGRAPHS = 4  # cells on each paragraph in a table that stays whole
_HIGHEST_LINE_GAP = 1.5  # font sizes
_LEAST_SPACING = 0.35  # font sizes; paragraphs that are nearer are not set apart by spacing
_ROW_GAP = 3.0  # font sizes: what is in one row is one zone up to this gap
_SENTENCE_WORDS = 8
_SENTENCE_ENDS = (".", "?", "!", "。", "؟", "।")


@dataclass(frozen=True, slots=True)
class GapStatistics:
    """What the gaps of a page say about its segmentation."""

    regime: Literal["paragraphs", "lines"]
    threshold: float  # px; zones with smaller gaps stay whole
    most_common: float | None  # px; None where there were too few gaps to tell
    count: int  # how many gaps there were to choose from


def reading_order(tree: ZoneTree) -> NDArray[np.int32]:
    """The leaves of a page in the order in which they are read."""
    leaf: NDArray[np.int32] = tree.marks["leaf"]
    return leaf[leaf >= 0]


def prune(tree: ZoneTree, leaves: Leaves) -> NDArray[np.int32]:
    """The zones that together are the segmentation of a page, in reading order."""
    if len(leaves) == 0:
        return np.zeros(1, dtype=np.int32)  # the whole page, such as it is
    whole = _whole(tree, leaves, gap_statistics(tree, leaves))
    return outermost(whole, tree.parent, tree.end).astype(np.int32)


def gap_statistics(tree: ZoneTree, leaves: Leaves) -> GapStatistics:
    """Whether paragraphs or lines are the leaves of a page, and how far apart they usually are."""
    pairs = _Pairs(leaves, reading_order(tree))
    size = _usual_size(leaves)
    if pairs.are_lines(leaves):
        gaps = pairs.gap[pairs.lines & (pairs.gap < _HIGHEST_LINE_GAP * size)]
        usual = _usual_gap(gaps)
        threshold = (usual if usual is not None else 0.25 * size) + 0.15 * size
        return GapStatistics("lines", threshold, usual, len(gaps))
    gaps = pairs.gap[pairs.paragraphs & (pairs.gap > _LEAST_SPACING * size)]
    usual = _usual_gap(gaps)
    threshold = usual - max(2.0, 0.1 * usual) if usual is not None else size
    return GapStatistics(
        "paragraphs", float(np.clip(threshold, 0.3 * size, 2 * size)), usual, len(gaps)
    )


class _Pairs:
    """Leaves that are read one after the other, the second below the first; arrays by pair."""

    def __init__(self, leaves: Leaves, order: NDArray[np.int32]) -> None:
        order = order[leaves.characters[order] > 0]
        box = leaves.box[order]
        left, top, width, height = box.T
        right, bottom = left + width, top + height
        below = (top[1:] > top[:-1]) & (left[1:] < right[:-1]) & (left[:-1] < right[1:])
        below &= leaves.sheet[order][1:] == leaves.sheet[order][:-1]
        self.upper, self.lower = order[:-1][below], order[1:][below]
        self.gap: NDArray[np.float32] = (top[1:] - bottom[:-1])[below]
        size = leaves.font_size
        one_line = leaves.box[:, 3] <= _ONE_LINE * size
        line = one_line & (leaves.words >= _LINE_WORDS)
        alike = np.abs(size[self.upper] - size[self.lower]) < 0.5
        self.lines: NDArray[np.bool_] = line[self.upper] & one_line[self.lower] & alike
        long = leaves.words > PARAGRAPH_WORDS
        self.paragraphs: NDArray[np.bool_] = long[self.upper] & long[self.lower]
        self.words_in_lines = int(leaves.words[one_line].sum())

    def are_lines(self, leaves: Leaves) -> bool:
        """Whether the leaves are lines of a text that runs on from one to the next."""
        if self.words_in_lines * 2 < leaves.words.sum():
            return False
        rows = np.flatnonzero(self.lines)
        rows = rows[:: max(1, len(rows) // _LINES_LOOKED_AT)]
        upper, lower = self.upper[rows].tolist(), self.lower[rows].tolist()
        return _run_on(leaves, zip(upper, lower, strict=True))


def _run_on(leaves: Leaves, pairs: Iterable[tuple[int, int]]) -> bool:
    """Whether sentences continue from one line to the next in many of these pairs."""
    running = [_runs_on(leaves.text(one), leaves.text(other)) for one, other in pairs]
    return sum(running) > _RUNS_ON * len(running)


def _runs_on(line: str, following: str) -> bool:
    """Whether a sentence continues from one line to the next."""
    return line[-1:] not in ".?!:;" and following[:1].islower()


def _usual_gap(gaps: NDArray[np.float32]) -> float | None:
    """The gap in the middle of those that are most common, to the half pixel."""
    if len(gaps) == 0:
        return None
    steps = np.rint(gaps * 2).astype(np.int64)
    values, counts = np.unique(steps, return_counts=True)
    near = np.abs(values[:, None] - values) <= 1 if len(values) < 1000 else np.eye(len(values))
    best = values[np.argmax(near @ counts)]
    return float(np.median(gaps[np.abs(steps - best) <= 1]))


def _usual_size(leaves: Leaves) -> float:
    """The font size of most characters."""
    size = most_common(leaves.font_size, leaves.characters) if leaves.characters.any() else 0.0
    return size or 16.0


def _whole(tree: ZoneTree, leaves: Leaves, statistics: GapStatistics) -> NDArray[np.bool_]:
    """Which zones are not to be divided."""
    ranges = _Ranges(tree)
    alone = _stand_alone(leaves, statistics.regime)
    paragraphs = ranges.count(alone)
    mixed = ranges.within(leaves.changes(ranges.order))
    near = tree.marks["gap"] < _thresholds(tree, leaves, ranges, statistics)
    if statistics.regime == "lines":
        near |= _running(tree, leaves, ranges, ~near & ~mixed)
    in_table = ranges.count(leaves.table >= 0) == ranges.leaves
    whole: NDArray[np.bool_] = near & ~mixed & (paragraphs <= 1) | tree.is_leaf
    whole |= in_table & (_FEW_PARAGRAPHS * paragraphs <= ranges.leaves)
    return whole


class _Ranges:
    """The leaves of each zone as a range in reading order; arrays by zone."""

    def __init__(self, tree: ZoneTree) -> None:
        rank = before(tree.marks["leaf"] >= 0)
        self.order = reading_order(tree)
        self.first, self.last = rank[:-1], rank[tree.end]
        self.leaves = self.last - self.first
        self.head = self.order[self.first]  # the first leaf

    def count(self, flag: NDArray[np.bool_]) -> NDArray[np.int64]:
        """How many leaves with this flag each zone holds."""
        sums = before(flag[self.order])
        return np.asarray(sums[self.last] - sums[self.first])

    def within(self, border: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which zones hold a flagged border: between a leaf in reading order and the next."""
        sums = before(border)
        return np.asarray(sums[np.maximum(self.last - 1, self.first)] > sums[self.first])


def _thresholds(
    tree: ZoneTree, leaves: Leaves, ranges: _Ranges, statistics: GapStatistics
) -> NDArray[np.float64]:
    """From which gap on each zone is divided: by its own font size, where lines are leaves."""
    size = _usual_size(leaves)
    beside = tree.marks["axis"] == Axis.BESIDE
    row = beside & (tree.box[:, 3] <= _ONE_LINE * size)
    threshold = np.full(len(tree), statistics.threshold)
    if statistics.regime == "lines":
        threshold *= np.maximum(leaves.font_size[ranges.head] / size, 1)
    threshold[beside] = max(statistics.threshold, size)
    threshold[row] = _ROW_GAP * size
    return threshold


def _running(
    tree: ZoneTree, leaves: Leaves, ranges: _Ranges, asked: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which of the zones asked for are lines of one text, if more apart than elsewhere."""
    flat = ranges.leaves == tree.end - np.arange(len(tree)) - 1  # holds nothing but leaves
    close = tree.marks["gap"] < _HIGHEST_LINE_GAP * leaves.font_size[ranges.head]
    stacked = tree.marks["axis"] == Axis.STACKED
    running: NDArray[np.bool_] = asked & flat & close & stacked
    for zone in np.flatnonzero(running).tolist():
        lines = ranges.order[ranges.first[zone] : ranges.last[zone]].tolist()
        running[zone] = _run_on(leaves, pairwise(lines))
    return running


def _stand_alone(leaves: Leaves, regime: str) -> NDArray[np.bool_]:
    """Which leaves are paragraphs: long, or at least whole sentences."""
    if regime == "lines":
        return np.zeros(len(leaves), dtype=np.bool_)
    alone: NDArray[np.bool_] = leaves.words > PARAGRAPH_WORDS
    for leaf in np.flatnonzero(~alone & (leaves.words >= _SENTENCE_WORDS)).tolist():
        alone[leaf] = leaves.text(leaf).endswith(_SENTENCE_ENDS)
    return alone
