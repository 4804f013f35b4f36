"""The members of a compressed file, each of which can be expanded by itself.

Web archives are compressed record by record, so that one can be read without those before it. A
member that is damaged costs itself: the next one is looked for.
"""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from tempfile import SpooledTemporaryFile
from typing import Any, BinaryIO, cast

from pagesight.errors import BrokenRecord

IN_MEMORY = 32 << 20  # bytes of an expanded member; a larger one goes to a temporary file
LARGEST = 64 << 30  # bytes of an expanded member: an archive compressed as a whole may be large
_STEP = 2048  # compressed bytes at a time: even of a bomb, zstd makes no more than 64 MiB of them
_SMALL_STEP = 16
_BLOCK = 1 << 20
_BLANKS = 256
_GZIP = b"\x1f\x8b\x08"
_ZSTD = b"\x28\xb5\x2f\xfd"
_SKIPPABLE = range(0x184D2A50, 0x184D2A60)  # frames of zstd that are not content
_DICTIONARY = 0x184D2A5D  # the skippable frame that holds the dictionary of a web archive
_SIGN = b"WARC/"


@dataclass(frozen=True)
class Member:
    """A piece of a file, expanded."""

    offset: int
    data: BinaryIO
    flaw: str | None = None
    """What is wrong with it; `data` is what could be expanded."""

    is_file: bool = False
    """Whether it is a whole file, which is not compressed."""


@dataclass(frozen=True)
class _Format:
    """A way to compress."""

    name: str
    magic: bytes
    expander: Callable[[], Any]


def members(file: BinaryIO, start: int = 0) -> Iterator[Member]:
    """The members of a file from an offset on; one that is not compressed is one member."""
    compression, first = _format_of(file)
    if compression is None:
        yield Member(0, file, is_file=True)
        return
    offset: int | None = max(start, first)
    while offset is not None and (begin := after_blanks(file, offset)) is not None:
        member, offset = _member(file, begin, compression)
        if member is not None:
            yield member


def _format_of(file: BinaryIO) -> tuple[_Format | None, int]:
    """How a file is compressed, and where its first member is."""
    file.seek(0)
    head = file.read(8)
    gzip = _Format("gzip", _GZIP, lambda: zlib.decompressobj(wbits=31))
    if head.startswith(_GZIP[:2]):
        return gzip, 0
    if head.startswith(_ZSTD) or _skippable_size(head) is not None:
        return _zstd(file, head)
    if head.lstrip().startswith(_SIGN):
        return None, 0
    # The first member may be the damaged one.
    for compression in (gzip, _zstd(file, head)[0]):
        if _next_member(file, 1, compression) is not None:
            return compression, 0
    return None, 0


def _zstd(file: BinaryIO, head: bytes) -> tuple[_Format, int]:
    zstandard: Any = import_module("zstandard")
    if int.from_bytes(head[:4], "little") != _DICTIONARY:
        return _Format("zstd", _ZSTD, lambda: zstandard.ZstdDecompressor().decompressobj()), 0
    size = _skippable_size(head) or 0
    content = file.read(size)
    try:
        if content.startswith(_ZSTD):
            content = zstandard.ZstdDecompressor().decompress(content, max_output_size=IN_MEMORY)
        known = zstandard.ZstdCompressionDict(content)
    except (zstandard.ZstdError, MemoryError, ValueError) as error:
        raise BrokenRecord("the dictionary of this file is damaged") from error

    def expander() -> Any:
        return zstandard.ZstdDecompressor(dict_data=known).decompressobj()

    return _Format("zstd", _ZSTD, expander), 8 + size


def _skippable_size(head: bytes) -> int | None:
    if len(head) == 8 and int.from_bytes(head[:4], "little") in _SKIPPABLE:
        return int.from_bytes(head[4:], "little")
    return None


def after_blanks(file: BinaryIO, offset: int) -> int | None:
    """The offset after zeros and line ends; None if nothing follows them."""
    while True:
        file.seek(offset)
        block = file.read(_BLANKS)
        if not block:
            return None
        rest = block.lstrip(b"\0\r\n")
        offset += len(block) - len(rest)
        if rest:
            return offset


def _member(file: BinaryIO, offset: int, compression: _Format) -> tuple[Member | None, int | None]:
    """The member at an offset, and where the next one is."""
    file.seek(offset)
    head = file.read(8)
    if (size := _skippable_size(head)) is not None and compression.magic == _ZSTD:
        return None, offset + 8 + size
    target = cast("BinaryIO", SpooledTemporaryFile(IN_MEMORY))  # noqa: SIM115 - its user ends it
    end: int | None = None
    try:
        if not head.startswith(compression.magic):
            raise BrokenRecord(f"not {compression.name} data")
        end = _expand(file, offset, compression.expander(), target)
        flaw = None
    except BrokenRecord as error:
        flaw = error.message
        if head.startswith(compression.magic):
            _salvage(file, offset, compression.expander(), target)
        end = _next_member(file, offset + 1, compression)
    target.seek(0)
    return Member(offset, target, flaw), end


def _salvage(file: BinaryIO, offset: int, expander: Any, target: BinaryIO) -> None:
    """Expand a damaged member in small steps: what comes before the damage names its record."""
    target.seek(0)
    target.truncate()
    with contextlib.suppress(BrokenRecord):
        _expand(file, offset, expander, target, _SMALL_STEP)


def _expand(file: BinaryIO, offset: int, expander: Any, target: BinaryIO, step: int = _STEP) -> int:
    """Expand one member into a file; where it ends."""
    file.seek(offset)
    taken = 0
    while not expander.eof:
        data = file.read(step)
        if not data:
            raise BrokenRecord("the compressed data are cut off")
        try:
            target.write(expander.decompress(data))
        except Exception as error:  # each library has errors of its own
            raise BrokenRecord(f"the compressed data are damaged ({error})") from error
        if target.tell() > LARGEST:
            raise BrokenRecord("the compressed data are too large when expanded")
        taken += len(data)
    return offset + taken - len(expander.unused_data)


def _next_member(file: BinaryIO, offset: int, compression: _Format) -> int | None:
    """Where the next member begins that is a record of a web archive; None if there is none."""
    overlap = len(compression.magic) - 1
    while True:
        file.seek(offset)
        block = file.read(_BLOCK)
        at = block.find(compression.magic)
        while at >= 0:
            if _begins_record(file, offset + at, compression):
                return offset + at
            at = block.find(compression.magic, at + 1)
        if len(block) <= overlap:
            return None
        offset += len(block) - overlap


def _begins_record(file: BinaryIO, offset: int, compression: _Format) -> bool:
    file.seek(offset)
    expander, content = compression.expander(), b""
    while len(content) < len(_SIGN) and not expander.eof and (data := file.read(_STEP)):
        try:
            content += expander.decompress(data)
        except Exception:  # noqa: BLE001 - it is not the beginning of a member
            return False
    return content.startswith(_SIGN)
