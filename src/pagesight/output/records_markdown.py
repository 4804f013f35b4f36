"""Records as tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pagesight.output.markdown import escaped
from pagesight.output.records_table import (
    Listed,
    Row,
    cells_of,
    own_names,
    own_texts,
    rows_of,
    unnamed_columns,
)

_HEADINGS = {"name": "Name", "price_text": "Price", "old_price_text": "Price before",
             "unit_price": "Unit price", "unit": "Unit", "rating": "Rating", "best_rating": "of",
             "reviews": "Reviews", "availability": "Availability", "brand": "Brand",
             "description": "Description", "image": "Image"}  # fmt: skip


def records_markdown(pages: Sequence[Listed]) -> str:
    """A table for each page, with the columns that are not empty; pages are headings if several."""
    return "\n".join(
        (f"# {escaped(page.source)}\n\n" if len(pages) > 1 else "") + _table(page) for page in pages
    )


def _table(page: Listed) -> str:
    records = page.reading.records
    if not records:
        return "(no records)\n"
    rows = [row for row, _ in rows_of([page])]
    named = [name for name in _HEADINGS if any(getattr(row, name) is not None for row in rows)]
    own, numbers = own_names(records), unnamed_columns(records)
    headings = [
        *(_HEADINGS[name] for name in named),
        *map(escaped, own),
        *(f"Column {number}" for number in numbers),
    ]
    lines = [headings, ["---"] * len(headings)]
    for row, record in zip(rows, records, strict=True):
        cells = cells_of(record)
        texts = [*own_texts(record, own), *(cells.get(number) for number in numbers)]
        lines.append([*_cells(row, named), *(escaped(text or "") for text in texts)])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cells(row: Row, named: Sequence[str]) -> Iterator[str]:
    for name in named:
        value = getattr(row, name)
        text = escaped(f"{value:g}" if isinstance(value, float) else str(value or ""))
        if name == "name" and text and row.url:
            text = f"[{text}](<{_address(row.url)}>)"
        elif name == "image" and row.image:
            text = f"![](<{_address(row.image)}>)"
        yield text


def _address(address: str) -> str:
    """An address that can be between angle brackets, in a table."""
    return "".join(_ESCAPES.get(char, char) for char in address if char.isprintable())


_ESCAPES = {"<": "%3C", ">": "%3E", "|": "%7C", " ": "%20", "\\": "%5C"}
