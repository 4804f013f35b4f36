"""The zip file of an export. Nothing is unpacked to a disk, and only what we name is read.

It may be far larger than memory: rows are read one by one, and files when a row names them.

portal.json             what it is
rows/boards.jsonl       the rows of a table, one in a line
files/5d41402abc4b…     a picture or a page, named by the SHA-256 digest of its bytes
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import struct
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from tempfile import SpooledTemporaryFile, TemporaryFile
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from pagesight.portal.errors import Invalid

FORMAT, VERSION = "pagesight portal", 1
LARGEST_FILE = 4 << 30  # bytes of it as it is sent
LARGEST = 8 << 30  # bytes of all entries together
LARGEST_PIECE = 1 << 27  # bytes of one file in it, or of one row
MOST_ENTRIES = 1_000_000
MOST_LISTED = 1 << 28  # bytes of the list of entries, which is read at once
IN_MEMORY = 1 << 22  # bytes of a file up to which it needs no disk
MOST_DENSE = 300  # times that an entry may be as large as it is packed; pages are below 100
SMALL = 1 << 20  # bytes up to which an entry may be as dense as it likes
_HEAD = "portal.json"
_NAME = re.compile(r"portal\.json|rows/[a-z_]{1,40}\.jsonl|files/[0-9a-f]{64}")
# The three records at the end, of which small files have the last only.
_ENDS = struct.Struct("<4s36xQ8x 4s4xQ4x 4s8xL4xH")
_MADE = (1980, 1, 1, 0, 0, 0)  # the same content is the same file


def spooled() -> IO[bytes]:
    """A file of this process alone, which is on the disk once it is large."""
    return SpooledTemporaryFile(IN_MEMORY)


class Packing:
    """A zip file that is being written."""

    def __init__(self) -> None:
        self._file = spooled()
        self._zip = ZipFile(self._file, "w", ZIP_DEFLATED)
        self._known: set[str] = set()

    def rows(self, table: str, rows: Iterable[dict[str, Any]]) -> None:
        """Add the rows of a table."""
        with TemporaryFile() as lines:  # meanwhile, rows add files to the zip
            for row in rows:
                lines.write(json.dumps(row, ensure_ascii=False, sort_keys=True).encode() + b"\n")
            size = lines.tell()
            lines.seek(0)
            info = _info(f"rows/{table}.jsonl")
            with self._zip.open(info, "w", force_zip64=size > LARGEST_PIECE) as entry:
                shutil.copyfileobj(lines, entry)

    def file(self, data: bytes) -> str:
        """Add the content of a file, once; its name."""
        digest = hashlib.sha256(data).hexdigest()
        if digest not in self._known:
            self._known.add(digest)
            self._zip.writestr(_info(f"files/{digest}", ZIP_STORED), data)
        return digest

    def finish(self, about: dict[str, Any]) -> IO[bytes]:
        """The whole file, from its beginning."""
        head = {"format": FORMAT, "version": VERSION, **about}
        self._zip.writestr(_info(_HEAD), json.dumps(head, indent=2))
        self._zip.close()
        self._file.seek(0)
        return self._file


def _info(name: str, how: int = ZIP_DEFLATED) -> ZipInfo:
    info = ZipInfo(name, _MADE)
    info.compress_type = how
    return info


class Unpacking:
    """A zip file that somebody sends; raises `Invalid` if it is not an export."""

    def __init__(self, file: IO[bytes]) -> None:
        if _listed(file) > MOST_LISTED:
            raise _refused("this file has too many entries")
        try:
            self._zip = ZipFile(file)
        except (BadZipFile, ValueError, NotImplementedError, OSError) as error:
            raise _refused("this is not an export of a portal") from error
        self._check(self._zip.infolist())
        self._names = set(self._zip.namelist())
        self._left = LARGEST
        self.about = self._head()

    @staticmethod
    def _check(entries: list[ZipInfo]) -> None:
        if len(entries) > MOST_ENTRIES or len({one.filename for one in entries}) < len(entries):
            raise _refused("this file has too many entries, or some twice")
        for one in entries:
            if not _NAME.fullmatch(one.filename):
                raise _refused(f"something in this file is not ours: {one.filename!r}")
            dense = one.file_size > SMALL and one.file_size > MOST_DENSE * one.compress_size
            is_file = one.filename.startswith("files/")
            if dense or (is_file and one.file_size > LARGEST_PIECE):
                raise _too_large()
        if sum(one.file_size for one in entries) > LARGEST:
            raise _too_large()

    def _head(self) -> dict[str, Any]:
        about = _parsed(self._read(_HEAD)) if _HEAD in self._names else None
        if not isinstance(about, dict) or about.get("format") != FORMAT:
            raise _refused("this is not an export of a portal")
        if about.get("version") != VERSION:
            raise _refused("this export was made by another version of Pagesight")
        return about

    def rows(self, table: str) -> Iterator[dict[str, Any]]:
        """The rows of a table."""
        name = f"rows/{table}.jsonl"
        for line in self._lines(name) if name in self._names else ():
            row = _parsed(line)
            if not isinstance(row, dict):
                raise _refused(f"a row of {table} is not one")
            yield row

    def _lines(self, name: str) -> Iterator[bytes]:
        """The lines of an entry, no further than it says that it goes."""
        left = self._zip.getinfo(name).file_size
        with _undamaged(), self._zip.open(name) as entry:
            while line := entry.readline(LARGEST_PIECE + 1):
                left -= len(line)
                if left < 0 or len(line) > LARGEST_PIECE:
                    raise _too_large()
                yield line

    def file(self, digest: object) -> bytes:
        """The content of a file, which is what its name says."""
        name = f"files/{digest}"
        if not isinstance(digest, str) or name not in self._names:
            raise _refused("a file is missing in it")
        data = self._read(name)
        self._left -= len(data)
        if self._left < 0:  # many rows may name the same file
            raise _too_large()
        if hashlib.sha256(data).hexdigest() != digest:
            raise _refused("a file in it is not what its name says")
        return data

    def _read(self, name: str) -> bytes:
        """An entry, no further than it says that it goes."""
        stated = self._zip.getinfo(name).file_size
        if stated > LARGEST_PIECE:
            raise _too_large()
        with _undamaged(), self._zip.open(name) as entry:
            data = entry.read(stated + 1)
        if len(data) > stated:
            raise _too_large()
        return data


@contextmanager
def _undamaged() -> Iterator[None]:
    try:
        yield
    except (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise _refused("this file is damaged") from error


def _listed(file: IO[bytes]) -> int:
    """How large the list of entries says that it is; raises `Invalid` if there is none.

    `ZipFile` reads it at once, however large it is. Our own files have no comment at the end.
    """
    length = file.seek(0, 2)
    file.seek(max(0, length - _ENDS.size))
    end = file.read(_ENDS.size)
    if len(end) < _ENDS.size:
        end = end.rjust(_ENDS.size, b"\0")
    mark64, size64, locator, at64, mark, size, comment = _ENDS.unpack(end)
    if mark != b"PK\5\6" or comment:
        raise _refused("this is not an export of a portal")
    if locator != b"PK\6\7":
        return int(size)
    if mark64 != b"PK\6\6" or at64 != length - _ENDS.size:
        raise _refused("this file is damaged")
    return int(size64)


def _parsed(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _refused("this file is damaged") from error


def _refused(told: str) -> Invalid:
    return Invalid(told, field="file")


def _too_large() -> Invalid:
    return _refused("what is packed in this file is too large")
