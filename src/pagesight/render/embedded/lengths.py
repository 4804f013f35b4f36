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
    "": 1.0, "%": 1j, "px": 1.0, "em": 16.0, "rem": 16.0, "pt": 4 / 3, "pc": 16.0, "ch": 8.0,
    "ex": 7.0, "vw": WINDOW_WIDTH / 100, "vh": 8.0, "vmin": 8.0, "vmax": WINDOW_WIDTH / 100,
    "cm": 96 / 2.54, "mm": 9.6 / 2.54, "in": 96.0,
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
    """Pixels as the real part and a percentage as the imaginary one; or a plain number, as real."""

    value: complex
    guessed: bool = False  # as it holds a variable

    def __str__(self) -> str:
        pixels, percent = self.value.real, self.value.imag
        return f"{percent + 100 * pixels / USUAL_WIDTH:.6g}%" if percent else f"{pixels:g}px"


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
    except (ValueError, LookupError, ArithmeticError):
        return match[0]


class _Expression:
    """Sums of products of lengths and numbers, read from left to right."""

    def __init__(self, text: str) -> None:
        self.tokens = [*_TOKEN.finditer(text)]
        if "".join(token[0] for token in self.tokens) != text.rstrip():
            raise ValueError(text)
        self.tokens.reverse()

    def sign(self, *signs: str) -> str | None:
        """The next sign, if it is one of these."""
        return self.tokens.pop()[5] if self.tokens and self.tokens[-1][5] in signs else None

    def sum(self) -> _Length:
        value, guessed = self.product()
        while sign := self.sign("+", "-"):
            other = self.product()
            value += other.value if sign == "+" else -other.value
            guessed |= other.guessed
        return _Length(value, guessed)

    def product(self) -> _Length:
        value, guessed = self.atom()
        while sign := self.sign("*", "/"):
            other = self.atom()
            if (guessed and other.value.imag) or (other.guessed and (value.imag or sign == "/")):
                raise ValueError("a variable that is perhaps not a length")
            value = value * other.value if sign == "*" else value / other.value
            guessed |= other.guessed
        return _Length(value, guessed)

    def atom(self) -> _Length:
        factor = 1
        while sign := self.sign("+", "-"):
            factor *= 1 if sign == "+" else -1
        token = self.tokens.pop()
        if token[4]:
            value, guessed = self.function((token[3] or "calc").lower())
        elif token[6]:
            value, guessed = _VARIABLE, True
        else:
            value, guessed = float(token[1] or "x") * _PIXELS[(token[2] or "").lower()], False
        return _Length(factor * value, guessed)

    def function(self, name: str) -> _Length:
        parts = [self.sum()]
        while self.sign(","):
            parts.append(self.sum())
        if not self.sign(")"):
            raise ValueError(name)
        return _chosen(name, parts)


def _chosen(name: str, parts: list[_Length]) -> _Length:
    """The part that counts in a box as wide as the window, of those that are known."""
    known = [part for part in parts if not part.guessed] or parts

    def width(part: _Length) -> float:
        return part.value.imag / 100 * WINDOW_WIDTH + part.value.real

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
