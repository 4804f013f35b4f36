"""Questions to all nodes of a page at once."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.page.columns import Array


def named(page: Page, tags: Collection[str]) -> NDArray[np.bool_]:
    """Which nodes have one of these names."""
    name = page.columns["name"]
    known = np.zeros(len(page.strings), dtype=np.bool_)
    for string in np.flatnonzero(np.bincount(name)).tolist():
        known[string] = page.strings[string] in tags
    found: NDArray[np.bool_] = known[name]
    return found


def with_attribute(page: Page, attribute: str) -> tuple[Array, list[str]]:
    """The nodes that have an attribute, in document order, and its values."""
    columns = page.columns
    wanted = [index for index, string in enumerate(page.strings) if string == attribute]
    rows = np.flatnonzero(np.isin(columns["attr_name"], wanted))
    nodes = np.searchsorted(columns["attr_first"], rows, side="right") - 1
    return nodes, [page.strings[value] for value in columns["attr_value"][rows].tolist()]


def nearest(flag: NDArray[np.bool_], parent: Array) -> NDArray[np.int64]:
    """For each node the nearest flagged ancestor, or itself; the root where there is none."""
    found = np.where(flag, np.arange(len(flag)), parent)
    found[0] = 0
    while True:
        farther = found[found]
        if np.array_equal(farther, found):
            return found
        found = farther


def inside(nodes: Array, end: Array) -> NDArray[np.bool_]:
    """Which nodes lie in the subtrees of these nodes, the nodes themselves among them."""
    steps = np.bincount(nodes, minlength=len(end) + 1)
    steps -= np.bincount(end[nodes], minlength=len(end) + 1)
    covered: NDArray[np.bool_] = np.cumsum(steps[:-1]) > 0
    return covered


def before(values: Array) -> Array:
    """Sums of all values before each position, and of all: the sum of a range is a difference."""
    return np.concatenate(([0], np.cumsum(values)))
