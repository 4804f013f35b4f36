"""From a path, an address, standard input or plain bytes to a `Source`."""

from __future__ import annotations

import errno
import gzip
import io
import re
import stat
import sys
import zlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pagesight.errors import NotAPage, SourceError, SourceNotFound, SourceUnreadable
from pagesight.sources.source import (
    DEFAULT_LIMITS,
    PAGE_MAGIC,
    Kind,
    Limits,
    Request,
    Source,
    is_address,
    is_file_address,
    login_of,
    too_large,
    without_login,
)

if TYPE_CHECKING:
    from os import stat_result
    from typing import BinaryIO

GZIP_MAGIC = b"\x1f\x8b\x08"
GZIP_LEVELS = 2
_CHUNK = 256 * 1024
_HOST = re.compile(r"(?:[a-z\d][a-z\d-]*\.)+[a-z]{2,}(?::\d+)?", re.IGNORECASE)
_PAGE = re.compile(r"\.(?:x?html?|mht(?:ml)?|php|aspx?|pdf|gz|zip|txt|xml|jsonl?)$", re.IGNORECASE)
_ABSENT = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG})


def load(
    source: str | Path | bytes | Request,
    *,
    url: str | None = None,
    root: Path | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Source:
    """Get the content of `source` and find out what it is.

    A string is an address if it begins with ``http://`` or ``https://``, standard input if it
    is ``"-"``, and a path otherwise. Bytes are the content itself. `url` is the original
    address of a page that is read from elsewhere, `root` the folder that its addresses
    beginning with ``/`` are relative to; both take precedence over those of a `Request`.

    Raises a `SourceError` that names the source.
    """
    request = _as_request(source, url, root)
    try:
        return _load(request, limits)
    except SourceError as error:
        error.about(request.name)
        raise


def _as_request(
    source: str | Path | bytes | Request, url: str | None, root: Path | None
) -> Request:
    if not isinstance(source, Request):
        return Request(source=source, url=url, root=root)
    return replace(source, url=url or source.url, root=root or source.root)


def _load(request: Request, limits: Limits) -> Source:
    source = request.source
    if isinstance(source, bytes):
        return _local(request, source, limits)
    if source == "-":
        return _local(request, _read_stdin(limits.max_size), limits)
    if isinstance(source, str) and is_address(source):
        return _live(request, source, limits)
    path = _path_of(source)
    return _local(request, _read_file(path, limits.max_size), limits, path=path)


def _path_of(source: str | Path) -> Path:
    if not source:
        raise SourceNotFound("the name of the source is empty")
    if isinstance(source, str) and is_file_address(source):
        from w3lib.url import file_uri_to_path

        return Path(file_uri_to_path(source))
    return Path(source)


def _local(request: Request, data: bytes, limits: Limits, *, path: Path | None = None) -> Source:
    if len(data) > limits.max_size:
        raise too_large(limits.max_size)
    content = decompress(data, limits.max_size)
    return Source(
        name=request.name,
        data=content,
        kind=_kind_of(content, request.content_type),
        url=request.url and without_login(request.url),
        path=path,
        root=request.root,
        declared_encoding=request.charset,
    )


def _live(request: Request, address: str, limits: Limits) -> Source:
    from pagesight.sources.fetching import fetch

    answer = fetch(address, limits, request.validators)
    content = decompress(answer.data, limits.max_size)
    return Source(
        name=request.name,
        data=content,
        kind=_kind_of(content, answer.content_type),
        url=without_login(request.url or answer.url),
        root=request.root,
        live=True,
        guard=limits.guard,
        login=login_of(address),
        declared_encoding=answer.charset,
        headers=answer.headers,
    )


def _kind_of(content: bytes, content_type: str | None = None) -> Kind:
    if content.startswith(PAGE_MAGIC):
        return Kind.PAGE
    from pagesight.sources.sniffing import sniff

    return sniff(content, content_type)


# Files and standard input


def _read_file(path: Path, max_size: int) -> bytes:
    """The content of a regular file."""
    try:
        _check(path.stat(), max_size)
        with path.open("rb") as file:
            return _read_at_most(file, max_size)
    # A path with a NUL in it is a ValueError.
    except (OSError, ValueError) as error:
        raise unreadable(error, path) from error


def _read_stdin(max_size: int) -> bytes:
    try:
        return _read_at_most(stdin(), max_size)
    except (OSError, ValueError) as error:
        raise SourceUnreadable(f"standard input cannot be read ({error})") from error


def _read_at_most(file: BinaryIO, max_size: int) -> bytes:
    # Files may grow while they are read, and those in /proc claim to be empty.
    data = file.read(max_size + 1)
    if len(data) > max_size:
        raise too_large(max_size)
    return data


def stdin() -> BinaryIO:
    """Standard input as bytes; raises `SourceUnreadable` where there is none."""
    if sys.stdin is None:
        raise SourceUnreadable("there is no standard input")
    return sys.stdin.buffer


def unreadable(error: Exception, path: Path) -> SourceError:
    """What an error of the operating system means for the file at `path`."""
    if not isinstance(error, OSError) or error.errno in _ABSENT:
        return SourceNotFound("there is no such file", hint=_hint_for(path))
    if isinstance(error, IsADirectoryError):
        return _folder()
    if isinstance(error, PermissionError):
        return SourceUnreadable("there is no permission to read this file")
    return SourceUnreadable(f"this file cannot be read ({error.strerror or error})")


def _folder() -> SourceUnreadable:
    return SourceUnreadable("this is a folder, not a file", hint="Name the files in it.")


def _check(status: stat_result, max_size: int) -> None:
    """Refuse what must not even be opened: a pipe may never answer, a device never end."""
    if stat.S_ISDIR(status.st_mode):
        raise _folder()
    if not stat.S_ISREG(status.st_mode):
        raise SourceUnreadable(
            "this is a pipe or a device, not a file", hint='Pipe the content in and name it "-".'
        )
    if status.st_size > max_size:
        raise too_large(max_size)


def _hint_for(path: Path) -> str | None:
    if str(path).lstrip().startswith("<"):
        return "This looks like markup; in Python, markup is given as bytes."
    host = path.parts[0] if path.parts else ""
    if host.endswith(":") and len(host) > 2:
        return "Only addresses that begin with http:// or https:// can be fetched."
    if _HOST.fullmatch(host) and not _PAGE.search(host):
        return f"To fetch it, write https://{path.as_posix()}"
    return None


# Compression


def decompress(data: bytes, max_size: int) -> bytes:
    """The content of gzip data, which may be gzip in gzip; other data unchanged."""
    for _ in range(GZIP_LEVELS):
        if not data.startswith(GZIP_MAGIC):
            break
        data = _gunzip(data, max_size)
    return data


def _gunzip(data: bytes, max_size: int) -> bytes:
    """As much of `data` as can be decompressed: browsers show the start of a damaged page, too."""
    content = bytearray()
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
        try:
            while chunk := file.read1(_CHUNK):
                content += chunk
                if len(content) > max_size:
                    raise too_large(max_size)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            if not content:
                raise NotAPage("this is damaged gzip data") from error
    return bytes(content)
