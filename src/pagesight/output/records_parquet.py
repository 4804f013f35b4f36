"""Records as a Parquet file, which needs the extra ``parquet``."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from io import BytesIO
from typing import Any

from pagesight.output.records_table import Listed, Row, rows_of

_NUMBERS = ("price", "old_price", "unit_price", "rating", "best_rating", "confidence")
_COUNTS = ("reviews",)


def records_parquet(pages: Sequence[Listed]) -> bytes:
    """A row for each record. The schema is always the same: cells are a list in each row."""
    pyarrow: Any = import_module("pyarrow")
    write: Any = import_module("pyarrow.parquet").write_table
    columns = dict[str, list[Any]]()
    for row, record in rows_of(pages):
        cells = [{"column": cell.column, "text": cell.text} for cell in record.cells]
        box = list(record.box) if record.box else None
        own = [{"name": name, "text": value.text} for name, value in record.values.items()]
        more = (("box", box), ("cells", cells), ("values", own))
        for name, value in (*row._asdict().items(), *more):
            columns.setdefault(name, []).append(value)
    schema = _schema(pyarrow)
    table = pyarrow.table({name: columns.get(name, []) for name in schema.names}, schema=schema)
    file = BytesIO()
    write(table, file)
    return file.getvalue()


def _schema(pyarrow: Any) -> Any:
    cell = pyarrow.struct([("column", pyarrow.int32()), ("text", pyarrow.string())])
    own = pyarrow.struct([("name", pyarrow.string()), ("text", pyarrow.string())])
    kinds = dict.fromkeys(Row._fields, pyarrow.string())
    kinds |= dict.fromkeys(_NUMBERS, pyarrow.float64()) | dict.fromkeys(_COUNTS, pyarrow.int64())
    kinds |= {"box": pyarrow.list_(pyarrow.float64(), 4), "cells": pyarrow.list_(cell),
              "values": pyarrow.list_(own)}  # fmt: skip
    return pyarrow.schema(list(kinds.items()))
