"""The trees of the parser."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from pagesight.markup.attributes import LONGEST_DATA_ADDRESS, shorten
from pagesight.markup.tree import (
    children,
    elements,
    elements_and_comments,
    is_stylesheet,
    lost_newline,
)


def test_elements_are_in_document_order_with_their_parents() -> None:
    tree = elements(LexborHTMLParser("<ul><li>a<b>c</b><li>d</ul><p>"))
    names = [(element.name, element.parent) for element in tree]
    assert names == [
        ("html", -1), ("head", 0), ("body", 0), ("ul", 2), ("li", 3), ("b", 4), ("li", 3), ("p", 2),
    ]  # fmt: skip


def test_comments_have_the_element_that_they_are_in() -> None:
    tree, comments = elements_and_comments(LexborHTMLParser("<p>a<!--b--><i><!--c--></i></p>"))
    assert [(text, tree[parent].name) for text, parent in comments] == [("b", "p"), ("c", "i")]


def test_children_are_all_nodes() -> None:
    node = LexborHTMLParser("<p>a<b>c</b><!--d-->e</p>").css_first("p")
    assert len(children(node)) == 4
    assert children(LexborHTMLParser("<p></p>").css_first("p")) == []


@pytest.mark.parametrize(
    ("html", "newline"),
    [
        ("<pre>\n\nx</pre>", "\n"),
        ("<pre>\nx</pre>", ""),  # the parser ate it
        ("<textarea>\n\nx</textarea>", "\n"),
        ("<p>\n\nx</p>", ""),
        ("<pre></pre>", ""),
    ],
)
def test_the_newline_that_parsers_eat_is_written_again(html: str, newline: str) -> None:
    (node,) = LexborHTMLParser(html).css("pre, textarea, p")
    assert lost_newline(node) == newline
    written = f"<{node.tag}>{newline}{node.text()}</{node.tag}>"
    (again,) = LexborHTMLParser(written).css("pre, textarea, p")
    assert again.text() == node.text()


def test_other_elements_may_be_written_as_such_that_eat_a_newline() -> None:
    node = LexborHTMLParser("<xmp>\nx</xmp>").css_first("xmp")
    assert (lost_newline(node), lost_newline(node, frozenset({"xmp"}))) == ("", "\n")


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ({"rel": "stylesheet"}, True),
        ({"rel": "StyleSheet preload"}, True),
        ({"rel": "alternate stylesheet"}, True),  # without a title there is nothing to choose
        ({"rel": "alternate stylesheet", "title": "Dark"}, False),
        ({"rel": "stylesheet", "title": "Light"}, True),
        ({"rel": "stylesheet", "disabled": None}, False),
        ({"rel": "stylesheet/less"}, False),
        ({"rel": None}, False),
        ({}, False),
    ],
)
def test_a_link_to_a_stylesheet(attributes: dict[str, str | None], expected: bool) -> None:
    assert is_stylesheet(attributes) is expected


@given(st.text(max_size=300))
def test_only_long_data_addresses_are_shortened(value: str) -> None:
    assert shorten(value) == value or value.lower().startswith("data:")
    long = f"data:image/png;base64,{'A' * LONGEST_DATA_ADDRESS}{value}"
    assert shorten(long) == "data:image/png;base64,…"
