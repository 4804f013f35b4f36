"""Colours in notations that the engine supports: newer ones become `rgb`."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import cos, radians, sin

from pagesight.markup.css import ARGUMENT

_SPACES = re.compile(r"(?<![-\w])(oklch|oklab|lch|lab)\(\s*+([^()]*+)\)", re.IGNORECASE)
_LIGHT_DARK = re.compile(rf"light-dark\(({ARGUMENT}),{ARGUMENT}\)", re.IGNORECASE)
_MIX = re.compile(rf"color-mix\(\s*+in[^,()]*+,({ARGUMENT}),({ARGUMENT})\)", re.IGNORECASE)
_SHARE = re.compile(r"(\d+\.?\d*|\.\d+)%\s*$")
_NUMBER = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(%|deg|turn|rad|grad)?|none")
_FARTHEST = 1e4  # that a channel may be from zero: beyond it, no colour differs
_TURNS = {"turn": 360.0, "rad": 57.29577951308232, "grad": 0.9}
Triple = tuple[float, float, float]


def known_colors(css: str) -> str:
    """A stylesheet with colours that the engine knows; a mixture becomes its larger part."""
    lower = css.lower()
    if "light-dark(" in lower:
        css = _LIGHT_DARK.sub(lambda match: match[1].strip(), css)
    if "lab(" in lower or "lch(" in lower:
        css = _SPACES.sub(_in_rgb, css)
    return _MIX.sub(_larger_part, css) if "color-mix(" in lower else css


def _larger_part(match: re.Match[str]) -> str:
    one, other = match[1].strip(), match[2].strip()
    if one.lower().startswith("transparent"):
        one, other = other, one
    if other.lower().startswith("transparent"):
        return _SHARE.sub("", one).strip()  # faint, but there
    shares = [_SHARE.search(part) for part in (one, other)]
    first = float(shares[0][1]) if shares[0] else 100 - float(shares[1][1]) if shares[1] else 50.0
    return _SHARE.sub("", one if first >= 50 else other).strip()


def _in_rgb(match: re.Match[str]) -> str:
    space, (channels, _, alpha) = match[1].lower(), match[2].lower().partition("/")
    numbers = list(_NUMBER.finditer(channels))
    if len(numbers) != 3:
        return match[0]  # e.g. of variables
    scales = _PERCENT[space]
    one, two, three = map(_value, numbers, scales)
    if space.endswith("lch"):
        two, three = two * cos(radians(three)), two * sin(radians(three))
    red, green, blue = (_channel(light) for light in _LINEAR[space[:2] == "ok"]((one, two, three)))
    opacity = _NUMBER.search(alpha)
    return f"rgba({red}, {green}, {blue}, {_value(opacity, 1.0) if opacity else 1:g})"


# What 100 % is of each channel
_PERCENT: dict[str, Triple] = {
    "oklch": (1.0, 0.4, 360.0), "oklab": (1.0, 0.4, 0.4),
    "lch": (100.0, 150.0, 360.0), "lab": (100.0, 125.0, 125.0),
}  # fmt: skip


def _value(match: re.Match[str], whole: float) -> float:
    if match[1] is None:
        return 0.0
    number = min(max(float(match[1]), -_FARTHEST), _FARTHEST)
    return number * whole / 100 if match[2] == "%" else number * _TURNS.get(match[2] or "", 1.0)


def _channel(light: float) -> int:
    """A share of light as sRGB writes it, in [0, 255]."""
    light = min(max(light, 0.0), 1.0)
    return round(
        255 * (12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055)
    )


def _times(rows: tuple[Triple, Triple, Triple], vector: Triple) -> Triple:
    one, two, three = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in rows)
    return one, two, three


def _from_oklab(color: Triple) -> Triple:
    cones = _times(((1, 0.3963377774, 0.2158037573), (1, -0.1055613458, -0.0638541728),
                    (1, -0.0894841775, -1.2914855480)), color)  # fmt: skip
    one, two, three = (cone**3 for cone in cones)
    return _times(((4.0767416621, -3.3077115913, 0.2309699292),
                   (-1.2684380046, 2.6097574011, -0.3413193965),
                   (-0.0041960863, -0.7034186147, 1.7076147010)), (one, two, three))  # fmt: skip


def _from_lab(color: Triple) -> Triple:
    lightness, a, b = color
    y = (lightness + 16) / 116
    x, y, z = map(_cubed, (y + a / 500, y, y - b / 200))
    white = (0.9642956764 * x, y, 0.8251046025 * z)  # D50
    return _times(((3.1341359569, -1.6173863321, -0.4906619460),
                   (-0.9787954765, 1.9162543773, 0.0334427312),
                   (0.0719553923, -0.2289767598, 1.4053860351)), white)  # fmt: skip


def _cubed(value: float) -> float:
    return value**3 if value**3 > 216 / 24389 else (116 * value - 16) * 27 / 24389


_LINEAR: dict[bool, Callable[[Triple], Triple]] = {True: _from_oklab, False: _from_lab}
