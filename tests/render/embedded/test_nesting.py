"""Rules in rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.markup.nesting import DEEPEST_BLOCKS, DEEPEST_RULES
from pagesight.render.embedded.nesting import LONGEST_SELECTOR, flattened


@pytest.mark.parametrize(
    ("css", "flat"),
    [
        (".a{x:1;& b{y:2}z:3}", ".a{x:1;}.a b{y:2;}.a{z:3;}"),
        (".a{b{x:1}}", ".a b{x:1;}"),
        (".a{&:hover,.c &{x:1}}", ".a:hover,.c .a{x:1;}"),
        (".a,.b{> c{x:1}}", ".a > c,.b > c{x:1;}"),
        (".a{b{c{x:1}}}", ".a b c{x:1;}"),
        ('.a{&:is(b,c),[d="e,f"]{x:1}}', '.a:is(b,c),.a [d="e,f"]{x:1;}'),
        (".a{@media (min-width:9px){x:1;b{y:2}}}", "@media (min-width:9px){.a{x:1;}.a b{y:2;}}"),
        ("@media x{.a{b{y:2}}}", "@media x{.a b{y:2;}}"),
        ("@import 'x';.a{b{y:2}}", "@import 'x';.a b{y:2;}"),
        (".a{b{y:2}}@font-face{src:url(x)}", ".a b{y:2;}@font-face{src:url(x)}"),
        (".a{b{y:2}}@keyframes k{to{x:1}}c{z:3}", ".a b{y:2;}@keyframes k{to{x:1}}c{z:3;}"),
        (".a{x:'{';b{y:url(a;b)}}", ".a{x:'{';}.a b{y:url(a;b);}"),
        (".a{/* { */b{y:2}}", ".a b{y:2;}"),
        (".a{b{y:2", ".a b{y:2;}"),
    ],
)
def test_rules_one_after_the_other(css: str, flat: str) -> None:
    assert flattened(css) == flat


@pytest.mark.parametrize(
    "css",
    ["", "color:red", ".a{x:1}@media x{.b{y:2}}", "@keyframes k{from{a:b}to{c:d}}.a{x:1}",
     "@media x{@supports y{.a{x:1}}}"],
)  # fmt: skip
def test_what_is_flat_stays_as_it_is(css: str) -> None:
    assert flattened(css) is css


def test_selectors_do_not_grow_for_ever() -> None:
    assert len(flattened("a,b{" * 40 + "x:1")) < 10 * LONGEST_SELECTOR
    assert len(flattened("a{" + "&&&{x:1;" * 40)) < 10 * LONGEST_SELECTOR
    assert flattened("a{" * 5000 + "x:1").count("{") <= DEEPEST_RULES


def test_groups_in_groups_are_read_to_their_end() -> None:
    assert flattened("@media screen{" * 5000 + "a{b{x:1}}").count("{") <= DEEPEST_BLOCKS


@given(st.text(alphabet="a&{};@:,()'/*[]", max_size=60))
def test_any_stylesheet_comes_to_an_end(css: str) -> None:
    flattened(f".a{{b{{{css}")
