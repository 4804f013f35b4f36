from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from drawn_pages import Extent, Part, around, block, draw
from hypothesis import given
from hypothesis import strategies as st

from pagesight.page import Page
from pagesight.segment import Axis, ZoneTree, leaf_zones, reading_order, zone_tree
from pagesight.segment.xycut import (
    LEAST_LACK,
    LIKE_LARGEST,
    OVERLAP,
    UNIT,
    Cuts,
    cut,
    zone_with_most,
)

Nested = Any  # a box, or (axis, gap, parts)


def nested(cuts: Cuts, zone: int) -> Nested:
    if cuts.item[zone] >= 0:
        return int(cuts.item[zone])
    parts = [nested(cuts, child) for child in np.flatnonzero(cuts.parent == zone).tolist()]
    return (int(cuts.axis[zone]), float(cuts.gap[zone]), parts)


def cut_boxes(boxes: Sequence[Extent], *, by_rows: bool = False) -> Nested:
    array = np.array(boxes, dtype=np.float32)
    return nested(cut(array, np.zeros(len(boxes), dtype=np.int64), np.array([by_rows])), 0)


# The definition, written down without any regard to time.


def slow_cut(boxes: Sequence[Extent], which: list[int]) -> Nested:
    if len(which) == 1:
        return which[0]
    spans = {
        axis: {i: (boxes[i][at] * UNIT, (boxes[i][at] + boxes[i][at + 2]) * UNIT) for i in which}
        for axis, at in ((Axis.STACKED, 1), (Axis.BESIDE, 0))
    }
    axis, gap, parts = largest_cut(spans, sorted(which))
    if len(parts) == 1:
        cores = {axis: {i: core(span) for i, span in of.items()} for axis, of in spans.items()}
        # Cores that begin at one place are in the order of their boxes: from above, from the left.
        places = sorted(which, key=lambda i: (boxes[i][1], boxes[i][0], i))
        axis, gap, parts = largest_cut(cores, places)
        gap = 0
    assert len(parts) > 1 or len(which) > 1
    if len(parts) == 1:
        return (int(Axis.NONE), 0.0, "any order")
    return (int(axis), max(gap, 0) / UNIT, [slow_cut(boxes, part) for part in parts])


def core(span: tuple[float, float]) -> tuple[float, float]:
    quarter = (span[1] - span[0]) // 4
    return span[0] + quarter, span[1] - quarter


