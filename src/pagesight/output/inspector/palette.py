"""Colours of boxes: dark enough for white letters, and to be told apart on a page."""

from __future__ import annotations

from collections.abc import Iterable

INDIGO, BLUE, TEAL, GREEN, AMBER, RED = (
    "#4f46d8", "#0b74b8", "#0b7d83", "#1a7f4b", "#a85b00", "#cf2e3f",
)  # fmt: skip
PINK, VIOLET, SLATE, OLIVE, BROWN, PLUM = (
    "#c02672", "#8035d0", "#5b6677", "#687a00", "#8d5336", "#97309c",
)  # fmt: skip

PALETTE = (INDIGO, GREEN, AMBER, PINK, BLUE, VIOLET, TEAL, RED, OLIVE, PLUM, BROWN, SLATE)
LEVELS = (SLATE, INDIGO, BLUE, TEAL, GREEN, AMBER, RED, PINK, VIOLET)
"""By nesting, for marks without labels; deeper ones begin again after the first."""

_USUAL = {
    "header": INDIGO,
    "navigation": BLUE,
    "main": GREEN,
    "aside": AMBER,
    "footer": SLATE,
    "list": VIOLET,
    "form": TEAL,
    "advert": RED,
    "media": PINK,
    "title": INDIGO,
    "author": GREEN,
    "affiliation": AMBER,
    "late affiliation": AMBER,
    "last affiliation": AMBER,
    "abstract heading": TEAL,
    "abstract": BLUE,
    "keywords": OLIVE,
    "dates": SLATE,
    "correspondence": BROWN,
    "reference heading": PLUM,
    "reference": VIOLET,
    "citing": RED,
}


def label_colors(labels: Iterable[str]) -> dict[str, str]:
    """A colour for each label: the usual one, or the next of the palette that is free."""
    wanted = [label for label in dict.fromkeys(labels) if label]
    colors = {label: _USUAL[label] for label in wanted if label in _USUAL}
    free = [color for color in PALETTE if color not in colors.values()] or list(PALETTE)
    others = [label for label in wanted if label not in _USUAL]
    return colors | {label: free[i % len(free)] for i, label in enumerate(others)}


def level_color(level: int) -> str:
    """The colour of a level, 0 for the outermost."""
    return LEVELS[level if level < 1 else (level - 1) % (len(LEVELS) - 1) + 1]
