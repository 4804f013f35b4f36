"""Colours in newer notations."""

from __future__ import annotations

import pytest

from pagesight.render.embedded.colors import known_colors


@pytest.mark.parametrize(
    ("css", "known"),
    [
        ("oklch(62.8% 0.25768 29.234)", "rgba(255, 0, 0, 1)"),
        ("oklch(0.628 64.42% 0.08121turn)", "rgba(255, 0, 0, 1)"),
        ("oklab(0.51975 -0.1403 0.10768)", "rgba(0, 128, 0, 1)"),
        ("lab(54.29% 80.805 69.891)", "rgba(255, 0, 0, 1)"),
        ("lch(29.57% 131.2 301.36 / 50%)", "rgba(0, 0, 255, 0.5)"),
        ("oklch(1 none none)", "rgba(255, 255, 255, 1)"),
        ("lab(0 0 0 / .25)", "rgba(0, 0, 0, 0.25)"),
        ("oklch(var(--a) / 1)", "oklch(var(--a) / 1)"),
        ("light-dark(rgb(1, 2, 3), black)", "rgb(1, 2, 3)"),
        ("color-mix(in srgb, red, blue)", "red"),
        ("color-mix(in srgb, red 20%, blue)", "blue"),
        ("color-mix(in srgb, red, rgb(1, 2, 3) 80%)", "rgb(1, 2, 3)"),
        ("color-mix(in oklab, var(--a) 10%, transparent)", "var(--a)"),
        ("color-mix(in oklab, transparent, #123)", "#123"),
        ("color-mix(in lch, oklch(0 0 0), white)", "rgba(0, 0, 0, 1)"),
        (".lab(1) red", ".lab(1) red"),
    ],
)
def test_colors(css: str, known: str) -> None:
    assert known_colors(css) == known


@pytest.mark.parametrize(
    "color",
    ["lab(1e999 0 0)", "oklch(0.5 1e999 30)", "oklch(0.5 0.1 1e999)", "oklab(1e300 -1e300 0)",
     "lab(50 1e200 -1e200)", "oklch(0.5 0.1 30 / 1e999)"],
)  # fmt: skip
def test_no_number_is_too_large(color: str) -> None:
    red, green, blue, _ = known_colors(color).removeprefix("rgba(").rstrip(")").split(", ")
    assert {red, green, blue} <= {str(channel) for channel in range(256)}


@pytest.mark.parametrize("color", ["rgb(NaN 0 0)", "lab(NaN 0 0)", "color-mix(in lab, red 1.2.3%)"])
def test_what_is_no_number_stays(color: str) -> None:
    assert known_colors(color) == color
