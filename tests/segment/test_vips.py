"""The vision tree: its invariants on any page, and what it makes of small real ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagesight.page import Display, NodeKind, Page, PageInfo
from pagesight.segment import ZoneTree
from pagesight.segment.nodes import range_unions
from pagesight.segment.vips import sweep, vision_tree

See = Callable[[str], Page]
Strip = tuple[float, float]


class El(NamedTuple):
    """An element, or a text where `tag` is ``#text``."""

    tag: str
    columns: dict[str, Any]
    children: tuple[El, ...]


class Row(NamedTuple):
    """A node in document order."""

    parent: int
    tag: str
    columns: dict[str, Any]


INLINE = frozenset({"#text", "span", "img", "br"})
PAGE = Row(-1, "#document", {"box": (0, 0, 1280, 800)})


def page_of(rows: list[Row], texts: Iterable[str] = ("tea", " ")) -> Page:
    """A page of these nodes; the column `text` counts the `texts`."""
    strings = (*texts, *{row.tag for row in rows})
    kinds = {"#document": NodeKind.DOCUMENT, "#text": NodeKind.TEXT}
    names = {name for row in rows for name in row.columns}
    defaults = {"border": (0, 0, 0, 0), "background": 0xFFFFFFFF, "text": -1}
    columns: dict[str, Any] = {
        name: [row.columns.get(name, defaults.get(name, 0)) for row in rows] for name in names
    }
    return Page(
        {
            **columns,
            "parent": [row.parent for row in rows],
            "name": [strings.index(row.tag) for row in rows],
            "kind": [kinds.get(row.tag, NodeKind.ELEMENT) for row in rows],
            "display": [Display.INLINE if row.tag in INLINE else Display.BLOCK for row in rows],
            "attr_first": np.zeros(len(rows) + 1),
        },
        strings,
        PageInfo(renderer="by hand", renderer_version="1"),
    )


def rows_of(children: Iterable[El], parent: int, rows: list[Row]) -> list[Row]:
    for child in children:
        rows.append(Row(parent, child.tag, child.columns))
        rows_of(child.children, len(rows) - 1, rows)
    return rows


# separators


def strips_one_by_one(blocks: Iterable[Strip]) -> set[Strip]:
    """The paper's way: one strip over all, which each block splits, shrinks or removes."""
    blocks = list(blocks)
    first, last = min(low for low, _ in blocks), max(high for _, high in blocks)
    strips = {(first, last)}
    for low, high in blocks:
        before = {(start, min(stop, low)) for start, stop in strips if low >= start}
        after = {(max(start, high), stop) for start, stop in strips if high <= stop}
        strips = before | after
    return {(start, stop) for start, stop in strips if first < start and stop < last}


def strips_by_sweep(blocks: list[Strip], pool: list[int]) -> set[tuple[int, Strip]]:
    low, high = np.array(blocks, dtype=np.float64).T
    swept = sweep(np.array(pool), low, high, overlap=0)
    return {
        (pool[item], (high[before], low[item]))
        for item, before, width in zip(swept.order, swept.before, swept.width, strict=True)
        if width >= 0
    }


intervals = st.tuples(st.integers(0, 30), st.integers(1, 9)).map(lambda at: (at[0], at[0] + at[1]))


@given(st.lists(st.lists(intervals, min_size=1, max_size=9), min_size=1, max_size=4))
def test_the_sweep_finds_the_strips_that_blocks_leave(pools: list[list[Strip]]) -> None:
    found = strips_by_sweep(
        [block for blocks in pools for block in blocks],
        [pool for pool, blocks in enumerate(pools) for _ in blocks],
    )

    assert found == {
        (pool, strip) for pool, blocks in enumerate(pools) for strip in strips_one_by_one(blocks)
    }


def test_lines_that_overlap_by_a_hair_are_still_separated() -> None:
    low, high = np.array([0.0, 19.0]), np.array([20.0, 39.0])

    assert sweep(np.zeros(2, dtype=np.int64), low, high).width.tolist() == [-1, 0]


@given(st.data())
def test_boxes_around_ranges(data: st.DataObject) -> None:
    numbers = st.floats(-9, 9, width=16)
    boxes = data.draw(st.lists(st.tuples(*[numbers] * 4), min_size=1, max_size=20))
    places = st.integers(0, len(boxes))
    ranges = data.draw(
        st.lists(st.tuples(places, places).filter(lambda r: r[0] < r[1]), min_size=1)
    )
    box, (first, stop) = np.array(boxes), np.array(ranges).T

    for union, (start, end) in zip(range_unions(box, first, stop), ranges, strict=True):
        left, top = box[start:end, :2].min(axis=0)
        right, bottom = box[start:end, 2:].max(axis=0)
        assert union.tolist() == [left, top, right, bottom]


# invariants


