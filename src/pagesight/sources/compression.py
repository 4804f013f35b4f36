"""Gzip, undone within a limit."""

from __future__ import annotations

import gzip
import io
import zlib

from pagesight.errors import NotAPage
from pagesight.sources.limits import too_large

GZIP_MAGIC = b"\x1f\x8b\x08"

_LEVELS = 2
_PIECE = 256 * 1024


def decompress(data: bytes, max_size: int) -> bytes:
    """The content of gzip data, which may be gzip in gzip; other data as it is."""
    for _ in range(_LEVELS):
        if not data.startswith(GZIP_MAGIC):
            break
        data = _gunzip(data, max_size)
    return data


def _gunzip(data: bytes, max_size: int) -> bytes:
    """What can be had of `data`: browsers show the beginning of a damaged page, too."""
    content = bytearray()
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
        try:
            while piece := file.read1(_PIECE):
                content += piece
                if len(content) > max_size:
                    raise too_large(max_size)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            if not content:
                raise NotAPage("this is damaged gzip data") from error
    return bytes(content)
