"""The records of a web archive, found even where lengths are wrong; FastWARC reads their headers.

FastWARC alone believes every length: of a record whose length is too large it makes one with the
next record inside, and what was sound is lost. Here, a length counts if another record follows.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from typing import Any, BinaryIO

from pagesight.batch.inputs.members import after_blanks
from pagesight.errors import BrokenRecord

LARGEST_HEAD = 1 << 16
_BLOCK = 1 << 20
_RECORD = re.compile(rb"WARC/[01]\.\d+\r?\n[\w-]+:")
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_LENGTH = re.compile(rb"^Content-Length:[ \t]*(\d{1,18})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
CUT_OFF = "the record is cut off"
NOT_A_RECORD = "this is not a record of a web archive"
WRONG_LENGTH = "its length is wrong"


@dataclass(frozen=True)
class Record:
    """One record, or what is in the place of one."""

    data: bytes
    """Its headers and its content; of a large one, the beginning."""

    head_size: int
    length: int
    """Bytes of its content, as it states."""

    flaw: str | None = None

    @property
    def is_whole(self) -> bool:
        return len(self.data) >= self.head_size + self.length

    @cached_property
    def parsed(self) -> Any:
        """The record as FastWARC reads it; None if it cannot."""
        warc = _fastwarc()
        try:
            return next(
                iter(
                    warc.ArchiveIterator(
                        io.BytesIO(self.data),
                        parse_http=False,
                        quirks_mode=True,
                        stream_detect=False,  # content may look as if it were compressed
                        max_header_len=LARGEST_HEAD,
                    )
                ),
                None,
            )
        except (OSError, ValueError):  # FastWARC's own errors are both
            return None

    def header(self, name: str) -> str | None:
        """A header of the record, or None."""
        return self.parsed.headers.get(name) if self.parsed is not None else None


@cache
def _fastwarc() -> Any:
    with warnings.catch_warnings():  # it warns of its own use of itself
        warnings.simplefilter("ignore", DeprecationWarning)
        return import_module("fastwarc.warc")


def records(stream: BinaryIO, largest: int, position: int = 0) -> Iterator[tuple[int, Record]]:
    """The records of a stream from a position on, and theirs; of each, at most `largest` bytes."""
    size = stream.seek(0, io.SEEK_END)
    while (start := after_blanks(stream, position)) is not None:
        record, position = _record(stream, start, size, largest)
        yield start, record


def _record(stream: BinaryIO, start: int, size: int, largest: int) -> tuple[Record, int]:
    """The record at a position, and where the next one may be."""
    stream.seek(start)
    head = stream.read(LARGEST_HEAD)
    end = _HEAD_END.search(head)
    if not _RECORD.match(head) or end is None:
        after = _next_record(stream, start + 1, size)
        flaw = CUT_OFF if _RECORD.match(head) and after == size else NOT_A_RECORD
        head = head[: after - start]
        return Record(head, len(head), 0, flaw), after
    head_size = end.end()
    stated = _LENGTH.search(head, 0, head_size)
    length = int(stated[1]) if stated else 0
    problem: str | None = None
    after = start + head_size + length
    if not stated:
        problem = "it states no length"
    elif after > size:
        problem = CUT_OFF
    elif not _continues(stream, after) and not _ends(stream, start + head_size, after):
        problem = WRONG_LENGTH
    if problem:
        after = _next_record(stream, start + head_size, size)
        problem = WRONG_LENGTH if problem == CUT_OFF and after < size else problem
    stream.seek(start)
    return Record(stream.read(min(after - start, largest)), head_size, length, problem), after


def _continues(stream: BinaryIO, position: int) -> bool:
    """Whether a record, or nothing, follows at a position."""
    stream.seek(position)
    rest = stream.read(64).lstrip(b"\r\n\0")
    return not rest or rest.startswith(b"WARC/")


def _ends(stream: BinaryIO, begin: int, end: int) -> bool:
    """Whether content ends here as it should, without another record in it; garbage follows."""
    stream.seek(end)
    return stream.read(4) == b"\r\n\r\n" and _next_record(stream, begin, end) == end


def _next_record(stream: BinaryIO, position: int, size: int) -> int:
    """Where the next record begins; `size`, the end, if there is none."""
    overlap = 200  # a first line and the name of a header
    while position < size:
        stream.seek(position)
        block = stream.read(min(_BLOCK, size - position))
        if found := _RECORD.search(block):
            return position + found.start()
        if len(block) <= overlap:
            return size
        position += len(block) - overlap
    return size


def broken(flaw: str) -> BrokenRecord:
    """The error of a record that is damaged."""
    return BrokenRecord(f"a damaged record: {flaw}")
