"""An answer of a server as it was stored, decoded.

Archives store answers as they came over the wire, chunked and compressed; others store them
decoded, with the old headers. So what a header says is tried, and content that is not encoded in
that way is taken as it is.
"""

from __future__ import annotations

import re
import zlib
from importlib import import_module
from typing import Any

from pagesight.errors import BrokenRecord
from pagesight.sources.source import too_large

_SIZE = re.compile(rb"[ \t]*([0-9a-fA-F]{1,15})[ \t]*(?:;[^\r\n]*)?\r?\n")
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_STEP = 4096


def decoded(body: bytes, transfer: str, encodings: str, max_size: int) -> bytes:
    """The content of an answer, by its headers ``Transfer-Encoding`` and ``Content-Encoding``."""
    if "chunked" in transfer.lower():
        body = unchunked(body)
    for name in reversed([name.strip().lower() for name in encodings.split(",")]):
        body = _expanded(body, name, max_size)
    return body


def unchunked(body: bytes) -> bytes:
    """Chunks put together; content that is not chunked unchanged."""
    content, position = bytearray(), 0
    if not _SIZE.match(body):
        return body
    while size := _SIZE.match(body, position):
        length = int(size[1], 16)
        if length == 0:
            return bytes(content)
        content += body[size.end() : size.end() + length]
        position = size.end() + length
        position += len(body[position : position + 2]) - len(
            body[position : position + 2].lstrip(b"\r\n")
        )
    if position < len(body):
        raise BrokenRecord("its chunks are damaged")
    return bytes(content)  # the last chunk is missing, as in pages whose transfer was cut off


def _expanded(body: bytes, encoding: str, max_size: int) -> bytes:
    if encoding in ("", "identity") or not body:
        return body
    if encoding in ("gzip", "x-gzip"):
        return _by_zlib(body, 31, max_size) if body.startswith(_GZIP) else body
    if encoding == "deflate":
        return _deflated(body, max_size)
    if encoding == "zstd":
        return _by_zstd(body, max_size) if body.startswith(_ZSTD) else body
    if encoding == "br":
        return _by_brotli(body, max_size)
    raise BrokenRecord(f"encoded in a way that is not known: {encoding[:40]!r}")


def _by_zlib(body: bytes, window: int, max_size: int) -> bytes:
    """As much as can be expanded: browsers show the beginning of a damaged page, too."""
    expander, content = zlib.decompressobj(window), bytearray()
    try:
        content += expander.decompress(body, max_size + 1)
    except zlib.error as error:
        content += _start_of(body, window, max_size)
        if not content:
            raise BrokenRecord("its compressed content is damaged") from error
    return bytes(_checked(content, max_size))


def _start_of(body: bytes, window: int, max_size: int) -> bytes:
    """What comes out before the damage."""
    expander, content = zlib.decompressobj(window), bytearray()
    try:
        for start in range(0, len(body), 256):
            content += expander.decompress(body[start : start + 256], max_size + 1)
    except zlib.error:
        pass
    return bytes(content)


def _deflated(body: bytes, max_size: int) -> bytes:
    """With the header that the standard asks for, or without it, as some servers do; or plain."""
    for window in (15, -15):
        try:
            zlib.decompressobj(window).decompress(body, 1)
        except zlib.error:
            continue
        return _by_zlib(body, window, max_size)
    return _taken_as_decoded(body)


def _by_zstd(body: bytes, max_size: int) -> bytes:
    zstandard: Any = import_module("zstandard")
    try:
        with zstandard.ZstdDecompressor().stream_reader(body, read_across_frames=True) as reader:
            return bytes(_checked(reader.read(max_size + 1), max_size))
    except zstandard.ZstdError as error:
        raise BrokenRecord("its compressed content is damaged") from error


def _by_brotli(body: bytes, max_size: int) -> bytes:
    brotli: Any = import_module("brotli")
    expander, content = brotli.Decompressor(), bytearray()
    try:
        for start in range(0, len(body), _STEP):
            content += expander.process(body[start : start + _STEP])
            _checked(content, max_size)
    except brotli.error as error:
        return _taken_as_decoded(body, error)
    return bytes(content)


def _taken_as_decoded(body: bytes, reason: Exception | None = None) -> bytes:
    """Content that is markup or a PDF, whatever its header says: not all encodings have a sign."""
    if body.lstrip()[:1] == b"<" or body.startswith(b"%PDF-"):
        return body
    raise BrokenRecord("its compressed content is damaged") from reason


def _checked(content: Any, max_size: int) -> Any:
    if len(content) > max_size:
        raise too_large(max_size)
    return content
