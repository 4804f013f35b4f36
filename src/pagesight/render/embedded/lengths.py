"""Lengths that are computed from percentages, which the engine drops.

How wide the box around an element is turns out only when it is laid out. So `calc(50% - 20px)`
becomes a percentage: that of a box as wide as those on most pages are. Of `min()`, `max()` and
`clamp()`, the part remains that counts in a box as wide as the window.
"""

from __future__ import annotations

import re
from typing import NamedTuple

USUAL_WIDTH = 960.0  # px; rather too small: what is too narrow breaks no row of boxes
WINDOW_WIDTH = 1280.0  # px
_PIXELS = {
    "px": 1.0, "em": 16.0, "rem": 16.0, "pt": 4 / 3, "vw": WINDOW_WIDTH / 100, "ch": 8.0, "ex": 7.0,
    "vh": 8.0, "vmin": 8.0, "vmax": WINDOW_WIDTH / 100, "cm": 96 / 2.54, "mm": 9.6 / 2.54,
    "in": 96.0, "pc": 16.0,
}  # fmt: skip
_COMPUTED = re.compile(
    r"(?<![-\w])(font-size\s*+:\s*+)?(?:calc|min|max|clamp)\((?:[^(){};]|\((?:[^(){};]|\((?:[^(){};]|\([^(){};]*+\))*+"
    r"\))*+\))*+\)",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"\s*+(?:((?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(%|[a-z]+)?|(calc|min|max|clamp)?(\()|([-+*/),])"
    r"|(var\((?:[^()]|\((?:[^()]|\([^()]*+\))*+\))*+\)))",
    re.IGNORECASE,
)
_VARIABLE = 16.0  # px; most variables in such sums are gaps and margins
_DEEPEST = 16


class _Length(NamedTuple):
    """A percentage and pixels, or a plain number."""

    percent: float = 0.0
    pixels: float = 0.0
    number: float | None = None
    guessed: bool = False  # as it holds a variable

    def times(self, by: float) -> _Length:
        number = None if self.number is None else self.number * by
        return _Length(self.percent * by, self.pixels * by, number, self.guessed)

    def plus(self, other: _Length) -> _Length:
        number = None
        if self.number is not None and other.number is not None:
            number = self.number + other.number
        guessed = self.guessed or other.guessed
        return _Length(self.percent + other.percent, self.pixels + other.pixels, number, guessed)

    def within(self, width: float) -> float:
        return self.percent / 100 * width + self.pixels

    def __str__(self) -> str:
        if self.number is not None:
            return f"{self.number:g}"
        if self.percent:
            return f"{self.percent + 100 * self.pixels / USUAL_WIDTH:.6g}%"
        return f"{self.pixels:g}px"


def without_percentages(css: str) -> str:
    """A stylesheet without computed lengths that mix percentages and others."""
    lower = css.lower()
    known = any(name in lower for name in ("calc(", "min(", "max(", "clamp("))
    return _COMPUTED.sub(_computed, css) if known else css


def _computed(found: re.Match[str]) -> str:
    if "%" not in found[0] or found[1]:  # of a font size, percentages have another meaning
        return found[0]
    try:
        return str(_Reader(found[0]).product())
    except (ValueError, IndexError, ZeroDivisionError):
        return found[0]


class _Reader:
    """Reads an expression: sums of products of lengths and numbers."""

    def __init__(self, text: str) -> None:
        self.tokens: list[re.Match[str]] = []
        position = 0
        while position < len(text.rstrip()):
            found = _TOKEN.match(text, position)
            if found is None:
                raise ValueError(text)
            self.tokens.append(found)
            position = found.end()
        self.at = 0
        self.depth = 0

    def next_is(self, *signs: str) -> bool:
        return self.at < len(self.tokens) and self.tokens[self.at][5] in signs

    def sum(self) -> _Length:
        total = self.product()
        while self.next_is("+", "-"):
            sign = self.take()[5]
            total = total.plus(self.product().times(1 if sign == "+" else -1))
        return total

    def product(self) -> _Length:
        result = self.atom()
        while self.next_is("*", "/"):
            sign, other = self.take()[5], self.atom()
            if sign == "/":
                result = result.times(1 / _plain(other))
            elif other.number is None:
                result = other.times(_plain(result))
            else:
                result = result.times(other.number)
        return result

    def atom(self) -> _Length:
        token = self.take()
        if token[4]:
            return self.function((token[3] or "calc").lower())
        if token[6]:
            return _Length(pixels=_VARIABLE, guessed=True)
        if token[5] in ("-", "+"):
            return self.atom().times(-1 if token[5] == "-" else 1)
        number, unit = float(token[1] or "x"), (token[2] or "").lower()
        if not unit:
            return _Length(number=number)
        if unit == "%":
            return _Length(percent=number)
        if unit not in _PIXELS:
            raise ValueError(unit)
        return _Length(pixels=number * _PIXELS[unit])

    def function(self, name: str) -> _Length:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ValueError("too deep")
        parts = [self.sum()]
        while self.next_is(","):
            self.take()
            parts.append(self.sum())
        if self.take()[5] != ")":
            raise ValueError(name)
        self.depth -= 1
        return _chosen(name, parts)

    def take(self) -> re.Match[str]:
        self.at += 1
        return self.tokens[self.at - 1]


def _chosen(name: str, parts: list[_Length]) -> _Length:
    """The part that counts in a box as wide as the window, of those that are known."""
    known = [part for part in parts if not part.guessed] or parts

    def width(part: _Length) -> float:
        return part.within(WINDOW_WIDTH)

    if name == "min":
        return min(known, key=width)
    if name == "max":
        return max(known, key=width)
    if name == "clamp":
        if len(known) < len(parts):
            raise ValueError("unknown limits")
        least, wanted, most = parts
        return max(least, min(wanted, most, key=width), key=width)
    (only,) = parts
    return only


def _plain(length: _Length) -> float:
    if length.number is None:
        raise ValueError("a length where a number is needed")
    return length.number
