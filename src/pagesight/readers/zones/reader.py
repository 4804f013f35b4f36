"""Reading the blocks of a page: zones, choice, kinds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.readers.zones.candidates import Candidates, candidates
from pagesight.readers.zones.features import Features, features
from pagesight.readers.zones.model import DIALOG, MEDIUM, ZonesModel, shipped_model
from pagesight.readers.zones.reading import PagePart, ZonesReading
from pagesight.segment import ZoneTree, leaf_zones
from pagesight.segment.nodes import (
    before,
    corners,
    filled,
    framed,
    innermost,
    preorder,
    run_sizes,
    run_starts,
)
from pagesight.segment.xycut import cut

Ints = NDArray[np.int64]

CLEARLY = 1.0  # px; as much is no matter of rounding


def read_zones(
    page: Page, granularity: float = MEDIUM, *, model: ZonesModel | None = None
) -> ZonesReading:
    """The blocks of a page, at the granularity at which a person would draw them.

    A `granularity` from 0 to 1 gives few and large to many and small blocks: below 0.5 header,
    content, sidebar and footer, above it also the articles, menus and lists in them.
    """
    if not 0 <= granularity <= 1:
        raise ValueError(f"a granularity is from 0 to 1, not {granularity}")
    model = model or shipped_model()
    zones = candidates(leaf_zones(page))
    seen = features(zones)
    blocks = model.blocks(zones, seen, granularity)
    tree, new_id = _tree(zones)
    blocks = blocks[np.argsort(new_id[blocks])]
    blocks = blocks[_is_shown(zones, seen)[blocks]]
    kinds = model.kinds(seen, blocks)
    labels = ((*model.kind.labels, DIALOG)[kind] for kind in kinds.argmax(axis=1))
    parts = zip(new_id[blocks].tolist(), labels, kinds.max(axis=1).tolist(), strict=True)
    zones_read = tuple(PagePart.of(tree[zone], kind, sure) for zone, kind, sure in parts)
    return ZonesReading(tree=tree, zones=zones_read)


def _is_shown(zones: Candidates, seen: Features) -> NDArray[np.bool_]:
    """Which zones have text, pictures or controls: rules and empty panels are not blocks."""
    content = before(~zones.leaves.trivial)
    some: NDArray[np.bool_] = content[zones.last] > content[zones.first]
    return some | (seen["is form"] > 0) | (seen["has form"] > 0)


def _tree(zones: Candidates) -> tuple[ZoneTree, Ints]:
    """The zones with siblings in reading order, and the new id of each."""
    leaves = zones.leaves
    order = _in_reading_order(zones)
    new_id = np.empty(len(zones), dtype=np.int64)
    new_id[order] = np.arange(len(zones))
    parent = zones.parent[order]
    leaf = np.where(zones.is_leaf & (zones.last > zones.first), zones.first, -1)[order]
    left, top, right, bottom = _painted_corners(zones)[order].T
    counts = np.where(leaf >= 0, np.append(np.diff(leaves.node_first), 0)[leaf], 0)
    first = before(counts)
    starts = np.where(leaf >= 0, leaves.node_first[leaf], 0) - first[:-1]
    rows = np.arange(first[-1]) + np.repeat(starts, counts)
    return ZoneTree(
        page=leaves.page,
        parent=np.where(parent >= 0, new_id[parent], -1).astype(np.int32),
        box=np.column_stack((left, top, right - left, bottom - top)).astype(np.float32),
        node_first=first.astype(np.int32),
        nodes=leaves.nodes[rows],
    ), new_id


def _painted_corners(zones: Candidates) -> NDArray[np.float64]:
    """The corners of zones with the backgrounds and borders around them and nothing else.

    Zones hold what is in them; what is painted beyond the sides of the page does not count.
    """
    page = zones.leaves.page
    columns, width = page.columns, page.info.size[0]
    _, _, widths, heights = columns["box"].T
    nodes = np.flatnonzero((filled(page) | framed(page)) & (widths > 0) & (heights > 0))
    sides = corners(columns["box"][nodes])
    sides[:, ::2] = np.clip(sides[:, ::2], 0, max(width, float(zones.corners[:, 2].max())))
    paint = dict(zip(nodes.tolist(), sides.tolist(), strict=True))
    around, elements = zones.parent.tolist(), zones.element.tolist()
    is_painted = np.zeros(len(page), dtype=np.bool_)
    is_painted[nodes] = True
    # By node the innermost painted one around it; the last is for what is around the root.
    painted_at, parents = [*innermost(is_painted, columns["parent"]).tolist(), -1], page.parents
    wider: dict[int, list[float]] = {}  # zones than what is in them: most are not
    for zone in range(len(zones) - 1, -1, -1):
        node, stop = painted_at[elements[zone]], elements[around[zone]] if zone else -1
        while node > stop:  # what is around a node has a smaller number
            wider[zone] = _union(wider.get(zone) or zones.corners[zone].tolist(), paint[node])
            node = painted_at[parents[node]]
        if zone and zone in wider:
            above = around[zone]
            wider[above] = _union(wider.get(above) or zones.corners[above].tolist(), wider[zone])
    painted = zones.corners.copy()
    painted[list(wider)] = np.array(list(wider.values())).reshape(-1, 4)
    return painted


def _union(one: list[float], other: list[float]) -> list[float]:
    left, top, right, bottom = one
    x, y, far_x, far_y = other
    return [
        min(left, x), min(top, y), max(right, far_x), max(bottom, far_y)
    ]  # fmt: skip


def _in_reading_order(zones: Candidates) -> Ints:
    """The zones in preorder, siblings as they are read: by the X-Y cut of their boxes.

    Where that is the order of the document without a doubt, nothing is cut.
    """
    left, top, right, bottom = zones.corners.T
    x = -right if zones.leaves.is_right_to_left else left
    box = np.column_stack((x, top, right - left, bottom - top))
    cut_ones = np.flatnonzero(are_mixed(zones.parent[1:], box[1:])) + 1
    rank = np.arange(len(zones))
    if len(cut_ones):
        inner, frame = np.unique(zones.parent[cut_ones], return_inverse=True)
        cuts = cut(box[cut_ones], frame, np.zeros(len(inner), dtype=np.bool_))
        items = cuts.item[preorder(cuts.parent, np.arange(len(cuts.parent)))]
        rank[cut_ones[items[items >= 0]]] = np.arange(len(cut_ones))
    return preorder(zones.parent, rank)


def are_mixed(parent: Ints, box: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Of boxes in document order, which have siblings that are not just below each other.

    Siblings are just below each other if each begins below the end of the one before it, and all
    of them have some pixels of width in common.
    """
    order = np.argsort(parent, kind="stable")
    left, top, width, height = box[order].T
    heads = run_starts(parent[order])
    is_below = np.ones(len(order), dtype=np.bool_)
    is_below[1:] = (top[1:] >= top[:-1] + height[:-1]) & (top[1:] >= top[:-1] + CLEARLY)
    is_below[heads] = True
    sizes = run_sizes(heads, len(order))
    if not len(heads):
        return is_below
    shared = np.minimum.reduceat(left + width, heads) - np.maximum.reduceat(left, heads)
    mixed = ~np.logical_and.reduceat(is_below, heads) | (shared < CLEARLY)
    result = np.empty(len(order), dtype=np.bool_)
    result[order] = (mixed & (sizes > 1)).repeat(sizes)
    return result
