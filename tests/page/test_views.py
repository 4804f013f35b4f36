from __future__ import annotations

import math

import pytest

from pagesight.page import (
    Align,
    Box,
    Decoration,
    Display,
    Float,
    NodeKind,
    Note,
    Page,
    PageInfo,
    Position,
    Run,
    Visibility,
)
from small_pages import INFO, document, el, make_page, pseudo, text


def test_nodes_are_views_in_document_order() -> None:
    page = make_page(el("html", el("body", el("p", "one"), el("p", "two"))))
    html, body, first, one, second, two = list(page)[1:]

    assert len(page) == 7
    assert page.root.kind is NodeKind.DOCUMENT
    assert page.root.parent is None
    assert page.root.children == [html]
    assert body.children == [first, second]
    assert list(body.descendants) == [first, one, second, two]
    assert list(one.ancestors) == [first, body, html, page.root]
    assert second.parent == body
    assert (two.tag, two.kind, two.own_text) == ("#text", NodeKind.TEXT, "two")
    assert first.own_text == ""


def test_two_views_of_a_node_are_equal_and_one_in_a_set() -> None:
    page, twin = make_page(el("p", "one")), make_page(el("p", "one"))

    assert page[1] == page[1]
    assert page[1] != page[2]
    assert page == twin
    assert hash(page) == hash(twin)
    assert {page[1], page[1], twin[1]} == {page[1]}
    assert page != make_page(el("p", "two"))
    assert page != "page"


@pytest.mark.parametrize("node", [-1, 3, 1000])
def test_there_are_no_other_nodes(node: int) -> None:
    with pytest.raises(IndexError, match="a page of 3 nodes has no node"):
        make_page(el("p", "one"))[node]


def test_find_gives_elements_only() -> None:
    page = make_page(el("b", "p"), el("p", "b", el("i")), el("p"))

    assert [node.id for node in page.find("p")] == [3, 6]
    assert [node.tag for node in page.find("p", "i")] == ["p", "i", "p"]
    assert page.find("#text") == []
    assert page.find("table") == []


def test_attributes() -> None:
    page = make_page(
        el("a"), el("input", attributes={"value": "x", ":value": "now", "id": ""}), el("b")
    )

    assert page[1].attributes == page[3].attributes == {}
    assert page[2].attributes == {"value": "x", ":value": "now", "id": ""}
    assert page.attribute(2, "id") == ""
    assert page.attribute(2, "value") == "x"
    assert page.attribute(2, "class") is None
    assert page[2].value == "now"
    assert page[1].value is None


def test_the_value_in_the_markup_where_there_is_no_current_one() -> None:
    assert make_page(el("option", attributes={"value": "x"}))[1].value == "x"


def test_style() -> None:
    node = make_page(
        el(
            "p",
            display=Display.GRID,
            position=Position.STICKY,
            float=Float.RIGHT,
            font_size=13.5,
            font_weight=600,
            italic=True,
            color=0x11223344,
            background=0xFFEEDDFF,
            own_background=0,
            background_image=True,
            decoration=Decoration.UNDERLINE | Decoration.LINE_THROUGH,
            align=Align.CENTER,
            opacity=0.5,
            border=(1, 2, 3, 4),
            font_family=-1,
            sheet=3,
            paint=7,
        )
    )[1]
    style = node.style

    assert style.display is Display.GRID
    assert style.position is Position.STICKY
    assert style.floats is Float.RIGHT
    assert (style.font_size, style.font_weight, style.italic, style.bold) == (13.5, 600, True, True)
    assert style.font_family == ""
    assert (style.color, style.background, style.own_background) == (
        "#11223344",
        "#ffeedd",
        "#00000000",
    )
    assert style.has_background_image
    assert style.decoration == Decoration.UNDERLINE | Decoration.LINE_THROUGH
    assert style.align is Align.CENTER
    assert style.opacity == 0.5
    assert style.border == (1, 2, 3, 4)
    assert (node.sheet, node.paint_order) == (3, 7)


def test_boxes() -> None:
    box = make_page(el("p", box=(1, 2, 30, 40)))[1].box

    assert box == Box(1, 2, 30, 40)
    assert (box.right, box.bottom) == (31, 42)
    assert box.intersection(Box(11, 12, 100, 5)) == Box(11, 12, 20, 5)
    assert box.intersection(Box(31, 2, 5, 5)) is None


def test_visible() -> None:
    page = make_page(el("p", "a", visibility=Visibility.CLIPPED), el("p", "b"))

    assert page[1].visibility is Visibility.CLIPPED
    assert not page[1].visible
    assert page[3].visible
    assert page.visible.tolist() == [True, False, True, True, True]


def test_columns_cannot_be_written() -> None:
    page = Page.from_bytes(make_page(el("p", "a", attributes={"id": "x"})).to_bytes())
    for one in (page, make_page(el("p", "a"))):
        for array in one.columns.values():
            assert not array.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            one.columns["box"][0] = 1


