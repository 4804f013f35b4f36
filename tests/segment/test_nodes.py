"""Questions to all nodes at once, held against their definitions."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
from drawn_pages import around, block, draw
from hypothesis import given
from hypothesis import strategies as st

from pagesight.page.columns import nearest, subtree_ends
from pagesight.segment.nodes import (
    before,
    boxes,
    by_node,
    corners,
    depths,
    innermost,
    inside,
    links_of,
    most_common,
    named,
    outermost,
    preorder,
    range_unions,
    renumbered,
    unions,
    weighted_median,
    with_attribute,
)

TREES = st.lists(st.integers(0, 30), max_size=12).map(
    lambda steps: [-1, *(step % (node + 1) for node, step in enumerate(steps))]
)
BOXES = st.lists(st.tuples(*4 * [st.integers(0, 50)]), min_size=1, max_size=12)
WEIGHED = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), max_size=12)


def ancestors(parent: list[int], node: int) -> list[int]:
    """From the node itself to the root."""
    return [node, *ancestors(parent, parent[node])] if node >= 0 else []


@given(TREES, st.data())
def test_the_nearest_flagged_ancestor(parent: list[int], data: st.DataObject) -> None:
    flags = data.draw(st.lists(st.booleans(), min_size=len(parent), max_size=len(parent)))
    found = nearest(np.array(flags), np.array(parent)).tolist()
    for node in range(len(parent)):
        assert found[node] == next((up for up in ancestors(parent, node) if flags[up]), 0)


@given(TREES, st.data())
def test_the_outermost_flagged_nodes_have_no_flagged_ancestor(
    parent: list[int], data: st.DataObject
) -> None:
    tree = preorder(np.array(parent), np.arange(len(parent)))
    above = renumbered(np.array(parent), tree)
    flags = data.draw(st.lists(st.booleans(), min_size=len(parent), max_size=len(parent)))
    found = outermost(np.array(flags), above, subtree_ends(above)).tolist()
    assert found == [
        node
        for node in range(len(parent))
        if flags[node] and not any(flags[up] for up in ancestors(above.tolist(), node)[1:])
    ]


@given(TREES, st.data())
def test_preorder_has_parents_before_children_and_siblings_by_rank(
    parent: list[int], data: st.DataObject
) -> None:
    rank = data.draw(st.permutations(range(len(parent))))

    def walk(node: int) -> list[int]:
        children = sorted(
            (one for one, up in enumerate(parent) if up == node), key=rank.__getitem__
        )
        return [node, *(below for child in children for below in walk(child))]

    order = preorder(np.array(parent), np.array(rank))
    assert order.tolist() == walk(-1)[1:]
    above = renumbered(np.array(parent), order).tolist()
    assert above[0] == -1
    assert [order[up] for up in above[1:]] == [parent[node] for node in order[1:]]


def test_preorder_leaves_out_nodes_of_parent_minus_two_and_what_is_below_them() -> None:
    assert preorder(np.array([-1, 2, 0, -2, 3]), np.zeros(5)).tolist() == [0, 2, 1]


@given(TREES, st.data())
def test_depths_count_the_ancestors_that_count(parent: list[int], data: st.DataObject) -> None:
    flags = data.draw(st.lists(st.booleans(), min_size=len(parent), max_size=len(parent)))
    every, some = depths(np.array(parent)), depths(np.array(parent), np.array(flags))
    for node in range(len(parent)):
        above = ancestors(parent, node)[1:]
        assert every[node] == len(above)
        assert some[node] == sum(flags[up] for up in above)


@given(BOXES, st.data())
def test_ranges_are_inside_their_unions(given: list[tuple[int, ...]], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(given) - 1))
    stop = data.draw(st.integers(first + 1, len(given)))
    (found,) = range_unions(corners(np.array(given)), np.array([first]), np.array([stop]))
    held = given[first:stop]
    assert found.tolist() == [
        min(x for x, _, _, _ in held), min(y for _, y, _, _ in held),
        max(x + width for x, _, width, _ in held), max(y + height for _, y, _, height in held),
    ]  # fmt: skip


@given(BOXES, st.data())
def test_groups_that_follow_each_other(given: list[tuple[int, ...]], data: st.DataObject) -> None:
    cuts = data.draw(st.sets(st.integers(1, len(given)))) - {len(given)}
    first = np.array([0, *sorted(cuts)])
    expected = range_unions(corners(np.array(given)), first, np.append(first[1:], len(given)))
    assert unions(np.array(given), first).tolist() == expected.tolist()


@given(BOXES)
def test_corners_lead_back_to_boxes(given: list[tuple[int, ...]]) -> None:
    assert boxes(corners(np.array(given))).tolist() == [list(box) for box in given]


def test_no_groups_have_no_unions() -> None:
    none = np.zeros(0, dtype=np.int64)
    assert unions(np.zeros((0, 4)), none).shape == (0, 4)


@given(WEIGHED)
def test_the_most_common_value_has_most_of_the_weight(rows: list[tuple[int, int]]) -> None:
    values, weights = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    totals = {value: sum(w for v, w in rows if v == value) for value, _ in rows}
    found = most_common(values, weights)
    assert found == 0 if not rows else totals[int(found)] == max(totals.values())


@given(WEIGHED)
def test_the_median_has_half_of_the_weight_on_each_side(rows: list[tuple[int, int]]) -> None:
    values, weights = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    found, half = weighted_median(values, weights), sum(weights) / 2
    if half:
        assert sum(weights[values < found]) < half <= sum(weights[values <= found])
    else:
        assert found == 0


def test_names_attributes_and_subtrees() -> None:
    page = draw(around(block((0, 0, 9, 9)), tag="nav", role="menu"), around(tag="p", role=""))
    assert np.flatnonzero(named(page, {"nav", "p"})).tolist() == [1, 4]
    nodes, values = with_attribute(page, "role")
    assert (nodes.tolist(), values) == ([1, 4], ["menu", ""])
    assert by_node(page, "role") == ["", "menu", "", "", ""]
    assert by_node(page, "lang") == [""] * 5
    assert inside(np.array([1]), page.end).tolist() == [False, True, True, True, False]
    assert before(np.array([2, 3])).tolist() == [0, 2, 5]


def test_who_wants_leaves_loads_no_cuts() -> None:
    code = """
import sys
from pagesight.segment import Leaves, leaf_zones, text_blocks
loaded = {name.rpartition(".")[2] for name in sys.modules if name.startswith("pagesight.segment.")}
assert "leaves" in loaded and not loaded & {"xycut", "cutting", "pruning", "vips"}, loaded
import pagesight.segment
try:
    pagesight.segment.no_such_thing
except AttributeError as error:
    assert "no_such_thing" in str(error)
else:
    raise AssertionError
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@given(TREES, st.data())
def test_the_innermost_flagged_ancestor_or_none(parent: list[int], data: st.DataObject) -> None:
    flags = data.draw(st.lists(st.booleans(), min_size=len(parent), max_size=len(parent)))
    found = innermost(np.array(flags), np.array(parent)).tolist()
    for node in range(len(parent)):
        assert found[node] == next((up for up in ancestors(parent, node) if flags[up]), -1)


def test_links_lead_elsewhere() -> None:
    page = draw(around(tag="a", href="/tea"), around(tag="a"), around(tag="link", href="x.css"))
    assert links_of(page).tolist() == [1]
