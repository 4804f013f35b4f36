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
    rows_of,
    unnamed_columns,
)


def records_csv(pages: Sequence[Listed]) -> str:
    """A line for each record, after one with the names of the columns.

    The named columns are always the same; those without names follow, as many as there are.
    """
    numbers = unnamed_columns([record for page in pages for record in page.reading.records])
    file = StringIO()
    writer = csv.writer(file)
    writer.writerow([*Row._fields, *(f"{COLUMN}{number}" for number in numbers)])
    for row, record in rows_of(pages):
        cells = cells_of(record)
        writer.writerow([*row, *(cells.get(number) for number in numbers)])
    return file.getvalue()
