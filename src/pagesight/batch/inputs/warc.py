"""Web archives: WARC files, plain or compressed with gzip or zstd, and WACZ files."""

from __future__ import annotations

import io
import re
import shutil
import struct
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO

from pagesight.batch.inputs.http import decoded
from pagesight.batch.inputs.members import Member, members
from pagesight.batch.inputs.records import CUT_OFF, LARGEST_HEAD, Record, broken, records
from pagesight.batch.items import BEGINNING, Identity, InputOptions, Item, Place
from pagesight.errors import BrokenRecord, RevisitRecord
from pagesight.sources import Request
from pagesight.sources.source import too_large

PAGE_TYPES = frozenset({"", "text/html", "application/xhtml+xml", "application/pdf"})
_WITH_CONTENT = ("response", "resource")
_PAGES = re.compile(r"archive/[^/]+\.warc(\.gz|\.zst)?$", re.IGNORECASE)
_LOCAL_HEADER = struct.Struct("<26xHH")
_CHARSET = re.compile(r"""charset\s*=\s*["']?([\w:.-]+)""", re.IGNORECASE)


class WarcInput:
    """A WARC file, or one within a WACZ file."""

    def __init__(self, path: Path, options: InputOptions, inside: str | None = None) -> None:
        self.passed: Counter[str] = Counter()
        self._options = options
        self._path, self._inside = path, inside

    def items(self, start: Place = BEGINNING) -> Iterator[Item]:
        """The pages from a place on; its offset is that of a member, or of a plain record."""
        with _opened(self._path, self._inside) as file:
            for member in members(file, start.offset):
                if member.is_file:
                    yield from self._pages(member, start)
                else:
                    with member.data:
                        yield from self._pages(member, start)

    def _pages(self, member: Member, start: Place) -> Iterator[Item]:
        """The pages of a member, which is a whole file if that is not compressed."""
        largest, found = self._options.max_size + LARGEST_HEAD, 0
        is_plain = member.is_file
        pieces = records(member.data, largest, start.offset if is_plain else 0)
        if member.flaw and not member.data.read(1):
            pieces = iter([(0, Record(b"", 0, 0))])  # nothing of it could be expanded
        for position, record, is_last in _with_last(pieces):
            flaw = record.flaw or (member.flaw if is_last else None)
            place = Place(position) if is_plain else Place(member.offset, found)
            item = self._item(record, flaw, place)
            if item is not None:
                found += 1
                if place >= start:
                    yield item

    def _item(self, record: Record, flaw: str | None, place: Place) -> Item | None:
        """What a record is to be; None for one that is not a page."""
        kind = (record.header("WARC-Type") or "").lower()
        identity = Identity(
            record_id=record.header("WARC-Record-ID"),
            target=_unwrapped(record.header("WARC-Target-URI")),
            date=record.header("WARC-Date"),
            digest=record.header("WARC-Payload-Digest"),
            offset=place.offset,
        )
        if flaw:
            return Item(place, identity, _raising(broken(flaw)))
        if kind == "revisit":
            return Item(place, identity, _raising(_revisit(record)))
        if kind not in _WITH_CONTENT:
            self.passed[kind or "record without a type"] += 1
            return None
        if other := _other_than_page(record):
            self.passed[other] += 1
            return None
        return Item(place, identity, partial(_request, record, identity, self._options.max_size))


def warcs_inside(path: Path) -> list[str]:
    """The names of the WARC files in a WACZ file; raises `BrokenRecord` if it is not one."""
    try:
        with zipfile.ZipFile(path) as archive:
            return sorted(name for name in archive.namelist() if _PAGES.search(name))
    except (zipfile.BadZipFile, OSError) as error:
        raise BrokenRecord(f"this is not a WACZ file ({error})", source=str(path)) from error


def _opened(path: Path, inside: str | None) -> AbstractContextManager[BinaryIO]:
    return path.open("rb") if inside is None else _opened_inside(path, inside)


