"""Candidates: the texts that may be the title, equal ones merged, with where each was found.

Some texts are cut into parts at delimiters; every stretch of parts may be the title.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from pagesight.readers.title.clues import Clues, TitleText
from pagesight.readers.title.text import MOST_KEPT, fold

MOST_PARTS = 8


_DELIMITER = re.compile(
    r"""
    (?=[\s|\uff5c¦‖│┃»«›‹>·•∙●⋆★☆~/\\←→:：\-–—―−_\uff0d,.;])  # anything else is skipped quickly
  (?:
    (?P<bar>   \s*[|\uff5c¦‖│┃]+\s* | (?:\s+[»«›‹>·•∙●⋆★☆~/\\←→]+)+(?:\s+|$) | ^[»«›‹⋆★☆·•]+\s+
             | (?:\s+|^)::+(?:\s+|$) | \s+::+ | ::+\s+ )
  | (?P<dash>  \s+[-–—―−]+(?:\s+|$) | \s*[–—―]+\s+ | (?<=\w)-\s+ | \s+-(?=\w) | \s*—\s*
             | (?<=[⺀-鿿가-힣！-､!?)])[-_\uff0d]+(?=[⺀-鿿가-힣]) )
  | (?P<colon> \s*[:：]\s+ | \s+: | (?<=[?!])\s+ )
  | (?P<comma> ,\s+ | \.\s+(?![-–—―−|»:]) | ;\s+ | \s+(?=[(\[]) | \s+(?=[bB]y\s) )
  )
    """,
    re.VERBOSE,
)
MOST_CANDIDATES = 60
LONGEST_TITLE = 300
MOST_HIGH_HEADINGS = 8
MOST_LOW_HEADINGS = 8  # h2 and below, in document order
FEW_LOW_HEADINGS = 3  # of a page that is only parsed: later ones cost time, and are not its title
_CUTTABLE = frozenset({"title", "og:title", "twitter:title", "meta title", "h1"})
_PLAIN = ("h1", "h2", "h3", "title", "og:title", "seen", "json-ld headline", "json-ld name")
_PLAINNESS = {origin: place for place, origin in enumerate(_PLAIN)}
_SHOWN = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "labelled", "itemprop", "seen"})


class Cut(IntEnum):
    """What a text is cut at, the weakest first."""

    NONE = 0
    COMMA = 1  # comma, full stop, bracket
    COLON = 2
    DASH = 3
    BAR = 4  # a sign that no title has of its own


_CUTS = {"bar": Cut.BAR, "dash": Cut.DASH, "colon": Cut.COLON, "comma": Cut.COMMA}
_NONE, _COLON = Cut.NONE, Cut.COLON  # looking up a member of an enum takes longer than comparing it


class Span(NamedTuple):
    """A stretch of a text, with what it was cut at on both sides and what is left inside."""

    text: str
    start: int
    end: int
    left: Cut = _NONE
    right: Cut = _NONE
    inside: Cut = _NONE


class _Delimiter(NamedTuple):
    start: int
    end: int
    cut: Cut


@lru_cache(MOST_KEPT)
def delimiters(text: str) -> tuple[_Delimiter, ...]:
    """Where a text can be cut; at the strongest places if there are many."""
    marks = [
        _Delimiter(*match.span(), _CUTS[match.lastgroup or "comma"])
        for match in _DELIMITER.finditer(text)
    ]
    inner = [mark for mark in marks if mark.start > 0 or mark.end < len(text)]
    strongest = sorted(inner, key=lambda mark: -mark.cut)[: MOST_PARTS - 1]  # the first of equals
    return tuple(sorted(strongest))


@lru_cache(MOST_KEPT)
def spans(text: str) -> tuple[Span, ...]:
    """All stretches between delimiters, the whole text first."""
    return tuple(_stretches(text))


def _stretches(text: str) -> Iterator[Span]:
    marks = delimiters(text)
    if not marks:
        if text:
            yield Span(text.strip(), 0, len(text))
        return
    starts = [(0, _NONE), *((mark.end, mark.cut) for mark in marks)]
    ends = [*((mark.start, mark.cut) for mark in marks), (len(text), _NONE)]
    for length in range(len(starts), 0, -1):
        for first in range(len(starts) - length + 1):
            last = first + length - 1
            (start, left), (end, right) = starts[first], ends[last]
            inside = max([mark.cut for mark in marks[first:last]], default=_NONE)
            if start < end:
                yield Span(text[start:end].strip(), start, end, left, right, inside)


class Find(NamedTuple):
    """One place where a candidate was found: a piece, and the stretch of it."""

    piece: TitleText
    span: Span

    @property
    def whole(self) -> bool:
        return not (self.span.left or self.span.right)

    @property
    def origin(self) -> str:
        """Where it was found, in words."""
        return self.piece.origin if self.whole else f"part of {self.piece.origin}"


@dataclass(slots=True)
class Candidate:
    """A text that may be the title."""

    folded: str
    finds: list[Find]

    @property
    def text(self) -> str:
        """The best spelling: as it is shown, with small and capital letters if any has them."""
        first, *others = self.finds
        return min(self.finds, key=_spelling).span.text if others else first.span.text

    @property
    def origin(self) -> str:
        """Where it was found, the plainest place first."""
        return min(self.finds, key=_plainness).origin


def candidates_of(clues: Clues, low_headings: int = MOST_LOW_HEADINGS) -> list[Candidate]:
    """All candidates of a page; below h1, no more than so many headings are among them."""
    candidates: dict[str, Candidate] = {}
    for piece in _pieces(clues, low_headings):
        text = piece.text
        for span in spans(text) if piece.origin in _CUTTABLE else (Span(text, 0, len(text)),):
            folded, find = fold(span.text), Find(piece, span)
            if known := candidates.get(folded):
                known.finds.append(find)
            elif len(candidates) < MOST_CANDIDATES and _is_possible(folded, span):
                candidates[folded] = Candidate(folded, [find])
    return list(candidates.values())


def _pieces(clues: Clues, low_headings: int) -> list[TitleText]:
    """The pieces to look at; the tag comes last, when it is known what else there is."""
    tag = [TitleText(clues.tag, "title")] if clues.tag else []
    headings = (*clues.high_headings[:MOST_HIGH_HEADINGS], *clues.low_headings[:low_headings])
    others = (*clues.crumbs, *clues.labelled, *clues.seen, *clues.meta)
    return [*clues.linked_data, *headings, *others, *tag]


def _is_possible(folded: str, span: Span) -> bool:
    """A title has letters and an end; nothing is cut at a comma unless it also occurs alone."""
    return (
        not (0 < span.left < _COLON or 0 < span.right < _COLON)
        and len(folded) <= LONGEST_TITLE
        and any(map(str.isalnum, folded))
    )


def _spelling(find: Find) -> tuple[bool, bool]:
    text = find.span.text
    return text.isupper() or text.islower(), find.piece.origin not in _SHOWN


def _plainness(find: Find) -> tuple[bool, int]:
    return not find.whole, _PLAINNESS.get(find.piece.origin, len(_PLAIN))
