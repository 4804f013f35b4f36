"""The computed styles that a snapshot asks for, and how their values become numbers.

A snapshot lists every distinct value once, so each parser here runs once per distinct value, and
columns are filled by look-up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import IntEnum
from functools import cache

from pagesight.lazy import table
from pagesight.page.style import Align, Decoration, Display, Float, Position


class Overflow(IntEnum):
    """What happens to content that does not fit its box."""

    SHOWS = 0
    CLIPS = 1  # in both directions
    SCROLLS = 2


_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def number(value: str) -> float:
    """The first number of a value, 0 if there is none."""
    match = _NUMBER.search(value)
    return float(match[0]) if match else 0.0


def _display(value: str) -> Display:
    name = table(__package__, "displays.tsv").get(value, value.upper().replace("-", "_"))
    return Display.__members__.get(name, Display.OTHER)


def _align(value: str) -> Align:
    name = value.removeprefix("-webkit-").upper()
    return Align.__members__.get(name, Align.START)


@cache
def color(value: str) -> int:
    """A computed colour as 0xRRGGBBAA."""
    function, _, arguments = value.replace("none", "0").partition("(")
    space, _, rest = arguments.partition(" ")
    parts = [float(part) for part in _NUMBER.findall(rest if function == "color" else arguments)]
    if function in ("rgb", "rgba"):
        red, green, blue = (min(255, max(0, round(part))) for part in parts[:3])
    elif function == "color" and not space.startswith("xyz"):
        red, green, blue = (min(255, max(0, round(part * 255))) for part in parts[:3])
    else:  # oklch() and the like are not converted in computed styles: only lightness is kept
        return _from_lightness(value, parts)
    alpha = round(255 * parts[3]) if len(parts) > 3 else 255
    return red << 24 | green << 16 | blue << 8 | alpha


def _from_lightness(value: str, parts: list[float]) -> int:
    if value in ("", "transparent") or not parts:
        return 0
    scale = 255 if value.startswith("ok") else 2.55
    grey = min(255, max(0, round(parts[0] * scale)))
    alpha = round(255 * parts[3]) if "/" in value and len(parts) > 3 else 255
    return grey << 24 | grey << 16 | grey << 8 | alpha


def border(value: str) -> tuple[float, float, float, float]:
    """`border-width`: one to four lengths, clockwise from the top."""
    return clockwise([float(part) for part in _NUMBER.findall(value)])


def clockwise(given: list[float]) -> tuple[float, float, float, float]:
    """Top, right, bottom and left from one to four numbers."""
    top = given[0] if given else 0.0
    right = given[1] if len(given) > 1 else top
    bottom = given[2] if len(given) > 2 else top
    left = given[3] if len(given) > 3 else right
    return top, right, bottom, left


def decoration(value: str) -> int:
    """`text-decoration-line` as flags."""
    names = value.upper().replace("-", "_").split()
    return int(sum(Decoration.__members__.get(name, 0) for name in names))


def overflow(value: str) -> Overflow:
    """`overflow`: one word, or two for x and y."""
    words = value.split()
    if "auto" in words or "scroll" in words:
        return Overflow.SCROLLS
    return Overflow.CLIPS if words and {"hidden", "clip"}.issuperset(words) else Overflow.SHOWS


def clips_all(value: str) -> bool:
    """Whether a `clip` or `clip-path` leaves nothing to see."""
    if value.startswith("rect("):
        numbers = [float(part) for part in _NUMBER.findall(value)]
        return len(numbers) == 4 and (numbers[1] - numbers[3] <= 1 or numbers[2] - numbers[0] <= 1)
    if value.startswith("inset("):
        sides = value.removeprefix("inset(").rstrip(")").partition(" round ")[0].split()
        shares = [number(side) if side.endswith("%") else 0.0 for side in sides]
        top, right, bottom, left = clockwise(shares)
        return top + bottom >= 99 or left + right >= 99
    if value.startswith("polygon("):
        corners = [corner.split() for corner in value.removeprefix("polygon(").split(",")]
        return any(len({number(corner[axis]) for corner in corners}) == 1 for axis in (0, -1))
    return value.startswith("circle(0")


PARSERS: Mapping[str, Callable[[str], object]] = {
    "display": _display,
    "position": lambda value: Position[value.upper()] if value.isalpha() else Position.STATIC,
    "float": lambda value: Float.__members__.get(value.upper(), Float.NONE),
    "font-size": number,
    "font-weight": lambda value: int(number(value)),
    "font-style": lambda value: value.startswith(("italic", "oblique")),
    "color": color,
    "background-color": color,
    "background-image": lambda value: value != "none",
    "text-align": _align,
    "text-decoration-line": decoration,
    "opacity": number,
    "border-width": border,
    "visibility": lambda value: value != "visible",
    "overflow": overflow,
    "clip": clips_all,
    "clip-path": clips_all,
}
OF_WINDOW = ("direction", "writing-mode")  # what the window takes from the body
ASKED = (*PARSERS, "font-family", *OF_WINDOW)


def scrolls_left(direction: str, writing_mode: str) -> bool:
    """Whether a window that is too narrow for a page shows its right end, and scrolls left."""
    return direction == "rtl" if writing_mode == "horizontal-tb" else writing_mode.endswith("-rl")
