"""Titles cut into parts at delimiters, and the stretches of parts that may be a title."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

MOST_PARTS = 8


class Cut(IntEnum):
    """What a text is cut at, the weakest first."""

    NONE = 0
    COMMA = 1  # comma, full stop, bracket
    COLON = 2
    DASH = 3
    BAR = 4  # a sign that no title has of its own


_DELIMITER = re.compile(
    r"""
    (?P<bar>   \s*[|\uff5c¦‖│┃]+\s* | (?:\s+[»«›‹>·•∙●⋆★☆~/\\←→]+)+(?:\s+|$) | ^[»«›‹⋆★☆·•]+\s+
             | (?:\s+|^)::+(?:\s+|$) | \s+::+ | ::+\s+ )
  | (?P<dash>  \s+[-–—―−]+(?:\s+|$) | \s*[–—―]+\s+ | (?<=\w)-\s+ | \s+-(?=\w) | \s*—\s*
             | (?<=[⺀-鿿가-힣！-､!?)])[-_\uff0d]+(?=[⺀-鿿가-힣]) )
  | (?P<colon> \s*[:：]\s+ | \s+: | (?<=[?!])\s+ )
  | (?P<comma> ,\s+ | \.\s+(?![-–—―−|»:]) | ;\s+ | \s+(?=[(\[]) | \s+(?=[bB]y\s) )
    """,
    re.VERBOSE,
)
_CUTS = {"bar": Cut.BAR, "dash": Cut.DASH, "colon": Cut.COLON, "comma": Cut.COMMA}


class Span(NamedTuple):
    """A stretch of a text, with what it was cut at on both sides and what is left inside."""

    text: str
    start: int
    end: int
    left: Cut
    right: Cut
    inside: Cut


class _Delimiter(NamedTuple):
    start: int
    end: int
    cut: Cut


def delimiters(text: str) -> list[_Delimiter]:
    """Where a text can be cut; at the strongest places if there are many."""
    marks = [
        _Delimiter(*match.span(), _CUTS[match.lastgroup or "comma"])
        for match in _DELIMITER.finditer(text)
    ]
    inner = [mark for mark in marks if mark.start > 0 or mark.end < len(text)]
    strongest = sorted(inner, key=lambda mark: -mark.cut)[: MOST_PARTS - 1]  # the first of equals
    return sorted(strongest)


def spans(text: str) -> Iterator[Span]:
    """All stretches between delimiters, the whole text first."""
    marks = delimiters(text)
    starts = [(0, Cut.NONE), *((mark.end, mark.cut) for mark in marks)]
    ends = [*((mark.start, mark.cut) for mark in marks), (len(text), Cut.NONE)]
    for length in range(len(starts), 0, -1):
        for first in range(len(starts) - length + 1):
            last = first + length - 1
            (start, left), (end, right) = starts[first], ends[last]
            inside = max((mark.cut for mark in marks[first:last]), default=Cut.NONE)
            if start < end:
                yield Span(text[start:end].strip(), start, end, left, right, inside)


def whole(text: str) -> Span:
    """A text that is not cut."""
    return Span(text, 0, len(text), Cut.NONE, Cut.NONE, Cut.NONE)
