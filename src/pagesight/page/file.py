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
LARGEST = 1 << 31  # bytes after decompression; more is not a page but a bomb
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
        header, arrays = _read(_body(data))
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


def _body(data: bytes) -> bytes:
    """What follows magic and version, which are checked, decompressed."""
    lines = data[:64].split(b"\n", 3)
    if not data.startswith(MAGIC) or len(lines) < 4:
        raise PageFileError("not a saved Page")
    _check_version(lines[1])
    start = sum(len(line) + 1 for line in lines[:3])
    if lines[2] == b"-":
        return data[start:]
    if lines[2] != b"z":
        raise PageFileError("a damaged Page file (compression)")
    inflater = zlib.decompressobj()
    body = inflater.decompress(data[start:], LARGEST)
    if not inflater.eof:
        raise PageFileError("a damaged Page file (cut short, or too large)")
    return body


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


def _read(body: bytes) -> tuple[dict[str, Any], dict[str, Array]]:
    (length,) = struct.unpack_from("<I", body)
    header = json.loads(body[4 : 4 + length])
    offset = 4 + length
    arrays: dict[str, Array] = {}
    for name, dtype, shape in header["arrays"]:
        if not _DTYPE.fullmatch(dtype) or any(not isinstance(n, int) or n < 0 for n in shape):
            raise ValueError(f"array {name!r} of type {dtype!r}")
        count = math.prod(shape)
        size = count * np.dtype(dtype).itemsize
        if size > len(body) - offset:
            raise ValueError(f"array {name!r} is cut short")
        arrays[name] = np.frombuffer(body, dtype, count, offset).reshape(shape)
        offset += size
    return header, arrays


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
