from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from drawn_pages import Part, around, block, draw

from pagesight.page import NodeKind, Page
from pagesight.segment import Leaves, leaf_zones

See = Callable[[str], Page]


def texts(leaves: Leaves) -> list[str]:
    return [leaves.text(leaf) for leaf in range(len(leaves))]


@pytest.mark.browser
class TestLines:
    """What is one leaf, and what is not, in a browser's layout."""

    def test_a_line_is_one_leaf_however_deep_its_parts_stand(self, see: See) -> None:
        page = see(
            "<p><b><a href=/a>Ann Author</a><sup><a href=#x>1,</a></sup><sup>*</sup></b>, "
            "<span><font><i>Bo</i> <i>Writer</i></font></span>&nbsp;and <b>Cy</b></p>"
        )

        assert texts(leaf_zones(page)) == ["Ann Author1,*, Bo Writer and Cy"]

    def test_white_space_between_nodes_stays(self, see: See) -> None:
        page = see("<div><b>one</b> <i>two</i> <hr> <b>three</b> <i>four</i></div>")

        assert texts(leaf_zones(page)) == ["one two", "", "three four"]

    def test_a_line_break_ends_no_leaf_but_a_line(self, see: See) -> None:
        assert texts(leaf_zones(see("<p>Ann<br>Bo<br>Cy</p>"))) == ["Ann\nBo\nCy"]

    def test_a_block_parts_the_text_around_it(self, see: See) -> None:
        page = see("<div>before <a href=/><div>inside</div></a> after</div>")

        assert texts(leaf_zones(page)) == ["before", "inside", "after"]

    @pytest.mark.parametrize("style", ["float: right", "position: absolute; top: 200px"])
    def test_what_is_lifted_from_the_text_does_not_part_it(self, see: See, style: str) -> None:
        page = see(f"<p>before <span style='{style}'>aside</span> after</p>")

        assert texts(leaf_zones(page)) == ["before after", "aside"]

    def test_a_badge_in_a_line_belongs_to_it(self, see: See) -> None:
        badge = "<span style='display: inline-block; padding: 4px'><div>new</div></span>"

        assert len(leaf_zones(see(f"<section>Green tea {badge} from Japan</section>"))) == 1

    def test_cards_beside_each_other_do_not(self, see: See) -> None:
        card = "<div style='display: inline-block; width: 200px'><p>name<p>price</div>"

        assert len(leaf_zones(see(card * 3))) == 6

    @pytest.mark.parametrize("row", ["display: flex", "float: left", "display: inline-block"])
    def test_names_in_a_row_of_boxes_are_a_line(self, see: See, row: str) -> None:
        style = f"ul, li {{margin: 0; padding: 0; list-style: none}} .row {{{row}}}"
        names = "".join(f"<li class=row>{name},&nbsp;</li>" for name in ("Ann", "Bo", "Cy"))

        leaves = leaf_zones(see(f"<style>{style}</style><ul class=row>{names}</ul>"))

        assert len(leaves) == 1
        assert leaves.words.tolist() == [3]

    def test_entries_of_a_menu_are_not(self, see: See) -> None:
        entries = "".join(f"<li style='padding: 0 9px'>{name}</li>" for name in ("One", "Two"))

        assert len(leaf_zones(see(f"<ul style='display: flex'>{entries}</ul>"))) == 2

    def test_only_what_is_seen_counts(self, see: See) -> None:
        page = see("<p>seen <b style='display: none'>not</b><div style='visibility: hidden'>no")

        assert texts(leaf_zones(page)) == ["seen"]

    def test_bullets_do_not_move_what_they_stand_at(self, see: See) -> None:
        leaves = leaf_zones(see("<ol><li><p>first</p><li><p>second</p></ol>"))

        assert texts(leaves) == ["first", "second"]
        assert leaves.box[0, 0] == leaves.box[1, 0] > 40


@pytest.mark.browser
class TestContent:
    """Pictures, controls and rules."""

    def test_pictures_and_controls_are_content(self, see: See) -> None:
        page = see(
            "<style>div {margin: 9px}</style><div><img width=50 height=40></div><div><input></div>"
            "<hr><div><svg width=30 height=30><text>in</text></svg></div><div><select><option>x"
            "</select></div><div></div><div><img width=1 height=1></div><div>text</div>"
        )
        leaves = leaf_zones(page)

        assert leaves.pictures.tolist() == [1, 0, 0, 1, 0, 0]
        assert leaves.trivial.tolist() == [False, True, True, False, True, False]
        assert leaves.words.tolist() == [0, 0, 0, 0, 0, 1]

    def test_a_box_without_content_is_a_leaf_if_it_is_seen(self, see: See) -> None:
        page = see(
            "<div style='height: 30px'></div><div style='height: 30px; background: red'></div>"
            "<div style='height: 30px; border: 1px solid'><div></div></div>"
        )
        leaves = leaf_zones(page)

        assert leaves.trivial.tolist() == [True, True]
        assert leaves.box[0].tolist() == [8, 38, 1264, 30]

    def test_a_panel_behind_the_page_is_none(self, see: See) -> None:
        panel = "position: absolute; inset: 0; background: #eee; z-index: -1"

        assert len(leaf_zones(see(f"<div style='{panel}'></div><p>one</p><p>two</p>"))) == 2

    def test_the_look_is_that_of_most_characters(self, see: See) -> None:
        page = see(
            "<p style='font-size: 20px; background: #ff0'><b>No</b> <a href=/x>more</a> "
            "<i>than a few words</i></p>"
        )
        leaves = leaf_zones(page)

        assert leaves.font_size.tolist() == [20]
        assert leaves.italic.tolist() == [True]
        assert leaves.font_weight.tolist() == [400]
        assert leaves.background.tolist() == [0xFFFF00FF]
        assert leaves.characters.tolist() == [19]
        assert leaves.link_characters.tolist() == [4]

    def test_every_visible_text_is_in_one_leaf(self, see: See) -> None:
        page = see(
            "<table><tr><td>a<table><tr><td>b<td>c</table>d<td><ul><li>e<li>f<p>g</ul></table>"
            "h<center>i<b>j<div>k</div>l</b></center><span style='float:left'>m</span>n"
        )
        leaf_of_node = leaf_zones(page).leaf_of_node
        seen = page.visible & (page.columns["kind"] == NodeKind.TEXT)

        assert (leaf_of_node[seen] >= 0).all()
        assert len(set(leaf_of_node[seen].tolist())) == 12  # i and j, m and n stand in lines


