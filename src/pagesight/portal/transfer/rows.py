"""Rows of tables as JSON, and back: by the types of their columns."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Boolean, Column, Float, Integer, LargeBinary, Row, Table, Text

from pagesight.portal.errors import Invalid
from pagesight.portal.store import tables
from pagesight.portal.transfer.archive import Packing, Unpacking
from pagesight.watch.store import tables as watched
from pagesight.watch.store.rows import storable_json
from pagesight.watch.store.tables import Moment

ORDER: tuple[Table, ...] = (
    tables.accounts,
    tables.tokens,
    tables.channels,
    watched.pages,
    watched.learned,
    watched.parts,
    watched.checks,
    watched.observations,
    watched.snapshots,
    tables.boards,
    tables.board_people,
    tables.tabs,
    tables.tiles,
    tables.shares,
)
"""What an export holds; each table after those that it refers to."""

_PLAIN: dict[type, type | tuple[type, ...]] = {
    Text: str,
    Boolean: bool,
    Integer: int,
    Float: (int, float),
}
LARGEST_NUMBER = (1 << 31) - 1


def row_to_json(row: Row[Any], table: Table, packing: Packing) -> dict[str, Any]:
    """A row as plain values; bytes become files of the zip."""
    values = {}
    for column in table.c:
        value = getattr(row, column.name)
        if isinstance(value, datetime):
            value = value.isoformat()
        elif isinstance(value, bytes | memoryview):
            value = packing.file(bytes(value))
        values[column.name] = value
    return values


def row_from_json(fields: Mapping[str, Any], table: Table, unpacking: Unpacking) -> dict[str, Any]:
    """The values of a row as the database takes them; raises `Invalid`."""
    return {column.name: _value(fields, table, column, unpacking) for column in table.c}


def _value(
    fields: Mapping[str, Any], table: Table, column: Column[Any], unpacking: Unpacking
) -> Any:
    value = fields.get(column.name)
    if value is None and (column.nullable or isinstance(column.type, JSON)):
        return None
    if isinstance(column.type, Moment):
        value = _moment(value)
    elif isinstance(column.type, LargeBinary):
        value = unpacking.file(value)
    elif isinstance(column.type, JSON):
        value = storable_json(value)
    else:
        value = _plain(column, value)
    if value is None:
        raise Invalid(f"a row of {table.name} has no usable {column.name}", field="file")
    return value


def _plain(column: Column[Any], value: Any) -> Any:
    """A value, if it is of the type of its column."""
    wanted = next(kind for type_, kind in _PLAIN.items() if isinstance(column.type, type_))
    if not isinstance(value, wanted) or (wanted is not bool and isinstance(value, bool)):
        return None
    if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
        return None
    return storable_json(value)


def _moment(value: Any) -> datetime | None:
    try:
        moment = datetime.fromisoformat(value)
        return moment if moment.tzinfo and moment.astimezone() else None
    except (TypeError, ValueError, OverflowError):
        return None