def test_columns_are_copied() -> None:
    parents = [-1, 0]
    page = Page({"parent": parents, "name": [0, 0]}, ["p"], INFO)
    parents[1] = 7
    assert page.columns["parent"].tolist() == [-1, 0]


def test_what_is_not_given_has_a_default() -> None:
    page = Page({"parent": [-1]}, [], INFO)

    assert page[0].style.opacity == 1
    assert page[0].style.color == "#000000"
    assert page[0].style.background == "#ffffff"
    assert page[0].attributes == {}
    assert page[0].text == ""
    assert page[0].visible
    assert page.end.tolist() == [1]


def test_runs_are_the_visible_lines_below_a_node() -> None:
    runs = {
        "run_node": [2, 2, 4, 6],
        "run_box": [(0, y, 50, 10) for y in (0, 10, 20, 30)],
        "run_text": [0, 0, 0, 0],
    }
    page = make_page(
        el("p", "x"), el("p", text("x", visibility=Visibility.HIDDEN)), el("p", "x"), runs=runs
    )
    first = page.strings[0]

    assert page[1].runs == [Run(first, Box(0, 0, 50, 10)), Run(first, Box(0, 10, 50, 10))]
    assert page[3].runs == []
    assert [run.box.y for run in page.root.runs] == [0, 10, 30]


def test_a_page_with_notes_is_not_complete() -> None:
    info = PageInfo(
        renderer="x", renderer_version="1", size=(1280, 99.6), notes=(Note("missing", "a.css"),)
    )
    page = make_page(el("p"), info=info)

    assert not page.complete
    assert make_page(el("p")).complete
    assert repr(page) == "<Page 2 nodes, 1280 x 100>"
    assert repr(page[1]) == "<Node 1 /p>"


@pytest.mark.parametrize(
    ("tag", "attributes", "target"),
    [
        ("a", {"href": "cup.html"}, "https://tea.example/shop/cup.html"),
        ("a", {"href": " /cup\n"}, "https://tea.example/cup"),
        ("a", {"href": "//other.example/x"}, "https://other.example/x"),
        ("a", {"href": "?q=1#top"}, "https://tea.example/shop/green.html?q=1#top"),
        ("a", {"href": ""}, "https://tea.example/shop/green.html"),
        ("a", {"href": "mailto:a@b.example"}, "mailto:a@b.example"),
        ("a", {"href": "javascript:void(0)"}, "javascript:void(0)"),
        ("a", {"href": "http://["}, "http://["),
        ("a", {}, None),
        ("p", {"href": "x"}, None),
        ("img", {"src": "a.png", ":src": "https://cdn.example/a@2x.png"}, "https://cdn.example/a@2x.png"),
        ("img", {"src": "a.png", ":src": ""}, "https://tea.example/shop/a.png"),
        ("form", {"action": "find"}, "https://tea.example/shop/find"),
        ("object", {"data": "a.pdf"}, "https://tea.example/shop/a.pdf"),
    ],
)  # fmt: skip
def test_target(tag: str, attributes: dict[str, str], target: str | None) -> None:
    assert make_page(el(tag, attributes=attributes))[1].target == target


@pytest.mark.parametrize(
    ("base", "target"),
    [
        ("/b/", "https://tea.example/b/x"),
        ("https://other.example", "https://other.example/x"),
        ("http://[", "https://tea.example/shop/x"),
        ("", "https://tea.example/shop/x"),
    ],
)
def test_the_base_of_addresses(base: str, target: str) -> None:
    page = make_page(
        el("base", attributes={"target": "_blank"}),
        el("base", attributes={"href": base}),
        el("base", attributes={"href": "/second/"} if base else {}),
        el("a", attributes={"href": "x"}),
    )
    assert page[4].target == target


def test_a_page_without_an_address_keeps_relative_ones() -> None:
    info = PageInfo(renderer="x", renderer_version="1")
    assert make_page(el("a", attributes={"href": "b/../x"}), info=info)[1].target == "b/../x"


def test_a_frame_s_base_is_not_the_page_s() -> None:
    page = make_page(
        el("iframe", document(el("base", attributes={"href": "https://ads.example/"}))),
        el("a", attributes={"href": "x"}),
    )
    assert page[4].target == "https://tea.example/shop/x"


def test_generated_content_is_not_text_of_the_document() -> None:
    page = make_page(el("q", pseudo("::before", "«"), "word"))

    assert page[2].own_text == "«"
    assert page[2].kind is NodeKind.PSEUDO
    assert page[1].text == "word"


def test_wide_numbers_fit() -> None:
    page = make_page(el("p", color=0xFFFFFFFF, box=(-1e9, 1e9, 1e9, 0.1)))
    assert page[1].style.color == "#ffffff"
    assert math.isclose(page[1].box.height, 0.1, rel_tol=1e-6)
