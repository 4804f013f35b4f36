"""Values with their places: those of candidates, and the cells of records in columns."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Box, Node, Page
from pagesight.page.derived import once_per_page
from pagesight.page.head import join
from pagesight.readers.records.candidates import (
    LONGEST,
    MOST_TEXTS,
    Candidate,
    Columns,
    placed,
    source_of,
    units_of_members,
)
from pagesight.readers.records.groups import Group
from pagesight.readers.records.pieces import amount_on
from pagesight.readers.records.prices import spans
from pagesight.readers.records.reading import Cell, Picture, Price
from pagesight.readers.records.sight import Sight, sight_of
from pagesight.readers.value import Value
from pagesight.segment.nodes import before, boxes

Ints = NDArray[np.int64]


def value_of(sight: Sight, candidate: Candidate, confidence: float | None) -> Value:
    """A text as it is read on the page."""
    node = Node(sight.units.page, sight.listed.inner[candidate.unit])
    text = sight.text(candidate.unit)
    return Value(text=text, confidence=confidence, place=node, box=box_of(sight, candidate.unit))


def picture_of(sight: Sight, candidate: Candidate, confidence: float | None) -> Picture:
    """A picture with its address."""
    node = Node(sight.units.page, sight.listed.inner[candidate.unit])
    source = join(sight.units.page.head.base, candidate.text) or candidate.text
    text = node.attributes.get("alt", "").strip()
    box = box_of(sight, candidate.unit)
    return Picture(text=text, confidence=confidence, place=node, box=box, src=source)


def price_of(sight: Sight, candidate: Candidate, confidence: float | None) -> Price:
    """A price with what it amounts to."""
    found = spans(candidate.text)
    text = candidate.text[slice(*found[0])].strip() if found else candidate.text
    page = sight.units.page
    amount = amount_on(page, text)
    if candidate.part and not amount.currency:  # the lower end of a range
        amount = amount._replace(currency=amount_on(page, sight.text(candidate.unit)).currency)
    node = Node(page, sight.listed.inner[candidate.unit])
    return Price(
        text=text, confidence=confidence, place=node, box=box_of(sight, candidate.unit),
        amount=amount.amount, currency=amount.currency,
    )  # fmt: skip


def box_of(sight: Sight, unit: int) -> Box:
    """The box of what a unit shows."""
    return Box(*sight.boxes_of_units[unit])


def box_around(sight: Sight, first: int, last: int) -> Box:
    """The box of a run of pieces."""
    return boxes_around(sight, np.array([first]), np.array([last]))[0]


def boxes_around(sight: Sight, first: Ints, last: Ints) -> list[Box]:
    """The boxes of runs of pieces."""
    return [Box(*box) for box in boxes(sight.boxes(first, last)).tolist()]


def cells_of(sight: Sight, group: Group) -> Iterator[tuple[Cell, ...]]:
    """The texts and pictures of each record, in columns that are numbered as they first appear.

    Texts are whole: a part of a text in the same record is not a cell. What several records are
    part of, such as a line of links, does not count.
    """
    columns, inner, whole = Columns(), _inner_cells(sight.units.page), _whole(sight.units.page)
    parent = sight.listed.parent
    number: dict[int, int] = {}
    for units in units_of_members(sight, group):
        yield tuple(
            _cell(sight, unit, number.setdefault(column, len(number)))
            for unit, column in zip(units, placed(sight, columns, units), strict=True)
            if inner[unit] or (whole[unit] and parent[unit] < units.start)
        )


def _cell(sight: Sight, unit: int, column: int) -> Cell:
    page, source = sight.units.page, None
    if sight.listed.picture[unit]:
        said = source_of(sight, unit)
        source = join(page.head.base, said) or said
    return Cell(
        text="" if source is not None else sight.text(unit),
        confidence=None,
        place=Node(page, sight.listed.inner[unit]),
        box=box_of(sight, unit),
        column=column,
        src=source,
    )


@once_per_page
def _whole(page: Page) -> list[bool]:
    """Which units are pictures, or texts in one box that are not too long for a value."""
    sight = sight_of(page)
    characters, texts = np.array(sight.listed.characters), np.array(sight.listed.texts)
    short = (characters > 0) & (characters <= LONGEST) & (texts <= MOST_TEXTS)
    picture = np.array(sight.listed.picture, dtype=np.bool_)
    return list((picture | (short & _in_one_box(sight))).tolist())


@once_per_page
def _inner_cells(page: Page) -> list[bool]:
    """Which of these are cells of what holds them: no part of a text is one."""
    sight = sight_of(page)
    around = _in_one_box(sight)[np.maximum(0, sight.units.parent)]
    picture = np.array(sight.listed.picture, dtype=np.bool_)
    return list((picture | (np.array(_whole(page)) & ~around)).tolist())


def _in_one_box(sight: Sight) -> NDArray[np.bool_]:
    """Which units have all their texts in one box; those of one piece have, whatever it is."""
    units, written = sight.units, sight.pieces.characters > 0
    count, block = before(written), sight.block[written]
    turns = np.append(before(block[1:] != block[:-1]), 0)  # up to each text
    first, last = count[units.first], count[units.last]
    same = (last > first) & (turns[last - 1] == turns[np.minimum(first, len(block))])
    return np.asarray(same | (units.last <= units.first + 1))
