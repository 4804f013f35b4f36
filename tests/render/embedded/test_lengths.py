"""Lengths that are computed from percentages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.render.embedded.lengths import USUAL_WIDTH, without_percentages


@pytest.mark.parametrize(
    ("css", "plain"),
    [
        ("calc(100% / 4)", "25%"),
        ("calc((100% - 96px) / 2)", "45%"),
        ("calc(100% - 2 * 48px)", "90%"),
        ("calc(100% - (2px + 94px))", "90%"),
        ("calc(3 * 10% + 6rem)", "40%"),
        ("calc(-1 * (50% - 0px))", "-50%"),
        ("calc(100% - var(--gap, 3px))", "98.3333%"),
        ("min(100% - 2rem, 70rem)", "1120px"),
        ("min(100%, 2000px)", "100%"),
        ("max(30%, 500px)", "500px"),
        ("clamp(100px, 50%, 900px)", "50%"),
        ("clamp(100px, 50%, 300px)", "300px"),
        ("MIN(100%, 4px)", "4px"),
        ("min(100%, var(--width))", "100%"),
        ("max(50%, 10px, 3px + var(--x))", "50%"),
        ("clamp(1px, 50%, var(--x))", "clamp(1px, 50%, var(--x))"),
        ("calc(1px + 2em)", "calc(1px + 2em)"),
        ("calc(50% * var(--n))", "calc(50% * var(--n))"),
        ("calc(50% / 0)", "calc(50% / 0)"),
        ("calc(50% + 3apples)", "calc(50% + 3apples)"),
        ("font-size:calc(100% + 2px)", "font-size:calc(100% + 2px)"),
        ("minmax(0%, 1fr)", "minmax(0%, 1fr)"),
    ],
)
def test_lengths_without_percentages(css: str, plain: str) -> None:
    assert without_percentages(css) == plain


@given(st.integers(0, 100), st.integers(-200, 200), st.integers(1, 9))
def test_a_box_of_usual_width_is_as_wide_as_it_should(percent: int, px: int, by: int) -> None:
    css = without_percentages(f"calc(({percent}% + {px}px) * {by} / 3)".replace("+ -", "- "))
    exact = (percent / 100 * USUAL_WIDTH + px) * by / 3

    value, unit = (css[:-1], css[-1]) if css.endswith("%") else (css[:-2], "px")
    assert percent == 0 or unit == "%"
    found = float(value) / 100 * USUAL_WIDTH if unit == "%" else float(value)
    assert found == pytest.approx(exact, abs=0.01)


@given(st.text(alphabet="calcminx(0%)+-*/, px1.", max_size=60))
def test_any_length_comes_to_an_end(css: str) -> None:
    without_percentages(f"calc({css})")


def test_no_expression_is_too_long() -> None:
    css = f"width:calc({'-' * 5000}1%)"
    assert without_percentages(css) == "width:1%"
    assert without_percentages(f"width:calc({'(' * 5000}1%") == f"width:calc({'(' * 5000}1%"
