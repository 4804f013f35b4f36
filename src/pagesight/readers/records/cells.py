"""The cells of records: the texts and pictures in them, in columns."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pagesight.page.head import join
from pagesight.readers.records.candidates import (
    LONGEST,
    MOST_TEXTS,
    Columns,
    placed,
    source_of,
    units_of_member,
)
from pagesight.readers.records.groups import Group
from pagesight.readers.records.reading import Cell
from pagesight.readers.records.sight import Sight
from pagesight.readers.records.values import box_of
from pagesight.segment.nodes import before


def cells_of(sight: Sight, group: Group) -> Iterator[tuple[Cell, ...]]:
    """The texts and pictures of each record, in columns that are numbered as they first appear."""
    shown, columns = _are_cells(sight).tolist(), Columns()
    number: dict[int, int] = {}
    for record in range(len(group)):
        units = placed(sight, columns, units_of_member(sight, group, record))
        yield tuple(
            _cell(sight, unit, number.setdefault(column, len(number)))
            for unit, column in units
            if shown[unit]
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


def _are_cells(sight: Sight) -> NDArray[np.bool_]:
    """Which units are pictures, or texts that are in one box and not a part of one."""
    known, alone = sight.listed, _in_one_box(sight)
    characters, texts = np.array(known.characters), np.array(known.texts)
    part = alone[np.maximum(0, sight.units.parent)]
    text = (characters > 0) & (characters <= LONGEST) & (texts <= MOST_TEXTS) & alone & ~part
    return np.asarray(text | known.picture)


def _in_one_box(sight: Sight) -> NDArray[np.bool_]:
    """Which units have all their texts in one box; those of one piece have, whatever it is."""
    units, written = sight.units, sight.pieces.characters > 0
    count, block = before(written), sight.block[written]
    turns = np.append(before(block[1:] != block[:-1]), 0)  # up to each text
    first, last = count[units.first], count[units.last]
    same = (last > first) & (turns[last - 1] == turns[np.minimum(first, len(block))])
    return np.asarray(same | (units.last <= units.first + 1))