def largest_cut(spans: Any, which: list[int]) -> tuple[Axis, float, list[list[int]]]:
    best: dict[Axis, float] = {}
    gaps: dict[Axis, list[tuple[int, float]]] = {}
    for axis, other in ((Axis.STACKED, Axis.BESIDE), (Axis.BESIDE, Axis.STACKED)):
        order = sorted(which, key=lambda i: (spans[axis][i][0], spans[other][i][0]))
        gaps[axis] = [
            (i, spans[axis][i][0] - max(spans[axis][j][1] for j in order[:n]))
            for n, i in enumerate(order)
            if n
        ]
        gaps[axis].insert(0, (order[0], -(2.0**60)))
        best[axis] = max(gap for _, gap in gaps[axis])
    axis = Axis.BESIDE if best[Axis.BESIDE] > best[Axis.STACKED] else Axis.STACKED
    least = best[axis] - max(best[axis] // LIKE_LARGEST, LEAST_LACK)
    parts: list[list[int]] = [[]]
    for i, gap in gaps[axis]:
        if gap >= max(least, -OVERLAP):
            parts.append([])
        parts[-1].append(i)
    return axis, best[axis], parts


def without_order(tree: Nested) -> Nested:
    """Zones that cannot be cut have their leaves in an order that the slow cut does not know."""
    if isinstance(tree, int):
        return tree
    axis, gap, parts = tree
    if axis == Axis.NONE:
        return (axis, gap, "any order")
    return (axis, gap, [without_order(part) for part in parts])


number = st.integers(0, 60)
size = st.integers(1, 30)
some_boxes = st.lists(st.tuples(number, number, size, size), min_size=1, max_size=9)


@given(some_boxes)
def test_the_cut_is_what_its_definition_says(boxes: list[Extent]) -> None:
    assert without_order(cut_boxes(boxes)) == slow_cut(boxes, list(range(len(boxes))))


@given(some_boxes, st.randoms())
def test_the_order_of_boxes_does_not_matter(boxes: list[Extent], random: Any) -> None:
    # Boxes that begin at one place, or whose middles do, are told apart by nothing but their order.
    boxes = list({(x, y): (x, y, width, height) for x, y, width, height in boxes}.values())
    boxes = list({(4 * box[0] + box[2], 4 * box[1] + box[3]): box for box in boxes}.values())
    shuffled = random.sample(range(len(boxes)), len(boxes))

    def places(tree: Nested, of: Sequence[Extent]) -> Nested:
        if isinstance(tree, int):
            return of[tree]
        return (*tree[:2], [places(part, of) for part in tree[2]])

    again = [boxes[i] for i in shuffled]
    assert places(cut_boxes(again), again) == places(cut_boxes(boxes), boxes)


def test_all_gaps_like_the_largest_are_cut_at_once() -> None:
    assert cut_boxes([(0, 0, 50, 10), (0, 30, 50, 10), (0, 60, 50, 10), (0, 75, 50, 10)]) == (
        Axis.STACKED, 20, [0, 1, (Axis.STACKED, 5, [2, 3])]
    )  # fmt: skip


def test_the_larger_gap_comes_first_whichever_way_it_runs() -> None:
    four = [(0, 0, 40, 40), (70, 0, 40, 40), (0, 50, 40, 40), (70, 50, 40, 40)]

    assert cut_boxes(four) == (
        Axis.BESIDE, 30, [(Axis.STACKED, 10, [0, 2]), (Axis.STACKED, 10, [1, 3])]
    )  # fmt: skip


def test_rows_come_first_where_asked_for() -> None:
    four = [(0, 0, 40, 40), (70, 0, 40, 40), (0, 50, 40, 40), (70, 50, 40, 40)]

    assert cut_boxes(four, by_rows=True) == (
        Axis.STACKED, 10, [(Axis.BESIDE, 30, [0, 1]), (Axis.BESIDE, 30, [2, 3])]
    )  # fmt: skip


def test_boxes_that_overlap_a_little_are_parted() -> None:
    assert cut_boxes([(0, 0, 50, 11), (0, 10, 50, 11), (0, 20, 50, 11)]) == (
        Axis.STACKED, 0, [0, 1, 2]
    )  # fmt: skip


def test_what_cannot_be_cut_is_read_in_lines() -> None:
    pile = [(20, 0, 60, 60), (0, 1, 60, 60), (10, 20, 60, 60)]

    assert cut_boxes(pile) == (Axis.NONE, 0, [1, 2, 0])


def test_what_overlaps_is_parted_in_the_middle_if_at_all() -> None:
    pile = [(50, 0, 60, 60), (0, 1, 60, 60), (30, 40, 60, 60)]

    assert cut_boxes(pile) == (Axis.STACKED, 0, [(Axis.BESIDE, 0, [1, 0]), 2])


def test_ever_larger_gaps_make_no_chain() -> None:
    tops = np.cumsum(10 + np.arange(100_000) * 0.05)
    boxes = np.stack((0 * tops, tops, 0 * tops + 500, 0 * tops + 10), axis=1)
    cuts = cut(boxes, np.zeros(len(boxes), dtype=np.int64), np.array([False]))

    depth = np.zeros(len(cuts.parent), dtype=np.int64)
    for zone, above in enumerate(cuts.parent[1:].tolist(), start=1):
        depth[zone] = depth[above] + 1
    assert depth.max() < 150
    assert sorted(cuts.item[cuts.item >= 0].tolist()) == list(range(len(boxes)))


# Zone trees of pages


def shape(tree: ZoneTree) -> list[tuple[Any, ...]]:
    """All that is seen of a tree, nothing of the nodes behind it."""
    texts = [zone.text if tree.is_leaf[zone.id] else "" for zone in tree]
    marks = [tree.marks[name].tolist() for name in ("gap", "axis", "trivial")]
    return list(zip(tree.parent.tolist(), tree.box.tolist(), texts, *marks, strict=True))


def texts(tree: ZoneTree) -> list[str]:
    return [leaf.text for leaf in tree.leaves]


@st.composite
def same_boxes_twice(draw_from: st.DrawFn) -> tuple[Page, Page]:
    boxes = draw_from(st.lists(st.tuples(number, number, size, size), min_size=1, max_size=8))
    blocks = [block(box, f"text {n}") for n, box in enumerate(boxes)]
    return draw(*wrapped(draw_from, blocks)), draw(*wrapped(draw_from, blocks))


def wrapped(draw_from: st.DrawFn, parts: list[Part]) -> list[Part]:
    """Neighbours in wrappers, again and again."""
    for _ in range(draw_from(st.integers(0, 5))):
        first, last = sorted(draw_from(st.tuples(*[st.integers(0, len(parts))] * 2)))
        tag = draw_from(st.sampled_from(["div", "section", "span", "center"]))
        parts = [*parts[:first], around(*parts[first:last], tag=tag), *parts[last:]]
    return parts


@given(same_boxes_twice())
def test_any_nesting_of_the_same_boxes_gives_the_same_tree(pages: tuple[Page, Page]) -> None:
    one, other = (zone_tree(page) for page in pages)

    assert shape(one) == shape(other)


@given(some_boxes)
def test_a_tree_holds_every_leaf_once_inside_of_its_zones(boxes: list[Extent]) -> None:
    page = draw(*(block(box, f"text {n}") for n, box in enumerate(boxes)))
    leaves = leaf_zones(page)
    tree = zone_tree(page, leaves)

    assert sorted(reading_order(tree).tolist()) == list(range(len(leaves)))
    for zone, above in zip(tree, tree.parent.tolist(), strict=True):
        assert above < zone.id
        if above >= 0:
            outer = tree[above].box
            assert outer.x <= zone.box.x
            assert outer.y <= zone.box.y
            assert zone.box.right <= outer.right + 0.01
            assert zone.box.bottom <= outer.bottom + 0.01
        if not tree.is_leaf[zone.id]:
            assert len(zone.children) > 1
    assert tree.nodes_of(0).tolist() == [
        node for leaf in reading_order(tree).tolist() for node in leaves.nodes_of(leaf).tolist()
    ]


@given(st.lists(st.tuples(st.tuples(number, number, size, size), number), min_size=1, max_size=9))
def test_the_zone_with_most_weight_is_one_of_the_tree(drawn: list[tuple[Extent, int]]) -> None:
    page = draw(*(block(box, f"text {weight}") for box, weight in drawn))
    texts = [page[node].own_text for node in range(len(page))]
    weights = np.array([int(text.split()[1]) if text else 0 for text in texts])

    tree = zone_tree(page)
    held = [
        sum(weights[node : page.end[node]].sum() for node in tree.nodes_of(zone.id).tolist())
        for zone in tree
    ]
    heavy = [zone for zone in tree if held[zone.id] > held[0] / 2] or [tree.root]
    assert zone_with_most(page, weights) == heavy[-1].box


def test_an_empty_page_is_one_zone_without_nodes() -> None:
    tree = zone_tree(draw())

    assert len(tree) == 1
    assert tree.root.nodes == []
    assert tree.marks["trivial"].tolist() == [True]
    assert reading_order(tree).tolist() == []


def test_columns_are_read_one_after_the_other() -> None:
    rows = [(y, name) for y, name in zip((100, 140, 180), "abc", strict=True)]
    page = draw(
        block((0, 0, 900, 30), "head"),
        *(block((x, y, 400, 30), f"{name}{x}") for y, name in rows for x in (0, 500)),
        block((0, 300, 900, 30), "foot"),
    )

    assert texts(zone_tree(page)) == ["head", "a0", "b0", "c0", "a500", "b500", "c500", "foot"]


def test_columns_are_read_from_the_right_where_the_page_is() -> None:
    columns = [block((x, y, 400, 30), f"{x} {y}") for y in (0, 40) for x in (0, 500)]

    assert texts(zone_tree(draw(around(*columns, tag="html", dir="rtl")))) == [
        "500 0", "500 40", "0 0", "0 40"
    ]  # fmt: skip


def test_a_panel_between_two_lines_of_the_source_is_separated_out() -> None:
    page = draw(
        block((0, 0, 400, 20), "Published online"),
        around(*(block((700, 24 + 20 * n, 100, 18), f"link {n}") for n in range(4)), tag="table"),
        block((0, 24, 400, 20), "(Circulation Research)"),
        block((0, 48, 400, 20), "American Heart Association"),
    )

    tree = zone_tree(page)

    assert tree.root.children[0].text == (
        "Published online\n(Circulation Research)\nAmerican Heart Association"
    )


def test_sheets_of_a_pdf_follow_each_other() -> None:
    page = draw(
        *(block((x, 1000 * s + y, 200, 10), f"{s}{x}{y}", sheet=s + 1)
          for s in range(3) for x in (0, 400) for y in (0, 990))
    )  # fmt: skip
    tree = zone_tree(page)

    assert [zone.text[0] for zone in tree.root.children] == ["0", "1", "2"]
    assert texts(tree) == [f"{s}{x}{y}" for s in range(3) for y in (0, 990) for x in (0, 400)]


def test_equal_gaps_part_a_heading_from_a_group_of_lines() -> None:
    page = draw(
        block((0, 0, 300, 10), "Heading", font_weight=700),
        *(block((0, 20 * n, 300, 10), f"line {n}") for n in range(1, 5)),
    )
    tree = zone_tree(page)

    assert [zone.text for zone in tree.root.children] == [
        "Heading",
        "line 1\nline 2\nline 3\nline 4",
    ]


def test_a_table_of_data_is_read_row_by_row() -> None:
    cells = [[Part(box=(300 * x, 20 * y, 60, 16), text=f"{y}{x}", tag="td") for x in range(3)]
             for y in range(4)]  # fmt: skip
    table = around(*(around(*row, tag="tr") for row in cells), tag="table")
    tree = zone_tree(draw(table, block((0, 200, 700, 20), "after")))

    assert texts(tree) == [f"{y}{x}" for y, x in itertools.product(range(4), range(3))] + ["after"]
    assert len(tree.root.children) == 2


TWO_FIGURES = """<!doctype html>
<style>body {margin: 0; font: 16px/20px sans-serif} img {display: block; width: 200px;
height: 150px} %s</style>%s
"""
AS_TABLE = (
    "table {border-spacing: 0} td {width: 240px; padding: 0 0 10px; vertical-align: top}",
    "<table><tr><td><img><td><img></tr><tr><td>First figure<td>Second figure</tr></table>",
)
AS_COLUMNS = (
    ".column {float: left; width: 240px} img {margin-bottom: 10px}",
    "<div><div class=column><div><img></div><div><p style='margin: 0'>First figure</p></div></div>"
    "<div class=column><img>Second figure</div></div>",
)


@pytest.mark.browser
def test_both_ways_to_write_two_figures_with_captions(see: Callable[[str], Page]) -> None:
    trees = [zone_tree(see(TWO_FIGURES % way)) for way in (AS_TABLE, AS_COLUMNS)]

    assert shape(trees[0]) == shape(trees[1])
    assert texts(trees[0]) == ["", "First figure", "", "Second figure"]
