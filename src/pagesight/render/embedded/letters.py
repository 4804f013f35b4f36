"""The letters of painted texts as the document has them.

A font may lack letters, which are painted as boxes then; what is written from right to left comes
back in the order of painting, and Arabic in the forms that letters have inside of words. The
document knows better: its letters are dealt out again to the lines of the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple
from unicodedata import bidirectional, normalize

MISSING = "\ufffd"


class Painted(NamedTuple):
    """A piece of a text node, and where it was painted."""

    text: str
    left: float
    top: float
    bottom: float


def is_garbled(text: str) -> bool:
    """Whether a painted text may have other letters, or in another order, than the document."""
    return not text.isascii() and (MISSING in text or _is_backwards(text))


def restored(document: str, pieces: Sequence[Painted]) -> list[str]:
    """The text of each piece of a text node, by what the document says there."""
    order = _reading_order(document, pieces)
    counts = [_count(pieces[index].text) for index in order]
    texts = [""] * len(pieces)
    for index, text in zip(order, _dealt(" ".join(document.split()), counts), strict=True):
        texts[index] = _merged(text.strip(), pieces[index].text)
    return texts


def _is_backwards(text: str) -> bool:
    return any(bidirectional(letter) in ("R", "AL") for letter in text)


def _count(text: str) -> int:
    """How many letters a painted text stands for; one form may be of two."""
    return sum(not letter.isspace() for letter in normalize("NFKC", text))


def _reading_order(document: str, pieces: Sequence[Painted]) -> list[int]:
    """The pieces line by line, each line from the side where the text begins."""
    strong = [bidirectional(letter) for letter in document]
    sign = -1 if strong.count("R") + strong.count("AL") > strong.count("L") else 1
    lines: list[list[int]] = []
    bottom = float("-inf")
    for index in sorted(range(len(pieces)), key=lambda each: pieces[each].top):
        piece = pieces[index]
        if piece.top + piece.bottom >= 2 * bottom:  # its middle lies below the line before
            lines.append([])
            bottom = piece.bottom
        lines[-1].append(index)
    return [
        index for line in lines for index in sorted(line, key=lambda each: sign * pieces[each].left)
    ]


def _dealt(text: str, counts: Sequence[int]) -> list[str]:
    """The text cut into stretches of so many letters; in proportion if there are more or fewer."""
    places = [place for place, letter in enumerate(text) if not letter.isspace()]
    total = sum(counts)
    ends = [round(end * len(places) / max(total, 1)) for end in accumulate(counts)]
    cuts = [places[end] if end < len(places) else len(text) for end in ends]
    return [text[start:stop] for start, stop in zip([0, *cuts], cuts, strict=False)]


def _merged(text: str, painted: str) -> str:
    """A text of the document with what painting has changed: its ends, and capital letters."""
    inner = painted.strip()
    if not inner:
        return painted
    before, after = painted.split(inner, 1)
    if _is_backwards(inner):
        before, after = after, before
    elif len(text) == len(inner):
        pairs = zip(text, inner, strict=True)
        text = "".join(meant if shown == MISSING else shown for meant, shown in pairs)
    return f"{before}{text}{after}"
