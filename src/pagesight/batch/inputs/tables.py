"""Tables with a column of HTML or of addresses: Parquet files and JSON Lines."""

from __future__ import annotations

import gzip
import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from pagesight.batch.items import BEGINNING, Identity, InputOptions, Item, Place
from pagesight.errors import BrokenRecord
from pagesight.sources import Request

_BATCH = 64  # rows at a time: each may be a page of megabytes
_LONGEST_LINE = 256 << 20


class ParquetInput:
    """A Parquet file; its places are rows."""

    def __init__(self, path: Path, options: InputOptions) -> None:
        self.passed: Counter[str] = Counter()
        self._path, self._options = path, options

    def items(self, start: Place = BEGINNING) -> Iterator[Item]:
        """The rows from one on."""
        parquet: Any = import_module("pyarrow.parquet")
        with parquet.ParquetFile(self._path) as file:
            wanted = (self._options.html, self._options.address, self._options.identifier)
            columns = [name for name in wanted if name in file.schema_arrow.names]
            if not {*wanted[:2]} & {*columns}:
                raise _no_column(self._options, self._path)
            first, groups = _groups_from(file, start.offset)
            batches = file.iter_batches(_BATCH, row_groups=groups, columns=columns)
            rows = (row for batch in batches for row in batch.to_pylist())
            for number, row in enumerate(rows, first):
                if number >= start.offset:
                    yield _item(row, Place(number), self._options)


def _groups_from(file: Any, row: int) -> tuple[int, list[int]]:
    """The groups of rows from the one with this row on, and the number of their first row."""
    first = 0
    for group in range(file.num_row_groups):
        count = file.metadata.row_group(group).num_rows
        if first + count > row:
            return first, list(range(group, file.num_row_groups))
        first += count
    return first, []


class JsonLinesInput:
    """A file of JSON Lines, also compressed; its places are bytes, or lines if it is compressed."""

    def __init__(self, path: Path, options: InputOptions) -> None:
        self.passed: Counter[str] = Counter()
        self._path, self._options = path, options

    def items(self, start: Place = BEGINNING) -> Iterator[Item]:
        """The lines from one on; empty ones are not counted."""
        with expanded(self._path) as (file, is_plain):
            if is_plain:
                file.seek(start.offset)
            offset, number = start.offset if is_plain else 0, -1
            while line := file.readline(_LONGEST_LINE):
                place, offset = Place(offset), offset + len(line)
                if not line.strip():
                    continue
                number += 1
                if not is_plain:
                    place = Place(0, number)
                if place >= start:
                    yield _item(_parsed(line), place, self._options)


@contextmanager
def expanded(path: Path) -> Iterator[tuple[BinaryIO, bool]]:
    """The content of a file that may be compressed, and whether it is not."""
    with path.open("rb") as file:
        magic = file.read(4)
        file.seek(0)
        if magic.startswith(b"\x1f\x8b"):
            with gzip.open(file) as content:
                yield io.BufferedReader(content), False
        elif magic == b"\x28\xb5\x2f\xfd":
            zstandard: Any = import_module("zstandard")
            reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
            with reader:
                yield io.BufferedReader(reader), False
        else:
            yield file, True


def _parsed(line: bytes) -> Mapping[str, Any] | BrokenRecord:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return BrokenRecord("this line is not JSON")
    return row if isinstance(row, dict) else BrokenRecord("this line is not a JSON object")


def _item(row: Mapping[str, Any] | BrokenRecord, place: Place, options: InputOptions) -> Item:
    known = {} if isinstance(row, BrokenRecord) else row
    address, identifier = known.get(options.address), known.get(options.identifier)
    identity = Identity(
        record_id=None if identifier is None else str(identifier),
        target=address if isinstance(address, str) else None,
    )
    return Item(place, identity, partial(_request, row, options))


def _request(row: Mapping[str, Any] | BrokenRecord, options: InputOptions) -> Request:
    if isinstance(row, BrokenRecord):
        raise row
    content, address = row.get(options.html), row.get(options.address)
    if content is None:
        if isinstance(address, str) and address:
            return Request(source=address)
        raise BrokenRecord(f"neither {options.html!r} nor {options.address!r} is given")
    if isinstance(content, str):  # it is decoded, whatever encoding it declares
        encoded = content.encode("utf-8", "surrogatepass")
        return Request(source=encoded, url=_text(address), charset="utf-8")
    if not isinstance(content, bytes):
        raise BrokenRecord(f"{options.html!r} is neither text nor bytes")
    return Request(source=content, url=_text(address))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _no_column(options: InputOptions, path: Path) -> BrokenRecord:
    return BrokenRecord(
        f"there is neither a column {options.html!r} nor {options.address!r}",
        source=str(path),
        hint="name them with --html-column and --address-column",
    )
