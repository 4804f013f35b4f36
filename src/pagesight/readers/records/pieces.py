"""What the pieces of content of a page are: sums over them describe units and groups."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Decoration, Page
from pagesight.page.columns import Array
from pagesight.page.derived import once_per_page
from pagesight.readers.records.prices import (
    FREE_INITIALS,
    NUMBER,
    SIGN,
    Amount,
    amount_of,
    point_of,
    spans,
)
from pagesight.segment.content import CONTROLS
from pagesight.segment.nodes import BOLD, before, inside, links_of, named
from pagesight.segment.units import Units, units_of

K = TypeVar("K", bound=Hashable)
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
BUTTONS = frozenset({"button", "input", "select", "textarea", "label"})


@dataclass(frozen=True, eq=False)
class Pieces:
    """Arrays by piece of content."""

    units: Units
    texts: list[str]
    """What is written in each; empty for pictures and controls."""

    indented: Flags
    """Whether white space is in front of it."""

    spaced: Flags
    """Whether white space is behind it."""

    characters: Ints
    picture: Flags
    area: Floats
    link: Flags
    heading: Flags
    button: Flags
    digits: Ints
    priced: Flags
    """Whether a price is in it, or it is the number of one: its sign may be a piece of its own."""

    struck: Flags
    size: Floats
    """The font size."""

    bold: Flags
    color: Ints

    @cached_property
    def sums(self) -> dict[str, Floats]:
        """By name: sums of all pieces before each, for those that are counted."""
        text = self.characters > 0
        counted = {
            "pieces": np.ones(len(self.characters)),
            "texts": text,
            "characters": self.characters,
            "link characters": self.characters * self.link,
            "pictures": self.picture,
            "picture area": self.area * self.picture,
            "text area": self.area * text,
            "prices": self.priced,
            "headings": self.heading,
            "buttons": self.button,
            "links": self.link & text,
            "digits": self.digits,
            "long": self.characters > LONG,
            "sized": self.size * self.characters,
            "bold": self.bold & text,
            "struck": self.struck & text,
        }
        return {name: before(values).astype(np.float64) for name, values in counted.items()}

    @cached_property
    def _table(self) -> Floats:
        return np.stack(list(self.sums.values()))

    def totals(self, first: Ints, last: Ints) -> dict[str, Floats]:
        """The sums of all that is counted over each range of pieces, by name."""
        return dict(zip(self.sums, self._table[:, last] - self._table[:, first], strict=True))

    def total(self, name: str, first: Ints, last: Ints) -> Floats:
        """The sum over each range of pieces."""
        sums = self.sums[name]
        total: Floats = sums[last] - sums[first]
        return total


def divided(values: Array, sizes: Iterable[int]) -> list[Array]:
    """The runs of these sizes that values consist of: as `np.split`, which takes long."""
    return [values[start:stop] for start, stop in pairwise((0, *accumulate(sizes)))]


LONGEST_SIGN = 5  # characters of a currency


def count_digits(texts: Sequence[str]) -> Ints:
    """How many digits each text has."""
    kinds, ends = _kinds_of_letters(texts)
    return np.diff(before(kinds == _DIGIT)[ends])


def count_digits_and_capitals(texts: Sequence[str]) -> tuple[Ints, Ints]:
    """How many digits and how many capital letters each text has."""
    kinds, ends = _kinds_of_letters(texts)
    digits, capitals = (np.diff(before(kinds == kind)[ends]) for kind in (_DIGIT, _CAPITAL))
    return digits, capitals


def _kinds_of_letters(texts: Sequence[str]) -> tuple[NDArray[np.uint8], Ints]:
    """What the letters of all texts are, one text after the other; and where each text ends."""
    letters = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), "<u4")
    kinds = _KINDS[np.minimum(letters, PLAIN)]
    for code in set(letters[letters >= PLAIN].tolist()):
        if kind := _kind_of(chr(code)):
            kinds[letters == code] = kind
    return kinds, before(np.array(list(map(len, texts)), dtype=np.int64))


def _kind_of(letter: str) -> int:
    return _DIGIT if letter.isdigit() else _CAPITAL if letter.isupper() else 0


_DIGIT, _CAPITAL = 1, 2  # nothing is both
PLAIN = 128  # letters that English is written in
_KINDS = np.array([_kind_of(chr(code)) for code in range(PLAIN)] + [0], dtype=np.uint8)
"""By code what a letter is; the last one is for all others."""

LONG = 80  # characters; a text that long says something


@once_per_page
def pieces_of(page: Page) -> Pieces:
    """What the content of a page is."""
    units = units_of(page)
    content, columns = units.content, page.columns
    nodes = content.nodes
    strings = columns["text"][nodes].tolist()
    written = [
        page.strings[string] if string >= 0 and count else ""
        for string, count in zip(strings, content.characters.tolist(), strict=True)
    ]
    texts = [" ".join(string.split()) for string in written]
    numbers = count_digits(texts)
    within = {name: inside(np.flatnonzero(named(page, tags)), page.end)[nodes]
              for name, tags in (("heading", HEADINGS), ("button", BUTTONS))}  # fmt: skip
    return Pieces(
        units=units,
        texts=texts,
        indented=np.array([string[:1].isspace() for string in written], dtype=np.bool_),
        spaced=np.array([string[-1:].isspace() for string in written], dtype=np.bool_),
        characters=content.characters,
        picture=content.picture,
        area=content.box[:, 2].astype(np.float64) * content.box[:, 3],
        link=inside(links_of(page), page.end)[nodes],
        heading=within["heading"],
        button=within["button"] | named(page, CONTROLS)[nodes],
        digits=numbers,
        priced=_priced(texts, numbers.tolist()),
        struck=inside(np.flatnonzero(columns["decoration"] & Decoration.LINE_THROUGH), page.end)[
            nodes
        ],
        size=columns["font_size"][nodes].astype(np.float64),
        bold=columns["font_weight"][nodes] >= BOLD,
        color=columns["color"][nodes].astype(np.int64),
    )


def _priced(texts: Sequence[str], digits: Sequence[int]) -> Flags:
    """`digits` is how many each text has."""
    priced = np.array(
        [
            bool((some or text[:1] in FREE_INITIALS) and spans(text))
            for text, some in zip(texts, digits, strict=True)
        ],
        dtype=np.bool_,
    )
    short = (at for at, text in enumerate(texts) if 0 < len(text) <= LONGEST_SIGN)
    for at in [at for at in short if not digits[at] and SIGN.fullmatch(texts[at])]:
        priced[[beside for beside in (at - 1, at + 1) if _is_number(texts, beside)][:1]] = True
    return priced


def _is_number(texts: Sequence[str], at: int) -> bool:
    return 0 <= at < len(texts) and bool(NUMBER.fullmatch(texts[at]))


def amount_on(page: Page, text: str) -> Amount:
    """What a price of a page amounts to: its other prices say whether 1.870 is in thousands."""
    return amount_of(text, _point_on(page))


@once_per_page
def _point_on(page: Page) -> str | None:
    pieces = pieces_of(page)
    priced = (pieces.texts[at] for at in np.flatnonzero(pieces.priced).tolist())
    return point_of(priced, (page.head.language or "").lower().split("-")[0])


class Numbering(dict[K, int]):
    """A number for each key that is looked up: 0, 1, 0 for "red", "blue", "red"."""

    def __missing__(self, key: K) -> int:
        number = self[key] = len(self)
        return number
