"""The columns of Parquet files, made of the JSON Schema that all output follows.

Objects become structs, and arrays lists. What has no fixed shape, a tree for example, is kept as a
text of JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

from pagesight.batch.rows import Row

ROWS_IN_GROUP = 50  # that are held in memory at a time
_PLAIN = {"string": "string", "number": "float64", "integer": "int64", "boolean": "bool_"}
_Described = Mapping[str, Any]  # a piece of JSON Schema


@dataclass(frozen=True)
class Shape:
    """What the values of a column are: the name of a type of Arrow, ``struct``, ``list``, ``json``.

    Any value may also be missing.
    """

    kind: str
    fields: Mapping[str, Shape] = field(default_factory=dict)
    items: Shape | None = None

    @cached_property
    def is_plain(self) -> bool:
        """Whether Arrow takes the values as they are: there is no text of JSON to be made."""
        inner = [*self.fields.values(), *([self.items] if self.items else ())]
        return self.kind != "json" and all(shape.is_plain for shape in inner)


JSON = Shape("json")


def write_parquet(rows: Iterable[Row], path: Path, readings: Sequence[str]) -> None:
    """Write rows to a file, whose columns are always the same for the same readings."""
    pyarrow: Any = import_module("pyarrow")
    parquet: Any = import_module("pyarrow.parquet")
    shape, schema = _schema(tuple(readings))
    iterator = iter(rows)
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        while group := [fitted(row, shape) for row in islice(iterator, ROWS_IN_GROUP)]:
            writer.write_table(pyarrow.Table.from_pylist(group, schema=schema))


@cache
def _schema(readings: tuple[str, ...]) -> tuple[Shape, Any]:
    """The shape of rows and what Arrow calls it: the same for all shards."""
    pyarrow: Any = import_module("pyarrow")
    shape = row_shape(readings)
    return shape, pyarrow.schema(arrow_type(shape))


def row_shape(readings: Sequence[str]) -> Shape:
    """The shape of a row with these readings; those of other packages are kept as JSON."""
    text = (files("pagesight.output") / "schema.json").read_text("utf-8")
    definitions = json.loads(text)["$defs"]
    row = shape_of(definitions["batch"], definitions)
    known = row.fields["readings"].fields
    wanted = Shape("struct", {name: known.get(name, JSON) for name in readings})
    others = {name: shape for name, shape in row.fields.items() if name != "readings"}
    return Shape("struct", {**others, "readings": wanted})


def shape_of(described: _Described, definitions: _Described, above: tuple[str, ...] = ()) -> Shape:
    """The shape that a piece of a schema describes; one that contains itself is JSON."""
    try:
        parts = [*_parts(described, definitions, above)]
        fields = dict[str, Shape]()
        for part, inside in parts:
            for name, one in part.get("properties", {}).items():
                if name not in fields:
                    fields[name] = shape_of(one, definitions, inside)
        if fields:
            return Shape("struct", fields)
        for part, inside in parts:
            if "items" in part:
                return Shape("list", items=shape_of(part["items"], definitions, inside))
    except _ContainsItselfError as error:
        if error.name in above:
            raise
        return JSON
    return _plain(parts)


def _parts(
    described: _Described, definitions: _Described, above: tuple[str, ...]
) -> Iterator[tuple[_Described, tuple[str, ...]]]:
    """What a description is put together of, each with the names that it is inside of.

    An alternative to null is not a choice: everything may be missing.
    """
    yield described, above
    if "$ref" in described:
        name = described["$ref"].rpartition("/")[2]
        if name in above:
            raise _ContainsItselfError(name)
        yield from _parts(definitions[name], definitions, (*above, name))
    for part in (*described.get("allOf", ()), *described.get("anyOf", ())):
        yield from _parts(part, definitions, above)


class _ContainsItselfError(Exception):
    def __init__(self, name: str) -> None:
        self.name = name


def _plain(parts: Iterable[tuple[_Described, object]]) -> Shape:
    kinds = set[str]()
    for part, _ in parts:
        stated = part.get("type", "string" if "enum" in part else [])
        kinds |= {stated} if isinstance(stated, str) else {*stated}
        if "const" in part:
            kinds.add("integer")
    kinds -= {"null"}
    return Shape(_PLAIN[kinds.pop()]) if len(kinds) == 1 and kinds <= {*_PLAIN} else JSON


def arrow_type(shape: Shape) -> Any:
    """The type of a column of this shape."""
    pyarrow: Any = import_module("pyarrow")
    if shape.kind == "struct":
        return pyarrow.struct([(name, arrow_type(one)) for name, one in shape.fields.items()])
    if shape.items is not None:
        return pyarrow.list_(arrow_type(shape.items))
    return pyarrow.string() if shape is JSON else getattr(pyarrow, shape.kind)()


def fitted(value: Any, shape: Shape) -> Any:
    """A value as its column takes it."""
    if value is None or shape.is_plain:
        return value
    if shape.kind == "struct":
        texts = ((name, one) for name, one in shape.fields.items() if not one.is_plain)
        return {**value, **{name: fitted(value.get(name), one) for name, one in texts}}
    if shape.items is not None:
        return [fitted(one, shape.items) for one in value]
    return json.dumps(value, ensure_ascii=False)
