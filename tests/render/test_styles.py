from __future__ import annotations

import pytest

from pagesight.page import Align, Decoration, Display, Float, Position
from pagesight.render.chromium import styles
from pagesight.render.chromium.styles import ASKED, PARSERS, Overflow


@pytest.mark.parametrize(
    ("value", "rgba"),
    [
        ("rgb(255, 128, 0)", 0xFF8000FF),
        ("rgba(255, 128, 0, 0)", 0xFF800000),
        ("rgba(0, 0, 0, 0.5)", 0x00000080),
        ("rgba(1, 2, 3, 1e-05)", 0x01020300),
        ("rgb(300, -5, 12.6)", 0xFF000DFF),
        ("color(srgb 1 0.5 0)", 0xFF8000FF),
        ("color(srgb 1 0.5 0 / 0.5)", 0xFF800080),
        ("color(srgb 1.2 -0.1 none)", 0xFF0000FF),
        ("color(display-p3 1 0 0)", 0xFF0000FF),
        ("color(display-p3 0 1 0 / 0.2)", 0x00FF0033),
        ("oklch(1 0 0)", 0xFFFFFFFF),
        ("oklch(0 0 0)", 0x000000FF),
        ("oklch(0.5 0.1 200 / 0.5)", 0x80808080),
        ("oklch(0.5 0.1 none / 0.5)", 0x80808080),
        ("oklab(1 0 0)", 0xFFFFFFFF),
        ("lab(100 0 0)", 0xFFFFFFFF),
        ("lch(50 20 30)", 0x7F7F7FFF),
        ("transparent", 0),
        ("", 0),
    ],
)
def test_color(value: str, rgba: int) -> None:
    assert f"{styles.color(value):08x}" == f"{rgba:08x}"


def test_a_colour_of_another_space_is_some_opaque_colour() -> None:
    assert styles.color("color(xyz-d65 0.9 1 1.1)") & 0xFF == 0xFF


@pytest.mark.parametrize(
    ("value", "widths"),
    [
        ("1px", (1, 1, 1, 1)),
        ("1px 2px", (1, 2, 1, 2)),
        ("1px 2px 3px", (1, 2, 3, 2)),
        ("1px 2px 3px 4px", (1, 2, 3, 4)),
        ("0.5px 1.5e+03px", (0.5, 1500, 0.5, 1500)),
        ("", (0, 0, 0, 0)),
    ],
)
def test_border(value: str, widths: tuple[float, ...]) -> None:
    assert styles.border(value) == widths


@pytest.mark.parametrize(
    "value",
    [
        "rect(0px, 0px, 0px, 0px)",
        "rect(1px, 1px, 1px, 1px)",
        "rect(0px, 1px, 1px, 0px)",
        "inset(50%)",
        "inset(100%)",
        "inset(0px 100% 0px 0px)",
        "inset(0% 0% 99.9% 99.9%)",
        "inset(50% 0px)",
        "inset(60% round 5px)",
        "circle(0px at 50% 50%)",
        "circle(0%)",
        "polygon(0px 0px, 0px 0px, 0px 0px)",
        "polygon(0px 0px, 100% 0px, 50% 0px)",
    ],
)
def test_what_clips_all(value: str) -> None:
    assert styles.clips_all(value)


@pytest.mark.parametrize(
    "value",
    [
        "none",
        "auto",
        "",
        "rect(auto, auto, auto, auto)",
        "rect(0px, 100px, 20px, 0px)",
        "inset(0px)",
        "inset(49%)",
        "inset(50% 0px 0px)",
        "inset(0px 50% 0px 0px)",
        "inset(0px round 50%)",
        "inset(5px 10px 60px 100px)",
        "circle(50%)",
        "polygon(0px 0px, 100% 0px, 50% 100%)",
        "polygon(evenodd, 0px 0px, 100% 0px, 50% 100%)",
        'path("M0 0")',
        'url("#clip")',
        "ellipse(10px 20px)",
    ],
)
def test_what_leaves_something(value: str) -> None:
    assert not styles.clips_all(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("visible", Overflow.SHOWS),
        ("hidden", Overflow.CLIPS),
        ("clip", Overflow.CLIPS),
        ("hidden clip", Overflow.CLIPS),
        ("auto", Overflow.SCROLLS),
        ("scroll", Overflow.SCROLLS),
        ("hidden auto", Overflow.SCROLLS),
        ("scroll hidden", Overflow.SCROLLS),
        ("clip visible", Overflow.SHOWS),
        ("", Overflow.SHOWS),
    ],
)
def test_overflow(value: str, expected: Overflow) -> None:
    assert styles.overflow(value) is expected


@pytest.mark.parametrize(
    ("prop", "value", "parsed"),
    [
        ("display", "inline-flex", Display.INLINE_FLEX),
        ("display", "table-header-group", Display.TABLE_GROUP),
        ("display", "math", Display.INLINE),
        ("display", "something new", Display.OTHER),
        ("position", "absolute", Position.ABSOLUTE),
        ("position", "-webkit-sticky", Position.STATIC),
        ("float", "left", Float.LEFT),
        ("float", "inline-start", Float.NONE),
        ("font-size", "13.5px", 13.5),
        ("font-weight", "700", 700),
        ("font-style", "oblique 10deg", True),
        ("font-style", "normal", False),
        ("background-image", "none", False),
        ("background-image", 'url("a.png")', True),
        ("text-align", "-webkit-center", Align.CENTER),
        ("text-align", "match-parent", Align.START),
        ("text-decoration-line", "none", Decoration.NONE),
        ("text-decoration-line", "underline line-through", 5),
        ("opacity", "0.25", 0.25),
        ("visibility", "visible", False),
        ("visibility", "collapse", True),
    ],
)
def test_parsers(prop: str, value: str, parsed: object) -> None:
    assert PARSERS[prop](value) == parsed


def test_every_property_is_asked_for_once() -> None:
    assert len(ASKED) == len(set(ASKED))
    assert "font-family" in ASKED
