"""Backgrounds that the engine supports: one layer, and pictures for gradients.

It paints no gradients. If the picture of a background cannot be loaded, another one takes its
place: a mark in its address shows that it is a background.
"""

from __future__ import annotations

import re
from base64 import b64encode

from pagesight.markup.css import PARENTHESES
from pagesight.render.embedded.pictures import backdrop, drawn_address

BEHIND = "#behind"
_GRADIENT = re.compile(
    rf"(?:-(?:webkit|moz|o|ms)-)?(?:repeating-)?(?:linear|radial|conic)-gradient{PARENTHESES}",
    re.IGNORECASE,
)
_COLOR = re.compile(
    r"(#[\da-f]{3,8}|(?:rgb|hsl)a?\([^()]*+\)|\b(?!to\b|left|right|top|bottom|at\b|circle|ellipse)"
    r"(?<!-)[a-z]{3,}+(?![-\w(]))(?![^()]*+\()",
    re.IGNORECASE,
)
_DATA = re.compile(
    r"""url\(\s*+(?:"(data:[^"]*+)"|'(data:[^']*+)'|(data:[^)"'(]*+))\s*+\)""", re.IGNORECASE
)
_LAYER = r"""(?:[^;{}(),"'!]|\((?:[^()"']|"[^"]*+"|'[^']*+'|\([^()]*+\))*+\))++"""
_LAYERS = re.compile(rf"(background(?:-image)?)\s*+:\s*+((?:{_LAYER},)++)({_LAYER})", re.IGNORECASE)
_ADDRESS = re.compile(r"""url\((?:[^()"']|"[^"]*+"|'[^']*+')*+\)""", re.IGNORECASE)
_BEHIND = re.compile(
    r"""(background(?:-image)?\s*+:[^;{}"'()]*?url\(\s*+)"""
    r"""(?:"(?!data:)([^"\n]++)"|'(?!data:)([^'\n]++)'|(?!data:)([^"')\s]++))""",
    re.IGNORECASE,
)


def simple_backgrounds(css: str, *, for_people: bool = False) -> str:
    """A stylesheet with backgrounds that the engine knows.

    Pictures in the stylesheet become drawings, and gradients pictures; for people to look at,
    pictures stay, and a gradient has its first colour.
    """
    lower = css.lower()
    if "gradient(" in lower:
        css = _GRADIENT.sub(_first_color if for_people else _BACKDROP, css)
    if "url(" in lower and "data:" in lower and not for_people:
        css = _DATA.sub(_drawn, css)
    if "background" in lower:
        css = _BEHIND.sub(_behind, _LAYERS.sub(_one_layer, css))
    return css


def _drawn(match: re.Match[str]) -> str:
    address = next(part for part in match.groups() if part is not None)
    return f'url("{drawn_address(address.strip())}")'


def _first_color(match: re.Match[str]) -> str:
    color = _COLOR.search(match[0].partition("(")[2])
    return _address(backdrop(color[0])) if color else "none"


def _address(picture: bytes) -> str:
    return f'url("data:image/svg+xml;base64,{b64encode(picture).decode()}")'


_BACKDROP = _address(backdrop())


def _one_layer(match: re.Match[str]) -> str:
    """The lowest layer of a background, which alone may have a colour, with some picture."""
    name, upper, lowest = match.groups()
    picture = None if _ADDRESS.search(lowest) else _ADDRESS.search(upper)
    if picture is None:
        return f"{name}:{lowest}"
    alone = name.lower().endswith("image")
    return f"{name}:{picture[0]}" if alone else f"{name}:{picture[0]} {lowest}"


def _behind(match: re.Match[str]) -> str:
    return f'{match[1]}"{match[2] or match[3] or match[4]}{BEHIND}"'
