"""Values with their places: those of candidates, and the cells of records in columns."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Box
from pagesight.page.head import join
from pagesight.readers.records.candidates import (
    LONGEST,
    MOST_TEXTS,
    Candidate,
    Columns,
    placed,
    source_of,
    units_of_member,
)
from pagesight.readers.records.groups import Group
from pagesight.readers.records.pieces import amount_on
from pagesight.readers.records.prices import spans
from pagesight.readers.records.reading import Cell, Picture, Price
from pagesight.readers.records.sight import Sight
from pagesight.readers.value import Value
from pagesight.segment.nodes import before


def value_of(sight: Sight, candidate: Candidate, confidence: float | None) -> Value:
    """A text as it is read on the page."""
    node = sight.units.page[int(sight.units.inner[candidate.unit])]
    text = sight.text(candidate.unit)
    return Value(text=text, confidence=confidence, place=node, box=box_of(sight, candidate.unit))


def picture_of(sight: Sight, candidate: Candidate, confidence: float | None) -> Picture:
    """A picture with its address."""
    node = sight.units.page[int(sight.units.inner[candidate.unit])]
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
    node = page[int(sight.units.inner[candidate.unit])]
    return Price(
        text=text, confidence=confidence, place=node, box=box_of(sight, candidate.unit),
        amount=amount.amount, currency=amount.currency,
    )  # fmt: skip


def box_of(sight: Sight, unit: int) -> Box:
    """The box of what a unit shows."""
    return _box(*sight.unit_corners[unit])


def box_around(sight: Sight, first: int, last: int) -> Box:
    """The box of a run of pieces."""
    left, top = sight.corners[first:last, :2].min(axis=0).tolist()
    right, bottom = sight.corners[first:last, 2:].max(axis=0).tolist()
    return _box(left, top, right, bottom)


def _box(left: float, top: float, right: float, bottom: float) -> Box:
    return Box(left, top, right - left, bottom - top)


def cells_of(sight: Sight, group: Group) -> Iterator[tuple[Cell, ...]]:
    """The texts and pictures of each record, in columns that are numbered as they first appear.

    Texts are whole: a part of a text in the same record is not a cell. What several records are
    part of, such as a line of links, does not count.
    """
    known, alone, columns = sight.listed, _in_one_box(sight), Columns()
    text, whole = _are_short(sight, alone).tolist(), alone.tolist()
    number: dict[int, int] = {}
    for record in range(len(group)):
        units = dict(placed(sight, columns, units_of_member(sight, group, record)))
        yield tuple(
            _cell(sight, unit, number.setdefault(column, len(number)))
            for unit, column in units.items()
            if known.picture[unit]
            or (text[unit] and not (known.parent[unit] in units and whole[known.parent[unit]]))
        )


def _cell(sight: Sight, unit: int, column: int) -> Cell:
    page, source = sight.units.page, None
    if sight.listed.picture[unit]:
        said = source_of(sight, unit)
        source = join(page.head.base, said) or said
    return Cell(
        text="" if source is not None else sight.text(unit),
        confidence=None,
        place=page[int(sight.units.inner[unit])],
        box=box_of(sight, unit),
        column=column,
        src=source,
    )


def _are_short(sight: Sight, alone: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which units are texts in one box that are not too long for a value."""
    characters, texts = np.array(sight.listed.characters), np.array(sight.listed.texts)
    return np.asarray((characters > 0) & (characters <= LONGEST) & (texts <= MOST_TEXTS) & alone)


def _in_one_box(sight: Sight) -> NDArray[np.bool_]:
    """Which units have all their texts in one box; those of one piece have, whatever it is."""
    units, written = sight.units, sight.pieces.characters > 0
    count, block = before(written), sight.block[written]
    turns = np.append(before(block[1:] != block[:-1]), 0)  # up to each text
    first, last = count[units.first], count[units.last]
    same = (last > first) & (turns[last - 1] == turns[np.minimum(first, len(block))])
    return np.asarray(same | (units.last <= units.first + 1))
