"""Rows of the tables as values, and the queries that read them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, func, insert, select

from pagesight.page import Box
from pagesight.watch.store import tables
from pagesight.watch.values import Item, Observation, Part, PartState, Status, WatchedPage

_PAGE = ("id", "address", "version", "etag", "last_modified", "digest", "added", "checked",
         "next_check", "failures", "failing_since", "error")  # fmt: skip
_PART = ("id", "uid", "name", "selector", "added", "component")
_SEEN = ("part_id", "number", "time", "last", "status", "html", "styled", "text", "items", "box",
         "xpath", "css", "confidence", "runner_up", "changes")  # fmt: skip
PRESENT = [status.value for status in Status if status.is_present]


def storable(text: str) -> str:
    """Text that every database takes: without NUL, and without halves of characters."""
    return text.replace("\0", "\ufffd").encode(errors="replace").decode()


def storable_json(value: Any) -> Any:
    """JSON that every database takes."""
    match value:
        case str():
            return storable(value)
        case dict():
            return {storable(key): storable_json(inner) for key, inner in value.items()}
        case list() | tuple():
            return [storable_json(inner) for inner in value]
    return value


def inserted(connection: Connection, table: Any, **fields: Any) -> int:
    """Write a row; its number."""
    key = connection.execute(insert(table).values(**fields)).inserted_primary_key
    assert key
    return int(key[0])


def is_last(*, present: bool = False) -> ColumnElement[bool]:
    """Whether an observation is the last one of its part, or of those in which it was present."""
    others = tables.observations.alias("others")
    last = select(func.max(others.c.number)).where(
        others.c.part_id == tables.observations.c.part_id
    )
    if present:
        last = last.where(others.c.status.in_(PRESENT))
    return tables.observations.c.number == last.correlate(tables.observations).scalar_subquery()


def observations_query() -> Select[Any]:
    """All observations, without their pictures."""
    columns = tables.observations.c
    has_picture = columns.picture.is_not(None).label("has_picture")
    return select(*(columns[name] for name in _SEEN), has_picture)


def parts_query() -> Select[Any]:
    """All parts, with their pages."""
    parts, pages = tables.parts, tables.pages
    named = [pages.c[name].label(f"page_{name}") for name in _PAGE]
    known = [parts.c[name] for name in (*_PART, "state", "learned_id")]
    return select(*known, *named).join(pages, pages.c.id == parts.c.page_id)


def page_of(row: Row[Any]) -> WatchedPage:
    """A row of `pages`."""
    return WatchedPage(**{name: getattr(row, name) for name in _PAGE})


def part_of(row: Row[Any]) -> Part:
    """A row of `parts_query`."""
    page = WatchedPage(**{name: getattr(row, f"page_{name}") for name in _PAGE})
    fields = {name: getattr(row, name) for name in _PART}
    return Part(page=page, state=PartState(row.state), learned=row.learned_id, **fields)


def observation_of(row: Row[Any]) -> Observation:
    """A row of `observations_query`."""
    fields = {name: getattr(row, name) for name in _SEEN if name != "part_id"}
    made = {
        "part": row.part_id,
        "status": Status(row.status),
        "items": tuple(Item(**item) for item in row.items),
        "box": Box(*row.box) if row.box else None,
        "changes": tuple(row.changes),
        "has_picture": bool(row.has_picture),
    }
    return Observation(**fields | made)
