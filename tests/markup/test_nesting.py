"""Rules nested more deeply than any browser can take."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.markup.nesting import DEEPEST_BLOCKS, DEEPEST_RULES, limited, limited_styles


def nested(opening: str, depth: int, inner: str = "x:1") -> str:
    return opening * depth + inner + "}" * depth


@pytest.mark.parametrize(
    "sheet",
    [
        "",
        "a{x:1}" * 50,
        nested("a{", DEEPEST_RULES),
        nested("@media screen{", DEEPEST_BLOCKS - 1, "a{x:1}"),
        "@layer b{" + nested("a{", DEEPEST_RULES) + "}",
        nested("a{", DEEPEST_RULES) * 3,
        "a{x:'" + "{" * 40 + "'}",
        "/*" + "{" * 40 + "*/",
    ],
)
def test_what_real_pages_have_stays_as_it_is(sheet: str) -> None:
    assert limited(sheet) is sheet


@pytest.mark.parametrize(
    ("sheet", "left"),
    [
        (nested("a{", DEEPEST_RULES + 2), nested("a{", DEEPEST_RULES, "")),
        (nested("@media x{", 90), nested("@media x{", DEEPEST_BLOCKS, "")),
        (
            nested("a{", DEEPEST_RULES, "x:1;" + nested("b{", 3) + "y:2;c{z:3}"),
            nested("a{", DEEPEST_RULES, "x:1;y:2;"),
        ),
        (nested("a{", 99) + "b{x:1}", nested("a{", DEEPEST_RULES, "") + "b{x:1}"),
        ("}}}" + nested("a{", 99), "}}}" + nested("a{", DEEPEST_RULES, "")),
        ("a{" * 99 + "x:1", "a{" * DEEPEST_RULES),
        ("a{x:'}}}'}" + nested("a{", 99), "a{x:'}}}'}" + nested("a{", DEEPEST_RULES, "")),
    ],
)
def test_what_is_nested_too_deeply_goes(sheet: str, left: str) -> None:
    assert limited(sheet) == left
    assert limited(left) is left


@given(st.text(alphabet="a@{};:'/*", max_size=200))
def test_rules_of_any_stylesheet_are_within_the_limit(sheet: str) -> None:
    shallow = limited("b{" * (DEEPEST_RULES - 2) + sheet)
    assert limited(shallow) == shallow


def test_style_elements_of_a_document_are_limited() -> None:
    deep, shallow = nested("a{", 99), nested("a{", DEEPEST_RULES, "")
    html = "<p>a{{{</p><style>{}</style><STYLE media=all>{}</STYLE><p>b"
    html = html.replace("{}", "%s") % (deep, "b{x:1}")
    assert limited_styles(html) == html.replace(deep, shallow)
    assert limited_styles(f"<style>{deep}") == f"<style>{shallow}"
    assert limited_styles("<p>" + deep) == "<p>" + deep


@pytest.mark.parametrize(
    "part",
    ["{", "a{", "<style>", "<style", "a{b{", "}", "@media{", "a{'", "x", "x;", ";", " ", "'"],
)
@pytest.mark.parametrize("before", ["", "a{x:", "a{", "a{b{x:1}}c{", "a{" * 20])
def test_time_grows_with_the_length_only(part: str, before: str) -> None:
    began = time.process_time()
    limited_styles("<style>" + "p{x:1}" * 20 + before + part * (300_000 // len(part)))
    assert time.process_time() - began < 5
