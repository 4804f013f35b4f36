"""The records of pages as a table: what formats of rows and columns have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pagesight.readers.records import Price, Record, RecordsReading
from pagesight.readers.value import Value

COLUMN = "column_"  # and the number of a column that has no name


class Listed(NamedTuple):
    """A page and what it lists."""

    source: str
    reading: RecordsReading


class Row(NamedTuple):
    """A record; the order of fields is that of all tables."""

    source: str
    name: str | None
    price: float | None
    currency: str | None
    price_text: str | None
    old_price: float | None
    old_price_text: str | None
    unit_price: float | None
    unit: str | None
    rating: float | None
    best_rating: float | None
    reviews: int | None
    availability: str | None
    brand: str | None
    image: str | None
    url: str | None
    description: str | None
    confidence: float | None
    xpath: str | None


def rows_of(pages: Iterable[Listed]) -> Iterator[tuple[Row, Record]]:
    """One row for each record of the main lists, in the order of the pages."""
    for page in pages:
        for record in page.reading.records:
            yield _row(page.source, record), record


def _row(source: str, record: Record) -> Row:
    return Row(
        source=source,
        name=_text(record.name),
        price=_amount(record.price),
        currency=record.price.currency if record.price else None,
        price_text=_text(record.price),
        old_price=_amount(record.old_price),
        old_price_text=_text(record.old_price),
        unit_price=_amount(record.unit_price),
        unit=record.unit_price.per if record.unit_price else None,
        rating=record.rating.value if record.rating else None,
        best_rating=record.rating.best if record.rating else None,
        reviews=record.reviews.count if record.reviews else None,
        availability=record.availability.state.value if record.availability else None,
        brand=_text(record.brand),
        image=record.image.src if record.image else None,
        url=record.url,
        description=_text(record.description),
        confidence=None if record.confidence is None else round(record.confidence, 4),
        xpath=record.xpath,
    )


def _text(value: Value | None) -> str | None:
    return " ".join(value.text.split()) if value else None


def _amount(price: Price | None) -> float | None:
    return price.amount if price else None


def cells_of(record: Record) -> dict[int, str]:
    """The texts of a record by column."""
    cells: dict[int, str] = {}
    for cell in record.cells:
        if text := _text(cell):
            cells[cell.column] = f"{cells[cell.column]} {text}" if cell.column in cells else text
    return cells


def own_names(records: Iterable[Record]) -> list[str]:
    """The attributes that a model of somebody's own has read, in order."""
    return sorted({name for record in records for name in record.values})


def own_texts(record: Record, names: Iterable[str]) -> list[str | None]:
    """The texts of these attributes."""
    return [_text(record.values.get(name)) for name in names]


def unnamed_columns(records: Sequence[Record]) -> list[int]:
    """The columns that say more than the values with names do."""
    filled: Counter[int] = Counter()
    more: Counter[int] = Counter()
    for record in records:
        named = (record.name, record.price, record.old_price, record.description, record.rating,
                 record.reviews, record.availability, record.brand, record.unit_price)  # fmt: skip
        known = {_text(value) for value in (*named, *record.values.values())}
        for column, text in cells_of(record).items():
            filled[column] += 1
            more[column] += text not in known
    return [column for column in sorted(filled) if more[column] > filled[column] / 2]
