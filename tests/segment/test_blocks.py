"""Text blocks, and the slow definition of what they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from drawn_pages import draw_sheets, line
from hypothesis import given
from hypothesis import strategies as st

from pagesight.page import Display, NodeKind, Page, PageInfo, Visibility
from pagesight.segment import TextBlocks, text_blocks
from pagesight.segment.blocks import block_elements, joined, visible_texts

INLINE = ("b", "span", "i", "br")
STYLES: dict[str, dict[str, Any]] = {"b": {"font_weight": 700}, "i": {"font_size": 20.0}}


@dataclass
class Tree:
    """An element with children, or a text."""

    tag: str
    children: list[Tree] = field(default_factory=list)
    text: str | None = None


TEXTS = st.sampled_from(["tea", "green", " ", "cup "]).map(lambda text: Tree("#text", text=text))
TREES = st.recursive(
    TEXTS | st.just(Tree("br")),
    lambda inner: st.builds(
        Tree, st.sampled_from(["p", "div", "b", "span", "i"]), st.lists(inner, max_size=4)
    ),
    max_leaves=15,
)


def page_of(*trees: Tree) -> Page:
    """A page without boxes: its texts flow as their elements say."""
    rows: list[dict[str, Any]] = []
    strings: dict[str, int] = {}

    def add(tree: Tree, parent: int, style: dict[str, Any]) -> None:
        style = {**style, **STYLES.get(tree.tag, {})}
        kind = NodeKind.TEXT if tree.text is not None else NodeKind.ELEMENT
        inline = tree.tag in INLINE or kind is NodeKind.TEXT
        rows.append({
            "parent": parent, "kind": kind if rows else NodeKind.DOCUMENT,
            "name": strings.setdefault(tree.tag, len(strings)),
            "text": -1 if tree.text is None else strings.setdefault(tree.text, len(strings)),
            "display": Display.INLINE if inline else Display.BLOCK, **style,
        })  # fmt: skip
        here = len(rows) - 1
        for child in tree.children:
            add(child, here, style)

    add(Tree("#document", [*trees]), -1, {"font_size": 10.0, "font_weight": 400})
    columns: dict[str, Any] = {name: [row[name] for row in rows] for name in rows[0]}
    info = PageInfo(renderer="by hand", renderer_version="1")
    return Page({**columns, "attr_first": [0] * (len(rows) + 1)}, list(strings), info)


def slow_blocks(page: Page) -> list[list[int]]:
    """Text by text: another box around it, or another look after a line break, begins a block."""
    blocks: list[list[int]] = []
    last, broken = None, False
    for node in page:
        broken |= node.tag == "br"
        if node.kind is not NodeKind.TEXT or not node.own_text.strip():
            continue
        holder = next(up.id for up in (*node.ancestors, page.root) if up.tag not in INLINE)
        holder = holder if page[holder].tag != "#document" else 0
        look = (node.style.font_size, node.style.bold)
        if last is None or last[0] != holder or (broken and last[1] != look):
            blocks.append([])
        blocks[-1].append(node.id)
        last, broken = (holder, look), False
    return blocks


def texts_of(blocks: TextBlocks) -> list[list[int]]:
    return (
        [part.tolist() for part in np.split(blocks.texts, blocks.first[1:-1])]
        if len(blocks)
        else []
    )


@given(st.lists(TREES, max_size=4))
def test_blocks_are_what_their_slow_definition_says(trees: list[Tree]) -> None:
    page = page_of(*trees)
    blocks = text_blocks(page)
    assert texts_of(blocks) == slow_blocks(page)
    assert len(blocks.strings) == len(blocks.box) == len(blocks.element) == len(blocks)


@given(st.lists(TREES, max_size=4))
def test_the_element_of_a_block_is_around_its_texts_and_no_others(trees: list[Tree]) -> None:
    page = page_of(*trees)
    blocks = text_blocks(page)
    for texts, element in zip(texts_of(blocks), blocks.element.tolist(), strict=True):
        assert element <= texts[0]
        assert texts[-1] < page.end[element]
        assert page[element].kind is not NodeKind.TEXT


def p(*texts: str, tag: str = "p") -> Tree:
    return Tree(tag, [Tree("#text", text=text) for text in texts])


def test_inline_elements_are_part_of_their_block() -> None:
    page = page_of(Tree("p", [p("Hot ", tag="span"), p("tea", tag="b")]), p("Cold"))
    blocks = text_blocks(page)
    assert blocks.strings == ["Hot tea", "Cold"]
    assert [page.name(node) for node in blocks.element.tolist()] == ["p", "p"]
    assert blocks.lengths.tolist() == [7, 4]


def test_a_break_separates_what_looks_different() -> None:
    page = page_of(Tree("p", [p("Green", tag="b"), Tree("br"), p("leaves", tag="span")]))
    blocks = text_blocks(page)
    assert blocks.strings == ["Green", "leaves"]
    assert [page.name(node) for node in blocks.element.tolist()] == ["b", "span"]
    assert blocks.style("font_weight").tolist() == [700, 400]


def test_a_break_is_a_space_where_words_have_spaces() -> None:
    def broken(one: str, other: str) -> list[str]:
        texts = [Tree("#text", text=one), Tree("br"), Tree("#text", text=other)]
        return text_blocks(page_of(Tree("p", texts), p("Milk"))).strings

    assert broken("Green", "tea") == ["Green tea", "Milk"]
    assert broken("Green ", " tea") == ["Green tea", "Milk"]
    assert broken("綠", "茶") == ["綠茶", "Milk"]


def test_text_around_a_block_makes_two_blocks_of_one_holder() -> None:
    page = page_of(Tree("div", [*p("before").children, p("inside"), *p("after").children]))
    blocks = text_blocks(page)
    assert blocks.strings == ["before", "inside", "after"]
    assert blocks.holder.tolist() == [1, 3, 1]
    assert blocks.depth.tolist() == [0, 1, 0]


def test_the_body_has_the_style_of_most_characters() -> None:
    page = page_of(p("Tea", tag="i"), p("is made of the leaves of a tree"))
    assert text_blocks(page).body_style("font_size") == 10
    assert text_blocks(page_of()).body_style("font_size") == 0


def test_a_short_block_looks_like_what_leads_it() -> None:
    page = page_of(Tree("p", [p("Tea", tag="i"), *p("[edit this section]").children]))
    assert text_blocks(page).style("font_size").tolist() == [20]
    page = page_of(Tree("p", [p("T", tag="i"), *p("ea is made of leaves").children]))  # an initial
    assert text_blocks(page).style("font_size").tolist() == [10]


def test_what_is_not_seen_is_in_no_block() -> None:
    page = page_of(p("seen"), p("unseen"))
    hidden = np.zeros(len(page), dtype=np.uint8)
    hidden[3:] = Visibility.NOT_RENDERED
    page = Page({**page.columns, "visibility": hidden}, page.strings, page.info)
    assert text_blocks(page).strings == ["seen"]
    assert visible_texts(page).tolist() == [2]


def test_all_nodes_of_a_pdf_paragraph_have_its_first_line_for_their_block() -> None:
    page = draw_sheets([line(72, 100, "Tea is"), line(72, 112, "as old"), line(72, 300, "as we")])
    lines = [node.id for node in page.find("line")]
    found = block_elements(page)
    assert found[lines].tolist() == [lines[0], lines[0], lines[2]]
    assert found[[node + 1 for node in lines]].tolist() == [lines[0], lines[0], lines[2]]
    sheet = page.find("sheet")[0].id
    assert found[sheet] == sheet


def test_groups_of_texts_are_joined_as_they_are_spaced() -> None:
    page = page_of(p("Green", "tea", "Black"))
    spaced, first = np.array([True, True, False]), np.array([0, 2, 3])
    assert joined(page, visible_texts(page), spaced, first) == ["Green tea", "Black"]


def test_white_space_between_elements_separates_words(lay_out: Callable[[str], Page]) -> None:
    html = "<h2><span>1.</span> <span>Overview</span></h2><p><b>Tea</b><i>pot</i>\n<i>lid</i></p>"
    assert text_blocks(lay_out(html)).strings == ["1. Overview", "Teapot lid"]
