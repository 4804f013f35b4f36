"""Candidates as values: texts, pictures and prices with their places."""

from __future__ import annotations

from pagesight.page import Box
from pagesight.page.head import join
from pagesight.readers.records.candidates import Candidate
from pagesight.readers.records.prices import amount_of, spans
from pagesight.readers.records.reading import Picture, Price
from pagesight.readers.records.sight import Sight
from pagesight.readers.value import Value


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
    amount = amount_of(text)
    node = sight.units.page[int(sight.units.inner[candidate.unit])]
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
