"""Questions to all nodes of a page at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.page.columns import Array, nearest, rows_of_each
from pagesight.page.derived import once_per_page
from pagesight.segment.text import SILENT

BOLD = 600  # the font weight from which browsers use a bold face


def on_sheets(page: Page) -> bool:
    """Whether a page is a PDF: every line is placed by itself, and hyphens end some of them."""
    return page.info.media == "pdf"


def named(page: Page, tags: Collection[str]) -> NDArray[np.bool_]:
    """Which nodes have one of these names."""
    is_wanted = np.zeros(len(page), dtype=np.bool_)
    for tag in tags:
        if tag in page.nodes_by_name:
            is_wanted[page.nodes_by_name[tag]] = True
    return is_wanted


def by_name(page: Page, values: Mapping[str, int]) -> NDArray[np.int64]:
    """What this table has for the name of each node; 0 for names that are not in it."""
    known = np.zeros(len(page), dtype=np.int64)
    for tag, value in values.items():
        if tag in page.nodes_by_name:
            known[page.nodes_by_name[tag]] = value
    return known


@once_per_page
def framed(page: Page) -> NDArray[np.bool_]:
    """Which nodes have a border."""
    top, right, bottom, left = (page.columns["border"] > 0).T
    return np.asarray(top | right | bottom | left)


@once_per_page
def filled(page: Page) -> NDArray[np.bool_]:
    """Which nodes have a background of their own."""
    colored = page.columns["own_background"] & 0xFF > 0
    return np.asarray(colored | page.columns["background_image"])


@once_per_page
def seen_texts(page: Page) -> NDArray[np.bool_]:
    """Which nodes are texts that are seen and not blank; generated content is none."""
    text = page.columns["text"]
    seen = page.is_text & page.visible & (text >= 0)
    return np.asarray(seen & ~page.blank[text])


def with_attribute(page: Page, attribute: str) -> tuple[Array, list[str]]:
    """The nodes that have an attribute, in document order, and its values."""
    known = _with_attributes(page)
    if attribute not in known:
        known[attribute] = _having(page, attribute)
    return known[attribute]


@once_per_page
def _with_attributes(_: Page) -> dict[str, tuple[Array, list[str]]]:
    """What was asked for before, by attribute."""
    return {}


def _having(page: Page, attribute: str) -> tuple[Array, list[str]]:
    rows_of, owner = _attributes(page)
    rows = rows_of.get(attribute, _NONE)
    return owner[rows], [page.strings[value] for value in page.columns["attr_value"][rows].tolist()]


@once_per_page
def _attributes(page: Page) -> tuple[dict[str, Array], Array]:
    """By name the rows of all attributes; and the node that each row belongs to."""
    columns = page.columns
    rows = rows_of_each(columns["attr_name"])
    owner = np.repeat(np.arange(len(page)), np.diff(columns["attr_first"]))
    return {page.strings[name]: found for name, found in rows.items()}, owner


_NONE = np.zeros(0, dtype=np.int64)


def by_node(page: Page, attribute: str) -> list[str]:
    """The value of an attribute of each node; empty where it has none."""
    known = _by_node(page)
    if attribute not in known:
        nodes, values = with_attribute(page, attribute)
        known[attribute] = [""] * len(page)
        for node, value in zip(nodes.tolist(), values, strict=True):
            known[attribute][node] = value
    return known[attribute]


@once_per_page
def _by_node(_: Page) -> dict[str, list[str]]:
    """What was asked for before, by attribute."""
    return {}


def innermost(flag: NDArray[np.bool_], parent: Array) -> NDArray[np.int64]:
    """For each node the nearest flagged ancestor, or itself; -1 where there is none."""
    ancestor = nearest(flag, parent)
    return np.where(flag[ancestor], ancestor, -1)


def links_of(page: Page) -> Array:
    """The elements that lead elsewhere."""
    pointing, _ = with_attribute(page, "href")
    return pointing[named(page, {"a"})[pointing]]


def inside(nodes: Array, end: Array) -> NDArray[np.bool_]:
    """Which nodes lie in the subtrees of these nodes, the nodes themselves among them."""
    steps = np.bincount(nodes, minlength=len(end) + 1)
    steps -= np.bincount(end[nodes], minlength=len(end) + 1)
    return np.asarray(np.cumsum(steps[:-1]) > 0)


def outermost(flag: NDArray[np.bool_], parent: Array, end: Array) -> NDArray[np.int64]:
    """The flagged nodes that are not inside of other flagged ones."""
    nodes = np.flatnonzero(flag)
    return np.asarray(nodes[~inside(nodes, end)[parent[nodes]] | (nodes == 0)])


def preorder(parent: Array, rank: Array) -> NDArray[np.int64]:
    """The nodes below those of parent -1, each before its children, and siblings by rank.

    Nodes of parent -2 are left out: parents -1, 2, 0, -2 with equal ranks give 0, 2, 1.
    """
    below = np.lexsort((rank, parent))
    last = np.searchsorted(parent[below], np.arange(-1, len(parent) + 1))
    children, last = below[::-1].tolist(), (len(below) - last).tolist()  # the last one first
    order, waiting = [], children[last[1] : last[0]]
    while waiting:
        node = waiting.pop()
        order.append(node)
        if last[node + 2] < last[node + 1]:
            waiting += children[last[node + 2] : last[node + 1]]
    return np.array(order, dtype=np.int64)


def renumbered(parent: Array, order: Array) -> NDArray[np.int64]:
    """The parents of nodes in a new order, as places in that order; -1 stays -1."""
    place = np.full(len(parent) + 1, -1)
    place[order] = np.arange(len(order))
    return place[parent[order]]


def distinct(numbers: Array) -> NDArray[np.int64]:
    """The different ones of these numbers, which are not negative, in order."""
    return np.flatnonzero(np.bincount(numbers))


def run_starts(values: Array) -> NDArray[np.int64]:
    """Where runs of equal values begin: at 0, 2 and 3 in 7, 7, 4, 7."""
    begins = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=begins[1:])
    return np.flatnonzero(begins)


def run_sizes(starts: Array, stop: int) -> NDArray[np.int64]:
    """How long runs are that begin there; the last one ends at `stop`."""
    sizes = np.empty(len(starts), dtype=np.int64)
    sizes[:-1] = starts[1:] - starts[:-1]
    sizes[-1:] = stop - starts[-1:]
    return sizes


def numbered(*columns: Array) -> NDArray[np.int64]:
    """A number for each row of these columns: in their order, equal ones for equal rows."""
    order = np.lexsort(columns[::-1])
    changes = np.zeros(len(order), dtype=np.bool_)
    for column in columns:
        ordered = column[order]
        changes[1:] |= ordered[1:] != ordered[:-1]
    numbers = np.empty(len(order), dtype=np.int64)
    numbers[order] = np.cumsum(changes)
    return numbers


def before(values: Array) -> Array:
    """Sums of all values before each position, and of all: the sum of a range is a difference."""
    sums = values.cumsum()
    result = np.zeros(len(sums) + 1, np.float64 if sums.dtype.kind == "f" else np.int64)
    result[1:] = sums
    return result


def depths(parent: Array, counts: Array | None = None) -> NDArray[np.int64]:
    """How many nodes are around each node; where `counts` is given, only those flagged in it."""
    flags = np.ones(len(parent), dtype=np.int64) if counts is None else counts.astype(np.int64)
    depth = np.where(parent >= 0, flags[parent], 0)  # as far as the ancestor in `above`
    above = np.where(parent >= 0, parent, np.arange(len(parent)))
    while ((farther := above[above]) != above).any():
        depth, above = depth + depth[above], farther
    return np.asarray(depth)


def common_ancestors(page: Page, one: Array, other: Array) -> NDArray[np.int64]:
    """The innermost nodes around pairs of nodes, of which the first comes first in the document."""
    return innermost_around(page.columns["parent"], page.end, _by_depth(page), one, other)


def innermost_around(
    parent: Array, end: Array, by_depth: Array, one: Array, other: Array
) -> NDArray[np.int64]:
    """The innermost nodes of a tree in preorder around pairs of nodes, the first one first.

    That is the first node itself if it holds the second. Otherwise, on the way from the first to
    the second through the tree, the highest node is a child of the one around both.
    """
    highest = _range_minima(by_depth, one + 1, other + 1) % len(parent)
    return np.asarray(np.where(other < end[one], one, parent[highest]), dtype=np.int64)


@once_per_page
def _by_depth(page: Page) -> NDArray[np.int64]:
    """Numbers that order nodes by their depth, and tell which node each is."""
    return ordered_by_depth(depths(page.columns["parent"]))


def ordered_by_depth(depth: Array) -> NDArray[np.int64]:
    """Numbers that are in the order of the depths of nodes, and tell which node each is of."""
    return np.asarray(depth * len(depth) + np.arange(len(depth)))


def _range_minima(values: Array, first: Array, stop: Array) -> NDArray[np.int64]:
    """The least value of each range, which must not be empty."""
    result = np.full(len(first), np.iinfo(np.int64).max)
    size, low, width = stop - first, values.astype(np.int64), 1
    largest = int(size.max(initial=0))
    while width <= largest:
        fits = np.flatnonzero((size >= width) & (size < 2 * width))
        result[fits] = np.minimum(low[first[fits]], low[stop[fits] - width])
        low = np.minimum(low[:-width], low[width:])
        width *= 2
    return result


def corners(box: Array) -> NDArray[np.float64]:
    """Left, top, right and bottom of boxes (x, y, width, height)."""
    edges = box.astype(np.float64)
    edges[:, 2:] += edges[:, :2]
    return edges


def boxes(edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """The boxes (x, y, width, height) with these edges."""
    return np.hstack((edges[:, :2], edges[:, 2:] - edges[:, :2]))


def unions(box: Array, first: Array) -> NDArray[np.float64]:
    """Left, top, right and bottom of groups of boxes (x, y, width, height).

    `first` says where each group begins: `unions([a, b, c], [0, 2])` is around a and b, and c.
    """
    return range_unions(corners(box), first, np.append(first[1:], len(box)))


def range_unions(edges: Array, first: Array, stop: Array) -> NDArray[np.float64]:
    """The edges around ranges of edges."""
    return RangeUnions(edges)(first, stop)


class RangeUnions:
    """The edges around any ranges of edges, from a table of ranges of 1, 2, 4, ... of them."""

    def __init__(self, edges: Array) -> None:
        count = len(edges)
        self._table = np.empty((max(count.bit_length(), 1), count, 4))
        self._table[0] = edges * _AS_MINIMA
        for step in range(1, len(self._table)):
            low, width = self._table[step - 1], 1 << step - 1
            np.minimum(low[:-width], low[width:], out=self._table[step, : count - width])

    def __call__(self, first: Array, stop: Array) -> NDArray[np.float64]:
        """The edges around each range; infinite where it is empty."""
        size = stop - first
        some = np.flatnonzero(size > 0)
        level = np.frexp(size[some])[1] - 1  # 0 for 1, 1 for 2 and 3, 2 for 4 to 7, ...
        result = np.full((len(first), 4), np.inf)
        last = stop[some] - (1 << level)
        result[some] = np.minimum(self._table[level, first[some]], self._table[level, last])
        return np.asarray(result * _AS_MINIMA)


_AS_MINIMA = np.array([1.0, 1.0, -1.0, -1.0])  # times which all four edges are minima


def most_common(values: Array, weights: Array) -> float:
    """The value that most of the weight has; 0 where there are none."""
    if not len(values):
        return 0.0
    number = numbered(values)
    return float(values[(number == np.bincount(number, weights).argmax()).argmax()])


def weighted_median(values: Array, weights: Array) -> float:
    """The value in the middle of the weight; 0 where there is none."""
    order = np.argsort(values, kind="stable")
    sums = np.cumsum(weights[order])
    if not len(sums) or not sums[-1]:
        return 0.0
    return float(values[order][np.searchsorted(sums, sums[-1] / 2)])


def words_of_page(page: Page) -> str:
    """What is seen, except what is written for browsers in which scripts do not run."""
    silent = inside(np.flatnonzero(named(page, SILENT)), page.end)
    texts = np.flatnonzero(page.visible & ~silent & (page.columns["text"] >= 0))
    return " ".join(page.strings[text] for text in page.columns["text"][texts].tolist())
