"""The file format of a saved Page.

    PAGESIGHT⏎ 1.0⏎ z|-⏎            magic, version, whether the rest is compressed
    length of the header (uint32)    little endian, like all numbers
    header (JSON, UTF-8)             page info, and name, type and shape of each array
    the arrays, one after another    `string_bytes` and `string_ends` hold the string table

A newer minor version may add arrays and header fields, which older readers ignore. Arrays hold
integers, floating-point numbers or truth values (one byte, 0 or 1).
"""

from __future__ import annotations

import json
import math
import re
import struct
import zlib
from collections.abc import Mapping
from dataclasses import asdict
from enum import IntEnum
from itertools import pairwise
from typing import Any

import numpy as np

from pagesight.errors import PageFileError, PageFileTooNew
from pagesight.page.columns import SCHEMA, Array, Note, PageInfo, PageTable, problem
from pagesight.page.style import Align, Display, Float, NodeKind, Position, Visibility

MAGIC = b"PAGESIGHT\n"
VERSION = (1, 0)
LARGEST = 1 << 29  # bytes in memory; more is not a page but a bomb
_PER_STRING = 64  # bytes in memory
_PER_NODE = sum(
    column.width * np.dtype(column.dtype).itemsize
    for column in SCHEMA.values()
    if column.per.startswith("node")
)
_STRING_BYTES, _STRING_ENDS = "string_bytes", "string_ends"
_DAMAGES = (
    *(ValueError, LookupError, TypeError, OverflowError, RecursionError),
    *(struct.error, zlib.error),
)
_DTYPE = re.compile(r"<[iuf][248]|[iu]1|\?")
_ENUMS: Mapping[str, type[IntEnum]] = {
    "kind": NodeKind,
    "display": Display,
    "position": Position,
    "float": Float,
    "align": Align,
    "visibility": Visibility,
}


def dump(table: PageTable, *, compress: bool) -> bytes:
    """The bytes of a saved page. The same page gives the same bytes."""
    encoded = [string.encode("utf-8", "surrogatepass") for string in table.strings]
    arrays: dict[str, Array] = {
        **table.columns,
        _STRING_BYTES: np.frombuffer(b"".join(encoded), dtype="u1"),
        _STRING_ENDS: np.cumsum([len(string) for string in encoded], dtype="<i8"),
    }
    shapes = [
        [name, SCHEMA[name].dtype if name in SCHEMA else array.dtype.str.lstrip("|"), array.shape]
        for name, array in arrays.items()
    ]
    header = json.dumps({"info": asdict(table.info), "arrays": shapes}).encode()
    body = b"".join(
        (struct.pack("<I", len(header)), header, *(array.tobytes() for array in arrays.values()))
    )
    prefix = MAGIC + b"%d.%d\n" % VERSION
    return prefix + (b"z\n" + zlib.compress(body, 6) if compress else b"-\n" + body)


def parse(data: bytes, source: str | None) -> tuple[dict[str, Array], list[str], PageInfo]:
    """The columns, strings and info of a saved page; `source` is named in errors."""
    try:
        header, body = _unpacked(data)
        arrays = _arrays(header, body)
        columns = {name: array for name, array in arrays.items() if name in SCHEMA}
        strings = _strings(arrays[_STRING_BYTES], arrays[_STRING_ENDS])
        info = _info(header["info"])
        trouble = problem(columns, len(strings)) or _meaningless(columns)
    except PageFileError as error:
        error.source = source
        raise
    except _DAMAGES as error:
        raise PageFileError(f"a damaged Page file ({error})", source=source) from error
    if trouble:
        raise PageFileError(f"a damaged Page file: {trouble}", source=source)
    return columns, strings, info


