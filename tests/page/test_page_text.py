from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pagesight.page import Display, Float, Page, Position, Visibility
from small_pages import El, document, el, make_page, shadow, text

HIDDEN: dict[str, Any] = {"visibility": Visibility.HIDDEN}
COLLAPSED: dict[str, Any] = {"visibility": Visibility.ZERO_SIZE}
UNRENDERED: dict[str, Any] = {"visibility": Visibility.NOT_RENDERED, "display": Display.NONE}


@pytest.mark.parametrize(
    ("content", "seen"),
    [
        ([el("p", "one"), el("p", "two")], "one\ntwo"),
        ([el("p", "  a \n\t b\u00a0 c ")], "a b c"),
        ([el("p", "one ", el("b", "two"), " three")], "one two three"),
        ([el("p", el("b", "T"), "ea")], "Tea"),
        ([el("p", el("b", "a"), text(" ", **COLLAPSED), el("b", "c"))], "a c"),
        ([el("p", el("b", "a"), " ", el("b", "c"))], "a c"),
        ([el("p", "a", el("br"), "b", el("br"), el("br"), "c")], "a\nb\nc"),
        ([el("p", "a ", el("br", **UNRENDERED), "b")], "a b"),
        ([el("p", "a", el("span", el("br")), "b")], "a\nb"),
        ([el("div", "a", el("p", "b"), "c")], "a\nb\nc"),
        ([el("div", "a", el("p", el("img")), "c")], "a\nc"),
        ([el("div", "a", el("p"), "c")], "a\nc"),
        ([el("div", "a", el("p", **UNRENDERED), "c")], "ac"),
        ([el("div", "a", el("img", display=Display.BLOCK, float=Float.LEFT), "c")], "ac"),
        ([el("div", "a", el("i", display=Display.BLOCK, position=Position.ABSOLUTE), "c")], "ac"),
        ([el("div", "a", el("span", el("div", "b")), "c")], "a\nb\nc"),
        ([el("div", el("div", el("div", "a"))), el("div", "b")], "a\nb"),
        ([el("p", "a", el("i", text("no", **HIDDEN)), "b")], "ab"),
        ([el("p", text("tiny", **COLLAPSED))], ""),
        ([el("p", text("none", **UNRENDERED), "some")], "some"),
        ([el("p", el("b", "a", display=Display.INLINE_BLOCK), el("b", "c"))], "ac"),
        ([el("td", "a", display=Display.TABLE_CELL), el("td", "b")], "a\nb"),
        ([el("div", "a", el("x", "b", display=Display.CONTENTS), "c")], "abc"),
        ([el("div", shadow(el("p", "in"), "side")), el("p", "after")], "in\nside\nafter"),
        ([el("p", "a", el("iframe", document(el("p", "b"))), "c")], "a\nb\nc"),
        ([], ""),
    ],
)  # fmt: skip
def test_text(content: list[El], seen: str) -> None:
    page = make_page(el("body", *content))
    assert page.root.text == page[1].text == seen


def test_text_of_one_node() -> None:
    page = make_page(el("div", "a ", el("b", "c"), el("p", "d")))

    assert page[1].text == "a c\nd"
    assert page[2].text == "a"
    assert page[3].text == "c"
    assert page[5].text == "d"


@pytest.mark.browser
@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<style>a { margin-left: 20px }</style><a>Home</a><a>News</a>", "Home News"),
        ("<p>H<sub>2</sub>O, <b>bo</b>ld</p>", "H2O, bold"),
        ("<p style='letter-spacing: 1px'><b>w</b><i>o</i>rd</p>", "word"),
        ("<style>b::after { content: ' > ' }</style><b>one</b><b>two</b>", "one two"),
        ("<p>Use <code style='padding: 5px'>name</code>, please", "Use name, please"),
        ("<p>one<img width=30 height=10>two</p>", "one two"),
        ("<p style='width: 2em'>wide<wbr><b>word</b></p>", "wideword"),
        ("<div dir=rtl><a style='margin: 9px'>אב</a><a style='margin: 9px'>גד</a></div>", "אב גד"),
    ],
)
def test_words_that_are_set_apart(html: str, text: str, see: Callable[[str], Page]) -> None:
    assert see("<!doctype html>" + html).root.text == text


def test_words_and_characters_are_counted_by_string() -> None:
    page = make_page(el("p", " green  tea\n"), el("p", text("hidden", **UNRENDERED)), el("p", "  "))
    words, characters = page.text_sizes
    sizes = zip(page.strings, words.tolist(), characters.tolist(), strict=False)
    assert {string: size for string, *size in sizes if any(size)} == {" green  tea\n": [2, 8]}
    assert (words[-1], characters[-1]) == (0, 0)
