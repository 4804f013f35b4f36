"""The display of elements, as far as their boxes show it."""

from __future__ import annotations

import numpy as np
import pytest

from pagesight.page import Display, NodeKind
from pagesight.render import AnyRenderer
from pagesight.render.embedded.display import displays, usual_displays
from pagesight.sources import load


def display(tag: str, width: float, text_width: float, above: float, *, shown: bool = True) -> int:
    """The display of an element in a body of the width `above`."""
    columns = {
        "parent": np.array([-1, 0]),
        "kind": np.array([NodeKind.ELEMENT, NodeKind.ELEMENT]),
        "box": np.array([[0, 0, above, 10], [0, 0, width, 10]], dtype=np.float32),
        "font_size": np.array([16.0, 16.0]),
    }
    rendered = np.array([True, shown])
    none, widths = np.zeros(2, dtype=np.bool_), np.array([0.0, text_width])
    return int(displays(usual_displays(["body", tag]), none, columns, rendered, widths, none)[1])


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("div", Display.BLOCK),
        ("h3", Display.BLOCK),
        ("span", Display.INLINE),
        ("x-y", Display.INLINE),
        ("li", Display.LIST_ITEM),
        ("table", Display.TABLE),
        ("th", Display.TABLE_CELL),
        ("thead", Display.TABLE_GROUP),
        ("button", Display.INLINE_BLOCK),
    ],
)
def test_a_tag_has_the_display_of_its_kind(tag: str, expected: Display) -> None:
    assert display(tag, 50, 40, 1000) == expected


@pytest.mark.parametrize(
    ("width", "text", "above", "expected"),
    [
        (1000, 50, 1000, Display.BLOCK),
        (950, 50, 1000, Display.BLOCK),
        (800, 50, 1000, Display.INLINE),
        (1000, 990, 1000, Display.INLINE),
        (0, 0, 0, Display.INLINE),
    ],
)
def test_an_inline_element_that_is_stretched_is_a_block(
    width: float, text: float, above: float, expected: Display
) -> None:
    assert display("a", width, text, above) == expected


def test_what_is_not_rendered_has_none() -> None:
    assert display("div", 0, 0, 1000, shown=False) == Display.NONE


def test_links_in_a_menu_that_are_blocks(embedded: AnyRenderer) -> None:
    page = embedded.render(
        load(
            b"<!doctype html><ul><li><a href=x style='display:block'>tea</a>"
            b"<li><a href=y>coffee</a><li style='display:none'>milk</ul>"
        )
    )

    assert [node.style.display for node in page.find("a")] == [Display.BLOCK, Display.INLINE]
    assert [node.style.display for node in page.find("li")] == [
        Display.LIST_ITEM, Display.LIST_ITEM, Display.NONE,
    ]  # fmt: skip