@pytest.mark.browser
def test_what_is_painted_within_a_picture_is_a_part_of_it(see: See) -> None:
    painted = "<div style='background: #fee; width: 50px; height: 20px'></div>"
    picture = f"<svg width=50 height=50><foreignObject width=50 height=50>{painted * 2}</svg>"
    leaves = leaf_zones(see(f"<p>Tea</p>{picture}<p>After</p>"))
    assert texts(leaves) == ["Tea", "", "After"]
    assert np.diff(leaves.node_first).tolist() == [1, 1, 1]


def test_nodes_are_roots_of_disjoint_subtrees_and_know_their_leaf() -> None:
    page = draw(
        around(block((0, 0, 50, 10), "a"), around(block((0, 20, 50, 10), "b"), tag="section")),
        Part(children=[block((0, 40, 50, 10), "c")], box=(0, 60, 50, 10), text="before"),
    )
    leaves = leaf_zones(page)

    assert texts(leaves) == ["a", "b", "before", "c"]
    for leaf in range(len(leaves)):
        for node in leaves.nodes_of(leaf).tolist():
            inside = leaves.leaf_of_node[node : int(page.end[node])]
            assert inside.tolist() == [leaf] * len(inside)
    assert np.count_nonzero(leaves.leaf_of_node >= 0) == 7


def test_names_of_elements_decide_where_there_is_no_style() -> None:
    def plain(tag: str, text: str) -> Part:
        return Part(box=(0, 0, 40, 10), text=text, tag=tag, columns={"display": 0})

    inner = [plain("a", "one"), plain("nobr", "two"), plain("p", "three"), plain("b", "four")]
    page = draw(Part(children=inner, tag="body", columns={"display": 0}))
    columns = {**page.columns, "display": np.zeros(len(page), dtype=np.uint8)}

    leaves = leaf_zones(Page(columns, page.strings, page.info))
    assert [text.split() for text in texts(leaves)] == [["one", "two"], ["three"], ["four"]]


def test_a_page_without_anything_has_no_leaves() -> None:
    leaves = leaf_zones(draw())

    assert len(leaves) == 0
    assert leaves.leaf_of_node.tolist() == [-1]


LONG = "word " * 150
NUMBERS = "<tr><td>1<td>2<td>3</tr>"
DATA = {
    "header cells": "<table><tr><th>Year<th>Sum</tr><tr><td>1999<td>12</tr></table>",
    "a caption": "<table><caption>Sums</caption><tr><td>1<td>2</tr><tr><td>3<td>4</tr></table>",
    "borders": "<table border=1><tr><td>1<td>2</tr><tr><td>3<td>4</tr></table>",
    "regular rows": f"<table>{4 * NUMBERS}</table>",
    "numbered references": "<table>" + 5 * "<tr><td>1.<td>Author, Title, 1999.</tr>" + "</table>",
    "a role": "<table role=grid><tr><td>1<td>2</tr><tr><td>3<td>4</tr></table>",
}
LAYOUT = {
    "a row of columns": f"<table><tr><td>menu<td>{LONG}<td>more</tr></table>",
    "a column": "<table>" + 5 * "<tr><td>link</tr>" + "</table>",
    "tables in it": f"<table><tr><td>{DATA['regular rows']}<td>x</tr>{3 * NUMBERS}</table>",
    "long texts": "<table>" + 4 * f"<tr><td>{LONG}<td>{LONG}</tr>" + "</table>",
    "pictures over captions": "<table><tr><td><img width=9 height=9><td><img width=9 height=9></tr>"
    "<tr><td>First<td>Second</tr></table>",
    "its role": f"<table role=presentation>{4 * NUMBERS}</table>",
    "uneven rows": "<table><tr><td>a</tr><tr><td>b<td>c</tr><tr><td>d<td>e<td>f</tr></table>",
}


@pytest.mark.browser
@pytest.mark.parametrize("table", DATA.values(), ids=DATA)
def test_tables_that_hold_data(see: See, table: str) -> None:
    page = see(table)
    leaves = leaf_zones(page)

    assert set(leaves.table.tolist()) == {page.find("table")[0].id}


@pytest.mark.browser
@pytest.mark.parametrize("table", LAYOUT.values(), ids=LAYOUT)
def test_tables_that_only_arrange(see: See, table: str) -> None:
    page = see(table)

    assert page.find("table")[0].id not in leaf_zones(page).table.tolist()
