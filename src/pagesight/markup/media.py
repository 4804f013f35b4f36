"""Media queries and `@supports`, judged as Chromium judges them.

The page is shown on a screen with a mouse, in light colours, with one dot a pixel, and without
scripts. As in CSS, what is unknown is neither true nor false: its negation is unknown, too.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import NamedTuple

from pagesight.lazy import table
from pagesight.markup.css import PARENTHESES, listed, without_comments

Truth = float  # 1 is true, 0 is false, in between is unknown: "and" is `min`, and "or" is `max`
TRUE, UNKNOWN, FALSE = 1.0, 0.5, 0.0
DEEPEST = 32  # parentheses in parentheses; what is in more is unknown

_KEYWORDS = table(__package__, "media.tsv")
_OFF = ("none", "no-preference")
_UNITS = {
    "": 1.0, "px": 1.0, "em": 16.0, "rem": 16.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0,
    "cm": 96 / 2.54, "mm": 9.6 / 2.54, "dppx": 1.0, "x": 1.0, "dpi": 1 / 96, "dpcm": 2.54 / 96,
}  # fmt: skip
_WITH_UNITS = ("width", "height", "resolution")
_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq,
}  # fmt: skip
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}
_LIMITS = {"min-": ">=", "max-": "<=", "": "="}

_QUERY = re.compile(r"(?:(not|only)\s+)?((?!not\b)[a-z][\w-]*)(?:\s+and\s+(.*))?", re.DOTALL)
_INNERMOST = re.compile(r"(?<![\w-])([\w-]*+)\(([^()]*+)\)")
_RESULT = r"\s*(?:not\s+)?@[01]\.[05]\s*"
_EXPRESSION = re.compile(rf"{_RESULT}(?:(?:and|or)\b{_RESULT})*")
_RANGE = re.compile(
    r"(?:(?P<low>[^<>=]++)(?P<before>[<>]=?|=))?\s*+(?P<name>-?[a-z][a-z\d-]*+)\s*+"
    r"(?:(?P<after>[<>]=?|=)(?P<high>[^<>=]++))?+"
)
_NUMBER = re.compile(r"\s*+([-+]?[\d.]++)\s*+(?:/\s*+([\d.]++))?([a-z]*+)\s*+")
_PREFIXED = re.compile(r"(-webkit-)?(min-|max-)?([a-z-]+)")
_IMPORT = re.compile(
    rf"\s*+(?:layer\b(?:{PARENTHESES})?)?+\s*+(?:supports({PARENTHESES}))?+", re.IGNORECASE
)
_OTHER_BROWSERS = "-moz-|-ms-|-webkit-(?:hyphens|marquee|touch-callout)|stroke-color"


class Screen(NamedTuple):
    """The size of the window, in CSS pixels."""

    width: float = 1280
    height: float = 800

    def measure(self, name: str) -> float | None:
        """A feature that is a number; None if there is no such feature."""
        if name in ("aspect-ratio", "device-aspect-ratio"):
            return self.width / self.height
        if name in ("resolution", "-webkit-device-pixel-ratio", "-webkit-transform-3d"):
            return 1.0
        sizes = {"width": self.width, "height": self.height, "color": 8.0}
        name = name.removeprefix("device-")
        return 0.0 if name in ("color-index", "grid", "monochrome") else sizes.get(name)


USUAL_SCREEN = Screen()


def matches(queries: str, screen: Screen | None = USUAL_SCREEN) -> bool:
    """Whether a list of media queries holds; without a screen, whether it does on any screen."""
    return _media(queries, screen) == TRUE if screen else _media(queries, None) > FALSE


def supports(condition: str, lacking: str = "") -> bool:
    """Whether a condition of `@supports` holds.

    Browsers know what pages ask for, but not what they ask of other browsers, and not what matches
    the pattern `lacking`.
    """
    pattern = re.compile("|".join(filter(None, (_OTHER_BROWSERS, lacking))))
    return _judged(condition.lower(), lambda text: float(not pattern.search(text))) == TRUE


def import_holds(conditions: str, screen: Screen | None = USUAL_SCREEN, lacking: str = "") -> bool:
    """Whether an import holds, by what follows its address: ``layer(base) supports(…) screen``."""
    before_media = _IMPORT.match(conditions)
    assert before_media is not None  # all of it is optional
    if before_media[1] and not supports(before_media[1], lacking):
        return False
    return matches(conditions[before_media.end() :], screen)


@lru_cache(maxsize=4096)
def _media(queries: str, screen: Screen | None) -> Truth:
    judge = partial(_feature, screen=screen) if screen else lambda _: UNKNOWN
    items = listed(without_comments(queries).lower())
    return max((_query(item, judge) for item in items), default=TRUE)


def _query(query: str, judge: Callable[[str], Truth]) -> Truth:
    match = _QUERY.fullmatch(query)
    if not match:
        return _judged(query, judge)
    device = TRUE if match[2] in ("all", "screen") else FALSE
    truth = min(device, _judged(match[3], judge)) if match[3] else device
    return 1 - truth if match[1] == "not" else truth


def _judged(condition: str, judge: Callable[[str], Truth]) -> Truth:
    """A condition of parentheses with "and", "or" and "not", judged from the innermost ones."""

    def result(match: re.Match[str]) -> str:
        inner = match[2]
        if not match[1] and _EXPRESSION.fullmatch(inner):
            return f" @{_logical(inner)} "
        return f" @{judge(match[1] + inner.strip())} "

    for _ in range(DEEPEST):
        condition, count = _INNERMOST.subn(result, condition)
        if not count:
            break
    return _logical(condition) if _EXPRESSION.fullmatch(condition) else judge(condition.strip())


def _logical(expression: str) -> Truth:
    return max(
        min(_negated(part) for part in re.split(r"\band\b", choice))
        for choice in re.split(r"\bor\b", expression)
    )


def _negated(part: str) -> Truth:
    negation, _, truth = part.partition("@")
    return 1 - float(truth) if negation.strip() else float(truth)


def _feature(text: str, screen: Screen) -> Truth:
    """A feature with its value, or in comparison to values, or alone."""
    name, colon, value = (part.strip() for part in text.partition(":"))
    if name in _KEYWORDS:
        return float(value == _KEYWORDS[name] if colon else _KEYWORDS[name] not in _OFF)
    if name == "orientation":
        shape = "portrait" if screen.height >= screen.width else "landscape"
        return float(not colon or value == shape)
    if colon:
        prefixed = _PREFIXED.fullmatch(name)
        prefix, limit, bare = prefixed.groups("") if prefixed else ("", "", name)
        return _compared(prefix + bare, _LIMITS[limit], value, screen)
    return _ranged(text, screen)


def _ranged(text: str, screen: Screen) -> Truth:
    """``400px <= width < 800px``, or ``width`` alone, which holds unless it is zero."""
    match = _RANGE.fullmatch(text)
    measure = screen.measure(match["name"]) if match else None
    if match is None or measure is None:
        return UNKNOWN
    if match["low"] is None and match["high"] is None:
        return float(measure != 0)
    name, low, high = match["name"], match["low"], match["high"]
    above = _compared(name, _TURNED[match["before"]], low, screen) if low else TRUE
    return min(above, _compared(name, match["after"], high, screen) if high else TRUE)


def _compared(name: str, comparison: str, value: str, screen: Screen) -> Truth:
    measure, number = screen.measure(name), _NUMBER.fullmatch(value)
    if measure is None or not number or number[3] not in _UNITS:
        return UNKNOWN
    try:
        limit = float(number[1]) * _UNITS[number[3]] / float(number[2] or 1)
    except (ValueError, ZeroDivisionError):
        return UNKNOWN
    if limit and not number[3] and name.endswith(_WITH_UNITS):
        return UNKNOWN
    return float(_COMPARISONS[comparison](measure, limit))