def content(page: Page) -> list[int]:
    """The texts and pictures that a person sees."""
    return [
        node.id
        for node in page
        if node.visible and (node.own_text.strip() if node.tag == "#text" else node.tag == "img")
    ]


def leaf_of(tree: ZoneTree) -> dict[int, int]:
    """For each text and picture the leaf that holds it; every one is in exactly one."""
    held: dict[int, int] = {}
    for leaf in tree.leaves:
        for node in leaf.nodes:
            for below in range(node.id, int(tree.page.end[node.id])):
                assert below not in held
                held[below] = leaf.id
    return {node: held[node] for node in content(tree.page)}


def check(tree: ZoneTree) -> None:
    doc, separator = tree.marks["doc"], tree.marks["separator"]
    leaf_of(tree)
    assert doc.dtype == np.uint8
    assert separator.dtype == np.float32
    assert set(doc.tolist()) <= set(range(1, 11))
    assert not separator[tree.is_leaf].any()
    for zone in tree:
        children = zone.children
        assert len(children) != 1
        assert bool(tree.is_leaf[zone.id]) == (not children)
        assert len(tree.nodes_of(zone.id)) > 0 or not content(tree.page)
        for child in children:
            assert min(child.box.x - zone.box.x, child.box.y - zone.box.y) >= -0.01
            assert max(child.box.right - zone.box.right, child.box.bottom - zone.box.bottom) <= 0.01
            assert doc[child.id] >= doc[zone.id]


def refines(fine: dict[int, int], coarse: dict[int, int]) -> bool:
    """Whether everything in one fine leaf is in one coarse leaf."""
    return len({(leaf, coarse[node]) for node, leaf in fine.items()}) == len(set(fine.values()))


numbers = st.integers(0, 1200)
boxes = st.tuples(numbers, numbers, st.integers(1, 600), st.integers(1, 600))
looks: dict[str, st.SearchStrategy[Any]] = {
    "box": boxes,
    "font_size": st.sampled_from((12, 16, 32)),
    "background": st.sampled_from((0xFFFFFFFF, 0xEEEEEEFF)),
    "border": st.sampled_from(((0, 0, 0, 0), (1, 1, 1, 1), (0, 0, 1, 0))),
    "position": st.sampled_from((0, 0, 0, 2)),
}
leaves: st.SearchStrategy[El] = st.one_of(
    st.tuples(st.just("#text"), st.fixed_dictionaries({**looks, "text": st.integers(0, 1)})),
    st.tuples(st.sampled_from(("img", "br", "hr")), st.fixed_dictionaries(looks)),
).map(lambda leaf: El(leaf[0], leaf[1], ()))
tags = st.sampled_from(("div", "p", "span", "ul", "li", "table", "tr", "td"))


def inner(children: st.SearchStrategy[El]) -> st.SearchStrategy[El]:
    below = st.lists(children, max_size=5).map(tuple)
    return st.builds(El, tags, st.fixed_dictionaries(looks), below)


pages = st.lists(st.recursive(leaves, inner, max_leaves=25), max_size=5).map(
    lambda children: page_of(rows_of(children, 0, [PAGE]))
)


@settings(max_examples=50)
@given(pages)
def test_every_tree_is_a_tree_of_blocks(page: Page) -> None:
    for permitted_doc in (1, 5, 8, 10):
        check(vision_tree(page, permitted_doc))


@settings(max_examples=50)
@given(pages)
def test_a_higher_permitted_doc_only_divides_further(page: Page) -> None:
    trees = [leaf_of(vision_tree(page, permitted_doc)) for permitted_doc in range(1, 11)]

    assert len(set(trees[0].values())) <= 1
    assert all(refines(fine, coarse) for coarse, fine in pairwise(trees))


def test_a_page_without_content_is_one_empty_zone() -> None:
    tree = vision_tree(page_of([PAGE, Row(0, "div", {"box": (0, 0, 9, 9)})]))

    assert len(tree) == 1
    assert tree.root.text == ""


@pytest.mark.parametrize("permitted_doc", [0, 11])
def test_degrees_of_coherence_are_from_1_to_10(permitted_doc: int) -> None:
    with pytest.raises(ValueError, match="from 1 to 10"):
        vision_tree(page_of([PAGE]), permitted_doc)


def nested(depth: int, *, with_text: bool) -> Page:
    """Elements in elements; with a text in each, if wanted."""
    rows = [PAGE]
    inside = 0
    for top in range(0, 20 * depth, 20):
        if with_text or top == 20 * (depth - 1):
            rows.append(Row(inside, "#text", {"box": (0, top, 100, 16), "text": 0}))
        rows.append(Row(inside, "div", {"box": (0, top + 20, 1000, 20 * depth - top)}))
        inside = len(rows) - 1
    return page_of(rows)