@contextmanager
def _opened_inside(path: Path, name: str) -> Iterator[BinaryIO]:
    """A file in a ZIP file, in which one can go back and forth."""
    with zipfile.ZipFile(path) as archive:
        entry = archive.getinfo(name)
        if entry.compress_type == zipfile.ZIP_STORED:  # as the standard of WACZ asks
            with path.open("rb") as file:
                yield io.BufferedReader(_Slice(file, _content_of(file, entry), entry.file_size))
            return
        with TemporaryFile() as copy, archive.open(entry) as content:
            shutil.copyfileobj(content, copy)
            yield copy


def _content_of(file: BinaryIO, entry: zipfile.ZipInfo) -> int:
    """Where the content of an entry begins: after its own header, whose parts vary in length."""
    file.seek(entry.header_offset)
    name, extra = _LOCAL_HEADER.unpack(file.read(_LOCAL_HEADER.size))
    return entry.header_offset + _LOCAL_HEADER.size + int(name) + int(extra)


class _Slice(io.RawIOBase):
    """A part of a file, as a file."""

    def __init__(self, file: BinaryIO, start: int, size: int) -> None:
        self._file, self._start, self._size, self._at = file, start, size, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        self._at = max(0, base + offset)
        return self._at

    def readinto(self, buffer: Any) -> int:
        self._file.seek(self._start + self._at)
        data = self._file.read(max(0, min(len(buffer), self._size - self._at)))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


def _with_last(
    found: Iterator[tuple[int, Record]],
) -> Iterator[tuple[int, Record, bool]]:
    """Each record with whether it is the last one."""
    before = next(found, None)
    while before is not None:
        after = next(found, None)
        yield *before, after is None
        before = after


def _raising(error: BrokenRecord | RevisitRecord) -> Callable[[], Request]:
    def request() -> Request:
        raise error

    return request


def _revisit(record: Record) -> RevisitRecord:
    earlier = record.header("WARC-Refers-To-Target-URI"), record.header("WARC-Refers-To-Date")
    where = " of ".join(filter(None, earlier)) or record.header("WARC-Refers-To")
    which = f"in the record {where}"[:2000] if where else "at an earlier visit"
    return RevisitRecord(f"no content: the page was as {which}")


def _other_than_page(record: Record) -> str | None:
    """What content is if it does not claim to be a page; None if it does."""
    if not _is_http(record):
        stated = record.header("Content-Type")
    else:
        if record.parsed.http_headers is None:
            _parse_http(record)
        headers = record.parsed.http_headers
        status = headers.status_code if headers is not None else None
        if status is not None and 300 <= status < 400:
            return "redirect"
        stated = headers.get("Content-Type") if headers is not None else None
    essence = (stated or "").partition(";")[0].strip().lower()
    return None if essence in PAGE_TYPES else essence[:100]


def _is_http(record: Record) -> bool:
    stated = (record.header("Content-Type") or "").lower()
    return stated.startswith("application/http") or (
        record.header("WARC-Type") == "response"
        and record.data[record.head_size : record.head_size + 5] == b"HTTP/"
    )


def _parse_http(record: Record) -> None:
    record.parsed.parse_http(auto_decode="none", quirks_mode=True, max_header_len=LARGEST_HEAD)


def _request(record: Record, identity: Identity, max_size: int) -> Request:
    """The page in a record; raises `BrokenRecord` if its content cannot be decoded."""
    if record.length > max_size + LARGEST_HEAD:
        raise too_large(max_size)
    if not record.is_whole:
        raise broken(CUT_OFF)
    stated: str | None = record.header("Content-Type")
    body: bytes = record.data[record.head_size : record.head_size + record.length]
    if _is_http(record):
        headers: Any = record.parsed.http_headers or {}
        body = record.parsed.reader.read()
        stated = headers.get("Content-Type")
        transfer, encoding = headers.get("Transfer-Encoding"), headers.get("Content-Encoding")
        body = decoded(body, transfer or "", encoding or "", max_size)
    charset = _CHARSET.search(stated or "")
    return Request(
        source=body,
        url=identity.target,
        content_type=(stated or "").partition(";")[0].strip() or None,
        charset=charset[1] if charset else None,
    )


def _unwrapped(address: str | None) -> str | None:
    """An address without the brackets that some tools put around it."""
    return address.strip().removeprefix("<").removesuffix(">") if address else None
