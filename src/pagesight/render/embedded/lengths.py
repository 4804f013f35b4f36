"""Lengths that are computed from percentages, which the engine drops.

How wide the box around an element is turns out only when it is laid out. So `calc(50% - 20px)`
becomes a percentage: that of a box as wide as those on most pages are. Of `min()`, `max()` and
`clamp()`, the part remains that counts in a box as wide as the window.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from pagesight.markup.css import PARENTHESES

USUAL_WIDTH = 960.0  # px; rather too small: what is too narrow breaks no row of boxes
WINDOW_WIDTH = 1280.0  # px
_PIXELS = {
    "px": 1.0, "em": 16.0, "rem": 16.0, "pt": 4 / 3, "vw": WINDOW_WIDTH / 100, "ch": 8.0, "ex": 7.0,
    "vh": 8.0, "vmin": 8.0, "vmax": WINDOW_WIDTH / 100, "cm": 96 / 2.54, "mm": 9.6 / 2.54,
    "in": 96.0, "pc": 16.0,
}  # fmt: skip
_COMPUTED = re.compile(
    rf"(?<![-\w])(font-size\s*+:\s*+)?(?:calc|min|max|clamp){PARENTHESES}", re.IGNORECASE
)
_TOKEN = re.compile(
    r"\s*+(?:((?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(%|[a-z]+)?|(calc|min|max|clamp)?(\()|([-+*/),])"
    rf"|(var{PARENTHESES}))",
    re.IGNORECASE,
)
_VARIABLE = 16.0  # px; most variables in such sums are gaps and margins


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


def _computed(match: re.Match[str]) -> str:
    if "%" not in match[0] or match[1]:  # of a font size, percentages have another meaning
        return match[0]
    try:
        return str(_Expression(match[0]).product())
    except (ValueError, LookupError, ZeroDivisionError):
        return match[0]


class _Expression:
    """Sums of products of lengths and numbers, read from left to right."""

    def __init__(self, text: str) -> None:
        self.tokens = [*_TOKEN.finditer(text)]
        if "".join(token[0] for token in self.tokens) != text.rstrip():
            raise ValueError(text)
        self.tokens.reverse()

    def next_is(self, *signs: str) -> bool:
        return bool(self.tokens) and self.tokens[-1][5] in signs

    def sum(self) -> _Length:
        total = self.product()
        while self.next_is("+", "-"):
            sign = self.tokens.pop()[5]
            total = total.plus(self.product().times(1 if sign == "+" else -1))
        return total

    def product(self) -> _Length:
        result = self.atom()
        while self.next_is("*", "/"):
            sign, other = self.tokens.pop()[5], self.atom()
            if sign == "/":
                result = result.times(1 / _plain(other))
            elif other.number is None:
                result = other.times(_plain(result))
            else:
                result = result.times(other.number)
        return result

    def atom(self) -> _Length:
        sign = 1
        while self.next_is("+", "-"):
            sign *= 1 if self.tokens.pop()[5] == "+" else -1
        token = self.tokens.pop()
        if token[4]:
            return self.function((token[3] or "calc").lower()).times(sign)
        if token[6]:
            return _Length(pixels=_VARIABLE, guessed=True).times(sign)
        number, unit = sign * float(token[1] or "x"), (token[2] or "").lower()
        if unit == "%":
            return _Length(percent=number)
        return _Length(pixels=number * _PIXELS[unit]) if unit else _Length(number=number)

    def function(self, name: str) -> _Length:
        parts = [self.sum()]
        while self.next_is(","):
            self.tokens.pop()
            parts.append(self.sum())
        if self.tokens.pop()[5] != ")":
            raise ValueError(name)
        return _chosen(name, parts)


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