def test_no_depth_is_too_deep() -> None:
    assert len(vision_tree(nested(200_000, with_text=False), 10)) == 1

    tree = vision_tree(nested(30_000, with_text=True), 10)
    assert len(tree.leaves) == 30_000


# what it sees

TEA = "Green tea is made from leaves that were not oxidized. " * 6


def shown(tree: ZoneTree) -> Any:
    """The first words of leaves, nested as they are."""

    def nest(zone: Any) -> Any:
        return [nest(child) for child in zone.children] or " ".join(zone.text.split()[:2])

    return nest(tree.root)


def leaf_texts(tree: ZoneTree) -> list[str]:
    return [" ".join(leaf.text.split()[:2]) for leaf in tree.leaves]


@pytest.mark.browser
def test_three_columns(see: See) -> None:
    page = see(
        f"""<style>.c {{ float: left; width: 380px; margin-right: 40px }}</style>
        <div class=c><p>One {TEA}<p>Two {TEA}</div>
        <div class=c><p>Three {TEA}<p>Four {TEA}</div>
        <div class=c><p>Five {TEA}<p>Six {TEA}</div>"""
    )
    tree = vision_tree(page, 10)

    assert shown(tree) == [
        ["One Green", "Two Green"],
        ["Three Green", "Four Green"],
        ["Five Green", "Six Green"],
    ]
    check(tree)


SHOP = f"""<style>body {{ margin: 0 }} li {{ margin: 4px 0 }}</style>
    <div style="background: #063; color: #fff; padding: 30px; font-size: 40px">The tea shop</div>
    <div style="display: flex; padding: 40px 0">
      <ul style="width: 200px"><li>Green<li>Black<li>White</ul>
      <div style="width: 800px; padding-left: 60px">
        <h1>Green tea</h1><p>{TEA}</p><p>More {TEA}</p></div>
    </div>
    <div style="background: #333; color: #fff; padding: 20px"><p>Terms<p>Privacy</div>"""


@pytest.mark.browser
def test_header_menu_article_and_footer(see: See) -> None:
    page = see(SHOP)

    assert leaf_texts(vision_tree(page, 6)) == ["The tea", "Green Black", "Terms Privacy"]
    assert shown(vision_tree(page, 8)) == [
        "The tea",
        [["Green Black", ["Green tea", "Green tea"]], ["Terms", "Privacy"]],
    ]


@pytest.mark.browser
def test_panels_are_blocks_though_they_touch(see: See) -> None:
    panel = '<div style="background: {}; padding: 10px"><p>{} one<p>{} two</div>'
    colours = {"#fee": "Red", "#efe": "Green", "#eef": "Blue"}
    page = see("<div>" + "".join(panel.format(c, n, n) for c, n in colours.items()) + "</div>")
    tree = vision_tree(page, 10)

    assert shown(tree) == [[f"{n} one", f"{n} two"] for n in colours.values()]
    assert [zone.element.tag for zone in tree.root.children] == ["div"] * 3
    assert tree[1].box.width > 1200  # the panel, not only its text


@pytest.mark.browser
def test_a_rule_separates_more_than_a_gap(see: See) -> None:
    page = see(
        """<style>p { margin: 0 0 20px } hr { margin: -10px 0 8px }</style>
        <p>One</p><p>Two</p><hr><p>Three</p><p>Four</p>"""
    )
    tree = vision_tree(page, 10)

    assert shown(tree) == [["One", "Two"], ["Three", "Four"]]
    assert tree.marks["separator"][0] > tree.marks["separator"][1] > 0


@pytest.mark.browser
def test_larger_text_below_starts_something_new(see: See) -> None:
    page = see(
        """<style>h2, p { margin: 0 0 12px }</style>
        <div><h2>Green</h2><p>Not oxidized<h2>Black</h2><p>Oxidized</div>"""
    )

    assert shown(vision_tree(page, 10)) == [["Green", "Not oxidized"], ["Black", "Oxidized"]]


@pytest.mark.browser
def test_rows_and_cells_of_a_table(see: See) -> None:
    row = "<tr><td>{} tea</td><td>{} euros<br>per pound</td></tr>"
    page = see(f"<table>{row.format('Green', 4)}{row.format('Black', 3)}</table>")

    assert shown(vision_tree(page, 10)) == [
        ["Green tea", ["4 euros", "per pound"]],
        ["Black tea", ["3 euros", "per pound"]],
    ]


@pytest.mark.browser
def test_items_of_a_list_are_siblings_whatever_they_hold(see: See) -> None:
    items = "".join(
        f"<li>{'<i>New</i><br>' * (n % 2)}<h3>Tea {n}</h3>{n} euros</li>" for n in range(6)
    )
    tree = vision_tree(see(f"<style>h3 {{ margin: 0 }}</style><h1>Teas</h1><ul>{items}</ul>"), 10)
    (teas,) = (zone for zone in tree if zone.element.tag == "ul")

    assert [" ".join(zone.text.split()) for zone in teas.children] == [
        f"{'New ' * (n % 2)}Tea {n} {n} euros" for n in range(6)
    ]