def _unpacked(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The header, and the arrays, which are unpacked only if what it declares is not too large."""
    lines = data[:64].split(b"\n", 3)
    if not data.startswith(MAGIC) or len(lines) < 4:
        raise PageFileError("not a saved Page")
    _check_version(lines[1])
    packed = data[sum(len(line) + 1 for line in lines[:3]) :]
    if lines[2] == b"-":
        (length,) = struct.unpack_from("<I", packed)
        header = json.loads(packed[4 : 4 + length])
        _check_size(header)
        return header, packed[4 + length :]
    if lines[2] != b"z":
        raise PageFileError("a damaged Page file (compression)")
    inflater = zlib.decompressobj()
    (length,) = struct.unpack("<I", inflater.decompress(packed, 4))
    header = json.loads(inflater.decompress(inflater.unconsumed_tail, min(length, LARGEST) or 1))
    body = inflater.decompress(inflater.unconsumed_tail, _check_size(header) + 1)
    if not inflater.eof:
        raise PageFileError("a damaged Page file (cut short, or longer than declared)")
    return header, body


def _check_size(header: Mapping[str, Any]) -> int:
    """How many bytes the arrays have, unless they would take too much memory as a Page."""
    rows = {name: math.prod(shape) for name, _, shape in header["arrays"]}
    sizes = [math.prod(shape) * _dtype(dtype).itemsize for _, dtype, shape in header["arrays"]]
    filled = _PER_NODE * rows.get("parent", 0) + _PER_STRING * rows.get(_STRING_ENDS, 0)
    if min(rows.values(), default=0) < 0 or sum(sizes) + filled > LARGEST:
        raise PageFileError(f"a Page file of more than {LARGEST >> 20} MiB, or damaged")
    return sum(sizes)


def _dtype(name: str) -> np.dtype[Any]:
    if not _DTYPE.fullmatch(name):
        raise ValueError(f"an array of type {name!r}")
    return np.dtype(name)


def _check_version(version: bytes) -> None:
    try:
        major, minor = (int(part) for part in version.split(b"."))
    except ValueError as error:
        raise PageFileError("a Page file without a version") from error
    if major > VERSION[0]:
        raise PageFileTooNew(
            f"a Page file of format {major}.{minor}; this Pagesight reads up to {VERSION[0]}.x",
            hint="upgrade pagesight, or render the page again",
        )


def _arrays(header: Mapping[str, Any], body: bytes) -> dict[str, Array]:
    arrays: dict[str, Array] = {}
    offset = 0
    for name, dtype, shape in header["arrays"]:
        if any(not isinstance(n, int) or n < 0 for n in shape):
            raise ValueError(f"array {name!r} of shape {shape!r}")
        arrays[name] = np.frombuffer(body, _dtype(dtype), math.prod(shape), offset).reshape(shape)
        offset += arrays[name].nbytes
    return arrays


def _info(info: Mapping[str, Any]) -> PageInfo:
    """What a header says about the page, checked."""
    width, height = (_number(side) for side in info["viewport"])
    page_width, page_height = (_number(side) for side in info["size"])
    return PageInfo(
        renderer=_text(info["renderer"]),
        renderer_version=_text(info["renderer_version"]),
        media=_text(info["media"]),
        url=None if info["url"] is None else _text(info["url"]),
        viewport=(int(width), int(height)),
        size=(page_width, page_height),
        notes=tuple(
            Note(_text(note["kind"]), _text(note["detail"]), int(_number(note["count"])))
            for note in info["notes"]
        ),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    return value


def _number(value: object) -> int | float:
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError(f"{value!r} is not a number")
    return value


def _meaningless(columns: Mapping[str, Array]) -> str | None:
    for name, values in _ENUMS.items():
        if name in columns and columns[name].max() > max(values):
            return f"{name} has a value without a meaning"
    return None


def _strings(data: Array, ends: Array) -> list[str]:
    whole = data.tobytes()
    limits = [0, *ends.tolist()]
    spans = list(pairwise(limits))
    if limits[-1] != len(whole) or any(start > end for start, end in spans):
        raise ValueError("string table")
    return [whole[start:end].decode("utf-8", "surrogatepass") for start, end in spans]
