from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from pagesight.page import Page
from pagesight.segment.selectors import SelectorError, elements_of

PAGE = """<!doctype html><ul id=menu><li class="a b">one<li class=a>two<li title="x y">three</ul>
<div><p>first<p class=a>second</p><span>third</span></div><div><p>fourth</div>"""


@pytest.mark.parametrize(
    ("selector", "texts"),
    [
        ("li", "one two three"),
        ("LI", "one two three"),
        ("#menu > .a", "one two"),
        (".a.b", "one"),
        ("li:not(.b)", "two three"),
        ("li:nth-child(2)", "two"),
        ("li:nth-child(n+2)", "two three"),
        ("li:not(:nth-child(2))", "one three"),
        ("li:first-child, p:first-child", "one first fourth"),
        ("p:nth-of-type(2)", "second"),
        ("p + p", "second"),
        ("li + .a", "two"),
        ('[title="x y"]', "three"),
        ("[title='x y']", "three"),
        ("[title]", "three"),
        ("div span", "third"),
        ("ul span", ""),
        ("*.b", "one"),
        ("div div", ""),
        ("div:has(.a)", "first\nsecond\nthird"),
        ("li:has(li), p:has(p)", ""),
    ],
)
def test_what_a_selector_matches(lay_out: Callable[[str], Page], selector: str, texts: str) -> None:
    page = lay_out(PAGE)
    found = elements_of(page).select(selector).tolist()
    assert " ".join(page.text(node) for node in found) == texts


def test_a_selector_begins_in_the_element_that_it_is_relative_to(
    lay_out: Callable[[str], Page],
) -> None:
    page = lay_out(PAGE)
    elements = elements_of(page)
    first = elements.select("div")[:1]
    assert [page.text(node) for node in elements.select("p", first)] == ["first", "second"]
    assert elements.select("div", first).tolist() == first.tolist()  # as parsel has it
    assert elements.select("ul p", first).tolist() == []
    assert [page.text(node) for node in elements.select(":scope + div p", first)] == ["fourth"]
    assert elements.select(":scope", np.array([0])).tolist() == []


@pytest.mark.parametrize(
    "selector", ["", "a >", "> a", "a,,b", "a:has(b c)", "a:is(b)", ":not(a b)", "a[b", "2"]
)
def test_what_is_not_understood_is_an_error(lay_out: Callable[[str], Page], selector: str) -> None:
    with pytest.raises(SelectorError):
        elements_of(lay_out(PAGE)).select(selector)