@pytest.mark.browser
def test_a_frame_is_no_more_coherent_than_what_it_holds(see: See) -> None:
    column = f"<div style='float: left; width: 500px; margin-right: 80px'>{f'<p>{TEA}' * 40}</div>"
    page = see(f"<h1>Teas</h1><div style='border: 1px solid; overflow: auto'>{column * 2}</div>")
    tree = vision_tree(page, 10)
    frame = tree.root.children[1]

    check(tree)
    assert tree.marks["doc"][frame.id] == min(tree.marks["doc"][zone.id] for zone in frame.children)


@pytest.mark.browser
def test_texts_in_several_fonts_part_at_10_only(see: See) -> None:
    page = see("<p>Only <b>4 euros</b> a pound</p><p>Black</p>")

    assert leaf_texts(vision_tree(page, 9)) == ["Only 4", "Black"]
    assert leaf_texts(vision_tree(page, 10)) == ["Only", "4 euros", "a pound", "Black"]


@pytest.mark.browser
def test_a_line_of_links_is_one_text(see: See) -> None:
    page = see("<p><a href=a>Tea</a>, <a href=b>coffee</a>, milk</p><p>Black</p>")

    assert leaf_texts(vision_tree(page, 9)) == ["Tea, coffee,", "Black"]


@pytest.mark.browser
def test_a_bar_that_floats_over_the_page_does_not_hide_its_structure(see: See) -> None:
    bar = '<div style="position: fixed; top: 60px; left: 0; width: 100%">Cookies</div>'
    page = see(f"{bar}<div><p>One</p><p>Two</p><p>Three</p></div>")
    texts = shown(vision_tree(page, 10))

    assert sorted(map(str, texts)) == sorted(["Cookies", str(["One", "Two", "Three"])])


@pytest.mark.browser
def test_invisible_content_is_in_no_block(see: See) -> None:
    page = see("<p>One<p style='display: none'>Two<p style='visibility: hidden'>Three<p>Four")

    assert leaf_texts(vision_tree(page, 10)) == ["One", "Four"]


# the tree for records

ITEMS = """<style>body {{ width: 900px }} img {{ float: left; margin-right: 60px }}
  li {{ list-style: none; overflow: hidden; margin-bottom: 4px }}</style>
<ul><li{one}><img width=90 height=90><div><b>Green tea</b><br>$5</div></li>
<li{other}><img width=90 height=90><div><b>Black tea</b><br>$7</div></li></ul>"""


def test_elements_alike_are_zones_of_the_tree_for_records(lay_out: See) -> None:
    page = lay_out(ITEMS.format(one=" class=tea", other=" class=tea"))
    zones = [zone for zone in vision_tree(page, 10, for_records=True) if len(zone.leaves) == 3]
    assert [zone.xpath for zone in zones] == ["/html/body/ul/li[1]", "/html/body/ul/li[2]"]


def test_elements_with_a_common_class_are_alike(lay_out: See) -> None:
    page = lay_out(ITEMS.format(one=" class='first item-7 tea'", other=" class='tea item-8'"))
    zones = [zone for zone in vision_tree(page, 10, for_records=True) if len(zone.leaves) == 3]
    assert [zone.xpath for zone in zones] == ["/html/body/ul/li[1]", "/html/body/ul/li[2]"]


@pytest.mark.parametrize("other", ["", " class=milk"])
def test_elements_of_other_classes_are_not_alike(other: str, lay_out: See) -> None:
    page = lay_out(ITEMS.format(one=" class=tea", other=other))
    plain, for_records = (vision_tree(page, 10, for_records=flag) for flag in (False, True))
    assert for_records.parent.tolist() == plain.parent.tolist()


def test_elements_of_one_atom_are_not_alike(lay_out: See) -> None:
    page = lay_out("<ul><li>tea<li>milk<li>water</ul><p>and more")
    plain, for_records = (vision_tree(page, 10, for_records=flag) for flag in (False, True))
    assert for_records.parent.tolist() == plain.parent.tolist()


def test_elements_in_a_line_are_leaves_of_the_tree_for_records(lay_out: See) -> None:
    page = lay_out("<p>tea</p><p><s>$30</s> <span>$25</span> per <span>bag</span> or box</p>")
    assert [leaf.text for leaf in vision_tree(page, 10).leaves] == ["tea", "$30 $25 per bag or box"]
    leaves = vision_tree(page, 10, for_records=True).leaves
    assert [leaf.text.strip() for leaf in leaves] == ["tea", "$30", "$25", "per", "bag", "or box"]
    assert len(vision_tree(page, 9, for_records=True).leaves) == 2
