"""What may be attributes of records: their units at all levels, and prices in their texts.

What is in the same place of several records is a column: it has the same meaning in all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pagesight.readers.records.groups import Group
from pagesight.readers.records.pieces import Numbering
from pagesight.readers.records.prices import is_price, spans
from pagesight.readers.records.sight import Sight

LONGEST = 600  # characters of a value
MOST_TEXTS = 12  # pieces of text in a value
LEVELS_TO_CLASS = 2  # in which a class is looked for
LONGEST_PRICED = 80  # characters of a text that is searched for prices
_SOURCES = ("data-src", "data-original", "data-srcset", "srcset", "src", ":src")


class Candidate(NamedTuple):
    """A unit of a record, or a price in it."""

    record: int
    unit: int
    text: str
    """What it says; where it comes from, if it is a picture."""

    column: int
    kind: int
    """A number for its tag, class and look, wherever in a record it is."""

    picture: bool = False
    part: bool = False
    """Whether it is a price in a longer text."""

    bare: bool = False
    """Whether it is nothing but a price."""

    @property
    def is_price(self) -> bool:
        """Whether it is a price, alone or in a longer text."""
        return self.part or self.bare


class Columns:
    """Numbers for places in records: the same place in any record has the same number."""

    def __init__(self) -> None:
        self.number = Numbering[tuple[int, int]]()
        """The column of what is in a column and a step of `Sight` from there."""

        self.kind = Numbering[tuple[str, str, int, int]]()
        """The number of a tag and a class with one look, and of which price of its text it is."""

    def priced(self, around: int, rank: int) -> int:
        """The column of one of the prices in what is in a column."""
        return self.number[around, -1 - rank]


def candidates(sight: Sight, group: Group) -> list[Candidate]:
    """All that may be attributes of the records of a group."""
    columns, places = Columns(), placed if len(group) > 1 else _alone
    values: list[Candidate] = []
    for record, units in enumerate(units_of_members(sight, group)):
        for unit, column in zip(units, places(sight, columns, units), strict=True):
            values += _of_unit(sight, columns, record, unit, column)
    return values


def candidates_of_page(sight: Sight, units: Sequence[int]) -> list[Candidate]:
    """What in these units may be an attribute if the page is one record: there is no other of it.

    So each candidate has a column of its own, and what is of its kind does not matter.
    """
    values: list[Candidate] = []
    for unit in units:
        if sight.listed.picture[unit]:
            source = source_of(sight, unit)
            values.append(Candidate(0, unit, source, len(values), 0, picture=True))
            continue
        text = sight.text(unit)
        values.append(Candidate(0, unit, text, len(values), 0, bare=is_price(text)))
        for _, price in _prices_in(sight, unit, text):
            bare = is_price(price)
            values.append(Candidate(0, unit, price, len(values), 0, part=True, bare=bare))
    return values


def units_of_members(sight: Sight, group: Group) -> list[range]:
    """The units of each record, those that it begins with among them."""
    stop = np.searchsorted(sight.units.first, group.last)
    return list(map(range, group.heads.tolist(), stop.tolist()))


def placed(sight: Sight, columns: Columns, inside: range) -> list[int]:
    """The column of each unit: by the tags and classes above it, and which it is of these."""
    parent, step, number, start = sight.listed.parent, sight.step, columns.number, inside.start
    kind, placed = sight.kind, list[int]()
    ranks: dict[int, int] = {}
    for unit in inside:
        if parent[unit] >= start:
            placed.append(number[placed[parent[unit] - start], step[unit]])
        else:
            ranks[kind[unit]] = rank = ranks.get(kind[unit], 0) + 1
            placed.append(number[-1, sight.step_of(kind[unit], rank)])
    return placed


def _alone(_: Sight, columns: Columns, inside: range) -> list[int]:
    """The columns of the units of a single record: no two of them are in the same one."""
    return [columns.number[-1, unit] for unit in inside]


def _of_unit(
    sight: Sight, columns: Columns, record: int, unit: int, column: int
) -> Sequence[Candidate]:
    known = sight.listed
    looks = (sight.tags[unit], _token(sight, unit), known.style[unit])
    kind = columns.kind[*looks, -1]
    if known.picture[unit]:
        return (Candidate(record, unit, source_of(sight, unit), column, kind, picture=True),)
    if not 0 < known.characters[unit] <= LONGEST or known.texts[unit] > MOST_TEXTS:
        return ()
    text = sight.text(unit)
    if len(text) > LONGEST_PRICED or not spans(text):
        return (Candidate(record, unit, text, column, kind),)
    values = [Candidate(record, unit, text, column, kind, bare=is_price(text))]
    for rank, price in _prices_in(sight, unit, text):
        part = columns.priced(column, rank)
        kind = columns.kind[*looks, rank]
        bare = is_price(price)
        values.append(Candidate(record, unit, price, part, kind, part=True, bare=bare))
    return values


def _prices_in(sight: Sight, unit: int, text: str) -> Iterator[tuple[int, str]]:
    """The prices that are parts of the text of a unit, and which they are of all prices in it."""
    priced = spans(text) if len(text) <= LONGEST_PRICED else ()
    inner = [sight.text(child) for child in sight.units.children[unit]] if priced else []
    for rank, (start, stop) in enumerate(priced):
        price = text[start:stop]
        if price != text and not any(price in below for below in inner):
            yield rank, price


def _token(sight: Sight, unit: int) -> str:
    """The first class of a unit, or of the nearest one around it that has any."""
    for _ in range(LEVELS_TO_CLASS):
        if unit < 0:
            break
        if sight.listed.token[unit]:
            return sight.listed.token[unit]
        unit = sight.listed.parent[unit]
    return ""


def source_of(sight: Sight, unit: int) -> str:
    """Where a picture comes from; pages that load it later say so in other attributes."""
    if unit not in sight.sources:
        sight.sources[unit] = _source_of(sight, sight.listed.inner[unit])
    return sight.sources[unit]


def _source_of(sight: Sight, node: int) -> str:
    attributes = sight.units.page.attributes(node)
    named = [(name, attributes[name]) for name in _SOURCES if name in attributes]
    known = [address for name, value in named if value and (address := first_address(name, value))]
    elsewhere = [address for address in known if not address.startswith("data:")]
    return (elsewhere or known or [""])[0]


def first_address(attribute: str, value: str) -> str:
    """The address that an attribute of a picture holds; the first of a set."""
    if not attribute.endswith("srcset"):
        return value.strip()
    return next(iter(value.replace(", ", " ").strip(", \t\r\n").split()), "").rstrip(",")
