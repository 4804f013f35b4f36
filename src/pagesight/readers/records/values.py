"""Values with their places: those of candidates, and the cells of records in columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

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
    first_address,
    placed,
    source_of,
    units_of_members,
)
from pagesight.readers.records.groups import RUNS, Group
from pagesight.readers.records.pieces import Numbering, amount_on
from pagesight.readers.records.prices import spans
from pagesight.readers.records.reading import Cell, Picture, Price
from pagesight.readers.records.sight import Sight, sight_of
from pagesight.readers.value import Value
from pagesight.segment.nodes import before, boxes

Ints = NDArray[np.int64]
LEAST_BEGUN = 4  # characters in front of an ellipsis, by which the whole is known
CALLED = ("title", "aria-label", "alt")
_ELLIPSIS = re.compile(r"\s*(?:…|\.\.\.)$")


def value_of(sight: Sight, candidate: Candidate, confidence: float | None) -> Value:
    """A text as it is read on the page."""
    node = Node(sight.units.page, sight.listed.inner[candidate.unit])
    text = sight.text(candidate.unit)
    return Value(text=text, confidence=confidence, place=node, box=sight.box(candidate.unit))


def name_of(sight: Sight, candidate: Candidate, confidence: float | None, units: range) -> Value:
    """The name of a record that consists of these units.

    Where it ends in an ellipsis, the whole is often what a link or a picture of the record is
    called.
    """
    value = value_of(sight, candidate, confidence)
    start = begun(value.text)
    if start is None:
        return value
    page = sight.units.page
    outer = sight.units.node
    nodes = slice(int(outer[units[0]]), int(page.end[outer[units[-1]]]))
    said = (text.split() for name in CALLED for text in sight.attribute(name)[nodes] if text)
    longer = (text for text in map(" ".join, said) if len(start) < len(text) <= LONGEST)
    whole = [text for text in longer if text.startswith(start) and begun(text) is None]
    return replace(value, text=min(whole, key=len)) if whole else value


def begun(text: str) -> str | None:
    """What is in front of the ellipsis that cuts off a text; None if there is none."""
    start = _ELLIPSIS.sub("", text)
    return start if start != text and len(start) >= LEAST_BEGUN else None


def picture_of(sight: Sight, candidate: Candidate, confidence: float | None) -> Picture:
    """A picture with its address."""
    node = Node(sight.units.page, sight.listed.inner[candidate.unit])
    source = _address(sight, candidate.unit)
    text = node.attributes.get("alt", "").strip()
    box = sight.box(candidate.unit)
    return Picture(text=text, confidence=confidence, place=node, box=box, src=source)


def _address(sight: Sight, unit: int) -> str:
    """The address of a picture; where it says none itself, the sources beside it may."""
    page, said = sight.units.page, source_of(sight, unit)
    if not said or said.startswith("data:"):
        said = next(_sources(page, sight.listed.inner[unit]), said)
    return join(page.head.base, said) or said


def _sources(page: Page, node: int) -> Iterator[str]:
    """Where the sources of a `picture` lead, of which a page may load one later."""
    around = page[node].parent
    if around is None or around.tag != "picture":
        return
    for source in around.children:
        for name in ("srcset", "data-srcset"):
            address = first_address(name, source.attributes.get(name, ""))
            if source.tag == "source" and address and not address.startswith("data:"):
                yield address


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
        text=text, confidence=confidence, place=node, box=sight.box(candidate.unit),
        amount=amount.amount, currency=amount.currency,
    )  # fmt: skip


def box_around(sight: Sight, first: int, last: int) -> Box:
    """The box of a run of pieces."""
    return boxes_around(sight, np.array([first]), np.array([last]))[0]


def boxes_of(sight: Sight, group: Group) -> list[Box]:
    """The boxes of the members of a group."""
    if group.how != RUNS:  # each is a unit
        return list(map(sight.box, group.heads.tolist()))
    return boxes_around(sight, group.first, group.last)


def boxes_around(sight: Sight, first: Ints, last: Ints) -> list[Box]:
    """The boxes of runs of pieces."""
    return list(map(Box._make, boxes(sight.boxes(first, last)).tolist()))


def cells_of(sight: Sight, group: Group) -> Iterator[tuple[Cell, ...]]:
    """The texts and pictures of each record, in columns that are numbered as they first appear.

    Texts are whole: a part of a text in the same record is not a cell. What several records are
    part of, such as a line of links, does not count.
    """
    columns, number = Columns(), Numbering[int]()
    inner, whole = _may_be_cells(sight.units.page)
    parent = sight.listed.parent
    for units in units_of_members(sight, group):
        start, column = units.start, placed(sight, columns, units)
        yield tuple([
            _cell(sight, unit, number[column[unit - start]])
            for unit in units
            if inner[unit] or (whole[unit] and parent[unit] < start)
        ])  # fmt: skip


def _cell(sight: Sight, unit: int, column: int) -> Cell:
    source = _address(sight, unit) if sight.listed.picture[unit] else None
    return Cell(
        text="" if source is not None else sight.text(unit),
        confidence=None,
        place=Node(sight.units.page, sight.listed.inner[unit]),
        box=sight.box(unit),
        column=column,
        src=source,
    )


@once_per_page
def _may_be_cells(page: Page) -> tuple[list[bool], list[bool]]:
    """Which units are cells of what holds them, and which are if nothing is around them.

    The latter are pictures, and texts in one box that are not too long for a value; the former are
    not a part of a text.
    """
    sight = sight_of(page)
    units, total = sight.units, sight.pieces.total
    characters = total("characters", units.first, units.last)
    texts = total("texts", units.first, units.last)
    picture, in_one_box = np.array(sight.listed.picture, dtype=np.bool_), _in_one_box(sight)
    short = (characters > 0) & (characters <= LONGEST) & (texts <= MOST_TEXTS)
    whole = picture | (short & in_one_box)
    inner = picture | (whole & ~in_one_box[np.maximum(0, units.parent)])
    return inner.tolist(), whole.tolist()


def _in_one_box(sight: Sight) -> NDArray[np.bool_]:
    """Which units have all their texts in one box; those of one piece have, whatever it is."""
    units, written = sight.units, sight.pieces.characters > 0
    count, block = before(written), sight.block[written]
    turns = np.append(before(block[1:] != block[:-1]), 0)  # up to each text
    first, last = count[units.first], count[units.last]
    same = (last > first) & (turns[last - 1] == turns[np.minimum(first, len(block))])
    return np.asarray(same | (units.last <= units.first + 1))
