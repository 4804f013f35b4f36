"""The zip file of an export. Nothing of it is written to a disk, and only what we name is read.

portal.json             what it is
rows/boards.jsonl       the rows of a table, one in a line
files/5d41402abc4b…     a picture or a page, named by the SHA-256 digest of its bytes
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from pagesight.portal.errors import Invalid

FORMAT, VERSION = "pagesight portal", 1
LARGEST = 1 << 30  # bytes of all entries together
LARGEST_ENTRY = 1 << 28
MOST_ENTRIES = 200_000
MOST_DENSE = 300  # times that an entry may be as large as it is packed; pages are below 100
SMALL = 1 << 20  # bytes up to which an entry may be as dense as it likes
_HEAD = "portal.json"
_NAME = re.compile(r"portal\.json|rows/[a-z_]{1,40}\.jsonl|files/[0-9a-f]{64}")
_CHUNK = 1 << 16
_MADE = (1980, 1, 1, 0, 0, 0)  # the same content is the same file


class Packing:
    """A zip file that is being written."""

    def __init__(self) -> None:
        self._file = BytesIO()
        self._zip = ZipFile(self._file, "w", ZIP_DEFLATED)
        self._known: set[str] = set()

    def rows(self, table: str, rows: Iterable[dict[str, Any]]) -> None:
        """Add the rows of a table."""
        lines = [json.dumps(row, ensure_ascii=False, sort_keys=True) + "\n" for row in rows]
        self._zip.writestr(_info(f"rows/{table}.jsonl"), "".join(lines).encode())

    def file(self, data: bytes) -> str:
        """Add the content of a file, once; its name."""
        digest = hashlib.sha256(data).hexdigest()
        if digest not in self._known:
            self._known.add(digest)
            self._zip.writestr(_info(f"files/{digest}", ZIP_STORED), data)
        return digest

    def finish(self, about: dict[str, Any]) -> bytes:
        """The whole file."""
        head = {"format": FORMAT, "version": VERSION, **about}
        self._zip.writestr(_info(_HEAD), json.dumps(head, indent=2))
        self._zip.close()
        return self._file.getvalue()


def _info(name: str, how: int = ZIP_DEFLATED) -> ZipInfo:
    info = ZipInfo(name, _MADE)
    info.compress_type = how
    return info


class Unpacking:
    """A zip file that somebody sends; raises `Invalid` if it is not an export."""

    def __init__(self, data: bytes) -> None:
        try:
            self._zip = ZipFile(BytesIO(data))
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
            if dense or one.file_size > LARGEST_ENTRY:
                raise _refused("what is packed in this file is too large")
        if sum(one.file_size for one in entries) > LARGEST:
            raise _refused("what is packed in this file is too large")

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
        for line in self._read(name).splitlines() if name in self._names else ():
            row = _parsed(line)
            if not isinstance(row, dict):
                raise _refused(f"a row of {table} is not one")
            yield row

    def file(self, digest: object) -> bytes:
        """The content of a file, which is what its name says."""
        name = f"files/{digest}"
        if not isinstance(digest, str) or name not in self._names:
            raise _refused("a file is missing in it")
        data = self._read(name)
        self._left -= len(data)
        if self._left < 0:  # many rows may name the same file
            raise _refused("what is packed in this file is too large")
        if hashlib.sha256(data).hexdigest() != digest:
            raise _refused("a file in it is not what its name says")
        return data

    def _read(self, name: str) -> bytes:
        """An entry, no further than it says that it goes."""
        stated, data = self._zip.getinfo(name).file_size, bytearray()
        try:
            with self._zip.open(name) as entry:
                while chunk := entry.read(_CHUNK):
                    data += chunk
                    if len(data) > stated:
                        raise _refused("what is packed in this file is too large")
        except (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
            raise _refused("this file is damaged") from error
        return bytes(data)


def _parsed(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _refused("this file is damaged") from error


def _refused(told: str) -> Invalid:
    return Invalid(told, field="file")
