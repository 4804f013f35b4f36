"""The columns and what is derived from them, against slow definitions that are plainly right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.page import Box, Display, Node, NodeKind, Page
from pagesight.page.columns import (
    SCHEMA,
    PageTable,
    among,
    complete,
    problem,
    rows_of_each,
    subtree_ends,
)
from pagesight.page.visibility import effective_backgrounds
from pagesight.render.columns import clean, compact
from small_pages import INFO, El, document, el, make_page, pseudo, shadow, text

TAGS = st.sampled_from(["div", "p", "b", "br", "svg", "title"])
LEAVES = st.text("ab ", max_size=3) | st.builds(el, TAGS) | st.just(pseudo("::before", "x"))
COLORS = st.sampled_from([0, 0xFF0000FF, 0x00FF0080, 0x0000FF01, 0xFFFFFFFF])


def _element(tag: str, children: list[El | str], display: Display, color: int) -> El:
    return el(tag, *children, display=display, own_background=color)


TREES = st.recursive(
    LEAVES,
    lambda inner: (
        st.builds(_element, TAGS, st.lists(inner, max_size=4), st.sampled_from(Display), COLORS)
        | st.builds(lambda children: document(*children), st.lists(inner, max_size=2))
        | st.builds(lambda children: shadow(*children), st.lists(inner, max_size=2))
    ),
    max_leaves=20,
)
PAGES = st.lists(TREES, max_size=3).map(lambda trees: make_page(*trees))


def ancestors_or_self(node: Node) -> list[Node]:
    return [node, *node.ancestors]


# Trees


@given(PAGES)
def test_a_subtree_is_a_range(page: Page) -> None:
    for node in page:
        inside = [other.id for other in page if node in ancestors_or_self(other)]
        assert inside == list(range(node.id, page.end[node.id]))


@given(PAGES)
def test_children_are_those_whose_parent_a_node_is(page: Page) -> None:
    for node in page:
        assert node.children == [other for other in page if other.parent == node]
        assert list(node.descendants) == [other for other in page if node in list(other.ancestors)]


@given(PAGES)
def test_elements_are_found_by_their_names(page: Page) -> None:
    for tags in (["p"], ["div", "b"], ["#text"], ["::before"], ["nothing"], []):
        expected = [n.id for n in page if n.kind is NodeKind.ELEMENT and n.tag in tags]
        assert page.elements(*tags) == expected
        assert [node.id for node in page.find(*tags)] == expected


@given(PAGES)
def test_the_block_of_a_node_is_its_nearest_box_that_is_not_inline(page: Page) -> None:
    def flows(node: Node) -> bool:
        in_text = node.kind in (NodeKind.TEXT, NodeKind.PSEUDO)
        return node.parent is not None and (in_text or node.style.display.is_inline)

    for node in page:
        nearest = next(other for other in ancestors_or_self(node) if not flows(other))
        assert page.block_of[node.id] == nearest.id


@given(PAGES)
def test_foreign_nodes_are_inside_a_picture(page: Page) -> None:
    """Frames end it; there is no foreignObject here, which would too."""
    for node in page:
        foreign = False
        for other in ancestors_or_self(node):
            if other.tag == "svg":
                foreign = True
            if other.tag == "svg" or other.kind is NodeKind.DOCUMENT:
                break
        assert page.is_foreign(node.id) is foreign


@given(PAGES)
def test_the_effective_background_is_painted_from_the_root_down(page: Page) -> None:
    columns = page.columns
    behind = effective_backgrounds(columns["own_background"], page.end)
    for node in page:
        red, green, blue = 255.0, 255.0, 255.0
        for other in reversed(ancestors_or_self(node)):
            color = int(columns["own_background"][other.id])
            alpha = (color & 0xFF) / 255
            top = (color >> 24 & 0xFF, color >> 16 & 0xFF, color >> 8 & 0xFF)
            red, green, blue = (
                round(over * alpha + under * (1 - alpha))
                for over, under in zip(top, (red, green, blue), strict=True)
            )
        expected = int(red) << 24 | int(green) << 16 | int(blue) << 8 | 0xFF
        assert int(behind[node.id]) == expected


@given(st.lists(st.integers(0, 255)), st.lists(st.integers(0, 255)))
def test_bytes_are_among_others(column: list[int], values: list[int]) -> None:
    found = among(np.array(column, dtype=np.uint8), tuple(values))
    assert found.tolist() == [number in values for number in column]


def test_subtree_ends_of_an_empty_tree() -> None:
    assert subtree_ends(np.array([-1])).tolist() == [1]


# Completing and checking


def test_columns_that_are_not_given_have_their_defaults() -> None:
    columns = complete({"parent": [-1, 0]})
    assert set(columns) == set(SCHEMA)
    for name, column in SCHEMA.items():
        assert columns[name].dtype == column.dtype
        assert name == "parent" or (columns[name] == column.default).all(), name
        assert not columns[name].flags.writeable


def test_a_column_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="reshape"):
        complete({"parent": [-1, 0], "kind": [0]})


def fine() -> dict[str, Any]:
    page = make_page(el("p", "tea", attributes={"id": "a"}), el("p"))
    return {name: column.copy() for name, column in page.columns.items()}


def test_a_page_has_no_problem() -> None:
    assert problem(fine(), 10) is None


def _set(name: str, row: int, value: int) -> Callable[[dict[str, Any]], None]:
    def change(columns: dict[str, Any]) -> None:
        columns[name][row] = value

    return change


def _replace(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(columns: dict[str, Any]) -> None:
        columns[name] = value

    return change


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (_set("parent", 0, 0), "the first node is not a root"),
        (_set("parent", 1, -1), "a node comes before its parent"),
        (_set("parent", 1, 2), "a node comes before its parent"),
        (_set("parent", 3, 2), None),  # a text may have children
        (_set("attr_first", 0, 1), "attributes do not belong to nodes"),
        (_set("attr_first", 2, 9), "attributes do not belong to nodes"),
        (_set("name", 1, -1), "name points outside the strings"),
        (_set("text", 2, 10), "text points outside the strings"),
        (_set("attr_value", 0, 99), "attr_value points outside the strings"),
        (_replace("box", np.zeros((3, 4), "<f4")), "box has another shape or type"),
        (_replace("kind", np.zeros(4, "<i4")), "kind has another shape or type"),
        (_replace("italic", np.full(4, 2, "u1").view("?")), "italic is neither true nor false"),
        (_replace("run_node", np.array([9], "<i4")), "run_box has another shape or type"),
    ],
)
def test_a_problem_is_named(change: Callable[[dict[str, Any]], None], expected: str | None) -> None:
    columns = fine()
    change(columns)
    assert problem(columns, 10) == expected


def test_nodes_out_of_document_order() -> None:
    columns = complete({"parent": [-1, 0, 0, 1], "name": [0] * 4})
    assert problem(columns, 1) == "nodes are not in document order"


def test_a_run_of_no_node() -> None:
    runs: dict[str, Any] = {"run_node": [5], "run_box": [[0, 0, 1, 1]], "run_text": [0]}
    columns = complete({"parent": [-1], "name": [0], **runs})
    assert problem(columns, 1) == "a text run does not belong to a node"


# The table below a Page


def test_a_table_is_a_page_without_views() -> None:
    page = make_page(el("p", "tea", attributes={"id": "a", "class": "b"}))
    table = PageTable(page.columns, page.strings, page.info)
    assert len(table) == len(page)
    assert (table.name(1), table.own_text(1), table.own_text(2)) == ("p", "", "tea")
    assert table.attributes(1) == {"id": "a", "class": "b"}
    assert (table.attribute(1, "class"), table.attribute(1, "href")) == ("b", None)
    assert table.url == INFO.url
    assert not hasattr(table, "root")


# Strings


@given(PAGES)
def test_compacting_keeps_every_string_that_is_used(page: Page) -> None:
    columns = {name: column.copy() for name, column in page.columns.items()}
    padded = ["unused", *page.strings, "also unused"]
    names = ("name", "text", "attr_name", "attr_value", "font_family", "run_text")
    for name in names:
        columns[name][columns[name] >= 0] += 1
    strings = compact(columns, padded)
    assert len(set(strings)) == len(strings)
    assert not {"unused", "also unused"} & set(strings)
    assert Page(columns, strings, page.info).root.text == page.root.text
    for name in names:
        before = [page.strings[i] if i >= 0 else None for i in page.columns[name].tolist()]
        assert [strings[i] if i >= 0 else None for i in columns[name].tolist()] == before


@given(st.text(st.characters()))
def test_clean_strings_can_be_encoded(string: str) -> None:
    cleaned = clean(string)
    cleaned.encode()
    assert clean(cleaned) == cleaned


def test_a_pair_of_surrogates_is_a_character_and_a_lone_one_is_none() -> None:
    assert clean("\ud83c\udf75") == "🍵"
    assert clean("a\ud83cb") == "a\ufffdb"


# Boxes

SIDES = st.integers(-50, 50).map(float)
LENGTHS = st.integers(0, 60).map(float)
BOXES = st.builds(Box, SIDES, SIDES, LENGTHS, LENGTHS)


def pixels(box: Box) -> set[tuple[int, int]]:
    return {
        (x, y)
        for x in range(int(box.x), int(box.right))
        for y in range(int(box.y), int(box.bottom))
    }


@given(BOXES, BOXES)
def test_the_intersection_is_what_both_cover(one: Box, other: Box) -> None:
    common = one.intersection(other)
    assert (pixels(common) if common else set()) == pixels(one) & pixels(other)
    assert one.intersection(other) == other.intersection(one)


def test_texts_in_a_row_of_their_own() -> None:
    """A text with columns of its own, as renderers make them."""
    page = make_page(el("p", text("tea", visibility=2)))
    assert page.root.text == ""
    assert page[2].own_text == "tea"


@pytest.mark.parametrize("large", [8, 0xFFFE, 0xFFFF, 0x10000, 1 << 20])
def test_the_rows_of_each_number(large: int) -> None:
    rows = rows_of_each(np.array([large, 7, -1, 7, large, -1]))
    assert {number: where.tolist() for number, where in rows.items()} == {
        large: [0, 4], 7: [1, 3], -1: [2, 5],
    }  # fmt: skip
    assert rows_of_each(np.array([], dtype=np.int32)) == {}
