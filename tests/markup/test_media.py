"""Media queries and `@supports`, judged as Chromium judges them."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pagesight.markup.media import Screen, import_holds, matches, supports
from pagesight.page import Page
from pagesight.render import AnyRenderer
from pagesight.sources import load

# On a screen of 1280 by 800 pixels
QUERIES = {
    "": True, "all": True, "screen": True, "print": False, "only screen": True, "not print": True,
    "not screen": False, "tty, screen": True, "tty, print": False, "SCREEN": True,
    "nonsense": False, "(": False, ")": False, "screen and (min-width:768px))": False,
    "(min-width: 500px)": True, "(max-width: 500px)": False, "(min-width: 1280px)": True,
    "(max-width: 1279.5px)": False, "(min-width: 80em)": True, "(min-width: 80.1rem)": False,
    "(min-width: 0)": True, "(min-width: 500)": False, "(min-width: 5furlongs)": False,
    "(min-width: 10cm) and (max-width: 10in)": False, "(min-width)": False, "(width)": True,
    "(height: 800px)": True, "(min-height: 801px)": False, "(min-device-width: 100px)": True,
    "(width >= 600px)": True, "(width < 1280px)": False, "(1280px = width)": True,
    "(400px <= width <= 5000px)": True, "(400px > width)": False, "(300px < width < 400px)": False,
    "(orientation: landscape)": True, "(orientation: portrait)": False, "(orientation)": True,
    "(min-aspect-ratio: 1/1)": True, "(aspect-ratio: 8/5)": True, "(max-aspect-ratio: 4/3)": False,
    "(min-resolution: 1dppx)": True, "(min-resolution: 192dpi)": False, "(resolution: 1x)": True,
    "(-webkit-min-device-pixel-ratio: 1.5)": False, "(-webkit-transform-3d)": True,
    "(min--moz-device-pixel-ratio: 0)": False, "(min-device-pixel-ratio: 0)": False,
    "(prefers-color-scheme: light)": True, "(prefers-color-scheme: dark)": False,
    "(prefers-color-scheme)": True, "(prefers-reduced-motion)": False,
    "(prefers-reduced-motion: no-preference)": True, "(hover)": True, "(hover: none)": False,
    "(any-pointer: fine)": True, "(pointer: coarse)": False, "(scripting: none)": True,
    "(forced-colors: active)": False, "(display-mode: browser)": True, "(color)": True,
    "(min-color: 8)": True, "(monochrome)": False, "(monochrome: 0)": True, "(grid)": False,
    "(grid: 0)": True, "(unheard-of)": False, "not (unheard-of)": False,
    "not all and (unheard-of)": False, "(unheard-of) or (hover)": True, "(hover) or (print)": True,
    "screen and (hover) and (min-width: 1px)": True, "not screen and (hover: none)": True,
    "(not (hover))": False, "not (hover: none)": True, "screen and(hover)": False,
    "((hover) and (width > 3px)) or (max-width: 1px)": True, "only (hover)": False,
    "screen and (not (hover: none))": True, "/* all */ print": False, "screen and": False,
    "(hover)and (hover)": True, "screen and (min-width: 0\\0)": False,
}  # fmt: skip
CONDITIONS = {
    "(display: flex)": True, "not (display: flex)": False, "(not (display: flex))": False,
    "(-moz-appearance: none)": False, "not (-moz-appearance: none)": True,
    "((-o-object-fit: cover) or (object-fit: cover))": True, "(-webkit-hyphens: none)": False,
    "(display: flex) and (-ms-flex: 1)": False, "(display: flex) or (-ms-flex: 1)": True,
    "(-webkit-touch-callout: none)": False, "selector(:has(a))": True,
    "(width: calc(1px + 1px))": True, "(--css: variables)": True,
    "(display: grid) and (not (display: inline-grid))": False,
}  # fmt: skip


@pytest.mark.parametrize(("query", "expected"), QUERIES.items())
def test_a_query_holds(query: str, expected: bool) -> None:
    assert matches(query) is expected


@pytest.mark.parametrize(("condition", "expected"), CONDITIONS.items())
def test_a_condition_is_supported(condition: str, expected: bool) -> None:
    assert supports(condition) is expected


@pytest.mark.browser
def test_chromium_judges_the_same(chromium: AnyRenderer) -> None:
    rules = [f"@media {query}" for query in QUERIES]
    rules += [f"@supports {condition}" for condition in CONDITIONS]
    styles = "".join(
        f"<style>{rule} {{ #p{number} {{ visibility: visible }} }}</style>"
        for number, rule in enumerate(rules)
    )
    texts = "".join(f"<p id=p{number}>x" for number in range(len(rules)))
    html = f"<!doctype html><style>p {{ visibility: hidden }}</style>{styles}{texts}"
    page: Page = chromium.render(load(html.encode()))
    shown = dict(zip(rules, (node.visible for node in page.find("p")), strict=True))
    wanted = dict(zip(rules, (*QUERIES.values(), *CONDITIONS.values()), strict=True))
    assert {rule: shown[rule] for rule in rules if shown[rule] != wanted[rule]} == {}


def test_what_the_screen_is_like_decides() -> None:
    phone = Screen(390, 844)
    assert matches("(max-width: 400px) and (orientation: portrait)", phone)
    assert not matches("(min-aspect-ratio: 1/1)", phone)


@pytest.mark.parametrize(
    ("query", "may"),
    [("", True), ("screen", True), ("print", False), ("not print", True), ("not screen", False),
     ("(max-width: 100px)", True), ("print and (hover)", False), ("not all and (hover)", True),
     ("print, (min-width: 9999px)", True)],
)  # fmt: skip
def test_without_a_screen_what_may_hold_on_one_is_asked(query: str, may: bool) -> None:
    assert matches(query, None) is may


def test_something_more_may_be_lacking() -> None:
    assert supports("(display: grid)")
    assert not supports("(display: grid)", "grid")
    assert supports("(display: grid) or (display: flex)", "grid")


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ("", True), (" screen", True), (" print", False), (" layer", True), (" layer(base)", True),
        (" layer(base) print", False), (" supports(display: flex)", True), ("layered", False),
        (" supports(not (display: flex))", False), (" supports((display: flex))", True),
        (" LAYER(a) SUPPORTS(display: flex) print", False), (" (min-width: 2000px)", False),
    ],
)  # fmt: skip
def test_an_import_holds(conditions: str, expected: bool) -> None:
    assert import_holds(conditions) is expected


FEATURES = st.sampled_from(["(hover)", "(print)", "(width > 1px)", "(width < 1px)"])
EXPRESSIONS = st.recursive(
    FEATURES,
    lambda inner: st.one_of(
        inner.map(lambda one: f"(not {one})"),
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda it: f"({' '.join(it)})"),
    ),
    max_leaves=6,
)


def by_python(expression: str) -> float:
    """The value of an expression by the rules of three-valued logic, with Python's grammar."""
    values = {"(hover)": 1.0, "(print)": 0.5, "(width > 1px)": 1.0, "(width < 1px)": 0.0}

    def value(text: str) -> float:
        if text in values:
            return values[text]
        inner = text[1:-1]
        if inner.startswith("not "):
            return 1 - value(inner[4:])
        depth = 0
        for place, letter in enumerate(inner):
            depth += (letter == "(") - (letter == ")")
            if letter == " " and not depth:
                word = inner[place + 1 :].partition(" ")[0]
                parts = value(inner[:place]), value(inner[place + len(word) + 2 :])
                return min(parts) if word == "and" else max(parts)
        raise AssertionError(text)

    return value(expression)


@given(EXPRESSIONS)
def test_conditions_are_judged_by_three_valued_logic(expression: str) -> None:
    assert matches(expression) == (by_python(expression) == 1)
    assert matches(f"not {expression}") == (by_python(expression) == 0)


@given(st.text(alphabet="()@:<>=andornot 15.px,/*-", max_size=40))
@example("(@.)")
def test_any_text_is_judged(query: str) -> None:
    assert matches(query) in (True, False)
    assert supports(query) in (True, False)
    assert import_holds(query) in (True, False)


@pytest.mark.parametrize(
    "query",
    ["(" * 20_000, "(a:" + " " * 20_000, "1" * 20_000 + "x", "(" * 5000 + ")" * 5000,
     "(a" + " " * 20_000 + "b)", "a," * 20_000, "not " * 20_000, "(width>" + "1" * 20_000 + ")"],
)  # fmt: skip
def test_no_query_takes_long(query: str) -> None:
    start = time.process_time()
    matches(query)
    supports(query)
    assert time.process_time() - start < 5
