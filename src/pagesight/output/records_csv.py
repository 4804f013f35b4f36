"""Records as CSV."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO

from pagesight.output.records_table import (
    COLUMN,
    Listed,
    Row,
    cells_of,
    own_names,
    own_texts,
    rows_of,
    unnamed_columns,
)


def records_csv(pages: Sequence[Listed]) -> str:
    """A line for each record, after one with the names of the columns.

    The named columns are always the same. Attributes of one's own follow, then columns without
    names, as many as there are.
    """
    records = [record for page in pages for record in page.reading.records]
    own, numbers = own_names(records), unnamed_columns(records)
    file = StringIO()
    writer = csv.writer(file)
    writer.writerow(
        [*Row._fields, *map(_heading, own), *(f"{COLUMN}{number}" for number in numbers)]
    )
    for row, record in rows_of(pages):
        cells = cells_of(record)
        writer.writerow([*row, *own_texts(record, own), *(cells.get(number) for number in numbers)])
    return file.getvalue()


def _heading(name: str) -> str:
    """The column of an attribute of one's own; it may have the name of one that is always there."""
    return f"own_{name}" if name in Row._fields else name
