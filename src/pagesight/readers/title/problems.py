"""Pages that are not the page: errors, bot checks, walls. Recognised by what they say."""

from __future__ import annotations

import re
from functools import lru_cache

from pagesight.readers import MOST_EXPLAINED
from pagesight.readers.title.candidates import spans
from pagesight.readers.title.clues import Clues
from pagesight.readers.title.sites import Site, subject_of
from pagesight.readers.title.text import WORDS, plain

MOST_WORDS = 120  # on a page that only says what is wrong; what is longer has content
MOST_HEADINGS = 2

_BANNERS = frozenset({"consent wall"})
"""What short pages that are the page say, too, in a corner: it counts in titles and headings."""

_NUMBERS: dict[str, str] = {
    number: kind for kind, numbers in WORDS["problem-numbers"].items() for number in numbers.split()
}
_AROUND = r"(?:oops|ups|sorry|error|fehler|erreur|http|status|code|page|[45]\d\d)"
_NUMBER = re.compile(rf"(?:{_AROUND} )*?([45]\d\d)(?: {_AROUND})*")


_PHRASES = {
    kind: "|".join(lines.split("\n")).strip("|") for kind, lines in WORDS["problems"].items()
}
_ALONE = {kind: f"|{phrases}" for kind, phrases in WORDS["problems-alone"].items()}
_KINDS = tuple(_PHRASES)
_WHOLE = re.compile(
    "|".join(
        rf"((?:{_AROUND} )*(?:{phrases}{_ALONE.get(kind, '')})(?: {_AROUND})*)"
        for kind, phrases in _PHRASES.items()
    )
)
_INSIDE = {kind: re.compile(rf"\b(?:{phrases})\b") for kind, phrases in _PHRASES.items()}


def problem_of(clues: Clues) -> str | None:
    """What keeps this page from being the one that was asked for; None if nothing does.

    A title that is nothing but the problem says so; anything else needs a page with little on it.
    """
    names = [clues.tag, *(piece.text for piece in clues.headings[:MOST_HEADINGS])]
    problem = next(filter(None, map(_problem_in, names)), None)
    if len(clues.headings) > MOST_HEADINGS or (problem is None and clues.linked_data):
        return None
    words = clues.words().split()
    if len(words) > MOST_WORDS:
        return problem if len(words) <= MOST_EXPLAINED and problem == _whole_title(clues) else None
    short, full = plain(" ".join(names)), plain(" ".join([*names, *words]))
    looked_at = ((kind, short if kind in _BANNERS else full) for kind in _INSIDE)
    return problem or next((kind for kind, text in looked_at if _INSIDE[kind].search(text)), None)


def _whole_title(clues: Clues) -> str | None:
    """The problem, where the title says nothing else but the name of the site."""
    return _named(plain(subject_of(clues.tag, Site.of(clues)).text))


def _problem_in(title: str) -> str | None:
    """The problem, where a title or a part of it is nothing else."""
    return next(filter(None, (_named(plain(span.text)) for span in spans(title))), None)


@lru_cache(1 << 12)
def _named(words: str) -> str | None:
    """The problem that words are a name of."""
    number = _NUMBER.fullmatch(words)
    if number and number[1] in _NUMBERS:
        return _NUMBERS[number[1]]
    whole = _WHOLE.fullmatch(words)
    return _KINDS[whole.lastindex - 1] if whole and whole.lastindex else None
