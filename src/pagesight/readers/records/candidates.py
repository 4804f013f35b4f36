"""What may be attributes of records: their units at all levels, and prices in their texts.

What is in the same place of several records is a column: it has the same meaning in all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pagesight.readers.records.groups import Group
from pagesight.readers.records.prices import spans
from pagesight.readers.records.sight import Sight

LONGEST = 600  # characters of a value
MOST_TEXTS = 12  # pieces of text in a value
LONGEST_PRICED = 80  # characters of a text that is searched for prices
_SOURCES = ("data-src", "data-original", "data-srcset", "srcset", "src", ":src")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A unit of a record, or a price in it."""

    record: int
    unit: int
    text: str
    """What it says; where it comes from, if it is a picture."""

    column: int
    picture: bool = False
    part: bool = False
    """Whether it is a price in a longer text."""


class Columns:
    """Numbers for places in records: the same place in any record has the same number."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, str, str, int], int] = {}

    def number(self, around: int, tag: str, token: str, rank: int) -> int:
        """The column of what is in a column, has this tag and class, and is one of several."""
        return self._numbers.setdefault((around, tag, token, rank), len(self._numbers))


def candidates(sight: Sight, group: Group) -> list[Candidate]:
    """All that may be attributes of the records of a group."""
    columns = Columns()
    return [
        candidate
        for record in range(len(group))
        for unit, column in _placed(sight, columns, units_of_member(sight, group, record))
        for candidate in _of_unit(sight, columns, record, unit, column)
    ]


def units_of_member(sight: Sight, group: Group, member: int) -> Iterator[int]:
    """The units of one record, itself among them."""
    units = sight.units
    first, last = int(group.first[member]), int(group.last[member])
    for unit in range(int(group.heads[member]), len(units)):
        if units.first[unit] >= last:
            return
        if units.first[unit] >= first and units.last[unit] <= last:
            yield unit


def _placed(sight: Sight, columns: Columns, inside: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Each unit with its column: by the tags and classes above it, and which it is of these."""
    placed: dict[int, int] = {}
    ranks: Counter[tuple[int, str, str]] = Counter()
    for unit in inside:
        around = placed.get(int(sight.units.parent[unit]), -1)
        key = (around, sight.tags[unit], sight.classes[unit].split(" ", 1)[0])
        ranks[key] += 1
        placed[unit] = columns.number(*key, ranks[key])
        yield unit, placed[unit]


def _of_unit(
    sight: Sight, columns: Columns, record: int, unit: int, column: int
) -> Iterator[Candidate]:
    units, pieces = sight.units, sight.pieces
    first, last = int(units.first[unit]), int(units.last[unit])
    if last == first + 1 and pieces.picture[first]:
        yield Candidate(record, unit, source_of(sight, unit), column, picture=True)
        return
    characters, texts = (
        pieces.sums[name][last] - pieces.sums[name][first] for name in ("characters", "texts")
    )
    if not 0 < characters <= LONGEST or texts > MOST_TEXTS:
        return
    text = sight.text(unit)
    yield Candidate(record, unit, text, column)
    inner = [sight.text(child) for child in units.children[unit]]
    for rank, (start, stop) in enumerate(spans(text) if len(text) <= LONGEST_PRICED else ()):
        price = text[start:stop]
        if price != text and not any(price in below for below in inner):
            part = columns.number(column, "price", "", rank)
            yield Candidate(record, unit, price, part, part=True)


def source_of(sight: Sight, unit: int) -> str:
    """Where a picture comes from; pages that load it later say so in other attributes."""
    attributes = sight.units.page.attributes(int(sight.units.inner[unit]))
    named = [first_address(name, attributes.get(name, "")) for name in _SOURCES]
    known = [address for address in named if address]
    elsewhere = [address for address in known if not address.startswith("data:")]
    return (elsewhere or known or [""])[0]


def first_address(attribute: str, value: str) -> str:
    """The address that an attribute of a picture holds; the first of a set."""
    if not attribute.endswith("srcset"):
        return value.strip()
    return next(iter(value.replace(", ", " ").strip(", \t\r\n").split()), "").rstrip(",")
