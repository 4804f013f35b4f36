"""The objects of pdfium: opened, read, and closed again whatever happens."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pypdfium2

pdfium: Any = pypdfium2.raw  # generated, and without types
Handle = Any  # opaque pointers of C


@contextmanager
def _closing(handle: Handle, close: Any) -> Iterator[Handle]:
    """A handle, or None if pdfium returned none."""
    try:
        yield handle or None
    finally:
        if handle:
            close(handle)


def document(data: bytes) -> AbstractContextManager[Handle]:
    """An open document, or None if pdfium cannot open it; `last_error` says why.

    The caller keeps `data` while the document is open: pdfium does not copy it.
    """
    raw = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
    return _closing(raw, pdfium.FPDF_CloseDocument)


def page(document: Handle, index: int) -> AbstractContextManager[Handle]:
    """One page of a document, or None if it is damaged."""
    return _closing(pdfium.FPDF_LoadPage(document, index), pdfium.FPDF_ClosePage)


def text_of(page: Handle) -> AbstractContextManager[Handle]:
    """The characters of a page, or None if they cannot be read."""
    return _closing(pdfium.FPDFText_LoadPage(page), pdfium.FPDFText_ClosePage)


def last_error() -> int:
    """Why the last document did not open."""
    return int(pdfium.FPDF_GetLastError())


def read_color(call: Any, *arguments: Any) -> tuple[int, ...]:
    """Red, green, blue and opacity that a function writes; nothing if there is no colour."""
    channels = [ctypes.c_uint() for _ in range(4)]
    return tuple(channel.value for channel in channels) if call(*arguments, *channels) else ()


def read_bytes(call: Any, *arguments: Any) -> bytes:
    """What a function writes into a buffer; called without one, it returns the length it needs."""
    length = call(*arguments, None, 0)
    if length <= 0:
        return b""
    buffer = ctypes.create_string_buffer(length)
    call(*arguments, ctypes.cast(buffer, call.argtypes[len(arguments)]), length)
    return buffer.raw


def read_utf16(call: Any, *arguments: Any) -> str:
    """A string that pdfium writes as UTF-16, up to its terminating zero."""
    return read_bytes(call, *arguments).decode("utf-16-le", "replace").partition("\0")[0]


def read_utf8(call: Any, *arguments: Any) -> str:
    """A string that pdfium writes as bytes, up to its terminating zero."""
    return read_bytes(call, *arguments).partition(b"\0")[0].decode("utf-8", "replace")
