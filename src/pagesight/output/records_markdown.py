"""Records as tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pagesight.output.markdown import escaped
from pagesight.output.records_table import Listed, Row, cells_of, rows_of, unnamed_columns

_HEADINGS = {"name": "Name", "price_text": "Price", "old_price_text": "Price before",
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
    named = [name for name in _HEADINGS if any(getattr(row, name) for row in rows)]
    numbers = unnamed_columns(records)
    headings = [*(_HEADINGS[name] for name in named), *(f"Column {number}" for number in numbers)]
    lines = [headings, ["---"] * len(headings)]
    for row, record in zip(rows, records, strict=True):
        cells = cells_of(record)
        lines.append([*_cells(row, named), *(escaped(cells.get(n, "")) for n in numbers)])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cells(row: Row, named: Sequence[str]) -> Iterator[str]:
    for name in named:
        text = escaped(getattr(row, name) or "")
        if name == "name" and text and row.url:
            text = f"[{text}](<{_address(row.url)}>)"
        elif name == "image" and row.image:
            text = f"![](<{_address(row.image)}>)"
        yield text


def _address(address: str) -> str:
    """An address that can be between angle brackets, in a table."""
    return "".join(_ESCAPES.get(char, char) for char in address if char.isprintable())


_ESCAPES = {"<": "%3C", ">": "%3E", "|": "%7C", " ": "%20", "\\": "%5C"}
