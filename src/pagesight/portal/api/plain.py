"""Values as plain JSON, and the JSON Schema of that, both from the types alone."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from pagesight.page import Box
from pagesight.portal import values
from pagesight.watch import Changes, Observation, Part, WatchedPage

HIDDEN: dict[type, set[str]] = {
    values.Account: {"uid", "settings"},
    values.Board: {"id"},
    values.Channel: {"account", "address"},  # which may hold a password
    values.Preview: {"id", "account"},
    values.Share: {"id", "board", "tile"},
    values.Tab: {"id", "board"},
    values.Tile: {"id", "tab", "told"},
    values.Token: {"account"},
    Observation: {"styled"},
    Part: {"learned", "component"},
    WatchedPage: {"version", "etag", "last_modified", "digest"},
}
"""What is nobody's business, or makes sense only in the database. Nor are bytes shown."""

ADDED: dict[type, set[str]] = {Changes: {"summary", "text"}}
"""What is computed."""

_PLAIN: dict[Any, dict[str, Any]] = {
    Any: {},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    datetime: {"type": "string", "format": "date-time"},
    timedelta: {"type": "number", "description": "seconds"},
    type(None): {"type": "null"},
    Box: {"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 4},
}


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    match value:
        case datetime():
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
        case StrEnum():
            return value.value
        case Mapping():
            return {str(key): plain(one) for key, one in value.items()}
        case list() | tuple() | set() | frozenset():
            return [plain(one) for one in value]
    if is_dataclass(value):
        kind: Any = type(value)
        return {name: plain(getattr(value, name)) for name, _ in shown(kind)}
    return value


@cache
def shown(cls: Any) -> tuple[tuple[str, Any], ...]:
    """The names and types of what is shown of a dataclass."""
    return tuple(_shown(cls))


def _shown(cls: Any) -> Iterator[tuple[str, Any]]:
    hints = get_type_hints(cls)
    for field in fields(cls):
        kind = hints[field.name]
        if field.name not in HIDDEN.get(cls, ()) and bytes not in (kind, *get_args(kind)):
            yield field.name, kind
    for name in sorted(ADDED.get(cls, ())):
        yield name, get_type_hints(getattr(cls, name).fget)["return"]


def schema_of(kind: Any) -> dict[str, Any]:
    """The JSON Schema of a type; dataclasses are referred to."""
    if kind in _PLAIN:
        return dict(_PLAIN[kind])
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return {"type": "string", "enum": [one.value for one in kind]}
    if is_dataclass(kind):
        return {"$ref": f"#/components/schemas/{kind.__name__}"}  # type: ignore[union-attr]
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return {"anyOf": [schema_of(one) for one in arguments]}
    if origin in (list, tuple, frozenset):
        return {"type": "array", "items": schema_of(arguments[0])}
    return {"type": "object", "additionalProperties": schema_of((*arguments, Any)[1])}


def object_schema(cls: Any) -> dict[str, Any]:
    """The JSON Schema of a dataclass."""
    properties = {name: schema_of(kind) for name, kind in shown(cls)}
    return {
        "type": "object",
        "description": (cls.__doc__ or "").strip().partition("\n")[0],
        "properties": properties,
        "required": sorted(properties),
    }


def inside(kind: Any) -> Iterator[Any]:
    """All dataclasses that a type consists of, itself among them."""
    if is_dataclass(kind):
        yield kind
        for _, one in shown(kind):  # type: ignore[arg-type]
            yield from inside(one)
    for one in get_args(kind):
        yield from inside(one)
