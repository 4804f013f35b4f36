"""Which nodes a person cannot see, and why.

Renderers state what they know (what was laid out, `visibility`, opacity, clipping); the functions
here derive the rest from the columns, in the same way for every renderer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagesight.page.columns import WHITE, Array
from pagesight.page.style import Display, NodeKind, Position, Visibility

Flags = NDArray[np.bool_]
NONE: Flags = np.zeros(1, dtype=np.bool_)  # of all nodes, whatever their number
SMALLEST_SIGHT = 2.0  # px; the usual "visually hidden" recipes leave a box of 1 px
FAINTEST_OPACITY = 0.02  # below that, black text cannot be distinguished from a white background
SAME_COLOR_DISTANCE = 3  # of 255, per channel


def effective_backgrounds(own_background: Array, end: Array) -> NDArray[np.uint32]:
    """The opaque colour behind each node: its background over those of its ancestors, and white."""
    behind = np.full(len(own_background), WHITE, dtype=np.uint32)
    for node in np.flatnonzero(own_background & 0xFF).tolist():
        behind[node : end[node]] = _over(int(own_background[node]), int(behind[node]))
    return behind


def _over(top: int, bottom: int) -> int:
    alpha = (top & 0xFF) / 255
    mixed = 0
    for shift in (24, 16, 8):
        channel = ((top >> shift) & 0xFF) * alpha + ((bottom >> shift) & 0xFF) * (1 - alpha)
        mixed |= round(channel) << shift
    return mixed | 0xFF


class VisibilityEvidence(NamedTuple):
    """What a renderer knows about visibility beyond the columns; all arrays are by node id."""

    rendered: Flags
    hidden: Flags = NONE
    clips: Flags = NONE  # overflow hidden or clip
    clipped_away: Flags = NONE  # `clip` or `clip-path` leaves nothing
    pictures: Flags = NONE  # images, video and the like: may be behind text
    scrolls: Flags = NONE  # overflow auto or scroll, and frames


def mark(
    columns: Mapping[str, Array],
    end: Array,
    size: tuple[float, float],
    evidence: VisibilityEvidence,
) -> NDArray[np.uint8]:
    """The visibility of every node; of several reasons, the first that is tested here."""
    marks = np.zeros(len(columns["box"]), dtype=np.uint8)

    def set_mark(nodes: Flags, reason: Visibility) -> None:
        marks[nodes & (marks == Visibility.VISIBLE)] = reason

    set_mark(~evidence.rendered, Visibility.NOT_RENDERED)
    set_mark(evidence.hidden, Visibility.HIDDEN)
    set_mark(_zero_size(columns), Visibility.ZERO_SIZE)
    sight = _Sight(columns, end, evidence, size)
    set_mark(sight.off_screen(), Visibility.OFF_SCREEN)
    set_mark(_transparent(columns, end), Visibility.TRANSPARENT)
    set_mark(sight.clipped, Visibility.CLIPPED)
    set_mark(_same_color(columns, end, evidence, marks), Visibility.SAME_COLOR)
    return marks


def _zero_size(columns: Mapping[str, Array]) -> Flags:
    # display: contents has no box of its own, and an inline or a block without height may still
    # show children that overflow it: those are judged by their own boxes.
    box = columns["box"]
    empty: Flags = (box[:, 2] <= 0) | (box[:, 3] <= 0)
    boxless: Flags = columns["display"] == Display.CONTENTS
    return empty & ~boxless


def _transparent(columns: Mapping[str, Array], end: Array) -> Flags:
    transparent: Flags = (columns["kind"] == NodeKind.TEXT) & (
        (columns["color"] & 0xFF) <= FAINTEST_OPACITY * 255
    )
    opacity = np.ones(len(transparent), dtype=np.float32)
    for node in np.flatnonzero(columns["opacity"] < 1).tolist():
        if columns["kind"][node] == NodeKind.ELEMENT:
            opacity[node : end[node]] *= columns["opacity"][node]
    return transparent | (opacity <= FAINTEST_OPACITY)


class _Sight:
    """Where nodes are seen once all boxes around them are scrolled to them, and what is cut."""

    def __init__(
        self,
        columns: Mapping[str, Array],
        end: Array,
        evidence: VisibilityEvidence,
        size: tuple[float, float],
    ) -> None:
        self.size = size
        box = columns["box"].astype(np.float64)
        self.start = box[:, :2].copy()
        self.stop = box[:, :2] + box[:, 2:]
        self.clipped = evidence.clipped_away | np.zeros(len(box), dtype=np.bool_)
        for node in np.flatnonzero(evidence.clipped_away).tolist():
            self.clipped[node : end[node]] = True
        lifted, holders = _containing_blocks(columns)
        # From the inside out: what a box cuts off depends on where the scrollers inside it put it.
        for node in np.flatnonzero(evidence.clips | evidence.scrolls)[::-1].tolist():
            held = np.ones(int(end[node]) - node - 1, dtype=np.bool_)
            escapes = (node < lifted) & (lifted < end[node]) & (holders < node)
            for free in lifted[escapes].tolist():
                held[free - node - 1 : int(end[free]) - node - 1] = False
            inside = np.flatnonzero(held) + node + 1
            scrolls = len(evidence.scrolls) > 1 and evidence.scrolls[node]
            (self._scroll if scrolls else self._cut)(node, inside)

    def off_screen(self) -> Flags:
        """Which nodes are beyond the reach of scrolling."""
        off: Flags = (self.stop <= 0) | (self.start >= self.size)
        return off[:, 0] | off[:, 1]

    def _cut(self, node: int, inside: Array) -> None:
        start, stop = self.start[inside], self.stop[inside]
        left = np.minimum(stop, self.stop[node]) - np.maximum(start, self.start[node])
        # A thin rule or a narrow letter is small by itself; only what was cut counts.
        self.clipped[inside] |= (left < np.minimum(SMALLEST_SIGHT, stop - start)).any(axis=1)

    def _scroll(self, node: int, inside: Array) -> None:
        """Move what is beyond the end of a scroller to its end, as far as that is on the page."""
        start, stop = self.start[inside], self.stop[inside]
        first, last = self.start[node], self.stop[node]
        last = np.where(first < self.size, np.minimum(last, self.size), last)
        extent = stop - start
        self.clipped[inside] |= (last - first < np.minimum(SMALLEST_SIGHT, extent)).any(axis=1)
        reached = np.minimum(start, np.maximum(first, last - extent))
        beyond = stop > last
        self.start[inside] = np.where(beyond, reached, start)
        self.stop[inside] = np.where(beyond, np.minimum(reached + extent, last), stop)


def _containing_blocks(columns: Mapping[str, Array]) -> tuple[Array, Array]:
    """The elements that are taken out of the flow, and what clips each: not every ancestor.

    That is the nearest positioned ancestor; for fixed ones, and where there is none, the document.
    """
    position, parent, kind = columns["position"], columns["parent"], columns["kind"]
    lifted = np.isin(position, (Position.ABSOLUTE, Position.FIXED)) & (kind == NodeKind.ELEMENT)
    holders = []
    for node in np.flatnonzero(lifted).tolist():
        above, fixed = int(parent[node]), position[node] == Position.FIXED
        while above >= 0 and kind[above] != NodeKind.DOCUMENT:
            if position[above] != Position.STATIC and not fixed:
                break
            above = int(parent[above])
        holders.append(above)
    return np.flatnonzero(lifted), np.array(holders, dtype=np.int64)


def _same_color(
    columns: Mapping[str, Array], end: Array, evidence: VisibilityEvidence, marks: NDArray[np.uint8]
) -> Flags:
    text = (columns["kind"] == NodeKind.TEXT) & (marks == Visibility.VISIBLE)
    near = _channel_distance(columns["color"], columns["background"]) <= SAME_COLOR_DISTANCE
    same: Flags = text & near
    visible = marks == Visibility.VISIBLE
    pictures = np.flatnonzero(visible & (evidence.pictures | columns["background_image"]))
    panels = np.flatnonzero(visible & ((columns["own_background"] & 0xFF) > 0))
    for node in np.flatnonzero(same).tolist():
        # White text on a photograph is not hidden, and neither is text that was moved onto a
        # coloured panel elsewhere in the tree. Ancestors are in `background` already.
        elsewhere = panels[(panels > node) | (end[panels] <= node)]
        colors = columns["own_background"][elsewhere]
        text_color = np.full_like(colors, columns["color"][node])
        other = elsewhere[_channel_distance(colors, text_color) > SAME_COLOR_DISTANCE]
        same[node] = not _behind(columns["box"], node, np.concatenate((pictures, other)))
    return same


def _behind(box: Array, node: int, others: Array) -> bool:
    """Whether one of `others` covers the middle of `node`."""
    x = box[node, 0] + box[node, 2] / 2
    y = box[node, 1] + box[node, 3] / 2
    left, top, width, height = box[others].T
    holds = (left <= x) & (x <= left + width) & (top <= y) & (y <= top + height)
    return bool(holds.any())


def _channel_distance(one: Array, other: Array) -> NDArray[np.int64]:
    distance = np.zeros(len(one), dtype=np.int64)
    for shift in (24, 16, 8):
        channels = (array.astype(np.int64) >> shift & 0xFF for array in (one, other))
        distance = np.maximum(distance, np.abs(np.subtract(*channels)))
    return distance
